//! Pairs of damaged modules: no panic, no hang, and every error has a message. 140,000 pairs with `RECONVERGE_DEEP=1`.

use std::fs;
use std::path::Path;

use reconverge_ir::{Inst, Module, text};
use reconverge_spirv::ReadOptions;
use reconverge_testing::mutate::{mutate_spirv, mutate_text};
use reconverge_testing::random::Random;
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

/// Which of two modules is damaged: mostly one, since few damaged files can be read.
fn is_damaged(seed: u64, number: u64) -> bool {
    seed % 8 == 7 || seed % 2 == number
}

#[test]
fn damaged_binaries_are_linked_or_rejected() {
    let programs = programs();
    let mut linked = 0;
    for seed in 0..count() {
        let modules = &programs[seed as usize % programs.len()];
        let [first, second] = [0, 1].map(|number| match is_damaged(seed, number) {
            true => mutate_spirv(&modules[number as usize], seed),
            false => modules[number as usize].clone(),
        });
        linked += u64::from(hold(seed, &first, &second));
    }
    assert!(linked * 20 > count(), "only {linked} of {} pairs are linked", count());
}

fn parsed_programs() -> Vec<Vec<Module>> {
    let read = |bytes: &Vec<u8>| reconverge_spirv::read(bytes, &ReadOptions::default()).expect("the module is valid");
    programs().iter().map(|modules| modules.iter().map(read).collect()).collect()
}

#[test]
fn damaged_texts_are_linked_or_rejected() {
    let texts: Vec<Vec<String>> =
        parsed_programs().iter().map(|modules| modules.iter().map(text::print).collect()).collect();
    let mut linked = 0;
    for seed in 0..count() {
        let modules = &texts[seed as usize % texts.len()];
        let [first, second] = [0, 1].map(|number| match is_damaged(seed, number) {
            true => mutate_text(&modules[number as usize], seed),
            false => modules[number as usize].clone(),
        });
        linked += u64::from(hold(seed, first.as_bytes(), second.as_bytes()));
    }
    assert!(linked * 20 > count(), "only {linked} of {} pairs are linked", count());
}

/// Replaces operands and types by anything in the module, deletes instructions, and decorates some like others.
fn damage(module: &mut Module, random: &mut Random) {
    for _ in 0..random.between(1, 3) {
        let all: Vec<Inst> = module.descendants(module.root()).skip(1).collect();
        let anything: Vec<Inst> =
            all.iter().copied().chain(all.iter().flat_map(|&inst| module.operands(inst))).collect();
        let nominal: Vec<Inst> = all.iter().copied().filter(|&inst| !module.op(inst).is_hoistable()).collect();
        let (inst, other) = (*random.choose(&nominal), *random.choose(&anything));
        let count = module.operand_count(inst);
        match random.below(6) {
            0 => module.edit().delete(inst),
            1 if module.ty(inst).is_some() => module.edit().set_type(inst, other),
            2 => {
                let notes: Vec<Inst> = all.iter().flat_map(|&inst| module.decorations(inst).to_vec()).collect();
                if !notes.is_empty() {
                    module.edit().decorate(inst, *random.choose(&notes));
                }
            }
            3 => {
                let operands: Vec<Inst> = module.operands(inst).take(random.below(count + 1)).collect();
                module.edit().set_operands(inst, &operands);
            }
            _ if count > 0 => module.edit().set_operand(inst, random.below(count), other),
            _ => {}
        }
    }
}

#[test]
fn damaged_modules_are_linked_or_rejected() {
    let programs = parsed_programs();
    let mut linked = 0;
    for seed in 0..5 * count() {
        let mut random = Random::new(seed);
        let mut modules = programs[seed as usize % programs.len()].clone();
        modules.iter_mut().take(2).for_each(|module| damage(module, &mut random));
        let result = std::panic::catch_unwind(|| fuzz::linked(&modules[0], &modules[1]));
        linked += u64::from(*result.as_ref().unwrap_or_else(|_| panic!("seed {seed}")));
    }
    assert!(linked * 4 > 5 * count(), "only {linked} of {} pairs are linked", 5 * count());
}
