//! Several lanes, group operations, barriers, what is not supported, extended instructions.

use crate::common::{F32, Ty, U32, Unit};
use reconverge_interpret::{Argument, End, Launch, Value};
use reconverge_ir::{Inst, Op};

fn with_lanes(unit: &Unit, lanes: usize, argument: Argument) -> Vec<End> {
    let launch = Launch { lanes, arguments: vec![argument], ..Launch::default() };
    unit.outcome(&launch).lanes.into_iter().map(|lane| lane.end).collect()
}

#[test]
fn lanes_have_a_state_each() {
    let unit = Unit::op(Op::BitCount, &[U32], U32, &[]);
    let arguments = (0..5).map(|lane| Value::u32((1 << lane) - 1)).collect();
    let ends = with_lanes(&unit, 5, Argument::PerLane(arguments));
    let expected: Vec<End> = (0..5).map(|lane| End::Returned(Some(Value::u32(lane)))).collect();
    assert_eq!(ends, expected);
}

/// A group operation on a scope, the parameter and what else is given.
fn group(op: Op, ty: Ty, result: Ty, more: &[u32]) -> Unit {
    Unit::new(&[ty], result, |build, parameters| {
        let u32_type = U32.build(build);
        let scope = build.constant_word(u32_type, 3);
        let result = result.build(build);
        let is_reduction = op.signature().len() == 4;
        let mut operands = vec![scope];
        let more = more.iter().map(|&word| match is_reduction {
            true => build.editor().word(word),
            false => build.constant_word(u32_type, word),
        });
        let more: Vec<Inst> = more.collect();
        operands.extend(if is_reduction { [&more[..], parameters].concat() } else { [parameters, &more[..]].concat() });
        build.emit(op, Some(result), &operands)
    })
}

#[test]
fn a_lane_alone_is_a_group() {
    let value = |op, more: &[u32]| group(op, U32, U32, more).value(&[Value::u32(40)]);
    assert_eq!(value(Op::GroupNonUniformBroadcastFirst, &[]), Value::u32(40));
    assert_eq!(value(Op::GroupNonUniformBroadcast, &[0]), Value::u32(40));
    assert_eq!(value(Op::GroupNonUniformShuffleXor, &[1]), Value::Undefined);
    assert_eq!(value(Op::GroupNonUniformIAdd, &[0]), Value::u32(40));
    assert_eq!(value(Op::GroupNonUniformIAdd, &[2]), Value::u32(0));
    assert_eq!(value(Op::GroupNonUniformIMul, &[2]), Value::u32(1));
    assert_eq!(value(Op::GroupNonUniformSMin, &[2]), Value::i32(i32::MAX));
    assert_eq!(value(Op::GroupNonUniformSMax, &[2]), Value::i32(i32::MIN));
    assert_eq!(value(Op::GroupNonUniformBitwiseAnd, &[2]), Value::u32(u32::MAX));
    let ballot = group(Op::GroupNonUniformBallot, Ty::Bool, Ty::Vector(&U32, 4), &[]);
    let words = |words: [u32; 4]| Value::composite(words.map(Value::u32).to_vec());
    assert_eq!(ballot.value(&[true.into()]), words([1, 0, 0, 0]));
    assert_eq!(ballot.value(&[false.into()]), words([0; 4]));
}

#[test]
fn convergent_operations_concern_all_lanes() {
    let unit = group(Op::GroupNonUniformAny, Ty::Bool, Ty::Bool, &[]);
    assert_eq!(unit.value(&[true.into()]), Value::Bool(true));
    let votes = |votes: [bool; 3]| Argument::PerLane(votes.map(Value::from).to_vec());
    for (given, expected) in [([false, true, false], true), ([false; 3], false)] {
        let ends = with_lanes(&unit, 3, votes(given));
        assert!(ends.iter().all(|end| *end == End::Returned(Some(expected.into()))), "{ends:?}");
    }
    let barrier = Unit::new(&[U32], U32, |build, parameters| {
        let u32_type = U32.build(build);
        let scope = build.constant_word(u32_type, 2);
        build.control_barrier(&[scope, scope, scope]);
        parameters[0]
    });
    assert_eq!(barrier.value(&[Value::u32(1)]), Value::u32(1));
    let ends = with_lanes(&barrier, 2, Argument::Same(Value::u32(1)));
    assert_eq!(ends, vec![End::Returned(Some(Value::u32(1))); 2]);
}

#[test]
fn an_unsupported_op_is_named_and_only_where_it_is_reached() {
    let unit = Unit::op(Op::RayQueryGetIntersectionTypeKHR, &[U32, U32], U32, &[]);
    match unit.end(&[Value::u32(1), Value::u32(1)]) {
        End::Unsupported { what, place } => {
            assert_eq!(what, "op ray_query_get_intersection_type_khr");
            assert_eq!(unit.module.op(place.inst), Op::RayQueryGetIntersectionTypeKHR);
        }
        end => panic!("{end}"),
    }
}

#[test]
fn operands_of_wrong_types_are_no_program() {
    let integers_as_floats = Unit::op(Op::FAdd, &[U32, U32], F32, &[]);
    let widths = Unit::op(Op::IAdd, &[U32, Ty::Int(64)], U32, &[]);
    let missing = Unit::op(Op::Load, &[], U32, &[]);
    let one = Value::u32(1);
    assert!(matches!(integers_as_floats.end(&[one.clone(), one.clone()]), End::Malformed { .. }));
    assert!(matches!(widths.end(&[one, Value::u64(1)]), End::Malformed { .. }));
    assert!(matches!(missing.end(&[]), End::Malformed { .. }));
}

/// An extended instruction on parameters of one type.
fn extended(set: &'static str, number: u32, ty: Ty, count: usize) -> Unit {
    Unit::new(&vec![ty; count], ty, |build, parameters| {
        let name = build.editor().text(set);
        let import = build.editor().append_global(Op::ExtInstImport, None, &[name]);
        let ty = ty.build(build);
        let operands = [&[import, build.editor().word(number)], parameters].concat();
        build.ext_inst(ty, &operands)
    })
}

const GLSL: &str = "GLSL.std.450";
const OPEN_CL: &str = "OpenCL.std";

#[test]
fn extended_float_functions() {
    let value = |set, number, arguments: &[f32]| {
        let arguments: Vec<Value> = arguments.iter().map(|&value| Value::f32(value)).collect();
        extended(set, number, F32, arguments.len()).value(&arguments).as_f32().unwrap()
    };
    assert_eq!(value(GLSL, 2, &[2.5]), 2.0);
    assert_eq!(value(GLSL, 4, &[-2.5]), 2.5);
    assert_eq!(value(GLSL, 6, &[-2.5]), -1.0);
    assert_eq!(value(GLSL, 8, &[-2.5]), -3.0);
    assert_eq!(value(GLSL, 10, &[-2.25]), 0.75);
    assert_eq!(value(GLSL, 31, &[2.0]), 2f32.sqrt());
    assert_eq!(value(GLSL, 18, &[1.0]), std::f32::consts::FRAC_PI_4);
    assert_eq!(value(GLSL, 43, &[5.0, -1.0, 1.0]), 1.0);
    assert_eq!(value(GLSL, 46, &[2.0, 4.0, 0.25]), 2.5);
    assert_eq!(value(GLSL, 49, &[0.0, 2.0, 1.0]), 0.5);
    assert_eq!(value(GLSL, 50, &[1.1, 1.3, -1.43]), 1.1f32.mul_add(1.3, -1.43));
    assert_eq!(value(OPEN_CL, 26, &[1.1, 1.3, -1.43]), 1.1f32.mul_add(1.3, -1.43));
    assert_eq!(value(OPEN_CL, 55, &[2.5]), 3.0);
    assert_eq!(value(OPEN_CL, 27, &[1.0, f32::NAN]), 1.0);
    assert_eq!(value(OPEN_CL, 68, &[1.0, 3.0]), 1.0 / 3.0);
}

#[test]
fn extended_integer_functions() {
    let value = |set, number, arguments: &[i32]| {
        let arguments: Vec<Value> = arguments.iter().map(|&value| Value::i32(value)).collect();
        extended(set, number, U32, arguments.len()).value(&arguments).as_u32().unwrap()
    };
    let signed = |set, number, arguments: &[i32]| value(set, number, arguments) as i32;
    assert_eq!(value(GLSL, 5, &[i32::MIN]), i32::MIN.unsigned_abs());
    assert_eq!(signed(GLSL, 39, &[-1, 1]), -1);
    assert_eq!(signed(GLSL, 38, &[-1, 1]), 1);
    assert_eq!(signed(GLSL, 45, &[-5, -3, 3]), -3);
    assert_eq!(value(GLSL, 73, &[0x50]), 4);
    assert_eq!(value(GLSL, 74, &[-1]), u32::MAX);
    assert_eq!(value(GLSL, 75, &[0x50]), 6);
    assert_eq!(value(OPEN_CL, 151, &[1]), 31);
    assert_eq!(value(OPEN_CL, 152, &[0]), 32);
    assert_eq!(value(OPEN_CL, 166, &[0xff0f]), 12);
    assert_eq!(signed(OPEN_CL, 143, &[i32::MAX, 1]), i32::MAX);
    assert_eq!(signed(OPEN_CL, 144, &[-1, 1]), -1);
    assert_eq!(signed(OPEN_CL, 145, &[-3, -4]), -4);
    assert_eq!(signed(OPEN_CL, 160, &[i32::MIN, 4]), -2);
    assert_eq!(signed(OPEN_CL, 161, &[0x4000_0001, 33]), i32::MIN + 2);
    assert_eq!(value(OPEN_CL, 203, &[i32::MIN, 4]), 2);
    assert_eq!(value(OPEN_CL, 142, &[i32::MIN, i32::MAX]), u32::MAX);
}

#[test]
fn extended_vector_functions() {
    const V3: Ty = Ty::Vector(&F32, 3);
    let vector = |values: [f32; 3]| Value::composite(values.map(Value::f32).to_vec());
    let cross = extended(GLSL, 68, V3, 2);
    assert_eq!(cross.value(&[vector([1.0, 2.0, 3.0]), vector([4.0, 5.0, 6.0])]), vector([-3.0, 6.0, -3.0]));
    let normalize = extended(GLSL, 69, V3, 1);
    assert_eq!(normalize.value(&[vector([3.0, 0.0, 4.0])]), vector([0.6, 0.0, 0.8]));
    let floor = extended(OPEN_CL, 25, V3, 1);
    assert_eq!(floor.value(&[vector([1.5, -1.5, 2.0])]), vector([1.0, -2.0, 2.0]));
}

#[test]
fn unknown_extended_instructions_are_named_and_non_semantic_ones_do_nothing() {
    let end = extended(GLSL, 82, F32, 1).end(&[Value::f32(1.0)]);
    assert!(matches!(&end, End::Unsupported { what, .. } if what.contains("82") && what.contains(GLSL)), "{end}");
    let end = extended("SPV_AMD_shader_ballot", 1, F32, 1).end(&[Value::f32(1.0)]);
    assert!(matches!(&end, End::Unsupported { what, .. } if what.contains("SPV_AMD")), "{end}");
    assert_eq!(extended("NonSemantic.DebugPrintf", 1, F32, 1).value(&[Value::f32(1.0)]), Value::Undefined);
}

#[test]
fn masked_functions_are_not_run() {
    let unit = Unit::new(&[Ty::Bool], Ty::Bool, |build, parameters| {
        build.emit(Op::ExecutionMask, None, parameters);
        parameters[0]
    });
    let ends = with_lanes(&unit, 1, Argument::Same(true.into()));
    assert!(matches!(&ends[0], End::Unsupported { what, .. } if what == "op execution_mask"), "{}", ends[0]);
}
