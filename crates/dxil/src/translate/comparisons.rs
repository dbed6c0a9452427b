//! Comparisons and choices of LLVM.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::function::{Body, Translated};
use super::numbers::Number;
use crate::module::{FloatPredicate, Instruction, IntPredicate, Type, TypeId, ValueId};

/// Comparisons and choices.
impl Body<'_, '_> {
    pub(super) fn int_compare(
        &mut self,
        ty: TypeId,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<Translated, Diagnostic> {
        if self.shader.dxil.types.pointee(self.type_of(lhs)).is_some() {
            return Err(self.unsupported("comparisons of addresses are not supported"));
        }
        let target = self.shader.value_type(ty, self.offset)?;
        if self.number_of(lhs)? == Number::BOOL {
            return self.bool_compare(target, predicate, lhs, rhs);
        }
        let is_signed =
            matches!(predicate, IntPredicate::Sgt | IntPredicate::Sge | IntPredicate::Slt | IntPredicate::Sle);
        let operands = match is_signed {
            true => [self.signed(lhs)?, self.signed(rhs)?],
            false => [self.unsigned(lhs)?, self.unsigned(rhs)?],
        };
        let op = match predicate {
            IntPredicate::Eq => Op::IEqual,
            IntPredicate::Ne => Op::INotEqual,
            IntPredicate::Ugt => Op::UGreaterThan,
            IntPredicate::Uge => Op::UGreaterThanEqual,
            IntPredicate::Ult => Op::ULessThan,
            IntPredicate::Ule => Op::ULessThanEqual,
            IntPredicate::Sgt => Op::SGreaterThan,
            IntPredicate::Sge => Op::SGreaterThanEqual,
            IntPredicate::Slt => Op::SLessThan,
            IntPredicate::Sle => Op::SLessThanEqual,
        };
        Ok(Translated::Value(self.emit(op, target, &operands)))
    }

    /// A comparison of booleans. Without sign, true is greater than false; with sign it is -1 and less.
    fn bool_compare(
        &mut self,
        target: Inst,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<Translated, Diagnostic> {
        let (left, right) = (self.value(lhs)?, self.value(rhs)?);
        if predicate == IntPredicate::Ne && self.known_integer(rhs) == Some(0) {
            return Ok(Translated::Value(left));
        }
        if predicate == IntPredicate::Eq && self.known_integer(rhs) == Some(0) {
            return Ok(Translated::Value(self.emit(Op::LogicalNot, target, &[left])));
        }
        // a > b is a && !b, and a >= b is a || !b.
        let (op, positive, negative) = match predicate {
            IntPredicate::Eq => return Ok(Translated::Value(self.emit(Op::LogicalEqual, target, &[left, right]))),
            IntPredicate::Ne => return Ok(Translated::Value(self.emit(Op::LogicalNotEqual, target, &[left, right]))),
            IntPredicate::Ugt | IntPredicate::Slt => (Op::LogicalAnd, left, right),
            IntPredicate::Ult | IntPredicate::Sgt => (Op::LogicalAnd, right, left),
            IntPredicate::Uge | IntPredicate::Sle => (Op::LogicalOr, left, right),
            IntPredicate::Ule | IntPredicate::Sge => (Op::LogicalOr, right, left),
        };
        let negative = self.emit(Op::LogicalNot, target, &[negative]);
        Ok(Translated::Value(self.emit(op, target, &[positive, negative])))
    }

    pub(super) fn float_compare(
        &mut self,
        ty: TypeId,
        predicate: FloatPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<Translated, Diagnostic> {
        let target = self.shader.value_type(ty, self.offset)?;
        let operands = [self.value(lhs)?, self.value(rhs)?];
        let op = match predicate {
            FloatPredicate::False | FloatPredicate::True if self.is_vector(ty) => {
                return Err(self.unsupported("comparisons of vectors with a constant result are not supported"));
            }
            FloatPredicate::False => return Ok(Translated::Value(self.shader.build.constant_bool(false))),
            FloatPredicate::True => return Ok(Translated::Value(self.shader.build.constant_bool(true))),
            FloatPredicate::Ord | FloatPredicate::Uno => {
                return Ok(Translated::Value(self.ordered(target, predicate, operands)));
            }
            FloatPredicate::Oeq => Op::FOrdEqual,
            FloatPredicate::Ogt => Op::FOrdGreaterThan,
            FloatPredicate::Oge => Op::FOrdGreaterThanEqual,
            FloatPredicate::Olt => Op::FOrdLessThan,
            FloatPredicate::Ole => Op::FOrdLessThanEqual,
            FloatPredicate::One => Op::FOrdNotEqual,
            FloatPredicate::Ueq => Op::FUnordEqual,
            FloatPredicate::Ugt => Op::FUnordGreaterThan,
            FloatPredicate::Uge => Op::FUnordGreaterThanEqual,
            FloatPredicate::Ult => Op::FUnordLessThan,
            FloatPredicate::Ule => Op::FUnordLessThanEqual,
            FloatPredicate::Une => Op::FUnordNotEqual,
        };
        Ok(Translated::Value(self.emit(op, target, &operands)))
    }

    /// Computes whether no operand is NaN, or whether one is. `OpOrdered` is for kernels alone.
    fn ordered(&mut self, target: Inst, predicate: FloatPredicate, operands: [Inst; 2]) -> Inst {
        let left = self.emit(Op::IsNan, target, &[operands[0]]);
        let either = match operands[0] == operands[1] {
            true => left,
            false => {
                let right = self.emit(Op::IsNan, target, &[operands[1]]);
                self.emit(Op::LogicalOr, target, &[left, right])
            }
        };
        if predicate == FloatPredicate::Uno { either } else { self.emit(Op::LogicalNot, target, &[either]) }
    }

    pub(super) fn select(
        &mut self,
        instruction: &Instruction,
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
    ) -> Result<Translated, Diagnostic> {
        let dxil = self.shader.dxil;
        if self.shader.is_handle_type(instruction.ty) {
            return Err(self.unsupported("choices between resources are not supported"));
        }
        if dxil.types.pointee(instruction.ty).is_some() {
            return Err(self.unsupported("choices between addresses are not supported"));
        }
        let condition_inst = self.value(condition)?;
        if let Type::Struct { members: Some(types), .. } = &dxil.types[instruction.ty] {
            let result = instruction.result.expect("invariant: a choice has a value");
            let mut members = super::function::Members::from_elem(None, types.len());
            for (index, &ty) in types.iter().enumerate() {
                if self.uses_member(result, index) {
                    let choices = [self.member(if_true, index)?, self.member(if_false, index)?];
                    let ty = self.shader.value_type(ty, self.offset)?;
                    members[index] = Some(self.emit(Op::Select, ty, &[condition_inst, choices[0], choices[1]]));
                }
            }
            return Ok(Translated::Members(members));
        }
        if self.is_vector(instruction.ty) && !self.is_vector(self.type_of(condition)) {
            return Err(self.unsupported("choices between vectors by one condition are not supported"));
        }
        let ty = self.shader.value_type(instruction.ty, self.offset)?;
        let operands = [condition_inst, self.value(if_true)?, self.value(if_false)?];
        let inst = self.emit(Op::Select, ty, &operands);
        self.relax(inst, instruction.ty);
        Ok(Translated::Value(inst))
    }
}
