//! Puts instructions where they were placed, and back.

use reconverge_ir::{Inst, Module, Op, Position};

use super::facts::Facts;
use super::placement::Plan;
use crate::body::Body;
use crate::locations::pin_locations;
use crate::promises;

/// What stood behind each instruction when it was moved, in the order of the moves.
pub(super) type Undo = Vec<(Inst, Inst)>;

/// Moves what was placed elsewhere. Linear in what moves, and in the function where source locations have to be kept.
pub(super) fn write(module: &mut Module, facts: &Facts<'_>, plan: &Plan) -> Undo {
    let body = &facts.body;
    let moved: Vec<u32> = plan.moved(body).collect();
    pin_locations(module, body, moved.iter().flat_map(|&inst| [body.block_of(inst), plan.place(inst)]));
    let (rising, mut sinking): (Vec<u32>, Vec<u32>) =
        moved.into_iter().partition(|&inst| plan.place(inst) < body.block_of(inst));
    let mut undo = Undo::with_capacity(rising.len() + sinking.len());
    for &inst in &rising {
        let end = body.inst(body.terminator(plan.place(inst)));
        put(module, body.inst(inst), Position::Before(end), &mut undo);
    }
    sinking.sort_by_key(|&inst| (plan.place(inst), inst));
    let mut top: Option<(u32, Position)> = None;
    for &inst in sinking.iter().rev() {
        let place = plan.place(inst);
        let position = match top {
            Some((block, position)) if block == place => position,
            _ => top_of(body, place),
        };
        put(module, body.inst(inst), position, &mut undo);
        top = Some((place, position));
    }
    undo
}

fn put(module: &mut Module, inst: Inst, position: Position, undo: &mut Undo) {
    undo.push((inst, module.next(inst).expect("invariant: a terminator stands behind what moves")));
    module.edit().move_to(inst, position);
}

/// Puts everything back.
pub(super) fn take_back(module: &mut Module, undo: Undo) {
    for (inst, next) in undo.into_iter().rev() {
        module.edit().move_to(inst, Position::Before(next));
    }
}

/// Takes from instructions what they promised about their operands, where they run now although they did not.
pub(super) fn forget_promises(module: &mut Module, facts: &Facts<'_>, plan: &Plan) {
    let body = &facts.body;
    for inst in plan.moved(body).filter(|&inst| plan.place(inst) < body.block_of(inst)) {
        let anticipated = facts.anticipated.as_ref();
        let head = anticipated.map(|anticipated| anticipated.head(body.block_of(inst)));
        if !head.is_some_and(|head| body.dominates(head, plan.place(inst))) {
            promises::forget(module, body.inst(inst));
        }
    }
}

/// The place behind the parameters of a block.
fn top_of(body: &Body, block: u32) -> Position {
    let parameters = body.range(block).take_while(|&inst| body.op(inst) == Op::BlockParameter);
    match parameters.last() {
        Some(last) => Position::After(body.inst(last)),
        None => Position::AtStart(body.block(block).into()),
    }
}
