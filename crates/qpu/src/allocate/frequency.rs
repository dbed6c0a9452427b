//! Block frequency, estimated: eight times as high for each loop around a block, up to four loops.
//!
//! A loop is what lies between the target of a branch and a branch back to it, in the order of the code.

use crate::machine::MachineFunction;

/// For each block its guessed frequency.
pub(crate) fn frequencies(function: &MachineFunction) -> Vec<u32> {
    let count = function.blocks.len();
    // For each block the last block that branches back to it.
    let mut ends: Vec<Option<usize>> = vec![None; count];
    for (block, content) in function.blocks.iter().enumerate() {
        if let Some(branch) = content.branch
            && branch.target.0 as usize <= block
        {
            ends[branch.target.0 as usize] = Some(block);
        }
    }
    let mut closing = vec![0_u32; count];
    let mut depth = 0;
    let mut frequencies = Vec::with_capacity(count);
    for (block, end) in ends.iter().enumerate() {
        if let Some(end) = end {
            depth += 1;
            closing[*end] += 1;
        }
        frequencies.push(8_u32.pow(depth.min(4)));
        depth -= closing[block];
    }
    frequencies
}
