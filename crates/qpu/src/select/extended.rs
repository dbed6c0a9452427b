//! Instructions of `GLSL.std.450`.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, view};
use spirv::GlslStd450Op as Glsl;

use super::computations::SIGN;
use super::emit::{Emitter, Word};
use super::selector::Selector;
use super::value::{ScalarType, Words, one, two};
use crate::error::unsupported;
use crate::machine::{AddOp, Condition, WritePort};

impl Selector<'_> {
    /// Instructions of `GLSL.std.450`.
    pub(super) fn extended(&mut self, inst: Inst, ty: ScalarType) -> Result<Option<Words>, Diagnostic> {
        let Some(view::ExtInst { set, instruction, operands }) = view::ExtInst::of(self.module, inst) else {
            return Ok(None);
        };
        if !self.module.is_instruction_set(set, "GLSL.std.450") {
            return Err(self.unsupported(inst, "an instruction of this set"));
        }
        let operands: Vec<Inst> = operands.iter().collect();
        let mut words = Vec::new();
        for &operand in &operands {
            words.push(self.value(operand)?);
        }
        let op = Glsl::from_u32(instruction);
        let name = || op.map_or_else(|| instruction.to_string(), |op| format!("{op:?}"));
        let from = operands.first().map(|&operand| self.scalar_type(operand)).transpose()?;
        let result = match (op, from) {
            (Some(op), Some(ScalarType::Float(32))) => self.float_function(op, &words),
            (Some(op), Some(ScalarType::Int(64))) => self.wide_function(op, &words),
            (Some(op), Some(from @ ScalarType::Int(_))) => self.integer_function(op, from, &words),
            _ => None,
        };
        let result = result.ok_or_else(|| unsupported(inst, format!("the function {} of these types", name())))?;
        Ok(Some(if result.len() == 1 && ty.words() == 2 { two(result[0], Word::Constant(0)) } else { result }))
    }

    fn float_function(&mut self, op: Glsl, operands: &[Words]) -> Option<Words> {
        let words: Vec<Word> = operands.iter().map(|words| words[0]).collect();
        let emit = &mut self.emit;
        Some(one(match (op, words.as_slice()) {
            (Glsl::FAbs, &[a]) => emit.fabs(a),
            (Glsl::FSign, &[a]) => {
                let a = Word::Register(emit.in_register(a));
                let sign = emit.and(a, Word::Constant(SIGN));
                let one = emit.or(sign, Emitter::float(1.0));
                emit.flags(AddOp::FAdd, a, Emitter::float(0.0));
                emit.choose(Condition::ZeroSet, a, one)
            }
            (Glsl::Trunc, &[a]) => emit.truncated(a),
            (Glsl::Floor, &[a]) => emit.rounded_to(false, a),
            (Glsl::Ceil, &[a]) => emit.rounded_to(true, a),
            (Glsl::Round, &[a]) => emit.rounded_away(a),
            (Glsl::RoundEven, &[a]) => emit.rounded_even(a),
            (Glsl::Fract, &[a]) => {
                let floor = emit.rounded_to(false, a);
                emit.fsub(a, floor)
            }
            (Glsl::FMin | Glsl::NMin, &[a, b]) => emit.binary(AddOp::FMin, a, b),
            (Glsl::FMax | Glsl::NMax, &[a, b]) => emit.binary(AddOp::FMax, a, b),
            (Glsl::FClamp | Glsl::NClamp, &[a, least, greatest]) => {
                let a = emit.binary(AddOp::FMax, a, least);
                emit.binary(AddOp::FMin, a, greatest)
            }
            (Glsl::FMix, &[a, b, part]) => {
                let rest = emit.fsub(Emitter::float(1.0), part);
                let (first, second) = (emit.fmul(a, rest), emit.fmul(b, part));
                emit.fadd(first, second)
            }
            (Glsl::Fma, &[a, b, c]) => {
                let product = emit.fmul(a, b);
                emit.fadd(product, c)
            }
            (Glsl::Step, &[edge, a]) => {
                emit.flags(AddOp::FMax, edge, a);
                emit.choose(Condition::CarrySet, Word::Constant(0), Emitter::float(1.0))
            }
            _ => return self.root_or_power(op, &words),
        }))
    }

    /// Functions that the special functions unit begins.
    fn root_or_power(&mut self, op: Glsl, words: &[Word]) -> Option<Words> {
        let emit = &mut self.emit;
        Some(one(match (op, words) {
            (Glsl::Sqrt, &[a]) => emit.sqrt(a),
            (Glsl::InverseSqrt, &[a]) => emit.inverse_sqrt(a),
            (Glsl::Exp2, &[a]) => emit.special_function(WritePort::Exp2, a),
            (Glsl::Log2, &[a]) => emit.special_function(WritePort::Log2, a),
            (Glsl::Exp, &[a]) => {
                let scaled = emit.fmul(a, Emitter::float(std::f32::consts::LOG2_E));
                emit.special_function(WritePort::Exp2, scaled)
            }
            (Glsl::Log, &[a]) => {
                let logarithm = emit.special_function(WritePort::Log2, a);
                emit.fmul(logarithm, Emitter::float(std::f32::consts::LN_2))
            }
            (Glsl::Pow, &[a, b]) => {
                let logarithm = emit.special_function(WritePort::Log2, a);
                let product = emit.fmul(b, logarithm);
                emit.special_function(WritePort::Exp2, product)
            }
            (Glsl::Sin, &[a]) => emit.sine(a, 0.0),
            (Glsl::Cos, &[a]) => emit.sine(a, 0.25),
            (Glsl::Tan, &[a]) => {
                let (sine, cosine) = (emit.sine(a, 0.0), emit.sine(a, 0.25));
                emit.fdiv(sine, cosine)
            }
            (Glsl::Ldexp, &[a, exponent]) => emit.scaled(a, exponent),
            _ => return None,
        }))
    }

    fn integer_function(&mut self, op: Glsl, ty: ScalarType, operands: &[Words]) -> Option<Words> {
        let is_signed =
            matches!(op, Glsl::SAbs | Glsl::SSign | Glsl::SMin | Glsl::SMax | Glsl::SClamp | Glsl::FindSMsb);
        let mut words: Vec<Word> = operands.iter().map(|words| words[0]).collect();
        if is_signed {
            words = words.into_iter().map(|word| self.signed(word, ty)).collect();
        }
        let emit = &mut self.emit;
        let word = match (op, words.as_slice()) {
            (Glsl::SAbs, &[a]) => emit.absolute(a),
            (Glsl::SSign, &[a]) => {
                let least = emit.binary(AddOp::Min, a, Word::Constant(1));
                emit.binary(AddOp::Max, least, Word::Constant(u32::MAX))
            }
            (Glsl::SMin, &[a, b]) => emit.binary(AddOp::Min, a, b),
            (Glsl::SMax, &[a, b]) => emit.binary(AddOp::Max, a, b),
            (Glsl::SClamp, &[a, least, greatest]) => {
                let a = emit.binary(AddOp::Max, a, least);
                emit.binary(AddOp::Min, a, greatest)
            }
            (Glsl::UMin, &[a, b]) => emit.unsigned_extreme(true, a, b),
            (Glsl::UMax, &[a, b]) => emit.unsigned_extreme(false, a, b),
            (Glsl::UClamp, &[a, least, greatest]) => {
                let a = emit.unsigned_extreme(false, a, least);
                emit.unsigned_extreme(true, a, greatest)
            }
            (Glsl::FindILsb, &[a]) => {
                let negated = emit.sub(Word::Constant(0), a);
                let lowest = emit.and(a, negated);
                highest_bit(emit, lowest)
            }
            (Glsl::FindUMsb, &[a]) => highest_bit(emit, a),
            (Glsl::FindSMsb, &[a]) => {
                let sign = emit.shift(AddOp::Asr, a, 31);
                let size = emit.xor(a, sign);
                highest_bit(emit, size)
            }
            _ => return None,
        };
        Some(self.narrowed(word, ty))
    }

    /// The lesser or greater of two 64-bit integers, and the highest bit.
    fn wide_function(&mut self, op: Glsl, operands: &[Words]) -> Option<Words> {
        match (op, operands) {
            (Glsl::UMin | Glsl::UMax | Glsl::SMin | Glsl::SMax, [a, b]) => {
                let is_signed = matches!(op, Glsl::SMin | Glsl::SMax);
                let condition = self.emit.wide_less(a, b, is_signed);
                let is_least = matches!(op, Glsl::UMin | Glsl::SMin);
                let condition = if is_least { condition } else { condition.inverted() };
                Some(a.iter().zip(b).map(|(&a, &b)| self.emit.choose(condition, a, b)).collect())
            }
            (Glsl::SAbs, [a]) => {
                let sign = self.emit.shift(AddOp::Asr, a[1], 31);
                let flipped = two(self.emit.xor(a[0], sign), self.emit.xor(a[1], sign));
                Some(self.emit.sub_wide(&flipped, &two(sign, sign)))
            }
            (Glsl::FindUMsb, [a]) => {
                let (low, high) = (highest_bit(&mut self.emit, a[0]), highest_bit(&mut self.emit, a[1]));
                let upper = self.emit.add(high, Word::Constant(32));
                self.emit.test(a[1]);
                Some(one(self.emit.choose(Condition::ZeroSet, low, upper)))
            }
            _ => None,
        }
    }
}

/// The number of the highest bit that is set; −1 for zero.
fn highest_bit(emit: &mut Emitter, word: Word) -> Word {
    let zeros = emit.unary(AddOp::Clz, word);
    emit.sub(Word::Constant(31), zeros)
}
