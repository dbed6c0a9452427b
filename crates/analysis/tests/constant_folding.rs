//! What folding says against what the interpreter computes: all pairs of 8-bit integers, corners of wider ones, floats of every kind.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests")]

use reconverge_analysis::constant_folding::{Constant, Scalar, ScalarKind, evaluate, fold};
use reconverge_interpret::{Argument, End, Interpreter, Launch, Value, no_externals};
use reconverge_ir::{Inst, Module, text};

const HEAD: &str = "\
%bool = type_bool
%u8 = type_int 8, 0
%s8 = type_int 8, 1
%u16 = type_int 16, 0
%s16 = type_int 16, 1
%u32 = type_int 32, 0
%s32 = type_int 32, 1
%u64 = type_int 64, 0
%s64 = type_int 64, 1
%f16 = type_float 16
%f32 = type_float 32
%f64 = type_float 64
%v2u8 = type_vector %u8, 2
%v2u32 = type_vector %u32, 2
%v4u8 = type_vector %u8, 4
%v2bool = type_vector %bool, 2
%pair8 = type_struct %u8, %u8
%pair32 = type_struct %u32, %u32
%pairs = type_struct %v2u8, %v2u8
";

/// What was compared.
#[derive(Default)]
struct Tally {
    known: usize,
    /// Defined results that folding does not know.
    missed: usize,
}

fn scalar(value: &Value) -> Option<Scalar> {
    match *value {
        Value::Bool(value) => Some(Scalar::bool(value)),
        Value::Int { width, bits } => Some(Scalar::new(ScalarKind::Int(width.into()), bits)),
        Value::Float { width, bits } => Some(Scalar::new(ScalarKind::Float(width.into()), bits)),
        _ => None,
    }
}

fn constant(value: &Value) -> Option<Constant> {
    match value.elements() {
        Some(elements) => Constant::composite(elements.iter().map(constant).collect::<Option<_>>()?),
        None => scalar(value).map(Constant::Scalar),
    }
}

/// Holds `operation`, such as `u8 i_add u8 u8`, with literals behind the types, against the interpreter for these operands.
fn hold(operation: &str, rows: &[Vec<Value>]) -> Tally {
    let mut words = operation.split_whitespace();
    let (result, op) = (words.next().unwrap(), words.next().unwrap());
    let (types, literals): (Vec<&str>, Vec<&str>) =
        words.partition(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let parameters: Vec<String> = types.iter().enumerate().map(|(index, ty)| format!("%p{index}: %{ty}")).collect();
    let mut operands: Vec<String> = (0..types.len()).map(|index| format!("%p{index}")).collect();
    operands.extend(literals.iter().map(|&literal| literal.to_owned()));
    let source = format!(
        "{HEAD}func %f: %{result} ({}) {{\nblock ^entry:\n  %r: %{result} = {op} {}\n  return_value %r\n}}\n",
        parameters.join(", "),
        operands.join(", "),
    );
    let module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let function = module.functions().next().unwrap();
    let inst = module.first_child(module.entry(function).unwrap()).unwrap();
    let literals: Vec<u32> = literals.iter().map(|literal| literal.parse().unwrap()).collect();
    let interpreter = Interpreter::new(&module);
    let mut tally = Tally::default();
    for rows in rows.chunks(1 << 12) {
        let column = |index: usize| Argument::PerLane(rows.iter().map(|row| row[index].clone()).collect());
        let arguments = (0..types.len()).map(column).collect();
        let launch = Launch { arguments, lanes: rows.len(), ..Launch::default() };
        let outcome = interpreter.run(function, &launch, &mut no_externals).unwrap();
        for (row, lane) in rows.iter().zip(outcome.lanes) {
            let operands: Option<Vec<Constant>> = row.iter().map(constant).collect();
            let (op, ty) = (module.op(inst), module.ty(inst).unwrap());
            let folded = evaluate(&module, op, ty, &operands.unwrap(), &literals);
            let computed = match &lane.end {
                End::Returned(Some(value)) => constant(value),
                _ => None,
            };
            match (folded, computed) {
                (Some(folded), computed) => {
                    assert_eq!(Some(folded), computed, "{operation} of {row:?}, which gives {:?}", lane.end);
                    tally.known += 1;
                }
                (None, Some(_)) => tally.missed += 1,
                (None, None) => {}
            }
        }
    }
    tally
}

fn int(width: u8, bits: u64) -> Value {
    Value::int(width, bits)
}

fn bytes() -> Vec<Value> {
    (0..256).map(|bits| int(8, bits)).collect()
}

/// Zero, powers of two and what is next to them.
fn corners(width: u8) -> Vec<Value> {
    let mut all: Vec<u64> = (0..width).flat_map(|bit| [1u64 << bit, (1 << bit) - 1, (1 << bit) + 1]).collect();
    all.extend([0, u64::MAX, 0x5555_5555_5555_5555, 0x0123_4567_89ab_cdef]);
    all.extend(all.clone().into_iter().map(u64::wrapping_neg));
    let mut all: Vec<Value> = all.into_iter().map(|bits| int(width, bits)).collect();
    all.sort_by_key(|value| value.as_u64());
    all.dedup();
    all
}

fn float(width: u8, bits: u64) -> Value {
    Value::Float { width, bits }
}

/// Floats of every kind, with both signs.
fn floats(width: u8) -> Vec<Value> {
    let digits = match width {
        16 => 10,
        32 => 23,
        _ => 52,
    };
    let infinity = ((1u64 << (width - 1)) - 1) >> digits << digits;
    let least = 1u64 << digits;
    let mut all =
        vec![0, 1, least - 1, least, least + 1, infinity - 1, infinity, infinity | 1 << (digits - 1), infinity | 1];
    let numbers = [0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, 100.0, 255.0, 1000.25, 2048.0, 65504.0, 1e-3, 3.0e9, 1e18];
    all.extend(numbers.into_iter().filter_map(|number| match Value::float(width, number) {
        Value::Float { bits, .. } => Some(bits),
        _ => None,
    }));
    all.extend(all.clone().into_iter().map(|bits| bits | 1 << (width - 1)));
    all.into_iter().map(|bits| float(width, bits)).collect()
}

fn ones(values: &[Value]) -> Vec<Vec<Value>> {
    values.iter().map(|value| vec![value.clone()]).collect()
}

fn pairs(left: &[Value], right: &[Value]) -> Vec<Vec<Value>> {
    left.iter().flat_map(|left| right.iter().map(move |right| vec![left.clone(), right.clone()])).collect()
}

const INTEGER_PAIRS: [&str; 14] = [
    "i_add",
    "i_sub",
    "i_mul",
    "u_div",
    "s_div",
    "u_mod",
    "s_rem",
    "s_mod",
    "shift_right_logical",
    "shift_right_arithmetic",
    "shift_left_logical",
    "bitwise_or",
    "bitwise_xor",
    "bitwise_and",
];
const INTEGER_COMPARISONS: [&str; 10] = [
    "i_equal",
    "i_not_equal",
    "u_greater_than",
    "s_greater_than",
    "u_greater_than_equal",
    "s_greater_than_equal",
    "u_less_than",
    "s_less_than",
    "u_less_than_equal",
    "s_less_than_equal",
];

#[test]
fn all_pairs_of_bytes() {
    let rows = pairs(&bytes(), &bytes());
    for op in INTEGER_PAIRS {
        let tally = hold(&format!("u8 {op} u8 u8"), &rows);
        assert!(tally.missed == 0 && tally.known >= 8 * 256, "{op}: {} known, {} missed", tally.known, tally.missed);
    }
    for op in INTEGER_COMPARISONS {
        assert_eq!(hold(&format!("bool {op} u8 u8"), &rows).known, 1 << 16, "{op}");
    }
    for op in ["i_add_carry", "i_sub_borrow", "u_mul_extended", "s_mul_extended"] {
        assert_eq!(hold(&format!("pair8 {op} u8 u8"), &rows).known, 1 << 16, "{op}");
    }
}

#[test]
fn corners_of_wider_integers() {
    for width in [16, 32, 64] {
        let rows = pairs(&corners(width), &corners(width));
        for op in INTEGER_PAIRS {
            assert_eq!(hold(&format!("u{width} {op} u{width} u{width}"), &rows).missed, 0, "{op}");
        }
        for op in INTEGER_COMPARISONS {
            assert_eq!(hold(&format!("bool {op} u{width} u{width}"), &rows).missed, 0, "{op}");
        }
    }
    let rows = pairs(&corners(32), &corners(32));
    for op in ["i_add_carry", "i_sub_borrow", "u_mul_extended", "s_mul_extended"] {
        assert_eq!(hold(&format!("pair32 {op} u32 u32"), &rows).missed, 0, "{op}");
    }
    let amounts = pairs(&corners(64), &bytes());
    assert_eq!(hold("u64 shift_left_logical u64 u8", &amounts).missed, 0);
}

#[test]
fn single_integers_and_their_conversions() {
    for from in [8, 16, 32, 64] {
        let rows = ones(&if from == 8 { bytes() } else { corners(from) });
        for op in ["s_negate", "not", "bit_reverse", "bit_count"] {
            assert_eq!(hold(&format!("u{from} {op} u{from}"), &rows).missed, 0, "{op}");
        }
        for to in [8, 16, 32, 64] {
            for (result, op, operand) in [
                ("u", "u_convert", "u"),
                ("s", "s_convert", "s"),
                ("u", "sat_convert_s_to_u", "s"),
                ("s", "sat_convert_u_to_s", "u"),
                ("u", "bit_count", "u"),
            ] {
                assert_eq!(hold(&format!("{result}{to} {op} {operand}{from}"), &rows).missed, 0, "{op} {from} {to}");
            }
        }
        for to in [16, 32, 64] {
            for (op, sign) in [("convert_s_to_f", "s"), ("convert_u_to_f", "u")] {
                assert!(hold(&format!("f{to} {op} {sign}{from}"), &rows).known > 8, "{op}");
            }
        }
    }
}

#[test]
fn floats_where_the_result_is_certain() {
    for width in [16, 32, 64] {
        let rows = pairs(&floats(width), &floats(width));
        for op in ["f_add", "f_sub", "f_mul", "f_div"] {
            assert!(hold(&format!("f{width} {op} f{width} f{width}"), &rows).known > 200, "{op} {width}");
        }
        let comparisons = ["equal", "not_equal", "less_than", "greater_than", "less_than_equal", "greater_than_equal"];
        for name in comparisons {
            for order in ["ord", "unord"] {
                assert!(hold(&format!("bool f_{order}_{name} f{width} f{width}"), &rows).known > 1000, "{name}");
            }
        }
        for op in ["less_or_greater", "ordered", "unordered"] {
            assert!(hold(&format!("bool {op} f{width} f{width}"), &rows).known > 1000, "{op}");
        }
        let rows = ones(&floats(width));
        for op in ["is_nan", "is_inf", "is_finite", "is_normal", "sign_bit_set"] {
            assert!(hold(&format!("bool {op} f{width}"), &rows).known > 20, "{op}");
        }
        assert!(hold(&format!("f{width} f_negate f{width}"), &rows).known > 20);
        assert!(hold(&format!("u{width} bitcast f{width}"), &rows).known > 20);
        assert!(hold(&format!("f{width} bitcast u{width}"), &ones(&corners(width))).known > 20);
        for to in [8, 16, 32, 64] {
            for (op, sign) in [("convert_f_to_u", "u"), ("convert_f_to_s", "s")] {
                assert!(hold(&format!("{sign}{to} {op} f{width}"), &rows).known >= 8, "{op} {width} {to}");
            }
        }
        for to in [16, 32, 64].into_iter().filter(|&to| to != width) {
            assert!(hold(&format!("f{to} f_convert f{width}"), &rows).known > 10);
        }
    }
    assert!(hold("f32 quantize_to_f16 f32", &ones(&floats(32))).known > 10);
}

#[test]
fn booleans_and_select() {
    let bools = [Value::Bool(false), Value::Bool(true)];
    let rows = pairs(&bools, &bools);
    for op in ["logical_and", "logical_or", "logical_equal", "logical_not_equal"] {
        assert_eq!(hold(&format!("bool {op} bool bool"), &rows).known, 4);
    }
    assert_eq!(hold("bool logical_not bool", &ones(&bools)).known, 2);
    let choices: Vec<Vec<Value>> = bools.iter().map(|bool| vec![bool.clone(), int(8, 3), int(8, 4)]).collect();
    assert_eq!(hold("u8 select bool u8 u8", &choices).known, 2);
    let vectors: Vec<Value> = rows.into_iter().map(Value::composite).collect();
    assert_eq!(hold("bool any v2bool", &ones(&vectors)).known, 4);
    assert_eq!(hold("bool all v2bool", &ones(&vectors)).known, 4);
    let pair = |low, high| Value::composite(vec![int(8, low), int(8, high)]);
    let rows = vectors.iter().map(|condition| vec![condition.clone(), pair(1, 2), pair(3, 4)]);
    assert_eq!(hold("v2u8 select v2bool v2u8 v2u8", &rows.collect::<Vec<_>>()).known, 4);
    let rows = bools.iter().map(|condition| vec![condition.clone(), pair(1, 2), pair(3, 4)]);
    assert_eq!(hold("v2u8 select bool v2u8 v2u8", &rows.collect::<Vec<_>>()).known, 2);
}

#[test]
fn bit_fields() {
    let (mut extracted, mut inserted) = (Vec::new(), Vec::new());
    for (offset, count) in (0..10u64).flat_map(|offset| (0..10u64).map(move |count| (offset, count))) {
        for base in [0, 1, 0x5a, 0x80, 0xff, 0xc3] {
            extracted.push(vec![int(8, base), int(32, offset), int(32, count)]);
            for insert in [0, 0xff, 0x96] {
                inserted.push(vec![int(8, base), int(8, insert), int(32, offset), int(32, count)]);
            }
        }
    }
    for op in ["bit_field_s_extract", "bit_field_u_extract"] {
        let tally = hold(&format!("u8 {op} u8 u32 u32"), &extracted);
        assert!(tally.missed == 0 && tally.known > 200);
    }
    assert_eq!(hold("u8 bit_field_insert u8 u8 u32 u32", &inserted).missed, 0);
}

#[test]
fn composites() {
    let vector = |parts: &[u64]| Value::composite(parts.iter().map(|&bits| int(8, bits)).collect());
    let (a, b) = (vector(&[1, 200]), vector(&[3, 4]));
    let both = vec![vec![a.clone(), b.clone()]];
    assert_eq!(hold("v4u8 composite_construct v2u8 v2u8", &both).known, 1);
    assert_eq!(hold("pairs composite_construct v2u8 v2u8", &both).known, 1);
    assert_eq!(hold("v4u8 vector_shuffle v2u8 v2u8 3 0 0 2", &both).known, 1);
    assert_eq!(hold("pairs i_add_carry v2u8 v2u8", &both).known, 1);
    assert_eq!(hold("v2u8 i_mul v2u8 v2u8", &both).known, 1);
    let nested = Value::composite(vec![a.clone(), b.clone()]);
    assert_eq!(hold("u8 composite_extract pairs 1 0", &[vec![nested.clone()]]).known, 1);
    assert_eq!(hold("v2u8 composite_extract pairs 1", &[vec![nested.clone()]]).known, 1);
    assert_eq!(hold("pairs composite_insert u8 pairs 1 0", &[vec![int(8, 9), nested]]).known, 1);
    let dynamic: Vec<Vec<Value>> = (0..3).map(|index| vec![a.clone(), int(32, index)]).collect();
    assert_eq!(hold("u8 vector_extract_dynamic v2u8 u32", &dynamic).known, 2);
    let dynamic: Vec<Vec<Value>> = (0..3).map(|index| vec![a.clone(), int(8, 7), int(32, index)]).collect();
    assert_eq!(hold("v2u8 vector_insert_dynamic v2u8 u8 u32", &dynamic).known, 2);
    let word = Value::composite(vec![int(32, 0x0123_4567), int(32, 0x89ab_cdef)]);
    assert_eq!(hold("u64 bitcast v2u32", &[vec![word.clone()]]).known, 1);
    assert_eq!(hold("v2u32 bitcast u64", &ones(&corners(64))).missed, 0);
    assert_eq!(hold("u32 bitcast v4u8", &[vec![vector(&[1, 2, 3, 200])]]).known, 1);
    assert_eq!(hold("v4u8 bitcast u32", &ones(&corners(32))).missed, 0);
}

fn folded(module: &Module, inst: Inst) -> Option<Constant> {
    fold(module, inst, |operand| Constant::of(module, operand))
}

#[test]
fn constants_of_a_module() {
    let source = format!(
        "{HEAD}%m: %s8 = constant 4294967295
%two: %s8 = constant 2
%spec: %s8 = spec_constant 2
%null: %v2u8 = constant_null
%undef: %s8 = undef
%f: %f32 = constant 1067450368
%large_length: %u32 = constant 1000000000
%large = type_array %u8, %large_length
%zeros: %large = constant_null
func %g: %s8 () {{
block ^entry:
  %a: %s8 = i_add %m, %two
  %b: %s8 = i_add %spec, %two
  %c: %s8 = i_add %undef, %two
  %d: %u8 = composite_extract %null, 1
  %e: %s32 = convert_f_to_s %f
  %h: %s32 = convert_f_to_s %f {{ decorate 39 2 }}
  %i: %u8 = composite_extract %zeros, 1
  return_value %a
}}
"
    );
    let module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let function = module.functions().next().unwrap();
    let insts = module.children(module.entry(function).unwrap());
    let found: Vec<Option<u64>> =
        insts.map(|inst| folded(&module, inst).and_then(|value| value.as_scalar()).map(|scalar| scalar.bits)).collect();
    assert_eq!(found, [Some(1), None, None, Some(0), Some(1), None, None, None]);
}
