//! F04: a loop without an exit.
//!
//! An invocation ends by a return, by a terminator such as `kill`, or inside a call that may do the latter. Blocks that cannot reach such
//! an end, with constant conditions evaluated, form cycles without an exit: each last one of them is a diagnosis.
//!
//! ```text
//! ^entry ─▶ ^a ⇄ ^b ─▶ ^c ⟲ ^d        ^c and ^d are reported; ^a and ^b at least lead on to them
//! ```
//!
//! `unreachable` is not an exit: reaching it is undefined. Functions without a body may end the invocation. Linear.

use reconverge_graph::{Components, Node};
use reconverge_ir::{Block, Inst, Op, terminator};

use crate::flow::{Flow, feasible_targets};
use crate::path::{landing, steps_back};
use crate::program::{Found, Program, Report};
use crate::{Code, Step};

/// The number of never-taken exits that a diagnosis shows.
const EXIT_LIMIT: usize = 4;

/// Finds loops without an exit.
pub(crate) fn check(program: &Program<'_>, report: &mut Report) {
    if !program.options.any(&[Code::F04]) {
        return;
    }
    for (number, flow) in program.flows.iter().enumerate() {
        let endless = endless_nodes(program, number, flow);
        if endless.is_empty() {
            continue;
        }
        let components = Components::compute_induced(&flow.feasible, &endless);
        let mut leads_on = vec![false; components.count()];
        for component in 0..components.count() {
            let members = components.members(component).iter();
            let targets = members.flat_map(|&node| flow.feasible.successors(node));
            let mut others =
                targets.filter_map(|&target| components.component(target)).filter(|&other| other != component);
            leads_on[component] = others.any(|other| leads_on[other] || components.is_cyclic(other));
            if components.is_cyclic(component) && !leads_on[component] {
                report_loop(program, flow, components.members(component), report);
            }
        }
    }
}

/// The reachable nodes that reach no end.
fn endless_nodes(program: &Program<'_>, number: usize, flow: &Flow) -> Vec<Node> {
    let module = program.module;
    let mut comes_to_end = vec![false; flow.feasible.len()];
    let mut pending: Vec<Node> = Vec::new();
    let mut mark = |node: Node, pending: &mut Vec<Node>| {
        if !std::mem::replace(&mut comes_to_end[node.index()], true) {
            pending.push(node);
        }
    };
    for &node in flow.order.sequence() {
        let end = module.terminator(flow.whole.block(node));
        let is_end = end.is_some_and(|end| {
            let op = module.op(end);
            op != Op::Unreachable && module.successors(flow.whole.block(node)).next().is_none()
        });
        if is_end {
            mark(node, &mut pending);
        }
    }
    for call in &program.calls[number] {
        let node = module.block_of(call.inst).and_then(|block| flow.whole.find(block));
        node.into_iter().filter(|_| program.may_terminate[call.callee]).for_each(|node| mark(node, &mut pending));
    }
    if program.calls_unknown[number] {
        let blocks = flow.whole.graph().nodes().filter(|&node| has_unknown_call(program, flow.whole.block(node)));
        blocks.for_each(|node| mark(node, &mut pending));
    }
    while let Some(node) = pending.pop() {
        for &source in flow.feasible.predecessors(node) {
            mark(source, &mut pending);
        }
    }
    flow.order.sequence().iter().copied().filter(|node| !comes_to_end[node.index()]).collect()
}

fn has_unknown_call(program: &Program<'_>, block: Block) -> bool {
    let module = program.module;
    let mut calls = module.children(block).filter(|&inst| module.op(inst) == Op::FunctionCall);
    calls.any(|call| module.callee(call).and_then(|callee| program.number(callee)).is_none())
}

fn report_loop(program: &Program<'_>, flow: &Flow, members: &[Node], report: &mut Report) {
    let module = program.module;
    let header = members.iter().copied().min_by_key(|&node| flow.order.position(node));
    let Some(header) = header else { return };
    let block = flow.whole.block(header);
    let entry =
        flow.whole.graph().predecessors(header).iter().filter_map(|&node| module.terminator(flow.whole.block(node)));
    let entry = entry.map(Inst::from).find(|&entry| module.op(entry) == Op::Loop);
    let mut path = steps_back(program, flow.decisions_before(header));
    path.extend(exits_never_taken(program, flow, members));
    let message = format!("the loop at {} has no exit that can be taken", program.name(landing(module, block).into()));
    report.add(program, Found { code: Code::F04, inst: entry.unwrap_or(block.into()), message, path });
}

/// The exits of a loop that constants exclude.
fn exits_never_taken(program: &Program<'_>, flow: &Flow, members: &[Node]) -> Vec<Step> {
    let module = program.module;
    let mut steps = Vec::new();
    for &node in members {
        let block = flow.whole.block(node);
        let Some(branch) = module.terminator(block) else { continue };
        let taken = feasible_targets(module, block);
        let excluded = module.successors(block).find(|target| !taken.contains(target));
        if let Some(target) = excluded.filter(|_| steps.len() < EXIT_LIMIT) {
            let target = program.name(landing(module, target).into());
            let condition = program.name(module.operand(branch, terminator::operand::CONDITION));
            steps.push(Step {
                inst: branch.into(),
                text: format!("{condition} is a constant: control never goes to {target}"),
            });
        }
    }
    steps
}
