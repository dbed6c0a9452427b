//! F06: a loop that must be unrolled, but runs nobody knows how often.
//!
//! `Unroll` in a loop's control mask is a request, and a full copy of the body for each iteration is what authors ask for with it: arrays
//! that are to become registers, offsets of texture samples that have to be constant. A loop can be unrolled if a test bounds the number
//! of its iterations by a constant. Two ways to see that:
//!
//! ```text
//! ^header(%i):  u_less_than %i, %ten  …  %i + 1          the counter is a parameter of the header
//! load %i; u_less_than; …; store %i, %i + 1              the counter is a variable, as unoptimized modules have it: one store in the loop
//! ```
//!
//! The first is what `trip_count` counts. Beside it, a test is taken to bound a loop if it compares nothing but constants, a counter
//! of the loop, and counters of loops that are unrolled as well: `for (j = 0; j < 8 - i; ++j)` inside of `for (i = 0; i < 5; ++i)`. A
//! counter begins with, and is stepped by, nothing else. How many iterations that makes is not asked.
//!
//! Near-linear; expressions are followed through a bounded number of operations.

use reconverge_analysis::trip_count::{TripCount, TripCounts};
use reconverge_graph::{Cycle, CycleForest, Node};
use reconverge_ir::{Block, Class, Inst, Module, Op, Slot, Terminator, terminator::operand};
use rustc_hash::FxHashSet;

use crate::flow::Flow;
use crate::program::{Program, Report};
use crate::{Code, Step};

/// `LoopControl` Unroll.
const UNROLL: u32 = 1;
/// Operations that an expression is followed through.
const OPERATION_LIMIT: usize = 64;
/// How many tests that decide about another iteration a diagnosis shows.
const TEST_LIMIT: usize = 4;

/// Finds such loops.
pub(crate) fn check(program: &Program<'_>, report: &mut Report) {
    if !program.options.any(&[Code::F06]) {
        return;
    }
    let module = program.module;
    for flow in &program.flows {
        let asked = flow.order.sequence().iter().filter_map(|&node| {
            let entry = module.terminator(flow.whole.block(node))?;
            let header = module.cast(module.operands(entry).next()?)?;
            is_to_be_unrolled(module, entry).then_some((entry, header))
        });
        let asked: Vec<(Terminator, Block)> = asked.collect();
        if asked.is_empty() {
            continue;
        }
        let counts = TripCounts::compute(module, flow.function);
        let cycles = CycleForest::compute(&flow.feasible, &flow.order, &flow.dominators);
        let mut known: FxHashSet<Inst> = FxHashSet::default();
        for (entry, header) in asked {
            let cycle = flow.whole.find(header).and_then(|node| cycles.headed_by(node));
            let Some(cycle) = cycle else { continue };
            let unrolled = Loop { program, flow, cycles: &cycles, cycle, entry, known: &known };
            let exits = unrolled.exits();
            let counters = exits.iter().find_map(|&exit| unrolled.counters(exit));
            let is_counted = !matches!(counts.trip_count(header), TripCount::Unknown | TripCount::Infinite);
            if counters.is_none() && !is_counted {
                let name = program.name(header.into());
                let message = format!("the loop at {name} is to be unrolled, but how often it runs is not known");
                report.add(program, (Code::F06, entry.into()), message, steps(program, &exits));
            }
            known.extend(counters.into_iter().flatten());
        }
    }
}

fn is_to_be_unrolled(module: &Module, entry: Terminator) -> bool {
    module.op(entry) == Op::Loop
        && module.literal_word(module.operand(entry, operand::LOOP_CONTROL)).is_some_and(|mask| mask & UNROLL != 0)
}

fn steps(program: &Program<'_>, exits: &[Terminator]) -> Vec<Step> {
    let step = |&exit: &Terminator| {
        let condition = program.name(program.module.operand(exit, operand::CONDITION));
        let text =
            format!("{condition} decides here whether the loop goes on, and no constant bounds how often it does");
        Step { inst: exit.into(), text }
    };
    exits.iter().take(TEST_LIMIT).map(step).collect()
}

/// A loop of a function.
struct Loop<'a, 'm> {
    program: &'a Program<'m>,
    flow: &'a Flow,
    cycles: &'a CycleForest,
    cycle: Cycle,
    entry: Terminator,
    /// Counters of loops that are unrolled: parameters and variables.
    known: &'a FxHashSet<Inst>,
}

impl Loop<'_, '_> {
    fn contains(&self, node: Node) -> bool {
        self.cycles.contains(self.cycle, node)
    }

    /// The two-way branches one way of which leaves the loop, in order.
    fn exits(&self) -> Vec<Terminator> {
        let module = self.program.module;
        let nodes = self.cycles.blocks(self.cycle).iter().copied();
        let leaving = nodes.filter(|&node| {
            let successors = self.flow.feasible.successors(node);
            successors.iter().any(|&target| !self.contains(target))
                && successors.iter().any(|&target| self.contains(target))
        });
        let branches = leaving.filter_map(|node| module.terminator(self.flow.whole.block(node)));
        let mut exits: Vec<Terminator> =
            branches.filter(|&branch| matches!(module.op(branch), Op::BranchIf | Op::If)).collect();
        exits.sort_by_key(|&exit| self.program.position(exit));
        exits
    }

    /// The counters of the loop that a test compares, if it compares nothing else that is not known.
    fn counters(&self, exit: Terminator) -> Option<Vec<Inst>> {
        let module = self.program.module;
        let compared = leaves(module, module.operand(exit, operand::CONDITION))?;
        let own: Vec<Inst> = compared.into_iter().filter(|leaf| !self.known.contains(leaf)).collect();
        (!own.is_empty() && own.iter().all(|&leaf| self.is_counter(leaf))).then_some(own)
    }

    /// Whether a parameter or variable begins with something known, and is stepped by something known.
    fn is_counter(&self, leaf: Inst) -> bool {
        let module = self.program.module;
        let (begins, steps) = match module.op(leaf) {
            Op::BlockParameter => self.arguments(leaf),
            Op::Variable => self.stores(leaf),
            _ => None,
        }
        .unwrap_or_default();
        let is_known = |value: &Inst| {
            leaves(module, *value).is_some_and(|leaves| leaves.iter().all(|leaf| self.known.contains(leaf)))
        };
        let is_step = |value: &Inst| {
            let others =
                leaves(module, *value).filter(|leaves| leaves.contains(&leaf) && module.op(*value) != Op::Load);
            *value != leaf
                && others.is_some_and(|leaves| leaves.iter().all(|other| *other == leaf || self.known.contains(other)))
        };
        begins.iter().all(is_known) && steps.len() == 1 && steps.iter().all(is_step)
    }

    /// What the header's parameter is at the beginning, and in the next iteration.
    fn arguments(&self, parameter: Inst) -> Option<(Vec<Inst>, Vec<Inst>)> {
        let module = self.program.module;
        let header = module.block_of(parameter)?;
        if self.flow.whole.find(header) != Some(self.cycles.header(self.cycle)) {
            return None;
        }
        let index = module.parameters(header).position(|other| other.inst() == parameter)?;
        let argument = |end: Terminator| module.arguments(end).nth(index);
        let others = module.in_edges(header).map(|edge| edge.terminator).filter(|&end| end != self.entry);
        let steps: Option<Vec<Inst>> = others.map(argument).collect();
        Some((vec![argument(self.entry)?], steps?))
    }

    /// What is stored in a variable before or behind the loop, and in it.
    fn stores(&self, variable: Inst) -> Option<(Vec<Inst>, Vec<Inst>)> {
        let module = self.program.module;
        let mut outside: Vec<Inst> = module.operands(variable).skip(1).collect();
        let mut inside = Vec::new();
        for used in module.uses(variable) {
            match (module.op(used.user), used.slot) {
                (Op::Load, Slot::Operand(0)) => {}
                (Op::Store, Slot::Operand(0)) => {
                    let node = module.block_of(used.user).and_then(|block| self.flow.whole.find(block))?;
                    let list = if self.contains(node) { &mut inside } else { &mut outside };
                    list.push(module.operand(used.user, 1));
                }
                _ if self.program.is_debug(used.user) => {}
                _ => return None,
            }
        }
        Some((outside, inside))
    }
}

/// The parameters and variables that a value is computed from with arithmetic and comparisons, constants left out; `None` if anything
/// else comes in.
fn leaves(module: &Module, value: Inst) -> Option<Vec<Inst>> {
    let mut leaves = Vec::new();
    let mut pending = vec![value];
    let mut left = OPERATION_LIMIT;
    while let Some(inst) = pending.pop() {
        left = usize::checked_sub(left, 1)?;
        match module.op(inst) {
            op if op.is_constant() => {}
            Op::BlockParameter if !leaves.contains(&inst) => leaves.push(inst),
            Op::BlockParameter => {}
            Op::Load => {
                let pointer = module.operand(inst, 0);
                if module.op(pointer) != Op::Variable || module.block_of(pointer).is_none() {
                    return None;
                }
                if !leaves.contains(&pointer) {
                    leaves.push(pointer);
                }
            }
            op if matches!(op.class(), Class::Arithmetic | Class::Logical | Class::Bit | Class::Conversion) => {
                pending.extend(module.operands(inst));
            }
            Op::CopyObject => pending.push(module.operand(inst, 0)),
            _ => return None,
        }
    }
    Some(leaves)
}
