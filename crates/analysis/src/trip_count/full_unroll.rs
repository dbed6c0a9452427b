//! Decides whether loops can be unrolled completely, as their controls require. The pass and the check use it.
//!
//! ```text
//! for (i = 0; i < 5; ++i)          [unroll]     5 repeats
//!   for (j = 0; j < 8 - i; ++j)    [unroll]     8, 7, 6, 5 and 4: known for each copy of the loop around
//! ```
//!
//! A loop can be unrolled if a test bounds its trip count. If none does by itself, the state of enclosing loops that are unrolled as well
//! is known in each of their copies: from inner to outer loops, the needed state is collected, and from outer to inner, for each copy, the
//! next state and the count of the test are computed. The copies must not have too many instructions: inner loops count for the enclosing
//! ones.
//!
//! Near-linear, plus a bounded number of steps for each test, and a bounded number for the copies of all enclosing loops, [`TERM_BUDGET`]:
//! beyond it the result is not known. It would be too large.

use std::cell::Cell;

use reconverge_control_tree::{ConstructKind, ControlTree};
use reconverge_ir::{Block, Function, Module, Op, terminator::operand};
use rustc_hash::{FxHashMap, FxHashSet};

use super::count::{Holds, STEP_LIMIT, Shown, count};
use super::facts::Source;
use super::recurrence::{Asked, Cycle, Question, Recurrence};
use super::scalar::Scalar;
use super::search::{Answer, TripCountSearch};
use super::weaker::weakened;
use super::{ExitTest, Specialization, TripCount};
use crate::{Extents, LoopControl};

/// The maximum number of copies of the enclosing loops for which a loop is examined.
const COPY_LIMIT: usize = 1 << 14;
/// The maximum number of terms that are evaluated for the nests of a function: enough for copies within the limit.
const TERM_BUDGET: usize = 1 << 22;
/// The maximum number of enclosing loops whose state is tracked.
const DEPTH_LIMIT: usize = 16;

/// The possibility to unroll a loop completely.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FullUnroll {
    /// It can.
    Possible,
    /// It never ends.
    Infinite,
    /// No test bounds its number of iterations.
    Unknown,
    /// Its copies would have too many instructions.
    TooLarge {
        /// The number of copies that there would be.
        copies: u64,
        /// The number of instructions of each copy, including those of unrolled inner loops.
        size: u64,
        /// The maximum number of instructions of all copies.
        limit: u64,
    },
}

impl FullUnroll {
    /// The maximum number of instructions of the copies of a loop.
    pub const LIMIT: u64 = 1 << 16;

    /// The reason why the loop cannot be unrolled: the end of a sentence about it.
    pub fn reason(&self) -> Option<String> {
        match self {
            FullUnroll::Possible => None,
            FullUnroll::Infinite => Some("it never ends".to_owned()),
            FullUnroll::Unknown => Some("its trip count is not known".to_owned()),
            FullUnroll::TooLarge { copies, size, limit } => {
                Some(format!("{copies} copies of its {size} instructions exceed the limit of {limit} instructions"))
            }
        }
    }
}

/// The trip count of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestVerdict {
    /// The number of times that it lets the loop repeat.
    Count,
    /// It lets the loop repeat forever.
    Never,
    /// Unknown.
    Nothing,
}

/// For the loops of a function whose controls require it, the possibility to unroll them completely.
#[derive(Clone, Debug, Default)]
pub struct FullUnrolls {
    by_header: FxHashMap<Block, FullUnroll>,
    tests: FxHashMap<Block, TestVerdict>,
}

impl FullUnrolls {
    /// Examines every reachable `loop` of a function at stage Structured whose control contains `Unroll`. `limit` is [`FullUnroll::LIMIT`]
    /// by default.
    pub fn compute(module: &Module, function: Function, specialization: Specialization, limit: u64) -> FullUnrolls {
        let search = TripCountSearch::compute(module, function, specialization);
        let (settled, found) = (FxHashMap::default(), FullUnrolls::default());
        let mut judging = Judging { search: &search, settled, found, terms_left: Cell::new(TERM_BUDGET) };
        let mut demanded = Vec::new();
        for &node in search.facts.order.sequence() {
            let block = search.facts.flow.block(node);
            let opening = module.terminator(block).filter(|&last| module.op(last) == Op::Loop);
            let Some(opening) = opening.filter(|&opening| LoopControl::of(module, opening).is_unroll()) else {
                continue;
            };
            if let Some(header) = module.cast::<Block>(module.operand(opening, operand::TARGET)) {
                judging.judge(opening, header);
                demanded.push(header);
            }
        }
        judging.limit_growth(module, function, &demanded, limit);
        judging.found
    }

    /// The result for the loop with that header; `None` if its control does not require unrolling, or if the loop is unreachable.
    pub fn full_unroll(&self, header: Block) -> Option<&FullUnroll> {
        self.by_header.get(&header)
    }

    /// The trip count of the test that a block ends in; `None` if it is not a test that is executed once in each iteration.
    pub fn test_verdict(&self, block: Block) -> Option<TestVerdict> {
        self.tests.get(&block).copied()
    }
}

/// The test that determines the trip count of a loop that can be unrolled.
#[derive(Clone, Copy)]
struct Settled {
    /// `None` for a loop that never repeats.
    test: Option<(Cycle, ExitTest, Question)>,
    /// The maximum number of copies.
    copies: u64,
    /// True if it is known before enclosing loops are unrolled.
    is_own: bool,
}

struct Judging<'a, 'm> {
    search: &'a TripCountSearch<'m>,
    settled: FxHashMap<Block, Settled>,
    found: FullUnrolls,
    /// The rest of [`TERM_BUDGET`].
    terms_left: Cell<usize>,
}

/// A loop of a nest that is simulated.
struct Level {
    recurrence: Recurrence,
    /// By free number, the level that has it as a slot, and the index of the slot.
    free: Vec<(usize, usize)>,
    /// True if the next inner loop is after the test, so that the last copy does not reach it.
    is_tested_before: bool,
}

impl Judging<'_, '_> {
    fn judge(&mut self, opening: reconverge_ir::Terminator, header: Block) {
        let found = self.search.trip_count(opening, header);
        for (test, answer) in &found.tests {
            let told = match answer {
                Answer::Exact(..) | Answer::AtMost(..) => TestVerdict::Count,
                Answer::Never => TestVerdict::Never,
                Answer::Unknown => TestVerdict::Nothing,
            };
            self.found.tests.insert(test.block, told);
        }
        let settled = match &found.count {
            _ if self.is_never_entered(header) => Some(Settled { test: None, copies: 1, is_own: true }),
            TripCount::NeverRepeats => Some(Settled { test: None, copies: 1, is_own: true }),
            TripCount::Exact(counted) | TripCount::AtMost(counted) => {
                let told = found.tests.iter().find_map(|&(test, ref answer)| match *answer {
                    Answer::Exact(_, question) | Answer::AtMost(_, question) if test == counted.test => Some(question),
                    _ => None,
                });
                let test = found.cycle.zip(told).map(|(cycle, question)| (cycle, counted.test, question));
                Some(Settled { test, copies: counted.repeats.saturating_add(1), is_own: true })
            }
            TripCount::Infinite => {
                self.found.by_header.insert(header, FullUnroll::Infinite);
                return;
            }
            TripCount::Unknown => found
                .cycle
                .and_then(|cycle| found.tests.iter().find_map(|&(test, _)| self.settled_by_nest(header, cycle, test))),
        };
        let judgement = if settled.is_some() { FullUnroll::Possible } else { FullUnroll::Unknown };
        self.found.by_header.insert(header, judgement);
        self.settled.extend(settled.map(|settled| (header, settled)));
    }

    /// Returns whether a loop is after the test of an enclosing loop that leaves immediately.
    fn is_never_entered(&self, header: Block) -> bool {
        let facts = &self.search.facts;
        let is_before = |test: ExitTest| {
            let nodes = facts.flow.find(test.block).zip(facts.flow.find(header));
            nodes.is_some_and(|(test, header)| facts.dominators.dominates(test, header))
        };
        self.around(header).iter().any(|around| {
            let Settled { test, copies, .. } = self.settled[around];
            copies == 1 && test.is_some_and(|(_, test, _)| is_before(test))
        })
    }

    /// The test that bounds a loop in each copy of the enclosing loops, if it does.
    fn settled_by_nest(&self, header: Block, cycle: Cycle, test: ExitTest) -> Option<Settled> {
        let around = self.around(header);
        if around.is_empty() {
            return None;
        }
        let exact = self.search.question(test)?;
        let questions = std::iter::once(exact).chain(weakened(self.search.facts.module, exact));
        let answered = questions.filter_map(|question| {
            let levels = self.levels(&around, cycle, header, question)?;
            Some((question, most_repeats(&levels, &self.terms_left)?))
        });
        let (question, repeats) = answered.min_by_key(|&(_, repeats)| repeats)?;
        Some(Settled { test: Some((cycle, test, question)), copies: repeats.saturating_add(1), is_own: false })
    }

    /// The headers of the enclosing loops that are unrolled and repeat, innermost first.
    fn around(&self, header: Block) -> Vec<Block> {
        let facts = &self.search.facts;
        let own = facts.flow.find(header).and_then(|node| facts.cycles.headed_by(node));
        let outer =
            std::iter::successors(own.and_then(|own| facts.cycles.parent(own)), |&cycle| facts.cycles.parent(cycle));
        let headers = outer.map(|cycle| facts.flow.block(facts.cycles.header(cycle)));
        let is_repeated = |header: &Block| self.settled.get(header).is_some_and(|settled| settled.test.is_some());
        headers.take(DEPTH_LIMIT).filter(is_repeated).collect()
    }

    /// The loops of a nest, outermost first. Collected from inside out, so that the requested state of each is known.
    fn levels(&self, around: &[Block], cycle: Cycle, header: Block, question: Question) -> Option<Vec<Level>> {
        let facts = &self.search.facts;
        let mut outer: FxHashSet<Block> = around.iter().copied().collect();
        let mut levels: Vec<(Block, Level)> = Vec::new();
        let gathered = Recurrence::compute(facts, cycle, &outer, question, Asked::Nothing)?;
        levels.push((header, Level::new(gathered)));
        for &header in around {
            outer.remove(&header);
            let (cycle, test, question) = self.settled[&header].test?;
            let asked = levels.iter().flat_map(|(_, level)| &level.recurrence.free);
            let mut wanted: Vec<Source> =
                asked.copied().filter(|source| stands_at(facts.module, *source) == Some(header)).collect();
            wanted.dedup();
            let gathered = Recurrence::compute(facts, cycle, &outer, question, Asked::Slots(&wanted))?;
            let mut level = Level::new(gathered);
            let inner = levels.last().map(|&(header, _)| header)?;
            let node = |block| facts.flow.find(block);
            level.is_tested_before =
                node(test.block).zip(node(inner)).is_some_and(|(test, inner)| facts.dominators.dominates(test, inner));
            levels.push((header, level));
        }
        levels.reverse();
        for index in 0..levels.len() {
            let place = |source: &Source| {
                let mut above = levels[..index].iter().enumerate();
                above.find_map(|(place, (_, level))| {
                    Some((place, level.recurrence.slots.iter().position(|slot| slot == source)?))
                })
            };
            let free: Option<Vec<(usize, usize)>> = levels[index].1.recurrence.free.iter().map(place).collect();
            levels[index].1.free = free?;
        }
        Some(levels.into_iter().map(|(_, level)| level).collect())
    }

    /// Rejects loops whose copies have too many instructions, inner before outer.
    fn limit_growth(&mut self, module: &Module, function: Function, demanded: &[Block], limit: u64) {
        let facts = &self.search.facts;
        let sizes = sizes(module, function);
        // The additional instructions of each loop from copies of inner loops.
        let mut added: FxHashMap<Block, u64> = FxHashMap::default();
        for header in demanded.iter().rev() {
            let Some(&Settled { copies, is_own, .. }) = self.settled.get(header) else { continue };
            let own = sizes.get(header).copied().unwrap_or(0);
            let inside = added.get(header).copied().unwrap_or(0);
            let size = own.saturating_add(inside);
            let written = if copies > 1 { size.saturating_mul(copies) } else { size };
            if written > limit && copies > 1 {
                self.found.by_header.insert(*header, FullUnroll::TooLarge { copies, size, limit });
                continue;
            }
            let cycle = facts.flow.find(*header).and_then(|node| facts.cycles.headed_by(node));
            let parent = cycle.and_then(|cycle| facts.cycles.parent(cycle));
            if let Some(parent) = parent.filter(|_| is_own) {
                let parent = facts.flow.block(facts.cycles.header(parent));
                let sum = added.entry(parent).or_default();
                *sum = sum.saturating_add(written.saturating_sub(own));
            }
        }
    }
}

impl Level {
    fn new(recurrence: Recurrence) -> Level {
        Level { recurrence, free: Vec::new(), is_tested_before: false }
    }
}

/// The header that a part of the state belongs to.
fn stands_at(module: &Module, source: Source) -> Option<Block> {
    match source {
        Source::Value(value) => module.block_of(value),
        Source::Held { at, .. } => Some(at),
        Source::Unknown => None,
    }
}

/// One copy of a loop in the nest, and its current iteration.
struct Run {
    /// By slot, its value in each iteration.
    values: Vec<Option<Vec<u64>>>,
    first: Vec<Option<Scalar>>,
    iterations: u64,
    at: u64,
}

impl Run {
    fn slot(&self, number: usize) -> Option<Scalar> {
        let kind = self.first[number]?.kind;
        let bits = *self.values.get(number)?.as_ref()?.get(usize::try_from(self.at).ok()?)?;
        Some(Scalar { kind, bits })
    }
}

/// The maximum number of times that the innermost loop of a nest repeats; `None` if it is unknown in some copy.
fn most_repeats(levels: &[Level], terms_left: &Cell<usize>) -> Option<u64> {
    let (mut runs, mut most): (Vec<Run>, u64) = (Vec::new(), 0);
    for _ in 0..COPY_LIMIT {
        let level = &levels[runs.len()];
        let free: Vec<Option<Scalar>> = level.free.iter().map(|&(place, slot)| runs[place].slot(slot)).collect();
        let Holds::Times(repeats, values) = count(&level.recurrence, &free, Shown::Slots) else {
            return None;
        };
        let steps = usize::try_from(repeats).map_or(STEP_LIMIT, |repeats| repeats.min(STEP_LIMIT)) + 1;
        terms_left.set(terms_left.get().checked_sub(steps * level.recurrence.terms.len())?);
        if runs.len() + 1 == levels.len() {
            most = most.max(repeats);
        } else {
            let iterations = repeats.saturating_add(u64::from(!level.is_tested_before));
            runs.push(Run { values, first: level.recurrence.begin(&free), iterations, at: u64::MAX });
        }
        // Advance to the next copy of the innermost loop that has one.
        loop {
            let Some(run) = runs.last_mut() else { return Some(most) };
            run.at = run.at.wrapping_add(1);
            if run.at < run.iterations {
                break;
            }
            runs.pop();
        }
    }
    None
}

/// The number of instructions that the loops of a function have, by header.
fn sizes(module: &Module, function: Function) -> FxHashMap<Block, u64> {
    let Ok(tree) = ControlTree::compute(module, function) else { return FxHashMap::default() };
    let extents = Extents::compute(module, &tree);
    let loops = tree.constructs().filter(|construct| construct.kind == ConstructKind::Loop);
    let sized =
        loops.filter_map(|construct| Some((construct.loop_header?, extents.size(&tree, construct.name()) as u64)));
    sized.collect()
}
