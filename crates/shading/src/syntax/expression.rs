//! Expressions.

use std::ops::{BitOr, BitOrAssign, Index, IndexMut};

use smallvec::SmallVec;

use super::{Binary, FunctionId, GlobalId, LocalId, Type, Unary};

/// An expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Expr(u32);

/// The value of a literal. Its type is that of the expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Literal {
    Bool(bool),
    /// An integer of either signedness; the bits above its width repeat its sign.
    Int(i64),
    Uint(u64),
    /// A floating-point number of any width, which is neither infinite nor NaN.
    Float(f64),
}

/// The function of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Callee {
    /// A function of the text.
    Function(FunctionId),
    /// A function of the language.
    Intrinsic(&'static str),
}

/// Components of a vector, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Swizzle {
    components: [u8; 4],
    count: u8,
}

impl Swizzle {
    /// The components of these numbers; at most four.
    pub(crate) fn new(numbers: &[u8]) -> Swizzle {
        let mut components = [0; 4];
        components[..numbers.len()].copy_from_slice(numbers);
        Swizzle { components, count: numbers.len() as u8 }
    }

    /// The numbers of the components.
    pub(crate) fn components(&self) -> &[u8] {
        &self.components[..usize::from(self.count)]
    }
}

/// What an expression depends on and what it does, besides reading variables of its function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Effects(u8);

impl Effects {
    /// A value that depends on its operands alone.
    pub(crate) const PURE: Effects = Effects(0);
    /// It reads memory that something may write.
    pub(crate) const READS: Effects = Effects(1);
    /// It writes memory, or has an effect in another way.
    pub(crate) const WRITES: Effects = Effects(2);
    /// It compares or exchanges values of lanes, so the lanes that execute it matter.
    pub(crate) const CONVERGENT: Effects = Effects(4);
    /// The statement that computes it has to be kept, because the language says something of the statement.
    pub(crate) const PINNED: Effects = Effects(8);

    /// The effects of both.
    pub(crate) const fn with(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    /// Returns whether it has all effects of another one.
    pub(crate) const fn has(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Effects {
    type Output = Effects;

    fn bitor(self, other: Effects) -> Effects {
        self.with(other)
    }
}

impl BitOrAssign for Effects {
    fn bitor_assign(&mut self, other: Effects) {
        self.0 |= other.0;
    }
}

/// Operands of a call or a constructor.
pub(crate) type Arguments = SmallVec<[Expr; 4]>;

/// An expression with its parts.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Shape {
    Literal(Literal),
    Local(LocalId),
    Global(GlobalId),
    /// A member of a struct.
    Member {
        base: Expr,
        member: u32,
    },
    /// An element of an array, a column of a matrix, a component of a vector; element 0 of a pointer is what it points to.
    Index {
        base: Expr,
        index: Expr,
    },
    Swizzle {
        base: Expr,
        swizzle: Swizzle,
    },
    Unary {
        operator: Unary,
        operand: Expr,
    },
    Binary {
        operator: Binary,
        left: Expr,
        right: Expr,
    },
    /// `condition ? accept : reject`.
    Choice {
        condition: Expr,
        accept: Expr,
        reject: Expr,
    },
    /// The type with its parts in parentheses: `vec3(x, y, z)`, `int(u)`.
    Construct(Arguments),
    Call {
        callee: Callee,
        arguments: Arguments,
    },
    /// `object.name(arguments)`.
    Method {
        object: Expr,
        name: &'static str,
        arguments: Arguments,
    },
}

/// An expression with its type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expression {
    pub(crate) shape: Shape,
    pub(crate) ty: Type,
    pub(crate) effects: Effects,
    /// The number of operators inside one another.
    pub(crate) depth: u16,
}

/// The expressions of a text.
#[derive(Default, Debug)]
pub(crate) struct Expressions {
    all: Vec<Expression>,
}

impl Index<Expr> for Expressions {
    type Output = Expression;

    fn index(&self, expr: Expr) -> &Expression {
        &self.all[expr.0 as usize]
    }
}

impl IndexMut<Expr> for Expressions {
    fn index_mut(&mut self, expr: Expr) -> &mut Expression {
        &mut self.all[expr.0 as usize]
    }
}

impl Expressions {
    /// Adds an expression, with effects of its own besides those of its parts.
    pub(crate) fn add(&mut self, shape: Shape, ty: Type, own: Effects) -> Expr {
        let mut added = Expression { shape, ty, effects: own, depth: 0 };
        self.summarize(&mut added, own);
        self.all.push(added);
        Expr(self.all.len() as u32 - 1)
    }

    /// Replaces the shape of an expression, with effects of its own besides those of its parts.
    pub(crate) fn replace(&mut self, expr: Expr, shape: Shape, own: Effects) {
        let mut changed = Expression { shape, ..self[expr].clone() };
        self.summarize(&mut changed, own);
        self[expr] = changed;
    }

    /// Computes depth and effects of an expression again after its parts change. Its own effects stay.
    pub(crate) fn refresh(&mut self, expr: Expr) {
        let mut changed = self[expr].clone();
        self.summarize(&mut changed, self[expr].effects);
        self[expr] = changed;
    }

    /// All expressions, to change them in place.
    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut Expression> {
        self.all.iter_mut()
    }

    /// Gives an expression effects of its own.
    pub(crate) fn set_effects(&mut self, expr: Expr, own: Effects) {
        self[expr].effects |= own;
    }

    fn summarize(&self, expression: &mut Expression, own: Effects) {
        expression.effects = own;
        let mut deepest = None;
        for part in expression.shape.parts() {
            expression.effects |= self[part].effects;
            deepest = deepest.max(Some(self[part].depth));
        }
        expression.depth = deepest.map_or(0, |depth| depth.saturating_add(1));
    }

    /// The literal of an expression, if it is one.
    pub(crate) fn literal(&self, expr: Expr) -> Option<Literal> {
        match self[expr].shape {
            Shape::Literal(literal) => Some(literal),
            _ => None,
        }
    }

    /// The variable at the root of a place: `v` for `v.a[i].x`.
    pub(crate) fn root(&self, mut place: Expr) -> Expr {
        loop {
            match self[place].shape {
                Shape::Member { base, .. } | Shape::Index { base, .. } | Shape::Swizzle { base, .. } => place = base,
                _ => return place,
            }
        }
    }

    /// The variable of the function at the root of a place.
    pub(crate) fn root_local(&self, place: Expr) -> Option<LocalId> {
        match self[self.root(place)].shape {
            Shape::Local(local) => Some(local),
            _ => None,
        }
    }

    /// Calls a function for an expression and all its parts.
    pub(crate) fn walk(&self, expr: Expr, visit: &mut dyn FnMut(Expr)) {
        visit(expr);
        for part in self[expr].shape.parts() {
            self.walk(part, visit);
        }
    }

    /// Copies an expression with all its parts.
    pub(crate) fn copy(&mut self, expr: Expr) -> Expr {
        let mut copied = self[expr].clone();
        for part in copied.shape.parts_mut() {
            *part = self.copy(*part);
        }
        self.all.push(copied);
        Expr(self.all.len() as u32 - 1)
    }

    /// Returns whether two expressions are written alike.
    pub(crate) fn are_alike(&self, one: Expr, other: Expr) -> bool {
        let (one, other) = (&self[one], &self[other]);
        if one.ty != other.ty || std::mem::discriminant(&one.shape) != std::mem::discriminant(&other.shape) {
            return false;
        }
        let mut own = [one.shape.clone(), other.shape.clone()];
        let [left, right] = own.each_mut().map(Shape::parts_mut);
        if left.len() != right.len() || left.iter().zip(&right).any(|(one, other)| !self.are_alike(**one, **other)) {
            return false;
        }
        left.into_iter().zip(right).for_each(|(one, other)| *one = *other);
        own[0] == own[1]
    }
}

impl Shape {
    /// The operands, in the order of the text.
    pub(crate) fn parts(&self) -> Arguments {
        match self {
            Shape::Literal(_) | Shape::Local(_) | Shape::Global(_) => Arguments::new(),
            Shape::Member { base, .. } | Shape::Swizzle { base, .. } => Arguments::from_slice(&[*base]),
            Shape::Index { base, index } => Arguments::from_slice(&[*base, *index]),
            Shape::Unary { operand, .. } => Arguments::from_slice(&[*operand]),
            Shape::Binary { left, right, .. } => Arguments::from_slice(&[*left, *right]),
            Shape::Choice { condition, accept, reject } => Arguments::from_slice(&[*condition, *accept, *reject]),
            Shape::Construct(arguments) | Shape::Call { arguments, .. } => Arguments::from_slice(arguments),
            Shape::Method { object, arguments, .. } => {
                std::iter::once(*object).chain(arguments.iter().copied()).collect()
            }
        }
    }

    /// The operands, in the order of the text.
    pub(crate) fn parts_mut(&mut self) -> SmallVec<[&mut Expr; 4]> {
        match self {
            Shape::Literal(_) | Shape::Local(_) | Shape::Global(_) => SmallVec::new(),
            Shape::Member { base, .. } | Shape::Swizzle { base, .. } => [base].into_iter().collect(),
            Shape::Index { base, index } => [base, index].into_iter().collect(),
            Shape::Unary { operand, .. } => [operand].into_iter().collect(),
            Shape::Binary { left, right, .. } => [left, right].into_iter().collect(),
            Shape::Choice { condition, accept, reject } => [condition, accept, reject].into_iter().collect(),
            Shape::Construct(arguments) | Shape::Call { arguments, .. } => arguments.iter_mut().collect(),
            Shape::Method { object, arguments, .. } => std::iter::once(object).chain(arguments.iter_mut()).collect(),
        }
    }
}
