//! Merges the back edges of two loops in one block: from there each loop can be entered through the other.
//!
//! ```text
//! h1 ⟲      h2 ⟲       ⇒      h1 ─▶ d ◀─ h2        d ─▶ h1, h2
//! ```

use reconverge_ir::{Block, Edge, Function, Module};

use super::funnel::funnel;
use super::surgery::{back_edges, pick};
use crate::random::Random;

pub(super) fn merge_headers(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let edges = back_edges(module, function);
    let target = |edge: &Edge| module.target(*edge).expect("invariant: a back edge has a target");
    let mut headers: Vec<Block> = edges.iter().map(target).collect();
    headers.sort_unstable();
    headers.dedup();
    let Some(left) = pick(&headers, random) else { return false };
    headers.retain(|&header| header != left);
    let Some(right) = pick(&headers, random) else { return false };
    let edges: Vec<Edge> = edges.iter().copied().filter(|edge| [left, right].contains(&target(edge))).collect();
    funnel(module, function, &edges, [left, right]);
    true
}
