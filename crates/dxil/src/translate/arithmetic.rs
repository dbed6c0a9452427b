//! Arithmetic of LLVM.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use spirv::Decoration;

use super::function::Body;
use super::numbers::Kind;
use crate::module::{BinaryOp, Constant, Instruction, TypeId, ValueId};

/// The extension of an operand to the width that represents it.
type Extend<B> = fn(&mut B, ValueId) -> Result<Inst, Diagnostic>;

/// Arithmetic.
impl Body<'_, '_> {
    /// A binary operation. Without `fast`, DXIL is precise: products and sums are rounded one by one ([`Body::precise_binary`]).
    pub(super) fn binary(&mut self, ty: TypeId, op: BinaryOp, [lhs, rhs]: [ValueId; 2]) -> Result<Inst, Diagnostic> {
        let number = self.number_of(lhs)?;
        let ty = self.shader.value_type(ty, self.offset)?;
        let (op, operands) = match number.kind {
            Kind::Bool => self.logical(op, lhs, rhs)?,
            Kind::Int => self.int_operation(op, lhs, rhs)?,
            Kind::Float => self.float_operation(op, lhs, rhs)?,
        };
        let inst = self.emit(op, ty, &operands);
        self.relax_number(inst, number);
        Ok(inst)
    }

    /// The same for floats that are rounded one by one.
    pub(super) fn precise_binary(
        &mut self,
        ty: TypeId,
        op: BinaryOp,
        operands: [ValueId; 2],
    ) -> Result<Inst, Diagnostic> {
        let inst = self.binary(ty, op, operands)?;
        if self.number_of(operands[0])?.is_float() {
            self.shader.decorate(inst, Decoration::NoContraction);
        }
        Ok(inst)
    }

    /// Returns whether the source says `precise`.
    pub(super) fn has_precise_mark(&self, instruction: &Instruction) -> bool {
        let precise = self.shader.dxil.metadata_kind("dx.precise");
        precise.is_some_and(|precise| instruction.metadata.iter().any(|&(kind, _)| kind == precise))
    }

    fn logical(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Result<(Op, Vec<Inst>), Diagnostic> {
        let operands = vec![self.value(lhs)?, self.value(rhs)?];
        if op == BinaryOp::Xor {
            for (constant, other) in [(lhs, operands[1]), (rhs, operands[0])] {
                if self.known_integer(constant) == Some(1) {
                    return Ok((Op::LogicalNot, vec![other]));
                }
            }
        }
        let op = match op {
            BinaryOp::And | BinaryOp::Mul => Op::LogicalAnd,
            BinaryOp::Or => Op::LogicalOr,
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => Op::LogicalNotEqual,
            _ => return Err(self.unsupported(format!("{} of booleans is not supported", op.name()))),
        };
        Ok((op, operands))
    }

    fn int_operation(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Result<(Op, Vec<Inst>), Diagnostic> {
        if op == BinaryOp::Sub && self.known_integer(lhs) == Some(0) {
            return Ok((Op::SNegate, vec![self.value(rhs)?]));
        }
        let (op, extend): (Op, [Extend<Self>; 2]) = match op {
            BinaryOp::Add => (Op::IAdd, [Self::value, Self::value]),
            BinaryOp::Sub => (Op::ISub, [Self::value, Self::value]),
            BinaryOp::Mul => (Op::IMul, [Self::value, Self::value]),
            BinaryOp::And => (Op::BitwiseAnd, [Self::value, Self::value]),
            BinaryOp::Or => (Op::BitwiseOr, [Self::value, Self::value]),
            BinaryOp::Xor => (Op::BitwiseXor, [Self::value, Self::value]),
            BinaryOp::UDiv => (Op::UDiv, [Self::unsigned, Self::unsigned]),
            BinaryOp::URem => (Op::UMod, [Self::unsigned, Self::unsigned]),
            BinaryOp::SDiv => (Op::SDiv, [Self::signed, Self::signed]),
            BinaryOp::SRem => (Op::SRem, [Self::signed, Self::signed]),
            BinaryOp::Shl => (Op::ShiftLeftLogical, [Self::value, Self::unsigned]),
            BinaryOp::LShr => (Op::ShiftRightLogical, [Self::unsigned, Self::unsigned]),
            BinaryOp::AShr => (Op::ShiftRightArithmetic, [Self::signed, Self::unsigned]),
            _ => return Err(self.invalid(format!("expected an operation on integers, found {}", op.name()))),
        };
        Ok((op, vec![extend[0](self, lhs)?, extend[1](self, rhs)?]))
    }

    fn float_operation(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Result<(Op, Vec<Inst>), Diagnostic> {
        if op == BinaryOp::FSub && self.is_negative_zero(lhs) {
            return Ok((Op::FNegate, vec![self.value(rhs)?]));
        }
        let op = match op {
            BinaryOp::FAdd => Op::FAdd,
            BinaryOp::FSub => Op::FSub,
            BinaryOp::FMul => Op::FMul,
            BinaryOp::FDiv => Op::FDiv,
            BinaryOp::FRem => Op::FRem,
            _ => return Err(self.invalid(format!("expected an operation on floats, found {}", op.name()))),
        };
        Ok((op, vec![self.value(lhs)?, self.value(rhs)?]))
    }

    fn is_negative_zero(&self, value: ValueId) -> bool {
        let width = self.shader.dxil.types.scalar_width(self.type_of(value));
        match (self.shader.dxil.constant(self.function, value), width) {
            (Some(Constant::Float(bits)), Some(width)) => *bits == 1 << (width - 1),
            _ => false,
        }
    }
}
