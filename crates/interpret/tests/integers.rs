//! Integer arithmetic, comparisons, shifts and bit operations against Rust's own, in every width.

use crate::common::{Ty, U32, Unit, integers};
use reconverge_interpret::{End, UndefinedBehaviour, Value};
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

fn cut(width: u8, value: i128) -> Value {
    Value::int(width, value as u64)
}

fn pairs(width: u8) -> Vec<(u64, u64)> {
    let patterns = integers(width);
    patterns.iter().flat_map(|&a| patterns.iter().map(move |&b| (a, b))).collect()
}

/// Checks an op on two integers of each width; `expected` gets the width and both operands, and gives `None` where it is not asked.
fn check_binary(op: Op, result: fn(u8) -> Ty, expected: impl Fn(u8, u64, u64) -> Option<Value>) {
    for width in WIDTHS {
        let unit = Unit::op(op, &[Ty::Int(width), Ty::Int(width)], result(width), &[]);
        let asked: Vec<(u64, u64)> =
            pairs(width).into_iter().filter(|&(a, b)| expected(width, a, b).is_some()).collect();
        let found = unit.values(asked.iter().map(|&(a, b)| vec![Value::int(width, a), Value::int(width, b)]));
        for (&(a, b), found) in asked.iter().zip(found) {
            assert_eq!(Some(found), expected(width, a, b), "{op:?} {width}: {a:#x}, {b:#x}");
        }
    }
}

#[test]
fn sums_differences_and_products_wrap() {
    check_binary(Op::IAdd, Ty::Int, |width, a, b| Some(cut(width, signed(width, a) + signed(width, b))));
    check_binary(Op::ISub, Ty::Int, |width, a, b| Some(cut(width, signed(width, a) - signed(width, b))));
    check_binary(Op::IMul, Ty::Int, |width, a, b| Some(cut(width, i128::from(a).wrapping_mul(i128::from(b)))));
}

#[test]
fn negation_wraps() {
    for width in WIDTHS {
        let unit = Unit::op(Op::SNegate, &[Ty::Int(width)], Ty::Int(width), &[]);
        let found = unit.values(integers(width).iter().map(|&a| vec![Value::int(width, a)]));
        let expected: Vec<Value> = integers(width).iter().map(|&a| cut(width, -signed(width, a))).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn quotients_and_remainders_have_the_signs_that_their_names_say() {
    check_binary(Op::UDiv, Ty::Int, |width, a, b| (b != 0).then(|| Value::int(width, a / b)));
    check_binary(Op::UMod, Ty::Int, |width, a, b| (b != 0).then(|| Value::int(width, a % b)));
    let divide = |operation: fn(i128, i128) -> i128| {
        move |width: u8, a: u64, b: u64| {
            let overflows = signed(width, b) == -1 && a == 1 << (width - 1);
            (b != 0 && !overflows).then(|| cut(width, operation(signed(width, a), signed(width, b))))
        }
    };
    check_binary(Op::SDiv, Ty::Int, divide(|a, b| a / b));
    check_binary(Op::SRem, Ty::Int, divide(|a, b| a % b));
    check_binary(Op::SMod, Ty::Int, divide(|a, b| (a % b + b) % b));
}

#[test]
fn a_wide_modulo_has_the_sign_of_the_divisor() {
    let unit = Unit::op(Op::SMod, &[Ty::Int(64), Ty::Int(64)], Ty::Int(64), &[]);
    let modulo = |a: i64, b: i64| unit.value(&[Value::u64(a as u64), Value::u64(b as u64)]).as_i64();
    assert_eq!(modulo(7, 3), Some(1));
    assert_eq!(modulo(-7, 3), Some(2));
    assert_eq!(modulo(7, -3), Some(-2));
    assert_eq!(modulo(-7, -3), Some(-1));
    assert_eq!(modulo(-6, 3), Some(0));
    assert_eq!(modulo(i64::MIN, 3), Some(i64::MIN.rem_euclid(3)));
}

#[test]
fn divisions_without_a_result_are_reported() {
    for op in [Op::UDiv, Op::UMod, Op::SDiv, Op::SRem, Op::SMod] {
        for width in WIDTHS {
            let unit = Unit::op(op, &[Ty::Int(width), Ty::Int(width)], Ty::Int(width), &[]);
            let behaviour = |a: Value, b: Value| match unit.end(&[a, b]) {
                End::Undefined { behaviour, .. } => Some(behaviour),
                _ => None,
            };
            let (zero, one, top) = (Value::int(width, 0), Value::int(width, 1), Value::int(width, 1 << (width - 1)));
            let minus_one = Value::int(width, u64::MAX);
            assert_eq!(behaviour(one.clone(), zero.clone()), Some(UndefinedBehaviour::DivisionByZero));
            assert_eq!(behaviour(Value::Undefined, zero), Some(UndefinedBehaviour::DivisionByZero));
            assert_eq!(behaviour(one.clone(), Value::Undefined), Some(UndefinedBehaviour::UndefinedDivisor));
            let is_signed = !matches!(op, Op::UDiv | Op::UMod);
            assert_eq!(behaviour(top, minus_one), is_signed.then_some(UndefinedBehaviour::DivisionOverflow));
            assert_eq!(unit.value(&[Value::Undefined, one]), Value::Undefined);
        }
    }
}

#[test]
fn results_of_two_words_have_both() {
    const PAIRS: [Ty; 4] = [
        Ty::Struct(&[Ty::Int(8), Ty::Int(8)]),
        Ty::Struct(&[Ty::Int(16), Ty::Int(16)]),
        Ty::Struct(&[Ty::Int(32), Ty::Int(32)]),
        Ty::Struct(&[Ty::Int(64), Ty::Int(64)]),
    ];
    let pair = |width: u8| PAIRS[width.ilog2() as usize - 3];
    let both = |width, low, high| Some(Value::composite(vec![Value::int(width, low), Value::int(width, high)]));
    let top = |width: u8| 1u128 << width;
    check_binary(Op::IAddCarry, pair, |width, a, b| {
        both(width, a.wrapping_add(b), u64::from(u128::from(a) + u128::from(b) >= top(width)))
    });
    check_binary(Op::ISubBorrow, pair, |width, a, b| both(width, a.wrapping_sub(b), u64::from(a < b)));
    check_binary(Op::UMulExtended, pair, |width, a, b| {
        let product = u128::from(a) * u128::from(b);
        both(width, (product % top(width)) as u64, (product / top(width)) as u64)
    });
    check_binary(Op::SMulExtended, pair, |width, a, b| {
        let product = signed(width, a) * signed(width, b);
        both(width, product as u64, product.div_euclid(top(width).cast_signed()) as u64)
    });
}

#[test]
fn comparisons_look_at_the_sign_that_their_names_say() {
    let check = |op, compare: fn(i128, i128) -> bool, is_signed: bool| {
        check_binary(
            op,
            |_| Ty::Bool,
            |width, a, b| {
                let operands =
                    if is_signed { (signed(width, a), signed(width, b)) } else { (i128::from(a), i128::from(b)) };
                Some(Value::Bool(compare(operands.0, operands.1)))
            },
        );
    };
    check(Op::IEqual, |a, b| a == b, false);
    check(Op::INotEqual, |a, b| a != b, false);
    check(Op::ULessThan, |a, b| a < b, false);
    check(Op::ULessThanEqual, |a, b| a <= b, false);
    check(Op::UGreaterThan, |a, b| a > b, false);
    check(Op::UGreaterThanEqual, |a, b| a >= b, false);
    check(Op::SLessThan, |a, b| a < b, true);
    check(Op::SLessThanEqual, |a, b| a <= b, true);
    check(Op::SGreaterThan, |a, b| a > b, true);
    check(Op::SGreaterThanEqual, |a, b| a >= b, true);
}

#[test]
fn bits_are_combined_one_by_one() {
    check_binary(Op::BitwiseAnd, Ty::Int, |width, a, b| Some(Value::int(width, a & b)));
    check_binary(Op::BitwiseOr, Ty::Int, |width, a, b| Some(Value::int(width, a | b)));
    check_binary(Op::BitwiseXor, Ty::Int, |width, a, b| Some(Value::int(width, a ^ b)));
    for width in WIDTHS {
        let unary = |op: Op, expected: &dyn Fn(u64) -> u64| {
            let unit = Unit::op(op, &[Ty::Int(width)], Ty::Int(width), &[]);
            let found = unit.values(integers(width).iter().map(|&a| vec![Value::int(width, a)]));
            let expected: Vec<Value> = integers(width).iter().map(|&a| Value::int(width, expected(a))).collect();
            assert_eq!(found, expected, "{op:?} {width}");
        };
        let bit = |a: u64, index: u8| a >> index & 1;
        unary(Op::Not, &|a| !a);
        unary(Op::BitCount, &|a| (0..width).map(|index| bit(a, index)).sum());
        unary(Op::BitReverse, &|a| (0..width).map(|index| bit(a, index) << (width - 1 - index)).sum());
    }
}

#[test]
fn a_shift_by_the_width_or_more_is_undefined() {
    let check = |op, shift: fn(u8, u64, u64) -> Value| {
        check_binary(op, Ty::Int, |width, a, b| {
            Some(if b >= u64::from(width) { Value::Undefined } else { shift(width, a, b) })
        });
    };
    check(Op::ShiftLeftLogical, |width, a, b| Value::int(width, a << b));
    check(Op::ShiftRightLogical, |width, a, b| Value::int(width, a >> b));
    check(Op::ShiftRightArithmetic, |width, a, b| cut(width, signed(width, a) >> b));
    // The amount may have another width.
    let unit = Unit::op(Op::ShiftLeftLogical, &[Ty::Int(64), Ty::Int(8)], Ty::Int(64), &[]);
    assert_eq!(unit.value(&[Value::u64(3), Value::int(8, 40)]), Value::u64(3 << 40));
}

#[test]
fn bit_fields_are_cut_out_and_put_in_bit_by_bit() {
    let insert = Unit::op(Op::BitFieldInsert, &[U32; 4], U32, &[]);
    let extract = [Op::BitFieldUExtract, Op::BitFieldSExtract].map(|op| Unit::op(op, &[U32; 3], U32, &[]));
    let (base, field) = (0xdead_beef_u32, 0x1234_5679_u32);
    for offset in 0..=33u32 {
        for count in 0..=33u32 {
            let inside = offset + count <= 32;
            let position = |bit: u32| bit >= offset && bit < offset + count;
            let inserted =
                (0..32).map(|bit| if position(bit) { field >> (bit - offset) & 1 } else { base >> bit & 1 } << bit);
            let extracted: u32 =
                (0..32).filter(|&bit| position(bit)).map(|bit| (base >> bit & 1) << (bit - offset)).sum();
            let is_negative = inside && count > 0 && base >> (offset + count - 1) & 1 == 1;
            let sign = if is_negative && count < 32 { u32::MAX << count } else { 0 };
            let expected = |value| if inside { Value::u32(value) } else { Value::Undefined };
            let arguments = [base, field, offset, count].map(Value::u32);
            assert_eq!(insert.value(&arguments), expected(inserted.sum()), "{offset} {count}");
            let arguments = [base, offset, count].map(Value::u32);
            assert_eq!(extract[0].value(&arguments), expected(extracted), "{offset} {count}");
            assert_eq!(extract[1].value(&arguments), expected(extracted | sign), "{offset} {count}");
        }
    }
}

#[test]
fn vectors_are_element_by_element() {
    const VECTOR: Ty = Ty::Vector(&U32, 3);
    let vector = |words: [u32; 3]| Value::composite(words.map(Value::u32).to_vec());
    let add = Unit::op(Op::IAdd, &[VECTOR, VECTOR], VECTOR, &[]);
    assert_eq!(add.value(&[vector([1, 2, u32::MAX]), vector([10, 20, 1])]), vector([11, 22, 0]));
    let partial = Value::composite(vec![Value::u32(1), Value::Undefined, Value::u32(3)]);
    let expected = Value::composite(vec![Value::u32(2), Value::Undefined, Value::u32(6)]);
    assert_eq!(add.value(&[partial.clone(), partial]), expected);
    assert_eq!(add.value(&[Value::Undefined, vector([1, 2, 3])]), Value::composite(vec![Value::Undefined; 3]));
    let divide = Unit::op(Op::UDiv, &[VECTOR, VECTOR], VECTOR, &[]);
    assert!(matches!(divide.end(&[vector([1, 2, 3]), vector([1, 0, 1])]), End::Undefined { .. }));
}

#[test]
fn integer_dot_products_add_up_and_saturate() {
    const BYTES: Ty = Ty::Vector(&Ty::Int(8), 4);
    let bytes = |values: [i8; 4]| Value::composite(values.map(|byte| Value::int(8, byte as u64)).to_vec());
    let (a, b) = (bytes([-128, 127, -1, 5]), bytes([-128, 127, 2, -7]));
    let dot = |op| Unit::op(op, &[BYTES, BYTES], U32, &[]).value(&[a.clone(), b.clone()]).as_u32().unwrap();
    assert_eq!(dot(Op::SDot) as i32, 128 * 128 + 127 * 127 - 2 - 35);
    assert_eq!(dot(Op::UDot), 128 * 128 + 127 * 127 + 255 * 2 + 5 * 249);
    assert_eq!(dot(Op::SUDot) as i32, -128 * 128 + 127 * 127 - 2 + 5 * 249);
    let packed = Unit::op(Op::SDot, &[U32, U32], U32, &[0]);
    assert_eq!(packed.value(&[Value::u32(0x05ff_7f80), Value::u32(0xf902_7f80)]).as_u32(), Some(dot(Op::SDot)));
    let saturating = Unit::op(Op::SDotAccSat, &[BYTES, BYTES, U32], U32, &[]);
    let accumulated = |accumulator: i32| saturating.value(&[a.clone(), b.clone(), Value::i32(accumulator)]);
    assert_eq!(accumulated(1), Value::u32(dot(Op::SDot) + 1));
    assert_eq!(accumulated(i32::MAX - 5), Value::i32(i32::MAX));
    let unsigned = Unit::op(Op::UDotAccSat, &[BYTES, BYTES, U32], U32, &[]);
    assert_eq!(unsigned.value(&[a.clone(), b.clone(), Value::u32(u32::MAX)]), Value::u32(u32::MAX));
}
