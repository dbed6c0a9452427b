//! What OpenCL C says of zeros, infinities and of what is no number (sections F.9 of C99, 7.5.1 and 7.5.2 of OpenCL C), in every width.

use crate::common::Ty;
use crate::extended_common::{open_cl, same};
use reconverge_interpret::Value;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn check(number: u32, rows: &[(&[f64], f64)]) {
    for width in [16, 32, 64] {
        let operands = rows[0].0.len();
        let unit = open_cl(number, &vec![Ty::Float(width); operands], Ty::Float(width));
        let arguments = |row: &[f64]| row.iter().map(|&value| Value::float(width, value)).collect::<Vec<Value>>();
        let found = unit.values(rows.iter().map(|(row, _)| arguments(row)));
        for ((row, expected), found) in rows.iter().zip(found) {
            let expected = Value::float(width, *expected);
            assert!(same(&found, &expected), "{number} of {row:?}, {width} bits: {found:?}, not {expected:?}");
        }
    }
}

fn check_1(number: u32, rows: &[(f64, f64)]) {
    for &(operand, result) in rows {
        check(number, &[(&[operand], result)]);
    }
}

/// Functions that are odd: the rows hold for the negative numbers too.
fn check_odd(number: u32, rows: &[(f64, f64)]) {
    for &(operand, result) in rows {
        check(number, &[(&[operand], result), (&[-operand], -result)]);
    }
}

fn check_2(number: u32, rows: &[(f64, f64, f64)]) {
    for &(x, y, result) in rows {
        check(number, &[(&[x, y], result)]);
    }
}

/// A function of a number and an integer.
fn check_integer(number: u32, rows: &[(f64, i32, f64)]) {
    for width in [16, 32, 64] {
        let unit = open_cl(number, &[Ty::Float(width), Ty::Int(32)], Ty::Float(width));
        let found = unit.values(rows.iter().map(|&(x, n, _)| vec![Value::float(width, x), Value::i32(n)]));
        for (&(x, n, expected), found) in rows.iter().zip(found) {
            let expected = Value::float(width, expected);
            assert!(same(&found, &expected), "{number} of {x} and {n}, {width} bits: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn circular_functions() {
    check_odd(57, &[(0.0, 0.0), (INF, NAN)]);
    check_1(14, &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN)]);
    check_odd(62, &[(0.0, 0.0), (INF, NAN)]);
    check_odd(
        60,
        &[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (0.5, 1.0), (1.5, -1.0), (2048.0, 0.0), (INF, NAN)],
    );
    check_1(16, &[(0.0, 1.0), (-0.0, 1.0), (1.0, -1.0), (2.0, 1.0), (0.5, 0.0), (-0.5, 0.0), (1.5, 0.0), (-2.5, 0.0)]);
    check_1(16, &[(INF, NAN), (-INF, NAN), (1023.0, -1.0)]);
    check_odd(64, &[(0.0, 0.0), (1.0, -0.0), (2.0, 0.0), (3.0, -0.0), (0.5, INF), (1.5, -INF), (2.5, INF), (INF, NAN)]);
    check_odd(64, &[(0.25, 1.0), (0.75, -1.0)]);
    for number in [57, 14, 62, 60, 16, 64] {
        check_1(number, &[(NAN, NAN)]);
    }
}

#[test]
fn inverse_circular_functions() {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    check_1(0, &[(1.0, 0.0), (-1.0, PI), (0.0, FRAC_PI_2), (-0.0, FRAC_PI_2), (1.5, NAN), (-1.5, NAN), (INF, NAN)]);
    check_1(2, &[(1.0, 0.0), (-1.0, 1.0), (0.0, 0.5), (1.5, NAN), (-INF, NAN)]);
    check_odd(3, &[(0.0, 0.0), (1.0, FRAC_PI_2), (1.5, NAN), (INF, NAN)]);
    check_odd(5, &[(0.0, 0.0), (1.0, 0.5), (1.5, NAN), (INF, NAN)]);
    check_odd(6, &[(0.0, 0.0), (1.0, FRAC_PI_4), (INF, FRAC_PI_2)]);
    check_odd(9, &[(0.0, 0.0), (1.0, 0.25), (INF, 0.5)]);
    let quarters = [
        (0.0, -0.0, 4.0),
        (0.0, 0.0, 0.0),
        (0.0, -3.0, 4.0),
        (0.0, 3.0, 0.0),
        (2.0, 0.0, 2.0),
        (2.0, -0.0, 2.0),
        (2.0, -INF, 4.0),
        (2.0, INF, 0.0),
        (0.0, INF, 0.0),
        (0.0, -INF, 4.0),
        (INF, 7.0, 2.0),
        (INF, -7.0, 2.0),
        (INF, 0.0, 2.0),
        (INF, -INF, 3.0),
        (INF, INF, 1.0),
        (1.0, 1.0, 1.0),
        (1.0, -1.0, 3.0),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
    ];
    for (y, x, eighths) in quarters {
        check_2(7, &[(y, x, eighths * FRAC_PI_4), (-y, x, -eighths * FRAC_PI_4)]);
        check_2(10, &[(y, x, eighths * 0.25), (-y, x, -eighths * 0.25)]);
    }
    for number in [0, 2, 3, 5, 6, 9] {
        check_1(number, &[(NAN, NAN)]);
    }
}

#[test]
fn hyperbolic_functions() {
    check_1(15, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (800.0, INF)]);
    check_odd(59, &[(0.0, 0.0), (INF, INF), (800.0, INF)]);
    check_odd(63, &[(0.0, 0.0), (INF, 1.0), (50.0, 1.0)]);
    check_1(1, &[(1.0, 0.0), (0.5, NAN), (-INF, NAN), (INF, INF)]);
    check_odd(4, &[(0.0, 0.0), (INF, INF)]);
    check_odd(8, &[(0.0, 0.0), (1.0, INF), (1.5, NAN), (INF, NAN)]);
    for number in [15, 59, 63, 1, 4, 8] {
        check_1(number, &[(NAN, NAN)]);
    }
}

#[test]
fn exponentials_and_logarithms() {
    for number in [19, 20, 21] {
        check_1(number, &[(0.0, 1.0), (-0.0, 1.0), (-INF, 0.0), (INF, INF), (1100.0, INF), (-1100.0, 0.0), (NAN, NAN)]);
    }
    check_1(20, &[(3.0, 8.0), (-3.0, 0.125), (15.0, 32768.0), (-24.0, 2f64.powi(-24))]);
    check_1(21, &[(1.0, 10.0), (2.0, 100.0), (4.0, 10000.0)]);
    check_1(22, &[(0.0, 0.0), (-0.0, -0.0), (-INF, -1.0), (INF, INF), (-1100.0, -1.0), (1100.0, INF), (NAN, NAN)]);
    for number in [37, 38, 39] {
        check_1(number, &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)]);
    }
    check_1(38, &[(8.0, 3.0), (0.25, -2.0), (2f64.powi(-24), -24.0)]);
    check_1(39, &[(10.0, 1.0), (1000.0, 3.0)]);
    check_1(40, &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (-2.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)]);
    check_1(41, &[(0.0, -INF), (-0.0, -INF), (INF, INF), (-INF, INF), (NAN, NAN), (8.0, 3.0), (-0.75, -1.0)]);
    check_1(41, &[(2f64.powi(-24), -24.0), (3.0 * 2f64.powi(-24), -23.0)]);
}

#[test]
fn powers() {
    let powers = [
        (0.0, -1.0, INF),
        (-0.0, -1.0, -INF),
        (-0.0, -3.0, -INF),
        (-0.0, -2.0, INF),
        (-0.0, -1.5, INF),
        (0.0, -INF, INF),
        (-0.0, -INF, INF),
        (0.0, 3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 0.5, 0.0),
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (1.0, NAN, 1.0),
        (1.0, INF, 1.0),
        (NAN, 0.0, 1.0),
        (INF, -0.0, 1.0),
        (0.0, 0.0, 1.0),
        (-8.0, 0.5, NAN),
        (-8.0, 1.0, -8.0),
        (-8.0, 2.0, 64.0),
        (-2.0, -3.0, -0.125),
        (0.5, -INF, INF),
        (2.0, -INF, 0.0),
        (-0.5, INF, 0.0),
        (-2.0, INF, INF),
        (-INF, -3.0, -0.0),
        (-INF, -2.0, 0.0),
        (-INF, -0.5, 0.0),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (INF, -1.0, 0.0),
        (INF, 0.5, INF),
        (NAN, 1.0, NAN),
        (2.0, NAN, NAN),
        (2.0, 5000.0, INF),
        (-2.0, 1025.0, -INF),
        (-2.0, -1201.0, -0.0),
    ];
    check_2(48, &powers);
    check_2(
        50,
        &[
            (2.0, 0.0, 1.0),
            (0.0, -1.5, INF),
            (-0.0, -3.0, INF),
            (0.0, -INF, INF),
            (0.0, 2.0, 0.0),
            (-0.0, 3.0, 0.0),
            (1.0, 7.0, 1.0),
            (-1.0, 2.0, NAN),
            (0.0, 0.0, NAN),
            (-0.0, -0.0, NAN),
            (INF, 0.0, NAN),
            (1.0, INF, NAN),
            (1.0, -INF, NAN),
            (2.0, NAN, NAN),
            (0.0, NAN, NAN),
            (NAN, 0.0, NAN),
            (NAN, 2.0, NAN),
            (INF, 2.0, INF),
            (INF, -2.0, 0.0),
            (2.0, INF, INF),
            (0.5, INF, 0.0),
            (0.5, -INF, INF),
            (4.0, 0.5, 2.0),
        ],
    );
    check_integer(
        49,
        &[
            (NAN, 0, 1.0),
            (INF, 0, 1.0),
            (0.0, 0, 1.0),
            (0.0, -3, INF),
            (-0.0, -3, -INF),
            (-0.0, -4, INF),
            (-0.0, 4, 0.0),
            (-0.0, 5, -0.0),
            (-3.0, 3, -27.0),
            (-1.0, i32::MIN, 1.0),
            (-1.0, i32::MAX, -1.0),
            (2.0, i32::MIN, 0.0),
            (-2.0, i32::MAX, -INF),
            (-INF, -3, -0.0),
            (NAN, 1, NAN),
        ],
    );
    check_2(32, &[(INF, NAN, INF), (NAN, -INF, INF), (0.0, -0.0, 0.0), (3.0, -4.0, 5.0), (NAN, 1.0, NAN)]);
    check_2(32, &[(3.0 * 2f64.powi(-24), 4.0 * 2f64.powi(-24), 5.0 * 2f64.powi(-24))]);
}

#[test]
fn roots() {
    check_integer(
        54,
        &[
            (0.0, -3, INF),
            (-0.0, -3, -INF),
            (-0.0, -2, INF),
            (-0.0, 2, 0.0),
            (-0.0, 3, -0.0),
            (-8.0, 3, -2.0),
            (-8.0, 2, NAN),
            (8.0, 0, NAN),
            (27.0, 3, 3.0),
            (4.0, -2, 0.5),
            (INF, 3, INF),
            (-INF, 3, -INF),
            (-INF, -3, -0.0),
            (INF, -2, 0.0),
            (-INF, 2, NAN),
            (NAN, 3, NAN),
        ],
    );
    check_odd(11, &[(0.0, 0.0), (8.0, 2.0), (INF, INF), (NAN, NAN), (2f64.powi(-24), 2f64.powi(-8))]);
    for number in [61, 79, 93] {
        check_1(number, &[(0.0, 0.0), (-0.0, -0.0), (4.0, 2.0), (-1.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)]);
    }
    for number in [56, 77, 91] {
        check_1(number, &[(0.0, INF), (-0.0, -INF), (4.0, 0.5), (-1.0, NAN), (INF, 0.0), (-INF, NAN), (NAN, NAN)]);
    }
}

#[test]
fn gamma_and_error_functions() {
    check_1(65, &[(0.0, INF), (-0.0, -INF), (-1.0, NAN), (-INF, NAN), (INF, INF), (NAN, NAN), (5.0, 24.0), (1.0, 1.0)]);
    check_1(65, &[(-500.5, -0.0), (-501.5, 0.0), (500.0, INF), (2.0, 1.0), (9.0, 40320.0)]);
    check_1(35, &[(0.0, INF), (-0.0, INF), (-3.0, INF), (1.0, 0.0), (2.0, 0.0), (INF, INF), (-INF, INF), (NAN, NAN)]);
    check_odd(18, &[(0.0, 0.0), (INF, 1.0), (NAN, NAN), (10.0, 1.0)]);
    check_1(17, &[(0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (NAN, NAN), (100.0, 0.0), (-100.0, 2.0)]);
}

#[test]
fn exact_functions() {
    check_1(12, &[(-0.5, -0.0), (0.0, 0.0), (-0.0, -0.0), (1.5, 2.0), (INF, INF), (NAN, NAN)]);
    check_1(25, &[(-0.5, -1.0), (0.5, 0.0), (-0.0, -0.0), (-INF, -INF), (NAN, NAN)]);
    check_1(
        53,
        &[(-0.5, -0.0), (-0.25, -0.0), (0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-2.5, -2.0), (INF, INF), (NAN, NAN)],
    );
    check_1(55, &[(-0.25, -0.0), (0.5, 1.0), (1.5, 2.0), (2.5, 3.0), (-2.5, -3.0), (-INF, -INF), (NAN, NAN)]);
    check_1(66, &[(-0.75, -0.0), (0.75, 0.0), (-2.5, -2.0), (INF, INF), (NAN, NAN)]);
    check_2(13, &[(1.0, -0.0, -1.0), (-1.0, 0.0, 1.0), (0.0, -2.0, -0.0), (-INF, 1.0, INF)]);
    check_2(
        24,
        &[(3.0, 1.0, 2.0), (1.0, 3.0, 0.0), (1.0, 1.0, 0.0), (NAN, 1.0, NAN), (1.0, NAN, NAN), (INF, INF, 0.0)],
    );
    check_2(24, &[(INF, -INF, INF), (-INF, INF, 0.0)]);
    for number in [27, 97] {
        check_2(number, &[(1.0, 2.0, 2.0), (2.0, 1.0, 2.0), (0.0, -0.0, 0.0), (-0.0, 0.0, -0.0), (1.0, -INF, 1.0)]);
    }
    for number in [28, 98] {
        check_2(number, &[(1.0, 2.0, 1.0), (2.0, 1.0, 1.0), (0.0, -0.0, 0.0), (-0.0, 0.0, -0.0), (1.0, INF, 1.0)]);
    }
    for number in [27, 28, 43, 44] {
        check_2(number, &[(NAN, 1.0, 1.0), (1.0, NAN, 1.0), (NAN, NAN, NAN), (NAN, -INF, -INF)]);
    }
    check_2(43, &[(-3.0, 2.0, -3.0), (2.0, -3.0, -3.0), (-2.0, 2.0, 2.0), (INF, -INF, INF)]);
    check_2(44, &[(-3.0, 2.0, 2.0), (2.0, -3.0, 2.0), (-2.0, 2.0, -2.0), (INF, -INF, -INF)]);
    check_2(
        29,
        &[(0.0, NAN, NAN), (-0.0, 2.0, -0.0), (INF, 2.0, NAN), (2.0, 0.0, NAN), (5.0, INF, 5.0), (-6.0, 4.0, -2.0)],
    );
    check_2(
        51,
        &[(0.0, NAN, NAN), (-0.0, 2.0, -0.0), (INF, 2.0, NAN), (2.0, 0.0, NAN), (5.0, INF, 5.0), (-6.0, 4.0, 2.0)],
    );
    check_2(
        51,
        &[(6.0, 4.0, -2.0), (2.0, 4.0, 2.0), (10.0, 4.0, 2.0), (-4.0, 4.0, -0.0), (7.0, 2.0, -1.0), (5.0, 2.0, 1.0)],
    );
    check_integer(
        34,
        &[(3.0, 2, 12.0), (0.0, 5, 0.0), (-0.0, -5, -0.0), (INF, -9, INF), (NAN, 1, NAN), (1.0, i32::MAX, INF)],
    );
    check_integer(34, &[(-1.0, i32::MIN, -0.0), (1.5, -24, 1.5 * 2f64.powi(-24)), (2f64.powi(-24), 30, 64.0)]);
    check_1(103, &[(5.0, 1.0), (-INF, -1.0), (0.0, 0.0), (-0.0, -0.0), (NAN, 0.0)]);
    check_2(101, &[(1.0, 0.5, 0.0), (1.0, 1.0, 1.0), (1.0, 2.0, 1.0), (1.0, NAN, 1.0), (0.0, -0.0, 1.0)]);
}

#[test]
fn the_next_number() {
    for (width, least, normal) in [(16, 2f64.powi(-24), 2f64.powi(-14)), (32, 2f64.powi(-149), 2f64.powi(-126))] {
        let unit = open_cl(47, &[Ty::Float(width); 2], Ty::Float(width));
        let next = |x: f64, y: f64| unit.value(&[Value::float(width, x), Value::float(width, y)]);
        assert_eq!(next(-0.0, 1.0), Value::float(width, least));
        assert_eq!(next(0.0, -1.0), Value::float(width, -least));
        assert_eq!(next(normal, 0.0), Value::float(width, normal - least));
        assert_eq!(next(least, -1.0), Value::float(width, 0.0));
        assert_eq!(next(-least, 1.0), Value::float(width, -0.0));
        assert_eq!(next(0.0, -0.0), Value::float(width, -0.0));
        assert_eq!(next(INF, 0.0), Value::float(width, if width == 16 { 65504.0 } else { f64::from(f32::MAX) }));
        assert!(next(NAN, 1.0).as_f64().unwrap().is_nan());
        assert!(next(1.0, NAN).as_f64().unwrap().is_nan());
    }
}

#[test]
fn integer_exponents() {
    for width in [16, 32, 64] {
        let unit = open_cl(33, &[Ty::Float(width)], Ty::Int(32));
        let rows =
            [(0.0, i32::MIN), (-0.0, i32::MIN), (INF, i32::MAX), (NAN, i32::MAX), (1.0, 0), (-0.75, -1), (7.0, 2)];
        for (value, expected) in rows {
            assert_eq!(unit.value(&[Value::float(width, value)]), Value::i32(expected), "{value}, {width} bits");
        }
        assert_eq!(unit.value(&[Value::float(width, 3.0 * 2f64.powi(-24))]), Value::i32(-23));
    }
}

#[test]
fn what_is_not_defined() {
    let value = |number: u32, operands: &[f64]| {
        let unit = open_cl(number, &vec![Ty::Float(32); operands.len()], Ty::Float(32));
        unit.value(&operands.iter().map(|&value| Value::float(32, value)).collect::<Vec<Value>>())
    };
    assert_eq!(value(95, &[1.0, 2.0, 1.0]), Value::Undefined);
    assert_eq!(value(95, &[NAN, 1.0, 2.0]), Value::f32(1.0));
    assert_eq!(value(97, &[NAN, 1.0]), Value::Undefined);
    assert_eq!(value(98, &[1.0, NAN]), Value::Undefined);
    assert_eq!(value(99, &[1.0, 2.0, 1.5]), Value::Undefined);
    assert_eq!(value(99, &[1.0, 2.0, 0.5]), Value::f32(1.5));
    assert_eq!(value(102, &[2.0, 1.0, 1.5]), Value::Undefined);
    assert_eq!(value(102, &[1.0, 1.0, 1.0]), Value::Undefined);
    assert_eq!(value(102, &[1.0, 2.0, NAN]), Value::Undefined);
    assert_eq!(value(102, &[1.0, 2.0, 1.5]), Value::f32(0.5));
    assert_eq!(value(102, &[1.0, 2.0, 3.0]), Value::f32(1.0));
}

#[test]
fn a_nan_is_always_the_same() {
    for width in [16, 32, 64] {
        let unit = open_cl(46, &[Ty::Int(width)], Ty::Float(width));
        for code in [0, 1, 0x1234] {
            assert_eq!(unit.value(&[Value::int(width, code)]), Value::float(width, NAN));
        }
    }
}
