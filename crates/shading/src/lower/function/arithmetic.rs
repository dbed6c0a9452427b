//! Arithmetic, comparisons, logic, bits and conversions: instructions that compute numbers from numbers.
//!
//! SPIR-V's integers have a signedness that instructions ignore; operators of the languages have operands of one type, whose signedness
//! selects the operation. So operands are cast to the signedness of the instruction, and the result to that of its type.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::{Body, Numbers};
use crate::syntax::{Binary, Expr, Scalar, ScalarKind, Shape, Type, Unary};
use crate::write::Language;

/// The signedness that an operation gives its integers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// That of the result.
    Result,
    Signed,
    Unsigned,
}

impl Body<'_, '_> {
    /// The expression of an instruction that computes numbers; `None` if it is none of those that all languages spell alike.
    pub(super) fn computation(&mut self, inst: Inst) -> Result<Option<Expr>, Diagnostic> {
        let op = self.source.op(inst);
        let operands: Vec<Inst> = self.source.operands(inst).collect();
        let has_types = operands.iter().all(|&operand| self.source.ty(operand).is_some());
        let has_pointers = operands.iter().any(|&operand| self.source.pointee(operand).is_some());
        if self.source.ty(inst).is_none() || !has_types || has_pointers {
            return Ok(None);
        }
        let ty = self.cx.type_of(inst)?;
        self.compute(op, &operands, ty, inst)
    }

    /// The expression of an op on values, with a result of this type.
    pub(crate) fn compute(
        &mut self,
        op: Op,
        operands: &[Inst],
        ty: Type,
        place: Inst,
    ) -> Result<Option<Expr>, Diagnostic> {
        let values = self.values(operands)?;
        self.compute_values(op, &values, ty, place)
    }

    /// The expression of an op on expressions, with a result of this type.
    pub(crate) fn compute_values(
        &mut self,
        op: Op,
        operands: &[Expr],
        ty: Type,
        place: Inst,
    ) -> Result<Option<Expr>, Diagnostic> {
        Ok(match *operands {
            [operand] => self.unary_op(op, operand, ty, place)?,
            [left, right] => self.binary_op(op, [left, right], ty, place)?,
            _ => None,
        })
    }

    fn unary_op(&mut self, op: Op, operand: Expr, ty: Type, place: Inst) -> Result<Option<Expr>, Diagnostic> {
        Ok(Some(match op {
            Op::FNegate => self.unary(Unary::Negate, operand),
            Op::SNegate => {
                let kind = self.kind_of(ty);
                let operand = self.cast(operand, kind);
                self.integer_prefix(Unary::Negate, operand, place)
            }
            Op::Not => {
                let kind = self.kind_of(ty);
                let operand = self.cast(operand, kind);
                self.integer_prefix(Unary::Complement, operand, place)
            }
            Op::LogicalNot if self.numbers_of(operand).size == 1 => self.unary(Unary::Not, operand),
            Op::ConvertFToU
            | Op::ConvertFToS
            | Op::ConvertSToF
            | Op::ConvertUToF
            | Op::UConvert
            | Op::SConvert
            | Op::FConvert => self.conversion(op, operand, ty),
            Op::Bitcast => return self.bit_cast(operand, ty, place).map(Some),
            _ => return Ok(None),
        }))
    }

    fn binary_op(
        &mut self,
        op: Op,
        [left, right]: [Expr; 2],
        ty: Type,
        place: Inst,
    ) -> Result<Option<Expr>, Diagnostic> {
        if let Some((operator, sign)) = integer_operator(op) {
            let kind = self.sign_kind(sign, ty);
            let (left, right) = (self.cast(left, kind), self.cast(right, kind));
            let applied = self.integer_operation(operator, left, right, place);
            let wanted = self.kind_of(ty);
            return Ok(Some(self.cast(applied, wanted)));
        }
        if let Some(comparison) = Comparison::of(op) {
            return self.compare(comparison, [left, right], ty).map(Some);
        }
        Ok(Some(match op {
            Op::FAdd => self.binary(Binary::Add, left, right, ty),
            Op::FSub => self.binary(Binary::Subtract, left, right, ty),
            Op::FMul | Op::VectorTimesScalar | Op::MatrixTimesScalar => self.binary(Binary::Multiply, left, right, ty),
            Op::FDiv => self.binary(Binary::Divide, left, right, ty),
            Op::ShiftLeftLogical => self.shift(Binary::ShiftLeft, Sign::Result, [left, right], (ty, place)),
            Op::ShiftRightLogical => self.shift(Binary::ShiftRight, Sign::Unsigned, [left, right], (ty, place)),
            Op::ShiftRightArithmetic => self.shift(Binary::ShiftRight, Sign::Signed, [left, right], (ty, place)),
            Op::LogicalAnd if self.numbers_of(left).size == 1 => self.binary(Binary::And, left, right, ty),
            Op::LogicalOr if self.numbers_of(left).size == 1 => self.binary(Binary::Or, left, right, ty),
            Op::LogicalEqual if self.numbers_of(left).size == 1 => self.binary(Binary::Equal, left, right, ty),
            Op::LogicalNotEqual if self.numbers_of(left).size == 1 => self.binary(Binary::NotEqual, left, right, ty),
            Op::SMod => self.signed_modulo(left, right, ty)?,
            _ => return Ok(None),
        }))
    }

    /// The kind of the numbers of a type.
    pub(crate) fn kind_of(&self, ty: Type) -> ScalarKind {
        self.cx.text.types.scalar(ty).map_or(ScalarKind::Float, |scalar| scalar.kind)
    }

    fn sign_kind(&self, sign: Sign, ty: Type) -> ScalarKind {
        match sign {
            Sign::Result => self.kind_of(ty),
            Sign::Signed => ScalarKind::Int,
            Sign::Unsigned => ScalarKind::Uint,
        }
    }

    fn shift(&mut self, operator: Binary, sign: Sign, [left, right]: [Expr; 2], (ty, place): (Type, Inst)) -> Expr {
        let kind = self.sign_kind(sign, ty);
        let left = self.cast(left, kind);
        let right = self.shift_amount(right, left);
        let shifted = self.integer_operation(operator, left, right, place);
        let wanted = self.kind_of(ty);
        self.cast(shifted, wanted)
    }

    /// An operator on integers of one type.
    pub(crate) fn plain_integer(&mut self, operator: Binary, left: Expr, right: Expr, _place: Inst) -> Expr {
        let ty = self.type_of(left);
        self.binary(operator, left, right, ty)
    }

    /// An operator before an integer.
    pub(crate) fn plain_prefix(&mut self, operator: Unary, operand: Expr, _place: Inst) -> Expr {
        self.unary(operator, operand)
    }

    /// The bits to shift by, with the width of the number that is shifted.
    fn shift_amount(&mut self, amount: Expr, shifted: Expr) -> Expr {
        let (amount_of, width) = (self.numbers_of(amount), self.numbers_of(shifted).scalar.width);
        if amount_of.scalar.width == width {
            return amount;
        }
        let ty = self.type_of_numbers(Numbers { scalar: Scalar { width, ..amount_of.scalar }, ..amount_of });
        self.construct([amount], ty)
    }

    /// The remainder with the sign of the divisor: the other remainder plus the divisor, if the signs differ.
    ///
    /// ```text
    /// r = x - y * (x / y);  (r != 0 && (r ^ y) < 0) ? r + y : r
    /// ```
    fn signed_modulo(&mut self, left: Expr, right: Expr, ty: Type) -> Result<Expr, Diagnostic> {
        let (left, right) = (self.cast(left, ScalarKind::Int), self.cast(right, ScalarKind::Int));
        let numbers = self.numbers_of(left);
        if numbers.size > 1 {
            return self.by_component(
                [left, right],
                numbers.scalar.with(ScalarKind::Int),
                ty,
                |body, [left, right], one| body.signed_modulo(left, right, one),
            );
        }
        let own = self.type_of_numbers(numbers);
        let divisor = self.repeated(right);
        let right = self.local(divisor);
        let remainder = self.signed_remainder(left, right, own);
        let remainder = self.repeated(remainder);
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let (read, zero) = (self.local(remainder), self.splat(0, numbers));
        let is_some = self.binary(Binary::NotEqual, read, zero, boolean);
        let (read, right) = (self.local(remainder), self.local(divisor));
        let signs = self.binary(Binary::BitXor, read, right, own);
        let zero = self.splat(0, numbers);
        let differ = self.binary(Binary::Less, signs, zero, boolean);
        let condition = self.binary(Binary::And, is_some, differ, boolean);
        let (read, right) = (self.local(remainder), self.local(divisor));
        // MSL adds numbers of fewer bits as numbers of 32 bits.
        let is_promoted = self.cx.target.language() == Language::Msl && numbers.scalar.width < 32;
        let sum_type = if is_promoted { self.cx.text.types.numbers(Scalar::INT, 1) } else { own };
        let accept = self.binary(Binary::Add, read, right, sum_type);
        let accept = if is_promoted { self.construct([accept], own) } else { accept };
        let reject = self.local(remainder);
        let chosen = self.pure(Shape::Choice { condition, accept, reject }, own);
        let wanted = self.kind_of(ty);
        Ok(self.cast(chosen, wanted))
    }

    /// Computes a vector component by component: each from those of the operands, as a number of this type.
    pub(crate) fn by_component<const N: usize>(
        &mut self,
        operands: [Expr; N],
        scalar: Scalar,
        ty: Type,
        mut compute: impl FnMut(&mut Self, [Expr; N], Type) -> Result<Expr, Diagnostic>,
    ) -> Result<Expr, Diagnostic> {
        let size = self.cx.text.types.size(ty);
        let one = self.cx.text.types.numbers(scalar, 1);
        let names = operands.map(|operand| self.repeated(operand));
        let mut components = Vec::new();
        for component in 0..size {
            let parts = names.map(|name| {
                let whole = self.local(name);
                if self.numbers_of(whole).size == 1 { whole } else { self.swizzle(whole, &[component]) }
            });
            components.push(compute(self, parts, one)?);
        }
        let built = self.cx.text.types.numbers(scalar, size);
        let whole = match components[..] {
            [only] => only,
            _ => self.construct(components, built),
        };
        let wanted = self.kind_of(ty);
        Ok(self.cast(whole, wanted))
    }

    /// A comparison, or logic of conditions, in a language whose operators take vectors by component.
    pub(in crate::lower) fn plain_operation(
        &mut self,
        operator: Binary,
        left: Expr,
        right: Expr,
        ty: Type,
    ) -> Result<Expr, Diagnostic> {
        Ok(self.binary(operator, left, right, ty))
    }

    /// The conjunction or disjunction of conditions in a language whose operators do not take vectors.
    pub(in crate::lower) fn both_by_component(
        &mut self,
        operator: Binary,
        left: Expr,
        right: Expr,
        ty: Type,
    ) -> Result<Expr, Diagnostic> {
        if self.numbers_of(left).size == 1 {
            return Ok(self.binary(operator, left, right, ty));
        }
        self.by_component([left, right], Scalar::BOOL, ty, |body, [left, right], one| {
            Ok(body.binary(operator, left, right, one))
        })
    }

    /// The opposite of a condition in a language whose operator takes vectors.
    pub(in crate::lower) fn plain_not(&mut self, operand: Expr) -> Expr {
        self.unary(Unary::Not, operand)
    }

    /// The choice between vectors in a language whose `?:` does not take them.
    pub(in crate::lower) fn choose_by_component(
        &mut self,
        condition: Expr,
        accept: Expr,
        reject: Expr,
    ) -> Result<Expr, Diagnostic> {
        let (scalar, ty) = (self.numbers_of(accept).scalar, self.type_of(accept));
        self.by_component([condition, accept, reject], scalar, ty, |body, [condition, accept, reject], one| {
            Ok(body.pure(Shape::Choice { condition, accept, reject }, one))
        })
    }

    /// `x - y * trunc(x / y)` or `x - y * floor(x / y)`: a remainder of floats, by the function that rounds the quotient.
    pub(in crate::lower) fn remainder_by(
        &mut self,
        rounding: &'static str,
        operands: [Inst; 2],
        ty: Type,
    ) -> Result<Expr, Diagnostic> {
        let [left, right] = operands.map(|operand| self.value(operand));
        let (left, right) = (left?, right?);
        let (left, right) = (self.repeated(left), self.repeated(right));
        let (dividend, divisor) = (self.local(left), self.local(right));
        let quotient = self.binary(Binary::Divide, dividend, divisor, ty);
        let whole = self.call(rounding, &[quotient], ty);
        let divisor = self.local(right);
        let product = self.binary(Binary::Multiply, divisor, whole, ty);
        let dividend = self.local(left);
        Ok(self.binary(Binary::Subtract, dividend, product, ty))
    }

    /// The outer product in a language without a function for it: its columns are the first vector times a component of the second.
    pub(in crate::lower) fn outer_product(&mut self, operands: [Inst; 2], ty: Type) -> Result<Expr, Diagnostic> {
        let [left, right] = operands.map(|operand| self.value(operand));
        let (left, right) = (left?, right?);
        let (column, count) = (self.type_of(left), self.numbers_of(right).size);
        let (left, right) = (self.repeated(left), self.repeated(right));
        let mut columns = Vec::new();
        for component in 0..count {
            let (vector, factors) = (self.local(left), self.local(right));
            let factor = self.swizzle(factors, &[component]);
            columns.push(self.binary(Binary::Multiply, vector, factor, column));
        }
        Ok(self.construct(columns, ty))
    }

    fn compare(&mut self, comparison: Comparison, [left, right]: [Expr; 2], ty: Type) -> Result<Expr, Diagnostic> {
        let kind = match comparison.sign {
            Some(kind) => kind,
            None => self.numbers_of(left).scalar.kind,
        };
        let (left, right) = (self.cast(left, kind), self.cast(right, kind));
        let compared = match comparison.test {
            Test::Operator(operator) => self.compare_by(operator, left, right, ty)?,
            Test::LessOrGreater => {
                let (left, right) = (self.repeated(left), self.repeated(right));
                let pair = [self.local(left), self.local(right)];
                let less = self.compare_by(Binary::Less, pair[0], pair[1], ty)?;
                let pair = [self.local(left), self.local(right)];
                let greater = self.compare_by(Binary::Greater, pair[0], pair[1], ty)?;
                self.both(Binary::Or, less, greater, ty)?
            }
            Test::Ordered => {
                let (left, right) = (self.repeated(left), self.repeated(right));
                let pair = [self.local(left), self.local(left)];
                let first = self.compare_by(Binary::Equal, pair[0], pair[1], ty)?;
                let pair = [self.local(right), self.local(right)];
                let second = self.compare_by(Binary::Equal, pair[0], pair[1], ty)?;
                self.both(Binary::And, first, second, ty)?
            }
        };
        match comparison.is_negated {
            true => Ok(self.logical_not(compared)),
            false => Ok(compared),
        }
    }
}

/// What a comparison tests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    Operator(Binary),
    /// Both are numbers, and they differ.
    LessOrGreater,
    /// Neither is NaN.
    Ordered,
}

/// A comparison of the module.
#[derive(Clone, Copy)]
struct Comparison {
    test: Test,
    /// True if the result is the opposite of the test.
    is_negated: bool,
    /// The signedness of its integers.
    sign: Option<ScalarKind>,
}

impl Comparison {
    fn of(op: Op) -> Option<Comparison> {
        let signed = Some(ScalarKind::Int);
        let unsigned = Some(ScalarKind::Uint);
        let (test, is_negated, sign) = match op {
            Op::IEqual => (Test::Operator(Binary::Equal), false, None),
            Op::INotEqual => (Test::Operator(Binary::NotEqual), false, None),
            Op::ULessThan => (Test::Operator(Binary::Less), false, unsigned),
            Op::SLessThan => (Test::Operator(Binary::Less), false, signed),
            Op::ULessThanEqual => (Test::Operator(Binary::LessEqual), false, unsigned),
            Op::SLessThanEqual => (Test::Operator(Binary::LessEqual), false, signed),
            Op::UGreaterThan => (Test::Operator(Binary::Greater), false, unsigned),
            Op::SGreaterThan => (Test::Operator(Binary::Greater), false, signed),
            Op::UGreaterThanEqual => (Test::Operator(Binary::GreaterEqual), false, unsigned),
            Op::SGreaterThanEqual => (Test::Operator(Binary::GreaterEqual), false, signed),
            Op::FOrdEqual => (Test::Operator(Binary::Equal), false, None),
            Op::FUnordNotEqual => (Test::Operator(Binary::NotEqual), false, None),
            Op::FOrdLessThan => (Test::Operator(Binary::Less), false, None),
            Op::FOrdLessThanEqual => (Test::Operator(Binary::LessEqual), false, None),
            Op::FOrdGreaterThan => (Test::Operator(Binary::Greater), false, None),
            Op::FOrdGreaterThanEqual => (Test::Operator(Binary::GreaterEqual), false, None),
            Op::FUnordLessThan => (Test::Operator(Binary::GreaterEqual), true, None),
            Op::FUnordLessThanEqual => (Test::Operator(Binary::Greater), true, None),
            Op::FUnordGreaterThan => (Test::Operator(Binary::LessEqual), true, None),
            Op::FUnordGreaterThanEqual => (Test::Operator(Binary::Less), true, None),
            Op::FOrdNotEqual | Op::LessOrGreater => (Test::LessOrGreater, false, None),
            Op::FUnordEqual => (Test::LessOrGreater, true, None),
            Op::Ordered => (Test::Ordered, false, None),
            Op::Unordered => (Test::Ordered, true, None),
            _ => return None,
        };
        Some(Comparison { test, is_negated, sign })
    }
}

/// The operator of an operation on integers, and the signedness of its operands.
pub(crate) fn integer_operator(op: Op) -> Option<(Binary, Sign)> {
    Some(match op {
        Op::IAdd => (Binary::Add, Sign::Result),
        Op::ISub => (Binary::Subtract, Sign::Result),
        Op::IMul => (Binary::Multiply, Sign::Result),
        Op::UDiv => (Binary::Divide, Sign::Unsigned),
        Op::SDiv => (Binary::Divide, Sign::Signed),
        Op::UMod => (Binary::Remainder, Sign::Unsigned),
        Op::BitwiseAnd => (Binary::BitAnd, Sign::Result),
        Op::BitwiseOr => (Binary::BitOr, Sign::Result),
        Op::BitwiseXor => (Binary::BitXor, Sign::Result),
        _ => return None,
    })
}

/// The operator of a comparison of integers, and the signedness of its operands.
pub(crate) fn integer_comparison(op: Op) -> Option<(Binary, Option<ScalarKind>)> {
    match Comparison::of(op)? {
        Comparison { test: Test::Operator(operator), is_negated: false, sign } => Some((operator, sign)),
        _ => None,
    }
}
