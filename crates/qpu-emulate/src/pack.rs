//! Unpacking of operands and packing of results.
//!
//! The bit `pm` chooses the unit: clear, operands from file A are unpacked and results that go to file A are packed; set, operands from
//! r4 are unpacked and results of the mul ALU are packed.
//!
//! A signed overflow of `add` or `sub` saturates in all modes of file A but 0, as tests on the chip show: to the smallest number if the carry
//! flag is set, to the largest one otherwise. That is the right end of the range for `add` and the wrong one for `sub`. The chip gives 0
//! in some of these cases for the modes that saturate bytes and halves; the model does not.

use crate::alu::{Number, Outcome, float};
use crate::lanes::{LANES, Lanes};

/// The bit of the modes of file A that saturate.
const SATURATING: u8 = 8;

/// Bits of a word that a pack mode writes.
pub(crate) fn written_bits(mode: u8) -> u32 {
    match mode & 7 {
        1 => 0x0000_FFFF,
        2 => 0xFFFF_0000,
        4 => 0x0000_00FF,
        5 => 0x0000_FF00,
        6 => 0x00FF_0000,
        7 => 0xFF00_0000,
        _ => u32::MAX,
    }
}

/// Unpacks an operand from file A.
pub(crate) fn unpack(mode: u8, value: &Lanes, number: Number) -> Lanes {
    value.map(|word| match mode {
        1 | 2 => {
            let half = (word >> (16 * (mode - 1))) as u16;
            match number {
                Number::Float => half_to_float(half).to_bits(),
                Number::Integer => i32::from(half.cast_signed()).cast_unsigned(),
            }
        }
        3 => (word >> 24) * 0x0101_0101,
        4..=7 => {
            let byte = word >> (8 * (mode - 4)) & 0xFF;
            if number == Number::Float { fraction_to_float(byte) } else { byte }
        }
        _ => word,
    })
}

/// Unpacks an operand from r4: halves and bytes are always floats.
pub(crate) fn unpack_r4(mode: u8, value: &Lanes) -> Lanes {
    unpack(mode, value, Number::Float)
}

fn fraction_to_float(byte: u32) -> u32 {
    (byte as f32 / 255.0).to_bits()
}

/// Packs a result for file A. The bits outside [`written_bits`] are 0.
pub(crate) fn pack(mode: u8, outcome: &Outcome, number: Number) -> Lanes {
    let mut packed = [0; LANES];
    for (lane, packed) in packed.iter_mut().enumerate() {
        let word = outcome.values[lane];
        *packed = match (outcome.overflow[lane] != 0, outcome.carry[lane] != 0) {
            (false, _) => pack_word(mode, word, number),
            (true, true) => pack_word(mode | SATURATING, i32::MIN.cast_unsigned(), Number::Integer),
            (true, false) => pack_word(mode | SATURATING, i32::MAX.cast_unsigned(), Number::Integer),
        };
    }
    packed
}

/// Packs integers that are no results of sums.
pub(crate) fn pack_integers(mode: u8, values: &Lanes) -> Lanes {
    values.map(|word| pack_word(mode, word, Number::Integer))
}

fn pack_word(mode: u8, word: u32, number: Number) -> u32 {
    let is_saturating = mode & SATURATING != 0;
    let half = || match (number, is_saturating) {
        (Number::Float, _) => u32::from(float_to_half(float(word))),
        (Number::Integer, true) => word.cast_signed().clamp(-0x8000, 0x7FFF).cast_unsigned() & 0xFFFF,
        (Number::Integer, false) => word & 0xFFFF,
    };
    let byte = || if is_saturating { word.cast_signed().clamp(0, 0xFF).cast_unsigned() } else { word & 0xFF };
    match mode & 7 {
        0 => word,
        1 => half(),
        2 => half() << 16,
        3 => byte() * 0x0101_0101,
        position => byte() << (8 * (position - 4)),
    }
}

/// Packs a result of the mul ALU, a float, to bytes that represent fractions of 255.
pub(crate) fn pack_mul(mode: u8, values: &Lanes) -> Lanes {
    values.map(|word| {
        let byte = (float(word).clamp(0.0, 1.0) * 255.0 + 0.5) as u32 & 0xFF;
        match mode {
            3 => byte * 0x0101_0101,
            4..=7 => byte << (8 * (mode - 4)),
            _ => word,
        }
    })
}

/// Denormal halves are zero.
pub(crate) fn half_to_float(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let exponent = u32::from(half >> 10 & 0x1F);
    let fraction = u32::from(half & 0x3FF) << 13;
    f32::from_bits(match exponent {
        0 => sign,
        31 => sign | 0x7F80_0000 | fraction,
        _ => sign | (exponent + 112) << 23 | fraction,
    })
}

/// Rounds away from zero, as tests on the chip show. A value below the smallest normal half is +0; a value above the largest one, and a
/// NaN, is infinite.
pub(crate) fn float_to_half(value: f32) -> u16 {
    const SMALLEST: u32 = 113 << 23;
    const INFINITE: u32 = 143 << 23;
    let sign = (value.to_bits() >> 16) as u16 & 0x8000;
    let magnitude = value.to_bits() & 0x7FFF_FFFF;
    let rounded = magnitude + 0x1FFF;
    match rounded {
        _ if magnitude < SMALLEST => 0,
        INFINITE.. => sign | 0x7C00,
        _ => sign | ((rounded - (112 << 23)) >> 13) as u16,
    }
}
