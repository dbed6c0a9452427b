//! Floating-point literals in a readable form: `f32(0.5)`, `f64(-1e300)`, `f16(inf)`.
//!
//! A literal is words, independent of its type. So its spelling names a width, and denotes the words of the number in IEEE 754 at that
//! width; for a type of another width it is as wrong as the same words would be. NaNs have no spelling, since a number does not determine
//! the bits of a NaN, and are written as words.

/// The spellings: name and width in bits.
const WIDTHS: [(&str, u32); 3] = [("f16", 16), ("f32", 32), ("f64", 64)];

/// The width for a word.
pub(super) fn width_named(word: &str) -> Option<u32> {
    WIDTHS.iter().find(|(name, _)| *name == word).map(|&(_, width)| width)
}

/// The spelling of the words of a number; none for a NaN, and for words that are not a number of that width.
pub(super) fn spelling(width: u32, words: &[u32]) -> Option<String> {
    let shown = match (width, words) {
        (16, &[word]) => format!("{:?}", half_to_single(u16::try_from(word).ok()?)),
        (32, &[word]) => format!("{:?}", f32::from_bits(word)),
        (64, &[low, high]) => format!("{:?}", f64::from_bits(u64::from(high) << 32 | u64::from(low))),
        _ => return None,
    };
    let (name, _) = WIDTHS.iter().find(|&&(_, other)| other == width)?;
    (shown != "NaN").then(|| format!("{name}({shown})"))
}

/// The words of a number; none if it is not a number or does not fit the width. For 16 bits only exact numbers are accepted.
pub(super) fn words(width: u32, text: &str) -> Option<Vec<u32>> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if !is_number && !matches!(text, "inf" | "-inf") {
        return None;
    }
    // A finite number that is too large is parsed as an infinity, and rejected.
    let is_infinite = text.ends_with("inf");
    if width == 64 {
        let number = text.parse::<f64>().ok().filter(|number| number.is_infinite() == is_infinite)?;
        let bits = number.to_bits();
        return Some(vec![bits as u32, (bits >> 32) as u32]);
    }
    let number = text.parse::<f32>().ok().filter(|number| number.is_infinite() == is_infinite)?;
    match width {
        16 => single_to_half(number).map(|half| vec![u32::from(half)]),
        _ => Some(vec![number.to_bits()]),
    }
}

/// A number of 16 bits in 32, which hold it exactly.
fn half_to_single(bits: u16) -> f32 {
    let (exponent, fraction) = (bits >> 10 & 0x1f, bits & 0x3ff);
    let magnitude = match exponent {
        0 => f32::from(fraction) * 2f32.powi(-24),
        0x1f if fraction == 0 => f32::INFINITY,
        0x1f => f32::NAN,
        _ => f32::from(fraction | 0x400) * 2f32.powi(i32::from(exponent) - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// The 16-bit number that equals this one, if there is one. Magnitudes grow with their bits, so a binary search finds it.
fn single_to_half(number: f32) -> Option<u16> {
    const INFINITY: u16 = 0x7c00;
    let (mut low, mut high) = (0, INFINITY);
    while low < high {
        let middle = low + (high - low) / 2;
        if half_to_single(middle) < number.abs() { low = middle + 1 } else { high = middle }
    }
    let sign = u16::from(number.is_sign_negative()) << 15;
    (half_to_single(low) == number.abs()).then_some(low | sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_comes_back() {
        for bits in 0..=u16::MAX {
            let Some(spelled) = spelling(16, &[u32::from(bits)]) else {
                assert!(bits & 0x7c00 == 0x7c00 && bits & 0x3ff != 0, "{bits:#x}");
                continue;
            };
            let number = spelled.strip_prefix("f16(").and_then(|rest| rest.strip_suffix(')')).unwrap();
            assert_eq!(words(16, number), Some(vec![u32::from(bits)]), "{spelled}");
        }
    }

    #[test]
    fn numbers_are_spelled_and_read() {
        assert_eq!(spelling(32, &[0x3f80_0000]).as_deref(), Some("f32(1.0)"));
        assert_eq!(spelling(32, &[0x8000_0000]).as_deref(), Some("f32(-0.0)"));
        assert_eq!(spelling(32, &[0x7f80_0000]).as_deref(), Some("f32(inf)"));
        assert_eq!(spelling(32, &[0x7fc0_0000]), None);
        assert_eq!(spelling(64, &[0x9999_999a, 0x3fb9_9999]).as_deref(), Some("f64(0.1)"));
        assert_eq!(spelling(16, &[0x0001_3c00]), None);
        assert_eq!(words(32, "0.1"), Some(vec![0x3dcc_cccd]));
        assert_eq!(words(32, "-inf"), Some(vec![0xff80_0000]));
        assert_eq!(words(64, "0.1"), Some(vec![0x9999_999a, 0x3fb9_9999]));
        for (width, wrong) in [
            (32, "1e99"),
            (16, "0.1"),
            (32, "nan"),
            (32, "x"),
            (32, ""),
            (64, "1e999"),
            (32, "0x1"),
            (16, "1e99"),
            (16, "65520"),
        ] {
            assert_eq!(words(width, wrong), None, "{wrong}");
        }
    }
}
