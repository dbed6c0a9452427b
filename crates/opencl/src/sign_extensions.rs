//! Replaces sign extensions to 64 bits by shifts, for a driver that treats extended numbers as unsigned.
//!
//! ```text
//!                                  %w: u64 = u_convert %x
//! %y: u64 = s_convert %x     ⇒     %h: u64 = shift_left_logical %w, 32
//!                                  %y: u64 = shift_right_arithmetic %h, 32
//! ```
//!
//! Reason: lavapipe (Mesa 22.3) compares an extended 32-bit number with a constant as if it were unsigned, so `(long)x < 0` is never true.
//! Minimum, maximum, absolute value and the conversion to floating point of such a number are wrong in the same way; sums, shifts and
//! comparisons of two numbers are correct. A number that is extended by shifts is compared correctly.
//!
//! *Requires* nothing. *Preserves* every value. Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Module, view};

use super::Context;
use super::scalars::splat;

/// Replaces sign extensions from 32 to 64 bits by shifts, if the driver has this bug. Returns whether anything changed.
///
/// # Errors
/// None.
pub fn sign_extensions(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    if !context.options.driver.quirks().extends_as_unsigned {
        return Ok(false);
    }
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions = blocks.flat_map(|block| module.children(block));
    let extensions: Vec<Inst> = instructions.filter(|&inst| is_extension(module, inst)).collect();
    for &extension in &extensions {
        shift(module, extension);
    }
    Ok(!extensions.is_empty())
}

/// Returns whether an instruction sign-extends a 32-bit integer to 64 bits, or a vector of them.
fn is_extension(module: &Module, inst: Inst) -> bool {
    let bits = |value: Inst| module.ty(value).and_then(|ty| module.width(module.components(ty).0));
    let extends = |extension: view::SConvert| bits(inst) == Some(64) && bits(extension.operand) == Some(32);
    view::SConvert::of(module, inst).is_some_and(extends)
}

fn shift(module: &mut Module, extension: Inst) {
    let ty = module.ty(extension).expect("invariant: a conversion has a type");
    let view::SConvert { operand: number } = view::SConvert::of(module, extension).expect("invariant: it is one");
    let mut build = Builder::new(module);
    build.before(extension);
    let half = splat(&mut build, ty, 32);
    let wide = build.u_convert(ty, &[number]);
    let high = build.shift_left_logical(ty, &[wide, half]);
    let extended = build.shift_right_arithmetic(ty, &[high, half]);
    build.editor().replace_all_uses(extension, extended);
    reconverge_rewrite::removal::remove(module, extension);
}
