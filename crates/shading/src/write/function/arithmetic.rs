//! Arithmetic, comparisons, logic, bits and conversions: instructions that compute numbers from numbers.
//!
//! SPIR-V's integers have a signedness that instructions ignore; naga's operators have operands of one type, whose signedness selects the
//! operation. So operands are cast to the signedness of the instruction, and the result to that of its type.

use naga::{
    BinaryOperator, Expression, Handle, Literal, MathFunction, RelationalFunction, Scalar, ScalarKind, UnaryOperator,
    VectorSize,
};
use reconverge_ir::Op;

/// The place where expressions are added: a function, or the constants of the module.
pub(crate) trait Sink {
    /// Adds an expression that is computed there.
    fn append(&mut self, expression: Expression) -> Handle<Expression>;

    /// Returns whether the language can select and divide vectors. HLSL cannot: `?:` accepts them up to version 2018 of the language only,
    /// its replacement exists since version 2021, and the function that naga writes around a division uses it.
    fn has_vector_choice(&self) -> bool;

    /// Adds a vector of these components.
    fn vector(&mut self, size: VectorSize, scalar: Scalar, components: Vec<Handle<Expression>>) -> Handle<Expression>;

    /// The literal of an expression, if it is one.
    fn literal(&self, expression: Handle<Expression>) -> Option<Literal>;
}

/// An operand with the type of its components.
#[derive(Clone, Copy)]
pub(crate) struct Operand {
    pub(crate) handle: Handle<Expression>,
    pub(crate) scalar: Scalar,
    /// The number of components of a vector.
    pub(crate) size: Option<VectorSize>,
}

/// The op of an opcode of SPIR-V.
pub(crate) fn op_of_opcode(opcode: u32) -> Option<Op> {
    u16::try_from(opcode).ok().and_then(Op::from_opcode)
}

/// Adds the expressions of an instruction with a result of this type; `None` for other instructions.
pub(crate) fn compute(
    sink: &mut dyn Sink,
    op: Op,
    operands: &[Operand],
    result: Scalar,
    size: Option<VectorSize>,
) -> Option<Handle<Expression>> {
    let mut build = Build { sink, result, size };
    match *operands {
        [operand] => build.unary(op, operand),
        [left, right] => build.binary(op, left, right),
        [first, second, third] => build.ternary(op, first, second, third),
        [base, insert, offset, count] if op == Op::BitFieldInsert => {
            let (base, insert) = (build.cast(base, result.kind), build.cast(insert, result.kind));
            let (offset, count) = (build.word(offset), build.word(count));
            Some(build.math(MathFunction::InsertBits, [Some(base), Some(insert), Some(offset), Some(count)]))
        }
        _ => None,
    }
}

struct Build<'s> {
    sink: &'s mut dyn Sink,
    result: Scalar,
    size: Option<VectorSize>,
}

impl Build<'_> {
    fn unary(&mut self, op: Op, operand: Operand) -> Option<Handle<Expression>> {
        let (kind, width) = (self.result.kind, self.result.width);
        let convert = |expr, kind| Expression::As { expr, kind, convert: Some(width) };
        let expression = match op {
            Op::FNegate => Expression::Unary { op: UnaryOperator::Negate, expr: operand.handle },
            Op::SNegate => {
                let expr = self.cast(operand, ScalarKind::Sint);
                let negated = self.sink.append(Expression::Unary { op: UnaryOperator::Negate, expr });
                return Some(self.result_of(negated, ScalarKind::Sint));
            }
            Op::Not => Expression::Unary { op: UnaryOperator::BitwiseNot, expr: self.cast(operand, kind) },
            Op::LogicalNot => Expression::Unary { op: UnaryOperator::LogicalNot, expr: operand.handle },
            Op::ConvertFToU | Op::ConvertFToS => {
                let meant = if op == Op::ConvertFToU { ScalarKind::Uint } else { ScalarKind::Sint };
                let converted = self.sink.append(convert(operand.handle, meant));
                return Some(self.result_of(converted, meant));
            }
            Op::ConvertSToF => convert(self.cast(operand, ScalarKind::Sint), ScalarKind::Float),
            Op::ConvertUToF => convert(self.cast(operand, ScalarKind::Uint), ScalarKind::Float),
            Op::UConvert | Op::SConvert => {
                let meant = if op == Op::UConvert { ScalarKind::Uint } else { ScalarKind::Sint };
                let expr = self.cast(operand, meant);
                let converted = self.sink.append(convert(expr, meant));
                return Some(self.result_of(converted, meant));
            }
            Op::FConvert => convert(operand.handle, ScalarKind::Float),
            Op::Bitcast => {
                let is_same = operand.scalar.width == width && operand.size == self.size;
                return is_same.then(|| self.cast(operand, kind));
            }
            Op::BitReverse | Op::BitCount => {
                let function =
                    if op == Op::BitReverse { MathFunction::ReverseBits } else { MathFunction::CountOneBits };
                let counted = self.math(function, [Some(operand.handle), None, None, None]);
                return Some(self.result_of(counted, operand.scalar.kind));
            }
            Op::Any => Expression::Relational { fun: RelationalFunction::Any, argument: operand.handle },
            Op::All => Expression::Relational { fun: RelationalFunction::All, argument: operand.handle },
            Op::IsNan | Op::IsInf => return self.test(op, operand),
            Op::QuantizeToF16 => {
                return Some(self.math(MathFunction::QuantizeToF16, [Some(operand.handle), None, None, None]));
            }
            Op::Transpose => return Some(self.math(MathFunction::Transpose, [Some(operand.handle), None, None, None])),
            _ => return None,
        };
        Some(self.sink.append(expression))
    }

    /// Tests the bits of a float of 32 bits for NaN or infinity: WGSL has no other test.
    fn test(&mut self, op: Op, operand: Operand) -> Option<Handle<Expression>> {
        if operand.scalar != Scalar::F32 {
            return None;
        }
        let bits = self.cast(operand, ScalarKind::Uint);
        let (mask, infinity) = (self.number(0x7fff_ffff, operand.size), self.number(0x7f80_0000, operand.size));
        let magnitude = self.apply(BinaryOperator::And, bits, mask);
        let test = if op == Op::IsNan { BinaryOperator::Greater } else { BinaryOperator::Equal };
        Some(self.apply(test, magnitude, infinity))
    }

    fn binary(&mut self, op: Op, left: Operand, right: Operand) -> Option<Handle<Expression>> {
        if let Some((operator, kind)) = integer_operator(op, self.result.kind) {
            let (left, right) = (self.cast(left, kind), self.cast(right, kind));
            let applied = match operator {
                BinaryOperator::Divide | BinaryOperator::Modulo => self.divide(operator, kind, left, right),
                _ => self.apply(operator, left, right),
            };
            return Some(self.result_of(applied, kind));
        }
        if let Some((operator, is_negated)) = comparison(op) {
            let compared = self.compare(operator, sign_of_comparison(op), [left, right]);
            return Some(if is_negated { self.not(compared) } else { compared });
        }
        let (a, b) = (left.handle, right.handle);
        Some(match op {
            Op::FAdd => self.apply(BinaryOperator::Add, a, b),
            Op::FSub => self.apply(BinaryOperator::Subtract, a, b),
            Op::FMul
            | Op::VectorTimesScalar
            | Op::MatrixTimesScalar
            | Op::VectorTimesMatrix
            | Op::MatrixTimesVector
            | Op::MatrixTimesMatrix => self.apply(BinaryOperator::Multiply, a, b),
            Op::FDiv => self.apply(BinaryOperator::Divide, a, b),
            Op::FRem => self.apply(BinaryOperator::Modulo, a, b),
            Op::FMod => {
                let quotient = self.apply(BinaryOperator::Divide, a, b);
                let floor = self.math(MathFunction::Floor, [Some(quotient), None, None, None]);
                let whole = self.apply(BinaryOperator::Multiply, b, floor);
                self.apply(BinaryOperator::Subtract, a, whole)
            }
            Op::SMod => self.modulo(left, right),
            Op::ShiftLeftLogical => self.shift(BinaryOperator::ShiftLeft, self.result.kind, left, right),
            Op::ShiftRightLogical => self.shift(BinaryOperator::ShiftRight, ScalarKind::Uint, left, right),
            Op::ShiftRightArithmetic => self.shift(BinaryOperator::ShiftRight, ScalarKind::Sint, left, right),
            Op::LogicalAnd if left.size.is_none() => self.apply(BinaryOperator::LogicalAnd, a, b),
            Op::LogicalOr if left.size.is_none() => self.apply(BinaryOperator::LogicalOr, a, b),
            Op::LogicalAnd => self.apply(BinaryOperator::And, a, b),
            Op::LogicalOr => self.apply(BinaryOperator::InclusiveOr, a, b),
            Op::LogicalEqual => self.apply(BinaryOperator::Equal, a, b),
            Op::LogicalNotEqual => self.apply(BinaryOperator::NotEqual, a, b),
            Op::Dot => self.math(MathFunction::Dot, [Some(a), Some(b), None, None]),
            Op::OuterProduct => self.math(MathFunction::Outer, [Some(a), Some(b), None, None]),
            Op::FOrdNotEqual | Op::LessOrGreater | Op::FUnordEqual => {
                let less = self.apply(BinaryOperator::Less, a, b);
                let greater = self.apply(BinaryOperator::Greater, a, b);
                let either = if left.size.is_none() { BinaryOperator::LogicalOr } else { BinaryOperator::InclusiveOr };
                let differs = self.apply(either, less, greater);
                if op == Op::FUnordEqual { self.not(differs) } else { differs }
            }
            Op::Ordered | Op::Unordered => {
                let (left, right) = (self.apply(BinaryOperator::Equal, a, a), self.apply(BinaryOperator::Equal, b, b));
                let both = if self.size.is_none() { BinaryOperator::LogicalAnd } else { BinaryOperator::And };
                let ordered = self.apply(both, left, right);
                if op == Op::Unordered { self.not(ordered) } else { ordered }
            }
            _ => return None,
        })
    }

    fn ternary(&mut self, op: Op, first: Operand, second: Operand, third: Operand) -> Option<Handle<Expression>> {
        match op {
            Op::Select => {
                let chosen = [first.handle, second.handle, third.handle];
                Some(self.choose(chosen, second.scalar, first.size))
            }
            Op::BitFieldSExtract | Op::BitFieldUExtract => {
                let meant = if op == Op::BitFieldSExtract { ScalarKind::Sint } else { ScalarKind::Uint };
                let base = self.cast(first, meant);
                let (offset, count) = (self.word(second), self.word(third));
                let extracted = self.math(MathFunction::ExtractBits, [Some(base), Some(offset), Some(count), None]);
                Some(self.result_of(extracted, meant))
            }
            _ => None,
        }
    }

    /// A comparison of two numbers; integers are compared with this signedness.
    fn compare(
        &mut self,
        operator: BinaryOperator,
        sign: Option<ScalarKind>,
        [left, right]: [Operand; 2],
    ) -> Handle<Expression> {
        let kind = sign.unwrap_or(left.scalar.kind);
        let (left, right) = (self.cast(left, kind), self.cast(right, kind));
        self.apply(operator, left, right)
    }

    /// The remainder with the sign of the divisor: the other remainder plus the divisor, if the signs differ.
    fn modulo(&mut self, left: Operand, right: Operand) -> Handle<Expression> {
        let size = left.size;
        let (left, right) = (self.cast(left, ScalarKind::Sint), self.cast(right, ScalarKind::Sint));
        let remainder = self.divide(BinaryOperator::Modulo, ScalarKind::Sint, left, right);
        let zero = self.signed_zero(size);
        let signs = self.apply(BinaryOperator::ExclusiveOr, remainder, right);
        let (is_some, differ) =
            (self.apply(BinaryOperator::NotEqual, remainder, zero), self.apply(BinaryOperator::Less, signs, zero));
        let both = if size.is_none() { BinaryOperator::LogicalAnd } else { BinaryOperator::And };
        let condition = self.apply(both, is_some, differ);
        let accept = self.apply(BinaryOperator::Add, remainder, right);
        let signed = Scalar { kind: ScalarKind::Sint, ..self.result };
        let chosen = self.choose([condition, accept, remainder], signed, size);
        self.result_of(chosen, ScalarKind::Sint)
    }

    fn shift(
        &mut self,
        operator: BinaryOperator,
        kind: ScalarKind,
        left: Operand,
        right: Operand,
    ) -> Handle<Expression> {
        let left = self.cast(left, kind);
        let right = self.word(right);
        let shifted = self.apply(operator, left, right);
        self.result_of(shifted, kind)
    }

    /// The first value where the condition holds, the second elsewhere. The condition has this size.
    fn choose(
        &mut self,
        condition_and_values: [Handle<Expression>; 3],
        scalar: Scalar,
        size: Option<VectorSize>,
    ) -> Handle<Expression> {
        self.by_component(condition_and_values, scalar, size, |build, [condition, accept, reject]| {
            build.sink.append(Expression::Select { condition, accept, reject })
        })
    }

    /// A quotient or remainder of integers of this kind.
    fn divide(
        &mut self,
        operator: BinaryOperator,
        kind: ScalarKind,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Handle<Expression> {
        let scalar = Scalar { kind, ..self.result };
        self.by_component([left, right], scalar, self.size, |build, [left, right]| build.apply(operator, left, right))
    }

    /// Computes a value from vectors of this size: at once, or by component where the language requires it.
    fn by_component<const N: usize>(
        &mut self,
        operands: [Handle<Expression>; N],
        scalar: Scalar,
        size: Option<VectorSize>,
        compute: impl Fn(&mut Self, [Handle<Expression>; N]) -> Handle<Expression>,
    ) -> Handle<Expression> {
        let Some(size) = size.filter(|_| !self.sink.has_vector_choice()) else { return compute(self, operands) };
        let mut components = Vec::new();
        for index in 0..size as u32 {
            let parts = operands.map(|base| self.sink.append(Expression::AccessIndex { base, index }));
            components.push(compute(self, parts));
        }
        self.sink.vector(size, scalar, components)
    }

    fn apply(&mut self, op: BinaryOperator, left: Handle<Expression>, right: Handle<Expression>) -> Handle<Expression> {
        self.sink.append(Expression::Binary { op, left, right })
    }

    fn not(&mut self, expr: Handle<Expression>) -> Handle<Expression> {
        self.sink.append(Expression::Unary { op: UnaryOperator::LogicalNot, expr })
    }

    fn math(
        &mut self,
        fun: MathFunction,
        [arg, arg1, arg2, arg3]: [Option<Handle<Expression>>; 4],
    ) -> Handle<Expression> {
        let arg = arg.expect("invariant: functions have an argument");
        self.sink.append(Expression::Math { fun, arg, arg1, arg2, arg3 })
    }

    /// The same bits as a number of this kind.
    fn cast(&mut self, operand: Operand, kind: ScalarKind) -> Handle<Expression> {
        cast(self.sink, operand.handle, operand.scalar.kind, kind)
    }

    fn result_of(&mut self, handle: Handle<Expression>, kind: ScalarKind) -> Handle<Expression> {
        cast(self.sink, handle, kind, self.result.kind)
    }

    /// An operand as an unsigned number of 32 bits, as shifts and bit fields require for counts.
    fn word(&mut self, operand: Operand) -> Handle<Expression> {
        let handle = self.cast(operand, ScalarKind::Uint);
        if operand.scalar.width == 4 {
            return handle;
        }
        self.sink.append(Expression::As { expr: handle, kind: ScalarKind::Uint, convert: Some(4) })
    }

    fn number(&mut self, value: u32, size: Option<VectorSize>) -> Handle<Expression> {
        let handle = self.sink.append(Expression::Literal(Literal::U32(value)));
        self.splat(handle, size)
    }

    fn signed_zero(&mut self, size: Option<VectorSize>) -> Handle<Expression> {
        let zero = match self.result.width {
            2 => Literal::I16(0),
            8 => Literal::I64(0),
            _ => Literal::I32(0),
        };
        let handle = self.sink.append(Expression::Literal(zero));
        self.splat(handle, size)
    }

    fn splat(&mut self, value: Handle<Expression>, size: Option<VectorSize>) -> Handle<Expression> {
        match size {
            Some(size) => self.sink.append(Expression::Splat { size, value }),
            None => value,
        }
    }
}

/// The same bits as a number of another kind.
pub(crate) fn cast(
    sink: &mut dyn Sink,
    expr: Handle<Expression>,
    from: ScalarKind,
    to: ScalarKind,
) -> Handle<Expression> {
    if from == to {
        return expr;
    }
    let known = match (sink.literal(expr), to) {
        (Some(Literal::I32(value)), ScalarKind::Uint) => Some(Literal::U32(value as u32)),
        (Some(Literal::U32(value)), ScalarKind::Sint) => Some(Literal::I32(value as i32)),
        (Some(Literal::I64(value)), ScalarKind::Uint) => Some(Literal::U64(value as u64)),
        (Some(Literal::U64(value)), ScalarKind::Sint) => Some(Literal::I64(value as i64)),
        _ => None,
    };
    sink.append(known.map_or(Expression::As { expr, kind: to, convert: None }, Expression::Literal))
}

/// The operator of an op on integers, and its signedness.
fn integer_operator(op: Op, result: ScalarKind) -> Option<(BinaryOperator, ScalarKind)> {
    Some(match op {
        Op::IAdd => (BinaryOperator::Add, result),
        Op::ISub => (BinaryOperator::Subtract, result),
        Op::IMul => (BinaryOperator::Multiply, result),
        Op::UDiv => (BinaryOperator::Divide, ScalarKind::Uint),
        Op::SDiv => (BinaryOperator::Divide, ScalarKind::Sint),
        Op::UMod => (BinaryOperator::Modulo, ScalarKind::Uint),
        Op::SRem => (BinaryOperator::Modulo, ScalarKind::Sint),
        Op::BitwiseAnd => (BinaryOperator::And, result),
        Op::BitwiseOr => (BinaryOperator::InclusiveOr, result),
        Op::BitwiseXor => (BinaryOperator::ExclusiveOr, result),
        _ => return None,
    })
}

/// The operator of a comparison, and whether its result is negated: `!(a >= b)` holds for unordered operands, too.
fn comparison(op: Op) -> Option<(BinaryOperator, bool)> {
    Some(match op {
        Op::IEqual | Op::FOrdEqual => (BinaryOperator::Equal, false),
        Op::INotEqual | Op::FUnordNotEqual => (BinaryOperator::NotEqual, false),
        Op::ULessThan | Op::SLessThan | Op::FOrdLessThan => (BinaryOperator::Less, false),
        Op::ULessThanEqual | Op::SLessThanEqual | Op::FOrdLessThanEqual => (BinaryOperator::LessEqual, false),
        Op::UGreaterThan | Op::SGreaterThan | Op::FOrdGreaterThan => (BinaryOperator::Greater, false),
        Op::UGreaterThanEqual | Op::SGreaterThanEqual | Op::FOrdGreaterThanEqual => {
            (BinaryOperator::GreaterEqual, false)
        }
        Op::FUnordLessThan => (BinaryOperator::GreaterEqual, true),
        Op::FUnordLessThanEqual => (BinaryOperator::Greater, true),
        Op::FUnordGreaterThan => (BinaryOperator::LessEqual, true),
        Op::FUnordGreaterThanEqual => (BinaryOperator::Less, true),
        _ => return None,
    })
}

fn sign_of_comparison(op: Op) -> Option<ScalarKind> {
    match op {
        Op::ULessThan | Op::ULessThanEqual | Op::UGreaterThan | Op::UGreaterThanEqual => Some(ScalarKind::Uint),
        Op::SLessThan | Op::SLessThanEqual | Op::SGreaterThan | Op::SGreaterThanEqual => Some(ScalarKind::Sint),
        _ => None,
    }
}
