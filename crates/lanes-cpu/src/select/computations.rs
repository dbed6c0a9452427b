//! Instructions whose result depends on operands alone: their rule (`rules.rs`) names one of these functions.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, OpGroup, view};
use reconverge_lanes::Variation;
use reconverge_lanes::patterns::Typed;
use spirv::GlslStd450Op as Glsl;

use super::rules::{Emit, rule_of};
use super::selector::Selector;
use super::value::{ScalarType, Value};
use super::values::{Selected, Values};

/// The product of this power of two and any number but zero is infinite in every format, and the quotient is zero.
const EXPONENTS: i64 = 1 << 16;

impl Selector<'_> {
    /// Selects an instruction without effects.
    pub(super) fn select_computation(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.values.module.op(inst);
        let is_comparison = matches!(op.group(), OpGroup::IntegerComparison | OpGroup::FloatComparison);
        if is_comparison && self.values.is_for_branches(inst) || self.values.is_short_circuit(inst) {
            return Ok(());
        }
        if self.values.shape(inst) == Variation::Divergent && self.select_wide(inst)? {
            return Ok(());
        }
        if op == Op::CompositeExtract {
            return self.select_part(inst);
        }
        let rule = Typed::of(self.values.module, inst).as_ref().and_then(rule_of);
        let selected = match rule.ok_or_else(|| self.values.without_rule(inst))? {
            Emit::Value(emit) => emit(self, inst)?.map(|value| self.set(inst, value)),
            Emit::Pair(emit) => emit(self, inst)?.map(|parts| {
                self.values.set(inst, Selected::Pair(parts));
            }),
        };
        selected.ok_or_else(|| self.values.without_code(inst))
    }

    /// Operand number `place`, as [`Self::operand_of`].
    pub(super) fn operand(&mut self, inst: Inst, place: usize) -> Result<Value, Diagnostic> {
        self.operand_of(inst, self.values.module.operand(inst, place))
    }

    /// An operand: a vector for a varying result, else the base. Strides may cancel out: `gid - lid` is uniform.
    pub(super) fn operand_of(&mut self, inst: Inst, operand: Inst) -> Result<Value, Diagnostic> {
        if self.values.shape(inst) == Variation::Divergent { self.value(operand) } else { self.base(operand) }
    }

    /// An operation of one operand. The count of the bits of a number may have another width than the number.
    pub(super) fn operation_of_one(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let operand = self.operand(inst, 0)?;
        let (from, ty) = (self.values.operand_type(inst, 0)?, self.values.scalar_type(inst)?);
        let result = self.emit.unary(self.values.module.op(inst), from, &operand);
        let convert = |result: Value| self.emit.convert(Op::UConvert, from, ty, &result);
        Ok(if from == ty { result } else { result.and_then(convert) })
    }

    /// An operation of two operands of one type.
    pub(super) fn operation_of_two(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let (left, right) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let ty = self.values.scalar_type(inst)?;
        Ok(self.emit.binary(self.values.module.op(inst), ty, &left, &right))
    }

    /// A shift, whose amount may have another width than the number.
    pub(super) fn shift(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let (left, right) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let (ty, from) = (self.values.scalar_type(inst)?, self.values.operand_type(inst, 1)?);
        let amount = if from == ty { Some(right) } else { self.emit.convert(Op::UConvert, from, ty, &right) };
        Ok(amount.and_then(|amount| self.emit.binary(self.values.module.op(inst), ty, &left, &amount)))
    }

    /// A comparison of two operands of one type as `op` compares them.
    pub(super) fn comparison(&mut self, inst: Inst, op: Op) -> Result<Option<Value>, Diagnostic> {
        let (left, right) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let ty = self.values.operand_type(inst, 0)?;
        Ok(self.emit.compare(op, ty, &left, &right))
    }

    /// A test of one float.
    pub(super) fn float_test(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let operand = self.operand(inst, 0)?;
        let ty = self.values.operand_type(inst, 0)?;
        Ok(self.emit.classify(self.values.module.op(inst), ty, &operand))
    }

    /// One of two values: by logic, by flags, or by masks.
    pub(super) fn selection(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let ty = self.values.scalar_type(inst)?;
        if self.values.module.operand(inst, 1) == self.values.module.operand(inst, 2) {
            return self.operand(inst, 1).map(Some);
        }
        if ty == ScalarType::Bool && self.values.is_logic(inst) {
            return self.select_boolean(inst);
        }
        if self.values.takes_flags(inst) {
            let (chosen, other) = (self.operand(inst, 1)?.uniform(), self.operand(inst, 2)?.uniform());
            let condition = self.condition(self.values.module.operand(inst, 0))?;
            let choose = |(chosen, other)| Value::Uniform(self.emit.choose(condition, chosen, other));
            return Ok(chosen.zip(other).map(choose));
        }
        let operands = [self.operand(inst, 0)?, self.operand(inst, 1)?, self.operand(inst, 2)?];
        Ok(self.emit.select(ty, &operands[0], &operands[1], &operands[2]))
    }

    /// A conversion of numbers.
    pub(super) fn conversion(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let (from, ty) = (self.values.operand_type(inst, 0)?, self.values.scalar_type(inst)?);
        let operand = self.operand(inst, 0)?;
        Ok(self.emit.convert(self.values.module.op(inst), from, ty, &operand))
    }

    /// Bits taken for another type of the same size.
    pub(super) fn reinterpretation(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let is_integer = |ty: ScalarType| matches!(ty, ScalarType::Int(_));
        match is_integer(self.values.operand_type(inst, 0)?) && is_integer(self.values.scalar_type(inst)?) {
            true => self.operand(inst, 0).map(Some),
            false => self.conversion(inst),
        }
    }

    /// An address as an integer, or an integer as an address: its low bits, or zeros above it.
    pub(super) fn pointer_conversion(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let (from, ty) = (self.values.operand_type(inst, 0)?, self.values.scalar_type(inst)?);
        let operand = self.operand(inst, 0)?;
        Ok(if from == ty { Some(operand) } else { self.emit.convert(Op::UConvert, from, ty, &operand) })
    }

    /// An insertion or extraction of bits, whose offset and count may have other widths than the number.
    pub(super) fn bit_field(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let (op, ty) = (self.values.module.op(inst), self.values.scalar_type(inst)?);
        let mut operands = Vec::new();
        for place in 0..self.values.module.operand_count(inst) {
            operands.push(self.operand(inst, place)?);
        }
        let count = operands.len();
        for (place, operand) in operands.iter_mut().enumerate().skip(count.saturating_sub(2)) {
            let from = self.values.scalar_type(self.values.module.operand(inst, place))?;
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
    pub(super) fn logic(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let op = self.values.module.op(inst);
        let left = self.operand(inst, 0)?;
        if op == Op::LogicalNot {
            return Ok(Some(self.emit.logical_not(&left)));
        }
        let second = self.values.module.operand(inst, 1);
        if op == Op::LogicalAnd && self.values.module.op(second) == Op::LogicalNot {
            let inverted = self.values.module.operand(second, 0);
            let inverted = self.value(inverted)?;
            return Ok(Some(self.emit.without(&left, &inverted)));
        }
        let right = self.operand(inst, 1)?;
        Ok(self.emit.logical(op, &left, &right))
    }

    /// `c ? x : false` is `c and x`; `c ? true : x` is `c or x`; `c ? false : x` is `x and not c`; `c ? x : true` is `x or not c`.
    fn select_boolean(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let condition = self.operand(inst, 0)?;
        let constants = [1, 2].map(|place| self.values.boolean(self.values.module.operand(inst, place)));
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

    /// A part of a result that has several.
    fn select_part(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let extract = view::CompositeExtract::of(self.values.module, inst);
        let index = extract.and_then(|extract| extract.indexes.first()).unwrap_or(0);
        let Some(Selected::Pair(parts)) = self.values.get(self.values.module.operand(inst, 0)) else {
            return Err(self.values.without_rule(inst));
        };
        let part = match parts.get(index as usize) {
            Some(part) => part.clone(),
            // A ballot has no lanes after its first two words.
            None => self.emit.constant(ScalarType::Int(32), 0),
        };
        self.set(inst, part);
        Ok(())
    }

    /// An operation whose result has two parts.
    pub(super) fn two_parts(&mut self, inst: Inst) -> Result<Option<[Value; 2]>, Diagnostic> {
        let ty = self.values.operand_type(inst, 0)?;
        let (left, right) =
            (self.value(self.values.module.operand(inst, 0))?, self.value(self.values.module.operand(inst, 1))?);
        Ok(self.emit.extended_arithmetic(self.values.module.op(inst), ty.bits(), &left, &right))
    }

    /// An instruction of `GLSL.std.450`, whose operands have the type of the result.
    pub(super) fn function(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let ty = self.values.scalar_type(inst)?;
        let Some(view::ExtInst { instruction, operands, .. }) = view::ExtInst::of(self.values.module, inst) else {
            return Ok(None);
        };
        let operands: Vec<Inst> = operands.iter().collect();
        let values: Result<Vec<Value>, Diagnostic> = operands.into_iter().map(|operand| self.value(operand)).collect();
        Ok(self.emit.extended(instruction, ty, &values?))
    }

    /// `Ldexp`, whose exponent is any integer: it becomes one of 32 bits.
    pub(super) fn load_exponent(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        const WORD: ScalarType = ScalarType::Int(32);
        let ty = self.values.scalar_type(inst)?;
        let first = view::ExtInst::SLOT.operands;
        let (number, mut exponent) = (
            self.value(self.values.module.operand(inst, first))?,
            self.value(self.values.module.operand(inst, first + 1))?,
        );
        let from = self.values.operand_type(inst, first + 1)?;
        if from == ScalarType::Int(64) {
            // No float has an exponent beyond these.
            let limits = [-EXPONENTS, EXPONENTS].map(|limit| self.emit.constant(from, limit.cast_unsigned()));
            let clamped =
                self.emit.extended(Glsl::SClamp as u32, from, &[exponent, limits[0].clone(), limits[1].clone()]);
            let Some(clamped) = clamped else { return Ok(None) };
            exponent = clamped;
        }
        if from != WORD {
            let Some(word) = self.emit.convert(Op::SConvert, from, WORD, &exponent) else { return Ok(None) };
            exponent = word;
        }
        Ok(self.emit.extended(Glsl::Ldexp as u32, ty, &[number, exponent]))
    }
}

impl Values<'_> {
    /// The error of an instruction that is no operation on scalars.
    fn without_rule(&self, inst: Inst) -> Diagnostic {
        let is_foreign = view::ExtInst::of(self.module, inst)
            .is_some_and(|view| !self.module.is_instruction_set(view.set, "GLSL.std.450"));
        match self.scalar_type(inst) {
            Err(error) => error,
            Ok(_) if is_foreign => self.unsupported(inst, "an instruction of this set"),
            Ok(_) => self.without_code(inst),
        }
    }

    fn without_code(&self, inst: Inst) -> Diagnostic {
        let types =
            Typed::of(self.module, inst).map_or_else(|| "these types".to_owned(), |typed| typed.operand_types());
        self.unsupported(inst, &format!("no machine code for operands of {types}"))
    }

    /// The type of operand number `place`.
    fn operand_type(&self, inst: Inst, place: usize) -> Result<ScalarType, Diagnostic> {
        self.scalar_type(self.module.operand(inst, place))
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
}
