//! Layouts of memory in languages without offsets: MSL and WGSL.
//!
//! | part | file |
//! |---|---|
//! | members of structs, padding | `members.rs` |
//! | sizes and alignments, packed vectors, matrices, elements of arrays | `extents.rs` |

mod extents;
mod members;

pub(super) use extents::{Extent, power_in};
