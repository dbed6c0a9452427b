//! Operands of terminators.
//!
//! At stage Graph, `if`, `structured_switch` and `loop` are plain branches. The blocks that they name besides their successors are hints
//! and must only be blocks (I09). R12 applies to a break block only at stage Structured.
//!
//! - R8 (in part): a condition is a boolean, and there are no branch weights or two.
//! - R9: a selector is an integer; literals have its width and are distinct; there are at most 16,383 of them.
//! - R10 (in part): `return` ends functions of type void, `return_value` passes a value of the function's type.
//! - R12: a loop's break block is neither its header nor its continue block; Unroll and DontUnroll, DontUnroll and PeelCount, and
//!   DontUnroll and PartialCount exclude each other; IterationMultiple is greater than zero.

use std::collections::HashSet;

use reconverge_ir::{Inst, Op, Stage, terminator::operand, view};
use spirv::LoopControl;

use crate::Code;
use crate::graph::Body;
use crate::layout::Line;
use crate::report::Report;

/// SPIR-V section 2.17.
const CASE_LIMIT: usize = 16_383;

/// Controls below IterationMultiple that have a parameter.
const PARAMETERS_BEFORE_ITERATION_MULTIPLE: LoopControl =
    LoopControl::DEPENDENCY_LENGTH.union(LoopControl::MIN_ITERATIONS).union(LoopControl::MAX_ITERATIONS);
/// Controls that have a parameter, and all other controls of SPIR-V itself.
const PARAMETERS: LoopControl = PARAMETERS_BEFORE_ITERATION_MULTIPLE
    .union(LoopControl::ITERATION_MULTIPLE)
    .union(LoopControl::PEEL_COUNT)
    .union(LoopControl::PARTIAL_COUNT);
const KNOWN: LoopControl =
    PARAMETERS.union(LoopControl::UNROLL).union(LoopControl::DONT_UNROLL).union(LoopControl::DEPENDENCY_INFINITE);

/// Checks every terminator of a function. Linear.
pub(crate) fn verify_terminators(report: &mut Report<'_>, body: &Body<'_>) {
    for (_, &Line { inst, op, .. }) in body.terminators() {
        match op {
            Op::BranchIf => verify_condition(report, inst, operand::BRANCH_IF_WEIGHTS),
            Op::If => verify_condition(report, inst, operand::IF_WEIGHTS),
            Op::Switch => verify_cases(report, inst, operand::SWITCH_CASES),
            Op::StructuredSwitch => verify_cases(report, inst, operand::STRUCTURED_SWITCH_CASES),
            Op::Loop => verify_loop(report, body, inst),
            Op::Return | Op::ReturnValue => verify_return(report, body, inst, op),
            _ => {}
        }
    }
}

fn verify_condition(report: &mut Report<'_>, terminator: Inst, first_weight: usize) {
    let module = report.module();
    let condition = module.operand(terminator, operand::CONDITION);
    if module.ty(condition).is_some_and(|ty| module.op(ty) != Op::TypeBool) {
        let name = report.name(condition);
        report.at(Code::R8, terminator, format!("the condition {name} should be a boolean"));
    }
    let weights = module.operand_count(terminator) - first_weight;
    if weights != 0 && weights != 2 {
        report.at(Code::R8, terminator, format!("there should be zero or two branch weights, found {weights}"));
    }
}

fn verify_cases(report: &mut Report<'_>, terminator: Inst, first_case: usize) {
    let module = report.module();
    let selector = module.operand(terminator, operand::CONDITION);
    let Some(view::TypeInt { width, .. }) = module.ty(selector).and_then(|ty| view::TypeInt::of(module, ty)) else {
        let name = report.name(selector);
        return report.at(Code::R9, terminator, format!("the selector {name} should be an integer"));
    };
    let expected = width.div_ceil(32).max(1) as usize;
    let literals = module.operands(terminator).skip(first_case).step_by(2);
    let count = literals.len();
    // An ascending sequence is distinct.
    let grows = literals.clone().map(|literal| module.literal_words(literal)).is_sorted_by(|one, next| one < next);
    let mut seen: Option<HashSet<&[u32]>> = (!grows).then(HashSet::new);
    for literal in literals {
        let words = module.literal_words(literal);
        if words.len() != expected {
            let message =
                format!("literal {} has {} words, but the selector has {expected}", report.name(literal), words.len());
            report.at(Code::R9, terminator, message);
        } else if seen.as_mut().is_some_and(|seen| !seen.insert(words)) {
            let message = format!("literal {} occurs twice", report.name(literal));
            report.at(Code::R9, terminator, message);
        }
    }
    if count > CASE_LIMIT {
        report.at(Code::R9, terminator, format!("the switch has {count} literals, more than {CASE_LIMIT}"));
        report.suggest("split the switch into several");
    }
}

fn verify_loop(report: &mut Report<'_>, body: &Body<'_>, terminator: Inst) {
    let module = report.module();
    if module.stage(body.function) == Stage::Structured {
        verify_break_block(report, terminator);
    }
    let control = view::Loop::of(module, terminator).map(|opening| opening.control);
    if let Some(problem) = control.and_then(find_control_problem) {
        report.at(Code::R12, terminator, problem);
        report.suggest("use only loop controls that can be combined, each with its parameter");
    }
}

fn verify_break_block(report: &mut Report<'_>, terminator: Inst) {
    let module = report.module();
    let [header, break_block, continue_block] =
        [operand::TARGET, operand::BREAK, operand::CONTINUE].map(|index| module.operand(terminator, index));
    if break_block == header {
        report.at(Code::R12, terminator, "the break block is the header itself");
    }
    if break_block == continue_block {
        report.at(Code::R12, terminator, "the break block is the continue block");
    }
}

fn find_control_problem(control: view::LoopControl<'_>) -> Option<&'static str> {
    let view::LoopControl { mask, parameters } = control;
    if KNOWN.contains(mask) && parameters.len() != (mask & PARAMETERS).iter().count() {
        return Some("the loop control should have one parameter for each bit that takes one");
    }
    let copies = LoopControl::UNROLL | LoopControl::PEEL_COUNT | LoopControl::PARTIAL_COUNT;
    if mask.contains(LoopControl::DONT_UNROLL) && mask.intersects(copies) {
        return Some("DontUnroll excludes Unroll, PeelCount and PartialCount");
    }
    let before = (mask & PARAMETERS_BEFORE_ITERATION_MULTIPLE).iter().count();
    let is_zero =
        mask.contains(LoopControl::ITERATION_MULTIPLE) && parameters.get(before).is_none_or(|&multiple| multiple == 0);
    is_zero.then_some("IterationMultiple should be greater than zero")
}

fn verify_return(report: &mut Report<'_>, body: &Body<'_>, terminator: Inst, op: Op) {
    let module = body.module;
    let Some(expected) = module.ty(body.function) else { return };
    if op == Op::Return {
        if module.op(expected) != Op::TypeVoid {
            let name = report.name(expected);
            report.at(
                Code::R10,
                terminator,
                format!("the function returns a value of type {name}, but `return` passes none"),
            );
        }
        return;
    }
    let found = view::ReturnValue::of(module, terminator).and_then(|end| module.ty(end.value));
    if module.op(expected) == Op::TypeVoid || found != Some(expected) {
        let (expected, found) = (report.name(expected), found.map_or("none".to_owned(), |found| report.name(found)));
        report.at(
            Code::R10,
            terminator,
            format!("the function returns type {expected}, found a value of type {found}"),
        );
    }
}
