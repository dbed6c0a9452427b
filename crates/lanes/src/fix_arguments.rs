//! Specialization on arguments: scalars among the push constants get the values of a launch.
//!
//! ```text
//! %p = access_chain %push_constants, %two       the member at offset 16
//! %n: %u32 = load %p                        ⇒   %n: %u32 = constant 640
//! ```
//!
//! Linear in the function.

use reconverge_analysis::Layouts;
use reconverge_analysis::constant_folding::{Constant, Scalar, ScalarKind};
use reconverge_ir::{Function, Inst, Module, Op, OpGroup, view};
use reconverge_rewrite::constants::constant_inst;
use spirv::StorageClass;

/// A scalar among the push constants, and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedArgument {
    /// Its offset in bytes.
    pub offset: u32,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Replaces the loads of arguments in a function by constants. Returns how many loads were replaced. A load of a part of an argument, or of more
/// than it, stays.
pub fn fix_arguments(module: &mut Module, function: Function, arguments: &[FixedArgument]) -> usize {
    let mut layouts = Layouts::new();
    let loads: Vec<Inst> = module
        .blocks(function)
        .flat_map(|block| module.children(block))
        .filter(|&inst| module.op(inst).group() == OpGroup::Load)
        .collect();
    let mut replaced = 0;
    for load in loads {
        let Some(offset) = push_constant_offset(module, &mut layouts, load) else { continue };
        let Some(argument) = arguments.iter().find(|argument| u64::from(argument.offset) == offset) else { continue };
        let Some(ty) = module.ty(load) else { continue };
        let (Some(kind), Some(width)) = (ScalarKind::of(module, ty), module.width(ty)) else { continue };
        if argument.bytes.len() != width as usize / 8 || argument.bytes.len() > 8 {
            continue;
        }
        let mut bits = [0; 8];
        bits[..argument.bytes.len()].copy_from_slice(&argument.bytes);
        let scalar = Constant::Scalar(Scalar::new(kind, u64::from_le_bytes(bits)));
        let constant = constant_inst(module, ty, &scalar);
        module.edit().replace_all_uses(load, constant);
        module.edit().delete(load);
        replaced += 1;
    }
    replaced
}

/// The offset among the push constants that a load reads at, if it is constant.
pub fn push_constant_offset(module: &Module, layouts: &mut Layouts, load: Inst) -> Option<u64> {
    let pointer = view::Load::of(module, load)?.pointer;
    if !matches!(module.op(pointer), Op::AccessChain | Op::InBoundsAccessChain) {
        return None;
    }
    let mut operands = module.operands(pointer);
    let base = operands.next()?;
    if module.op(base) != Op::Variable || module.storage_class(base) != Some(StorageClass::PushConstant) {
        return None;
    }
    let (mut ty, mut offset) = (module.pointee(base)?, 0);
    for index in operands {
        let number = module.constant_bits(index)?;
        if module.op(ty) == Op::TypeStruct {
            let member = usize::try_from(number).ok()?;
            offset += layouts.member_offset(module, ty, member).ok()?;
            ty = module.part_type(ty, member)?;
        } else {
            offset += number.checked_mul(layouts.element_stride(module, ty).ok()?)?;
            ty = module.element_type(ty)?;
        }
    }
    Some(offset)
}
