//! Redirects edges to two blocks through one block, with a selector for the target.
//!
//! ```text
//! a ─▶ x     b ─▶ y     ⇒     a, b ─▶ d: branch_if (%which == 0) ^x ^y
//! ```

use reconverge_ir::{Block, Builder, Edge, Function, Module, Position};

use super::surgery::add_variable;

/// Redirects these edges through a new block, each to one of the two targets.
pub(super) fn funnel(module: &mut Module, function: Function, edges: &[Edge], [left, right]: [Block; 2]) {
    let u32_type = Builder::new(module).int_type(32);
    let which = add_variable(module, function, u32_type);
    let mut build = Builder::new(module);
    let middle = build.add_block(function);
    build.at_end(middle);
    let value = build.load(u32_type, &[which]);
    let zero = build.constant_word(u32_type, 0);
    let bool_type = build.bool_type();
    let is_left = build.i_equal(bool_type, &[value, zero]);
    build.branch_if(&[is_left, left.inst(), right.inst()]);
    for &edge in edges {
        let is_right = build.module().target(edge) == Some(right);
        let number = build.constant_word(u32_type, u32::from(is_right));
        let step = build.add_block(function);
        build.editor().move_to(step, Position::Before(middle.into()));
        build.at_end(step);
        build.store(&[which, number]);
        build.branch(&[middle.inst()]);
        build.editor().set_operand(edge.terminator, edge.operand, step);
    }
}
