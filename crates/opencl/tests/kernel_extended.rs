//! Instructions of OpenCL.std, lowered, against what OpenCL says that they compute.

use crate::kernel_library::{Bits, Random, check_verified, function_of, lowered, read, refused, results};
use reconverge_interpret::Value;
use reconverge_ir::{Module, Op};
use reconverge_opencl::{Context, extended_instructions};
use reconverge_verify::verify;

/// Integers with and without sign, in more bits than any operand has.
type Wide = i128;

fn signed(width: u32, bits: u64) -> Wide {
    Wide::from((bits << (64 - width)) as i64 >> (64 - width))
}

fn unsigned(_: u32, bits: u64) -> Wide {
    Wide::from(bits)
}

fn saturated(width: u32, is_signed: bool, value: Wide) -> u64 {
    let (least, greatest) = match is_signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    };
    value.clamp(least, greatest) as u64
}

/// A function of integers: number, operands, and the definition, by width and bits.
type Definition = (u32, usize, fn(u32, &[u64]) -> u64);

fn s(width: u32, operands: &[u64]) -> Vec<Wide> {
    operands.iter().map(|&bits| signed(width, bits)).collect()
}

fn u(width: u32, operands: &[u64]) -> Vec<Wide> {
    operands.iter().map(|&bits| unsigned(width, bits)).collect()
}

const INTEGERS: &[Definition] = &[
    (141, 1, |w, v| s(w, v)[0].unsigned_abs() as u64),
    (142, 2, |w, v| s(w, v)[0].abs_diff(s(w, v)[1]) as u64),
    (143, 2, |w, v| saturated(w, true, s(w, v)[0] + s(w, v)[1])),
    (144, 2, |w, v| saturated(w, false, u(w, v)[0] + u(w, v)[1])),
    (145, 2, |w, v| ((s(w, v)[0] + s(w, v)[1]) >> 1) as u64),
    (146, 2, |w, v| ((u(w, v)[0] + u(w, v)[1]) >> 1) as u64),
    (147, 2, |w, v| ((s(w, v)[0] + s(w, v)[1] + 1) >> 1) as u64),
    (148, 2, |w, v| ((u(w, v)[0] + u(w, v)[1] + 1) >> 1) as u64),
    (151, 1, |w, v| u64::from(v[0].leading_zeros() - (64 - w))),
    (152, 1, |w, v| u64::from(v[0].trailing_zeros().min(w))),
    (153, 3, |w, v| (((s(w, v)[0] * s(w, v)[1]) >> w) + s(w, v)[2]) as u64),
    (154, 3, |w, v| {
        let product = u128::from(v[0]) * u128::from(v[1]);
        product.saturating_add(u128::from(v[2])).min((1 << w) - 1) as u64
    }),
    (155, 3, |w, v| saturated(w, true, s(w, v)[0] * s(w, v)[1] + s(w, v)[2])),
    (156, 2, |w, v| s(w, v)[0].max(s(w, v)[1]) as u64),
    (157, 2, |_, v| v[0].max(v[1])),
    (158, 2, |w, v| s(w, v)[0].min(s(w, v)[1]) as u64),
    (159, 2, |_, v| v[0].min(v[1])),
    (160, 2, |w, v| ((s(w, v)[0] * s(w, v)[1]) >> w) as u64),
    (161, 2, |w, v| {
        let amount = (v[1] % u64::from(w)) as u32;
        let twice = u128::from(v[0]) << w | u128::from(v[0]);
        (twice << amount >> w) as u64
    }),
    (162, 2, |w, v| saturated(w, true, s(w, v)[0] - s(w, v)[1])),
    (163, 2, |w, v| saturated(w, false, u(w, v)[0] - u(w, v)[1])),
    (166, 1, |_, v| u64::from(v[0].count_ones())),
    (186, 3, |_, v| (v[0] & !v[2]) | (v[1] & v[2])),
    (187, 3, |_, v| if v[2] != 0 { v[1] } else { v[0] }),
    (201, 1, |_, v| v[0]),
    (202, 2, |_, v| v[0].abs_diff(v[1])),
    (203, 2, |w, v| ((u128::from(v[0]) * u128::from(v[1])) >> w) as u64),
    (204, 3, |w, v| (((u128::from(v[0]) * u128::from(v[1])) >> w) as u64).wrapping_add(v[2])),
];

fn check_integers(width: u32, (number, count, definition): Definition, rows: &[Vec<u64>]) {
    let ty = format!("i{width}");
    let operands = ["%a", "%b", "%c"][..count].join(", ");
    let module = lowered(&function_of(&ty, &vec![&*ty; count], &format!("ext_inst %set, {number}, {operands}")));
    let arguments: Vec<Vec<Value>> =
        rows.iter().map(|row| row.iter().map(|&bits| Value::int(width as u8, bits)).collect()).collect();
    for (row, result) in rows.iter().zip(results(&module, &arguments)) {
        let expected = definition(width, row) & (u64::MAX >> (64 - width));
        assert_eq!(result.scalar_bits(), expected, "instruction {number}, {width} bits, of {row:x?}");
    }
}

#[test]
fn integers_of_eight_bits() {
    for &definition in INTEGERS {
        let count = definition.1;
        let mut random = Random(17);
        let all = (0..1_u64 << (8 * count.min(2)))
            .map(|bits| [bits & 255, bits >> 8, random.bits(8)][..count].to_vec())
            .collect::<Vec<_>>();
        check_integers(8, definition, &all);
    }
}

#[test]
fn integers_of_more_bits() {
    for width in [16, 32, 64] {
        for &definition in INTEGERS {
            let mut random = Random(u64::from(width) + 1);
            let rows: Vec<Vec<u64>> =
                (0..4_000).map(|_| (0..definition.1).map(|_| random.bits(width)).collect()).collect();
            check_integers(width, definition, &rows);
        }
    }
}

/// Instructions of an op in all functions.
fn count(module: &Module, op: Op) -> usize {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.flat_map(|block| module.children(block)).filter(|&inst| module.op(inst) == op).count()
}

#[test]
fn functions_are_written_once_and_called_for_each_component() {
    let source = function_of("f32x16", &["f32x16"], "ext_inst %set, 57, %a").replace(
        "return_value %r",
        "%s: %f32x16 = ext_inst %set, 57, %r\n%t: %f32x16 = ext_inst %set, 19, %s\nreturn_value %t",
    );
    let module = lowered(&source);
    assert_eq!(module.functions().count(), 3, "the function, the sine, the exponential");
    assert_eq!(count(&module, Op::FunctionCall), 48);
}

#[test]
fn formulas_are_written_for_four_components_at_most() {
    let module = lowered(&function_of("i8x16", &["i8x16", "i8x16"], "ext_inst %set, 143, %a, %b"));
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let arithmetic = blocks.flat_map(|block| module.children(block)).filter(|&inst| module.op(inst) == Op::IAdd);
    let counts: Vec<Option<u32>> =
        arithmetic.map(|inst| module.ty(inst).and_then(|ty| module.literal_word(module.operand(ty, 1)))).collect();
    assert_eq!(counts, [Some(4); 4]);
}

#[test]
fn highest_bits() {
    for (op, definition) in [("any", [false, true, true]), ("all", [false, false, true])] {
        let module = lowered(&function_of("bool", &["i8x4"], &format!("{op} %a")));
        let vector = |bits: [u64; 4]| vec![Value::composite(bits.map(|bits| Value::int(8, bits)).to_vec())];
        let rows = [vector([1, 127, 64, 0]), vector([1, 128, 64, 0]), vector([255, 128, 129, 200])];
        assert_eq!(results(&module, &rows), definition.map(Value::Bool));
        let scalar = lowered(&function_of("bool", &["i32"], &format!("{op} %a")));
        assert_eq!(results(&scalar, &[vec![Value::i32(-1)], vec![Value::i32(1)]]), [true, false].map(Value::Bool));
    }
}

#[test]
fn what_vulkan_has_for_32_bits_alone() {
    for width in [8, 16, 64] {
        let ty = format!("i{width}");
        let mask = u64::MAX >> (64 - width);
        let mut random = Random(u64::from(width));
        let rows: Vec<Vec<Value>> = (0..200).map(|_| vec![Value::int(width as u8, random.bits(width))]).collect();
        let reversed = lowered(&function_of(&ty, &[&ty], "bit_reverse %a"));
        let counted = lowered(&function_of("i32", &[&ty], "bit_count %a"));
        for (row, (reverse, count)) in
            rows.iter().zip(results(&reversed, &rows).into_iter().zip(results(&counted, &rows)))
        {
            let bits = row[0].scalar_bits();
            assert_eq!(reverse.scalar_bits(), bits.reverse_bits() >> (64 - width) & mask, "{bits:x}");
            assert_eq!(count.scalar_bits(), u64::from(bits.count_ones()), "{bits:x}");
        }
    }
}

#[test]
fn hints_go() {
    let source = function_of("i32", &["i32", "i32"], "expect_khr %a, %b")
        .replace("return_value", "%t: %bool = i_equal %a, %b\nassume_true_khr %t\nreturn_value");
    let module = lowered(&source);
    assert_eq!((count(&module, Op::ExpectKHR), count(&module, Op::AssumeTrueKHR)), (0, 0));
    let module = lowered(&function_of("i32", &["i32"], "s_convert %a"));
    assert_eq!(count(&module, Op::SConvert), 0, "a conversion to the type that it has");
}

#[test]
fn what_has_no_lowering_is_named() {
    let refusal = |result: &str, parameters: &[&str], line: &str| {
        refused(&function_of(result, parameters, line), extended_instructions)
    };
    assert_eq!(refusal("f64", &["f64"], "ext_inst %set, 92, %a"), "not supported: native_sin on double");
    assert_eq!(refusal("f32", &["f32"], "ext_inst %set, 999, %a"), "not supported: instruction 999 of OpenCL.std");
    assert_eq!(refusal("i32", &["i32"], "ext_inst %set, 184, %a"), "not supported: printf");
}

#[test]
fn other_instruction_sets_stay() {
    let source = function_of("f32", &["f32"], "ext_inst %set, 13, %a").replace("OpenCL.std", "GLSL.std.450");
    assert_eq!(count(&lowered(&source), Op::ExtInst), 1);
}

/// Whatever the operands are, an instruction that the verifier lets pass is lowered to something valid or refused.
#[test]
fn any_operands_at_all() {
    let types = ["f16", "f32x4", "f64x2", "f32x8", "i8", "i32", "i32x3", "i64x16", "bool", "boolx4", "pointer"];
    let pointer = "%pointer = type_pointer CrossWorkgroup, %f32\n%none = type_void\n";
    let (mut lowered, mut refused, mut ill_typed, mut random) = (0, 0, 0, Random(9));
    let mut draw = |count: usize| types[random.next() as usize % count];
    for number in (0..=110).chain(141..=187).chain(201..=204) {
        for round in 0..40 {
            let count = round % 5;
            let alike = draw(types.len() - 1);
            let operands: Vec<&str> =
                (0..count).map(|_| if round % 3 == 0 { draw(types.len()) } else { alike }).collect();
            let result = if round % 2 == 0 { alike } else { draw(types.len() - 1) };
            let names = [", %a", ", %b", ", %c", ", %d"][..count].concat();
            let source = function_of(result, &operands, &format!("ext_inst %set, {number}{names}"));
            let mut module = read(&source.replace("func %f", &format!("{pointer}func %f")));
            if !verify(&module).is_empty() {
                ill_typed += 1;
                continue;
            }
            match extended_instructions(&mut module, &mut Context::default()) {
                Ok(_) => {
                    check_verified(&module);
                    lowered += 1;
                }
                Err(error) => {
                    assert!(!error.message.is_empty());
                    refused += 1;
                }
            }
        }
    }
    let counts = format!("{lowered} lowered, {refused} refused, {ill_typed} ill-typed");
    assert!(lowered > 100 && refused > 100 && ill_typed > 1000, "{counts}");
}
