//! Step 1, clean: reads the input into a [`WorkGraph`].
//!
//! Unreachable blocks are removed, nodes are numbered in reverse post-order, edges with equal targets become one edge that carries all of
//! them, and an entry that is a branch target gets an empty block before it:
//!
//! ```text
//!    b0 ⟲          entry
//!    │        ⇒      │
//!    b1              b0 ⟲
//!                    │
//!                    b1
//! ```
//!
//! Linear in blocks and edges.

use crate::input::{Branch, ControlFlow, Hints, InputBlock};
use crate::plan::Carried;
use crate::work::{NONE, Node, NodeKind, Port, WorkEdge, WorkGraph};

/// Reads the reachable part of `graph`.
pub(crate) fn compute_work_graph(graph: &impl ControlFlow) -> WorkGraph {
    let (blocks, node_of, edge_count) = compute_order(graph);
    let count = blocks.len();
    let mut work = WorkGraph {
        input_count: node_of.len(),
        blocks,
        node_of,
        entry: 0,
        kinds: Vec::with_capacity(count + 1),
        first_edge: Vec::with_capacity(count + 2),
        edges: Vec::with_capacity(edge_count + 1),
        carried: Vec::with_capacity(edge_count),
        dispatch_ports: Vec::new(),
        convergence: Vec::with_capacity(count + 1),
        weights: Vec::with_capacity(count + 1),
        passes_values: Vec::with_capacity(count + 1),
        has_statements: Vec::with_capacity(count + 1),
        hints: Vec::new(),
    };
    work.first_edge.push(0);
    let mut groups = Groups { place_of: Vec::new(), places: Vec::new() };
    for node in 0..count as Node {
        let block = work.block(node);
        work.kinds.push(match graph.branch(block) {
            Branch::Switch => NodeKind::InputSwitch,
            Branch::Unreachable => NodeKind::InputUnreachable,
            Branch::Exit | Branch::Jump | Branch::Conditional => NodeKind::Input,
        });
        work.convergence.push(graph.convergence(block));
        work.weights.push(graph.weight(block));
        work.passes_values.push(graph.passes_values(block));
        work.has_statements.push(graph.has_statements(block));
        let hints = graph.hints(block);
        if hints != Hints::default() {
            work.hints.push((node, hints));
        }
        push_edges(&mut work, block, graph.successors(block), &mut groups);
        work.first_edge.push(work.edges.len() as u32);
    }
    let WorkGraph { hints, blocks, .. } = &mut work;
    hints.sort_unstable_by_key(|&(node, _)| blocks[node as usize]);
    if work.edges.iter().any(|edge| edge.target == work.entry) {
        let target = work.entry;
        work.entry = work.push_node(NodeKind::Entry, &[(target, work.number(target))]);
    }
    work
}

/// The targets of the successors of one block.
struct Groups {
    /// For each target: the index of its edge among those of the block, [`NONE`] if it has none yet.
    place_of: Vec<u32>,
    /// For each successor: the index of its edge.
    places: Vec<u32>,
}

/// Groups the successors of `block` by target, in order of first occurrence.
fn push_edges(work: &mut WorkGraph, block: InputBlock, successors: &[InputBlock], groups: &mut Groups) {
    match successors {
        [] => {}
        [target] => push_edge(work, block, *target, [0]),
        [first, second] if first != second => {
            push_edge(work, block, *first, [0]);
            push_edge(work, block, *second, [1]);
        }
        [first, _] => push_edge(work, block, *first, [0, 1]),
        _ => push_groups(work, block, successors, groups),
    }
}

fn push_edge<const COUNT: usize>(
    work: &mut WorkGraph,
    block: InputBlock,
    target: InputBlock,
    successors: [u32; COUNT],
) {
    let first_carried = work.carried.len() as u32;
    work.carried.extend(successors.map(|successor| Carried { source: block, successor }));
    let [source, node] = [block, target].map(|block| work.node_of[block.index()]);
    work.edges.push(WorkEdge { source, target: node, port: target.index() as Port, first_carried });
}

/// The same for any number of successors: counts those of each edge, then fills.
fn push_groups(work: &mut WorkGraph, block: InputBlock, successors: &[InputBlock], groups: &mut Groups) {
    groups.place_of.resize(work.blocks.len(), NONE);
    groups.places.clear();
    let first = work.edges.len();
    let source = work.node_of[block.index()];
    for successor in successors {
        let (target, port) = (work.node_of[successor.index()], successor.index() as Port);
        let place = &mut groups.place_of[target as usize];
        if *place == NONE {
            *place = (work.edges.len() - first) as u32;
            work.edges.push(WorkEdge { source, target, port, first_carried: 0 });
        }
        work.edges[first + *place as usize].first_carried += 1;
        groups.places.push(*place);
    }
    let mut begin = work.carried.len() as u32;
    for edge in &mut work.edges[first..] {
        groups.place_of[edge.target as usize] = NONE;
        // Counts become ends: filling in reverse order moves each to the start of its range.
        begin += edge.first_carried;
        edge.first_carried = begin;
    }
    work.carried.resize(begin as usize, Carried { source: block, successor: 0 });
    for (successor, &place) in groups.places.iter().enumerate().rev() {
        let end = &mut work.edges[first + place as usize].first_carried;
        *end -= 1;
        work.carried[*end as usize].successor = successor as u32;
    }
}

/// The reachable blocks in reverse post-order, the node of each block, and the total number of their successors. Successors are visited
/// last to first, as the analyses do, so that their order is nearly this one.
fn compute_order(graph: &impl ControlFlow) -> (Vec<InputBlock>, Vec<Node>, usize) {
    let entry = graph.entry();
    let mut node_of = vec![NONE; graph.block_count()];
    let mut blocks = Vec::with_capacity(graph.block_count());
    let mut stack = Vec::with_capacity(32);
    node_of[entry.index()] = 0;
    let successors = graph.successors(entry);
    let mut edge_count = successors.len();
    stack.push((entry, successors));
    while let Some((block, left)) = stack.last_mut() {
        let Some((&target, rest)) = left.split_last() else {
            blocks.push(*block);
            stack.pop();
            continue;
        };
        *left = rest;
        if node_of[target.index()] == NONE {
            node_of[target.index()] = 0;
            let successors = graph.successors(target);
            edge_count += successors.len();
            stack.push((target, successors));
        }
    }
    blocks.reverse();
    for (node, block) in (0..).zip(&blocks) {
        node_of[block.index()] = node;
    }
    (blocks, node_of, edge_count)
}
