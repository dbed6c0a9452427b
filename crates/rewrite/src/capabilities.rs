//! What a module's capabilities allow a pass to write: which values a block parameter can carry.
//!
//! SPIR-V section 2.16.1 (universal validation rules) and 3.3.3: under logical addressing a pointer is the result of a phi or a
//! select only with variable pointers, and then only into some storage classes; images and samplers never are in shaders.

use reconverge_ir::{Inst, Module, Op, Position};

/// SPIR-V's numbers of the words that decide.
mod number {
    use std::ops::RangeInclusive;

    pub(super) const SHADER: u32 = 1;
    pub(super) const KERNEL: u32 = 6;
    pub(super) const FLOAT_16: u32 = 9;
    pub(super) const INT_64: u32 = 11;
    pub(super) const INT_16: u32 = 22;
    pub(super) const INT_8: u32 = 39;
    pub(super) const VARIABLE_POINTERS_STORAGE_BUFFER: u32 = 4441;
    pub(super) const VARIABLE_POINTERS: u32 = 4442;
    /// Capabilities to keep numbers of 8 and 16 bits in memory: of workgroups, then of buffers and between stages.
    pub(super) const NARROW_STORAGE: [RangeInclusive<u32>; 3] = [4429..=4430, 4433..=4436, 4448..=4450];
    pub(super) const PHYSICAL_32: u32 = 1;
    pub(super) const PHYSICAL_64: u32 = 2;
    pub(super) const UNIFORM_CONSTANT: u32 = 0;
    pub(super) const INPUT: u32 = 1;
    pub(super) const UNIFORM: u32 = 2;
    pub(super) const WORKGROUP: u32 = 4;
    pub(super) const PUSH_CONSTANT: u32 = 9;
    pub(super) const STORAGE_BUFFER: u32 = 12;
    pub(super) const PHYSICAL_STORAGE_BUFFER: u32 = 5349;
}

/// Which types a block parameter can have in a module.
#[derive(Clone, Copy, Debug)]
pub struct Carriable {
    is_physical: bool,
    variable_pointers: bool,
    variable_pointers_storage_buffer: bool,
    opaque: bool,
    float_16: bool,
    int_16: bool,
    int_8: bool,
    narrow_storage: bool,
}

impl Carriable {
    /// Reads the capabilities and the memory model. Linear in the module's globals.
    pub fn compute(module: &Module) -> Carriable {
        let (mut capabilities, mut addressing) = (Vec::new(), None);
        for global in module.globals() {
            match module.op(global) {
                Op::Capability => capabilities.extend(module.literal_word(module.operand(global, 0))),
                Op::MemoryModel => addressing = module.literal_word(module.operand(global, 0)),
                _ => {}
            }
        }
        let declares = |number| capabilities.contains(&number);
        Carriable {
            is_physical: matches!(addressing, Some(number::PHYSICAL_32 | number::PHYSICAL_64)),
            variable_pointers: declares(number::VARIABLE_POINTERS),
            variable_pointers_storage_buffer: declares(number::VARIABLE_POINTERS_STORAGE_BUFFER),
            opaque: declares(number::KERNEL) && !declares(number::SHADER),
            float_16: declares(number::FLOAT_16),
            int_16: declares(number::INT_16),
            int_8: declares(number::INT_8),
            narrow_storage: number::NARROW_STORAGE.iter().any(|some| capabilities.iter().any(|it| some.contains(it))),
        }
    }

    /// Whether a block parameter can carry a value. What cannot be carried must be computed again where it is used.
    pub fn is_carriable(&self, module: &Module, value: Inst) -> bool {
        let Some(ty) = module.ty(value) else { return true };
        match module.op(ty) {
            Op::TypeSampledImage => false,
            Op::TypeImage | Op::TypeSampler => self.opaque,
            // Nothing forbids a parameter, but drivers expect to see where the structure comes from.
            Op::TypeAccelerationStructureKHR => !can_run_again(module, value),
            Op::TypePointer => self.is_pointer_carriable(storage_class(module, ty)),
            _ => true,
        }
    }

    /// Whether values of a type are numbers, truth values, or vectors or matrices of them that may be more than loaded, stored and
    /// converted: numbers of 8 and 16 bits may be stored without the capability to compute with them.
    pub fn is_number(&self, module: &Module, ty: Inst) -> bool {
        let scalar = scalar_of(module, ty);
        let width = || module.literal_word(module.operand(scalar, 0));
        match module.op(scalar) {
            Op::TypeBool => true,
            Op::TypeFloat => width() != Some(16) || self.float_16,
            Op::TypeInt => match width() {
                Some(8) => self.int_8,
                Some(16) => self.int_16,
                _ => true,
            },
            _ => false,
        }
    }

    /// Whether numbers of a type may be loaded, stored and converted alone, so that there are no constants of it.
    pub fn is_for_storage(&self, module: &Module, ty: Inst) -> bool {
        self.narrow_storage && is_narrow(module, ty) && !self.is_number(module, ty)
    }

    fn is_pointer_carriable(&self, class: Option<u32>) -> bool {
        match class {
            _ if self.is_physical => true,
            Some(number::PHYSICAL_STORAGE_BUFFER) => true,
            Some(number::STORAGE_BUFFER) => self.variable_pointers || self.variable_pointers_storage_buffer,
            Some(number::WORKGROUP) => self.variable_pointers,
            _ => false,
        }
    }
}

/// Declares the widths of integers that passes made in a module of kernels: OpenCL has all of them, and a module need not have said so.
/// In a shader no pass makes one.
pub fn declare_integers(module: &mut Module) {
    let declared: Vec<(Inst, u32)> = module
        .globals()
        .filter(|&global| module.op(global) == Op::Capability)
        .filter_map(|global| Some((global, module.literal_word(module.operand(global, 0))?)))
        .collect();
    let has = |wanted: u32| declared.iter().any(|&(_, capability)| capability == wanted);
    let Some(&(last, _)) = declared.last().filter(|_| has(number::KERNEL) && !has(number::SHADER)) else { return };
    let widths: Vec<u32> = module
        .globals()
        .filter(|&global| module.op(global) == Op::TypeInt)
        .filter_map(|ty| module.literal_word(module.operand(ty, 0)))
        .collect();
    for (width, capability) in [(8, number::INT_8), (16, number::INT_16), (64, number::INT_64)] {
        if widths.contains(&width) && !has(capability) {
            let mut editor = module.edit();
            let word = editor.word(capability);
            editor.insert(Position::After(last), Op::Capability, None, &[word]);
        }
    }
}

/// Whether a type is a number of 8 or 16 bits, or a vector or matrix of them.
pub fn is_narrow(module: &Module, ty: Inst) -> bool {
    let scalar = scalar_of(module, ty);
    let is_number = matches!(module.op(scalar), Op::TypeInt | Op::TypeFloat);
    is_number && matches!(module.literal_word(module.operand(scalar, 0)), Some(8 | 16))
}

fn scalar_of(module: &Module, ty: Inst) -> Inst {
    let mut scalar = ty;
    while matches!(module.op(scalar), Op::TypeVector | Op::TypeMatrix) {
        scalar = module.operand(scalar, 0);
    }
    scalar
}

/// Whether an instruction gives the same result wherever its operands are available: it is pure, or it loads from memory that
/// nobody writes.
pub fn can_run_again(module: &Module, value: Inst) -> bool {
    let op = module.op(value);
    let is_frozen = || {
        let class = module.ty(module.operand(value, 0)).and_then(|pointer| storage_class(module, pointer));
        let frozen = [number::UNIFORM_CONSTANT, number::INPUT, number::UNIFORM, number::PUSH_CONSTANT];
        class.is_some_and(|class| frozen.contains(&class))
    };
    match op {
        Op::BlockParameter | Op::FunctionParameter | Op::Variable => false,
        Op::Load => is_frozen(),
        _ => op.effects().is_pure(),
    }
}

fn storage_class(module: &Module, pointer: Inst) -> Option<u32> {
    (module.op(pointer) == Op::TypePointer).then(|| module.literal_word(module.operand(pointer, 0))).flatten()
}
