//! Wrong definitions, each of which the table has to find: operands and bounds are strong enough to tell them from the right ones.

use super::case::Case;
use super::exact::WORD;
use super::float::{float, of};
use super::judge::{Engine, Report, judge, module_of};
use super::number::{Number, Rounding, Type};
use super::row::{Lengths, Row, Wanted};
use super::source::{Group, groups};
use super::{async_copies, rows, shared, work_items};

const SINGLE: Type = Type::Float { bits: 32 };
const HALF: Type = Type::Float { bits: 16 };
const CHAR: Type = Type::Int { is_signed: true, bits: 8 };

fn int(number: Number) -> i128 {
    match number {
        Number::Int(value) => value,
        Number::Float(value) => panic!("invariant: {value} is an integer"),
    }
}

/// Functions with definitions that are wrong in a few places, or by little.
fn mutants() -> Vec<Row> {
    vec![
        Row::new("hadd(a, b)", &[CHAR, CHAR], CHAR, |_, o| Wanted::Int((int(o[0]) + int(o[1]) + 1) >> 1)),
        Row::new("add_sat(a, b)", &[CHAR, CHAR], CHAR, |_, o| Wanted::Int(int(o[0]) + int(o[1]))),
        Row::new("abs_diff(a, b)", &[WORD, WORD], WORD.as_unsigned(), |_, o| Wanted::Int(int(o[0]) - int(o[1]))),
        Row::new("clz(a)", &[WORD], WORD, |_, o| Wanted::Int((int(o[0]) as u64).leading_zeros().into())),
        Row::new("rotate(a, b)", &[CHAR, CHAR], CHAR, |_, o| Wanted::Int(int(o[0]) << int(o[1]).rem_euclid(8))),
        Row::new("upsample(a, as_$U(b))", &[CHAR, CHAR], CHAR.doubled(), |_, o| {
            Wanted::Int((int(o[0]) << 8) + int(o[1]))
        }),
        Row::new("rint(a)", &[SINGLE], SINGLE, of!([a] a.round())),
        Row::new("round(a)", &[HALF], HALF, of!([a] a.round_ties_even())),
        Row::new("fmax(a, b)", &[HALF, HALF], HALF, of!([a, b] if a > b { a } else { b })),
        Row::new("fma(a, b, c)", &[HALF, HALF, HALF], HALF, |row, o| {
            let [a, b, c] = [0, 1, 2].map(|index| float(o[index]));
            Wanted::Float { exact: row.result.round(a * b, Rounding::Nearest) + c, ulps: 0.0 }
        }),
        Row::new("ldexp(a, b % 40)", &[HALF, WORD], HALF, |row, o| {
            // A subnormal result is cut off, not rounded.
            let exact = float(o[0]) * f64::from((int(o[1]) % 40) as i32).exp2();
            Wanted::Float { exact: row.result.round(exact, Rounding::Zero), ulps: 0.0 }
        }),
        Row::new("exp(a)", &[SINGLE], SINGLE, of!([a] a.exp() * (1.0 + 2e-7))).within(1.0).inexact(1.0),
        Row::new("sinpi(a)", &[SINGLE], SINGLE, of!([a](a * std::f64::consts::PI).sin())).within(1.0).inexact(1.0),
        Row::new("isnormal(a)", &[SINGLE], WORD, |_, o| {
            let a = float(o[0]);
            Wanted::Int(-i128::from(a.is_finite() && a != 0.0))
        })
        .of(Lengths::Vectors),
        Row::new("convert_$R_sat_rte(a)", &[SINGLE], CHAR, |row, o| {
            Wanted::Int(row.result.saturate(float(o[0]).trunc() as i128))
        }),
        Row::new("({ *$G = a; atomic_add((volatile global int *)$G, b); })", &[WORD, WORD], WORD, |_, o| {
            Wanted::Int(int(o[0]) + int(o[1]))
        })
        .of(Lengths::Scalar),
        Row::new("amd_bitalign(a, b, c)", &[WORD.as_unsigned(); 3], WORD.as_unsigned(), |_, o| {
            Wanted::Int((int(o[1]) << 32 | int(o[0])) >> (int(o[2]) & 31))
        }),
    ]
}

fn judged(groups: &[Group]) -> Report {
    let spirv = module_of(groups.iter().map(Group::source)).expect("clang compiles the kernels");
    let mut report = Report::default();
    judge(&spirv, groups, &[Engine::Interpreter], &mut report);
    report
}

#[test]
fn wrong_definitions_are_found() {
    let mutants = mutants();
    let report = judged(&[1, 16].map(|count| groups(&mutants, count)).into_iter().flatten().collect::<Vec<_>>());
    for row in &mutants {
        let is_found = report.faults.iter().any(|fault| fault.contains(&format!("`{}`", row.text)));
        assert!(is_found, "a wrong definition of {} passes", row.text);
    }
}

#[test]
fn the_right_definitions_of_the_same_functions_pass() {
    let names: Vec<String> = mutants().into_iter().map(|row| row.text).collect();
    let right: Vec<Row> =
        rows().into_iter().filter(|row| names.contains(&row.text) && row.result.bits() < 64).collect();
    assert!(right.len() > names.len(), "{}", right.len());
    assert_eq!(judged(&groups(&right, 1)).faults, Vec::<String>::new());
}

#[test]
fn every_result_of_a_launch_is_compared() {
    let families: Vec<Case> =
        [work_items::cases(), async_copies::cases(), shared::cases()].into_iter().flatten().collect();
    for case in families {
        let (ty, count) = case.output;
        let wanted = (case.definition)(&vec![Number::Int(0); count]);
        let number = |wanted: &Wanted| match *wanted {
            Wanted::Int(value) => Number::Int(ty.wrap(value)),
            Wanted::Float { exact, .. } | Wanted::Near { exact, .. } => Number::Float(exact),
            Wanted::Any if ty.is_float() => Number::Float(0.0),
            Wanted::Any => Number::Int(0),
        };
        let right: Vec<u8> = wanted.iter().flat_map(|wanted| ty.write(number(wanted))).collect();
        assert_eq!(case.fault(&right), None, "{}", case.name);
        for (place, wanted) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted != Wanted::Any) {
            let mut wrong = right.clone();
            wrong[(place + 1) * ty.bytes() - 1] ^= 0x20;
            assert!(case.fault(&wrong).is_some(), "{}, {place}: {wanted:?}", case.name);
        }
    }
}
