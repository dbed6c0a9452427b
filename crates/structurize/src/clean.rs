//! Step 1, clean: reads the input into a [`WorkGraph`].
//!
//! Unreachable blocks keep no edges, branches with equal targets become one edge that carries all
//! of them, and an entry that is branched to gets an empty block in front:
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

use crate::input::{Branch, ControlFlow, Convergence, Hints, InputBlock};
use crate::plan::Carried;
use crate::work::{Kind, NONE, Node, WorkEdge, WorkGraph};

/// Reads the reachable part of `graph`.
pub(crate) fn compute_work_graph(graph: &impl ControlFlow) -> WorkGraph {
    let count = graph.block_count();
    let (reachable, edge_count) = compute_reachable(graph);
    let mut work = WorkGraph {
        input_count: count,
        entry: graph.entry().index() as Node,
        kinds: Vec::with_capacity(count + 1),
        first_edge: Vec::with_capacity(count + 2),
        edges: Vec::with_capacity(edge_count + 1),
        carried: Vec::with_capacity(edge_count),
        dispatch_ports: Vec::new(),
        convergence: vec![Convergence::None; count],
        weights: vec![0; count],
        hints: Vec::new(),
    };
    work.first_edge.push(0);
    let mut groups = Groups { place_of: Vec::new(), places: Vec::new() };
    let mut entry_is_target = false;
    for (index, &is_reachable) in reachable.iter().enumerate() {
        let block = InputBlock::new(index);
        let is_switch = is_reachable && graph.branch(block) == Branch::Switch;
        work.kinds.push(if is_switch { Kind::InputSwitch } else { Kind::Input });
        if is_reachable {
            work.convergence[index] = graph.convergence(block);
            work.weights[index] = graph.weight(block);
            let hints = graph.hints(block);
            if hints != Hints::default() {
                work.hints.push((index as Node, hints));
            }
            push_edges(&mut work, block, graph.successors(block), &mut groups);
        }
        let begin = work.first_edge[index] as usize;
        entry_is_target |= work.edges[begin..].iter().any(|edge| edge.target == work.entry);
        work.first_edge.push(work.edges.len() as u32);
    }
    if entry_is_target {
        let target = work.entry;
        work.entry = work.push_node(Kind::Entry, &[(target, target)]);
    }
    work
}

/// Where the successors of one block go, by target.
struct Groups {
    /// Of each target: the index of its edge among those of the block, [`NONE`] when it has none yet.
    place_of: Vec<u32>,
    /// Of each successor: the index of its edge.
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
    successors: [usize; COUNT],
) {
    let begin = work.carried.len() as u32;
    work.carried.extend(successors.map(|successor| Carried { source: block, successor }));
    let carried = (begin, work.carried.len() as u32);
    let target = target.index() as Node;
    work.edges.push(WorkEdge { source: block.index() as Node, target, port: target, own_port: NONE, carried });
}

/// The same for any number of successors: counts those of each edge, then fills.
fn push_groups(work: &mut WorkGraph, block: InputBlock, successors: &[InputBlock], groups: &mut Groups) {
    groups.place_of.resize(work.input_count, NONE);
    groups.places.clear();
    let first = work.edges.len();
    let source = block.index() as Node;
    for successor in successors {
        let target = successor.index() as Node;
        let place = &mut groups.place_of[target as usize];
        if *place == NONE {
            *place = (work.edges.len() - first) as u32;
            work.edges.push(WorkEdge { source, target, port: target, own_port: NONE, carried: (0, 0) });
        }
        work.edges[first + *place as usize].carried.1 += 1;
        groups.places.push(*place);
    }
    let mut begin = work.carried.len() as u32;
    for edge in &mut work.edges[first..] {
        groups.place_of[edge.target as usize] = NONE;
        let count = edge.carried.1;
        // Filling moves the end to where it belongs.
        edge.carried = (begin, begin);
        begin += count;
    }
    work.carried.resize(begin as usize, Carried { source: block, successor: 0 });
    for (successor, &place) in groups.places.iter().enumerate() {
        let end = &mut work.edges[first + place as usize].carried.1;
        work.carried[*end as usize].successor = successor;
        *end += 1;
    }
}

/// The reachable blocks, and how many successors they have together.
fn compute_reachable(graph: &impl ControlFlow) -> (Vec<bool>, usize) {
    let mut reachable = vec![false; graph.block_count()];
    let mut edge_count = 0;
    let mut stack = vec![graph.entry()];
    reachable[graph.entry().index()] = true;
    while let Some(block) = stack.pop() {
        let successors = graph.successors(block);
        edge_count += successors.len();
        for &target in successors {
            if !std::mem::replace(&mut reachable[target.index()], true) {
                stack.push(target);
            }
        }
    }
    (reachable, edge_count)
}
