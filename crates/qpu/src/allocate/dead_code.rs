//! Instructions whose result nothing needs.
//!
//! Needed is what has an effect, what sets flags that an instruction reads, and what writes a register that something needed reads. The last is found
//! from the readers to the writers by a worklist, so a cycle of registers that only feed each other is dead. It does not look at the order of
//! reads and writes of a register.
//!
//! Flags have one place, so for them the order is known: block by block from the end, with one bit for each border of blocks. An instruction
//! that sets flags for all lanes ends the flags above it. What becomes dead no longer reads flags, so the whole is done until nothing changes;
//! the second round is seldom needed.

use crate::machine::{BlockId, BranchCondition, Condition, Destination, Inst, MachineFunction, ReadPort, VReg};

/// Removes dead instructions, and makes others lose flags and registers that nothing reads.
pub(crate) fn remove_dead_code(function: &mut MachineFunction) {
    for _ in 0..4 {
        let mut changed = drop_unread_flags(function);
        changed |= remove_unneeded(function);
        if !changed {
            break;
        }
    }
    drop_last_uniforms(function);
}

/// Uniforms are words of a queue. Those after the last one that is needed are not read, if all of them are read in the entry block.
fn drop_last_uniforms(function: &mut MachineFunction) {
    let is_uniform = |inst: &Inst| inst.ports().any(|port| port == ReadPort::Uniform);
    let [entry, others @ ..] = &mut function.blocks[..] else { return };
    if others.iter().flat_map(|block| &block.insts).any(is_uniform) {
        return;
    }
    let is_needed = |inst: &Inst| is_uniform(inst) && (inst.destination != Destination::Null || inst.sets_flags);
    let end = entry.insts.iter().rposition(is_needed).map_or(0, |last| last + 1);
    let mut place = 0;
    entry.insts.retain(|inst| {
        place += 1;
        place <= end || !is_uniform(inst)
    });
}

/// Returns whether an instruction reads flags.
pub(crate) fn reads_flags<R>(inst: &Inst<R>) -> bool {
    inst.condition != Condition::Always
}

/// For each block, true if flags are read that are set before it, by a condition that is read.
pub(crate) fn flags_live_in(function: &MachineFunction, is_asked: impl Fn(Condition) -> bool) -> Vec<bool> {
    let predecessors = function.predecessors();
    let mut live_in = vec![false; function.blocks.len()];
    let mut passes = vec![false; function.blocks.len()];
    let mut worklist = Vec::new();
    for (block, content) in function.blocks.iter().enumerate() {
        let ends = |inst: &Inst| inst.sets_flags && inst.condition == Condition::Always;
        let deciding = content.insts.iter().find(|inst| is_asked(inst.condition) || ends(inst));
        live_in[block] = match deciding {
            Some(inst) => is_asked(inst.condition),
            None => content.branch.is_some_and(|branch| match branch.condition {
                BranchCondition::Always => false,
                BranchCondition::All(condition) | BranchCondition::Any(condition) => is_asked(condition),
            }),
        };
        passes[block] = deciding.is_none();
        if live_in[block] {
            worklist.push(BlockId(block as u32));
        }
    }
    while let Some(BlockId(block)) = worklist.pop() {
        for &BlockId(predecessor) in &predecessors[block as usize] {
            if passes[predecessor as usize] && !live_in[predecessor as usize] {
                live_in[predecessor as usize] = true;
                worklist.push(BlockId(predecessor));
            }
        }
    }
    live_in
}

fn drop_unread_flags(function: &mut MachineFunction) -> bool {
    let live_in = flags_live_in(function, |condition| condition != Condition::Always);
    let mut changed = false;
    for block in 0..function.blocks.len() {
        let mut is_live = function.successors(BlockId(block as u32)).any(|successor| live_in[successor.0 as usize]);
        let content = &mut function.blocks[block];
        is_live |= content.branch.is_some_and(|branch| branch.condition != BranchCondition::Always);
        for inst in content.insts.iter_mut().rev() {
            if inst.sets_flags && !is_live {
                inst.sets_flags = false;
                changed = true;
            }
            if inst.sets_flags && inst.condition == Condition::Always {
                is_live = false;
            }
            is_live |= reads_flags(inst);
        }
    }
    changed
}

fn remove_unneeded(function: &mut MachineFunction) -> bool {
    let needed = needed_registers(function);
    let is_needed = |register: VReg| needed[register.0 as usize];
    let mut changed = false;
    for block in &mut function.blocks {
        for inst in &mut block.insts {
            // The register of an immediate that sets flags is all that it writes besides them.
            if inst.definition().is_some_and(|register| !is_needed(register)) {
                inst.destination = Destination::Null;
                changed = true;
            }
        }
        block.insts.retain(|inst| inst.definition().is_some() || inst.sets_flags || inst.has_effect());
    }
    changed
}

fn needed_registers(function: &MachineFunction) -> Vec<bool> {
    let mut needed = vec![false; function.registers as usize];
    let mut worklist = Vec::new();
    let mut need = |register: VReg, worklist: &mut Vec<VReg>| {
        if !std::mem::replace(&mut needed[register.0 as usize], true) {
            worklist.push(register);
        }
    };
    let mut definitions: Vec<Vec<&Inst>> = vec![Vec::new(); function.registers as usize];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if let Some(register) = inst.definition() {
            definitions[register.0 as usize].push(inst);
        }
        if inst.has_effect() || inst.sets_flags {
            inst.uses().for_each(|register| need(register, &mut worklist));
        }
    }
    if let Some(base) = function.spill_base {
        need(base, &mut worklist);
    }
    while let Some(register) = worklist.pop() {
        for inst in &definitions[register.0 as usize] {
            inst.uses().for_each(|register| need(register, &mut worklist));
        }
    }
    needed
}
