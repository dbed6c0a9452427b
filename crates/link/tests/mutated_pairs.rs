//! Pairs of damaged modules: no panic, no hang, and every error says where. 20,000 pairs with `RECONVERGE_DEEP=1`.

use std::fs;
use std::path::Path;

use reconverge_testing::mutate::{mutate_spirv, mutate_text};
use reconverge_testing::{fuzz, is_deep};

/// The modules of the programs in several files.
pub(crate) fn programs() -> Vec<Vec<Vec<u8>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/link");
    let entries = fs::read_dir(&folder).expect("the programs are there").map(|entry| entry.expect("a folder").path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    let modules = |folder: &Path| {
        let names = ["a.spv", "b.spv", "c.spv", "d.spv"].map(|name| folder.join(name));
        names.iter().filter_map(|path| fs::read(path).ok()).collect::<Vec<_>>()
    };
    folders.iter().map(|folder| modules(folder)).collect()
}

fn count() -> u64 {
    if is_deep() { 20_000 } else { 400 }
}

/// Pairs with a length in front, as the fuzz target takes them.
fn hold(seed: u64, first: &[u8], second: &[u8]) -> bool {
    let bytes = fuzz::linked_pair(first, second);
    let result = std::panic::catch_unwind(|| fuzz::linker(&bytes));
    *result.as_ref().unwrap_or_else(|_| panic!("seed {seed}"))
}

#[test]
fn damaged_binaries_are_linked_or_rejected() {
    let programs = programs();
    let mut linked = 0;
    for seed in 0..count() {
        let modules = &programs[seed as usize % programs.len()];
        let damaged: Vec<Vec<u8>> =
            [0, 1].map(|number| mutate_spirv(&modules[number], 2 * seed + number as u64)).into();
        linked += u64::from(hold(seed, &damaged[0], &damaged[1]));
    }
    assert!(linked > 0, "none of {} pairs is linked", count());
}

#[test]
fn damaged_texts_are_linked_or_rejected() {
    let texts: Vec<Vec<String>> = programs()
        .iter()
        .map(|modules| {
            let read = modules.iter().map(|bytes| {
                let module = reconverge_spirv::read(bytes, &reconverge_spirv::ReadOptions::default());
                reconverge_ir::text::print(&module.expect("the module is valid"))
            });
            read.collect()
        })
        .collect();
    let mut linked = 0;
    for seed in 0..count() {
        let modules = &texts[seed as usize % texts.len()];
        let damaged = [0, 1].map(|number| mutate_text(&modules[number], 2 * seed + number as u64));
        linked += u64::from(hold(seed, damaged[0].as_bytes(), damaged[1].as_bytes()));
    }
    assert!(linked > 0, "none of {} pairs is linked", count());
}
