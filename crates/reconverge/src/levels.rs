//! Optimization: the passes that make a program better, and in which order each [`Level`] runs them.
//!
//! A level is two sequences: one in front of the structurizer, over functions that are at stage Graph, and one behind it, over all that are
//! structured by then, whether they came so or not. A pass may stand in both, and several times in one. [`REASONS`] says of each
//! neighbourhood that matters why it is as it is; a test holds the sequences against it.

use reconverge_ir::{Function, Module, Stage};
use reconverge_optimize as optimize;
use reconverge_optimize::structured::{self, StructuredError};
use reconverge_optimize::{Analyses, InlineLimits, Interface, MotionOptions, Promotion};
use reconverge_rewrite::ModuleFacts;

use crate::pipeline::{Optimized, Ordering, Pass, Work, ordering};

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

/// What may be inlined: about as much as a call with its arguments and its body's frame cost, and then some for what it lets others see.
const INLINE: InlineLimits = InlineLimits { body: 48, module: 1 << 20 };

/// What may be inlined where size is what counts: no more than a call is, or what is called once.
const INLINE_TINY: InlineLimits = InlineLimits { body: 8, module: 1 << 20 };

/// The pass that nests code deeper.
pub(crate) const NESTING: &str = "loop_rotate";

/// What is first behind the structurizer, for speed. Counters are asked for again behind code motion, which takes out of loops what does not
/// change in them.
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
    "merge_blocks",
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
    "fold_branches",
    "dse",
    "dce",
    "remove_dead_constructs",
    "merge_exits",
    "merge_blocks",
    "gcm",
    "remove_unused_functions",
    "remove_unused_globals",
];

/// Why passes stand where they stand: wherever both occur in a sequence, the first time.
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
    ordering("sccp", "fold_branches", "a condition must be a constant first"),
    ordering("gvn", "load_pre", "only identical pointers are known to be equal"),
    ordering("load_pre", "dse", "a load that became a parameter no longer reads memory"),
    ordering("gvn", "gcm", "one instruction moves, instead of two congruent ones to different places"),
    ordering("merge_blocks", "gcm", "several blocks in a row are one place for code motion"),
    ordering(
        "gvn",
        "dse",
        "a load that took its value from a store reads memory no more, and pointers that are equal are one",
    ),
    ordering("fold_branches", "dse", "a path that is never taken reads nothing"),
    ordering("dse", "dce", "a value that only a removed store used is dead"),
    ordering(
        "iv_strength_reduction",
        "loop_rotate",
        "with a test in front of an inner loop, less code runs in each iteration of the outer loop",
    ),
    ordering("iv_strength_reduction", "partial_dce", "an expression chain consists of values with one use"),
    ordering("gcm", "partial_dce", "one cheap place is better than several copies"),
    ordering("dce", "partial_dce", "a dead use would get a copy"),
    ordering("sroa", "dce", "a value that was only stored to a removed variable is dead"),
    ordering(
        "fold_branches",
        "remove_dead_constructs",
        "removing a path that is never taken can leave an empty construct",
    ),
    ordering(
        "remove_dead_constructs",
        "merge_blocks",
        "removing a construct leaves straight-line code in several blocks",
    ),
    ordering("dce", "remove_unused_globals", "a constant that only dead code uses is unused"),
];

/// The passes that levels are made of.
pub const OPTIMIZATIONS: &[Pass] = &[
    optimization(
        "inline",
        "inlines small functions, and functions that are called once",
        |module, functions, analyses| inline(module, functions, analyses, INLINE),
    ),
    optimization(
        "inline_tiny",
        "inlines functions no larger than a call, and functions that are called once",
        |module, functions, analyses| inline(module, functions, analyses, INLINE_TINY),
    ),
    optimization("remove_unused_functions", "removes functions that nothing reaches", |module, _, _| {
        optimize::remove_unused_functions(module).into()
    }),
    optimization(
        "sroa",
        "splits variables (SROA) and promotes them to values (mem2reg)",
        |module, functions, analyses| {
            // Branches that all lead to one block become jumps, even if no variable goes after that.
            functions.iter().for_each(|&function| analyses.forget(function));
            each(module, functions, analyses, promote)
        },
    ),
    optimization("dce", "removes dead instructions (DCE)", |module, functions, analyses| {
        each_keeping(module, functions, analyses, |module, function, analyses| {
            let changed = optimize::dce(module, function) > 0;
            if changed {
                analyses.forget_instructions(function);
            }
            changed
        })
    }),
    optimization(
        "dse",
        "removes dead stores, and stores of values that memory already holds",
        |module, functions, analyses| {
            each_keeping(module, functions, analyses, |module, function, analyses| {
                optimize::dse_with(module, function, analyses) > 0
            })
        },
    ),
    optimization(
        "sccp",
        "conditional constant propagation: finds constant values and paths that are never taken",
        |module, functions, analyses| {
            each_keeping(module, functions, analyses, |module, function, analyses| {
                let done = optimize::sccp(module, function);
                if done.branches > 0 {
                    analyses.forget(function);
                } else if done.is_changed() {
                    analyses.forget_instructions(function);
                }
                done.is_changed()
            })
        },
    ),
    optimization(
        "correlated_value_propagation",
        "condition propagation: replaces values that a dominating branch decides by constants",
        |module, functions, analyses| {
            each_keeping(module, functions, analyses, |module, function, analyses| {
                optimize::correlated_value_propagation_with(module, function, analyses) > 0
            })
        },
    ),
    optimization("simplify", "simplifies instructions by a table of rules", |module, functions, analyses| {
        each_keeping(module, functions, analyses, |module, function, analyses| {
            optimize::simplify_with(module, function, analyses) > 0
        })
    }),
    optimization(
        "gvn",
        "global value numbering (GVN): combines congruent instructions",
        |module, functions, analyses| {
            each_keeping(module, functions, analyses, |module, function, analyses| {
                optimize::gvn_with(module, function, analyses) != optimize::ValueNumbering::default()
            })
        },
    ),
    optimization(
        "load_pre",
        "replaces a load by a block parameter, if its value is known on every incoming edge",
        |module, functions, analyses| {
            each_keeping(module, functions, analyses, |module, function, analyses| {
                optimize::load_pre_with(module, function, analyses) > 0
            })
        },
    ),
    optimization("gcm", "global code motion (GCM): moves instructions to where they run least often", move_code),
    optimization(
        "strength_reduction",
        "strength reduction: replaces expensive operations by cheaper ones",
        |module, functions, analyses| {
            each_keeping(module, functions, analyses, |module, function, analyses| {
                optimize::strength_reduction_with(module, function, analyses) > 0
            })
        },
    ),
    optimization(
        "loop_rotate",
        "loop inversion: adds a test before the first iteration, if this lets code leave the loop",
        |module, functions, analyses| each_keeping(module, functions, analyses, guard_loops),
    ),
    optimization(
        "iv_strength_reduction",
        "induction-variable strength reduction: adds counters for sums and products of a loop counter",
        |module, functions, analyses| {
            each_keeping(module, functions, analyses, |module, function, analyses| {
                optimize::iv_strength_reduction_with(module, function, analyses) > 0
            })
        },
    ),
    optimization(
        "partial_dce",
        "sinks code that only some paths need into each of them",
        |module, functions, analyses| {
            each_keeping(module, functions, analyses, |module, function, analyses| {
                optimize::partial_dce_with(module, function, analyses) != optimize::Splits::default()
            })
        },
    ),
    optimization(
        "merge_blocks",
        "merges a block with its only successor, if it is that block's only predecessor",
        |module, functions, analyses| {
            each(module, functions, analyses, |module, function, _| optimize::merge_blocks(module, function) > 0)
        },
    ),
    optimization("fold_branches", "replaces branches on constants by jumps", |module, functions, analyses| {
        each_structured(module, functions, analyses, structured::fold_constant_branches)
    }),
    optimization(
        "remove_dead_constructs",
        "removes selections and loops that do nothing",
        |module, functions, analyses| {
            each_structured(module, functions, analyses, structured::remove_dead_control_flow)
        },
    ),
    optimization("merge_exits", "combines two consecutive conditional exits", |module, functions, analyses| {
        each_structured(module, functions, analyses, structured::merge_terminators)
    }),
    optimization(
        "remove_unused_globals",
        "removes types, constants and variables that nothing uses",
        |module, _, _| usize::from(optimize::remove_unused_globals(module, Interface::Kept) > 0).into(),
    ),
];

const fn optimization(
    name: &'static str,
    summary: &'static str,
    work: fn(&mut Module, &[Function], &mut Analyses) -> Optimized,
) -> Pass {
    Pass { name, summary, from: Stage::Graph, to: Stage::Graph, work: Work::Optimization(work) }
}

fn inline(module: &mut Module, functions: &[Function], analyses: &mut Analyses, limits: InlineLimits) -> Optimized {
    // A body that was made fit to move may stay where it is in the end.
    analyses.forget_all();
    optimize::inline_worthwhile(module, functions, limits).into()
}

fn move_code(module: &mut Module, functions: &[Function], analyses: &mut Analyses) -> Optimized {
    // In one block there is nowhere to go.
    let has_places = |&function: &Function| module.blocks(function).nth(1).is_some();
    let functions: Vec<Function> = functions.iter().copied().filter(has_places).collect();
    if functions.is_empty() {
        return Optimized::default();
    }
    let mut moves = Vec::new();
    let optimized = each_keeping(module, &functions, analyses, |module, function, analyses| {
        let moved = optimize::gcm_with(module, function, &MotionOptions::default(), analyses).moves;
        moves.extend_from_slice(&moved);
        !moved.is_empty()
    });
    Optimized { moves, ..optimized }
}

/// One that is refused is left to the next.
fn guard_loops(module: &mut Module, function: Function, analyses: &mut Analyses) -> bool {
    // Many compilers write a test behind the first block of its loop; and a block without its test goes on to one alone.
    let joined = optimize::merge_blocks(module, function) > 0;
    if joined {
        analyses.forget(function);
    }
    let inverted = structured::loop_rotate(module, function, analyses) == Ok(true);
    if inverted {
        optimize::merge_blocks(module, function);
    }
    joined || inverted
}

fn promote(module: &mut Module, function: Function, facts: &ModuleFacts) -> bool {
    let (mut changed, how) = (false, (facts, Promotion::InMeasure));
    while optimize::sroa_with(module, function, facts) + optimize::mem2reg_with(module, function, how) > 0 {
        changed = true;
    }
    changed
}

/// Runs a pass over each of the functions. What was known of those that it changes is known no longer.
fn each(
    module: &mut Module,
    functions: &[Function],
    analyses: &mut Analyses,
    pass: impl Fn(&mut Module, Function, &ModuleFacts) -> bool,
) -> Optimized {
    each_keeping(module, functions, analyses, |module, function, analyses| {
        let changed = pass(module, function, analyses.facts());
        if changed {
            analyses.forget(function);
        }
        changed
    })
}

/// Runs a pass over each of the functions that keeps itself what it knows of them.
fn each_keeping(
    module: &mut Module,
    functions: &[Function],
    analyses: &mut Analyses,
    mut pass: impl FnMut(&mut Module, Function, &mut Analyses) -> bool,
) -> Optimized {
    functions.iter().filter(|&&function| pass(module, function, analyses)).count().into()
}

/// Runs a structured pass over each of the functions. One that it refuses is left to the next, whatever was done to it by then: what one
/// asks for may be refused, what we offer may not.
fn each_structured(
    module: &mut Module,
    functions: &[Function],
    analyses: &mut Analyses,
    pass: fn(&mut Module, Function) -> Result<bool, StructuredError>,
) -> Optimized {
    each_keeping(module, functions, analyses, |module, function, analyses| {
        let done = pass(module, function);
        if done != Ok(false) {
            analyses.forget(function);
        }
        done.unwrap_or(false)
    })
}

/// The optimization of a name.
pub(crate) fn find(name: &str) -> &'static Pass {
    let pass = OPTIMIZATIONS.iter().find(|pass| pass.name == name);
    pass.unwrap_or_else(|| panic!("invariant: sequences name optimizations, and {name} is none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequences() -> impl Iterator<Item = Vec<&'static str>> {
        let stages = [Stage::Graph, Stage::Structured];
        Level::ALL.into_iter().flat_map(move |level| stages.map(|stage| level.sequence(stage).collect()))
    }

    #[test]
    fn sequences_keep_their_order() {
        for sequence in sequences() {
            for constraint in REASONS {
                assert_ne!(constraint.is_kept_by(&sequence), Some(false), "{constraint:?}");
            }
        }
    }

    #[test]
    fn every_optimization_is_in_a_sequence_and_nothing_else_is() {
        for pass in OPTIMIZATIONS {
            assert!(sequences().any(|sequence| sequence.contains(&pass.name)), "{} never runs", pass.name);
        }
        for name in sequences().flatten() {
            assert_eq!(find(name).name, name);
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
