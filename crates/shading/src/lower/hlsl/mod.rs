//! HLSL, shader models 5.0 to 6.8.
//!
//! Interface variables are parameters and the result of the entry point, buffers are read and written by methods, and an image with a
//! sampler is a texture and a sampler. A matrix of the module with `c` columns of `r` rows is a `floatCxR` whose rows are these columns, so
//! the sides of products are exchanged.
//!
//! | part | file |
//! |---|---|
//! | buffers, images, samplers, memory of the workgroup | `globals.rs`, `buffers.rs`, `constants.rs`, `layout.rs`, `registers.rs` |
//! | memory at byte offsets | `raw.rs`, `access.rs` |
//! | inputs and outputs, built-ins, attributes | `interface.rs`, `parts.rs`, `built_ins.rs`, `head.rs` |
//! | geometry: vertices of a primitive, streams | `vertices.rs`, `streams.rs`, `points.rs` |
//! | functions: composites, samplers of parameters | `functions.rs` |
//! | numbers: products of matrices, remainders, bits | `numbers.rs`, `bits.rs`, `fields.rs` |
//! | functions of `GLSL.std.450` | `extended.rs`, `packing.rs` |
//! | images | `images.rs`, `texels.rs`, `queries.rs` |
//! | atomics, barriers, subgroups | `atomics.rs`, `barriers.rs`, `subgroups.rs`, `ballots.rs` |
//! | what ends a lane, derivatives | `special.rs` |

mod access;
mod atomics;
mod ballots;
mod barriers;
mod bits;
mod buffers;
mod built_ins;
mod constants;
mod extended;
mod fields;
mod functions;
mod globals;
mod head;
mod images;
mod interface;
mod layout;
mod numbers;
mod packing;
mod parts;
mod points;
mod queries;
mod raw;
mod registers;
mod special;
mod streams;
mod subgroups;
mod texels;
mod vertices;

use reconverge_ir::{Function, Inst};
use rustc_hash::{FxHashMap, FxHashSet};

use super::uses::Sampling;
use crate::syntax::GlobalId;

/// The state of a text in HLSL.
#[derive(Default)]
pub(crate) struct State {
    /// Buffers that are accessed at byte offsets.
    raw: FxHashMap<Inst, raw::Buffer>,
    /// The samplers of images with samplers.
    samplers: FxHashMap<(Inst, Sampling), GlobalId>,
    /// The registers of resources.
    registers: registers::Registers,
    /// The constant buffer with the number of workgroups.
    dispatch: Option<GlobalId>,
    /// The stage of the entry point that is written.
    stage: Option<spirv::ExecutionModel>,
    /// Functions besides entry points that append to streams.
    emitting: FxHashSet<Function>,
    /// The streams of a geometry shader whose functions append to them.
    streams: Vec<streams::Declared>,
    /// Macros of specialization constants that the head declares.
    macros: Vec<(u32, String)>,
}
