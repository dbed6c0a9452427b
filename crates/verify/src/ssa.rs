//! SSA: definitions and uses.
//!
//! - R4: what an instruction uses stands at module level, is a parameter of its function, stands before it in its block, or in a
//!   block that dominates its block. Uses in blocks that the entry does not reach may be dominated by anything.
//! - R6: a `sampled_image` is used in its own block only. (SPIR-V says so of loaded images and samplers as well, but neither compilers
//!   nor validators hold that, and most real shaders would break it.)

use reconverge_ir::{Class, Inst, Module, Op};

use crate::Code;
use crate::dominance::Dominance;
use crate::graph::Body;
use crate::report::Report;

/// Checks every operand in a function. O(operands + edges · log blocks).
pub(crate) fn verify_ssa(report: &mut Report<'_>, body: &Body<'_>) {
    let module = body.module;
    let dominance = Dominance::compute(&body.flow_graph(), 0);
    for (number, &block) in body.blocks.iter().enumerate() {
        for inst in module.children(block) {
            for used in module.ty(inst).into_iter().chain(module.operands(inst)) {
                if let Some(problem) = find_problem(body, &dominance, (number as u32, inst), used) {
                    let name = report.name(used);
                    report.at(Code::R4, inst, format!("{name} is used where {problem}"));
                }
            }
            if module.op(inst) == Op::SampledImage {
                verify_sampled_image(report, inst);
            }
        }
    }
}

fn find_problem(body: &Body<'_>, dominance: &Dominance, user: (u32, Inst), used: Inst) -> Option<&'static str> {
    let module = body.module;
    if is_global(module, used) || module.op(used).is_block() {
        return None;
    }
    if module.function_of(used) != Some(body.function) {
        return Some("it does not live: it stands in another function");
    }
    // A parameter of the function.
    let block = module.block_of(used)?;
    let (source, (target, inst)) = (body.number(block) as u32, user);
    if source == target {
        let is_before = body.place(used) < body.place(inst);
        return (!is_before).then_some("it is not defined yet: it stands later in the block");
    }
    let is_dominated = !dominance.is_reachable(target) || dominance.dominates(source, target);
    (!is_dominated).then_some("its definition does not dominate")
}

fn is_global(module: &Module, inst: Inst) -> bool {
    module.parent(inst) == Some(module.root()) || matches!(module.op(inst).class(), Class::Literal | Class::Decoration)
}

fn verify_sampled_image(report: &mut Report<'_>, image: Inst) {
    let module = report.module();
    for used in module.uses(image) {
        if module.block_of(used.user) != module.block_of(image) {
            let name = report.name(image);
            report.at(Code::R6, used.user, format!("{name} is a sampled image of another block"));
        }
    }
}
