//! What several ways need and others do not is copied into those that do.

use reconverge_ir::{Function, Module, text};
use reconverge_optimize::Analyses;
use reconverge_optimize::{Splits, gcm, gvn, partial_dce};
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::compare_walks;
use reconverge_testing::filetest::{folder, modules_below};
use reconverge_testing::generators::lanes::{LaneOptions, SubgroupUse};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::lanes::{Idempotence, PassTrial, judge_pass};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{self, Values};
use reconverge_testing::programs::{check_verified, functions};
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

/// On the programs of the filetests, which say what is copied where.
#[test]
fn every_copy_is_claimed() {
    let mut copies = 0;
    for (_, mut module) in modules_below(&folder().join("passes/partial_dce")).expect("files") {
        for function in functions(&module) {
            copies += run(&mut module, function).copies.len();
        }
    }
    assert!(copies > 2, "{copies} copies");
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
            check_verified(&after);
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
