//! How many instructions stand in each construct: one pass over the function, and constant time for each question.

use reconverge_ir::control_tree::{Construct, ControlTree, Node};
use reconverge_ir::{Block, Module};
use rustc_hash::FxHashMap;

/// Instructions up to each block, in source order.
#[derive(Debug)]
pub(in super::super) struct Sizes {
    places: FxHashMap<Block, usize>,
    before: Vec<usize>,
}

impl Sizes {
    /// Counts instructions. Linear in the function.
    pub(in super::super) fn compute(module: &Module, tree: &ControlTree) -> Sizes {
        let mut sizes = Sizes { places: FxHashMap::default(), before: vec![0] };
        for (place, &block) in tree.blocks().iter().enumerate() {
            sizes.places.insert(block, place);
            sizes.before.push(sizes.before[place] + module.children(block).count());
        }
        sizes
    }

    /// The instructions in a construct.
    pub(in super::super) fn size(&self, tree: &ControlTree, construct: Construct) -> usize {
        let blocks = tree.blocks_of(Node::Construct(construct));
        let place = |block: &Block| self.places[block];
        match (blocks.first(), blocks.last()) {
            (Some(first), Some(last)) => self.before[place(last) + 1] - self.before[place(first)],
            _ => 0,
        }
    }
}
