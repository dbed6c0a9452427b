//! What could break an interpreter of tangles: many lanes, parts of subgroups, barriers at odd places, depth, length, and what no
//! verifier lets through.

use crate::tangles_common::Program;
use crate::tangles_common::programs::{Maker, Writer};
use reconverge_interpret::{Argument, End, Interpreter, Launch, Observer, Step, UndefinedBehaviour, Value};
use reconverge_ir::Op;

/// The lanes of each ballot, once all 64 bits of it were held against those that execute it.
struct Ballots {
    subgroup_size: usize,
    seen: Vec<u64>,
}

impl Observer for Ballots {
    fn executed(&mut self, step: &Step<'_, '_>) {
        let bits = |lanes: &[usize], first: usize| lanes.iter().fold(0u64, |bits, &lane| bits | 1 << (lane - first));
        for &lane in step.lanes() {
            let first = lane / self.subgroup_size * self.subgroup_size;
            let Some(words) = step.value(lane, step.inst()).and_then(Value::elements) else { continue };
            let word = |index: usize| u64::from(words[index].as_u32().expect("a word"));
            let own = |&other: &usize| (first..first + self.subgroup_size).contains(&other);
            let members: Vec<usize> = step.lanes().iter().copied().filter(own).collect();
            assert_eq!(word(0) | word(1) << 32, bits(&members, first), "lane {lane}");
            if members[0] == lane {
                self.seen.push(bits(&members, 0));
            }
        }
    }
}

/// What stands in a loop whose lane `l` begins its last iteration at number `l`, if `%more` is asked at its head.
fn counted(body: &str, next: &str) -> Program {
    Program::new(&format!(
        "block ^entry:
  loop ^header(%k0) break ^done continue ^next
block ^header(%i: %u32):
  %more: %bool = u_less_than %i, %x
  branch_if %more ^body ^out
edge ^out:
  branch ^done
block ^body:
{body}
  branch ^next
block ^next:
{next}
  %i2: %u32 = i_add %i, %k1
  branch ^header(%i2)
block ^done:
  return"
    ))
}

const BALLOT: &str = "  %votes: %u32x4 = group_non_uniform_ballot %k3, %true";
const BARRIER: &str = "  control_barrier %k2, %k2, %k0";

#[test]
fn from_one_to_sixty_four_lanes() {
    let program = counted(BALLOT, "");
    for lanes in 1..=64usize {
        for subgroup_size in [lanes, 64, 16, 5].map(|size| size.min(lanes)) {
            let launch = Program::launch(lanes, |lane| lane as u32).with_subgroups(subgroup_size);
            let mut ballots = Ballots { subgroup_size, seen: Vec::new() };
            let ran = program.run_observed(&launch, &mut ballots).returned();
            assert_eq!(ran.outcome.lanes.len(), lanes);
            // In iteration i are those above i, subgroup by subgroup.
            let mut expected = Vec::new();
            for iteration in 0..lanes {
                for first in (0..lanes).step_by(subgroup_size) {
                    let there = (first..(first + subgroup_size).min(lanes)).filter(|&lane| lane > iteration);
                    let bits: u64 = there.map(|lane| 1u64 << lane).sum();
                    expected.extend(Some(bits).filter(|&bits| bits != 0));
                }
            }
            assert_eq!(ballots.seen, expected, "{lanes} lanes in subgroups of {subgroup_size}");
        }
    }
}

#[test]
fn the_last_subgroup_may_be_a_part_of_one() {
    // 37 lanes in subgroups of 8: the last one has five lanes, and is whole with them.
    let program = Program::new(
        "block ^entry:
  %whole: %bool = u_less_than %lane, %k32
  if %whole ^on ^skip merge ^stay
edge ^skip:
  branch ^stay
block ^on:
  control_barrier %k3, %k3, %k0
  branch ^stay
block ^stay:
  %sum: %u32 = group_non_uniform_i_add %k3, Reduce, %k1
  %got: %void = function_call %record, %sum, %k0
  return",
    );
    let mut sums = vec![0; 37];
    let mut record = |lane: usize, _, arguments: &[Value]| {
        sums[lane] = arguments[0].as_u32().expect("a number");
        Ok(None)
    };
    let launch = Program::launch(37, |_| 0).with_subgroups(8);
    let outcome = Interpreter::new(&program.module).run(program.function, &launch, &mut record).unwrap();
    assert!(outcome.lanes.iter().all(|lane| lane.end == End::Returned(None)));
    assert_eq!(sums, [[8; 32].as_slice(), &[5; 5]].concat());
}

fn is_barrier_divergence(end: &End) -> bool {
    matches!(end, End::Undefined { behaviour: UndefinedBehaviour::BarrierDivergence, .. })
}

#[test]
fn a_barrier_in_a_continue_construct_is_for_those_who_iterate() {
    // Lanes come to the continue target by two ways, and are one tangle there.
    let ways = "  %c: %bool = among 0b0110
  if %c ^early ^late merge ^late
block ^early:
  branch ^next
block ^late:";
    let program = counted(ways, &format!("{BARRIER}\n  ballot 1"));
    let ran = program.run_with(&[3; 4]).returned();
    assert_eq!(ran.ballots, [(1, 0b1111); 3]);
    // Lane 3 has left the loop when the others come to the barrier for the third time.
    let ran = program.run_with(&[3, 3, 3, 2]);
    assert_eq!(ran.ballots, [(1, 0b1111); 2]);
    let ends: Vec<bool> = ran.outcome.lanes.iter().map(|lane| is_barrier_divergence(&lane.end)).collect();
    assert_eq!(ends, [true, true, true, false]);
    assert_eq!(ran.outcome.lanes[0].missed.map(|missed| missed.lane), Some(3));
}

#[test]
fn a_barrier_in_a_callee_is_another_instance_for_each_tangle_that_calls() {
    let callee = format!("func %g: %void () stage structured {{\nblock ^start:\n{BARRIER}\n  return\n}}");
    let caller = |mask: &str| {
        format!(
            "block ^entry:
  %c: %bool = among {mask}
  if %c ^then ^else merge ^merge
block ^then:
  %called: %void = function_call %g
  branch ^merge
block ^else:
  branch ^both
block ^both:
  %called2: %void = function_call %g
  branch ^merge
block ^merge:
  return"
        )
    };
    let lanes = Program::with(&callee, &caller("0b0011")).run(4).outcome.lanes;
    assert!(lanes.iter().all(|lane| is_barrier_divergence(&lane.end)));
    Program::with(&callee, &caller("0b1111")).run(4).returned();
    Program::with(&callee, &caller("0b0000")).run(4).returned();
}

#[test]
fn a_fall_through_with_a_barrier_needs_all_lanes_in_one_case() {
    let program = Program::new(&format!(
        "block ^entry:
  structured_switch %x default ^skip merge ^merge [1 ^one] [2 ^to_two]
edge ^skip:
  branch ^merge
block ^one:
  ballot 1
  branch ^two
edge ^to_two:
  branch ^two
block ^two:
{BARRIER}
  ballot 2
  branch ^merge
block ^merge:
  ballot 3
  return"
    ));
    assert_eq!(program.run_with(&[1, 1, 1]).returned().ballots, [(1, 0b111), (2, 0b111), (3, 0b111)]);
    assert_eq!(program.run_with(&[2, 2, 2]).returned().ballots, [(2, 0b111), (3, 0b111)]);
    // Whether those who fall through are together with those who are sent there is left open; here they are not.
    let ran = program.run_with(&[1, 2, 1]);
    assert!(ran.outcome.lanes.iter().all(|lane| is_barrier_divergence(&lane.end)));
}

/// Runs on a stack of 1 MB.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work);
    thread.expect("a thread").join().expect("it does not panic");
}

#[test]
fn deep_calls_take_no_stack() {
    on_a_small_stack(|| {
        let callee = "func %g: %u32 (%x: %u32) stage structured {
block ^start:
  %c: %bool = i_equal %x, %k0
  if %c ^back ^on merge ^on
block ^back:
  return_value %k0
block ^on:
  %y: %u32 = i_sub %x, %k1
  %below: %u32 = function_call %g, %y
  %own: %u32 = i_add %below, %k1
  return_value %own
}";
        let body = "block ^entry:\n  %depth: %u32 = function_call %g, %x\n  %same: %bool = i_equal %depth, %x\n  assume_true_khr %same\n  ballot 1\n  return";
        let program = Program::unverified(callee, body);
        let xs = [30_000, 0, 29_999, 100_000];
        let launch = Launch { depth: 50_000, fuel: 1_000_000, ..Program::launch(4, |lane| xs[lane]) };
        let ran = program.run_from(&launch);
        assert_eq!(ran.ballots, [(1, 0b0111)]);
        assert!(matches!(ran.outcome.lanes[3].end, End::TooDeep(_)));
    });
}

#[test]
fn loops_in_loops_take_no_stack() {
    let depth = 3_000;
    let mut body = "block ^entry:\n  branch ^b0\n".to_owned();
    for level in 0..depth {
        body += &format!(
            "block ^b{level}:\n  loop ^h{level}(%k0) break ^m{level} continue ^n{level}
block ^h{level}(%i{level}: %u32):\n  branch ^b{}\n",
            level + 1
        );
    }
    body += &format!("block ^b{depth}:\n  ballot 1\n  branch ^n{}\n", depth - 1);
    for level in (0..depth).rev() {
        // Lane 1 has a second iteration of the innermost loop, and of the outermost one.
        let limit = if level == 0 || level == depth - 1 { "%x" } else { "%k1" };
        let after = if level == 0 { "  ballot 2\n  return".to_owned() } else { format!("  branch ^n{}", level - 1) };
        body += &format!(
            "block ^n{level}:\n  %j{level}: %u32 = i_add %i{level}, %k1\n  %c{level}: %bool = u_less_than %j{level}, {limit}
  branch_if %c{level} ^a{level} ^e{level}\nedge ^a{level}:\n  branch ^h{level}(%j{level})\nedge ^e{level}:\n  branch ^m{level}
block ^m{level}:\n{after}\n"
        );
    }
    let program = Program::unverified("", body.trim_end());
    on_a_small_stack(move || {
        let launch = Program::launch(2, |lane| lane as u32 + 1);
        let ran = program.run_from(&launch).returned();
        assert_eq!(ran.ballots, [(1, 0b11), (1, 0b10), (1, 0b10), (1, 0b10), (2, 0b11)]);
    });
}

#[test]
fn loops_without_an_end_use_up_the_fuel_of_all_lanes() {
    let program = Program::new(
        "block ^entry:
  loop ^header(%k0) break ^never continue ^next
block ^header(%i: %u32):
  branch ^body
block ^body:
  %odd: %u32 = bitwise_and %lane, %k1
  %c: %bool = i_equal %odd, %k1
  if %c ^then ^skip merge ^merge
edge ^skip:
  branch ^merge
block ^then:
  branch ^merge
block ^merge:
  branch ^next
block ^next:
  %i2: %u32 = i_add %i, %k1
  branch ^header(%i2)
block ^never:
  unreachable",
    );
    let outcome = program.run_from(&Launch { fuel: 20_000, ..Program::launch(64, |_| 0) }).outcome;
    for lane in &outcome.lanes {
        assert!(matches!(lane.end, End::OutOfFuel(_)), "{}", lane.end);
        assert_eq!(lane.executed, 20_000);
    }
    let none = program.run_from(&Launch { fuel: 0, ..Program::launch(64, |_| 0) }).outcome;
    assert!(none.lanes.iter().all(|lane| matches!(lane.end, End::OutOfFuel(_)) && lane.executed == 0));
}

#[test]
fn some_lanes_reach_what_is_unreachable() {
    let program = Program::new(
        "block ^entry:
  %c: %bool = among 0b0101
  if %c ^bad ^good merge ^good
block ^bad:
  unreachable
block ^good:
  ballot 1
  return",
    );
    let ran = program.run(4);
    assert_eq!(ran.ballots, [(1, 0b1010)]);
    for (lane, outcome) in ran.outcome.lanes.iter().enumerate() {
        match &outcome.end {
            End::Undefined { behaviour: UndefinedBehaviour::Unreachable, place } if lane % 2 == 0 => {
                assert_eq!(program.module.op(place.inst), Op::Unreachable);
            }
            end => assert_eq!((lane % 2, end), (1, &End::Returned(None))),
        }
    }
}

/// Functions that no verifier accepts: blocks with too many roles, jumps into constructs, no terminator, no loop around a back edge.
const BROKEN: [&str; 9] = [
    "block ^entry:\n  %c: %bool = among 0b01\n",
    "block ^entry:\n  %c: %bool = among 0b01\n  if %c ^entry ^entry merge ^entry",
    "block ^entry:\n  loop ^entry() break ^entry continue ^entry",
    "block ^entry:\n  loop ^h() break ^h continue ^h\nblock ^h:\n  ballot 1\n  branch ^h()",
    "block ^entry:\n  %c: %bool = among 0b01\n  if %c ^a ^b merge ^a\nblock ^a:\n  ballot 1\n  branch ^b\nblock ^b:\n  ballot 2\n  branch ^a",
    "block ^entry:\n  %c: %bool = among 0b01\n  branch_if %c ^a ^b\nblock ^a:\n  branch ^entry\nblock ^b:\n  ballot 1\n  return",
    "block ^entry:\n  structured_switch %x default ^m merge ^m [0 ^m] [1 ^entry] [2 ^a]\nblock ^a:\n  branch ^m\nblock ^m:\n  branch ^a",
    "block ^entry:\n  loop ^h() break ^m continue ^n\nblock ^h:\n  if %true ^m ^n merge ^n\nblock ^n:\n  loop ^h() break ^n continue ^m\nblock ^m:\n  return",
    "block ^entry:\n  %c: %bool = among 0b10\n  if %c ^a ^b merge ^m\nblock ^a:\n  %v: %u32 = i_add %lane, %k1\n  branch ^b\nblock ^b:\n  %w: %u32 = i_add %v, %k1\n  branch ^m\nblock ^m:\n  ballot 1\n  return",
];

#[test]
fn broken_structure_ends_every_lane_and_never_panics() {
    for body in BROKEN {
        let program = Program::unverified("", body);
        for lanes in [1usize, 2, 3, 64] {
            for subgroup_size in [1, 3, 64] {
                let mut launch = Program::launch(lanes, |lane| lane as u32 % 4).with_subgroups(subgroup_size);
                launch.fuel = 2_000;
                let mut answer = |_: usize, _, _: &[Value]| Ok(None);
                let outcome = Interpreter::new(&program.module).run(program.function, &launch, &mut answer).unwrap();
                assert_eq!(outcome.lanes.len(), lanes, "{body}");
            }
        }
    }
}

#[test]
fn a_function_may_be_empty_but_for_its_end() {
    let program = Program::with(
        "func %g: %void () stage structured {\nblock ^start:\n  return\n}",
        "block ^entry:\n  %called: %void = function_call %g\n  ballot 1\n  return",
    );
    let ran = program.run(32).returned();
    assert_eq!(ran.ballots, [(1, u64::from(u32::MAX))]);
    assert!(ran.outcome.lanes.iter().all(|lane| lane.executed == 6));
}

#[test]
fn lanes_execute_as_much_together_as_each_for_itself() {
    for seed in 3000..3060 {
        let program = Writer::program(&Maker::tree(seed), seed);
        let lanes = 1 + seed as usize % 32;
        let launch = Launch { trace: reconverge_interpret::Trace::Blocks, ..Program::launch(lanes, |_| 0) };
        let together = program.run_from(&launch).outcome;
        let interpreter = Interpreter::new(&program.module);
        for (lane, outcome) in together.lanes.iter().enumerate() {
            let arguments = vec![Argument::Same(Value::u32(lane as u32)), Argument::Same(Value::u32(0))];
            let alone = Launch { lanes: 1, arguments, ..launch.clone() };
            let alone = interpreter.run(program.function, &alone, &mut |_, _, _: &[Value]| Ok(None)).unwrap();
            let alone = alone.only();
            assert_eq!((&outcome.end, outcome.executed), (&alone.end, alone.executed), "seed {seed}, lane {lane}");
            assert_eq!(outcome.trace, alone.trace, "seed {seed}, lane {lane}");
        }
        assert_eq!(together, program.run_from(&launch).outcome, "seed {seed}");
    }
}
