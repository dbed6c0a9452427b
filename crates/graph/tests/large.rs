//! Large graphs on a small stack, and graphs with nothing in them.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use crate::common;
use crate::common::Lists;
use reconverge_graph::{
    Components, ControlDependence, CycleForest, DominanceFrontiers, DominatorTree, Graph, Node, Order,
    PostDominanceFrontiers, PostDominatorTree, compute_iterated_frontier, compute_iterated_post_frontier,
};

const NODES: usize = 200_000;
const STACK_BYTES: usize = 256 * 1024;

/// What the linear analyses say of a graph.
struct Facts {
    graph: Graph,
    dominators: DominatorTree,
    post_dominators: PostDominatorTree,
    cycles: CycleForest,
}

fn compute(lists: &Lists) -> Facts {
    let graph = common::graph(lists);
    let order = Order::compute_reverse_post_order(&graph);
    let dominators = DominatorTree::compute(&graph, &order);
    let middle = [Node::new(lists.len() / 2)];
    compute_iterated_frontier(&graph, &dominators, &middle);
    let post_dominators = PostDominatorTree::compute(&graph);
    compute_iterated_post_frontier(&post_dominators, &middle);
    assert!(Components::compute(&graph).count() > 0);
    Facts { cycles: CycleForest::compute(&graph, &order, &dominators), graph, dominators, post_dominators }
}

fn on_a_small_stack(body: fn()) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(body);
    thread.unwrap().join().unwrap();
}

fn deepest_cycle(cycles: &CycleForest) -> usize {
    cycles.cycles().map(|cycle| cycles.depth(cycle)).max().unwrap_or(0)
}

#[test]
fn chain() {
    on_a_small_stack(|| {
        let mut lists: Lists = (1..NODES).map(|next| vec![next]).collect();
        lists.push(vec![]);
        let facts = compute(&lists);
        let last = Node::new(NODES - 1);
        assert_eq!(facts.dominators.depth(last), NODES - 1);
        assert_eq!(facts.post_dominators.depth(Node::new(0)), NODES);
        let frontiers = DominanceFrontiers::compute(&facts.graph, &facts.dominators);
        assert!(frontiers.frontier(last).is_empty());
        let frontiers = PostDominanceFrontiers::compute(&facts.post_dominators);
        assert!(frontiers.frontier(Node::new(0)).is_empty());
        let dependence = ControlDependence::compute(&facts.graph, &facts.post_dominators);
        assert!(dependence.dependences(last).is_empty());
    });
}

/// Two rails with all edges between neighbouring rungs.
fn ladder(rungs: usize) -> Lists {
    let mut lists = vec![vec![1, 2]];
    for rung in 0..rungs {
        let next = vec![2 * rung + 3, 2 * rung + 4];
        lists.extend([next.clone(), next]);
    }
    lists.extend([vec![], vec![]]);
    lists
}

#[test]
fn forward_ladder() {
    on_a_small_stack(|| {
        let facts = compute(&ladder(NODES / 2));
        assert_eq!(facts.dominators.children(Node::new(0)).len(), NODES + 2);
        assert_eq!(facts.cycles.cycles().len(), 0);
        let frontiers = DominanceFrontiers::compute(&facts.graph, &facts.dominators);
        assert_eq!(frontiers.frontier(Node::new(1)), [Node::new(3), Node::new(4)]);
    });
}

#[test]
fn loops_nested_deeply() {
    on_a_small_stack(|| {
        // Headers 0..half, latches back in reverse.
        let half = NODES / 2;
        let mut lists: Lists = (1..=half).map(|next| vec![next]).collect();
        for latch in half..2 * half {
            lists.push(vec![2 * half - 1 - latch, latch + 1]);
        }
        lists.push(vec![]);
        let facts = compute(&lists);
        assert!(facts.cycles.is_reducible_graph());
        assert_eq!(deepest_cycle(&facts.cycles), half);
        assert_eq!(facts.cycles.innermost(Node::new(half)).map(|c| facts.cycles.depth(c)), Some(half));
        assert_eq!(facts.cycles.blocks(facts.cycles.outermost()[0]).len(), 2 * half);
    });
}

#[test]
fn chain_of_two_way_edges() {
    on_a_small_stack(|| {
        let mut lists: Lists = (0..NODES).map(|node| vec![node + 1, node.saturating_sub(1)]).collect();
        lists.push(vec![]);
        let facts = compute(&lists);
        assert!(facts.cycles.is_reducible_graph());
        assert_eq!(deepest_cycle(&facts.cycles), NODES - 1);
    });
}

#[test]
fn cycles_that_all_have_quadratically_many_entries_together() {
    on_a_small_stack(|| {
        // A chain of two-way edges that a chain of branches enters everywhere.
        let half = NODES / 2;
        let mut lists: Lists = (0..half).map(|node| vec![half + node, (node + 1).min(half - 1)]).collect();
        for node in 0..half {
            lists.push(vec![half + (node + 1).min(half - 1), half + node.saturating_sub(1)]);
        }
        let facts = compute(&lists);
        // The last branch loops on itself; the traversal enters the chain there first.
        let header = Node::new(2 * half - 1);
        let outer = facts.cycles.headed_by(header).unwrap();
        assert_eq!(facts.cycles.depth(outer), 1);
        assert_eq!(facts.cycles.entries(outer).len(), half);
        assert!(!facts.cycles.is_reducible(outer));
        assert!(deepest_cycle(&facts.cycles) >= half - 1);
    });
}

#[test]
fn ladder_of_two_way_edges_entered_at_both_rails() {
    on_a_small_stack(|| {
        let mut lists = ladder(NODES / 2);
        let last = lists.len();
        for (node, list) in lists.iter_mut().enumerate().skip(3) {
            let rung = (node - 1) / 2;
            list.extend([2 * rung - 1, 2 * rung]);
        }
        let facts = compute(&lists);
        let outer = facts.cycles.outermost()[0];
        assert_eq!(facts.cycles.blocks(outer).len(), last - 1);
        assert_eq!(facts.cycles.entries(outer), [Node::new(2), Node::new(1)]);
        assert!(deepest_cycle(&facts.cycles) > NODES / 4);
        assert!(facts.post_dominators.never_exits(Node::new(0)));
    });
}

#[test]
fn nothing() {
    let facts = compute_nothing();
    assert!(facts.0.is_empty() && facts.1.sequence().is_empty());
}

fn compute_nothing() -> (Graph, Order) {
    let graph = Graph::from_successors(Node::new(0), Vec::<Vec<Node>>::new());
    let order = Order::compute_reverse_post_order(&graph);
    let dominators = DominatorTree::compute(&graph, &order);
    assert!(dominators.preorder().is_empty());
    assert_eq!(CycleForest::compute(&graph, &order, &dominators).cycles().len(), 0);
    assert_eq!(Components::compute(&graph).count(), 0);
    assert!(compute_iterated_frontier(&graph, &dominators, &[]).is_empty());
    let post_dominators = PostDominatorTree::compute(&graph);
    assert!(post_dominators.children(None).is_empty());
    ControlDependence::compute(&graph, &post_dominators);
    DominanceFrontiers::compute(&graph, &dominators);
    PostDominanceFrontiers::compute(&post_dominators);
    (graph, order)
}
