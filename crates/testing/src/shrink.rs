//! Shrinks a graph with a failure, as long as it still fails.
//!
//! Blocks become exits, conditionals become jumps, cases are removed, blocks that only jump are skipped. Each change is kept if the graph
//! still fails. Greedy; quadratic in blocks, times the cost of one test.

use crate::plain_graph::PlainGraph;

/// A graph that still fails, and that no single change can shrink further.
pub fn shrink(graph: &PlainGraph, mut fails: impl FnMut(&PlainGraph) -> bool) -> PlainGraph {
    let mut best = graph.without_unreachable();
    if !fails(&best) {
        return graph.clone();
    }
    'again: loop {
        for smaller in changes(&best) {
            if fails(&smaller) {
                best = smaller;
                continue 'again;
            }
        }
        return best;
    }
}

/// The graphs after one change.
fn changes(graph: &PlainGraph) -> Vec<PlainGraph> {
    let lists = graph.to_successors();
    let mut found = Vec::new();
    for block in 0..graph.len() {
        if !lists[block].is_empty() {
            found.push(with_list(&lists, block, Vec::new()));
        }
        for index in 0..lists[block].len() {
            let mut list = lists[block].clone();
            list.remove(index);
            found.push(with_list(&lists, block, list));
        }
        if let [target] = lists[block][..]
            && target != block
        {
            let jumped_over =
                lists.iter().map(|list| list.iter().map(|&to| if to == block { target } else { to }).collect());
            let jumped_over: Vec<Vec<usize>> = jumped_over.collect();
            found.push(PlainGraph::from_successors(&jumped_over).without_unreachable());
        }
    }
    let size = |graph: &PlainGraph| graph.len() + graph.to_successors().iter().map(Vec::len).sum::<usize>();
    found.retain(|smaller| size(smaller) < size(graph));
    found.sort_by_key(size);
    found
}

fn with_list(lists: &[Vec<usize>], block: usize, list: Vec<usize>) -> PlainGraph {
    let mut lists = lists.to_vec();
    lists[block] = list;
    PlainGraph::from_successors(&lists).without_unreachable()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::wild::wild;

    #[test]
    fn what_is_left_still_fails_and_is_small() {
        let has_self_loop = |graph: &PlainGraph| {
            let reached = graph.reached();
            (0..graph.len())
                .any(|block| reached[block] && block > 0 && graph.successors(block).any(|target| target == block))
        };
        let graph = (0..).map(|seed| wild(seed, 30)).find(has_self_loop).expect("some wild graph has a self loop");
        let small = shrink(&graph, has_self_loop);
        assert!(has_self_loop(&small) && small.len() == 2, "{small}");
    }
}
