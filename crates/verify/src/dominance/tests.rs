//! Dominance compared with its definition: `a` dominates `b` if `b` is unreachable without `a`.

use super::Dominance;
use crate::graph::Graph;

fn is_reachable_without(graph: &Graph, removed: Option<u32>, target: u32) -> bool {
    let mut is_seen = vec![false; graph.count()];
    let mut stack: Vec<u32> = [0].into_iter().filter(|&root| Some(root) != removed).collect();
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut is_seen[node as usize], true) {
            stack.extend(graph.successors(node).filter(|&next| Some(next) != removed));
        }
    }
    is_seen[target as usize]
}

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn agrees_with_path_definition_on_random_graphs() {
    for seed in 1..400u64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let count = 1 + next(&mut state) % 14;
        let edges = (0..next(&mut state) % (2 * count + 1))
            .map(|_| ((next(&mut state) % count) as u32, (next(&mut state) % count) as u32))
            .collect();
        let graph = Graph::new(count as usize, edges);
        let dominance = Dominance::compute(&graph, 0);
        for b in 0..count as u32 {
            let is_reachable = is_reachable_without(&graph, None, b);
            assert_eq!(dominance.is_reachable(b), is_reachable, "seed {seed}, node {b}");
            for a in 0..count as u32 {
                let expected =
                    is_reachable && is_reachable_without(&graph, None, a) && !is_reachable_without(&graph, Some(a), b);
                assert_eq!(dominance.dominates(a, b), expected, "seed {seed}: {a} dominates {b}");
            }
        }
    }
}

#[test]
fn long_shared_exit_ladder_is_quick() {
    let count = 200_000u32;
    // Node i continues and also has an edge to its own exit, and every exit goes to the next one: i -> i + 1, i -> e_i, e_i -> e_(i+1).
    let rungs = (0..count - 1).flat_map(|i| [(i, i + 1), (i, count + i), (count + i, count + i + 1)]);
    let graph = Graph::new(2 * count as usize, rungs.collect());
    let dominance = Dominance::compute(&graph, 0);
    assert_eq!(dominance.idom(2 * count - 2), Some(0));
    assert!(dominance.dominates(count - 2, count - 1));
}

/// One iteration over all nodes for each node would take minutes: each node of the chain changes the result of the node before it.
#[test]
fn chain_entered_at_both_ends_is_quick() {
    let count = 100_000u32;
    let chain = (1..count).flat_map(|node| [(node, node + 1), (node + 1, node)]);
    let graph = Graph::new(count as usize + 1, [(0, count), (0, 1)].into_iter().chain(chain).collect());
    let dominance = Dominance::compute(&graph, 0);
    assert!((1..=count).all(|node| dominance.idom(node) == Some(0)));
}
