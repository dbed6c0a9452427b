//! `GLSL.std.450`: what it shares with `OpenCL.std`, what it leaves undefined, packing, structs, matrices.

use crate::common::{CROSS_WORKGROUP, F32, F64, Ty, U32, U64, Unit, integers};
use crate::extended_common::{F16, Random, glsl, open_cl, same};
use reconverge_interpret::{Argument, End, Launch, Value};
use reconverge_ir::Op;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn vector(elements: &[f32]) -> Value {
    Value::composite(elements.iter().map(|&element| Value::f32(element)).collect())
}

fn value(number: u32, operands: &[f64]) -> Value {
    let unit = glsl(number, &vec![F32; operands.len()], F32);
    unit.value(&operands.iter().map(|&value| Value::float(32, value)).collect::<Vec<Value>>())
}

fn f32(value: f64) -> Value {
    Value::float(32, value)
}

#[test]
fn functions_of_both_sets_agree_where_both_are_defined() {
    // Numbers in GLSL.std.450 and in OpenCL.std.
    let unary = [
        (2, 53),
        (3, 66),
        (4, 23),
        (8, 25),
        (9, 12),
        (11, 100),
        (12, 96),
        (13, 57),
        (14, 14),
        (15, 62),
        (18, 6),
        (19, 59),
        (20, 15),
        (21, 63),
        (22, 4),
        (27, 19),
        (28, 37),
        (29, 20),
        (30, 38),
        (31, 61),
        (32, 56),
    ];
    let binary = [(25, 7), (26, 48), (37, 28), (40, 27), (48, 101), (79, 28), (80, 27)];
    let mut random = Random::new(450);
    let numbers: Vec<f64> = (0..100).map(|_| f64::from(random.word() as u16 + 1) / 8.0).collect();
    for width in [16, 32, 64] {
        let ty = Ty::Float(width);
        for (number, other) in unary {
            let units = [glsl(number, &[ty], ty), open_cl(other, &[ty], ty)];
            let values = units.map(|unit| unit.values(numbers.iter().map(|&x| vec![Value::float(width, x)])));
            assert_eq!(values[0], values[1], "{number}");
        }
        for (number, other) in binary {
            let units = [glsl(number, &[ty; 2], ty), open_cl(other, &[ty; 2], ty)];
            let pairs = || numbers.windows(2).map(|pair| pair.iter().map(|&x| Value::float(width, x)).collect());
            let values = units.map(|unit| unit.values(pairs()));
            assert_eq!(values[0], values[1], "{number}");
        }
    }
    let unit = glsl(50, &[F32; 3], F32);
    assert_eq!(unit.value(&[f32(3.0), f32(5.0), f32(-14.0)]), f32(1.0));
}

#[test]
fn what_is_not_defined() {
    let undefined: [(u32, &[f64]); 31] = [
        (6, &[NAN]),
        (16, &[1.5]),
        (17, &[-1.5]),
        (23, &[0.5]),
        (24, &[1.0]),
        (24, &[-2.0]),
        (25, &[0.0, -0.0]),
        (26, &[-1.0, 2.0]),
        (26, &[0.0, 0.0]),
        (26, &[0.0, -1.0]),
        (28, &[0.0]),
        (28, &[-1.0]),
        (30, &[0.0]),
        (31, &[-1.0]),
        (32, &[0.0]),
        (32, &[-4.0]),
        (37, &[NAN, 1.0]),
        (37, &[1.0, NAN]),
        (40, &[NAN, 1.0]),
        (43, &[1.0, 3.0, 2.0]),
        (43, &[NAN, 1.0, 2.0]),
        (43, &[1.0, NAN, 2.0]),
        (49, &[1.0, 1.0, 1.0]),
        (49, &[2.0, 1.0, 1.0]),
        (49, &[NAN, 1.0, 1.0]),
        (81, &[1.0, 3.0, 2.0]),
        (31, &[-INF]),
        (23, &[-INF]),
        (28, &[-INF]),
        (16, &[INF]),
        (26, &[-INF, 2.0]),
    ];
    for (number, operands) in undefined {
        assert_eq!(value(number, operands), Value::Undefined, "{number} of {operands:?}");
    }
}

#[test]
fn what_is_defined_at_the_edges() {
    let rows: [(u32, &[f64], f64); 32] = [
        (1, &[2.5], 2.0),
        (6, &[-0.0], 0.0),
        (6, &[-3.0], -1.0),
        (10, &[-0.25], 0.75),
        (10, &[2.5], 0.5),
        (16, &[1.0], std::f64::consts::FRAC_PI_2),
        (23, &[1.0], 0.0),
        (26, &[0.0, 2.0], 0.0),
        (26, &[2.0, -1.0], 0.5),
        (28, &[INF], INF),
        (28, &[NAN], NAN),
        (31, &[-0.0], -0.0),
        (31, &[NAN], NAN),
        (32, &[INF], 0.0),
        (37, &[NAN, NAN], NAN),
        (37, &[1.0, 2.0], 1.0),
        (40, &[1.0, 2.0], 2.0),
        (43, &[5.0, 1.0, 2.0], 2.0),
        (43, &[-INF, 1.0, 2.0], 1.0),
        (46, &[2.0, 4.0, 0.25], 2.5),
        (46, &[2.0, 4.0, 2.0], 6.0),
        (48, &[1.0, 0.5], 0.0),
        (48, &[1.0, 1.0], 1.0),
        (49, &[0.0, 2.0, 1.0], 0.5),
        (79, &[NAN, 1.0], 1.0),
        (80, &[1.0, NAN], 1.0),
        (81, &[NAN, 1.0, 2.0], 1.0),
        (81, &[5.0, 1.0, 2.0], 2.0),
        (29, &[-INF], 0.0),
        (27, &[NAN], NAN),
        (25, &[1.0, 0.0], std::f64::consts::FRAC_PI_2),
        (21, &[-INF], -1.0),
    ];
    for (number, operands, expected) in rows {
        let found = value(number, operands);
        assert!(same(&found, &f32(expected)), "{number} of {operands:?}: {found:?}, not {expected}");
    }
}

#[test]
fn integers_have_greatest_least_and_bounds() {
    for width in [8, 16, 32, 64] {
        let signed = |bits: u64| (bits << (64 - width)).cast_signed() >> (64 - width);
        let ty = Ty::Int(width);
        let two = [38, 41, 39, 42].map(|number| glsl(number, &[ty; 2], ty));
        let one = [5, 7, 73, 74, 75].map(|number| glsl(number, &[ty], ty));
        let clamps = [44, 45].map(|number| glsl(number, &[ty; 3], ty));
        for a in integers(width) {
            let found = one.each_ref().map(|unit| unit.value(&[Value::int(width, a)]).as_u64().unwrap());
            let top = |bits: u64| (0..width).rfind(|&place| bits >> place & 1 == 1).map_or(-1, i64::from);
            let high = if signed(a) < 0 { top(!a) } else { top(a) };
            let low = (0..width).find(|&place| a >> place & 1 == 1).map_or(-1, i64::from);
            let expected = [signed(a).wrapping_abs(), signed(a).signum(), low, high, top(a)];
            let cut = |value: i64| Value::int(width, value.cast_unsigned()).as_u64().unwrap();
            assert_eq!(found, expected.map(cut), "{a:#x}, {width} bits");
            for b in integers(width) {
                let found = two.each_ref().map(|unit| unit.value(&[a, b].map(|bits| Value::int(width, bits))));
                let (least, greatest) = if signed(a) < signed(b) { (a, b) } else { (b, a) };
                assert_eq!(found, [a.min(b), a.max(b), least, greatest].map(|bits| Value::int(width, bits)));
                let unsigned = clamps[0].value(&[7, a, b].map(|bits| Value::int(width, bits)));
                let ordered = Value::int(width, 7.max(a).min(b));
                assert_eq!(unsigned, if a <= b { ordered } else { Value::Undefined });
                let found = clamps[1].value(&[7, a, b].map(|bits| Value::int(width, bits)));
                let ordered = Value::int(width, 7.max(signed(a)).min(signed(b)).cast_unsigned());
                assert_eq!(found, if signed(a) <= signed(b) { ordered } else { Value::Undefined });
            }
        }
    }
}

#[test]
fn exponents_are_put_on_and_taken_off() {
    let unit = glsl(53, &[F32, U32], F32);
    let scaled = |x: f32, exponent: i32| unit.value(&[Value::f32(x), Value::i32(exponent)]);
    assert_eq!(scaled(1.5, 4), Value::f32(24.0));
    assert_eq!(scaled(1.5, -4), Value::f32(0.09375));
    assert_eq!(scaled(0.25, 128), Value::f32(2f32.powi(126)));
    assert_eq!(scaled(0.25, 129), Value::Undefined);
    assert_eq!(scaled(4.0, 127), Value::Undefined);
    const PAIR: Ty = Ty::Struct(&[F32, U32]);
    let unit = glsl(52, &[F32], PAIR);
    let pair = |a: f32, b: i32| Value::composite(vec![Value::f32(a), Value::i32(b)]);
    assert_eq!(unit.value(&[Value::f32(-12.0)]), pair(-0.75, 4));
    assert_eq!(unit.value(&[Value::f32(-0.0)]), pair(-0.0, 0));
    assert_eq!(unit.value(&[Value::f32(f32::NAN)]), Value::composite(vec![Value::Undefined; 2]));
    const VECTORS: Ty = Ty::Struct(&[Ty::Vector(&F64, 2), Ty::Vector(&Ty::Int(16), 2)]);
    let unit = glsl(52, &[Ty::Vector(&F64, 2)], VECTORS);
    let found = unit.value(&[Value::composite(vec![Value::f64(1.0), Value::f64(-0.125)])]);
    let fractions = Value::composite(vec![Value::f64(0.5), Value::f64(-0.5)]);
    let exponents = Value::composite(vec![Value::int(16, 1), Value::int(16, 0xfffe)]);
    assert_eq!(found, Value::composite(vec![fractions, exponents]));
    const PARTS: Ty = Ty::Struct(&[F32, F32]);
    let unit = glsl(36, &[F32], PARTS);
    assert_eq!(unit.value(&[Value::f32(-2.75)]), vector(&[-0.75, -2.0]));
    let unit = glsl(36, &[F16], Ty::Struct(&[F16, F16]));
    let halves = |a, b| Value::composite(vec![Value::float(16, a), Value::float(16, b)]);
    assert_eq!(unit.value(&[Value::float(16, -INF)]), halves(-0.0, -INF));
    for (number, stored) in [(35, f32(-2.0)), (51, Value::i32(2))] {
        let is_float = number == 35;
        let pointer = Ty::Pointer(CROSS_WORKGROUP, if is_float { &F32 } else { &U32 });
        let unit = glsl(number, &[F32, pointer], F32);
        let arguments = vec![Value::f32(-2.75).into(), Argument::Buffer(0)];
        let outcome = unit.outcome(&Launch { buffers: vec![vec![0; 4]], arguments, ..Launch::default() });
        let expected = if is_float { -0.75 } else { -0.6875 };
        assert_eq!(outcome.only().end, End::Returned(Some(Value::f32(expected))));
        let bits = u32::from_le_bytes(outcome.buffers[0].bytes[..].try_into().unwrap());
        let found = if is_float { Value::f32(f32::from_bits(bits)) } else { Value::u32(bits) };
        assert_eq!(found, stored);
    }
}

#[test]
fn vectors_are_packed() {
    const FOUR: Ty = Ty::Vector(&F32, 4);
    const TWO: Ty = Ty::Vector(&F32, 2);
    let four = vector(&[-2.0, -0.5, 0.25, 1.0]);
    assert_eq!(glsl(54, &[FOUR], U32).value(std::slice::from_ref(&four)), Value::u32(0x7f20_c081));
    assert_eq!(glsl(55, &[FOUR], U32).value(&[four]), Value::u32(0xff40_0000));
    let two = vector(&[-1.0, 0.5]);
    assert_eq!(glsl(56, &[TWO], U32).value(std::slice::from_ref(&two)), Value::u32(0x4000_8001));
    assert_eq!(glsl(57, &[TWO], U32).value(std::slice::from_ref(&two)), Value::u32(0x8000_0000));
    assert_eq!(glsl(58, &[TWO], U32).value(&[two]), Value::u32(0x3800_bc00));
    assert_eq!(glsl(58, &[TWO], U32).value(&[vector(&[65520.0, 1e-8])]), Value::u32(0x0000_7c00));
    let unpacked = |number, word, ty| glsl(number, &[U32], ty).value(&[Value::u32(word)]);
    assert_eq!(unpacked(60, 0x7fff_8000, TWO), vector(&[-1.0, 1.0]));
    assert_eq!(unpacked(61, 0xffff_0000, TWO), vector(&[0.0, 1.0]));
    assert_eq!(unpacked(62, 0x0001_c000, TWO), vector(&[-2.0, 2f32.powi(-24)]));
    assert_eq!(unpacked(63, 0x7f00_80c1, FOUR), vector(&[-63.0 / 127.0, -1.0, 0.0, 1.0]));
    assert_eq!(unpacked(64, 0xff00_3300, FOUR), vector(&[0.0, 0.2, 0.0, 1.0]));
    let words = Value::composite(vec![Value::u32(0x5566_7788), Value::u32(0x1122_3344)]);
    let double = Value::Float { width: 64, bits: 0x1122_3344_5566_7788 };
    const WORDS: Ty = Ty::Vector(&U32, 2);
    assert_eq!(glsl(59, &[WORDS], F64).value(std::slice::from_ref(&words)), double);
    assert_eq!(glsl(65, &[F64], WORDS).value(&[double]), words);
    assert_eq!(glsl(54, &[FOUR], U32).value(&[Value::Undefined]), Value::Undefined);
}

#[test]
fn every_half_is_unpacked_and_packed_again() {
    const TWO: Ty = Ty::Vector(&F32, 2);
    let (unpack, pack) = (glsl(62, &[U32], TWO), glsl(58, &[TWO], U32));
    for bits in (0..0x1_0000u32).step_by(7).filter(|bits| bits & 0x7fff <= 0x7c00) {
        let word = bits << 16 | bits;
        assert_eq!(pack.value(&[unpack.value(&[Value::u32(word)])]), Value::u32(word));
    }
}

#[test]
fn directions_are_turned() {
    const THREE: Ty = Ty::Vector(&F32, 3);
    let up = vector(&[0.0, 1.0, 0.0]);
    let down = vector(&[0.5, -1.0, 0.0]);
    let forward = glsl(70, &[THREE; 3], THREE);
    assert_eq!(forward.value(&[up.clone(), down.clone(), up.clone()]), up);
    assert_eq!(forward.value(&[up.clone(), up.clone(), up.clone()]), vector(&[-0.0, -1.0, -0.0]));
    let reflect = glsl(71, &[THREE; 2], THREE);
    assert_eq!(reflect.value(&[down.clone(), up.clone()]), vector(&[0.5, 1.0, 0.0]));
    let refract = glsl(72, &[THREE, THREE, F32], THREE);
    let straight = vector(&[0.0, -1.0, 0.0]);
    assert_eq!(refract.value(&[straight.clone(), up.clone(), Value::f32(0.5)]), straight);
    let flat = vector(&[0.8, -0.6, 0.0]);
    assert_eq!(refract.value(&[flat, up, Value::f32(2.0)]), vector(&[0.0, 0.0, 0.0]));
}

#[test]
fn matrices_are_inverted() {
    const COLUMN: Ty = Ty::Vector(&F32, 3);
    const MATRIX: Ty = Ty::Matrix(&COLUMN, 3);
    let matrix = Value::composite(vec![vector(&[2.0, 0.0, 1.0]), vector(&[0.0, 4.0, 0.0]), vector(&[0.0, 8.0, 1.0])]);
    assert_eq!(glsl(33, &[MATRIX], F32).value(std::slice::from_ref(&matrix)), Value::f32(8.0));
    let inverse = glsl(34, &[MATRIX], MATRIX).value(std::slice::from_ref(&matrix));
    let product = Unit::op(Op::MatrixTimesMatrix, &[MATRIX, MATRIX], MATRIX, &[]).value(&[matrix, inverse]);
    let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|column| vector(&column)).to_vec();
    assert_eq!(product, Value::composite(identity));
    let singular = Value::composite(vec![vector(&[1.0, 2.0, 3.0]); 3]);
    assert_eq!(glsl(34, &[MATRIX], MATRIX).value(&[singular]), Value::Undefined);
    const PAIR: Ty = Ty::Vector(&F64, 2);
    let pair = |a, b| Value::composite(vec![Value::f64(a), Value::f64(b)]);
    let small = Value::composite(vec![pair(1.0, 2.0), pair(3.0, 4.0)]);
    let found = glsl(34, &[Ty::Matrix(&PAIR, 2)], Ty::Matrix(&PAIR, 2)).value(&[small]);
    assert_eq!(found, Value::composite(vec![pair(-2.0, 1.0), pair(1.5, -0.5)]));
}

#[test]
fn what_is_not_known_is_named() {
    for (number, name) in [(0, "0"), (47, "IMix"), (82, "82"), (4000, "4000")] {
        let end = glsl(number, &[U64], U64).end(&[Value::u64(1)]);
        assert!(matches!(end, End::Unsupported { ref what, .. } if what.contains(name)), "{end}");
    }
}
