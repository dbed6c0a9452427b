//! Ends of functions after a loop that only `return` leaves.
//!
//! ```text
//! fn f() -> i32 { loop { … return i; … } }      ⇒      … loop { … } return 0;
//! ```
//!
//! naga's parser ends every function with a `return` without a value, and its validator rejects it in a function with a result. In WGSL
//! such a function is valid: the loop does not have the behaviour *Next* (WGSL section 9.7, "Statement Behavior Analysis"). The `return`
//! that naga wrote has no position in the text. If nothing reaches it, it gets a value, and is never executed. Linear in the statements.

use naga::{Block, Expression, Function, Handle, Module, Span, Statement};

use super::handles::{blocks, blocks_mut};

/// Gives a value to each `return` of the parser that nothing reaches.
pub(super) fn complete_returns(module: &mut Module) {
    let entries = module.entry_points.iter_mut().map(|entry| &mut entry.function);
    for function in module.functions.iter_mut().map(|(_, function)| function).chain(entries) {
        complete(function);
    }
}

fn complete(function: &mut Function) {
    let Some(result) = &function.result else { return };
    let ty = result.ty;
    let mut value: Option<Handle<Expression>> = None;
    let Function { body, expressions, .. } = function;
    let mut open = vec![body];
    while let Some(block) = open.pop() {
        if ends_unreached(block) {
            let value = *value.get_or_insert_with(|| expressions.append(Expression::ZeroValue(ty), Span::default()));
            let end = block.len() - 1;
            block.splice(end.., Block::from_vec(vec![Statement::Return { value: Some(value) }]));
        }
        open.extend(block.iter_mut().flat_map(blocks_mut));
    }
}

/// Returns whether a block ends with a `return` that the parser wrote, and a statement before it never completes.
fn ends_unreached(block: &Block) -> bool {
    let Some((Statement::Return { value: None }, span)) = block.span_iter().last() else { return false };
    !span.is_defined() && block.iter().take(block.len() - 1).any(|statement| !completes(statement))
}

/// Returns whether the behaviours of a statement contain *Next*.
fn completes(statement: &Statement) -> bool {
    match statement {
        Statement::Return { .. } | Statement::Break | Statement::Continue => false,
        Statement::Block(block) => block.iter().all(completes),
        Statement::If { accept, reject, .. } => [accept, reject].into_iter().any(|arm| arm.iter().all(completes)),
        Statement::Switch { cases, .. } => {
            cases.iter().any(|case| breaks(&case.body) || !case.fall_through && case.body.iter().all(completes))
        }
        Statement::Loop { body, break_if, .. } => break_if.is_some() || breaks(body),
        _ => true,
    }
}

/// Returns whether a `break` in a block leaves the statement that the block belongs to.
fn breaks(block: &Block) -> bool {
    let mut open = vec![block];
    while let Some(block) = open.pop() {
        for statement in block.iter() {
            match statement {
                Statement::Break => return true,
                Statement::Loop { .. } | Statement::Switch { .. } => {}
                _ => open.extend(blocks(statement)),
            }
        }
    }
    false
}
