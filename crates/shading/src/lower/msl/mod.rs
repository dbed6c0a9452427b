//! MSL, versions 2.0 to 3.2.
//!
//! Nothing but constants is at module level: resources are parameters of the entry points, and private and workgroup variables are declared in
//! them. The lowering names them as globals, with the role [`crate::syntax::Role`] says; `placing.rs` moves them into the entry points after
//! the rules, and adds them as parameters to the functions that need them.
//!
//! | part | file |
//! |---|---|
//! | resources and their numbers, other variables | `globals.rs`, `buffers.rs`, `handles.rs`, `unbounded.rs` |
//! | inputs and outputs | `interface.rs`, `built_ins.rs` |
//! | tessellation, mesh and object functions | `tessellation.rs`, `meshes.rs`, `mesh_ends.rs`, `members.rs` |
//! | heads, names of entry points, specialization | `head.rs` |
//! | variables of entry points, after the rules | `placing.rs` |
//! | functions and arguments | `parameters.rs` |
//! | numbers, bits, integers that wrap | `numbers.rs`, `bits.rs`, `wrapping.rs` |
//! | functions of `GLSL.std.450` | `extended.rs`, `functions.rs` |
//! | arrays of a threadgroup, addresses | `arrays.rs`, `addresses.rs` |
//! | images | `images.rs`, `texels.rs` |
//! | atomics, barriers, subgroups, interlocks | `atomics.rs`, `barriers.rs`, `subgroups.rs`, `interlocks.rs` |
//! | what ends a lane, derivatives, lengths of arrays | `special.rs` |

mod addresses;
mod arrays;
mod atomics;
mod barriers;
mod bits;
mod buffers;
mod built_ins;
mod extended;
mod functions;
mod globals;
mod handles;
mod head;
mod images;
mod interface;
mod interlocks;
mod members;
mod mesh_ends;
mod meshes;
mod numbers;
mod parameters;
mod placing;
mod ranges;
mod rays;
mod special;
mod subgroups;
mod tessellation;
#[cfg(test)]
mod tests;
mod texels;
mod unbounded;
mod wrapping;

use reconverge_ir::Inst;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lowering;
use super::function::vertices::Vertices;
use super::resources::Slot;
use crate::syntax::{GlobalId, Member, Struct, StructId, Type};
pub(crate) use placing::place;

/// The state of the lowering to MSL, besides that for every language.
#[derive(Default)]
pub(crate) struct State {
    /// The samplers of variables that are images with samplers.
    samplers: FxHashMap<Inst, GlobalId>,
    /// The places of the buffers in the sizes of buffers; that of the first one of an array.
    buffers: FxHashMap<Inst, u32>,
    /// The buffers that are used, by their descriptors.
    sharing: FxHashMap<Slot, Vec<Inst>>,
    /// What the text has for the descriptors of buffers.
    bound: FxHashMap<Slot, buffers::Bound>,
    /// Buffers whose accesses stay as they are.
    volatile: FxHashSet<Inst>,
    /// Resources that fragments access in the order of their primitives.
    ordered: FxHashSet<Inst>,
    /// The structs that have a value alone, by their name and its type.
    around: FxHashMap<(&'static str, Type), StructId>,
    /// Variables that something may write.
    written: FxHashSet<Inst>,
    /// The number of the buffer with the sizes of buffers.
    sizes_number: u32,
    /// The sizes of buffers.
    sizes: Option<GlobalId>,
    /// Specialization constants that lengths of arrays need, which keep their default value.
    fixed: FxHashSet<Inst>,
    /// True if the text queries rays.
    has_rays: bool,
    /// The control points of evaluation shaders, by their entry points.
    points: FxHashMap<Inst, tessellation::Points>,
    /// Inputs and outputs of each vertex or primitive, by their variables.
    vertices: FxHashMap<Inst, Vertices>,
    /// The members of those that are no vectors.
    composites: Vec<members::Members>,
    /// What a mesh shader makes.
    meshes: Option<meshes::Meshes>,
    /// The mesh shaders that a task shader starts.
    grid: Option<GlobalId>,
    /// The attributes of inputs and outputs that are given, by the entry point and whether it is an input.
    attributes: FxHashSet<(Option<Inst>, bool, String)>,
    /// Parts of outputs, which get their value when the entry point returns.
    copies: Vec<Copy>,
}

impl State {
    /// Returns whether something may write a variable.
    pub(in crate::lower) fn is_written(&self, variable: Inst) -> bool {
        self.written.contains(&variable)
    }
}

impl Lowering<'_> {
    /// The struct of this name that has a value of a type as its only member.
    fn struct_around(&mut self, name: &'static str, ty: Type) -> StructId {
        if let Some(&known) = self.msl.around.get(&(name, ty)) {
            return known;
        }
        let value = Member { name: "value".to_owned(), ty, prefix: String::new(), suffix: String::new() };
        let id = self.text.add_struct(Struct { name: name.to_owned(), members: vec![value], is_block: false });
        self.msl.around.insert((name, ty), id);
        id
    }
}

/// A part of an output that is no vector.
#[derive(Clone)]
struct Copy {
    /// The output.
    variable: Inst,
    /// The variable that the code assigns.
    whole: GlobalId,
    /// The members and elements from there to the part.
    path: Vec<u32>,
    part: GlobalId,
}

/// The address space of a pointer to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Memory {
    Device,
    Constant,
    Threadgroup,
    Thread,
    /// The payload of a task shader.
    Object,
}

impl Memory {
    fn of(class: spirv::StorageClass) -> Option<Memory> {
        use spirv::StorageClass as Class;
        Some(match class {
            Class::StorageBuffer => Memory::Device,
            Class::Uniform | Class::PushConstant => Memory::Constant,
            Class::Workgroup => Memory::Threadgroup,
            Class::TaskPayloadWorkgroupEXT => Memory::Object,
            Class::Function | Class::Private | Class::Input | Class::Output => Memory::Thread,
            _ => return None,
        })
    }

    fn word(self) -> &'static str {
        match self {
            Memory::Device => "device",
            Memory::Constant => "constant",
            Memory::Threadgroup => "threadgroup",
            Memory::Thread => "thread",
            Memory::Object => "object_data",
        }
    }
}
