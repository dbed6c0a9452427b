//! Integer functions: all pairs of 8 bits, corners and random ones of the other widths, against formulas over 128 bits.

use crate::common::{Ty, integers};
use crate::extended_common::{Random, open_cl};
use reconverge_interpret::Value;

const WIDTHS: [u8; 4] = [8, 16, 32, 64];

type Unary = fn(u32, i128, i128) -> i128;
type Binary = fn(u32, [i128; 2], [i128; 2]) -> i128;
type Ternary = fn(u32, [i128; 3], [i128; 3]) -> Option<i128>;

fn signed(width: u32, bits: u64) -> i128 {
    let bits = i128::from(bits);
    if bits >> (width - 1) & 1 == 1 { bits - (1 << width) } else { bits }
}

fn least(width: u32) -> i128 {
    -(1 << (width - 1))
}

fn greatest(width: u32) -> i128 {
    (1 << (width - 1)) - 1
}

fn all(width: u32) -> i128 {
    (1 << width) - 1
}

/// All numbers of 8 bits; of other widths the corners and some random ones.
fn operands(width: u8) -> Vec<u64> {
    if width == 8 { (0..=255).collect() } else { integers(width) }
}

/// What 64-bit words are the low halves of.
fn cut(width: u8, value: i128) -> Value {
    Value::int(width, value as u64)
}

#[test]
fn of_one_integer() {
    let functions: [(u32, Unary); 5] = [
        (141, |_, signed, _| signed.abs()),
        (201, |_, _, unsigned| unsigned),
        (151, |width, _, bits| (0..width).rev().take_while(|&place| bits >> place & 1 == 0).count() as i128),
        (152, |width, _, bits| (0..width).take_while(|&place| bits >> place & 1 == 0).count() as i128),
        (166, |width, _, bits| (0..width).filter(|&place| bits >> place & 1 == 1).count() as i128),
    ];
    for (number, expected) in functions {
        for width in WIDTHS {
            let unit = open_cl(number, &[Ty::Int(width)], Ty::Int(width));
            let found = unit.values(operands(width).iter().map(|&bits| vec![Value::int(width, bits)]));
            for (bits, found) in operands(width).into_iter().zip(found) {
                let wide = u32::from(width);
                let expected = cut(width, expected(wide, signed(wide, bits), i128::from(bits)));
                assert_eq!(found, expected, "{number} of {bits:#x}, {width} bits");
            }
        }
    }
}

const BINARY: [(u32, Binary); 17] = [
    (142, |_, [a, b], _| (a - b).abs()),
    (202, |_, _, [a, b]| (a - b).abs()),
    (143, |width, [a, b], _| (a + b).clamp(least(width), greatest(width))),
    (144, |width, _, [a, b]| (a + b).min(all(width))),
    (162, |width, [a, b], _| (a - b).clamp(least(width), greatest(width))),
    (163, |_, _, [a, b]| (a - b).max(0)),
    (145, |_, [a, b], _| (a + b).div_euclid(2)),
    (146, |_, _, [a, b]| (a + b) / 2),
    (147, |_, [a, b], _| (a + b + 1).div_euclid(2)),
    (148, |_, _, [a, b]| (a + b + 1) / 2),
    (156, |_, [a, b], _| a.max(b)),
    (157, |_, _, [a, b]| a.max(b)),
    (158, |_, [a, b], _| a.min(b)),
    (159, |_, _, [a, b]| a.min(b)),
    (160, |width, [a, b], _| (a * b).div_euclid(1 << width)),
    // Unsigned products of 64 bits do not fit into signed ones of 128.
    (203, |width, _, [a, b]| ((a as u128 * b as u128) >> width) as i128),
    (161, |width, _, [a, b]| {
        let rotated = |value: i128| (value << 1 | value >> (width - 1)) & all(width);
        (0..b % i128::from(width)).fold(a, |value, _| rotated(value))
    }),
];

#[test]
fn of_two_integers() {
    for (number, expected) in BINARY {
        for width in WIDTHS {
            let unit = open_cl(number, &[Ty::Int(width); 2], Ty::Int(width));
            let numbers = operands(width);
            let pairs: Vec<[u64; 2]> = numbers.iter().flat_map(|&a| numbers.iter().map(move |&b| [a, b])).collect();
            let found = unit.values(pairs.iter().map(|pair| pair.map(|bits| Value::int(width, bits)).to_vec()));
            for (pair, found) in pairs.into_iter().zip(found) {
                let wide = u32::from(width);
                let expected = expected(wide, pair.map(|bits| signed(wide, bits)), pair.map(i128::from));
                assert_eq!(found, cut(width, expected), "{number} of {pair:x?}, {width} bits");
            }
        }
    }
}

const TERNARY: [(u32, Ternary); 6] = [
    (149, |_, [a, least, greatest], _| (least <= greatest).then(|| a.max(least).min(greatest))),
    (150, |_, _, [a, least, greatest]| (least <= greatest).then(|| a.max(least).min(greatest))),
    (153, |width, [a, b, c], _| Some((a * b).div_euclid(1 << width) + c)),
    (204, |width, _, [a, b, c]| Some(((a as u128 * b as u128) >> width) as i128 + c)),
    (155, |width, [a, b, c], _| Some((a * b + c).clamp(least(width), greatest(width)))),
    (154, |width, _, [a, b, c]| Some((a as u128 * b as u128 + c as u128).min(all(width) as u128) as i128)),
];

#[test]
fn of_three_integers() {
    for (number, expected) in TERNARY {
        for width in WIDTHS {
            let unit = open_cl(number, &[Ty::Int(width); 3], Ty::Int(width));
            let numbers = integers(width);
            let pairs = numbers.iter().flat_map(|&a| numbers.iter().map(move |&b| (a, b)));
            let triples: Vec<[u64; 3]> =
                pairs.flat_map(|(a, b)| numbers.iter().map(move |&c| [a, b, c])).step_by(3).collect();
            let found = unit.values(triples.iter().map(|triple| triple.map(|bits| Value::int(width, bits)).to_vec()));
            for (triple, found) in triples.into_iter().zip(found) {
                let wide = u32::from(width);
                let expected = expected(wide, triple.map(|bits| signed(wide, bits)), triple.map(i128::from));
                let expected = expected.map_or(Value::Undefined, |value| cut(width, value));
                assert_eq!(found, expected, "{number} of {triple:x?}, {width} bits");
            }
        }
    }
}

#[test]
fn products_of_24_bits() {
    let mut random = Random::new(24);
    let units = [169, 170].map(|number| open_cl(number, &[Ty::Int(32); 2], Ty::Int(32)));
    let with_sum = [167, 168].map(|number| open_cl(number, &[Ty::Int(32); 3], Ty::Int(32)));
    let edges = [0u32, 1, 0x7f_ffff, 0x80_0000, 0xff_ffff, 0x100_0000, 0xff80_0000, 0xff7f_ffff, u32::MAX];
    let random: Vec<u32> = (0..20).map(|_| (random.word() as i32 >> (random.word() % 16)).cast_unsigned()).collect();
    for a in edges.iter().chain(&random).copied() {
        for b in edges.iter().chain(&random).copied() {
            let is_signed = |value: u32| (-0x80_0000..=0x7f_ffff).contains(&value.cast_signed());
            let fits = [is_signed(a) && is_signed(b), a <= 0xff_ffff && b <= 0xff_ffff];
            for index in 0..2 {
                let expected = |sum: u32| match fits[index] {
                    true => Value::u32(a.wrapping_mul(b).wrapping_add(sum)),
                    false => Value::Undefined,
                };
                assert_eq!(units[index].value(&[Value::u32(a), Value::u32(b)]), expected(0), "{a:#x} {b:#x}");
                let sum = with_sum[index].value(&[Value::u32(a), Value::u32(b), Value::u32(77)]);
                assert_eq!(sum, expected(77), "{a:#x} {b:#x}");
            }
        }
    }
}

#[test]
fn halves_make_a_whole() {
    for number in [164, 165] {
        for width in [8, 16, 32] {
            let unit = open_cl(number, &[Ty::Int(width); 2], Ty::Int(2 * width));
            for high in integers(width) {
                for low in integers(width) {
                    let expected = Value::int(2 * width, high * (1 << width) + low);
                    assert_eq!(unit.value(&[Value::int(width, high), Value::int(width, low)]), expected);
                }
            }
        }
    }
}

#[test]
fn what_is_undefined_stays_so() {
    let unit = open_cl(143, &[Ty::Int(8); 2], Ty::Int(8));
    assert_eq!(unit.value(&[Value::Undefined, Value::int(8, 1)]), Value::Undefined);
    let unit = open_cl(155, &[Ty::Int(8); 3], Ty::Int(8));
    assert_eq!(unit.value(&[Value::int(8, 1), Value::Undefined, Value::int(8, 1)]), Value::Undefined);
    let unit = open_cl(164, &[Ty::Int(8); 2], Ty::Int(16));
    assert_eq!(unit.value(&[Value::int(8, 1), Value::Undefined]), Value::Undefined);
}
