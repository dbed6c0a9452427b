//! The control flow graph of a function in the file, by block indices.
//!
//! A depth-first search distinguishes back edges from forward ones. It follows branch edges and SPIR-V's structural edges (section 2.11.2),
//! from each header to its merge block and continue block, so that the loop of a continue block without predecessors is found as well.
//! Blocks that the entry does not reach are searched after it, in order.

use std::ops::Range;

use super::function::SourceFunction;

/// Successors and predecessors of each block.
pub(super) struct Flow {
    /// The targets of each terminator, in operand order, with repetitions.
    successors: Vec<Vec<u32>>,
    predecessors: Vec<u32>,
    predecessor_ranges: Vec<Range<usize>>,
    opened: Vec<u32>,
    closed: Vec<u32>,
}

/// A block on the stack of the search, and the index of its next successor.
#[derive(Clone, Copy)]
struct Visit {
    block: usize,
    next: usize,
}

impl Flow {
    /// Computes the graph. Linear.
    pub(super) fn of(source: &SourceFunction, successors: Vec<Vec<u32>>) -> Flow {
        let count = successors.len();
        let mut flow = Flow {
            successors,
            predecessors: Vec::new(),
            predecessor_ranges: Vec::with_capacity(count),
            opened: vec![u32::MAX; count],
            closed: vec![u32::MAX; count],
        };
        flow.gather_predecessors();
        flow.search(source);
        flow
    }

    /// The blocks that a block's terminator names, in operand order, with repetitions.
    pub(super) fn successors(&self, block: usize) -> &[u32] {
        &self.successors[block]
    }

    /// The blocks that branch to a block, each once, in block order.
    pub(super) fn predecessors(&self, block: usize) -> &[u32] {
        &self.predecessors[self.predecessor_ranges[block].clone()]
    }

    /// Returns whether a terminator names more than one block.
    pub(super) fn branches_many_ways(&self, block: usize) -> bool {
        self.successors[block].windows(2).any(|pair| pair[0] != pair[1])
    }

    /// Returns whether an edge goes to an ancestor in the search.
    pub(super) fn is_back_edge(&self, source: usize, target: usize) -> bool {
        self.opened[target] <= self.opened[source] && self.closed[source] <= self.closed[target]
    }

    fn gather_predecessors(&mut self) {
        let count = self.successors.len();
        let mut last_seen = vec![u32::MAX; count];
        let mut sizes = vec![0usize; count];
        let mut edges = Vec::new();
        for (source, targets) in self.successors.iter().enumerate() {
            for &target in targets {
                if std::mem::replace(&mut last_seen[target as usize], source as u32) != source as u32 {
                    sizes[target as usize] += 1;
                    edges.push((source as u32, target));
                }
            }
        }
        let mut start = 0;
        for size in &sizes {
            self.predecessor_ranges.push(start..start);
            start += size;
        }
        self.predecessors = vec![0; start];
        for (source, target) in edges {
            let range = &mut self.predecessor_ranges[target as usize];
            self.predecessors[range.end] = source;
            range.end += 1;
        }
    }

    fn search(&mut self, source: &SourceFunction) {
        let mut clock = 0;
        let mut stack: Vec<Visit> = Vec::new();
        for root in 0..self.successors.len() {
            if self.opened[root] != u32::MAX {
                continue;
            }
            self.open(root, &mut clock, &mut stack);
            while let Some(top) = stack.last_mut() {
                let Visit { block, next } = *top;
                top.next += 1;
                match self.structural_successor(source, block, next) {
                    Some(target) if self.opened[target] == u32::MAX => self.open(target, &mut clock, &mut stack),
                    Some(_) => {}
                    None => {
                        self.closed[block] = clock;
                        clock += 1;
                        stack.pop();
                    }
                }
            }
        }
    }

    fn open(&mut self, block: usize, clock: &mut u32, stack: &mut Vec<Visit>) {
        self.opened[block] = *clock;
        *clock += 1;
        stack.push(Visit { block, next: 0 });
    }

    fn structural_successor(&self, source: &SourceFunction, block: usize, index: usize) -> Option<usize> {
        let targets = &self.successors[block];
        if let Some(&target) = targets.get(index) {
            return Some(target as usize);
        }
        let merge = source.blocks[block].merge?;
        match index - targets.len() {
            0 => Some(merge.merge),
            1 => merge.continue_block,
            _ => None,
        }
    }
}
