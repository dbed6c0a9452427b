//! 64-bit integers as pairs: the same results, and no 64-bit integer left.

use reconverge_interpret::{End, Launch, Value, no_externals, run};
use reconverge_ir::{Function, Module, Op, text};
use reconverge_legalize::{Machine, Widths, split_integers};
use reconverge_verify::verify;

use crate::CODE;

const TYPES: &str = "
%bool = type_bool
%u8 = type_int 8 0
%u16 = type_int 16 0
%u32 = type_int 32 0
%u64 = type_int 64 0
%f32 = type_float 32
%f64 = type_float 64
%x2 = type_vector %u32 2
%couple = type_struct %u64 %u64
";

fn machine() -> Machine {
    Machine { integers: Widths::ALL.without(Widths::only(64)), ..Machine::complete(CODE) }
}

fn parse(text: &str) -> Module {
    text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn function_named(module: &Module, name: &str) -> Function {
    module.functions().find(|&function| module.name(function).as_deref() == Some(name)).expect("the function is there")
}

fn split(module: &mut Module) {
    assert_eq!(split_integers(module, &machine()), Ok(true));
    assert_eq!(verify(module), [], "{}", text::print(module));
    let functions: Vec<Function> = module.functions().collect();
    for function in functions {
        let insts = module.blocks(function).flat_map(|block| module.children(block));
        for inst in insts {
            let is_long = |ty| module.op(ty) == Op::TypeInt && module.literal_word(module.operand(ty, 0)) == Some(64);
            assert!(!module.ty(inst).is_some_and(is_long), "{}", text::print(module));
        }
    }
}

fn result(module: &Module, arguments: Vec<Value>) -> Value {
    let launch = Launch::new(arguments).with_fuel(100_000);
    let outcome = run(module, function_named(module, "f"), &launch, &mut no_externals).expect("the launch fits");
    match outcome.only().end.clone() {
        End::Returned(Some(value)) => value,
        other => panic!("{other:?}\n{}", text::print(module)),
    }
}

/// 64-bit integers as their halves, all else as it is.
fn halves(value: &Value) -> Vec<Value> {
    match value {
        Value::Int { width: 64, bits } => vec![Value::u32(*bits as u32), Value::u32((bits >> 32) as u32)],
        other => vec![other.clone()],
    }
}

/// Corners and noise.
fn numbers() -> Vec<u64> {
    let mut numbers =
        vec![0, 1, 2, 31, 32, 33, 63, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 32, u64::MAX, 1 << 63, (1 << 63) - 1];
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    for index in 0..30 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        numbers.push(state >> (index * 2));
    }
    numbers
}

/// Runs a function of two 64-bit numbers before and after. `defined` says for which the result is.
fn check(body: &str, result_type: &str, defined: impl Fn(u64, u64) -> bool) {
    let text = format!(
        "{TYPES}%fn = type_function %{result_type} %u64 %u64\nfunc %f: %{result_type} (%a: %u64, %b: %u64) type %fn control 0 stage graph {{\nblock ^entry:\n{body}\n  return_value %r\n}}\n"
    );
    let before = parse(&text);
    let mut after = parse(&text);
    split(&mut after);
    for a in numbers() {
        for b in numbers() {
            if !defined(a, b) {
                continue;
            }
            let wanted = result(&before, vec![Value::u64(a), Value::u64(b)]);
            let arguments = [a, b].map(Value::u64).iter().flat_map(halves).collect();
            let found = result(&after, arguments);
            let wanted = match result_type {
                "u64" => Value::composite(halves(&wanted)),
                _ => wanted,
            };
            assert_eq!(found, wanted, "{body}: {a:#x}, {b:#x}\n{}", text::print(&after));
        }
    }
}

#[test]
fn arithmetic_and_bits() {
    for op in ["i_add", "i_sub", "i_mul", "bitwise_and", "bitwise_or", "bitwise_xor"] {
        check(&format!("  %r: %u64 = {op} %a, %b"), "u64", |_, _| true);
    }
    for op in ["s_negate", "not"] {
        check(&format!("  %r: %u64 = {op} %a"), "u64", |_, b| b == 0);
    }
}

#[test]
fn shifts_by_every_amount() {
    for op in ["shift_left_logical", "shift_right_logical", "shift_right_arithmetic"] {
        check(&format!("  %r: %u64 = {op} %a, %b"), "u64", |_, b| b < 64);
        check(&format!("  %n: %u32 = u_convert %b\n  %r: %u64 = {op} %a, %n"), "u64", |_, b| b < 64);
        for amount in [0, 1, 31, 32, 33, 63] {
            let constant = format!("  %c: %u64 = constant words({amount}, 0)\n");
            let text = format!("  %r: %u64 = {op} %a, %c");
            check_with(&constant, &text, "u64");
        }
    }
}

/// As [`check`], with constants at module level, for one second operand.
fn check_with(constants: &str, body: &str, result_type: &str) {
    let text = format!(
        "{TYPES}{constants}%fn = type_function %{result_type} %u64\nfunc %f: %{result_type} (%a: %u64) type %fn control 0 stage graph {{\nblock ^entry:\n{body}\n  return_value %r\n}}\n"
    );
    let before = parse(&text);
    let mut after = parse(&text);
    split(&mut after);
    for a in numbers() {
        let wanted = result(&before, vec![Value::u64(a)]);
        let wanted = if result_type == "u64" { Value::composite(halves(&wanted)) } else { wanted };
        assert_eq!(result(&after, halves(&Value::u64(a))), wanted, "{body}: {a:#x}");
    }
}

#[test]
fn comparisons() {
    let ops = [
        "i_equal",
        "i_not_equal",
        "u_less_than",
        "u_less_than_equal",
        "u_greater_than",
        "u_greater_than_equal",
        "s_less_than",
        "s_less_than_equal",
        "s_greater_than",
        "s_greater_than_equal",
    ];
    for op in ops {
        check(&format!("  %r: %bool = {op} %a, %b"), "bool", |_, _| true);
        check(&format!("  %c: %bool = {op} %a, %b\n  %r: %u64 = select %c, %a, %b"), "u64", |_, _| true);
    }
}

#[test]
fn division() {
    for op in ["u_div", "u_mod"] {
        check(&format!("  %r: %u64 = {op} %a, %b"), "u64", |_, b| b != 0);
    }
    for op in ["s_div", "s_rem", "s_mod"] {
        check(&format!("  %r: %u64 = {op} %a, %b"), "u64", |a, b| b != 0 && (a, b) != (1 << 63, u64::MAX));
    }
}

#[test]
fn carries_and_whole_products() {
    for op in ["i_add_carry", "i_sub_borrow", "u_mul_extended"] {
        for part in [0, 1] {
            check(&format!("  %s: %couple = {op} %a, %b\n  %r: %u64 = composite_extract %s, {part}"), "u64", |_, _| {
                true
            });
        }
    }
}

#[test]
fn conversions() {
    for (op, ty) in
        [("u_convert", "u32"), ("u_convert", "u16"), ("s_convert", "u8"), ("bitcast", "x2"), ("bitcast", "f64")]
    {
        check(&format!("  %r: %{ty} = {op} %a"), ty, |_, b| b == 0);
    }
    for (op, ty) in [("u_convert", "u32"), ("s_convert", "u32"), ("u_convert", "u16"), ("s_convert", "u8")] {
        check(&format!("  %n: %{ty} = u_convert %a\n  %r: %u64 = {op} %n"), "u64", |_, b| b == 0);
    }
    for (op, ty) in
        [("convert_u_to_f", "f32"), ("convert_s_to_f", "f32"), ("convert_u_to_f", "f64"), ("convert_s_to_f", "f64")]
    {
        check(&format!("  %r: %{ty} = {op} %a"), ty, |_, b| b == 0);
    }
    for ty in ["f32", "f64"] {
        check(&format!("  %n: %{ty} = convert_u_to_f %a\n  %r: %u64 = convert_f_to_u %n"), "u64", |a, b| {
            b == 0 && a < u64::MAX - (1 << 41)
        });
        check(&format!("  %n: %{ty} = convert_s_to_f %a\n  %r: %u64 = convert_f_to_s %n"), "u64", |a, b| {
            b == 0 && a.cast_signed() < i64::MAX - (1 << 41)
        });
    }
}

#[test]
fn parameters_calls_switches_and_memory() {
    let text = format!(
        "{TYPES}
%pointer = type_pointer Function %u64
%c0: %u64 = constant words(0, 0)
%c1: %u64 = constant words(1, 0)
%c5: %u64 = constant words(5, 0)
%c7: %u64 = constant words(7, 0)
%fn = type_function %u64 %u64 %u64
func %g: %u64 (%x: %u64, %y: %u64) type %fn control 0 stage graph {{
block ^entry:
  %z: %u64 = i_mul %x, %y
  return_value %z
}}
func %f: %u64 (%a: %u64, %b: %u64) type %fn control 0 stage graph {{
block ^entry:
  %v: %pointer = variable Function
  store %v, %a
  branch ^loop(%c0, %b)
block ^loop(%i: %u64, %sum: %u64):
  switch %i default ^other [words(1, 0) ^one] [words(5, 2) ^never]
block ^other:
  %p: %u64 = load %v
  branch ^join(%p)
block ^one:
  %q: %u64 = function_call %g, %sum, %c7
  branch ^join(%q)
block ^never:
  branch ^join(%c0)
block ^join(%n: %u64):
  store %v, %n
  %t: %u64 = i_add %sum, %n
  %j: %u64 = i_add %i, %c1
  %more: %bool = u_less_than %j, %c5
  branch_if %more ^again ^done
block ^again:
  branch ^loop(%j, %t)
block ^done:
  return_value %t
}}
"
    );
    let before = parse(&text);
    let mut after = parse(&text);
    split(&mut after);
    for a in numbers() {
        let wanted = result(&before, vec![Value::u64(a), Value::u64(3)]);
        let arguments = [a, 3].map(Value::u64).iter().flat_map(halves).collect();
        assert_eq!(result(&after, arguments), Value::composite(halves(&wanted)), "{a:#x}");
    }
    let once = text::print(&after);
    split_integers(&mut after, &machine()).unwrap();
    assert_eq!(text::print(&after), once, "a second run changes nothing");
}

#[test]
fn what_has_no_expansion_is_named() {
    let text = format!(
        "{TYPES}%long2 = type_vector %u64 2
%fn = type_function %void %u64
%void = type_void
func %f: %void (%a: %u64) type %fn control 0 stage graph {{
block ^entry:
  %v: %long2 = composite_construct %a, %a
  return
}}
"
    );
    let text = text.replace("%void = type_void\n", "").replace("%fn =", "%void = type_void\n%fn =");
    let error = split_integers(&mut parse(&text), &machine()).unwrap_err();
    assert_eq!(error.code, CODE);
    assert!(error.message.contains("vectors"), "{error}");
}
