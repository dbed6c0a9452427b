//! Damaged SPIR-V: no panic, no hang, every rejection with a place. 20,000 files with `RECONVERGE_DEEP=1`.

use reconverge_restructure::{Options, structurize};
use reconverge_spirv::{ReadOptions, WriteOptions, read, write};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::mutate::mutate_spirv;
use reconverge_testing::program_from_graph::{as_shader, with_calls};
use reconverge_testing::{fuzz, is_deep};
use reconverge_verify::verify;

/// Modules of this crate's own making: with calls and as shaders, unstructured and structured.
fn examples() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for seed in 0..5 {
        let graphs = [wild(seed, 5), structured(seed, 6, Form::Optimized)];
        for mut filled in [with_calls(&graphs, seed), as_shader(&graphs, seed)] {
            found.push(write(&filled.module, &WriteOptions::default()).expect("the example can be written"));
            for &function in &filled.functions {
                structurize(&mut filled.module, function, &Options::default()).expect("within the limits");
            }
            found.push(write(&filled.module, &WriteOptions::default()).expect("the example can be written"));
        }
    }
    found
}

#[test]
fn damaged_files_are_read_or_rejected() {
    let examples = examples();
    let count = if is_deep() { 20_000 } else { 3_000 };
    let mut accepted = 0;
    for seed in 0..count {
        let damaged = mutate_spirv(&examples[seed as usize % examples.len()], seed);
        let result = std::panic::catch_unwind(|| fuzz::spirv_reader(&damaged));
        assert!(result.is_ok(), "seed {seed}");
        accepted += u64::from(read(&damaged, &ReadOptions::default()).is_ok_and(|module| verify(&module).is_empty()));
    }
    // Damage that nobody can see is rare, damage that nobody survives must not be all there is.
    assert!((count / 50..count / 2).contains(&accepted), "{accepted} of {count} are valid");
}
