//! What several ways need and others do not is copied into those that do.

use reconverge_ir::{Function, Module, Op, text};
use reconverge_optimize::Analyses;
use reconverge_optimize::{Splits, gcm, gvn, partial_dce};
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::compare_walks;
use reconverge_testing::generators::lanes::{LaneOptions, SubgroupUse};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::lanes::{Idempotence, PassTrial, judge_pass};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{self, Values};
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module};
use reconverge_verify::{Claims, verify_motion};

/// Splits, and holds what was done against the verifier of motion.
fn run(module: &mut Module, function: Function) -> Splits {
    let before = module.clone();
    let splits = partial_dce(module, function, &mut Analyses::default());
    let claims = Claims { copies: splits.copies.clone(), ..Claims::default() };
    if let Some(finding) = verify_motion(&before, module, &claims).first() {
        panic!("{finding}\n{}\nthen\n{}", text::print(&before), text::print(module));
    }
    splits
}

#[track_caller]
fn split(source: &str) -> (Module, Splits) {
    let before = module(source);
    hold_verified(&before);
    let mut after = before.clone();
    let function = functions(&before)[0];
    let splits = run(&mut after, function);
    hold_verified(&after);
    assert!(hold_equal(&before, &after) > 0, "nothing was run");
    assert_eq!(run(&mut after, function), Splits::default(), "nothing is left to do");
    (after, splits)
}

/// A branch by a constant operand is uniform, so whole waves take the ways that need nothing.
fn program(parts: [&str; 3]) -> String {
    let [above, one, two] = parts;
    format!(
        "%buffer = type_pointer CrossWorkgroup, %u32
         %way: %u32 = spec_constant 1
         func %f: %u32 (%x: %u32, %b: %buffer) {{
         block ^entry:
           %a: %u32 = load %b
           {above}
           switch %way default ^rest [0 ^one] [1 ^two] [2 ^third]
         block ^one:
           {one}
           branch ^join
         block ^two:
           {two}
           branch ^join
         block ^third:
           store %b, %one
           branch ^join
         block ^rest:
           store %b, %zero
           branch ^join
         block ^join:
           return_value %x
         }}"
    )
}

#[test]
fn each_way_that_needs_it_has_it() {
    let source = program(["%p: %u32 = i_mul %a, %x", "store %b, %p", "%q: %u32 = i_add %p, %two\nstore %b, %q"]);
    let (after, splits) = split(&source);
    assert_eq!((splits.moved.len(), splits.copies.len(), count(&after, Op::IMul)), (1, 1, 2));
    let name = |inst| after.block_of(inst).and_then(|block| after.name(block));
    // A copy has the name of what it was copied from, so the two are told apart by their handles.
    let (copy, original) = splits.copies[0];
    let mut blocks = [copy, original].map(|inst| name(inst).expect("it stands in a named block"));
    blocks.sort_unstable();
    assert_eq!(blocks, ["one", "two"]);
}

#[test]
fn what_only_fed_it_comes_along() {
    let above = "%s: %u32 = i_add %a, %x\n%p: %u32 = i_mul %s, %s";
    let (after, splits) = split(&program([above, "store %b, %p", "store %b, %p"]));
    assert_eq!((splits.moved.len(), splits.copies.len()), (2, 2));
    assert_eq!((count(&after, Op::IMul), count(&after, Op::IAdd)), (2, 2));
}

#[test]
fn what_is_read_or_needed_anyway_stays() {
    for (above, one, two) in [
        ("%p: %u32 = load %b", "store %b, %p", "store %b, %p"),
        ("%p: %u32 = i_mul %a, %x\nstore %b, %p", "store %b, %p", "store %b, %p"),
        ("%c: %u32 = load %b\n%p: %u32 = i_mul %a, %c", "store %b, %p", "store %b, %p"),
    ] {
        let (_, splits) = split(&program([above, one, two]));
        assert_eq!(splits, Splits::default(), "{above}");
    }
}

#[test]
fn any_graph() {
    let mut copied = 0;
    for seed in 0..10 {
        let graphs: Vec<PlainGraph> = (0..10).map(|index| wild(seed * 100 + index, 4 + index as usize * 3)).collect();
        for values in [Values::Mixed, Values::Distant] {
            let before = program_from_graph::with_calls_and(&graphs, seed, values);
            let mut after = before.module.clone();
            for &function in &before.functions {
                gvn(&mut after, function, &mut Analyses::default());
                gcm(&mut after, function, &Default::default(), &mut Analyses::default());
                copied += run(&mut after, function).copies.len();
            }
            hold_verified(&after);
            let versions = (Version::new(&before.module), Version::new(&after));
            for (&function, graph) in before.functions.iter().zip(&graphs) {
                if let Err(message) = compare_walks(&versions.0, &versions.1, function, graph, seed) {
                    panic!("seed {seed}, {values:?}, {graph}: {message}");
                }
            }
        }
    }
    println!("{copied} copies");
}

#[test]
fn lanes_that_part() {
    let trial = PassTrial {
        options: LaneOptions { subgroup: SubgroupUse::Recorded, ..LaneOptions::default() },
        lanes: vec![1, 5, 32],
        idempotence: Idempotence::NotHeld,
        validated: 0,
        ..PassTrial::default()
    };
    let mut pass = |module: &mut Module, function: Function| Ok(run(module, function) != Splits::default());
    match judge_pass(0..150, &trial, &mut pass) {
        Ok(figures) => println!("{figures:?}"),
        Err(message) => panic!("{message}"),
    }
}
