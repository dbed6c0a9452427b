//! Arithmetic of 32-bit words beyond the operations of the ALUs.

use crate::machine::{AddOp, BranchCondition, Condition, Destination, Inst, MulOp, Operation, Source, VReg};

use super::emit::{Emitter, Word};

impl Emitter {
    /// A product modulo 2³², of factors that are at most the bounds. The ALU multiplies 24 bits:
    ///
    /// ```text
    /// a · b = (a₀ · b₀) + ((a₁ · b₀ + a₀ · b₁) << 24)        a₀ 24 bits, a₁ = a >> 24; mul24 takes the low 24 bits by itself
    /// ```
    pub(crate) fn product(&mut self, left: (Word, u32), right: (Word, u32)) -> Word {
        const SMALL: u32 = (1 << 24) - 1;
        let ((a, a_bound), (b, b_bound)) = (left, right);
        if let (Word::Constant(x), Word::Constant(y)) = (a, b) {
            return Word::Constant(x.wrapping_mul(y));
        }
        for (word, other) in [(a, b), (b, a)] {
            if let Word::Constant(factor) = word {
                if factor == 0 {
                    return word;
                }
                if factor.is_power_of_two() {
                    return self.shift(AddOp::Shl, other, factor.trailing_zeros());
                }
            }
        }
        let low = self.multiply(MulOp::Mul24, a, b);
        let mut high = None;
        for ((word, bound), other) in [((a, a_bound), b), ((b, b_bound), a)] {
            if bound > SMALL {
                let upper = self.shift(AddOp::Shr, word, 24);
                let part = self.multiply(MulOp::Mul24, upper, other);
                high = Some(match high {
                    None => part,
                    Some(before) => self.add(before, part),
                });
            }
        }
        match high {
            None => low,
            Some(high) => {
                let high = self.shift(AddOp::Shl, high, 24);
                self.add(low, high)
            }
        }
    }

    /// A product modulo 2³².
    pub(crate) fn product_of_words(&mut self, a: Word, b: Word) -> Word {
        let bound = |word: Word| if let Word::Constant(value) = word { value } else { u32::MAX };
        self.product((a, bound(a)), (b, bound(b)))
    }

    /// The upper word of an unsigned product, out of four products of 16 bits.
    pub(crate) fn high_product(&mut self, a: Word, b: Word) -> Word {
        if let (Word::Constant(x), Word::Constant(y)) = (a, b) {
            return Word::Constant(((u64::from(x) * u64::from(y)) >> 32) as u32);
        }
        let half = Word::Constant(0xffff);
        let halves = [a, b].map(|word| (self.and(word, half), self.shift(AddOp::Shr, word, 16)));
        let [(a0, a1), (b0, b1)] = halves;
        let low = self.multiply(MulOp::Mul24, a0, b0);
        let (first, second) = (self.multiply(MulOp::Mul24, a0, b1), self.multiply(MulOp::Mul24, a1, b0));
        let high = self.multiply(MulOp::Mul24, a1, b1);
        let carried = self.shift(AddOp::Shr, low, 16);
        let first_low = self.and(first, half);
        let second_low = self.and(second, half);
        let middle = self.add(carried, first_low);
        let middle = self.add(middle, second_low);
        let mut sum = high;
        for part in [first, second, middle] {
            let part = self.shift(AddOp::Shr, part, 16);
            sum = self.add(sum, part);
        }
        sum
    }

    /// The upper word of a signed product: the unsigned one, less each factor where the other one is negative.
    pub(crate) fn high_product_signed(&mut self, a: Word, b: Word) -> Word {
        let mut high = self.high_product(a, b);
        for (sign, other) in [(a, b), (b, a)] {
            let mask = self.shift(AddOp::Asr, sign, 31);
            let part = self.and(mask, other);
            high = self.sub(high, part);
        }
        high
    }

    /// Quotient and remainder of unsigned words. A division by zero gives any values.
    pub(crate) fn divide(&mut self, a: Word, b: Word) -> (Word, Word) {
        if let (Word::Constant(x), Word::Constant(y)) = (a, b)
            && y != 0
        {
            return (Word::Constant(x / y), Word::Constant(x % y));
        }
        self.divide_by_steps(a, b)
    }

    /// A division bit by bit, exact for all operands:
    ///
    /// ```text
    /// r = 0; q = a
    /// 32 times:  q = q + q            the carry is the next bit of a
    ///            r = r + r + carry
    ///            if r ≥ b: r = r − b, q = q + 1
    /// where b ≥ 2³¹, r + r may not fit:  q = (a ≥ b)
    /// ```
    fn divide_by_steps(&mut self, a: Word, b: Word) -> (Word, Word) {
        /// Steps of one iteration of the loop.
        const UNROLLED: u32 = 4;
        let a = Word::Register(self.in_register(a));
        let divisor = Word::Register(self.in_register(b));
        let (quotient, rest) = (self.copied(a), self.copied(Word::Constant(0)));
        let count = self.copied(Word::Constant((32 / UNROLLED).wrapping_neg()));
        let head = self.label();
        self.place(head);
        for _ in 0..UNROLLED {
            self.division_step(quotient, rest, divisor);
        }
        self.count_up(count);
        self.branch(BranchCondition::Any(Condition::ZeroClear), head);
        // Divisors of 32 bits.
        let (large, large_rest) = (self.copied(Word::Constant(0)), self.copied(a));
        let difference = self.register();
        self.binary_to(Destination::Register(difference), AddOp::Sub, a, divisor);
        self.flags(AddOp::Sub, a, divisor);
        self.copy_when(large, Word::Constant(1), Condition::CarryClear);
        self.copy_when(large_rest, Word::Register(difference), Condition::CarryClear);
        self.test(divisor);
        self.copy_when(quotient, Word::Register(large), Condition::NegativeSet);
        self.copy_when(rest, Word::Register(large_rest), Condition::NegativeSet);
        (Word::Register(quotient), Word::Register(rest))
    }

    fn division_step(&mut self, quotient: VReg, rest: VReg, divisor: Word) {
        let (q, r) = (Source::Register(quotient), Source::Register(rest));
        let add = Operation::Add(AddOp::Add);
        let one = self.source(Word::Constant(1));
        self.push(Inst::binary(add, Destination::Register(quotient), q, q).setting_flags());
        self.push(Inst::binary(add, Destination::Register(rest), r, r));
        self.push(Inst::binary(add, Destination::Register(rest), r, one).when(Condition::CarrySet));
        let difference = self.register();
        let divisor = self.source(divisor);
        let subtract = Inst::binary(Operation::Add(AddOp::Sub), Destination::Register(difference), r, divisor);
        self.push(subtract.setting_flags());
        self.copy_when(rest, Word::Register(difference), Condition::CarryClear);
        self.push(Inst::binary(add, Destination::Register(quotient), q, one).when(Condition::CarryClear));
    }

    /// Adds one to a counter and sets the flags.
    pub(crate) fn count_up(&mut self, counter: VReg) {
        let source = Source::Register(counter);
        let one = self.source(Word::Constant(1));
        let add = Inst::binary(Operation::Add(AddOp::Add), Destination::Register(counter), source, one);
        self.push(add.setting_flags());
    }

    /// The absolute value of a signed word.
    pub(crate) fn absolute(&mut self, word: Word) -> Word {
        let negated = self.sub(Word::Constant(0), word);
        self.binary(AddOp::Max, word, negated)
    }

    /// The lesser of two unsigned words.
    pub(crate) fn unsigned_least(&mut self, a: Word, b: Word) -> Word {
        self.compared_choice(Condition::CarrySet, a, b)
    }

    /// The greater of two unsigned words.
    pub(crate) fn unsigned_greatest(&mut self, a: Word, b: Word) -> Word {
        self.compared_choice(Condition::CarryClear, a, b)
    }

    /// `a` where a condition holds for the flags of `a - b`, else `b`.
    fn compared_choice(&mut self, condition: Condition, a: Word, b: Word) -> Word {
        let (a, b) = (Word::Register(self.in_register(a)), Word::Register(self.in_register(b)));
        self.flags(AddOp::Sub, a, b);
        self.choose(condition, a, b)
    }

    /// Sign-extends the low bits of a word.
    pub(crate) fn sign_extended(&mut self, word: Word, bits: u32) -> Word {
        if bits >= 32 {
            return word;
        }
        let upper = self.shift(AddOp::Shl, word, 32 - bits);
        self.shift(AddOp::Asr, upper, 32 - bits)
    }

    /// Keeps the low bits of a word.
    pub(crate) fn zero_extended(&mut self, word: Word, bits: u32) -> Word {
        if bits >= 32 { word } else { self.and(word, Word::Constant((1 << bits) - 1)) }
    }
}
