//! Liveness of registers and flags at the begin of each block.
//!
//! There are few places, so a set of them is one number, and the sets of the blocks are found by a worklist. A write for some lanes does not end
//! the range of a place above it.

use crate::machine::{BlockId, BranchCondition, Condition, Destination, Operation, ReadPort, Source, WritePort};
use crate::physical::{PhysicalBlock, PhysicalFunction, PhysicalInst, Place};

/// A set of places, and of the flags, `r4` and `r5`.
pub(crate) type Locations = u128;

const FLAGS: Locations = 1 << Place::COUNT;
const RESULT: Locations = FLAGS << 1;
const BROADCAST: Locations = FLAGS << 2;

/// Returns the locations that an instruction reads.
pub(crate) fn reads(inst: &PhysicalInst) -> Locations {
    let mut locations = inst.uses().fold(0, |all, place| all | 1 << place.index());
    for source in &inst.sources[..inst.source_count()] {
        locations |= match source {
            Source::Port(ReadPort::Result) => RESULT,
            Source::Port(ReadPort::Broadcast) => BROADCAST,
            _ => 0,
        };
    }
    if inst.operation == Operation::Rotate(None) {
        locations |= BROADCAST;
    }
    if inst.condition == Condition::Always { locations } else { locations | FLAGS }
}

/// Returns the locations that an instruction writes in at least one lane: registers, `r5` and flags.
pub(crate) fn writes(inst: &PhysicalInst) -> Locations {
    let flags = if inst.sets_flags { FLAGS } else { 0 };
    match inst.destination {
        Destination::Register(place) => flags | 1 << place.index(),
        Destination::Port(WritePort::Broadcast) => flags | BROADCAST,
        Destination::Null | Destination::Port(_) => flags,
    }
}

/// Returns the locations that are live before a block, given those that are live after it.
fn through(block: &PhysicalBlock, behind: Locations) -> Locations {
    let mut live = behind;
    if block.branch.is_some_and(|branch| branch.condition != BranchCondition::Always) {
        live |= FLAGS;
    }
    for inst in block.insts.iter().rev() {
        if inst.condition == Condition::Always {
            live &= !writes(inst);
        }
        live |= reads(inst);
    }
    live
}

/// For each block what is live at its begin.
pub(crate) fn live_in(function: &PhysicalFunction) -> Vec<Locations> {
    let count = function.blocks.len();
    let mut live_in = vec![0; count];
    let mut predecessors = vec![Vec::new(); count];
    for block in 0..count {
        for successor in successors(function, block) {
            predecessors[successor].push(block);
        }
    }
    // What a block adds to what is live after it, and what it ends.
    let generated: Vec<Locations> = function.blocks.iter().map(|block| through(block, 0)).collect();
    let passed: Vec<Locations> = function.blocks.iter().map(|block| through(block, Locations::MAX)).collect();
    let mut worklist: Vec<usize> = (0..count).collect();
    let mut is_listed = vec![true; count];
    while let Some(block) = worklist.pop() {
        is_listed[block] = false;
        let behind = successors(function, block).fold(0, |all, successor| all | live_in[successor]);
        let live = generated[block] | behind & passed[block];
        if live == live_in[block] {
            continue;
        }
        live_in[block] = live;
        for &predecessor in &predecessors[block] {
            if !std::mem::replace(&mut is_listed[predecessor], true) {
                worklist.push(predecessor);
            }
        }
    }
    live_in
}

fn successors(function: &PhysicalFunction, block: usize) -> impl Iterator<Item = usize> + use<> {
    let branch = function.blocks[block].branch;
    let falls = branch.is_none_or(|branch| branch.condition != BranchCondition::Always);
    let next = (falls && block + 1 < function.blocks.len()).then_some(block + 1);
    next.into_iter().chain(branch.map(|branch| {
        let BlockId(target) = branch.target;
        target as usize
    }))
}
