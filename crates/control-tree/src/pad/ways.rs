//! Edges of a multi-way branch that go directly elsewhere.
//!
//! ```text
//! if %c ^t ^m merge ^m      ⇒      if %c ^t ^e merge ^m;  edge ^e: branch ^m
//! ```
//!
//! So that code can be inserted on the edge, and so that no edge becomes critical when the target gets another predecessor.

use rustc_hash::FxHashMap;

use crate::{ControlTree, Jump};
use reconverge_ir::{Block, Edge, Module, Op, Position};

/// Gives each of them an edge block; returns whether there was any. Edges of one block to one target share theirs.
pub(super) fn split_ways(module: &mut Module, tree: &ControlTree) -> bool {
    let mut is_changed = false;
    for &block in tree.blocks() {
        let Some(terminator) = module.terminator(block) else { continue };
        if !matches!(module.op(terminator), Op::If | Op::StructuredSwitch | Op::BranchIf) {
            continue;
        }
        let leaves = |edge: &Edge| !matches!(tree.jump(*edge), Some(Jump::Enter(_) | Jump::Next) | None);
        let edges: Vec<Edge> = module.out_edges(block).filter(leaves).collect();
        let mut ways: FxHashMap<Block, Block> = FxHashMap::default();
        for edge in edges {
            let Some(target) = module.target(edge) else { continue };
            let way = *ways.entry(target).or_insert_with(|| {
                let mut edit = module.edit();
                let way = edit.insert(Position::After(block.into()), Op::EdgeBlock, None, &[]);
                edit.append(way, Op::Branch, None, &[target.into()]);
                module.cast(way).expect("invariant: an edge block is a block")
            });
            module.edit().set_operand(edge.terminator, edge.operand, way);
            is_changed = true;
        }
    }
    is_changed
}
