//! The tests of loops, and the choice of the one that determines the trip count of its loop.
//!
//! A two-way branch is a test of its innermost cycle if it dominates the latch and one of its edges never returns to the header. There are
//! two ways to find that: up from the break block over blocks with one predecessor and one exit, which also finds tests that constants
//! determine; and from the branches with an edge out of the cycle, to its target. If the target is a selection, its merge block must not be
//! after the loop: both sides may continue to it.

use std::cell::OnceCell;
use std::sync::Arc;

use reconverge_graph::Node;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Terminator, terminator::operand};
use rustc_hash::{FxHashMap, FxHashSet};

use super::count::{Holds, Shown, count};
use super::ends::ends_before;
use super::facts::TripCountFacts;
use super::recurrence::{Asked, Cycle, Question, Recurrence};
use super::weaker::weakened;
use super::{Counted, Counter, ExitTest, Specialization, TripCount};

/// Tests and trip counts of a function's loops.
pub(super) struct TripCountSearch<'m> {
    pub(super) facts: TripCountFacts<'m>,
    /// By header, the branches with an edge out of the cycle.
    leaving: FxHashMap<Block, Vec<ExitTest>>,
    /// For each prefix of the nodes in preorder of the dominator tree, the number of nodes in which the function or the lane may end.
    ends: OnceCell<Vec<usize>>,
}

/// The trip count of a loop, and the queries about its tests that gave it.
pub(super) struct FoundTripCount {
    pub(super) count: TripCount,
    pub(super) cycle: Option<Cycle>,
    pub(super) tests: Vec<(ExitTest, Answer)>,
}

/// The trip count of a test.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// It lets the loop repeat this often, with the query that proved it.
    Exact(u64, Question),
    /// It lets the loop repeat at most this often.
    AtMost(u64, Question),
    /// It never leaves.
    Never,
    Unknown,
}

impl<'m> TripCountSearch<'m> {
    pub(super) fn compute(
        module: &'m Module,
        function: Function,
        specialization: Specialization,
    ) -> TripCountSearch<'m> {
        let facts = TripCountFacts::compute(module, function, specialization);
        let leaving = compute_leaving(&facts);
        TripCountSearch { facts, leaving, ends: OnceCell::new() }
    }

    /// The number of times that a loop repeats.
    pub(super) fn trip_count(&self, entry: Terminator, header: Block) -> FoundTripCount {
        let module = self.facts.module;
        let mut found = FoundTripCount { count: TripCount::Unknown, cycle: None, tests: Vec::new() };
        let node = self.facts.flow.find(header).filter(|&node| self.facts.dominators.is_reachable(node));
        let Some(node) = node else { return found };
        let is_reachable = |edge: &Edge| self.facts.place(edge.terminator).is_some();
        let mut backs = module.in_edges(header).filter(|edge| edge.terminator != entry).filter(is_reachable);
        let Some(back) = backs.next() else {
            found.count = TripCount::NeverRepeats;
            return found;
        };
        let Some(break_block) = module.merge_block(entry).filter(|_| backs.next().is_none()) else { return found };
        let cycle = Cycle { header, entry, back: back.terminator };
        let mut exits: Vec<Terminator> =
            module.in_edges(break_block).filter(is_reachable).map(|edge| edge.terminator).collect();
        exits.sort_unstable_by_key(|&exit| self.facts.place(exit));
        let direct: Vec<Option<ExitTest>> =
            exits.iter().map(|&exit| self.test(exit, cycle, node, break_block)).collect();
        let is_endless = direct.iter().all(Option::is_some);
        let direct: FxHashSet<ExitTest> = direct.into_iter().flatten().collect();
        let mut tests: Vec<ExitTest> = direct.iter().copied().collect();
        let others = self.leaving.get(&header).into_iter().flatten().filter(|test| !direct.contains(test));
        tests.extend(others.filter(|test| self.is_once(test.block, cycle, node)));
        tests.sort_by_key(|test| (module.terminator(test.block).and_then(|last| self.facts.place(last)), *test));
        found.tests = tests.into_iter().map(|test| (test, self.count(cycle, test))).collect();
        found.cycle = Some(cycle);
        let best =
            found.tests.iter().filter(|(_, answer)| answer.rank().is_some()).min_by_key(|(_, answer)| answer.rank());
        let counted = |repeats: u64, test: ExitTest, question: Question| {
            let exits = if direct.contains(&test) { exits.len() } else { exits.len() + 1 };
            Counted { repeats, test, exits, counters: self.counters(cycle, question) }
        };
        let is_never = |(_, answer): &(ExitTest, Answer)| matches!(answer, Answer::Never);
        found.count = match best {
            Some(&(test, Answer::Exact(repeats, question))) => TripCount::Exact(counted(repeats, test, question)),
            Some(&(test, Answer::AtMost(repeats, question))) => TripCount::AtMost(counted(repeats, test, question)),
            _ if is_endless && found.tests.iter().all(is_never) && !self.ends_inside(node, break_block) => {
                TripCount::Infinite
            }
            _ => TripCount::Unknown,
        };
        found
    }

    fn is_once(&self, block: Block, cycle: Cycle, header: Node) -> bool {
        let node = |block: Option<Block>| block.and_then(|block| self.facts.flow.find(block));
        let (Some(node), Some(latch)) = (node(Some(block)), node(self.facts.module.block_of(cycle.back))) else {
            return false;
        };
        let innermost = self.facts.cycles.innermost(node);
        self.facts.dominators.dominates(node, latch)
            && innermost.is_some_and(|cycle| self.facts.cycles.header(cycle) == header)
    }

    /// The test with an edge out of the loop through `exit`.
    fn test(&self, exit: Terminator, cycle: Cycle, header: Node, break_block: Block) -> Option<ExitTest> {
        let module = self.facts.module;
        let (mut block, mut target) = (module.block_of(exit)?, break_block);
        // Up to the branch: blocks with one predecessor and one exit.
        for _ in 0..self.facts.flow.blocks().len() {
            let terminator = module.terminator(block)?;
            match module.op(terminator) {
                Op::BranchIf | Op::If => {
                    let mut edges = module.out_edges(block).filter(|&edge| module.target(edge) == Some(target));
                    let leaving = edges.next().filter(|_| edges.next().is_none())?.operand;
                    return self.is_once(block, cycle, header).then_some(ExitTest { block, leaving });
                }
                Op::Branch => {
                    let mut edges = module.in_edges(block);
                    let only = edges.next().filter(|_| edges.next().is_none())?;
                    target = block;
                    block = module.block_of(only.terminator)?;
                }
                _ => return None,
            }
        }
        None
    }

    fn count(&self, cycle: Cycle, test: ExitTest) -> Answer {
        let Some(exact) = self.question(test) else { return Answer::Unknown };
        match self.ask(cycle, exact) {
            Holds::Times(repeats, _) => return Answer::Exact(repeats, exact),
            Holds::Always => return Answer::Never,
            Holds::Unknown => {}
        }
        let asked = weakened(self.facts.module, exact).into_iter();
        let weaker = asked.filter_map(|question| match self.ask(cycle, question) {
            Holds::Times(repeats, _) => Some((repeats, question)),
            Holds::Always | Holds::Unknown => None,
        });
        let least = weaker.min_by_key(|&(repeats, _)| repeats);
        least.map_or(Answer::Unknown, |(repeats, question)| Answer::AtMost(repeats, question))
    }

    /// The query about a test.
    pub(super) fn question(&self, test: ExitTest) -> Option<Question> {
        let branch = self.facts.module.terminator(test.block)?;
        Some(Question {
            condition: self.facts.module.operand(branch, operand::CONDITION),
            stays_if: test.leaving == operand::FALSE,
            replaced: None,
        })
    }

    fn ask(&self, cycle: Cycle, question: Question) -> Holds {
        let gathered = Recurrence::compute(&self.facts, cycle, &FxHashSet::default(), question, Asked::Nothing);
        gathered.map_or(Holds::Unknown, |recurrence| count(&recurrence, &[], Shown::Nothing))
    }

    /// The values that determine a query with an answer, where they are known: those with one term share a list.
    fn counters(&self, cycle: Cycle, question: Question) -> Vec<Counter> {
        let gathered = Recurrence::compute(&self.facts, cycle, &FxHashSet::default(), question, Asked::Loads);
        let Some(recurrence) = gathered else { return Vec::new() };
        let mut terms: Vec<usize> = recurrence.shown.iter().map(|&(_, term)| term).collect();
        terms.sort_unstable();
        terms.dedup();
        let Holds::Times(_, values) = count(&recurrence, &[], Shown::Terms(&terms)) else {
            return Vec::new();
        };
        let lists = terms.into_iter().zip(values);
        let lists: FxHashMap<usize, Arc<[u64]>> =
            lists.filter_map(|(term, values)| Some((term, Arc::from(values?)))).collect();
        let counter = |&(value, term): &(Inst, usize)| Some(Counter { value, values: lists.get(&term)?.clone() });
        recurrence.shown.iter().filter_map(counter).collect()
    }

    /// Returns whether the function or the lane may end inside a loop: where its header dominates, but not its break block.
    fn ends_inside(&self, header: Node, break_block: Block) -> bool {
        let dominators = &self.facts.dominators;
        let ends = self.ends.get_or_init(|| ends_before(&self.facts));
        let ends_below = |node: Node| {
            let first = dominators.pre(node);
            ends[first + dominators.subtree_size(node)] - ends[first]
        };
        let after = self.facts.flow.find(break_block);
        let after = after.filter(|&after| dominators.is_reachable(after) && dominators.dominates(header, after));
        ends_below(header) > after.map_or(0, ends_below)
    }
}

impl Answer {
    /// The order of answers: fewer repeats first, and exact ones before bounds.
    fn rank(&self) -> Option<(u64, bool)> {
        match *self {
            Answer::Exact(repeats, _) => Some((repeats, false)),
            Answer::AtMost(repeats, _) => Some((repeats, true)),
            Answer::Never | Answer::Unknown => None,
        }
    }
}

/// The branches with an edge out of their innermost cycle, in reverse post-order.
fn compute_leaving(facts: &TripCountFacts<'_>) -> FxHashMap<Block, Vec<ExitTest>> {
    let mut leaving: FxHashMap<Block, Vec<ExitTest>> = FxHashMap::default();
    for &node in facts.order.sequence() {
        let (block, module) = (facts.flow.block(node), facts.module);
        let branch = module.terminator(block).filter(|&last| matches!(module.op(last), Op::If | Op::BranchIf));
        let (Some(branch), Some(cycle)) = (branch, facts.cycles.innermost(node)) else { continue };
        let stays = |block: Option<Block>| {
            block.and_then(|block| facts.flow.find(block)).is_some_and(|node| facts.cycles.contains(cycle, node))
        };
        let target = |operand| stays(module.cast(module.operand(branch, operand)));
        let way = match (target(operand::TRUE), target(operand::FALSE)) {
            (true, false) => operand::FALSE,
            (false, true) => operand::TRUE,
            _ => continue,
        };
        let merge = module.merge_block(branch);
        if merge.is_none_or(|merge| stays(Some(merge)) || module.in_edges(merge).next().is_none()) {
            let header = facts.flow.block(facts.cycles.header(cycle));
            leaving.entry(header).or_default().push(ExitTest { block, leaving: way });
        }
    }
    leaving
}
