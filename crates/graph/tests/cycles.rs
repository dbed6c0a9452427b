//! The cycle forest against its recursive definition.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use crate::common;
use crate::common::{Lists, for_each_random_graph, for_each_small_graph};
use reconverge_graph::{Cycle, CycleForest, DominatorTree, Node, Order};

/// A cycle by the definition: what is strongly connected without the headers around.
#[derive(Debug)]
struct Expected {
    header: usize,
    nodes: u64,
    /// Place of the parent in the list of all.
    parent: Option<usize>,
}

/// Maximal strongly connected sets of `allowed`; the rpo-first is the header; again without it.
fn collect(lists: &Lists, order: &[usize], allowed: u64, parent: Option<usize>, out: &mut Vec<Expected>) {
    for nodes in common::components(lists, allowed) {
        if common::is_cyclic(lists, nodes) {
            let header = *order.iter().find(|&&node| nodes >> node & 1 == 1).unwrap();
            let place = out.len();
            out.push(Expected { header, nodes, parent });
            collect(lists, order, nodes & !(1 << header), Some(place), out);
        }
    }
}

fn expected_cycles(lists: &Lists) -> Vec<Expected> {
    let order = common::reverse_post_order(lists);
    let reachable = common::reach(lists, 0, common::everything(lists));
    let mut cycles = Vec::new();
    collect(lists, &order, reachable, None, &mut cycles);
    cycles
}

fn compute(lists: &Lists) -> CycleForest {
    let graph = common::graph(lists);
    let order = Order::compute_reverse_post_order(&graph);
    CycleForest::compute(&graph, &order, &DominatorTree::compute(&graph, &order))
}

/// Entries in rpo: the graph's entry, and nodes with a reachable predecessor outside.
fn entries(lists: &Lists, nodes: u64) -> Vec<usize> {
    let order = common::reverse_post_order(lists);
    let is_entered = |&node: &usize| {
        let mut outside = order.iter().filter(|&&source| nodes >> source & 1 == 0);
        node == 0 || outside.any(|&source| lists[source].contains(&node))
    };
    let inside = order.iter().copied().filter(|&node| nodes >> node & 1 == 1);
    inside.filter(is_entered).collect()
}

fn check_cycle(lists: &Lists, forest: &CycleForest, cycle: Cycle, all: &[Expected]) {
    let header = forest.header(cycle);
    let expected = all.iter().find(|other| other.header == header.index());
    let expected = expected.unwrap_or_else(|| panic!("{lists:?}: no cycle at {header}"));
    let parent = expected.parent.map(|parent| Node::new(all[parent].header));
    assert_eq!(forest.parent(cycle).map(|parent| forest.header(parent)), parent, "{lists:?}");
    let blocks = forest.blocks(cycle);
    assert_eq!(common::set(blocks), expected.nodes, "{lists:?} {header}");
    assert_eq!(blocks.len(), expected.nodes.count_ones() as usize);
    assert_eq!(blocks[0], header);
    let entries = entries(lists, expected.nodes);
    assert_eq!(entries[0], header.index(), "the header is the first entry of {expected:?}");
    assert_eq!(common::indices(forest.entries(cycle)), entries, "{lists:?} {header}");
    assert_eq!(forest.is_reducible(cycle), entries.len() == 1, "{lists:?} {header}");
    let around = all.iter().filter(|other| other.nodes | expected.nodes == other.nodes);
    assert_eq!(forest.depth(cycle), around.count(), "{lists:?} {header}");
    let children: Vec<Cycle> = forest.cycles().filter(|&child| forest.parent(child) == Some(cycle)).collect();
    assert_eq!(forest.children(cycle), children);
    for node in 0..lists.len() {
        assert_eq!(forest.contains(cycle, Node::new(node)), expected.nodes >> node & 1 == 1);
    }
}

fn check_nodes(lists: &Lists, forest: &CycleForest, all: &[Expected]) {
    for node in 0..lists.len() {
        let around = all.iter().filter(|cycle| cycle.nodes >> node & 1 == 1);
        assert_eq!(forest.node_depth(Node::new(node)), around.clone().count());
        let inner = around.min_by_key(|cycle| cycle.nodes.count_ones());
        let inner = inner.map(|cycle| Node::new(cycle.header));
        let found = forest.innermost(Node::new(node)).map(|cycle| forest.header(cycle));
        assert_eq!(found, inner, "{lists:?} {node}");
        let headed = all.iter().any(|cycle| cycle.header == node);
        assert_eq!(forest.headed_by(Node::new(node)).is_some(), headed);
        for &target in &lists[node] {
            let returns = |cycle: &Expected| cycle.header == target && cycle.nodes >> node & 1 == 1;
            let found = forest.is_back_edge(Node::new(node), Node::new(target));
            assert_eq!(found, all.iter().any(returns), "{lists:?} {node} → {target}");
        }
    }
}

fn check_pairs(lists: &Lists, forest: &CycleForest) {
    let nodes = |cycle: Cycle| common::set(forest.blocks(cycle));
    for left in forest.cycles() {
        for right in forest.cycles() {
            let both = nodes(left) | nodes(right);
            let around = forest.cycles().filter(|&cycle| nodes(cycle) | both == nodes(cycle));
            let inner = around.min_by_key(|&cycle| nodes(cycle).count_ones());
            assert_eq!(forest.lowest_common_ancestor(left, right), inner, "{lists:?}");
            assert_eq!(forest.encloses(left, right), nodes(left) == both);
        }
    }
}

/// Reducible: every edge that runs against rpo leads to a dominator of its source.
fn is_reducible(lists: &Lists) -> bool {
    let order = common::reverse_post_order(lists);
    let dominators = common::dominators(lists, 0);
    let edge = |from: usize, to: usize| {
        lists[order[from]].contains(&order[to]) && dominators[order[from]] >> order[to] & 1 == 0
    };
    !(0..order.len()).any(|from| (0..=from).any(|to| edge(from, to)))
}

fn check_forest(lists: &Lists) {
    let (all, forest) = (expected_cycles(lists), compute(lists));
    assert_eq!(forest.cycles().len(), all.len(), "{lists:?}: {all:?}");
    for cycle in forest.cycles() {
        assert!(forest.parent(cycle).is_none_or(|parent| parent < cycle));
        check_cycle(lists, &forest, cycle, &all);
    }
    let order = common::reverse_post_order(lists);
    let headers = forest.cycles().map(|cycle| forest.header(cycle).index());
    let places = headers.map(|header| order.iter().position(|&node| node == header));
    assert!(places.is_sorted(), "{lists:?}");
    let outermost: Vec<Cycle> = forest.cycles().filter(|&cycle| forest.parent(cycle).is_none()).collect();
    assert_eq!(forest.outermost(), outermost);
    check_nodes(lists, &forest, &all);
    check_pairs(lists, &forest);
    assert_eq!(forest.is_reducible_graph(), is_reducible(lists), "{lists:?}");
}

#[test]
fn cycles_nest_as_defined() {
    for_each_small_graph(check_forest);
    for_each_random_graph(1_500, check_forest);
}

#[test]
fn random_graphs_have_deep_irreducible_nests() {
    let mut found = 0;
    for_each_random_graph(1_500, |lists| {
        let forest = compute(lists);
        let is_deep = |cycle: Cycle| forest.depth(cycle) >= 3 && !forest.is_reducible(cycle);
        found += usize::from(forest.cycles().any(is_deep));
    });
    assert!(found > 200, "only {found} random graphs nest irreducible cycles");
}

#[test]
fn own_blocks_come_before_those_of_nested_cycles_in_rpo() {
    // n1 → n2 ⇄ n3 → n4 → n1, left at n4
    let forest = compute(&vec![vec![1], vec![2], vec![3], vec![2, 4], vec![1, 5], vec![]]);
    let outer = forest.outermost()[0];
    assert_eq!(common::indices(forest.blocks(outer)), [1, 4, 2, 3]);
    let inner = forest.children(outer)[0];
    assert_eq!(common::indices(forest.blocks(inner)), [2, 3]);
    assert_eq!(format!("{outer} {inner}"), "c0 c1");
}

#[test]
fn the_documented_example_is_as_drawn() {
    let forest = compute(&vec![vec![2, 1], vec![2], vec![1, 3, 4], vec![2], vec![1]]);
    let outer = forest.outermost()[0];
    let inner = forest.children(outer)[0];
    assert_eq!(common::indices(forest.entries(outer)), [1, 2]);
    assert_eq!(common::indices(forest.entries(inner)), [2]);
    assert_eq!(common::set(forest.blocks(outer)), 0b11110);
    assert_eq!(common::set(forest.blocks(inner)), 0b01100);
    assert!(!forest.is_reducible(outer) && forest.is_reducible(inner));
    assert!(forest.is_back_edge(Node::new(4), Node::new(1)));
    assert!(!forest.is_back_edge(Node::new(0), Node::new(1)));
}
