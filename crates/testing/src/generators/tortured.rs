//! Random graphs with features that are difficult for structurizers.
//!
//! A graph of another generator with a few *mutations*:
//!
//! ```text
//! break      b ─▶ far ahead                        loops of many exits, out of several loops at once
//! entry      b ─▶ into a cycle                     cycles of several entries
//! web        b ─▶ 3 … 9 blocks near by             switches whose cases run into each other
//! clique     k blocks, each to another             cycles in cycles, each with many entries
//! endless    an exit ─▶ back                       parts without an exit
//! orphan     nothing ─▶ b ─▶ anywhere              blocks that control never reaches
//! ```

use super::random::{Cycles, random};
use super::structured::{Form, structured};
use super::wild::wild;
use crate::plain_graph::PlainGraph;
use crate::random::{Random, mix};

/// Every other seed gives a graph that may be irreducible, with mutations; the others are reducible by construction.
pub fn tortured(seed: u64, count: usize) -> PlainGraph {
    let mut choice = Random::new(mix(seed) ^ 0x70A7);
    if seed.is_multiple_of(2) {
        return match choice.below(4) {
            0 => structured(seed, count / 2, Form::Plain),
            1 => structured(seed, count / 2, Form::Optimized),
            _ => random(seed, count, Cycles::Reducible),
        };
    }
    let base = match choice.below(8) {
        0 => wild(seed, count),
        1..=2 => structured(seed, count / 2, Form::Optimized),
        3 => structured(seed, count / 2, Form::LoopSimplified),
        4 => random(seed, count, Cycles::Reducible),
        _ => random(seed, count, Cycles::Irreducible),
    };
    let mut lists = base.to_successors();
    if lists.len() > 2 {
        for _ in 0..=choice.below(2 + count / 12) {
            spoil(&mut lists, &mut choice);
        }
    }
    PlainGraph::from_successors(&lists)
}

fn spoil(lists: &mut Vec<Vec<usize>>, random: &mut Random) {
    let count = lists.len();
    let block = random.below(count);
    match random.below(6) {
        0 => {
            let target = (block + 5 + random.below(count)).min(count - 1);
            put(lists, block, target, random);
        }
        1 => {
            let target = random.between(1, count - 1);
            put(lists, block, target, random);
        }
        2 => {
            let ways = random.between(3, 9);
            lists[block] = (0..ways).map(|_| near(block, count, random)).collect();
        }
        3 => {
            let members: Vec<usize> = (0..random.between(2, 6)).map(|_| near(block, count, random)).collect();
            for &member in &members {
                let target = *random.choose(&members);
                put(lists, member, target, random);
            }
        }
        4 => {
            let exits: Vec<usize> = (0..count).filter(|&exit| lists[exit].is_empty()).collect();
            if !exits.is_empty() {
                let exit = *random.choose(&exits);
                lists[exit] = vec![random.between(1, exit.max(1))];
            }
        }
        _ => {
            let ways = random.between(1, 2);
            let list = (0..ways).map(|_| random.between(1, count)).collect();
            lists.push(list);
        }
    }
}

/// One of the blocks within ten of this one, not the entry.
fn near(block: usize, count: usize, random: &mut Random) -> usize {
    let low = block.saturating_sub(10).max(1).min(count - 1);
    random.between(low, (block + 10).min(count - 1))
}

/// Adds an edge, or replaces one if there are two.
fn put(lists: &mut [Vec<usize>], block: usize, target: usize, random: &mut Random) {
    let list = &mut lists[block];
    match list.len() {
        0 | 1 => list.push(target),
        length => list[random.below(length)] = target,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_graph::{CycleForest, DominatorTree, Order};

    #[test]
    fn most_of_the_spoiled_half_is_irreducible_and_the_other_half_is_not() {
        let is_reducible = |seed| {
            let graph = tortured(seed, 60).to_graph();
            let order = Order::compute_reverse_post_order(&graph);
            let dominators = DominatorTree::compute(&graph, &order);
            CycleForest::compute(&graph, &order, &dominators).is_reducible_graph()
        };
        assert!((0..200).step_by(2).all(is_reducible));
        assert!((1..200).step_by(2).filter(|&seed| !is_reducible(seed)).count() > 70);
    }
}
