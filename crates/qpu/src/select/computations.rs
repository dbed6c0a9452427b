//! Instructions whose result depends on operands alone.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, OpGroup, view};

use super::emit::Word;
use super::selector::{Selected, Selector};
use super::value::{ScalarType, Words, one, two};
use crate::machine::{AddOp, Condition};

pub(super) const SIGN: u32 = 1 << 31;

impl Selector<'_> {
    /// Selects an instruction without effects.
    pub(crate) fn select_computation(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.module.op(inst);
        if op.group() == OpGroup::WideArithmetic {
            return self.select_pair(inst, op);
        }
        if matches!(op.group(), OpGroup::PointerConversion | OpGroup::Bitcast) && self.is_place(inst) {
            return Err(self.unsupported(inst, "the address of private memory as a number"));
        }
        let words = self.computed(inst, op)?;
        let words = words.ok_or_else(|| self.unsupported(inst, "operands of these types"))?;
        self.set(inst, words);
        Ok(())
    }

    fn is_place(&self, inst: Inst) -> bool {
        matches!(self.values.get(&self.module.operand(inst, 0)), Some(Selected::Place(_)))
    }

    fn operand(&mut self, inst: Inst, place: usize) -> Result<Words, Diagnostic> {
        self.value(self.module.operand(inst, place))
    }

    fn operand_type(&self, inst: Inst, place: usize) -> Result<ScalarType, Diagnostic> {
        self.scalar_type(self.module.operand(inst, place))
    }

    fn computed(&mut self, inst: Inst, op: Op) -> Result<Option<Words>, Diagnostic> {
        let ty = self.scalar_type(inst)?;
        Ok(match op.group() {
            OpGroup::IntegerArithmetic | OpGroup::IntegerDivision | OpGroup::Bitwise => {
                self.arithmetic(inst, op, ty)?
            }
            OpGroup::Shift => self.shift(inst, op, ty)?,
            OpGroup::BitCount => self.bits_of(inst, op)?,
            OpGroup::BitField => self.bit_field(inst, op, ty)?,
            OpGroup::FloatArithmetic => self.float_arithmetic(inst, op, ty)?,
            OpGroup::FloatTest => self.float_test(inst, op)?,
            OpGroup::IntegerComparison | OpGroup::FloatComparison => match op {
                // Without NaNs every two numbers are ordered.
                Op::Ordered => Some(one(Word::Constant(u32::MAX))),
                Op::Unordered => Some(one(Word::Constant(0))),
                _ => self.compare_flags(inst, false)?.map(|condition| one(self.emit.boolean(condition))),
            },
            OpGroup::PointerQuery if matches!(op, Op::PtrEqual | Op::PtrNotEqual) => {
                self.compare_flags(inst, false)?.map(|condition| one(self.emit.boolean(condition)))
            }
            OpGroup::BooleanLogic => Some(one(self.logic(inst, op)?)),
            OpGroup::Select => Some(self.selection(inst)?),
            OpGroup::NumberConversion => self.conversion(inst, op, ty)?,
            OpGroup::Bitcast | OpGroup::PointerConversion => self.reinterpreted(inst, ty)?,
            OpGroup::Composite => self.part(inst, op)?,
            OpGroup::Extended => self.extended(inst, ty)?,
            _ => None,
        })
    }

    /// Keeps the bits of a narrow integer.
    pub(super) fn narrowed(&mut self, word: Word, ty: ScalarType) -> Words {
        one(match ty {
            ScalarType::Int(bits @ (8 | 16)) => self.emit.zero_extended(word, bits),
            _ => word,
        })
    }

    /// A word with the sign of a narrow integer.
    pub(super) fn signed(&mut self, word: Word, ty: ScalarType) -> Word {
        match ty {
            ScalarType::Int(bits @ (8 | 16)) => self.emit.sign_extended(word, bits),
            _ => word,
        }
    }

    fn arithmetic(&mut self, inst: Inst, op: Op, ty: ScalarType) -> Result<Option<Words>, Diagnostic> {
        let a = self.operand(inst, 0)?;
        if self.module.operand_count(inst) == 1 {
            let zero: Words = a.iter().map(|_| Word::Constant(0)).collect();
            return Ok(Some(match (op, a.len()) {
                (Op::SNegate, 2) => self.emit.sub_wide(&zero, &a),
                (Op::SNegate, _) => {
                    let negated = self.emit.sub(Word::Constant(0), a[0]);
                    self.narrowed(negated, ty)
                }
                _ => {
                    let words: Words = a.iter().map(|&word| self.emit.not(word)).collect();
                    if words.len() == 2 { words } else { self.narrowed(words[0], ty) }
                }
            }));
        }
        let b = self.operand(inst, 1)?;
        if a.len() == 2 {
            return self.wide_arithmetic(inst, op, &a, &b);
        }
        let (a, b) = (a[0], b[0]);
        let word = match op {
            Op::IAdd => self.emit.add(a, b),
            Op::ISub => self.emit.sub(a, b),
            Op::IMul => {
                let bounds = [0, 1].map(|place| self.bound(self.module.operand(inst, place)));
                self.emit.product((a, bounds[0]), (b, bounds[1]))
            }
            Op::UDiv => self.emit.divide(a, b).0,
            Op::UMod => self.emit.divide(a, b).1,
            Op::SDiv | Op::SRem | Op::SMod => {
                let (a, b) = (self.signed(a, ty), self.signed(b, ty));
                self.signed_division(op, a, b)
            }
            Op::BitwiseAnd => return Ok(Some(one(self.emit.and(a, b)))),
            Op::BitwiseOr => return Ok(Some(one(self.emit.or(a, b)))),
            Op::BitwiseXor => return Ok(Some(one(self.emit.xor(a, b)))),
            _ => return Ok(None),
        };
        Ok(Some(self.narrowed(word, ty)))
    }

    /// `SMod` has the sign of the divisor, `SRem` that of the dividend.
    fn signed_division(&mut self, op: Op, a: Word, b: Word) -> Word {
        let (quotient, rest) = self.emit.divide_signed(a, b);
        match op {
            Op::SDiv => quotient,
            Op::SRem => rest,
            _ => {
                let sum = self.emit.add(rest, b);
                let signs = self.emit.xor(rest, b);
                let rest = Word::Register(self.emit.in_register(rest));
                self.emit.test(signs);
                let moved = self.emit.choose(Condition::NegativeSet, sum, rest);
                self.emit.test(rest);
                self.emit.choose(Condition::ZeroSet, rest, moved)
            }
        }
    }

    fn wide_arithmetic(&mut self, at: Inst, op: Op, a: &Words, b: &Words) -> Result<Option<Words>, Diagnostic> {
        Ok(Some(match op {
            Op::IAdd => self.emit.add_wide(a, b),
            Op::ISub => self.emit.sub_wide(a, b),
            Op::IMul => match (a[1], b[1], b[0]) {
                (_, Word::Constant(0), Word::Constant(factor)) if factor.is_power_of_two() => {
                    self.emit.shift_wide_by(AddOp::Shl, a, factor.trailing_zeros())
                }
                _ => self.emit.product_wide(a, b),
            },
            Op::BitwiseAnd => two(self.emit.and(a[0], b[0]), self.emit.and(a[1], b[1])),
            Op::BitwiseOr => two(self.emit.or(a[0], b[0]), self.emit.or(a[1], b[1])),
            Op::BitwiseXor => two(self.emit.xor(a[0], b[0]), self.emit.xor(a[1], b[1])),
            Op::UDiv => self.emit.divide_wide(a, b).0,
            Op::UMod => self.emit.divide_wide(a, b).1,
            Op::SDiv => self.emit.divide_wide_signed(a, b).0,
            Op::SRem => self.emit.divide_wide_signed(a, b).1,
            Op::SMod => {
                let rest = self.emit.divide_wide_signed(a, b).1;
                let sum = self.emit.add_wide(&rest, b);
                let signs = self.emit.xor(rest[1], b[1]);
                let any = self.emit.or(rest[0], rest[1]);
                self.emit.test(signs);
                let differs = self.emit.boolean(Condition::NegativeSet);
                self.emit.test(any);
                let is_rest = self.emit.choose(Condition::ZeroSet, Word::Constant(0), differs);
                self.emit.test(is_rest);
                rest.iter().zip(&sum).map(|(&rest, &sum)| self.emit.choose(Condition::ZeroClear, sum, rest)).collect()
            }
            _ => return Err(self.unsupported(at, "operands of these types")),
        }))
    }

    fn shift(&mut self, inst: Inst, op: Op, ty: ScalarType) -> Result<Option<Words>, Diagnostic> {
        let machine = match op {
            Op::ShiftLeftLogical => AddOp::Shl,
            Op::ShiftRightLogical => AddOp::Shr,
            _ => AddOp::Asr,
        };
        let (a, amount) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        if a.len() == 2 {
            return Ok(Some(self.emit.shift_wide(machine, &a, amount[0])));
        }
        let base = if machine == AddOp::Asr { self.signed(a[0], ty) } else { a[0] };
        let word = match amount[0] {
            Word::Constant(amount) => self.emit.shift(machine, base, amount & 31),
            amount => self.emit.binary(machine, base, amount),
        };
        Ok(Some(self.narrowed(word, ty)))
    }

    fn bits_of(&mut self, inst: Inst, op: Op) -> Result<Option<Words>, Diagnostic> {
        let from = self.operand_type(inst, 0)?;
        let a = self.operand(inst, 0)?;
        let ty = self.scalar_type(inst)?;
        Ok(Some(match (op, a.len()) {
            (Op::BitCount, _) => {
                let mut count = self.emit.bit_count(a[0]);
                if let Some(&high) = a.get(1) {
                    let upper = self.emit.bit_count(high);
                    count = self.emit.add(count, upper);
                }
                if ty.words() == 2 { two(count, Word::Constant(0)) } else { one(count) }
            }
            (_, 2) => two(self.emit.bit_reverse(a[1]), self.emit.bit_reverse(a[0])),
            _ => {
                let reversed = self.emit.bit_reverse(a[0]);
                match from {
                    ScalarType::Int(bits @ (8 | 16)) => one(self.emit.shift(AddOp::Shr, reversed, 32 - bits)),
                    _ => one(reversed),
                }
            }
        }))
    }

    /// All ones in the low bits: of no bits and of 32 too.
    fn low_bits(&mut self, count: Word) -> Word {
        if let Word::Constant(count) = count {
            return Word::Constant(1_u32.checked_shl(count).unwrap_or(0).wrapping_sub(1));
        }
        let count = Word::Register(self.emit.in_register(count));
        let bit = self.emit.binary(AddOp::Shl, Word::Constant(1), count);
        let mask = self.emit.sub(bit, Word::Constant(1));
        // A shift by 32 is one by zero.
        self.emit.flags(AddOp::And, count, Word::Constant(32));
        self.emit.choose(Condition::ZeroClear, Word::Constant(u32::MAX), mask)
    }

    fn bit_field(&mut self, inst: Inst, op: Op, ty: ScalarType) -> Result<Option<Words>, Diagnostic> {
        if ty.words() == 2 {
            return Ok(None);
        }
        let mut words = Vec::new();
        for place in 0..self.module.operand_count(inst) {
            words.push(self.operand(inst, place)?[0]);
        }
        Ok(match (op, words.as_slice()) {
            (Op::BitFieldInsert, &[base, insert, offset, count]) => {
                let mask = self.low_bits(count);
                let mask = self.emit.binary(AddOp::Shl, mask, offset);
                let moved = self.emit.binary(AddOp::Shl, insert, offset);
                let inserted = self.emit.and(moved, mask);
                let others = self.emit.not(mask);
                let kept = self.emit.and(base, others);
                let word = self.emit.or(kept, inserted);
                Some(self.narrowed(word, ty))
            }
            (Op::BitFieldUExtract, &[base, offset, count]) => {
                let moved = self.emit.binary(AddOp::Shr, base, offset);
                let mask = self.low_bits(count);
                Some(one(self.emit.and(moved, mask)))
            }
            (Op::BitFieldSExtract, &[base, offset, count]) => {
                // Up to the sign bit and down again, the last bit apart: no bits are none.
                let sum = self.emit.add(offset, count);
                let up = self.emit.sub(Word::Constant(32), sum);
                let moved = self.emit.binary(AddOp::Shl, base, up);
                let down = self.emit.sub(Word::Constant(32), count);
                let moved = self.emit.binary(AddOp::Asr, moved, down);
                self.emit.test(count);
                let word = self.emit.choose(Condition::ZeroSet, Word::Constant(0), moved);
                Some(self.narrowed(word, ty))
            }
            _ => None,
        })
    }

    fn float_arithmetic(&mut self, inst: Inst, op: Op, ty: ScalarType) -> Result<Option<Words>, Diagnostic> {
        let a = self.operand(inst, 0)?[0];
        if op == Op::FNegate {
            let sign = if ty == ScalarType::Float(16) { 0x8000 } else { SIGN };
            return Ok(Some(one(self.emit.xor(a, Word::Constant(sign)))));
        }
        if ty != ScalarType::Float(32) {
            return Err(self.unsupported(inst, "arithmetic of halves"));
        }
        let b = self.operand(inst, 1)?[0];
        Ok(Some(one(match op {
            Op::FAdd => self.emit.fadd(a, b),
            Op::FSub => self.emit.fsub(a, b),
            Op::FMul => self.emit.fmul(a, b),
            Op::FDiv => self.emit.fdiv(a, b),
            Op::FRem | Op::FMod => {
                let quotient = self.emit.fdiv(a, b);
                let whole = match op {
                    Op::FRem => self.emit.truncated(quotient),
                    _ => self.emit.rounded_to(false, quotient),
                };
                let product = self.emit.fmul(whole, b);
                self.emit.fsub(a, product)
            }
            _ => return Ok(None),
        })))
    }

    fn float_test(&mut self, inst: Inst, op: Op) -> Result<Option<Words>, Diagnostic> {
        let ty = self.operand_type(inst, 0)?;
        let a = self.operand(inst, 0)?[0];
        let (infinity, sign) = if ty == ScalarType::Float(16) { (0x7c00, 0x8000) } else { (0x7f80_0000, SIGN) };
        let size = self.emit.and(a, Word::Constant(sign - 1));
        let infinity = Word::Register(self.emit.loaded(infinity));
        let condition = match op {
            Op::IsInf => {
                self.emit.flags(AddOp::Xor, size, infinity);
                Condition::ZeroSet
            }
            Op::IsNan => {
                self.emit.flags(AddOp::Sub, infinity, size);
                Condition::CarrySet
            }
            Op::IsFinite => {
                self.emit.flags(AddOp::Sub, size, infinity);
                Condition::CarrySet
            }
            Op::SignBitSet => {
                self.emit.flags(AddOp::And, a, Word::Constant(sign));
                Condition::ZeroClear
            }
            _ => return Ok(None),
        };
        Ok(Some(one(self.emit.boolean(condition))))
    }

    fn logic(&mut self, inst: Inst, op: Op) -> Result<Word, Diagnostic> {
        let a = self.operand(inst, 0)?[0];
        if op == Op::LogicalNot {
            return Ok(self.emit.not(a));
        }
        let b = self.operand(inst, 1)?[0];
        Ok(match op {
            Op::LogicalAnd => self.emit.and(a, b),
            Op::LogicalOr => self.emit.or(a, b),
            Op::LogicalNotEqual => self.emit.xor(a, b),
            _ => {
                let differs = self.emit.xor(a, b);
                self.emit.not(differs)
            }
        })
    }

    fn selection(&mut self, inst: Inst) -> Result<Words, Diagnostic> {
        let (chosen, other) = (self.operand(inst, 1)?, self.operand(inst, 2)?);
        let condition = self.condition(self.module.operand(inst, 0))?;
        Ok(chosen.iter().zip(&other).map(|(&chosen, &other)| self.emit.choose(condition, chosen, other)).collect())
    }

    fn conversion(&mut self, inst: Inst, op: Op, ty: ScalarType) -> Result<Option<Words>, Diagnostic> {
        let from = self.operand_type(inst, 0)?;
        let a = self.operand(inst, 0)?;
        let source = self.module.operand(inst, 0);
        Ok(match (op, from, ty) {
            (Op::UConvert, _, ScalarType::Int(64)) => Some(if a.len() == 2 { a } else { two(a[0], Word::Constant(0)) }),
            (Op::SConvert, _, ScalarType::Int(64)) => {
                let low = self.signed(a[0], from);
                let high = self.emit.shift(AddOp::Asr, low, 31);
                Some(if a.len() == 2 { a } else { two(low, high) })
            }
            (Op::UConvert, ..) => Some(self.narrowed(a[0], ty)),
            (Op::SConvert, ..) => {
                let word = self.signed(a[0], from);
                Some(self.narrowed(word, ty))
            }
            (Op::ConvertSToF, ScalarType::Int(8 | 16 | 32), ScalarType::Float(32)) => {
                let word = self.signed(a[0], from);
                Some(one(self.emit.unary(AddOp::IToF, word)))
            }
            (Op::ConvertUToF, ScalarType::Int(8 | 16 | 32), ScalarType::Float(32)) => {
                let bound = self.bound(source);
                Some(one(self.emit.unsigned_to_float(a[0], bound)))
            }
            (Op::ConvertUToF, ScalarType::Int(64), ScalarType::Float(32)) if a[1] == Word::Constant(0) => {
                Some(one(self.emit.unsigned_to_float(a[0], u32::MAX)))
            }
            (Op::ConvertUToF, ScalarType::Int(64), ScalarType::Float(32)) => Some(one(self.emit.wide_to_float(&a))),
            (Op::ConvertSToF, ScalarType::Int(64), ScalarType::Float(32)) => {
                let mask = self.emit.shift(AddOp::Asr, a[1], 31);
                let size = self.emit.negated_wide_where(&a, mask);
                let size = self.emit.wide_to_float(&size);
                let sign = self.emit.and(mask, Word::Constant(SIGN));
                Some(one(self.emit.or(size, sign)))
            }
            (Op::ConvertFToU, ScalarType::Float(32), ScalarType::Int(64)) => Some(self.emit.float_to_wide(a[0])),
            (Op::ConvertFToS, ScalarType::Float(32), ScalarType::Int(64)) => {
                let mask = self.emit.shift(AddOp::Asr, a[0], 31);
                let size = self.emit.fabs(a[0]);
                let size = self.emit.float_to_wide(size);
                Some(self.emit.negated_wide_where(&size, mask))
            }
            (Op::ConvertFToS, ScalarType::Float(32), ScalarType::Int(8 | 16 | 32)) => {
                let word = self.emit.unary(AddOp::FToI, a[0]);
                Some(self.narrowed(word, ty))
            }
            (Op::ConvertFToU, ScalarType::Float(32), ScalarType::Int(8 | 16)) => {
                let word = self.emit.unary(AddOp::FToI, a[0]);
                Some(self.narrowed(word, ty))
            }
            (Op::ConvertFToU, ScalarType::Float(32), ScalarType::Int(32)) => {
                Some(one(self.emit.float_to_unsigned(a[0])))
            }
            (Op::FConvert, ScalarType::Float(16), ScalarType::Float(32)) => Some(one(self.emit.half_to_float(a[0]))),
            (Op::FConvert, ScalarType::Float(32), ScalarType::Float(16)) => Some(one(self.emit.float_to_half(a[0]))),
            _ => None,
        })
    }

    /// Bits taken for another type. An address is the low word of the number that it is in the IR.
    fn reinterpreted(&mut self, inst: Inst, ty: ScalarType) -> Result<Option<Words>, Diagnostic> {
        let a = self.operand(inst, 0)?;
        Ok(match (a.len(), ty.words()) {
            (from, to) if from == to => Some(a),
            (1, 2) if self.operand_type(inst, 0)? == ScalarType::Pointer => Some(two(a[0], Word::Constant(0))),
            (2, 1) if ty == ScalarType::Pointer => Some(one(a[0])),
            _ => None,
        })
    }

    fn part(&mut self, inst: Inst, op: Op) -> Result<Option<Words>, Diagnostic> {
        if op == Op::CopyObject {
            return self.operand(inst, 0).map(Some);
        }
        let index = view::CompositeExtract::of(self.module, inst).and_then(|extract| extract.indexes.first());
        Ok(match (self.values.get(&self.module.operand(inst, 0)), index) {
            (Some(Selected::Pair(parts)), Some(index)) => {
                // A ballot has no lanes after its first words.
                Some(parts.get(index as usize).cloned().unwrap_or_else(|| one(Word::Constant(0))))
            }
            _ => None,
        })
    }

    /// Operations whose result has two parts.
    fn select_pair(&mut self, inst: Inst, op: Op) -> Result<(), Diagnostic> {
        let (a, b) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        if a.len() == 2 || self.operand_type(inst, 0)? != ScalarType::Int(32) {
            return Err(self.unsupported(inst, "operands of these types"));
        }
        let (a, b) = (Word::Register(self.emit.in_register(a[0])), Word::Register(self.emit.in_register(b[0])));
        let parts = match op {
            Op::IAddCarry | Op::ISubBorrow => {
                let machine = if op == Op::IAddCarry { AddOp::Add } else { AddOp::Sub };
                let result = self.emit.binary(machine, a, b);
                self.emit.flags(machine, a, b);
                let carry = self.emit.choose(Condition::CarrySet, Word::Constant(1), Word::Constant(0));
                [one(result), one(carry)]
            }
            Op::UMulExtended => [one(self.emit.product_of_words(a, b)), one(self.emit.high_product(a, b))],
            _ => [one(self.emit.product_of_words(a, b)), one(self.emit.high_product_signed(a, b))],
        };
        self.values.insert(inst, Selected::Pair(parts));
        Ok(())
    }
}
