//! Every small graph, once.
//!
//! A graph is canonical when its blocks are numbered in the order in which a breadth-first walk over ordered successors meets
//! them; each rooted graph has exactly one such numbering. So it is enough to write successors block by block, where each new
//! target is the next unused number. At most two successors a block, different ones, and none goes to the entry: 1, 2, 40, 1,000,
//! 31,263 graphs of 1 to 5 blocks.

use crate::plain_graph::PlainGraph;

/// Every canonical graph of `count` blocks, all of them reachable, in lexicographic order of what each block does.
///
/// The number of graphs grows as in the table above: 5 blocks are a few megabytes, 6 are more than a million graphs.
pub fn exhaustive(count: usize) -> Vec<PlainGraph> {
    let mut found = Vec::new();
    let mut stack: Vec<Prefix> = vec![Prefix { lists: Vec::new(), seen: 1 }];
    while let Some(prefix) = stack.pop() {
        let block = prefix.lists.len();
        if block == count {
            found.push(PlainGraph::from_successors(&prefix.lists));
            continue;
        }
        let choices = choices(&prefix, count);
        stack.extend(choices.into_iter().rev());
    }
    found
}

/// The successors of the first blocks, and how many numbers they use.
struct Prefix {
    lists: Vec<Vec<usize>>,
    seen: usize,
}

/// What the next block can do, such that every block can still be reached.
fn choices(prefix: &Prefix, count: usize) -> Vec<Prefix> {
    let mut lists = vec![Vec::new()];
    for first in targets(prefix.seen, count) {
        lists.push(vec![first]);
        let seen = prefix.seen.max(first + 1);
        lists.extend(targets(seen, count).filter(|&second| second != first).map(|second| vec![first, second]));
    }
    let extended = lists.into_iter().map(|list| {
        let seen = list.iter().fold(prefix.seen, |seen, &target| seen.max(target + 1));
        Prefix { lists: prefix.lists.iter().cloned().chain([list]).collect(), seen }
    });
    extended.filter(|next| next.seen == count || next.lists.len() < next.seen).collect()
}

/// The blocks that an edge can go to: those seen, but for the entry, and the next new one.
fn targets(seen: usize, count: usize) -> std::ops::Range<usize> {
    1..(seen + 1).min(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_as_counted_by_dynamic_programming() {
        let counts: Vec<usize> = (1..=4).map(|count| exhaustive(count).len()).collect();
        assert_eq!(counts, [1, 2, 40, 1000]);
    }

    #[test]
    fn each_is_reachable_and_none_comes_twice() {
        let graphs = exhaustive(4);
        assert!(graphs.iter().all(|graph| graph.reached().iter().all(|&reached| reached)));
        let different: std::collections::HashSet<_> = graphs.iter().collect();
        assert_eq!(different.len(), graphs.len());
    }
}
