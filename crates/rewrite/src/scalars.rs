//! Scalars and vectors of scalars: types, widths, constants.

use reconverge_ir::view::TypeView;
use reconverge_ir::{Builder, Enumerant, Inst, Module, Op};

/// Returns whether a type is an integer type of this width.
pub fn is_int(module: &Module, ty: Inst, bits: u32) -> bool {
    matches!(module.type_view(ty), Some(TypeView::Int { width, .. }) if width == bits)
}

/// The value of an integer constant that is not a specialization constant.
pub fn constant_value(module: &Module, constant: Inst) -> Option<u64> {
    match module.op(constant) {
        Op::ConstantNull => module.ty(constant).filter(|&ty| module.op(ty) == Op::TypeInt).map(|_| 0),
        _ => module.constant_bits(constant),
    }
}

/// The constant of an integer or floating-point type whose low bits are `value`.
///
/// # Panics
/// The type is not one of a number.
pub fn integer(build: &mut Builder<'_>, ty: Inst, value: u64) -> Inst {
    let width = build.module().width(ty).expect("invariant: the type is a scalar");
    let words = match width {
        64 => vec![value as u32, (value >> 32) as u32],
        32 => vec![value as u32],
        narrow => vec![value as u32 & ((1 << narrow) - 1)],
    };
    let literal = build.editor().literal(&words);
    build.editor().unique(Op::Constant, Some(ty), &[literal])
}

/// The constant of a number type, or of vectors of it, whose components have `value` as their low bits.
///
/// # Panics
/// The type is neither one of numbers nor one of their vectors.
pub fn splat(build: &mut Builder<'_>, ty: Inst, value: u64) -> Inst {
    let (component, count) = build.module().components(ty);
    let value = integer(build, component, value);
    match count {
        1 => value,
        count => build.constant_composite(ty, &vec![value; count as usize]),
    }
}

/// The 32-bit constant of a number, an enumerant or a mask, of the unsigned type.
pub fn word(build: &mut Builder<'_>, value: impl Enumerant) -> Inst {
    let ty = build.int_type(32);
    build.constant_word(ty, value.word())
}

/// A vector type; the component itself for a count of one.
pub fn vector_type(build: &mut Builder<'_>, component: Inst, count: u32) -> Inst {
    if count == 1 {
        return component;
    }
    let count = build.editor().word(count);
    build.editor().unique(Op::TypeVector, None, &[component, count])
}

/// An unsigned integer, or vector of them, converted to another width; the value itself if it has that type.
///
/// # Panics
/// The value has no type.
pub fn convert_unsigned(build: &mut Builder<'_>, value: Inst, ty: Inst) -> Inst {
    let from = build.module().ty(value).expect("invariant: a value has a type");
    if from == ty {
        return value;
    }
    let width_of = |ty| build.module().width(build.module().components(ty).0);
    match width_of(from) == width_of(ty) {
        true => build.bitcast(ty, &[value]),
        false => build.u_convert(ty, &[value]),
    }
}
