//! The harness for passes: it accepts what keeps the lanes together and catches what does not.

use reconverge::pipeline::{ON_REQUEST, Work};
use reconverge_ir::{Function, Module, Op};
use reconverge_testing::generators::lanes::{LaneOptions, Outside, Records, SubgroupUse, lanes_program, lower};
use reconverge_testing::is_deep;
use reconverge_testing::lanes::{Idempotence, Inputs, PassTrial, compare_runs, interpret, judge_pass, simulate};

fn many(default: u64, deep: u64) -> u64 {
    if is_deep() { deep } else { default }
}

/// The interpreter does what the program says.
#[test]
fn the_interpreter_agrees_with_the_masks() {
    let mut records = 0;
    for seed in 0..many(300, 20_000) {
        let options = LaneOptions { kill: seed % 7 == 3, barriers: seed % 7 == 5, ..LaneOptions::default() };
        let program = lanes_program(seed, 3 + seed as usize % 50, &options);
        let lowered = lower(&program, Outside::Calls);
        for lanes in [1, 4, 16, 64] {
            let inputs = Inputs::new(lanes, seed);
            let expected = simulate(&program, &inputs).unwrap().run;
            let found = interpret(&lowered, &inputs).unwrap();
            let compared = compare_runs(&expected, &found);
            assert!(
                compared.is_ok(),
                "seed {seed}, {lanes} lanes: {}\n{program}\n{}",
                compared.unwrap_err(),
                reconverge_ir::text::print(&lowered.module)
            );
            records += expected.records.iter().map(Vec::len).sum::<usize>();
        }
    }
    assert!(records > 10_000, "{records}");
}

#[test]
fn a_pass_that_does_nothing_passes() {
    let trial = PassTrial { idempotence: Idempotence::Held, ..PassTrial::default() };
    let figures = judge_pass(0..many(60, 2_000), &trial, &mut |_, _| Ok(false)).unwrap();
    assert!(figures.records > 1_000 && figures.changed == 0, "{figures:?}");
}

/// Takes the else arm of the first selection it finds for the other one.
fn swap_arms(module: &mut Module, function: Function) -> Result<bool, String> {
    let terminators = module.blocks(function).filter_map(|block| module.terminator(block));
    let Some(selection) = terminators.into_iter().find(|&last| module.op(last) == Op::If) else { return Ok(false) };
    let [yes, no] = [1, 2].map(|index| module.operand(selection, index));
    module.edit().set_operand(selection, 1, no);
    module.edit().set_operand(selection, 2, yes);
    Ok(true)
}

#[test]
fn a_wrong_pass_is_caught_and_the_program_made_small() {
    let message = judge_pass(0..100, &PassTrial::default(), &mut swap_arms).unwrap_err();
    let program = message.split("; before").next().unwrap();
    assert!(program.lines().count() < 20, "{message}");
}

/// Every pass that runs on request keeps what the lanes do, and what came out is structured.
#[test]
fn every_pass_on_request() {
    let only = std::env::var("RECONVERGE_LANES_PASS").ok();
    let mut complaints = Vec::new();
    for pass in ON_REQUEST.iter().filter(|pass| only.as_ref().is_none_or(|only| only == pass.name)) {
        let Work::Structured(work) = pass.work else { continue };
        let mut run = |module: &mut Module, function| work(module, function).map_err(|error| error.to_string());
        for (character, options) in characters() {
            let trial = PassTrial { options, idempotence: Idempotence::Held, ..PassTrial::default() };
            match judge_pass(0..many(30, 2_000), &trial, &mut run) {
                Ok(figures) => println!("{} on {character} programs: {figures:?}", pass.name),
                Err(message) => complaints.push(format!("{} on {character} programs: {message}", pass.name)),
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

fn characters() -> [(&'static str, LaneOptions); 3] {
    let every_block = LaneOptions { records: Records::EveryBlock, ..LaneOptions::default() };
    let ending = LaneOptions { kill: true, subgroup: SubgroupUse::None, memory: false, ..LaneOptions::default() };
    [("mixed", LaneOptions::default()), ("talkative", every_block), ("ending", ending)]
}
