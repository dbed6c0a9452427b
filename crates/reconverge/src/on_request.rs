//! Passes that run only when they are asked for, behind the pipeline: what was structured comes back as it was otherwise.

use reconverge_ir::{Function, Module, Stage};
use reconverge_optimize::structured::{self, StructuredError};

use crate::pipeline::{Pass, Work};

/// The passes on request. `CompileOptions::on_request` says which of them run, in which order.
pub const ON_REQUEST: &[Pass] = &[
    on_structured("lower_returns", "gives a function a single return", structured::lower_returns),
    on_structured(
        "lower_continue_constructs",
        "moves the code of continue constructs into the loops, so that only the jump back stays",
        structured::lower_continue_constructs,
    ),
    on_structured(
        "loop_unroll",
        "unrolls loops that are small or that are marked to be unrolled",
        structured::loop_unroll,
    ),
    on_structured("loop_peel", "peels the first iterations of loops", structured::loop_peel),
    on_structured(
        "loop_rotate_all",
        "rotates loops: tests before the first iteration and at the end of each iteration",
        structured::loop_rotate_all,
    ),
    on_structured(
        "fold_constant_branches",
        "replaces branches on constants by jumps",
        structured::fold_constant_branches,
    ),
    on_structured(
        "remove_dead_control_flow",
        "removes code behind jumps, and selections and loops that do nothing",
        structured::remove_dead_control_flow,
    ),
    on_structured("invert_empty_arms", "inverts selections with an empty true arm", structured::invert_empty_arms),
    on_structured(
        "join_equal_jumps",
        "combines equal jumps at the ends of all arms of a selection",
        structured::join_equal_jumps,
    ),
    on_structured("merge_terminators", "combines two consecutive conditional exits", structured::merge_terminators),
    on_structured("if_conversion", "if-conversion: replaces small selections by selects", structured::if_conversion),
];

const fn on_structured(
    name: &'static str,
    summary: &'static str,
    work: fn(&mut Module, Function) -> Result<bool, StructuredError>,
) -> Pass {
    Pass { name, summary, from: Stage::Structured, to: Stage::Structured, work: Work::Structured(work) }
}
