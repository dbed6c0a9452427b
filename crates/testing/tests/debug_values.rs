//! What debug information says of variables is true, and costs nothing: random programs with declared variables, at every level.

use reconverge::CompileOptions;
use reconverge::pipeline::Level;
use reconverge_ir::debug_info::{DebugSet, number, operand};
use reconverge_ir::{Function, Inst, Module, Op, compare, text};
use reconverge_optimize::{Interface, remove_unused_globals, strip_debug};
use reconverge_testing::debug_values::{Told, judge, source};
use reconverge_testing::is_deep;

const SETS: [&str; 2] = ["OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo.100"];
const RUNS: u64 = 4;

fn programs() -> impl Iterator<Item = (u64, Module, Function)> {
    let count = if is_deep() { 3_000 } else { 120 };
    (0..count).map(|seed| {
        let (module, function) = source(seed, 3 + seed as usize % 20, SETS[seed as usize % 2]);
        (seed, module, function)
    })
}

fn compiled(module: &Module, level: Level) -> Module {
    let mut compiled = module.clone();
    let options = CompileOptions::new().level(level);
    if let Err(error) = reconverge::run(&mut compiled, &options, &mut |_, _| ()) {
        panic!("{error}\n{}", text::print(module));
    }
    compiled
}

/// The code alone.
fn stripped(mut module: Module) -> Module {
    strip_debug(&mut module);
    remove_unused_globals(&mut module, Interface::Kept);
    module
}

#[test]
fn what_is_said_of_variables_is_true() {
    for level in Level::ALL {
        let mut told = Told::default();
        for (seed, module, function) in programs() {
            let compiled = compiled(&module, level);
            for run in 0..RUNS {
                match judge(&module, &compiled, function, run) {
                    Ok(found) => told = Told { known: told.known + found.known, all: told.all + found.all },
                    Err(message) => {
                        let texts = [&module, &compiled].map(text::print).join("\n");
                        panic!("program {seed}, -O{}, run {run}: {message}\n{texts}", level.name())
                    }
                }
            }
        }
        println!("-O{}: {told:?}", level.name());
        assert!(2 * told.known > told.all, "little is said at -O{}: {told:?}", level.name());
    }
}

#[test]
fn debug_information_changes_no_code() {
    for (seed, module, _) in programs() {
        for level in Level::ALL {
            let (after, before) = (stripped(compiled(&module, level)), compiled(&stripped(module.clone()), level));
            if let Err(difference) = compare::compare(&stripped(before.clone()), &after) {
                let texts = [&before, &after].map(text::print).join("\n");
                panic!("program {seed}, -O{}: {difference}\n{texts}", level.name());
            }
        }
    }
}

/// The instructions of debug information about variables, of a kind.
fn described(module: &Module, kind: u32) -> Vec<Inst> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let inside = blocks.flat_map(|block| module.children(block));
    inside.filter(|&inst| DebugSet::of_inst(module, inst).is_some_and(|(_, number)| number == kind)).collect()
}

/// Whether a run tells the mutant from the module. Many mutants are the same in every run: where no call comes between the change and the next
/// assignment, or no run comes there.
fn is_found(module: &Module, mutant: &Module, function: Function) -> bool {
    (0..4 * RUNS).any(|run| judge(module, mutant, function, run).is_err())
}

#[test]
fn the_judge_finds_values_that_are_not_true() {
    let (mut found, mut all) = (0, 0);
    for (_, module, function) in programs().take(60) {
        let compiled = compiled(&module, Level::Speed);
        for inst in described(&compiled, number::VALUE).into_iter().take(8) {
            let slot = 2 + operand::DECLARE_VARIABLE;
            if compiled.op(compiled.operand(inst, slot)) == Op::Undef {
                continue;
            }
            let mut mutant = compiled.clone();
            let ty = mutant.ty(mutant.operand(inst, slot));
            let mut editor = mutant.edit();
            let word = editor.word(0xdead);
            let other = editor.unique(Op::Constant, ty, &[word]);
            editor.set_operand(inst, slot, other);
            all += 1;
            found += usize::from(is_found(&module, &mutant, function));
        }
    }
    println!("{found} of {all} wrong values");
    assert!(all > 100 && 4 * found > all, "{found} of {all}");
}

#[test]
fn the_judge_finds_stores_that_are_gone_while_the_declaration_stays() {
    let (mut found, mut all) = (0, 0);
    for (_, module, function) in programs().take(60) {
        let blocks: Vec<_> = module.blocks(function).collect();
        let inside = blocks.into_iter().flat_map(|block| module.children(block)).collect::<Vec<_>>();
        for store in inside.into_iter().filter(|&inst| module.op(inst) == Op::Store).take(8) {
            let mut mutant = module.clone();
            mutant.edit().delete(store);
            all += 1;
            found += usize::from(is_found(&module, &mutant, function));
        }
    }
    println!("{found} of {all} stores");
    assert!(all > 100 && 8 * found > all, "{found} of {all}");
}
