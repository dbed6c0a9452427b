//! From the words of a texel to its channels, and back (OpenCL 3.0, section 5.3.1.1; OpenCL C 3.0, chapter *Image Addressing and Filtering*,
//! conversion rules).
//!
//! ```text
//! unorm 8       (w >> 8k & 255) * (1/255)                           rint(clamp(x, 0, 1) * 255) << 8k
//! snorm 16      max(-1, sign-extended half of a word * (1/32767))   rint(clamp(x, -1, 1) * 32767)
//! sint, uint    sign- or zero-extended                              saturated
//! half          exact                                               nearest even
//! ```
//!
//! A NaN that is written to a normalized channel is 0. The product with 1/255 is at most 1.25 ulp from the quotient, and 255 gives 1.

use spirv::{FPRoundingMode, GlslStd450Op as Glsl};

use super::addressing::WORD;
use super::texels::Words;
use crate::ChannelType;
use crate::extended_instructions::narrow;
use crate::formula::{Format, FormulaWriter, Scalar, Shape, Value};

/// The numbers of the channels in memory order: floats, or integers of 32 bits.
pub(super) type Channels<'w> = [Value<'w>; 4];

/// The numbers that a kernel reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Numbers {
    Floats,
    Integers,
}

impl Numbers {
    pub(super) fn shape(self) -> Shape {
        match self {
            Numbers::Floats => WORD.with(Scalar::Float(32)),
            Numbers::Integers => WORD,
        }
    }

    /// The channel types that are read and written so.
    pub(super) fn types(self) -> impl Iterator<Item = ChannelType> {
        ChannelType::ALL.into_iter().filter(move |kind| kind.is_integer() == (self == Numbers::Integers))
    }

    /// The number 1, or 0.
    pub(super) fn constant<'w>(self, writer: &'w FormulaWriter<'w>, number: u32) -> Value<'w> {
        let zero = writer.constant(self.shape(), 0);
        match self {
            Numbers::Floats => zero.constant(f64::from(number)),
            Numbers::Integers => zero.constant(u64::from(number)),
        }
    }
}

/// Where a channel is in its word.
#[derive(Clone, Copy)]
struct Field {
    word: usize,
    shift: u32,
    bits: u32,
}

/// The place of channel number `channel`.
fn field(kind: ChannelType, channel: usize) -> Field {
    let packed = |fields: [(u32, u32); 4]| {
        let (shift, bits) = fields[channel];
        Field { word: 0, shift, bits }
    };
    match kind {
        ChannelType::Unorm565 => packed([(11, 5), (5, 6), (0, 5), (0, 0)]),
        ChannelType::Unorm555 => packed([(10, 5), (5, 5), (0, 5), (0, 0)]),
        ChannelType::Unorm101010 => packed([(20, 10), (10, 10), (0, 10), (0, 0)]),
        _ => {
            let bits = 8 * kind.bytes();
            let first = channel as u32 * bits;
            Field { word: first as usize / 32, shift: first % 32, bits }
        }
    }
}

/// The largest number of a normalized channel.
fn largest(kind: ChannelType, bits: u32) -> f64 {
    let value_bits = if is_signed(kind) { bits - 1 } else { bits };
    f64::from((1_u32 << value_bits) - 1)
}

fn is_signed(kind: ChannelType) -> bool {
    use ChannelType::{Sint8, Sint16, Sint32, Snorm8, Snorm16};
    matches!(kind, Snorm8 | Snorm16 | Sint8 | Sint16 | Sint32)
}

/// The first `count` channels of a texel; the others are 0.
pub(super) fn decode<'w>(
    writer: &'w FormulaWriter<'w>,
    kind: ChannelType,
    words: Words<'w>,
    count: u32,
) -> Channels<'w> {
    let numbers = if kind.is_integer() { Numbers::Integers } else { Numbers::Floats };
    std::array::from_fn(|channel| match (channel as u32) < count {
        true => decode_channel(kind, field(kind, channel), words),
        false => numbers.constant(writer, 0),
    })
}

fn decode_channel<'w>(kind: ChannelType, field: Field, words: Words<'w>) -> Value<'w> {
    if field.bits == 0 {
        return Numbers::Floats.constant(words[0].writer(), 0);
    }
    let bits = extract(kind, field, words[field.word]);
    match kind {
        ChannelType::Float => bits.float_of_bits(),
        ChannelType::Half => {
            let pair = Shape { scalar: Scalar::Float(32), count: 2 };
            bits.writer().glsl(Glsl::UnpackHalf2x16, pair, &[bits]).component(0)
        }
        _ if kind.is_integer() => bits,
        ChannelType::Snorm8 | ChannelType::Snorm16 => {
            let x = bits.signed_to_float(32) * (1.0 / largest(kind, field.bits));
            x.writer().glsl(Glsl::FMax, x.shape(), &[x, x.constant(-1.0)])
        }
        _ => bits.unsigned_to_float(32) * (1.0 / largest(kind, field.bits)),
    }
}

/// The bits of a channel, extended to a word by the sign of its type.
fn extract<'w>(kind: ChannelType, field: Field, word: Value<'w>) -> Value<'w> {
    let Field { shift, bits, .. } = field;
    if bits == 32 {
        return word;
    }
    if is_signed(kind) {
        let left = 32 - bits - shift;
        let top = if left == 0 { word } else { word << u64::from(left) };
        return top.shift_right_signed(u64::from(32 - bits));
    }
    let low = if shift == 0 { word } else { word >> u64::from(shift) };
    if shift + bits == 32 { low } else { low & ((1 << bits) - 1) }
}

/// The words of the first `count` channels.
pub(super) fn encode<'w>(
    writer: &'w FormulaWriter<'w>,
    kind: ChannelType,
    channels: Channels<'w>,
    count: u32,
) -> Words<'w> {
    let mut words = [None; 4];
    for (channel, &value) in channels.iter().enumerate().take(count as usize) {
        let field = field(kind, channel);
        if field.bits == 0 {
            continue;
        }
        let bits = encode_channel(kind, field, value);
        let bits = if field.bits < 32 { bits & ((1 << field.bits) - 1) } else { bits };
        let placed = if field.shift == 0 { bits } else { bits << u64::from(field.shift) };
        let word: &mut Option<Value<'w>> = &mut words[field.word];
        *word = Some(word.map_or(placed, |word| word | placed));
    }
    words.map(|word| word.unwrap_or_else(|| writer.constant(WORD, 0)))
}

/// The bits of a channel in the low bits of a word.
fn encode_channel<'w>(kind: ChannelType, field: Field, x: Value<'w>) -> Value<'w> {
    let bits = field.bits;
    match kind {
        ChannelType::Float => x.bits(),
        ChannelType::Half => narrow(x, Format::of(16), FPRoundingMode::RTE).to_width(32),
        ChannelType::Sint32 | ChannelType::Uint32 => x,
        ChannelType::Sint8 | ChannelType::Sint16 => {
            let high = (1_u64 << (bits - 1)) - 1;
            let low = x.constant(u64::from(u32::MAX) - high);
            x.writer().glsl(Glsl::SClamp, x.shape(), &[x, low, x.constant(high)])
        }
        ChannelType::Uint8 | ChannelType::Uint16 => {
            x.writer().glsl(Glsl::UMin, x.shape(), &[x, x.constant((1_u64 << bits) - 1)])
        }
        _ => {
            let least = if is_signed(kind) { -1.0 } else { 0.0 };
            let number = x.is_nan().select(x.constant(0.0), x);
            let clamped = x.writer().glsl(Glsl::FClamp, x.shape(), &[number, x.constant(least), x.constant(1.0)]);
            (clamped * largest(kind, bits)).round_even().to_signed(32)
        }
    }
}
