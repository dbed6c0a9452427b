//! Passes that run only when they are asked for, behind the pipeline: what was structured comes back as it was otherwise.

use reconverge_ir::{Function, Module, Stage};
use reconverge_passes::structured::{self, StructuredError};

use crate::pipeline::{Pass, Work};

/// The passes on request. `CompileOptions::on_request` says which of them run, in which order.
pub const ON_REQUEST: &[Pass] = &[
    on_structured("lower_returns", "lets a function return at one place alone", structured::lower_returns),
    on_structured(
        "lower_continue_constructs",
        "moves the code of continue constructs into the loops, so that only the jump back stays",
        structured::lower_continue_constructs,
    ),
    on_structured(
        "unroll_loops",
        "writes out the iterations of loops that are small or must be unrolled",
        structured::unroll_loops,
    ),
    on_structured("peel_loops", "writes out the first iterations of loops in front of them", structured::peel_loops),
    on_structured(
        "invert_loops",
        "tests loops before the first iteration and at the end of each, no longer at their top",
        structured::invert_loops,
    ),
    on_structured(
        "fold_constant_branches",
        "puts the way that is taken in the place of branches by constants",
        structured::fold_constant_branches,
    ),
    on_structured(
        "remove_dead_control_flow",
        "removes code behind jumps, and selections and loops that do nothing",
        structured::remove_dead_control_flow,
    ),
    on_structured(
        "invert_empty_arms",
        "turns selections around whose true arm is empty",
        structured::invert_empty_arms,
    ),
    on_structured(
        "join_equal_jumps",
        "makes one jump of those that all arms of a selection end with",
        structured::join_equal_jumps,
    ),
    on_structured(
        "merge_terminators",
        "makes one conditional exit of two that follow each other",
        structured::merge_terminators,
    ),
    on_structured("if_to_select", "computes both arms of small selections and selects", structured::if_to_select),
];

const fn on_structured(
    name: &'static str,
    summary: &'static str,
    work: fn(&mut Module, Function) -> Result<bool, StructuredError>,
) -> Pass {
    Pass { name, summary, from: Stage::Structured, to: Stage::Structured, work: Work::Structured(work) }
}
