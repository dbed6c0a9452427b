//! Optimization levels: the passes that each [`Level`] runs, in order.
//!
//! A level has two sequences: one before the structurizer, over functions at stage Graph, and one after it, over all functions that are
//! structured then, including those of the input that were structured already. A pass may occur in both, and several times in one.
//! [`REASONS`] has the reason for each ordering that matters; a test checks the sequences against it.

use reconverge_ir::Stage;

use crate::pipeline::{Ordering, ordering};

/// Optimization level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// No optimization: the output is the input, structured.
    #[default]
    None,
    /// For speed, without growth of the program.
    Speed,
    /// For size.
    Size,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 3] = [Level::None, Level::Speed, Level::Size];

    /// The name on the command line, after `-O`.
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

/// The pass that increases nesting.
pub(crate) const NESTING: &str = "loop_rotate";

/// The first passes after the structurizer, for speed. `iv_strength_reduction` runs twice: before loops are rotated, because with a test
/// before an inner loop less code runs in each iteration of the outer loop; and after code motion, which moves loop-invariant code out of
/// loops.
const GUARDED: &[&str] = &["inline", "sroa", "iv_strength_reduction", NESTING];

/// Before the structurizer.
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

/// After the structurizer.
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

/// The reasons for the order, for each sequence that has both passes.
pub const REASONS: &[Ordering] = &[
    ordering("inline_tiny", "sroa", "a variable whose address is passed to a call stays in memory"),
    ordering("inline", "sroa", "a variable whose address is passed to a call stays in memory"),
    ordering("remove_unused_functions", "remove_unused_globals", "what only an unused function uses is unused"),
    ordering("sroa", "loop_rotate", "a loop test that reads variables from memory is not duplicated"),
    ordering("loop_rotate", "sccp", "the first evaluation of a loop test may be constant"),
    ordering("loop_rotate", "gcm", "with a test in front, more code can be hoisted out of the loop"),
    ordering("sroa", "sccp", "the contents of a variable are known only once it is a value"),
    ordering("sroa", "correlated_value_propagation", "a branch condition is visible only after promotion"),
    ordering("correlated_value_propagation", "sccp", "what is computed from a constant is then constant"),
    ordering("sccp", "simplify", "most rules match only constant operands"),
    ordering("simplify", "gvn", "equal expressions then have the same form"),
    ordering("gvn", "strength_reduction", "rules for products do not match shifts"),
    ordering("sccp", "fold_constant_branches", "a condition must be a constant first"),
    ordering("gvn", "load_pre", "only identical pointers are known to be equal"),
    ordering("load_pre", "dse", "a load that became a parameter no longer reads memory"),
    ordering("gvn", "gcm", "one instruction moves, instead of two congruent ones to different places"),
    ordering("simplify_cfg", "gcm", "consecutive blocks are one place for code motion"),
    ordering(
        "gvn",
        "dse",
        "a load that got its value from a store no longer reads memory, and equal pointers are one value",
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
