//! From the channels in memory to red, green, blue and alpha, and back (OpenCL 3.0, section 5.3.1.1; OpenCL C 3.0, section 6.15.15, *Mapping
//! image channels to color values*).
//!
//! ```text
//! R     (c0, 0, 0, 1)      RG   (c0, c1, 0, 1)      A          (0, 0, 0, c0)      BGRA   (c2, c1, c0, c3)
//! RA    (c0, 0, 0, c1)     RGBA (c0, c1, c2, c3)    LUMINANCE  (c0, c0, c0, 1)    ARGB   (c1, c2, c3, c0)
//! ```
//!
//! The three orders of sRGB also convert red, green and blue between the encoding of sRGB and linear numbers.

use reconverge_ir::{Inst, Op};
use spirv::OpenclStd100Op;

use super::channels::{Channels, Numbers};
use crate::ChannelOrder;
use crate::formula::{FormulaWriter, Value};

/// Red, green, blue, alpha.
pub(super) type Color<'w> = [Value<'w>; 4];

/// The color of a texel.
pub(super) fn color<'w>(
    writer: &'w FormulaWriter<'w>,
    order: ChannelOrder,
    numbers: Numbers,
    [c0, c1, c2, c3]: Channels<'w>,
) -> Color<'w> {
    use ChannelOrder as Order;
    let zero = numbers.constant(writer, 0);
    let one = || numbers.constant(writer, 1);
    match order {
        Order::R | Order::Rx | Order::Depth => [c0, zero, zero, one()],
        Order::A => [zero, zero, zero, c0],
        Order::Rg | Order::Rgx => [c0, c1, zero, one()],
        Order::Ra => [c0, zero, zero, c1],
        Order::Rgb | Order::Rgbx => [c0, c1, c2, one()],
        Order::Rgba => [c0, c1, c2, c3],
        Order::Bgra => [c2, c1, c0, c3],
        Order::Argb => [c1, c2, c3, c0],
        Order::Abgr => [c3, c2, c1, c0],
        Order::Intensity => [c0; 4],
        Order::Luminance => [c0, c0, c0, one()],
        // There are no integers in these formats.
        Order::Srgba | Order::Srgbx | Order::Sbgra if numbers == Numbers::Integers => [zero; 4],
        Order::Srgba => [linear(c0), linear(c1), linear(c2), c3],
        Order::Srgbx => [linear(c0), linear(c1), linear(c2), one()],
        Order::Sbgra => [linear(c2), linear(c1), linear(c0), c3],
    }
}

/// The channels of a color.
pub(super) fn channels<'w>(
    writer: &'w FormulaWriter<'w>,
    order: ChannelOrder,
    numbers: Numbers,
    [r, g, b, a]: Color<'w>,
) -> Channels<'w> {
    use ChannelOrder as Order;
    let zero = numbers.constant(writer, 0);
    match order {
        Order::R | Order::Rx | Order::Depth | Order::Intensity | Order::Luminance => [r, zero, zero, zero],
        Order::A => [a, zero, zero, zero],
        Order::Rg | Order::Rgx => [r, g, zero, zero],
        Order::Ra => [r, a, zero, zero],
        Order::Rgb | Order::Rgbx => [r, g, b, zero],
        Order::Rgba => [r, g, b, a],
        Order::Bgra => [b, g, r, a],
        Order::Argb => [a, r, g, b],
        Order::Abgr => [a, b, g, r],
        Order::Srgba | Order::Srgbx | Order::Sbgra if numbers == Numbers::Integers => [zero; 4],
        Order::Srgba => [encoded(r), encoded(g), encoded(b), a],
        Order::Srgbx => [encoded(r), encoded(g), encoded(b), numbers.constant(writer, 1)],
        Order::Sbgra => [encoded(b), encoded(g), encoded(r), a],
    }
}

/// Returns whether alpha is 1 outside of the image, and not 0.
pub(super) fn has_opaque_border(order: ChannelOrder) -> bool {
    matches!(order, ChannelOrder::R | ChannelOrder::Rg | ChannelOrder::Rgb | ChannelOrder::Luminance)
}

/// A number of sRGB as a linear one (IEC 61966-2-1).
fn linear(c: Value<'_>) -> Value<'_> {
    let curve = power((c + 0.055) * (1.0 / 1.055_f64), 2.4);
    c.at_most(0.04045).select(c * (1.0 / 12.92_f64), curve)
}

/// A linear number as one of sRGB.
fn encoded(x: Value<'_>) -> Value<'_> {
    let curve = power(x, 1.0 / 2.4) * 1.055 - 0.055;
    x.at_most(0.003_130_8).select(x * 12.92, curve)
}

/// The power of a number that is not negative, by the function of OpenCL.
fn power(x: Value<'_>, exponent: f64) -> Value<'_> {
    let writer = x.writer();
    let set = writer.build(|build| {
        let module = build.module();
        let known = module.globals().find(|&global| module.is_instruction_set(global, "OpenCL.std"));
        known.unwrap_or_else(|| {
            let name = build.editor().text("OpenCL.std");
            build.ext_inst_import(&[name])
        })
    });
    let number = writer.build(|build| build.enumerant(OpenclStd100Op::powr));
    let operands: [Inst; 4] = [set, number, x.inst(), x.constant(exponent).inst()];
    writer.emit_raw(Op::ExtInst, x.shape(), &operands)
}
