//! What tests of operations have in common: operands, every kind of pack and of operand, the comparison of results.

use reconverge_lanes_cpu::select::arithmetic::Emitter;
use reconverge_lanes_cpu::select::{ScalarType, Value};
use spirv::GlslStd450Op as Glsl;

use crate::select_support::{Kind, Operation, Random, assemble, targets};

pub(crate) const BOOL: ScalarType = ScalarType::Bool;

/// Values at which operations change what they do, and others.
pub(crate) fn samples(ty: ScalarType, random: &mut Random) -> Vec<u64> {
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
pub(crate) fn half_rounded(value: f32) -> f32 {
    let wide = f64::from(value.abs());
    if value.is_nan() || wide.is_infinite() {
        return value;
    }
    let exponent = if wide < 2f64.powi(-14) { -24 } else { ((wide.to_bits() >> 52) as i32 - 1023) - 10 };
    let rounded = (wide * 2f64.powi(-exponent)).round_ties_even() * 2f64.powi(exponent);
    (if rounded >= 65520.0 { f32::INFINITY } else { rounded as f32 }).copysign(value)
}

pub(crate) fn is_same(ty: ScalarType, found: u64, expected: u64) -> bool {
    let is_nan = |bits| match ty {
        ScalarType::Float(64) => f64::from_bits(bits).is_nan(),
        ScalarType::Float(_) => f32::from_bits(bits as u32).is_nan(),
        _ => false,
    };
    found == expected || is_nan(found) && is_nan(expected)
}

pub(crate) type Expected<'a> = &'a dyn Fn(&[u64]) -> Vec<Option<u64>>;

/// Combinations of kinds: all alike, one that differs from the others, uniform ones with a constant.
fn kinds_of(count: usize) -> Vec<Vec<Kind>> {
    let mut kinds: Vec<Vec<Kind>> = vec![vec![Kind::Varying; count], vec![Kind::Uniform; count]];
    for operand in 0..count {
        for kind in [Kind::Uniform, Kind::Constant] {
            let mut mixed = vec![Kind::Varying; count];
            mixed[operand] = kind;
            kinds.push(mixed);
        }
    }
    let mut uniform_and_constant = vec![Kind::Uniform; count];
    uniform_and_constant[count - 1] = Kind::Constant;
    kinds.push(uniform_and_constant);
    kinds
}

/// Every combination of two operand's samples, and of three with a random third; every kind of pack and of operand.
pub(crate) fn check(name: &str, types: &[ScalarType], operation: Operation<'_>, expected: Expected<'_>) {
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
    let kinds = kinds_of(types.len());
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
                // One lane at a time, a seventh of many is enough: no list has a multiple of seven.
                let stride = if tuples.len() > 400 { 7 } else { 1 };
                next += if is_varying && lanes > 1 { lanes } else { stride };
                let lane_of = |operand: usize, lane: usize| match kinds[operand] {
                    Kind::Varying => tuples[(first + lane) % tuples.len()][operand],
                    _ => tuples[first][operand],
                };
                let data: Vec<Vec<u64>> =
                    (0..types.len()).map(|operand| (0..lanes).map(|lane| lane_of(operand, lane)).collect()).collect();
                let results = assembled.run(&data);
                assert_eq!(assembled.is_uniform(), !is_varying || lanes == 1, "{name} {target:?} {kinds:?}");
                let name = format!("{name} {target:?} {kinds:?}");
                compare_lanes(&name, &assembled.types(), &data, &results, expected);
            }
        }
    }
}

pub(crate) fn compare_lanes(
    name: &str,
    types: &[ScalarType],
    data: &[Vec<u64>],
    results: &[Vec<u64>],
    expected: Expected<'_>,
) {
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

pub(crate) fn half_bits(value: f32) -> u64 {
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

pub(crate) fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

pub(crate) fn signed(bits: u32, value: u64) -> i64 {
    (value << (64 - bits)).cast_signed() >> (64 - bits)
}

pub(crate) const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// A floating-point number of a type, as a double, and back.
pub(crate) fn number(bits: u32, value: u64) -> f64 {
    if bits == 64 { f64::from_bits(value) } else { f64::from(f32::from_bits(value as u32)) }
}

pub(crate) fn bits_of(bits: u32, value: f64) -> u64 {
    match bits {
        64 => value.to_bits(),
        32 => u64::from((value as f32).to_bits()),
        _ => u64::from(half_rounded(value as f32).to_bits()),
    }
}

/// One instruction of GLSL.std.450.
pub(crate) fn check_extended(op: Glsl, types: &[ScalarType], expected: Expected<'_>) {
    let ty = types[0];
    let operation =
        |emitter: &mut Emitter<'_>, values: &[Value]| Some(vec![(ty, emitter.extended(op as u32, ty, values)?)]);
    check(&format!("{op:?} {ty:?}"), types, &operation, expected);
}
