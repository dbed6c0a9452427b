//! Operations that depend on their operands alone, for each kind of pack: against the same operations of Rust.

use reconverge_ir::Op;
use reconverge_lanes_cpu::select::arithmetic::Emitter;
use reconverge_lanes_cpu::select::{ScalarType, Value};
use spirv::GlslStd450Op as Glsl;

use crate::select_support::{Kind, Random, assemble, targets};

const BOOL: ScalarType = ScalarType::Bool;

/// Values at which operations change what they do, and others.
fn samples(ty: ScalarType, random: &mut Random) -> Vec<u64> {
    let mut values: Vec<u64> = match ty {
        ScalarType::Bool => return vec![0, 1],
        ScalarType::Int(bits) => {
            let mask = u64::MAX >> (64 - bits);
            let edges = [0, 1, 2, 3, 7, 9, 10, mask, mask - 1, mask >> 1, (mask >> 1) + 1, (mask >> 1) - 1, mask / 3];
            let powers = (0..bits).step_by(5).map(|bit| 1u64 << bit);
            let random = (0..24).map(|_| random.next() >> (random.next() % u64::from(bits)));
            return edges.into_iter().chain(powers).chain(random).map(|value| value & mask).collect();
        }
        ScalarType::Float(64) => {
            let special =
                [0.0, 1.0, 0.5, 1.5, 2.5, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE, f64::MAX, 5e-324, 1e-310, 3e9];
            special
                .into_iter()
                .chain([0.1, 123.75, 4_294_967_295.5, 9.2e18, 1.8e19, 1e-40, 7.0])
                .map(f64::to_bits)
                .collect()
        }
        ScalarType::Float(_) => {
            let special =
                [0.0, 1.0, 0.5, 1.5, 2.5, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE, f32::MAX, 1e-45, 1e-40, 3e9];
            let plain = [0.1, 123.75, 65504.0, 65520.0, 9.2e18, 1.8e19, 6e-8, 7.0];
            special.into_iter().chain(plain).map(|value: f32| u64::from(value.to_bits())).collect()
        }
    };
    let sign = 1 << (if ty == ScalarType::Float(64) { 63 } else { 31 });
    values.extend(values.clone().iter().map(|value| value ^ sign));
    let mask = if ty == ScalarType::Float(64) { u64::MAX } else { 0xffff_ffff };
    values.extend((0..24).map(|_| random.next() & mask));
    // Halves are floats that halves have.
    if ty == ScalarType::Float(16) {
        for value in &mut values {
            *value = u64::from(half_rounded(f32::from_bits(*value as u32)).to_bits());
        }
    }
    values
}

/// The nearest half, as a float: rounded in the ways of the bits.
fn half_rounded(value: f32) -> f32 {
    let wide = f64::from(value.abs());
    if value.is_nan() || wide.is_infinite() {
        return value;
    }
    let exponent = if wide < 2f64.powi(-14) { -24 } else { ((wide.to_bits() >> 52) as i32 - 1023) - 10 };
    let rounded = (wide * 2f64.powi(-exponent)).round_ties_even() * 2f64.powi(exponent);
    (if rounded >= 65520.0 { f32::INFINITY } else { rounded as f32 }).copysign(value)
}

fn is_same(ty: ScalarType, found: u64, expected: u64) -> bool {
    let is_nan = |bits| match ty {
        ScalarType::Float(64) => f64::from_bits(bits).is_nan(),
        ScalarType::Float(_) => f32::from_bits(bits as u32).is_nan(),
        _ => false,
    };
    found == expected || is_nan(found) && is_nan(expected)
}

type Operation<'a> = &'a dyn Fn(&mut Emitter<'_>, &[Value]) -> Option<Vec<(ScalarType, Value)>>;
type Expected<'a> = &'a dyn Fn(&[u64]) -> Vec<Option<u64>>;

/// Every combination of two operand's samples, and of three with a random third; every kind of pack and of operand.
fn check(name: &str, types: &[ScalarType], operation: Operation<'_>, expected: Expected<'_>) {
    let mut random = Random(0x1234_5678_9abc_def1);
    let lists: Vec<Vec<u64>> = types.iter().map(|&ty| samples(ty, &mut random)).collect();
    let count: usize = lists.iter().take(2).map(Vec::len).product();
    let tuple = |index: usize, random: &mut Random| -> Vec<u64> {
        let pick = |(operand, list): (usize, &Vec<u64>)| match operand {
            0 => list[index % list.len()],
            1 => list[index / lists[0].len() % list.len()],
            _ => list[random.next() as usize % list.len()],
        };
        lists.iter().enumerate().map(pick).collect()
    };
    let tuples: Vec<Vec<u64>> = (0..count).map(|index| tuple(index, &mut random)).collect();
    let mut kinds: Vec<Vec<Kind>> = vec![vec![Kind::Varying; types.len()], vec![Kind::Uniform; types.len()]];
    for operand in 0..types.len() {
        for kind in [Kind::Uniform, Kind::Constant] {
            let mut mixed = vec![Kind::Varying; types.len()];
            mixed[operand] = kind;
            kinds.push(mixed);
        }
    }
    let mut uniform_and_constant = vec![Kind::Uniform; types.len()];
    *uniform_and_constant.last_mut().unwrap() = Kind::Constant;
    kinds.push(uniform_and_constant);
    for target in targets() {
        for kinds in &kinds {
            let operands: Vec<(ScalarType, Kind)> = types.iter().copied().zip(kinds.iter().copied()).collect();
            let has_constant = kinds.contains(&Kind::Constant);
            let is_varying = kinds.contains(&Kind::Varying);
            // Each constant is a program of its own: some of them.
            let runs = if has_constant { 40 } else { tuples.len() };
            let mut assembled = None;
            let mut next = 0;
            for run in 0..runs {
                if next >= tuples.len() {
                    break;
                }
                let first = if has_constant { run * 37 % tuples.len() } else { next };
                if has_constant || assembled.is_none() {
                    let mut constants = tuples[first].clone();
                    for (constant, ty) in constants.iter_mut().zip(types) {
                        if *ty == ScalarType::Float(16) {
                            *constant = half_bits(f32::from_bits(*constant as u32));
                        }
                    }
                    assembled = assemble(target, &operands, &constants, operation);
                }
                let Some(assembled) = &assembled else { panic!("{name}: no form for {target:?} {kinds:?}") };
                let lanes = assembled.lanes();
                next += if is_varying { lanes } else { 1 };
                let lane_of = |operand: usize, lane: usize| match kinds[operand] {
                    Kind::Varying => tuples[(first + lane) % tuples.len()][operand],
                    _ => tuples[first][operand],
                };
                let data: Vec<Vec<u64>> =
                    (0..types.len()).map(|operand| (0..lanes).map(|lane| lane_of(operand, lane)).collect()).collect();
                let results = assembled.run(&data);
                assert_eq!(assembled.is_uniform(), !is_varying || lanes == 1, "{name} {target:?} {kinds:?}");
                compare_lanes(name, assembled_types(name, target, &operands, operation), &data, &results, expected);
            }
        }
    }
}

/// The types of the results.
fn assembled_types(
    _name: &str,
    target: crate::select_support::Target,
    operands: &[(ScalarType, Kind)],
    operation: Operation<'_>,
) -> Vec<ScalarType> {
    let mut function =
        reconverge_lanes_cpu::machine::MachineFunction { has_avx512: target.has_avx512, ..Default::default() };
    let block = function.add_block(0);
    let mut emitter = Emitter::new(&mut function, block, target.pack, target.features);
    let values: Vec<Value> = operands.iter().map(|&(ty, _)| emitter.constant(ty, 1)).collect();
    operation(&mut emitter, &values).unwrap().into_iter().map(|(ty, _)| ty).collect()
}

fn compare_lanes(name: &str, types: Vec<ScalarType>, data: &[Vec<u64>], results: &[Vec<u64>], expected: Expected<'_>) {
    for lane in 0..data[0].len() {
        let operands: Vec<u64> = data.iter().map(|lanes| lanes[lane]).collect();
        for (index, expected) in expected(&operands).into_iter().enumerate() {
            let (Some(expected), found) = (expected, results[index][lane]) else { continue };
            assert!(
                is_same(types[index], found, expected),
                "{name} of {operands:x?} in lane {lane} gives {found:#x} instead of {expected:#x}"
            );
        }
    }
}

fn half_bits(value: f32) -> u64 {
    let value = half_rounded(value);
    let sign = u64::from(value.to_bits() >> 31) << 15;
    let magnitude = f64::from(value.abs());
    sign | match magnitude {
        _ if value.is_nan() => 0x7e00,
        _ if value.is_infinite() => 0x7c00,
        _ if magnitude < 2f64.powi(-14) => (magnitude * 2f64.powi(24)) as u64,
        _ => ((magnitude.to_bits() >> 42) - (1008 << 10)) & 0x7fff,
    }
}

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

fn signed(bits: u32, value: u64) -> i64 {
    (value << (64 - bits)).cast_signed() >> (64 - bits)
}

fn check_int(op: Op, bits: u32, expected: impl Fn(u64, u64) -> Option<u64>) {
    let ty = ScalarType::Int(bits);
    check(
        &format!("{op:?} {bits}"),
        &[ty, ty],
        &|emitter, values| Some(vec![(ty, emitter.binary(op, ty, &values[0], &values[1])?)]),
        &|operands| vec![expected(operands[0], operands[1]).map(|value| value & mask(bits))],
    );
}

const WIDTHS: [u32; 4] = [8, 16, 32, 64];

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
        check_int(Op::SMod, bits, |a, b| {
            let (a, b) = defined(a, b)?;
            Some((if a % b != 0 && (a % b < 0) != (b < 0) { a % b + b } else { a % b }).cast_unsigned())
        });
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

/// A floating-point number of a type, as a double, and back.
fn number(bits: u32, value: u64) -> f64 {
    if bits == 64 { f64::from_bits(value) } else { f64::from(f32::from_bits(value as u32)) }
}

fn bits_of(bits: u32, value: f64) -> u64 {
    match bits {
        64 => value.to_bits(),
        32 => u64::from((value as f32).to_bits()),
        _ => u64::from(half_rounded(value as f32).to_bits()),
    }
}

#[test]
fn comparisons_of_floats() {
    type Function = fn(f64, f64) -> bool;
    let functions: [(Op, Function); 15] = [
        (Op::FOrdEqual, |a, b| a == b),
        (Op::FUnordEqual, |a, b| !(a < b || a > b)),
        (Op::FOrdNotEqual, |a, b| a < b || a > b),
        (Op::LessOrGreater, |a, b| a < b || a > b),
        (Op::FUnordNotEqual, |a, b| a != b),
        (Op::FOrdLessThan, |a, b| a < b),
        (Op::FUnordLessThan, |a, b| a.is_nan() || b.is_nan() || a < b),
        (Op::FOrdGreaterThan, |a, b| a > b),
        (Op::FUnordGreaterThan, |a, b| a.is_nan() || b.is_nan() || a > b),
        (Op::FOrdLessThanEqual, |a, b| a <= b),
        (Op::FUnordLessThanEqual, |a, b| a.is_nan() || b.is_nan() || a <= b),
        (Op::FOrdGreaterThanEqual, |a, b| a >= b),
        (Op::FUnordGreaterThanEqual, |a, b| a.is_nan() || b.is_nan() || a >= b),
        (Op::Ordered, |a, b| !a.is_nan() && !b.is_nan()),
        (Op::Unordered, |a, b| a.is_nan() || b.is_nan()),
    ];
    for bits in [32, 64] {
        let ty = ScalarType::Float(bits);
        for (op, function) in functions {
            let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
                Some(vec![(BOOL, emitter.compare(op, ty, &values[0], &values[1])?)])
            };
            let expected = |operands: &[u64]| {
                vec![Some(u64::from(function(number(bits, operands[0]), number(bits, operands[1]))))]
            };
            check(&format!("{op:?} {bits}"), &[ty, ty], &operation, &expected);
        }
        let classes: [(Op, fn(f64) -> bool); 3] =
            [(Op::IsNan, f64::is_nan), (Op::IsInf, f64::is_infinite), (Op::SignBitSet, f64::is_sign_negative)];
        for (op, function) in classes {
            let operation =
                |emitter: &mut Emitter<'_>, values: &[Value]| Some(vec![(BOOL, emitter.classify(op, ty, &values[0])?)]);
            let expected = |operands: &[u64]| {
                let value = number(bits, operands[0]);
                // The conversion to a double may change the sign of what is not a number.
                vec![(op != Op::SignBitSet || !value.is_nan()).then(|| u64::from(function(value)))]
            };
            check(&format!("{op:?} {bits}"), &[ty], &operation, &expected);
        }
    }
}

#[test]
fn arithmetic_of_floats() {
    type Function = fn(f64, f64) -> f64;
    let functions: [(Op, Function); 4] =
        [(Op::FAdd, |a, b| a + b), (Op::FSub, |a, b| a - b), (Op::FMul, |a, b| a * b), (Op::FDiv, |a, b| a / b)];
    let remainder: [(Op, Function); 2] = [
        (Op::FRem, |a, b| a % b),
        (Op::FMod, |a, b| {
            let rest = a % b;
            if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest.copysign(b) }
        }),
    ];
    for bits in [16, 32, 64] {
        let ty = ScalarType::Float(bits);
        for (op, function) in functions.into_iter().chain(remainder) {
            if bits == 64 && matches!(op, Op::FRem | Op::FMod) {
                continue;
            }
            let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
                Some(vec![(ty, emitter.binary(op, ty, &values[0], &values[1])?)])
            };
            let expected = |operands: &[u64]| {
                vec![Some(bits_of(bits, function(number(bits, operands[0]), number(bits, operands[1]))))]
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
fn conversions_of_integers_to_floats() {
    for from in WIDTHS {
        for to in [16, 32, 64] {
            for op in [Op::ConvertUToF, Op::ConvertSToF] {
                let (source, target) = (ScalarType::Int(from), ScalarType::Float(to));
                let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
                    Some(vec![(target, emitter.convert(op, source, target, &values[0])?)])
                };
                let expected = |operands: &[u64]| {
                    let (unsigned, signed) = (operands[0], signed(from, operands[0]));
                    let is_signed = op == Op::ConvertSToF;
                    let float = if is_signed { signed as f32 } else { unsigned as f32 };
                    let double = if is_signed { signed as f64 } else { unsigned as f64 };
                    vec![Some(match to {
                        64 => double.to_bits(),
                        32 => u64::from(float.to_bits()),
                        _ => u64::from(half_rounded(float).to_bits()),
                    })]
                };
                check(&format!("{op:?} {from} {to}"), &[source], &operation, &expected);
            }
        }
    }
}

#[test]
fn conversions_of_floats_to_integers() {
    for from in [16, 32, 64] {
        for to in WIDTHS {
            for op in [Op::ConvertFToU, Op::ConvertFToS] {
                let (source, target) = (ScalarType::Float(from), ScalarType::Int(to));
                let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
                    Some(vec![(target, emitter.convert(op, source, target, &values[0])?)])
                };
                let expected = |operands: &[u64]| {
                    let whole = number(from, operands[0]).trunc();
                    let limit = 2f64.powi(to as i32 - 1);
                    vec![if op == Op::ConvertFToU {
                        (whole >= 0.0 && whole < 2.0 * limit).then_some(whole as u64)
                    } else {
                        (whole >= -limit && whole < limit).then(|| (whole as i64).cast_unsigned() & mask(to))
                    }]
                };
                check(&format!("{op:?} {from} {to}"), &[source], &operation, &expected);
            }
        }
    }
}

#[test]
fn conversions_of_floats() {
    for (from, to) in [(16, 32), (16, 64), (32, 16), (32, 64), (64, 16), (64, 32)] {
        let (source, target) = (ScalarType::Float(from), ScalarType::Float(to));
        let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
            Some(vec![(target, emitter.convert(Op::FConvert, source, target, &values[0])?)])
        };
        let expected = |operands: &[u64]| {
            let value = number(from, operands[0]);
            // Rounded to odd in between, a double becomes the nearest half.
            let odd = (value.to_bits() & !0x1fff_ffff) | u64::from(value.to_bits() & 0x1fff_ffff != 0) << 29;
            let value = if to == 16 && !value.is_nan() { f64::from_bits(odd) } else { value };
            vec![Some(bits_of(to, value))]
        };
        check(&format!("FConvert {from} {to}"), &[source], &operation, &expected);
    }
}

#[test]
fn bitcasts() {
    for bits in [16, 32, 64] {
        let (int, float) = (ScalarType::Int(bits), ScalarType::Float(bits));
        let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
            let number = emitter.convert(Op::Bitcast, int, float, &values[0])?;
            Some(vec![(int, emitter.convert(Op::Bitcast, float, int, &number)?), (float, number)])
        };
        let expected = |operands: &[u64]| {
            // A signalling half becomes a quiet one.
            let is_nan = bits == 16 && operands[0] & 0x7fff > 0x7c00;
            vec![(!is_nan).then_some(operands[0])]
        };
        check(&format!("bitcast {bits}"), &[int], &operation, &expected);
    }
}

/// One instruction of GLSL.std.450.
fn check_extended(op: Glsl, types: &[ScalarType], expected: Expected<'_>) {
    let ty = types[0];
    let operation =
        |emitter: &mut Emitter<'_>, values: &[Value]| Some(vec![(ty, emitter.extended(op as u32, ty, values)?)]);
    check(&format!("{op:?} {ty:?}"), types, &operation, expected);
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
fn extended_instructions_of_floats() {
    let least = |a: f64, b: f64| if b < a || a.is_nan() { b } else { a };
    let greatest = |a: f64, b: f64| if a < b || a.is_nan() { b } else { a };
    let is_decided = |a: f64, b: f64| a.is_nan() == b.is_nan();
    for bits in [16, 32, 64] {
        let ty = ScalarType::Float(bits);
        let one = |op, function: &dyn Fn(f64) -> Option<f64>| {
            check_extended(op, &[ty], &|operands| {
                vec![function(number(bits, operands[0])).map(|it| bits_of(bits, it))]
            });
        };
        one(Glsl::RoundEven, &|a| Some(a.round_ties_even()));
        one(Glsl::Trunc, &|a| Some(a.trunc()));
        one(Glsl::Floor, &|a| Some(a.floor()));
        one(Glsl::Ceil, &|a| Some(a.ceil()));
        one(Glsl::Fract, &|a| Some(a - a.floor()));
        one(Glsl::FAbs, &|a| Some(a.abs()));
        one(Glsl::FSign, &|a| (!a.is_nan()).then(|| if a == 0.0 { 0.0 } else { 1f64.copysign(a) }));
        one(Glsl::Sqrt, &|a| Some(a.sqrt()));
        let two = |op, function: &dyn Fn(f64, f64) -> Option<f64>| {
            check_extended(op, &[ty, ty], &|operands| {
                let (a, b) = (number(bits, operands[0]), number(bits, operands[1]));
                vec![function(a, b).map(|it| bits_of(bits, it))]
            });
        };
        two(Glsl::NMin, &|a, b| Some(least(a, b)));
        two(Glsl::NMax, &|a, b| Some(greatest(a, b)));
        two(Glsl::FMin, &|a, b| is_decided(a, b).then(|| least(a, b)));
        two(Glsl::FMax, &|a, b| is_decided(a, b).then(|| greatest(a, b)));
        two(Glsl::Step, &|edge, a| Some(if a < edge { 0.0 } else { 1.0 }));
        check_extended(Glsl::FClamp, &[ty, ty, ty], &|operands| {
            let [a, b, c] = [0, 1, 2].map(|index| number(bits, operands[index]));
            vec![(b <= c && !a.is_nan()).then(|| bits_of(bits, a.clamp(b, c)))]
        });
        check_extended(Glsl::NClamp, &[ty, ty, ty], &|operands| {
            let [a, b, c] = [0, 1, 2].map(|index| number(bits, operands[index]));
            vec![(b <= c).then(|| bits_of(bits, least(greatest(a, b), c)))]
        });
        if bits != 16 {
            check_extended(Glsl::Fma, &[ty, ty, ty], &|operands| {
                let f = |index: usize| f32::from_bits(operands[index] as u32);
                let d = |index: usize| f64::from_bits(operands[index]);
                vec![Some(match bits {
                    32 => u64::from(f(0).mul_add(f(1), f(2)).to_bits()),
                    _ => d(0).mul_add(d(1), d(2)).to_bits(),
                })]
            });
        }
    }
}

#[test]
fn powers_of_two_times_a_number() {
    for bits in [32, 64] {
        check_extended(Glsl::Ldexp, &[ScalarType::Float(bits), ScalarType::Int(32)], &|operands| {
            let (value, exponent) = (number(bits, operands[0]), signed(32, operands[1]) as i32);
            let limit = if bits == 32 { 128 } else { 1024 };
            let expected = scaled(bits, value, exponent);
            vec![(exponent <= limit && (expected.is_finite() || !value.is_finite())).then(|| bits_of(bits, expected))]
        });
    }
}

/// `value · 2^exponent`, rounded once.
fn scaled(bits: u32, value: f64, exponent: i32) -> f64 {
    let exponent = exponent.clamp(-3000, 3000);
    if bits == 32 {
        return value * 2f64.powi(exponent.clamp(-600, 600));
    }
    let mut value = value;
    let mut rest = exponent;
    while rest < -1022 {
        value *= 2f64.powi(-969);
        rest += 969;
    }
    value * 2f64.powi(rest.min(1000)) * 2f64.powi((rest - 1000).max(0))
}
