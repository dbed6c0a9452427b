//! Values of `let` that are no constants in WGSL, although their initial value is one. naga's validator sees the value, and rejects a
//! divisor of zero and a distance of 32 or more. WGSL rejects these only in const-expressions (sections 8.7 and 8.9); with a name of `let`
//! the operation has a result.
//!
//! ```text
//! let zero = 0;                      fn wgsl.let.0() -> i32 { return 0; }
//! … x / zero …             ⇒         … x / wgsl.let.0() …
//! ```
//!
//! The call is at the beginning of the function, where naga has its constants. `restore` replaces it by the constant again. Linear in the
//! expressions.

use std::collections::BTreeSet;

use naga::{
    Arena, BinaryOperator, Block, Expression, Function, FunctionResult, Handle, Literal, Module, Span, Statement, Type,
};

use super::markers::put_functions_first;

/// The prefix of the names of the functions that represent values.
pub(super) const VALUE: &str = "wgsl.let.";

/// Replaces the constants in values of `let` that naga would reject by calls.
pub(super) fn hide_values(module: &mut Module) {
    let mut hidden = Arena::new();
    let mut calls: Vec<Vec<(Handle<Expression>, Handle<Function>)>> = Vec::new();
    let Module { functions, entry_points, types, constants, .. } = &mut *module;
    let entries = entry_points.iter().map(|entry| &entry.function);
    for function in functions.iter().map(|(_, function)| function).chain(entries) {
        let getters = found(function).into_iter().map(|value| {
            let constant = &function.expressions[value];
            let ty = match *constant {
                Expression::ZeroValue(ty) => ty,
                Expression::Constant(constant) => constants[constant].ty,
                Expression::Literal(literal) => {
                    types.insert(Type { name: None, inner: literal.ty_inner() }, Span::default())
                }
                _ => unreachable!("invariant: `found` gives these three"),
            };
            let name = format!("{VALUE}{}", hidden.len());
            (value, hidden.append(getter(name, ty, constant.clone()), Span::default()))
        });
        calls.push(getters.collect());
    }
    let added = hidden.len();
    if added == 0 {
        return;
    }
    put_functions_first(module, hidden);
    let of_the_text = module.functions.iter_mut().skip(added).map(|(_, function)| function);
    let entries = module.entry_points.iter_mut().map(|entry| &mut entry.function);
    for (function, calls) in of_the_text.chain(entries).zip(calls) {
        let mut statements = Vec::new();
        for (value, callee) in calls {
            *function.expressions.get_mut(value) = Expression::CallResult(callee);
            statements.push(Statement::Call { function: callee, arguments: Vec::new(), result: Some(value) });
        }
        function.body.splice(0..0, Block::from_vec(statements));
    }
}

/// A function that returns a constant.
fn getter(name: String, ty: Handle<Type>, constant: Expression) -> Function {
    let result = Some(FunctionResult { ty, binding: None });
    let mut function = Function { name: Some(name), result, ..Function::default() };
    let value = Some(function.expressions.append(constant, Span::default()));
    function.body.push(Statement::Return { value }, Span::default());
    function
}

/// The constants in values of `let` that are divisors or distances and that naga would reject, in order.
fn found(function: &Function) -> Vec<Handle<Expression>> {
    let mut values = BTreeSet::new();
    for (_, expression) in function.expressions.iter() {
        let Expression::Binary { op, right, .. } = expression else { continue };
        if !is_restricted(*op) {
            continue;
        }
        let mut open = vec![(*right, false)];
        while let Some((handle, is_part)) = open.pop() {
            let is_named = is_part || function.named_expressions.contains_key(&handle);
            match &function.expressions[handle] {
                Expression::Splat { value, .. } => open.push((*value, is_named)),
                Expression::Compose { components, .. } => open.extend(components.iter().map(|&part| (part, is_named))),
                constant if is_named && is_refused(*op, constant) => {
                    values.insert(handle);
                }
                _ => {}
            }
        }
    }
    values.into_iter().collect()
}

fn is_restricted(op: BinaryOperator) -> bool {
    is_division(op) || matches!(op, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight)
}

fn is_division(op: BinaryOperator) -> bool {
    matches!(op, BinaryOperator::Divide | BinaryOperator::Modulo)
}

/// Returns whether naga may reject an expression as the right operand.
fn is_refused(op: BinaryOperator, constant: &Expression) -> bool {
    match *constant {
        Expression::Constant(_) => true,
        Expression::ZeroValue(_) => is_division(op),
        Expression::Literal(Literal::I32(value)) => is_division(op) && value == 0,
        Expression::Literal(Literal::U32(value)) if is_division(op) => value == 0,
        Expression::Literal(Literal::U32(value)) => value >= 32,
        Expression::Literal(Literal::I64(value)) => is_division(op) && value == 0,
        Expression::Literal(Literal::U64(value)) => is_division(op) && value == 0,
        _ => false,
    }
}
