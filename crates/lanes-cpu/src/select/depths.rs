//! How deeply blocks are nested in loops.

use reconverge_ir::{Block, Module};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of loops around each block, for blocks in reverse post-order. A loop is what reaches a back edge without its header.
/// Linear in blocks times nesting.
pub(super) fn loop_depths(module: &Module, blocks: &[Block]) -> FxHashMap<Block, u32> {
    let places: FxHashMap<Block, usize> = blocks.iter().enumerate().map(|(place, &block)| (block, place)).collect();
    let mut depths: FxHashMap<Block, u32> = blocks.iter().map(|&block| (block, 0)).collect();
    for (place, &header) in blocks.iter().enumerate() {
        let is_back = |from: &Block| places.get(from).is_some_and(|&from| from >= place);
        let mut pending: Vec<Block> = module.predecessors(header).filter(is_back).collect();
        if pending.is_empty() {
            continue;
        }
        let mut inside: FxHashSet<Block> = std::iter::once(header).collect();
        while let Some(block) = pending.pop() {
            if inside.insert(block) {
                pending.extend(module.predecessors(block).filter(|from| places.contains_key(from)));
            }
        }
        for block in inside {
            *depths.entry(block).or_default() += 1;
        }
    }
    depths
}
