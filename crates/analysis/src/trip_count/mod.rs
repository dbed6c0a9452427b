//! How often loops repeat.
//!
//! ```text
//! loop ^header(%zero) …
//! ^header(%i):                              the test in ^header lets 10 iterations through and leaves in the 11th:
//!   %more = u_less_than %i, %ten       ⇒    Exact { repeats: 10, test: ^header, operand 2, counters: %i = 0, 1, … 10 }
//!   branch_if %more ^next ^exit
//! ^next: branch ^header(%i + 1)
//! ```
//!
//! A *test* is a two-way branch that runs once in every iteration (it dominates the latch and stands in no inner loop) and one way
//! of which leads to the break block and nowhere else. Its condition is followed through pure operations to parameters of the
//! header and constants (`recurrence.rs`), and then counted (`count.rs`): exactly, by simulation or in closed form. Where that
//! fails the condition is weakened: from `i < min(x, 4)` and from `i < 4 && x` follows `i < 4`, so that the test lets at most as
//! many iterations through.
//!
//! The test with the fewest repeats speaks for the loop; among equals the first in reverse post-order. Near-linear in the
//! function, plus a bounded number of steps for each test.

mod count;
mod recurrence;
mod scalar;

use reconverge_graph::{CycleForest, DominatorTree, Node, Order};
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Terminator, terminator::operand};
use rustc_hash::FxHashMap;

use crate::FlowGraph;
use count::Holds;
use recurrence::{Cycle, Recurrence};

/// How often a loop repeats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TripCount {
    /// Control never goes back to the header.
    NeverRepeats,
    /// The test leaves the loop after so many repeats, unless another way out is taken before.
    Exact(Counted),
    /// The test leaves the loop after so many repeats at the latest.
    AtMost(Counted),
    /// No way out of the loop is ever taken.
    Infinite,
    /// Nothing is known.
    Unknown,
}

/// A test and how often it lets iterations through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// How often the test keeps control in the loop before it leaves: the test runs once more than that.
    pub repeats: u64,
    /// The test.
    pub test: ExitTest,
    /// How many edges lead to the break block: 1 if the test's is the only one.
    pub exits: usize,
    /// The values of header parameters that decide the test, where they are known and not too many.
    pub counters: Vec<Counter>,
}

/// A two-way branch that leaves a loop one way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExitTest {
    /// The block that ends in the branch.
    pub block: Block,
    /// The number of the branch's operand that names the way out.
    pub leaving: usize,
}

/// A parameter of a header, and what it is in each iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    /// The parameter, of a scalar type.
    pub parameter: Inst,
    /// The bits of its value, one entry each time that the test runs: `repeats + 1` of them.
    pub values: Vec<u64>,
}

/// How often each loop of a function repeats.
#[derive(Clone, Debug)]
pub struct TripCounts {
    by_header: FxHashMap<Block, TripCount>,
}

impl TripCounts {
    /// Looks at every `loop` of a function at stage Structured.
    pub fn compute(module: &Module, function: Function) -> TripCounts {
        let flow = FlowGraph::compute(module, function);
        let (order, dominators) = flow.dominators();
        let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
        let ends = ends_before(&flow, &dominators);
        let search =
            Search { module, flow: &flow, order: &order, dominators: &dominators, cycles: &cycles, ends: &ends };
        let mut by_header = FxHashMap::default();
        for &block in flow.blocks() {
            let Some(entry) = module.terminator(block).filter(|&last| module.op(last) == Op::Loop) else { continue };
            if let Some(header) = module.cast::<Block>(module.operand(entry, operand::TARGET)) {
                by_header.insert(header, search.trip_count(entry, header));
            }
        }
        TripCounts { by_header }
    }

    /// How often the loop with that header repeats; [`TripCount::Unknown`] for a block that is no header.
    pub fn trip_count(&self, header: Block) -> &TripCount {
        self.by_header.get(&header).unwrap_or(&TripCount::Unknown)
    }
}

struct Search<'a> {
    module: &'a Module,
    flow: &'a FlowGraph,
    order: &'a Order,
    dominators: &'a DominatorTree,
    cycles: &'a CycleForest,
    /// In how many of so many nodes, in preorder of the dominator tree, the function ends.
    ends: &'a [usize],
}

fn ends_before(flow: &FlowGraph, dominators: &DominatorTree) -> Vec<usize> {
    let mut ends = vec![0];
    for (number, &node) in dominators.preorder().iter().enumerate() {
        ends.push(ends[number] + usize::from(flow.graph().successors(node).is_empty()));
    }
    ends
}

/// A way to ask a test: the condition, what it is when control stays, and a value that is taken for another.
#[derive(Clone, Copy)]
struct Question {
    condition: Inst,
    stays_if: bool,
    replaced: Option<(Inst, Inst)>,
}

impl Search<'_> {
    fn trip_count(&self, entry: Terminator, header: Block) -> TripCount {
        let Some(node) = self.flow.find(header).filter(|&node| self.dominators.is_reachable(node)) else {
            return TripCount::Unknown;
        };
        let is_reachable = |edge: &Edge| self.place(edge.terminator).is_some();
        let mut backs = self.module.in_edges(header).filter(|edge| edge.terminator != entry).filter(is_reachable);
        let Some(back) = backs.next() else { return TripCount::NeverRepeats };
        let Some(break_block) = self.module.merge_block(entry).filter(|_| backs.next().is_none()) else {
            return TripCount::Unknown;
        };
        let cycle = Cycle { header, entry, back: back.terminator };
        let mut exits: Vec<Terminator> =
            self.module.in_edges(break_block).filter(is_reachable).map(|edge| edge.terminator).collect();
        exits.sort_unstable_by_key(|&exit| self.place(exit));
        let (mut best, mut is_endless) = (None::<TripCount>, true);
        for &exit in &exits {
            let found = self.test(exit, (cycle, node), break_block).map(|test| (test, self.count(cycle, test)));
            let counted =
                |test, repeats, values: Vec<Counter>| Counted { repeats, test, exits: exits.len(), counters: values };
            let found = match found {
                Some((test, Answer::Exact(repeats, values))) => TripCount::Exact(counted(test, repeats, values)),
                Some((test, Answer::AtMost(repeats))) => TripCount::AtMost(counted(test, repeats, Vec::new())),
                Some((_, Answer::Never)) => continue,
                Some((_, Answer::Unknown)) | None => {
                    is_endless = false;
                    continue;
                }
            };
            is_endless = false;
            if best.as_ref().is_none_or(|best| rank(&found) < rank(best)) {
                best = Some(found);
            }
        }
        match best {
            Some(best) => best,
            None if is_endless && !self.ends_inside(node, break_block) => TripCount::Infinite,
            None => TripCount::Unknown,
        }
    }

    /// The place of a reachable instruction's block in reverse post-order.
    fn place(&self, inst: Terminator) -> Option<usize> {
        self.module.block_of(inst).and_then(|block| self.flow.find(block)).and_then(|node| self.order.position(node))
    }

    /// The test whose one way leads over `exit` out of the loop.
    fn test(&self, exit: Terminator, (cycle, header): (Cycle, Node), break_block: Block) -> Option<ExitTest> {
        let latch = self.flow.find(self.module.block_of(cycle.back)?)?;
        let (mut block, mut target) = (self.module.block_of(exit)?, break_block);
        // Up to the branch: blocks with one way in and one way out.
        for _ in 0..self.flow.blocks().len() {
            let terminator = self.module.terminator(block)?;
            match self.module.op(terminator) {
                Op::BranchIf | Op::If => {
                    let mut edges =
                        self.module.out_edges(block).filter(|&edge| self.module.target(edge) == Some(target));
                    let leaving = edges.next().filter(|_| edges.next().is_none())?.operand;
                    let node = self.flow.find(block)?;
                    let is_once = self.dominators.dominates(node, latch)
                        && self.cycles.innermost(node).is_some_and(|cycle| self.cycles.header(cycle) == header);
                    return is_once.then_some(ExitTest { block, leaving });
                }
                Op::Branch => {
                    let mut edges = self.module.in_edges(block);
                    let only = edges.next().filter(|_| edges.next().is_none())?;
                    target = block;
                    block = self.module.block_of(only.terminator)?;
                }
                _ => return None,
            }
        }
        None
    }

    fn count(&self, cycle: Cycle, test: ExitTest) -> Answer {
        let Some(branch) = self.module.terminator(test.block) else { return Answer::Unknown };
        let exact = Question {
            condition: self.module.operand(branch, operand::CONDITION),
            stays_if: test.leaving == operand::FALSE,
            replaced: None,
        };
        match self.ask(cycle, exact) {
            (Holds::Times(repeats, _), None) => return Answer::Exact(repeats, Vec::new()),
            (Holds::Times(repeats, values), Some(recurrence)) => {
                let counters = recurrence.parameters.into_iter().zip(values);
                return Answer::Exact(
                    repeats,
                    counters.map(|(parameter, values)| Counter { parameter, values }).collect(),
                );
            }
            (Holds::Always, _) => return Answer::Never,
            (Holds::Unknown, _) => {}
        }
        let weaker = self.weakened(exact).into_iter().filter_map(|question| match self.ask(cycle, question).0 {
            Holds::Times(repeats, _) => Some(repeats),
            Holds::Always | Holds::Unknown => None,
        });
        weaker.min().map_or(Answer::Unknown, Answer::AtMost)
    }

    fn ask(&self, cycle: Cycle, question: Question) -> (Holds, Option<Recurrence>) {
        match Recurrence::compute(self.module, cycle, question.condition, question.replaced) {
            Some(recurrence) => (count::count(&recurrence, question.stays_if), Some(recurrence)),
            None => (Holds::Unknown, None),
        }
    }

    /// Questions whose answer is at least that of the given one: each says less about when control stays.
    fn weakened(&self, question: Question) -> Vec<Question> {
        let (mut weaker, mut pending) = (Vec::new(), vec![question]);
        while let Some(question) = pending.pop().filter(|_| weaker.len() < WEAKER_LIMIT) {
            weaker.push(question);
            let mut operands = self.module.operands(question.condition);
            match (self.module.op(question.condition), question.stays_if) {
                (Op::LogicalAnd, true) | (Op::LogicalOr, false) => {
                    pending.extend(operands.map(|condition| Question { condition, ..question }));
                }
                (Op::LogicalNot, stays_if) => {
                    pending.extend(operands.map(|condition| Question { condition, stays_if: !stays_if, ..question }));
                }
                (op, stays_if) => {
                    if let (Some(order), Some(left), Some(right)) =
                        (Comparison::of(op, stays_if), operands.next(), operands.next())
                    {
                        let (greater, lesser) = if order.is_ascending { (right, left) } else { (left, right) };
                        weaker.extend(self.bounds(question, greater, order.least()));
                        weaker.extend(self.bounds(question, lesser, order.greatest()));
                    }
                }
            }
        }
        weaker
    }

    /// Takes `min` or `max`, the function of that number in GLSL.std.450, for each of its operands.
    fn bounds(&self, question: Question, bound: Inst, function: u32) -> Vec<Question> {
        if self.module.op(bound) != Op::ExtInst {
            return Vec::new();
        }
        let set = self.module.operand(bound, 0);
        let is_glsl = self.module.op(set) == Op::ExtInstImport
            && self.module.literal_text(self.module.operand(set, 0)) == "GLSL.std.450";
        if !is_glsl || self.module.literal_word(self.module.operand(bound, 1)) != Some(function) {
            return Vec::new();
        }
        let operands = self.module.operands(bound).skip(2);
        operands.map(|operand| Question { replaced: Some((bound, operand)), ..question }).collect()
    }

    /// Whether the function may end inside a loop: where its header dominates, but not its break block.
    fn ends_inside(&self, header: Node, break_block: Block) -> bool {
        let ends_below = |node: Node| {
            let first = self.dominators.pre(node);
            self.ends[first + self.dominators.subtree_size(node)] - self.ends[first]
        };
        let after = self.flow.find(break_block);
        let after =
            after.filter(|&after| self.dominators.is_reachable(after) && self.dominators.dominates(header, after));
        ends_below(header) > after.map_or(0, ends_below)
    }
}

/// Most weaker questions about one test.
const WEAKER_LIMIT: usize = 16;

enum Answer {
    Exact(u64, Vec<Counter>),
    AtMost(u64),
    Never,
    Unknown,
}

/// Fewer repeats first, and what is exact before what is a bound.
fn rank(count: &TripCount) -> (u64, bool) {
    match count {
        TripCount::Exact(counted) => (counted.repeats, false),
        TripCount::AtMost(counted) => (counted.repeats, true),
        TripCount::NeverRepeats => (0, false),
        TripCount::Infinite | TripCount::Unknown => (u64::MAX, true),
    }
}

/// What a comparison says when control stays: one operand is at most the other.
struct Comparison {
    is_signed: bool,
    is_ascending: bool,
}

impl Comparison {
    fn of(op: Op, stays_if: bool) -> Option<Comparison> {
        let (is_signed, is_less) = match op {
            Op::ULessThan | Op::ULessThanEqual => (false, true),
            Op::UGreaterThan | Op::UGreaterThanEqual => (false, false),
            Op::SLessThan | Op::SLessThanEqual => (true, true),
            Op::SGreaterThan | Op::SGreaterThanEqual => (true, false),
            _ => return None,
        };
        Some(Comparison { is_signed, is_ascending: is_less == stays_if })
    }

    /// The number of `UMin` or `SMin` in GLSL.std.450: below the least is below both.
    fn least(&self) -> u32 {
        if self.is_signed { 39 } else { 38 }
    }

    /// The number of `UMax` or `SMax`.
    fn greatest(&self) -> u32 {
        if self.is_signed { 42 } else { 41 }
    }
}
