//! WGSL.
//!
//! Resources, private and workgroup memory are variables of the module. Inputs and outputs are parameters and results of the entry points.
//! Memory that atomic operations change has an atomic type, so every access to it is atomic.
//!
//! | part | file |
//! |---|---|
//! | variables | `globals.rs`, `resources.rs` |
//! | types with atomics, and accesses to them | `memory.rs`, `atomics.rs` |
//! | inputs and outputs | `interface.rs`, `parts.rs`, `built_ins.rs` |
//! | extensions, attributes of entry points, specialization constants | `head.rs` |
//! | parameters and arguments | `parameters.rs` |
//! | numbers, bits | `numbers.rs`, `bits.rs` |
//! | functions of `GLSL.std.450` | `extended.rs`, `functions.rs` |
//! | images | `images.rs`, `texels.rs` |
//! | barriers, subgroups | `barriers.rs`, `subgroups.rs` |
//! | what ends a lane, derivatives, lengths of arrays | `special.rs` |
//! | expressions that a compiler evaluates and refuses, after the rules | `evaluated.rs` |

mod atomics;
mod barriers;
mod bits;
mod built_ins;
mod evaluated;
mod extended;
mod functions;
mod globals;
mod head;
mod images;
mod interface;
mod memory;
mod numbers;
mod parameters;
mod parts;
mod resources;
mod special;
mod subgroups;
mod texels;

use std::collections::BTreeMap;

use reconverge_ir::Inst;
use rustc_hash::{FxHashMap, FxHashSet};

use super::uses::Sampling;
use crate::syntax::{GlobalId, StructId};
pub(crate) use evaluated::hide;

/// The state of the lowering to WGSL, besides that for every language.
#[derive(Default)]
pub(crate) struct State {
    /// The samplers of variables that are images with samplers.
    samplers: FxHashMap<(Inst, Sampling), GlobalId>,
    /// The next free binding of each group.
    free: BTreeMap<u32, u32>,
    /// Structs that were made for a variable with atomics.
    of_atomics: FxHashSet<StructId>,
    /// Numbers that are infinite or NaN, by their bits and width.
    special: BTreeMap<(u64, u8), GlobalId>,
    /// Buffers that vertex shaders use, which read them alone.
    of_vertices: FxHashSet<Inst>,
    /// Loads between two barriers that give all invocations one value.
    uniform_loads: FxHashSet<Inst>,
    /// Barriers that are a part of such a load.
    left_out: FxHashSet<Inst>,
}
