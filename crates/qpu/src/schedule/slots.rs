//! Branch delay slots, and the words that blocks need before those after them.
//!
//! The three words after a branch are executed whether it is taken or not. So the branch is put three words before the end of its block,
//! but after the last word that sets flags: at the branch the flags must be those of the end of the block. The missing words up to three
//! are filled with words that do nothing.
//!
//! A register of a file that the last word of a block writes must not be read by the first word of a successor, and what the periphery needs time
//! for must be done. Words that do nothing at the end of the block see to that.

use super::dag::write_distance;
use super::pair::Word;
use crate::machine::{BlockId, Branch, Destination, WritePort};
use crate::physical::{PhysicalInst, Place};

/// The number of words after a branch that are executed.
pub(crate) const SLOTS: usize = 3;

/// The words of a block in the order of the code.
#[derive(Clone, Default, Debug)]
pub(crate) struct BlockWords {
    /// The words without the branch.
    pub(crate) words: Vec<Word>,
    pub(crate) branch: Option<Branch>,
    /// The number of words of its target that the branch skips.
    pub(crate) skip: usize,
}

impl BlockWords {
    /// The number of words of the block before the branch.
    pub(crate) fn before_branch(&self) -> usize {
        self.words.len() - SLOTS.min(self.words.len())
    }

    /// The number of words, the branch included.
    pub(crate) fn len(&self) -> usize {
        self.words.len() + usize::from(self.branch.is_some())
    }

    /// Puts words at the end so that the three last ones may follow the branch.
    fn fill_slots(&mut self) {
        if self.branch.is_none() {
            return;
        }
        let sets_flags = |word: &Word| word.insts().any(|inst| inst.sets_flags);
        let last_flags = self.words.iter().rposition(sets_flags);
        let least = last_flags.map_or(0, |last| last + 1) + SLOTS;
        if self.words.len() < least {
            self.words.resize(least, Word::default());
        }
    }
}

/// Fills the slots of branches, and puts words at the ends of blocks where those after them need that.
pub(crate) fn finish(blocks: &mut [BlockWords]) {
    for block in blocks.iter_mut() {
        let owed = block.words.iter().enumerate().rev().take(4).map(|(place, word)| {
            let distance = word.insts().map(owed_distance).max().unwrap_or(0) as usize;
            place + distance
        });
        let owed = owed.max().unwrap_or(0);
        if block.words.len() < owed {
            block.words.resize(owed, Word::default());
        }
        block.fill_slots();
    }
    let entries = entries(blocks);
    for block in 0..blocks.len() {
        if has_border_hazard(blocks, &entries, block) {
            blocks[block].words.push(Word::default());
        }
    }
}

/// The number of words after an instruction at which a successor may begin.
fn owed_distance(inst: &PhysicalInst) -> u32 {
    match inst.destination {
        Destination::Port(WritePort::Broadcast) => 2,
        _ => write_distance(inst),
    }
}

/// For each block the first one from it on that has words.
pub(crate) fn entries(blocks: &[BlockWords]) -> Vec<Option<usize>> {
    let mut entries = vec![None; blocks.len() + 1];
    for block in (0..blocks.len()).rev() {
        entries[block] = if blocks[block].len() > 0 { Some(block) } else { entries[block + 1] };
    }
    entries
}

fn has_border_hazard(blocks: &[BlockWords], entries: &[Option<usize>], block: usize) -> bool {
    let Some(last) = blocks[block].words.last() else { return false };
    let written = last.insts().filter_map(PhysicalInst::definition).filter(|place| !is_accumulator(*place));
    let written: Vec<Place> = written.collect();
    if written.is_empty() {
        return false;
    }
    let next = Some(BlockId(block as u32 + 1));
    let target = blocks[block].branch.map(|branch| branch.target);
    next.into_iter().chain(target).any(|successor| {
        let Some(Some(entry)) = entries.get(successor.0 as usize) else { return false };
        // A branch before it may move after it when the block gets a further word.
        let first = blocks[*entry].words.first();
        first.is_some_and(|word| word.insts().flat_map(PhysicalInst::uses).any(|place| written.contains(&place)))
    })
}

fn is_accumulator(place: Place) -> bool {
    matches!(place, Place::Accumulator(_))
}
