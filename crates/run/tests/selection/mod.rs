//! Instruction selection is complete: every operation on scalars, with every types that the verifier allows, in every shape of its operands, gets
//! machine code that computes what the interpreter computes, or is refused by a row of the back end's table of refusals.
//!
//! ```text
//! ops × types ── verify ──▶ combinations ── shapes of operands ──▶ cases ── batches ──▶ kernel ─┬─▶ interpreter
//!                                                                                               └─▶ machine code, run    equal?
//! ```
//!
//! | file | content |
//! |---|---|
//! | `scalar.rs` | the types, and the values that operands have |
//! | `domain.rs` | the combinations of an operation and types |
//! | `cases.rs` | the shapes of the operands of a combination |
//! | `kernel.rs` | a kernel that computes cases, and its launch |
//! | `engines.rs` | runs of a kernel |
//! | `compare.rs` | what counts as equal |

mod cases;
mod compare;
mod domain;
mod engines;
mod kernel;
mod scalar;

use std::collections::{BTreeSet, HashSet};

use cases::Case;
use domain::Combination;
use engines::Engine;
use kernel::Kernel;
use reconverge_lanes::patterns::{Operation, Pattern, Support, Typed};

/// The cases of a kernel.
const BATCH: usize = 24;

/// Judges cases of each combination: all, or one of each combination, in turn another one. The failures are listed.
fn hold(engine: Engine) {
    let combinations = domain::combinations();
    let cases: Vec<Case> =
        combinations.iter().enumerate().flat_map(|(index, combination)| chosen(index, combination)).collect();
    let is_refused = |case: &Case| matches!(engine.support(&case.combination), Some(Support::Refused(_)));
    let (refused, selected): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(is_refused);
    let mut tally = Tally::default();
    let batches = selected.chunk_by(|a, b| a.combination.is_of_subgroup() == b.combination.is_of_subgroup());
    batches.flat_map(|cases| cases.chunks(BATCH)).for_each(|batch| judge(engine, batch, &mut tally));
    refused.iter().for_each(|case| refuse(engine, case, &mut tally));
    println!(
        "{engine}: {} combinations, {} cases computed, {} refused",
        combinations.len(),
        selected.len(),
        refused.len()
    );
    tally.wrong.iter().for_each(|line| println!("{line}"));
    assert!(tally.wrong.is_empty(), "{} cases fail, and are listed above", tally.wrong.len());
    let is_alone = |operation: Operation| engine.subgroup_size() == 1 && operation.is_of_subgroup();
    let operations = selected.iter().map(|case| case.combination.operation);
    let silent: BTreeSet<String> = operations
        .filter(|&operation| !is_alone(operation) && !tally.judged.contains(&operation))
        .map(|operation| operation.to_string())
        .collect();
    assert!(silent.is_empty(), "no case of these operations has a defined result: {silent:?}");
}

/// The cases of a combination that run.
fn chosen(index: usize, combination: &Combination) -> Vec<Case> {
    let mut cases = cases::of(combination);
    if !is_deep() {
        cases = vec![cases.swap_remove(index % cases.len())];
    }
    cases
}

fn is_deep() -> bool {
    std::env::var_os("RECONVERGE_DEEP").is_some_and(|value| value == "1")
}

/// The verdicts on cases.
#[derive(Default)]
struct Tally {
    /// The failures.
    wrong: Vec<String>,
    /// The operations with a result in any lane that is defined, and atomic ones that are refused for any type.
    judged: HashSet<Operation>,
}

/// Judges cases that a table selects: together, and if there is no code for all of them, in halves.
fn judge(engine: Engine, cases: &[Case], tally: &mut Tally) {
    let kernel = Kernel::new(cases, engine.values(cases));
    let interpreted = kernel.interpret(engine.subgroup_size());
    let both = interpreted.and_then(|expected| Ok((expected, engine.run(&kernel)?)));
    match (both, cases) {
        (Ok((expected, found)), _) => {
            for ((case, expected), found) in cases.iter().zip(&expected).zip(&found) {
                if expected.iter().any(Option::is_some) {
                    tally.judged.insert(case.combination.operation);
                }
                if let Some(difference) = compare::difference(engine, case, expected, found) {
                    tally.wrong.push(format!("wrong: {case}: {difference}"));
                }
            }
        }
        // The selectors of memory have no table, and refuse by name.
        (Err(message), [case]) if case.combination.memory.is_some() && message.contains(": an atomic") => {
            tally.judged.insert(case.combination.operation);
        }
        (Err(message), [case]) => tally.wrong.push(format!("missing: {case}: {message}")),
        (Err(_), _) => {
            let (first, second) = cases.split_at(cases.len() / 2);
            judge(engine, first, tally);
            judge(engine, second, tally);
        }
    }
}

/// Judges a case that a table refuses: the error names the operation, or what the row says.
fn refuse(engine: Engine, case: &Case, tally: &mut Tally) {
    let Some(Support::Refused(what)) = engine.support(&case.combination) else { return };
    let operation = case.combination.operation.to_string();
    let cases = std::slice::from_ref(case);
    match engine.run(&Kernel::new(cases, engine.values(cases))) {
        Ok(_) => tally.wrong.push(format!("refused, but there is code: {case}")),
        Err(message) if message.contains(what) || message.contains(&operation) => {}
        Err(message) => tally.wrong.push(format!("refused under another name than {what}: {case}: {message}")),
    }
}

#[test]
fn the_tables_are_complete() {
    let combinations = domain::combinations();
    for engine in [Engine::Cpu { width: 1 }, Engine::Vc4] {
        let is_computed =
            |combination: &&Combination| combination.memory.is_none() && !engine.is_legalized(combination);
        let gaps = combinations.iter().filter(is_computed);
        let gaps = gaps.filter(|combination| engine.support(combination).is_none());
        let gaps: Vec<String> = gaps.map(ToString::to_string).collect();
        assert!(gaps.is_empty(), "{engine} has neither an expansion nor a rule nor a refusal for\n{}", gaps.join("\n"));
    }
}

#[test]
fn each_operation_of_a_row_is_one_that_the_verifier_accepts() {
    let combinations: Vec<Typed> = domain::combinations().iter().map(Combination::typed).collect();
    for engine in [Engine::Cpu { width: 1 }, Engine::Vc4] {
        let patterns = engine.patterns();
        let rows = patterns
            .iter()
            .enumerate()
            .flat_map(|(row, pattern)| pattern.operations.iter().map(move |&operation| (row, *pattern, operation)));
        let has_instruction = |pattern: &Pattern, operation: Operation| {
            combinations.iter().any(|typed| typed.operation == operation && pattern.matches(typed))
        };
        let unused = rows.filter(|&(_, pattern, operation)| {
            !domain::takes_other_pointers(operation) && !has_instruction(pattern, operation)
        });
        let unused: Vec<String> = unused.map(|(row, _, operation)| format!("row {row}: {operation}")).collect();
        assert!(unused.is_empty(), "{engine} has rows without an instruction:\n{}", unused.join("\n"));
    }
}

#[test]
fn one_lane_of_this_cpu() {
    hold(Engine::Cpu { width: 1 });
}

#[test]
fn vectors_of_8_lanes() {
    hold(Engine::Cpu { width: 8 });
}

#[test]
fn vectors_of_16_lanes() {
    if !std::is_x86_feature_detected!("avx512bw") {
        println!("this CPU has no AVX-512: vectors of 16 lanes are not run");
        return;
    }
    hold(Engine::Cpu { width: 16 });
}

#[test]
fn the_vc4() {
    hold(Engine::Vc4);
}
