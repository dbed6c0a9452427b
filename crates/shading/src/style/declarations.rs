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
//! A variable moves from the top to the innermost list that contains all statements that name it. In a loop it must be assigned first
//! there, since the declaration would assign its value again in each iteration; otherwise it moves to the statement before the outermost
//! loop. The value of the declaration is dropped if the first statement assigns the whole variable.

use std::collections::BTreeMap;

use super::Dialect;
use super::expression::{find_word, words};
use super::loops::{assigned_name, declared_name};
use super::tree::{List, Statement};

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

/// A variable that may move.
struct Variable {
    declaration: String,
    /// The innermost list that contains all statements that name it, and the first of these statements.
    place: Option<Place>,
}

/// The places of declarations: by list, the statement before which, or in place of which, each is written.
type Edits = BTreeMap<Vec<Step>, Vec<(usize, String)>>;

/// Moves the declarations at the top of a function.
pub(super) fn sink(body: &mut List, dialect: Dialect) {
    let mut variables = BTreeMap::new();
    let mut order = Vec::new();
    let first =
        body.iter().position(|statement| statement.simple().and_then(declared_name).is_none()).unwrap_or(body.len());
    let mut kept = List::new();
    for statement in body.drain(..first) {
        match statement.simple().filter(|text| is_movable(text, dialect)).and_then(declared_name) {
            Some(name) => {
                let declaration = statement.simple().unwrap_or_default().to_owned();
                order.push(name.to_owned());
                variables.insert(name.to_owned(), Variable { declaration, place: None });
            }
            None => kept.push(statement),
        }
    }
    body.splice(..0, kept);
    find(body, &mut Vec::new(), &mut variables);
    let mut edits = Edits::new();
    for name in order {
        let variable = variables.remove(&name).expect("each name was inserted");
        // A variable that nothing names is not declared.
        let Some(place) = variable.place.map(|place| outside_of_loops(place, body, &name)) else { continue };
        edits.entry(place.list).or_default().push((place.statement, variable.declaration));
    }
    apply(body, &mut Vec::new(), &mut edits);
}

/// Returns whether the statement declares a variable with a constant value: all its names are of types and constructors.
fn is_movable(text: &str, dialect: Dialect) -> bool {
    let Some((left, value)) = text.split_once(" = ") else { return !text.starts_with("let ") };
    let is_variable = match dialect {
        Dialect::Wgsl => left.starts_with("var "),
        Dialect::C => !left.starts_with("const "),
    };
    let is_constant = words(value).all(|word| {
        let is_made = value[word.end()..].starts_with(['(', '<', '{', '[', ':', '>']);
        word.is_number() || is_made || matches!(word.text, "true" | "false")
    });
    is_variable && is_constant
}

/// Finds the place of each variable.
fn find(list: &List, way: &mut Vec<Step>, variables: &mut BTreeMap<String, Variable>) {
    for (index, statement) in list.iter().enumerate() {
        for word in statement.texts().into_iter().flat_map(words) {
            if let Some(variable) = variables.get_mut(word.text) {
                note(variable, way, index);
            }
        }
        let is_loop = matches!(statement, Statement::Loop(_));
        for (number, inner) in statement.lists().into_iter().enumerate() {
            // Code between iterations is not in the scope of the body in every language, so it counts as the loop itself.
            if is_loop && number == 1 {
                find_at(inner, way, index, variables);
                continue;
            }
            way.push(Step { statement: index, list: number, is_loop });
            find(inner, way, variables);
            way.pop();
        }
    }
}

/// Does the same as [`find`], with everything at one place.
fn find_at(list: &List, way: &[Step], index: usize, variables: &mut BTreeMap<String, Variable>) {
    for statement in list {
        for word in statement.texts().into_iter().flat_map(words) {
            if let Some(variable) = variables.get_mut(word.text) {
                note(variable, way, index);
            }
        }
        statement.lists().into_iter().for_each(|inner| find_at(inner, way, index, variables));
    }
}

/// Widens the place of a variable, so that it contains another statement as well.
fn note(variable: &mut Variable, way: &[Step], index: usize) {
    let Some(place) = &mut variable.place else {
        variable.place = Some(Place { list: way.to_vec(), statement: index });
        return;
    };
    let common = place.list.iter().zip(way).take_while(|(one, other)| one == other).count();
    if let Some(step) = place.list.get(common) {
        place.statement = step.statement;
        place.list.truncate(common);
    }
}

/// The place itself, if the variable is assigned first there or is in no loop; else the place before the outermost loop.
fn outside_of_loops(place: Place, body: &List, name: &str) -> Place {
    let Some(outermost) = place.list.iter().position(|step| step.is_loop) else { return place };
    let statement = at(body, &place.list).get(place.statement);
    if statement.and_then(Statement::simple).is_some_and(|text| is_first_assignment(text, name)) {
        return place;
    }
    Place { list: place.list[..outermost].to_vec(), statement: place.list[outermost].statement }
}

/// The list at the end of a path.
fn at<'a>(body: &'a List, way: &[Step]) -> &'a List {
    way.iter().fold(body, |list, step| list[step.statement].lists()[step.list])
}

fn is_first_assignment(text: &str, name: &str) -> bool {
    let value = text.split_once(" = ").map(|(_, value)| value);
    assigned_name(text) == Some(name) && value.is_some_and(|value| find_word(value, name).is_none())
}

/// Writes the declarations at their places.
fn apply(list: &mut List, way: &mut Vec<Step>, edits: &mut Edits) {
    for (index, statement) in list.iter_mut().enumerate() {
        let is_loop = matches!(statement, Statement::Loop(_));
        for (number, inner) in statement.lists_mut().into_iter().enumerate() {
            way.push(Step { statement: index, list: number, is_loop });
            apply(inner, way, edits);
            way.pop();
        }
    }
    let Some(mut edits) = edits.remove(way) else { return };
    edits.sort_by_key(|(index, _)| *index);
    for (index, declaration) in edits.into_iter().rev() {
        let name = declared_name(&declaration).expect("only declarations move");
        let left = declaration.split_once(" = ").map_or(&*declaration, |(left, _)| left);
        let value = list[index].simple().filter(|text| is_first_assignment(text, name) && !left.contains('['));
        match value.and_then(|text| text.split_once(" = ")) {
            Some((_, value)) => list[index] = Statement::Simple(format!("{left} = {value}")),
            None => list.insert(index, Statement::Simple(declaration)),
        }
    }
}
