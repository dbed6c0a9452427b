//! Integers of 64 bits as pairs of words.

use reconverge_ir::Signedness;

use crate::machine::{AddOp, Condition, Destination, Inst, Operation};

use super::emit::{Emitter, Word};
use super::value::{Words, two};

impl Emitter {
    /// A sum. The carry of the low words is added to the high ones.
    pub(crate) fn add_wide(&mut self, a: &Words, b: &Words) -> Words {
        if let (Word::Constant(0), Word::Constant(0)) = (b[0], b[1]) {
            return a.clone();
        }
        self.chained(AddOp::Add, a, b)
    }

    /// A difference. The borrow of the low words is taken from the high ones.
    pub(crate) fn sub_wide(&mut self, a: &Words, b: &Words) -> Words {
        self.chained(AddOp::Sub, a, b)
    }

    fn chained(&mut self, op: AddOp, a: &Words, b: &Words) -> Words {
        let high = self.register();
        self.binary_to(Destination::Register(high), op, a[1], b[1]);
        let low = self.register();
        let (left, right) = (self.in_register(a[0]), self.in_register(b[0]));
        let [left, right] = [left, right].map(crate::machine::Source::Register);
        self.push(Inst::binary(Operation::Add(op), Destination::Register(low), left, right).setting_flags());
        let (source, one) = (self.source(Word::Register(high)), self.source(Word::Constant(1)));
        let carry = Inst::binary(Operation::Add(op), Destination::Register(high), source, one);
        self.push(carry.when(Condition::CarrySet));
        two(Word::Register(low), Word::Register(high))
    }

    /// A product modulo 2⁶⁴.
    pub(crate) fn product_wide(&mut self, a: &Words, b: &Words) -> Words {
        let low = self.product_of_words(a[0], b[0]);
        let mut high = self.high_product(a[0], b[0]);
        for (x, y) in [(a[0], b[1]), (a[1], b[0])] {
            if x != Word::Constant(0) && y != Word::Constant(0) {
                let part = self.product_of_words(x, y);
                high = self.add(high, part);
            }
        }
        two(low, high)
    }

    /// A shift by a constant below 64.
    pub(crate) fn shift_wide_by(&mut self, op: AddOp, a: &Words, amount: u32) -> Words {
        let (low, high) = (a[0], a[1]);
        let fill = |emit: &mut Emitter| match op {
            AddOp::Asr => emit.shift(AddOp::Asr, high, 31),
            _ => Word::Constant(0),
        };
        match (op, amount) {
            (_, 0) => a.clone(),
            (AddOp::Shl, 32..) => two(Word::Constant(0), self.shift(AddOp::Shl, low, amount - 32)),
            (AddOp::Shl, _) => {
                let over = self.shift(AddOp::Shr, low, 32 - amount);
                let upper = self.shift(AddOp::Shl, high, amount);
                two(self.shift(AddOp::Shl, low, amount), self.or(upper, over))
            }
            (_, 32..) => {
                let fill = fill(self);
                two(self.shift(op, high, amount - 32), fill)
            }
            _ => {
                let over = self.shift(AddOp::Shl, high, 32 - amount);
                let lower = self.shift(AddOp::Shr, low, amount);
                two(self.or(lower, over), self.shift(op, high, amount))
            }
        }
    }

    /// A shift by a word, below 64. The bits that cross the middle are shifted by one and then by the rest of 31, so that none is shifted by 32.
    pub(crate) fn shift_wide(&mut self, op: AddOp, a: &Words, amount: Word) -> Words {
        if let Word::Constant(amount) = amount {
            return self.shift_wide_by(op, a, amount & 63);
        }
        let (from, to) = if op == AddOp::Shl { (a[0], a[1]) } else { (a[1], a[0]) };
        let cross = if op == AddOp::Shl { AddOp::Shr } else { AddOp::Shl };
        let part_op = if op == AddOp::Shl { AddOp::Shl } else { AddOp::Shr };
        let rest = self.xor(amount, Word::Constant(31));
        let once = self.shift(cross, from, 1);
        let over = self.binary(cross, once, rest);
        let kept = self.binary(part_op, to, amount);
        let near = self.or(kept, over);
        let far = self.binary(op, from, amount);
        let fill = if op == AddOp::Asr { self.shift(AddOp::Asr, from, 31) } else { Word::Constant(0) };
        self.flags(AddOp::And, amount, Word::Constant(32));
        let near = self.choose(Condition::ZeroClear, far, near);
        let far = self.choose(Condition::ZeroClear, fill, far);
        if op == AddOp::Shl { two(far, near) } else { two(near, far) }
    }

    /// Quotient and remainder of unsigned 64-bit integers, bit by bit as in `divide_by_steps`. A division by zero gives any values.
    ///
    /// ```text
    /// r = 0; q = a
    /// 64 times:  q = q + q, r = r + r + carry;   if r overflows or r ≥ b: r = r − b, q = q + 1
    /// ```
    pub(crate) fn divide_wide(&mut self, a: &Words, b: &Words) -> (Words, Words) {
        if a[1] == Word::Constant(0) && b[1] == Word::Constant(0) {
            let (quotient, rest) = self.divide(a[0], b[0]);
            return (two(quotient, Word::Constant(0)), two(rest, Word::Constant(0)));
        }
        let divisor = [b[0], b[1]].map(|word| Word::Register(self.in_register(word)));
        let quotient = [a[0], a[1]].map(|word| self.copied(word));
        let rest = [0, 0].map(|word| self.copied(Word::Constant(word)));
        let count = self.copied(Word::Constant(64_u32.wrapping_neg()));
        let head = self.label();
        self.place(head);
        // The bit that leaves the remainder is set if its sign was.
        let sign = Word::Register(self.copied(Word::Register(rest[1])));
        for pair in [rest, quotient] {
            let [low, high] = pair.map(Word::Register);
            let carried = self.shift(AddOp::Shr, low, 31);
            self.binary_to(Destination::Register(pair[1]), AddOp::Add, high, high);
            self.binary_to(Destination::Register(pair[0]), AddOp::Add, low, low);
            self.binary_to(Destination::Register(pair[1]), AddOp::Or, high, carried);
            if pair == rest {
                let top = self.shift(AddOp::Shr, Word::Register(quotient[1]), 31);
                self.binary_to(Destination::Register(rest[0]), AddOp::Or, Word::Register(rest[0]), top);
            }
        }
        let rest_words = two(Word::Register(rest[0]), Word::Register(rest[1]));
        let difference = self.sub_wide(&rest_words, &two(divisor[0], divisor[1]));
        let condition = self.wide_less(&rest_words, &two(divisor[0], divisor[1]), Signedness::Unsigned);
        let fits = self.boolean(condition.inverted());
        let mask = self.shift(AddOp::Asr, sign, 31);
        let fits = self.or(fits, mask);
        self.test(fits);
        for place in [0, 1] {
            self.copy_when(rest[place], difference[place], Condition::ZeroClear);
        }
        let one = self.source(Word::Constant(1));
        let low = crate::machine::Source::Register(quotient[0]);
        let increment = Inst::binary(Operation::Add(AddOp::Or), Destination::Register(quotient[0]), low, one);
        self.push(increment.when(Condition::ZeroClear));
        self.count_up(count);
        self.branch(crate::machine::BranchCondition::Any(Condition::ZeroClear), head);
        let [quotient, rest] = [quotient, rest].map(|pair| two(Word::Register(pair[0]), Word::Register(pair[1])));
        (quotient, rest)
    }

    /// The condition that one 64-bit integer is less than another one: the low words decide where the high ones are equal.
    pub(crate) fn wide_less(&mut self, a: &Words, b: &Words, signedness: Signedness) -> Condition {
        let flip = Word::Constant(1 << 31);
        let mut high = [a[1], b[1]];
        if signedness == Signedness::Signed {
            high = high.map(|word| self.xor(word, flip));
        }
        let low = [a[0], b[0]].map(|word| Word::Register(self.in_register(word)));
        self.flags(AddOp::Sub, high[0], high[1]);
        let [left, right] = low.map(|word| self.source(word));
        let rest = Inst::binary(Operation::Add(AddOp::Sub), Destination::Null, left, right).setting_flags();
        self.push(rest.when(Condition::ZeroSet));
        Condition::CarrySet
    }

    /// Negates a 64-bit integer where a mask is set.
    pub(crate) fn negated_wide_where(&mut self, a: &Words, mask: Word) -> Words {
        let flipped = two(self.xor(a[0], mask), self.xor(a[1], mask));
        self.sub_wide(&flipped, &two(mask, mask))
    }

    /// An unsigned 64-bit integer as a float: its 32 highest bits, of which the last one represents all below, scaled.
    pub(crate) fn wide_to_float(&mut self, a: &Words) -> Word {
        let high = Word::Register(self.in_register(a[1]));
        let low = Word::Register(self.in_register(a[0]));
        let zeros = self.unary(AddOp::Clz, high);
        let zeros = Word::Register(self.in_register(zeros));
        let shifted = self.shift_wide(AddOp::Shl, &two(low, high), zeros);
        self.test(shifted[0]);
        let sticky = self.choose(Condition::ZeroClear, Word::Constant(1), Word::Constant(0));
        let top = self.or(shifted[1], sticky);
        let top = self.unsigned_to_float(top, u32::MAX);
        let exponent = self.sub(Word::Constant(32), zeros);
        let biased = self.add(exponent, Word::Constant(127));
        let scale = self.shift(AddOp::Shl, biased, 23);
        let large = self.multiply(crate::machine::MulOp::FMul, top, scale);
        let small = self.unsigned_to_float(low, u32::MAX);
        self.test(high);
        self.choose(Condition::ZeroSet, small, large)
    }

    /// A float as an unsigned 64-bit integer, truncated: the high word, then what is left.
    pub(crate) fn float_to_wide(&mut self, a: Word) -> Words {
        let a = Word::Register(self.in_register(a));
        let scaled = self.multiply(crate::machine::MulOp::FMul, a, Word::Constant((127 - 32) << 23));
        let high = self.float_to_unsigned(scaled);
        let whole = self.unsigned_to_float(high, u32::MAX);
        let whole = self.multiply(crate::machine::MulOp::FMul, whole, Word::Constant((127 + 32) << 23));
        let rest = self.fsub(a, whole);
        two(self.float_to_unsigned(rest), high)
    }
}
