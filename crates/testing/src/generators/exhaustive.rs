//! Every small graph, once.
//!
//! A graph is canonical if its blocks are numbered in the order of a breadth-first search over ordered successors; each rooted graph has
//! exactly one such numbering. So successors are enumerated block by block, and each new target is the next unused number. The successors
//! of one block are different, and none is the entry.
//!
//! | blocks | 1 | 2 | 3 | 4 | 5 | 6 |
//! |---|---|---|---|---|---|---|
//! | at most two successors | 1 | 2 | 40 | 1,000 | 31,263 | 1,169,194 |
//! | at most three | 1 | 2 | 40 | 9,344 | | |

use crate::plain_graph::PlainGraph;

/// Every canonical graph of `count` blocks with at most two successors, in lexicographic order of the blocks' successors.
///
/// The number of graphs grows as in the table above: 5 blocks need a few megabytes; for 6 use [`beginnings`].
pub fn exhaustive(count: usize) -> Vec<PlainGraph> {
    let mut found = Vec::new();
    Beginning::new(count, 2).for_each(|graph| found.push(graph));
    found
}

/// The graphs with equal first blocks: a part of all graphs, to be enumerated.
#[derive(Clone, Debug)]
pub struct Beginning {
    lists: Vec<Vec<usize>>,
    /// The number of used numbers in the lists.
    seen: usize,
    count: usize,
    arity: usize,
}

/// All graphs of `count` blocks with at most `arity` successors, divided by their first `length` blocks.
pub fn beginnings(count: usize, arity: usize, length: usize) -> Vec<Beginning> {
    let mut parts = vec![Beginning::new(count, arity)];
    for _ in 0..length.min(count) {
        parts = parts.iter().flat_map(Beginning::continued).collect();
    }
    parts
}

impl Beginning {
    fn new(count: usize, arity: usize) -> Beginning {
        Beginning { lists: Vec::new(), seen: 1, count, arity }
    }

    /// Enumerates the graphs of this part, in lexicographic order. All blocks of each are reachable.
    pub fn for_each(&self, mut visit: impl FnMut(PlainGraph)) {
        let mut stack = vec![self.clone()];
        while let Some(beginning) = stack.pop() {
            match beginning.lists.len() == self.count {
                true => visit(PlainGraph::from_successors(&beginning.lists)),
                false => stack.extend(beginning.continued().into_iter().rev()),
            }
        }
    }

    /// The possible successors of the next block, such that every block can still be reached.
    fn continued(&self) -> Vec<Beginning> {
        let mut lists = Vec::new();
        let mut open = vec![Vec::new()];
        while let Some(list) = open.pop() {
            if list.len() < self.arity {
                open.extend(self.targets(&list).map(|target| [&list[..], &[target]].concat()));
            }
            lists.push(list);
        }
        lists.sort();
        let extended = lists.into_iter().map(|list| {
            let seen = list.iter().fold(self.seen, |seen, &target| seen.max(target + 1));
            Beginning { lists: self.lists.iter().cloned().chain([list]).collect(), seen, ..*self }
        });
        extended.filter(|next| next.seen == self.count || next.lists.len() < next.seen).collect()
    }

    /// The possible targets of one more edge besides those of `list`: visited blocks except the entry, and the next new block.
    fn targets(&self, list: &[usize]) -> impl Iterator<Item = usize> {
        let seen = list.iter().fold(self.seen, |seen, &target| seen.max(target + 1));
        (1..(seen + 1).min(self.count)).filter(|target| !list.contains(target))
    }
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
    fn parts_are_the_whole() {
        let mut found = Vec::new();
        beginnings(4, 2, 2).iter().for_each(|part| part.for_each(|graph| found.push(graph)));
        assert_eq!(found, exhaustive(4));
    }

    #[test]
    fn each_is_reachable_and_none_comes_twice() {
        let graphs = exhaustive(4);
        assert!(graphs.iter().all(|graph| graph.reached().iter().all(|&reached| reached)));
        let different: std::collections::HashSet<_> = graphs.iter().collect();
        assert_eq!(different.len(), graphs.len());
    }
}
