//! Variables that begin with a value.
//!
//! A private variable that nothing writes is a table: its bytes are constants of the code, once for all lanes. Another one is written by
//! stores, scalar by scalar, where the function begins or where the variable is made.

use reconverge_ir::{Inst, Module, Op, Slot, view};
use spirv::StorageClass;

use super::SelectError;
use super::frame::{Places, Root};
use super::selector::Selector;
use super::value::ScalarType;
use crate::machine::MachineFunction;

/// A scalar of an initializer.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// The constant; none for zero.
    constant: Option<Inst>,
    ty: Inst,
    offset: u64,
}

/// Whether a variable is private, has an initializer, and is only read.
pub(super) fn is_table(module: &Module, variable: Inst) -> bool {
    let Some(view) = view::Variable::of(module, variable) else { return false };
    let is_private = matches!(view.storage_class, Some(StorageClass::Private | StorageClass::Function));
    if !is_private || view.initializer.is_none() {
        return false;
    }
    let mut pending = vec![variable];
    while let Some(pointer) = pending.pop() {
        for used in module.uses(pointer) {
            let is_base = used.slot == Slot::Operand(0);
            match module.op(used.user) {
                Op::Load | Op::Name | Op::EntryPoint => {}
                Op::AccessChain | Op::InBoundsAccessChain if is_base => pending.push(used.user),
                _ => return false,
            }
        }
    }
    true
}

/// Writes the tables of a module into the constants of a function.
pub(super) fn place_tables(
    module: &Module,
    machine: &mut MachineFunction,
    places: &mut Places,
    variables: &[Inst],
) -> Result<(), SelectError> {
    for &variable in variables.iter().filter(|&&variable| is_table(module, variable)) {
        let initializer = view::Variable::of(module, variable).and_then(|view| view.initializer);
        let Some(initializer) = initializer else { continue };
        let start = machine.constants.len().next_multiple_of(64);
        // Offsets are kept within the room, and a displacement within the variable is added.
        let size = 2 * places.room(variable) as usize;
        machine.constants.resize(start + size, 0);
        for leaf in leaves(module, initializer)? {
            let bits = leaf.constant.map_or(0, |constant| bits_of(module, constant));
            let bytes = bytes_of(module, leaf.ty);
            let at = start + leaf.offset as usize;
            machine.constants[at..at + bytes].copy_from_slice(&bits.to_le_bytes()[..bytes]);
        }
        places.set_root(variable, Root::Table(start as u32));
    }
    Ok(())
}

fn bits_of(module: &Module, constant: Inst) -> u64 {
    match module.op(constant) {
        Op::ConstantTrue => 1,
        Op::Constant => module.constant_bits(constant).unwrap_or(0),
        _ => 0,
    }
}

/// Bytes of a scalar type in memory.
fn bytes_of(module: &Module, ty: Inst) -> usize {
    module.width(ty).map_or(1, |width| width as usize / 8)
}

/// The scalars of an initializer, with their offsets.
fn leaves(module: &Module, initializer: Inst) -> Result<Vec<Leaf>, SelectError> {
    let mut layouts = reconverge_analysis::Layouts::new();
    let refused = |at: Inst| SelectError { what: "an initializer of this type".to_owned(), at };
    let ty = module.ty(initializer).ok_or_else(|| refused(initializer))?;
    let mut pending = vec![Leaf { constant: Some(initializer), ty, offset: 0 }];
    let mut found = Vec::new();
    while let Some(leaf) = pending.pop() {
        let count = match module.op(leaf.ty) {
            Op::TypeStruct => module.operand_count(leaf.ty) as u64,
            Op::TypeVector => module.components(leaf.ty).1.into(),
            Op::TypeArray => reconverge_analysis::array_length(module, leaf.ty).map_err(|_| refused(initializer))?,
            _ => {
                found.push(leaf);
                continue;
            }
        };
        for index in 0..count {
            let part = module.part_type(leaf.ty, index as usize).ok_or_else(|| refused(initializer))?;
            let offset = if module.op(leaf.ty) == Op::TypeStruct {
                layouts.member_offset(module, leaf.ty, index as usize)
            } else {
                layouts.element_stride(module, leaf.ty).map(|stride| stride * index)
            };
            let offset = offset.map_err(|_| refused(initializer))?;
            let constant = leaf.constant.filter(|&constant| module.op(constant) == Op::ConstantComposite);
            let constant = constant.and_then(|constant| module.operands(constant).nth(index as usize));
            pending.push(Leaf { constant, ty: part, offset: leaf.offset + offset });
        }
    }
    Ok(found)
}

impl Selector<'_> {
    /// Writes the initializer of a variable that is not a table.
    pub(super) fn initialize(&mut self, variable: Inst) -> Result<(), SelectError> {
        let initializer = view::Variable::of(self.module, variable).and_then(|view| view.initializer);
        let Some(initializer) = initializer.filter(|_| !is_table(self.module, variable)) else { return Ok(()) };
        for leaf in leaves(self.module, initializer)? {
            let ty =
                self.scalar_of(leaf.ty).ok_or_else(|| self.unsupported(variable, "an initializer of this type"))?;
            let bits = leaf.constant.map_or(0, |constant| bits_of(self.module, constant));
            let mut pointer = self.root_pointer(variable)?;
            pointer.displacement = leaf.offset;
            let value = self.emit.constant(if ty == ScalarType::Bool { ScalarType::Int(8) } else { ty }, bits);
            self.store_at(&pointer, ty, value, variable)?;
        }
        Ok(())
    }
}
