//! The execution of lanes in a module: recorded by the interpreter while the report is made, and compared between states of the module.
//!
//! ```text
//! state 0 ─ run ─▶ LaneRun ─┐                      a run is stored once, however many states have it;
//! state 4 ─ run ─▶ LaneRun ─┼─ compare ─▶ pairs    each pair of runs is compared
//! state 9 ─ run ─▶ LaneRun ─┘
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `data.rs` | runs, their steps and operations, comparisons: the data |
//! | `recorder.rs` | makes a run from the events of the interpreter |
//! | `comparison.rs` | which operations of two runs are the same, and whether they agree |
//! | `inputs.rs` | inputs for functions that nothing was given for |
//!
//! Everything is bounded: [`LaneLimits`].

mod comparison;
mod data;
mod inputs;
mod recorder;

pub use data::{
    Comparison, LaneEnd, LaneLaunch, LaneLimits, LaneMove, LaneRun, LaneState, Lanes, Operation, OperationPair, Verdict,
};
pub use inputs::run_function;
pub use recorder::{Ending, LaneRecorder};

impl LaneLaunch {
    /// A launch without states.
    pub fn new(function: &str, inputs: &str) -> LaneLaunch {
        LaneLaunch { function: function.to_owned(), inputs: inputs.to_owned(), ..LaneLaunch::default() }
    }

    /// Adds the run of the module after a pass, or why there is none. Passes without one, which are before it, have the run of the pass
    /// before them: they changed nothing.
    pub fn add(&mut self, pass: usize, run: Result<LaneRun, String>) {
        self.fill(pass);
        let state = match run {
            Ok(run) => match self.place(run) {
                Some(place) => LaneState { run: Some(place), ..LaneState::default() },
                None => {
                    let reason = format!("There are {} different runs already.", LaneLimits::RUNS);
                    LaneState { reason, ..LaneState::default() }
                }
            },
            Err(reason) => LaneState { reason, ..LaneState::default() },
        };
        self.states.push(state);
    }

    /// Ends after this number of passes, and compares the runs: each pair once, linear in their operations.
    pub fn finish(&mut self, passes: usize) {
        self.fill(passes);
        for (after, late) in self.runs.iter().enumerate() {
            for (before, early) in self.runs[..after].iter().enumerate() {
                let pairs = comparison::compare(early, late);
                self.comparisons.push(Comparison { before: before as u32, after: after as u32, pairs });
            }
        }
    }

    fn fill(&mut self, passes: usize) {
        let last = self.states.last().cloned().unwrap_or_default();
        self.states.resize(self.states.len().max(passes), last);
    }

    fn place(&mut self, run: LaneRun) -> Option<u32> {
        let place = self.runs.iter().position(|known| *known == run);
        let place = place.or_else(|| {
            (self.runs.len() < LaneLimits::RUNS as usize).then(|| {
                self.runs.push(run);
                self.runs.len() - 1
            })
        });
        place.map(|place| place as u32)
    }
}
