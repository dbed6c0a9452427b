//! The test of sequences of passes: each pass runs on the result of the one before.
//!
//! ```text
//! seed ─┬─▶ program ─▶ module ─▶ pass ─▶ pass ─▶ … ─▶ pass        each time: verified, and changed only if it says so
//!       └─▶ sequence              │                      ├─▶ the same pass: nothing left to do
//!                                 │                      └─▶ a group of passes, round and round, until none changes anything
//!                                 └──── lanes do the same ────┘
//! ```
//!
//! If a pass cannot meet a demand of the source, the module stays unchanged. A failure is shrunk in both: passes are removed, and the
//! program is shrunk. It is printed as a filetest.

use std::ops::Range;

use reconverge_ir::{Function, Module, fingerprint, text};
use reconverge_rewrite::pass::Pass;
use reconverge_spirv::{Header, WriteOptions, write};

use super::judge::{Figures, check_verified, compare, lower_in_some_order};
use super::refusal::unless_refused;
use super::run::Inputs;
use super::shrink::shrink;
use crate::generators::lanes::{LaneModule, LaneOptions, Program, lanes_program};
use crate::judge::{Environment, Validator};
use crate::random::{Random, mix};

/// The parameters of the test.
#[derive(Clone, Debug)]
pub struct SequenceTrial<'p> {
    /// The passes of the sequences, all of them over structured functions.
    pub passes: &'p [Pass],
    /// The length of a sequence.
    pub length: (usize, usize),
    /// The group of passes that runs after them, repeatedly until nothing changes; none if it is empty.
    pub group: &'p [Pass],
    /// The maximal number of rounds of the group that may change something.
    pub rounds: usize,
    /// The features of programs.
    pub options: LaneOptions,
    /// The approximate maximal number of statements.
    pub size: usize,
    /// The numbers of lanes.
    pub lanes: Vec<usize>,
    /// The validator checks every n-th program; none if 0.
    pub validated: u64,
}

impl Default for SequenceTrial<'_> {
    fn default() -> Self {
        SequenceTrial {
            passes: &[],
            length: (2, 6),
            group: &[],
            rounds: 0,
            options: LaneOptions::default(),
            size: 30,
            lanes: vec![1, 4, 16],
            validated: 10,
        }
    }
}

/// The counters of a test of sequences.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SequenceFigures {
    /// Programs, changed programs, lanes and records.
    pub figures: Figures,
    /// Executed passes, and those of them that changed something.
    pub passes: [usize; 2],
    /// By number of rounds that changed something: the number of programs.
    pub rounds: Vec<usize>,
}

impl SequenceFigures {
    /// The sum.
    pub fn and(mut self, other: &SequenceFigures) -> SequenceFigures {
        self.figures = self.figures.and(other.figures);
        self.passes = [0, 1].map(|index| self.passes[index] + other.passes[index]);
        self.rounds.resize(self.rounds.len().max(other.rounds.len()), 0);
        self.rounds.iter_mut().zip(&other.rounds).for_each(|(own, more)| *own += more);
        self
    }
}

/// The failed check, and the pass.
struct Failure {
    ran: usize,
    message: String,
}

/// The moment at which lanes are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Watched {
    AtTheEnd,
    BehindEach,
}

/// Runs sequences of passes on the programs of the seeds, with one sequence for each seed.
///
/// # Errors
/// A failure, shrunk: the seed, the sequence, the failed check, the program, and a filetest.
pub fn judge_sequences(seeds: Range<u64>, trial: &SequenceTrial<'_>) -> Result<SequenceFigures, String> {
    let validator = if trial.validated > 0 { Some(Validator::find()?) } else { None };
    let mut seen = SequenceFigures::default();
    for seed in seeds {
        let size = 3 + (seed as usize * 7) % trial.size.max(1);
        let program = lanes_program(seed, size, &trial.options);
        let sequence = sequence(seed, trial);
        let validator = validator.as_ref().filter(|_| seed.is_multiple_of(trial.validated));
        let attempt = Attempt { trial, seed, validator };
        match attempt.run(&program, &sequence, Watched::AtTheEnd) {
            Ok(figures) => seen = seen.and(&figures),
            Err(_) => return Err(attempt.report(&program, &sequence)),
        }
    }
    Ok(seen)
}

/// The sequence of a seed: numbers of passes.
fn sequence(seed: u64, trial: &SequenceTrial<'_>) -> Vec<usize> {
    const SALT: u64 = 0x05E9_0E9C;
    let mut random = Random::new(mix(seed) ^ SALT);
    let length = random.between(trial.length.0, trial.length.1);
    (0..length).map(|_| random.below(trial.passes.len())).collect()
}

/// The parameters for the program of a seed.
struct Attempt<'a> {
    trial: &'a SequenceTrial<'a>,
    seed: u64,
    validator: Option<&'a Validator>,
}

impl Attempt<'_> {
    /// Runs a sequence on a program and checks everything.
    fn run(&self, program: &Program, sequence: &[usize], watched: Watched) -> Result<SequenceFigures, Failure> {
        let lowered = lower_in_some_order(program, self.seed);
        check_verified(&lowered.module, "before").map_err(|message| Failure { ran: 0, message })?;
        let mut after = lowered.module.clone();
        let mut seen = SequenceFigures { passes: [sequence.len(), 0], ..SequenceFigures::default() };
        for (index, &number) in sequence.iter().enumerate() {
            let failure = |message: String| Failure { ran: index + 1, message };
            seen.passes[1] += usize::from(step(&self.trial.passes[number], &lowered, &mut after).map_err(failure)?);
            if watched == Watched::BehindEach {
                self.check_lanes(&lowered, &after, &mut Figures::default()).map_err(failure)?;
            }
        }
        let failure = |message: String| Failure { ran: sequence.len(), message };
        if let Some(&last) = sequence.last() {
            check_done(&self.trial.passes[last], &lowered, &after).map_err(failure)?;
        }
        if !self.trial.group.is_empty() {
            let rounds = self.go_round(&lowered, &mut after).map_err(failure)?;
            seen.rounds.resize(rounds + 1, 0);
            seen.rounds[rounds] = 1;
        }
        seen.figures.programs = 1;
        seen.figures.changed = usize::from(fingerprint(&lowered.module) != fingerprint(&after));
        self.check_lanes(&lowered, &after, &mut seen.figures).map_err(failure)?;
        self.validate(&after).map_err(failure)?;
        Ok(seen)
    }

    fn check_lanes(&self, lowered: &LaneModule, after: &Module, figures: &mut Figures) -> Result<(), String> {
        for &lanes in &self.trial.lanes {
            figures.records += compare(lowered, after, &Inputs::new(lanes, self.seed))?;
            figures.lanes += lanes;
        }
        Ok(())
    }

    /// Runs the group until a round changes nothing. Returns the number of rounds that changed something.
    fn go_round(&self, lowered: &LaneModule, after: &mut Module) -> Result<usize, String> {
        for round in 0..=self.trial.rounds {
            let mut names = Vec::new();
            for pass in self.trial.group {
                if step(pass, lowered, after)? {
                    names.push(pass.name);
                }
            }
            if names.is_empty() {
                return Ok(round);
            }
            if round == self.trial.rounds {
                return Err(format!("round {} still changes something, by {}", round + 1, names.join(", ")));
            }
        }
        unreachable!("the last round returns")
    }

    fn validate(&self, after: &Module) -> Result<(), String> {
        let Some(validator) = self.validator else { return Ok(()) };
        // PeelCount requires SPIR-V 1.4.
        let header = Header { version: Header::version_word(1, 4), ..Header::default() };
        let bytes = write(after, &WriteOptions { header: Some(header) })
            .map_err(|error| format!("cannot be written: {error}"))?;
        validator.validate(&bytes, Environment::Universal)
    }

    /// Shrinks a failure, passes and program in turn, and prints it.
    fn report(&self, program: &Program, sequence: &[usize]) -> String {
        let fails = |program: &Program, sequence: &[usize]| self.run(program, sequence, Watched::AtTheEnd).is_err();
        let (mut smaller, mut shorter) = (program.clone(), sequence.to_vec());
        loop {
            let fewer = without_idle(&shorter, |sequence| fails(&smaller, sequence));
            let next = shrink(&smaller, |program| fails(program, &fewer));
            let is_done = next == smaller && fewer == shorter;
            (smaller, shorter) = (next, fewer);
            if is_done {
                break;
            }
        }
        let failure = self.run(&smaller, &shorter, Watched::BehindEach).err();
        let Failure { ran, message } =
            failure.unwrap_or(Failure { ran: 0, message: "it holds when shrunk".to_owned() });
        let names = |sequence: &[usize]| -> Vec<&str> {
            sequence.iter().map(|&number| self.trial.passes[number].name).collect()
        };
        let (was, is) = (names(sequence).join(" "), names(&shorter[..ran.min(shorter.len())]));
        let case = case(&is, &lower_in_some_order(&smaller, self.seed).module);
        format!("seed {}, {was}; smaller: {}: {message}\n{smaller}\n{case}", self.seed, is.join(" "))
    }
}

/// A sequence that still fails, and from which no pass can be removed.
fn without_idle(sequence: &[usize], fails: impl Fn(&[usize]) -> bool) -> Vec<usize> {
    let mut shorter = sequence.to_vec();
    let mut index = 0;
    while index < shorter.len() {
        let mut fewer = shorter.clone();
        fewer.remove(index);
        if fails(&fewer) {
            shorter = fewer;
            index = 0;
        } else {
            index += 1;
        }
    }
    shorter
}

/// Runs a pass on every function. Returns whether it changed something.
fn step(pass: &Pass, lowered: &LaneModule, module: &mut Module) -> Result<bool, String> {
    let before = fingerprint(module);
    let place = |message: String| format!("{}: {message}", pass.name);
    let mut changed = false;
    for &function in &lowered.functions {
        if module.is_live(function) {
            changed |= on_function(pass, module, function).map_err(place)?;
        }
    }
    check_verified(module, "after").map_err(place)?;
    match changed || fingerprint(module) == before {
        true => Ok(changed),
        false => Err(place("says that it changed nothing, and did".to_owned())),
    }
}

fn on_function(pass: &Pass, module: &mut Module, function: Function) -> Result<bool, String> {
    let outcome = unless_refused(pass, module, function).map_err(|error| format!("gave up: {error}"))?;
    Ok(outcome.unwrap_or(false))
}

/// Checks that a second run of the pass changes nothing.
fn check_done(pass: &Pass, lowered: &LaneModule, after: &Module) -> Result<(), String> {
    match step(pass, lowered, &mut after.clone())? {
        true => Err(format!("{} finds something to do after it ran", pass.name)),
        false => Ok(()),
    }
}

/// The filetest of a failure.
fn case(passes: &[&str], module: &Module) -> String {
    let first = match passes {
        [] => "; test cat".to_owned(),
        [only] => format!("; test pass {only}"),
        [first @ .., last] => format!("; test pass {last} after={}", first.join(",")),
    };
    format!("{first}\n{}", text::print(module))
}
