//! The order in which words are executed: in sequence, after the delay slots of branches, and to the end.
//!
//! A *point* is a word together with what is pending there: nothing, a branch with some of its three delay slots still to be executed, or a
//! program end with its two. A word is several points if it is in a delay slot on some paths only. A branch may be in the last delay slot
//! of another (vc4asm addendum, "Distance of branch instructions"): then the slots of the second are the first words at the target of the
//! first. Closer branches break a rule, and the later one is ignored here.
//!
//! A branch to a register is assumed to be a return: it continues after any branch with a link register that a path took, a *call*. The
//! facts of all returns are joined. A branch to a register with an offset goes to an entry of a table, which the words do not show; its
//! path ends there, as does a return in a program without calls.
//!
//! Facts are propagated over the points until nothing changes. Each fact changes a bounded number of times, and there are at most
//! [`POINTS_FOR_A_WORD`] points for each word, so the time is linear.

use std::collections::{BTreeSet, HashMap};

use super::state::{Mutex, State};
use super::word::Instruction;

/// The maximum number of points of a word. Only chains of branches in delay slots of each other have more, which no compiler writes.
const POINTS_FOR_A_WORD: usize = 16;

/// A branch or a program end that is pending when a word begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Pending {
    Nothing,
    /// The branch at `branch` takes effect after this word and `further` more.
    Branch {
        branch: usize,
        further: u8,
    },
    /// The program ends after this word and `further` more.
    End {
        further: u8,
    },
}

/// A word with a pending event, and the facts before it.
pub(super) struct Point {
    pub(super) index: usize,
    pub(super) pending: Pending,
    pub(super) before: State,
}

/// A fault of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PathFault {
    /// The target of a branch is outside of the words, or unknown from the words.
    Target,
    /// Execution continues after the last word.
    FallsOff,
    /// The program has more points than the limit.
    TooManyPoints,
}

/// All points that a program reaches, and the faults found, each with the index of its word.
pub(super) struct Flow {
    pub(super) points: Vec<Point>,
    pub(super) faults: Vec<(usize, PathFault)>,
    /// True if a path continues at a target that the words do not show.
    pub(super) leaves: bool,
}

struct Search<'a> {
    words: &'a [Instruction],
    has_calls: bool,
    /// The words after the delay slots of the calls that were taken.
    return_sites: BTreeSet<usize>,
    /// The joined facts of all returns; `None` before the first.
    at_returns: Option<State>,
    numbers: HashMap<(usize, Pending), usize>,
    flow: Flow,
    /// Points whose facts have changed since they were last processed.
    waiting: Vec<usize>,
    is_waiting: Vec<bool>,
}

/// Follows all paths from the first word.
pub(super) fn follow(words: &[Instruction]) -> Flow {
    let mut search = Search {
        words,
        has_calls: words.iter().any(is_call),
        return_sites: BTreeSet::new(),
        at_returns: None,
        numbers: HashMap::new(),
        flow: Flow { points: Vec::new(), faults: Vec::new(), leaves: false },
        waiting: Vec::new(),
        is_waiting: Vec::new(),
    };
    if !words.is_empty() {
        let is_used = words.iter().any(|word| word.reads(51));
        let mutex = Mutex { is_used, ..State::START.mutex };
        search.reach(0, 0, Pending::Nothing, &State { mutex, ..State::START });
    }
    while let Some(number) = search.waiting.pop() {
        search.is_waiting[number] = false;
        search.step(number);
    }
    search.flow
}

fn is_call(word: &Instruction) -> bool {
    word.branch().is_some() && word.writes().next().is_some()
}

impl Search<'_> {
    /// Propagates the facts of one point to the next ones.
    fn step(&mut self, number: usize) {
        let Point { index, pending, ref before } = self.flow.points[number];
        let word = &self.words[index];
        let after = before.after(word);
        if word.ends_program() && !matches!(pending, Pending::End { .. }) {
            return self.reach(index, index + 1, Pending::End { further: 1 }, &after);
        }
        match pending {
            Pending::End { further: 0 } => {}
            Pending::End { further } => self.reach(index, index + 1, Pending::End { further: further - 1 }, &after),
            Pending::Branch { branch, further: 0 } => self.act(index, branch, &after),
            Pending::Branch { branch, further } => {
                let pending = Pending::Branch { branch, further: further - 1 };
                self.reach(index, index + 1, pending, &after);
            }
            Pending::Nothing => self.reach(index, index + 1, self.pending_behind(index), &after),
        }
    }

    /// The pending event after a word without a pending branch.
    fn pending_behind(&self, index: usize) -> Pending {
        match self.words[index].branch() {
            Some(_) => Pending::Branch { branch: index, further: 2 },
            None => Pending::Nothing,
        }
    }

    /// The branch takes effect after the word at `slot`, its last delay slot.
    fn act(&mut self, slot: usize, branch: usize, after: &State) {
        let pending = self.pending_behind(slot);
        let word = &self.words[branch];
        let Some(fields) = word.branch() else { return };
        if !fields.is_always() {
            self.reach(slot, slot + 1, pending, after);
        }
        let mut taken = after.clone();
        // The lowest bit of a branch's register address is also the bit that sets the flags, to those of the address (vc4asm addendum).
        taken.has_flags &= !word.sets_flags;
        if is_call(word) {
            self.call(branch);
        }
        if fields.uses_register {
            let is_return = fields.offset == 0 && pending == Pending::Nothing && self.has_calls;
            if is_return {
                self.returns(branch, &taken);
            } else {
                self.flow.leaves = true;
            }
            return;
        }
        let bytes = i64::from(fields.offset);
        let target = (fields.is_relative && bytes % 8 == 0).then_some(branch as i64 + 4 + bytes / 8);
        match target.and_then(|target| usize::try_from(target).ok()).filter(|&target| target < self.words.len()) {
            Some(target) => self.reach(branch, target, pending, &taken),
            None => self.fault(branch, PathFault::Target),
        }
    }

    /// A call is taken: from now on returns continue after it.
    fn call(&mut self, branch: usize) {
        let site = branch + 4;
        if self.return_sites.insert(site)
            && let Some(joined) = self.at_returns.clone()
        {
            self.reach(branch, site, Pending::Nothing, &joined);
        }
    }

    /// A return goes to every return site. The facts of all returns are joined, so that this stays linear.
    fn returns(&mut self, from: usize, taken: &State) {
        let mut joined = self.at_returns.clone().unwrap_or_else(|| taken.clone());
        if joined.join(taken) || self.at_returns.is_none() {
            self.at_returns = Some(joined.clone());
            for site in self.return_sites.clone() {
                self.reach(from, site, Pending::Nothing, &joined);
            }
        }
    }

    /// Joins facts into a point. `from` is the word that a fault is reported at if there is no word `index`.
    fn reach(&mut self, from: usize, index: usize, pending: Pending, state: &State) {
        if index >= self.words.len() {
            return self.fault(from, PathFault::FallsOff);
        }
        let number = match self.numbers.get(&(index, pending)) {
            Some(&number) => {
                if !self.flow.points[number].before.join(state) {
                    return;
                }
                number
            }
            None if self.flow.points.len() >= POINTS_FOR_A_WORD * self.words.len() => {
                return self.fault(from, PathFault::TooManyPoints);
            }
            None => {
                let number = self.flow.points.len();
                self.numbers.insert((index, pending), number);
                self.flow.points.push(Point { index, pending, before: state.clone() });
                self.is_waiting.push(false);
                number
            }
        };
        if !self.is_waiting[number] {
            self.is_waiting[number] = true;
            self.waiting.push(number);
        }
    }

    fn fault(&mut self, index: usize, fault: PathFault) {
        self.flow.faults.push((index, fault));
    }
}
