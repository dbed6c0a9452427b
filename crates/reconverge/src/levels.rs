//! Optimization: the passes that make a program better, and in which order each [`Level`] runs them.
//!
//! A level is two sequences: one in front of the structurizer, over functions that are at stage Graph, and one behind it, over all that are
//! structured by then, whether they came so or not. A pass may stand in both, and several times in one. [`REASONS`] says of each
//! neighbourhood that matters why it is as it is; a test holds the sequences against it.

use reconverge_ir::Stage;

use crate::pipeline::{Ordering, ordering};

/// How much to optimize.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// Not at all: what comes out is what went in, structured.
    #[default]
    None,
    /// For speed, as far as the program does not grow by it.
    Speed,
    /// For size.
    Size,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 3] = [Level::None, Level::Speed, Level::Size];

    /// The name on the command line, behind `-O`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::None => "0",
            Level::Speed => "1",
            Level::Size => "s",
        }
    }

    /// The level of a name.
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }

    /// The passes over functions at a stage, in order.
    pub fn sequence(self, stage: Stage) -> impl Iterator<Item = &'static str> + Clone {
        let (first, rest, last): (&[&str], &[&str], &[&str]) = match (self, stage) {
            (Level::None, _) => (&[], &[], &[]),
            (Level::Speed, Stage::Structured) => (GUARDED, STRUCTURED, &["iv_strength_reduction", "partial_dce"]),
            (Level::Speed, _) => (&["inline", "sroa"], GRAPH, &[]),
            (Level::Size, Stage::Structured) => (&["inline_tiny", "sroa"], STRUCTURED, &[]),
            (Level::Size, _) => (&["inline_tiny", "sroa"], GRAPH, &[]),
        };
        first.iter().chain(rest).chain(last).copied()
    }
}

/// The pass that nests code deeper.
pub(crate) const NESTING: &str = "loop_rotate";

/// What is first behind the structurizer, for speed. Counters are asked for twice: before loops are rotated, since with a test in front of an
/// inner loop less code then runs in each iteration of the outer loop; and behind code motion, which takes out of loops what does not change
/// in them.
const GUARDED: &[&str] = &["inline", "sroa", "iv_strength_reduction", NESTING];

/// In front of the structurizer.
const GRAPH: &[&str] = &[
    "correlated_value_propagation",
    "sccp",
    "simplify",
    "gvn",
    "load_pre",
    "strength_reduction",
    "dse",
    "dce",
    "simplify_cfg",
    "gcm",
];

/// Behind it.
const STRUCTURED: &[&str] = &[
    "correlated_value_propagation",
    "sccp",
    "simplify",
    "gvn",
    "load_pre",
    "strength_reduction",
    "fold_constant_branches",
    "dse",
    "dce",
    "remove_dead_control_flow",
    "simplify_cfg",
    "gcm",
    "remove_unused_functions",
    "remove_unused_globals",
];

/// Why passes stand where they stand: wherever both occur in a sequence.
pub const REASONS: &[Ordering] = &[
    ordering("inline_tiny", "sroa", "a variable whose address is passed to a call stays in memory"),
    ordering("inline", "sroa", "a variable whose address is passed to a call stays in memory"),
    ordering("remove_unused_functions", "remove_unused_globals", "what only an unused function uses is unused"),
    ordering("sroa", "loop_rotate", "a loop test that reads variables from memory is not duplicated"),
    ordering("loop_rotate", "sccp", "the first evaluation of a loop test may be constant"),
    ordering("loop_rotate", "gcm", "with a test in front, more code can be hoisted out of the loop"),
    ordering("sroa", "sccp", "what a variable holds is seen only once it is a value"),
    ordering("sroa", "correlated_value_propagation", "a branch condition is visible only after promotion"),
    ordering("correlated_value_propagation", "sccp", "what follows from a value that is known is known"),
    ordering("sccp", "simplify", "a constant operand makes most rules fit"),
    ordering("simplify", "gvn", "equal expressions then have the same form"),
    ordering("gvn", "strength_reduction", "rules for products do not match shifts"),
    ordering("sccp", "fold_constant_branches", "a condition must be a constant first"),
    ordering("gvn", "load_pre", "only identical pointers are known to be equal"),
    ordering("load_pre", "dse", "a load that became a parameter no longer reads memory"),
    ordering("gvn", "gcm", "one instruction moves, instead of two congruent ones to different places"),
    ordering("simplify_cfg", "gcm", "several blocks in a row are one place for code motion"),
    ordering(
        "gvn",
        "dse",
        "a load that took its value from a store reads memory no more, and pointers that are equal are one",
    ),
    ordering("fold_constant_branches", "dse", "a path that is never taken reads nothing"),
    ordering("dse", "dce", "a value that only a removed store used is dead"),
    ordering("iv_strength_reduction", "partial_dce", "an expression chain consists of values with one use"),
    ordering("gcm", "partial_dce", "one cheap place is better than several copies"),
    ordering("dce", "partial_dce", "a dead use would get a copy"),
    ordering("sroa", "dce", "a value that was only stored to a removed variable is dead"),
    ordering(
        "fold_constant_branches",
        "remove_dead_control_flow",
        "removing a path that is never taken can leave an empty construct",
    ),
    ordering(
        "remove_dead_control_flow",
        "simplify_cfg",
        "removing a construct leaves straight-line code in several blocks",
    ),
    ordering("dce", "remove_unused_globals", "a constant that only dead code uses is unused"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::check_order;

    fn sequences() -> impl Iterator<Item = Vec<&'static str>> {
        let stages = [Stage::Graph, Stage::Structured];
        Level::ALL.into_iter().flat_map(move |level| stages.map(|stage| level.sequence(stage).collect()))
    }

    #[test]
    fn sequences_keep_their_order() {
        for sequence in sequences() {
            assert_eq!(check_order(&sequence, REASONS), Ok(()));
        }
    }

    #[test]
    fn every_constraint_is_about_a_sequence() {
        for Ordering { before, after, .. } in REASONS {
            let has_both = |sequence: Vec<&str>| sequence.contains(before) && sequence.contains(after);
            assert!(sequences().any(has_both), "{before} and {after} are in no sequence together");
        }
    }

    #[test]
    fn levels_have_names() {
        for level in Level::ALL {
            assert_eq!(Level::from_name(level.name()), Some(level));
        }
        assert_eq!(Level::from_name("2"), None);
    }
}
