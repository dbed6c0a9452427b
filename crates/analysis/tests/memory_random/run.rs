//! Runs of random programs. A state is the same memory from where it begins on: whenever a state's definition runs, the cells that its
//! readers read are written down, and wherever a reader stands or might stand they must be the same.

use reconverge_analysis::memory::Definition;

use super::Case;
use super::program::{Choice, Pointer, Program};
use crate::common::Random;

/// A reader as it is watched.
struct Watched<'c> {
    block: usize,
    place: usize,
    pointer: &'c Pointer,
    cells: Vec<usize>,
    written_down: Option<Vec<u64>>,
}

pub(crate) fn check(case: &Case, random: &mut Random, seed: u64) {
    let choice = Choice::random(random);
    let watched = case.readers().map(|(block, place, pointer)| {
        let cells = pointer.cells(choice);
        Watched { block, place, pointer, cells, written_down: None }
    });
    let mut run =
        Run { case, seed, choice, watched: watched.collect(), memory: (0..Program::cells() as u64).collect() };
    run.note(Definition::Entry);
    let mut block = 0;
    for _ in 0..60 {
        run.block(block, random);
        let targets = &case.program.graph[block];
        match targets.len() {
            0 => return,
            count => block = targets[random.below(count)],
        }
    }
}

struct Run<'c> {
    case: &'c Case,
    seed: u64,
    choice: Choice,
    watched: Vec<Watched<'c>>,
    memory: Vec<u64>,
}

impl Run<'_> {
    fn block(&mut self, block: usize, random: &mut Random) {
        self.note(Definition::Join(Case::node(block)));
        self.reached(block, None);
        for place in 0..self.case.program.actions[block].len() {
            let (seed, memory) = (self.seed, &self.memory);
            let here = self.watched.iter().filter(|reader| (reader.block, reader.place) == (block, place));
            here.for_each(|reader| reader.expect_unchanged(memory, seed, &self.case.program));
            self.reached(block, Some(place));
            let (surely, maybe) = self.case.program.actions[block][place].written(self.choice);
            let maybe: Vec<usize> = maybe.into_iter().filter(|_| random.chance(60)).collect();
            let fresh = self.memory.iter().max().expect("there are cells") + 1;
            for (cell, value) in surely.into_iter().chain(maybe).zip(fresh..) {
                self.memory[cell] = value;
            }
            self.note(Definition::Clobber(self.case.insts[block][place]));
        }
        self.reached(block, Some(usize::MAX));
    }

    /// Writes down what the states hold that begin here.
    fn note(&mut self, here: Definition) {
        for reader in &mut self.watched {
            let state = self.case.states.state_of(self.case.insts[reader.block][reader.place]).expect("a reader");
            if self.case.states.definition(state) == here {
                reader.written_down = Some(reader.cells.iter().map(|&cell| self.memory[cell]).collect());
            }
        }
    }

    /// Checks the readers that might stand in a block: at its start, before one of its actions, at its end.
    fn reached(&self, block: usize, before: Option<usize>) {
        let Case { states, insts, dominates, .. } = self.case;
        for reader in &self.watched {
            let state = states.state_of(insts[reader.block][reader.place]).expect("a reader");
            let above = states.node_of(state).map_or(0, |node| node.index());
            let is_inside = above == block && matches!(states.definition(state), Definition::Clobber(_));
            if !dominates[above][block] || is_inside {
                continue;
            }
            let may_stand = match states.next_clobber(state, Case::node(block)) {
                None => true,
                Some(clobber) if clobber.node.index() == block => clobber.inst.is_some_and(|inst| {
                    let place = insts[block].iter().position(|&other| other == inst);
                    before.is_none() || before == place
                }),
                Some(_) => false,
            };
            if may_stand {
                reader.expect_unchanged(&self.memory, self.seed, &self.case.program);
            }
        }
    }
}

impl Watched<'_> {
    fn expect_unchanged(&self, memory: &[u64], seed: u64, program: &Program) {
        let now: Vec<u64> = self.cells.iter().map(|&cell| memory[cell]).collect();
        let Watched { block, place, pointer, written_down, .. } = self;
        assert_eq!(
            written_down.as_ref(),
            Some(&now),
            "seed {seed}: the load from {pointer:?}, b{block} place {place}\n{}",
            program.text()
        );
    }
}
