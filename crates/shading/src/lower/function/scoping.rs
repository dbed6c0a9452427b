//! Finds the values that need a variable: those that are used where the languages cannot name them.
//!
//! A value can be named in the list of the control tree that computes it, and in the lists inside. A continue list that is written at the end
//! of the body belongs to the body.
//!
//! ```text
//! if c { x = a + b; }          var x: u32;
//! use x                   ⇒    if c { x = a + b; }
//!                              use x
//! ```
//!
//! Pointers, images and samplers cannot be stored. They are computed at their uses, so their operands count as used there. O(instructions ×
//! depth), and for pointers × lists that use them.

use reconverge_control_tree::{Construct, ConstructKind, ControlTree, Jump, List, Node, Owner, Role};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Block, Edge, Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spirv::StorageClass;

/// The values that need a variable.
pub(crate) fn compute_spilled(source: &Module, tree: &ControlTree) -> FxHashSet<Inst> {
    let mut spilled = FxHashSet::default();
    let mut uses: FxHashMap<Inst, SmallVec<[List; 2]>> = FxHashMap::default();
    for &block in tree.blocks().iter().rev() {
        let list = tree.list_of(block).expect("invariant: a block of the tree is in a list");
        let insts: Vec<Inst> = source.children(block).collect();
        for &inst in insts.iter().rev() {
            let lists: SmallVec<[List; 2]> = if is_recomputed(source, inst) {
                uses.remove(&inst).unwrap_or_default()
            } else {
                std::iter::once(list).collect()
            };
            for operand in source.operands(inst) {
                let Some(home) = source.block_of(operand).and_then(|block| tree.list_of(block)) else { continue };
                if source.ty(operand).is_none() || source.op(operand) == Op::Variable {
                    continue;
                }
                if is_recomputed(source, operand) {
                    let known = uses.entry(operand).or_default();
                    lists
                        .iter()
                        .filter(|list| !known.contains(list))
                        .copied()
                        .collect::<SmallVec<[List; 2]>>()
                        .into_iter()
                        .for_each(|list| known.push(list));
                } else if lists.iter().any(|&list| !is_inside(source, tree, list, home)) {
                    spilled.insert(operand);
                }
            }
        }
    }
    spilled
}

/// Returns whether an instruction is recomputed at each use: its result is a pointer, an image or a sampler.
pub(crate) fn is_recomputed(source: &Module, inst: Inst) -> bool {
    let Some(ty) = source.ty(inst) else { return false };
    if matches!(source.op(inst), Op::Variable | Op::FunctionParameter | Op::BlockParameter) {
        return false;
    }
    // An address is a number, but that of a part is the path to it.
    let is_path = matches!(source.op(inst), Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject);
    if source.storage_class(inst) == Some(StorageClass::PhysicalStorageBuffer) && !is_path {
        return false;
    }
    let view = source.type_view(ty);
    matches!(
        view,
        Some(
            TypeView::Pointer { .. }
                | TypeView::Image(_)
                | TypeView::SampledImage { .. }
                | TypeView::Other(Op::TypeSampler | Op::TypeAccelerationStructureKHR)
        )
    )
}

/// Returns whether a list is written inside another.
pub(super) fn is_inside(source: &Module, tree: &ControlTree, list: List, outer: List) -> bool {
    let mut at = list;
    loop {
        if at == outer {
            return true;
        }
        match tree.owner(at) {
            Owner::Function => return false,
            Owner::Construct(construct, Role::Continue) if is_written_in_body(source, tree, construct) => {
                match tree.list(construct, Role::Body) {
                    Some(body) => at = body,
                    None => return false,
                }
            }
            Owner::Construct(construct, _) => at = tree.parent(construct),
        }
    }
}

/// Returns whether the continue list of a loop is written at the end of its body: only the end of the body goes there.
pub(crate) fn is_written_in_body(source: &Module, tree: &ControlTree, construct: Construct) -> bool {
    let data = tree.construct(construct);
    let (ConstructKind::Loop, Some(target), Some(body)) =
        (data.kind, data.continue_target, tree.list(construct, Role::Body))
    else {
        return false;
    };
    if tree.list(construct, Role::Continue).is_none() {
        return false;
    }
    let reached = |edge: &Edge| matches!(tree.jump(*edge), Some(Jump::Continue(_)));
    let mut edges = source.in_edges(target).filter(reached);
    let (Some(edge), None) = (edges.next(), edges.next()) else { return false };
    let Some(block) = source.block_of(edge.terminator).filter(|_| source.op(edge.terminator) == Op::Branch) else {
        return false;
    };
    let Some(list) = tree.list_of(block).filter(|&list| is_last(tree, list, block)) else { return false };
    list == body || is_arm_of_last_exit(tree, list, body)
}

/// Returns whether a list is an arm of a conditional exit at the end of another one.
fn is_arm_of_last_exit(tree: &ControlTree, list: List, around: List) -> bool {
    let Owner::Construct(exit, _) = tree.owner(list) else { return false };
    let is_exit = tree.construct(exit).kind == ConstructKind::Exit;
    is_exit && matches!(tree.nodes(around).last(), Some(&Node::Construct(last)) if last == exit)
}

fn is_last(tree: &ControlTree, list: List, block: Block) -> bool {
    matches!(tree.nodes(list).last(), Some(&Node::Block(last)) if last == block)
}
