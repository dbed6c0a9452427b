//! Private variables that begin with a value.

use reconverge_analysis::{Layouts, array_length};
use reconverge_ir::{Inst, Module, Op, Slot, view};
use spirv::StorageClass;

/// A scalar of an initializer.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The constant; none for zero.
    constant: Option<Inst>,
    /// The type of the scalar.
    pub ty: Inst,
    /// Its offset in the variable, in bytes.
    pub offset: u64,
}

impl Leaf {
    /// Its bits.
    pub fn bits(&self, module: &Module) -> u64 {
        self.constant.map_or(0, |constant| match module.op(constant) {
            Op::ConstantTrue => 1,
            Op::Constant => module.constant_bits(constant).unwrap_or(0),
            _ => 0,
        })
    }

    /// Its bytes in memory.
    pub fn bytes(&self, module: &Module) -> usize {
        module.width(self.ty).map_or(1, |width| width as usize / 8)
    }

    /// Writes it where it is in the bytes of its variable.
    pub fn write(&self, module: &Module, variable: &mut [u8]) {
        let (at, bytes) = (self.offset as usize, self.bytes(module));
        variable[at..at + bytes].copy_from_slice(&self.bits(module).to_le_bytes()[..bytes]);
    }
}

/// Returns whether a variable is private, has an initializer, and is only read. Linear in the uses of the variable and of pointers into it.
pub fn is_table(module: &Module, variable: Inst) -> bool {
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

/// The scalars of the initializer of a variable, with their offsets; none for a variable without an initializer of known layout. Linear in the
/// scalars.
pub fn initial_scalars(module: &Module, variable: Inst) -> Option<Vec<Leaf>> {
    let initializer = view::Variable::of(module, variable)?.initializer?;
    let mut layouts = Layouts::new();
    let mut pending = vec![Leaf { constant: Some(initializer), ty: module.ty(initializer)?, offset: 0 }];
    let mut found = Vec::new();
    while let Some(leaf) = pending.pop() {
        let count = match module.op(leaf.ty) {
            Op::TypeStruct => module.operand_count(leaf.ty) as u64,
            Op::TypeVector => module.components(leaf.ty).1.into(),
            Op::TypeArray => array_length(module, leaf.ty).ok()?,
            _ => {
                found.push(leaf);
                continue;
            }
        };
        for index in 0..count {
            let ty = module.part_type(leaf.ty, index as usize)?;
            let offset = match module.op(leaf.ty) {
                Op::TypeStruct => layouts.member_offset(module, leaf.ty, index as usize).ok()?,
                _ => layouts.element_stride(module, leaf.ty).ok()? * index,
            };
            let constant = leaf.constant.filter(|&constant| module.op(constant) == Op::ConstantComposite);
            let constant = constant.and_then(|constant| module.operands(constant).nth(index as usize));
            pending.push(Leaf { constant, ty, offset: leaf.offset + offset });
        }
    }
    Some(found)
}
