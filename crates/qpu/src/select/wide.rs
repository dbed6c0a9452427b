//! Integers of 64 bits as pairs of words.

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
}
