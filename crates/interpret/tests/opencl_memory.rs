//! Extended instructions that access memory: second results, vectors at unaligned places, halves with every rounding.

use crate::common::{CROSS_WORKGROUP, F32, F64, Ty, U32, U64, Unit};
use crate::extended_common::{F16, import};
use reconverge_interpret::{Argument, Buffer, End, Launch, UndefinedBehaviour, Value};
use reconverge_ir::{Inst, Op};

/// The instruction `number` on the parameters, of which one is a pointer, with a literal behind them; what it gives is returned.
fn unit(number: u32, parameters: &[Ty], result: Ty, literal: Option<u32>) -> Unit {
    Unit::new(parameters, result, |build, parameters| {
        let import = import(build, "OpenCL.std");
        let (ty, number) = (result.build(build), build.editor().word(number));
        let literal = literal.map(|word| build.editor().word(word));
        let operands: Vec<Inst> = [import, number].iter().chain(parameters).copied().chain(literal).collect();
        build.ext_inst(ty, &operands)
    })
}

/// The same for an instruction that gives nothing.
fn store_unit(number: u32, parameters: &[Ty], literal: Option<u32>) -> Unit {
    Unit::new(parameters, U32, |build, parameters| {
        let import = import(build, "OpenCL.std");
        let (ty, number) = (build.void_type(), build.editor().word(number));
        let literal = literal.map(|word| build.editor().word(word));
        let operands: Vec<Inst> = [import, number].iter().chain(parameters).copied().chain(literal).collect();
        build.ext_inst(ty, &operands);
        let ty = U32.build(build);
        build.constant_word(ty, 7)
    })
}

fn run(unit: &Unit, arguments: Vec<Argument>, buffer: Vec<u8>) -> (End, Buffer) {
    let launch = Launch { buffers: vec![buffer], arguments, ..Launch::default() };
    let mut outcome = unit.outcome(&launch);
    (outcome.lanes.remove(0).end, outcome.buffers.remove(0))
}

fn vector(width: u8, elements: &[f64]) -> Value {
    Value::composite(elements.iter().map(|&element| Value::float(width, element)).collect())
}

#[test]
fn a_second_result_is_stored() {
    const POINTER: Ty = Ty::Pointer(CROSS_WORKGROUP, &F64);
    let rows: [(u32, f64, f64, f64); 12] = [
        (30, 2.75, 0.75, 2.0),
        (30, -2.75, 0.25, -3.0),
        (30, -1e-30, 1.0 - 2f64.powi(-53), -1.0),
        (30, f64::NEG_INFINITY, -0.0, f64::NEG_INFINITY),
        (30, -0.0, -0.0, -0.0),
        (30, f64::INFINITY, 0.0, f64::INFINITY),
        (45, 2.75, 0.75, 2.0),
        (45, -2.75, -0.75, -2.0),
        (45, f64::NEG_INFINITY, -0.0, f64::NEG_INFINITY),
        (45, -3.0, -0.0, -3.0),
        (58, 0.0, 0.0, 1.0),
        (58, -0.0, -0.0, 1.0),
    ];
    for (number, x, result, stored) in rows {
        let unit = unit(number, &[F64, POINTER], F64, None);
        let (end, buffer) = run(&unit, vec![Value::f64(x).into(), Argument::Buffer(0)], vec![0; 8]);
        assert_eq!(end, End::Returned(Some(Value::f64(result))), "{number} of {x}");
        assert_eq!(buffer.bytes, stored.to_le_bytes(), "{number} of {x}");
    }
    let unit = unit(30, &[F16, Ty::Pointer(CROSS_WORKGROUP, &F16)], F16, None);
    let (end, _) = run(&unit, vec![Value::float(16, -1e-7).into(), Argument::Buffer(0)], vec![0; 2]);
    assert_eq!(end, End::Returned(Some(Value::float(16, 1.0 - 2f64.powi(-11)))));
}

#[test]
fn a_second_result_may_be_an_integer() {
    const POINTER: Ty = Ty::Pointer(CROSS_WORKGROUP, &U32);
    let rows: [(u32, f32, f32, i32); 10] = [
        (31, 12.0, 0.75, 4),
        (31, -1e-45, -0.5, -148),
        (31, 0.0, 0.0, 0),
        (31, f32::NEG_INFINITY, f32::NEG_INFINITY, 0),
        (36, 3.0, std::f32::consts::LN_2, 1),
        (36, -0.5, 1.265_512_1, -1),
        (36, -1.5, 0.860_047_04, 1),
        (36, -2.0, f32::INFINITY, 0),
        (36, -0.0, f32::INFINITY, 0),
        (36, f32::INFINITY, f32::INFINITY, 1),
    ];
    for (number, x, result, stored) in rows {
        let unit = unit(number, &[F32, POINTER], F32, None);
        let (end, buffer) = run(&unit, vec![Value::f32(x).into(), Argument::Buffer(0)], vec![0; 4]);
        assert_eq!(end, End::Returned(Some(Value::f32(result))), "{number} of {x}");
        assert_eq!(buffer.bytes, stored.to_le_bytes(), "{number} of {x}");
    }
    let unit = unit(36, &[F32, POINTER], F32, None);
    let (_, buffer) = run(&unit, vec![Value::f32(f32::NAN).into(), Argument::Buffer(0)], vec![0; 4]);
    assert_eq!(buffer.defined, [false; 4]);
}

#[test]
fn a_quotient_keeps_seven_bits_and_the_sign() {
    const POINTER: Ty = Ty::Pointer(CROSS_WORKGROUP, &U32);
    let unit = unit(52, &[F32, F32, POINTER], F32, None);
    let rows: [(f32, f32, f32, i32); 11] = [
        (7.0, 2.0, -1.0, 4),
        (5.0, 2.0, 1.0, 2),
        (-7.0, 2.0, 1.0, -4),
        (7.0, -2.0, -1.0, -4),
        (1000.0, 1.0, 0.0, 1000 % 128),
        (-1000.0, 1.0, -0.0, -(1000 % 128)),
        (511.5, 1.0, -0.5, 0),
        (1.0, 3.0, 1.0, 0),
        (2.0, 3.0, -1.0, 1),
        (5.0, f32::INFINITY, 5.0, 0),
        (-0.0, 5.0, -0.0, 0),
    ];
    for (x, y, result, stored) in rows {
        let arguments = vec![Value::f32(x).into(), Value::f32(y).into(), Argument::Buffer(0)];
        let (end, buffer) = run(&unit, arguments, vec![9; 4]);
        assert_eq!(end, End::Returned(Some(Value::f32(result))), "{x} {y}");
        assert_eq!(buffer.bytes, stored.to_le_bytes(), "{x} {y}");
    }
    for (x, y) in [(f32::INFINITY, 1.0), (1.0, 0.0), (f32::NAN, 1.0), (1.0, f32::NAN)] {
        let arguments = vec![Value::f32(x).into(), Value::f32(y).into(), Argument::Buffer(0)];
        let (end, buffer) = run(&unit, arguments, vec![9; 4]);
        assert_eq!(end, End::Returned(Some(Value::f32(f32::NAN))), "{x} {y}");
        assert_eq!(buffer.bytes, [0; 4], "{x} {y}");
    }
}

#[test]
fn second_results_of_vectors_are_vectors() {
    const PAIR: Ty = Ty::Vector(&F32, 2);
    const WORDS: Ty = Ty::Vector(&U32, 2);
    let unit = unit(31, &[PAIR, Ty::Pointer(CROSS_WORKGROUP, &WORDS)], PAIR, None);
    let (end, buffer) = run(&unit, vec![vector(32, &[12.0, 0.375]).into(), Argument::Buffer(0)], vec![0; 8]);
    assert_eq!(end, End::Returned(Some(vector(32, &[0.75, 0.75]))));
    assert_eq!(buffer.bytes, [[4, 0, 0, 0], [0xff, 0xff, 0xff, 0xff]].concat());
    let partial = Value::composite(vec![Value::f32(12.0), Value::Undefined]);
    let (end, buffer) = run(&unit, vec![partial.into(), Argument::Buffer(0)], vec![0; 8]);
    assert_eq!(end, End::Returned(Some(Value::composite(vec![Value::f32(0.75), Value::Undefined]))));
    assert_eq!(buffer.defined, [true, true, true, true, false, false, false, false]);
}

const FLOATS: Ty = Ty::Pointer(CROSS_WORKGROUP, &F32);
const HALVES: Ty = Ty::Pointer(CROSS_WORKGROUP, &F16);

#[test]
fn vectors_are_loaded_one_behind_the_other() {
    const THREE: Ty = Ty::Vector(&F32, 3);
    let unit = unit(171, &[U64, FLOATS], THREE, Some(3));
    let bytes: Vec<u8> = (0..9).flat_map(|index| (index as f32).to_le_bytes()).collect();
    let load = |offset| run(&unit, vec![Value::u64(offset).into(), Argument::Buffer(0)], bytes.clone()).0;
    assert_eq!(load(1), End::Returned(Some(vector(32, &[3.0, 4.0, 5.0]))));
    assert_eq!(load(2), End::Returned(Some(vector(32, &[6.0, 7.0, 8.0]))));
    for offset in [3, u64::MAX, u64::MAX / 12] {
        let is_outside = matches!(load(offset), End::Undefined { behaviour: UndefinedBehaviour::OutOfBounds, .. });
        assert!(is_outside, "{offset}");
    }
}

#[test]
fn vectors_are_stored_one_behind_the_other() {
    const QUAD: Ty = Ty::Vector(&Ty::Int(16), 4);
    let unit = store_unit(172, &[QUAD, U64, Ty::Pointer(CROSS_WORKGROUP, &Ty::Int(16))], None);
    let data = Value::composite([1, 2, 3, 0xfffe].map(|bits| Value::int(16, bits)).to_vec());
    let arguments = |data: Value| vec![data.into(), Value::u64(1).into(), Argument::Buffer(0)];
    let (_, buffer) = run(&unit, arguments(data), vec![0; 16]);
    assert_eq!(buffer.bytes, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 3, 0, 0xfe, 0xff]);
    let (_, buffer) = run(&unit, arguments(Value::Undefined), vec![0; 16]);
    assert_eq!(buffer.defined, [[true; 8], [false; 8]].concat());
}

#[test]
fn halves_are_loaded_as_numbers() {
    let halves = [0x3c00u16, 0xc000, 0x7c00, 0x0001, 0x3e00, 0x4200, 0x4400, 0x4500];
    let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    let least = 2f64.powi(-24);
    let scalar = unit(173, &[U64, HALVES], F32, None);
    let pair = unit(174, &[U64, HALVES], Ty::Vector(&F32, 2), Some(2));
    let three = unit(174, &[U64, HALVES], Ty::Vector(&F32, 3), Some(3));
    let aligned = unit(179, &[U64, HALVES], Ty::Vector(&F32, 3), Some(3));
    let load = |unit: &Unit, offset| run(unit, vec![Value::u64(offset).into(), Argument::Buffer(0)], bytes.clone()).0;
    assert_eq!(load(&scalar, 3), End::Returned(Some(Value::float(32, least))));
    assert_eq!(load(&pair, 1), End::Returned(Some(vector(32, &[f64::INFINITY, least]))));
    assert_eq!(load(&three, 1), End::Returned(Some(vector(32, &[least, 1.5, 3.0]))));
    assert_eq!(load(&aligned, 1), End::Returned(Some(vector(32, &[1.5, 3.0, 4.0]))));
}

#[test]
fn numbers_are_stored_as_halves() {
    // 1 + 2^-11 lies half way; 65520 half way to what would be the next half; both with either sign.
    let up = 0x3c01u16;
    let rows: [(f64, [u16; 4]); 7] = [
        (1.0 + 2f64.powi(-11), [0x3c00, 0x3c00, up, 0x3c00]),
        (-1.0 - 2f64.powi(-11), [0xbc00, 0xbc00, 0xbc00, 0xbc01]),
        (65520.0, [0x7c00, 0x7bff, 0x7c00, 0x7bff]),
        (-65520.0, [0xfc00, 0xfbff, 0xfbff, 0xfc00]),
        (1e-30, [0, 0, 1, 0]),
        (-1e-30, [0x8000, 0x8000, 0x8000, 0x8001]),
        (f64::INFINITY, [0x7c00; 4]),
    ];
    for (value, expected) in rows {
        for (mode, expected) in expected.into_iter().enumerate() {
            for (ty, value) in [(F32, Value::float(32, value)), (F64, Value::f64(value))] {
                let unit = store_unit(176, &[ty, U64, HALVES], Some(mode as u32));
                let arguments = vec![value.clone().into(), Value::u64(1).into(), Argument::Buffer(0)];
                let (_, buffer) = run(&unit, arguments, vec![0xaa; 4]);
                assert_eq!(buffer.bytes[2..], expected.to_le_bytes(), "{value:?} {mode}");
                assert_eq!(buffer.bytes[..2], [0xaa; 2]);
            }
        }
    }
    const THREE: Ty = Ty::Vector(&F32, 3);
    let data = vector(32, &[1.0, 2.0, 3.0]);
    for (number, literal, place) in [(177, None, 6), (178, Some(1), 6), (180, None, 8), (181, Some(1), 8)] {
        let unit = store_unit(number, &[THREE, U64, HALVES], literal);
        let arguments = vec![data.clone().into(), Value::u64(1).into(), Argument::Buffer(0)];
        let (_, buffer) = run(&unit, arguments, vec![0; 16]);
        let mut expected = vec![0; 16];
        expected[place..place + 6].copy_from_slice(&[0, 0x3c, 0, 0x40, 0, 0x42]);
        assert_eq!(buffer.bytes, expected, "{number}");
    }
    let scalar = store_unit(175, &[F32, U64, HALVES], None);
    let (_, buffer) = run(&scalar, vec![Value::f32(2.0).into(), Value::u64(0).into(), Argument::Buffer(0)], vec![0; 2]);
    assert_eq!(buffer.bytes, [0, 0x40]);
}

#[test]
fn every_half_comes_back() {
    let unit = store_unit(175, &[F32, U64, HALVES], None);
    for bits in (0..=0xffffu64).step_by(61) {
        let half = Value::Float { width: 16, bits };
        let value = Value::float(32, half.as_f64().unwrap());
        let (_, buffer) = run(&unit, vec![value.into(), Value::u64(0).into(), Argument::Buffer(0)], vec![0; 2]);
        let stored = u64::from(u16::from_le_bytes([buffer.bytes[0], buffer.bytes[1]]));
        let is_nan = half.as_f64().unwrap().is_nan();
        assert_eq!(stored, if is_nan { 0x7e00 } else { bits });
    }
}

#[test]
fn a_prefetch_does_nothing_and_printing_is_unsupported() {
    let unit = store_unit(185, &[FLOATS, U64], None);
    let (end, buffer) = run(&unit, vec![Argument::Buffer(0), Value::u64(1000).into()], vec![1; 4]);
    assert_eq!(end, End::Returned(Some(Value::u32(7))));
    assert_eq!(buffer.bytes, [1; 4]);
    let unit = self::unit(184, &[Ty::Pointer(CROSS_WORKGROUP, &Ty::Int(8))], U32, None);
    let (end, _) = run(&unit, vec![Argument::Buffer(0)], vec![0; 4]);
    assert!(matches!(end, End::Unsupported { ref what, .. } if what.contains("printf")), "{end}");
}

#[test]
fn places_have_to_be_aligned() {
    let aligned = unit(179, &[U64, HALVES], Ty::Vector(&F32, 4), Some(4));
    let load = |offset| run(&aligned, vec![Value::u64(offset).into(), Argument::Buffer(0)], vec![0; 32]).0;
    assert_eq!(load(1), End::Returned(Some(vector(32, &[0.0; 4]))));
    let shifted = Unit::new(&[HALVES, U64], Ty::Vector(&F32, 4), |build, parameters| {
        let import = import(build, "OpenCL.std");
        let (ty, pointer) = (Ty::Vector(&F32, 4).build(build), HALVES.build(build));
        let pointer = build.emit(Op::PtrAccessChain, Some(pointer), &[parameters[0], parameters[1]]);
        let (number, count) = (build.editor().word(179), build.editor().word(4));
        build.ext_inst(ty, &[import, number, parameters[1], pointer, count])
    });
    let (end, _) = run(&shifted, vec![Argument::Buffer(0), Value::u64(1).into()], vec![0; 32]);
    assert!(matches!(end, End::Undefined { behaviour: UndefinedBehaviour::Misaligned, .. }), "{end}");
}
