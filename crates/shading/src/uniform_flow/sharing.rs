//! The choice of values that go through workgroup memory, so that WGSL finds every barrier in uniform control flow.
//!
//! The causes of the first violation are chosen, and the analysis is repeated with them, until there is no violation or no cause that can be chosen.
//! The order matters: what depends on a chosen condition is often uniform by that. A round chooses at least one value, so there are at most as many
//! rounds as values.
//!
//! An argument that has to be uniform is no such value: only conditions of the function are, because all else that it does with the argument may
//! differ. So its parameter counts as one that may differ from then on.
//!
//! The chosen value is the same for all invocations by the rules of the source; each gets that of the first invocation. The place where it is computed
//! has uniform control flow, because the barrier depends on that control flow too.
//!
//! Not chosen are values that workgroup memory does not hold, and values in functions that other shaders than compute shaders call.

use reconverge_ir::Inst;
use rustc_hash::FxHashSet;

use super::causes::{Cause, CauseValue};
use super::sources::is_compute;
use super::{Finding, Scope, insertion, summary};
use crate::source::UniformityRule;
use crate::syntax::{Block, Callee, Expr, Function, Shape, Text, Type, TypeShape};

/// The values that go through memory.
#[derive(Default)]
pub(super) struct Plan {
    values: FxHashSet<Expr>,
    /// Parameters that may differ, or point to variables that may, with the number of their function.
    differing: FxHashSet<(usize, usize)>,
}

impl Plan {
    /// Returns whether a value goes through memory.
    pub(super) fn has(&self, expr: Expr) -> bool {
        self.values.contains(&expr)
    }

    /// Returns whether a parameter may differ, or the variable that it points to.
    pub(super) fn differs(&self, function: usize, parameter: usize) -> bool {
        self.differing.contains(&(function, parameter))
    }
}

/// A value that goes through workgroup memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedValue {
    /// The name of its function in the text.
    pub function: String,
    /// The instruction of the statement that computes it.
    pub place: Option<Inst>,
    /// The reason why WGSL does not find it uniform.
    pub reason: String,
    /// The size of the variable for values of its type, which all of them use.
    pub bytes: u32,
    /// True if it is computed in a loop: two barriers in each iteration, else two.
    pub is_repeated: bool,
}

/// A value that is chosen.
pub(super) struct Chosen {
    pub(super) expr: Expr,
    pub(super) function: usize,
    cause: CauseValue,
}

/// Makes the control flow of all barriers uniform by the rules of WGSL.
///
/// # Errors
/// A barrier for which that is not possible.
pub(crate) fn share(text: &mut Text) -> Result<Vec<SharedValue>, Box<Finding>> {
    let mut plan = Plan::default();
    let mut chosen: Vec<Chosen> = Vec::new();
    let is_elsewhere = called_elsewhere(text);
    let is_barrier = |violation: &summary::Violation| violation.finding.rule == UniformityRule::Barrier;
    while let Some(violation) = summary::of_text(text, &plan, Scope::Whole).into_iter().find(is_barrier) {
        let mut is_changed = false;
        for cause in violation.causes {
            match cause {
                Cause::Parameter { function, parameter } => is_changed |= plan.differing.insert((function, parameter)),
                Cause::Value(cause) => {
                    let ty = text.expressions[cause.expr].ty;
                    if size(text, ty).is_some() && !is_elsewhere[violation.function] && plan.values.insert(cause.expr) {
                        is_changed = true;
                        chosen.push(Chosen { expr: cause.expr, function: violation.function, cause });
                    }
                }
            }
        }
        if !is_changed {
            return Err(Box::new(violation.finding));
        }
    }
    let shared = chosen.iter().map(|chosen| shared(text, chosen)).collect();
    if !chosen.is_empty() {
        insertion::insert(text, &chosen);
    }
    Ok(shared)
}

fn shared(text: &Text, Chosen { expr, function, cause }: &Chosen) -> SharedValue {
    SharedValue {
        function: text.functions[*function].name.clone(),
        place: cause.origin,
        reason: cause.reason.clone(),
        bytes: size(text, text.expressions[*expr].ty).unwrap_or_default(),
        is_repeated: cause.is_repeated,
    }
}

/// The size of a type in workgroup memory, for numbers and vectors.
fn size(text: &Text, ty: Type) -> Option<u32> {
    let (scalar, size) = match text.types[ty] {
        TypeShape::Scalar(scalar) => (scalar, 1),
        TypeShape::Vector { scalar, size } => (scalar, u32::from(size)),
        _ => return None,
    };
    // A boolean has the size of a word.
    Some(if scalar.width == 1 { 4 } else { u32::from(scalar.width) / 8 } * size)
}

/// For each function, whether an entry point of another stage than compute calls it.
fn called_elsewhere(text: &Text) -> Vec<bool> {
    let mut is_called: Vec<bool> =
        text.functions.iter().map(|function| function.is_entry && !is_compute(function)).collect();
    spread_to_callees(text, &mut is_called);
    is_called
}

/// Marks the functions that marked ones call.
pub(super) fn spread_to_callees(text: &Text, is_marked: &mut [bool]) {
    // Callers are behind the functions that they call.
    for number in (0..text.functions.len()).rev() {
        if is_marked[number] {
            callees(text, &text.functions[number]).into_iter().for_each(|callee| is_marked[callee] = true);
        }
    }
}

/// The functions that a function calls.
pub(super) fn callees(text: &Text, function: &Function) -> Vec<usize> {
    let mut found = Vec::new();
    let mut work: Vec<&Block> = vec![&function.body];
    while let Some(block) = work.pop() {
        for statement in block {
            for expr in statement.expressions() {
                text.expressions.walk(expr, &mut |part| {
                    if let Shape::Call { callee: Callee::Function(id), .. } = text.expressions[part].shape {
                        found.push(id.0 as usize);
                    }
                });
            }
            work.extend(statement.blocks());
        }
    }
    found
}
