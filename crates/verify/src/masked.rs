//! Functions at stage Masked, and the ops that occur in them alone.
//!
//! - L1: `execution_mask`, `launched_lanes` and `any_lane` occur at stage Masked only.
//! - L2: at stage Masked there are no `if`, `structured_switch` and `loop`: no block is a merge block.
//! - L3: at stage Masked all lanes take every branch together, so `launched_lanes` is not a condition; `any_lane` of it is.
//!
//! Rules about the uniformity of other conditions depend on the launch, so they cannot be checked here. Masks are booleans by the types of
//! the ops (T14).

use reconverge_ir::{Op, OpGroup, Stage, terminator::operand};

use crate::Code;
use crate::graph::Body;
use crate::layout::Line;
use crate::report::Report;

/// Checks the instructions and the terminators of a function. Linear.
pub(crate) fn verify_masked(report: &mut Report<'_>, body: &Body<'_>) {
    let stage = body.module.stage(body.function);
    if stage == Stage::Masked {
        return body.terminators().for_each(|(_, line)| verify_terminator(report, line));
    }
    for line in (0..body.blocks.len()).flat_map(|block| body.lines(block)) {
        if line.op.group() == OpGroup::Lane {
            let message = format!("`{}` is in a function at stage {stage}", line.op.name());
            report.at(Code::L1, line.inst, message);
        }
    }
}

fn verify_terminator(report: &mut Report<'_>, &Line { inst, op, .. }: &Line) {
    let module = report.module();
    if matches!(op, Op::If | Op::StructuredSwitch | Op::Loop) {
        report.at(Code::L2, inst, format!("`{}` is in a function at stage masked", op.name()));
    }
    if matches!(op, Op::BranchIf | Op::If) {
        let condition = module.operand(inst, operand::CONDITION);
        if module.op(condition) == Op::LaunchedLanes {
            let name = report.name(condition);
            report.at(Code::L3, inst, format!("the condition {name} has a value for each lane"));
        }
    }
}
