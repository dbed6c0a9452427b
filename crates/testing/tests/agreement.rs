//! The verifier and the validator of SPIRV-Tools agree about modules with one thing changed.
//!
//! `cargo xtask agreement` asks about tens of thousands, and about real modules; here are those of this repository.

use std::path::{Path, PathBuf};

use reconverge_testing::agreement::instructions::{Effort, Generator, sound, subjects};
use reconverge_testing::agreement::{Agreement, Tally, compare, modules_under, mutate, name};
use reconverge_testing::judge::{Environment, Validator};

/// Of so many subjects one is asked about; `cargo xtask agreement --instructions` asks about all.
const EVERY: usize = 40;
/// Changed modules.
const CHANGED: u64 = 400;

#[test]
fn changed_modules_are_judged_alike() -> Result<(), String> {
    let validator = Validator::find()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders: Vec<PathBuf> = ["tests/kernels", "examples"].iter().map(|folder| root.join(folder)).collect();
    // Modules without structure, and those in which clang's tables of strings have constants of other types, are refused as they are.
    let mut valid = Vec::new();
    for path in modules_under(&folders)? {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if compare(&validator, &bytes, Environment::Universal)? == Agreement::Accepted {
            valid.push((path, bytes));
        }
    }
    assert!(valid.len() > 10, "{} modules", valid.len());
    let mut tally = Tally::default();
    for seed in 0..CHANGED {
        let (path, bytes) = &valid[seed as usize % valid.len()];
        let changed = mutate(bytes, seed);
        tally.add(compare(&validator, &changed, Environment::Universal)?, &name(path, Some(seed)));
    }
    assert!(tally.accepted > 0 && tally.refused > 0, "{tally:?}");
    assert_eq!(tally.unexplained(), 0, "{:?}", tally.unexplained);
    assert!(tally.share() >= 0.995, "{:?}", tally.missed);
    Ok(())
}

#[test]
fn single_instructions_are_judged_alike_and_stay_valid() -> Result<(), String> {
    let validator = Validator::find()?;
    let generator = Generator::new(&validator)?;
    let mut tally = Tally::default();
    for subject in subjects().iter().step_by(EVERY) {
        for made in generator.modules(subject, Effort { trials: 150, kept: 1 }, 0) {
            let agreement = compare(&validator, &made.bytes, Environment::Universal)?;
            if agreement == Agreement::Accepted {
                sound(&validator, &made.bytes, made.host).map_err(|message| format!("{}: {message}", subject.name))?;
            }
            tally.add(agreement, &subject.name);
        }
    }
    assert!(tally.accepted > 0 && tally.refused > 0, "{tally:?}");
    assert_eq!(tally.unexplained(), 0, "{:?}", tally.unexplained);
    Ok(())
}
