//! F02: a path on which a function that returns a value returns none.
//!
//! SPIR-V has no way to end such a path without a value, so compilers put something in its place:
//!
//! ```text
//! return_value %undef        glslang, spirv-opt        the value is undefined
//! unreachable                Slang, clang              the behaviour is undefined
//! ```
//!
//! Both are reported where control can come to them, constant conditions decided. An `unreachable` is also how authors and optimizers
//! say that a path is never taken, as in a switch over all values of an enumeration: so one that a default of a switch goes to is
//! believed. An undefined value that comes through a block parameter is believed too: passes that leave a function with one return
//! make such parameters, and flags beside them that tell when the value counts. One diagnosis for each end. Linear in blocks.

use reconverge_ir::{Block, Module, Op, Terminator, terminator, view};

use crate::Code;
use crate::path::steps_back;
use crate::program::{Program, Report};

/// Finds ends without a value.
pub(crate) fn check(program: &Program<'_>, report: &mut Report) {
    if !program.options.any(&[Code::F02]) {
        return;
    }
    let module = program.module;
    for flow in &program.flows {
        if module.ty(flow.function).is_none_or(|ty| module.op(ty) == Op::TypeVoid) {
            continue;
        }
        for &node in flow.order.sequence() {
            let block = flow.whole.block(node);
            let Some(end) = module.terminator(block) else { continue };
            let what = match module.op(end) {
                Op::Unreachable if !is_believed(module, block) => "ends without a value",
                Op::ReturnValue if returns_undef(module, end) => "returns an undefined value",
                _ => continue,
            };
            let message = format!("{} {what}", program.name(flow.function.into()));
            let path = steps_back(program, flow.decisions_before(node));
            report.add(program, (Code::F02, end.into()), message, path);
        }
    }
}

fn returns_undef(module: &Module, end: Terminator) -> bool {
    view::ReturnValue::of(module, end).is_some_and(|end| module.op(end.value) == Op::Undef)
}

/// Whether an `unreachable` says what an author means: it is where the default of a switch goes.
fn is_believed(module: &Module, block: Block) -> bool {
    module.in_edges(block).any(|edge| {
        let is_switch = matches!(module.op(edge.terminator), Op::Switch | Op::StructuredSwitch);
        is_switch && edge.operand == terminator::operand::DEFAULT
    })
}
