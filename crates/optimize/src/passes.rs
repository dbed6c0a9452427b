//! The table of optimizations: every pass of this crate. The pipeline determines which of them run, and when.
//!
//! A row is a pass with the name of its function and file. It runs the function and returns what it preserved.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, Stage};
use reconverge_rewrite::GrowthCode;
use reconverge_rewrite::pass::{Outcome, Pass, Preserves, Stages, Work};
use reconverge_rewrite::session::{Session, SessionState};

use crate::structured::{self};
use crate::{
    Analyses, ConstantPropagation, InlineError, InlineLimits, Interface, Kept, MotionOptions, Move, Promotion, Splits,
    ValueNumbering,
};

/// The size of functions that are inlined for speed: about a call with its arguments, the frame of its body, and an allowance for the
/// optimizations that inlining enables.
const INLINE: InlineLimits = InlineLimits { body: 48, module: 1 << 20 };

/// The size of functions that are inlined for size: at most that of a call, or any if the function is called once.
const INLINE_TINY: InlineLimits = InlineLimits { body: 8, module: 1 << 20 };

/// The instructions that [`gcm`](crate::gcm()) moved in a session, until the caller takes them.
#[derive(Debug, Default)]
pub struct MoveLog {
    /// The instructions that moved.
    pub moves: Vec<Move>,
    /// The instructions that stay in a loop, although their operands are the same in every iteration.
    pub kept: Vec<Kept>,
}

impl SessionState for MoveLog {}

/// A row: the pass with this function name, which changes instructions but no edges.
macro_rules! instructions {
    ($name:ident, $summary:literal) => {
        function(stringify!($name), $summary, |session, function| {
            let (module, analyses) = session.parts();
            Ok(Outcome::instructions(crate::$name(module, function, analyses)))
        })
    };
}

/// A row: the pass over structured functions with this function name, which needs no analyses.
macro_rules! structured {
    ($name:ident, $summary:literal) => {
        structured(stringify!($name), $summary, |session, function| edited(structured::$name(session.module, function)))
    };
}

/// Every optimization.
pub const PASSES: &[Pass] = &[
    module("inline", "inlines small functions, and functions that are called once", |session, functions| {
        Ok(inline(session, functions, INLINE))
    }),
    module(
        "inline_tiny",
        "inlines functions no larger than a call, and functions that are called once",
        |session, functions| Ok(inline(session, functions, INLINE_TINY)),
    ),
    module(
        "inline_exits",
        "inlines functions that may end the invocation, for languages in which only an entry point can",
        inline_exits,
    ),
    module("remove_unused_functions", "removes functions that no entry point or export calls", |session, _| {
        Ok(outside_of_bodies(crate::remove_unused_functions(session.module)))
    }),
    function(
        "sroa",
        "splits variables (SROA) and promotes them to values (mem2reg), until nothing changes",
        |session, function| Ok(sroa(session, function)),
    ),
    function(
        "mem2reg",
        "promotes variables to values, however many block parameters they need",
        |session, function| {
            let (module, analyses) = session.parts::<Analyses>();
            let promoted = crate::mem2reg(module, function, analyses.facts(), Promotion::All);
            Ok(Outcome::control_flow(promoted))
        },
    ),
    function("dce", "removes dead instructions", |session, function| {
        Ok(Outcome::instructions(crate::dce(session.module, function)))
    }),
    instructions!(dse, "removes dead stores, and stores of values that memory already holds"),
    function(
        "sccp",
        "sparse conditional constant propagation: finds constant values and paths that are never taken",
        |session, function| {
            let done = crate::sccp(session.module, function);
            Ok(if done.branches > 0 {
                Outcome::control_flow(1)
            } else {
                Outcome::instructions(usize::from(done != ConstantPropagation::default()))
            })
        },
    ),
    instructions!(
        correlated_value_propagation,
        "replaces a value by a constant where a dominating branch implies it, as in `if (x == 5)`"
    ),
    instructions!(simplify, "simplifies instructions algebraically, by a table of rules (instruction combining)"),
    function("gvn", "global value numbering: combines congruent instructions", |session, function| {
        let (module, analyses) = session.parts();
        let done = crate::gvn(module, function, analyses);
        let is_changed = done != ValueNumbering::default();
        // If nothing was raised, the tables were updated.
        let preserves = if done.raised > 0 { Preserves::Blocks } else { Preserves::All };
        Ok(Outcome { functions_changed: is_changed.into(), preserves })
    }),
    instructions!(
        load_pre,
        "partial redundancy elimination of loads: replaces a load by a block parameter, if its value is known on every incoming edge"
    ),
    function("gcm", "global code motion: moves instructions to where they run least often", |session, function| {
        Ok(gcm(session, function))
    }),
    instructions!(strength_reduction, "replaces expensive operations by cheaper ones"),
    structured(
        "loop_rotate",
        "rotates a loop (adds a test before its first iteration) if instructions can then be hoisted out of it",
        |session, function| {
            let (module, analyses) = session.parts();
            edited(structured::loop_rotate(module, function, analyses))
        },
    ),
    instructions!(
        iv_strength_reduction,
        "induction-variable strength reduction: adds counters for sums and products of a loop counter"
    ),
    function(
        "partial_dce",
        "partial dead code elimination: sinks code that only some paths need into each of them",
        |session, function| {
            let (module, analyses) = session.parts();
            Ok(Outcome::instructions(usize::from(crate::partial_dce(module, function, analyses) != Splits::default())))
        },
    ),
    function(
        "simplify_cfg",
        "combines two consecutive conditional exits, and merges a block with its only successor if it is that block's only predecessor",
        |session, function| simplify_cfg(session.module, function),
    ),
    module("remove_unused_globals", "removes types, constants and variables that nothing uses", |session, _| {
        Ok(outside_of_bodies(crate::remove_unused_globals(session.module, Interface::Kept)))
    }),
    module("strip_debug", "removes names, source locations and debug information", |session, _| {
        Ok(Outcome::instructions(usize::from(crate::strip_debug(session.module))))
    }),
    function(
        "slp_vectorize",
        "SLP vectorization: scalar operations that build a vector become operations on vectors",
        |session, function| Ok(Outcome::instructions(crate::slp_vectorize(session.module, function))),
    ),
    structured!(fold_constant_branches, "replaces branches on constants by jumps"),
    structured!(remove_dead_control_flow, "removes unreachable blocks, and selections and loops without effect"),
    structured!(lower_returns, "gives a function a single return"),
    structured!(
        lower_continue_constructs,
        "moves the code of continue constructs into the loop bodies, so that only the back edge stays"
    ),
    structured!(loop_unroll, "unrolls loops that are small or that are marked to be unrolled"),
    structured!(loop_peel, "peels the first iterations of loops"),
    structured!(loop_rotate_all, "rotates loops: tests before the first iteration and at the end of each iteration"),
    structured!(invert_empty_arms, "inverts selections with an empty true arm"),
    structured!(join_equal_jumps, "combines equal jumps at the ends of all arms of a selection"),
    structured!(if_conversion, "replaces small selections by selects"),
];

const fn function(
    name: &'static str,
    summary: &'static str,
    work: fn(&mut Session<'_>, Function) -> Result<Outcome, Diagnostic>,
) -> Pass {
    Pass { name, summary, accepts: Stages::Any, leads_to: None, work: Work::Function(work) }
}

const fn structured(
    name: &'static str,
    summary: &'static str,
    work: fn(&mut Session<'_>, Function) -> Result<Outcome, Diagnostic>,
) -> Pass {
    Pass { name, summary, accepts: Stages::Structured, leads_to: None, work: Work::Function(work) }
}

const fn module(
    name: &'static str,
    summary: &'static str,
    work: fn(&mut Session<'_>, &[Function]) -> Result<Outcome, Diagnostic>,
) -> Pass {
    Pass { name, summary, accepts: Stages::Any, leads_to: None, work: Work::Module(work) }
}

fn inline(session: &mut Session<'_>, functions: &[Function], limits: InlineLimits) -> Outcome {
    // A body that was prepared for inlining may be changed although no call was inlined.
    let functions_changed = crate::inline_worthwhile(session.module, functions, limits);
    Outcome { functions_changed, preserves: Preserves::Nothing }
}

/// A module with recursion stays as it is: what needs the calls inlined reports the recursion.
fn inline_exits(session: &mut Session<'_>, functions: &[Function]) -> Result<Outcome, Diagnostic> {
    match crate::inline_exits(session.module, functions) {
        Ok(inlined) => Ok(Outcome::control_flow(inlined)),
        Err(InlineError::Recursion { .. }) => Ok(Outcome::UNCHANGED),
        Err(error @ InlineError::Growth { call, .. }) => {
            Err(Diagnostic::new(GrowthCode::Limit, call, error.to_string()))
        }
    }
}

fn outside_of_bodies(removed: usize) -> Outcome {
    Outcome { functions_changed: usize::from(removed > 0), preserves: Preserves::All }
}

fn sroa(session: &mut Session<'_>, function: Function) -> Outcome {
    let (module, analyses) = session.parts::<Analyses>();
    let (facts, mut is_changed) = (analyses.facts(), false);
    while crate::sroa(module, function, facts) + crate::mem2reg(module, function, facts, Promotion::InMeasure) > 0 {
        is_changed = true;
    }
    // Branches whose targets are all the same block become jumps, even if no variable is removed after that.
    Outcome { functions_changed: is_changed.into(), preserves: Preserves::Nothing }
}

fn gcm(session: &mut Session<'_>, function: Function) -> Outcome {
    // A function with one block has only one place for each instruction.
    if session.module.blocks(function).nth(1).is_none() {
        return Outcome::UNCHANGED;
    }
    let (module, analyses) = session.parts::<Analyses>();
    let done = crate::gcm(module, function, &MotionOptions::default(), analyses);
    let outcome = Outcome::instructions(done.moves.len());
    let log = session.state::<MoveLog>();
    log.moves.extend(done.moves);
    log.kept.extend(done.kept);
    outcome
}

fn simplify_cfg(module: &mut Module, function: Function) -> Result<Outcome, Diagnostic> {
    let merged = match module.stage(function) {
        Stage::Structured => structured::merge_terminators(module, function)?,
        _ => false,
    };
    let joined = crate::merge_blocks(module, function) > 0;
    Ok(Outcome::control_flow(usize::from(merged || joined)))
}

/// The outcome of a pass that edits the function through the control tree.
fn edited(done: Result<bool, Diagnostic>) -> Result<Outcome, Diagnostic> {
    Ok(Outcome::control_flow(usize::from(done?)))
}

#[cfg(test)]
mod tests {
    use super::PASSES;

    #[test]
    fn every_name_is_one_pass() {
        let mut names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }
}
