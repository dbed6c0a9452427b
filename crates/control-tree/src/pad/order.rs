//! The order of blocks in their function.
//!
//! Required order: a list's blocks in its order, each construct between its opener and its merge block, a loop's body before its continue
//! list. Then a block comes after everything that could dominate it (R3), whatever is edited. Source order is one such order. Two numbers
//! for each list, its first and last position, suffice; they are computed from inner to outer lists.

use rustc_hash::FxHashMap;

use crate::{ControlTree, List, Node, Role};
use reconverge_ir::{Block, Function, Module, Position};

/// Puts the blocks in source order unless their order is valid; returns whether it did. Unreachable blocks then go to the end.
pub(super) fn put_in_order(module: &mut Module, function: Function, tree: &ControlTree) -> bool {
    let places: FxHashMap<Block, u32> = module.blocks(function).zip(0..).collect();
    if is_ordered(tree, &places) {
        return false;
    }
    let order: Vec<Block> = tree.blocks().iter().chain(tree.outside()).copied().collect();
    for block in order {
        module.edit().move_to(block, Position::AtEnd(function.into()));
    }
    true
}

fn is_ordered(tree: &ControlTree, places: &FxHashMap<Block, u32>) -> bool {
    // First and last position of each list; lists come after those around them.
    let mut spans: Vec<(u32, u32)> = vec![(0, 0); tree.lists().len()];
    for list in tree.lists().rev() {
        let mut span: Option<(u32, u32)> = None;
        for &node in tree.nodes(list) {
            let inside = match node {
                Node::Block(block) => Some((places[&block], places[&block])),
                Node::Construct(construct) => {
                    let span_of = |list: &List| spans[list.index()];
                    let lists = &tree.construct(construct).lists;
                    if let (Some(body), Some(rest)) =
                        (tree.list(construct, Role::Body), tree.list(construct, Role::Continue))
                        && spans[body.index()].1 > spans[rest.index()].0
                    {
                        return false;
                    }
                    let first = lists.iter().map(|list| span_of(list).0).min();
                    first.zip(lists.iter().map(|list| span_of(list).1).max())
                }
            };
            let Some(inside) = inside else { continue };
            if span.is_some_and(|span| span.1 >= inside.0) {
                return false;
            }
            span = Some((span.map_or(inside.0, |span| span.0), inside.1));
        }
        spans[list.index()] = span.unwrap_or((0, 0));
    }
    true
}
