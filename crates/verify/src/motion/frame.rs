//! Instructions that must not move.
//!
//! - C1: a function keeps its blocks, in their order, with the same parameters and the same jumps.
//! - C2: a block keeps its instructions with an effect, in their order. These include convergent operations and every volatile or atomic
//!   access, but not derivatives, which have no visible effect.
//! - C3: an instruction keeps its op, type and operands; operands are compared under the claims.

use reconverge_ir::{Block, Effects, Function, Inst, Module, Op, terminator, view};
use spirv::OpenclStd100Op;

use super::origins::{EffectPlace, Origins};
use crate::Code;
use crate::graph::Body;
use crate::report::Report;

/// The position of an instruction among the instructions with an effect: coordinates that both versions share.
pub(super) struct Steps {
    /// The instructions of each block that must not move, without terminators.
    fixed: Vec<Vec<Inst>>,
}

impl Steps {
    pub(super) fn compute(body: &Body<'_>) -> Steps {
        Steps { fixed: body.blocks.iter().map(|&block| fixed_in(body.module, block).collect()).collect() }
    }

    /// The instructions of a block that must not move.
    pub(super) fn fixed(&self, block: u32) -> &[Inst] {
        &self.fixed[block as usize]
    }

    /// The position at the end of a block.
    pub(super) fn end(&self, block: u32) -> EffectPlace {
        EffectPlace { block, step: self.fixed(block).len() as u32 }
    }

    /// The number of instructions that must not move before this one in its block, in one of the versions. Logarithmic.
    pub(super) fn step(&self, body: &Body<'_>, block: u32, inst: Inst) -> u32 {
        let place = body.place(inst);
        self.fixed(block).partition_point(|&fixed| body.place(fixed) < place) as u32
    }
}

/// Instructions that must not move: those with visible effects, those that depend on the lanes that execute them, those that create memory,
/// and those that can change the result of another such instruction.
fn is_fixed(module: &Module, inst: Inst) -> bool {
    let op = module.op(inst);
    let effects = op.effects();
    match op {
        Op::BlockParameter => false,
        Op::Load => module.memory_access(inst).is_volatile(),
        Op::AtomicLoad | Op::Variable => true,
        Op::ExtInst => !is_pure_extended(module, inst),
        _ if effects.sees_only_its_quad() => false,
        _ => [Effects::WRITES, Effects::CONVERGENT, Effects::ALLOCATES].iter().any(|&effect| effects.contains(effect)),
    }
}

fn fixed_in(module: &Module, block: Block) -> impl Iterator<Item = Inst> + '_ {
    module.children(block).filter(|&inst| !module.op(inst).is_terminator() && is_fixed(module, inst))
}

/// Returns whether an extended instruction depends only on its operands: in the two standard sets, instructions without pointers, except
/// `printf`.
fn is_pure_extended(module: &Module, inst: Inst) -> bool {
    let Some(view::ExtInst { set, operands, .. }) = view::ExtInst::of(module, inst) else { return false };
    let Some(view::ExtInstImport { name }) = view::ExtInstImport::of(module, set) else { return false };
    let mut types = operands.iter().filter_map(|operand| module.ty(operand));
    let takes_pointer = types.any(|ty| module.op(ty) == Op::TypePointer);
    let is_known = name == "GLSL.std.450" || name == "OpenCL.std";
    is_known && !takes_pointer && module.opencl_op(inst) != Some(OpenclStd100Op::printf)
}

/// C1 at module level: the same functions, each with a body if it had one.
pub(super) fn verify_functions(report: &mut Report<'_>, before: &Module, after: &Module) {
    let functions = |module: &Module| module.functions().collect::<Vec<Function>>();
    let (old, new) = (functions(before), functions(after));
    for &function in new.iter().filter(|function| !old.contains(function)) {
        report.at(Code::C1, function, "this function is new");
    }
    for &function in old.iter().filter(|&&function| !after.is_live(function)) {
        let name = before.name(function).unwrap_or_else(|| format!("{}", function.inst().index()));
        report.at(Code::C1, after.root(), format!("the function {name} was removed"));
    }
}

/// Checks C1, C2 and C3 for instructions that must not move. Linear.
pub(super) fn verify_frame(report: &mut Report<'_>, before: &Body<'_>, after: &Body<'_>, origins: &Origins) {
    if before.blocks != after.blocks {
        report.at(Code::C1, after.function, "its blocks, or their order, changed");
        return;
    }
    for &block in after.blocks {
        let children = |body: &Body<'_>| body.module.parameters(block).collect::<Vec<_>>();
        if children(before) != children(after) {
            report.at(Code::C1, block, "its parameters changed");
        }
        verify_jump(report, before, after, block, origins);
        verify_fixed(report, before, after, block, origins);
    }
}

fn verify_jump(report: &mut Report<'_>, before: &Body<'_>, after: &Body<'_>, block: Block, origins: &Origins) {
    let jumps = [before, after].map(|body| body.module.terminator(block));
    let [Some(old), Some(new)] = jumps else { return };
    let is_same = old == new && origins.is_same(before.module, old.inst(), after.module, new.inst());
    if !is_same {
        let at = jumps[1].map_or(block.inst(), Inst::from);
        report.at(Code::C1, at, "the terminator of the block changed");
    }
}

fn verify_fixed(report: &mut Report<'_>, before: &Body<'_>, after: &Body<'_>, block: Block, origins: &Origins) {
    let [old, new] = [before, after].map(|body| fixed_in(body.module, block).collect::<Vec<Inst>>());
    if let Some(&inst) = new.iter().zip(&old).find_map(|(new, old)| (new != old).then_some(new)) {
        report.at(Code::C2, inst, "an instruction with an effect moved");
    } else if old.len() != new.len() {
        report.at(
            Code::C2,
            block,
            format!("the block had {} instructions with an effect, and now has {}", old.len(), new.len()),
        );
    }
    for &inst in new.iter().filter(|inst| old.contains(inst)) {
        if !origins.is_same(before.module, inst, after.module, inst) {
            report.at(Code::C3, inst, "its op, type or operands changed");
        }
    }
}

/// The arguments for a parameter of a block on each incoming edge from blocks of a kind, with their blocks.
pub(super) fn arguments(
    module: &Module,
    block: Block,
    parameter: usize,
    is_wanted: impl Fn(Block) -> bool,
) -> impl Iterator<Item = (Block, Inst)> + '_ {
    let sources = module.in_edges(block).map(|edge| Inst::from(edge.terminator));
    let wanted: Vec<(Block, Inst)> = sources
        .filter_map(|terminator| Some((module.block_of(terminator)?, terminator)))
        .filter(|&(source, _)| is_wanted(source))
        .collect();
    wanted.into_iter().filter_map(move |(source, terminator)| {
        let first = terminator::first_argument(module.op(terminator))?;
        Some((source, module.operands(terminator).nth(first + parameter)?))
    })
}
