//! The test of a pass over structured functions: takes random programs and checks all guarantees.
//!
//! For each program, the blocks of every other one in a random order: the verifier has no finding before; the pass runs on every function; the verifier has no finding after; lanes
//! do the same before and after, with several numbers of lanes and several inputs; the pass has nothing left to do, if it claims
//! so; the validator accepts what came out, every so often. A program that fails is made smaller and printed with what the pass
//! made of it.

use std::ops::Range;

use reconverge_ir::{Function, Module, Op, fingerprint, text};
use reconverge_spirv::{Header, WriteOptions, write};
use reconverge_verify::verify;

use super::interpret::Machine;
use super::run::{Ended, Inputs, compare_runs};
use super::shrink::shrink;
use crate::block_order::shuffle_blocks;
use crate::early_joins::join_early;
use crate::generators::lanes::{LaneModule, LaneOptions, Outside, Program, lanes_program, lower};
use crate::judge::{Environment, Validator};
use crate::random::{Random, mix};

/// The pass: gets every function with a body, one after the other; says whether it changed something.
pub type PassUnderTest<'a> = dyn FnMut(&mut Module, Function) -> Result<bool, String> + 'a;

/// What is tried.
#[derive(Clone, Debug)]
pub struct PassTrial {
    /// What programs hold.
    pub options: LaneOptions,
    /// How many statements they have at most, about.
    pub size: usize,
    /// With how many lanes they run.
    pub lanes: Vec<usize>,
    /// On how many inputs, for each number of lanes.
    pub inputs: u64,
    /// Whether the pass finds nothing more after it ran once.
    pub idempotence: Idempotence,
    /// The validator judges every so-many-th program; none if 0.
    pub validated: u64,
}

/// Whether a pass is done after it ran once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idempotence {
    /// It changes nothing when it runs again, and says so.
    Held,
    /// It may go on.
    NotHeld,
}

/// What a trial saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Programs.
    pub programs: usize,
    /// Those that the pass changed.
    pub changed: usize,
    /// Runs compared, in lanes.
    pub lanes: usize,
    /// Records compared.
    pub records: usize,
}

impl Figures {
    /// Both together.
    pub fn and(self, other: Figures) -> Figures {
        Figures {
            programs: self.programs + other.programs,
            changed: self.changed + other.changed,
            lanes: self.lanes + other.lanes,
            records: self.records + other.records,
        }
    }
}

impl Default for PassTrial {
    fn default() -> PassTrial {
        PassTrial {
            options: LaneOptions::default(),
            size: 40,
            lanes: vec![1, 4, 16, 64],
            inputs: 1,
            idempotence: Idempotence::NotHeld,
            validated: 10,
        }
    }
}

/// Tries a pass on the programs of the seeds.
///
/// # Errors
/// A failure, shrunk: the seed, what does not hold, the program, and its module before and after.
pub fn judge_pass(seeds: Range<u64>, trial: &PassTrial, pass: &mut PassUnderTest<'_>) -> Result<Figures, String> {
    let validator = if trial.validated > 0 { Some(Validator::find()?) } else { None };
    let mut figures = Figures::default();
    for seed in seeds {
        let size = 3 + (seed as usize * 7) % trial.size.max(1);
        let program = lanes_program(seed, size, &trial.options);
        let validator = validator.as_ref().filter(|_| seed.is_multiple_of(trial.validated));
        match try_program(&program, trial, seed, validator, pass) {
            Ok(seen) => figures = figures.and(seen),
            Err(_) => {
                let smaller = shrink(&program, |program| try_program(program, trial, seed, validator, pass).is_err());
                return Err(report(&smaller, trial, seed, validator, pass));
            }
        }
    }
    Ok(figures)
}

/// Holds everything for one program.
fn try_program(
    program: &Program,
    trial: &PassTrial,
    seed: u64,
    validator: Option<&Validator>,
    pass: &mut PassUnderTest<'_>,
) -> Result<Figures, String> {
    let lowered = lower_in_some_order(program, seed);
    check_verified(&lowered.module, "before")?;
    let mut after = lowered.module.clone();
    let changed = apply(&lowered, &mut after, pass)?;
    check_verified(&after, "after")?;
    if !changed && fingerprint(&lowered.module) != fingerprint(&after) {
        return Err("the pass says that it changed nothing, and did".to_owned());
    }
    if trial.idempotence == Idempotence::Held {
        let mut again = after.clone();
        if apply(&lowered, &mut again, pass)? || fingerprint(&again) != fingerprint(&after) {
            return Err("the pass finds something to do after it ran".to_owned());
        }
    }
    let mut figures = Figures { programs: 1, changed: usize::from(changed), ..Figures::default() };
    for &lanes in &trial.lanes {
        for number in 0..trial.inputs {
            let records = compare(&lowered, &after, &Inputs::new(lanes, seed ^ number << 32))?;
            figures.lanes += lanes;
            figures.records += records;
        }
    }
    if let Some(validator) = validator {
        // Peel counts came with 1.4.
        let header = Header { version: Header::version_word(1, 4), ..Header::default() };
        let bytes = write(&after, &WriteOptions { header: Some(header) })
            .map_err(|error| format!("cannot be written: {error}"))?;
        validator.validate(&bytes, Environment::Universal)?;
    }
    Ok(figures)
}

/// The module of a program. The seed decides whether its blocks stand as they were made, or in any other order, and whether the ways of
/// some selections meet early; they do not where there are barriers, for which lanes must be together.
pub(super) fn lower_in_some_order(program: &Program, seed: u64) -> LaneModule {
    const SALT: u64 = 0x0B10_C50D;
    let mut lowered = lower(program, Outside::Calls);
    let mut random = Random::new(mix(seed) ^ SALT);
    let is_barrier = |module: &Module, function: Function| {
        module.descendants(function).any(|inst| module.op(inst) == Op::ControlBarrier)
    };
    if random.chance(40) && !lowered.functions.iter().any(|&function| is_barrier(&lowered.module, function)) {
        for &function in &lowered.functions {
            join_early(&mut lowered.module, function, 3, &mut random);
        }
    }
    if random.chance(50) {
        for &function in &lowered.functions {
            shuffle_blocks(&mut lowered.module, function, &mut random);
        }
    }
    lowered
}

/// A lane may execute so many times what it executed before the pass, and so many instructions more.
const SLOWDOWN: u64 = 8;
const SLACK: u64 = 10_000;

/// Runs a program as it was and as it is now, and holds that lanes do the same. How many records there were comes back.
///
/// # Errors
/// The first difference, or what the interpreter cannot run.
pub fn compare(lowered: &LaneModule, after: &Module, inputs: &Inputs) -> Result<usize, String> {
    let place = |version: &str, message: String| format!("{} lanes, {version}: {message}", inputs.lanes);
    let old = Machine::new(lowered, &lowered.module).run_counted(inputs);
    let old = old.map_err(|message| place("before", message))?;
    if let Some(Ended::Otherwise(end)) = old.run.ends.iter().find(|end| matches!(end, Ended::Otherwise(_))) {
        return Err(place("before", end.clone()));
    }
    let fuel = SLOWDOWN * old.executed + SLACK;
    let new = Machine::new(lowered, after).with_fuel(fuel).run_counted(inputs);
    let new = new.map_err(|message| place("after", message))?;
    compare_runs(&old.run, &new.run).map_err(|message| place("before and after", message))?;
    if old.barriers != new.barriers {
        let message = format!("barriers by lane: {:?}, now {:?}", old.barriers, new.barriers);
        return Err(place("before and after", message));
    }
    Ok(old.run.records.iter().map(Vec::len).sum())
}

fn apply(lowered: &LaneModule, module: &mut Module, pass: &mut PassUnderTest<'_>) -> Result<bool, String> {
    let mut changed = false;
    for &function in &lowered.functions {
        if module.is_live(function) {
            changed |= pass(module, function).map_err(|message| format!("the pass gave up: {message}"))?;
        }
    }
    Ok(changed)
}

/// Checks that the verifier finds nothing in a version of a module.
pub(crate) fn check_verified(module: &Module, version: &str) -> Result<(), String> {
    match verify(module).first() {
        Some(finding) => Err(format!("{version}: {finding}")),
        None => Ok(()),
    }
}

fn report(
    program: &Program,
    trial: &PassTrial,
    seed: u64,
    validator: Option<&Validator>,
    pass: &mut PassUnderTest<'_>,
) -> String {
    let message = try_program(program, trial, seed, validator, pass).err().unwrap_or_default();
    let lowered = lower_in_some_order(program, seed);
    let mut after = lowered.module.clone();
    let applied = apply(&lowered, &mut after, pass).err().unwrap_or_default();
    let (before, after) = (text::print(&lowered.module), text::print(&after));
    format!("seed {seed}: {message}\n{program}\n; before\n{before}\n; after {applied}\n{after}")
}
