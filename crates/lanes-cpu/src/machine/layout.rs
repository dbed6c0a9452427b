//! The order of blocks in memory, and where jumps to them end.
//!
//! A block that only jumps and moves nothing is not laid out: jumps to it go where it goes (jump threading). Other blocks keep their order
//! with three exceptions. Blocks that end in a trap are cold, and go to the end. So do edges out of a chain of tests. And a loop whose
//! first block decides whether to continue is rotated, so that an iteration takes one jump instead of two:
//!
//! ```text
//! header: jcc exit            jmp header
//! body:   …                   body:   …
//!         jmp header    →     header: jncc body
//! exit:                       exit:
//! ```

use super::allocate::Allocated;
use super::flatten::{End, Flat};
use regalloc2::Edit;

/// The order of blocks, and the end of each chain of empty ones.
pub(super) struct Layout {
    /// The flat blocks that are laid out.
    pub(super) order: Vec<u32>,
    /// The block where a jump to a block ends.
    pub(super) resolved: Vec<u32>,
    /// For each block, true if a jump backwards leads to it: a loop is there.
    pub(super) is_loop_start: Vec<bool>,
}

/// Lays out the blocks of an allocated function.
pub(super) fn lay_out(allocated: &Allocated<'_>) -> Layout {
    let flat = &allocated.flat;
    let is_empty = empty_blocks(allocated);
    let resolved: Vec<u32> = (0..flat.blocks.len() as u32).map(|block| resolve(flat, &is_empty, block)).collect();
    let is_reachable = reachable(flat, &resolved);
    let is_laid_out = |block: &u32| resolved[*block as usize] == *block && is_reachable[*block as usize];
    let is_cold = |block: &u32| matches!(flat.blocks[*block as usize].end, End::Trap(_)) && *block != 0;
    let mut order: Vec<u32> = (0..flat.blocks.len() as u32).filter(is_laid_out).collect();
    order.sort_by_key(is_cold);
    let moved = move_edges_away(flat, &resolved, &mut order);
    rotate_loops(flat, &resolved, &mut order);
    let is_loop_start = loop_starts(flat, &resolved, &order[..order.len() - moved]);
    Layout { order, resolved, is_loop_start }
}

/// Moves the edges of a branch that go forwards, past other blocks, to the end, so that what follows the branch follows in memory:
///
/// ```text
///       jcc next                      jncc edge
/// edge: mov …                   next: …
///       jmp far           →
/// next: …                       edge: mov …
///                                     jmp far
/// ```
///
/// In a chain of tests that all leave for one place, this saves a taken jump for each. Gives how many were moved.
fn move_edges_away(flat: &Flat<'_>, resolved: &[u32], order: &mut Vec<u32>) -> usize {
    let mut places = vec![u32::MAX; flat.blocks.len()];
    let mut edges_to = vec![0; flat.blocks.len()];
    for (place, &block) in (0..).zip(&*order) {
        places[block as usize] = place;
        flat.blocks[block as usize]
            .end
            .targets()
            .into_iter()
            .for_each(|&to| edges_to[resolved[to as usize] as usize] += 1);
    }
    let is_edge = |before: u32, edge: u32, next: u32| {
        let End::Branch { then, otherwise, .. } = flat.blocks[before as usize].end else { return false };
        let End::Jump(to) = flat.blocks[edge as usize].end else { return false };
        let mut targets = [then, otherwise].map(|block| resolved[block as usize]);
        targets.sort_unstable_by_key(|&block| places[block as usize]);
        let goes_past = places[resolved[to as usize] as usize] > places[next as usize];
        targets == [edge, next]
            && edges_to[edge as usize] == 1
            && flat.blocks[edge as usize].insts.len() <= 2
            && goes_past
    };
    let mut moved = vec![false; order.len()];
    for place in 0..order.len().saturating_sub(2) {
        moved[place + 1] = !moved[place] && is_edge(order[place], order[place + 1], order[place + 2]);
    }
    let edges: Vec<u32> =
        order.iter().zip(&moved).filter(|(_, is_moved)| **is_moved).map(|(block, _)| *block).collect();
    let mut flags = moved.iter();
    order.retain(|_| !flags.next().expect("invariant: one flag a block"));
    order.extend(&edges);
    edges.len()
}

/// The reachable blocks.
fn reachable(flat: &Flat<'_>, resolved: &[u32]) -> Vec<bool> {
    let mut is_reachable = vec![false; flat.blocks.len()];
    let mut work = vec![resolved[0]];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut is_reachable[block as usize], true) {
            work.extend(flat.blocks[block as usize].end.targets().into_iter().map(|to| resolved[*to as usize]));
        }
    }
    is_reachable
}

/// The blocks to which jumps go backwards. Edges that were moved to the end are no loops.
fn loop_starts(flat: &Flat<'_>, resolved: &[u32], order: &[u32]) -> Vec<bool> {
    let mut is_laid_out = vec![false; flat.blocks.len()];
    let mut is_loop_start = vec![false; flat.blocks.len()];
    for block in order {
        is_laid_out[*block as usize] = true;
        for to in flat.blocks[*block as usize].end.targets() {
            let to = resolved[*to as usize] as usize;
            is_loop_start[to] |= is_laid_out[to];
        }
    }
    is_loop_start
}

/// Returns the blocks that only jump, as a flag for each block.
fn empty_blocks(allocated: &Allocated<'_>) -> Vec<bool> {
    let flat = &allocated.flat;
    let mut edits = allocated.output.edits.iter().peekable();
    flat.blocks
        .iter()
        .map(|block| {
            let mut has_moves = false;
            while let Some((_, Edit::Move { from, to })) =
                edits.next_if(|(point, _)| point.inst().index() < block.insts.end as usize)
            {
                has_moves |= from != to;
            }
            block.insts.len() == 1 && !has_moves && matches!(block.end, End::Jump(_))
        })
        .collect()
}

/// The first block with content on the way. A way that ends in a loop of empty blocks ends in the smallest of them.
fn resolve(flat: &Flat<'_>, is_empty: &[bool], block: u32) -> u32 {
    let next = |block: u32| match flat.blocks[block as usize].end {
        End::Jump(to) if is_empty[block as usize] => Some(to),
        _ => None,
    };
    let mut at = block;
    for _ in 0..flat.blocks.len() {
        match next(at) {
            Some(to) => at = to,
            None => return at,
        }
    }
    // After this number of steps the chain is in a loop.
    let mut smallest = at;
    let first = at;
    while let Some(to) = next(at) {
        at = to;
        smallest = smallest.min(at);
        if at == first {
            break;
        }
    }
    smallest
}

/// Moves the first block of a loop after the last one where that saves a jump.
fn rotate_loops(flat: &Flat<'_>, resolved: &[u32], order: &mut [u32]) {
    let mut places = vec![u32::MAX; flat.blocks.len()];
    let number = |order: &[u32], places: &mut [u32]| {
        for (place, block) in (0..).zip(order) {
            places[*block as usize] = place;
        }
    };
    number(order, &mut places);
    let latches = order.to_vec();
    for latch in latches {
        let End::Jump(header) = flat.blocks[latch as usize].end else { continue };
        let header = resolved[header as usize];
        let (first, last) = (places[header as usize], places[latch as usize]);
        if first >= last || header == resolved[0] {
            continue;
        }
        let End::Branch { then, otherwise, .. } = flat.blocks[header as usize].end else { continue };
        let place = |block: u32| places[resolved[block as usize] as usize];
        let is_inside = |block: u32| (first..=last).contains(&place(block));
        if is_inside(then) == is_inside(otherwise) {
            continue;
        }
        // What falls into the header from above jumps from now on, which is once a loop; what falls out of it at the end still does.
        order[first as usize..=last as usize].rotate_left(1);
        number(order, &mut places);
    }
}
