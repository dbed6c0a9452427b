//! Signed division by unsigned division, and the remainder with the sign of the divisor.
//!
//! With `m` the sign of `a` in all bits, `|a| = (a ^ m) − m`, and the same expression gives a number its sign back. Magnitudes are read as
//! unsigned, so the least integer has one, too.

use reconverge_ir::{Inst, Op};
use reconverge_rewrite::scalars::constant_value;

use super::Expansion;

impl Expansion<'_> {
    /// The quotient, with the sign of both operands, or the remainder, with the sign of the dividend.
    pub(super) fn by_magnitudes(&mut self, op: Op, a: Inst, b: Inst) -> Inst {
        let [a_sign, b_sign] = [a, b].map(|number| self.shifted(Op::ShiftRightArithmetic, number, self.bits - 1));
        let [a, b] = [(a, a_sign), (b, b_sign)].map(|(number, sign)| self.negated_where(number, sign));
        if op == Op::SDiv {
            let sign = self.build.bitwise_xor(self.ty, &[a_sign, b_sign]);
            let quotient = self.build.u_div(self.ty, &[a, b]);
            return self.negated_where(quotient, sign);
        }
        let rest = self.build.u_mod(self.ty, &[a, b]);
        self.negated_where(rest, a_sign)
    }

    /// A remainder with the sign of the divisor `b`, given the one with the sign of the dividend.
    pub(super) fn floored(&mut self, rest: Inst, b: Inst) -> Inst {
        let bool_type = self.build.bool_type();
        let zero = self.number(0);
        let moved = self.build.i_add(self.ty, &[rest, b]);
        if let Some(divisor) = constant_value(self.build.module(), b) {
            // The sign of the divisor is known. A remainder of zero is neither less nor greater than zero, and stays.
            let is_negative = divisor >> (self.bits - 1) & 1 == 1;
            let wrong = if is_negative { Op::SGreaterThan } else { Op::SLessThan };
            let is_moved = self.build.emit(wrong, Some(bool_type), &[rest, zero]);
            return self.build.select(self.ty, &[is_moved, moved, rest]);
        }
        let signs = self.build.bitwise_xor(self.ty, &[rest, b]);
        let differ = self.build.s_less_than(bool_type, &[signs, zero]);
        let is_rest = self.build.i_not_equal(bool_type, &[rest, zero]);
        let is_moved = self.build.logical_and(bool_type, &[differ, is_rest]);
        self.build.select(self.ty, &[is_moved, moved, rest])
    }

    /// Negates a number where a mask is set in all bits.
    fn negated_where(&mut self, number: Inst, mask: Inst) -> Inst {
        let flipped = self.build.bitwise_xor(self.ty, &[number, mask]);
        self.build.i_sub(self.ty, &[flipped, mask])
    }
}
