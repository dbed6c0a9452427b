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
//! *Costs.* On a GPU, shifts, masks and additions run at full rate. 32-bit products run at a quarter of it on most devices; 64-bit products
//! are sequences. An integer division is a sequence of twenty or more instructions, a float division a reciprocal with corrections. So:
//! - products with and divisions by powers of two become shifts and masks, and divisions of floats by powers of two become products: one
//!   operation for one, never more expensive;
//! - a division by another constant stays. The multiplication by a magic number needs the high half of a product, which SPIR-V returns as a
//!   struct, and up to three more operations. Drivers do this themselves for constants, with native instructions;
//! - a product of a loop counter stays. A separate counter would occupy a register through the loop, which lowers occupancy, and save three
//!   quarters of an instruction. An addition in every iteration is not cheaper if the product is not computed in all iterations. If a sum
//!   follows the product in every iteration, `iv_strength_reduction.rs` replaces both by one addition.
//!
//! The rules are a table like those of `simplify`, in `simplify/strength.rs`, and obey the same laws. Linear.

use std::sync::LazyLock;

use reconverge_ir::{Function, Module};

use crate::analyses::Analyses;
use crate::simplify::{Rules, cheaper, simplify_by};

static CHEAPER: LazyLock<Rules> = LazyLock::new(|| Rules::new(cheaper()));

/// Replaces expensive operations by cheaper ones. Returns the number of replaced instructions.
pub fn strength_reduction(module: &mut Module, function: Function, analyses: &mut Analyses) -> usize {
    simplify_by(module, function, &CHEAPER, analyses)
}
