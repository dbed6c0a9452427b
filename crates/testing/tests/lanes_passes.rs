//! The harness for passes: it accepts what keeps the lanes together and catches what does not.

use reconverge_ir::{Function, Module, Op};
use reconverge_testing::generators::lanes::{LaneOptions, Outside, lanes_program, lower};
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
