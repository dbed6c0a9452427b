//! Functions of whole vectors: chosen, shuffled, measured; and what undefined elements do to them.

use crate::common;

use crate::common::{F32, F64, Ty, U32};
use crate::extended_common::{F16, Random, open_cl, same};
use reconverge_interpret::Value;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn vector(width: u8, elements: &[f64]) -> Value {
    Value::composite(elements.iter().map(|&element| Value::float(width, element)).collect())
}

fn integers(width: u8, elements: &[u64]) -> Value {
    Value::composite(elements.iter().map(|&element| Value::int(width, element)).collect())
}

#[test]
fn functions_are_done_to_every_element() {
    const WIDE: Ty = Ty::Vector(&F32, 16);
    let elements: Vec<f64> = (0..16).map(f64::from).collect();
    let roots: Vec<f64> = elements.iter().map(|element| element.sqrt()).collect();
    assert_eq!(open_cl(61, &[WIDE], WIDE).value(&[vector(32, &elements)]), vector(32, &roots));
    let powers: Vec<f64> = elements.iter().map(|element| element * element).collect();
    let unit = open_cl(49, &[WIDE, Ty::Vector(&U32, 16)], WIDE);
    assert_eq!(unit.value(&[vector(32, &elements), integers(32, &[2; 16])]), vector(32, &powers));
    let partial = Value::composite(vec![Value::f32(4.0), Value::Undefined]);
    let unit = open_cl(48, &[Ty::Vector(&F32, 2); 2], Ty::Vector(&F32, 2));
    let expected = Value::composite(vec![Value::f32(16.0), Value::Undefined]);
    assert_eq!(unit.value(&[partial.clone(), vector(32, &[2.0, 2.0])]), expected);
    assert_eq!(unit.value(&[vector(32, &[2.0, 2.0]), partial]), expected);
    assert_eq!(unit.value(&[vector(32, &[2.0, 2.0]), Value::Undefined]), Value::composite(vec![Value::Undefined; 2]));
}

#[test]
fn bits_are_selected() {
    let mut random = Random::new(5);
    for width in [8, 16, 32, 64] {
        let unit = open_cl(186, &[Ty::Int(width); 3], Ty::Int(width));
        for _ in 0..50 {
            let [a, b, c] = [0; 3].map(|_| random.word());
            let expected = (0..64).fold(0, |bits, place| bits | (if c >> place & 1 == 1 { b } else { a }) & 1 << place);
            assert_eq!(unit.value(&[a, b, c].map(|bits| Value::int(width, bits))), Value::int(width, expected));
        }
    }
    let unit = open_cl(186, &[F32; 3], F32);
    let bits = |bits| Value::Float { width: 32, bits };
    assert_eq!(unit.value(&[bits(0x1234_5678), bits(0x9abc_def0), bits(0xffff_0000)]), bits(0x9abc_5678));
    assert_eq!(unit.value(&[bits(1), Value::Undefined, bits(0)]), Value::Undefined);
}

#[test]
fn a_select_looks_at_a_scalar_or_at_the_highest_bits() {
    let scalar = open_cl(187, &[F32, F32, U32], F32);
    let choose = |choice| scalar.value(&[Value::f32(1.0), Value::f32(2.0), choice]);
    assert_eq!(choose(Value::u32(0)), Value::f32(1.0));
    assert_eq!(choose(Value::u32(1)), Value::f32(2.0));
    assert_eq!(choose(Value::u32(0x8000_0000)), Value::f32(2.0));
    assert_eq!(choose(Value::Undefined), Value::Undefined);
    assert_eq!(scalar.value(&[Value::f32(1.0), Value::Undefined, Value::u32(0)]), Value::f32(1.0));
    const QUAD: Ty = Ty::Vector(&Ty::Int(8), 4);
    let unit = open_cl(187, &[QUAD; 3], QUAD);
    let found = unit.value(&[integers(8, &[1, 2, 3, 4]), integers(8, &[5, 6, 7, 8]), integers(8, &[0, 1, 0x80, 0xff])]);
    assert_eq!(found, integers(8, &[1, 2, 7, 8]));
    let found = unit.value(&[integers(8, &[1, 2, 3, 4]), Value::Undefined, integers(8, &[0, 0x80, 0, 0])]);
    let mut expected = vec![Value::int(8, 1), Value::Undefined, Value::int(8, 3), Value::int(8, 4)];
    assert_eq!(found, Value::composite(expected.clone()));
    expected[0] = Value::Undefined;
    let mask = Value::composite(vec![Value::Undefined, Value::int(8, 0x80), Value::int(8, 0), Value::int(8, 0)]);
    assert_eq!(unit.value(&[integers(8, &[1, 2, 3, 4]), Value::Undefined, mask]), Value::composite(expected));
}

#[test]
fn elements_are_shuffled() {
    const TWO: Ty = Ty::Vector(&F32, 2);
    const FOUR: Ty = Ty::Vector(&F32, 4);
    const MASK: Ty = Ty::Vector(&U32, 4);
    let unit = open_cl(182, &[TWO, MASK], FOUR);
    let found = unit.value(&[vector(32, &[10.0, 11.0]), integers(32, &[1, 0, 2, 0xffff_ffff])]);
    assert_eq!(found, vector(32, &[11.0, 10.0, 10.0, 11.0]));
    let unit = open_cl(183, &[FOUR, FOUR, MASK], FOUR);
    let (a, b) = (vector(32, &[0.0, 1.0, 2.0, 3.0]), vector(32, &[4.0, 5.0, 6.0, 7.0]));
    let mask = integers(32, &[7, 2, 12, 0x8000_0001]);
    assert_eq!(unit.value(&[a.clone(), b, mask.clone()]), vector(32, &[7.0, 2.0, 4.0, 1.0]));
    let expected = vec![Value::Undefined, Value::f32(2.0), Value::Undefined, Value::f32(1.0)];
    assert_eq!(unit.value(&[a, Value::Undefined, mask]), Value::composite(expected));
    const THREE: Ty = Ty::Vector(&F32, 3);
    let unit = open_cl(183, &[THREE, THREE, MASK], FOUR);
    let found = unit.value(&[vector(32, &[0.0, 1.0, 2.0]), vector(32, &[4.0, 5.0, 6.0]), integers(32, &[2, 3, 4, 7])]);
    let expected = vec![Value::f32(2.0), Value::Undefined, Value::f32(4.0), Value::Undefined];
    assert_eq!(found, Value::composite(expected));
    let bytes: Vec<u64> = (0..16).rev().collect();
    const BYTES: Ty = Ty::Vector(&Ty::Int(8), 16);
    let found = open_cl(182, &[BYTES; 2], BYTES).value(&[integers(8, &bytes), integers(8, &bytes)]);
    assert_eq!(found, integers(8, &(0..16).collect::<Vec<u64>>()));
}

#[test]
fn lengths_neither_overflow_nor_vanish() {
    for number in [106, 109] {
        let scalar = open_cl(number, &[F32], F32);
        assert_eq!(scalar.value(&[Value::f32(-2.5)]), Value::f32(2.5));
        for (width, ty, great, small) in [
            (16, Ty::Vector(&F16, 4), 2f64.powi(14), 2f64.powi(-24)),
            (32, Ty::Vector(&F32, 4), 2f64.powi(126), 2f64.powi(-149)),
            (64, Ty::Vector(&F64, 4), 2f64.powi(1022), f64::from_bits(1)),
        ] {
            let unit = open_cl(number, &[ty], Ty::Float(width));
            let length = |elements: [f64; 4]| unit.value(&[vector(width, &elements)]);
            let scalar = |value| Value::float(width, value);
            assert_eq!(length([1.0, 1.0, 1.0, 1.0]), scalar(2.0));
            assert_eq!(length([great, great, 0.0, 0.0]), scalar(great * 2f64.sqrt()));
            assert_eq!(length([great, great, great, great]), scalar(great * 2.0));
            assert_eq!(length([3.0 * small, -4.0 * small, 0.0, 0.0]), scalar(5.0 * small));
            assert_eq!(length([0.0, -0.0, 0.0, 0.0]), scalar(0.0));
            assert_eq!(length([NAN, -INF, 0.0, 0.0]), scalar(INF));
            assert!(same(&length([NAN, 1.0, 0.0, 0.0]), &scalar(NAN)));
        }
    }
    for number in [105, 108] {
        let unit = open_cl(number, &[Ty::Vector(&F32, 2); 2], F32);
        let distance = |a: [f64; 2], b: [f64; 2]| unit.value(&[vector(32, &a), vector(32, &b)]);
        assert_eq!(distance([4.0, 5.0], [1.0, 1.0]), Value::f32(5.0));
        let great = 2f64.powi(126);
        assert_eq!(distance([great, 0.0], [-great, 0.0]), Value::f32(2f32.powi(127)));
        assert_eq!(distance([1e-40, 7.0], [1e-40, 7.0]), Value::f32(0.0));
        assert_eq!(distance([INF, NAN], [1.0, 1.0]), Value::f32(f32::INFINITY));
    }
    let unit = open_cl(106, &[Ty::Vector(&F32, 2)], F32);
    assert_eq!(unit.value(&[Value::composite(vec![Value::f32(1.0), Value::Undefined])]), Value::Undefined);
}

#[test]
fn vectors_get_the_length_one() {
    const PAIR: Ty = Ty::Vector(&F64, 2);
    let unit = open_cl(107, &[PAIR], PAIR);
    let normal = |a: f64, b: f64| unit.value(&[vector(64, &[a, b])]);
    assert_eq!(normal(3.0, -4.0), vector(64, &[0.6, -0.8]));
    assert_eq!(normal(3.0 * f64::from_bits(1), 4.0 * f64::from_bits(1)), vector(64, &[0.6, 0.8]));
    assert_eq!(normal(1.5e308, 0.0), vector(64, &[1.0, 0.0]));
    assert_eq!(normal(0.0, -0.0), vector(64, &[0.0, -0.0]));
    assert_eq!(normal(INF, -7.0), vector(64, &[1.0, -0.0]));
    assert_eq!(normal(-INF, INF), vector(64, &[-(0.5f64.sqrt()), 0.5f64.sqrt()]));
    assert_eq!(normal(NAN, 1.0), vector(64, &[NAN, NAN]));
    let scalar = open_cl(110, &[F32], F32);
    assert_eq!(scalar.value(&[Value::f32(-8.0)]), Value::f32(-1.0));
}

#[test]
fn a_cross_product_is_rounded_once() {
    const FOUR: Ty = Ty::Vector(&F32, 4);
    let unit = open_cl(104, &[FOUR; 2], FOUR);
    let found = unit.value(&[vector(32, &[1.0, 2.0, 3.0, 9.0]), vector(32, &[4.0, 5.0, 6.0, 9.0])]);
    assert_eq!(found, vector(32, &[-3.0, 6.0, -3.0, 0.0]));
    const THREE: Ty = Ty::Vector(&F32, 3);
    let unit = open_cl(104, &[THREE; 2], THREE);
    let a = 1.0 + 2f64.powi(-23);
    let found = unit.value(&[vector(32, &[0.0, a, 1.0]), vector(32, &[0.0, 1.0, 1.0 / a])]);
    let quotient = f64::from((1.0 / a) as f32);
    assert_eq!(found.elements().unwrap()[0], Value::float(32, a * quotient - 1.0));
}

#[test]
fn angles_are_converted() {
    for (number, factor) in [(96, 180.0 / std::f64::consts::PI), (100, std::f64::consts::PI / 180.0)] {
        let unit = open_cl(number, &[F32], F32);
        for value in [0.0, -0.0, 1.0, -90.0, 1e30, 1e-40, INF] {
            let expected = f64::from(value as f32) * factor;
            assert_eq!(unit.value(&[Value::float(32, value)]), Value::float(32, expected), "{value}");
        }
    }
}

#[test]
fn blends_and_steps() {
    let mix = open_cl(99, &[F32; 3], F32);
    let smooth = open_cl(102, &[F32; 3], F32);
    for part in [0.0, 0.125, 0.5, 0.75, 1.0] {
        let value = |unit: &common::Unit, a, b, part| unit.value(&[Value::f32(a), Value::f32(b), Value::f32(part)]);
        assert_eq!(value(&mix, 2.0, 10.0, part), Value::f32(2.0 + 8.0 * part));
        let expected = part * part * (3.0 - 2.0 * part);
        assert_eq!(value(&smooth, 2.0, 10.0, 2.0 + 8.0 * part), Value::f32(expected));
    }
}
