//! Inserts instructions before another one, with its source location.

use reconverge_ir::{Builder, Inst, Module, Op, Position};
use spirv::GlslStd450Op;

/// Inserts instructions before one.
pub(super) struct Inserter<'m> {
    pub(super) module: &'m mut Module,
    pub(super) before: Inst,
}

impl Inserter<'_> {
    /// Inserts an instruction with a result.
    pub(super) fn insert(&mut self, op: Op, ty: Inst, operands: &[Inst]) -> Inst {
        let location = self.module.explicit_location(self.before);
        let made = self.module.edit().insert(Position::Before(self.before), op, Some(ty), operands);
        self.module.edit().set_location(made, location);
        made
    }

    /// The unsigned minimum of two integers or vectors; it has the type of the second, which is unsigned.
    pub(super) fn minimum(&mut self, value: Inst, unsigned: Inst) -> Inst {
        let ty = self.module.ty(unsigned).expect("invariant: a value has a type");
        let value = if self.module.ty(value) == Some(ty) { value } else { self.insert(Op::Bitcast, ty, &[value]) };
        let mut build = Builder::new(self.module);
        let (import, minimum) = (glsl_import(&mut build), build.enumerant(GlslStd450Op::UMin));
        self.insert(Op::ExtInst, ty, &[import, minimum, value, unsigned])
    }
}

/// The set of instructions of GLSL.
fn glsl_import(build: &mut Builder<'_>) -> Inst {
    let module = build.module();
    let known = module.globals().find(|&global| module.is_instruction_set(global, "GLSL.std.450"));
    known.unwrap_or_else(|| {
        let name = build.editor().text("GLSL.std.450");
        build.editor().append_global(Op::ExtInstImport, None, &[name])
    })
}
