//! Transcendental functions of floats, for each kind of pack: against those of doubles.

use reconverge_lanes_cpu::select::arithmetic::Emitter;
use reconverge_lanes_cpu::select::{ScalarType, Value};
use spirv::GlslStd450Op as Glsl;

use crate::select_support::{Kind, Random, assemble, targets};

const FLOAT: ScalarType = ScalarType::Float(32);

/// In units of the last place of the float nearest to the expected value.
fn error(found: f32, expected: f64) -> f64 {
    let nearest = expected as f32;
    if found.is_nan() || nearest.is_nan() || found.is_infinite() || nearest.is_infinite() {
        let is_same = found.is_nan() == nearest.is_nan() && (found.is_nan() || found == nearest);
        return if is_same { 0.0 } else { f64::INFINITY };
    }
    let exponent = (nearest.to_bits() >> 23 & 255).max(1) as i32 - 150;
    (f64::from(found) - expected).abs() / 2f64.powi(exponent)
}

fn check(op: Glsl, inputs: &[Vec<f32>], function: &dyn Fn(&[f64]) -> f64) {
    let types = vec![FLOAT; inputs.len()];
    for target in targets() {
        for kind in [Kind::Varying, Kind::Uniform] {
            let operands: Vec<(ScalarType, Kind)> = types.iter().map(|&ty| (ty, kind)).collect();
            let operation = |emitter: &mut Emitter<'_>, values: &[Value]| {
                Some(vec![(FLOAT, emitter.extended(op as u32, FLOAT, values)?)])
            };
            let assembled =
                assemble(target, &operands, &vec![0; types.len()], &operation).expect("the operation has a form");
            let lanes = assembled.lanes();
            let step = if kind == Kind::Varying { lanes } else { 16 };
            let mut worst = 0.0;
            for first in (0..inputs[0].len()).step_by(step) {
                let index = |lane: usize| if kind == Kind::Varying { (first + lane) % inputs[0].len() } else { first };
                let data: Vec<Vec<u64>> = inputs
                    .iter()
                    .map(|list| (0..lanes).map(|lane| u64::from(list[index(lane)].to_bits())).collect())
                    .collect();
                for (lane, &found) in assembled.run(&data)[0].iter().enumerate() {
                    let operands: Vec<f64> = inputs.iter().map(|list| f64::from(list[index(lane)])).collect();
                    let (found, expected) = (f32::from_bits(found as u32), function(&operands));
                    let error = error(found, expected);
                    assert!(
                        error <= 0.51,
                        "{op:?} of {operands:?}: {found:e}, not {expected:e}, {error} ulp, {target:?}"
                    );
                    worst = f64::max(worst, error);
                }
            }
            assert!(worst <= 0.51, "{op:?} {worst}");
        }
    }
}

/// Numbers of all exponents up to a greatest magnitude, and some that are special.
fn numbers(least: f32, greatest: f32) -> Vec<f32> {
    let mut random = Random(0x9876_5432_1234_5671);
    let special =
        [0.0, 1.0, 2.0, 0.5, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE, 1e-45, f32::MAX, 88.8, 0.0625, 0.99999994];
    let any = std::iter::from_fn(move || {
        let bits = random.next();
        let number = f32::from_bits(bits as u32);
        Some(if bits >> 63 == 0 {
            number
        } else {
            (bits >> 32 & 0xffff) as f32 / 512.0 * if number < 0.0 { -1.0 } else { 1.0 }
        })
    });
    let both = special.into_iter().flat_map(|number| [number, -number]);
    let inside = move |number: &f32| number.is_nan() || *number >= least && *number <= greatest;
    both.chain(any.take(9000)).filter(inside).collect()
}

#[test]
fn exponentials_and_logarithms() {
    let (all, positive) = (numbers(f32::NEG_INFINITY, f32::INFINITY), numbers(0.0, f32::INFINITY));
    check(Glsl::Exp, std::slice::from_ref(&all), &|x| x[0].exp());
    check(Glsl::Exp2, &[all], &|x| x[0].exp2());
    check(Glsl::Log, std::slice::from_ref(&positive), &|x| x[0].abs().ln());
    check(Glsl::Log2, &[positive], &|x| x[0].abs().log2());
}

#[test]
fn powers() {
    let base = numbers(0.0, f32::INFINITY);
    let exponent = numbers(-100.0, 100.0);
    let exponent: Vec<f32> = (0..base.len()).map(|index| exponent[index * 31 % exponent.len()]).collect();
    check(Glsl::Pow, &[base, exponent], &|x| {
        if x[1].is_nan() && x[0] != 1.0 { f64::NAN } else { x[0].abs().powf(x[1]) }
    });
}

#[test]
fn circular_functions() {
    let all = numbers(f32::NEG_INFINITY, f32::INFINITY);
    check(Glsl::Sin, std::slice::from_ref(&all), &|x| x[0].sin());
    check(Glsl::Cos, std::slice::from_ref(&all), &|x| x[0].cos());
    check(Glsl::Tan, &[all], &|x| x[0].tan());
}

#[test]
fn inverse_circular_functions() {
    let (all, unit) = (numbers(f32::NEG_INFINITY, f32::INFINITY), numbers(-1.0, 1.0));
    check(Glsl::Asin, std::slice::from_ref(&unit), &|x| x[0].asin());
    check(Glsl::Acos, &[unit], &|x| x[0].acos());
    check(Glsl::Atan, std::slice::from_ref(&all), &|x| x[0].atan());
    let second: Vec<f32> = (0..all.len()).map(|index| all[index * 37 % all.len()]).collect();
    check(Glsl::Atan2, &[all, second], &|x| x[0].atan2(x[1]));
}

#[test]
fn hyperbolic_functions() {
    let (all, unit) = (numbers(f32::NEG_INFINITY, f32::INFINITY), numbers(-1.0, 1.0));
    check(Glsl::Sinh, std::slice::from_ref(&all), &|x| x[0].sinh());
    check(Glsl::Cosh, std::slice::from_ref(&all), &|x| x[0].cosh());
    check(Glsl::Tanh, std::slice::from_ref(&all), &|x| x[0].tanh());
    check(Glsl::Asinh, &[all], &|x| x[0].abs().asinh().copysign(x[0]));
    check(Glsl::Acosh, &[numbers(1.0, f32::INFINITY)], &|x| x[0].acosh());
    check(Glsl::Atanh, &[unit], &|x| x[0].atanh());
}
