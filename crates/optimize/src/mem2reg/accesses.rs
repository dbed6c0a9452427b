//! The readers and writers of variables.

use reconverge_analysis::FlowGraph;
use reconverge_graph::Node;
use reconverge_ir::debug_records::{RecordId, RecordKind};
use reconverge_ir::{Inst, Module, Op, view};
use rustc_hash::FxHashMap;

use super::Variable;

/// A load, store or marker of a variable.
#[derive(Clone, Copy)]
pub(super) struct PromotedAccess {
    pub(super) inst: Inst,
    pub(super) variable: usize,
    /// If it is a declaration of the variable, before the instruction.
    pub(super) declaration: Option<RecordId>,
}

/// The readers and writers of each variable.
pub(super) struct Accesses {
    /// By block, in order.
    pub(super) in_block: Vec<Vec<PromotedAccess>>,
    /// For each variable the blocks that write it.
    pub(super) written: Vec<Vec<Node>>,
    /// For each variable the blocks that read it before they write it (upward-exposed uses).
    pub(super) exposed: Vec<Vec<Node>>,
}

impl Accesses {
    /// Collects the accesses. Linear.
    pub(super) fn gather(module: &Module, flow: &FlowGraph, variables: &[Variable]) -> Accesses {
        let numbers: FxHashMap<Inst, usize> =
            variables.iter().enumerate().map(|(number, variable)| (variable.inst, number)).collect();
        let (mut written, mut exposed) = (vec![Vec::new(); variables.len()], vec![Vec::new(); variables.len()]);
        let in_block = flow.graph().nodes().map(|node| {
            let mut inside = Vec::new();
            for inst in module.children(flow.block(node)) {
                for (id, record) in module.debug_records().at(inst) {
                    let named = record.value.filter(|_| record.kind == RecordKind::Declare);
                    let variable = named.and_then(|named| numbers.get(&named).copied());
                    let declaration = |variable| PromotedAccess { inst, variable, declaration: Some(id) };
                    inside.extend(variable.map(declaration));
                }
                let is_access = matches!(module.op(inst), Op::Load | Op::Store | Op::LifetimeStart | Op::LifetimeStop);
                let access = is_access.then(|| view::Access::of(module, inst)).flatten();
                let Some(&variable) = access.and_then(|access| numbers.get(&access.pointer)) else { continue };
                inside.push(PromotedAccess { inst, variable, declaration: None });
                let (reads, writes) = (&mut exposed[variable], &mut written[variable]);
                match module.op(inst) {
                    Op::Load if writes.last() != Some(&node) && reads.last() != Some(&node) => reads.push(node),
                    Op::Load => {}
                    _ if writes.last() != Some(&node) => writes.push(node),
                    _ => {}
                }
            }
            inside
        });
        Accesses { in_block: in_block.collect(), written, exposed }
    }
}
