//! The test: a program before, the pass, the verifier's two checks, and the behaviour of the lanes.

use std::ops::Range;

use reconverge_ir::view::{self, Binary};
use reconverge_ir::{Function, Inst, Module, Op, Stage, text};
use reconverge_verify::{Claims, Code, verify_motion};

use super::run::{check_same, is_undefined_after_all, run};
use super::subject::{Base, Built, Subject};
use crate::lanes::{Inputs, check_verified};

/// A pass: changes a function, and returns its replacements.
pub type MovingPass<'a> = dyn FnMut(&mut Module, Function) -> Claims + 'a;

/// The checks besides equal behaviour and a valid module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Witness {
    /// `verify_motion` finds nothing, except C6: its condition for derivatives that move down is stronger than necessary.
    /// The results of derivatives are compared like all others.
    Motion,
    /// None: the passes do more than moving and merging. Without structure, programs run with one lane then, since the convergence of
    /// others depends on operations across lanes whose results are not used.
    Behaviour,
}

/// The counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Programs.
    pub programs: usize,
    /// Programs that the pass changed.
    pub changed: usize,
    /// Compared runs.
    pub runs: usize,
    /// Runs that were cut off.
    pub cut: usize,
    /// Runs without a result, because the program has undefined behaviour.
    pub open: usize,
    /// Compared calls.
    pub calls: usize,
}

/// The numbers of lanes.
const LANES: [usize; 3] = [1, 4, 16];

/// Runs passes, one after the other, on the programs of the seeds, with a maximal number of statements.
///
/// # Errors
/// A failure, shrunk: the seed, the failed check, and the module before and after.
pub fn judge_motion(
    seeds: Range<u64>,
    size: usize,
    witness: Witness,
    steps: &mut [&mut MovingPass<'_>],
) -> Result<Seen, String> {
    let mut seen = Seen::default();
    for seed in seeds {
        let subject = Subject::random(seed, size);
        match attempt(&subject, witness, steps) {
            Ok(one) => seen.add(&one),
            Err(message) => {
                let smaller = shrink(&subject, |subject| attempt(subject, witness, steps).is_err());
                return Err(format!("{message}\nmade smaller: {}", report(&smaller, witness, steps)));
            }
        }
    }
    Ok(seen)
}

impl Seen {
    fn add(&mut self, other: &Seen) {
        self.programs += other.programs;
        self.changed += other.changed;
        self.runs += other.runs;
        self.cut += other.cut;
        self.open += other.open;
        self.calls += other.calls;
    }
}

/// Inputs for a subject, one for each number of lanes.
pub(super) fn inputs_of(subject: &Subject) -> impl Iterator<Item = Inputs> {
    let seed = subject.seed;
    LANES.into_iter().map(move |lanes| Inputs::new(lanes, seed))
}

/// Builds a subject, and removes its undefined behaviour on its inputs: invalid divisors and indices become constants.
pub(super) fn prepare(subject: &Subject) -> Result<Built, String> {
    const REPAIRS: usize = 200;
    let mut built = subject.build()?;
    for inputs in inputs_of(subject) {
        for _ in 0..REPAIRS {
            let ran = run(&built, &built.module, &inputs, None)?;
            if let Some(trouble) = ran.trouble() {
                return Err(format!("cannot be run: {trouble}"));
            }
            let Some((_, place)) = ran.undefined() else { break };
            if !mend(&mut built.module, place.inst) {
                break;
            }
        }
    }
    Ok(built)
}

/// Replaces an operand of an instruction with undefined behaviour by a valid one. Returns whether that is possible.
fn mend(module: &mut Module, inst: Inst) -> bool {
    let word = |module: &mut Module, number| {
        let mut build = reconverge_ir::Builder::new(module);
        let ty = build.int_type(32);
        build.constant_word(ty, number)
    };
    match module.op(inst) {
        Op::UDiv | Op::UMod | Op::SDiv | Op::SRem => {
            let divisor = word(module, 7);
            module.edit().set_operand(inst, Binary::RIGHT, divisor);
            true
        }
        Op::Load | Op::Store | Op::AtomicIAdd => {
            view::Access::of(module, inst).is_some_and(|access| mend(module, access.pointer))
        }
        Op::Select => {
            let select = view::Select::of(module, inst);
            let sides = select.into_iter().flat_map(|select| [select.true_value, select.false_value]);
            sides.collect::<Vec<Inst>>().into_iter().filter(|&side| mend(module, side)).count() > 0
        }
        Op::AccessChain => {
            let last = module.operand_count(inst) - 1;
            let index = module.operand(inst, last);
            let is_open = !module.op(index).is_constant();
            if is_open {
                let one = word(module, 1);
                module.edit().set_operand(inst, last, one);
            }
            is_open
        }
        _ => false,
    }
}

fn attempt(subject: &Subject, witness: Witness, steps: &mut [&mut MovingPass<'_>]) -> Result<Seen, String> {
    let built = prepare(subject)?;
    check_verified(&built.module, "before")?;
    let after = apply(&built, witness, steps)?;
    let changed = usize::from(reconverge_ir::fingerprint(&after) != reconverge_ir::fingerprint(&built.module));
    let mut seen = Seen { programs: 1, changed, ..Seen::default() };
    let is_structured = built.module.stage(built.start) == Stage::Structured;
    let is_told = |inputs: &Inputs| witness == Witness::Motion || is_structured || inputs.lanes == 1;
    for inputs in inputs_of(subject).filter(is_told) {
        let old = run(&built, &built.module, &inputs, None)?;
        if old.undefined().is_some() {
            seen.open += 1;
            continue;
        }
        if let Err(message) = check_same(&built, &old, &after, &inputs) {
            if is_undefined_after_all(&built, &inputs)? {
                seen.open += 1;
                continue;
            }
            return Err(format!("{} lanes: {message}", inputs.lanes));
        }
        seen.runs += 1;
        seen.cut += usize::from(old.is_cut());
        seen.calls += old.calls();
    }
    Ok(seen)
}

/// Runs the passes one after the other, and checks each.
fn apply(built: &Built, witness: Witness, steps: &mut [&mut MovingPass<'_>]) -> Result<Module, String> {
    let mut current = built.module.clone();
    for step in steps {
        let mut after = current.clone();
        let mut claims = Claims::default();
        for function in built.bodies() {
            let own = step(&mut after, function);
            claims.replaced.extend(own.replaced);
            claims.copies.extend(own.copies);
        }
        check_verified(&after, "after")?;
        if witness == Witness::Motion
            && let Some(finding) =
                verify_motion(&current, &after, &claims).iter().find(|finding| finding.code != Code::C6)
        {
            return Err(format!("motion: {finding}"));
        }
        current = after;
    }
    Ok(current)
}

/// A smaller subject that still fails: fewer pieces, then less control flow, until neither is possible.
pub fn shrink(subject: &Subject, mut fails: impl FnMut(&Subject) -> bool) -> Subject {
    let mut best = subject.clone();
    loop {
        let before = format!("{best:?}");
        best.pieces = shrink_pieces(&best, &mut fails);
        let with = |base: Base, best: &Subject| Subject { base, ..best.clone() };
        best.base = match &best.base {
            Base::Lanes(program, form) => {
                let smaller =
                    crate::lanes::shrink(program, |program| fails(&with(Base::Lanes(program.clone(), *form), &best)));
                Base::Lanes(smaller, *form)
            }
            Base::Graph(graph) => {
                Base::Graph(crate::shrink::shrink(graph, |graph| fails(&with(Base::Graph(graph.clone()), &best))))
            }
        };
        if format!("{best:?}") == before {
            return best;
        }
    }
}

fn shrink_pieces(subject: &Subject, fails: &mut impl FnMut(&Subject) -> bool) -> Vec<u64> {
    let mut best = subject.clone();
    let mut size = best.pieces.len();
    while size > 0 {
        let mut start = 0;
        while start < best.pieces.len() {
            let mut fewer = best.clone();
            fewer.pieces.drain(start..(start + size).min(best.pieces.len()));
            if fails(&fewer) {
                best = fewer;
            } else {
                start += size;
            }
        }
        size /= 2;
    }
    best.pieces
}

fn report(subject: &Subject, witness: Witness, steps: &mut [&mut MovingPass<'_>]) -> String {
    let message = attempt(subject, witness, steps).err().unwrap_or_default();
    let Ok(built) = prepare(subject) else { return format!("seed {}: {message}", subject.seed) };
    let mut after = built.module.clone();
    for step in steps {
        built.bodies().into_iter().for_each(|function| drop(step(&mut after, function)));
    }
    let (before, after) = (text::print(&built.module), text::print(&after));
    format!("seed {}: {message}\n; before\n{before}\n; after\n{after}", subject.seed)
}
