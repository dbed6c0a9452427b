//! Names for values: what a reader would call them.

use crate::syntax::{
    Callee, Expr, Function, FunctionId, GlobalKind, LocalId, ScalarKind, Shape, Swizzle, Text, Type, TypeShape,
};

use super::clean::{clean, without_number};
use super::nouns;

/// Verbs that names of functions begin with.
const VERBS: [&str; 7] = ["get", "compute", "calc", "calculate", "load", "read", "make"];

/// The longest name that is taken over with something behind it.
const LONGEST: usize = 24;

/// A noun for a value: the member, variable or element that it is read from, what an operator or a function returns, or else its type.
pub(crate) fn describe(text: &Text, function: &Function, value: Expr) -> String {
    let name = named(text, function, value).and_then(|name| clean(&name));
    name.unwrap_or_else(|| by_type(text, text.expressions[value].ty))
}

/// A noun for a value behind the name of one of its operands: `amplitude_product` for a product with `amplitude`. Names of the source come before others.
pub(super) fn qualified(
    text: &Text,
    function: &Function,
    value: Expr,
    is_of_source: &dyn Fn(LocalId) -> bool,
) -> Option<String> {
    let shape = &text.expressions[value].shape;
    let noun = match shape {
        Shape::Binary { .. }
        | Shape::Unary { .. }
        | Shape::Choice { .. }
        | Shape::Call { .. }
        | Shape::Method { .. } => named(text, function, value)?,
        Shape::Construct(_) => by_type(text, text.expressions[value].ty),
        _ => return None,
    };
    let mut parts = shape.parts();
    if matches!(shape, Shape::Choice { .. }) {
        parts.rotate_left(1);
    }
    let is_known = |part: &Expr| match text.expressions[root(text, *part)].shape {
        Shape::Local(local) => is_of_source(local),
        Shape::Global(_) => true,
        _ => false,
    };
    let of = |part: &Expr| named(text, function, *part).and_then(|name| clean(&name)).filter(|name| *name != noun);
    let known = parts.iter().filter(|part| is_known(part)).find_map(of);
    let name = known.or_else(|| parts.iter().find_map(of))?;
    (name.len() <= LONGEST).then(|| format!("{name}_{noun}"))
}

/// The variable or value that an expression is a part of.
fn root(text: &Text, mut part: Expr) -> Expr {
    while let Shape::Member { base, .. } | Shape::Index { base, .. } | Shape::Swizzle { base, .. } =
        text.expressions[part].shape
    {
        part = base;
    }
    part
}

fn named(text: &Text, function: &Function, value: Expr) -> Option<String> {
    let expression = &text.expressions[value];
    Some(match &expression.shape {
        Shape::Literal(_) => return None,
        Shape::Local(local) => without_number(function[*local].name.as_deref()?).to_owned(),
        Shape::Global(global) => match text.global(*global).kind {
            GlobalKind::BuiltIn => snake(&text.global(*global).name),
            _ => lower(&text.global(*global).name),
        },
        Shape::Member { base, member } => member_name(text, *base, *member)?,
        Shape::Index { base, index } => element(text, function, *base, *index)?,
        Shape::Swizzle { base, swizzle } => components(text, function, *base, swizzle)?,
        Shape::Unary { operator, .. } => nouns::of_prefix(*operator).to_owned(),
        Shape::Binary { operator, .. } => nouns::of_operator(*operator).to_owned(),
        Shape::Choice { .. } => "selected".to_owned(),
        Shape::Construct(arguments) => match (text.types[expression.ty], &arguments[..]) {
            (TypeShape::Scalar(_), &[converted]) => return named(text, function, converted),
            _ => return None,
        },
        Shape::Call { callee: Callee::Function(id), .. } => result(text, *id),
        Shape::Call { callee: Callee::Intrinsic(name), .. } | Shape::Method { name, .. } => {
            nouns::of_function(name)?.to_owned()
        }
    })
}

fn member_name(text: &Text, base: Expr, member: u32) -> Option<String> {
    match text.types[text.expressions[base].ty] {
        TypeShape::Struct(id) => {
            let name = &text.structure(id).members.get(member as usize)?.name;
            Some(if name.starts_with("gl_") { snake(name) } else { without_number(name).to_owned() })
        }
        _ => None,
    }
}

/// An element of an array: the singular of the name of the array, or the name with that of the index.
fn element(text: &Text, function: &Function, base: Expr, index: Expr) -> Option<String> {
    let name = named(text, function, base)?;
    if let Some(one) = singular(&name) {
        return Some(one);
    }
    let index = named(text, function, index).filter(|index| index.len() + name.len() <= LONGEST);
    Some(index.map_or_else(|| format!("{name}_value"), |index| format!("{name}_{index}")))
}

/// The name of one of the things that a plural names.
fn singular(name: &str) -> Option<String> {
    for (plural, one) in [("indices", "index"), ("vertices", "vertex"), ("matrices", "matrix"), ("ies", "y")] {
        if let Some(start) = name.strip_suffix(plural) {
            return Some(format!("{start}{one}"));
        }
    }
    let one = name.strip_suffix('s').filter(|one| one.len() > 2 && !one.ends_with(['s', 'u', 'i']))?;
    Some(one.to_owned())
}

/// Components: the letter of one, or the name of the vector with the letters.
fn components(text: &Text, function: &Function, base: Expr, swizzle: &Swizzle) -> Option<String> {
    let letter = |component: &u8| char::from(b"xyzw"[usize::from(*component & 3)]);
    let letters: String = swizzle.components().iter().map(letter).collect();
    let name = named(text, function, base).filter(|name| name.len() <= LONGEST);
    match name {
        Some(name) => Some(format!("{name}_{letters}")),
        None if letters.len() == 1 => Some(letters),
        None => None,
    }
}

/// The name of a function without the verb that it begins with, or with a noun behind it.
fn result(text: &Text, id: FunctionId) -> String {
    let name = &text.functions[id.0 as usize].name;
    let stripped = VERBS.iter().find_map(|verb| name.strip_prefix(verb));
    match stripped.filter(|rest| rest.starts_with(|next: char| next == '_' || next.is_ascii_uppercase())) {
        Some(rest) => lower(rest.trim_start_matches('_')),
        None => format!("{name}_result"),
    }
}

/// A name that begins with a small letter, as those of values do.
fn lower(name: &str) -> String {
    let mut letters = name.chars();
    let is_word = name.chars().nth(1).is_some_and(|second| second.is_ascii_lowercase());
    match letters.next() {
        Some(first) if is_word => format!("{}{}", first.to_ascii_lowercase(), letters.as_str()),
        _ => name.to_owned(),
    }
}

/// The name of a built-in variable in small letters: `global_invocation_id` for `gl_GlobalInvocationID`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut last = '_';
    for letter in name.strip_prefix("gl_").unwrap_or(name).chars() {
        if letter.is_ascii_uppercase() && last.is_ascii_lowercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
        last = letter;
    }
    snake
}

/// A noun for values of a type.
pub(super) fn by_type(text: &Text, ty: Type) -> String {
    let noun = match text.types[ty] {
        TypeShape::Scalar(scalar) if scalar.kind == ScalarKind::Bool => "condition",
        TypeShape::Void | TypeShape::Scalar(_) | TypeShape::Atomic(_) => "value",
        TypeShape::Vector { .. } | TypeShape::Packed { .. } => "vector",
        TypeShape::Matrix { .. } | TypeShape::StoredMatrix(_) => "transform",
        TypeShape::Array { .. } => "values",
        TypeShape::Struct(id) => return lower(&text.structure(id).name),
        TypeShape::Image(image) if image.is_storage => "pixels",
        TypeShape::Image(_) | TypeShape::SampledImage(_) => "colors",
        TypeShape::Sampler(_) => "filtering",
        TypeShape::AccelerationStructure => "scene",
        TypeShape::RayQuery => "query",
        TypeShape::RayOptions => "options",
        TypeShape::Ray => "ray",
    };
    noun.to_owned()
}
