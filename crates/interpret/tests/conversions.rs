//! Conversions against Rust's own, select, boolean logic, composites.

use crate::common::{F32, F64, Ty, U32, U64, Unit, floats, integers};
use reconverge_interpret::Value;
use reconverge_ir::Op;

const WIDTHS: [u8; 4] = [8, 16, 32, 64];

fn signed(width: u8, bits: u64) -> i128 {
    match width {
        8 => i128::from(bits as i8),
        16 => i128::from(bits as i16),
        32 => i128::from(bits as i32),
        _ => i128::from(bits as i64),
    }
}

/// Checks a conversion between integers of all widths.
fn check_integers(op: Op, expected: fn(u8, u64, u8) -> Value) {
    for from in WIDTHS {
        for to in WIDTHS {
            let unit = Unit::op(op, &[Ty::Int(from)], Ty::Int(to), &[]);
            let found = unit.values(integers(from).iter().map(|&bits| vec![Value::int(from, bits)]));
            for (bits, found) in integers(from).into_iter().zip(found) {
                assert_eq!(found, expected(from, bits, to), "{op:?} {from} {to} {bits:#x}");
            }
        }
    }
}

#[test]
fn integers_are_cut_extended_and_saturated() {
    check_integers(Op::UConvert, |_, bits, to| Value::int(to, bits));
    check_integers(Op::SConvert, |from, bits, to| Value::int(to, signed(from, bits) as u64));
    check_integers(Op::SatConvertSToU, |from, bits, to| {
        Value::int(to, signed(from, bits).clamp(0, (1i128 << to) - 1) as u64)
    });
    check_integers(Op::SatConvertUToS, |_, bits, to| {
        Value::int(to, i128::from(bits).min((1i128 << (to - 1)) - 1) as u64)
    });
}

#[test]
fn floats_become_integers_towards_zero_or_nothing() {
    for width in WIDTHS {
        let units = [Op::ConvertFToU, Op::ConvertFToS].map(|op| Unit::op(op, &[F64], Ty::Int(width), &[]));
        let (top, half) = (2f64.powi(i32::from(width)), 2f64.powi(i32::from(width) - 1));
        let edges = [top, top.next_down(), half, half.next_down(), -half, (-half).next_down(), -0.9, -1.0];
        for value in floats().into_iter().chain(edges) {
            let exact = value.trunc() as i128;
            let is_inside = |least: i128, greatest: i128| value.is_finite() && (least..=greatest).contains(&exact);
            let expected = |inside| if inside { Value::int(width, exact as u64) } else { Value::Undefined };
            let found = units.each_ref().map(|unit| unit.value(&[Value::f64(value)]));
            assert_eq!(found[0], expected(is_inside(0, (1 << width) - 1)), "{width} {value}");
            assert_eq!(found[1], expected(is_inside(-(1 << (width - 1)), (1 << (width - 1)) - 1)), "{width} {value}");
        }
    }
}

#[test]
fn integers_become_the_nearest_floats() {
    let unit = |op, to| Unit::op(op, &[U64], to, &[]);
    let units = [
        unit(Op::ConvertUToF, F32),
        unit(Op::ConvertSToF, F32),
        unit(Op::ConvertUToF, F64),
        unit(Op::ConvertSToF, F64),
    ];
    // The last one lies right above the middle of two 32-bit floats: rounding to 64 bits first would lose that.
    for bits in integers(64).into_iter().chain([0x0100_0001, 0x8000_0080_0000_0001]) {
        let found = units.each_ref().map(|unit| unit.value(&[Value::u64(bits)]));
        let signed = bits as i64;
        let expected =
            [Value::f32(bits as f32), Value::f32(signed as f32), Value::f64(bits as f64), Value::f64(signed as f64)];
        assert_eq!(found, expected, "{bits:#x}");
    }
    let half = Unit::op(Op::ConvertUToF, &[U32], Ty::Float(16), &[]);
    let rounded = [(2049, 2048.0), (2051, 2052.0), (65519, 65504.0), (65520, f64::INFINITY)];
    for (integer, expected) in rounded {
        assert_eq!(half.value(&[Value::u32(integer)]), Value::float(16, expected));
    }
}

#[test]
fn floats_are_widened_rounded_and_quantized() {
    let narrow = Unit::op(Op::FConvert, &[F64], F32, &[]);
    let wide = Unit::op(Op::FConvert, &[F32], F64, &[]);
    for value in floats().into_iter().filter(|value| !value.is_nan()) {
        assert_eq!(narrow.value(&[Value::f64(value)]), Value::f32(value as f32));
        assert_eq!(wide.value(&[Value::f32(value as f32)]), Value::f64(f64::from(value as f32)));
    }
    let quantize = Unit::op(Op::QuantizeToF16, &[F32], F32, &[]);
    let rows = [
        (1.0, 1.0),
        (0.1, 0.099_975_586),
        (70000.0, f32::INFINITY),
        (1e-6, 0.0),
        (-1e-6, -0.0),
        (6.103_515_6e-5, 6.103_515_6e-5),
    ];
    for (value, expected) in rows {
        assert_eq!(quantize.value(&[Value::f32(value)]), Value::f32(expected));
    }
}

#[test]
fn a_bitcast_keeps_the_bits() {
    const PAIR: Ty = Ty::Vector(&U32, 2);
    const BYTES: Ty = Ty::Vector(&Ty::Int(8), 8);
    let cast = |from, to| Unit::op(Op::Bitcast, &[from], to, &[]);
    let vector = |width, bits: &[u64]| Value::composite(bits.iter().map(|&bits| Value::int(width, bits)).collect());
    assert_eq!(cast(F32, U32).value(&[Value::f32(1.0)]), Value::u32(0x3f80_0000));
    let quiet = 0x7fc1_2345;
    assert_eq!(cast(U32, F32).value(&[Value::u32(quiet)]), Value::Float { width: 32, bits: u64::from(quiet) });
    let word = 0x1122_3344_5566_7788;
    assert_eq!(cast(U64, PAIR).value(&[Value::u64(word)]), vector(32, &[0x5566_7788, 0x1122_3344]));
    assert_eq!(cast(PAIR, U64).value(&[vector(32, &[0x5566_7788, 0x1122_3344])]), Value::u64(word));
    let bytes = vector(8, &[0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]);
    assert_eq!(cast(F64, BYTES).value(&[Value::Float { width: 64, bits: word }]), bytes);
    let partial = Value::composite(vec![Value::u32(7), Value::Undefined]);
    assert_eq!(cast(PAIR, U64).value(std::slice::from_ref(&partial)), Value::Undefined);
    let halves = cast(PAIR, Ty::Vector(&Ty::Int(16), 4)).value(&[partial]);
    assert_eq!(
        halves,
        Value::composite(vec![Value::int(16, 7), Value::int(16, 0), Value::Undefined, Value::Undefined])
    );
}

#[test]
fn boolean_logic_is_strict_in_undefined_operands() {
    type Table = fn(bool, bool) -> bool;
    let tables: [(Op, Table); 4] = [
        (Op::LogicalAnd, |a, b| a & b),
        (Op::LogicalOr, |a, b| a | b),
        (Op::LogicalEqual, |a, b| a == b),
        (Op::LogicalNotEqual, |a, b| a != b),
    ];
    for (op, table) in tables {
        let unit = Unit::op(op, &[Ty::Bool, Ty::Bool], Ty::Bool, &[]);
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            assert_eq!(unit.value(&[a.into(), b.into()]), Value::Bool(table(a, b)));
            assert_eq!(unit.value(&[Value::Undefined, b.into()]), Value::Undefined);
            assert_eq!(unit.value(&[a.into(), Value::Undefined]), Value::Undefined);
        }
    }
    let not = Unit::op(Op::LogicalNot, &[Ty::Bool], Ty::Bool, &[]);
    assert_eq!(not.values([vec![true.into()], vec![false.into()]]), [Value::Bool(false), Value::Bool(true)]);
}

#[test]
fn any_and_all_look_at_every_element() {
    const VECTOR: Ty = Ty::Vector(&Ty::Bool, 3);
    let units = [Op::Any, Op::All].map(|op| Unit::op(op, &[VECTOR], Ty::Bool, &[]));
    for bits in 0..8 {
        let vector = Value::composite((0..3).map(|index| Value::Bool(bits >> index & 1 == 1)).collect());
        assert_eq!(units[0].value(std::slice::from_ref(&vector)), Value::Bool(bits != 0));
        assert_eq!(units[1].value(&[vector]), Value::Bool(bits == 7));
    }
}

#[test]
fn a_select_chooses_whole_values_or_elements() {
    const VECTOR: Ty = Ty::Vector(&U32, 2);
    let whole = Unit::op(Op::Select, &[Ty::Bool, VECTOR, VECTOR], VECTOR, &[]);
    let vector = |a, b| Value::composite(vec![Value::u32(a), Value::u32(b)]);
    assert_eq!(whole.value(&[true.into(), vector(1, 2), Value::Undefined]), vector(1, 2));
    assert_eq!(whole.value(&[false.into(), Value::Undefined, vector(3, 4)]), vector(3, 4));
    assert_eq!(whole.value(&[Value::Undefined, vector(1, 2), vector(3, 4)]), Value::Undefined);
    let parts = Unit::op(Op::Select, &[Ty::Vector(&Ty::Bool, 2), VECTOR, VECTOR], VECTOR, &[]);
    let condition = Value::composite(vec![true.into(), false.into()]);
    assert_eq!(parts.value(&[condition, vector(1, 2), vector(3, 4)]), vector(1, 4));
}

const V2: Ty = Ty::Vector(&U32, 2);
const V4: Ty = Ty::Vector(&U32, 4);
const PAIR: Ty = Ty::Struct(&[V2, U32]);

fn vector(words: &[u32]) -> Value {
    Value::composite(words.iter().map(|&word| Value::u32(word)).collect())
}

#[test]
fn composites_are_put_together_and_taken_apart() {
    let build = Unit::op(Op::CompositeConstruct, &[V2, U32, U32], V4, &[]);
    assert_eq!(build.value(&[vector(&[1, 2]), Value::u32(3), Value::u32(4)]), vector(&[1, 2, 3, 4]));
    let pair = |vector, word| Value::composite(vec![vector, Value::u32(word)]);
    let unit = Unit::new(&[V2, U32, U32], U32, |build, parameters| {
        let (v2, u32_type) = (V2.build(build), U32.build(build));
        let pair = build.emit(Op::TypeStruct, None, &[v2, u32_type]);
        let made = build.composite_construct(pair, &parameters[..2]);
        let (zero, one) = (build.editor().word(0), build.editor().word(1));
        let changed = build.composite_insert(pair, &[parameters[2], made, zero, one]);
        let inside = build.composite_extract(u32_type, &[changed, zero, one]);
        let untouched = build.composite_extract(u32_type, &[made, zero, one]);
        let product = build.i_mul(u32_type, &[inside, untouched]);
        let last = build.composite_extract(u32_type, &[changed, one]);
        build.i_add(u32_type, &[product, last])
    });
    assert_eq!(unit.value(&[vector(&[2, 3]), Value::u32(100), Value::u32(7)]), Value::u32(121));
    let insert = Unit::op(Op::CompositeInsert, &[U32, PAIR], PAIR, &[0, 1]);
    let expected = Value::composite(vec![Value::composite(vec![Value::Undefined, Value::u32(5)]), Value::Undefined]);
    assert_eq!(insert.value(&[Value::u32(5), Value::Undefined]), expected);
    assert_eq!(insert.value(&[Value::u32(5), pair(vector(&[1, 2]), 3)]), pair(vector(&[1, 5]), 3));
}

#[test]
fn vector_elements_are_found_by_number() {
    let extract = Unit::op(Op::VectorExtractDynamic, &[V4, U32], U32, &[]);
    let insert = Unit::op(Op::VectorInsertDynamic, &[V4, U32, U32], V4, &[]);
    let words = vector(&[10, 11, 12, 13]);
    for index in 0..4 {
        assert_eq!(extract.value(&[words.clone(), Value::u32(index)]), Value::u32(10 + index));
        let mut expected = [10, 11, 12, 13];
        expected[index as usize] = 99;
        assert_eq!(insert.value(&[words.clone(), Value::u32(99), Value::u32(index)]), vector(&expected));
    }
    assert_eq!(extract.value(&[words.clone(), Value::u32(4)]), Value::Undefined);
    assert_eq!(insert.value(&[words, Value::u32(99), Value::u32(u32::MAX)]), Value::Undefined);
}

#[test]
fn a_shuffle_takes_elements_of_both_vectors() {
    let shuffle = Unit::op(Op::VectorShuffle, &[V2, V4], V4, &[5, 0, 2, u32::MAX]);
    let mut expected = vec![Value::u32(103), Value::u32(1), Value::u32(100), Value::Undefined];
    let second = vector(&[100, 101, 102, 103]);
    assert_eq!(shuffle.value(&[vector(&[1, 2]), second.clone()]), Value::composite(expected.clone()));
    expected[1] = Value::Undefined;
    assert_eq!(shuffle.value(&[Value::Undefined, second]), Value::composite(expected));
}

#[test]
fn copies_and_expectations_change_nothing() {
    for op in [Op::CopyObject, Op::CopyLogical] {
        assert_eq!(Unit::op(op, &[V2], V2, &[]).value(&[vector(&[1, 2])]), vector(&[1, 2]));
    }
    assert_eq!(Unit::op(Op::ExpectKHR, &[U32, U32], U32, &[]).value(&[Value::u32(1), Value::u32(2)]), Value::u32(1));
}
