//! Names for values: what a reader would call them.

use crate::syntax::{
    Callee, Expr, Function, FunctionId, GlobalKind, LocalId, ScalarKind, Shape, Swizzle, Text, Type, TypeShape,
};

use super::clean::{clean, without_number};
use super::nouns;
use super::survey::Survey;

/// Verbs that names of functions begin with.
const VERBS: [&str; 7] = ["get", "compute", "calc", "calculate", "load", "read", "make"];

/// The most locals without names that one is named by, each by the next.
const MOST_LOCALS: usize = 4;

/// The longest name that is taken over with something behind it.
const LONGEST: usize = 24;

/// What names the locals of a function.
pub(super) struct Describer<'a> {
    pub(super) text: &'a Text,
    pub(super) function: &'a Function,
    pub(super) survey: &'a Survey,
}

/// Nouns behind names of operands: of the source, and others.
#[derive(Default)]
struct Qualified {
    known: Vec<String>,
    others: Vec<String>,
}

impl Describer<'_> {
    /// The names that fit a local without a name in the source, the best first; at least one.
    pub(super) fn wishes(&self, local: LocalId) -> Vec<String> {
        let mut wishes = Vec::new();
        if self.survey.is_computed_index(self.text, local) {
            wishes.push("index".to_owned());
        }
        if self.survey.is_next(local) {
            wishes.push("next".to_owned());
        }
        let value = self.survey.value(local);
        let role = self.survey.role(local).map(|role| role.noun().to_owned());
        let target = self.survey.target(local).and_then(|target| self.named(target, 0));
        let Qualified { known, others } = value.map_or_else(Qualified::default, |value| self.qualified(value));
        let ty = self.function[local].ty;
        let by_type = [by_type(self.text, ty), second_by_type(self.text, ty)];
        let named = value.and_then(|value| self.named(value, 0));
        // A number behind a name of the source says more than a letter.
        let is_copy = named.is_some() && value.is_some_and(|value| !self.is_computed(value));
        let letters = if is_copy { String::new() } else { letters(self.text, ty, named.as_deref()) };
        match named.or_else(|| self.survey.operator(local).map(|operator| nouns::of_operator(operator).to_owned())) {
            Some(named) => {
                // A number behind a name of the source says more than a type, and a type as much as a number behind an operator.
                let is_computed = value.is_none_or(|value| self.is_computed(value));
                let by_type = by_type.into_iter().filter(|_| is_computed);
                wishes.extend([named].into_iter().chain(role).chain(known).chain(target).chain(by_type));
            }
            None => wishes.extend(role.into_iter().chain(target).chain(by_type).chain(known)),
        }
        wishes.extend(letters.chars().map(String::from));
        wishes.extend(others);
        wishes.iter().filter_map(|wish| clean(wish)).collect()
    }

    /// A noun for a value behind the name of one of its operands: `amplitude_product` for a product with `amplitude`. Behind a name that is no
    /// name of the source either, as `sum_product`, it says less than a letter.
    fn qualified(&self, value: Expr) -> Qualified {
        let shape = &self.text.expressions[value].shape;
        let noun = match shape {
            _ if self.is_computed(value) => self.named(value, 0),
            Shape::Construct(_) => Some(by_type(self.text, self.text.expressions[value].ty)),
            _ => None,
        };
        let Some(noun) = noun else { return Qualified::default() };
        let mut parts = shape.parts();
        if matches!(shape, Shape::Choice { .. }) {
            parts.rotate_left(1);
        }
        let (known, others): (Vec<Expr>, Vec<Expr>) = parts.into_iter().partition(|&part| self.is_known(part));
        let names = |parts: Vec<Expr>| {
            let named = parts.into_iter().filter_map(|part| self.named(part, 0)).filter_map(|name| clean(&name));
            let fitting = named.filter(|name| !name.ends_with(&noun) && name.len() <= LONGEST);
            fitting.map(|name| format!("{name}_{noun}")).collect()
        };
        Qualified { known: names(known), others: names(others) }
    }

    /// Returns whether a value is what an operator or a function returns.
    fn is_computed(&self, value: Expr) -> bool {
        matches!(
            self.text.expressions[value].shape,
            Shape::Binary { .. }
                | Shape::Unary { .. }
                | Shape::Choice { .. }
                | Shape::Call { .. }
                | Shape::Method { .. }
        )
    }

    /// Returns whether the variable that an expression is a part of has a name of the source.
    fn is_known(&self, part: Expr) -> bool {
        match self.text.expressions[root(self.text, part)].shape {
            Shape::Local(local) => self.survey.is_of_source(local),
            Shape::Global(_) => true,
            _ => false,
        }
    }

    /// A noun for a value: the member, variable or element that it is read from, what an operator or a function returns. `None` for what only
    /// has a type. A local without a name yet is named by its value, at most [`MOST_LOCALS`] of them in a row.
    fn named(&self, value: Expr, locals: usize) -> Option<String> {
        let text = self.text;
        let expression = &text.expressions[value];
        Some(match &expression.shape {
            Shape::Literal(_) => return None,
            Shape::Local(local) => match self.function[*local].name.as_deref() {
                Some(name) => without_number(name).to_owned(),
                None if locals < MOST_LOCALS => return self.named(self.survey.value(*local)?, locals + 1),
                None => return None,
            },
            Shape::Global(global) => match text.global(*global).kind {
                GlobalKind::BuiltIn => snake(&text.global(*global).name),
                _ => lower(&text.global(*global).name),
            },
            Shape::Member { base, member } => member_name(text, *base, *member)?,
            Shape::Index { base, index } => self.element(*base, *index, locals)?,
            Shape::Swizzle { base, swizzle } => components(self.named(*base, locals), swizzle)?,
            Shape::Unary { operator, .. } => nouns::of_prefix(*operator).to_owned(),
            Shape::Binary { operator, .. } => nouns::of_operator(*operator).to_owned(),
            Shape::Choice { .. } => "selected".to_owned(),
            Shape::Construct(arguments) => match (text.types[expression.ty], &arguments[..]) {
                (TypeShape::Scalar(_), &[converted]) => return self.named(converted, locals),
                _ => return None,
            },
            Shape::Call { callee: Callee::Function(id), .. } => result(text, *id),
            Shape::Call { callee: Callee::Intrinsic(name), .. } | Shape::Method { name, .. } => {
                nouns::of_function(name)?.to_owned()
            }
        })
    }

    /// An element of an array: the singular of the name of the array, or the name with that of the index.
    fn element(&self, base: Expr, index: Expr, locals: usize) -> Option<String> {
        let name = self.named(base, locals)?;
        if let Some(one) = singular(&name) {
            return Some(one);
        }
        let index = self.named(index, locals).filter(|index| index.len() + name.len() <= LONGEST);
        Some(index.map_or_else(|| format!("{name}_value"), |index| format!("{name}_{index}")))
    }
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

fn member_name(text: &Text, base: Expr, member: u32) -> Option<String> {
    match text.types[text.expressions[base].ty] {
        TypeShape::Struct(id) => {
            let name = &text.structure(id).members.get(member as usize)?.name;
            Some(if name.starts_with("gl_") { snake(name) } else { without_number(name).to_owned() })
        }
        _ => None,
    }
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
fn components(name: Option<String>, swizzle: &Swizzle) -> Option<String> {
    let letter = |component: &u8| char::from(b"xyzw"[usize::from(*component & 3)]);
    let letters: String = swizzle.components().iter().map(letter).collect();
    match name.filter(|name| name.len() <= LONGEST) {
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
        TypeShape::Pointer { .. } => "pointer",
        TypeShape::Struct(id) => return lower(&text.structure(id).name),
        TypeShape::Image(image) if image.is_storage => "pixels",
        TypeShape::Image(_) | TypeShape::SampledImage(_) => "colors",
        TypeShape::Sampler(_) => "filtering",
        TypeShape::AccelerationStructure => "scene",
        TypeShape::RayQuery => "query",
        TypeShape::RayOptions => "options",
        TypeShape::Ray => "ray",
        TypeShape::ControlPoints { .. } => "points",
        TypeShape::Mesh(_) => "output",
        TypeShape::MeshGrid => "grid",
    };
    noun.to_owned()
}

/// Letters for a value, as formulas have them: that of its noun, and those of its type.
fn letters(text: &Text, ty: Type, noun: Option<&str>) -> String {
    let of_type = match text.types[ty] {
        TypeShape::Scalar(scalar) if scalar.kind == ScalarKind::Bool => "",
        TypeShape::Scalar(scalar) if scalar.is_integer() => "abcde",
        TypeShape::Scalar(_) => "abcdefgh",
        TypeShape::Vector { .. } => "uvw",
        TypeShape::Matrix { .. } => "m",
        _ => return String::new(),
    };
    let of_noun = match (text.types[ty], noun) {
        (TypeShape::Scalar(_), Some("sum" | "shifted" | "selected")) => "s",
        (TypeShape::Scalar(_), Some("difference")) => "d",
        (TypeShape::Scalar(_), Some("product" | "projection")) => "p",
        (TypeShape::Scalar(_), Some("quotient")) => "q",
        (TypeShape::Scalar(_), Some("remainder")) => "r",
        (TypeShape::Scalar(_), Some("mask" | "minimum" | "maximum")) => "m",
        _ => "",
    };
    let others = of_type.chars().filter(|letter| !of_noun.contains(*letter));
    of_noun.chars().chain(others).collect()
}

/// Another noun for values of a type.
fn second_by_type(text: &Text, ty: Type) -> String {
    match text.types[ty] {
        TypeShape::Scalar(scalar) if scalar.kind == ScalarKind::Bool => "flag".to_owned(),
        TypeShape::Scalar(_) => "number".to_owned(),
        _ => by_type(text, ty),
    }
}
