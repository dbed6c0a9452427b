//! The choice of the pack: a kernel has several forms, and the first work-groups measure which is the fastest.
//!
//! Vectors win where lanes stay together or compute much; one lane at a time wins where they diverge and read tables, because a gather
//! costs by the lanes that a vector has and not by those that execute. Two vectors for a value hide the latency of one, until the registers
//! no longer suffice. Which of it is true depends on the data. So a kernel is compiled in the forms that may win, and a launch runs its
//! first work-groups in each of them, every work-group once; the fastest form runs the rest.
//!
//! | form | if |
//! |---|---|
//! | one vector | always |
//! | two vectors, four with barriers | a pack is a part of a row of the work-group |
//! | four vectors | the same, and the code of two has no divergent branch and no spilled register |
//! | one lane | lanes diverge in the code of one vector, or read and write at addresses far from each other |
//!
//! Every form computes the same bits, so the choice cannot be seen in results. Subgroup operations can tell how many lanes go together:
//! a kernel that has them gets one form.

use std::time::Duration;

use crate::clock::thread_time;
use crate::engine::{Arguments, Kernel};
use crate::select::{Divergence, Pack};
use crate::trap::Trap;

/// A kernel in the forms that may be the fastest.
#[derive(Debug)]
pub struct KernelForms {
    forms: Vec<Kernel>,
    /// The reason why there is only one form.
    only: Option<Why>,
}

/// The form that ran a launch, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The forms: the chosen one, then the others.
    pub forms: Vec<Candidate>,
    /// The reason of the choice.
    pub why: Why,
}

/// The reason why a form was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It was requested.
    Requested,
    /// The kernel can tell how many lanes go together.
    ObservesSubgroupSize,
    /// No other form can be faster, or fits the kernel and its work-groups.
    Only,
    /// The launch has too few work-groups for a trial.
    FewGroups,
    /// It was the fastest in the first work-groups.
    Fastest,
}

/// A form of a kernel in a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The form.
    pub pack: Pack,
    /// The shortest time of a work-group in this form; `None` if it was not tried.
    pub time: Option<Duration>,
}

/// The forms that are requested.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FormRequest {
    /// Lanes of a vector register: 1, 8 or 16; none: as the launch chooses.
    pub width: Option<u32>,
    /// Vectors of a value; none: as the launch chooses.
    pub vectors: Option<u32>,
}

/// A form that takes longer than another by this factor is not tried again.
const SLOWDOWN_CUTOFF: u32 = 2;
/// The additional time of the first turn of a form, because memory is touched for the first time.
const FIRST_TOUCH: Duration = Duration::from_micros(50);
/// The last turn of a form has at most this part of the work-groups.
const PART_OF_TURN: u64 = 100;
/// A launch of fewer work-groups has no trial: its first form runs all of them.
const MIN_GROUPS_FOR_TRIAL: u64 = 16;

impl KernelForms {
    /// The forms of a kernel, the default one first, and why there is only one, if there is only one.
    ///
    /// # Panics
    /// Without a form.
    pub fn new(forms: Vec<Kernel>, only: Option<Why>) -> KernelForms {
        assert!(!forms.is_empty(), "a kernel has at least one form");
        KernelForms { forms, only }
    }

    /// The forms, the default one first.
    pub fn forms(&self) -> &[Kernel] {
        &self.forms
    }

    /// Runs a launch: the first work-groups in every form, the others in the fastest. Returns the forms that were tried.
    ///
    /// # Errors
    /// Those of [`Kernel::launch`].
    ///
    /// # Safety
    /// Those of [`Kernel::launch`].
    #[expect(unsafe_code, reason = "the kernel reads and writes through the addresses that it is given")]
    pub unsafe fn launch(&self, arguments: &Arguments<'_>) -> Result<Choice, Box<Trap>> {
        let (mut first, end) = arguments.range;
        let count = end.saturating_sub(first);
        let mut best: Vec<Option<Duration>> = vec![None; self.forms.len()];
        let why = self.only.unwrap_or(Why::among_forms(count));
        if why == Why::Fastest {
            let last = (count / PART_OF_TURN).max(1);
            for (step, more) in [(1, FIRST_TOUCH), (1, FIRST_TOUCH), (last, Duration::ZERO)] {
                let limit = best.iter().flatten().min().map(|&least| least * SLOWDOWN_CUTOFF + more);
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
        let tried = |form: usize| Candidate { pack: self.forms[form].specialization().pack, time: best[form] };
        let others = (0..self.forms.len()).filter(|&form| form != chosen);
        Ok(Choice { forms: std::iter::once(chosen).chain(others).map(tried).collect(), why })
    }

    /// Runs turns, as many at once as the launch has threads. Returns the time of each.
    ///
    /// # Safety
    /// Those of [`Kernel::launch`].
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

/// A turn of a form in a trial.
struct Turn {
    form: usize,
    range: (u64, u64),
}

impl Kernel {
    /// Returns whether more vectors for a value may be faster: lanes take every branch together, so that a larger pack does not execute
    /// more, and there are registers left.
    pub fn has_free_registers(&self) -> bool {
        self.divergence.branches == 0 && self.statistics().spill_slots == 0
    }

    /// Returns whether one lane at a time may be faster: the lanes of a pack diverge, or access memory at addresses that are not side by
    /// side.
    pub fn scalar_may_win(&self) -> bool {
        self.divergence != Divergence::default()
    }
}

impl Why {
    /// The reason of a choice among forms of which none is preferred, for a launch of this many work-groups.
    pub fn among_forms(groups: u64) -> Why {
        if groups >= MIN_GROUPS_FOR_TRIAL { Why::Fastest } else { Why::FewGroups }
    }
}

impl std::fmt::Display for Why {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Why::Requested => "it was asked for",
            Why::ObservesSubgroupSize => "the kernel can tell how many lanes go together",
            Why::Only => "no other form can be faster for these work-groups",
            Why::FewGroups => "the launch has too few work-groups for a trial",
            Why::Fastest => "it was the fastest in the first work-groups",
        })
    }
}
