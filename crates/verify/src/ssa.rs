//! SSA: definitions and uses.
//!
//! - R4: the definition of an operand is at module level or in a generic around the function, is a parameter of the function, comes before the use in its block, or is in a
//!   block that dominates the block of the use. An unreachable block dominates no reachable block. Every block dominates an unreachable
//!   block, since no path leads there; but no id may be used before its definition, except by OpPhi (2.4): at stage Structured, where the
//!   order of blocks is that of SPIR-V, the definition is in an earlier block, unless the use is an argument.
//! - R6: a `sampled_image` is used in its own block only. (SPIR-V has the same rule for loaded images and samplers, but neither compilers
//!   nor validators enforce it, and most real shaders violate it.)

use reconverge_ir::{Class, Inst, Module, Op, Stage, terminator};

use crate::Code;
use crate::dominance::Dominance;
use crate::graph::Body;
use crate::layout::Line;
use crate::report::Report;

/// Checks every operand in a function. O(operands).
pub(crate) fn verify_ssa(report: &mut Report<'_>, body: &Body<'_>, dominance: &Dominance) {
    let module = body.module;
    for number in 0..body.blocks.len() {
        for line in body.lines(number) {
            if let Some(ty) = module.ty(line.inst) {
                verify_use(report, body, dominance, &User { line, is_argument: false }, ty);
            }
            let first_argument = terminator::first_argument(line.op);
            for (index, used) in module.operands(line.inst).enumerate() {
                let is_argument = first_argument.is_some_and(|first| index >= first);
                verify_use(report, body, dominance, &User { line, is_argument }, used);
            }
            if line.op == Op::SampledImage {
                verify_sampled_image(report, line.inst);
            }
        }
    }
}

/// The place of a use.
struct User<'a> {
    line: &'a Line,
    /// True if the use is an argument of a block.
    is_argument: bool,
}

fn verify_use(report: &mut Report<'_>, body: &Body<'_>, dominance: &Dominance, user: &User<'_>, used: Inst) {
    if let Some(problem) = find_problem(body, dominance, user, used) {
        let name = report.name(used);
        report.at(Code::R4, user.line.inst, format!("{name} is used here, but {problem}"));
    }
}

fn find_problem(body: &Body<'_>, dominance: &Dominance, user: &User<'_>, used: Inst) -> Option<&'static str> {
    let (module, definition) = (body.module, body.layout.line(used));
    if is_global(module, used) || definition.op.is_block() {
        return None;
    }
    if is_around(module, used) {
        return None;
    }
    if !body.holds(used) || definition.op == Op::Function {
        return Some("it is not defined in this function");
    }
    if definition.op == Op::FunctionParameter {
        return None;
    }
    let (source, target) = (definition.block, user.line.block);
    if source == target {
        let is_before = body.place(used) < body.place(user.line.inst);
        return (!is_before).then_some("its definition comes later in the block");
    }
    if dominance.is_reachable(target) {
        return (!dominance.dominates(source, target)).then_some("its definition does not dominate this use");
    }
    let is_ordered = module.stage(body.function) == Stage::Structured;
    (is_ordered && source > target && !user.is_argument).then_some("its block comes later")
}

fn is_global(module: &Module, inst: Inst) -> bool {
    matches!(module.op(inst).class(), Class::Literal | Class::Decoration | Class::Position)
        || module.parent(inst) == Some(module.root())
}

/// Returns whether an instruction is in a generic or interface and in no function. Rules about generics say which of these it may be.
fn is_around(module: &Module, inst: Inst) -> bool {
    module.parent(inst).is_some_and(|parent| matches!(module.op(parent), Op::Generic | Op::Interface))
}

fn verify_sampled_image(report: &mut Report<'_>, image: Inst) {
    let module = report.module();
    for used in module.uses(image) {
        let is_note = module.op(used.user).class() == Class::Decoration;
        if !is_note && module.block_of(used.user) != module.block_of(image) {
            let name = report.name(image);
            report.at(Code::R6, used.user, format!("the sampled image {name} is defined in another block"));
        }
    }
}
