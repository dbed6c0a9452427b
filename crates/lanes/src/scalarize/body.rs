//! The walk over a function: blocks, their parameters, jumps.

use reconverge_analysis::FlowGraph;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Function, Inst, Op, OpGroup, Position, terminator};
use rustc_hash::FxHashSet;

use super::parts::Parts;
use super::{bitcast, composites, elementwise, extended, groups, memory, reductions};
use crate::error::unsupported;

/// Splits the values of a body.
pub(super) fn split(parts: &mut Parts<'_>, function: Function) -> Result<(), Diagnostic> {
    let head: Vec<Inst> = parts.module.parameters(function).map(Inst::from).chain([function.into()]).collect();
    if let Some(&part) = head.iter().find(|&&part| parts.is_composite(part)) {
        return Err(unsupported(part, "a composite parameter or result of a function"));
    }
    let flow = FlowGraph::compute(parts.module, function);
    let order: Vec<Block> = flow.order().sequence().iter().map(|&node| flow.block(node)).collect();
    for &block in flow.blocks() {
        split_parameters(parts, block)?;
    }
    for &block in &order {
        let instructions: Vec<Inst> = parts.module.children(block).collect();
        for inst in instructions {
            split_instruction(parts, inst)?;
        }
    }
    let reachable: FxHashSet<Block> = order.into_iter().collect();
    for &block in flow.blocks() {
        if !reachable.contains(&block) {
            forget(parts, block)?;
        }
        connect(parts, block)?;
    }
    Ok(())
}

/// Parameters for the scalars of each that is composite; jumps do not know of them yet.
fn split_parameters(parts: &mut Parts<'_>, block: Block) -> Result<(), Diagnostic> {
    let parameters: Vec<Inst> = parts.module.parameters(block).map(Inst::from).collect();
    for parameter in parameters {
        if !parts.is_composite(parameter) {
            continue;
        }
        let leaves = parts.leaves(parts.ty(parameter), parameter)?;
        let mut edit = parts.module.edit();
        let position = Position::Before(parameter);
        let scalars = leaves.iter().map(|leaf| edit.insert(position, Op::BlockParameter, Some(leaf.ty), &[]));
        let scalars: Vec<Inst> = scalars.collect();
        parts.finish(parameter, scalars);
    }
    Ok(())
}

/// Returns whether an instruction gives or takes a composite.
fn touches(parts: &Parts<'_>, inst: Inst) -> bool {
    let is_function = |value: Inst| parts.module.op(value) == Op::Function;
    parts.is_composite(inst)
        || parts.module.operands(inst).any(|operand| parts.is_composite(operand) && !is_function(operand))
}

fn split_instruction(parts: &mut Parts<'_>, inst: Inst) -> Result<(), Diagnostic> {
    let op = parts.module.op(inst);
    if matches!(op, Op::BlockParameter | Op::Branch | Op::Loop | Op::Variable) {
        return Ok(());
    }
    let operands: Vec<Inst> = parts.module.operands(inst).collect();
    if op == Op::CopyMemory {
        return memory::copy(parts, inst);
    }
    if !touches(parts, inst) {
        return Ok(());
    }
    if parts.is_composite(inst) {
        // What cannot be split is refused before anything is.
        parts.leaves(parts.ty(inst), inst)?;
    }
    match op {
        Op::Load => memory::load(parts, inst, &operands),
        Op::Store => memory::store(parts, inst, &operands),
        Op::Bitcast => bitcast::split(parts, inst, operands[0]),
        Op::Undef => {
            let scalars = parts.undefined(parts.ty(inst), inst)?;
            parts.finish(inst, scalars);
            Ok(())
        }
        Op::Dot | Op::Any | Op::All => reductions::split(parts, inst, &operands),
        Op::ExtInst => extended::split(parts, inst, &operands),
        _ => match op.group() {
            OpGroup::Composite => composites::split(parts, inst, &operands),
            OpGroup::WideArithmetic => elementwise::split_wide(parts, inst, &operands),
            OpGroup::WholeGroup | OpGroup::Subgroup => groups::split(parts, inst, &operands),
            _ if elementwise::is_elementwise(op) => elementwise::split(parts, inst, &operands),
            _ => Err(unsupported(inst, op.name())),
        },
    }
}

/// Replaces the values of an unreachable block by undefined values.
fn forget(parts: &mut Parts<'_>, block: Block) -> Result<(), Diagnostic> {
    let instructions: Vec<Inst> = parts.module.children(block).collect();
    for inst in instructions {
        let op = parts.module.op(inst);
        if op.is_terminator() || matches!(op, Op::BlockParameter | Op::Variable) || !touches(parts, inst) {
            continue;
        }
        match parts.module.ty(inst) {
            Some(ty) => {
                let scalars = parts.undefined(ty, inst)?;
                parts.finish(inst, scalars);
            }
            None => parts.drop(inst),
        }
    }
    Ok(())
}

/// Gives the jump of a block the scalars of its arguments.
fn connect(parts: &mut Parts<'_>, block: Block) -> Result<(), Diagnostic> {
    let Some(jump) = parts.module.terminator(block).map(Inst::from) else { return Ok(()) };
    let Some(first) = terminator::first_argument(parts.module.op(jump)) else { return Ok(()) };
    let operands: Vec<Inst> = parts.module.operands(jump).collect();
    if operands[first..].iter().all(|&argument| !parts.is_composite(argument)) {
        return Ok(());
    }
    let mut scalars = operands[..first].to_vec();
    for &argument in &operands[first..] {
        scalars.extend(parts.of(argument, jump)?.iter());
    }
    parts.module.edit().set_operands(jump, &scalars);
    Ok(())
}
