//! Programs do the same after value numbering and code motion, wherever instructions are put.

use reconverge_optimize::Analyses;
use std::fmt::Write as _;

use reconverge_analysis::FlowGraph;
use reconverge_analysis::liveness::Liveness;
use reconverge_ir::{Function, Module, text};
use reconverge_optimize::{MotionOptions, Placement, gcm, gvn};
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::compare_walks;
use reconverge_testing::generators::lanes::{LaneOptions, SubgroupUse};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::is_deep;
use reconverge_testing::lanes::{Idempotence, PassTrial, judge_pass};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{self, Values};
use reconverge_testing::programs::check_verified;
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
    let numbered = gvn(module, function, &mut Analyses::default());
    let options = MotionOptions { placement, ..MotionOptions::default() };
    let before = module.clone();
    let moves = gcm(module, function, &options, &mut Analyses::default());
    let findings = verify_motion(&before, module, &Claims::default());
    if let Some(finding) = findings.first() {
        panic!("{placement:?}: {finding}\n{}\nthen\n{}", text::print(&before), text::print(module));
    }
    let pressure = moves.pressure;
    if placement == Placement::Cheapest
        && !moves.moves.is_empty()
        && let (Some(found), Some(left)) = (most_live(&before, function), most_live(module, function))
    {
        assert_eq!(pressure.after, Some(left), "{}", text::print(&before));
        assert_eq!(pressure.before.unwrap_or(found), found, "{}", text::print(&before));
        assert!(pressure.before.is_some() || left <= 16, "{pressure:?}");
    }
    let limit = pressure.before.map_or(0, |before| before + before / 10).max(16);
    assert!(pressure.after.is_none_or(|after| after <= limit), "{pressure:?}");
    numbered.merged + numbered.parameters + moves.moves.len() > 0
}

#[test]
fn any_graph() {
    let mut moved = 0;
    for seed in 0..12 * deep() {
        let graphs: Vec<PlainGraph> = (0..10).map(|index| wild(seed * 100 + index, 4 + index as usize * 3)).collect();
        for values in [Values::Mixed, Values::Distant] {
            let before = program_from_graph::with_calls_and(&graphs, seed, values);
            check_verified(&before.module);
            for placement in PLACEMENTS {
                let mut after = before.module.clone();
                for &function in &before.functions {
                    moved += usize::from(run(&mut after, function, placement));
                }
                check_verified(&after);
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

/// Lanes run the first loop as often as their input says: when the last take their last turn, the others are gone. Behind it all have met again.
#[test]
fn derivatives_enter_no_loop_that_lanes_leave_apart() {
    let source = "
        %void = type_void
        %bool = type_bool
        %u32 = type_int 32, 0
        %f32 = type_float 32
        %p_in = type_pointer Input, %f32
        %p_u = type_pointer Input, %u32
        %p_out = type_pointer Output, %f32
        %in: %p_in = variable Input
        %count: %p_u = variable Input
        %out: %p_out = variable Output
        %zero: %u32 = constant 0
        %one: %u32 = constant 1
        func %f: %void () stage structured {
        block ^entry:
          %x: %f32 = load %in
          %n: %u32 = load %count
          loop ^turn(%zero) break ^behind continue ^turn
        block ^turn(%i: %u32):
          %i1: %u32 = i_add %i, %one
          %more: %bool = u_less_than %i1, %n
          branch_if %more ^again ^left
        edge ^again:
          branch ^turn(%i1)
        edge ^left:
          branch ^behind
        block ^behind:
          %slope: %f32 = d_pdx %x
          %twice: %f32 = f_add %x, %x
          store %out, %slope
          store %out, %twice
          return
        }";
    let before = text::parse(source).unwrap_or_else(|error| panic!("{error}"));
    let function = before.functions().next().expect("it has a function");
    let named = |name: &str| {
        let all = before.blocks(function).flat_map(|block| before.children(block));
        let mut named = all.filter(|&inst| before.name(inst).as_deref() == Some(name));
        named.next().expect("it has a name")
    };
    let (slope, twice) = (named("slope"), named("twice"));
    let loop_block = before.block_of(named("i1"));
    let mut others_enter = false;
    for seed in 0..64 {
        let mut after = before.clone();
        let options = MotionOptions { placement: Placement::AnyLegal(seed), ..MotionOptions::default() };
        gcm(&mut after, function, &options, &mut Analyses::default());
        check_verified(&after);
        assert_ne!(after.block_of(slope), loop_block, "seed {seed}");
        others_enter |= after.block_of(twice) == loop_block;
    }
    assert!(others_enter, "what compares no lanes may stand there");
}

/// So many values that live past as many diamonds, and a loop with an invariant behind them.
fn far_values(count: usize) -> Module {
    let mut text = String::from(
        "%u32 = type_int 32, 0\n%bool = type_bool\n%zero: %u32 = constant 0\n%one: %u32 = constant 1\n\
         func %f: %u32 (%a: %u32, %b: %u32, %c: %bool) {\nblock ^entry:\n  %v0: %u32 = i_add %a, %b\n",
    );
    (1..count).for_each(|v| _ = writeln!(text, "  %v{v}: %u32 = i_add %v{}, %b", v - 1));
    text.push_str("  branch ^s0\n");
    for d in 0..count {
        _ = write!(
            text,
            "block ^s{d}:\n  branch_if %c ^l{d} ^r{d}\nblock ^l{d}:\n  branch ^j{d}(%a)\nblock ^r{d}:\n  branch ^j{d}(%b)\n\
             block ^j{d}(%q{d}: %u32):\n"
        );
        text.push_str(&if d + 1 < count {
            format!("  branch ^s{}\n", d + 1)
        } else {
            "  %w0: %u32 = i_add %v0, %q0\n".into()
        });
    }
    (1..count).for_each(|v| _ = writeln!(text, "  %w{v}: %u32 = i_add %w{}, %v{v}", v - 1));
    _ = write!(
        text,
        "  branch ^h(%zero)\nblock ^h(%i: %u32):\n  %invariant: %u32 = i_mul %a, %b\n  %j: %u32 = i_add %i, %invariant\n\
         \x20 %more: %bool = u_less_than %j, %a\n  branch_if %more ^around ^end\nedge ^around:\n  branch ^h(%j)\n\
         block ^end:\n  return_value %w{}\n}}\n",
        count - 1
    );
    text::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn where_counting_would_take_long_there_are_never_too_few() {
    for count in [20, 200, 600] {
        let mut module = far_values(count);
        check_verified(&module);
        let function = module.functions().next().expect("there is one");
        // All of them, three parameters, that of the first join, which is used at the end, and that of another.
        let exact = count as u32 + 5;
        assert_eq!(most_live(&module, function), (count == 20).then_some(exact));
        let moves = gcm(&mut module, function, &MotionOptions::default(), &mut Analyses::default());
        assert_eq!(moves.moves.len(), 1);
        let before = moves.pressure.before.expect("there are more than a few");
        assert!((exact..exact + 4).contains(&before), "{count}: {:?}", moves.pressure);
    }
}
