//! Integers of 8 bits, which the language does not have, as integers of 32 bits.
//!
//! ```text
//! a + b      ⇒      a + b & 0xffu      (a + b << 24) >> 24
//! ```
//!
//! In the tree they are numbers of 8 bits, so that rules take them as such. Their values are in the range of 8 bits: what may leave it is brought
//! back, without a sign by a mask, with one by two shifts. A conversion to 32 bits is the number itself. This comes after the rules. Linear in
//! the text.

use crate::syntax::{
    Binary, Block, Callee, Effects, Expr, Expressions, GlobalKind, Literal, Scalar, ScalarKind, Shape, StatementKind,
    Text, Type, Types, Unary,
};

/// The functions whose result is in the range of their arguments.
const KEEP_RANGE: [&str; 12] = [
    "min",
    "max",
    "clamp",
    "sign",
    "WaveActiveMin",
    "WaveActiveMax",
    "WaveReadLaneAt",
    "WaveReadLaneFirst",
    "QuadReadAcrossX",
    "QuadReadAcrossY",
    "QuadReadAcrossDiagonal",
    "QuadReadLaneAt",
];

/// The parts of a text that the numbers of expressions depend on.
struct Numbers<'a> {
    expressions: &'a mut Expressions,
    types: &'a mut Types,
}

/// Keeps integers of 8 bits in their range.
pub(crate) fn keep_narrow(text: &mut Text) {
    let mut numbers = Numbers { expressions: &mut text.expressions, types: &mut text.types };
    for global in &text.globals {
        if let GlobalKind::Constant(value) | GlobalKind::Variable(Some(value)) = global.kind {
            numbers.settle(value);
        }
    }
    for function in &mut text.functions {
        let mut blocks: Vec<&mut Block> = vec![&mut function.body];
        while let Some(block) = blocks.pop() {
            for statement in block {
                numbers.without_operator(&mut statement.kind);
                statement.expressions().into_iter().for_each(|expr| numbers.settle(expr));
                blocks.extend(statement.blocks_mut());
            }
        }
    }
}

impl Numbers<'_> {
    /// The numbers of 8 bits that a type is made of, and how many there are.
    fn narrow(&self, ty: Type) -> Option<(Scalar, u8)> {
        let scalar = self.types.scalar(ty).filter(|scalar| scalar.is_integer() && scalar.width == 8)?;
        self.types.is_numbers(ty).then(|| (scalar, self.types.size(ty)))
    }

    /// The type with 32 bits in place of 8.
    fn wide(&mut self, (scalar, size): (Scalar, u8)) -> Type {
        self.types.numbers(Scalar { width: 32, ..scalar }, size)
    }

    /// Makes `x += y` and `x++` assignments of what they compute.
    fn without_operator(&mut self, kind: &mut StatementKind) {
        let (target, operator, operand) = match *kind {
            StatementKind::Assign { target, operator: Some(operator), value } => (target, operator, Some(value)),
            StatementKind::Step { target, operator } => (target, operator, None),
            _ => return,
        };
        let ty = self.expressions[target].ty;
        let Some((scalar, _)) = self.narrow(ty) else { return };
        let operand = operand.unwrap_or_else(|| {
            let one = if scalar.kind == ScalarKind::Int { Literal::Int(1) } else { Literal::Uint(1) };
            self.expressions.add(Shape::Literal(one), ty, Effects::PURE)
        });
        let left = self.expressions.copy(target);
        let value = self.expressions.add(Shape::Binary { operator, left, right: operand }, ty, Effects::PURE);
        *kind = StatementKind::Assign { target, operator: None, value };
    }

    /// Brings an expression and its parts into the range of their types. The depth is that of the expression.
    fn settle(&mut self, expr: Expr) {
        for part in self.expressions[expr].shape.parts() {
            self.settle(part);
        }
        let found = self.expressions[expr].clone();
        if let Some(operand) = self.same_numbers(expr) {
            let operand = self.expressions[operand].clone();
            self.expressions.replace(expr, operand.shape, operand.effects);
        }
        let Some(narrow) = self.narrow(found.ty).filter(|_| self.may_leave(&found.shape, found.ty)) else { return };
        let wide = self.wide(narrow);
        let (shape, effects) = (self.expressions[expr].shape.clone(), self.expressions[expr].effects);
        let whole = self.expressions.add(shape, wide, effects);
        let shape = match narrow.0.kind {
            ScalarKind::Int => {
                let word = self.types.numbers(Scalar::INT, 1);
                let [up, down] =
                    [(); 2].map(|()| self.expressions.add(Shape::Literal(Literal::Int(24)), word, Effects::PURE));
                let left = Shape::Binary { operator: Binary::ShiftLeft, left: whole, right: up };
                let left = self.expressions.add(left, wide, Effects::PURE);
                Shape::Binary { operator: Binary::ShiftRight, left, right: down }
            }
            _ => {
                let word = self.types.numbers(Scalar::UINT, 1);
                let right = self.expressions.add(Shape::Literal(Literal::Uint(0xff)), word, Effects::PURE);
                Shape::Binary { operator: Binary::BitAnd, left: whole, right }
            }
        };
        self.expressions.replace(expr, shape, Effects::PURE);
    }

    /// The operand of a conversion between numbers of 8 and 32 bits of one sign, which are of one type in the text.
    fn same_numbers(&self, expr: Expr) -> Option<Expr> {
        let Shape::Construct(parts) = &self.expressions[expr].shape else { return None };
        let &[operand] = &parts[..] else { return None };
        let of = |expr: Expr| {
            let ty = self.expressions[expr].ty;
            let scalar = self.types.scalar(ty).filter(|scalar| self.types.is_numbers(ty) && scalar.is_integer())?;
            matches!(scalar.width, 8 | 32).then(|| (scalar.kind, self.types.size(ty)))
        };
        let is_literal = self.expressions.literal(operand).is_some();
        (!is_literal && of(expr)? == of(operand)?).then_some(operand)
    }

    /// Returns whether a computation with a result of 8 bits may leave their range.
    fn may_leave(&self, shape: &Shape, ty: Type) -> bool {
        let is_signed = self.types.scalar(ty).is_some_and(|scalar| scalar.kind == ScalarKind::Int);
        match shape {
            Shape::Unary { operator, .. } => *operator == Unary::Negate || !is_signed,
            Shape::Binary { operator, .. } => {
                matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::ShiftLeft)
            }
            Shape::Construct(parts) => parts.iter().any(|&part| {
                let of_part = self.types.scalar(self.expressions[part].ty);
                let is_in_range = match self.expressions.literal(part) {
                    Some(Literal::Int(number)) if is_signed => i8::try_from(number).is_ok(),
                    Some(Literal::Uint(number)) if is_signed => i8::try_from(number).is_ok(),
                    Some(Literal::Int(number)) => u8::try_from(number).is_ok(),
                    Some(Literal::Uint(number)) => u8::try_from(number).is_ok(),
                    _ => false,
                };
                !is_in_range && of_part != self.types.scalar(ty) && of_part != Some(Scalar::BOOL)
            }),
            Shape::Call { callee: Callee::Intrinsic(name), .. } => !KEEP_RANGE.contains(name),
            Shape::Method { .. } => true,
            _ => false,
        }
    }
}
