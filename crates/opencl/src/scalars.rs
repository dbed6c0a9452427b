//! Scalars and vectors of scalars: the shared tools, scopes, conversions between integers.

use reconverge_ir::view::{self, Operands, TypeView};
use reconverge_ir::{Builder, Inst, Module, Op};
pub(super) use reconverge_rewrite::scalars::{
    constant_value, convert_unsigned, integer, is_int, splat, vector_type, word,
};
use spirv::{MemoryAccess, Scope};

/// The element type of nested arrays.
pub(super) fn innermost(module: &Module, mut ty: Inst) -> Inst {
    while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) = module.type_view(ty) {
        ty = element;
    }
    ty
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
