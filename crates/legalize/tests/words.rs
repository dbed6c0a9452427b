//! Machines with words alone: narrow integers in words, operations with two results, and 64-bit integers through both, against the interpreter on
//! the code before, and against the arithmetic of the host.

use reconverge_interpret::{End, Launch, Value, no_externals, run};
use reconverge_ir::{Module, Op, text};
use reconverge_legalize::{Machine, Widths, expand_carries, split_integers, widen_integers};
use reconverge_verify::verify;

use crate::CODE;

const TYPES: &str = "
%bool = type_bool
%u8 = type_int 8 0
%u16 = type_int 16 0
%u32 = type_int 32 0
%u64 = type_int 64 0
%f16 = type_float 16
%f32 = type_float 32
%u8x4 = type_vector %u8 4
%u8x2 = type_vector %u8 2
%u16x2 = type_vector %u16 2
%u32x2 = type_vector %u32 2
%couple = type_struct %u32 %u32
%longs = type_struct %u64 %u64
%glsl = ext_inst_import \"GLSL.std.450\"
%fn = type_function %u32 %u32 %u32
%long_fn = type_function %u64 %u64 %u64
";

/// Words alone, without two results.
fn machine() -> Machine {
    Machine { integers: Widths::only(32), carries: Widths::NONE, ..Machine::complete(CODE) }
}

fn parse(text: &str) -> Module {
    text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn result(module: &Module, arguments: Vec<Value>) -> Value {
    let function = module.functions().find(|&function| module.name(function).as_deref() == Some("f"));
    let launch = Launch::new(arguments).with_fuel(100_000);
    let outcome = run(module, function.expect("it is there"), &launch, &mut no_externals).expect("the launch fits");
    match outcome.only().end.clone() {
        End::Returned(Some(value)) => value,
        other => panic!("{other:?}\n{}", text::print(module)),
    }
}

/// Corners of all widths, and noise.
fn numbers() -> Vec<u32> {
    let mut numbers = vec![0, 1, 2, 5, 7, 8, 15, 16, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff];
    numbers.extend([0x8000_0000, u32::MAX]);
    let mut state: u32 = 0x9e37_79b9;
    for _ in 0..14 {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        numbers.push(state);
    }
    numbers
}

/// Whether the module has a type of an integer of these widths at a value.
fn has_width(module: &Module, widths: &[u32]) -> bool {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let mut types = blocks.flat_map(|block| module.children(block)).filter_map(|inst| module.ty(inst));
    types.any(|ty| {
        let (component, _) = module.components(ty);
        module.op(component) == Op::TypeInt && module.width(component).is_some_and(|width| widths.contains(&width))
    })
}

/// Runs a function of two words before and after narrow integers are widened. `defined` says for which its result is.
fn check(body: &str, defined: impl Fn(u32, u32) -> bool) {
    let text = format!(
        "{TYPES}func %f: %u32 (%a: %u32, %b: %u32) type %fn control 0 stage graph {{\nblock ^entry:\n{body}\n  return_value %r\n}}\n"
    );
    let before = parse(&text);
    let mut after = parse(&text);
    assert_eq!(widen_integers(&mut after, &machine()), Ok(true), "{body}");
    assert_eq!(verify(&after), [], "{}", text::print(&after));
    assert!(!has_width(&after, &[8, 16]), "{}", text::print(&after));
    let once = text::print(&after);
    assert_eq!(widen_integers(&mut after, &machine()), Ok(false), "a second run changes nothing");
    assert_eq!(text::print(&after), once);
    for a in numbers() {
        for b in numbers().into_iter().filter(|&b| defined(a, b)) {
            let arguments = || vec![Value::u32(a), Value::u32(b)];
            let (wanted, found) = (result(&before, arguments()), result(&after, arguments()));
            assert_eq!(found, wanted, "{body}: {a:#x}, {b:#x}\n{once}");
        }
    }
}

/// A function of two narrow numbers, which come from words and go to a word with their sign.
fn narrow(width: u32, body: &str) -> String {
    format!("  %x: %u{width} = u_convert %a\n  %y: %u{width} = u_convert %b\n{body}\n  %r: %u32 = s_convert %z")
}

#[test]
fn narrow_arithmetic() {
    for width in [8, 16] {
        for op in ["i_add", "i_sub", "i_mul", "bitwise_and", "bitwise_or", "bitwise_xor"] {
            check(&narrow(width, &format!("  %z: %u{width} = {op} %x, %y")), |_, _| true);
        }
        for op in ["s_negate", "not"] {
            check(&narrow(width, &format!("  %z: %u{width} = {op} %x")), |_, b| b == 0);
        }
        let mask = (1 << width) - 1;
        for op in ["u_div", "u_mod"] {
            check(&narrow(width, &format!("  %z: %u{width} = {op} %x, %y")), |_, b| b & mask != 0);
        }
        for op in ["s_div", "s_rem", "s_mod"] {
            let is_defined = |a: u32, b: u32| b & mask != 0 && (a & mask != 1 << (width - 1) || b & mask != mask);
            check(&narrow(width, &format!("  %z: %u{width} = {op} %x, %y")), is_defined);
        }
        for op in ["shift_left_logical", "shift_right_logical", "shift_right_arithmetic"] {
            check(&narrow(width, &format!("  %z: %u{width} = {op} %x, %y")), |_, b| b & mask < width);
        }
    }
}

#[test]
fn narrow_comparisons_and_selections() {
    let ops = ["i_equal", "i_not_equal", "u_less_than", "u_greater_than_equal", "s_less_than", "s_less_than_equal"];
    for width in [8, 16] {
        for op in ops.iter().chain(&["s_greater_than", "s_greater_than_equal"]) {
            let body = format!("  %c: %bool = {op} %x, %y\n  %z: %u{width} = select %c, %x, %y");
            check(&narrow(width, &body), |_, _| true);
        }
        for number in [38, 39, 41, 42] {
            check(&narrow(width, &format!("  %z: %u{width} = ext_inst %glsl, {number}, %x, %y")), |_, _| true);
        }
        let body = format!(
            "  switch %x default ^other [127 ^one] [128 ^one]\nblock ^one:\n  branch ^join(%y)\nblock ^other:\n  branch ^join(%x)\nblock ^join(%z: %u{width}):"
        );
        check(&narrow(width, &body), |_, _| true);
    }
}

#[test]
fn narrow_conversions() {
    check("  %x: %u8 = u_convert %a\n  %y: %u16 = s_convert %x\n  %r: %u32 = u_convert %y", |_, b| b == 0);
    check("  %x: %u16 = u_convert %a\n  %y: %u8 = s_convert %x\n  %r: %u32 = u_convert %y", |_, b| b == 0);
    check("  %x: %u16 = u_convert %a\n  %y: %u8 = u_convert %x\n  %r: %u32 = s_convert %y", |_, b| b == 0);
    for convert in ["convert_s_to_f", "convert_u_to_f"] {
        let body = format!("  %x: %u16 = u_convert %a\n  %y: %f32 = {convert} %x\n  %r: %u32 = bitcast %y");
        check(&body, |_, b| b == 0);
    }
    let back = "  %m: %u8 = u_convert %a\n  %n: %f32 = convert_s_to_f %m\n  %x: %u8 = convert_f_to_s %n\n  %r: %u32 = s_convert %x";
    check(back, |_, b| b == 0);
}

#[test]
fn narrow_bits_of_other_types() {
    check(
        "  %x: %u8x4 = bitcast %a\n  %y: %u8x4 = bitcast %b\n  %z: %u8x4 = i_add %x, %y\n  %r: %u32 = bitcast %z",
        |_, _| true,
    );
    check(
        "  %x: %u16x2 = bitcast %a\n  %y: %u8x4 = bitcast %x\n  %z: %u8x4 = i_mul %y, %y\n  %r: %u32 = bitcast %z",
        |_, b| b == 0,
    );
    let shuffled = "  %x: %u8x4 = bitcast %a\n  %y: %u8x4 = bitcast %b\n  %z: %u8x4 = vector_shuffle %x, %y, 6, 1, 0, 5\n  %r: %u32 = bitcast %z";
    check(shuffled, |_, _| true);
    check(
        "  %x: %u16 = u_convert %a\n  %y: %u8x2 = bitcast %x\n  %z: %u8 = composite_extract %y, 1\n  %r: %u32 = s_convert %z",
        |_, b| b == 0,
    );
    let half = "  %x: %u16 = u_convert %a\n  %h: %f16 = bitcast %x\n  %n: %f16 = f_negate %h\n  %y: %u16 = bitcast %n\n  %r: %u32 = u_convert %y";
    check(half, |a, b| b == 0 && a & 0x7c00 != 0x7c00);
}

#[test]
fn two_results() {
    for op in ["i_add_carry", "i_sub_borrow", "u_mul_extended", "s_mul_extended"] {
        for part in [0, 1] {
            let text = format!(
                "{TYPES}func %f: %u32 (%a: %u32, %b: %u32) type %fn control 0 stage graph {{\nblock ^entry:\n  %s: %couple = {op} %a, %b\n  %r: %u32 = composite_extract %s, {part}\n  return_value %r\n}}\n"
            );
            let mut after = parse(&text);
            assert_eq!(expand_carries(&mut after, &machine()), Ok(true));
            assert_eq!(verify(&after), []);
            for a in numbers() {
                for b in numbers() {
                    let (wide, signed) = (u64::from(a) * u64::from(b), i64::from(a as i32) * i64::from(b as i32));
                    let wanted = match (op, part) {
                        ("i_add_carry", 0) => a.wrapping_add(b),
                        ("i_add_carry", _) => u32::from(a.checked_add(b).is_none()),
                        ("i_sub_borrow", 0) => a.wrapping_sub(b),
                        ("i_sub_borrow", _) => u32::from(b > a),
                        (_, 0) => wide as u32,
                        ("u_mul_extended", _) => (wide >> 32) as u32,
                        _ => (signed >> 32) as u32,
                    };
                    let found = result(&after, vec![Value::u32(a), Value::u32(b)]);
                    assert_eq!(found, Value::u32(wanted), "{op} {part}: {a:#x}, {b:#x}");
                }
            }
        }
    }
}

/// The passes one after another, on random numbers of 64 bits, against the host.
#[test]
fn long_integers_through_all_passes() {
    type Host = fn(u64, u64) -> u64;
    let rows: [(&str, Host); 13] = [
        ("i_add", u64::wrapping_add),
        ("i_sub", u64::wrapping_sub),
        ("i_mul", u64::wrapping_mul),
        ("u_div", |a, b| a / b.max(1)),
        ("u_mod", |a, b| a % b.max(1)),
        ("s_div", |a, b| a.cast_signed().wrapping_div(b.max(1).cast_signed()).cast_unsigned()),
        ("s_rem", |a, b| a.cast_signed().wrapping_rem(b.max(1).cast_signed()).cast_unsigned()),
        ("bitwise_and", |a, b| a & b),
        ("bitwise_or", |a, b| a | b),
        ("bitwise_xor", |a, b| a ^ b),
        ("shift_left_logical", |a, b| a << (b & 63)),
        ("shift_right_logical", |a, b| a >> (b & 63)),
        ("shift_right_arithmetic", |a, b| (a.cast_signed() >> (b & 63)).cast_unsigned()),
    ];
    for (op, host) in rows {
        let text = format!(
            "{TYPES}func %f: %u64 (%a: %u64, %b: %u64) type %long_fn control 0 stage graph {{\nblock ^entry:\n  %r: %u64 = {op} %a, %b\n  return_value %r\n}}\n"
        );
        let mut module = parse(&text);
        assert_eq!(split_integers(&mut module, &machine()), Ok(true));
        widen_integers(&mut module, &machine()).expect("there is nothing narrow");
        expand_carries(&mut module, &machine()).expect("all results are extracted");
        assert_eq!(verify(&module), [], "{}", text::print(&module));
        assert!(!has_width(&module, &[8, 16, 64]), "{}", text::print(&module));
        let mut state: u64 = 0x0123_4567_89ab_cdef;
        for round in 0..400_u32 {
            let mut next = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state >> (round % 61)
            };
            let (a, mut b) = (next(), next());
            if op.starts_with("shift") {
                b &= 63;
            }
            if op.ends_with("div") || op.ends_with("mod") || op.ends_with("rem") {
                b = b.max(1);
            }
            let halves = [a, b].into_iter().flat_map(|long| [Value::u32(long as u32), Value::u32((long >> 32) as u32)]);
            let wanted = host(a, b);
            let wanted = Value::composite(vec![Value::u32(wanted as u32), Value::u32((wanted >> 32) as u32)]);
            assert_eq!(result(&module, halves.collect()), wanted, "{op}: {a:#x}, {b:#x}");
        }
    }
}
