//! What is measured on SPIR-V bytes: blocks, phis, nesting, validity.
//!
//! Counting is on words alone. Nesting is by dominance, from the definition: a block is inside a construct if the header dominates
//! it and the merge block does not (SPIR-V section 2.11.2).

use std::collections::HashMap;
use std::io::Write;
use std::process::Command;

use reconverge::ir::{Block, Module};

const LABEL: u32 = 248;
const PHI: u32 = 245;

/// Figures of one module.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Figures {
    pub(crate) blocks: usize,
    pub(crate) phis: usize,
}

/// Counts blocks and phis.
pub(crate) fn count(bytes: &[u8]) -> Figures {
    let words: Vec<u32> = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let (mut figures, mut at) = (Figures::default(), 5);
    while at < words.len() {
        match words[at] & 0xffff {
            LABEL => figures.blocks += 1,
            PHI => figures.phis += 1,
            _ => {}
        }
        at += (words[at] >> 16).max(1) as usize;
    }
    figures
}

/// Whether `spirv-val` accepts the module.
pub(crate) fn is_valid(bytes: &[u8]) -> bool {
    let validator = reconverge_testing::judge::Validator::find().expect("cargo xtask setup was run");
    let mut file = tempfile::Builder::new().suffix(".spv").tempfile().expect("a temporary file");
    file.write_all(bytes).expect("room for a temporary file");
    let status = Command::new(validator.path()).args(["--target-env", "vulkan1.1"]).arg(file.path()).output();
    status.is_ok_and(|output| output.status.success())
}

/// How many constructs lie around the deepest block; `None` if the module is not structured.
pub(crate) fn nesting(bytes: &[u8]) -> Option<usize> {
    let module = reconverge::read(bytes, reconverge::Format::Spirv, false).ok()?;
    let depths = module.functions().filter(|&function| module.entry(function).is_some());
    depths.map(|function| function_nesting(&module, function)).max()
}

fn function_nesting(module: &Module, function: reconverge::ir::Function) -> usize {
    let blocks: Vec<Block> = module.blocks(function).collect();
    let number: HashMap<Block, usize> = blocks.iter().enumerate().map(|(index, &block)| (block, index)).collect();
    let parents = immediate_dominators(module, &blocks, &number);
    let mut opened: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for &block in &blocks {
        let Some(terminator) = module.terminator(block) else { continue };
        if let Some(merge) = module.merge_block(terminator) {
            opened[number[&block]].push(number[&merge]);
        }
    }
    // Down the dominator tree: entering a header opens its construct, entering its merge block closes it.
    let mut depth = vec![0_usize; blocks.len()];
    let mut closes: HashMap<usize, usize> = HashMap::new();
    for (block, parent) in parents.iter().enumerate() {
        let inherited = parent.filter(|&parent| parent != block).map_or(0, |parent| depth[parent] + opened[parent].len());
        let closed = closes.get(&block).map(|&outside| outside);
        depth[block] = closed.unwrap_or(inherited);
        for &merge in &opened[block] {
            closes.insert(merge, depth[block]);
        }
    }
    depth.into_iter().max().unwrap_or(0)
}

/// For each block its immediate dominator over branch and merge edges. Blocks stand after their dominators in valid modules.
fn immediate_dominators(module: &Module, blocks: &[Block], number: &HashMap<Block, usize>) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; blocks.len()];
    parents[0] = Some(0);
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for (index, &block) in blocks.iter().enumerate() {
        let merge = module.terminator(block).and_then(|terminator| module.merge_block(terminator));
        for target in module.successors(block).chain(merge) {
            predecessors[number[&target]].push(index);
        }
    }
    for block in 1..blocks.len() {
        let forward = predecessors[block].iter().copied().filter(|&source| source < block && parents[source].is_some());
        parents[block] = forward.reduce(|left, right| common(&parents, left, right));
    }
    parents
}

fn common(parents: &[Option<usize>], mut left: usize, mut right: usize) -> usize {
    while left != right {
        let deeper = left.max(right);
        let up = parents[deeper].unwrap_or(0);
        if left > right { left = up } else { right = up }
    }
    left
}
