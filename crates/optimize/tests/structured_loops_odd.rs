//! `loop_unroll` on random loops that must be unrolled: counters of any width and sign, in parameters and in variables, that wrap around
//! or never meet their bounds, tested anywhere, one loop in the other. What it takes does the same as before, and it takes what
//! `FullUnrolls` says that can be.

use crate::structured_loops_support::{check_same_from, lanes_module};
use reconverge_analysis::trip_count::{FullUnroll, FullUnrolls, Specialization};
use reconverge_ir::{Block, Op, text};
use reconverge_optimize::structured::{loop_unroll, lower_continue_constructs};
use reconverge_testing::programs::{count, functions};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

const TESTS: [&str; 10] = [
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
const STEPS: [&str; 8] = ["i_add", "i_add", "i_add", "i_sub", "i_sub", "i_mul", "bitwise_and", "shift_left_logical"];

/// What is written of a module.
struct Writer {
    random: Random,
    head: String,
    constants: usize,
    width: u64,
    is_signed: bool,
    /// Whether what loops do is not written down: calls may end the lane, so that no loop with calls is known to be endless.
    is_silent: bool,
}

impl Writer {
    /// A constant near 0, near the ends of the range, or in between.
    fn constant(&mut self) -> String {
        let (near, width) = (self.random.below(7), self.width);
        let ends = [0, 0, 0, (1u64 << (width - 1)), u64::MAX];
        let end = ends[self.random.below(5) as usize];
        let number = if self.random.below(2) == 0 { end.wrapping_add(near) } else { end.wrapping_sub(near) };
        let shift = 64 - width;
        let number = number << shift;
        let number = if self.is_signed { (number as i64 >> shift) as u64 } else { number >> shift };
        let words = if width == 64 {
            format!("words({}, {})", number as u32, number >> 32)
        } else {
            format!("{}", number as u32)
        };
        self.constants += 1;
        let name = format!("%k{}", self.constants);
        self.head.push_str(&format!("{name}: %t = constant {words}\n"));
        name
    }

    /// A loop and the block behind it, which is open. `name` tells it from others; `outer` are values that it may use.
    fn repeat(&mut self, name: &str, outer: Option<&str>) -> String {
        let (is_variable, place) = (self.random.below(2) == 0, self.random.below(3));
        let operand = |writer: &mut Writer| match outer {
            Some(outer) if writer.random.below(2) == 0 => outer.to_owned(),
            _ => writer.constant(),
        };
        let (begin, bound, amount) = (operand(self), operand(self), self.constant());
        let (test, step) = (self.random.of(&TESTS), self.random.of(&STEPS));
        let ways = |stays: &str, leaves: &str, turned: bool| {
            if turned { format!("{leaves} {stays}") } else { format!("{stays} {leaves}") }
        };
        let read = |place: &str| match is_variable {
            true => format!("%{name}.{place}: %t = load %{name}.v\n"),
            false => format!("%{name}.{place}: %t = copy_object %{name}\n"),
        };
        let (passed, parameter) = match is_variable {
            true => (String::new(), String::new()),
            false => (format!("({begin})"), format!("(%{name}: %t)")),
        };
        let store = |value: &str| if is_variable { format!("store %{name}.v, {value}\n") } else { String::new() };
        let turned = self.random.below(2) == 0;
        let ask = |asked: &str, stays: &str| {
            format!(
                "%{name}.more: %bool = {test} {asked}, {bound}\nbranch_if %{name}.more {}\nedge ^{name}.out:\nbranch ^{name}.m\n",
                ways(stays, &format!("^{name}.out"), turned)
            )
        };
        let inside = self.inside(name, &read("in"), outer);
        let advance = format!(
            "{}%{name}.new: %t = {step} %{name}.old, {amount}\n{}",
            read("old"),
            store(&format!("%{name}.new"))
        );
        let back = if is_variable { format!("branch ^{name}") } else { format!("branch ^{name}(%{name}.new)") };
        let asked = || {
            let test = ask(&format!("%{name}.asked"), &format!("^{name}.b"));
            format!("{}{test}block ^{name}.b:\n", read("asked"))
        };
        let (top, middle, end) = match place {
            0 => (asked(), String::new(), back),
            1 => (String::new(), asked(), back),
            _ => {
                let test = ask(&format!("%{name}.new"), &format!("^{name}.back"));
                (String::new(), String::new(), format!("{test}edge ^{name}.back:\n{back}"))
            }
        };
        format!(
            "{}loop ^{name}{passed} break ^{name}.m continue ^{name}.c control 1\nblock ^{name}{parameter}:\nbranch ^{name}.t\n\
             block ^{name}.t:\n{top}{inside}{middle}branch ^{name}.c\nblock ^{name}.c:\n{advance}{end}\nblock ^{name}.m:\n",
            store(&begin)
        )
    }
    /// What a loop does in each iteration: it writes down what `read` reads, may be left early, and may have a loop inside.
    fn inside(&mut self, name: &str, read: &str, outer: Option<&str>) -> String {
        let convert = match (self.width, self.is_signed) {
            (32, false) => "copy_object",
            (32, true) => "bitcast",
            _ => "u_convert",
        };
        let mut record = format!("{read}%{name}.shown: %u32 = {convert} %{name}.in\n");
        if !self.is_silent {
            record.push_str(&format!("%{name}.call: %void = function_call %record, %one, %{name}.shown\n"));
        }
        let inner = match outer {
            None if self.random.below(2) == 0 => self.repeat("j", Some(&format!("%{name}.in"))),
            _ => String::new(),
        };
        let early = match self.random.below(3) {
            0 => format!(
                "%{name}.p: %bool = function_call %oracle, %{name}.shown\nbranch_if %{name}.p ^{name}.early ^{name}.on\n\
                 edge ^{name}.early:\nbranch ^{name}.m\nblock ^{name}.on:\n"
            ),
            _ => String::new(),
        };
        format!("{record}{early}{inner}")
    }
}

/// A module with one loop, or two.
fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    random.below(2);
    let (width, is_signed) = ([8, 16, 32, 64][random.below(4) as usize], random.below(2) == 0);
    let mut writer =
        Writer { random, head: String::new(), constants: 0, width, is_signed, is_silent: seed.is_multiple_of(8) };
    let body = writer.repeat("i", None);
    let ty = format!("%t = type_int {width}, {}\n%pointer = type_pointer 7, %t\n", u32::from(is_signed));
    let ty = match (width, is_signed) {
        (32, false) => "%t.alias = type_void\n%pointer = type_pointer 7, %u32\n".to_owned(),
        (32, true) => "%pointer = type_pointer 7, %s32\n".to_owned(),
        _ => ty,
    };
    let name = match (width, is_signed) {
        (32, false) => "%u32",
        (32, true) => "%s32",
        _ => "%t",
    };
    let text = format!(
        "{}func %f: %void () stage structured {{\nblock ^entry:\n%i.v: %pointer = variable 7\n%j.v: %pointer = variable 7\n{body}return\n}}",
        writer.head
    );
    let text = text.replace(": %t ", &format!(": {name} ")).replace(": %t)", &format!(": {name})"));
    format!("{}{text}", ty.replace("%t.alias = type_void\n", ""))
}

#[test]
fn what_is_unrolled_does_the_same_and_what_is_not_cannot_be() {
    let (mut unrolled, mut refused) = (0, [0; 3]);
    for seed in (1..=800).chain([7821]) {
        let mut before = lanes_module(&program(seed));
        let function = functions(&before)[0];
        if seed % 5 == 0 {
            let lowered = lower_continue_constructs(&mut before, function);
            assert!(lowered.is_ok(), "seed {seed}: {lowered:?}");
        }
        let judged = FullUnrolls::compute(&before, function, Specialization::Open, FullUnroll::LIMIT);
        let openings = before.blocks(function).filter_map(|block| before.terminator(block));
        let openings = openings.filter(|&last| before.op(last) == Op::Loop);
        let headers = openings.filter_map(|opening| before.cast::<Block>(before.operand(opening, 0)));
        let judgements: Vec<FullUnroll> = headers.filter_map(|header| judged.full_unroll(header).cloned()).collect();
        let mut after = before.clone();
        let done = loop_unroll(&mut after, function);
        let can_be = judgements.iter().all(|judgement| *judgement == FullUnroll::Possible);
        assert_eq!(done.is_ok(), can_be, "seed {seed}: {judgements:?}, {done:?}\n{}", text::print(&before));
        if !can_be {
            let place = |judgement: &FullUnroll| match judgement {
                FullUnroll::Infinite => 0,
                FullUnroll::TooLarge { .. } => 1,
                _ => 2,
            };
            judgements
                .iter()
                .filter(|&judgement| *judgement != FullUnroll::Possible)
                .for_each(|judgement| refused[place(judgement)] += 1);
            continue;
        }
        unrolled += 1;
        assert_eq!(count(&after, Op::Loop), 0, "seed {seed}: {}", text::print(&after));
        for start in [(1, seed), (4, seed)] {
            check_same_from((&before, &after), function, start);
        }
    }
    assert!(unrolled > 150 && refused.iter().all(|&count| count > 10), "{unrolled} unrolled, refused {refused:?}");
}
