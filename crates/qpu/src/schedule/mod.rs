//! Words from instructions with places.
//!
//! | file | content |
//! |---|---|
//! | `dag.rs` | the dependence graph of a block |
//! | `list.rs` | the order of a block's instructions |
//! | `pair.rs` | what fits into one word, and its fields |
//! | `slots.rs` | branches, and words between blocks |
//! | `live.rs` | registers that are live between blocks |
//! | `fill.rs` | words of other blocks after branches |
//! | `end.rs` | the end of the program |

mod dag;
mod end;
mod fill;
mod list;
mod live;
mod pair;
mod slots;

use dag::TmuQueue;
use slots::BlockWords;

use crate::encode;
use crate::machine::{BranchCondition, Destination, Operation, WritePort};
use crate::physical::{PhysicalBlock, PhysicalFunction};

/// The code of a function.
pub(crate) struct Schedule {
    pub(crate) words: Vec<u64>,
    /// The word at which each block begins.
    pub(crate) starts: Vec<usize>,
    /// The number of words that do nothing.
    pub(crate) idle: usize,
    /// The number of words with operations of both ALUs.
    pub(crate) paired: usize,
}

/// Puts instructions into words.
pub(crate) fn schedule(function: &PhysicalFunction) -> Schedule {
    let queues = tmu_queues(function);
    let mut blocks: Vec<BlockWords> =
        function.blocks.iter().zip(queues).map(|(block, queue)| schedule_block(block, queue)).collect();
    slots::finish(&mut blocks);
    fill::fill(&mut blocks, &live::live_in(function));
    lay_out(&blocks)
}

fn schedule_block(block: &PhysicalBlock, queue: TmuQueue) -> BlockWords {
    let is_end = block.insts.last().is_some_and(|inst| inst.operation == Operation::End);
    let insts = if is_end { &block.insts[..block.insts.len() - 1] } else { &block.insts[..] };
    let reads_flags = block.branch.is_some_and(|branch| branch.condition != BranchCondition::Always);
    let mut words = list::schedule(insts, queue, if reads_flags { 4 } else { 0 });
    if is_end {
        words.extend(end::end_words(insts));
    }
    BlockWords { words, branch: block.branch, skip: 0 }
}

/// For each block how many loads of the texture unit are under way at its begin.
fn tmu_queues(function: &PhysicalFunction) -> Vec<TmuQueue> {
    let mut queues: Vec<Option<TmuQueue>> = vec![None; function.blocks.len()];
    let mut worklist = vec![0];
    if let Some(first) = queues.first_mut() {
        *first = Some(TmuQueue::default());
    }
    while let Some(block) = worklist.pop() {
        let Some(content) = function.blocks.get(block) else { continue };
        let mut queue = queues[block].unwrap_or_default();
        for inst in &content.insts {
            let is_address = inst.destination == Destination::Port(WritePort::TmuAddress);
            let is_result = inst.operation == Operation::LoadTmu;
            queue.under_way = (queue.under_way + usize::from(is_address)).saturating_sub(usize::from(is_result));
        }
        let falls = content.branch.is_none_or(|branch| branch.condition != BranchCondition::Always);
        let target = content.branch.map(|branch| branch.target.0 as usize);
        for successor in falls.then_some(block + 1).into_iter().chain(target) {
            if let Some(slot @ None) = queues.get_mut(successor) {
                *slot = Some(queue);
                worklist.push(successor);
            }
        }
    }
    queues.into_iter().map(Option::unwrap_or_default).collect()
}

/// Puts blocks one after the other and encodes them.
fn lay_out(blocks: &[BlockWords]) -> Schedule {
    let mut starts = Vec::with_capacity(blocks.len());
    let mut next = 0;
    for block in blocks {
        starts.push(next);
        next += block.len();
    }
    let mut schedule = Schedule { words: Vec::with_capacity(next), starts, idle: 0, paired: 0 };
    for block in blocks {
        let before = if block.branch.is_some() { block.before_branch() } else { block.words.len() };
        for (place, word) in block.words.iter().enumerate() {
            if place == before {
                schedule.branch(block);
            }
            schedule.idle += usize::from(word.is_nop());
            schedule.paired += usize::from(word.add.is_some() && word.mul.is_some());
            schedule.words.push(word.encode());
        }
    }
    schedule
}

impl Schedule {
    fn branch(&mut self, block: &BlockWords) {
        if let Some(branch) = block.branch {
            let target = self.starts[branch.target.0 as usize] + block.skip;
            let distance = target as i64 - self.words.len() as i64;
            self.words.push(encode::branch(branch.condition, distance as i32));
        }
    }
}
