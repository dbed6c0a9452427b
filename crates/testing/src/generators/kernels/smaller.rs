//! Smaller versions of a kernel: without a statement, without the construct around statements, with a part of an expression.
//!
//! No change makes a kernel undefined: uniform control flow stays uniform, a part of a uniform expression is uniform, and a switch that
//! loses a case no longer states that its default is unreachable.

use super::tree::{Default, Expression, Form, Function, Kernel, Statement};

/// The kernels after one change, those with the largest removal first.
pub fn smaller(kernel: &Kernel) -> Vec<Kernel> {
    let mut found = Vec::new();
    for body in 0..=kernel.callees.len() {
        let count = count(&function(&mut kernel.clone(), body).statements);
        for number in 0..count {
            for cut in [Cut::Rest, Cut::Statement, Cut::Around, Cut::Case] {
                let mut candidate = kernel.clone();
                let statements = &mut function(&mut candidate, body).statements;
                if cut_at(statements, &mut number.clone(), cut) {
                    found.push(candidate);
                }
            }
        }
    }
    let size = |kernel: &Kernel| {
        let bodies = kernel.callees.iter().chain([&kernel.body]);
        bodies.map(|function| count(&function.statements)).sum::<usize>()
    };
    found.sort_by_key(size);
    for body in 0..=kernel.callees.len() {
        let mut number = 0;
        while let Some(simpler) = with_simpler(kernel, body, number) {
            found.extend(simpler);
            number += 1;
        }
    }
    found.retain(|candidate| candidate != kernel);
    found
}

/// The body with that number; the kernel's body comes after those of the callees.
fn function(kernel: &mut Kernel, body: usize) -> &mut Function {
    match kernel.callees.get_mut(body) {
        Some(callee) => callee,
        None => &mut kernel.body,
    }
}

fn count(statements: &[Statement]) -> usize {
    statements.iter().map(|statement| 1 + statement.lists().into_iter().map(|list| count(list)).sum::<usize>()).sum()
}

/// The removed part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// The statement and all statements after it in its list.
    Rest,
    /// The statement.
    Statement,
    /// The construct around the statements in it.
    Around,
    /// Its last case, default, part or else.
    Case,
}

/// Changes the statement with that number, counted from the outside in. Returns whether anything changed.
fn cut_at(statements: &mut Vec<Statement>, number: &mut usize, cut: Cut) -> bool {
    for index in 0..statements.len() {
        if *number == 0 {
            return cut_here(statements, index, cut);
        }
        *number -= 1;
        for list in statements[index].lists_mut() {
            let inner = count(list);
            if *number < inner {
                return cut_at(list, number, cut);
            }
            *number -= inner;
        }
    }
    false
}

fn cut_here(statements: &mut Vec<Statement>, index: usize, cut: Cut) -> bool {
    match (cut, &mut statements[index]) {
        (Cut::Rest, _) => {
            statements.truncate(index);
            true
        }
        (Cut::Statement, _) => {
            statements.remove(index);
            true
        }
        (Cut::Around, statement) => {
            let binds = !matches!(statement, Statement::If { .. });
            let mut inner: Vec<Statement> = statement.lists_mut().into_iter().flat_map(std::mem::take).collect();
            if binds {
                forget_jumps(&mut inner);
            }
            let is_something = !inner.is_empty();
            statements.splice(index..=index, inner);
            is_something
        }
        (Cut::Case, Statement::If { or_else, .. }) => !std::mem::take(or_else).is_empty(),
        (Cut::Case, Statement::Switch { cases, default, .. }) => match default {
            Default::None => cases.pop().is_some(),
            _ => {
                *default = Default::None;
                true
            }
        },
        (Cut::Case, Statement::Entered { parts, .. }) if parts.len() > 1 => parts.pop().is_some(),
        (Cut::Case, _) => false,
    }
}

/// Removes the breaks and continues of a loop or switch that was removed.
fn forget_jumps(statements: &mut Vec<Statement>) {
    statements.retain(|statement| !matches!(statement, Statement::Break | Statement::Continue));
    for statement in statements {
        if matches!(statement, Statement::If { .. }) {
            statement.lists_mut().into_iter().for_each(forget_jumps);
        } else if let Statement::Switch { .. } = statement {
            statement.lists_mut().into_iter().for_each(forget_continues);
        }
    }
}

fn forget_continues(statements: &mut Vec<Statement>) {
    statements.retain(|statement| !matches!(statement, Statement::Continue));
    for statement in statements {
        if !matches!(statement, Statement::Loop { .. } | Statement::Entered { .. }) {
            statement.lists_mut().into_iter().for_each(forget_continues);
        }
    }
}

/// The kernels in which the expression with that number is replaced by one of its operands, or a number; none if there is no such
/// expression.
fn with_simpler(kernel: &Kernel, body: usize, number: usize) -> Option<Vec<Kernel>> {
    let mut found = Vec::new();
    for choice in 0.. {
        let mut candidate = kernel.clone();
        let mut left = number;
        match simplify_in(&mut function(&mut candidate, body).statements, &mut left, choice) {
            None => return None,
            Some(false) => break,
            Some(true) => found.push(candidate),
        }
    }
    Some(found)
}

/// `None` if there is no such expression; otherwise whether it has that choice.
fn simplify_in(statements: &mut [Statement], left: &mut usize, choice: usize) -> Option<bool> {
    for statement in statements {
        for expression in statement.expressions_mut() {
            if let Some(answer) = simplify(expression, left, choice) {
                return Some(answer);
            }
        }
        for list in statement.lists_mut() {
            if let Some(answer) = simplify_in(list, left, choice) {
                return Some(answer);
            }
        }
    }
    None
}

fn simplify(expression: &mut Expression, left: &mut usize, choice: usize) -> Option<bool> {
    if *left == 0 {
        let scalar = expression.scalar;
        let is_number = matches!(expression.form, Form::Constant(_));
        let simpler = match choice.checked_sub(expression.of.len()) {
            _ if is_number => None,
            None if expression.form == Form::Cast => Some(expression.of[0].clone()),
            None => Some(Expression { scalar, form: Form::Cast, of: vec![expression.of[choice].clone()] }),
            Some(number @ 0..2) => Some(Expression::constant(scalar, number as u64)),
            Some(_) => None,
        };
        let is_there = simpler.is_some();
        *expression = simpler.unwrap_or_else(|| expression.clone());
        return Some(is_there);
    }
    *left -= 1;
    expression.of.iter_mut().find_map(|operand| simplify(operand, left, choice))
}

#[cfg(test)]
mod tests {
    use super::super::{make, print};
    use super::*;

    #[test]
    fn what_is_left_of_a_kernel_holds_the_statement_that_matters() {
        let has_switch = |kernel: &Kernel| print(kernel, 0).contains("switch");
        let mut kernel = (0..).map(make).find(has_switch).expect("some kernel has a switch");
        while let Some(next) = smaller(&kernel).into_iter().find(has_switch) {
            kernel = next;
        }
        assert_eq!(kernel.callees.iter().chain([&kernel.body]).map(|body| count(&body.statements)).sum::<usize>(), 1);
    }
}
