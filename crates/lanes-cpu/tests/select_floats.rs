//! Operations on floating-point numbers, for each kind of pack: against the same operations of Rust.

use reconverge_ir::Op;
use reconverge_lanes_cpu::select::arithmetic::Emitter;
use reconverge_lanes_cpu::select::{ScalarType, Value};
use spirv::GlslStd450Op as Glsl;

use crate::select_check::{
    BOOL, WIDTHS, bits_of, check, check_extended, half_bits, half_rounded, mask, number, signed,
};

#[test]
fn comparisons_of_floats() {
    type Function = fn(f64, f64) -> bool;
    type Class = fn(f64) -> bool;
    let functions: [(Op, Function); 15] = [
        (Op::FOrdEqual, |a, b| a == b),
        (Op::FUnordEqual, |a, b| a.is_nan() || b.is_nan() || a == b),
        (Op::FOrdNotEqual, |a, b| !a.is_nan() && !b.is_nan() && a != b),
        (Op::LessOrGreater, |a, b| !a.is_nan() && !b.is_nan() && a != b),
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
        let classes: [(Op, Class); 3] =
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
            vec![Some(if to == 16 { u64::from(half_of_double(value).to_bits()) } else { bits_of(to, value) })]
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
        check_extended(Glsl::Fma, &[ty, ty, ty], &|operands| {
            let f = |index: usize| f32::from_bits(operands[index] as u32);
            let d = |index: usize| f64::from_bits(operands[index]);
            vec![Some(match bits {
                32 => u64::from(f(0).mul_add(f(1), f(2)).to_bits()),
                64 => d(0).mul_add(d(1), d(2)).to_bits(),
                _ => u64::from(half_of_double(f64::from(f(0)).mul_add(f(1).into(), f(2).into())).to_bits()),
            })]
        });
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

#[test]
fn halves_in_words() {
    let (word, float) = (ScalarType::Int(32), ScalarType::Float(32));
    let unpack = |emitter: &mut Emitter<'_>, values: &[Value]| {
        let [low, high] = emitter.unpack_halves(&values[0])?;
        Some(vec![(word, emitter.pack_halves(&low, &high)?)])
    };
    let is_number = |half: u64| half & 0x7fff <= 0x7c00;
    let expected = |operands: &[u64]| {
        vec![(is_number(operands[0] & 0xffff) && is_number(operands[0] >> 16)).then_some(operands[0])]
    };
    check("unpack and pack", &[word], &unpack, &expected);
    let pack =
        |emitter: &mut Emitter<'_>, values: &[Value]| Some(vec![(word, emitter.pack_halves(&values[0], &values[1])?)]);
    let expected = |operands: &[u64]| {
        let [low, high] = [0, 1].map(|index| f32::from_bits(operands[index] as u32));
        let is_number = !low.is_nan() && !high.is_nan();
        vec![is_number.then(|| half_bits(low) | half_bits(high) << 16)]
    };
    check("pack", &[float, float], &pack, &expected);
}

/// The nearest half, by a float that is rounded to odd.
fn half_of_double(value: f64) -> f32 {
    let odd = (value.to_bits() & !0x1fff_ffff) | u64::from(value.to_bits() & 0x1fff_ffff != 0) << 29;
    half_rounded(if value.is_nan() { f32::NAN } else { f64::from_bits(odd) as f32 })
}
