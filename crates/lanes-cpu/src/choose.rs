//! How many lanes go together: a kernel in several forms, of which the first work-groups choose.
//!
//! Vectors win where lanes stay together or compute much; one lane at a time wins where they part and look things up in tables, because a
//! gather costs by the lanes that a vector has and not by those that execute. Two vectors for a value hide the latency of one, until the
//! registers no longer suffice. Which of it is true depends on the data. So a kernel is compiled in the forms that may win, and a launch runs
//! its first work-groups in each of them, every work-group once; the fastest form runs the rest.
//!
//! | form | if |
//! |---|---|
//! | one vector | always |
//! | two vectors, four with barriers | a pack is a part of a row of the work-group |
//! | four vectors | the same, and the code of two has no divergent branch and no spilled register |
//! | one lane | lanes part in the code of one vector, or read and write at addresses far from each other |
//!
//! Every form computes the same bits, so the choice cannot be seen in results. Subgroup operations can tell how many lanes go together:
//! a kernel that has them gets one form.

use std::time::Duration;

use reconverge_ir::{Function, Module, Op, OpGroup, decoration};
use spirv::BuiltIn;

use crate::clock::thread_time;
use crate::engine::{Arguments, CompileError, Kernel};
use crate::machine::{Level, has_vector_popcnt};
use crate::select::arithmetic::Features;
use crate::select::{Divergence, Isa, Pack, Specialization};
use crate::trap::Trap;

/// A kernel in the forms that may be the fastest.
#[derive(Debug)]
pub struct KernelForms {
    forms: Vec<Kernel>,
    /// Why there is only one.
    only: Option<Why>,
}

/// The form that ran a launch, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The forms: the chosen one, then the others.
    pub forms: Vec<Tried>,
    /// Why it was chosen.
    pub why: Why,
}

/// Why a form was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It was asked for.
    Asked,
    /// The kernel can tell how many lanes go together.
    TellsLanes,
    /// No other form can be faster, or fits the kernel and its work-groups.
    Only,
    /// The launch has too few work-groups for a trial.
    FewGroups,
    /// It was the fastest in the first work-groups.
    Fastest,
}

/// A form of a kernel in a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The form.
    pub pack: Pack,
    /// How long a work-group took in it, at best; none if it was not tried.
    pub time: Option<Duration>,
}

/// The forms that are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wanted {
    /// Lanes of a vector register: 1, 8 or 16; none: as the launch chooses.
    pub width: Option<u32>,
    /// Vectors of a value; none: as the launch chooses.
    pub vectors: Option<u32>,
}

/// A form that takes so many times longer than another is not tried again.
const MUCH: u32 = 2;
/// What the first turn of a form may take in addition, because memory is touched for the first time.
const FIRST_TOUCH: Duration = Duration::from_micros(50);
/// The last turn of a form has at most this part of the work-groups.
const PART_OF_TURN: u64 = 100;
/// With fewer work-groups, there is no trial.
const FEWEST: u64 = 16;

impl KernelForms {
    /// Compiles the entry point of a module as [`Kernel::compile`] does, in the forms that may be the fastest. The pack and the features of
    /// `specialization` are replaced by those of this CPU.
    ///
    /// # Errors
    /// What the engine does not support, by name.
    pub fn compile(
        module: &Module,
        function: Function,
        specialization: Specialization,
        wanted: Wanted,
    ) -> Result<KernelForms, CompileError> {
        let isa = isa(wanted.width)?;
        if let Some(vectors) = wanted.vectors.filter(|vectors| !matches!(vectors, 1 | 2 | 4)) {
            return Err(CompileError::Cpu(format!("values have no {vectors} vectors, but 1, 2 or 4")));
        }
        let features = Features {
            has_vector_popcnt: has_vector_popcnt(),
            has_avx512: Level::of_this_cpu() == Some(Level::Avx512),
        };
        let specialization = Specialization { features, ..specialization };
        let compile = |pack| Kernel::compile(module.clone(), function, Specialization { pack, ..specialization });
        let first = Pack { isa, vectors: wanted.vectors.filter(|_| isa != Isa::Scalar).unwrap_or(1) };
        let is_free = !tells_lanes(module, function);
        let scalar = Pack { isa: Isa::Scalar, vectors: 1 };
        let mut forms = match compile(first) {
            // What is too large for many lanes may not be too large for one.
            Err(CompileError::Unsupported { .. }) if is_free && wanted == Wanted::default() && isa != Isa::Scalar => {
                return Ok(KernelForms { forms: vec![compile(scalar)?], only: Some(Why::Only) });
            }
            first => vec![first?],
        };
        if is_free && wanted.vectors.is_none() && isa != Isa::Scalar {
            let has_barriers = has_barriers(module, function);
            let more = |vectors| Some(Pack { isa, vectors }).filter(|&pack| fits(pack, specialization.local));
            if let Some(pack) = more(if has_barriers { 4 } else { 2 }) {
                forms.extend(unless_unsupported(compile(pack))?);
            }
            if let Some(pack) = more(4).filter(|_| !has_barriers && forms.last().is_some_and(Kernel::has_room)) {
                forms.extend(unless_unsupported(compile(pack))?);
            }
        }
        if is_free && wanted == Wanted::default() && isa != Isa::Scalar && forms[0].may_lose() {
            forms.extend(unless_unsupported(compile(scalar))?);
        }
        let only = match wanted {
            _ if forms.len() > 1 => None,
            Wanted { width: None, vectors: None } if is_free => Some(Why::Only),
            Wanted { width: None, vectors: None } => Some(Why::TellsLanes),
            _ => Some(Why::Asked),
        };
        Ok(KernelForms { forms, only })
    }

    /// The forms, the default one first.
    pub fn forms(&self) -> &[Kernel] {
        &self.forms
    }

    /// Runs a launch: the first work-groups in every form, the others in the fastest. Says what was tried.
    ///
    /// # Errors
    /// As [`Kernel::launch`].
    ///
    /// # Safety
    /// As [`Kernel::launch`].
    #[expect(unsafe_code, reason = "the kernel reads and writes through the addresses that it is given")]
    pub unsafe fn launch(&self, arguments: &Arguments<'_>) -> Result<Choice, Box<Trap>> {
        let (mut first, end) = arguments.range;
        let count = end.saturating_sub(first);
        let mut best: Vec<Option<Duration>> = vec![None; self.forms.len()];
        let why = self.only.unwrap_or(if count >= FEWEST { Why::Fastest } else { Why::FewGroups });
        if why == Why::Fastest {
            let last = (count / PART_OF_TURN).max(1);
            for (step, more) in [(1, FIRST_TOUCH), (1, FIRST_TOUCH), (last, Duration::ZERO)] {
                let limit = best.iter().flatten().min().map(|&least| least * MUCH + more);
                let is_slow = |form: &usize| limit.zip(best[*form]).is_some_and(|(limit, best)| best > limit);
                let mut turns = Vec::new();
                for form in (0..self.forms.len()).filter(|form| !is_slow(form)) {
                    turns.push(Turn { form, range: (first, end.min(first + step)) });
                    first = end.min(first + step);
                }
                // SAFETY: the caller guarantees what the kernel accesses.
                let times = unsafe { self.run_turns(arguments, &turns)? };
                for (turn, time) in turns.iter().zip(times) {
                    let time = time / u32::try_from(step).unwrap_or(u32::MAX);
                    best[turn.form] = Some(best[turn.form].map_or(time, |best| best.min(time)));
                }
            }
        }
        let chosen = (0..self.forms.len()).min_by_key(|&form| best[form]).unwrap_or(0);
        let rest = Arguments { range: (first, end), ..*arguments };
        // SAFETY: the caller guarantees what the kernel accesses.
        unsafe { self.forms[chosen].launch(&rest)? };
        let tried = |form: usize| Tried { pack: self.forms[form].specialization().pack, time: best[form] };
        let others = (0..self.forms.len()).filter(|&form| form != chosen);
        Ok(Choice { forms: std::iter::once(chosen).chain(others).map(tried).collect(), why })
    }

    /// Runs turns, as many at once as the launch has threads. Says how long each took.
    ///
    /// # Safety
    /// As [`Kernel::launch`].
    #[expect(unsafe_code, reason = "the kernel reads and writes through the addresses that it is given")]
    unsafe fn run_turns(&self, arguments: &Arguments<'_>, turns: &[Turn]) -> Result<Vec<Duration>, Box<Trap>> {
        let run = |turn: &Turn| {
            let start = thread_time();
            let launch = Arguments { range: turn.range, threads: 1, ..*arguments };
            // SAFETY: the caller guarantees what the kernel accesses.
            unsafe { self.forms[turn.form].launch(&launch)? };
            Ok(thread_time() - start)
        };
        if arguments.threads <= 1 {
            return turns.iter().map(run).collect();
        }
        let mut times = Vec::new();
        for together in turns.chunks(arguments.threads) {
            let ran: Vec<_> = std::thread::scope(|scope| {
                let start = |turn| std::thread::Builder::new().spawn_scoped(scope, move || run(turn));
                let threads: Vec<_> = together.iter().map(|turn| start(turn).map_err(|_| turn)).collect();
                let end = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                    thread.join().expect("invariant: a launch does not panic")
                };
                // Where the system gives no thread, this one takes the turn.
                threads.into_iter().map(|thread| thread.map_or_else(run, end)).collect()
            });
            times.extend(ran.into_iter().collect::<Result<Vec<_>, _>>()?);
        }
        Ok(times)
    }
}

/// A form that need not be there.
fn unless_unsupported(form: Result<Kernel, CompileError>) -> Result<Option<Kernel>, CompileError> {
    match form {
        Err(CompileError::Unsupported { .. }) => Ok(None),
        form => form.map(Some),
    }
}

/// A turn of a form in a trial.
struct Turn {
    form: usize,
    range: (u64, u64),
}

impl Kernel {
    /// Whether more vectors for a value may be faster: lanes take every branch together, so that a larger pack does not execute more, and
    /// there are registers left.
    fn has_room(&self) -> bool {
        self.divergence.branches == 0 && self.statistics().spill_slots == 0
    }

    /// Whether one lane at a time may be faster: vectors have nothing to lose where the lanes of a pack stay together.
    fn may_lose(&self) -> bool {
        self.divergence != Divergence::default()
    }
}

/// The instructions for vectors of that many lanes, or the widest of this CPU.
fn isa(width: Option<u32>) -> Result<Isa, CompileError> {
    let Some(level) = Level::of_this_cpu() else {
        return Err(CompileError::Cpu("it needs an x86-64 with AVX, BMI1, BMI2, LZCNT and POPCNT".to_owned()));
    };
    match width.unwrap_or(level.lanes()) {
        1 => Ok(Isa::Scalar),
        8 if level >= Level::Avx2 => Ok(Isa::Avx2),
        8 => Err(CompileError::Cpu("vectors of 8 lanes need AVX2, FMA and F16C".to_owned())),
        16 if level >= Level::Avx512 => Ok(Isa::Avx512),
        16 => Err(CompileError::Cpu("vectors of 16 lanes need AVX-512 F, DQ, BW, VL and CD".to_owned())),
        other => Err(CompileError::Cpu(format!("there are no vectors of {other} lanes, but of 1, 8 and 16"))),
    }
}

/// Whether the lanes of a pack are in one row of the work-group.
fn fits(pack: Pack, local: [u32; 3]) -> bool {
    let lanes = pack.lanes();
    if local[1] == 1 && local[2] == 1 { lanes <= local[0] } else { local[0].is_multiple_of(lanes) }
}

/// Whether a kernel can tell how many lanes go together.
fn tells_lanes(module: &Module, function: Function) -> bool {
    let is_subgroup = |built_in: BuiltIn| {
        matches!(
            built_in,
            BuiltIn::SubgroupSize
                | BuiltIn::SubgroupId
                | BuiltIn::NumSubgroups
                | BuiltIn::SubgroupLocalInvocationId
                | BuiltIn::SubgroupMaxSize
        )
    };
    let mut variables = module.globals().filter(|&inst| module.op(inst) == Op::Variable);
    let reads = variables.any(|variable| {
        module.decorated(variable).find().is_some_and(|decoration::BuiltIn(built_in)| is_subgroup(built_in))
    });
    reads || any_group(module, function, OpGroup::Subgroup)
}

fn has_barriers(module: &Module, function: Function) -> bool {
    any_group(module, function, OpGroup::ControlBarrier)
}

fn any_group(module: &Module, function: Function, group: OpGroup) -> bool {
    let mut insts = module.blocks(function).flat_map(|block| module.children(block));
    insts.any(|inst| module.op(inst).group() == group)
}

impl std::fmt::Display for Why {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Why::Asked => "it was asked for",
            Why::TellsLanes => "the kernel can tell how many lanes go together",
            Why::Only => "no other form can be faster for these work-groups",
            Why::FewGroups => "the launch has too few work-groups for a trial",
            Why::Fastest => "it was the fastest in the first work-groups",
        })
    }
}
