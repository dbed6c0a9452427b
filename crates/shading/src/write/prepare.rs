//! A copy of the module whose functions are padded: every arm and every exit has a block of its own.
//!
//! ```text
//! ^a: if %c ^t ^m merge ^m      ⇒      ^a: if %c ^t ^e merge ^m;   edge ^e: branch ^m
//! ```
//!
//! Padding adds edge blocks only, so handles of the module stay valid in the copy.

use reconverge_control_tree::pad;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op, Stage};
use rustc_hash::FxHashSet;

use super::entry_points::Entry;
use super::{Language, WriteCode, at_inst};

/// The error of a function at stage Masked.
const MASKED: &str = "the lanes of the function are explicit (stage masked), which only .ir expresses: end before the pass mask, or write .ir";

/// The error of a function that is called and ends the invocation.
const CALLED_EXIT: &str = "a function that is called and ends the invocation; the pass inline_exits inlines it";

/// The copy, and its functions that the entry points call, callees first.
pub(crate) struct Prepared {
    pub(crate) module: Module,
    pub(crate) callees: Vec<Function>,
}

/// Pads the functions of the entry points and those that they call.
///
/// # Errors
/// A function is not structured or has explicit lanes, has no body, or calls itself; or one that is called ends the invocation, except in
/// GLSL.
pub(crate) fn prepare(module: &Module, entries: &[Entry], language: Language) -> Result<Prepared, Diagnostic> {
    let order = callees_first(module, entries)?;
    if language != Language::Glsl {
        refuse_called_exits(module, &order, entries)?;
    }
    let mut module = module.clone();
    for &function in &order {
        if module.stage(function) == Stage::Graph && module.blocks(function).nth(1).is_none() {
            module.edit().set_stage(function, Stage::Structured);
        }
        let refused = |message: String| at_inst(WriteCode::Unstructured, function, message);
        match module.stage(function) {
            Stage::Structured => {}
            Stage::Masked => return Err(refused(MASKED.to_owned())),
            Stage::Generic | Stage::Graph => {
                return Err(refused("the control flow of the function is not structured".to_owned()));
            }
        }
        pad(&mut module, function).map_err(|error| refused(error.to_string()))?;
    }
    let callees =
        order.into_iter().filter(|function| entries.iter().all(|entry| entry.function != *function)).collect();
    Ok(Prepared { module, callees })
}

/// Refuses a function that is called and ends the invocation: the statement `discard` lets the lane go on, and only a `return` of the entry
/// point ends it.
fn refuse_called_exits(module: &Module, order: &[Function], entries: &[Entry]) -> Result<(), Diagnostic> {
    let callees = order.iter().filter(|function| entries.iter().all(|entry| entry.function != **function));
    let mut ends = callees.flat_map(|&function| module.blocks(function)).filter_map(|block| module.terminator(block));
    let exit = ends.find(|&end| matches!(module.op(end), Op::Kill | Op::TerminateInvocation));
    exit.map_or(Ok(()), |exit| Err(at_inst(WriteCode::Flow, exit, CALLED_EXIT)))
}

/// The functions that the entry points reach, each after its callees. Depth-first with an explicit stack.
fn callees_first(module: &Module, entries: &[Entry]) -> Result<Vec<Function>, Diagnostic> {
    let (mut order, mut done, mut open) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
    for entry in entries {
        let mut stack: Vec<(Function, Vec<(Inst, Function)>)> = Vec::new();
        if !done.contains(&entry.function) {
            open.insert(entry.function);
            stack.push((entry.function, calls(module, entry.function)));
        }
        while let Some((function, rest)) = stack.last_mut() {
            let Some((call, callee)) = rest.pop() else {
                open.remove(function);
                done.insert(*function);
                order.push(*function);
                stack.pop();
                continue;
            };
            if open.contains(&callee) {
                return Err(at_inst(WriteCode::Recursion, call, "a function that calls itself"));
            }
            if !done.contains(&callee) {
                open.insert(callee);
                stack.push((callee, calls(module, callee)));
            }
        }
    }
    Ok(order)
}

/// The calls of a function, the last one first.
fn calls(module: &Module, function: Function) -> Vec<(Inst, Function)> {
    let insts = module.blocks(function).flat_map(|block| module.children(block));
    let mut calls: Vec<(Inst, Function)> = insts
        .filter(|&inst| module.op(inst) == Op::FunctionCall)
        .filter_map(|inst| Some((inst, module.callee(inst)?)))
        .collect();
    calls.reverse();
    calls
}
