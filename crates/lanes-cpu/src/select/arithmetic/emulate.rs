//! Operations on one vector register that AVX2 lacks, or only newer forms of AVX-512 have.

use reconverge_ir::{Op, Signedness};

use super::forms::VectorOp as V;
use super::lanes::{Lanes, Rounding, Size, Source};
use crate::machine::VReg;

/// 2⁵² + 2⁵¹: a double of this magnitude has an integer in its low bits, also a negative one.
const INTEGER_IN_DOUBLE: f64 = 6_755_399_441_055_744.0;

/// A comparison of two integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Equal,
    NotEqual,
    /// Signed, by the numbers that `vpcmp` counts them with.
    Signed(i64),
    Unsigned(i64),
}

impl Order {
    pub(super) const LESS: i64 = 1;
    pub(super) const LESS_EQUAL: i64 = 2;
    pub(super) const GREATER_EQUAL: i64 = 5;
    pub(super) const GREATER: i64 = 6;

    /// How the comparison takes its operands.
    pub(super) fn signedness(self) -> Signedness {
        match self {
            Order::Signed(_) => Signedness::Signed,
            Order::Equal | Order::NotEqual | Order::Unsigned(_) => Signedness::Unsigned,
        }
    }
}

/// The operand that an operation on two numbers chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extreme {
    Least,
    Greatest,
}

impl Lanes<'_, '_> {
    /// The low half of a product.
    pub(super) fn multiply(&mut self, a: Source, b: Source) -> VReg {
        if self.size == Size::Double || V::Vpmullq.exists(self.shape) {
            let op = self.pick(V::Vpmulld, V::Vpmullq);
            return self.commutative(op, a, b);
        }
        let (a, b) = (self.register(a), self.register(b));
        let (high_a, high_b) = (self.shifted_right(a, 32), self.shifted_right(b, 32));
        let (left, right) = (self.two(V::Vpmuludq, high_a, b), self.two(V::Vpmuludq, a, high_b));
        let crossed = self.add(left, right);
        let (crossed, low) = (self.shifted_left(crossed, 32), self.two(V::Vpmuludq, a, b));
        self.add(crossed, low)
    }

    /// A comparison of integers of the size of an element.
    pub(super) fn compare(&mut self, order: Order, a: Source, b: Source) -> VReg {
        if self.shape.is_evex() {
            let (op, number) = match order {
                Order::Equal => return self.mask_of_equal(a, b),
                Order::NotEqual => (self.pick(V::Vpcmpud, V::Vpcmpuq), 4),
                Order::Signed(number) => (self.pick(V::Vpcmpd, V::Vpcmpq), number),
                Order::Unsigned(number) => (self.pick(V::Vpcmpud, V::Vpcmpuq), number),
            };
            return self.mask(op, a, b, Some(number));
        }
        match order {
            Order::Equal => self.mask_of_equal(a, b),
            Order::NotEqual => {
                let equal = self.mask_of_equal(a, b);
                self.xor(equal, Source::Constant(u64::MAX))
            }
            Order::Signed(number) => self.signed_order(number, a, b),
            Order::Unsigned(number) => {
                let sign = self.sign();
                let (a, b) = (self.xor(a, sign), self.xor(b, sign));
                self.signed_order(number, a.into(), b.into())
            }
        }
    }

    fn mask_of_equal(&mut self, a: Source, b: Source) -> VReg {
        let op = self.pick(V::Vpcmpeqd, V::Vpcmpeqq);
        let (a, b) = if matches!(a, Source::Constant(_)) { (b, a) } else { (a, b) };
        self.mask(op, a, b, None)
    }

    /// A signed comparison by "greater" alone.
    fn signed_order(&mut self, number: i64, a: Source, b: Source) -> VReg {
        let op = self.pick(V::Vpcmpgtd, V::Vpcmpgtq);
        let greater = match number {
            Order::GREATER | Order::LESS_EQUAL => self.mask(op, a, b, None),
            _ => self.mask(op, b, a, None),
        };
        match number {
            Order::GREATER | Order::LESS => greater,
            _ => self.xor(greater, Source::Constant(u64::MAX)),
        }
    }

    /// The least or greatest of two integers.
    pub(super) fn extreme(&mut self, signedness: Signedness, extreme: Extreme, a: Source, b: Source) -> VReg {
        let op = match (signedness, extreme) {
            (Signedness::Signed, Extreme::Least) => self.pick(V::Vpminsd, V::Vpminsq),
            (Signedness::Signed, Extreme::Greatest) => self.pick(V::Vpmaxsd, V::Vpmaxsq),
            (Signedness::Unsigned, Extreme::Least) => self.pick(V::Vpminud, V::Vpminuq),
            (Signedness::Unsigned, Extreme::Greatest) => self.pick(V::Vpmaxud, V::Vpmaxuq),
        };
        if op.exists(self.shape) {
            return self.commutative(op, a, b);
        }
        let number = if extreme == Extreme::Least { Order::LESS } else { Order::GREATER };
        let order = match signedness {
            Signedness::Signed => Order::Signed(number),
            Signedness::Unsigned => Order::Unsigned(number),
        };
        let mask = self.compare(order, a, b);
        self.blend(mask, a, b)
    }

    /// A shift to the right that keeps the sign: `(x ^ m) − m` with the sign bit of `x` shifted as `m`.
    pub(super) fn shift_right_signed(&mut self, a: Source, amount: Source) -> VReg {
        let op = self.pick(V::Vpsravd, V::Vpsravq);
        if op.exists(self.shape) {
            return self.two(op, a, amount);
        }
        let sign = self.sign();
        let (moved, sign) = (self.shift_right(a, amount), self.shift_right(sign, amount));
        let flipped = self.xor(moved, sign);
        self.subtract(flipped, sign)
    }

    /// The same by a constant.
    pub(super) fn shifted_right_signed(&mut self, a: impl Into<Source>, amount: u32) -> VReg {
        let op = self.pick(V::Vpsrad, V::Vpsraq);
        if op.exists(self.shape) {
            return self.one_immediate(op, a, i64::from(amount));
        }
        self.shift_right_signed(a.into(), Source::Constant(u64::from(amount)))
    }

    /// The magnitude of an integer.
    pub(super) fn absolute(&mut self, a: VReg) -> VReg {
        let op = self.pick(V::Vpabsd, V::Vpabsq);
        if op.exists(self.shape) {
            return self.one(op, a);
        }
        let sign = self.mask(V::Vpcmpgtq, Source::Constant(0), a, None);
        let flipped = self.xor(a, sign);
        self.subtract(flipped, sign)
    }

    /// Zeros above the highest one.
    pub(super) fn leading_zeros(&mut self, a: VReg) -> VReg {
        let op = self.pick(V::Vplzcntd, V::Vplzcntq);
        match (op.exists(self.shape), self.size) {
            (true, _) => self.one(op, a),
            (false, Size::Double) => self.leading_zeros_by_float(a),
            (false, Size::Quad) => {
                let both = self.sized(Size::Double).leading_zeros_by_float(a);
                let (high, low) = (self.shifted_right(both, 32), self.and(both, Source::Constant(0xffff_ffff)));
                let is_empty = self.mask_of_equal(high.into(), Source::Constant(32));
                let low = self.and(low, is_empty);
                self.add(high, low)
            }
        }
    }

    /// The exponent of the float that a 32-bit integer is. The highest one stays and the next lower bit goes, so that rounding does not
    /// reach the next power of two; the highest bit as a sign makes the difference negative, and zero makes it 158.
    fn leading_zeros_by_float(&mut self, a: VReg) -> VReg {
        let below = self.shifted_right(a, 1);
        let lead = self.without(a, below);
        let float = self.one(V::Vcvtdq2ps, lead);
        let exponent = self.shifted_right(float, 23);
        let zeros = self.subtract(Source::Constant(158), exponent);
        let zeros = self.extreme(Signedness::Signed, Extreme::Least, zeros.into(), Source::Constant(32));
        self.extreme(Signedness::Signed, Extreme::Greatest, zeros.into(), Source::Constant(0))
    }

    /// Counts the bits that are set: by newer forms, or by a table of the sixteen values of half a byte.
    pub(super) fn ones_counted(&mut self, a: VReg) -> VReg {
        let op = self.pick(V::Vpopcntd, V::Vpopcntq);
        if self.emitter.features.has_vector_popcnt && op.exists(self.shape) {
            return self.one(op, a);
        }
        const NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        let high = self.shifted_right(a, 4);
        let (low, high) = (self.and(a, Source::Constant(NIBBLES)), self.and(high, Source::Constant(NIBBLES)));
        let table = self.table_of(&[0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]);
        let (low, high) = (self.two(V::Vpshufb, table, low), self.two(V::Vpshufb, table, high));
        let bytes = self.add(low, high);
        match self.size {
            Size::Double => {
                let sums = self.multiply(bytes.into(), Source::Constant(0x0101_0101));
                self.shifted_right(sums, 24)
            }
            Size::Quad => self.two(V::Vpsadbw, bytes, Source::Constant(0)),
        }
    }

    /// An unsigned 32-bit integer as a float: the halves are exact, the sum is rounded.
    pub(super) fn unsigned_to_float(&mut self, a: VReg) -> VReg {
        if V::Vcvtudq2ps.exists(self.shape) {
            return self.one(V::Vcvtudq2ps, a);
        }
        let (high, low) = (self.shifted_right(a, 16), self.and(a, Source::Constant(0xffff)));
        let (high, low) = (self.one(V::Vcvtdq2ps, high), self.one(V::Vcvtdq2ps, low));
        let high = self.float_multiply(high, Source::Constant(u64::from(65536f32.to_bits())));
        self.float_add(high, low)
    }

    /// A float as an unsigned 32-bit integer.
    pub(super) fn float_to_unsigned(&mut self, a: VReg) -> VReg {
        if V::Vcvttps2udq.exists(self.shape) {
            return self.one(V::Vcvttps2udq, a);
        }
        let half = self.float(2_147_483_648.0);
        let is_high = self.mask(V::Vcmpps, a, half, Some(13));
        let lower = self.float_subtract(a, half);
        let (low, high) = (self.one(V::Vcvttps2dq, a), self.one(V::Vcvttps2dq, lower));
        let high = self.xor(high, Source::Constant(0x8000_0000));
        self.blend(is_high, high, low)
    }

    /// A 64-bit integer as a double: both halves become doubles by an exponent in front; the difference with what was added is exact, and
    /// the sum is rounded.
    pub(super) fn long_to_double(&mut self, signedness: Signedness, a: VReg) -> VReg {
        const LOW: u64 = 0x4330_0000_0000_0000;
        const HIGH: u64 = 0x4530_0000_0000_0000;
        let (op, flip, bias) = match signedness {
            Signedness::Signed => (V::Vcvtqq2pd, 1 << 31, 2f64.powi(63)),
            Signedness::Unsigned => (V::Vcvtuqq2pd, 0, 0.0),
        };
        if op.exists(self.shape) {
            return self.one(op, a);
        }
        let high = self.shifted_right(a, 32);
        let high = self.xor(high, Source::Constant(HIGH ^ flip));
        let low = self.and(a, Source::Constant(0xffff_ffff));
        let low = self.or(low, Source::Constant(LOW));
        let offset = self.float(2f64.powi(84) + 2f64.powi(52) + bias);
        let high = self.float_subtract(high, offset);
        self.float_add(high, low)
    }

    /// A double as a 64-bit integer: the halves of the truncated value as doubles, each moved to where its low bits are an integer.
    pub(super) fn double_to_long(&mut self, signedness: Signedness, a: VReg) -> VReg {
        let op = match signedness {
            Signedness::Signed => V::Vcvttpd2qq,
            Signedness::Unsigned => V::Vcvttpd2uqq,
        };
        if op.exists(self.shape) {
            return self.one(op, a);
        }
        let (scale, back, magic) =
            (self.float(2f64.powi(-32)), self.float(2f64.powi(32)), self.float(INTEGER_IN_DOUBLE));
        let whole = self.rounded(a, Rounding::Zero);
        let high = self.float_multiply(whole, scale);
        let high = self.rounded(high, Rounding::Down);
        let low = self.fnma(high, back, whole);
        let (high, low) = (self.float_add(high, magic), self.float_add(low, magic));
        let (high, low) = (self.shifted_left(high, 32), self.and(low, Source::Constant(0xffff_ffff)));
        self.or(high, low)
    }

    /// Two registers of 64-bit integers as one of floats. Without an instruction: a double of the integer whose low bits are put
    /// together into one, where it has more bits than a double; rounding to odd makes the second rounding harmless.
    pub(super) fn longs_to_floats(&mut self, signedness: Signedness, parts: &[VReg]) -> VReg {
        let op = match signedness {
            Signedness::Signed => V::Vcvtqq2ps,
            Signedness::Unsigned => V::Vcvtuqq2ps,
        };
        if op.exists(self.shape) {
            return self.narrowed(op, parts);
        }
        let mut doubles = super::Registers::new();
        for &part in parts {
            let mut lanes = self.sized(Size::Quad);
            let odd = lanes.odd_in_double(signedness, part);
            doubles.push(lanes.long_to_double(signedness, odd));
        }
        self.narrowed(V::Vcvtpd2ps, &doubles)
    }

    fn odd_in_double(&mut self, signedness: Signedness, a: VReg) -> VReg {
        const DROPPED: u64 = 0xfff;
        let magnitude = match signedness {
            Signedness::Signed => self.absolute(a),
            Signedness::Unsigned => a,
        };
        let top = self.shifted_right(magnitude, 53);
        let is_short = self.mask_of_equal(top.into(), Source::Constant(0));
        let dropped = self.and(a, Source::Constant(DROPPED));
        let is_exact = self.mask_of_equal(dropped.into(), Source::Constant(0));
        let kept = self.without(a, Source::Constant(DROPPED));
        let odd = self.or(kept, Source::Constant(0x800));
        let odd = self.blend(is_exact, kept, odd);
        self.blend(is_short, a, odd)
    }

    /// An integer or floating-point value of 32 bits with a comparison that holds everywhere it is zero.
    pub(super) fn is_zero(&mut self, a: impl Into<Source>) -> VReg {
        self.compare(Order::Equal, a.into(), Source::Constant(0))
    }

    /// A comparison of floating-point numbers by the number that `vcmp` has for it.
    pub(super) fn float_compare(&mut self, predicate: i64, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vcmpps, V::Vcmppd);
        self.mask(op, a, b, Some(predicate))
    }

    /// A logical operation on two masks of elements.
    pub(super) fn both(&mut self, a: VReg, b: VReg) -> VReg {
        match self.shape.is_evex() {
            true => self.emitter.mask_binary(Op::LogicalAnd, a, b),
            false => self.and(a, b),
        }
    }

    /// Either of two masks of elements.
    pub(super) fn either(&mut self, a: VReg, b: VReg) -> VReg {
        match self.shape.is_evex() {
            true => self.emitter.mask_binary(Op::LogicalOr, a, b),
            false => self.or(a, b),
        }
    }
}
