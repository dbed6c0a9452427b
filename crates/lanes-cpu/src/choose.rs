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
//! | one lane | lanes may part, or read and write at addresses far from each other |
//!
//! Every form computes the same bits, so the choice cannot be seen in results. Subgroup operations can tell how many lanes go together:
//! a kernel that has them gets one form.

use std::time::Duration;

use reconverge_ir::{Function, Module, Op, OpGroup, decoration};
use spirv::BuiltIn;

use crate::clock::thread_time;
use crate::engine::{Arguments, CompileError, Kernel};
use crate::machine::Level;
use crate::select::{Isa, Pack, Specialization};
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
    /// No other form fits the kernel and its work-groups.
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
/// The last turn of a form has at most this part of the work-groups.
const PART_OF_TURN: u64 = 100;
/// With fewer work-groups, there is no trial.
const FEWEST: u64 = 16;

impl KernelForms {
    /// Compiles the entry point of a module as [`Kernel::compile`] does, in the forms that may be the fastest. The pack of `specialization`
    /// is replaced.
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
        let mut packs = vec![Pack { isa, vectors: wanted.vectors.filter(|_| isa != Isa::Scalar).unwrap_or(1) }];
        let is_free = !tells_lanes(module, function);
        if is_free && wanted.vectors.is_none() && isa != Isa::Scalar {
            let vectors = if has_barriers(module, function) { 4 } else { 2 };
            let more = Pack { isa, vectors };
            packs.extend(fits(more, specialization.local).then_some(more));
        }
        if is_free && wanted == Wanted::default() && isa != Isa::Scalar && may_part(module, function) {
            packs.push(Pack { isa: Isa::Scalar, vectors: 1 });
        }
        let compile = |pack| Kernel::compile(module.clone(), function, Specialization { pack, ..specialization });
        let forms: Vec<Kernel> = packs.into_iter().map(compile).collect::<Result<_, _>>()?;
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
            for step in [1, 1, (count / PART_OF_TURN).max(1)] {
                let limit = best.iter().flatten().min().map(|&least| least * MUCH);
                for (form, best) in self.forms.iter().zip(&mut best) {
                    if limit.zip(*best).is_some_and(|(limit, best)| best > limit) {
                        continue;
                    }
                    let start = thread_time();
                    let turn = Arguments { range: (first, end.min(first + step)), threads: 1, ..*arguments };
                    // SAFETY: the caller guarantees what the kernel accesses.
                    unsafe { form.launch(&turn)? };
                    let time = (thread_time() - start) / u32::try_from(step).unwrap_or(u32::MAX);
                    *best = Some(best.map_or(time, |best| best.min(time)));
                    first = end.min(first + step);
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
    if local[1] * local[2] == 1 { lanes <= local[0] } else { local[0].is_multiple_of(lanes) }
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

/// Whether lanes may part: a kernel without loops and selections has nothing to lose by vectors.
fn may_part(module: &Module, function: Function) -> bool {
    any_group(module, function, OpGroup::Branch)
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
            Why::Only => "no other form fits the kernel and its work-groups",
            Why::FewGroups => "the launch has too few work-groups for a trial",
            Why::Fastest => "it was the fastest in the first work-groups",
        })
    }
}
