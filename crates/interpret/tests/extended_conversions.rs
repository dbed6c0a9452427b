//! Conversions that saturate or round in a given direction, for all pairs of types, against searches and wide integers.

use std::cmp::Ordering;

use crate::common::{Ty, Unit, floats, integers};
use crate::extended_common::{Random, same};
use reconverge_interpret::Value;
use reconverge_ir::{Builder, Inst, Op};

/// Whether a half of these bits belongs to a class.
type Class = fn(u64) -> bool;

const WIDTHS: [u8; 4] = [8, 16, 32, 64];
const FLOATS: [u8; 3] = [16, 32, 64];
const SATURATED_CONVERSION: u32 = 28;
const FP_ROUNDING_MODE: u32 = 39;

/// A conversion with decorations.
fn conversion(op: Op, (from, to): (Ty, Ty), decorations: &[&[u32]]) -> Unit {
    Unit::new(&[from], to, |build: &mut Builder<'_>, parameters: &[Inst]| {
        let ty = to.build(build);
        let result = build.emit(op, Some(ty), parameters);
        for words in decorations {
            let words: Vec<Inst> = words.iter().map(|&word| build.editor().word(word)).collect();
            let decoration = build.editor().unique(Op::Decorate, None, &words);
            build.editor().decorate(result, decoration);
        }
        result
    })
}

/// Rounds to an integer: to even, to zero, up, down.
fn rounded(mode: u32, value: f64) -> f64 {
    match mode {
        0 => value.round_ties_even(),
        1 => value.trunc(),
        2 => value.ceil(),
        _ => value.floor(),
    }
}

fn doubles() -> Vec<f64> {
    let mut random = Random::new(3);
    let limits = WIDTHS.iter().flat_map(|&width| {
        let (top, half) = (2f64.powi(i32::from(width)), 2f64.powi(i32::from(width) - 1));
        [
            top,
            top - 0.5,
            top - 1.0,
            half,
            half - 0.5,
            half - 1.0,
            half - 1.5,
            half + 0.5,
            -half,
            -half - 0.5,
            -half - 1.0,
        ]
    });
    let near = (0..200).map(|_| f64::from(random.word() as i32 >> (random.word() % 24)) / 4.0).collect::<Vec<f64>>();
    let edges = [0.5, -0.5, 1.5, -1.5, 2.5, 0.25, -0.25, f64::MAX, f64::MIN, f64::INFINITY, -f64::INFINITY, f64::NAN];
    limits
        .flat_map(|value| [value, value.next_up(), value.next_down()])
        .chain(near)
        .chain(edges)
        .chain(floats())
        .collect()
}

#[test]
fn floats_become_integers_in_every_direction() {
    for to in WIDTHS {
        for from in FLOATS {
            for mode in 0..4 {
                for (op, least, greatest) in [
                    (Op::ConvertFToU, 0, (1i128 << to) - 1),
                    (Op::ConvertFToS, -(1i128 << (to - 1)), (1i128 << (to - 1)) - 1),
                ] {
                    let mode_only: &[&[u32]] = &[&[FP_ROUNDING_MODE, mode]];
                    let both: &[&[u32]] = &[&[SATURATED_CONVERSION], &[FP_ROUNDING_MODE, mode]];
                    let types = (Ty::Float(from), Ty::Int(to));
                    let units = [conversion(op, types, mode_only), conversion(op, types, both)];
                    let operands: Vec<Value> = doubles().iter().map(|&value| Value::float(from, value)).collect();
                    let found = units.map(|unit| unit.values(operands.iter().map(|operand| vec![operand.clone()])));
                    for (index, operand) in operands.iter().enumerate() {
                        let value = operand.as_f64().unwrap();
                        // A cast to 128 bits is exact, or beyond every limit.
                        let exact = rounded(mode, value) as i128;
                        let is_inside = !value.is_nan() && (least..=greatest).contains(&exact);
                        let cut = |value: i128| Value::int(to, value as u64);
                        let plain = if is_inside { cut(exact) } else { Value::Undefined };
                        assert_eq!(found[0][index], plain, "{op:?} {operand:?} to {to} bits, mode {mode}");
                        let saturated = cut(exact.clamp(least, greatest));
                        assert_eq!(found[1][index], saturated, "{op:?} {operand:?} to {to} bits, mode {mode}");
                    }
                }
            }
        }
    }
}

#[test]
fn without_a_direction_it_is_towards_zero() {
    let saturated: &[&[u32]] = &[&[SATURATED_CONVERSION]];
    let unit = conversion(Op::ConvertFToS, (Ty::Float(32), Ty::Int(8)), saturated);
    for (value, expected) in [(1.75, 1), (-1.75, -1), (300.0, 127), (-300.0, -128), (f32::NAN, 0)] {
        assert_eq!(unit.value(&[Value::f32(value)]), Value::int(8, i64::from(expected).cast_unsigned()));
    }
}

/// Whether a float is what comes of a number in a direction other than to the nearest: none of its format lies between. `compare`
/// says where a float lies, seen from the number.
fn is_next(found: &Value, mode: u32, compare: &dyn Fn(f64) -> Ordering) -> bool {
    let &Value::Float { width, bits } = found else { return false };
    let is_negative = bits >> (width - 1) == 1;
    let place = |bits: u64| {
        let place = compare(Value::Float { width, bits }.as_f64().expect("a float"));
        if is_negative { place.reverse() } else { place }
    };
    let is_outward = mode == if is_negative { 3 } else { 2 };
    let magnitude = bits & (u64::MAX >> (65 - width));
    match place(bits) {
        Ordering::Equal => true,
        Ordering::Less => !is_outward && place(bits + 1) == Ordering::Greater,
        Ordering::Greater => is_outward && magnitude > 0 && place(bits - 1) == Ordering::Less,
    }
}

#[test]
fn integers_become_floats_in_every_direction() {
    for from in WIDTHS {
        for to in FLOATS {
            for op in [Op::ConvertUToF, Op::ConvertSToF] {
                for mode in 0..4 {
                    let unit = conversion(op, (Ty::Int(from), Ty::Float(to)), &[&[FP_ROUNDING_MODE, mode]]);
                    for bits in integers(from) {
                        let signed = i128::from((bits << (64 - from)).cast_signed() >> (64 - from));
                        let value = if op == Op::ConvertSToF { signed } else { i128::from(bits) };
                        let compare = |float: f64| match float {
                            f64::INFINITY => Ordering::Greater,
                            f64::NEG_INFINITY => Ordering::Less,
                            _ => (float as i128).cmp(&value),
                        };
                        let nearest = match to {
                            32 => Value::f32(value as f32),
                            _ => Value::float(to, value as f64),
                        };
                        let found = unit.value(&[Value::int(from, bits)]);
                        let is_right = if mode == 0 { found == nearest } else { is_next(&found, mode, &compare) };
                        assert!(is_right, "{op:?} {value} to {to} bits, mode {mode}: {found:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn floats_become_narrower_in_every_direction() {
    let mut random = Random::new(16);
    for (from, to) in [(64, 32), (64, 16), (32, 16), (32, 32), (16, 64)] {
        for mode in 0..4 {
            let unit = conversion(Op::FConvert, (Ty::Float(from), Ty::Float(to)), &[&[FP_ROUNDING_MODE, mode]]);
            let random = (0..300).map(|_| {
                let near = f64::from(random.word() as i32) * 2f64.powi((random.word() % 40) as i32 - 45);
                if random.word().is_multiple_of(4) { f64::from(f32::from_bits(random.word() as u32)) } else { near }
            });
            let operands: Vec<f64> = random.chain(doubles()).collect();
            for value in operands {
                let operand = Value::float(from, value);
                let value = operand.as_f64().unwrap();
                let found = unit.value(&[operand]);
                if value.is_nan() {
                    assert!(same(&found, &Value::float(to, f64::NAN)));
                    continue;
                }
                let compare = |float: f64| float.partial_cmp(&value).unwrap();
                let is_exact = mode == 0 || value == 0.0;
                let is_right =
                    if is_exact { found == Value::float(to, value) } else { is_next(&found, mode, &compare) };
                assert!(is_right, "{value} to {to} bits, mode {mode}: {found:?}");
            }
        }
    }
}

#[test]
fn integers_are_saturated() {
    for from in WIDTHS {
        for to in WIDTHS {
            let types = (Ty::Int(from), Ty::Int(to));
            let [unsigned, signed] =
                [Op::UConvert, Op::SConvert].map(|op| conversion(op, types, &[&[SATURATED_CONVERSION]]));
            for bits in integers(from) {
                let operand = Value::int(from, bits);
                let greatest = u64::MAX >> (64 - to);
                assert_eq!(unsigned.value(std::slice::from_ref(&operand)), Value::int(to, bits.min(greatest)));
                let value = (bits << (64 - from)).cast_signed() >> (64 - from);
                let limit = (greatest >> 1).cast_signed();
                let expected = value.clamp(-limit - 1, limit).cast_unsigned();
                assert_eq!(signed.value(&[operand]), Value::int(to, expected));
            }
        }
    }
}

#[test]
fn vectors_are_converted_by_element() {
    let types = (Ty::Vector(&Ty::Float(32), 3), Ty::Vector(&Ty::Int(8), 3));
    let unit = conversion(Op::ConvertFToU, types, &[&[SATURATED_CONVERSION], &[FP_ROUNDING_MODE, 0]]);
    let operand = Value::composite(vec![Value::f32(2.5), Value::f32(1e9), Value::Undefined]);
    let expected = Value::composite(vec![Value::int(8, 2), Value::int(8, 255), Value::Undefined]);
    assert_eq!(unit.value(&[operand]), expected);
}

#[test]
fn bits_are_counted_into_another_width() {
    for from in WIDTHS {
        for to in WIDTHS {
            let unit = Unit::op(Op::BitCount, &[Ty::Int(from)], Ty::Int(to), &[]);
            for bits in integers(from) {
                let expected = (0..from).filter(|&place| bits >> place & 1 == 1).count() as u64;
                assert_eq!(unit.value(&[Value::int(from, bits)]), Value::int(to, expected));
            }
        }
        let unit = Unit::op(Op::BitReverse, &[Ty::Int(from)], Ty::Int(from), &[]);
        for bits in integers(from) {
            let expected = (0..from).fold(0, |reversed, place| reversed << 1 | bits >> place & 1);
            assert_eq!(unit.value(&[Value::int(from, bits)]), Value::int(from, expected));
        }
    }
}

#[test]
fn classes_of_every_half() {
    let classes: [(Op, Class); 5] = [
        (Op::IsNan, |bits| bits & 0x7fff > 0x7c00),
        (Op::IsInf, |bits| bits & 0x7fff == 0x7c00),
        (Op::IsFinite, |bits| bits & 0x7fff < 0x7c00),
        (Op::IsNormal, |bits| (0x0400..0x7c00).contains(&(bits & 0x7fff))),
        (Op::SignBitSet, |bits| bits & 0x8000 != 0),
    ];
    for (op, is_member) in classes {
        let unit = Unit::op(op, &[Ty::Float(16)], Ty::Bool, &[]);
        let found = unit.values((0..=0xffff).map(|bits| vec![Value::Float { width: 16, bits }]));
        for (bits, found) in (0..).zip(found) {
            assert_eq!(found, Value::Bool(is_member(bits)), "{op:?} {bits:#x}");
        }
    }
    for (op, both, one) in [(Op::Ordered, true, false), (Op::Unordered, false, true)] {
        let unit = Unit::op(op, &[Ty::Float(16); 2], Ty::Bool, &[]);
        let value = |a: f64, b: f64| unit.value(&[Value::float(16, a), Value::float(16, b)]);
        assert_eq!(value(1.0, f64::INFINITY), Value::Bool(both));
        assert_eq!(value(1.0, f64::NAN), Value::Bool(one));
    }
    let unit = Unit::op(Op::LessOrGreater, &[Ty::Float(64); 2], Ty::Bool, &[]);
    for (a, b, expected) in
        [(1.0, 2.0, true), (2.0, 1.0, true), (1.0, 1.0, false), (0.0, -0.0, false), (f64::NAN, 1.0, false)]
    {
        assert_eq!(unit.value(&[Value::f64(a), Value::f64(b)]), Value::Bool(expected));
    }
}
