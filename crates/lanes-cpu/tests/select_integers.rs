//! Operations on integers and booleans, for each kind of pack: against the same operations of Rust.

use reconverge_ir::Op;
use reconverge_lanes_cpu::select::arithmetic::Emitter;
use reconverge_lanes_cpu::select::{ScalarType, Value};
use spirv::GlslStd450Op as Glsl;

use crate::select_check::{BOOL, WIDTHS, check, check_extended, mask, signed};
use crate::select_support::{Kind, Random, assemble, targets};

fn check_int(op: Op, bits: u32, expected: impl Fn(u64, u64) -> Option<u64>) {
    let ty = ScalarType::Int(bits);
    check(
        &format!("{op:?} {bits}"),
        &[ty, ty],
        &|emitter, values| Some(vec![(ty, emitter.binary(op, ty, &values[0], &values[1])?)]),
        &|operands| vec![expected(operands[0], operands[1]).map(|value| value & mask(bits))],
    );
}

#[test]
fn sums_products_and_bits() {
    for bits in WIDTHS {
        check_int(Op::IAdd, bits, |a, b| Some(a.wrapping_add(b)));
        check_int(Op::ISub, bits, |a, b| Some(a.wrapping_sub(b)));
        check_int(Op::IMul, bits, |a, b| Some(a.wrapping_mul(b)));
        check_int(Op::BitwiseAnd, bits, |a, b| Some(a & b));
        check_int(Op::BitwiseOr, bits, |a, b| Some(a | b));
        check_int(Op::BitwiseXor, bits, |a, b| Some(a ^ b));
    }
}

#[test]
fn quotients_and_remainders() {
    for bits in WIDTHS {
        let defined = move |a: u64, b: u64| {
            let (a, b) = (signed(bits, a), signed(bits, b));
            (b != 0 && !(b == -1 && a == i64::MIN >> (64 - bits))).then_some((a, b))
        };
        check_int(Op::UDiv, bits, |a, b| a.checked_div(b));
        check_int(Op::UMod, bits, |a, b| a.checked_rem(b));
        check_int(Op::SDiv, bits, |a, b| defined(a, b).map(|(a, b)| (a / b).cast_unsigned()));
        check_int(Op::SRem, bits, |a, b| defined(a, b).map(|(a, b)| (a % b).cast_unsigned()));
    }
}

#[test]
fn shifts() {
    for bits in WIDTHS {
        let inside = move |amount: u64| (amount < u64::from(bits)).then_some(amount);
        check_int(Op::ShiftLeftLogical, bits, |a, b| Some(a << inside(b)?));
        check_int(Op::ShiftRightLogical, bits, |a, b| Some(a >> inside(b)?));
        check_int(Op::ShiftRightArithmetic, bits, |a, b| Some((signed(bits, a) >> inside(b)?).cast_unsigned()));
    }
}

#[test]
fn operations_of_one_integer() {
    type Function = fn(u32, u64) -> u64;
    let functions: [(Op, Function); 4] = [
        (Op::SNegate, |_, a| a.wrapping_neg()),
        (Op::Not, |_, a| !a),
        (Op::BitCount, |_, a| u64::from(a.count_ones())),
        (Op::BitReverse, |bits, a| a.reverse_bits() >> (64 - bits)),
    ];
    for bits in WIDTHS {
        let ty = ScalarType::Int(bits);
        for (op, function) in functions {
            let operation =
                |emitter: &mut Emitter<'_>, values: &[Value]| Some(vec![(ty, emitter.unary(op, ty, &values[0])?)]);
            let expected = |operands: &[u64]| vec![Some(function(bits, operands[0]) & mask(bits))];
            check(&format!("{op:?} {bits}"), &[ty], &operation, &expected);
        }
    }
}

#[test]
fn results_of_two_words() {
    for bits in WIDTHS {
        for op in [Op::IAddCarry, Op::ISubBorrow, Op::UMulExtended, Op::SMulExtended] {
            let ty = ScalarType::Int(bits);
            let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
                let [low, high] = emitter.extended_arithmetic(op, bits, &values[0], &values[1])?;
                Some(vec![(ty, low), (ty, high)])
            };
            let expected = |operands: &[u64]| {
                let (a, b) = (u128::from(operands[0]), u128::from(operands[1]));
                let wide = match op {
                    Op::IAddCarry => a + b,
                    Op::ISubBorrow => a.wrapping_sub(b) & u128::from(mask(bits)) | u128::from(a < b) << bits,
                    Op::UMulExtended => a * b,
                    _ => {
                        let [a, b] = [operands[0], operands[1]].map(|value| i128::from(signed(bits, value)));
                        (a * b).cast_unsigned()
                    }
                };
                vec![Some(wide as u64 & mask(bits)), Some((wide >> bits) as u64 & mask(bits))]
            };
            check(&format!("{op:?} {bits}"), &[ty, ty], &operation, &expected);
        }
    }
}

#[test]
fn bit_fields() {
    for bits in WIDTHS {
        let ty = ScalarType::Int(bits);
        let field = |offset: u64, count: u64| {
            let inside = offset.checked_add(count).is_some_and(|end| end <= u64::from(bits));
            inside.then(|| if count == 0 { 0 } else { mask(count as u32) })
        };
        for op in [Op::BitFieldUExtract, Op::BitFieldSExtract] {
            let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
                Some(vec![(ty, emitter.field_extract(op, bits, [&values[0], &values[1], &values[2]])?)])
            };
            let expected = |operands: &[u64]| {
                let &[base, offset, count] = operands else { unreachable!() };
                vec![field(offset, count).map(|ones| match count {
                    0 => 0,
                    _ if op == Op::BitFieldUExtract => base >> offset & ones,
                    _ => signed(count as u32, base >> offset & ones).cast_unsigned() & mask(bits),
                })]
            };
            check(&format!("{op:?} {bits}"), &[ty, ty, ty], &operation, &expected);
        }
        let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
            Some(vec![(ty, emitter.field_insert(bits, &values[0], &values[1], [&values[2], &values[3]])?)])
        };
        let expected = |operands: &[u64]| {
            let &[base, insert, offset, count] = operands else { unreachable!() };
            vec![field(offset, count).map(|ones| match count {
                0 => base,
                _ => base & !(ones << offset) | (insert & ones) << offset,
            })]
        };
        check(&format!("insert {bits}"), &[ty, ty, ty, ty], &operation, &expected);
    }
}

#[test]
fn comparisons_of_integers() {
    type Function = fn(u64, u64, i64, i64) -> bool;
    let functions: [(Op, Function); 10] = [
        (Op::IEqual, |a, b, _, _| a == b),
        (Op::INotEqual, |a, b, _, _| a != b),
        (Op::ULessThan, |a, b, _, _| a < b),
        (Op::ULessThanEqual, |a, b, _, _| a <= b),
        (Op::UGreaterThan, |a, b, _, _| a > b),
        (Op::UGreaterThanEqual, |a, b, _, _| a >= b),
        (Op::SLessThan, |_, _, a, b| a < b),
        (Op::SLessThanEqual, |_, _, a, b| a <= b),
        (Op::SGreaterThan, |_, _, a, b| a > b),
        (Op::SGreaterThanEqual, |_, _, a, b| a >= b),
    ];
    for bits in WIDTHS {
        let ty = ScalarType::Int(bits);
        for (op, function) in functions {
            let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
                Some(vec![(BOOL, emitter.compare(op, ty, &values[0], &values[1])?)])
            };
            let expected = |operands: &[u64]| {
                let [a, b] = [operands[0], operands[1]].map(|value| signed(bits, value));
                vec![Some(u64::from(function(operands[0], operands[1], a, b)))]
            };
            check(&format!("{op:?} {bits}"), &[ty, ty], &operation, &expected);
        }
    }
}

#[test]
fn selections() {
    for ty in [
        BOOL,
        ScalarType::Int(8),
        ScalarType::Int(32),
        ScalarType::Int(64),
        ScalarType::Float(32),
        ScalarType::Float(64),
    ] {
        let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
            Some(vec![(ty, emitter.select(ty, &values[0], &values[1], &values[2])?)])
        };
        let expected = |operands: &[u64]| vec![Some(if operands[0] == 1 { operands[1] } else { operands[2] })];
        check(&format!("select {ty:?}"), &[BOOL, ty, ty], &operation, &expected);
    }
}

#[test]
fn logic_of_booleans() {
    type Function = fn(bool, bool) -> bool;
    let functions: [(Op, Function); 4] = [
        (Op::LogicalAnd, |a, b| a && b),
        (Op::LogicalOr, |a, b| a || b),
        (Op::LogicalEqual, |a, b| a == b),
        (Op::LogicalNotEqual, |a, b| a != b),
    ];
    for (op, function) in functions {
        let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
            let not = emitter.logical_not(&values[0]);
            let without = emitter.without(&values[0], &values[1]);
            let result = emitter.logical(op, &values[0], &values[1])?;
            Some(vec![(BOOL, result), (BOOL, not), (BOOL, without)])
        };
        let expected = |operands: &[u64]| {
            let (a, b) = (operands[0] == 1, operands[1] == 1);
            [function(a, b), !a, a && !b].map(|value| Some(u64::from(value))).to_vec()
        };
        check(&format!("{op:?}"), &[BOOL, BOOL], &operation, &expected);
    }
}

#[test]
fn conversions_of_integers() {
    for from in WIDTHS {
        for to in WIDTHS.into_iter().filter(|to| *to != from) {
            for op in [Op::UConvert, Op::SConvert] {
                let (source, target) = (ScalarType::Int(from), ScalarType::Int(to));
                let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
                    Some(vec![(target, emitter.convert(op, source, target, &values[0])?)])
                };
                let expected = |operands: &[u64]| {
                    let value =
                        if op == Op::SConvert { signed(from, operands[0]).cast_unsigned() } else { operands[0] };
                    vec![Some(value & mask(to))]
                };
                check(&format!("{op:?} {from} {to}"), &[source], &operation, &expected);
            }
        }
    }
}

#[test]
fn extended_instructions_of_integers() {
    for bits in WIDTHS {
        let ty = ScalarType::Int(bits);
        let highest = move |a: u64| if a == 0 { mask(bits) } else { 63 - u64::from(a.leading_zeros()) };
        let one = |op, function: &dyn Fn(u64) -> u64| {
            check_extended(op, &[ty], &|operands| vec![Some(function(operands[0]) & mask(bits))]);
        };
        one(Glsl::SAbs, &|a| signed(bits, a).unsigned_abs());
        one(Glsl::SSign, &|a| signed(bits, a).signum().cast_unsigned());
        one(Glsl::FindILsb, &|a| if a == 0 { mask(bits) } else { u64::from(a.trailing_zeros()) });
        one(Glsl::FindUMsb, &highest);
        one(Glsl::FindSMsb, &|a| highest(if signed(bits, a) < 0 { !a & mask(bits) } else { a }));
        let two = |op, function: &dyn Fn(u64, u64) -> u64| {
            check_extended(op, &[ty, ty], &|operands| vec![Some(function(operands[0], operands[1]) & mask(bits))]);
        };
        two(Glsl::UMin, &|a, b| a.min(b));
        two(Glsl::UMax, &|a, b| a.max(b));
        two(Glsl::SMin, &|a, b| signed(bits, a).min(signed(bits, b)).cast_unsigned());
        two(Glsl::SMax, &|a, b| signed(bits, a).max(signed(bits, b)).cast_unsigned());
        check_extended(Glsl::UClamp, &[ty, ty, ty], &|operands| {
            vec![(operands[1] <= operands[2]).then(|| operands[0].clamp(operands[1], operands[2]))]
        });
        check_extended(Glsl::SClamp, &[ty, ty, ty], &|operands| {
            let [a, b, c] = [0, 1, 2].map(|index| signed(bits, operands[index]));
            vec![(b <= c).then(|| a.clamp(b, c).cast_unsigned() & mask(bits))]
        });
    }
}

#[test]
fn comparisons_under_a_mask_and_questions_about_masks() {
    let word = ScalarType::Int(32);
    for target in targets() {
        let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
            let within = emitter.compare_within(Op::ULessThan, word, [&values[1], &values[2]], &values[0])?;
            let (any, all, count) = (emitter.any(&within), emitter.all(&within), emitter.count(&within));
            let lanes = emitter.lane_numbers();
            let line = emitter.affine(32, &values[3], &values[4])?;
            Some(vec![(BOOL, within), (BOOL, any), (BOOL, all), (word, count), (word, lanes), (word, line)])
        };
        let operands = [(BOOL, Kind::Varying), (word, Kind::Varying), (word, Kind::Varying)];
        let uniform = [(word, Kind::Uniform), (word, Kind::Uniform)];
        let operands: Vec<(ScalarType, Kind)> = operands.into_iter().chain(uniform).collect();
        let assembled = assemble(target, &operands, &[0; 5], &operation).expect("the operation has a form");
        let lanes = assembled.lanes();
        let mut random = Random(77);
        for round in 0..200u64 {
            let mut list = |limit: u64| (0..lanes).map(|_| random.next() % limit).collect::<Vec<u64>>();
            let mut data = [list(2), list(9), list(9), list(1 << 32), list(1 << 32)];
            if round < 40 {
                data[0].fill(round % 2);
                data[1].fill(round / 2 % 2);
                data[2].fill(1);
            }
            let results = assembled.run(&data);
            let expected: Vec<u64> =
                (0..lanes).map(|lane| u64::from(data[0][lane] == 1 && data[1][lane] < data[2][lane])).collect();
            let count: u64 = expected.iter().sum();
            assert_eq!(results[0], expected, "{target:?}");
            assert_eq!(results[1][0], u64::from(count > 0), "{target:?}");
            assert_eq!(results[2][0], u64::from(count == lanes as u64), "{target:?}");
            assert_eq!(results[3][0], count, "{target:?}");
            for (lane, (&number, &point)) in results[4].iter().zip(&results[5]).enumerate() {
                assert_eq!(number, lane as u64);
                let offset = data[4][0].wrapping_mul(lane as u64);
                assert_eq!(point, data[3][0].wrapping_add(offset) & 0xffff_ffff, "{target:?}");
            }
        }
    }
}
