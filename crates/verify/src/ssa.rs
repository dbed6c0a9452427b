//! SSA: definitions and uses.
//!
//! - R4: what an instruction uses stands at module level, is a parameter of its function, stands before it in its block, or in a
//!   block that dominates its block. A block that the entry does not reach dominates none that it reaches. A use in one that it does
//!   not reach is dominated by everything, for no path leads there; but nothing may be named before it is defined, other than by
//!   OpPhi (2.4): at stage Structured, where the order of blocks is that of SPIR-V, the definition stands in a block before it, unless
//!   the use is an argument.
//! - R6: a `sampled_image` is used in its own block only. (SPIR-V says so of loaded images and samplers as well, but neither compilers
//!   nor validators hold that, and most real shaders would break it.)

use reconverge_ir::{Class, Inst, Module, Op, Stage, terminator};

use crate::Code;
use crate::dominance::Dominance;
use crate::graph::{Body, Graph};
use crate::report::Report;

/// Checks every operand in a function. O(operands + edges · log blocks).
pub(crate) fn verify_ssa(report: &mut Report<'_>, body: &Body<'_>, graph: &Graph) {
    let module = body.module;
    let dominance = Dominance::compute(graph, 0);
    for (number, &block) in body.blocks.iter().enumerate() {
        for inst in module.children(block) {
            let first_argument = terminator::first_argument(module.op(inst)).unwrap_or(usize::MAX);
            let operands = module.operands(inst).enumerate();
            let operands = operands.map(|(index, used)| (used, index >= first_argument));
            for (used, is_argument) in module.ty(inst).map(|ty| (ty, false)).into_iter().chain(operands) {
                let user = User { block: number as u32, inst, is_argument };
                if let Some(problem) = find_problem(body, &dominance, &user, used) {
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

/// Where a value is used.
struct User {
    block: u32,
    inst: Inst,
    /// Whether the value is passed to a block.
    is_argument: bool,
}

fn find_problem(body: &Body<'_>, dominance: &Dominance, user: &User, used: Inst) -> Option<&'static str> {
    let module = body.module;
    if is_global(module, used) || module.op(used).is_block() {
        return None;
    }
    if module.function_of(used) != Some(body.function) {
        return Some("it does not live: it stands in another function");
    }
    // A parameter of the function.
    let block = module.block_of(used)?;
    let (source, target) = (body.number(block) as u32, user.block);
    if source == target {
        let is_before = body.place(used) < body.place(user.inst);
        return (!is_before).then_some("it is not defined yet: it stands later in the block");
    }
    if dominance.is_reachable(target) {
        return (!dominance.dominates(source, target)).then_some("its definition does not dominate");
    }
    let is_ordered = module.stage(body.function) == Stage::Structured;
    (is_ordered && source > target && !user.is_argument).then_some("it is not defined yet: its block stands later")
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
