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
//! | inputs and outputs, built-ins, attributes | `interface.rs`, `parts.rs`, `forms.rs`, `built_ins.rs`, `head.rs` |
//! | geometry: vertices of a primitive, streams | `vertices.rs`, `streams.rs`, `points.rs` |
//! | tessellation: patches, the functions of a control shader | `tessellation.rs`, `phases.rs` |
//! | task and mesh shaders | `meshes.rs` |
//! | functions: composites, samplers of parameters | `functions.rs` |
//! | numbers: products of matrices, remainders, bits | `numbers.rs`, `bits.rs`, `fields.rs` |
//! | functions of `GLSL.std.450` | `extended.rs`, `inverse.rs`, `packing.rs` |
//! | images | `images.rs`, `texels.rs`, `queries.rs` |
//! | atomics, barriers, subgroups | `atomics.rs`, `barriers.rs`, `subgroups.rs`, `scans.rs` |
//! | integers of 8 bits, and those without a type, after the rules | `narrow.rs`, `literals.rs` |
//! | bytes in memory | `bytes.rs` |
//! | queries of rays | `rays.rs` |
//! | what ends a lane, derivatives | `special.rs` |

mod access;
mod atomics;
mod barriers;
mod bits;
mod buffers;
mod built_ins;
mod bytes;
mod constants;
mod extended;
mod fields;
mod forms;
mod functions;
mod globals;
mod head;
mod images;
mod interface;
mod inverse;
mod layout;
mod literals;
mod meshes;
mod narrow;
mod numbers;
mod packing;
mod parts;
pub(super) mod phases;
mod points;
mod queries;
mod raw;
mod rays;
mod registers;
mod scans;
mod semantics;
mod special;
mod streams;
mod subgroups;
mod tessellation;
mod texels;
mod vertices;

use reconverge_ir::{Function, Inst};
use rustc_hash::{FxHashMap, FxHashSet};

use super::uses::Sampling;
use crate::syntax::{GlobalId, Length};
pub(crate) use literals::give_types;
pub(crate) use narrow::keep_narrow;

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
    /// The domain of the tessellation that is written.
    domain: Option<super::stages::Domain>,
    /// The number of the vertices of a patch that the entry point gets.
    patch: Option<Length>,
    /// The function that is made of an entry point of tessellation control.
    pub(super) phase: phases::Phase,
    /// The invocation that the function of a patch does the work of.
    invocation: u32,
    /// The instructions that this function does not have.
    pub(super) skipped: FxHashSet<Inst>,
    /// The conditions whose value this function knows.
    pub(super) decided: FxHashMap<Inst, bool>,
    /// What a task shader hands to the mesh shaders that it starts.
    payload: Option<GlobalId>,
    /// Macros of specialization constants that the head declares.
    macros: Vec<(u32, String)>,
}
