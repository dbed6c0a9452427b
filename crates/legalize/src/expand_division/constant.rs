//! Division by a constant: a product with a scaled reciprocal, and shifts (`magic.rs`).

use reconverge_ir::{Inst, Op};
use reconverge_rewrite::scalars::integer;

use super::Expansion;
use crate::magic;
use crate::shift::shifted;

impl Expansion<'_> {
    /// The quotient or remainder of an integer by a constant that is not zero. A negative constant is sign-extended to 64 bits.
    pub(super) fn by_constant(&mut self, op: Op, a: Inst, divisor: u64) -> Inst {
        let mask = u64::MAX >> (64 - self.bits);
        let quotient = match op {
            Op::UMod if (divisor & mask).is_power_of_two() => {
                let rest = self.number((divisor & mask) - 1);
                return self.build.bitwise_and(self.ty, &[a, rest]);
            }
            Op::UDiv | Op::UMod => self.unsigned_quotient(a, divisor & mask),
            _ => self.signed_quotient(a, divisor),
        };
        if matches!(op, Op::UDiv | Op::SDiv) {
            return quotient;
        }
        let divisor = self.number(divisor);
        let product = self.build.i_mul(self.ty, &[quotient, divisor]);
        self.build.i_sub(self.ty, &[a, product])
    }

    fn unsigned_quotient(&mut self, a: Inst, divisor: u64) -> Inst {
        if divisor.is_power_of_two() {
            return self.shifted(Op::ShiftRightLogical, a, divisor.trailing_zeros());
        }
        let magic = magic::unsigned(self.bits, divisor);
        let before = self.shifted(Op::ShiftRightLogical, a, magic.before);
        let high = self.upper_half(Op::UMulExtended, before, magic.multiplier);
        if !magic.is_long {
            return self.shifted(Op::ShiftRightLogical, high, magic.after);
        }
        let rest = self.build.i_sub(self.ty, &[a, high]);
        let rest = self.shifted(Op::ShiftRightLogical, rest, 1);
        let sum = self.build.i_add(self.ty, &[rest, high]);
        self.shifted(Op::ShiftRightLogical, sum, magic.after - 1)
    }

    fn signed_quotient(&mut self, a: Inst, divisor: u64) -> Inst {
        let unused = 64 - self.bits;
        let divisor = (divisor << unused).cast_signed() >> unused;
        let magnitude = divisor.unsigned_abs();
        let quotient = if magnitude.is_power_of_two() {
            let amount = magnitude.trailing_zeros();
            if amount == 0 {
                a
            } else {
                // One less than the magnitude, for negative dividends: shifts round down, quotients toward zero.
                let sign = self.shifted(Op::ShiftRightArithmetic, a, self.bits - 1);
                let rounding = self.shifted(Op::ShiftRightLogical, sign, self.bits - amount);
                let sum = self.build.i_add(self.ty, &[a, rounding]);
                self.shifted(Op::ShiftRightArithmetic, sum, amount)
            }
        } else {
            let magic = magic::signed(self.bits, magnitude);
            let high = self.upper_half(Op::SMulExtended, a, magic.multiplier);
            let sum = self.build.i_add(self.ty, &[a, high]);
            let shifted = self.shifted(Op::ShiftRightArithmetic, sum, magic.after);
            let sign = self.shifted(Op::ShiftRightArithmetic, a, self.bits - 1);
            self.build.i_sub(self.ty, &[shifted, sign])
        };
        if divisor < 0 { self.build.s_negate(self.ty, &[quotient]) } else { quotient }
    }

    /// The upper half of a product with a constant.
    fn upper_half(&mut self, op: Op, a: Inst, multiplier: u64) -> Inst {
        let multiplier = self.number(multiplier);
        let pair = self.structs.with(&mut self.build, &[self.ty, self.ty]);
        let product = self.build.emit(op, Some(pair), &[a, multiplier]);
        let one = self.build.editor().word(1);
        self.build.composite_extract(self.ty, &[product, one])
    }

    /// The constant with these low bits.
    pub(super) fn number(&mut self, bits: u64) -> Inst {
        integer(&mut self.build, self.ty, bits)
    }

    /// A shift by a constant below the width.
    pub(super) fn shifted(&mut self, op: Op, a: Inst, amount: u32) -> Inst {
        shifted(&mut self.build, op, self.ty, a, amount)
    }
}
