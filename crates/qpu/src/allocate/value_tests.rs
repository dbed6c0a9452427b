//! Flags that the instruction which computes a value can set itself.
//!
//! ```text
//! and     %x, %a, %b        and.sf  %x, %a, %b
//! …                     ⇒   …
//! mov.sf  null, %x
//! ```
//!
//! Nothing between the two may read or set flags, and nothing may read the carry after them: that of a move is zero. Zero and negative of a
//! computation with integers are those of its result.

use super::dead_code::flags_live_in;
use crate::machine::{
    AddOp, BlockId, Branch, BranchCondition, Condition, Destination, Inst, MachineBlock, MachineFunction, MulOp,
    Operation, Source, VReg,
};

/// Lets instructions set the flags of their values.
pub(crate) fn fold_tests(function: &mut MachineFunction) {
    let live_in = flags_live_in(function, is_carry);
    let mut definitions = vec![None; function.registers as usize];
    for block in 0..function.blocks.len() {
        let carry = carry_live_after(function, BlockId(block as u32), &live_in);
        fold_in_block(&mut function.blocks[block], &carry, &mut definitions);
    }
}

fn is_carry(condition: Condition) -> bool {
    matches!(condition, Condition::CarrySet | Condition::CarryClear)
}

/// The condition of lanes of a branch.
fn lanes(branch: Branch) -> Condition {
    match branch.condition {
        BranchCondition::Always => Condition::Always,
        BranchCondition::All(condition) | BranchCondition::Any(condition) => condition,
    }
}

/// `carry` says for each instruction whether the carry after it is read. `definitions` is empty before and after.
fn fold_in_block(block: &mut MachineBlock, carry: &[bool], definitions: &mut [Option<usize>]) {
    // After the last instruction that reads or sets flags.
    let mut free = 0;
    let mut folded = vec![false; block.insts.len()];
    for place in 0..block.insts.len() {
        let inst = block.insts[place];
        if let Some(register) = tested(&inst)
            && let Some(definition) = definitions[register.0 as usize]
            && definition >= free
            && !carry[place]
            && has_flags_of_move(&block.insts[definition])
        {
            block.insts[definition].sets_flags = true;
            folded[place] = true;
        }
        if inst.sets_flags || inst.condition != Condition::Always {
            free = place + 1;
        }
        if let Some(register) = inst.definition() {
            definitions[register.0 as usize] = Some(place);
        }
    }
    for inst in &block.insts {
        if let Some(register) = inst.definition() {
            definitions[register.0 as usize] = None;
        }
    }
    let mut folded = folded.into_iter();
    block.insts.retain(|_| !folded.next().unwrap_or(false));
}

/// Computes for each instruction of a block whether the carry after it is read. `live_in` says so for the starts of blocks.
fn carry_live_after(function: &MachineFunction, number: BlockId, live_in: &[bool]) -> Vec<bool> {
    let block = &function.blocks[number.0 as usize];
    let is_read_by_branch = block.branch.is_some_and(|branch| is_carry(lanes(branch)));
    let mut is_live = is_read_by_branch || function.successors(number).any(|block| live_in[block.0 as usize]);
    let mut after = vec![false; block.insts.len()];
    for (place, inst) in block.insts.iter().enumerate().rev() {
        after[place] = is_live;
        is_live &= !(inst.sets_flags && inst.condition == Condition::Always);
        is_live |= is_carry(inst.condition);
    }
    after
}

/// The register of which an instruction only sets the flags.
fn tested(inst: &Inst) -> Option<VReg> {
    let is_test = inst.operation == Operation::Move && inst.sets_flags && inst.condition == Condition::Always;
    match (inst.destination, inst.sources[0]) {
        (Destination::Null, Source::Register(register)) if is_test => Some(register),
        _ => None,
    }
}

/// Returns whether an instruction would set zero and negative as a move of its result does.
fn has_flags_of_move(inst: &Inst) -> bool {
    let is_integer = match inst.operation {
        Operation::Move | Operation::Multiply(MulOp::Mul24) => true,
        Operation::Add(op) => !matches!(
            op,
            AddOp::FAdd | AddOp::FSub | AddOp::FMin | AddOp::FMax | AddOp::FMinAbs | AddOp::FMaxAbs | AddOp::IToF
        ),
        _ => false,
    };
    is_integer && inst.condition == Condition::Always && !inst.sets_flags
}
