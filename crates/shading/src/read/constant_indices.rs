//! Indices out of range that are values of `let`. naga's validator sees the number, and rejects it. WGSL rejects only const-expressions
//! (section 14.3); a name of `let` is none, and selects some element.
//!
//! ```text
//! let i = 9;  … array4[i] …      ⇒      … array4[3] …          as `bounds` has it for an index that is computed
//! ```
//!
//! A constant index of the text is no expression in naga's module, unless it is negative; an index with a name is a value of `let`. Linear
//! in the expressions.

use naga::front::Typifier;
use naga::proc::{IndexableLength, ResolveContext};
use naga::{Expression, Function, Handle, Literal, Module};

use super::handles::rewrite_functions;

/// Replaces indices that are out of range, and no constants in WGSL, by those of the last element.
pub(super) fn bring_in_range(module: &mut Module) {
    rewrite_functions(module, rewrite);
}

fn rewrite(function: &mut Function, module: &Module) {
    let mut found: Vec<(Handle<Expression>, Expression)> = Vec::new();
    let mut typifier = Typifier::new();
    for (handle, expression) in function.expressions.iter() {
        let Expression::Access { base, index } = *expression else { continue };
        if !function.named_expressions.contains_key(&index) {
            continue;
        }
        // A negative number is a large one without a sign.
        let number = match number(function, module, index) {
            Some(Literal::U32(number)) => number,
            Some(Literal::I32(number)) => number as u32,
            _ => continue,
        };
        let context = ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
        if typifier.grow(base, &function.expressions, &context).is_err() {
            continue;
        }
        let last = match typifier[base].inner_with(&module.types).indexable_length_pending(module) {
            Ok(IndexableLength::Known(length)) => number.min(length.saturating_sub(1)),
            // The largest number is no index that naga accepts.
            _ => number.min(u32::MAX - 1),
        };
        found.push((handle, Expression::AccessIndex { base, index: last }));
    }
    for (handle, expression) in found {
        *function.expressions.get_mut(handle) = expression;
    }
}

/// The number of a constant expression.
fn number(function: &Function, module: &Module, value: Handle<Expression>) -> Option<Literal> {
    let number = match function.expressions[value] {
        Expression::Constant(constant) => &module.global_expressions[module.constants[constant].init],
        ref number => number,
    };
    match *number {
        Expression::Literal(literal) => Some(literal),
        _ => None,
    }
}
