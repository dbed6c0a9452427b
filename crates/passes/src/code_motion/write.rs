//! Puts instructions where they were placed.

use reconverge_ir::{Inst, Location, Module, Op, Position};

use super::placement::Plan;
use crate::promises;

/// Moves what was placed elsewhere. Linear in what moves, and in the blocks concerned where source locations have to be kept.
pub(super) fn write(module: &mut Module, plan: &Plan) {
    let body = &plan.body;
    let moved: Vec<u32> = plan.moved().collect();
    pin_locations(module, plan, &moved);
    let (rising, mut sinking): (Vec<u32>, Vec<u32>) =
        moved.into_iter().partition(|&inst| plan.place(inst) < body.block_of(inst));
    for &inst in &rising {
        let place = plan.place(inst);
        let handle = body.inst(inst);
        module.edit().move_to(handle, Position::Before(body.inst(body.terminator(place))));
        let runs_anyway = plan
            .anticipated
            .as_ref()
            .is_some_and(|anticipated| body.dominates(anticipated.head(body.block_of(inst)), place));
        if !runs_anyway {
            promises::forget(module, handle);
        }
    }
    sinking.sort_by_key(|&inst| (plan.place(inst), inst));
    let mut top: Option<(u32, Position)> = None;
    for &inst in sinking.iter().rev() {
        let place = plan.place(inst);
        let position = match top {
            Some((block, position)) if block == place => position,
            _ => top_of(plan, place),
        };
        module.edit().move_to(body.inst(inst), position);
        top = Some((place, position));
    }
}

/// The place behind the parameters of a block.
fn top_of(plan: &Plan, block: u32) -> Position {
    let body = &plan.body;
    let parameters = body.range(block).take_while(|&inst| body.op(inst) == Op::BlockParameter);
    match parameters.last() {
        Some(last) => Position::After(body.inst(last)),
        None => Position::AtStart(body.block(block).into()),
    }
}

/// Writes down the source location of everything in the blocks that something leaves or enters, if any of it has one.
fn pin_locations(module: &mut Module, plan: &Plan, moved: &[u32]) {
    let body = &plan.body;
    if moved.is_empty() || (0..body.len()).all(|inst| module.explicit_location(body.inst(inst)).is_none()) {
        return;
    }
    let mut is_touched = vec![false; body.block_count() as usize];
    for &inst in moved {
        is_touched[body.block_of(inst) as usize] = true;
        is_touched[plan.place(inst) as usize] = true;
    }
    for block in (0..body.block_count()).filter(|&block| is_touched[block as usize]) {
        let mut current = None;
        for inst in body.range(block).filter(|&inst| body.op(inst) != Op::BlockParameter) {
            let handle: Inst = body.inst(inst);
            current = module.explicit_location(handle).or(current);
            if module.explicit_location(handle).is_none() {
                module.edit().set_location(handle, Some(current.unwrap_or(Location::None)));
            }
        }
    }
}
