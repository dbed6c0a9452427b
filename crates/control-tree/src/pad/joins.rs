//! Joins of scopes that are edge blocks.
//!
//! ```text
//! ^a: branch ^j(%x)   ^b: branch ^j(%y)            ^a: branch ^j(%x)   ^b: branch ^j(%y)
//! edge ^j(%p): …                             ⇒     ^j(%p): …
//! ```
//!
//! Such a block does not represent one edge, and must stay a block when its contents are removed.

use crate::{ControlTree, Owner, Role};
use reconverge_ir::{Block, Inst, Module, Op, Position};

/// Replaces them by blocks; returns whether there were any.
pub(crate) fn replace_edge_blocks(module: &mut Module, tree: &ControlTree) -> bool {
    let mut is_changed = false;
    for list in tree.lists().filter(|&list| matches!(tree.owner(list), Owner::Construct(_, Role::Join))) {
        let join = tree.first_block(list);
        if module.op(join) == Op::EdgeBlock {
            replace(module, join);
            is_changed = true;
        }
    }
    is_changed
}

fn replace(module: &mut Module, edge: Block) {
    let children: Vec<Inst> = module.children(edge).collect();
    let mut edit = module.edit();
    let block = edit.insert(Position::After(edge.into()), Op::Block, None, &[]);
    for child in children {
        edit.move_to(child, Position::AtEnd(block));
    }
    edit.replace_all_uses(edge, block);
    edit.delete(edge);
}
