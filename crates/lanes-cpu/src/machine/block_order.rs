//! The order of blocks: reverse post-order, with loops in one piece.
//!
//! Blocks are laid out in this order, and the allocator's checker follows values along it, so that a block must come after one that leads
//! there. Of two successors the one in fewer loops is visited first, which puts it after the other: the code after a loop is not in it.
//! Blocks that nothing leads to go. Linear; no recursion.

use super::inst::{BlockId, MachineFunction, Terminator};

/// Puts the blocks of a function in order.
pub(super) fn order_blocks(function: &mut MachineFunction) {
    let order = reverse_post_order(function);
    let mut numbers = vec![BlockId(0); function.blocks.len()];
    for (number, block) in order.iter().enumerate() {
        numbers[block.0 as usize] = BlockId(number as u32);
    }
    let mut blocks: Vec<_> = std::mem::take(&mut function.blocks).into_iter().map(Some).collect();
    for block in order {
        let mut block = blocks[block.0 as usize].take().expect("invariant: an order has each block once");
        if let Some(end) = &mut block.end {
            rename(end, &numbers);
        }
        function.blocks.push(block);
    }
}

fn reverse_post_order(function: &MachineFunction) -> Vec<BlockId> {
    let mut is_visited = vec![false; function.blocks.len()];
    let mut finished = Vec::new();
    let mut stack: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    if let Some(is_first) = is_visited.first_mut() {
        *is_first = true;
        stack.push((BlockId(0), pending(function, BlockId(0))));
    }
    while let Some((block, successors)) = stack.last_mut() {
        match successors.pop() {
            Some(next) if !std::mem::replace(&mut is_visited[next.0 as usize], true) => {
                stack.push((next, pending(function, next)));
            }
            Some(_) => {}
            None => {
                finished.push(*block);
                stack.pop();
            }
        }
    }
    finished.reverse();
    finished
}

/// The successors of a block, the one to visit first at the end.
fn pending(function: &MachineFunction, block: BlockId) -> Vec<BlockId> {
    let mut successors = match &function.blocks[block.0 as usize].end {
        None | Some(Terminator::Return | Terminator::Trap(_)) => Vec::new(),
        Some(Terminator::Jump(target, _)) => vec![*target],
        Some(Terminator::Branch { then, otherwise, .. }) => vec![*then, *otherwise],
        Some(Terminator::Table { default, targets, .. }) => targets.iter().copied().chain([*default]).collect(),
        Some(Terminator::Barrier { resume, .. }) => vec![*resume],
    };
    successors.sort_by_key(|next| std::cmp::Reverse(function.blocks[next.0 as usize].loop_depth));
    successors
}

fn rename(end: &mut Terminator, numbers: &[BlockId]) {
    let new = |block: &mut BlockId| *block = numbers[block.0 as usize];
    match end {
        Terminator::Return | Terminator::Trap(_) => {}
        Terminator::Jump(target, _) => new(target),
        Terminator::Branch { then, otherwise, .. } => {
            new(then);
            new(otherwise);
        }
        Terminator::Table { default, targets, .. } => {
            new(default);
            targets.iter_mut().for_each(new);
        }
        Terminator::Barrier { resume, .. } => new(resume),
    }
}
