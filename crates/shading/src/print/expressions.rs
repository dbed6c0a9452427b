//! Expressions.
//!
//! The printer recurses on them; the tree bounds how deep they are. In WGSL, a parameter that the function writes is a pointer, and so is
//! the first argument of an atomic operation; the tree has the variable there.

use super::Printer;
use super::lines::break_behind;
use super::literals::Radix;
use super::operands::{Side, parenthesized};
use crate::Language;
use crate::syntax::{
    Arguments, Binary, Callee, Expr, Expression, FunctionId, GlobalKind, Length, Level, Literal, LocalId, LocalKind,
    Member, Scalar, ScalarKind, Shape, Storage, Swizzle, Type, TypeShape, Unary,
};

/// A part of an expression as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) level: Level,
    /// The operator between two operands that it is the result of.
    pub(super) operator: Option<Binary>,
}

impl Written {
    pub(super) fn new(text: String, level: Level) -> Written {
        Written { text, level, operator: None }
    }

    fn postfix(text: String) -> Written {
        Written::new(text, Level::Postfix)
    }

    /// The text where it has to bind as tightly as this.
    pub(super) fn at_least(self, level: Level) -> String {
        if self.level >= level { self.text } else { parenthesized(&self.text) }
    }
}

impl Printer<'_> {
    /// An expression where nothing binds its parts.
    pub(super) fn expression(&self, expr: Expr) -> String {
        self.written(expr, Radix::Decimal).text
    }

    /// The operand of an assignment with an operator.
    pub(super) fn operand_of(&self, expr: Expr, operator: Option<Binary>) -> String {
        self.written(expr, operator.map_or(Radix::Decimal, radix)).text
    }

    /// An expression that a member, an index or a call follows.
    pub(super) fn base(&self, expr: Expr) -> String {
        self.written(expr, Radix::Decimal).at_least(Level::Postfix)
    }

    /// The condition that holds where this one does not.
    pub(super) fn negated(&self, expr: Expr) -> String {
        match self.text.expressions[expr].shape {
            Shape::Unary { operator: Unary::Not, operand } => self.expression(operand),
            Shape::Binary { operator, left, right } if self.is_exact_opposite(operator, left) => {
                let opposite = operator.opposite().unwrap_or(operator);
                self.binary(opposite, left, right).text
            }
            _ => Self::prefixed(self.written(expr, Radix::Decimal), Unary::Not).text,
        }
    }

    /// Returns whether the opposite of a comparison holds wherever it does not, also for NaN.
    fn is_exact_opposite(&self, operator: Binary, left: Expr) -> bool {
        let is_number = self.text.types.scalar(self.text.expressions[left].ty).is_some_and(Scalar::is_integer);
        matches!(operator, Binary::Equal | Binary::NotEqual) || (operator.is_comparison() && is_number)
    }

    /// An expression, with literals in a radix.
    fn written(&self, expr: Expr, radix: Radix) -> Written {
        match &self.text.expressions[expr].shape {
            Shape::Literal(literal) => self.number(expr, *literal, radix),
            Shape::Local(local) => self.local(*local),
            Shape::Global(global) => Written::postfix(self.global(*global).name.clone()),
            Shape::Member { base, member } => self.member(*base, *member),
            Shape::Index { base, .. } if self.is_pointer_value(*base) => {
                Written::new(format!("*{}", self.base(*base)), Level::Prefix)
            }
            Shape::Index { base, index } => {
                Written::postfix(format!("{}[{}]", self.base(*base), self.expression(*index)))
            }
            Shape::Swizzle { base, swizzle } => Written::postfix(format!("{}.{}", self.base(*base), letters(swizzle))),
            Shape::Unary { operator, operand } => self.unary(*operator, *operand),
            Shape::Binary { operator, left, right } => self.binary(*operator, *left, *right),
            Shape::Choice { condition, accept, reject } => self.choice(*condition, *accept, *reject),
            Shape::Construct(arguments) => self.construct(expr, arguments),
            Shape::Call { callee, arguments } => self.call(expr, callee, arguments),
            Shape::Method { object, name, arguments } => self.method(expr, *object, name, arguments),
        }
    }

    /// A method. `Load<>` and `Store<>` have the type of what they load or store.
    fn method(&self, expr: Expr, object: Expr, name: &str, arguments: &Arguments) -> Written {
        let object = self.base(object);
        let name = match (name.strip_suffix("<>"), arguments.last()) {
            (Some("Load"), _) => format!("Load<{}>", self.type_name(self.text.expressions[expr].ty)),
            (Some(store), Some(value)) => format!("{store}<{}>", self.type_name(self.text.expressions[*value].ty)),
            _ => name.to_owned(),
        };
        Written::postfix(format!("{object}.{name}({})", self.arguments(arguments)))
    }

    fn number(&self, expr: Expr, literal: Literal, radix: Radix) -> Written {
        let scalar = self.text.types.scalar(self.text.expressions[expr].ty).unwrap_or(Scalar::INT);
        let text = self.literal(literal, scalar, radix);
        let level = match text.strip_prefix('-') {
            Some(rest) if rest.contains(' ') => Level::Sum,
            Some(_) => Level::Prefix,
            None => Level::Postfix,
        };
        Written::new(text, level)
    }

    fn local(&self, local: LocalId) -> Written {
        let name = self.local_name(local);
        if self.is_pointer(local) { Written::new(format!("*{name}"), Level::Prefix) } else { Written::postfix(name) }
    }

    pub(super) fn local_name(&self, local: LocalId) -> String {
        let function = self.function.expect("invariant: locals are in functions");
        function[local].name.clone().expect("invariant: every local has a name before the text is printed")
    }

    /// Returns whether a local is the pointer to what it stands for.
    fn is_pointer(&self, local: LocalId) -> bool {
        self.is_wgsl()
            && self.function.is_some_and(|function| {
                let mut parameters = function.parameters.iter();
                function[local].kind == LocalKind::Parameter
                    && parameters.any(|parameter| parameter.local == local && parameter.is_written)
            })
    }

    /// Returns whether a value is a pointer to memory of MSL.
    fn is_pointer_value(&self, expr: Expr) -> bool {
        matches!(self.text.types[self.text.expressions[expr].ty], TypeShape::Pointer { .. })
    }

    fn member(&self, base: Expr, member: u32) -> Written {
        let expression = &self.text.expressions[base];
        let id = match self.text.types[expression.ty] {
            TypeShape::Struct(id) => Some(id),
            _ => None,
        };
        let (base, separator) = match expression.shape {
            Shape::Index { base: pointer, .. } if self.is_pointer_value(pointer) => (pointer, "->"),
            _ => (base, "."),
        };
        let found = id.and_then(|id| self.text.structure(id).members.get(member as usize));
        let name = found.map_or("", |member| member.name.as_str());
        match expression.shape {
            Shape::Global(global) if matches!(self.global(global).kind, GlobalKind::OpenBlock) => {
                Written::postfix(name.to_owned())
            }
            _ => {
                let text = format!("{}{separator}{name}", self.base(base));
                // An array without a length is the pointer to its first element.
                let is_array = |member: &Member| {
                    matches!(self.text.types[member.ty], TypeShape::Array { length: Length::Runtime, .. })
                };
                match found.is_some_and(|member| self.points_to_memory(member) && !is_array(member)) {
                    true => Written::new(format!("*{text}"), Level::Prefix),
                    false => Written::postfix(text),
                }
            }
        }
    }

    fn unary(&self, operator: Unary, operand: Expr) -> Written {
        let radix = if operator == Unary::Complement { Radix::Mask } else { Radix::Decimal };
        Self::prefixed(self.written(operand, radix), operator)
    }

    fn binary(&self, operator: Binary, left: Expr, right: Expr) -> Written {
        let radix = radix(operator);
        let is_vector =
            |operand: Expr| matches!(self.text.types[self.text.expressions[operand].ty], TypeShape::Vector { .. });
        let (left, right) = match (self.scalar_of_splat(left), self.scalar_of_splat(right)) {
            (_, Some(scalar)) if is_vector(left) => (left, scalar),
            (Some(scalar), None) if is_vector(right) => (scalar, right),
            _ => (left, right),
        };
        let left = Self::side(self.written(left, radix), operator, Side::Left);
        let right = Self::side(self.written(right, radix), operator, Side::Right);
        let text = format!("{left} {}{}{right}", operator.symbol(), break_behind(operator.level()));
        Written { text, level: operator.level(), operator: Some(operator) }
    }

    /// The number that all components of a vector have, which operators of HLSL take in its place.
    fn scalar_of_splat(&self, operand: Expr) -> Option<Expr> {
        let Expression { shape: Shape::Construct(parts), ty, .. } = &self.text.expressions[operand] else {
            return None;
        };
        let types = &self.text.types;
        let is_vector = matches!(types[*ty], TypeShape::Vector { .. });
        let &[part] = &parts[..] else { return None };
        let is_scalar = matches!(types[self.text.expressions[part].ty], TypeShape::Scalar(_));
        (self.language == Language::Hlsl && is_vector && is_scalar).then_some(part)
    }

    /// WGSL has a function for it.
    fn choice(&self, condition: Expr, accept: Expr, reject: Expr) -> Written {
        if self.is_wgsl() {
            let arguments = [reject, accept, condition].into_iter().collect();
            return Written::postfix(format!("select({})", self.arguments(&arguments)));
        }
        let condition = self.written(condition, Radix::Decimal).at_least(Level::Or);
        let accept = self.written(accept, Radix::Decimal).at_least(Level::Or);
        let space = break_behind(Level::Choice);
        let text = format!("{condition} ?{space}{accept} :{space}{}", self.expression(reject));
        Written::new(text, Level::Choice)
    }

    /// A value from its parts. HLSL has braces for composites. Its constructors take as many numbers as there are components, so a literal and a
    /// name are repeated, and any other number is a vector of its component, or cast if its
    /// type is another one.
    fn construct(&self, expr: Expr, arguments: &Arguments) -> Written {
        let ty = self.text.expressions[expr].ty;
        let name = self.type_name(ty);
        let types = &self.text.types;
        if let (TypeShape::Pointer { to, .. }, &[place]) = (types[ty], &arguments[..]) {
            return self.pointer_to(place, to, &name);
        }
        let is_composite = match types[ty] {
            TypeShape::Struct(_) | TypeShape::Array { .. } => true,
            TypeShape::Ray => self.language == Language::Hlsl,
            TypeShape::StoredMatrix(matrix) => matrix.storage == Storage::Packed,
            _ => false,
        };
        let parts = self.arguments(arguments);
        let is_vector = matches!(types[ty], TypeShape::Vector { .. });
        let is_short = |part: Expr| {
            matches!(self.text.expressions[part].shape, Shape::Literal(_) | Shape::Local(_) | Shape::Global(_))
        };
        let is_splat = |part: Expr| matches!(types[self.text.expressions[part].ty], TypeShape::Scalar(_));
        match (self.language, &arguments[..]) {
            (Language::Hlsl, []) if matches!(types[ty], TypeShape::Vector { .. }) => {
                Written::postfix(format!("{name}({})", repeated(self.zero(ty), types.size(ty))))
            }
            (Language::Hlsl, []) => Written::new(format!("({name})0"), Level::Prefix),
            (Language::Hlsl, _) if is_composite => Written::postfix(format!("{{ {parts} }}")),
            (Language::Hlsl, &[part]) if is_vector && is_splat(part) && is_short(part) => {
                Written::postfix(format!("{name}({})", repeated(parts, types.size(ty))))
            }
            (Language::Hlsl, &[part])
                if is_vector && is_splat(part) && types.scalar(self.text.expressions[part].ty) == types.scalar(ty) =>
            {
                self.repeated_component(part, types.size(ty))
            }
            (Language::Hlsl, &[part]) if types.size(ty) > 1 && is_splat(part) => {
                Written::new(format!("({name}){}", self.base(part)), Level::Prefix)
            }
            (Language::Msl, _) if is_composite => Written::postfix(format!("{name}{{{parts}}}")),
            _ => Written::postfix(format!("{name}({parts})")),
        }
    }

    /// The address of a place of MSL as a pointer to a type, or the pointer that a number is. A pointer to the first element stands for an array
    /// without a length.
    fn pointer_to(&self, place: Expr, to: Type, name: &str) -> Written {
        let expression = &self.text.expressions[place];
        if let TypeShape::Scalar(_) = self.text.types[expression.ty] {
            return Written::postfix(format!("reinterpret_cast<{name}>({})", self.expression(place)));
        }
        let is_first = matches!(self.text.types[expression.ty], TypeShape::Array { length: Length::Runtime, .. });
        let address = match expression.shape {
            Shape::Index { base, .. } if self.is_pointer_value(base) => self.base(base),
            _ if is_first => self.base(place),
            _ => format!("&{}", self.base(place)),
        };
        match expression.ty == to {
            true => Written::new(address, Level::Prefix),
            false => Written::new(format!("({name}){address}"), Level::Prefix),
        }
    }

    /// A vector of one number in HLSL: its component, several times.
    fn repeated_component(&self, part: Expr, count: u8) -> Written {
        let (base, letter) = match self.text.expressions[part].shape {
            Shape::Swizzle { base, swizzle } => (base, letters(&swizzle)),
            _ => (part, "x".to_owned()),
        };
        Written::postfix(format!("{}.{}", self.base(base), letter.repeat(usize::from(count))))
    }

    /// The literal of the components of a vector of zeros.
    fn zero(&self, ty: Type) -> String {
        let scalar = self.text.types.scalar(ty).unwrap_or(Scalar::INT);
        let literal = match scalar.kind {
            ScalarKind::Bool => Literal::Bool(false),
            ScalarKind::Int => Literal::Int(0),
            ScalarKind::Uint => Literal::Uint(0),
            ScalarKind::Float => Literal::Float(0.0),
        };
        self.literal(literal, scalar, Radix::Decimal)
    }

    fn call(&self, expr: Expr, callee: &Callee, arguments: &Arguments) -> Written {
        let name = match *callee {
            Callee::Function(id) => return self.call_of(id, arguments),
            Callee::Intrinsic(name) => name,
        };
        // The address of a place, or a cast of it.
        if let (true, &[place]) = (name.ends_with('&'), &arguments[..]) {
            return Written::new(format!("{name}{}", self.base(place)), Level::Prefix);
        }
        let takes_place = match self.language {
            Language::Wgsl => name.starts_with("atomic") || matches!(name, "arrayLength" | "workgroupUniformLoad"),
            Language::Glsl | Language::Hlsl | Language::Msl => false,
        };
        let result = match (self.language, name) {
            (Language::Wgsl, "bitcast") | (Language::Msl, "as_type") => {
                format!("<{}>", self.type_name(self.text.expressions[expr].ty))
            }
            _ => String::new(),
        };
        let mut parts = self.each_argument(arguments);
        if let (true, Some(first), Some(place)) = (takes_place, parts.first_mut(), arguments.first()) {
            *first = self.address(*place);
        }
        Written::postfix(format!("{name}{result}({})", parts.join(SEPARATOR)))
    }

    /// A call of a function of the text.
    fn call_of(&self, id: FunctionId, arguments: &Arguments) -> Written {
        let called = &self.text.functions[id.0 as usize];
        let mut parts = self.each_argument(arguments);
        if self.is_wgsl() {
            for ((part, argument), parameter) in parts.iter_mut().zip(arguments).zip(&called.parameters) {
                if parameter.is_written {
                    *part = self.address(*argument);
                }
            }
        }
        Written::postfix(format!("{}({})", called.name, parts.join(SEPARATOR)))
    }

    /// The pointer to a place.
    fn address(&self, place: Expr) -> String {
        match self.text.expressions[place].shape {
            Shape::Local(local) if self.is_pointer(local) => self.local_name(local),
            _ => format!("&{}", self.base(place)),
        }
    }

    pub(super) fn arguments(&self, arguments: &Arguments) -> String {
        self.each_argument(arguments).join(SEPARATOR)
    }

    /// Arguments. WGSL reads `a < b, c > d` as a list of a template.
    pub(super) fn each_argument(&self, arguments: &Arguments) -> Vec<String> {
        let last = arguments.len().saturating_sub(1);
        let each = arguments.iter().enumerate().map(|(position, argument)| {
            let written = self.written(*argument, Radix::Decimal);
            let least = if self.is_wgsl() && position < last { Level::Shift } else { Level::Choice };
            written.at_least(least)
        });
        each.collect()
    }
}

/// A text for each component, as arguments.
fn repeated(text: String, count: u8) -> String {
    vec![text; usize::from(count)].join(SEPARATOR)
}

/// Between arguments.
const SEPARATOR: &str = ",\u{b}";

/// How integers are written that are operands of an operator.
fn radix(operator: Binary) -> Radix {
    match operator.level() {
        Level::BitAnd | Level::BitXor | Level::BitOr | Level::Shift => Radix::Mask,
        _ => Radix::Decimal,
    }
}

fn letters(swizzle: &Swizzle) -> String {
    let letter = |component: &u8| char::from(b"xyzw"[usize::from(*component & 3)]);
    swizzle.components().iter().map(letter).collect()
}
