//! Integer division. It never traps: a division by zero, or of the least integer by −1, gives any result.
//!
//! By a constant: `reconverge_legalize::magic`. Uniform integers: `div` and `idiv` with a divisor that is made harmless. Vectors of 64-bit integers: each lane
//! by itself. Vectors of shorter integers: by floating-point numbers, which is exact. Let `a` and `b` be integers of N bits, and the format one
//! with a significand of p ≥ 2N bits or, for N = 16, 24 bits. The quotient q = ⌊a / b⌋ is a number of the format, so rounding does not go below
//! it. If a / b is not an integer, it is at least 1 / b below q + 1, and rounding moves it by at most 2^-p · a / b, which is less than
//! 2^(N-p) / b < 1 / b: so rounding does not reach q + 1 either. For negative quotients all this holds for the magnitude.

use iced_x86::Code;
use reconverge_ir::{Op, Signedness};
use reconverge_legalize::magic;

use super::forms::{Shape, VectorOp as V};
use super::general::code;
use super::lanes::{Lanes, Rounding, Size, Source};
use super::{Emitter, Registers};
use crate::machine::{Class, Condition, Operand, VReg};
use crate::select::value::{ScalarType, Value};

/// How a division takes its operands.
fn signedness(op: Op) -> Signedness {
    match op {
        Op::UDiv | Op::UMod => Signedness::Unsigned,
        _ => Signedness::Signed,
    }
}

impl Emitter<'_> {
    /// A quotient or remainder.
    pub(super) fn divide(&mut self, op: Op, bits: u32, a: &Value, b: &Value) -> Option<Value> {
        if let Some(divisor) = self.known(b) {
            return self.divide_by_constant(op, bits, a, divisor);
        }
        if let (&Value::Uniform(a), &Value::Uniform(b)) = (a, b) {
            return Some(Value::Uniform(self.divide_general(op, bits, a, b)));
        }
        if bits == 64 {
            return Some(self.divide_lanes(op, a, b));
        }
        self.map(ScalarType::Int(bits), [a, b], |lanes, [a, b]| Some(lanes.divide(op, bits, a, b)))
    }

    /// Uniform integers.
    fn divide_general(&mut self, op: Op, bits: u32, a: VReg, b: VReg) -> VReg {
        if matches!(op, Op::UDiv | Op::UMod) {
            // One more where the divisor is below one.
            self.effect(
                code([Code::Cmp_rm32_imm8, Code::Cmp_rm64_imm8], bits),
                [Operand::Use(b), Operand::Immediate(1)],
            );
            let divisor = self.update(code([Code::Adc_rm32_imm8, Code::Adc_rm64_imm8], bits), b, Operand::Immediate(0));
            let [quotient, remainder] = self.wide_quotient(Signedness::Unsigned, bits, a, divisor);
            return if op == Op::UDiv { quotient } else { remainder };
        }
        let result = if bits == 64 { self.divide_longs(op, a, b) } else { self.divide_words(op, bits, a, b) };
        match bits {
            32 => self.define(Class::General, Code::Mov_r32_rm32, [Operand::Use(result)]),
            _ => self.cut(bits, result),
        }
    }

    /// Signed integers of up to 32 bits, in 64: no quotient overflows.
    fn divide_words(&mut self, op: Op, bits: u32, a: VReg, b: VReg) -> VReg {
        let [a, b] = [a, b].map(|register| self.sign_extended_to_long(bits, register));
        self.effect(Code::Cmp_rm64_imm8, [Operand::Use(b), Operand::Immediate(1)]);
        let divisor = self.update(Code::Adc_rm64_imm8, b, Operand::Immediate(0));
        let [quotient, remainder] = self.wide_quotient(Signedness::Signed, 64, a, divisor);
        if op == Op::SDiv { quotient } else { remainder }
    }

    /// Sign-extended from any width to 64 bits.
    pub(super) fn sign_extended_to_long(&mut self, bits: u32, register: VReg) -> VReg {
        let code = match bits {
            8 => Code::Movsx_r64_rm8,
            16 => Code::Movsx_r64_rm16,
            32 => Code::Movsxd_r64_rm32,
            _ => return register,
        };
        self.define(Class::General, code, [Operand::Use(register)])
    }

    /// Signed integers of 64 bits: instead of 0 and −1, divides by 1.
    fn divide_longs(&mut self, op: Op, a: VReg, b: VReg) -> VReg {
        let (one, next) = (self.general_constant(1), self.update(Code::Add_rm64_imm8, b, Operand::Immediate(1)));
        self.effect(Code::Cmp_rm64_imm8, [Operand::Use(next), Operand::Immediate(1)]);
        let divisor = self.choose(Condition::BelowEqual, one, b);
        let [quotient, remainder] = self.wide_quotient(Signedness::Signed, 64, a, divisor);
        let negative = self.update_alone(Code::Neg_rm64, a);
        self.effect(Code::Cmp_rm64_imm8, [Operand::Use(b), Operand::Immediate(-1)]);
        let quotient = self.choose(Condition::Equal, negative, quotient);
        if op == Op::SDiv { quotient } else { remainder }
    }

    /// Vectors of 64-bit integers, lane by lane.
    fn divide_lanes(&mut self, op: Op, a: &Value, b: &Value) -> Value {
        let ty = ScalarType::Int(64);
        let (a, b) = (self.broadcast(ty, a), self.broadcast(ty, b));
        let (Value::Varying(a), Value::Varying(b)) = (a, b) else { unreachable!("broadcast values vary") };
        let mut results = Registers::new();
        for (&a, &b) in a.iter().zip(&b) {
            let (a, b) = (self.quads(a), self.quads(b));
            let quotients: Vec<VReg> = a.iter().zip(&b).map(|(&a, &b)| self.divide_general(op, 64, a, b)).collect();
            results.push(self.vector_of_quads(&quotients));
        }
        Value::Varying(results)
    }

    /// The 64-bit elements of a vector in general registers.
    fn quads(&mut self, vector: VReg) -> Vec<VReg> {
        let (pieces, extract) = match self.varying_shape() {
            Shape::EvexZmm => (4, Code::EVEX_Vextracti32x4_xmmm128_k1z_zmm_imm8),
            _ => (2, Code::VEX_Vextracti128_xmmm128_ymm_imm8),
        };
        let is_evex = self.function.has_avx512;
        let second = if is_evex { Code::EVEX_Vpextrq_rm64_xmm_imm8 } else { Code::VEX_Vpextrq_rm64_xmm_imm8 };
        let mut quads = Vec::new();
        for piece in 0..pieces {
            let pair = match piece {
                0 => vector,
                _ => self.define(Class::Vector, extract, [Operand::Use(vector), Operand::Immediate(piece)]),
            };
            quads.push(self.in_general(ScalarType::Int(64), pair));
            quads.push(self.define(Class::General, second, [Operand::Use(pair), Operand::Immediate(1)]));
        }
        quads
    }

    /// A vector of 64-bit elements in general registers.
    fn vector_of_quads(&mut self, quads: &[VReg]) -> VReg {
        let (insert, second) = match self.function.has_avx512 {
            true => (Code::EVEX_Vinserti32x4_zmm_k1z_zmm_xmmm128_imm8, Code::EVEX_Vpinsrq_xmm_xmm_rm64_imm8),
            false => (Code::VEX_Vinserti128_ymm_ymm_xmmm128_imm8, Code::VEX_Vpinsrq_xmm_xmm_rm64_imm8),
        };
        let mut whole: Option<VReg> = None;
        for (piece, pair) in quads.chunks(2).enumerate() {
            let low = self.in_vector(ScalarType::Int(64), pair[0]);
            let operands = [Operand::Use(low), Operand::Use(pair[1]), Operand::Immediate(1)];
            let both = self.define(Class::Vector, second, operands);
            whole = Some(match whole {
                None => both,
                Some(whole) => {
                    let operands = [Operand::Use(whole), Operand::Use(both), Operand::Immediate(piece as i64)];
                    self.define(Class::Vector, insert, operands)
                }
            });
        }
        whole.expect("invariant: a vector has elements")
    }

    fn divide_by_constant(&mut self, op: Op, bits: u32, a: &Value, divisor: u64) -> Option<Value> {
        let ty = ScalarType::Int(bits);
        if divisor == 0 {
            return Some(a.clone());
        }
        // Narrow integers are divided as 32-bit ones.
        if bits < 32 {
            let is_signed = signedness(op) == Signedness::Signed;
            let (extend, word) = (if is_signed { Op::SConvert } else { Op::UConvert }, ScalarType::Int(32));
            let shift = 64 - bits;
            let divisor = if is_signed { ((divisor << shift).cast_signed() >> shift).cast_unsigned() } else { divisor };
            let a = self.convert(extend, ty, word, a)?;
            let result = self.divide_by_constant(op, 32, &a, divisor & 0xffff_ffff)?;
            return self.convert(Op::UConvert, word, ty, &result);
        }
        let quotient = match op {
            Op::UMod if divisor.is_power_of_two() => {
                let mask = self.constant(ty, divisor - 1);
                return self.binary(Op::BitwiseAnd, ty, a, &mask);
            }
            Op::UDiv | Op::UMod => self.unsigned_quotient(bits, a, divisor)?,
            _ => self.signed_quotient(bits, a, divisor)?,
        };
        if matches!(op, Op::UDiv | Op::SDiv) {
            return Some(quotient);
        }
        let divisor_value = self.constant(ty, divisor);
        let product = self.binary(Op::IMul, ty, &quotient, &divisor_value)?;
        self.binary(Op::ISub, ty, a, &product)
    }

    fn shift_by(&mut self, op: Op, bits: u32, a: &Value, amount: u32) -> Option<Value> {
        if amount == 0 {
            return Some(a.clone());
        }
        let amount = self.constant(ScalarType::Int(bits), u64::from(amount));
        self.shift(op, bits, a, &amount)
    }

    fn unsigned_quotient(&mut self, bits: u32, a: &Value, divisor: u64) -> Option<Value> {
        let (ty, shift) = (ScalarType::Int(bits), Op::ShiftRightLogical);
        if divisor.is_power_of_two() {
            return self.shift_by(shift, bits, a, divisor.trailing_zeros());
        }
        let magic = magic::unsigned(bits, divisor);
        let before = self.shift_by(shift, bits, a, magic.before)?;
        let high = self.high_by_constant(Signedness::Unsigned, bits, &before, magic.multiplier)?;
        if !magic.is_long {
            return self.shift_by(shift, bits, &high, magic.after);
        }
        let rest = self.binary(Op::ISub, ty, a, &high)?;
        let rest = self.shift_by(shift, bits, &rest, 1)?;
        let sum = self.binary(Op::IAdd, ty, &rest, &high)?;
        self.shift_by(shift, bits, &sum, magic.after - 1)
    }

    fn signed_quotient(&mut self, bits: u32, a: &Value, divisor: u64) -> Option<Value> {
        let ty = ScalarType::Int(bits);
        let signed = (divisor << (64 - bits)).cast_signed() >> (64 - bits);
        let magnitude = signed.unsigned_abs();
        let sign = self.shift_by(Op::ShiftRightArithmetic, bits, a, bits - 1)?;
        let quotient = if magnitude.is_power_of_two() {
            let amount = magnitude.trailing_zeros();
            let rounding = if amount == 0 {
                self.constant(ty, 0)
            } else {
                self.shift_by(Op::ShiftRightLogical, bits, &sign, bits - amount)?
            };
            let sum = self.binary(Op::IAdd, ty, a, &rounding)?;
            self.shift_by(Op::ShiftRightArithmetic, bits, &sum, amount)?
        } else {
            let magic = magic::signed(bits, magnitude);
            let high = self.high_by_constant(Signedness::Signed, bits, a, magic.multiplier)?;
            let sum = self.binary(Op::IAdd, ty, a, &high)?;
            let shifted = self.shift_by(Op::ShiftRightArithmetic, bits, &sum, magic.after)?;
            self.binary(Op::ISub, ty, &shifted, &sign)?
        };
        if signed < 0 { self.unary(Op::SNegate, ty, &quotient) } else { Some(quotient) }
    }

    /// The upper half of a product with a constant.
    fn high_by_constant(&mut self, signedness: Signedness, bits: u32, a: &Value, constant: u64) -> Option<Value> {
        let Value::Uniform(register) = *a else {
            let constant = Source::Constant(constant);
            return self
                .map(ScalarType::Int(bits), [a], |lanes, [a]| Some(lanes.high_product(signedness, bits, a, constant)));
        };
        if bits == 64 {
            let multiplier = self.general_constant(constant);
            let [_, high] = self.wide_product(signedness, register, multiplier);
            return Some(Value::Uniform(high));
        }
        let (register, constant) = match signedness {
            Signedness::Signed => {
                (self.sign_extended_to_long(bits, register), i64::from((constant as u32).cast_signed()))
            }
            Signedness::Unsigned => (register, constant.cast_signed()),
        };
        let product = match i32::try_from(constant) {
            Ok(constant) => {
                let operands = [Operand::Use(register), Operand::Immediate(i64::from(constant))];
                self.define(Class::General, Code::Imul_r64_rm64_imm32, operands)
            }
            Err(_) => {
                let multiplier = self.general_constant(constant.cast_unsigned());
                self.update(Code::Imul_r64_rm64, multiplier, Operand::Use(register))
            }
        };
        Some(Value::Uniform(self.update(Code::Shr_rm64_imm8, product, Operand::Immediate(32))))
    }
}

impl Lanes<'_, '_> {
    /// Vectors of integers of up to 32 bits.
    fn divide(&mut self, op: Op, bits: u32, a: Source, b: Source) -> VReg {
        let signedness = signedness(op);
        let (a, b) = (self.extended(signedness, bits, a), self.extended(signedness, bits, b));
        let (a, b) = (self.register(a), self.register(b));
        let quotient =
            if bits == 32 { self.quotient_by_doubles(signedness, a, b) } else { self.quotient_by_floats(a, b) };
        let result = match op {
            Op::UDiv | Op::SDiv => quotient,
            _ => {
                let product = self.multiply(quotient.into(), b.into());
                self.subtract(a, product)
            }
        };
        self.cut(bits, result)
    }

    /// Of integers of at most 16 bits.
    fn quotient_by_floats(&mut self, a: VReg, b: VReg) -> VReg {
        let (a, b) = (self.one(V::Vcvtdq2ps, a), self.one(V::Vcvtdq2ps, b));
        let quotient = self.float_divide(a, b);
        self.one(V::Vcvttps2dq, quotient)
    }

    fn quotient_by_doubles(&mut self, signedness: Signedness, a: VReg, b: VReg) -> VReg {
        let (a, b) = (self.words_to_doubles(signedness, a), self.words_to_doubles(signedness, b));
        let mut quotients = Registers::new();
        for (&a, &b) in a.iter().zip(&b) {
            quotients.push(self.sized(Size::Quad).float_divide(a, b));
        }
        self.doubles_to_words(signedness, &quotients)
    }

    /// 32-bit integers as doubles: without an instruction, an exponent of 2⁵² goes in front, and its value away.
    pub(super) fn words_to_doubles(&mut self, signedness: Signedness, a: VReg) -> Registers {
        const EXPONENT: f64 = 4_503_599_627_370_496.0;
        let op = match signedness {
            Signedness::Signed => V::Vcvtdq2pd,
            Signedness::Unsigned => V::Vcvtudq2pd,
        };
        if op.exists(self.shape) {
            return self.widened(op, a).into_iter().collect();
        }
        let wide = self.widened(V::Vpmovzxdq, a);
        let mut lanes = self.sized(Size::Quad);
        let exponent = lanes.float(EXPONENT);
        let one = |part| {
            let number = lanes.or(part, exponent);
            lanes.float_subtract(number, exponent)
        };
        wide.into_iter().map(one).collect()
    }

    /// The inverse, toward zero: without an instruction, the low bits of the number with 2⁵² added.
    pub(super) fn doubles_to_words(&mut self, signedness: Signedness, parts: &[VReg]) -> VReg {
        const EXPONENT: f64 = 4_503_599_627_370_496.0;
        let op = match signedness {
            Signedness::Signed => V::Vcvttpd2dq,
            Signedness::Unsigned => V::Vcvttpd2udq,
        };
        if op.exists(self.shape) {
            return self.narrowed(op, parts);
        }
        let mut integers = Registers::new();
        for &part in parts {
            let mut lanes = self.sized(Size::Quad);
            let exponent = lanes.float(EXPONENT);
            let whole = lanes.rounded(part, Rounding::Zero);
            integers.push(lanes.float_add(whole, exponent));
        }
        self.truncated(&integers)
    }
}
