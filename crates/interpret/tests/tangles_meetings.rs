//! Barriers, subgroups, other stages, faults, fuel and fairness in runs of several lanes.

use crate::tangles_common::Program;
use reconverge_interpret::{
    Contents, End, Interpreter, LaneOutcome, Launch, Races, UndefinedBehaviour, Value, no_externals,
};
use reconverge_ir::Op;

fn behaviour(lane: &LaneOutcome) -> UndefinedBehaviour {
    match lane.end {
        End::Undefined { behaviour, .. } => behaviour,
        ref end => panic!("expected undefined behaviour, but the lane {end}"),
    }
}

fn op_at(program: &Program, end: &End) -> Op {
    match end {
        End::Undefined { place, .. } | End::OutOfFuel(place) | End::TooDeep(place) => program.module.op(place.inst),
        end => panic!("{end}"),
    }
}

const BARRIER: &str = "  control_barrier %k2, %k2, %k0";
const SUBGROUP_BARRIER: &str = "  control_barrier %k3, %k3, %k0";

/// Some lanes go one way, the others another.
fn two_ways(mask: &str, left: &str, right: &str) -> Program {
    Program::new(&format!(
        "block ^entry:
  %c: %bool = among {mask}
  if %c ^left ^right merge ^merge
block ^left:
{left}
block ^right:
{right}
block ^merge:
  ballot 9
  return"
    ))
}

#[test]
fn a_barrier_waits_for_all_lanes() {
    let program = Program::new(&format!("block ^entry:\n{BARRIER}\n  ballot 1\n  return"));
    assert_eq!(program.run(5).returned().ballots, [(1, 0b1_1111)]);
    assert_eq!(program.run(1).returned().ballots, [(1, 1)]);
}

#[test]
fn a_barrier_that_some_do_not_come_to_is_reported_with_both_places() {
    let program = two_ways("0b0011", &format!("{BARRIER}\n  branch ^merge"), "  branch ^merge");
    let ran = program.run(4);
    assert_eq!(ran.ballots, [(9, 0b1100)]);
    for lane in [0, 1] {
        let lane = &ran.outcome.lanes[lane];
        assert_eq!(behaviour(lane), UndefinedBehaviour::BarrierDivergence);
        assert_eq!(op_at(&program, &lane.end), Op::ControlBarrier);
        let missed = lane.missed.unwrap();
        assert_eq!((missed.lane, program.module.op(missed.place.unwrap().inst)), (2, Op::GroupNonUniformBallot));
    }
    assert_eq!(ran.outcome.lanes[2].missed, None);
}

#[test]
fn lanes_at_different_barriers_are_all_reported() {
    let way = format!("{BARRIER}\n  branch ^merge");
    let program = two_ways("0b0101", &way, &way);
    let lanes = program.run(4).outcome.lanes;
    let missed: Vec<usize> = lanes.iter().map(|lane| lane.missed.unwrap().lane).collect();
    assert_eq!(missed, [1, 0, 1, 0]);
    assert!(lanes.iter().all(|lane| behaviour(lane) == UndefinedBehaviour::BarrierDivergence));
    let place = |lane: usize| lanes[lane].missed.unwrap().place.unwrap();
    assert_ne!(place(0).inst, place(1).inst);
}

#[test]
fn a_lane_that_has_ended_comes_to_no_barrier() {
    for end in ["return", "kill"] {
        let program = Program::new(&format!(
            "block ^entry:
  %c: %bool = among 0b1000
  if %c ^end ^on merge ^on
block ^end:
  {end}
block ^on:
{BARRIER}
  return"
        ));
        let lanes = program.run(4).outcome.lanes;
        assert_eq!(behaviour(&lanes[0]), UndefinedBehaviour::BarrierDivergence);
        assert_eq!(lanes[0].missed.map(|missed| (missed.lane, missed.place)), Some((3, None)));
    }
}

#[test]
fn the_same_barrier_in_two_tangles_is_not_the_same() {
    // The lanes come to the barrier by two ways that nothing unites before it.
    let program = Program::new(&format!(
        "block ^entry:
  %c: %bool = among 0b0011
  if %c ^left ^right merge ^merge
block ^left:
  branch ^join
block ^right:
  branch ^join
block ^join:
{BARRIER}
  branch ^merge
block ^merge:
  return"
    ));
    let lanes = program.run(4).outcome.lanes;
    assert!(lanes.iter().all(|lane| behaviour(lane) == UndefinedBehaviour::BarrierDivergence));
    assert_eq!(lanes[0].missed.unwrap().lane, 2);
}

#[test]
fn a_barrier_of_a_subgroup_concerns_the_subgroup() {
    let way = format!("{SUBGROUP_BARRIER}\n  ballot 1\n  branch ^merge");
    let program = two_ways("0b000011", &way, "  branch ^merge");
    let ends = |size| {
        let launch = Program::launch(6, |_| 0).with_subgroups(size);
        let mut record = |_, _, _: &[Value]| Ok(None);
        let outcome = Interpreter::new(&program.module).run(program.function, &launch, &mut record).unwrap();
        outcome.lanes.into_iter().map(|lane| matches!(lane.end, End::Returned(_))).collect::<Vec<bool>>()
    };
    assert_eq!(ends(2), [true; 6]);
    assert_eq!(ends(1), [true; 6]);
    assert_eq!(ends(3), [false, false, true, true, true, true]);
    // Lanes 0 and 1 are one subgroup and a half of the next tangle's: who is there as a whole goes on.
    let program = two_ways("0b000111", &way, "  branch ^merge");
    let launch = Program::launch(6, |_| 0).with_subgroups(2);
    let mut record = |_, _, _: &[Value]| Ok(None);
    let lanes = Interpreter::new(&program.module).run(program.function, &launch, &mut record).unwrap().lanes;
    let returned: Vec<bool> = lanes.iter().map(|lane| matches!(lane.end, End::Returned(_))).collect();
    assert_eq!(returned, [true, true, false, true, true, true]);
    assert_eq!(lanes[2].missed.unwrap().lane, 3);
}

#[test]
fn a_tangle_of_several_subgroups_has_a_ballot_in_each() {
    let program = two_ways("0b00110110", "  ballot 1\n  branch ^merge", "  branch ^merge");
    let mut seen = Vec::new();
    let launch = Program::launch(8, |_| 0).with_subgroups(3);
    let mut record = |lane, _, arguments: &[Value]| {
        seen.push((lane, arguments[0].as_u32().unwrap(), arguments[1].as_u32().unwrap()));
        Ok(None)
    };
    Interpreter::new(&program.module).run(program.function, &launch, &mut record).unwrap();
    let first = [(1, 1, 0b110), (2, 1, 0b110), (4, 1, 0b110), (5, 1, 0b110)];
    let all = [7, 7, 7, 7, 7, 7, 3, 3].into_iter().enumerate().map(|(lane, bits)| (lane, 9, bits));
    assert_eq!(seen, first.into_iter().chain(all).collect::<Vec<_>>());
}

/// A ballot in each arm of a bare graph, and one behind them.
const GRAPH: &str = "\
func %g: %void (%lane: %u32) stage graph {
block ^start:
  %c: %bool = among 0b0101
  branch_if %c ^left ^right
block ^left:
  ballot 1
  branch ^end
block ^right:
  branch ^end
block ^end:
  ballot 2
  return
}";

#[test]
fn lanes_walk_alone_below_a_graph_and_are_together_again_behind_it() {
    let program =
        Program::with(GRAPH, "block ^entry:\n  %called: %void = function_call %g, %lane\n  ballot 3\n  return");
    // What is not structured meets by the interpreter's own rule, lane by lane.
    let mut seen = vec![Vec::new(); 4];
    let mut record = |lane: usize, _, arguments: &[Value]| {
        seen[lane].push((arguments[0].as_u32().unwrap(), arguments[1].as_u32().unwrap()));
        Ok(None)
    };
    let launch = Program::launch(4, |_| 0);
    Interpreter::new(&program.module).run(program.function, &launch, &mut record).unwrap();
    assert_eq!(seen[0], [(1, 0b0101), (2, 0b1111), (3, 0b1111)]);
    assert_eq!(seen[1], [(2, 0b1111), (3, 0b1111)]);
    assert_eq!((seen[2].clone(), seen[3].clone()), (seen[0].clone(), seen[1].clone()));
}

/// Some lanes loop for ever in an arm.
const FOREVER: &str = "\
block ^entry:
  %c: %bool = among 0b0110
  if %c ^spin ^skip merge ^merge
edge ^skip:
  branch ^merge
block ^spin:
  loop ^header() break ^done continue ^next
block ^header:
  branch_if %c ^next ^exit
edge ^exit:
  branch ^done
block ^next:
  branch ^header()
block ^done:
  branch ^merge
block ^merge:
  ballot 1
  return";

#[test]
fn who_loops_for_ever_runs_out_of_fuel_and_the_others_go_on() {
    let program = Program::new(FOREVER);
    let ran = program.run_from(&Launch { fuel: 5_000, ..Program::launch(4, |_| 0) });
    assert_eq!(ran.ballots, [(1, 0b1001)]);
    for lane in [1, 2] {
        assert_eq!(ran.outcome.lanes[lane].executed, 5_000);
        assert!(matches!(op_at(&program, &ran.outcome.lanes[lane].end), Op::BranchIf | Op::Branch));
    }
}

/// Two ways hand a number back and forth: one waits for even numbers, the other for odd ones.
const PING_PONG: &str = "\
block ^entry:
  %parity: %u32 = bitwise_and %lane, %k1
  %c: %bool = i_equal %parity, %k0
  if %c ^even ^odd merge ^merge
block ^even:
  loop ^header(%k0) break ^done continue ^next
block ^header(%i: %u32):
  loop ^wait() break ^go continue ^again
block ^wait:
  %seen: %u32 = atomic_load %shared, %k1, %k0
  %same: %bool = i_equal %seen, %i
  branch_if %same ^come ^again
edge ^come:
  branch ^go
block ^again:
  branch ^wait()
block ^go:
  %one: %u32 = i_add %i, %k1
  atomic_store %shared, %k1, %k0, %one
  branch ^next
block ^next:
  %i2: %u32 = i_add %i, %k2
  %more: %bool = u_less_than %i2, %k20
  branch_if %more ^back ^exit
edge ^back:
  branch ^header(%i2)
edge ^exit:
  branch ^done
block ^done:
  branch ^merge
block ^odd:
  loop ^header2(%k1) break ^done2 continue ^next2
block ^header2(%j: %u32):
  loop ^wait2() break ^go2 continue ^again2
block ^wait2:
  %seen2: %u32 = atomic_load %shared, %k1, %k0
  %same2: %bool = i_equal %seen2, %j
  branch_if %same2 ^come2 ^again2
edge ^come2:
  branch ^go2
block ^again2:
  branch ^wait2()
block ^go2:
  %two: %u32 = i_add %j, %k1
  atomic_store %shared, %k1, %k0, %two
  branch ^next2
block ^next2:
  %j2: %u32 = i_add %j, %k2
  %more2: %bool = u_less_than %j2, %k20
  branch_if %more2 ^back2 ^exit2
edge ^back2:
  branch ^header2(%j2)
edge ^exit2:
  branch ^done2
block ^done2:
  branch ^merge
block ^merge:
  ballot 1
  return";

fn shared(program: &Program) -> reconverge_ir::Inst {
    program.module.globals().find(|&inst| program.module.op(inst) == Op::Variable).expect("a variable")
}

#[test]
fn tangles_that_wait_for_each_other_take_turns() {
    let program = Program::new(PING_PONG);
    let variable = shared(&program);
    let contents = vec![Contents { variable, lane: None, value: Value::u32(0) }];
    let launch = Launch { contents, observed: vec![variable], ..Program::launch(2, |_| 0) };
    let ran = program.run_from(&launch).returned();
    assert_eq!(ran.ballots, [(1, 0b11)]);
    assert_eq!(ran.outcome.variable(variable, 0), Some(&Value::u32(20)));
}

#[test]
fn a_lane_that_fails_is_reported_with_its_place_and_the_others_go_on() {
    let program = two_ways("0b1111", "  %q: %u32 = u_div %k7, %x\n  ballot 1\n  branch ^merge", "  branch ^merge");
    let ran = program.run_with(&[1, 0, 2, 0]);
    assert_eq!(ran.ballots, [(1, 0b0101), (9, 0b0101)]);
    assert_eq!(behaviour(&ran.outcome.lanes[1]), UndefinedBehaviour::DivisionByZero);
    assert_eq!(op_at(&program, &ran.outcome.lanes[3].end), Op::UDiv);
    // An undefined condition.
    let program = Program::new(
        "block ^entry:
  %c: %bool = i_equal %x, %k1
  if %c ^then ^skip merge ^merge
edge ^skip:
  branch ^merge
block ^then:
  ballot 1
  branch ^merge
block ^merge:
  ballot 2
  return",
    );
    let mut launch = Program::launch(3, |_| 1);
    launch.arguments[1] = reconverge_interpret::Argument::PerLane(vec![Value::u32(1), Value::Undefined, Value::u32(0)]);
    let ran = program.run_from(&launch);
    assert_eq!(ran.ballots, [(1, 0b001), (2, 0b101)]);
    assert_eq!(behaviour(&ran.outcome.lanes[1]), UndefinedBehaviour::UndefinedCondition);
}

#[test]
fn calls_that_are_too_deep_end_those_who_make_them() {
    let callee = "func %g: %void (%lane: %u32, %x: %u32) stage structured {
block ^start:
  %c: %bool = i_equal %x, %k0
  if %c ^back ^on merge ^on
block ^back:
  return
block ^on:
  %y: %u32 = i_sub %x, %k1
  %called: %void = function_call %g, %lane, %y
  return
}";
    let program =
        Program::with(callee, "block ^entry:\n  %called: %void = function_call %g, %lane, %x\n  ballot 1\n  return");
    let xs = [3, 200, 50, 500];
    let ran = program.run_from(&Launch { depth: 100, ..Program::launch(4, |lane| xs[lane]) });
    assert_eq!(ran.ballots, [(1, 0b0101)]);
    assert_eq!(op_at(&program, &ran.outcome.lanes[1].end), Op::FunctionCall);
}

#[test]
fn races_are_found_where_somebody_asks() {
    let program = Program::new("block ^entry:\n  store %shared, %lane\n  return");
    let launch = Launch { races: Races::Report, ..Program::launch(2, |_| 0) };
    let races = program.run_from(&launch).outcome.races;
    assert_eq!(races.len(), 1);
    assert_eq!((races[0].first.lane.local, races[0].second.lane.local), ([0, 0, 0], [1, 0, 0]));
    assert!(races[0].to_string().contains("variable"), "{}", races[0]);
    assert_eq!(program.run(2).outcome.races, []);
}

#[test]
fn launches_that_make_no_sense_do_not_start() {
    let program = Program::new("block ^entry:\n  return");
    let start = |launch: &Launch| Interpreter::new(&program.module).run(program.function, launch, &mut no_externals);
    assert!(start(&Program::launch(2, |_| 0).with_subgroups(0)).is_err());
    assert!(start(&Launch { demoted: vec![2], ..Program::launch(2, |_| 0) }).is_err());
    assert!(start(&Launch { demoted: vec![1], ..Program::launch(2, |_| 0) }).is_ok());
}

#[test]
fn a_demoted_lane_stays_in_its_tangle_and_stores_nothing() {
    let program = Program::new(
        "block ^entry:
  %c: %bool = among 0b0100
  if %c ^demote ^skip merge ^merge
edge ^skip:
  branch ^merge
block ^demote:
  demote_to_helper_invocation
  branch ^merge
block ^merge:
  ballot 1
  store %shared, %lane
  return",
    );
    let variable = shared(&program);
    let launch = |lanes| Launch { observed: vec![variable], ..Program::launch(lanes, |_| 0) };
    let ran = program.run_from(&launch(3)).returned();
    assert_eq!(ran.ballots, [(1, 0b111)]);
    assert_eq!(ran.outcome.variable(variable, 0), Some(&Value::u32(1)));
    let ran = program.run_from(&Launch { demoted: vec![1], ..launch(3) }).returned();
    assert_eq!(ran.outcome.variable(variable, 0), Some(&Value::u32(0)));
}
