//! Blocks: parameters, terminators, edges and arguments.
//!
//! - I08: parameters stand before everything else in a function and in a block.
//! - I09: successors and merge blocks of a terminator are blocks of its own function.
//! - I10: no critical edges: a block that goes to several blocks goes to none that others go to as well.
//! - I11: only `branch` and `loop` go to blocks with parameters.
//! - R1: nothing goes to the entry block, and it has no parameters.
//! - R2: a block has one terminator, and it is last.
//! - R5: a `branch` or `loop` passes as many arguments as its target has parameters, of their types; a parameter has no type that
//!   OpPhi cannot have: void, and, depending on capabilities, pointers under Logical addressing, images and samplers.

use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, OperandKind, terminator};

use crate::Code;
use crate::graph::{Body, Graph};
use crate::report::Report;

/// Checks what every other look at control flow needs. Linear.
pub(crate) fn verify_shape(report: &mut Report<'_>, function: Function) {
    let module = report.module();
    verify_parameters_first(report, function.inst());
    for block in module.blocks(function) {
        verify_parameters_first(report, block.inst());
        for inst in module.children(block) {
            if module.op(inst).is_terminator() && module.next(inst).is_some() {
                report.at(Code::R2, inst, "a terminator stands before the end of its block");
            }
        }
        match module.terminator(block) {
            Some(terminator) => verify_targets(report, function, terminator.inst()),
            None => report.at(Code::R2, block, "the block does not end in a terminator"),
        }
    }
}

fn verify_parameters_first(report: &mut Report<'_>, container: Inst) {
    let module = report.module();
    let is_parameter = |inst: Inst| matches!(module.op(inst), Op::BlockParameter | Op::FunctionParameter);
    for late in module.children(container).skip_while(|&inst| is_parameter(inst)).filter(|&inst| is_parameter(inst)) {
        report.at(Code::I08, late, "a parameter stands behind something else");
    }
}

fn verify_targets(report: &mut Report<'_>, function: Function, terminator: Inst) {
    let module = report.module();
    let op = module.op(terminator);
    for (index, operand) in module.operands(terminator).enumerate() {
        let kind = op.operand_kind(index);
        let names_block = matches!(kind, Some(OperandKind::Successor | OperandKind::Merge))
            || (kind == Some(OperandKind::Case) && terminator::is_successor(op, index));
        if names_block && module.parent(operand) != Some(function.inst()) {
            let target = report.name(operand);
            report.at(Code::I09, terminator, format!("{target} is no block of this function"));
        }
    }
}

/// Checks edges and what they carry. Linear.
pub(crate) fn verify_edges(report: &mut Report<'_>, body: &Body<'_>, graph: &Graph) {
    let module = body.module;
    verify_entry(report, body, graph);
    verify_critical_edges(report, body, graph);
    for &block in &body.blocks {
        for edge in module.out_edges(block) {
            if let Some(target) = module.target(edge) {
                verify_arguments(report, edge, target);
            }
        }
        for parameter in module.parameters(block) {
            if let Some(reason) = module.ty(parameter).and_then(|ty| body.features().bars_from_parameters(module, ty)) {
                report.at(Code::R5, parameter, format!("a block parameter cannot be {reason}"));
            }
        }
    }
}

fn verify_entry(report: &mut Report<'_>, body: &Body<'_>, graph: &Graph) {
    let entry = body.blocks[0];
    for source in graph.predecessors(0) {
        report.at_edge(Code::R1, (body.blocks[source as usize], entry), "a branch goes to the entry block");
    }
    if body.module.parameters(entry).next().is_some() {
        report.at(Code::R1, entry, "the entry block has parameters");
    }
}

fn verify_critical_edges(report: &mut Report<'_>, body: &Body<'_>, graph: &Graph) {
    let nodes = 0..graph.count() as u32;
    let is_target_of_many: Vec<bool> = nodes.clone().map(|node| are_several(graph.predecessors(node))).collect();
    for source in nodes.filter(|&node| are_several(graph.successors(node))) {
        for target in graph.successors(source).filter(|&target| is_target_of_many[target as usize]) {
            let edge = (body.blocks[source as usize], body.blocks[target as usize]);
            report.at_edge(Code::I10, edge, format!("the edge to {} is critical", report.name(edge.1)));
        }
    }
}

fn are_several(mut blocks: impl Iterator<Item = u32>) -> bool {
    blocks.next().is_some_and(|first| blocks.any(|block| block != first))
}

fn verify_arguments(report: &mut Report<'_>, edge: Edge, target: Block) {
    let module = report.module();
    let parameters = || module.parameters(target).map(|parameter| module.ty(parameter));
    if terminator::first_argument(module.op(edge.terminator)).is_none() {
        if parameters().next().is_some() {
            let message = format!(
                "the target {} has parameters, but `{}` passes nothing",
                report.name(target),
                op_name(module, edge)
            );
            report.at(Code::I11, edge.terminator, message);
        }
        return;
    }
    let arguments = || module.arguments(edge.terminator).map(|argument| module.ty(argument));
    let (passed, wanted) = (arguments().count(), parameters().count());
    if passed != wanted {
        let name = report.name(target);
        let message = format!("{passed} arguments are passed to {name}, which has {wanted} parameters");
        return report.at(Code::R5, edge.terminator, message);
    }
    for (index, (argument, parameter)) in arguments().zip(parameters()).enumerate() {
        if let (Some(argument), Some(parameter)) = (argument, parameter)
            && argument != parameter
        {
            let (expected, found) = (report.name(parameter), report.name(argument));
            let message = format!("argument {index} should be of type {expected}, found {found}");
            report.at(Code::R5, edge.terminator, message);
        }
    }
}

fn op_name(module: &Module, edge: Edge) -> &'static str {
    module.op(edge.terminator).name()
}
