//! Selections of vectors by one condition, which SPIR-V has since 1.4.
//!
//! ```text
//! %r: f32x4 = select %c, %a, %b     ⇒     %c4 = composite_construct %c, %c, %c, %c;  %r = select %c4, %a, %b
//! ```
//!
//! Linear.

use reconverge_ir::{Builder, Inst, Module, Op, view};

use crate::scalars::vector_type;

/// Gives every selection of vectors a condition for each component. Returns whether there was one without.
pub(super) fn spread_conditions(module: &mut Module) -> bool {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let lone: Vec<Inst> =
        blocks.flat_map(|block| module.children(block)).filter(|&inst| is_lone(module, inst)).collect();
    for &inst in &lone {
        let Some(view::Select { condition, .. }) = view::Select::of(module, inst) else { continue };
        let count = module.ty(inst).map_or(1, |ty| module.components(ty).1);
        let mut build = Builder::new(module);
        build.before(inst);
        let bool_type = build.bool_type();
        let ty = vector_type(&mut build, bool_type, count);
        let spread = build.composite_construct(ty, &vec![condition; count as usize]);
        build.editor().set_operand(inst, view::Select::SLOT.condition, spread);
    }
    !lone.is_empty()
}

/// Returns whether an instruction selects one of two vectors by one condition.
fn is_lone(module: &Module, inst: Inst) -> bool {
    let Some(view::Select { condition, .. }) = view::Select::of(module, inst) else { return false };
    let is_vector = |value: Inst| module.ty(value).is_some_and(|ty| module.op(ty) == Op::TypeVector);
    is_vector(inst) && !is_vector(condition)
}
