//! What depends on the lanes of a quad.
//!
//! - C6: a derivative stands where it stood, or in a block that dominates the old one: there the lanes of the quad that ran it are
//!   together still, and maybe more. It goes down only as far as nothing but uniform conditions decides.
//!
//! All else that depends on other lanes does not move at all (C2).
//!
//! A condition is called uniform here if it comes from constants, from inputs that a draw or dispatch has one of, and from pure operations on
//! those. An analysis may know more; then this check asks for less motion than could be justified.

use std::collections::HashSet;

use reconverge_ir::{Inst, Module, Op, terminator::operand};

use super::Motion;
use super::origins::{Moved, Place};
use super::places::{is_read_only, root_and_path};
use crate::Code;
use crate::report::Report;

/// Values that are looked at before a condition is given up.
const LIMIT: usize = 1_000;

/// Asks C6 of every derivative that moved.
pub(super) fn verify_lanes(report: &mut Report<'_>, motion: &Motion<'_, '_>, moved: &[Moved]) {
    let module = motion.after.module;
    for Moved { inst, to, from } in moved.iter().filter(|moved| module.op(moved.inst).effects().sees_only_its_quad()) {
        if !from.iter().all(|&old| keeps_its_lanes(motion, *to, old)) {
            report.at(Code::C6, *inst, "it stood where more lanes of the quad are together");
        }
    }
}

fn keeps_its_lanes(motion: &Motion<'_, '_>, to: Place, old: Place) -> bool {
    if motion.dominance.dominates(to.block, old.block) {
        return true;
    }
    // Down from the old block to the new one, every block on the way up again decides by uniform conditions, as does what decides
    // whether the way is left.
    motion.dominance.dominates(old.block, to.block) && region_is_uniform(motion, old.block, to.block)
}

/// Whether every branch on a path from one block to another that it dominates is uniform.
fn region_is_uniform(motion: &Motion<'_, '_>, above: u32, below: u32) -> bool {
    let (mut known, mut pending) = (HashSet::from([below]), vec![below]);
    while let Some(block) = pending.pop() {
        if block == above {
            continue;
        }
        for source in motion.graph.predecessors(block).filter(|&source| motion.dominance.is_reachable(source)) {
            if !decides_uniformly(motion, source) {
                return false;
            }
            if known.insert(source) {
                pending.push(source);
            }
        }
    }
    true
}

fn decides_uniformly(motion: &Motion<'_, '_>, block: u32) -> bool {
    let module = motion.after.module;
    let Some(last) = module.terminator(motion.after.blocks[block as usize]) else { return false };
    match module.op(last) {
        Op::Branch | Op::Loop => true,
        Op::BranchIf | Op::If | Op::Switch | Op::StructuredSwitch => {
            is_uniform(module, module.operand(last, operand::CONDITION))
        }
        _ => false,
    }
}

/// Whether a value is the same in all lanes, wherever they are.
fn is_uniform(module: &Module, value: Inst) -> bool {
    let (mut known, mut pending) = (HashSet::from([value]), vec![value]);
    while let Some(value) = pending.pop() {
        let op = module.op(value);
        if known.len() > LIMIT {
            return false;
        }
        match op {
            Op::Load if is_shared_input(module, module.operand(value, 0)) => pending.push(module.operand(value, 0)),
            Op::Variable if is_shared_input(module, value) => {}
            Op::BlockParameter | Op::FunctionParameter | Op::Undef => return false,
            _ if op.is_constant() || op.is_type() || op.is_literal() || op == Op::ExtInstImport => {}
            _ if op.effects().is_pure() && module.block_of(value).is_some() => {
                pending.extend(module.operands(value).filter(|&operand| known.insert(operand)));
            }
            _ => return false,
        }
    }
    true
}

/// Whether a pointer leads into what a draw or dispatch has one of and nobody writes: push constants and uniform buffers.
fn is_shared_input(module: &Module, pointer: Inst) -> bool {
    const UNIFORM: u32 = 2;
    const PUSH_CONSTANT: u32 = 9;
    let (root, _) = root_and_path(module, pointer);
    let class = module.ty(root).filter(|&ty| module.op(ty) == Op::TypePointer);
    let class = class.and_then(|ty| module.literal_word(module.operand(ty, 0)));
    module.op(root) == Op::Variable && matches!(class, Some(UNIFORM | PUSH_CONSTANT)) && is_read_only(module, root)
}
