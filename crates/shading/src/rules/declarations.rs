//! Declares variables at their first assignment.
//!
//! ```text
//! var sum: u32 = 0u;
//! var i: u32 = 0u;             if (n > 0u) {
//! if (n > 0u) {           ⇒        var i: u32 = 3u;
//!     i = 3u;                      …
//!     …                        }
//! ```
//!
//! A variable moves from the top to the innermost list that contains all statements that name it. In a loop each path must assign it before
//! it reads it there, since a declaration loses the value at the end of each iteration; otherwise it moves to the statement before the outermost loop. The
//! value of the declaration is dropped if each path assigns the variable before it reads it.
//!
//! Takes a walk for each level at which variables move.

use std::collections::BTreeMap;

use super::Context;
use super::effects::assignment;
use crate::syntax::{
    Block, Case, Effects, Expr, Label, LocalId, LocalKind, Shape, Statement, StatementKind, TypeShape,
};

/// The maximum number of statements that a search for the first read inspects.
const MOST_INSPECTED: u32 = 256;

/// A step from a list to one in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    statement: usize,
    list: usize,
    is_loop: bool,
}

/// A place in the function: a statement of a list.
#[derive(Clone)]
struct Place {
    list: Vec<Step>,
    statement: usize,
}

/// A variable that moves.
struct Moved {
    local: LocalId,
    value: Option<Expr>,
    statement: usize,
}

/// The places of declarations: by list, the statement before which, or in place of which, each is written.
type Edits = BTreeMap<Vec<Step>, Vec<Moved>>;

/// Moves the declarations at the top of a function.
pub(super) fn sink(body: &mut Block, context: &mut Context<'_>) {
    let mut variables = Vec::new();
    let mut places: Vec<Option<Option<Place>>> = vec![None; context.locals.len()];
    body.retain(|statement| match statement.kind {
        StatementKind::Declare { local, value } if is_movable(local, value, context) => {
            variables.push((local, value));
            places[local.0 as usize] = Some(None);
            false
        }
        _ => true,
    });
    find(body, &mut Vec::new(), context, &mut places);
    let mut edits = Edits::new();
    for (local, value) in variables {
        // A variable that nothing names is not declared.
        let Some(place) = places[local.0 as usize].take().flatten() else { continue };
        let list = &at(body, &place.list)[place.statement..];
        let is_read = First { local, context, left: MOST_INSPECTED }.of_list(list) == Access::Read;
        let value = value.filter(|_| is_read);
        let place = if is_read { outside_of_loops(place) } else { place };
        edits.entry(place.list).or_default().push(Moved { local, value, statement: place.statement });
    }
    apply(body, &mut Vec::new(), &mut edits, context);
}

/// Returns whether a declaration is that of a variable with a value that is the same everywhere.
fn is_movable(local: LocalId, value: Option<Expr>, context: &Context<'_>) -> bool {
    let is_constant = |value| context.effects(value) == Effects::PURE && context.changing(value).is_empty();
    context.local(local).kind == LocalKind::Variable && value.is_none_or(is_constant)
}

/// Finds the innermost list that contains all statements that name each variable, and the first of these statements.
fn find(list: &Block, way: &mut Vec<Step>, context: &Context<'_>, places: &mut [Option<Option<Place>>]) {
    for (index, statement) in list.iter().enumerate() {
        note_all(statement, way, index, context, places);
        let is_loop = matches!(statement.kind, StatementKind::Loop(_));
        for (number, inner) in statement.blocks().into_iter().enumerate() {
            // Code between iterations is not in the scope of the body in every language, so it counts as the loop itself.
            if is_loop && number == 1 {
                find_at(inner, way, index, context, places);
                continue;
            }
            way.push(Step { statement: index, list: number, is_loop });
            find(inner, way, context, places);
            way.pop();
        }
    }
}

/// Does the same as [`find`], with everything at one place.
fn find_at(list: &Block, way: &[Step], index: usize, context: &Context<'_>, places: &mut [Option<Option<Place>>]) {
    for statement in list {
        note_all(statement, way, index, context, places);
        for inner in statement.blocks() {
            find_at(inner, way, index, context, places);
        }
    }
}

/// Widens the places of the variables that a statement names.
fn note_all(
    statement: &Statement,
    way: &[Step],
    index: usize,
    context: &Context<'_>,
    places: &mut [Option<Option<Place>>],
) {
    for expr in statement.expressions() {
        context.expressions.walk(expr, &mut |part| {
            if let Shape::Local(local) = context.shape(part)
                && let Some(place) = &mut places[local.0 as usize]
            {
                note(place, way, index);
            }
        });
    }
}

/// Widens a place, so that it contains another statement as well.
fn note(place: &mut Option<Place>, way: &[Step], index: usize) {
    let Some(place) = place else {
        *place = Some(Place { list: way.to_vec(), statement: index });
        return;
    };
    let common = place.list.iter().zip(way).take_while(|(one, other)| one == other).count();
    if let Some(step) = place.list.get(common) {
        place.statement = step.statement;
        place.list.truncate(common);
    }
}

/// The place before the outermost loop.
fn outside_of_loops(place: Place) -> Place {
    match place.list.iter().position(|step| step.is_loop) {
        Some(outermost) => Place { statement: place.list[outermost].statement, list: place.list[..outermost].to_vec() },
        None => place,
    }
}

/// The list at the end of a path.
fn at<'a>(body: &'a Block, way: &[Step]) -> &'a Block {
    way.iter().fold(body, |list, step| list[step.statement].blocks()[step.list])
}

/// What a path does first with a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Nothing,
    /// It assigns the whole variable, or leaves the list.
    Assigned,
    /// It may read it.
    Read,
}

/// A search for the first access to a variable.
struct First<'a, 'b> {
    local: LocalId,
    context: &'a Context<'b>,
    /// The number of statements that may be inspected.
    left: u32,
}

impl First<'_, '_> {
    fn of_list(&mut self, list: &[Statement]) -> Access {
        let accesses = list.iter().map(|statement| self.of_statement(statement));
        accesses.into_iter().find(|access| *access != Access::Nothing).unwrap_or(Access::Nothing)
    }

    fn of_statement(&mut self, statement: &Statement) -> Access {
        if self.left == 0 {
            return Access::Read;
        }
        self.left -= 1;
        if let Some((_, value)) = assignment(statement, self.context).filter(|(local, _)| *local == self.local) {
            return if self.context.mentions(value, self.local) { Access::Read } else { Access::Assigned };
        }
        if statement.expressions().into_iter().any(|expr| self.context.mentions(expr, self.local)) {
            return Access::Read;
        }
        match &statement.kind {
            StatementKind::If { accept, reject, .. } => joined(&[self.of_list(accept), self.of_list(reject)]),
            StatementKind::Switch { cases, .. } => {
                let mut accesses: Vec<Access> = cases.iter().map(|case| self.of_list(without_break(case))).collect();
                if !is_complete(cases) {
                    accesses.push(Access::Nothing);
                }
                joined(&accesses)
            }
            // A jump may leave it before an assignment.
            StatementKind::Loop(found) => {
                joined(&[self.of_list(&found.body), self.of_list(&found.continuing), Access::Nothing])
            }
            StatementKind::Block(list) => self.of_list(list),
            _ if statement.is_jump() => Access::Assigned,
            _ => Access::Nothing,
        }
    }
}

/// What comes first on all paths, of which each executes one of these.
fn joined(paths: &[Access]) -> Access {
    if paths.contains(&Access::Read) {
        Access::Read
    } else if paths.contains(&Access::Nothing) {
        Access::Nothing
    } else {
        Access::Assigned
    }
}

/// Returns whether a switch executes exactly one case to its end.
fn is_complete(cases: &[Case]) -> bool {
    let has_default = cases.iter().any(|case| case.labels.contains(&Label::Default));
    let is_whole = |case: &Case| !case.falls && !breaks(without_break(case));
    has_default && cases.iter().all(is_whole)
}

/// The statements of a case before the `break` at its end.
fn without_break(case: &Case) -> &[Statement] {
    match &case.body[..] {
        [statements @ .., Statement { kind: StatementKind::Break, .. }] => statements,
        statements => statements,
    }
}

fn breaks(list: &[Statement]) -> bool {
    list.iter().any(|statement| match statement.kind {
        StatementKind::Break => true,
        StatementKind::Loop(_) | StatementKind::Switch { .. } => false,
        _ => statement.blocks().into_iter().any(|inner| breaks(inner)),
    })
}

/// Writes the declarations at their places.
fn apply(list: &mut Block, way: &mut Vec<Step>, edits: &mut Edits, context: &Context<'_>) {
    for (index, statement) in list.iter_mut().enumerate() {
        let is_loop = matches!(statement.kind, StatementKind::Loop(_));
        for (number, inner) in statement.blocks_mut().into_iter().enumerate() {
            way.push(Step { statement: index, list: number, is_loop });
            apply(inner, way, edits, context);
            way.pop();
        }
    }
    let Some(mut moved) = edits.remove(way) else { return };
    moved.sort_by_key(|moved| moved.statement);
    let mut moved = moved.into_iter().peekable();
    for (index, mut statement) in std::mem::take(list).into_iter().enumerate() {
        let mut declared = None;
        while let Some(moved) = moved.next_if(|moved| moved.statement == index) {
            match first_value(&statement, moved.local, context) {
                Some(value) => declared = Some(StatementKind::Declare { local: moved.local, value: Some(value) }),
                None => list.push(StatementKind::Declare { local: moved.local, value: moved.value }.into()),
            }
        }
        if let Some(declared) = declared {
            statement.kind = declared;
        }
        list.push(statement);
    }
}

/// The value that a statement assigns to a variable as the first one, if it can be that of its declaration.
fn first_value(statement: &Statement, variable: LocalId, context: &Context<'_>) -> Option<Expr> {
    let (local, value) = assignment(statement, context)?;
    let is_array = matches!(context.types[context.local(variable).ty], TypeShape::Array { .. });
    (local == variable && !is_array && !context.mentions(value, variable)).then_some(value)
}
