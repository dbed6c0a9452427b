//! Dominance, post-dominance, frontiers and control dependence against their definitions.

use crate::common::{self, Lists, Random, for_each_random_graph, for_each_small_graph, members};
use reconverge_graph::{
    ControlDependence, DominanceFrontiers, DominatorTree, Node, Order, PostDominanceFrontiers, PostDominatorTree,
    compute_iterated_frontier, compute_iterated_post_frontier,
};

fn tree(lists: &Lists) -> DominatorTree {
    let graph = common::graph(lists);
    DominatorTree::compute(&graph, &Order::compute_reverse_post_order(&graph))
}

fn check_relation(lists: &Lists) {
    let tree = tree(lists);
    let dominators = common::dominators(lists, 0);
    for (below, &set) in dominators.iter().enumerate() {
        let node = Node::new(below);
        assert_eq!(tree.is_reachable(node), set != 0);
        let idom = common::deepest(&dominators, set & !(1 << below));
        assert_eq!(tree.idom(node), idom.map(Node::new), "{lists:?} {below}");
        for (above, &above_set) in dominators.iter().enumerate() {
            let other = Node::new(above);
            let expected = set >> above & 1 == 1;
            assert_eq!(tree.dominates(other, node), expected, "{lists:?} {above} {below}");
            assert_eq!(tree.strictly_dominates(other, node), expected && above != below);
            let common = common::deepest(&dominators, set & above_set).map(Node::new);
            assert_eq!(tree.lowest_common_ancestor(other, node), common, "{lists:?}");
        }
    }
}

#[test]
fn a_dominator_cuts_off_when_removed() {
    for_each_small_graph(check_relation);
    for_each_random_graph(1_000, check_relation);
}

/// Preorder and post-order by recursion over children in rpo.
fn walk(lists: &Lists, dominators: &[u64], node: usize, pre: &mut Vec<usize>, post: &mut Vec<usize>) {
    pre.push(node);
    for child in common::reverse_post_order(lists) {
        let strict = dominators[child] & !(1 << child);
        if common::deepest(dominators, strict) == Some(node) {
            walk(lists, dominators, child, pre, post);
        }
    }
    post.push(node);
}

#[test]
fn numbers_are_those_of_a_recursive_walk() {
    let check = |lists: &Lists| {
        let tree = tree(lists);
        let dominators = common::dominators(lists, 0);
        let (mut pre, mut post) = (Vec::new(), Vec::new());
        walk(lists, &dominators, 0, &mut pre, &mut post);
        assert_eq!(common::indices(tree.preorder()), pre, "{lists:?}");
        for (number, &index) in pre.iter().enumerate() {
            let node = Node::new(index);
            assert_eq!(tree.pre(node), number);
            assert_eq!(post[tree.post(node)], index, "{lists:?} {index}");
            assert_eq!(tree.depth(node), dominators[index].count_ones() as usize - 1);
            let below = dominators.iter().filter(|set| **set >> index & 1 == 1);
            assert_eq!(tree.subtree_size(node), below.count());
            let children = pre.iter().map(|&child| Node::new(child));
            let children: Vec<Node> = children.filter(|&child| tree.idom(child) == Some(node)).collect();
            assert_eq!(tree.children(node), children, "{lists:?} {index}");
        }
    };
    for_each_small_graph(check);
    for_each_random_graph(300, check);
}

/// Post-dominators of each node; the last node is the virtual exit.
fn post_dominators(lists: &Lists) -> Vec<u64> {
    common::dominators(&common::reversed_with_exit(lists), lists.len())
}

fn check_post_relation(lists: &Lists) {
    let tree = PostDominatorTree::compute(&common::graph(lists));
    let sets = post_dominators(lists);
    let real = |node: Option<usize>| node.filter(|&node| node < lists.len()).map(Node::new);
    let exits = (0..lists.len()).filter(|&node| lists[node].is_empty());
    let exits = exits.fold(0, |set, node| set | 1_u64 << node);
    let all = common::everything(lists);
    let joining = &common::reversed_with_exit(lists)[lists.len()];
    for above in 0..lists.len() {
        let node = Node::new(above);
        let ipdom = common::deepest(&sets, sets[above] & !(1 << above));
        assert_eq!(tree.ipdom(node), real(ipdom), "{lists:?} {above}");
        assert_eq!(tree.never_exits(node), common::reach(lists, above, all) & exits == 0);
        assert_eq!(tree.joins_virtual_exit(node), joining.contains(&above), "{lists:?}");
        assert_eq!(tree.depth(node), sets[above].count_ones() as usize - 1);
        for below in 0..lists.len() {
            let other = Node::new(below);
            let expected = sets[above] >> below & 1 == 1;
            assert_eq!(tree.post_dominates(other, node), expected, "{lists:?} {below} {above}");
            assert_eq!(tree.strictly_post_dominates(other, node), expected && above != below);
            let common = common::deepest(&sets, sets[above] & sets[below]);
            assert_eq!(tree.lowest_common_ancestor(other, node), real(common), "{lists:?}");
        }
    }
}

#[test]
fn a_post_dominator_cuts_off_from_the_virtual_exit_when_removed() {
    for_each_small_graph(check_post_relation);
    for_each_random_graph(1_000, check_post_relation);
}

#[test]
fn children_of_the_virtual_exit_have_no_immediate_post_dominator() {
    let tree = PostDominatorTree::compute(&common::graph(&vec![vec![1, 2], vec![], vec![2]]));
    assert_eq!(common::set(tree.children(None)), 0b111);
    assert!(tree.children(Some(Node::new(0))).is_empty());
    assert!(tree.never_exits(Node::new(2)) && !tree.never_exits(Node::new(0)));
}

/// Frontier of each node, given the dominators of each.
fn frontiers(lists: &Lists, dominators: &[u64]) -> Vec<u64> {
    let mut frontiers = vec![0; lists.len()];
    for (source, list) in lists.iter().enumerate() {
        for &target in list {
            for node in members(dominators[source]) {
                let is_strict = dominators[target] >> node & 1 == 1 && node != target;
                frontiers[node] |= u64::from(!is_strict) << target;
            }
        }
    }
    frontiers
}

fn iterate(frontiers: &[u64], seeds: u64) -> u64 {
    let mut found = 0;
    loop {
        let next = members(seeds | found).fold(0, |set, node| set | frontiers[node]);
        if next == found {
            return found;
        }
        found = next;
    }
}

fn some_seeds(lists: &Lists, random: &mut Random) -> Vec<Node> {
    let count = random.below(4);
    (0..count).map(|_| Node::new(random.below(lists.len()))).collect()
}

#[test]
fn frontiers_are_where_dominance_ends() {
    let mut random = Random::new(3);
    let mut check = |lists: &Lists| {
        let (graph, tree) = (common::graph(lists), tree(lists));
        let expected = frontiers(lists, &common::dominators(lists, 0));
        let found = DominanceFrontiers::compute(&graph, &tree);
        for (node, &set) in expected.iter().enumerate() {
            let listed = common::indices(found.frontier(Node::new(node)));
            assert_eq!(listed, members(set).collect::<Vec<_>>(), "{lists:?} {node}");
        }
        let seeds = some_seeds(lists, &mut random);
        let iterated = iterate(&expected, common::set(&seeds));
        let iterated: Vec<Node> = members(iterated).map(Node::new).collect();
        assert_eq!(found.iterated_frontier(&seeds), iterated, "{lists:?} {seeds:?}");
        let linear = compute_iterated_frontier(&graph, &tree, &seeds);
        assert_eq!(linear, iterated, "{lists:?} {seeds:?}");
    };
    for_each_small_graph(&mut check);
    for_each_random_graph(1_000, &mut check);
}

#[test]
fn post_frontiers_are_where_post_dominance_ends() {
    let mut random = Random::new(5);
    let mut check = |lists: &Lists| {
        let tree = PostDominatorTree::compute(&common::graph(lists));
        let expected = frontiers(&common::reversed_with_exit(lists), &post_dominators(lists));
        let found = PostDominanceFrontiers::compute(&tree);
        for (node, &set) in expected[..lists.len()].iter().enumerate() {
            let listed = common::indices(found.frontier(Node::new(node)));
            assert_eq!(listed, members(set).collect::<Vec<_>>(), "{lists:?} {node}");
        }
        let seeds = some_seeds(lists, &mut random);
        let iterated = iterate(&expected, common::set(&seeds));
        let iterated: Vec<Node> = members(iterated).map(Node::new).collect();
        assert_eq!(found.iterated_frontier(&seeds), iterated, "{lists:?} {seeds:?}");
        let linear = compute_iterated_post_frontier(&tree, &seeds);
        assert_eq!(linear, iterated, "{lists:?} {seeds:?}");
    };
    for_each_small_graph(&mut check);
    for_each_random_graph(1_000, &mut check);
}

fn check_control_dependence(lists: &Lists) {
    let graph = common::graph(lists);
    let tree = PostDominatorTree::compute(&graph);
    let found = ControlDependence::compute(&graph, &tree);
    let sets = post_dominators(lists);
    for node in 0..lists.len() {
        let mut expected = Vec::new();
        for (source, list) in lists.iter().enumerate() {
            let is_strict = sets[source] >> node & 1 == 1 && source != node;
            for (index, &target) in list.iter().enumerate() {
                if sets[target] >> node & 1 == 1 && !is_strict {
                    expected.push((Node::new(source), index));
                }
            }
        }
        assert_eq!(found.dependences(Node::new(node)), expected, "{lists:?} {node}");
    }
}

#[test]
fn control_dependence_is_post_dominating_one_edge_but_not_its_source() {
    for_each_small_graph(check_control_dependence);
    for_each_random_graph(1_000, check_control_dependence);
}
