//! Where constructs stand in source order, and how many instructions are in them: one pass over the function, and constant time
//! for each question, however deep constructs nest.

use std::ops::Range;

use reconverge_control_tree::{Construct, ControlTree, Node};
use reconverge_ir::{Block, Module, Numbering};

/// The places of the blocks of a tree in source order, and the instructions up to each.
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

    /// The places of the blocks in a construct of the tree. Constant time, as the other questions.
    pub fn range(&self, tree: &ControlTree, construct: Construct) -> Range<usize> {
        let blocks = tree.blocks_of(Node::Construct(construct));
        let place = |block: &Block| self.places.number(*block).map(|place| place as usize);
        match (blocks.first().and_then(place), blocks.last().and_then(place)) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        }
    }

    /// How many instructions are in a construct.
    pub fn size(&self, tree: &ControlTree, construct: Construct) -> usize {
        let Range { start, end } = self.range(tree, construct);
        self.before[end] - self.before[start]
    }

    /// Whether a block stands in a range; those that were made since the tree was computed stand in none.
    pub fn is_in(&self, range: &Range<usize>, block: Block) -> bool {
        self.places.number(block).is_some_and(|place| range.contains(&(place as usize)))
    }
}
