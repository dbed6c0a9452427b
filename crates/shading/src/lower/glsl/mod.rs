//! GLSL: Vulkan, OpenGL and OpenGL ES.
//!
//! The language is close to SPIR-V: interface variables and resources are globals, and most instructions have a function or an operator.
//!
//! | part | file |
//! |---|---|
//! | buffers, images, inputs and outputs | `globals.rs`, `interface.rs`, `built_ins.rs`, `layout.rs` |
//! | extensions, modes of the stage | `head.rs` |
//! | what each version has | `versions.rs` |
//! | numbers: vectors of `bool`, bits, special floats | `numbers.rs`, `bits.rs` |
//! | functions of `GLSL.std.450` | `extended.rs` |
//! | functions and memory, where nothing is special | `functions.rs` |
//! | stores to blocks and to the outputs of vertices | `blocks.rs` |
//! | addresses | `references.rs` |
//! | images | `images.rs`, `texels.rs` |
//! | atomics, barriers, subgroups | `atomics.rs`, `barriers.rs`, `subgroups.rs` |
//! | what ends a lane, geometry streams, rays | `special.rs`, `rays.rs` |

pub(super) mod atomics;
pub(super) mod barriers;
mod bits;
mod blocks;
mod built_ins;
mod extended;
mod functions;
mod globals;
mod head;
pub(super) mod images;
mod interface;
pub(super) mod layout;
mod numbers;
mod rays;
pub(super) mod references;
mod special;
mod subgroups;
mod texels;
mod versions;
