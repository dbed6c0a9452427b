//! F02: a path on which a function that must return a value returns none.
//!
//! SPIR-V cannot end such a path without a value, so compilers insert a substitute:
//!
//! ```text
//! return_value %undef        glslang, spirv-opt        the value is undefined
//! unreachable                Slang, clang              the behaviour is undefined
//! ```
//!
//! Both are reported if control can reach them, with constant conditions evaluated. Authors and optimizers also use `unreachable` to state
//! that a path is never taken, as in a switch over all values of an enumeration: so the default of a switch is trusted. An undefined value
//! that comes through a block parameter is trusted too: passes that leave a function with one return create such parameters, with flags
//! that say whether the value is valid. One diagnosis for each end. Linear in blocks.

use reconverge_ir::{Block, Module, Op, Terminator, terminator, view};

use crate::Code;
use crate::path::steps_back;
use crate::program::{Found, Program, Report};

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
            report.add(program, Found { code: Code::F02, inst: end.into(), message, path });
        }
    }
}

fn returns_undef(module: &Module, end: Terminator) -> bool {
    view::ReturnValue::of(module, end).is_some_and(|end| module.op(end.value) == Op::Undef)
}

/// Returns whether an `unreachable` states an intention: it is the default of a switch.
fn is_believed(module: &Module, block: Block) -> bool {
    module.in_edges(block).any(|edge| {
        let is_switch = matches!(module.op(edge.terminator), Op::Switch | Op::StructuredSwitch);
        is_switch && edge.operand == terminator::operand::DEFAULT
    })
}
