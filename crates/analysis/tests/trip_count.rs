//! How often loops repeat, against simulation: for all starts, steps and bounds of small integers.

use reconverge_analysis::trip_count::{Counted, TripCount, TripCounts};
use reconverge_ir::{Block, Function, Module, Op, text};

fn bodies(module: &Module) -> Vec<Function> {
    module.functions().filter(|&function| module.entry(function).is_some()).collect()
}

/// The header of a function's only loop.
fn header(module: &Module, function: Function) -> Block {
    let mut terminators = module.blocks(function).filter_map(|block| module.terminator(block));
    let opening = terminators.find(|&last| module.op(last) == Op::Loop).expect("the function has a loop");
    module.cast(module.operand(opening, 0)).expect("a loop names its header")
}

/// A comparison: its name, whether it is signed, and when it holds.
type Comparison = (&'static str, bool, fn(i64, i64) -> bool);

const COMPARISONS: [Comparison; 10] = [
    ("i_equal", false, |a, b| a == b),
    ("i_not_equal", false, |a, b| a != b),
    ("u_less_than", false, |a, b| a < b),
    ("u_less_than_equal", false, |a, b| a <= b),
    ("u_greater_than", false, |a, b| a > b),
    ("u_greater_than_equal", false, |a, b| a >= b),
    ("s_less_than", true, |a, b| a < b),
    ("s_less_than_equal", true, |a, b| a <= b),
    ("s_greater_than", true, |a, b| a > b),
    ("s_greater_than_equal", true, |a, b| a >= b),
];

/// How a loop is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Form {
    /// Whether the test stands at the latch, and asks about the next number.
    is_at_the_end: bool,
    /// Whether the bound is the left operand.
    is_swapped: bool,
    /// Whether control leaves when the comparison holds.
    leaves_if: bool,
    /// Whether the step is subtracted.
    is_subtracted: bool,
}

impl Form {
    fn of(bits: usize) -> Form {
        let bit = |place: usize| bits >> place & 1 == 1;
        Form { is_at_the_end: bit(0), is_swapped: bit(1), leaves_if: bit(2), is_subtracted: bit(3) }
    }
}

/// A loop over integers of some bits.
#[derive(Clone, Copy, Debug)]
struct Case {
    width: u32,
    comparison: Comparison,
    form: Form,
    start: u64,
    step: u64,
    bound: u64,
}

impl Case {
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// A number as the comparison sees it.
    fn meaning(&self, bits: u64) -> i64 {
        let shift = 64 - self.width;
        if self.comparison.1 { (bits << shift) as i64 >> shift } else { bits as i64 }
    }

    fn next(&self, number: u64) -> u64 {
        let step = if self.form.is_subtracted { self.step.wrapping_neg() } else { self.step };
        number.wrapping_add(step) & self.mask()
    }

    /// By going through the numbers, one after the other: `None` if that never ends.
    fn simulate(&self) -> Option<u64> {
        let mut number = self.start;
        for repeats in 0..=1u64 << self.width {
            let next = self.next(number);
            let asked = self.meaning(if self.form.is_at_the_end { next } else { number });
            let bound = self.meaning(self.bound);
            let holds =
                if self.form.is_swapped { self.comparison.2(bound, asked) } else { self.comparison.2(asked, bound) };
            if holds == self.form.leaves_if {
                return Some(repeats);
            }
            number = next;
        }
        None
    }

    fn text(&self, number: usize) -> String {
        let Form { is_at_the_end, is_swapped, leaves_if, is_subtracted } = self.form;
        let step = if is_subtracted { "i_sub" } else { "i_add" };
        let asked = if is_at_the_end { "%next" } else { "%i" };
        let bound = format!("%c{}", self.bound);
        let (left, right) = if is_swapped { (bound.as_str(), asked) } else { (asked, bound.as_str()) };
        let test = format!("%holds.{number}: %bool = {} {left}, {right}", self.comparison.0)
            .replace("%next", &format!("%next.{number}"))
            .replace("%i,", &format!("%i.{number},"));
        let test = if test.ends_with("%i") { format!("{test}.{number}") } else { test };
        let step = format!("%next.{number}: %t = {step} %i.{number}, %c{}", self.step);
        let ways = |stays: &str| if leaves_if { format!("^leave {stays}") } else { format!("{stays} ^leave") };
        let (header, latch) = match is_at_the_end {
            false => (
                format!("{test}\nbranch_if %holds.{number} {}", ways("^next")),
                format!("{step}\nbranch ^h(%next.{number})"),
            ),
            true => (
                "branch ^next".to_owned(),
                format!(
                    "{step}\n{test}\nbranch_if %holds.{number} {}\nedge ^back:\nbranch ^h(%next.{number})",
                    ways("^back")
                ),
            ),
        };
        format!(
            "func %f{number}: %void () stage structured {{
             block ^entry:\nloop ^h(%c{}) break ^m continue ^next
             block ^h(%i.{number}: %t):\n{header}
             block ^next:\n{latch}
             edge ^leave:\nbranch ^m
             block ^m:\nreturn
             }}\n",
            self.start
        )
    }
}

/// What a comparison with simulation saw.
#[derive(Clone, Copy, Default, Debug)]
struct Seen {
    ending: usize,
    endless: usize,
    unknown: usize,
}

/// Compares the analysis with simulation.
fn check_all(width: u32, cases: &[Case], values: impl Iterator<Item = u64>) -> Seen {
    let mut source = format!("%void = type_void\n%bool = type_bool\n%t = type_int {width}, 0\n");
    for value in values {
        source += &format!("%c{value}: %t = constant {value}\n");
    }
    for (number, case) in cases.iter().enumerate() {
        source += &case.text(number);
    }
    let module =
        text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{}", &source[..2000.min(source.len())]));
    let mut seen = Seen::default();
    for (case, function) in cases.iter().zip(bodies(&module)) {
        let counts = TripCounts::compute(&module, function);
        match (case.simulate(), counts.trip_count(header(&module, function))) {
            (Some(expected), TripCount::Exact(counted)) => {
                assert_eq!(counted.repeats, expected, "{case:?}");
                check_counters(case, counted);
                seen.ending += 1;
            }
            (None, TripCount::Infinite) => seen.endless += 1,
            (_, TripCount::Unknown) => seen.unknown += 1,
            (expected, found) => panic!("{case:?}: {expected:?}, found {found:?}"),
        }
    }
    seen
}

fn check_counters(case: &Case, counted: &Counted) {
    for counter in &counted.counters {
        let mut number = case.start;
        for &value in counter.values.iter() {
            assert_eq!(value, number, "{case:?}");
            number = case.next(number);
        }
        assert_eq!(counter.values.len() as u64, counted.repeats + 1, "{case:?}");
    }
}

#[test]
fn all_loops_over_numbers_of_four_bits() {
    let mut total = Seen::default();
    for (which, &comparison) in COMPARISONS.iter().enumerate() {
        let mut cases = Vec::new();
        for numbers in 0..1usize << 12 {
            let [start, step, bound] = [0, 4, 8].map(|place| (numbers >> place & 15) as u64);
            // Each form meets every pair of a step and a bound, and a quarter of the starts or more.
            let form = Form::of((start as usize + 5 * step as usize + 3 * bound as usize + which) % 16);
            cases.push(Case { width: 4, comparison, form, start, step, bound });
        }
        let seen = check_all(4, &cases, 0..16);
        total.ending += seen.ending;
        total.endless += seen.endless;
        assert_eq!(seen.unknown, 0);
    }
    assert!(total.ending > 20_000 && total.endless > 4_000, "{total:?}");
}

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Eight bits are simulated by the analysis as well; sixteen are more than it simulates.
#[test]
fn random_loops_over_numbers_of_eight_and_sixteen_bits() {
    let mut state = 0x5EED_0F10_0B5E_77E5;
    for (width, many) in [(8, 1500), (16, 250)] {
        for comparison in COMPARISONS {
            let mut cases = Vec::new();
            for _ in 0..many / COMPARISONS.len() {
                let mask = (1u64 << width) - 1;
                let mut number = || match random(&mut state) % 4 {
                    0 => random(&mut state) % 4,
                    1 => (random(&mut state) % 4).wrapping_neg() & mask,
                    2 => (mask / 2).wrapping_add(random(&mut state) % 4) & mask,
                    _ => random(&mut state) & mask,
                };
                let [start, step, bound] = [number(), number(), number()];
                cases.push(Case { width, comparison, form: Form::of(random(&mut state) as usize), start, step, bound });
            }
            let mut values: Vec<u64> = cases.iter().flat_map(|case| [case.start, case.step, case.bound]).collect();
            values.sort_unstable();
            values.dedup();
            let seen = check_all(width, &cases, values.into_iter());
            assert!(seen.unknown == 0 || (width == 16 && seen.unknown * 4 < cases.len()), "{comparison:?}: {seen:?}");
        }
    }
}
