//! Moves instructions to their chosen places.

use reconverge_ir::{Module, Op, Position};

use super::facts::MotionFacts;
use super::placement::Plan;
use crate::body::Body;
use crate::locations::pin_locations;
use reconverge_rewrite::promises;

/// Moves instructions to their chosen blocks. Linear in the moved instructions, and in the function if source locations have to be kept.
pub(super) fn write(module: &mut Module, facts: &MotionFacts<'_>, plan: &Plan) {
    let body = facts.body;
    let moved: Vec<u32> = plan.moved(body).collect();
    pin_locations(module, body, moved.iter().flat_map(|&inst| [body.block_of(inst), plan.place(inst)]));
    let (rising, mut sinking): (Vec<u32>, Vec<u32>) =
        moved.into_iter().partition(|&inst| plan.place(inst) < body.block_of(inst));
    for &inst in &rising {
        let end = body.inst(body.terminator(plan.place(inst)));
        module.edit().move_value(body.inst(inst), Position::Before(end));
    }
    sinking.sort_by_key(|&inst| (plan.place(inst), inst));
    let mut top: Option<(u32, Position)> = None;
    for &inst in sinking.iter().rev() {
        let place = plan.place(inst);
        let position = match top {
            Some((block, position)) if block == place => position,
            _ => top_of(body, place),
        };
        module.edit().move_value(body.inst(inst), position);
        top = Some((place, position));
    }
}

/// Removes promises about operands (such as no-wrap decorations) from instructions that are speculated now.
pub(super) fn forget_promises(module: &mut Module, facts: &MotionFacts<'_>, plan: &Plan) {
    if !promises::may_be_made(module) {
        return;
    }
    let body = facts.body;
    for inst in plan.moved(body).filter(|&inst| plan.place(inst) < body.block_of(inst)) {
        let head = facts.anticipated().map(|anticipated| anticipated.head(body.block_of(inst)));
        if !head.is_some_and(|head| body.dominates(head, plan.place(inst))) {
            promises::forget(module, body.inst(inst));
        }
    }
}

/// The position after the parameters of a block.
fn top_of(body: &Body, block: u32) -> Position {
    let parameters = body.range(block).take_while(|&inst| body.op(inst) == Op::BlockParameter);
    match parameters.last() {
        Some(last) => Position::After(body.inst(last)),
        None => Position::AtStart(body.block(block).into()),
    }
}
