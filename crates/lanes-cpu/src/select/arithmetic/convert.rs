//! Conversions between integers and floating-point numbers of all widths.
//!
//! An integer that does not fit becomes any result. A 64-bit float becomes a half by way of a 32-bit float that is rounded to odd.

use iced_x86::Code;
use reconverge_ir::{Op, Signedness};
use smallvec::smallvec;

use super::compare::predicate;
use super::emulate::Order;
use super::forms::VectorOp as V;
use super::lanes::{Lanes, Size, Source};
use super::{Emitter, Registers, size_of};
use crate::machine::{Class, Operand, VReg};
use crate::select::value::{ScalarType, Value};

/// How a conversion takes its integer.
fn signedness(op: Op) -> Signedness {
    match op {
        Op::SConvert | Op::ConvertSToF | Op::ConvertFToS => Signedness::Signed,
        _ => Signedness::Unsigned,
    }
}

impl Emitter<'_> {
    /// A conversion: `from` one type `to` another.
    pub fn convert(&mut self, op: Op, from: ScalarType, to: ScalarType, a: &Value) -> Option<Value> {
        use ScalarType::{Float, Int};
        match (op, from, to) {
            (Op::UConvert | Op::SConvert, Int(from), Int(to)) => Some(self.resize(signedness(op), from, to, a)),
            (Op::Bitcast, Int(_), Int(_)) => Some(a.clone()),
            (Op::Bitcast, Float(_), Float(_)) => Some(a.clone()),
            (Op::Bitcast, Int(_), Float(_)) => match self.known(a) {
                Some(bits) => Some(self.constant(to, bits)),
                None => Some(self.by_registers(from, to, a, |lanes, parts| match to {
                    Float(16) => smallvec![lanes.halves_as_floats(parts[0])],
                    _ => Registers::from_slice(parts),
                })),
            },
            (Op::Bitcast, Float(32 | 64), Int(_)) if let Some(bits) = self.known(a) => Some(self.constant(to, bits)),
            (Op::Bitcast, Float(bits), Int(_)) => Some(self.by_registers(from, to, a, |lanes, parts| match bits {
                16 => smallvec![lanes.floats_as_halves(parts[0])],
                _ => Registers::from_slice(parts),
            })),
            (Op::ConvertUToF | Op::ConvertSToF, Int(from_bits), Float(to_bits)) => {
                Some(self.by_registers(from, to, a, |lanes, parts| {
                    lanes.integers_to_floats(signedness(op), from_bits, to_bits, parts)
                }))
            }
            (Op::ConvertFToU | Op::ConvertFToS, Float(from_bits), Int(to_bits)) => {
                Some(self.by_registers(from, to, a, |lanes, parts| {
                    lanes.floats_to_integers(signedness(op), from_bits, to_bits, parts)
                }))
            }
            (Op::FConvert, Float(from_bits), Float(to_bits)) => {
                Some(self.by_registers(from, to, a, |lanes, parts| lanes.floats_to_floats(from_bits, to_bits, parts)))
            }
            (Op::QuantizeToF16, Float(32), Float(32)) => {
                Some(self.by_registers(from, to, a, |lanes, parts| smallvec![lanes.quantized(parts[0])]))
            }
            _ => None,
        }
    }

    /// Two 32-bit floats as halves in one 32-bit integer, the first one lowest.
    pub fn pack_halves(&mut self, low: &Value, high: &Value) -> Option<Value> {
        let (float, half, bits, word) =
            (ScalarType::Float(32), ScalarType::Float(16), ScalarType::Int(16), ScalarType::Int(32));
        let mut words = [low, high].map(|value| {
            let value = self.convert(Op::FConvert, float, half, value)?;
            let value = self.convert(Op::Bitcast, half, bits, &value)?;
            self.convert(Op::UConvert, bits, word, &value)
        });
        let (low, high) = (words[0].take()?, words[1].take()?);
        let amount = self.constant(word, 16);
        let high = self.binary(Op::ShiftLeftLogical, word, &high, &amount)?;
        self.binary(Op::BitwiseOr, word, &low, &high)
    }

    /// The two halves in a 32-bit integer as 32-bit floats, the lowest one first.
    pub fn unpack_halves(&mut self, packed: &Value) -> Option<[Value; 2]> {
        let (float, half, bits, word) =
            (ScalarType::Float(32), ScalarType::Float(16), ScalarType::Int(16), ScalarType::Int(32));
        let amount = self.constant(word, 16);
        let high = self.binary(Op::ShiftRightLogical, word, packed, &amount)?;
        let low = self.convert(Op::UConvert, word, bits, packed)?;
        let high = self.convert(Op::UConvert, word, bits, &high)?;
        let mut floats = [low, high].map(|value| {
            let value = self.convert(Op::Bitcast, bits, half, &value)?;
            self.convert(Op::FConvert, half, float, &value)
        });
        Some([floats[0].take()?, floats[1].take()?])
    }

    /// `conversion` of the registers that belong together: two where elements become shorter.
    fn by_registers(
        &mut self,
        from: ScalarType,
        to: ScalarType,
        a: &Value,
        mut conversion: impl FnMut(&mut Lanes<'_, '_>, &[VReg]) -> Registers,
    ) -> Value {
        let (shape, count) = self.shape_of(from, &[a]);
        let prepared = self.prepare(from, a, shape);
        let mut registers = Registers::new();
        for index in 0..count {
            let source = prepared.at(index);
            registers.push(self.lanes(shape, size_of(from)).register(source));
        }
        let narrows = size_of(from) == Size::Quad && size_of(to) == Size::Double;
        let mut results = Registers::new();
        for parts in registers.chunks(if narrows { 2 } else { 1 }) {
            results.extend(conversion(&mut self.lanes(shape, size_of(from)), parts));
        }
        self.value_of(to, results, shape)
    }

    /// An integer in another width.
    fn resize(&mut self, signedness: Signedness, from: u32, to: u32, a: &Value) -> Value {
        let is_signed = signedness == Signedness::Signed;
        if from == to || to > from && !is_signed && (a.uniform().is_some() || to < 64) {
            return a.clone();
        }
        if let &Value::Uniform(register) = a {
            return Value::Uniform(match to {
                _ if to < from && to == 32 => self.define(Class::General, Code::Mov_r32_rm32, [Operand::Use(register)]),
                _ if to < from => self.cut(to, register),
                64 => self.sign_extended_to_long(from, register),
                _ => {
                    let word = self.signed(from, register);
                    self.cut(to, word)
                }
            });
        }
        self.by_registers(ScalarType::Int(from), ScalarType::Int(to), a, |lanes, parts| match (from, to) {
            (64, _) => {
                let word = lanes.truncated(parts);
                smallvec![lanes.sized(Size::Double).cut(to, word)]
            }
            (_, 64) if is_signed => {
                let word = lanes.signed(from, parts[0].into());
                let word = lanes.register(word);
                lanes.widened(V::Vpmovsxdq, word).into_iter().collect()
            }
            (_, 64) => lanes.widened(V::Vpmovzxdq, parts[0]).into_iter().collect(),
            _ if to < from => smallvec![lanes.cut(to, parts[0])],
            _ => {
                let word = lanes.signed(from, parts[0].into());
                let word = lanes.register(word);
                smallvec![lanes.cut(to, word)]
            }
        })
    }
}

impl Lanes<'_, '_> {
    /// Halves in 32-bit lanes as floats. Exponent and fraction where those of a float are make 2⁻¹¹² of the value; the exponent of what is
    /// infinite or no number is all ones.
    fn halves_as_floats(&mut self, a: VReg) -> VReg {
        let plain = self.and(a, Source::Constant(0x7fff));
        let sign = self.xor(a, plain);
        let sign = self.shifted_left(sign, 16);
        let (moved, scale) = (self.shifted_left(plain, 13), self.float(2f64.powi(112)));
        let value = self.float_multiply(moved, scale);
        let special = self.or(value, Source::Constant(0x7f80_0000));
        let is_special = self.compare(Order::Signed(Order::GREATER), plain.into(), Source::Constant(0x7bff));
        let value = self.blend(is_special, special, value);
        self.or(value, sign)
    }

    /// The bits of floats that halves have, in 32-bit lanes.
    fn floats_as_halves(&mut self, a: VReg) -> VReg {
        let half = self.nearest_half(a);
        self.one(V::Vpmovzxwd, half)
    }

    fn integers_to_floats(&mut self, signedness: Signedness, from: u32, to: u32, parts: &[VReg]) -> Registers {
        if from == 64 {
            return match to {
                64 => parts.iter().map(|&part| self.long_to_double(signedness, part)).collect(),
                _ => {
                    let float = self.longs_to_floats(signedness, parts);
                    smallvec![self.sized(Size::Double).half_rounded(to, float)]
                }
            };
        }
        let word = self.extended(signedness, from, parts[0].into());
        let word = self.register(word);
        // What has fewer than 32 bits is a signed word too.
        let signedness = if from < 32 { Signedness::Signed } else { signedness };
        if to == 64 {
            return self.words_to_doubles(signedness, word);
        }
        let float = match signedness {
            Signedness::Signed => self.one(V::Vcvtdq2ps, word),
            Signedness::Unsigned => self.unsigned_to_float(word),
        };
        smallvec![self.half_rounded(to, float)]
    }

    fn floats_to_integers(&mut self, signedness: Signedness, from: u32, to: u32, parts: &[VReg]) -> Registers {
        // What fits into fewer than 32 bits fits into a signed word.
        let of_word = if to < 32 { Signedness::Signed } else { signedness };
        let word = match (from == 64, to == 64) {
            (true, true) => return parts.iter().map(|&part| self.double_to_long(signedness, part)).collect(),
            (false, true) => {
                let wide = self.widened(V::Vcvtps2pd, parts[0]);
                let mut lanes = self.sized(Size::Quad);
                return wide.into_iter().map(|part| lanes.double_to_long(signedness, part)).collect();
            }
            (true, false) => self.doubles_to_words(of_word, parts),
            (false, false) if of_word == Signedness::Signed => self.one(V::Vcvttps2dq, parts[0]),
            (false, false) => self.float_to_unsigned(parts[0]),
        };
        smallvec![self.sized(Size::Double).cut(to, word)]
    }

    fn floats_to_floats(&mut self, from: u32, to: u32, parts: &[VReg]) -> Registers {
        match (from, to) {
            (64, 16) => {
                let odd: Registers = parts.iter().map(|&part| self.odd_in_float(part)).collect();
                let float = self.narrowed(V::Vcvtpd2ps, &odd);
                smallvec![self.sized(Size::Double).half_rounded(16, float)]
            }
            (64, 32) => smallvec![self.narrowed(V::Vcvtpd2ps, parts)],
            (16 | 32, 64) => self.widened(V::Vcvtps2pd, parts[0]).into_iter().collect(),
            (32, 16) => smallvec![self.half_rounded(16, parts[0])],
            _ => Registers::from_slice(parts),
        }
    }

    /// A double whose significand is one of a float, with the lowest bit set if that is not all.
    fn odd_in_float(&mut self, a: VReg) -> VReg {
        const DROPPED: u64 = (1 << 29) - 1;
        let dropped = self.and(a, Source::Constant(DROPPED));
        let is_exact = self.compare(Order::Equal, dropped.into(), Source::Constant(0));
        let kept = self.and(a, Source::Constant(!DROPPED));
        let odd = self.or(kept, Source::Constant(DROPPED + 1));
        self.blend(is_exact, kept, odd)
    }

    /// The nearest half that is zero or normal, as a float.
    fn quantized(&mut self, a: VReg) -> VReg {
        let half = self.half_rounded(16, a);
        let (magnitude, sign) = (self.magnitude(half), self.sign_of(half));
        let least = self.float(2f64.powi(-14));
        let is_small = self.float_compare(predicate::LESS, magnitude, least);
        self.blend(is_small, sign, half)
    }
}
