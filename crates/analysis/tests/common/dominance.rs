//! Dominance of small graphs by definition.

/// Which nodes the entry reaches without passing one.
fn reached_without(graph: &[Vec<usize>], without: Option<usize>) -> Vec<bool> {
    let mut is_reached = vec![false; graph.len()];
    let mut pending = vec![0];
    while let Some(node) = pending.pop() {
        if Some(node) != without && !std::mem::replace(&mut is_reached[node], true) {
            pending.extend(&graph[node]);
        }
    }
    is_reached
}

/// Whether one node dominates another, by definition; `dominates[above][below]`.
pub(crate) fn dominance(graph: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let is_reachable = reached_without(graph, None);
    let row = |above: usize| {
        let without = reached_without(graph, Some(above));
        (0..graph.len()).map(|below| is_reachable[above] && is_reachable[below] && !without[below]).collect()
    };
    (0..graph.len()).map(row).collect()
}
