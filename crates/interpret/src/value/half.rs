//! 16-bit floating-point numbers, by conversion to and from 64 bits.
//!
//! Every half is a double. The other direction rounds to nearest, ties to even. For the sum, difference, product, quotient and square root
//! of halves, computing in double and rounding again gives the correctly rounded result: a double has more than twice as many significand
//! bits as a half, plus two (S. Figueroa, "When is double rounding innocuous?", 1995).

const MANTISSA: u32 = 10;
const BIAS: i32 = 15;
const DOUBLE_MANTISSA: u32 = 52;
const DOUBLE_BIAS: i32 = 1023;

/// The value of a half.
pub(crate) fn to_f64(bits: u16) -> f64 {
    let sign = u64::from(bits >> 15) << 63;
    let exponent = i32::from(bits >> MANTISSA) & 0x1f;
    let fraction = u64::from(bits) & 0x3ff;
    match exponent {
        0 => {
            let magnitude = fraction as f64 * 2f64.powi(1 - BIAS - MANTISSA as i32);
            f64::from_bits(magnitude.to_bits() | sign)
        }
        0x1f => f64::from_bits(sign | 0x7ff << DOUBLE_MANTISSA | fraction << (DOUBLE_MANTISSA - MANTISSA)),
        _ => {
            let exponent = (exponent - BIAS + DOUBLE_BIAS) as u64;
            f64::from_bits(sign | exponent << DOUBLE_MANTISSA | fraction << (DOUBLE_MANTISSA - MANTISSA))
        }
    }
}

/// The half nearest to a double.
pub(crate) fn from_f64(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    if value.is_nan() {
        return sign | 0x7e00 | (bits >> (DOUBLE_MANTISSA - MANTISSA)) as u16 & 0x1ff;
    }
    let exponent = (bits >> DOUBLE_MANTISSA) as i32 & 0x7ff;
    let half_exponent = exponent - DOUBLE_BIAS + BIAS;
    if half_exponent >= 0x1f {
        return sign | 0x7c00;
    }
    if half_exponent < -(MANTISSA as i32) {
        return sign;
    }
    let significand = bits & ((1 << DOUBLE_MANTISSA) - 1) | 1 << DOUBLE_MANTISSA;
    let (lead, dropped) = match half_exponent {
        1.. => (((half_exponent - 1) as u64) << MANTISSA, DOUBLE_MANTISSA - MANTISSA),
        _ => (0, DOUBLE_MANTISSA - MANTISSA + (1 - half_exponent) as u32),
    };
    // The implicit bit of a normal number adds one to the exponent; so does a carry of the rounding.
    (sign as u64 | (lead + rounded_shift(significand, dropped))) as u16
}

/// `value >> dropped`, rounded to nearest, ties to even.
fn rounded_shift(value: u64, dropped: u32) -> u64 {
    let (kept, rest, middle) = (value >> dropped, value & ((1 << dropped) - 1), 1 << (dropped - 1));
    kept + u64::from(rest > middle || rest == middle && kept & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::{from_f64, to_f64};

    #[test]
    fn every_half_survives_the_way_there_and_back() {
        for bits in 0..=u16::MAX {
            let value = to_f64(bits);
            if value.is_nan() {
                assert!(to_f64(from_f64(value)).is_nan());
            } else {
                assert_eq!(from_f64(value), bits, "{value}");
            }
        }
    }

    #[test]
    fn rounding_takes_the_nearest_and_the_even_one_of_two() {
        for bits in 0..0x7bffu16 {
            let (low, high) = (to_f64(bits), to_f64(bits + 1));
            let middle = (low + high) / 2.0;
            assert_eq!(from_f64(middle), bits + (bits & 1), "{middle}");
            assert_eq!(from_f64(middle.next_down()), bits);
            assert_eq!(from_f64(middle.next_up()), bits + 1);
            assert_eq!(from_f64(-middle.next_up()), 0x8000 | (bits + 1));
        }
        assert_eq!(from_f64(65519.99), 0x7bff);
        assert_eq!(from_f64(65520.0), 0x7c00);
        assert_eq!(from_f64(1e300), 0x7c00);
        assert_eq!(from_f64(-1e-300), 0x8000);
    }
}
