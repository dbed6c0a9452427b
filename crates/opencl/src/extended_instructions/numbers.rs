//! Constants for formulas, in more precision than one float.

use super::pair::Pair;
use crate::formula::Value;

/// A number as the nearest 64-bit float and the nearest float to the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number(pub(super) f64, pub(super) f64);

pub(super) const LN_2: Number = Number(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
pub(super) const LOG2_E: Number = Number(std::f64::consts::LOG2_E, 2.035_527_374_093_103_3e-17);
pub(super) const LN_10: Number = Number(std::f64::consts::LN_10, -2.170_756_223_382_249_4e-16);
pub(super) const LOG10_E: Number = Number(std::f64::consts::LOG10_E, 1.098_319_650_216_765e-17);
pub(super) const LOG10_2: Number = Number(std::f64::consts::LOG10_2, -2.803_728_127_785_170_4e-18);
pub(super) const PI: Number = Number(std::f64::consts::PI, 1.224_646_799_147_353_2e-16);
pub(super) const HALF_PI: Number = Number(std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17);
pub(super) const ONE_OVER_PI: Number = Number(std::f64::consts::FRAC_1_PI, -1.967_867_667_518_248_6e-17);
pub(super) const LN_PI: Number = Number(1.144_729_885_849_400_2, 1.026_595_116_270_782_6e-17);
pub(super) const LN_ROOT_TWO_PI: Number = Number(0.918_938_533_204_672_8, -3.878_294_158_067_241_7e-17);
pub(super) const MINUS_EULER: Number = Number(-0.577_215_664_901_532_9, 4.942_915_152_430_645e-18);
pub(super) const ONE_MINUS_EULER: Number = Number(0.422_784_335_098_467_13, 4.942_915_152_430_645e-18);
pub(super) const ATAN_3_8: Number = Number(0.358_770_670_270_572_25, -2.462_381_558_263_863_5e-17);
pub(super) const ATAN_3_4: Number = Number(0.643_501_108_793_284_4, 1.583_478_505_144_428_6e-17);
pub(super) const TWO_THIRDS: Number = Number(0.666_666_666_666_666_6, 3.700_743_415_417_188e-17);
pub(super) const ONE_THIRD: Number = Number(0.333_333_333_333_333_3, 1.850_371_707_708_594e-17);

impl Number {
    /// The constant in twice the precision of a value.
    pub(super) fn pair(self, like: Value<'_>) -> Pair<'_> {
        Pair::constant(like, self.0, self.1)
    }

    /// The constant in two parts: so few leading bits that a product with an integer of `spare` bits is exact, and the rest.
    pub(super) fn split(self, like: Value<'_>, spare: u32) -> Pair<'_> {
        let kept = like.format().fraction + 1 - spare;
        let leading = f64::from_bits(self.0.to_bits() & !((1 << (53 - kept)) - 1));
        Pair { high: like.constant(leading), low: like.constant((self.0 - leading) + self.1) }
    }
}

/// The leading coefficients of a series, as many as a precision needs.
pub(super) fn terms(like: Value<'_>, single: usize, double: usize, coefficient: impl Fn(usize) -> f64) -> Vec<f64> {
    let count = if like.shape().width() == 64 { double } else { single };
    (0..count).map(coefficient).collect()
}
