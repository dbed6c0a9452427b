//! The test of a pass over structured functions: runs it on random programs and checks all guarantees.
//!
//! For each program (every other one with its blocks in a random order): the verifier has no finding before; the pass runs on every
//! function; the verifier has no finding after; lanes have the same behaviour before and after, with several numbers of lanes and several
//! inputs; a second run of the pass changes nothing, if the pass is idempotent; the validator accepts every n-th result. A program with a
//! failure is shrunk and printed with the result of the pass.

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

/// The pass: gets every function with a body, one after the other; returns whether it changed it.
pub type PassUnderTest<'a> = dyn FnMut(&mut Module, Function) -> Result<bool, String> + 'a;

/// The parameters of the test.
#[derive(Clone, Debug)]
pub struct PassTrial {
    /// The features of programs.
    pub options: LaneOptions,
    /// The approximate maximal number of statements.
    pub size: usize,
    /// The numbers of lanes.
    pub lanes: Vec<usize>,
    /// The number of inputs for each number of lanes.
    pub inputs: u64,
    /// The expected idempotence of the pass.
    pub idempotence: Idempotence,
    /// The validator checks every n-th program; none if 0.
    pub validated: u64,
}

/// The idempotence of a pass: a second run changes nothing, or it may change something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idempotence {
    /// It changes nothing, and reports that.
    Held,
    /// It may change the function again.
    NotHeld,
}

/// The counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Programs.
    pub programs: usize,
    /// Programs that the pass changed.
    pub changed: usize,
    /// Compared runs, in lanes.
    pub lanes: usize,
    /// Compared records.
    pub records: usize,
}

impl Figures {
    /// The sum.
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

/// Runs a pass on the programs of the seeds.
///
/// # Errors
/// A failure, shrunk: the seed, the failed check, the program, and its module before and after.
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

/// Checks one program.
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
        // PeelCount requires SPIR-V 1.4.
        let header = Header { version: Header::version_word(1, 4), ..Header::default() };
        let bytes = write(&after, &WriteOptions { header: Some(header) })
            .map_err(|error| format!("cannot be written: {error}"))?;
        validator.validate(&bytes, Environment::Universal)?;
    }
    Ok(figures)
}

/// The module of a program. The seed determines whether its blocks have their original order or a random one, and whether some selections
/// have early joins; they do not if there are barriers, at which lanes must be converged.
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

/// The fuel of a lane after the pass: a multiple of the instructions that it executed before, plus a constant.
const SLOWDOWN: u64 = 8;
const SLACK: u64 = 10_000;

/// Runs a program before and after, and checks that lanes have the same behaviour. Returns the number of records.
///
/// # Errors
/// The first difference, or why the interpreter cannot run it.
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
