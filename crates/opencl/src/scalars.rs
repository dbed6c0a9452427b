//! Scalars and vectors of scalars: widths, constants, conversions between integers.

use reconverge_ir::{Builder, Inst, Module, Op};
use spirv::Decoration;

/// The bits of an integer or floating-point type.
pub(super) fn width(module: &Module, ty: Inst) -> Option<u32> {
    matches!(module.op(ty), Op::TypeInt | Op::TypeFloat).then(|| module.literal_word(module.operand(ty, 0))).flatten()
}

/// The component type of a vector and how many there are; any other type is one component.
pub(super) fn components(module: &Module, ty: Inst) -> (Inst, u32) {
    match module.op(ty) {
        Op::TypeVector => (module.operand(ty, 0), module.literal_word(module.operand(ty, 1)).unwrap_or(1)),
        _ => (ty, 1),
    }
}

/// The value of an integer constant that is no specialization constant.
pub(super) fn constant_value(module: &Module, constant: Inst) -> Option<u64> {
    match module.op(constant) {
        Op::ConstantNull => module.ty(constant).filter(|&ty| module.op(ty) == Op::TypeInt).map(|_| 0),
        Op::Constant => match *module.literal_words(module.operand(constant, 0)) {
            [low] => Some(u64::from(low)),
            [low, high] => Some(u64::from(high) << 32 | u64::from(low)),
            _ => None,
        },
        _ => None,
    }
}

/// The constant of an integer or floating-point type whose low bits are `value`.
pub(super) fn integer(build: &mut Builder<'_>, ty: Inst, value: u64) -> Inst {
    let width = width(build.module(), ty).expect("invariant: the type is a scalar");
    let words = match width {
        64 => vec![value as u32, (value >> 32) as u32],
        32 => vec![value as u32],
        narrow => vec![value as u32 & ((1 << narrow) - 1)],
    };
    let literal = build.editor().literal(&words);
    build.editor().unique(Op::Constant, Some(ty), &[literal])
}

/// The constant of a number type, or of vectors of it, whose components have `value` as their low bits.
pub(super) fn splat(build: &mut Builder<'_>, ty: Inst, value: u64) -> Inst {
    let (component, count) = components(build.module(), ty);
    let value = integer(build, component, value);
    match count {
        1 => value,
        count => build.constant_composite(ty, &vec![value; count as usize]),
    }
}

/// The 32-bit constant, of the unsigned type.
pub(super) fn word(build: &mut Builder<'_>, value: u32) -> Inst {
    let ty = build.int_type(32, false);
    build.constant_word(ty, value)
}

/// A vector type; the component itself for a count of one.
pub(super) fn vector_type(build: &mut Builder<'_>, component: Inst, count: u32) -> Inst {
    if count == 1 {
        return component;
    }
    let count = build.editor().word(count);
    build.editor().unique(Op::TypeVector, None, &[component, count])
}

/// An unsigned integer, or vector of them, in another width; the value itself where the type is its own.
pub(super) fn convert_unsigned(build: &mut Builder<'_>, value: Inst, ty: Inst) -> Inst {
    let from = build.module().ty(value).expect("invariant: a value has a type");
    if from == ty {
        return value;
    }
    let width_of = |ty| width(build.module(), components(build.module(), ty).0);
    match width_of(from) == width_of(ty) {
        true => build.bitcast(ty, &[value]),
        false => build.u_convert(ty, &[value]),
    }
}

/// Hangs a `decorate` with literal words on an instruction.
pub(super) fn decorate(editor: &mut reconverge_ir::Editor<'_>, inst: Inst, kind: Decoration, words: &[u32]) {
    let mut operands = vec![editor.word(kind as u32)];
    operands.extend(words.iter().map(|&word| editor.word(word)));
    let note = editor.unique(Op::Decorate, None, &operands);
    editor.decorate(inst, note);
}
