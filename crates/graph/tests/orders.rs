//! Graph, order, components and ancestor queries against their definitions.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use crate::common;
use crate::common::{Lists, Random, everything, for_each_random_graph, for_each_small_graph, members};
use reconverge_graph::{AncestorTable, Components, DeadEnds, Graph, Node, Order};

#[test]
fn graph_keeps_operand_order_and_duplicates() {
    let graph = common::graph(&vec![vec![2, 1, 2, 0], vec![], vec![1]]);
    assert_eq!((graph.len(), graph.edge_count()), (3, 5));
    assert_eq!(common::indices(graph.successors(Node::new(0))), [2, 1, 2, 0]);
    assert_eq!(common::indices(graph.predecessors(Node::new(2))), [0, 0]);
    assert_eq!(common::indices(graph.predecessors(Node::new(1))), [0, 2]);
    assert_eq!(common::indices(graph.predecessors(Node::new(0))), [0]);
    let edges: Vec<String> = graph.edges().map(|(a, b)| format!("{a}{b}")).collect();
    assert_eq!(edges, ["n0n2", "n0n1", "n0n2", "n0n0", "n2n1"]);
}

#[test]
#[should_panic(expected = "edge n0 → n1 in a graph of 1 nodes")]
fn graph_refuses_a_successor_out_of_range() {
    common::graph(&vec![vec![1]]);
}

#[test]
#[should_panic(expected = "entry n3 of a graph of 1 nodes")]
fn graph_refuses_an_entry_out_of_range() {
    Graph::from_successors(Node::new(3), [[]]);
}

fn check_order(lists: &Lists) {
    let order = Order::compute_reverse_post_order(&common::graph(lists));
    let expected = common::reverse_post_order(lists);
    assert_eq!(common::indices(order.sequence()), expected, "{lists:?}");
    for node in 0..lists.len() {
        let position = expected.iter().position(|&other| other == node);
        assert_eq!(order.position(Node::new(node)), position, "{lists:?} {node}");
    }
    for source in 0..lists.len() {
        for &target in &lists[source] {
            let (source, target) = (Node::new(source), Node::new(target));
            let (from, to) = (order.position(source), order.position(target));
            let expected = from.is_some() && to <= from;
            assert_eq!(order.is_retreating(source, target), expected, "{lists:?}");
        }
    }
}

#[test]
fn order_is_that_of_the_recursive_traversal() {
    for_each_small_graph(check_order);
    for_each_random_graph(500, check_order);
}

fn check_components(lists: &Lists, allowed: u64, components: &Components) {
    let expected = common::components(lists, allowed);
    assert_eq!(components.count(), expected.len(), "{lists:?} {allowed:b}");
    for node in members(everything(lists) & !allowed) {
        assert_eq!(components.component(Node::new(node)), None);
    }
    for set in expected {
        let first = set.trailing_zeros() as usize;
        let component = components.component(Node::new(first)).unwrap();
        let listed = common::indices(components.members(component));
        assert_eq!(listed, members(set).collect::<Vec<_>>(), "{lists:?} {allowed:b}");
        assert_eq!(components.is_cyclic(component), common::is_cyclic(lists, set));
        for node in members(set) {
            assert_eq!(components.component(Node::new(node)), Some(component));
            for &target in lists[node].iter().filter(|&target| allowed >> target & 1 == 1) {
                assert!(components.component(Node::new(target)).unwrap() <= component, "{lists:?}");
            }
        }
    }
}

#[test]
fn components_are_sets_of_mutual_reach_in_reverse_topological_order() {
    let check = |lists: &Lists| {
        let components = Components::compute(&common::graph(lists));
        check_components(lists, everything(lists), &components);
    };
    for_each_small_graph(check);
    for_each_random_graph(500, check);
}

#[test]
fn components_of_an_induced_sub_graph_ignore_the_rest() {
    let mut random = Random::new(7);
    for_each_random_graph(500, |lists| {
        let mut nodes: Vec<Node> = (0..lists.len()).map(Node::new).collect();
        nodes.retain(|_| random.below(4) > 0);
        let components = Components::compute_induced(&common::graph(lists), &nodes);
        check_components(lists, common::set(&nodes), &components);
    });
}

/// By the definition: every way ends, and each at one of the ends, past nodes that may lead there.
#[test]
fn dead_ends_are_where_every_way_comes_to_one() {
    let mut random = Random::new(11);
    let mut found = 0;
    let mut check = |lists: &Lists| {
        let (ends, leading) = (random.below(1 << lists.len()), random.below(1 << lists.len()));
        let has = |set: usize, node: Node| set >> node.index() & 1 == 1;
        let dead_ends = DeadEnds::compute(&common::graph(lists), |node| has(ends, node), |node| has(leading, node));
        let reach = |from: usize| {
            let mut seen = vec![false; lists.len()];
            let mut pending = lists[from].clone();
            while let Some(at) = pending.pop() {
                if !std::mem::replace(&mut seen[at], true) {
                    pending.extend(&lists[at]);
                }
            }
            seen
        };
        let is_fine = |node: usize| match lists[node].is_empty() {
            true => has(ends, Node::new(node)),
            false => has(leading, Node::new(node)) && !reach(node)[node],
        };
        for node in 0..lists.len() {
            let behind = reach(node);
            let expected = is_fine(node) && (0..lists.len()).all(|other| !behind[other] || is_fine(other));
            assert_eq!(dead_ends.contains(Node::new(node)), expected, "{node} of {lists:?}, {ends:b}, {leading:b}");
            found += usize::from(expected);
        }
        assert_eq!(dead_ends.is_empty(), (0..lists.len()).all(|node| !dead_ends.contains(Node::new(node))));
        let without = dead_ends.without(&common::graph(lists));
        assert!(without.edges().all(|(_, target)| !dead_ends.contains(target)));
    };
    for_each_small_graph(&mut check);
    for_each_random_graph(500, &mut check);
    assert!(found > 1_000, "{found}");
}

/// The parents of a random tree in preorder numbers.
fn random_tree(random: &mut Random, len: usize) -> Vec<u32> {
    let slope = 1 + random.below(6);
    let mut way = vec![0];
    let mut parents = vec![0];
    for number in 1..u32::try_from(len).unwrap() {
        // Only a number on the way to the last one can be the parent of the next.
        let keep = way.len().saturating_sub(random.below(slope)).max(1);
        way.truncate(keep);
        parents.push(*way.last().unwrap());
        way.push(number);
    }
    parents
}

fn way_up(parents: &[u32], mut number: u32) -> Vec<u32> {
    let mut way = vec![number];
    while number != 0 {
        number = parents[number as usize];
        way.push(number);
    }
    way
}

#[test]
fn ancestor_table_agrees_with_walking_up() {
    for seed in 1..=300 {
        let mut random = Random::new(seed);
        let len = 1 + random.below(70);
        let parents = random_tree(&mut random, len);
        let table = AncestorTable::compute(parents.clone());
        for left in 0..u32::try_from(len).unwrap() {
            let left_way = way_up(&parents, left);
            assert_eq!(table.parent(left), left_way.get(1).copied());
            for right in 0..u32::try_from(len).unwrap() {
                let right_way = way_up(&parents, right);
                let met = left_way.iter().find(|number| right_way.contains(number)).unwrap();
                let found = table.lowest_common_ancestor(left, right);
                assert_eq!(found, *met, "seed {seed}: {parents:?} {left} {right}");
                assert_eq!(table.is_ancestor(left, right), right_way.contains(&left));
            }
        }
    }
}
