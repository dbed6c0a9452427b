//! Constants that are computed from specialization constants: expressions of these, which the language evaluates when they are known.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::Lowering;
use super::function::{Sign, integer_comparison, integer_operator};
use crate::syntax::{Arguments, Binary, Effects, Expr, Scalar, ScalarKind, Shape, Swizzle, Type, TypeShape, Unary};
use crate::write::WriteCode;

impl Lowering<'_> {
    /// The expression of a computed constant.
    ///
    /// # Errors
    /// The language has no constant expression for the operation.
    pub(super) fn computed_constant(&mut self, constant: Inst) -> Result<Expr, Diagnostic> {
        let Some(computed) = view::SpecConstantOp::of(self.source, constant) else {
            return self.refuse(WriteCode::Constant, constant, "a computed constant without an operation");
        };
        let op = u16::try_from(computed.opcode).ok().and_then(Op::from_opcode);
        let operands: Vec<Inst> = computed.operands.iter().collect();
        if op == Some(Op::CompositeExtract)
            && let Some(part) = self.extracted_constant(&operands)
        {
            return self.constant(part);
        }
        let ty = self.type_of(constant)?;
        let mut values = Vec::new();
        for operand in operands.iter().filter(|&&operand| self.source.ty(operand).is_some()) {
            values.push(self.constant(*operand)?);
        }
        let literals: Vec<u32> = operands.iter().filter_map(|&operand| self.literal_of(operand)).collect();
        match op.and_then(|op| self.constant_expression(op, &values, &literals, ty)) {
            Some(expr) => Ok(expr),
            None => {
                let name = op.map_or("an unknown operation", Op::name);
                let message = format!("a specialization constant that is computed by {name}");
                self.refuse(WriteCode::Constant, constant, message)
            }
        }
    }

    /// The constant that an extraction takes out of a composite of constants.
    fn extracted_constant(&self, operands: &[Inst]) -> Option<Inst> {
        let &[composite, index] = operands else { return None };
        let is_composite = matches!(self.source.op(composite), Op::SpecConstantComposite | Op::ConstantComposite);
        let number = self.literal_of(index).filter(|_| is_composite)?;
        self.source.operands(composite).nth(number as usize)
    }

    fn literal_of(&self, operand: Inst) -> Option<u32> {
        let is_literal = self.source.ty(operand).is_none();
        is_literal.then(|| self.source.literal_word(operand)).flatten()
    }

    fn constant_expression(&mut self, op: Op, values: &[Expr], literals: &[u32], ty: Type) -> Option<Expr> {
        let kind = self.text.types.scalar(ty)?.kind;
        Some(match (op, values) {
            (Op::CompositeExtract, &[whole]) => {
                let [component] = literals else { return None };
                let is_vector = matches!(self.text.types[self.text.expressions[whole].ty], TypeShape::Vector { .. });
                let swizzle = Swizzle::new(&[u8::try_from(*component).ok()?]);
                if !is_vector {
                    return None;
                }
                self.plain(Shape::Swizzle { base: whole, swizzle }, ty)
            }
            (Op::Select, &[condition, accept, reject]) => {
                let is_number = matches!(self.text.types[ty], TypeShape::Scalar(_));
                is_number.then(|| self.plain(Shape::Choice { condition, accept, reject }, ty))?
            }
            (Op::SNegate, &[operand]) => {
                let operand = self.signed_as(operand, kind);
                self.plain(Shape::Unary { operator: Unary::Negate, operand }, ty)
            }
            (Op::Not, &[operand]) => {
                let operand = self.signed_as(operand, kind);
                self.plain(Shape::Unary { operator: Unary::Complement, operand }, ty)
            }
            (Op::LogicalNot, &[operand]) => self.plain(Shape::Unary { operator: Unary::Not, operand }, ty),
            (Op::UConvert | Op::SConvert | Op::FConvert, &[operand]) => {
                let from = if op == Op::SConvert { ScalarKind::Int } else { ScalarKind::Uint };
                let operand = self.signed_as(operand, from);
                self.plain(Shape::Construct(std::iter::once(operand).collect()), ty)
            }
            (_, &[left, right]) => self.constant_binary(op, left, right, ty)?,
            _ => return None,
        })
    }

    fn constant_binary(&mut self, op: Op, left: Expr, right: Expr, ty: Type) -> Option<Expr> {
        let kind = self.text.types.scalar(ty)?.kind;
        let (operator, meant) = if let Some((operator, sign)) = integer_operator(op) {
            let meant = match sign {
                Sign::Result => kind,
                Sign::Signed => ScalarKind::Int,
                Sign::Unsigned => ScalarKind::Uint,
            };
            (operator, Some(meant))
        } else if let Some((operator, meant)) = integer_comparison(op) {
            (operator, meant)
        } else {
            let operator = match op {
                Op::LogicalAnd => Binary::And,
                Op::LogicalOr => Binary::Or,
                Op::LogicalEqual => Binary::Equal,
                Op::LogicalNotEqual => Binary::NotEqual,
                Op::ShiftLeftLogical => Binary::ShiftLeft,
                Op::ShiftRightLogical | Op::ShiftRightArithmetic => Binary::ShiftRight,
                _ => return None,
            };
            let meant = match op {
                Op::ShiftLeftLogical => Some(kind),
                Op::ShiftRightLogical => Some(ScalarKind::Uint),
                Op::ShiftRightArithmetic => Some(ScalarKind::Int),
                _ => None,
            };
            (operator, meant)
        };
        if !matches!(self.text.types[self.text.expressions[left].ty], TypeShape::Scalar(_)) {
            return None;
        }
        let is_shift = matches!(operator, Binary::ShiftLeft | Binary::ShiftRight);
        let right = if is_shift && self.target == super::Target::Wgsl {
            self.signed_as(right, ScalarKind::Uint)
        } else {
            right
        };
        let (left, right) = match meant {
            Some(meant) => (self.signed_as(left, meant), if is_shift { right } else { self.signed_as(right, meant) }),
            None => (left, right),
        };
        let own = if operator.is_comparison() || kind == ScalarKind::Bool {
            self.text.types.of(TypeShape::Scalar(Scalar::BOOL))
        } else {
            self.text.expressions[left].ty
        };
        let computed = self.plain(Shape::Binary { operator, left, right }, own);
        Some(self.signed_as(computed, kind))
    }

    /// An integer with this sign and the same bits; every other number as it is.
    fn signed_as(&mut self, value: Expr, kind: ScalarKind) -> Expr {
        let from = self.text.expressions[value].ty;
        let Some(scalar) = self.text.types.scalar(from) else { return value };
        if scalar.kind == kind || !scalar.is_integer() || !scalar.with(kind).is_integer() {
            return value;
        }
        let size = self.text.types.size(from);
        let ty = self.text.types.numbers(scalar.with(kind), size);
        let arguments: Arguments = std::iter::once(value).collect();
        self.plain(Shape::Construct(arguments), ty)
    }

    fn plain(&mut self, shape: Shape, ty: Type) -> Expr {
        self.text.expressions.add(shape, ty, Effects::PURE)
    }
}
