//! Strength reduction: replaces expensive operations by cheaper ones.
//!
//! ```text
//! %a = i_mul %x, %eight      ⇒  %a = shift_left_logical %x, %three
//! %b = u_div %x, %sixteen    ⇒  %b = shift_right_logical %x, %four
//! %c = u_mod %x, %sixteen    ⇒  %c = bitwise_and %x, %fifteen
//! %d = s_mod %x, %sixteen    ⇒  %d = bitwise_and %x, %fifteen
//! %e = f_div %y, %four       ⇒  %e = f_mul %y, %quarter
//! ```
//!
//! *Requires* nothing. *Preserves* control flow, every value and every effect. Runs after `simplify`, whose rules for products do not match
//! shifts.
//!
//! *Costs.* On a GPU shifts, masks and additions run at full rate; 32-bit products at a quarter of it on most devices, 64-bit products are
//! sequences; a division of integers is a sequence of twenty and more, one of floats a reciprocal and corrections. So:
//! - products with and divisions by powers of two become shifts and masks, divisions of floats by powers of two become products: one
//!   operation for one, never more expensive;
//! - a division by another constant stays one. A product with a magic number takes the high half of a product, which SPIR-V gives as a
//!   struct of both, and up to three more operations; drivers do the same where they see the constant, with instructions that they know;
//! - a product of a loop counter stays one. As a counter of its own it would hold a register as long as the loop runs, which lowers how many
//!   waves fit, to save three quarters of an instruction. And an addition in every iteration is not cheaper where the product is not
//!   computed in all of them. Where a sum follows the product, in every iteration, `iv_strength_reduction.rs` makes one addition of both.
//!
//! The rules are a table like those of `simplify`, in `simplify/strength.rs`, and hold to the same laws. Linear.

use std::sync::LazyLock;

use reconverge_ir::{Function, Module};

use crate::analyses::Analyses;
use crate::simplify::{Rules, cheaper, simplify_by};

static CHEAPER: LazyLock<Rules> = LazyLock::new(|| Rules::new(cheaper()));

/// Puts cheaper operations in the place of dear ones. How many instructions have something else in their place.
pub fn strength_reduction(module: &mut Module, function: Function, analyses: &mut Analyses) -> usize {
    simplify_by(module, function, &CHEAPER, analyses)
}
