//! Blocks: parameters, terminators, edges and arguments.
//!
//! - I08: parameters are before everything else in a function and in a block.
//! - I09: successors and merge blocks of a terminator are blocks of its own function.
//! - I10: no critical edges: a block with several successors has no successor with several predecessors.
//! - I11: only `branch` and `loop` may have targets with parameters.
//! - R1: the entry block is not a branch target, and has no parameters.
//! - R2: a block has one terminator, and it is last.
//! - R5: a `branch` or `loop` passes as many arguments as its target has parameters, of their types; no parameter has a type that OpPhi
//!   cannot have: void, and, depending on capabilities, pointers under Logical addressing, images and samplers.

use reconverge_ir::{Inst, Op, terminator};

use crate::Code;
use crate::graph::{Body, Features, Graph};
use crate::layout::Line;
use crate::report::Report;

/// Checks the form of blocks, on which all later families depend. Linear.
pub(crate) fn verify_shape(report: &mut Report<'_>, body: &Body<'_>) {
    verify_parameters_first(report, body.module.children(body.function).map(|child| (child, body.module.op(child))));
    for (number, &block) in body.blocks.iter().enumerate() {
        let lines = body.lines(number);
        verify_parameters_first(report, lines.iter().map(|line| (line.inst, line.op)));
        let early = lines.split_last().map_or(lines, |(_, early)| early);
        for line in early.iter().filter(|line| line.op.is_terminator()) {
            report.at(Code::R2, line.inst, "a terminator is not at the end of its block");
        }
        match body.terminator(number) {
            Some(terminator) => verify_targets(report, body, terminator.inst),
            None => report.at(Code::R2, block, "the block does not end in a terminator"),
        }
    }
}

fn verify_parameters_first(report: &mut Report<'_>, held: impl Iterator<Item = (Inst, Op)>) {
    let is_parameter = |&(_, op): &(Inst, Op)| matches!(op, Op::BlockParameter | Op::FunctionParameter);
    for (late, _) in held.skip_while(is_parameter).filter(is_parameter) {
        report.at(Code::I08, late, "a parameter comes after another instruction");
    }
}

/// Operands of a terminator are blocks exactly where it names successors and merge blocks (I03).
fn verify_targets(report: &mut Report<'_>, body: &Body<'_>, terminator: Inst) {
    let module = body.module;
    for operand in module.operands(terminator) {
        if !body.holds(operand) && module.op(operand).is_block() {
            let target = report.name(operand);
            report.at(Code::I09, terminator, format!("{target} is not a block of this function"));
        }
    }
}

/// Checks edges and their arguments. Linear.
pub(crate) fn verify_edges(report: &mut Report<'_>, body: &Body<'_>, features: &Features, graph: &Graph) {
    let module = body.module;
    verify_entry(report, body, graph);
    verify_critical_edges(report, body, graph);
    for (source, last) in body.terminators() {
        for target in graph.successors(source as u32) {
            verify_arguments(report, body, last, target as usize);
        }
        for parameter in body.parameters(source) {
            let ty = module.ty(parameter.inst);
            if let Some(reason) = ty.and_then(|ty| features.bars_from_parameters(module, ty)) {
                report.at(Code::R5, parameter.inst, format!("a block parameter cannot be {reason}"));
            }
        }
    }
}

fn verify_entry(report: &mut Report<'_>, body: &Body<'_>, graph: &Graph) {
    let entry = body.blocks[0];
    for source in graph.predecessors(0) {
        report.at_edge(Code::R1, (body.blocks[source as usize], entry), "a branch goes to the entry block");
    }
    if !body.parameters(0).is_empty() {
        report.at(Code::R1, entry, "the entry block has parameters");
    }
}

fn verify_critical_edges(report: &mut Report<'_>, body: &Body<'_>, graph: &Graph) {
    let nodes = 0..graph.count() as u32;
    let goes_to_many = |node: u32| graph.out_edges(node).len() > 1 && are_several(graph.successors(node));
    let comes_from_many = |node: u32| graph.in_edges(node).len() > 1 && are_several(graph.predecessors(node));
    let is_target_of_many: Vec<bool> = nodes.clone().map(comes_from_many).collect();
    for source in nodes.filter(|&node| goes_to_many(node)) {
        for target in graph.successors(source).filter(|&target| is_target_of_many[target as usize]) {
            let edge = (body.blocks[source as usize], body.blocks[target as usize]);
            report.at_edge(Code::I10, edge, format!("the edge to {} is critical", report.name(edge.1)));
        }
    }
}

fn are_several(mut blocks: impl Iterator<Item = u32>) -> bool {
    blocks.next().is_some_and(|first| blocks.any(|block| block != first))
}

fn verify_arguments(report: &mut Report<'_>, body: &Body<'_>, last: &Line, target: usize) {
    let module = body.module;
    let (block, wanted) = (body.blocks[target], body.span(target).parameters as usize);
    let Some(first) = terminator::first_argument(last.op) else {
        if wanted != 0 {
            let (name, op) = (report.name(block), last.op.name());
            let message = format!("the target {name} has parameters, but `{op}` passes nothing");
            report.at(Code::I11, last.inst, message);
        }
        return;
    };
    let arguments = module.operands(last.inst).skip(first);
    let passed = arguments.len();
    if passed != wanted {
        let name = report.name(block);
        let message = format!("{passed} arguments are passed to {name}, which has {wanted} parameters");
        return report.at(Code::R5, last.inst, message);
    }
    for (index, (argument, parameter)) in arguments.zip(body.parameters(target)).enumerate() {
        if let (Some(argument), Some(parameter)) = (module.ty(argument), module.ty(parameter.inst))
            && argument != parameter
        {
            let (expected, found) = (report.name(parameter), report.name(argument));
            let message = format!("argument {index} should be of type {expected}, found {found}");
            report.at(Code::R5, last.inst, message);
        }
    }
}
