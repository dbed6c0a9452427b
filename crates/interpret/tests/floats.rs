//! Floating-point arithmetic, comparisons and matrices against Rust's own.

use crate::common::{F32, F64, Ty, Unit, floats};
use reconverge_interpret::Value;
use reconverge_ir::Op;

type BinaryF32 = fn(f32, f32) -> f32;
type BinaryF64 = fn(f64, f64) -> f64;
type Relation = fn(f64, f64) -> bool;
type Class = fn(f32) -> bool;

fn pairs() -> Vec<(f64, f64)> {
    floats().iter().flat_map(|&a| floats().into_iter().map(move |b| (a, b))).collect()
}

fn same(found: &Value, expected: &Value) -> bool {
    let is_nan = |value: &Value| value.as_f64().is_some_and(f64::is_nan);
    found == expected || is_nan(found) && is_nan(expected)
}

fn check_f32(op: Op, expected: fn(f32, f32) -> f32) {
    let unit = Unit::op(op, &[F32, F32], F32, &[]);
    let operands: Vec<(f32, f32)> = pairs().into_iter().map(|(a, b)| (a as f32, b as f32)).collect();
    let found = unit.values(operands.iter().map(|&(a, b)| vec![Value::f32(a), Value::f32(b)]));
    for (&(a, b), found) in operands.iter().zip(&found) {
        assert!(same(found, &Value::f32(expected(a, b))), "{op:?} {a:?} {b:?}: {found:?}");
    }
}

fn check_f64(op: Op, expected: fn(f64, f64) -> f64) {
    let unit = Unit::op(op, &[F64, F64], F64, &[]);
    let found = unit.values(pairs().iter().map(|&(a, b)| vec![Value::f64(a), Value::f64(b)]));
    for ((a, b), found) in pairs().into_iter().zip(&found) {
        assert!(same(found, &Value::f64(expected(a, b))), "{op:?} {a:?} {b:?}: {found:?}");
    }
}

#[test]
fn arithmetic_is_that_of_the_width() {
    check_f32(Op::FAdd, |a, b| a + b);
    check_f32(Op::FSub, |a, b| a - b);
    check_f32(Op::FMul, |a, b| a * b);
    check_f32(Op::FDiv, |a, b| a / b);
    check_f32(Op::FRem, |a, b| a % b);
    check_f64(Op::FAdd, |a, b| a + b);
    check_f64(Op::FSub, |a, b| a - b);
    check_f64(Op::FMul, |a, b| a * b);
    check_f64(Op::FDiv, |a, b| a / b);
    check_f64(Op::FRem, |a, b| a % b);
}

#[test]
fn random_32_bit_operands_round_as_the_hardware_does() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f32::from_bits((state >> 20) as u32)
    };
    let operands: Vec<(f32, f32)> = (0..5000).map(|_| (word(), word())).collect();
    let operations: [(Op, BinaryF32); 4] =
        [(Op::FAdd, |a, b| a + b), (Op::FSub, |a, b| a - b), (Op::FMul, |a, b| a * b), (Op::FDiv, |a, b| a / b)];
    for (op, expected) in operations {
        let unit = Unit::op(op, &[F32, F32], F32, &[]);
        let found = unit.values(operands.iter().map(|&(a, b)| vec![Value::f32(a), Value::f32(b)]));
        for (&(a, b), found) in operands.iter().zip(&found) {
            assert!(same(found, &Value::f32(expected(a, b))), "{op:?} {a:?} {b:?}: {found:?}");
        }
    }
}

#[test]
fn a_modulo_has_the_sign_of_the_divisor() {
    let unit = Unit::op(Op::FMod, &[F32, F32], F32, &[]);
    let modulo = |a, b| unit.value(&[Value::f32(a), Value::f32(b)]);
    assert_eq!(modulo(7.5, 2.0), Value::f32(1.5));
    assert_eq!(modulo(-7.5, 2.0), Value::f32(0.5));
    assert_eq!(modulo(7.5, -2.0), Value::f32(-0.5));
    assert_eq!(modulo(-7.5, -2.0), Value::f32(-1.5));
    assert_eq!(modulo(-8.0, 2.0), Value::f32(0.0));
    assert_eq!(modulo(8.0, -2.0), Value::f32(-0.0));
    assert!(modulo(1.0, 0.0).as_f32().unwrap().is_nan());
}

#[test]
fn results_that_are_no_number_have_the_same_bits() {
    for ty in [Ty::Float(16), F32, F64] {
        let Ty::Float(width) = ty else { unreachable!("listed above") };
        let unit = Unit::op(Op::FDiv, &[ty, ty], ty, &[]);
        let zero = Value::float(width, 0.0);
        let negative = Value::float(width, -0.0);
        assert_eq!(unit.value(&[zero.clone(), zero.clone()]), Value::float(width, f64::NAN));
        assert_eq!(unit.value(&[negative, zero]), Value::float(width, f64::NAN));
    }
}

#[test]
fn negation_changes_the_sign_bit_alone() {
    for (width, top) in [(16u8, 0x8000), (32, 0x8000_0000), (64, 1 << 63)] {
        let unit = Unit::op(Op::FNegate, &[Ty::Float(width)], Ty::Float(width), &[]);
        for value in floats() {
            let Value::Float { bits, .. } = Value::float(width, value) else { unreachable!("it is a float") };
            assert_eq!(unit.value(&[Value::Float { width, bits }]), Value::Float { width, bits: bits ^ top });
        }
    }
}

/// The nearest half, found by looking at all of them.
fn nearest_half(value: f64) -> Value {
    let half = |bits| Value::Float { width: 16, bits };
    let distance = |bits: u64| (half(bits).as_f64().expect("it is a float") - value.abs()).abs();
    let greatest = 0x7bff;
    let mut nearest = (0..=greatest)
        .min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then((a & 1).cmp(&(b & 1))))
        .expect("there are halves");
    if value.abs() >= 65520.0 {
        nearest = 0x7c00;
    }
    half(nearest | if value.is_sign_negative() { 0x8000 } else { 0 })
}

#[test]
fn half_precision_results_are_the_nearest_halves() {
    let operands =
        [0.0, 1.0, -1.5, 2049.0, 0.1, 6.1e-5, 5.9e-8, -65504.0, 3.0, 1e-3].map(|value| Value::float(16, value));
    let operations: [(Op, BinaryF64); 4] =
        [(Op::FAdd, |a, b| a + b), (Op::FSub, |a, b| a - b), (Op::FMul, |a, b| a * b), (Op::FDiv, |a, b| a / b)];
    for (op, exact) in operations {
        let unit = Unit::op(op, &[Ty::Float(16), Ty::Float(16)], Ty::Float(16), &[]);
        for a in &operands {
            for b in &operands {
                let exact = exact(a.as_f64().unwrap(), b.as_f64().unwrap());
                if !exact.is_nan() {
                    assert_eq!(unit.value(&[a.clone(), b.clone()]), nearest_half(exact), "{op:?} {a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn comparisons_are_ordered_or_unordered_as_their_names_say() {
    let relations: [(Op, Op, Relation); 6] = [
        (Op::FOrdEqual, Op::FUnordEqual, |a, b| a == b),
        (Op::FOrdNotEqual, Op::FUnordNotEqual, |a, b| a != b),
        (Op::FOrdLessThan, Op::FUnordLessThan, |a, b| a < b),
        (Op::FOrdGreaterThan, Op::FUnordGreaterThan, |a, b| a > b),
        (Op::FOrdLessThanEqual, Op::FUnordLessThanEqual, |a, b| a <= b),
        (Op::FOrdGreaterThanEqual, Op::FUnordGreaterThanEqual, |a, b| a >= b),
    ];
    for (ordered, unordered, relation) in relations {
        for (op, for_nan) in [(ordered, false), (unordered, true)] {
            let unit = Unit::op(op, &[F64, F64], Ty::Bool, &[]);
            let found = unit.values(pairs().iter().map(|&(a, b)| vec![Value::f64(a), Value::f64(b)]));
            for ((a, b), found) in pairs().into_iter().zip(found) {
                let expected = if a.is_nan() || b.is_nan() { for_nan } else { relation(a, b) };
                assert_eq!(found, Value::Bool(expected), "{op:?} {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn floats_are_classified() {
    let classes: [(Op, Class); 5] = [
        (Op::IsNan, f32::is_nan),
        (Op::IsInf, f32::is_infinite),
        (Op::IsFinite, f32::is_finite),
        (Op::IsNormal, f32::is_normal),
        (Op::SignBitSet, f32::is_sign_negative),
    ];
    for (op, expected) in classes {
        let unit = Unit::op(op, &[F32], Ty::Bool, &[]);
        for value in floats().into_iter().map(|value| value as f32) {
            assert_eq!(unit.value(&[Value::f32(value)]), Value::Bool(expected(value)), "{op:?} {value:?}");
        }
    }
    let pairs: [(Op, Relation); 3] = [
        (Op::Ordered, |a, b| !a.is_nan() && !b.is_nan()),
        (Op::Unordered, |a, b| a.is_nan() || b.is_nan()),
        (Op::LessOrGreater, |a, b| a < b || b < a),
    ];
    for (op, expected) in pairs {
        let unit = Unit::op(op, &[F64, F64], Ty::Bool, &[]);
        for (a, b) in self::pairs() {
            assert_eq!(unit.value(&[Value::f64(a), Value::f64(b)]), Value::Bool(expected(a, b)));
        }
    }
}

const V2: Ty = Ty::Vector(&F32, 2);
const V3: Ty = Ty::Vector(&F32, 3);
/// Three columns of two rows.
const M23: Ty = Ty::Matrix(&V2, 3);
/// Two columns of three rows.
const M32: Ty = Ty::Matrix(&V3, 2);
const M22: Ty = Ty::Matrix(&V2, 2);

fn vector(values: &[f32]) -> Value {
    Value::composite(values.iter().map(|&value| Value::f32(value)).collect())
}

fn matrix(columns: &[&[f32]]) -> Value {
    Value::composite(columns.iter().map(|column| vector(column)).collect())
}

#[test]
fn products_of_vectors_and_matrices() {
    let value =
        |op, parameters: [Ty; 2], result, a: Value, b: Value| Unit::op(op, &parameters, result, &[]).value(&[a, b]);
    let a = || matrix(&[&[1.0, 2.0], &[3.0, 4.0], &[5.0, 6.0]]);
    let b = || matrix(&[&[1.0, 0.0, 2.0], &[0.5, -1.0, 1.0]]);
    let v3 = || vector(&[1.0, 10.0, 100.0]);
    assert_eq!(value(Op::Dot, [V3, V3], F32, v3(), vector(&[1.0, 2.0, 3.0])), Value::f32(321.0));
    assert_eq!(value(Op::VectorTimesScalar, [V3, F32], V3, v3(), Value::f32(2.0)), vector(&[2.0, 20.0, 200.0]));
    let doubled = matrix(&[&[2.0, 4.0], &[6.0, 8.0], &[10.0, 12.0]]);
    assert_eq!(value(Op::MatrixTimesScalar, [M23, F32], M23, a(), Value::f32(2.0)), doubled);
    assert_eq!(value(Op::MatrixTimesVector, [M23, V3], V2, a(), v3()), vector(&[531.0, 642.0]));
    let row = value(Op::VectorTimesMatrix, [V2, M23], V3, vector(&[1.0, 10.0]), a());
    assert_eq!(row, vector(&[21.0, 43.0, 65.0]));
    let product = value(Op::MatrixTimesMatrix, [M23, M32], M22, a(), b());
    assert_eq!(product, matrix(&[&[11.0, 14.0], &[2.5, 3.0]]));
    let outer = value(Op::OuterProduct, [V2, V3], M23, vector(&[1.0, 2.0]), v3());
    assert_eq!(outer, matrix(&[&[1.0, 2.0], &[10.0, 20.0], &[100.0, 200.0]]));
    let transposed = Unit::op(Op::Transpose, &[M23], M32, &[]).value(&[a()]);
    assert_eq!(transposed, matrix(&[&[1.0, 3.0, 5.0], &[2.0, 4.0, 6.0]]));
}
