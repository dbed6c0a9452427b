//! The instructions that may be speculated, and their costs.
//!
//! An instruction may be speculated if it reads no memory that other lanes write, writes nothing, does not depend on which lanes execute it
//! together, and is defined for all operands. The effects of the op determine most of this. The table here excludes some pure ops, and
//! gives the costs of the others. Only instructions in the table are moved.
//!
//! | | |
//! |---|---|
//! | free | renaming, taking composites apart and putting them together, addresses |
//! | 1 for each component | arithmetic, comparison, logic, bits, conversion, loads of a lane's own variables |
//! | 4 for each component | division of floats, roots, exponentials; a matrix for each column |
//! | 8 for each component | trigonometry, powers |
//! | never | what may trap, memory that others write, tangled operations, components picked by a variable, handles |
//!
//! A load may be speculated if it reads a known variable of the function, of the invocation, an input or push constants, by constant
//! indices. Other memory may be written by other lanes at the same time, and the load would be a data race.

use reconverge_analysis::effects::{self, is_own_memory, is_plain_type};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Class, Inst, Location, Module, Op, OpGroup, Position};
use spirv::GlslStd450Op;

use reconverge_rewrite::promises;

/// The cost of speculating an instruction; `None` if it must not be speculated.
pub(super) fn cost(module: &Module, inst: Inst) -> Option<u32> {
    let op = module.op(inst);
    let unit = match op {
        Op::Load => return is_own_memory(module, inst).then_some(1),
        Op::ExtInst => extended_price(module, inst)?,
        op if !op.effects().is_speculatable() => return None,
        op => price(op)?,
    };
    let is_plain = |inst: Inst| module.ty(inst).is_some_and(|ty| is_plain_type(module, ty));
    let operands = || module.operands(inst).filter(|&operand| module.ty(operand).is_some());
    if !is_plain(inst) || !operands().all(is_plain) {
        return None;
    }
    if matches!(op, Op::VectorExtractDynamic | Op::VectorInsertDynamic) {
        let index = operands().next_back()?;
        return (module.op(index) == Op::Constant).then_some(0);
    }
    let widest = operands().chain([inst]).filter_map(|value| module.ty(value)).map(|ty| components(module, ty)).max();
    Some(unit * widest.unwrap_or(1))
}

/// Returns whether a speculated instruction may have a meaningless value: it may be an operand of a select that does not choose it, and
/// must not be used otherwise.
pub(super) fn may_be_undefined(module: &Module, inst: Inst) -> bool {
    let op = module.op(inst);
    match op {
        Op::Load | Op::ExtInst | Op::Undef | Op::FRem | Op::FMod | Op::PtrDiff => true,
        // The first operand is the value that is shifted or extracted from.
        op if matches!(op.group(), OpGroup::Shift | OpGroup::BitField) => {
            !module.operands(inst).skip(1).all(|amount| module.op(amount) == Op::Constant)
        }
        op => op.class() == Class::Conversion,
    }
}

/// Speculates an instruction: moves it right before another one. Promises about its operands are removed, since they need not hold there.
/// It keeps its source location.
pub(super) fn hoist(module: &mut Module, inst: Inst, before: Inst) {
    module.edit().move_value(inst, Position::Before(before));
    promises::forget(module, inst);
}

/// Writes the source location explicitly for each of these instructions of one block, in order, before they are moved.
pub(super) fn pin_locations(module: &mut Module, instructions: &[Inst]) {
    let mut current = None;
    for &inst in instructions {
        current = module.explicit_location(inst).or(current);
        if module.explicit_location(inst).is_none() {
            module.edit().set_location(inst, Some(current.unwrap_or(Location::NONE)));
        }
    }
}

fn price(op: Op) -> Option<u32> {
    match op {
        Op::Undef | Op::CopyObject | Op::Bitcast => Some(0),
        op if view::Chain::covers(op) => Some(0),
        Op::PtrEqual | Op::PtrNotEqual => Some(1),
        Op::VectorExtractDynamic | Op::VectorInsertDynamic | Op::VectorShuffle => Some(0),
        Op::CompositeConstruct | Op::CompositeExtract | Op::CompositeInsert | Op::CopyLogical | Op::Transpose => {
            Some(0)
        }
        Op::FDiv | Op::FRem | Op::FMod => Some(4),
        Op::MatrixTimesMatrix | Op::MatrixTimesVector | Op::VectorTimesMatrix | Op::OuterProduct => Some(4),
        op if matches!(op.class(), Class::Arithmetic | Class::Logical | Class::Bit | Class::Conversion) => Some(1),
        _ => None,
    }
}

/// The cost of an instruction of GLSL.std.450. Instructions of other sets, and those that write through a pointer, are not speculated.
fn extended_price(module: &Module, inst: Inst) -> Option<u32> {
    glsl_price(module.glsl_op(inst)?).filter(|_| !effects::has_effect(module, inst))
}

/// The cost of an instruction of GLSL.std.450; `None` if it writes through a pointer or interpolates.
fn glsl_price(op: GlslStd450Op) -> Option<u32> {
    use GlslStd450Op::*;
    match op {
        Round | RoundEven | Trunc | FAbs | SAbs | FSign | SSign | Floor | Ceil | Fract | Radians | Degrees => Some(1),
        Sin | Cos | Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Atan2 | Pow => Some(8),
        Exp | Log | Exp2 | Log2 | Sqrt | InverseSqrt => Some(4),
        Determinant | MatrixInverse => Some(16),
        FMin | UMin | SMin | FMax | UMax | SMax | FClamp | UClamp | SClamp | FMix | IMix | Step => Some(1),
        SmoothStep => Some(4),
        Fma | Ldexp => Some(1),
        PackSnorm4x8 | PackUnorm4x8 | PackSnorm2x16 | PackUnorm2x16 | PackHalf2x16 | PackDouble2x32 => Some(1),
        UnpackSnorm4x8 | UnpackUnorm4x8 | UnpackSnorm2x16 | UnpackUnorm2x16 | UnpackHalf2x16 | UnpackDouble2x32 => {
            Some(1)
        }
        Length | Distance | Normalize => Some(4),
        Cross | FaceForward | Reflect => Some(1),
        Refract => Some(16),
        FindILsb | FindSMsb | FindUMsb => Some(1),
        NMin | NMax | NClamp => Some(1),
        Modf | ModfStruct | Frexp | FrexpStruct => None,
        InterpolateAtCentroid | InterpolateAtSample | InterpolateAtOffset => None,
    }
}

/// The number of scalars that an instruction with this type computes; a matrix counts its columns.
fn components(module: &Module, ty: Inst) -> u32 {
    match module.type_view(ty) {
        Some(TypeView::Vector { count, .. } | TypeView::Matrix { count, .. }) => count.max(1),
        _ => 1,
    }
}
