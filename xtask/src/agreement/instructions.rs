//! `cargo xtask agreement --instructions TRIALS`: modules with one instruction each, checked by both and compiled.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use reconverge_testing::agreement::instructions::{Effort, Generator, Made, Subject, sound, subjects};
use reconverge_testing::agreement::{Agreement, Tally, compare};
use reconverge_testing::judge::{Environment, Validator};

use super::{Arguments, BAR, keep, print};

/// The disagreements about the modules of some subjects.
#[derive(Default)]
struct Disagreements {
    tally: Tally,
    /// Instructions with a module that both accept.
    valid: BTreeSet<String>,
    /// Valid modules that did not stay valid.
    unsound: Vec<String>,
}

/// Compares on the modules of every subject, and compiles those that are valid.
pub(super) fn instructions(arguments: &Arguments, validator: &Validator, effort: Effort) -> Result<(), String> {
    let generator = Generator::new(validator)?;
    let all: Vec<Subject> = subjects()
        .into_iter()
        .filter(|subject| arguments.only.as_ref().is_none_or(|part| subject.name.contains(part)))
        .collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Disagreements::default()));
    let worker = || -> Result<(), String> {
        while let Some(subject) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            for (number, Made { host, bytes }) in
                generator.modules(subject, effort, arguments.seed).into_iter().enumerate()
            {
                let name = format!("{} {number}", subject.name);
                let agreement = compare(validator, &bytes, Environment::Universal)?;
                let unsound = match agreement {
                    Agreement::Accepted => sound(validator, &bytes, host).err(),
                    _ => None,
                };
                if unsound.is_some() || matches!(agreement, Agreement::Missed(_) | Agreement::Unexplained(..)) {
                    keep(arguments, &name, &bytes)?;
                }
                let mut found = found.lock().expect("no thread panics");
                if agreement == Agreement::Accepted {
                    found.valid.insert(subject.instruction().to_owned());
                }
                found.unsound.extend(unsound.map(|message| format!("{name}: {message}")));
                found.tally.add(agreement, &name);
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.threads.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a comparison panicked".to_owned())?)
    })?;
    let found = found.into_inner().expect("no thread panics");
    print("instructions", &found.tally);
    let every: BTreeSet<&str> = all.iter().map(Subject::instruction).collect();
    println!("{} of {} instructions have a valid module", found.valid.len(), every.len());
    let without: Vec<&str> = every.into_iter().filter(|&name| !found.valid.contains(name)).collect();
    println!("without: {}", without.join(", "));
    found.unsound.iter().for_each(|message| println!("  unsound {message}"));
    match found.unsound.is_empty() && found.tally.unexplained() == 0 && found.tally.share() >= BAR {
        true => Ok(()),
        false => Err(format!(
            "{:.2} % refused alike, {} unexplained, {} unsound",
            100.0 * found.tally.share(),
            found.tally.unexplained(),
            found.unsound.len()
        )),
    }
}
