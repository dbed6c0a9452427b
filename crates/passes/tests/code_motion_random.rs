//! Programs do the same after value numbering and code motion, wherever instructions are put.

mod common;

use common::hold_verified;
use reconverge_analysis::FlowGraph;
use reconverge_analysis::liveness::Liveness;
use reconverge_ir::{Function, Module, text};
use reconverge_passes::{MotionOptions, Placement, code_motion, value_numbering};
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::compare_walks;
use reconverge_testing::flesh::{self, Values};
use reconverge_testing::generators::lanes::{LaneOptions, SubgroupUse};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::is_deep;
use reconverge_testing::lanes::{Idempotence, PassTrial, judge_pass};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_verify::{Claims, verify_motion};

const PLACEMENTS: [Placement; 4] =
    [Placement::Cheapest, Placement::AnyLegal(1), Placement::AnyLegal(2), Placement::AnyLegal(3)];

/// How many times as many programs as in a slice.
fn deep() -> u64 {
    if is_deep() { 100 } else { 1 }
}

/// The most values that live at once, if they are counted one by one.
fn most_live(module: &Module, function: Function) -> Option<u32> {
    let flow = FlowGraph::compute(module, function);
    let liveness = Liveness::compute(module, &flow, &flow.dominators().1, |_| false);
    liveness.is_exact().then(|| liveness.highest().total())
}

fn run(module: &mut Module, function: Function, placement: Placement) -> bool {
    let numbered = value_numbering(module, function);
    let options = MotionOptions { placement, ..MotionOptions::default() };
    let before = module.clone();
    let moves = code_motion(module, function, &options);
    let findings = verify_motion(&before, module, &Claims::default());
    if let Some(finding) = findings.first() {
        panic!("{placement:?}: {finding}\n{}\nthen\n{}", text::print(&before), text::print(module));
    }
    let pressure = moves.pressure;
    if placement == Placement::Cheapest
        && !moves.moves.is_empty()
        && let (Some(found), Some(left)) = (most_live(&before, function), most_live(module, function))
    {
        assert_eq!((pressure.before, pressure.after), (found, left), "{}", text::print(&before));
    }
    assert!(pressure.after <= (pressure.before + pressure.before / 10).max(16), "{pressure:?}");
    numbered.merged + numbered.parameters + moves.moves.len() > 0
}

#[test]
fn any_graph() {
    let mut moved = 0;
    for seed in 0..12 * deep() {
        let graphs: Vec<PlainGraph> = (0..10).map(|index| wild(seed * 100 + index, 4 + index as usize * 3)).collect();
        for values in [Values::Mixed, Values::Distant] {
            let before = flesh::with_calls_and(&graphs, seed, values);
            hold_verified(&before.module);
            for placement in PLACEMENTS {
                let mut after = before.module.clone();
                for &function in &before.functions {
                    moved += usize::from(run(&mut after, function, placement));
                }
                hold_verified(&after);
                let versions = (Version::new(&before.module), Version::new(&after));
                for (&function, graph) in before.functions.iter().zip(&graphs) {
                    if let Err(message) = compare_walks(&versions.0, &versions.1, function, graph, seed) {
                        panic!("seed {seed}, {values:?}, {placement:?}, {graph}: {message}");
                    }
                }
            }
        }
    }
    assert!(moved > 100, "{moved} functions were changed");
}

#[test]
fn lanes_that_part() {
    let subgroup = [SubgroupUse::None, SubgroupUse::Recorded, SubgroupUse::Everywhere];
    for (index, placement) in PLACEMENTS.into_iter().enumerate() {
        let trial = PassTrial {
            options: LaneOptions { subgroup: subgroup[index % subgroup.len()], ..LaneOptions::default() },
            lanes: vec![1, 5, 32],
            idempotence: Idempotence::NotHeld,
            validated: 0,
            ..PassTrial::default()
        };
        let first = index as u64 * 1_000_000;
        let mut pass = |module: &mut Module, function: Function| Ok(run(module, function, placement));
        match judge_pass(first..first + 60 * deep(), &trial, &mut pass) {
            Ok(figures) => assert!(figures.changed > 10, "{figures:?}"),
            Err(message) => panic!("{placement:?}: {message}"),
        }
    }
}
