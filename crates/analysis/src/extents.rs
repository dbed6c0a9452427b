//! The extents of constructs in source order, and their sizes in instructions: one pass over the function, and constant time per query,
//! independent of the nesting depth.

use std::ops::Range;

use reconverge_control_tree::{Construct, ControlTree, Node};
use reconverge_ir::{Block, Module, Numbering};

/// The positions of the blocks of a tree in source order, and the number of instructions before each.
#[derive(Clone, Debug)]
pub struct Extents {
    places: Numbering,
    before: Vec<usize>,
}

impl Extents {
    /// Counts blocks and instructions. Linear in the function.
    pub fn compute(module: &Module, tree: &ControlTree) -> Extents {
        let mut extents = Extents { places: Numbering::around(tree.blocks()), before: vec![0] };
        for (place, &block) in tree.blocks().iter().enumerate() {
            extents.places.insert(block, place as u32);
            extents.before.push(extents.before[place] + module.children(block).count());
        }
        extents
    }

    /// The range of the blocks in a construct of the tree. Constant time, as the other queries.
    pub fn range(&self, tree: &ControlTree, construct: Construct) -> Range<usize> {
        let blocks = tree.blocks_of(Node::Construct(construct));
        let place = |block: &Block| self.places.number(*block).map(|place| place as usize);
        match (blocks.first().and_then(place), blocks.last().and_then(place)) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        }
    }

    /// The number of instructions in a construct.
    pub fn size(&self, tree: &ControlTree, construct: Construct) -> usize {
        let Range { start, end } = self.range(tree, construct);
        self.before[end] - self.before[start]
    }

    /// Returns whether a block is in a range; blocks created since the tree was computed are in none.
    pub fn is_in(&self, range: &Range<usize>, block: Block) -> bool {
        self.places.number(block).is_some_and(|place| range.contains(&(place as usize)))
    }
}
