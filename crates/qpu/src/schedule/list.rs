//! List scheduling of a block.
//!
//! Word by word, the ready instruction with the longest path after it is taken, then others that fit into the same word are added, up to
//! one for each ALU and a load of the texture unit. An instruction is ready when all its predecessors are far enough above. Those that are
//! better taken later, loads of the texture unit, come when nothing else is ready.
//!
//! Of the ready instructions only the first ones by priority are tried as partners, so the time is almost linear.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::dag::{Dag, TmuQueue};
use super::pair::Word;
use crate::physical::PhysicalInst;

/// The number of ready instructions that are tried as partners.
const TRIED: usize = 24;

/// A ready instruction: the first in the order is the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ready {
    priority: Reverse<u32>,
    place: u32,
}

/// Puts the instructions of a block into words. `flags_tail` is how many words should follow the last instruction that sets flags.
pub(crate) fn schedule(insts: &[PhysicalInst], queue: TmuQueue, flags_tail: u32) -> Vec<Word> {
    let dag = Dag::of(insts, queue);
    let priorities = dag.priorities(insts, flags_tail);
    let mut list = List {
        insts,
        waiting: dag.predecessors.clone(),
        earliest: vec![0; insts.len()],
        wished: vec![0; insts.len()],
        dag,
        priorities,
        ready: BTreeSet::new(),
        late: BTreeSet::new(),
        pending: BinaryHeap::new(),
        taken: vec![false; insts.len()],
        cycle: 0,
    };
    for place in 0..insts.len() as u32 {
        if list.waiting[place as usize] == 0 {
            list.arrive(place);
        }
    }
    let mut words = Vec::with_capacity(insts.len());
    let mut left = insts.len();
    while left > 0 {
        list.wake();
        let (word, count) = list.word();
        left -= count;
        words.push(word);
        list.cycle += 1;
    }
    words
}

struct List<'a> {
    insts: &'a [PhysicalInst],
    dag: Dag,
    priorities: Vec<u32>,
    /// For each instruction, the number of predecessors that are not in a word yet.
    waiting: Vec<u32>,
    earliest: Vec<u32>,
    wished: Vec<u32>,
    ready: BTreeSet<Ready>,
    /// Ready, but better taken later.
    late: BTreeSet<Ready>,
    /// Instructions by the cycle when they become ready, or are no longer too early.
    pending: BinaryHeap<Reverse<(u32, u32)>>,
    taken: Vec<bool>,
    cycle: u32,
}

impl List<'_> {
    fn key(&self, place: u32) -> Ready {
        Ready { priority: Reverse(self.priorities[place as usize]), place }
    }

    /// All predecessors of an instruction are in words.
    fn arrive(&mut self, place: u32) {
        let (earliest, wished) = (self.earliest[place as usize], self.wished[place as usize]);
        if earliest > self.cycle {
            self.pending.push(Reverse((earliest, place)));
        } else if wished > self.cycle {
            self.late.insert(self.key(place));
            self.pending.push(Reverse((wished, place)));
        } else {
            self.late.remove(&self.key(place));
            self.ready.insert(self.key(place));
        }
    }

    fn wake(&mut self) {
        while let Some(&Reverse((cycle, place))) = self.pending.peek() {
            if cycle > self.cycle {
                break;
            }
            self.pending.pop();
            if !self.taken[place as usize] {
                self.arrive(place);
            }
        }
    }

    /// The next word, and how many instructions are in it.
    fn word(&mut self) -> (Word, usize) {
        let mut word = Word::default();
        let mut count = 0;
        while count < 3 {
            let sets = [&self.ready, &self.late];
            // A late instruction takes a word of its own only if nothing else is there.
            let limit = if count == 0 { 1 } else { TRIED };
            let candidates = sets.into_iter().flat_map(|set| set.iter().take(limit)).copied();
            let fitting = candidates.into_iter().find_map(|ready| {
                let word = word.with(self.insts[ready.place as usize])?;
                Some((ready, word))
            });
            let Some((ready, larger)) = fitting else { break };
            word = larger;
            count += 1;
            self.take(ready);
        }
        (word, count)
    }

    fn take(&mut self, ready: Ready) {
        self.ready.remove(&ready);
        self.late.remove(&ready);
        self.taken[ready.place as usize] = true;
        for edge in std::mem::take(&mut self.dag.successors[ready.place as usize]) {
            let to = edge.to as usize;
            self.earliest[to] = self.earliest[to].max(self.cycle + edge.distance);
            self.wished[to] = self.wished[to].max(self.cycle + edge.wish);
            self.waiting[to] -= 1;
            if self.waiting[to] == 0 {
                self.arrive(edge.to);
            }
        }
    }
}
