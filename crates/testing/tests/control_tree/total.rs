//! Every structured function has a tree, and is the same when it is built anew from it.

use reconverge::CompileOptions;
use reconverge::pipeline::Level;
use reconverge_control_tree::{ConstructKind, ControlTree};
use reconverge_ir::{Module, Stage};
use reconverge_spirv::{ReadOptions, read};
use reconverge_testing::early_joins::join_early;
use reconverge_testing::generators::lanes::{LaneOptions, Outside, lanes_program, lower};
use reconverge_testing::is_deep;
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::random::Random;
use reconverge_testing::rebuild::{Figures, judge, structured_module};

/// 500 modules; with `RECONVERGE_DEEP=1` 80,000. `cargo run --example control_trees` of this crate takes more, and files of SPIR-V.
#[test]
fn every_structured_function_has_a_tree_and_is_built_anew_from_it() {
    let mut sum = Figures::default();
    for seed in 0..if is_deep() { 80_000 } else { 500 } {
        let held = structured_module(seed).and_then(|module| judge(&module, seed));
        sum = sum.and(held.unwrap_or_else(|message| panic!("seed {seed}: {message}")));
    }
    println!("{sum:?}");
    assert!(sum.functions > 600 && sum.scopes > 250 && sum.runs > 2_500, "{sum:?}");
}

/// How many scopes the structured functions of a module have.
fn scopes(module: &Module) -> usize {
    let structured = module
        .functions()
        .filter(|&function| module.entry(function).is_some() && module.stage(function) == Stage::Structured);
    let trees = structured.map(|function| ControlTree::compute(module, function).unwrap());
    trees.map(|tree| tree.constructs().filter(|construct| construct.kind == ConstructKind::Scope).count()).sum()
}

/// The validator accepts ways that meet early; they are there when the file is read, and what is optimized is valid.
#[test]
fn early_meetings_come_through_spirv() {
    let validator = Validator::find().unwrap();
    let mut joins = 0;
    for seed in 0..if is_deep() { 2_000 } else { 60 } {
        let options = LaneOptions { barriers: false, ..LaneOptions::default() };
        let program = lanes_program(seed, 5 + seed as usize % 40, &options);
        let mut lowered = lower(&program, Outside::Calls);
        for function in lowered.functions.clone() {
            join_early(&mut lowered.module, function, 4, &mut Random::new(seed));
        }
        let bytes = reconverge_spirv::write(&lowered.module, &Default::default()).unwrap();
        validator.validate(&bytes, Environment::Universal).unwrap_or_else(|message| panic!("seed {seed}: {message}"));
        let mut module = read(&bytes, &ReadOptions::default()).unwrap();
        assert_eq!(scopes(&module), scopes(&lowered.module), "seed {seed}");
        joins += scopes(&module);
        for level in [Level::Speed, Level::Size] {
            let options = CompileOptions::new().level(level);
            reconverge::run(&mut module, &options, &mut |_, _| ()).unwrap();
            let bytes = reconverge_spirv::write(&module, &Default::default()).unwrap();
            validator
                .validate(&bytes, Environment::Universal)
                .unwrap_or_else(|message| panic!("seed {seed}: {message}"));
        }
    }
    assert!(joins > 60, "{joins}");
}
