//! Words of other blocks in the slots of branches.
//!
//! A slot that the block itself cannot fill gets a word
//!
//! - of the block that the branch leads to. It stays there, because others come there too, and the branch leads after it;
//! - or of the block after the branch, if that is reached from there only. It is removed there.
//!
//! It is executed whether the branch is taken or not. So where it does not belong, nothing that it writes may be live; and it does nothing but
//! read and write registers and flags. A branch that is always taken needs no such care.
//!
//! ```text
//! L: a                              a
//!    b                           L: b
//!    sub.sf null, x, y      ⇒       sub.sf null, x, y
//!    branch.any_zc L                branch.any_zc L
//!    nop                            a
//! ```

use super::live::{Locations, reads, writes};
use super::pair::Word;
use super::slots::{BlockWords, SLOTS, entries};
use crate::machine::{BranchCondition, Destination, Operation, ReadPort, Source, WritePort};
use crate::physical::{PhysicalInst, Place};

/// Fills the slots of all branches. `live_in` is what is live at the begin of each block.
pub(crate) fn fill(blocks: &mut [BlockWords], live_in: &[Locations]) {
    let entries = entries(blocks);
    let mut is_target = vec![false; blocks.len()];
    for branch in blocks.iter().filter_map(|block| block.branch) {
        is_target[branch.target.0 as usize] = true;
    }
    for block in 0..blocks.len() {
        let Some(branch) = blocks[block].branch else { continue };
        let target = branch.target.0 as usize;
        let is_conditional = branch.condition != BranchCondition::Always;
        let owned = is_conditional && block + 1 < blocks.len() && !is_target[block + 1];
        if owned && target > block && take_from_next(blocks, block, live_in[target]) {
            continue;
        }
        let dead = if is_conditional { live_in.get(block + 1).copied().unwrap_or(0) } else { 0 };
        let Some(entry) = entries[target] else { continue };
        if !copy_from_target(blocks, block, entry, dead) && owned {
            take_from_next(blocks, block, live_in[target]);
        }
    }
}

/// The free slots of a block: the words at its end that do nothing.
struct Free {
    first: usize,
    count: usize,
}

fn free_slots(block: &BlockWords) -> Free {
    let count = block.words.iter().rev().take(SLOTS).take_while(|word| word.is_nop()).count();
    Free { first: block.words.len() - count, count }
}

/// The slots that words can go to: not the first one if its word would read what the word before it writes.
fn slots_for(block: &BlockWords, word: Option<&Word>) -> Free {
    let free = free_slots(block);
    let before = free.first.checked_sub(1).map(|place| &block.words[place]);
    let is_hazard = before.zip(word).is_some_and(|(before, word)| files(written(before)) & read(word) != 0);
    if is_hazard { Free { first: free.first + 1, count: free.count.saturating_sub(1) } } else { free }
}

/// The number of words at the begin of a block that may be executed where `live` must be preserved.
fn movable(block: &BlockWords, live: Locations, most: usize) -> usize {
    let limit = if block.branch.is_some() { block.before_branch() } else { block.words.len() };
    let may = |word: &&Word| is_simple(word) && written(word) & live == 0;
    block.words[..limit].iter().take(most).take_while(may).count()
}

/// Returns whether it copied a word.
fn copy_from_target(blocks: &mut [BlockWords], block: usize, target: usize, live: Locations) -> bool {
    let free = slots_for(&blocks[block], blocks[target].words.first());
    let count = movable(&blocks[target], live, free.count);
    for place in 0..count {
        blocks[block].words[free.first + place] = blocks[target].words[place];
    }
    blocks[block].skip = count;
    count > 0
}

/// Returns whether it moved a word.
fn take_from_next(blocks: &mut [BlockWords], block: usize, live: Locations) -> bool {
    let next = &blocks[block + 1];
    let free = slots_for(&blocks[block], next.words.first());
    // What comes after the next block relies on its last word being there.
    let most = if next.branch.is_some() { free.count } else { free.count.min(next.words.len().saturating_sub(1)) };
    let count = movable(next, live, most);
    let taken: Vec<Word> = blocks[block + 1].words.drain(..count).collect();
    blocks[block].words[free.first..free.first + count].copy_from_slice(&taken);
    count > 0
}

fn written(word: &Word) -> Locations {
    word.insts().fold(0, |all, inst| all | writes(inst))
}

fn read(word: &Word) -> Locations {
    word.insts().fold(0, |all, inst| all | reads(inst))
}

/// The registers of files among locations: those that the next word cannot read.
fn files(locations: Locations) -> Locations {
    locations & ((1 << Place::Accumulator(0).index()) - 1)
}

/// Returns whether a word does nothing but compute.
fn is_simple(word: &Word) -> bool {
    !word.loads && !word.ends_program && word.insts().all(is_simple_inst)
}

fn is_simple_inst(inst: &PhysicalInst) -> bool {
    let computes = matches!(
        inst.operation,
        Operation::Move | Operation::Add(_) | Operation::Multiply(_) | Operation::Immediate(_)
    );
    let reads_registers = inst.sources[..inst.source_count()].iter().all(|source| match source {
        Source::Register(_) | Source::Small(_) => true,
        Source::Port(port) => matches!(port, ReadPort::ElementNumber | ReadPort::QpuNumber | ReadPort::Broadcast),
    });
    let writes_registers = match inst.destination {
        Destination::Null | Destination::Register(_) => true,
        Destination::Port(port) => port == WritePort::Broadcast,
    };
    computes && reads_registers && writes_registers
}
