//! F05: code that control can never reach.
//!
//! Compilers leave unreachable blocks intentionally: the merge block of a selection whose arms both return, the continue block of a loop
//! that always breaks. Such a block is empty and is not reported; one with instructions is. Constant conditions are treated as switches
//! that authors change: code that they exclude is not reported.
//!
//! Connected unreachable blocks are one diagnosis, at the first of them that contains code. Linear.

use reconverge_graph::{Node, Order};
use reconverge_ir::{Block, Inst, Op, Terminator};

use crate::flow::Flow;
use crate::program::{Found, Program, Report};
use crate::{Code, Step};

/// Finds unreachable blocks.
pub(crate) fn check(program: &Program<'_>, report: &mut Report) {
    if !program.options.any(&[Code::F05]) {
        return;
    }
    for flow in &program.flows {
        let graph = flow.whole.graph();
        let order = Order::compute_reverse_post_order(graph);
        if order.sequence().len() == graph.len() {
            continue;
        }
        let mut is_seen: Vec<bool> = graph.nodes().map(|node| order.position(node).is_some()).collect();
        for node in graph.nodes() {
            if is_seen[node.index()] {
                continue;
            }
            let island = connected(flow, node, &mut is_seen);
            let code = island.iter().filter_map(|&node| first_code(program, flow.whole.block(node)));
            if let Some((block, inst)) = code.min_by_key(|&(block, _)| program.position(block)) {
                let message = format!("control never reaches {}", program.name(block.into()));
                report.add(program, Found { code: Code::F05, inst, message, path: reasons(program, block) });
            }
        }
    }
}

/// The unreachable nodes that are connected to one, ignoring edge directions.
fn connected(flow: &Flow, start: Node, is_seen: &mut [bool]) -> Vec<Node> {
    let graph = flow.whole.graph();
    is_seen[start.index()] = true;
    let mut island = vec![start];
    let mut next = 0;
    while let Some(&node) = island.get(next) {
        next += 1;
        for &other in graph.successors(node).iter().chain(graph.predecessors(node)) {
            if !std::mem::replace(&mut is_seen[other.index()], true) {
                island.push(other);
            }
        }
    }
    island
}

/// The first instruction of a block that does something.
fn first_code(program: &Program<'_>, block: Block) -> Option<(Block, Inst)> {
    let module = program.module;
    let does_nothing = |inst: Inst| {
        let op = module.op(inst);
        op.is_terminator()
            || matches!(op, Op::BlockParameter | Op::Nop | Op::Undef | Op::Variable)
            || program.is_debug(inst)
    };
    module.children(block).find(|&inst| !does_nothing(inst)).map(|inst| (block, inst))
}

/// The purpose of the block, or the reason why it is unreachable.
fn reasons(program: &Program<'_>, block: Block) -> Vec<Step> {
    let module = program.module;
    let terminators = module.uses(block).filter_map(|used| module.cast::<Terminator>(used.user));
    let construct = terminators.filter_map(|end| {
        let text = match block {
            _ if module.continue_block(end) == Some(block) => "no iteration of this loop reaches its end",
            _ if module.merge_block(end) == Some(block) => {
                "no path through the construct that starts here reaches its merge block"
            }
            _ => return None,
        };
        Some(Step { inst: end.into(), text: text.to_owned() })
    });
    let previous = || {
        let previous: Block = module.cast(module.previous(block)?)?;
        let end = module.terminator(previous)?;
        Some(Step {
            inst: end.into(),
            text: "control never continues from here to the block, and no other path leads to it".to_owned(),
        })
    };
    construct.take(1).next().or_else(previous).into_iter().collect()
}
