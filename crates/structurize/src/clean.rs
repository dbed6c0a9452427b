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

use crate::input::{Branch, ControlFlow, InputBlock};
use crate::plan::Carried;
use crate::work::{Kind, NONE, Node, WorkEdge, WorkGraph};

/// Reads the reachable part of `graph`.
pub(crate) fn compute_work_graph(graph: &impl ControlFlow) -> WorkGraph {
    let count = graph.block_count();
    let reachable = compute_reachable(graph);
    let mut work = WorkGraph {
        input_count: count,
        entry: graph.entry().index() as Node,
        kinds: Vec::with_capacity(count),
        first_edge: vec![0],
        edges: Vec::new(),
        carried: Vec::new(),
        dispatch_ports: Vec::new(),
        convergent: vec![false; count],
        weights: vec![0; count],
    };
    let mut place_of = vec![NONE; count];
    let mut entry_is_target = false;
    for (index, &is_reachable) in reachable.iter().enumerate() {
        let block = InputBlock::new(index);
        let is_switch = is_reachable && graph.branch(block) == Branch::Switch;
        work.kinds.push(if is_switch { Kind::InputSwitch } else { Kind::Input });
        if is_reachable {
            work.convergent[index] = graph.is_convergent(block);
            work.weights[index] = graph.weight(block);
            push_edges(&mut work, graph, block, &mut place_of);
            entry_is_target |= graph.successors(block).contains(&graph.entry());
        }
        work.first_edge.push(work.edges.len() as u32);
    }
    if entry_is_target {
        let target = work.entry;
        work.entry = work.push_node(Kind::Entry, &[(target, target)]);
    }
    work
}

/// Groups the successors of `block` by target, in order of first occurrence.
fn push_edges(work: &mut WorkGraph, graph: &impl ControlFlow, block: InputBlock, place_of: &mut [u32]) {
    let first = work.edges.len();
    let successors = graph.successors(block);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (successor, target) in successors.iter().enumerate() {
        let place = &mut place_of[target.index()];
        if *place == NONE {
            *place = groups.len() as u32;
            groups.push(Vec::new());
        }
        groups[*place as usize].push(successor);
    }
    for group in groups {
        let target = successors[group[0]];
        place_of[target.index()] = NONE;
        let begin = work.carried.len() as u32;
        work.carried.extend(group.iter().map(|&successor| Carried { source: block, successor }));
        work.edges.push(WorkEdge {
            source: block.index() as Node,
            target: target.index() as Node,
            port: target.index() as Node,
            own_port: NONE,
            carried: (begin, work.carried.len() as u32),
        });
    }
    debug_assert!(work.edges.len() - first <= successors.len());
}

fn compute_reachable(graph: &impl ControlFlow) -> Vec<bool> {
    let mut reachable = vec![false; graph.block_count()];
    let mut stack = vec![graph.entry()];
    reachable[graph.entry().index()] = true;
    while let Some(block) = stack.pop() {
        for &target in graph.successors(block) {
            if !std::mem::replace(&mut reachable[target.index()], true) {
                stack.push(target);
            }
        }
    }
    reachable
}
