//! F06: a loop that must be unrolled, but cannot be.
//!
//! `Unroll` in a loop's control mask is a request, and authors expect a full copy of the body for each iteration: for arrays in registers,
//! or constant offsets of texture samples. The same analysis as in `loop_unroll` decides whether that is possible,
//! `reconverge_analysis::trip_count::FullUnrolls`: a test must bound the number of iterations, by itself or after enclosing loops are
//! unrolled, and there must not be too many copies.
//!
//! ```text
//! ^header(%i):  u_less_than %i, %ten  …  %i + 1          the counter is a parameter of the header
//! load %i; u_less_than; …; store %i, %i + 1              the counter is a variable, as unoptimized modules have it
//! ```
//!
//! A specialization constant counts with its default: it is known when a driver unrolls. The cost is that of the analysis.

use reconverge_analysis::LoopControl;
use reconverge_analysis::trip_count::{FullUnroll, FullUnrolls, Specialization, TestVerdict};
use reconverge_graph::{Cycle, CycleForest};
use reconverge_ir::{Block, Module, Op, Terminator, terminator::operand};

use crate::flow::Flow;
use crate::program::{Found, Program, Report};
use crate::{Code, Step};

/// The number of tests that a diagnosis shows of those that decide about another iteration.
const TEST_LIMIT: usize = 4;

/// Finds such loops.
pub(crate) fn check(program: &Program<'_>, report: &mut Report) {
    if !program.options.any(&[Code::F06]) {
        return;
    }
    let module = program.module;
    for flow in &program.flows {
        let openings = flow.order.sequence().iter().filter_map(|&node| module.terminator(flow.whole.block(node)));
        let asked: Vec<Terminator> = openings.filter(|&entry| is_to_be_unrolled(module, entry)).collect();
        if asked.is_empty() {
            continue;
        }
        let judged = FullUnrolls::compute(module, flow.function, Specialization::Default, FullUnroll::LIMIT);
        let cycles = CycleForest::compute(&flow.feasible, &flow.order, &flow.dominators);
        for entry in asked {
            let Some(header) = module.cast::<Block>(module.operand(entry, operand::TARGET)) else { continue };
            let cycle = flow.whole.find(header).and_then(|node| cycles.headed_by(node));
            let judgement = judged.full_unroll(header);
            let reason = judgement.and_then(FullUnroll::reason);
            let (Some(cycle), Some(reason)) = (cycle, reason) else { continue };
            let message = format!("the loop at {} is marked to be unrolled, but {reason}", program.name(header.into()));
            let path = match judgement {
                Some(FullUnroll::TooLarge { .. }) => Vec::new(),
                _ => steps(program, &judged, &exits(program, flow, &cycles, cycle)),
            };
            report.add(program, Found { code: Code::F06, inst: entry.into(), message, path });
        }
    }
}

fn is_to_be_unrolled(module: &Module, entry: Terminator) -> bool {
    module.op(entry) == Op::Loop && LoopControl::of(module, entry).is_unroll()
}

/// The effects of the tests that leave the loop on its trip count.
fn steps(program: &Program<'_>, judged: &FullUnrolls, exits: &[Terminator]) -> Vec<Step> {
    let step = |&exit: &Terminator| {
        let condition = program.name(program.module.operand(exit, operand::CONDITION));
        let told = program.module.block_of(exit).and_then(|block| judged.test_verdict(block));
        let judgement = match told {
            None => "but not in every iteration",
            Some(TestVerdict::Never) => "and it never leaves the loop",
            Some(TestVerdict::Count | TestVerdict::Nothing) => "and no constant bounds the trip count",
        };
        Step { inst: exit.into(), text: format!("{condition} decides here whether the loop continues, {judgement}") }
    };
    exits.iter().take(TEST_LIMIT).map(step).collect()
}

/// The two-way branches with one edge that leaves a loop, in order.
fn exits(program: &Program<'_>, flow: &Flow, cycles: &CycleForest, cycle: Cycle) -> Vec<Terminator> {
    let module = program.module;
    let leaving = cycles.blocks(cycle).iter().copied().filter(|&node| {
        let successors = flow.feasible.successors(node);
        successors.iter().any(|&target| !cycles.contains(cycle, target))
            && successors.iter().any(|&target| cycles.contains(cycle, target))
    });
    let branches = leaving.filter_map(|node| module.terminator(flow.whole.block(node)));
    let mut exits: Vec<Terminator> =
        branches.filter(|&branch| matches!(module.op(branch), Op::BranchIf | Op::If)).collect();
    exits.sort_by_key(|&exit| program.position(exit));
    exits
}
