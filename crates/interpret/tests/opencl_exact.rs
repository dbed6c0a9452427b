//! Functions with an exact result: halves all of them, other widths at random, against their definitions.

use std::cmp::Ordering;

use crate::common::{F32, F64, Ty};
use crate::extended_common::{F16, Random, open_cl, same};
use reconverge_interpret::Value;

type Unary = fn(f64) -> f64;
type Binary32 = fn(f32, f32) -> f32;

fn half(bits: u64) -> Value {
    Value::Float { width: 16, bits }
}

fn is_negative(x: f64) -> bool {
    x.is_sign_negative()
}

/// The integer next to `x` that a condition on the distance picks, with the sign of `x` if it is zero.
fn integer(x: f64, pick: impl Fn(f64, f64) -> bool) -> f64 {
    if !x.is_finite() || x.abs() >= 1e16 {
        return x;
    }
    let down = (x as i64 as f64) - if (x as i64 as f64) > x { 1.0 } else { 0.0 };
    let result = if x == down || pick(x - down, down) { down } else { down + 1.0 };
    if result == 0.0 { 0f64.copysign(x) } else { result }
}

const ROUNDINGS: [(u32, Unary); 6] = [
    (12, |x| integer(x, |_, _| false)),
    (25, |x| integer(x, |_, _| true)),
    (53, |x| integer(x, |part, down| part < 0.5 || part == 0.5 && down % 2.0 == 0.0)),
    (55, |x| integer(x, |part, _| part < 0.5 || part == 0.5 && is_negative(x))),
    (66, |x| integer(x, |_, _| !is_negative(x))),
    (23, |x| if is_negative(x) { -x } else { x }),
];

#[test]
fn every_half_is_rounded() {
    for (number, expected) in ROUNDINGS {
        let unit = open_cl(number, &[F16], F16);
        let found = unit.values((0..=0xffff).map(|bits| vec![half(bits)]));
        for (bits, found) in (0..=0xffff).zip(found) {
            let value = half(bits).as_f64().unwrap();
            assert!(same(&found, &Value::float(16, expected(value))), "{number} of {value}: {found:?}");
        }
    }
}

fn randoms() -> Vec<u64> {
    let mut random = Random::new(0x1234_5678);
    let edges = [0.0, 0.5, 1.0, 1.5, 2.5, 4_503_599_627_370_495.5, 9_007_199_254_740_993.0, f64::MAX, f64::NAN, 5e-324];
    let near = (0..500).map(|_| (random.word() as i32 as f64 / 8.0).to_bits()).collect::<Vec<u64>>();
    edges
        .iter()
        .flat_map(|edge| [edge.to_bits(), (-edge).to_bits()])
        .chain(near)
        .chain((0..500).map(|_| random.word()))
        .collect()
}

#[test]
fn wider_numbers_are_rounded() {
    for (number, expected) in ROUNDINGS {
        let units = [open_cl(number, &[F32], F32), open_cl(number, &[F64], F64)];
        for bits in randoms() {
            let double = f64::from_bits(bits);
            let single = f64::from(double as f32);
            let found = [units[0].value(&[Value::float(32, single)]), units[1].value(&[Value::f64(double)])];
            assert!(same(&found[0], &Value::float(32, expected(single))), "{number} of {single}: {:?}", found[0]);
            assert!(same(&found[1], &Value::f64(expected(double))), "{number} of {double}: {:?}", found[1]);
        }
    }
}

#[test]
fn the_next_half_is_the_next_one() {
    let unit = open_cl(47, &[F16, F16], F16);
    let mut ordered: Vec<u64> = (0..=0x7c00).chain(0x8001..=0xfc00).collect();
    ordered.sort_by(|&a, &b| half(a).as_f64().unwrap().total_cmp(&half(b).as_f64().unwrap()));
    let up = unit.values(ordered.iter().map(|&bits| vec![half(bits), half(0x7c00)]));
    let down = unit.values(ordered.iter().map(|&bits| vec![half(bits), half(0xfc00)]));
    for index in 1..ordered.len() {
        assert_eq!(up[index - 1].as_f64(), half(ordered[index]).as_f64());
        assert_eq!(down[index].as_f64(), half(ordered[index - 1]).as_f64());
    }
}

#[test]
fn a_half_is_taken_apart() {
    let ilogb = open_cl(33, &[F16], Ty::Int(32));
    let logb = open_cl(41, &[F16], F16);
    for bits in (1..0x7c00).chain(0x8001..0xfc00) {
        let value = half(bits).as_f64().unwrap();
        let exponent = (-24..16).rfind(|&exponent| 2f64.powi(exponent) <= value.abs()).unwrap();
        assert_eq!(ilogb.value(&[half(bits)]), Value::i32(exponent));
        assert_eq!(logb.value(&[half(bits)]), Value::float(16, f64::from(exponent)));
    }
}

#[test]
fn scaling_by_powers_of_two_rounds_once() {
    let unit = open_cl(34, &[F16, Ty::Int(32)], F16);
    for bits in (0..0x7c00).step_by(7) {
        for exponent in [-40, -24, -11, -3, 0, 1, 5, 16, 40] {
            let value = half(bits).as_f64().unwrap();
            // Both factors and the product are doubles.
            let expected = Value::float(16, value * 2f64.powi(exponent));
            assert_eq!(unit.value(&[half(bits), Value::i32(exponent)]), expected, "{value} {exponent}");
        }
    }
    // Half way between two of the least numbers of 64 bits, and right beside it.
    let unit = open_cl(34, &[F64, Ty::Int(32)], F64);
    let least = f64::from_bits(1);
    let rows = [(1.5, 2.0), (2.5, 2.0), (2.5f64.next_up(), 3.0), (0.5, 0.0), (0.5f64.next_up(), 1.0), (3.5, 4.0)];
    for (value, multiple) in rows {
        assert_eq!(unit.value(&[Value::f64(value), Value::i32(-1074)]), Value::f64(multiple * least), "{value}");
    }
    let vector = open_cl(34, &[Ty::Vector(&F32, 2), Ty::Int(32)], Ty::Vector(&F32, 2));
    let pair = |a, b| Value::composite(vec![Value::f32(a), Value::f32(b)]);
    assert_eq!(vector.value(&[pair(1.0, -3.0), Value::i32(2)]), pair(4.0, -12.0));
}

/// `x` modulo `y` for positive ones, by taking away multiples that are powers of two.
fn subtracted(x: f64, y: f64) -> (f64, u64) {
    let (mut rest, mut quotient) = (x, 0u64);
    let mut power = 0;
    while y * 2f64.powi(power + 1) <= x {
        power += 1;
    }
    for power in (0..=power).rev() {
        let multiple = y * 2f64.powi(power);
        quotient = quotient.wrapping_mul(2);
        if multiple <= rest {
            // Less than a factor of two apart: exact.
            rest -= multiple;
            quotient += 1;
        }
    }
    (rest, quotient)
}

#[test]
fn remainders_are_exact() {
    let mut random = Random::new(77);
    let fmod = open_cl(29, &[F32, F32], F32);
    let remainder = open_cl(51, &[F32, F32], F32);
    let single = |word: u64| f32::from_bits(word as u32);
    for index in 0..4000 {
        let (mut x, mut y) = (single(random.word()), single(random.word()));
        if index % 2 == 0 {
            // Near each other, and often with a quotient half way between two integers.
            y = (random.word() as i8) as f32;
            x = (random.word() as i16) as f32 / 2.0;
        }
        if !x.is_finite() || !y.is_finite() || y == 0.0 || x == 0.0 {
            continue;
        }
        let (wide, divisor) = (f64::from(x.abs()), f64::from(y.abs()));
        let (rest, quotient) = subtracted(wide, divisor);
        let expected = Value::float(32, rest.copysign(x.into()));
        assert_eq!(fmod.value(&[Value::f32(x), Value::f32(y)]), expected, "{x} {y}");
        let is_up = rest * 2.0 > divisor || rest * 2.0 == divisor && quotient % 2 == 1;
        let nearest = if is_up { rest - divisor } else { rest };
        let nearest = if x < 0.0 { -nearest } else { nearest };
        let expected = Value::float(32, if nearest == 0.0 { 0f64.copysign(x.into()) } else { nearest });
        assert_eq!(remainder.value(&[Value::f32(x), Value::f32(y)]), expected, "{x} {y}");
    }
}

#[test]
fn remainders_of_doubles_are_those_of_the_language() {
    let mut random = Random::new(78);
    let fmod = open_cl(29, &[F64, F64], F64);
    for _ in 0..2000 {
        let (x, y) = (f64::from_bits(random.word()), f64::from_bits(random.word()));
        let found = fmod.value(&[Value::f64(x), Value::f64(y)]);
        assert!(same(&found, &Value::f64(x % y)), "{x} {y}: {found:?}");
    }
    // The greatest number of steps.
    assert_eq!(fmod.value(&[Value::f64(f64::MAX), Value::f64(5e-324)]), Value::f64(0.0));
    assert_eq!(fmod.value(&[Value::f64(f64::MAX), Value::f64(3.0)]), Value::f64(f64::MAX % 3.0));
}

#[test]
fn products_and_sums_round_once() {
    let mut random = Random::new(9);
    for number in [26, 42] {
        let units = [open_cl(number, &[F16; 3], F16), open_cl(number, &[F32; 3], F32), open_cl(number, &[F64; 3], F64)];
        for _ in 0..2000 {
            let singles = [0; 3].map(|_| f32::from_bits(random.word() as u32));
            let found = units[1].value(&singles.map(Value::f32));
            let expected = Value::f32(singles[0].mul_add(singles[1], singles[2]));
            assert!(same(&found, &expected), "{singles:?}: {found:?}");
            let doubles = [0; 3].map(|_| f64::from_bits(random.word()));
            let found = units[2].value(&doubles.map(Value::f64));
            let expected = Value::f64(doubles[0].mul_add(doubles[1], doubles[2]));
            assert!(same(&found, &expected), "{doubles:?}: {found:?}");
        }
        // The product lies half way between two halves; the least half that there is decides, and nothing leaves it to the even one.
        let tie = |sum: u64| units[0].value(&[half(0x3c01), half(0x3e00), half(sum)]);
        assert_eq!([tie(0x8001), tie(0), tie(1)], [half(0x3e01), half(0x3e02), half(0x3e02)]);
        let tie = |sum: u64| units[0].value(&[half(0x3c03), half(0x3e00), half(sum)]);
        assert_eq!([tie(0x8001), tie(0), tie(1)], [half(0x3e04), half(0x3e04), half(0x3e05)]);
    }
}

#[test]
fn the_greater_and_the_lesser_of_halves() {
    let functions: [(u32, Binary32); 4] = [
        (27, |a, b| if a.is_nan() || a < b { b } else { a }),
        (28, |a, b| if a.is_nan() || b < a { b } else { a }),
        (43, |a, b| match a.abs().partial_cmp(&b.abs()) {
            Some(Ordering::Equal) => {
                if a < b {
                    b
                } else {
                    a
                }
            }
            Some(order) => {
                if order == Ordering::Less {
                    b
                } else {
                    a
                }
            }
            None => {
                if a.is_nan() {
                    b
                } else {
                    a
                }
            }
        }),
        (44, |a, b| match a.abs().partial_cmp(&b.abs()) {
            Some(Ordering::Equal) => {
                if b < a {
                    b
                } else {
                    a
                }
            }
            Some(order) => {
                if order == Ordering::Greater {
                    b
                } else {
                    a
                }
            }
            None => {
                if a.is_nan() {
                    b
                } else {
                    a
                }
            }
        }),
    ];
    for (number, expected) in functions {
        let unit = open_cl(number, &[F16, F16], F16);
        for a in (0..=0xffff).step_by(509) {
            for b in (0..=0xffff).step_by(521).chain([a, a ^ 0x8000]) {
                let [x, y] = [a, b].map(|bits| half(bits).as_f64().unwrap() as f32);
                let found = unit.value(&[half(a), half(b)]);
                assert!(same(&found, &Value::float(16, f64::from(expected(x, y)))), "{number} of {x} {y}: {found:?}");
            }
        }
    }
}
