//! Divisions and operations on bits of one lane, for machines with and without them, against the interpreter on the code before.

use reconverge_analysis::launch::Facts;
use reconverge_interpret::{End, Launch, Value, no_externals, run};
use reconverge_ir::{Function, Module, Op, OpGroup, text};
use reconverge_legalize::{Machine, Widths, expand_bits, expand_division};
use reconverge_verify::verify;

use crate::CODE;

const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// Nothing but unsigned division by variables.
const POOR: Machine = Machine {
    constant_divisions: Widths::NONE,
    signed_divisions: Widths::NONE,
    bit_operations: Widths::NONE,
    ..Machine::complete(CODE)
};
/// As `POOR`, but without products of which the upper half of 64 bits is needed.
const POOR_IN_LONGS: Machine = Machine { constant_divisions: Widths::only(64), ..POOR };
const RICH: Machine = Machine::complete(CODE);

/// A function `f` of two integers of a width, whose result is `%r`.
fn function(width: u32, constants: &str, body: &str) -> Module {
    let text = format!(
        "%u8 = type_int 8 0\n%u16 = type_int 16 0\n%u32 = type_int 32 0\n%u64 = type_int 64 0\n\
         %glsl = ext_inst_import \"GLSL.std.450\"\n{constants}\
         %fn = type_function %u{width} %u{width} %u{width}\n\
         func %f: %u{width} (%a: %u{width}, %b: %u{width}) type %fn control 0 stage graph {{\nblock ^entry:\n{body}\n  \
         return_value %r\n}}\n"
    );
    text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn only(module: &Module) -> Function {
    module.functions().next().expect("it is there")
}

fn result(module: &Module, width: u32, [a, b]: [u64; 2]) -> Value {
    let arguments = [a, b].map(|bits| Value::Int { width: width as u8, bits: bits & mask(width) }).to_vec();
    let outcome = run(module, only(module), &Launch::new(arguments).with_fuel(10_000), &mut no_externals);
    match outcome.expect("the launch fits").only().end.clone() {
        End::Returned(Some(value)) => value,
        other => panic!("{other:?}\n{}", text::print(module)),
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// Corners of a width, and noise.
fn numbers(width: u32) -> Vec<u64> {
    let sign = 1_u64 << (width - 1);
    let mut numbers =
        vec![0, 1, 2, 3, 7, 10, 100, sign - 1, sign, sign + 1, mask(width) - 6, mask(width) - 1, mask(width)];
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..12 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        numbers.push(state & mask(width));
        numbers.push(state >> 40 & mask(width));
    }
    numbers
}

fn literal(width: u32, bits: u64) -> String {
    match width {
        64 => format!("words({}, {})", bits as u32, bits >> 32),
        _ => (bits & mask(width)).to_string(),
    }
}

/// Compares the results of a function before and after a pass.
fn check(before: &Module, after: &Module, width: u32, defined: impl Fn(u64, u64) -> bool) {
    assert_eq!(verify(after), [], "{}", text::print(after));
    for a in numbers(width) {
        for b in numbers(width).into_iter().filter(|&b| defined(a, b)) {
            let (wanted, found) = (result(before, width, [a, b]), result(after, width, [a, b]));
            assert_eq!(found, wanted, "{width} bits: {a:#x}, {b:#x}\n{}", text::print(after));
        }
    }
}

const DIVISIONS: [&str; 5] = ["u_div", "u_mod", "s_div", "s_rem", "s_mod"];

/// Returns whether a quotient is defined: not by zero, and not of the least integer by −1.
fn is_quotient(op: &str, width: u32, a: u64, b: u64) -> bool {
    let is_overflow = op.starts_with('s') && a == 1 << (width - 1) && b == mask(width);
    b != 0 && !is_overflow
}

#[test]
fn divisions_by_variables() {
    for (op, width) in DIVISIONS.into_iter().flat_map(|op| WIDTHS.map(|width| (op, width))) {
        let before = function(width, "", &format!("  %r: %u{width} = {op} %a, %b"));
        for (machine, is_expanded) in [(POOR, op.starts_with('s')), (RICH, op == "s_mod")] {
            let mut after = before.clone();
            let function = only(&after);
            assert_eq!(expand_division(&mut after, function, &machine, &Facts::default()), is_expanded, "{op}");
            check(&before, &after, width, |a, b| is_quotient(op, width, a, b));
            assert!(
                !expand_division(&mut after, function, &machine, &Facts::default()),
                "a second run changes nothing"
            );
        }
    }
}

#[test]
fn divisions_by_constants() {
    for (op, width) in DIVISIONS.into_iter().flat_map(|op| WIDTHS.map(|width| (op, width))) {
        for divisor in numbers(width).into_iter().filter(|&divisor| divisor != 0) {
            let constants = format!("%d: %u{width} = constant {}\n", literal(width, divisor));
            let before = function(width, &constants, &format!("  %r: %u{width} = {op} %a, %d"));
            for machine in [POOR, POOR_IN_LONGS, RICH] {
                let mut after = before.clone();
                let function = only(&after);
                expand_division(&mut after, function, &machine, &Facts::default());
                check(&before, &after, width, |a, b| b == 1 && is_quotient(op, width, a, divisor));
                let mut all = after.blocks(function).flat_map(|block| after.children(block));
                let is_left = all.any(|inst| after.op(inst).group() == OpGroup::IntegerDivision);
                assert!(!is_left || machine.constant_divisions != Widths::NONE, "{}", text::print(&after));
            }
        }
    }
}

#[test]
fn long_divisions_of_words() {
    for op in DIVISIONS {
        for (divisor, constants) in [("%y", ""), ("%d", "%d: %u64 = constant words(10, 0)\n")] {
            let body = format!(
                "  %x32: %u32 = u_convert %a\n  %x: %u64 = u_convert %x32\n  %y32: %u32 = u_convert %b\n  \
                 %y: %u64 = u_convert %y32\n  %r: %u64 = {op} %x, {divisor}"
            );
            let before = function(64, constants, &body);
            for machine in [POOR, RICH] {
                let mut after = before.clone();
                let function = only(&after);
                assert!(expand_division(&mut after, function, &machine, &Facts::default()), "{op}");
                check(&before, &after, 64, |_, b| b as u32 != 0);
                let divisions = after.blocks(function).flat_map(|block| after.children(block));
                let mut divisions = divisions.filter(|&inst| after.op(inst).group() == OpGroup::IntegerDivision);
                let width = |ty| after.width(ty).expect("it is one of a number");
                assert!(divisions.all(|inst| after.ty(inst).map(width) == Some(32)), "{}", text::print(&after));
            }
        }
    }
}

#[test]
fn narrow_divisions_of_words_that_were_cut() {
    for (op, width) in DIVISIONS.into_iter().flat_map(|op| [8, 16].map(|width| (op, width))) {
        let constants = format!("%d: %u{width} = constant 10\n%p: %u{width} = constant 8\n");
        let body = format!(
            "  %x: %u{width} = u_convert %a\n  %y: %u{width} = {op} %x, %d\n  %z: %u{width} = {op} %x, %p\n  \
             %y32: %u32 = u_convert %y\n  %z32: %u32 = u_convert %z\n  %r: %u32 = bitwise_xor %y32, %z32"
        );
        let before = function(32, &constants, &body);
        let mut after = before.clone();
        let function = only(&after);
        assert!(expand_division(&mut after, function, &POOR, &Facts::default()), "{op}");
        check(&before, &after, 32, |_, b| b == 1);
    }
}

/// Expands the operations on bits of a function, compares its results, and requires that none of these operations is left.
fn check_bits(width: u32, constants: &str, body: &str, defined: impl Fn(u64, u64) -> bool) {
    let before = function(width, constants, body);
    let mut after = before.clone();
    let function = only(&after);
    assert!(expand_bits(&mut after, function, &POOR), "{body}");
    check(&before, &after, width, defined);
    let mut all = after.blocks(function).flat_map(|block| after.children(block));
    assert!(!all.any(|inst| matches!(after.op(inst).group(), OpGroup::BitCount | OpGroup::BitField)));
    let mut same = before.clone();
    assert!(!expand_bits(&mut same, function, &RICH));
}

#[test]
fn counts_and_orders() {
    for width in WIDTHS {
        for result in WIDTHS {
            let body = format!("  %n: %u{result} = bit_count %a\n");
            let back = if result == width { "copy_object" } else { "u_convert" };
            check_bits(width, "", &format!("{body}  %r: %u{width} = {back} %n"), |_, b| b == 1);
        }
        check_bits(width, "", &format!("  %r: %u{width} = bit_reverse %a"), |_, b| b == 1);
    }
    for (width, instruction) in [(8, 73), (16, 73), (32, 73), (64, 73), (32, 74)] {
        let body = format!("  %r: %u{width} = ext_inst %glsl, {instruction}, %a");
        check_bits(width, "", &body, |_, b| b == 1);
    }
}

#[test]
fn fields() {
    for width in WIDTHS {
        let fields = (0..=width).flat_map(|at| [0, 1, 5, width - at].map(|count| (at, count)));
        for (at, count) in fields.filter(|(at, count)| at + count <= width && (at % 3 == 0 || width == 8)) {
            let constants = format!("%at: %u32 = constant {at}\n%count: %u32 = constant {count}\n");
            for operation in ["bit_field_s_extract %a", "bit_field_u_extract %a", "bit_field_insert %a, %b"] {
                let body = format!("  %r: %u{width} = {operation}, %at, %count");
                check_bits(width, &constants, &body, |a, b| b == a || b < 3);
            }
        }
        // Offsets and counts that are not known.
        let [last, all] = [width - 1, width].map(|number| literal(width, number.into()));
        let constants = format!("%last: %u{width} = constant {last}\n%all: %u{width} = constant {all}\n");
        for operation in ["bit_field_s_extract %a", "bit_field_u_extract %a", "bit_field_insert %a, %a"] {
            let body = format!(
                "  %at: %u{width} = bitwise_and %b, %last\n  %count: %u{width} = i_sub %all, %at\n  \
                 %r: %u{width} = {operation}, %at, %count"
            );
            check_bits(width, &constants, &body, |_, _| true);
        }
    }
}

#[test]
fn vectors_stay() {
    let text = "%u32 = type_int 32 0\n%u32x2 = type_vector %u32 2\n%fn = type_function %u32x2 %u32x2\n\
        func %f: %u32x2 (%a: %u32x2) type %fn control 0 stage graph {\nblock ^entry:\n  %q: %u32x2 = s_mod %a, %a\n  \
        %r: %u32x2 = bit_count %q\n  return_value %r\n}\n";
    let mut module = text::parse(text).expect("it is valid");
    let function = only(&module);
    assert!(!expand_division(&mut module, function, &POOR, &Facts::default()));
    assert!(!expand_bits(&mut module, function, &POOR));
    let first = module.blocks(function).flat_map(|block| module.children(block)).next();
    assert_eq!(first.map(|inst| module.op(inst)), Some(Op::SMod));
}
