//! The order in which a pack executes the lists of constructs, so that every edge but those back to a header goes forward.
//!
//! It is that of the control tree except switches: a case may fall through to the default, which comes first there.
//!
//! ```text
//! lists of the tree      default, case 1, case 2           case 1 falls through to the default
//! order here             case 1, default, case 2
//! ```
//!
//! Linear in the blocks and their nesting.

use reconverge_control_tree::{Construct, ConstructData, ControlTree, Jump, List, Owner};
use reconverge_ir::{Block, Module};
use rustc_hash::{FxHashMap, FxHashSet};

/// The order of blocks and lists.
#[derive(Debug)]
pub(crate) struct ExecutionOrder {
    blocks: Vec<Block>,
    /// The lists of the switches that have another order than in the tree.
    lists: FxHashMap<Construct, Vec<List>>,
}

impl ExecutionOrder {
    /// Orders the lists of a function.
    pub(crate) fn compute(module: &Module, tree: &ControlTree) -> ExecutionOrder {
        let next = falls_through(module, tree);
        let mut order = ExecutionOrder { blocks: tree.blocks().to_vec(), lists: FxHashMap::default() };
        let places: FxHashMap<Block, usize> =
            tree.blocks().iter().enumerate().map(|(place, &block)| (block, place)).collect();
        // Inner constructs come first: their blocks move within a list of the outer one.
        for data in tree.constructs().rev() {
            let lists = ordered(data, &next);
            if lists.as_slice() == data.lists.as_slice() {
                continue;
            }
            let ranges = lists.iter().map(|&list| {
                let blocks = tree.blocks_of_list(list);
                let start = places[&blocks[0]];
                start..start + blocks.len()
            });
            let moved: Vec<Block> = ranges.clone().flat_map(|range| order.blocks[range].to_vec()).collect();
            let start = ranges.map(|range| range.start).min().unwrap_or(0);
            order.blocks[start..start + moved.len()].copy_from_slice(&moved);
            order.lists.insert(data.name(), lists);
        }
        order
    }

    /// All blocks of the tree.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The lists of a construct.
    pub(crate) fn lists<'a>(&'a self, data: &'a ConstructData) -> &'a [List] {
        self.lists.get(&data.name()).map_or(data.lists.as_slice(), Vec::as_slice)
    }
}

/// The list that a list of a switch falls through to.
fn falls_through(module: &Module, tree: &ControlTree) -> FxHashMap<List, List> {
    let mut next = FxHashMap::default();
    for &block in tree.blocks() {
        for edge in module.out_edges(block) {
            let Some(Jump::FallThrough(target)) = tree.jump(edge) else { continue };
            let Owner::Construct(switch, _) = tree.owner(target) else { continue };
            let is_of_switch =
                |list: &List| matches!(tree.owner(*list), Owner::Construct(construct, _) if construct == switch);
            next.extend(tree.outwards(block).find(is_of_switch).map(|source| (source, target)));
        }
    }
    next
}

/// The lists of a construct, each before the one that it falls through to, else as in the tree.
fn ordered(data: &ConstructData, next: &FxHashMap<List, List>) -> Vec<List> {
    let mut done: FxHashSet<List> = FxHashSet::default();
    let mut backwards: Vec<List> = Vec::new();
    for &list in data.lists.iter().rev() {
        let mut chain = Vec::new();
        let mut current = Some(list);
        while let Some(list) = current.filter(|&list| done.insert(list)) {
            chain.push(list);
            current = next.get(&list).copied();
        }
        backwards.extend(chain.into_iter().rev());
    }
    backwards.reverse();
    backwards
}
