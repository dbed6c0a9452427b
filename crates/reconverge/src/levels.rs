//! Optimization levels: the passes that each [`Level`] runs, in order.
//!
//! A level has two sequences: one before the structurizer, over functions at stage Graph, and one after it, over all functions that are
//! structured then, including those that were structured in the input. A pass may occur in both, and several times in one. [`REASONS`] has
//! the reason for each constraint on the order; a test checks the sequences against it.

use reconverge_ir::Stage;

use crate::pipeline::{Constraint, constraint};

/// Optimization level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Level {
    /// No optimization: the output is the input, structured.
    None,
    /// For speed, without growth of the program.
    #[default]
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
pub const REASONS: &[Constraint] = &[
    constraint("inline_tiny", "sroa", "a variable whose address is passed to a call stays in memory"),
    constraint("inline", "sroa", "a variable whose address is passed to a call stays in memory"),
    constraint("remove_unused_functions", "remove_unused_globals", "what only an unused function uses is unused"),
    constraint("sroa", "loop_rotate", "a loop test that reads variables from memory is not duplicated"),
    constraint("loop_rotate", "sccp", "the first evaluation of a loop test may be constant"),
    constraint("loop_rotate", "gcm", "with a test in front, more code can be hoisted out of the loop"),
    constraint("sroa", "sccp", "the contents of a variable are known only once it is a value"),
    constraint("sroa", "correlated_value_propagation", "a branch condition is visible only after promotion"),
    constraint("correlated_value_propagation", "sccp", "what is computed from a constant is then constant"),
    constraint("sccp", "simplify", "most rules match only constant operands"),
    constraint("simplify", "gvn", "equal expressions then have the same form"),
    constraint("gvn", "strength_reduction", "rules for products do not match shifts"),
    constraint("sccp", "fold_constant_branches", "a condition must be a constant first"),
    constraint("gvn", "load_pre", "only identical pointers are known to be equal"),
    constraint("load_pre", "dse", "a load that became a parameter no longer reads memory"),
    constraint("gvn", "gcm", "one instruction moves, instead of two congruent ones to different places"),
    constraint("simplify_cfg", "gcm", "consecutive blocks are one place for code motion"),
    constraint(
        "gvn",
        "dse",
        "a load that got its value from a store no longer reads memory, and equal pointers are one value",
    ),
    constraint("fold_constant_branches", "dse", "a path that is never taken reads nothing"),
    constraint("dse", "dce", "a value that only a removed store used is dead"),
    constraint("iv_strength_reduction", "partial_dce", "an expression chain consists of values with one use"),
    constraint("gcm", "partial_dce", "one cheap place is better than several copies"),
    constraint("dce", "partial_dce", "a dead use would get a copy"),
    constraint("sroa", "dce", "a value that was only stored to a removed variable is dead"),
    constraint(
        "fold_constant_branches",
        "remove_dead_control_flow",
        "removing a path that is never taken can leave an empty construct",
    ),
    constraint(
        "remove_dead_control_flow",
        "simplify_cfg",
        "removing a construct leaves straight-line code in several blocks",
    ),
    constraint("dce", "remove_unused_globals", "a constant that only dead code uses is unused"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::tests::check_order;

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
        for Constraint { before, after, .. } in REASONS {
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
