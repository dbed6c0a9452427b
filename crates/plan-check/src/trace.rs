//! Walks the input and the plan with the same decisions and compares the input blocks visited, and the original edge that each step takes.
//!
//! A *state* is an input block that was just entered and the selector values that may still be read. The same state behaves the same for
//! the same decisions, so it suffices to take every decision once in every reachable state:
//!
//! ```text
//!           ┌ 0 ─▶ (b1)                 states met before are not walked again; when none is left,
//! (b0) ─────┤                           the plan follows the graph for decisions of any length
//!           └ 1 ─▶ (b2; p7 = 5) ──▶ …
//! ```
//!
//! States are visited in the order of the number of decisions that lead to them, the first [`STATES`] for each block. Only if there are
//! more, a few random walks continue.

use std::collections::{BTreeMap, HashSet, VecDeque};

use reconverge_structurize::{Carried, Case, Edge, InputBlock, Origin, Plan, PlanBlock, Selector, Terminator, Test};

use crate::lists::Lists;

/// This many states are visited for each block of the plan, and 256 more.
pub const STATES: usize = 32;
/// Random walks if there are more states.
const WALKS: u64 = 3;

/// The covered part of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walked {
    /// States in which every decision was taken.
    pub states: usize,
    /// True if these were all states: then traces are equal for decisions of any length.
    pub is_complete: bool,
}

/// Takes every decision in every state, or in as many states as [`STATES`] allows and along random walks.
///
/// # Errors
/// The first difference, with the decisions that lead to it.
pub fn compare(graph: &Lists, plan: &Plan) -> Result<Walked, String> {
    let walked = compare_states(graph, plan, STATES * plan.blocks.len() + 256)?;
    if !walked.is_complete {
        (1..=WALKS).try_for_each(|seed| compare_walk(graph, plan, seed))?;
    }
    Ok(walked)
}

/// A state, and the decisions that lead to it.
struct Reached {
    at: usize,
    values: Vec<(usize, u32)>,
    from: Option<(usize, usize)>,
}

/// Takes every decision in the first `limit` states.
///
/// # Errors
/// The first difference, with the decisions that lead to it.
pub fn compare_states(graph: &Lists, plan: &Plan, limit: usize) -> Result<Walked, String> {
    let live = live_selectors(plan);
    let mut walk = PlanWalk::new(graph, plan);
    let mut known: HashSet<(usize, Vec<(usize, u32)>)> = HashSet::new();
    let mut reached: Vec<Reached> = Vec::new();
    let mut open: VecDeque<usize> = VecDeque::new();
    let mut meet = |walk: &PlanWalk<'_>, at: usize, from, reached: &mut Vec<Reached>, open: &mut VecDeque<usize>| {
        let values: Vec<(usize, u32)> =
            live[at].iter().filter_map(|&block| walk.values[block].map(|value| (block, value))).collect();
        if known.insert((at, values.clone())) {
            open.push_back(reached.len());
            reached.push(Reached { at, values, from });
        }
    };
    let first = walk.start()?;
    meet(&walk, first, None, &mut reached, &mut open);
    let mut states = 0;
    while let Some(index) = open.pop_front() {
        if states == limit {
            return Ok(Walked { states, is_complete: false });
        }
        states += 1;
        let at = reached[index].at;
        for successor in 0..walk.decisions(at)? {
            walk.values.fill(None);
            for &(block, value) in &reached[index].values {
                walk.values[block] = Some(value);
            }
            let next = walk
                .step(at, successor)
                .map_err(|message| format!("{message}, after {:?}", decisions(&reached, index, successor)))?;
            if let Some(next) = next {
                meet(&walk, next, Some((index, successor)), &mut reached, &mut open);
            }
        }
    }
    Ok(Walked { states, is_complete: true })
}

/// The decisions that lead to a state, and one more.
fn decisions(reached: &[Reached], index: usize, last: usize) -> Vec<usize> {
    let mut list = vec![last];
    let mut current = reached[index].from;
    while let Some((before, successor)) = current {
        list.push(successor);
        current = reached[before].from;
    }
    list.reverse();
    list
}

/// Follows one sequence of random decisions, at most four for each block of the graph and twenty.
///
/// # Errors
/// The first difference.
pub fn compare_walk(graph: &Lists, plan: &Plan, seed: u64) -> Result<(), String> {
    let mut walk = PlanWalk::new(graph, plan);
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut at = walk.start()?;
    for _ in 0..4 * graph.successors.len() + 20 {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let count = walk.decisions(at)?;
        let successor = ((state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) % count.max(1) as u64) as usize;
        match walk.step(at, successor).map_err(|message| format!("random walk {seed}: {message}"))? {
            Some(next) => at = next,
            None => break,
        }
    }
    Ok(())
}

/// For each block the selectors that may be read from there on before they are set again, in order.
fn live_selectors(plan: &Plan) -> Vec<Vec<usize>> {
    let own: Vec<Vec<usize>> = plan.blocks.iter().map(|block| reads(&block.terminator)).collect();
    let mut predecessors = vec![Vec::new(); plan.blocks.len()];
    for (index, block) in plan.blocks.iter().enumerate() {
        block.terminator.edges().for_each(|edge| predecessors[edge.target.index()].push(index));
    }
    // From each read backward to the block that sets the value.
    let mut live = vec![Vec::new(); plan.blocks.len()];
    let mut readers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (reader, list) in own.iter().enumerate() {
        list.iter().for_each(|&selector| readers.entry(selector).or_default().push(reader));
    }
    for (selector, mut stack) in readers {
        let mut seen = vec![false; plan.blocks.len()];
        while let Some(block) = stack.pop() {
            if std::mem::replace(&mut seen[block], true) {
                continue;
            }
            live[block].push(selector);
            if block != selector {
                stack.extend(&predecessors[block]);
            }
        }
    }
    live
}

/// The blocks whose selectors a terminator reads.
fn reads(terminator: &Terminator) -> Vec<usize> {
    let tested = match terminator.test() {
        Some(Test::Selector { block, .. } | Test::SelectorValue { block }) => Some(block.index()),
        _ => None,
    };
    let passed = terminator.edges().filter_map(|edge| match &edge.selector {
        Some(Selector::Forward { block } | Selector::Translate { block, .. }) => Some(block.index()),
        _ => None,
    });
    tested.into_iter().chain(passed).collect()
}

struct PlanWalk<'a> {
    graph: &'a Lists,
    plan: &'a Plan,
    /// Last selector value of each plan block.
    values: Vec<Option<u32>>,
    /// The current original edge, and whether a plan edge has carried it.
    under_way: Option<(usize, usize, bool)>,
}

impl<'a> PlanWalk<'a> {
    fn new(graph: &'a Lists, plan: &'a Plan) -> PlanWalk<'a> {
        PlanWalk { graph, plan, values: vec![None; plan.blocks.len()], under_way: None }
    }

    /// The first input block.
    fn start(&mut self) -> Result<usize, String> {
        let first = self.silent(0)?;
        match self.input(first)? {
            block if block == self.graph.entry => Ok(first),
            block => Err(format!("starts at b{block}")),
        }
    }

    fn input(&self, at: usize) -> Result<usize, String> {
        match self.plan.blocks[at].origin {
            Origin::Input(input) => Ok(input.index()),
            Origin::Added(_) => Err(format!("p{at} is no input block")),
        }
    }

    /// The number of successors of the input block at `at`.
    fn decisions(&self, at: usize) -> Result<usize, String> {
        let input = self.input(at)?;
        let count = self.graph.successors[input].len();
        if count == 0 && self.plan.blocks[at].terminator != Terminator::Exit {
            return Err(format!("b{input} exits, p{at} does not"));
        }
        Ok(count)
    }

    /// From the input block at `at` along its successor to the next input block; none after an exit.
    fn step(&mut self, at: usize, successor: usize) -> Result<Option<usize>, String> {
        let input = self.input(at)?;
        if self.graph.successors[input].is_empty() {
            return Ok(None);
        }
        self.under_way = Some((input, successor, false));
        let next = self.advance(at)?;
        let next = self.silent(next)?;
        let (met, expected) = (self.input(next)?, self.graph.targets(input)[successor]);
        if met != expected {
            return Err(format!("b{input}/{successor} leads to b{met}, not to b{expected}"));
        }
        match self.under_way {
            Some((_, _, true)) => Ok(Some(next)),
            _ => Err(format!("no edge carries b{input}/{successor}")),
        }
    }

    /// Through added blocks to the next input block.
    fn silent(&mut self, mut at: usize) -> Result<usize, String> {
        for _ in 0..8 * self.plan.blocks.len() + 8 {
            if let Origin::Input(_) = self.plan.blocks[at].origin {
                return Ok(at);
            }
            at = self.advance(at)?;
        }
        Err("control never meets an input block again".into())
    }

    /// Along the edge of a block that the current decision takes.
    fn advance(&mut self, at: usize) -> Result<usize, String> {
        let plan = self.plan;
        let edge = match &plan.blocks[at].terminator {
            Terminator::Exit => return Err(format!("p{at} exits")),
            Terminator::Unreachable => return Err(format!("p{at} is reached")),
            Terminator::Branch(edge) => edge,
            Terminator::Conditional { test, then, otherwise } => {
                if self.holds(*test)? {
                    then
                } else {
                    otherwise
                }
            }
            Terminator::Switch { test, default, cases } => self.choose(*test, default, cases)?,
        };
        self.take(edge)
    }

    /// The decision of the input block, which must be the last one visited.
    fn decision(&self, block: InputBlock) -> Result<usize, String> {
        match self.under_way {
            Some((source, successor, _)) if source == block.index() => Ok(successor),
            _ => Err(format!("tests {block} when it is not the last block met")),
        }
    }

    fn value(&self, block: PlanBlock) -> Result<u32, String> {
        self.values[block.index()].ok_or(format!("{block} has no selector value"))
    }

    fn holds(&self, test: Test) -> Result<bool, String> {
        match test {
            Test::Input(block) => Ok(self.decision(block)? == 0),
            Test::Selector { block, equals } => Ok(self.value(block)? == equals),
            Test::SelectorValue { .. } | Test::Zero => Err("a value as a condition".into()),
        }
    }

    fn choose<'e>(&self, test: Test, default: &'e Edge, cases: &'e [(Case, Edge)]) -> Result<&'e Edge, String> {
        let wanted = match test {
            Test::Input(block) => Case::Input { successor: self.decision(block)? as u32 },
            Test::SelectorValue { block } => Case::Selector(self.value(block)?),
            Test::Zero => Case::Selector(0),
            Test::Selector { .. } => return Err("a condition as a switch value".into()),
        };
        Ok(cases.iter().find(|(case, _)| *case == wanted).map_or(default, |(_, edge)| edge))
    }

    fn take(&mut self, edge: &Edge) -> Result<usize, String> {
        let mut taken = None;
        if !edge.carries.is_empty() {
            let Some((source, successor, carried)) = &mut self.under_way else {
                return Err("an edge carries before any block".into());
            };
            let now = Carried { source: InputBlock::new(*source), successor: *successor as u32 };
            taken = edge.carries.iter().position(|&other| other == now);
            if taken.is_none() {
                return Err(format!("{now} takes an edge that carries {:?}", edge.carries));
            }
            if std::mem::replace(carried, true) {
                return Err(format!("{now} is carried twice on its way"));
            }
        }
        let value = match &edge.selector {
            None => None,
            Some(Selector::Constant(number)) => Some(*number),
            Some(Selector::Forward { block }) => Some(self.value(*block)?),
            Some(Selector::Choose(numbers)) => Some(numbers[taken.ok_or("chooses without carrying")?]),
            Some(Selector::Translate { block, table }) => {
                let value = self.value(*block)?;
                let row = table.iter().find(|row| row.0 == value);
                Some(row.ok_or(format!("{value} is not in the table"))?.1)
            }
        };
        if value.is_some() != self.plan.blocks[edge.target.index()].has_selector {
            return Err(format!("selector of {} given: {}", edge.target, value.is_some()));
        }
        self.values[edge.target.index()] = value;
        Ok(edge.target.index())
    }
}
