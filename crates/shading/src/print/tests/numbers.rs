use half::f16;

use super::literals::{Radix, shortest};
use super::*;
use crate::syntax::{Literal, Scalar, ScalarKind};

fn written(literal: Literal, scalar: Scalar, language: Language) -> String {
    let text = Text::default();
    let spelling = Spelling::default();
    Printer::new(&text, language, &spelling).literal(literal, scalar, Radix::Decimal)
}

fn scalar(kind: ScalarKind, width: u8) -> Scalar {
    Scalar { kind, width }
}

#[test]
fn decimals_are_short() {
    let cases = [
        (0.5, "0.5"),
        (1.0, "1.0"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (1e-6, "1e-6"),
        (0.001, "0.001"),
        (65504.0, "65504.0"),
        (16_777_216.0, "16777216.0"),
        (1e20, "1e20"),
        (12.5e-9, "1.25e-8"),
    ];
    for (value, expected) in cases {
        assert_eq!(shortest(value, 64), expected);
        assert_eq!(shortest(f64::from(value as f32), 32), expected);
    }
    assert_eq!(shortest(f64::from(f16::from_f64(0.1)), 16), "0.1");
    assert_eq!(shortest(f64::from(f16::from_f64(65504.0)), 16), "65504.0");
}

#[test]
fn no_decimal_is_above_the_greatest_number() {
    for (value, width) in [(f64::from(f32::MAX), 32), (-f64::from(f32::MAX), 32), (f64::from(f16::MAX), 16)] {
        let text = shortest(value, width);
        assert!(text.parse::<f64>().expect("a number").abs() <= value.abs(), "{text}");
    }
}

#[test]
fn every_half_reads_back() {
    for bits in 0..=u16::MAX {
        let value = f16::from_bits(bits);
        if value.is_finite() {
            let text = shortest(f64::from(value), 16);
            let read = f16::from_f64(text.parse().expect("a number"));
            assert_eq!(read.to_bits(), bits, "{text}");
        }
    }
}

#[test]
fn random_floats_and_denormals_read_back() {
    let mut state = 7u64;
    let edges = [1, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0x7f7f_fffe, 0x8000_0001, 0xff7f_ffff];
    for number in 0..20_000u32 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = edges.get(number as usize).copied().unwrap_or((state >> 32) as u32);
        let value = f32::from_bits(bits);
        if value.is_finite() {
            let text = shortest(f64::from(value), 32);
            assert_eq!(text.parse::<f32>().expect("a number").to_bits(), bits, "{text}");
        }
        let wide = f64::from_bits(state);
        if wide.is_finite() {
            let text = shortest(wide, 64);
            assert_eq!(text.parse::<f64>().expect("a number").to_bits(), state, "{text}");
        }
    }
}

#[test]
fn suffixes_of_each_language() {
    let cases = [
        (Literal::Uint(1), Scalar::UINT, ["1u", "1u", "1u", "1u"]),
        (Literal::Int(-1), Scalar::INT, ["-1", "-1", "-1", "-1"]),
        (Literal::Float(1.0), Scalar::FLOAT, ["1.0", "1.0", "1.0", "1.0"]),
        (Literal::Float(1.0), scalar(ScalarKind::Float, 16), ["1.0h", "1.0hf", "half(1.0)", "1.0h"]),
        (Literal::Int(-5), scalar(ScalarKind::Int, 64), ["-5li", "-5l", "-5ll", "-5l"]),
        (Literal::Uint(5), scalar(ScalarKind::Uint, 64), ["5lu", "5ul", "5ull", "5ul"]),
        (Literal::Bool(true), Scalar::BOOL, ["true"; 4]),
    ];
    for (literal, scalar, expected) in cases {
        for (language, expected) in Language::ALL.into_iter().zip(expected) {
            assert_eq!(written(literal, scalar, language), expected, "{language}");
        }
    }
    assert_eq!(written(Literal::Float(1.0), scalar(ScalarKind::Float, 64), Language::Glsl), "1.0lf");
    assert_eq!(written(Literal::Int(3), scalar(ScalarKind::Int, 16), Language::Glsl), "3s");
    assert_eq!(written(Literal::Uint(3), scalar(ScalarKind::Uint, 16), Language::Hlsl), "uint16_t(3u)");
    assert_eq!(written(Literal::Int(3), scalar(ScalarKind::Int, 8), Language::Msl), "char(3)");
}

#[test]
fn the_least_integers_are_differences_but_in_wgsl() {
    let least = Literal::Int(i64::from(i32::MIN));
    assert_eq!(written(least, Scalar::INT, Language::Wgsl), "-2147483648");
    for language in [Language::Glsl, Language::Hlsl, Language::Msl] {
        assert_eq!(written(least, Scalar::INT, language), "-2147483647 - 1");
    }
    let wide = scalar(ScalarKind::Int, 64);
    assert_eq!(written(Literal::Int(i64::MIN), wide, Language::Glsl), "-9223372036854775807l - 1l");
    assert_eq!(written(Literal::Int(i64::from(i32::MIN)), wide, Language::Glsl), "-2147483648l");
}
