//! Expressions that a compiler of WGSL evaluates, and refuses: a division by the constant 0, a shift by 32, a constant sum that overflows.
//!
//! ```text
//! x / 0u        ⇒      var operand = 0u; x / operand
//! ```
//!
//! The module may have them in code that is not executed, or with a meaning: integers of SPIR-V wrap. A variable is not evaluated, so one of the
//! operands becomes one. This comes after the rules, which put constants where they are used. Linear in the text.

use crate::syntax::{
    Binary, Block, Callee, Effects, Expr, Expressions, Global, GlobalKind, Length, Literal, Local, LocalId, LocalKind,
    Scalar, ScalarKind, Shape, Statement, StatementKind, Text, TypeShape, Types, Unary,
};

/// The least and the greatest number of the components of a constant.
#[derive(Clone, Copy)]
struct Range {
    least: i128,
    greatest: i128,
}

/// Replaces constants that a compiler would evaluate and refuse by variables.
pub(crate) fn hide(text: &mut Text) {
    let Text { functions, expressions, types, globals, .. } = text;
    for function in functions {
        let locals = &mut function.locals;
        Hiding { expressions, types, globals, locals }.block(&mut function.body);
    }
}

struct Hiding<'a> {
    expressions: &'a mut Expressions,
    types: &'a Types,
    globals: &'a [Global],
    locals: &'a mut Vec<Local>,
}

impl Hiding<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut result = Block::with_capacity(block.len());
        for mut statement in block.drain(..) {
            for expr in statement.expressions() {
                self.expression(expr, &mut result);
            }
            if let StatementKind::Loop(found) = &statement.kind
                && found.is_for
            {
                for expr in found.continuing.iter().flat_map(Statement::expressions) {
                    self.expression(expr, &mut result);
                }
            }
            self.blocks(&mut statement);
            result.push(statement);
        }
        *block = result;
    }

    fn blocks(&mut self, statement: &mut Statement) {
        match &mut statement.kind {
            // What follows an iteration of a `for` has no declarations.
            StatementKind::Loop(found) if found.is_for => self.block(&mut found.body),
            _ => statement.blocks_mut().into_iter().for_each(|inner| self.block(inner)),
        }
    }

    /// Hides the constants in an expression. The depth is that of the expression.
    fn expression(&mut self, expr: Expr, before: &mut Block) {
        for part in self.expressions[expr].shape.parts() {
            self.expression(part, before);
        }
        if let Some(operand) = self.refused_operand(expr) {
            self.hide(operand, before);
        }
    }

    /// Gives a constant a variable, declared before the statement.
    fn hide(&mut self, operand: Expr, before: &mut Block) {
        let value = self.expressions.copy(operand);
        let ty = self.expressions[operand].ty;
        let local = Local { name: Some("operand".to_owned()), ty, kind: LocalKind::Variable, prefix: "" };
        self.locals.push(local);
        let local = LocalId(self.locals.len() as u32 - 1);
        before.push(StatementKind::Declare { local, value: Some(value) }.into());
        self.expressions.replace(operand, Shape::Local(local), Effects::PURE);
    }

    /// The operand that has to be hidden, if a compiler may refuse what it evaluates.
    fn refused_operand(&self, expr: Expr) -> Option<Expr> {
        match &self.expressions[expr].shape {
            Shape::Binary { operator, left, right } => {
                self.is_refused(*operator, [*left, *right], expr).then_some(*right)
            }
            Shape::Unary { operator: Unary::Negate, operand } => {
                let is_literal = self.expressions.literal(*operand).is_some();
                let least = self.range(*operand).map_or(0, |range| range.least);
                let overflows = self.is_constant(*operand) && (!is_literal || least == i128::from(i32::MIN));
                (overflows && !self.is_float(*operand)).then_some(*operand)
            }
            Shape::Index { base, index } => self.is_outside(*base, *index).then_some(*index),
            Shape::Construct(arguments) => self.refused_conversion(expr, arguments),
            Shape::Call { callee: Callee::Intrinsic(name), arguments } => self.refused_argument(name, arguments),
            _ => None,
        }
    }

    fn is_refused(&self, operator: Binary, [left, right]: [Expr; 2], expr: Expr) -> bool {
        if !self.is_constant(right) {
            return false;
        }
        let both = self.is_constant(left);
        let (one, other) = (self.range(left), self.range(right));
        let is_float = self.is_float(right);
        match operator {
            Binary::Divide | Binary::Remainder if !is_float => {
                let has_zero = other.is_none_or(|range| range.least <= 0 && range.greatest >= 0);
                has_zero || both && other.is_none_or(|range| range.least <= -1 && range.greatest >= -1)
            }
            Binary::ShiftLeft | Binary::ShiftRight => {
                let width = self.types.scalar(self.expressions[left].ty).map_or(32, |scalar| scalar.width);
                both && operator == Binary::ShiftLeft
                    || other.is_none_or(|range| range.least < 0 || range.greatest >= i128::from(width))
            }
            Binary::Add | Binary::Subtract | Binary::Multiply if both && !is_float => {
                let bounds = self.bounds(expr);
                let ends = |of: fn(i128, i128) -> i128| -> Option<[i128; 4]> {
                    let (one, other) = (one?, other?);
                    Some([
                        of(one.least, other.least),
                        of(one.least, other.greatest),
                        of(one.greatest, other.least),
                        of(one.greatest, other.greatest),
                    ])
                };
                let ends = match operator {
                    Binary::Add => ends(|one, other| one + other),
                    Binary::Subtract => ends(|one, other| one - other),
                    _ => ends(|one, other| one * other),
                };
                ends.is_none_or(|ends| ends.iter().any(|end| *end < bounds.least || *end > bounds.greatest))
            }
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Remainder => both,
            _ => false,
        }
    }

    fn bounds(&self, expr: Expr) -> Range {
        match self.types.scalar(self.expressions[expr].ty) {
            Some(Scalar { kind: ScalarKind::Uint, .. }) => Range { least: 0, greatest: i128::from(u32::MAX) },
            _ => Range { least: i128::from(i32::MIN), greatest: i128::from(i32::MAX) },
        }
    }

    /// Returns whether a constant index is outside of an array, a matrix or a vector.
    fn is_outside(&self, base: Expr, index: Expr) -> bool {
        let count = match self.types[self.expressions[base].ty] {
            TypeShape::Array { length: Length::Constant(count), .. } => i128::from(count),
            TypeShape::Vector { size, .. } | TypeShape::Packed { size, .. } => i128::from(size),
            TypeShape::Matrix { columns, .. } => i128::from(columns),
            TypeShape::StoredMatrix(matrix) => i128::from(matrix.vectors()),
            _ => i128::from(i32::MAX),
        };
        self.is_constant(index) && self.range(index).is_none_or(|range| range.least < 0 || range.greatest >= count)
    }

    /// A constant that is converted to a type that may not have it.
    fn refused_conversion(&self, expr: Expr, arguments: &[Expr]) -> Option<Expr> {
        let &[argument] = arguments else { return None };
        let scalar = |expr: Expr| self.types.scalar(self.expressions[expr].ty);
        let (from, to) = (scalar(argument)?, scalar(expr)?);
        let is_conversion = from != to && to.kind != ScalarKind::Bool && from.kind != ScalarKind::Bool;
        (is_conversion && self.is_constant(argument)).then_some(argument)
    }

    /// An argument of a function that a compiler may evaluate.
    fn refused_argument(&self, name: &str, arguments: &[Expr]) -> Option<Expr> {
        let is_sampling = name.starts_with("texture") || name.starts_with("atomic") || name.starts_with("subgroup");
        if is_sampling || name.starts_with("quad") || name == "select" {
            return None;
        }
        let constant = |argument: &&Expr| self.is_constant(**argument);
        let last = arguments.last().copied()?;
        let several = match name {
            // The bounds, or the offset and the count, are checked alone.
            "clamp" | "smoothstep" | "extractBits" => {
                arguments.iter().skip(usize::from(name != "smoothstep")).take(2).all(|one| constant(&one))
            }
            "insertBits" => arguments.iter().skip(2).all(|one| constant(&one)),
            "ldexp" => self.is_constant(last),
            _ => false,
        };
        let is_ordered = match (name, arguments) {
            ("clamp", &[_, low, high]) => self.are_ordered(low, high),
            ("smoothstep", &[low, high, _]) => {
                self.number(low).zip(self.number(high)).is_some_and(|(low, high)| low < high)
            }
            ("extractBits", &[_, offset, count]) | ("insertBits", &[_, _, offset, count]) => {
                self.end_within(offset, count)
            }
            _ => false,
        };
        let all = !arguments.is_empty() && arguments.iter().all(|one| constant(&one));
        if all {
            return Some(last);
        }
        (several && !is_ordered).then_some(if name == "smoothstep" { arguments[0] } else { last })
    }

    fn are_ordered(&self, low: Expr, high: Expr) -> bool {
        match (self.range(low), self.range(high)) {
            (Some(low), Some(high)) => low.greatest <= high.least,
            _ => match (self.number(low), self.number(high)) {
                (Some(low), Some(high)) => low <= high,
                _ => false,
            },
        }
    }

    fn end_within(&self, offset: Expr, count: Expr) -> bool {
        match (self.range(offset), self.range(count)) {
            (Some(offset), Some(count)) => offset.greatest + count.greatest <= 32,
            _ => false,
        }
    }

    /// The number that all components of a constant have.
    fn number(&self, expr: Expr) -> Option<f64> {
        match &self.expressions[expr].shape {
            Shape::Literal(Literal::Float(value)) => Some(*value),
            Shape::Construct(parts) => match parts[..] {
                [part] => self.number(part),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_float(&self, expr: Expr) -> bool {
        self.types.scalar(self.expressions[expr].ty).is_some_and(Scalar::is_float)
    }

    /// Returns whether a compiler knows the value of an expression.
    fn is_constant(&self, expr: Expr) -> bool {
        match &self.expressions[expr].shape {
            Shape::Literal(_) => true,
            Shape::Local(_) | Shape::Method { .. } => false,
            Shape::Global(global) => {
                let global = &self.globals[global.0 as usize];
                matches!(global.kind, GlobalKind::Constant(_)) && !global.prefix.contains("override")
            }
            Shape::Call { callee: Callee::Function(_), .. } => false,
            Shape::Call { callee: Callee::Intrinsic(name), arguments } => {
                let is_computed = !arguments.is_empty()
                    && !["atomic", "subgroup", "quad", "texture"].iter().any(|prefix| name.starts_with(prefix));
                is_computed && arguments.iter().all(|&part| self.is_constant(part))
            }
            shape => shape.parts().iter().all(|&part| self.is_constant(part)),
        }
    }

    /// The integers that the components of a constant may be.
    fn range(&self, expr: Expr) -> Option<Range> {
        let join = |one: Range, other: Range| Range {
            least: one.least.min(other.least),
            greatest: one.greatest.max(other.greatest),
        };
        match &self.expressions[expr].shape {
            Shape::Literal(Literal::Int(value)) => {
                Some(Range { least: i128::from(*value), greatest: i128::from(*value) })
            }
            Shape::Literal(Literal::Uint(value)) => {
                Some(Range { least: i128::from(*value), greatest: i128::from(*value) })
            }
            Shape::Construct(parts) => {
                let ranges: Option<Vec<Range>> = parts.iter().map(|&part| self.range(part)).collect();
                ranges?.into_iter().reduce(join)
            }
            _ => None,
        }
    }
}
