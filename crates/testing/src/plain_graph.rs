//! Control flow without contents: blocks, terminators, successors.
//!
//! Every generator returns one; `program_from_graph` turns it into a function, `walk` generates paths. Block 0 is the entry.

use std::fmt;

use reconverge_graph::{Graph, Node};

/// The terminator of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Return.
    Exit,
    /// One successor.
    Jump,
    /// Two successors: the condition is true for the first.
    Conditional,
    /// The default and then the cases, at least the default.
    Switch,
}

/// Blocks with terminators and successors. Unreachable blocks, parallel edges and edges to the entry are allowed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlainGraph {
    successors: Vec<Vec<usize>>,
    endings: Vec<Ending>,
}

impl PlainGraph {
    /// The graph with these successor lists; zero, one, two, more successors mean exit, jump, conditional, switch.
    ///
    /// A successor is not a block.
    pub fn from_successors(lists: &[Vec<usize>]) -> PlainGraph {
        let mut graph = PlainGraph::default();
        for list in lists {
            let ending = match list.len() {
                0 => Ending::Exit,
                1 => Ending::Jump,
                2 => Ending::Conditional,
                _ => Ending::Switch,
            };
            assert!(list.iter().all(|&target| target < lists.len()), "successors are blocks");
            graph.successors.push(list.clone());
            graph.endings.push(ending);
        }
        graph
    }

    /// Turns the terminator of a block with one or two successors into a switch.
    pub fn set_switch(&mut self, block: usize) {
        assert!(!self.successors[block].is_empty(), "a switch has a default");
        self.endings[block] = Ending::Switch;
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.endings.len()
    }

    /// Returns whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.endings.is_empty()
    }

    /// The terminator of a block.
    pub fn ending(&self, block: usize) -> Ending {
        self.endings[block]
    }

    /// The number of successors of a block, parallel edges counted.
    pub fn successor_count(&self, block: usize) -> usize {
        self.successors[block].len()
    }

    /// Successor number `index` of a block.
    pub fn successor(&self, block: usize, index: usize) -> usize {
        self.successors[block][index]
    }

    /// The successors of a block in order, with parallel edges.
    pub fn successors(&self, block: usize) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone + '_ {
        self.successors[block].iter().copied()
    }

    /// The successors of every block.
    pub fn to_successors(&self) -> Vec<Vec<usize>> {
        self.successors.clone()
    }

    /// The same as a graph of crate `graph`.
    pub fn to_graph(&self) -> Graph {
        let lists = (0..self.len()).map(|block| self.successors(block).map(Node::new));
        Graph::from_successors(Node::new(0), lists)
    }

    /// The reachable part, with blocks renumbered in the old order.
    pub fn without_unreachable(&self) -> PlainGraph {
        let reached = self.reached();
        let mut number = vec![usize::MAX; self.len()];
        for (next, block) in (0..self.len()).filter(|&block| reached[block]).enumerate() {
            number[block] = next;
        }
        let mut graph = PlainGraph::default();
        for block in (0..self.len()).filter(|&block| reached[block]) {
            graph.successors.push(self.successors(block).map(|target| number[target]).collect());
            graph.endings.push(self.endings[block]);
        }
        graph
    }

    /// For each block whether it is reachable.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut stack: Vec<usize> = if self.is_empty() { Vec::new() } else { vec![0] };
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut reached[block], true) {
                stack.extend(self.successors(block));
            }
        }
        reached
    }
}

/// `0: 1 2, 1: 2, 2: exit`, switches marked by an asterisk.
impl fmt::Display for PlainGraph {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for block in 0..self.len() {
            let mark = if self.ending(block) == Ending::Switch { "*" } else { "" };
            write!(formatter, "{}{block}{mark}:", if block > 0 { ", " } else { "" })?;
            self.successors(block).try_for_each(|target| write!(formatter, " {target}"))?;
            if self.successor_count(block) == 0 {
                formatter.write_str(" exit")?;
            }
        }
        Ok(())
    }
}
