//! Functions that are rounded: how far they are from the right result, in units in the last place.

mod kernel_library;

use kernel_library::{Bits, Random, function_of, lowered, results};
use reconverge_interpret::Value;

/// From where the operands are drawn.
#[derive(Clone, Copy)]
enum Domain {
    /// Evenly between two numbers.
    Between(f64, f64),
    /// Any bits.
    Any,
    /// Any bits of a positive number.
    Positive,
}

impl Domain {
    fn draw(self, width: u32, random: &mut Random) -> u64 {
        match self {
            Domain::Between(least, greatest) => {
                let part = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
                Value::float(width as u8, least + (greatest - least) * part).float_bits()
            }
            Domain::Any => random.next() & (u64::MAX >> (64 - width)),
            Domain::Positive => random.next() & (u64::MAX >> (65 - width)),
        }
    }
}

use Domain::{Any, Between, Positive};

fn to_f64(width: u32, bits: u64) -> f64 {
    match width {
        32 => f64::from(f32::from_bits(bits as u32)),
        64 => f64::from_bits(bits),
        _ => {
            let (exponent, fraction) = ((bits >> 10) as i32 & 31, (bits & 1023) as f64);
            let magnitude = match exponent {
                0 => fraction * f64::powi(2.0, -24),
                31 if fraction == 0.0 => f64::INFINITY,
                31 => f64::NAN,
                _ => (1024.0 + fraction) * f64::powi(2.0, exponent - 25),
            };
            if bits & 0x8000 != 0 { -magnitude } else { magnitude }
        }
    }
}

/// How far a result is from the right one. Infinite where one is special and the other is another.
fn error(width: u32, result: u64, right: f64) -> f64 {
    let found = to_f64(width, result);
    let (fraction, least, limit) = match width {
        16 => (10, -14, 65520.0),
        32 => (23, -126, f64::from(f32::MAX) * (1.0 + f64::powi(2.0, -25))),
        _ => (52, -1022, f64::INFINITY),
    };
    if right.is_nan() || found.is_nan() {
        return if right.is_nan() && found.is_nan() { 0.0 } else { f64::INFINITY };
    }
    let right = if right.abs() >= limit { right.signum() * f64::INFINITY } else { right };
    if right.is_infinite() || found.is_infinite() {
        // Next to the greatest number a small error makes infinity.
        let close = right.abs().min(found.abs()) >= limit.min(f64::MAX) * (1.0 - f64::powi(2.0, -20));
        return if right == found || close && right.signum() == found.signum() { 0.0 } else { f64::INFINITY };
    }
    let exponent = if right == 0.0 { least } else { (((right.to_bits() >> 52) as i32 & 2047) - 1023).max(least) };
    (found - right).abs() * f64::powi(2.0, fraction) / f64::powi(2.0, exponent)
}

fn worst(number: u32, width: u32, domains: &[Domain], right: &dyn Fn(&[f64]) -> f64) -> (f64, Vec<f64>) {
    let ty = format!("f{width}");
    let count = domains.len();
    let operands = ["%a", "%b"][..count].join(", ");
    let module = lowered(&function_of(&ty, &vec![&*ty; count], &format!("ext_inst %set, {number}, {operands}")));
    let mut random = Random(u64::from(number) * 7 + 1);
    let rows: Vec<Vec<u64>> =
        (0..4_000).map(|_| domains.iter().map(|domain| domain.draw(width, &mut random)).collect()).collect();
    let arguments: Vec<Vec<Value>> =
        rows.iter().map(|row| row.iter().map(|&bits| Value::Float { width: width as u8, bits }).collect()).collect();
    let mut worst = (0.0, Vec::new());
    for (row, result) in rows.iter().zip(results(&module, &arguments)) {
        let row: Vec<f64> = row.iter().map(|&bits| to_f64(width, bits)).collect();
        let error = error(width, result.float_bits(), right(&row));
        if error > worst.0 {
            worst = (error, row);
        }
    }
    worst
}

/// Number, name, bound on the error, operands, and the function.
type Function<'a> = (u32, &'a str, f64, &'a [&'a [Domain]], &'a dyn Fn(&[f64]) -> f64);

fn functions() -> Vec<Function<'static>> {
    use std::f64::consts::{LN_10, PI};
    vec![
        (0, "acos", 4.0, &[&[Between(-1.0, 1.0)], &[Any]], &|v| v[0].acos()),
        (1, "acosh", 4.0, &[&[Between(1.0, 9.0)], &[Positive]], &|v| v[0].acosh()),
        (2, "acospi", 5.0, &[&[Between(-1.0, 1.0)]], &|v| v[0].acos() / PI),
        (3, "asin", 4.0, &[&[Between(-1.0, 1.0)], &[Any]], &|v| v[0].asin()),
        (4, "asinh", 4.0, &[&[Between(-9.0, 9.0)]], &|v| v[0].asinh()),
        (5, "asinpi", 5.0, &[&[Between(-1.0, 1.0)]], &|v| v[0].asin() / PI),
        (6, "atan", 5.0, &[&[Between(-4.0, 4.0)], &[Any]], &|v| v[0].atan()),
        (7, "atan2", 6.0, &[&[Any, Any], &[Between(-2.0, 2.0), Between(-2.0, 2.0)]], &|v| v[0].atan2(v[1])),
        (8, "atanh", 5.0, &[&[Between(-1.0, 1.0)], &[Any]], &|v| v[0].atanh()),
        (9, "atanpi", 5.0, &[&[Between(-4.0, 4.0)]], &|v| v[0].atan() / PI),
        (10, "atan2pi", 6.0, &[&[Between(-2.0, 2.0), Between(-2.0, 2.0)]], &|v| v[0].atan2(v[1]) / PI),
        (11, "cbrt", 2.0, &[&[Any]], &|v| v[0].cbrt()),
        (14, "cos", 4.0, &[&[Between(-8.0, 8.0)], &[Any]], &|v| v[0].cos()),
        (15, "cosh", 4.0, &[&[Between(-99.0, 99.0)]], &|v| v[0].cosh()),
        (16, "cospi", 4.0, &[&[Between(-9.0, 9.0)]], &|v| {
            let part = v[0] - 2.0 * (v[0] / 2.0).round();
            if part.abs() == 0.5 {
                0.0
            } else if part.abs() < 0.25 {
                (PI * part).cos()
            } else {
                (PI * (0.5 - part.abs())).sin()
            }
        }),
        (19, "exp", 3.0, &[&[Between(-110.0, 95.0)], &[Any]], &|v| v[0].exp()),
        (20, "exp2", 3.0, &[&[Between(-155.0, 135.0)], &[Any]], &|v| v[0].exp2()),
        (21, "exp10", 3.0, &[&[Between(-46.0, 40.0)]], &|v| (v[0] * LN_10).exp()),
        (22, "expm1", 3.0, &[&[Between(-2.0, 2.0)], &[Between(-99.0, 99.0)], &[Any]], &|v| v[0].exp_m1()),
        (32, "hypot", 4.0, &[&[Any, Any], &[Between(-2.0, 2.0), Between(-2.0, 2.0)]], &|v| v[0].hypot(v[1])),
        (37, "log", 3.0, &[&[Any], &[Between(0.5, 2.0)]], &|v| v[0].ln()),
        (38, "log2", 3.0, &[&[Any], &[Between(0.5, 2.0)]], &|v| v[0].log2()),
        (39, "log10", 3.0, &[&[Any], &[Between(0.5, 2.0)]], &|v| v[0].log10()),
        (40, "log1p", 2.0, &[&[Any], &[Between(-1.0, 2.0)]], &|v| v[0].ln_1p()),
        (
            48,
            "pow",
            16.0,
            &[&[Positive, Between(-3.0, 3.0)], &[Between(-9.0, 9.0), Between(-99.0, 99.0)], &[Any, Any]],
            &|v| v[0].powf(v[1]),
        ),
        (50, "powr", 16.0, &[&[Positive, Between(-3.0, 3.0)], &[Between(0.0, 9.0), Between(-99.0, 99.0)]], &|v| {
            v[0].powf(v[1])
        }),
        (57, "sin", 4.0, &[&[Between(-8.0, 8.0)], &[Any]], &|v| v[0].sin()),
        (59, "sinh", 4.0, &[&[Between(-99.0, 99.0)], &[Between(-2.0, 2.0)]], &|v| v[0].sinh()),
        (60, "sinpi", 4.0, &[&[Between(-9.0, 9.0)]], &|v| {
            let part = v[0] - 2.0 * (v[0] / 2.0).round();
            if part.abs() == 1.0 {
                0.0
            } else if part.abs() <= 0.5 {
                (PI * part).sin()
            } else {
                (PI * (part.signum() - part)).sin()
            }
        }),
        (62, "tan", 5.0, &[&[Between(-8.0, 8.0)], &[Any]], &|v| v[0].tan()),
        (63, "tanh", 5.0, &[&[Between(-9.0, 9.0)], &[Any]], &|v| v[0].tanh()),
    ]
}

/// Above the bounds in 64 bits, for the reference's own error.
const REFERENCE: f64 = 1.5;

#[test]
fn within_the_bounds_of_open_cl() {
    for (number, name, bound, domains, right) in functions() {
        for width in [16, 32, 64] {
            for domains in domains {
                let (worst, at) = worst(number, width, domains, right);
                println!("{name} {width}: {worst:.3} at {at:?}");
                assert!(worst <= bound + REFERENCE, "{name} of {at:?} in {width} bits is {worst} units off");
            }
        }
    }
}
