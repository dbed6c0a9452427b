//! Instructions of `GLSL.std.450`.
//!
//! Minima and maxima give the first operand where both are equal, and where an operand is no number: `N` forms the other one, `F` forms
//! the first one. `FMix` is a · (1 − p) + b · p, each operation rounded.

use reconverge_ir::{Op, Signedness};
use spirv::GlslStd450Op as Glsl;

use super::Emitter;
use super::compare::predicate;
use super::emulate::{Extreme, Order};
use super::forms::VectorOp as V;
use super::lanes::{Lanes, Rounding, Size, Source};
use crate::machine::VReg;
use crate::select::value::{ScalarType, Value};

impl Emitter<'_> {
    /// An instruction of `GLSL.std.450` by its number; `ty` is the type of the result and of the operands.
    pub fn extended(&mut self, number: u32, ty: ScalarType, operands: &[Value]) -> Option<Value> {
        let op = Glsl::from_u32(number)?;
        match (ty, operands) {
            (ScalarType::Int(bits), _) => self.extended_integer(op, bits, operands),
            (ScalarType::Float(bits), [a, exponent]) if op == Glsl::Ldexp => self.load_exponent(bits, a, exponent),
            (ScalarType::Float(bits), [a]) => self.map(ty, [a], |lanes, [a]| {
                let a = lanes.register(a);
                let result = lanes.float_function(op, bits, a)?;
                Some(lanes.half_rounded(bits, result))
            }),
            (ScalarType::Float(bits), [a, b]) => self.map(ty, [a, b], |lanes, [a, b]| {
                let (a, b) = (lanes.register(a), lanes.register(b));
                let result = lanes.float_function_of_two(op, bits, a, b)?;
                Some(lanes.half_rounded(bits, result))
            }),
            (ScalarType::Float(16), [a, b, c]) if op == Glsl::Fma => self.fused_halves(a, b, c),
            (ScalarType::Float(bits), [a, b, c]) => self.map(ty, [a, b, c], |lanes, sources| {
                let result = lanes.float_function_of_three(op, sources)?;
                Some(lanes.half_rounded(bits, result))
            }),
            _ => None,
        }
    }

    /// `a · b + c` of halves in doubles: the product is exact. The sum is not only where the product is less than 2⁻³¹ of `c`; then the
    /// result is `c`, which is a half.
    fn fused_halves(&mut self, a: &Value, b: &Value, c: &Value) -> Option<Value> {
        let (half, double) = (ScalarType::Float(16), ScalarType::Float(64));
        let mut wide = [a, b, c].map(|value| self.convert(Op::FConvert, half, double, value));
        let [a, b, c] = [wide[0].take()?, wide[1].take()?, wide[2].take()?];
        let sum = self.map(double, [&a, &b, &c], |lanes, [a, b, c]| Some(lanes.fma(a, b, c)))?;
        self.convert(Op::FConvert, double, half, &sum)
    }

    fn extended_integer(&mut self, op: Glsl, bits: u32, operands: &[Value]) -> Option<Value> {
        let ty = ScalarType::Int(bits);
        match (op, operands) {
            (Glsl::UMin | Glsl::SMin | Glsl::UMax | Glsl::SMax, [a, b]) => self.integer_extreme(op, bits, a, b),
            (Glsl::UClamp | Glsl::SClamp, [a, least, greatest]) => {
                let is_signed = op == Glsl::SClamp;
                let (maximum, minimum) = if is_signed { (Glsl::SMax, Glsl::SMin) } else { (Glsl::UMax, Glsl::UMin) };
                let a = self.integer_extreme(maximum, bits, a, least)?;
                self.integer_extreme(minimum, bits, &a, greatest)
            }
            (Glsl::FindUMsb, [Value::Uniform(a)]) => Some(Value::Uniform(self.highest_bit_general(bits, *a))),
            (_, [a]) => self.map(ty, [a], |lanes, [a]| lanes.integer_function(op, bits, a)),
            _ => None,
        }
    }

    fn integer_extreme(&mut self, op: Glsl, bits: u32, a: &Value, b: &Value) -> Option<Value> {
        let ty = ScalarType::Int(bits);
        let is_signed = matches!(op, Glsl::SMin | Glsl::SMax);
        let signedness = if is_signed { Signedness::Signed } else { Signedness::Unsigned };
        let extreme = if matches!(op, Glsl::SMin | Glsl::UMin) { Extreme::Least } else { Extreme::Greatest };
        if a.uniform().is_some() && b.uniform().is_some() {
            let less = if is_signed { Op::SLessThan } else { Op::ULessThan };
            let condition = self.compare_flags(less, ty, a, b)?;
            let (first, second) = if extreme == Extreme::Least { (a, b) } else { (b, a) };
            let (first, second) = (first.uniform()?, second.uniform()?);
            return Some(Value::Uniform(self.choose(condition, first, second)));
        }
        self.map(ty, [a, b], |lanes, [a, b]| {
            let (a, b) = (lanes.extended(signedness, bits, a), lanes.extended(signedness, bits, b));
            let result = lanes.extreme(signedness, extreme, a, b);
            Some(lanes.cut(bits, result))
        })
    }

    /// `a · 2^exponent`, rounded once; the exponent has 32 bits.
    fn load_exponent(&mut self, bits: u32, a: &Value, exponent: &Value) -> Option<Value> {
        let ty = ScalarType::Float(bits);
        if bits == 64 {
            let long = self.convert(Op::SConvert, ScalarType::Int(32), ScalarType::Int(64), exponent)?;
            let long = self.convert(Op::Bitcast, ScalarType::Int(64), ty, &long)?;
            return self.map(ty, [a, &long], |lanes, [a, exponent]| Some(lanes.scaled_double(a, exponent)));
        }
        let exponent = self.convert(Op::Bitcast, ScalarType::Int(32), ScalarType::Float(32), exponent)?;
        self.map(ScalarType::Float(32), [a, &exponent], |lanes, [a, exponent]| {
            let result = lanes.scaled_float(a, exponent);
            Some(lanes.half_rounded(bits, result))
        })
    }
}

impl Lanes<'_, '_> {
    fn integer_function(&mut self, op: Glsl, bits: u32, a: Source) -> Option<VReg> {
        let size = self.bits();
        let result = match op {
            Glsl::SAbs => {
                let a = self.signed(bits, a);
                let a = self.register(a);
                self.absolute(a)
            }
            Glsl::SSign => {
                let a = self.signed(bits, a);
                let (negative, minus) = (self.shifted_right_signed(a, size - 1), self.subtract(Source::Constant(0), a));
                let positive = self.shifted_right(minus, size - 1);
                self.or(negative, positive)
            }
            Glsl::FindILsb => {
                let minus = self.subtract(Source::Constant(0), a);
                let lowest = self.and(a, minus);
                self.highest_bit(lowest)
            }
            Glsl::FindUMsb => {
                let a = self.register(a);
                self.highest_bit(a)
            }
            Glsl::FindSMsb => {
                let a = self.signed(bits, a);
                let sign = self.shifted_right_signed(a, size - 1);
                let differing = self.xor(a, sign);
                self.highest_bit(differing)
            }
            _ => return None,
        };
        Some(self.cut(bits, result))
    }

    /// The number of the highest one; of zero minus one.
    fn highest_bit(&mut self, a: VReg) -> VReg {
        let zeros = self.leading_zeros(a);
        self.subtract(Source::Constant(u64::from(self.bits() - 1)), zeros)
    }

    fn float_function(&mut self, op: Glsl, bits: u32, a: VReg) -> Option<VReg> {
        Some(match op {
            Glsl::Round | Glsl::RoundEven => self.rounded(a, Rounding::Even),
            Glsl::Trunc => self.rounded(a, Rounding::Zero),
            Glsl::Floor => self.rounded(a, Rounding::Down),
            Glsl::Ceil => self.rounded(a, Rounding::Up),
            Glsl::Fract => {
                let below = self.rounded(a, Rounding::Down);
                self.float_subtract(a, below)
            }
            Glsl::FAbs => self.magnitude(a),
            Glsl::FSign => {
                let (sign, one) = (self.sign_of(a), self.float(1.0));
                let signed = self.or(sign, one);
                let is_zero = self.float_compare(predicate::EQUAL, a, Source::Constant(0));
                self.blend(is_zero, Source::Constant(0), signed)
            }
            Glsl::Sqrt => self.square_root(a),
            Glsl::InverseSqrt if bits == 32 && self.shape.is_evex() => self.inverse_square_root(a),
            Glsl::InverseSqrt => {
                let (root, one) = (self.square_root(a), self.float(1.0));
                self.float_divide(one, root)
            }
            Glsl::Radians => {
                let factor = self.float(std::f64::consts::PI / 180.0);
                self.float_multiply(a, factor)
            }
            Glsl::Degrees => {
                let factor = self.float(180.0 / std::f64::consts::PI);
                self.float_multiply(a, factor)
            }
            _ if bits <= 32 => return self.transcendental(op, a),
            _ => return None,
        })
    }

    /// 1/√x with AVX-512: an estimate of 14 bits, and a step of Newton's method: y + y · (1 − x·y²)/2. The error is below 1.1 ulp. Where the
    /// estimate is a zero, an infinity or a NaN, it is the result.
    fn inverse_square_root(&mut self, a: VReg) -> VReg {
        let estimate = self.one(V::Vrsqrt14ps, a);
        let (half, one, infinity) = (self.float(0.5), self.float(1.0), self.float(f64::INFINITY));
        let product = self.float_multiply(estimate, a);
        let rest = self.fnma(product, estimate, one);
        let scaled = self.float_multiply(estimate, half);
        let better = self.fma(rest, scaled, estimate);
        let is_positive = self.float_compare(predicate::LESS, Source::Constant(0), a);
        let is_finite = self.float_compare(predicate::LESS, a, infinity);
        let is_ordinary = self.both(is_positive, is_finite);
        self.blend(is_ordinary, better, estimate)
    }

    fn float_function_of_two(&mut self, op: Glsl, bits: u32, a: VReg, b: VReg) -> Option<VReg> {
        Some(match op {
            Glsl::FMin => self.float_least(b, a),
            Glsl::FMax => self.float_greatest(b, a),
            Glsl::NMin => self.number_extreme(Extreme::Least, a, b),
            Glsl::NMax => self.number_extreme(Extreme::Greatest, a, b),
            Glsl::Step => {
                let (is_below, one) = (self.float_compare(predicate::LESS, b, a), self.float(1.0));
                self.blend(is_below, Source::Constant(0), one)
            }
            _ if bits <= 32 => return self.transcendental_of_two(op, a, b),
            _ => return None,
        })
    }

    /// The least or greatest number: the other operand where one is not a number.
    fn number_extreme(&mut self, extreme: Extreme, a: VReg, b: VReg) -> VReg {
        let extreme = match extreme {
            Extreme::Least => self.float_least(b, a),
            Extreme::Greatest => self.float_greatest(b, a),
        };
        let is_nan = self.float_compare(predicate::UNORDERED, a, a);
        self.blend(is_nan, b, extreme)
    }

    fn float_function_of_three(&mut self, op: Glsl, [a, b, c]: [Source; 3]) -> Option<VReg> {
        Some(match op {
            Glsl::Fma => self.fma(a, b, c),
            Glsl::FClamp => {
                let above = self.float_greatest(b, a);
                self.float_least(c, above)
            }
            Glsl::NClamp => {
                let [a, b, c] = [a, b, c].map(|source| self.register(source));
                let above = self.number_extreme(Extreme::Greatest, a, b);
                self.number_extreme(Extreme::Least, above, c)
            }
            Glsl::FMix => {
                let one = self.float(1.0);
                let rest = self.float_subtract(one, c);
                let (first, second) = (self.float_multiply(a, rest), self.float_multiply(b, c));
                self.float_add(first, second)
            }
            Glsl::SmoothStep => {
                let (along, length) = (self.float_subtract(c, a), self.float_subtract(b, a));
                let part = self.float_divide(along, length);
                let one = self.float(1.0);
                let part = self.float_greatest(part, Source::Constant(0));
                let part = self.float_least(part, one);
                let (three, two) = (self.float(3.0), self.float(2.0));
                let twice = self.float_multiply(part, two);
                let rest = self.float_subtract(three, twice);
                let square = self.float_multiply(part, part);
                self.float_multiply(square, rest)
            }
            _ => return None,
        })
    }

    /// `a · 2^exponent` for floats, rounded once: by `vscalef`, or in doubles, where the product is exact.
    fn scaled_float(&mut self, a: Source, exponent: Source) -> VReg {
        let exponent = self.register(exponent);
        if V::Vscalefps.exists(self.shape) {
            let exponent = self.one(V::Vcvtdq2ps, exponent);
            return self.two(V::Vscalefps, a, exponent);
        }
        const LIMIT: i32 = 400;
        let (least, greatest) = ((-LIMIT).cast_unsigned(), LIMIT.cast_unsigned());
        let exponent =
            self.extreme(Signedness::Signed, Extreme::Greatest, exponent.into(), Source::Constant(u64::from(least)));
        let exponent =
            self.extreme(Signedness::Signed, Extreme::Least, exponent.into(), Source::Constant(u64::from(greatest)));
        let a = self.register(a);
        let (numbers, exponents) = (self.widened(V::Vcvtps2pd, a), self.widened(V::Vpmovsxdq, exponent));
        let mut products = super::Registers::new();
        for (&number, &exponent) in numbers.iter().zip(&exponents) {
            let mut lanes = self.sized(Size::Quad);
            let power = lanes.power_of_two(exponent);
            products.push(lanes.float_multiply(number, power));
        }
        self.narrowed(V::Vcvtpd2ps, &products)
    }

    /// The double 2^exponent of a normal one.
    fn power_of_two(&mut self, exponent: VReg) -> VReg {
        let shifted = self.shifted_left(exponent, 52);
        self.add(shifted, Source::Constant(1f64.to_bits()))
    }

    /// The same for doubles: by `vscalef`, or three products, of which the last one alone is rounded unless the result is zero or
    /// infinite: 2⁻⁹⁶⁹ leaves more than 53 powers for the next product.
    fn scaled_double(&mut self, a: Source, exponent: Source) -> VReg {
        if V::Vscalefpd.exists(self.shape) {
            let exponent = self.register(exponent);
            let exponent = self.long_to_double(Signedness::Signed, exponent);
            return self.two(V::Vscalefpd, a, exponent);
        }
        let constant = |value: i64| Source::Constant(value.cast_unsigned());
        let (mut number, mut rest) = (self.register(a), self.register(exponent));
        for _ in 0..2 {
            let is_small = self.compare(Order::Signed(Order::LESS), rest.into(), constant(-1022));
            let part = self.extreme(Signedness::Signed, Extreme::Least, rest.into(), constant(1023));
            let part = self.blend(is_small, constant(-969), part);
            let power = self.power_of_two(part);
            (number, rest) = (self.float_multiply(number, power), self.subtract(rest, part));
        }
        let rest = self.extreme(Signedness::Signed, Extreme::Least, rest.into(), constant(1023));
        let rest = self.extreme(Signedness::Signed, Extreme::Greatest, rest.into(), constant(-1022));
        let power = self.power_of_two(rest);
        self.float_multiply(number, power)
    }
}
