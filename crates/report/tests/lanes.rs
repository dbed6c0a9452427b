//! Runs of lanes, and how they compare.

use reconverge::ir::{Module, text};
use reconverge_report::lanes::{
    LaneEnd, LaneLaunch, LaneLimits, LaneMove, LaneRun, OperationPair, Verdict, run_function,
};
use reconverge_report::{Change, Recorder};

const PREAMBLE: &str = "\
capability Shader
capability GroupNonUniformBallot
memory_model Logical, GLSL450
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%ballot_type = type_vector %u32, 4
%input = type_pointer Input, %u32
%lane: %input = variable Input {decorate BuiltIn 41}
%true: %bool = constant_true
%scope: %u32 = constant 3
%k0: %u32 = constant 0
%k1: %u32 = constant 1
%k2: %u32 = constant 2
entry_point GLCompute, %main, \"main\", %lane
execution_mode %main, LocalSize 8, 1, 1
func %main: %void () stage structured {
";

/// A module whose function `%main` has these blocks.
fn module(body: &str) -> Module {
    let text = format!("{PREAMBLE}{body}}}\n");
    text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Odd lanes and even lanes split; at the end all vote together.
pub(crate) fn together() -> Module {
    module(
        "block ^entry:
  %number: %u32 = load %lane
  %low: %u32 = bitwise_and %number, %k1
  %odd: %bool = i_equal %low, %k1
  if %odd ^then ^else merge ^merge
block ^then:
  branch ^merge
block ^else:
  branch ^merge
block ^merge:
  %vote: %ballot_type = group_non_uniform_ballot %scope, %odd
  return
",
    )
}

/// The same with the vote in both arms: those of an arm vote alone.
pub(crate) fn apart() -> Module {
    module(
        "block ^entry:
  %number: %u32 = load %lane
  %low: %u32 = bitwise_and %number, %k1
  %odd: %bool = i_equal %low, %k1
  if %odd ^then ^else merge ^merge
block ^then:
  %vote: %ballot_type = group_non_uniform_ballot %scope, %odd
  branch ^merge
block ^else:
  %other: %ballot_type = group_non_uniform_ballot %scope, %odd
  branch ^merge
block ^merge:
  return
",
    )
}

/// The same with an instruction more.
pub(crate) fn extended() -> Module {
    let text = text::print(&together());
    let text = text.replacen("  if %odd", "  %more: %u32 = i_add %number, %k1\n  if %odd", 1);
    text::parse(&text).expect("one instruction is added")
}

/// The same with another condition: all vote together for something else.
fn otherwise() -> Module {
    let text = text::print(&together());
    let text = text.replacen("i_equal %low, %k1", "i_equal %low, %k0", 1);
    text::parse(&text).expect("one operand is another constant")
}

/// A launch of `%main` in two states.
pub(crate) fn launch(states: [&Module; 2]) -> LaneLaunch {
    let mut launch = LaneLaunch::new("%main", "none");
    for (pass, module) in states.into_iter().enumerate() {
        launch.add(pass, run(module));
    }
    launch.finish(states.len());
    launch
}

fn run(module: &Module) -> Result<LaneRun, String> {
    run_function(module, module.functions().next().expect("there is a function"))
}

fn verdicts(launch: &LaneLaunch) -> Vec<Verdict> {
    launch.comparisons.iter().flat_map(|comparison| &comparison.pairs).map(|pair| pair.verdict).collect()
}

#[test]
fn arms_run_side_by_side_and_lanes_wait_at_the_merge() {
    let run = run(&together()).expect("the function runs");
    let lanes: Vec<Vec<u32>> = run.steps.iter().map(|step| step.iter().map(|one| one.lanes).collect()).collect();
    assert_eq!(lanes, [vec![0xff], vec![0x55, 0xaa], vec![0xff], vec![0xff]]);
    assert_eq!((run.lanes, run.is_cut), (8, false));
    assert!(run.ends.iter().all(|end| (end.step, end.text.as_str()) == (4, "returned")));
    let [vote] = &run.operations[..] else { panic!("{:?}", run.operations) };
    assert_eq!((vote.op.as_str(), vote.result.as_str(), vote.step), ("group_non_uniform_ballot", "%vote", 3));
    assert_eq!((vote.value(0), vote.value(7), vote.values.len()), (Some("{1 3 5 7}"), Some("{1 3 5 7}"), 1));
}

#[test]
fn equal_runs_are_stored_once_and_have_no_comparison() {
    let same = launch([&together(), &together()]);
    assert_eq!((same.runs.len(), same.comparisons.len()), (1, 0));
    assert_eq!(same.states.iter().map(|state| state.run).collect::<Vec<_>>(), [Some(0), Some(0)]);
}

#[test]
fn fewer_lanes_together_and_other_results_are_noticed() {
    let split = launch([&together(), &apart()]);
    assert_eq!(verdicts(&split), [Verdict::OtherLanes, Verdict::OtherLanes]);
    let [odd, even] = &split.comparisons[0].pairs[..] else { panic!("two arms") };
    assert_eq!((odd.lanes | even.lanes, odd.lanes & even.lanes), (0xff, 0));
    assert_eq!(verdicts(&launch([&together(), &otherwise()])), [Verdict::OtherValues]);
}

#[test]
fn what_one_run_does_not_have_is_named() {
    let without = text::print(&together());
    let without: String =
        without.lines().filter(|line| !line.contains("_ballot %")).map(|line| format!("{line}\n")).collect();
    let without = text::parse(&without).expect("nothing uses the vote");
    assert_eq!(verdicts(&launch([&together(), &without])), [Verdict::OnlyBefore]);
    let added = launch([&without, &together()]);
    assert_eq!(verdicts(&added), [Verdict::OnlyAfter]);
    let pair = OperationPair { before: None, after: Some(0), lanes: 0xff, verdict: Verdict::OnlyAfter };
    assert_eq!(added.comparisons[0].pairs, [pair]);
}

#[test]
fn what_is_behind_a_limit_is_not_compared() {
    let whole = run(&together()).expect("the function runs");
    let cut = LaneRun { operations: Vec::new(), is_cut: true, ..whole.clone() };
    for runs in [[&whole, &cut], [&cut, &whole]] {
        let mut launch = LaneLaunch::new("%main", "none");
        runs.into_iter().enumerate().for_each(|(pass, run)| launch.add(pass, Ok(run.clone())));
        launch.finish(2);
        assert_eq!((launch.comparisons.len(), verdicts(&launch).len()), (1, 0));
    }
}

#[test]
fn an_endless_loop_of_long_blocks_ends_at_the_limit_of_instructions() {
    let body: String = (0..200).map(|number| format!("  %x{number}: %u32 = i_add %k1, %k1\n")).collect();
    let text = format!(
        "block ^entry:\n  loop ^head break ^end continue ^next control 0\nblock ^head:\n{body}  branch ^next\nblock ^next:\n  \
         branch_if %true ^again ^leave\nedge ^again:\n  branch ^head\nedge ^leave:\n  branch ^end\nblock ^end:\n  return\n"
    );
    let run = run(&module(&text)).expect("the function runs");
    assert!(run.is_cut && run.ends.iter().all(|end| end.text.starts_with("out of fuel")), "{:?}", run.ends);
}

#[test]
fn an_endless_loop_ends_at_the_limit_of_moves() {
    let endless = module(
        "block ^entry:
  loop ^head break ^end continue ^next control 0
block ^head:
  if %true ^body ^skip merge ^after control 0
block ^body:
  branch ^after
block ^skip:
  branch ^after
block ^after:
  branch ^next
block ^next:
  branch_if %true ^again ^leave
edge ^again:
  branch ^head
edge ^leave:
  branch ^end
block ^end:
  return
",
    );
    let run = run(&endless).expect("the function runs");
    assert!(run.is_cut);
    assert_eq!(run.steps.iter().map(Vec::len).sum::<usize>(), LaneLimits::MOVES as usize);
    assert!(run.ends.iter().all(|end| end.text == "not recorded further" && end.step as usize == run.steps.len()));
}

#[test]
fn different_runs_of_a_launch_are_limited() {
    let mut launch = LaneLaunch::new("%main", "none");
    let original = run(&together()).expect("the function runs");
    for pass in 0..LaneLimits::RUNS + 2 {
        let mut run = original.clone();
        run.operations[0].inst += pass;
        launch.add(pass as usize, Ok(run));
    }
    launch.finish(LaneLimits::RUNS as usize + 5);
    assert_eq!((launch.runs.len(), launch.states.len()), (LaneLimits::RUNS as usize, LaneLimits::RUNS as usize + 5));
    let last = launch.states.last().expect("there are states");
    assert!(last.run.is_none() && last.reason.contains("16 different runs"), "{last:?}");
}

#[test]
fn the_data_of_lanes_is_in_the_report() {
    let mut recorder = Recorder::new(&together());
    recorder.record("change", None, Change::Some, &apart());
    recorder.report().lanes.launches.push(launch([&together(), &apart()]));
    let json: serde_json::Value = serde_json::from_str(&recorder.finish().json()).expect("the data is JSON");
    assert_eq!(json["lanes"]["limits"]["lanes"], 8);
    let launch = &json["lanes"]["launches"][0];
    assert_eq!(launch["comparisons"][0]["pairs"][0]["verdict"], "other_lanes");
    assert_eq!(launch["runs"][0]["steps"][1][0]["lanes"], 0x55);
    let block = |step: usize| launch["runs"][0]["steps"][step][0]["block"].as_u64();
    let names: Vec<&str> = json["blocks"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|version| version["id"].as_u64() == block(1))
        .filter_map(|version| version["name"].as_str())
        .collect();
    assert!(names.contains(&"^else"), "{names:?}");
}

#[test]
fn a_variable_that_is_too_large_is_undefined_and_bounds_nothing_else() {
    let body =
        "block ^entry:\n  %first: %u32_pointer = access_chain %large, %k0\n  %v: %u32 = load %first\n  return\n}\n";
    let types =
        format!("%many: %u32 = constant {}\n%array = type_array %u32, %many {{decorate ArrayStride 4}}\n", 1 << 20);
    let variables = "%pointer = type_pointer StorageBuffer, %array\n%u32_pointer = type_pointer StorageBuffer, %u32\n\
                     %large: %pointer = variable StorageBuffer\n";
    let text = PREAMBLE.replace("entry_point", &format!("{types}{variables}entry_point")) + body;
    let module = text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let run = run(&module).expect("the function runs");
    assert!(run.ends.iter().all(|end| end.text == "returned"), "{:?}", run.ends);
}

#[test]
fn as_many_runs_as_are_kept_fit_into_the_page() {
    let report = crate::recorded(crate::long_module(1_000), &crate::optimized());
    let passes = report.passes.len();
    let (mut report, base) = (report.clone(), report.page().len());
    let blocks: Vec<u32> = report.blocks.iter().map(|block| block.id).collect();
    for number in 0..LaneLimits::LAUNCHES {
        let mut launch = LaneLaunch::new("%main", "none");
        for pass in 0..passes.min(LaneLimits::RUNS as usize) {
            // Two arms in each step, in blocks that differ from run to run.
            let step = |step: u32| {
                let block = |arm: u32| blocks[(step * 7 + arm * 3 + number * 11 + pass as u32) as usize % blocks.len()];
                let arm = |arm: u32| LaneMove { block: block(arm), lanes: 0x55 << arm, operation: None };
                vec![arm(0), arm(1)]
            };
            let steps = (0..LaneLimits::MOVES / 2).map(step).collect();
            let ends = vec![LaneEnd { step: LaneLimits::MOVES / 2, text: "returned".to_owned() }; 8];
            launch.add(pass, Ok(LaneRun { lanes: 8, steps, operations: Vec::new(), ends, is_cut: true }));
        }
        launch.finish(passes);
        report.lanes.launches.push(launch);
    }
    let size = report.page().len();
    assert!(size > base && size < 2_000_000, "{base} and lanes: {size}");
}
