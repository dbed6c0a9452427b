//! Instructions whose result depends on operands alone.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, OpGroup, view};
use reconverge_lanes::Variation;

use super::selector::{Selected, Selector};
use super::value::{ScalarType, Value};

impl Selector<'_> {
    /// Selects an instruction without effects.
    pub(super) fn select_computation(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.module.op(inst);
        let is_comparison = matches!(op.group(), OpGroup::IntegerComparison | OpGroup::FloatComparison);
        if is_comparison && self.is_for_branches(inst) || self.is_short_circuit(inst) {
            return Ok(());
        }
        if op.group() == OpGroup::WideArithmetic {
            return self.select_pair(inst);
        }
        if self.shape(inst) == Variation::Divergent && self.select_wide(inst)? {
            return Ok(());
        }
        let value = self.computed(inst, op)?;
        let value = value.ok_or_else(|| self.unsupported(inst, "no machine code for operands of these types"))?;
        self.set(inst, value);
        Ok(())
    }

    fn operand(&mut self, inst: Inst, place: usize) -> Result<Value, Diagnostic> {
        self.operand_of(inst, self.module.operand(inst, place))
    }

    /// An operand: a vector for a varying result, else the base. Strides may cancel out: `gid - lid` is uniform.
    pub(super) fn operand_of(&mut self, inst: Inst, operand: Inst) -> Result<Value, Diagnostic> {
        if self.shape(inst) == Variation::Divergent { self.value(operand) } else { self.base(operand) }
    }

    fn computed(&mut self, inst: Inst, op: Op) -> Result<Option<Value>, Diagnostic> {
        let ty = self.scalar_type(inst)?;
        Ok(match op.group() {
            OpGroup::IntegerArithmetic
            | OpGroup::IntegerDivision
            | OpGroup::FloatArithmetic
            | OpGroup::Shift
            | OpGroup::Bitwise
            | OpGroup::BitCount => self.arithmetic(inst, op, ty)?,
            OpGroup::BitField => self.bit_field(inst, op, ty)?,
            OpGroup::IntegerComparison if let Some(mask) = self.compare_narrowed(inst)? => Some(mask),
            OpGroup::IntegerComparison | OpGroup::FloatComparison => {
                let (left, right) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
                let ty = self.scalar_type(self.module.operand(inst, 0))?;
                self.emit.compare(op, ty, &left, &right)
            }
            OpGroup::FloatTest => {
                let operand = self.operand(inst, 0)?;
                let ty = self.scalar_type(self.module.operand(inst, 0))?;
                self.emit.classify(op, ty, &operand)
            }
            OpGroup::BooleanLogic => self.logic(inst, op)?,
            OpGroup::Select if self.module.operand(inst, 1) == self.module.operand(inst, 2) => {
                Some(self.operand(inst, 1)?)
            }
            OpGroup::Select if ty == ScalarType::Bool && self.is_logic(inst) => self.select_boolean(inst)?,
            OpGroup::Select if self.takes_flags(inst) => {
                let (chosen, other) = (self.operand(inst, 1)?.uniform(), self.operand(inst, 2)?.uniform());
                let condition = self.condition(self.module.operand(inst, 0))?;
                chosen.zip(other).map(|(chosen, other)| Value::Uniform(self.emit.choose(condition, chosen, other)))
            }
            OpGroup::Select => {
                let operands = [self.operand(inst, 0)?, self.operand(inst, 1)?, self.operand(inst, 2)?];
                self.emit.select(ty, &operands[0], &operands[1], &operands[2])
            }
            OpGroup::NumberConversion | OpGroup::Bitcast | OpGroup::PointerConversion => {
                let from = self.scalar_type(self.module.operand(inst, 0))?;
                let operand = self.operand(inst, 0)?;
                let is_number = |ty: ScalarType| matches!(ty, ScalarType::Int(_));
                let keeps = op.group() != OpGroup::NumberConversion && is_number(from) && from == ty;
                if keeps { Some(operand) } else { self.emit.convert(op, from, ty, &operand) }
            }
            OpGroup::Composite => self.part(inst, op)?,
            OpGroup::Extended => self.extended(inst, ty)?,
            _ => None,
        })
    }

    fn arithmetic(&mut self, inst: Inst, op: Op, ty: ScalarType) -> Result<Option<Value>, Diagnostic> {
        let left = self.operand(inst, 0)?;
        if self.module.operand_count(inst) == 1 {
            // The count of the bits of a number may have another width than the number.
            let from = self.scalar_type(self.module.operand(inst, 0))?;
            let result = self.emit.unary(op, from, &left);
            let convert = |result: Value| self.emit.convert(Op::UConvert, from, ty, &result);
            return Ok(if from == ty { result } else { result.and_then(convert) });
        }
        let right = self.operand(inst, 1)?;
        let right_type = self.scalar_type(self.module.operand(inst, 1))?;
        if op.group() == OpGroup::Shift && right_type != ty {
            let amount = self.emit.convert(Op::UConvert, right_type, ty, &right);
            return Ok(amount.and_then(|amount| self.emit.binary(op, ty, &left, &amount)));
        }
        Ok(self.emit.binary(op, ty, &left, &right))
    }

    fn bit_field(&mut self, inst: Inst, op: Op, ty: ScalarType) -> Result<Option<Value>, Diagnostic> {
        let mut operands = Vec::new();
        for place in 0..self.module.operand_count(inst) {
            operands.push(self.operand(inst, place)?);
        }
        let count = operands.len();
        for (place, operand) in operands.iter_mut().enumerate().skip(count.saturating_sub(2)) {
            let from = self.scalar_type(self.module.operand(inst, place))?;
            if from != ty {
                match self.emit.convert(Op::UConvert, from, ty, operand) {
                    Some(converted) => *operand = converted,
                    None => return Ok(None),
                }
            }
        }
        Ok(match operands.as_slice() {
            [base, offset, length] => self.emit.field_extract(op, ty.bits(), [base, offset, length]),
            [base, insert, offset, length] => self.emit.field_insert(ty.bits(), base, insert, [offset, length]),
            _ => None,
        })
    }

    /// Logic of booleans; `a and not b` is one instruction on masks.
    fn logic(&mut self, inst: Inst, op: Op) -> Result<Option<Value>, Diagnostic> {
        let left = self.operand(inst, 0)?;
        if op == Op::LogicalNot {
            return Ok(Some(self.emit.logical_not(&left)));
        }
        let second = self.module.operand(inst, 1);
        if op == Op::LogicalAnd && self.module.op(second) == Op::LogicalNot {
            let inverted = self.module.operand(second, 0);
            let inverted = self.value(inverted)?;
            return Ok(Some(self.emit.without(&left, &inverted)));
        }
        let right = self.operand(inst, 1)?;
        Ok(self.emit.logical(op, &left, &right))
    }

    /// Returns whether a selection of booleans has a constant to select.
    fn is_logic(&self, inst: Inst) -> bool {
        [1, 2].into_iter().any(|place| self.boolean(self.module.operand(inst, place)).is_some())
    }

    fn boolean(&self, value: Inst) -> Option<bool> {
        match self.module.op(value) {
            Op::ConstantTrue => Some(true),
            Op::ConstantFalse => Some(false),
            _ => None,
        }
    }

    /// `c ? x : false` is `c and x`; `c ? true : x` is `c or x`; `c ? false : x` is `x and not c`; `c ? x : true` is `x or not c`.
    fn select_boolean(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let condition = self.operand(inst, 0)?;
        let constants = [1, 2].map(|place| self.boolean(self.module.operand(inst, place)));
        Ok(match constants {
            [Some(true), _] => {
                let other = self.operand(inst, 2)?;
                self.emit.logical(Op::LogicalOr, &condition, &other)
            }
            [Some(false), _] => {
                let other = self.operand(inst, 2)?;
                Some(self.emit.without(&other, &condition))
            }
            [None, Some(true)] => {
                let chosen = self.operand(inst, 1)?;
                let inverted = self.emit.logical_not(&condition);
                self.emit.logical(Op::LogicalOr, &chosen, &inverted)
            }
            [None, _] => {
                let chosen = self.operand(inst, 1)?;
                self.emit.logical(Op::LogicalAnd, &condition, &chosen)
            }
        })
    }

    /// Returns whether only branches and the like use a uniform condition, which set the flags themselves.
    pub(super) fn is_for_branches(&self, inst: Inst) -> bool {
        let takes_flags = |user: Inst| match self.module.op(user) {
            Op::BranchIf | Op::If => true,
            _ => self.takes_flags(user) || self.is_compared_in_branch(user),
        };
        self.shape(inst) == Variation::Uniform && self.module.uses(inst).all(|used| takes_flags(used.user))
    }

    /// Returns whether an instruction selects one of two uniform integers by a comparison of uniform values: by flags.
    fn takes_flags(&self, inst: Inst) -> bool {
        let is_uniform = |place: usize| self.shape(self.module.operand(inst, place)) == Variation::Uniform;
        let is_integer = matches!(self.scalar_type(inst), Ok(ScalarType::Int(_)));
        let group = |inst: Inst| self.module.op(inst).group();
        group(inst) == OpGroup::Select
            && is_integer
            && self.shape(inst) == Variation::Uniform
            && (0..3).all(is_uniform)
            && matches!(group(self.module.operand(inst, 0)), OpGroup::IntegerComparison | OpGroup::FloatComparison)
    }

    fn part(&mut self, inst: Inst, op: Op) -> Result<Option<Value>, Diagnostic> {
        let operand = self.module.operand(inst, 0);
        match op {
            Op::CopyObject => self.operand(inst, 0).map(Some),
            Op::CompositeExtract => {
                let index = view::CompositeExtract::of(self.module, inst)
                    .and_then(|extract| extract.indexes.first())
                    .unwrap_or(0);
                match self.values.get(&operand) {
                    Some(Selected::Pair(parts)) => match parts.get(index as usize) {
                        Some(part) => Ok(Some(part.clone())),
                        // A ballot has no lanes after its first two words.
                        None => Ok(Some(self.emit.constant(ScalarType::Int(32), 0))),
                    },
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    fn select_pair(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let (left, right) = (self.module.operand(inst, 0), self.module.operand(inst, 1));
        let ty = self.scalar_type(left)?;
        let (left, right) = (self.value(left)?, self.value(right)?);
        let parts = self.emit.extended_arithmetic(self.module.op(inst), ty.bits(), &left, &right);
        let parts = parts.ok_or_else(|| self.unsupported(inst, "no machine code for operands of these types"))?;
        self.values.insert(inst, Selected::Pair(parts));
        Ok(())
    }

    fn extended(&mut self, inst: Inst, ty: ScalarType) -> Result<Option<Value>, Diagnostic> {
        let Some(view::ExtInst { set, instruction, operands }) = view::ExtInst::of(self.module, inst) else {
            return Ok(None);
        };
        if !self.module.is_instruction_set(set, "GLSL.std.450") {
            return Err(self.unsupported(inst, "an instruction of this set"));
        }
        let operands: Vec<Inst> = operands.iter().collect();
        let mut values = Vec::new();
        for operand in operands {
            values.push(self.value(operand)?);
        }
        Ok(self.emit.extended(instruction, ty, &values))
    }
}
