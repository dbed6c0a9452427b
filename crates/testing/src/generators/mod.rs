//! Graphs for tests: every small one, random ones of several kinds, and families that grow.
//!
//! | file | graphs |
//! |---|---|
//! | `bodies` | bodies of compute shaders in WGSL and GLSL, as source |
//! | `exhaustive` | every rooted graph of few blocks with at most two ordered successors |
//! | `random` | forward edges of short span and some back edges, reducible or not |
//! | `structured` | what a front end produces for random nested statements, also after blocks were removed |
//! | `tortured` | any of the others, with features that are difficult for structurizers |
//! | `wild` | any successor lists |
//! | `growth` | whole modules with one parameter, on which compiling may become slow |
//! | `interfaces` | programs with interfaces and generics, and the same without |
//! | `kernels` | kernels of OpenCL C, as source |
//! | `lanes` | programs whose lanes go different ways, as data and as modules |
//! | `motion_shapes` | programs with one parameter, on which code motion may become slow |
//! | `shapes` | one parameter, one shape: ladders, webs, nests |

pub mod bodies;
pub mod exhaustive;
pub mod growth;
pub mod interfaces;
pub mod kernels;
pub mod lanes;
pub mod motion_shapes;
pub mod random;
pub mod shapes;
pub mod structured;
pub mod tortured;
pub mod wild;
