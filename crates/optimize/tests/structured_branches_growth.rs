//! Large functions: deep ones on a small stack, long ones in near-linear time.
//!
//! Time is printed and not judged: `cargo nextest run -p reconverge-optimize structured_branches_growth:: --no-capture`.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests")]

use std::fmt::Write;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, Op};
use reconverge_optimize::structured::{
    fold_constant_branches, if_conversion, invert_empty_arms, join_equal_jumps, merge_terminators,
    remove_dead_control_flow,
};
use reconverge_testing::is_deep;
use reconverge_testing::programs::{self, check_verified, count, functions, split_critical_edges};

/// A pass.
type Pass = fn(&mut Module, Function) -> Result<bool, Diagnostic>;

/// A pass, a program of so many parts for it, and the op that is left how many times.
type Case = (&'static str, Pass, fn(usize) -> String, (Op, fn(usize) -> usize));

fn module(body: &str) -> Module {
    const DECLARED: &str = "%false: %bool = constant_false\nfunc %value: %void (%at: %u32)\n";
    let mut module = programs::module(&format!("{DECLARED}{body}"));
    let function = functions(&module)[0];
    split_critical_edges(&mut module, function);
    module
}

fn framed(inside: &str) -> String {
    format!("func %f: %u32 (%a: %bool, %n: %u32) stage structured {{\nblock ^entry:\n{inside}}}")
}

/// `open` for each number upwards, then `close` for each downwards.
fn nested(count: usize, open: impl Fn(usize) -> String, close: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    (0..count).for_each(|number| writeln!(text, "{}", open(number)).unwrap());
    (0..count).rev().for_each(|number| writeln!(text, "{}", close(number)).unwrap());
    text
}

fn nested_ifs(count: usize, condition: &str) -> String {
    let open = |number: usize| format!("if {condition} ^t{number} ^e{number} merge ^m{number}\nblock ^t{number}:");
    let close = |number: usize| {
        let inner = if number + 1 == count { "%n".to_owned() } else { format!("%p{}", number + 1) };
        format!(
            "branch ^m{number}({inner})\nedge ^e{number}:\nbranch ^m{number}(%n)\nblock ^m{number}(%p{number}: %u32):"
        )
    };
    framed(&(nested(count, open, close) + "return_value %p0\n"))
}

fn nested_choices(count: usize) -> String {
    nested_ifs(count, "%a").replace("(%n)\nedge", "(%ten)\nedge")
}

fn nested_empty(count: usize) -> String {
    let open = |number: usize| format!("if %a ^e{number} ^t{number} merge ^m{number}\nblock ^t{number}:");
    let close = |number: usize| format!("branch ^m{number}\nedge ^e{number}:\nbranch ^m{number}\nblock ^m{number}:");
    framed(&(nested(count, open, close) + "return_value %n\n"))
}

fn sequential_ifs(count: usize, condition: &str, arm: &str) -> String {
    let mut text = String::new();
    for i in 0..count {
        writeln!(text, "if {condition} ^t{i} ^e{i} merge ^m{i}\nblock ^t{i}:").unwrap();
        writeln!(text, "%s{i}: %u32 = i_add %n, %one\n{arm}branch ^m{i}(%s{i})\nedge ^e{i}:\nbranch ^m{i}(%n)\nblock ^m{i}(%p{i}: %u32):")
            .unwrap();
    }
    framed(&(text + "return_value %n\n"))
}

fn inverted_ifs(count: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        writeln!(text, "%c{i}: %bool = u_less_than %n, %ten\nif %c{i} ^e{i} ^t{i} merge ^m{i}").unwrap();
        writeln!(text, "edge ^e{i}:\nbranch ^m{i}\nblock ^t{i}:\n%r{i}: %void = function_call %value, %n\nbranch ^m{i}\nblock ^m{i}:").unwrap();
    }
    framed(&(text + "return_value %n\n"))
}

fn nested_returns(count: usize) -> String {
    let open = |number: usize| format!("if %a ^t{number} ^e{number} merge ^m{number}\nblock ^t{number}:");
    let close = |number: usize| {
        format!("return_value %n\nblock ^e{number}:\nreturn_value %one\nblock ^m{number}:\nunreachable")
    };
    // What stands behind an inner selection that never ends is its merge block's `unreachable`.
    let text = nested(count, open, close);
    framed(&text.replace("unreachable\nreturn_value %n\n", "unreachable\n"))
}

fn exits(count: usize) -> String {
    let mut text = String::from("loop ^h(%zero) break ^done continue ^next\nblock ^h(%i: %u32):\n");
    for i in 0..count {
        writeln!(
            text,
            "%c{i}: %bool = i_equal %i, %n\nbranch_if %c{i} ^e{i} ^b{i}\nedge ^e{i}:\nbranch ^done(%n)\nblock ^b{i}:"
        )
        .unwrap();
    }
    framed(
        &(text
            + "branch ^next\nblock ^next:\n%i1: %u32 = i_add %i, %one\nbranch ^h(%i1)\nblock ^done(%r: %u32):\nreturn_value %r\n"),
    )
}

/// A switch each case of which falls into the next, and may leave before.
fn switch(count: usize) -> String {
    let mut text = String::from("structured_switch %zero default ^other merge ^m");
    (0..count).for_each(|i| write!(text, " [{i} ^{}{i}]", if i == 0 { 'c' } else { 'x' }).unwrap());
    for i in 0..count {
        if i > 0 {
            writeln!(text, "\nedge ^x{i}:\nbranch ^c{i}").unwrap();
        }
        let next = if i + 1 == count { "^m".to_owned() } else { format!("^c{}", i + 1) };
        writeln!(text, "\nblock ^c{i}:\nbranch_if %a ^l{i} ^s{i}\nedge ^l{i}:\nbranch ^m\nblock ^s{i}:\nbranch {next}")
            .unwrap();
    }
    framed(&(text + "block ^other:\nbranch ^m\nblock ^m:\nreturn_value %n\n"))
}

fn loop_of(number: usize) -> (String, String) {
    let i = number;
    let open = format!(
        "loop ^h{i}(%zero) break ^d{i} continue ^k{i}\nblock ^h{i}(%i{i}: %u32):
         %c{i}: %bool = u_less_than %i{i}, %n\nbranch_if %c{i} ^b{i} ^x{i}\nedge ^x{i}:\nbranch ^d{i}\nblock ^b{i}:"
    );
    let close =
        format!("branch ^k{i}\nblock ^k{i}:\n%j{i}: %u32 = i_add %i{i}, %one\nbranch ^h{i}(%j{i})\nblock ^d{i}:");
    (open, close)
}

fn nested_loops(count: usize) -> String {
    framed(&(nested(count, |i| loop_of(i).0, |i| loop_of(i).1) + "return_value %n\n"))
}

fn sequential_loops(count: usize) -> String {
    let loops: Vec<String> = (0..count).map(loop_of).map(|(open, close)| format!("{open}\n{close}\n")).collect();
    framed(&(loops.concat() + "return_value %n\n"))
}

const DEEP: [Case; 8] = [
    ("fold_constant_branches", fold_constant_branches, |n| nested_ifs(n, "%true"), (Op::If, |_| 0)),
    (
        "remove_dead_control_flow",
        remove_dead_control_flow,
        |n| nested_ifs(n, "%a").replace("return_value %p0", "return_value %n"),
        (Op::If, |_| 0),
    ),
    ("remove_dead_control_flow, used outside", remove_dead_control_flow, nested_choices, (Op::If, |n| n)),
    ("remove_dead_control_flow, loops", remove_dead_control_flow, nested_loops, (Op::Loop, |_| 0)),
    ("invert_empty_arms", invert_empty_arms, nested_empty, (Op::LogicalNot, |n| n - 1)),
    ("join_equal_jumps", join_equal_jumps, nested_returns, (Op::ReturnValue, |_| 1)),
    ("merge_terminators", merge_terminators, exits, (Op::BranchIf, |n| n.div_ceil(5))),
    ("if_conversion", if_conversion, nested_choices, (Op::If, |n| n - 8)),
];

const LONG: [Case; 7] = [
    ("fold_constant_branches", fold_constant_branches, |n| sequential_ifs(n, "%false", ""), (Op::If, |_| 0)),
    ("fold_constant_branches, switch", fold_constant_branches, switch, (Op::If, |_| 1)),
    ("remove_dead_control_flow", remove_dead_control_flow, |n| sequential_ifs(n, "%a", ""), (Op::If, |_| 0)),
    ("remove_dead_control_flow, loops", remove_dead_control_flow, sequential_loops, (Op::Loop, |_| 0)),
    ("invert_empty_arms", invert_empty_arms, inverted_ifs, (Op::If, |n| n)),
    ("merge_terminators", merge_terminators, exits, (Op::BranchIf, |n| n.div_ceil(5))),
    ("if_conversion", if_conversion, |n| sequential_ifs(n, "%a", ""), (Op::If, |_| 0)),
];

fn wide_switch(count: usize) -> String {
    let mut text = String::from("structured_switch %n default ^other merge ^m");
    (0..count).for_each(|i| write!(text, " [{i} ^c{i}]").unwrap());
    (0..count).for_each(|i| write!(text, "\nedge ^c{i}:\nbranch ^m").unwrap());
    framed(&(text + "\nedge ^other:\nbranch ^m\nblock ^m:\nreturn_value %n\n"))
}

/// Loops that are left before they repeat.
fn unreached_latches(count: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        writeln!(text, "loop ^h{i} break ^d{i} continue ^k{i}\nblock ^h{i}:\nbranch ^b{i}\nblock ^b{i}:").unwrap();
        writeln!(text, "%r{i}: %void = function_call %value, %n\nbranch ^d{i}").unwrap();
        writeln!(text, "block ^k{i}:\nbranch ^h{i}\nblock ^d{i}:").unwrap();
    }
    framed(&(text + "return_value %n\n"))
}

/// Loops in each other that all use a value of the innermost one; it is used behind them too, if so wished.
fn loops_over(count: usize, used: &str) -> String {
    let open = |i: usize| {
        let value = if i + 1 == count { "%x: %u32 = i_add %n, %one\n" } else { "" };
        format!(
            "loop ^h{i}(%zero) break ^d{i} continue ^k{i}\nblock ^h{i}(%i{i}: %u32):\nbranch ^b{i}\nblock ^b{i}:\n{value}"
        )
    };
    let close = |i: usize| {
        format!(
            "branch ^k{i}\nblock ^k{i}:\n%j{i}: %u32 = i_add %i{i}, %one\n%z{i}: %u32 = i_add %x, %one
             %c{i}: %bool = u_less_than %j{i}, %n\nbranch_if %c{i} ^y{i} ^o{i}\nedge ^y{i}:\nbranch ^h{i}(%j{i})
             edge ^o{i}:\nbranch ^d{i}\nblock ^d{i}:"
        )
    };
    framed(&(nested(count, open, close) + &format!("return_value {used}\n")))
}

/// What would take minutes, in a deep run, if any part of the pass were quadratic.
const LARGE: [Case; 6] = [
    ("a wide switch", remove_dead_control_flow, |n| wide_switch(n.min(30_000)), (Op::StructuredSwitch, |_| 0)),
    ("a row", remove_dead_control_flow, |n| sequential_ifs(n, "%a", ""), (Op::If, |_| 0)),
    ("a nest", remove_dead_control_flow, nested_empty, (Op::If, |_| 0)),
    ("unreached latches", remove_dead_control_flow, unreached_latches, (Op::Loop, |n| n)),
    ("used inside", remove_dead_control_flow, |n| loops_over(n, "%n"), (Op::Loop, |_| 0)),
    ("used behind", remove_dead_control_flow, |n| loops_over(n, "%x"), (Op::Loop, |n| n)),
];

fn run(&(name, pass, program, (op, left)): &Case, size: usize) {
    let mut module = module(&program(size));
    let function = functions(&module)[0];
    pass(&mut module, function).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(count(&module, op), left(size), "{name}");
    assert!(!pass(&mut module, function).unwrap(), "{name} goes on");
    if size <= 2_000 {
        check_verified(&module);
    }
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn deep_functions_on_a_small_stack() {
    on_a_small_stack(|| {
        for case in &DEEP {
            run(case, 1_000);
            run(case, 10_000);
        }
    });
}

#[test]
fn long_functions() {
    let sizes: &[usize] = if is_deep() { &[12_500, 25_000, 50_000, 100_000] } else { &[1_000, 10_000] };
    on_a_small_stack(move || {
        for case in &LONG {
            // A switch has as many cases as one instruction can name.
            let most = if case.0.ends_with("switch") { 25_000 } else { usize::MAX };
            sizes.iter().filter(|&&size| size <= most).for_each(|&size| run(case, size));
        }
    });
}

#[test]
fn large_functions() {
    let size = if is_deep() { 100_000 } else { 25_000 };
    on_a_small_stack(move || LARGE.iter().for_each(|case| run(case, size)));
}
