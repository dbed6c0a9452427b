//! Reconvergence under the execution mode MaximallyReconvergesKHR (SPV_KHR_maximal_reconvergence): part of E03.
//!
//! In functions that such an entry point reaches, only a loop header, a merge block, a continue block or a target of a switch has several
//! predecessors: lanes reconverge only where the structure specifies it. Checked for functions at stage Structured.

use reconverge_ir::{Block, Function, Inst, Module, Op, Stage, view};
use rustc_hash::FxHashSet;

use crate::Code;
use crate::calls::Calls;
use crate::layout::Layout;
use crate::report::Report;

/// Checks the functions that entry points of that mode reach. Linear.
pub(crate) fn verify_joins(report: &mut Report<'_>, layout: &Layout) {
    let module = report.module();
    let modes = layout.globals().iter().filter_map(|global| view::ExecutionMode::of(module, global.inst));
    let wanted = modes.filter(|mode| mode.mode == Some(spirv::ExecutionMode::MaximallyReconvergesKHR));
    let roots: Vec<Inst> = wanted.map(|mode| mode.function).collect();
    if roots.is_empty() {
        return;
    }
    let functions = || layout.functions().iter().filter(|extent| !report.is_broken(extent.function));
    let reached = Calls::of(module, layout, functions()).reached_from(roots);
    let is_due =
        |function: &Function| reached.contains(&function.inst()) && module.stage(*function) == Stage::Structured;
    let due: Vec<Function> = functions().map(|extent| extent.function).filter(is_due).collect();
    for function in due {
        verify_function(report, function);
    }
}

fn verify_function(report: &mut Report<'_>, function: Function) {
    let module = report.module();
    let mut declared: FxHashSet<Block> = FxHashSet::default();
    for block in module.blocks(function) {
        let Some(terminator) = module.terminator(block) else { continue };
        declared.extend(module.merge_block(terminator));
        declared.extend(module.continue_block(terminator));
        if matches!(module.op(terminator), Op::Loop | Op::StructuredSwitch | Op::Switch) {
            declared.extend(module.successors(block).map(|target| behind_edge(module, target)));
        }
    }
    for block in module.blocks(function).filter(|block| !declared.contains(block)) {
        let sources = module.predecessors(block).map(|source| before_edge(module, source));
        let sources: FxHashSet<Block> = sources.collect();
        if sources.len() > 1 && !module.is_bare_edge(block) {
            let message = "under MaximallyReconvergesKHR a block with several predecessors is a loop header, a merge \
                           block, a continue block or a target of a switch";
            report.at(Code::E03, block, message);
        }
    }
}

/// The target of an edge, edge blocks skipped.
fn behind_edge(module: &Module, block: Block) -> Block {
    let is_edge = module.is_bare_edge(block);
    is_edge.then(|| module.successors(block).next()).flatten().unwrap_or(block)
}

/// The source of an edge, edge blocks skipped.
fn before_edge(module: &Module, block: Block) -> Block {
    let is_edge = module.is_bare_edge(block);
    is_edge.then(|| module.predecessors(block).next()).flatten().unwrap_or(block)
}
