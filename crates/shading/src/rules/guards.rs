//! Deep selections as guard clauses.
//!
//! ```text
//! if (a) {                               switch (0) {
//!     x;                                     default:
//!     if (b) {                                   if (!a) { n = 1; break; }
//!         y;                                     x;
//!         if (c) { z; n = 0; break; }            if (!b) { n = 2; break; }
//!         n = 2;                                 y;
//!     } else {                                   if (!c) { n = 2; break; }
//!         n = 2;                    ⇒            z;
//!     }                                          n = 3;
//!     if (n == 2) { u; break; }          }
//! } else {                               if (n == 3) { break; }
//!     n = 1;                             if (n == 2) { u; break; }
//! }
//! ```
//!
//! A selection that nests [`DEEPEST`] levels at the ends of its arms becomes code that runs once and is left by `break`. It may leave what is around it
//! as well: then it says so by a value of the variable that its ends assign anyway, or by a flag.
//!
//! Before, the tests of such a variable move from the end of an arm behind the selection, where the other arm ends with a value for which they do
//! not hold. If that arm assigns none, it gets such a value: the variable is declared in the arm, so nothing else reads it.
//!
//! Takes time proportional to the function and to the square of the depth of its lists.

use std::mem::take;

use super::effects::assignment;
use super::nesting::height;
use super::uses::count_in;
use super::{Context, jump_on};
use crate::syntax::{
    Binary, Block, Case, Effects, Expr, Label, Literal, LocalId, Scalar, ScalarKind, Shape, Statement, StatementKind,
    has_break,
};

/// The number of selections, each at the end of an arm of another, that become guard clauses.
const DEEPEST: u32 = 8;

/// Applies the rule to all lists, outer lists first.
pub(super) fn flatten(list: &mut Block, context: &mut Context<'_>) {
    for mut statement in take(list) {
        let place = list.len();
        if levels_of(&statement, context) < DEEPEST {
            list.push(statement);
        } else {
            let moved = hoist(&mut statement, context);
            list.extend(moved.declarations);
            add_clauses(list, statement, &moved.tests, context);
            list.extend(moved.tests);
        }
        for inner in list[place..].iter_mut().flat_map(Statement::blocks_mut) {
            flatten(inner, context);
        }
    }
}

/// The number of selections at the ends of arms of one another, tests behind them aside.
fn levels(list: &Block, context: &Context<'_>) -> u32 {
    list.iter().rev().find(|statement| test(statement, context).is_none()).map_or(0, |last| levels_of(last, context))
}

fn levels_of(statement: &Statement, context: &Context<'_>) -> u32 {
    let StatementKind::If { accept, reject, .. } = &statement.kind else { return 0 };
    let of_reject = match &reject[..] {
        // `else if` is no level.
        [only @ Statement { kind: StatementKind::If { .. }, .. }] => levels_of(only, context),
        _ => 1 + levels(reject, context),
    };
    of_reject.max(1 + levels(accept, context))
}

/// A test of a variable at the end of an arm.
#[derive(Clone, Copy)]
struct Test {
    local: LocalId,
    number: i64,
    is_equal: bool,
}

impl Test {
    fn holds(self, value: i64) -> bool {
        (self.number == value) == self.is_equal
    }
}

/// The test of a selection with one arm that ends with a jump, if it compares an integer variable with a literal.
fn test(statement: &Statement, context: &Context<'_>) -> Option<Test> {
    let StatementKind::If { condition, accept, reject } = &statement.kind else { return None };
    if !reject.is_empty() || !accept.last().is_some_and(Statement::is_jump) {
        return None;
    }
    let Shape::Binary { operator, left, right } = *context.shape(*condition) else { return None };
    let is_equal = match operator {
        Binary::Equal => true,
        Binary::NotEqual => false,
        _ => return None,
    };
    let number = small_number(right, context)?;
    match *context.shape(left) {
        Shape::Local(local) if context.is_variable(left) => Some(Test { local, number, is_equal }),
        _ => None,
    }
}

/// The greatest number that tests compare. A greater literal of an unsigned type may be written as a negative one.
const GREATEST: i64 = 127;

/// An integer literal of this range.
fn small_number(expr: Expr, context: &Context<'_>) -> Option<i64> {
    let number = match context.expressions.literal(expr)? {
        Literal::Int(number) => number,
        Literal::Uint(number) => i64::try_from(number).ok()?,
        _ => return None,
    };
    (0..=GREATEST).contains(&number).then_some(number)
}

/// What moves out of a selection.
#[derive(Default)]
struct Moved {
    /// Goes before it.
    declarations: Block,
    /// Goes behind it.
    tests: Block,
}

/// Takes the tests at the end of the deeper arm of a selection, inner selections first.
fn hoist(statement: &mut Statement, context: &mut Context<'_>) -> Moved {
    let mut moved = Moved::default();
    let StatementKind::If { accept, reject, .. } = &mut statement.kind else { return moved };
    let (deep, other) = match levels(accept, context) < levels(reject, context) {
        true => (reject, accept),
        false => (accept, reject),
    };
    hoist_in(deep, context);
    while let Some(place) = deep.len().checked_sub(1)
        && let Some(found) = test(&deep[place], context)
        && let Some(declarations) = declarations(&deep[place], &deep[..place], context)
    {
        match values_at_end(other, found.local, context) {
            Some(values) if values.iter().any(|&value| found.holds(value)) => break,
            Some(_) => {}
            None if !declarations.contains(&found.local) => break,
            None => match failing_value(found.local, deep, &moved.tests, context) {
                Some(value) => other.push(assign(found.local, Value::Number(value), context)),
                None => break,
            },
        }
        moved.tests.extend(deep.pop());
        for local in declarations {
            deep.retain(|statement| statement.kind != StatementKind::Declare { local, value: None });
            moved.declarations.push(StatementKind::Declare { local, value: None }.into());
        }
    }
    moved.tests.reverse();
    moved
}

/// Applies [`hoist`] to the last selection of a list.
fn hoist_in(list: &mut Block, context: &mut Context<'_>) {
    let Some(place) = list.iter().rposition(|statement| test(statement, context).is_none()) else { return };
    if levels_of(&list[place], context) > 1 {
        let moved = hoist(&mut list[place], context);
        list.splice(place + 1..place + 1, moved.tests);
        list.splice(place..place, moved.declarations);
    }
}

/// The variables of a list that a statement behind it names, if all its locals of the list are declared without a value.
fn declarations(statement: &Statement, list: &[Statement], context: &Context<'_>) -> Option<Vec<LocalId>> {
    let mut found = Vec::new();
    for before in list {
        if let StatementKind::Declare { local, value } = before.kind
            && count_in(statement, local, context) > 0
        {
            if value.is_some() {
                return None;
            }
            found.push(local);
        }
    }
    Some(found)
}

/// A value for which no test of a variable holds, neither at the end of a list nor among those that moved from there.
fn failing_value(local: LocalId, list: &[Statement], moved: &[Statement], context: &Context<'_>) -> Option<i64> {
    let at_end = list.iter().rev().map_while(|statement| test(statement, context));
    let moved = moved.iter().filter_map(|statement| test(statement, context));
    let tests: Vec<Test> = at_end.chain(moved).filter(|test| test.local == local).collect();
    let mut candidates = values_at_end(list, local, context).unwrap_or_default();
    candidates.extend(tests.iter().map(|test| test.number));
    candidates.extend(next_number(&candidates));
    candidates.into_iter().find(|&value| !tests.iter().any(|test| test.holds(value)))
}

/// A value that a variable gets.
#[derive(Clone, Copy)]
enum Value {
    Number(i64),
    True,
}

fn assign(local: LocalId, value: Value, context: &mut Context<'_>) -> Statement {
    let (target, value) = (context.name(local), literal(local, value, context));
    StatementKind::Assign { target, operator: None, value }.into()
}

/// A literal of the type of a local.
fn literal(local: LocalId, value: Value, context: &mut Context<'_>) -> Expr {
    let ty = context.local(local).ty;
    let is_unsigned = context.types.scalar(ty).is_some_and(|scalar| scalar.kind == ScalarKind::Uint);
    let literal = match value {
        Value::True => Literal::Bool(true),
        Value::Number(number) if is_unsigned => Literal::Uint(number.unsigned_abs()),
        Value::Number(number) => Literal::Int(number),
    };
    context.expressions.add(Shape::Literal(literal), ty, Effects::PURE)
}

/// The values of a variable where control leaves a list at its end, if all are small literals that the list assigns.
fn values_at_end(list: &[Statement], local: LocalId, context: &Context<'_>) -> Option<Vec<i64>> {
    for statement in list.iter().rev() {
        if statement.is_jump() {
            return Some(Vec::new());
        }
        if let Some((assigned, expr)) = assignment(statement, context)
            && assigned == local
        {
            return small_number(expr, context).map(|number| vec![number]);
        }
        if let StatementKind::If { accept, reject, .. } = &statement.kind
            && let Some(mut values) = values_at_end(accept, local, context)
            && let Some(more) = values_at_end(reject, local, context)
        {
            values.extend(more);
            return Some(values);
        }
        if test(statement, context).is_none() && context.access(statement).written().any(|written| written == local) {
            return None;
        }
    }
    None
}

/// A small number that is none of these.
fn next_number(values: &[i64]) -> Option<i64> {
    values.iter().max().map(|most| most + 1).filter(|&next| next <= GREATEST)
}

/// Adds a selection as code that runs once.
fn add_clauses(list: &mut Block, selection: Statement, tests: &[Statement], context: &mut Context<'_>) {
    let origin = selection.origin;
    let mut nest = vec![selection];
    let exit = has_break(&nest).then(|| exit(&nest, list, tests, context));
    if let Some(exit) = &exit {
        assign_before_breaks(&mut nest, exit, context);
    }
    let mut body = Block::new();
    add_guards(nest, &mut body, context);
    let ty = context.types.numbers(Scalar::UINT, 1);
    let selector = context.expressions.add(Shape::Literal(Literal::Uint(0)), ty, Effects::PURE);
    let cases = vec![Case { labels: vec![Label::Default], body, falls: false }];
    list.push(Statement { kind: StatementKind::Switch { selector, cases }, origin });
    if let Some(exit) = exit {
        let name = context.name(exit.local);
        let condition = match exit.value {
            Value::True => name,
            value @ Value::Number(_) => {
                let right = literal(exit.local, value, context);
                let ty = context.types.numbers(Scalar::BOOL, 1);
                let shape = Shape::Binary { operator: Binary::Equal, left: name, right };
                context.expressions.add(shape, ty, Effects::PURE)
            }
        };
        list.push(jump_on(condition, StatementKind::Break));
    }
}

/// The value of a variable that says that control leaves what is around the code.
struct Exit {
    local: LocalId,
    value: Value,
}

/// The variable of the first test, if the list declares it, so that nothing reads it where a `break` leads to; otherwise a flag, which the list gets.
fn exit(nest: &Block, list: &mut Block, tests: &[Statement], context: &mut Context<'_>) -> Exit {
    let tested = tests.first().and_then(|first| test(first, context)).map(|found| found.local);
    if let Some(local) = tested
        && list.iter().any(|before| before.kind == StatementKind::Declare { local, value: None })
        && let Some(values) = values_at_end(nest, local, context)
        && let Some(value) = next_number(&values)
    {
        return Exit { local, value: Value::Number(value) };
    }
    let value = context.boolean(false);
    Exit { local: context.add_flag("is_done", value, list), value: Value::True }
}

/// Puts the assignment of an exit before each `break` that leaves the code.
fn assign_before_breaks(list: &mut Block, exit: &Exit, context: &mut Context<'_>) {
    for mut statement in take(list) {
        match &statement.kind {
            StatementKind::Break => list.push(assign(exit.local, exit.value, context)),
            StatementKind::Loop(_) | StatementKind::Switch { .. } => {}
            _ => {
                for inner in statement.blocks_mut() {
                    assign_before_breaks(inner, exit, context);
                }
            }
        }
        list.push(statement);
    }
}

/// Adds a list whose end is the end of the code. A last selection with braces in its arms becomes a guard clause and what follows it.
fn add_guards(mut list: Block, body: &mut Block, context: &mut Context<'_>) {
    while let Some(last) = list.pop() {
        body.append(&mut list);
        match last.kind {
            StatementKind::If { condition, accept, reject } if height(&accept).max(height(&reject)) > 0 => {
                let is_first = height(&accept) < height(&reject);
                let (condition, guard, rest) = match is_first {
                    true => (condition, accept, reject),
                    false => (context.negated(condition), reject, accept),
                };
                let mut clause = Block::new();
                add_guards(guard, &mut clause, context);
                if !clause.last().is_some_and(Statement::is_jump) {
                    clause.push(StatementKind::Break.into());
                }
                let kind = StatementKind::If { condition, accept: clause, reject: Block::new() };
                body.push(Statement { kind, origin: last.origin });
                list = rest;
            }
            kind => body.push(Statement { kind, origin: last.origin }),
        }
    }
}
