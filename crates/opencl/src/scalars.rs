//! Scalars and vectors of scalars: widths, constants, conversions between integers.

use reconverge_ir::view::{self, Operands, TypeView};
use reconverge_ir::{Builder, Enumerant, Inst, Module, Op};
use spirv::{MemoryAccess, Scope};

/// Returns whether a type is an integer type of this width.
pub(super) fn is_int(module: &Module, ty: Inst, bits: u32) -> bool {
    matches!(module.type_view(ty), Some(TypeView::Int { width, .. }) if width == bits)
}

/// The element type of nested arrays.
pub(super) fn innermost(module: &Module, mut ty: Inst) -> Inst {
    while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) = module.type_view(ty) {
        ty = element;
    }
    ty
}

/// The value of an integer constant that is not a specialization constant.
pub(super) fn constant_value(module: &Module, constant: Inst) -> Option<u64> {
    match module.op(constant) {
        Op::ConstantNull => module.ty(constant).filter(|&ty| module.op(ty) == Op::TypeInt).map(|_| 0),
        _ => module.constant_bits(constant),
    }
}

/// The op of a `spec_constant_op`, with its operands.
pub(super) fn constant_operation(module: &Module, constant: Inst) -> Option<(Op, Operands<'_>)> {
    let view::SpecConstantOp { opcode, operands } = view::SpecConstantOp::of(module, constant)?;
    Some((Op::from_opcode(u16::try_from(opcode).ok()?)?, operands))
}

/// The scope that a constant operand names.
pub(super) fn scope(module: &Module, constant: Inst) -> Option<Scope> {
    constant_value(module, constant).and_then(|scope| Scope::from_u32(scope as u32))
}

/// The constant of an integer or floating-point type whose low bits are `value`.
pub(super) fn integer(build: &mut Builder<'_>, ty: Inst, value: u64) -> Inst {
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
pub(super) fn splat(build: &mut Builder<'_>, ty: Inst, value: u64) -> Inst {
    let (component, count) = build.module().components(ty);
    let value = integer(build, component, value);
    match count {
        1 => value,
        count => build.constant_composite(ty, &vec![value; count as usize]),
    }
}

/// The 32-bit constant of a number, an enumerant or a mask, of the unsigned type.
pub(super) fn word(build: &mut Builder<'_>, value: impl Enumerant) -> Inst {
    let ty = build.int_type(32);
    build.constant_word(ty, value.word())
}

/// The memory operands of an access with this alignment in bytes.
pub(super) fn aligned(build: &mut Builder<'_>, bytes: u32) -> [Inst; 2] {
    [build.enumerant(MemoryAccess::ALIGNED), build.editor().word(bytes)]
}

/// The import of GLSL.std.450: the one there is, or a new one. Linear in the globals.
pub(super) fn glsl_import(build: &mut Builder<'_>) -> Inst {
    let module = build.module();
    let known = module.globals().find(|&global| module.is_instruction_set(global, "GLSL.std.450"));
    known.unwrap_or_else(|| {
        let name = build.editor().text("GLSL.std.450");
        build.ext_inst_import(&[name])
    })
}

/// A vector type; the component itself for a count of one.
pub(super) fn vector_type(build: &mut Builder<'_>, component: Inst, count: u32) -> Inst {
    if count == 1 {
        return component;
    }
    let count = build.editor().word(count);
    build.editor().unique(Op::TypeVector, None, &[component, count])
}

/// An unsigned integer, or vector of them, converted to another width; the value itself if it has that width.
pub(super) fn convert_unsigned(build: &mut Builder<'_>, value: Inst, ty: Inst) -> Inst {
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
