//! The places of variables: in the frame of the pack, in the memory of the work-group, among the arguments, or nowhere.
//!
//! ```text
//! frame    header | scratch, for loops over lanes | private variables | spill slots
//! context  see `call_memory.rs`
//! ```
//!
//! A private variable of `size` bytes takes `size · lanes`: what is at byte offset `o` in the variable of one lane is at `o · lanes`, for all
//! lanes side by side. So a uniform index reads one vector.

use reconverge_analysis::{LayoutError, Layouts};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op, view};
use reconverge_lanes::is_table;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::StorageClass;

use super::value::Pack;
use crate::call_memory::header;
use crate::error::unsupported;

/// The largest distance of the first lane before a variable of the work-group, if the lane is inactive or its index is out of bounds, and
/// of the other lanes from the first one.
pub(crate) const SLACK: u32 = 2048;

/// Bytes before the memory of the work-group: the first lane may be before it, and the others before that one.
pub(crate) const BEFORE_WORKGROUP: u32 = 2 * SLACK;

/// Values that a loop over lanes takes and gives at most.
pub(crate) const SCRATCH_VALUES: u32 = 4;

/// The object that a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Root {
    /// The frame, at this offset; lanes side by side.
    Private(u32),
    /// The memory of the work-group, at this offset.
    Workgroup(u32),
    /// The push constants.
    PushConstants,
    /// A built-in input.
    Input,
    /// The constants of the code, at this offset: a private variable that is only read.
    Table(u32),
}

/// The places of the variables of a function.
#[derive(Debug, Default)]
pub(crate) struct Places {
    roots: FxHashMap<Inst, Root>,
    /// The bytes that offsets into a variable are kept within, powers of two.
    rooms: FxHashMap<Inst, u64>,
    /// Bytes of the frame without spill slots.
    pub(crate) frame_bytes: u32,
    /// Bytes of the push constants: how far an offset that is kept within the room of its variable reaches.
    pub(crate) push_constant_bytes: u32,
    /// Bytes of the variables of the work-group.
    workgroup_bytes: u32,
    /// Bytes of the memory of the work-group: how far an offset that is kept within the room of its variable reaches.
    pub(crate) workgroup_reach: u32,
}

impl Places {
    /// Lays out the variables of a module and of a function.
    ///
    /// # Errors
    /// A variable of a type without a known size, or too much memory.
    pub(crate) fn lay_out(module: &Module, function: Function, pack: Pack) -> Result<Places, Diagnostic> {
        let mut places = Places { frame_bytes: scratch(pack, SCRATCH_VALUES), ..Places::default() };
        let mut layouts = Layouts::new();
        let entry = module.entry(function).into_iter().flat_map(|entry| module.children(entry));
        for inst in module.globals().chain(entry) {
            if module.op(inst) == Op::Variable {
                places.add(module, &mut layouts, inst, pack)?;
            }
        }
        Ok(places)
    }

    fn add(&mut self, module: &Module, layouts: &mut Layouts, variable: Inst, pack: Pack) -> Result<(), Diagnostic> {
        let class = view::Variable::of(module, variable).and_then(|variable| variable.storage_class);
        let is_indexed = matches!(
            class,
            Some(StorageClass::Workgroup | StorageClass::Function | StorageClass::Private | StorageClass::PushConstant)
        );
        let size = if is_indexed { size_of(module, layouts, variable)? } else { 0 };
        // An offset that is kept within the room, and a constant one that is added to it.
        let room = size.checked_next_power_of_two().ok_or_else(|| too_large(variable))?;
        let reserved = if has_parts(module, variable) { room + size } else { size };
        self.rooms.insert(variable, room);
        let root = match class {
            Some(StorageClass::Input) => Root::Input,
            Some(StorageClass::PushConstant) => {
                self.push_constant_bytes = self.push_constant_bytes.max(grown(0, reserved, variable)?);
                Root::PushConstants
            }
            Some(StorageClass::Workgroup) => {
                let offset = self.workgroup_bytes.next_multiple_of(64);
                self.workgroup_bytes = grown(offset, size, variable)?;
                // The room and the slack, up to a power of two; a constant offset; the lanes after the first one. They may reach other
                // variables of the work-group, and memory after the last one.
                let reach = 2 * (room + u64::from(SLACK)) + size + u64::from(SLACK);
                self.workgroup_reach = self.workgroup_reach.max(grown(offset, reach, variable)?);
                Root::Workgroup(offset)
            }
            // `place_tables` says where it is.
            Some(StorageClass::Function | StorageClass::Private) if is_table(module, variable) => return Ok(()),
            Some(StorageClass::Function | StorageClass::Private) => {
                let offset = self.frame_bytes.next_multiple_of(64);
                let size = reserved.saturating_mul(u64::from(pack.lanes()));
                self.frame_bytes = grown(offset, size, variable)?;
                Root::Private(offset)
            }
            // Its uses are refused.
            _ => return Ok(()),
        };
        self.roots.insert(variable, root);
        Ok(())
    }

    /// The bytes that offsets into a variable are kept within.
    pub(crate) fn room(&self, variable: Inst) -> u64 {
        self.rooms.get(&variable).copied().unwrap_or(1)
    }

    /// Records the place of a variable.
    pub(super) fn set_root(&mut self, variable: Inst, root: Root) {
        self.roots.insert(variable, root);
    }

    /// Returns the root of a variable.
    pub(crate) fn root(&self, variable: Inst) -> Option<Root> {
        self.roots.get(&variable).copied()
    }
}

/// The end of that number of 64-bit values for each lane, after the header.
pub(crate) fn scratch(pack: Pack, values: u32) -> u32 {
    header::SIZE + values * 8 * pack.lanes()
}

/// Returns whether a variable has parts that an index may choose.
fn has_parts(module: &Module, variable: Inst) -> bool {
    let pointee = module.pointee(variable);
    let is_part = |ty| matches!(module.op(ty), Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypePointer);
    pointee.is_some_and(|ty| !is_part(ty))
}

fn size_of(module: &Module, layouts: &mut Layouts, variable: Inst) -> Result<u64, Diagnostic> {
    let pointee = module.pointee(variable);
    let layout = pointee.ok_or(()).and_then(|ty| layouts.of(module, ty).map_err(|_: LayoutError| ()));
    let layout = layout.map_err(|()| unsupported(variable, "a variable without a known size"))?;
    if pointee.is_some_and(|ty| overlaps(module, layouts, ty)) {
        return Err(unsupported(variable, "a variable with an array whose elements overlap"));
    }
    Ok(layout.size)
}

/// Returns whether elements of an array in a type overlap, as a stride can say. The last one then ends after the array.
fn overlaps(module: &Module, layouts: &mut Layouts, ty: Inst) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        match module.op(ty) {
            Op::TypeStruct if seen.insert(ty) => stack.extend(module.operands(ty)),
            Op::TypeArray if seen.insert(ty) => {
                let Some(element) = module.element_type(ty) else { return true };
                let size = layouts.of(module, element).map(|layout| layout.size);
                if layouts.element_stride(module, ty).ok().zip(size.ok()).is_none_or(|(stride, size)| stride < size) {
                    return true;
                }
                stack.push(element);
            }
            _ => {}
        }
    }
    false
}

fn grown(offset: u32, size: u64, variable: Inst) -> Result<u32, Diagnostic> {
    /// Addresses in the frame are 32-bit displacements.
    const LIMIT: u64 = 1 << 30;
    let end = u64::from(offset).saturating_add(size);
    let is_small = end < LIMIT;
    is_small.then_some(end as u32).ok_or_else(|| too_large(variable))
}

fn too_large(variable: Inst) -> Diagnostic {
    unsupported(variable, "more than 1 GiB of memory for variables")
}
