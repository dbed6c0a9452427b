//! The graph that every analysis of this crate reads.

use std::fmt;

use crate::NONE;
use crate::grouped::Grouped;

/// A node: an index in `0..graph.len()`. Prints as `n3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(u32);

impl Node {
    /// The node with this index.
    ///
    /// # Panics
    /// `index` is not below `u32::MAX`.
    #[inline]
    pub fn new(index: usize) -> Self {
        match u32::try_from(index) {
            Ok(raw) if raw != NONE => Self(raw),
            _ => panic!("node index {index} is not below u32::MAX"),
        }
    }

    /// The index this node was made from.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn raw(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "n{}", self.0)
    }
}

/// An immutable directed graph with an entry, stored as compressed sparse rows in both directions.
///
/// Parallel edges and self loops are kept. The entry may have predecessors.
#[derive(Clone, Debug)]
pub struct Graph {
    entry: Node,
    len: usize,
    successors: Grouped<Node>,
    predecessors: Grouped<Node>,
}

impl Graph {
    /// Builds a graph whose node `i` has the `i`-th list as its successors, in operand order.
    ///
    /// Linear in nodes and edges. An empty list makes an empty graph, whose entry is ignored.
    ///
    /// # Panics
    /// When a successor, or the entry of a graph that is not empty, is not below the number of lists.
    pub fn from_successors<L, S>(entry: Node, lists: L) -> Self
    where
        L: IntoIterator<Item = S>,
        S: IntoIterator<Item = Node>,
    {
        let lists = lists.into_iter();
        let mut starts = Vec::with_capacity(lists.size_hint().0 + 1);
        // Most blocks have one successor or two.
        let mut targets: Vec<Node> = Vec::with_capacity(lists.size_hint().0 * 2);
        starts.push(0);
        for list in lists {
            targets.extend(list);
            starts.push(u32::try_from(targets.len()).expect("more than u32::MAX edges"));
        }
        let len = starts.len() - 1;
        assert!(len <= NONE as usize, "a graph of {len} nodes");
        assert!(len == 0 || entry.index() < len, "entry {entry} of a graph of {len} nodes");
        if let Some(edge) = targets.iter().position(|target| target.index() >= len) {
            let source = starts.partition_point(|&start| start as usize <= edge) - 1;
            panic!("edge {} → {} in a graph of {len} nodes", Node::new(source), targets[edge]);
        }
        let predecessors = group_sources(&starts, &targets);
        Self { entry, len, successors: Grouped::from_parts(starts, targets), predecessors }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The node where every path of interest starts.
    pub fn entry(&self) -> Node {
        self.entry
    }

    /// All nodes, ascending.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> + ExactSizeIterator + Clone + use<> {
        (0..self.len).map(Node::new)
    }

    /// The targets of the edges that leave `node`: operand order, duplicates kept.
    #[inline]
    pub fn successors(&self, node: Node) -> &[Node] {
        self.successors.list(node.index())
    }

    /// The sources of the edges that enter `node`: ascending, duplicates kept.
    #[inline]
    pub fn predecessors(&self, node: Node) -> &[Node] {
        self.predecessors.list(node.index())
    }

    /// The number of edges, parallel ones counted each.
    pub fn edge_count(&self) -> usize {
        self.successors.total()
    }

    /// Every edge as `(source, target)`: by source, then in operand order.
    pub fn edges(&self) -> impl Iterator<Item = (Node, Node)> + Clone + '_ {
        self.nodes().flat_map(move |source| {
            let targets = self.successors(source).iter();
            targets.map(move |&target| (source, target))
        })
    }
}

/// The sources of the edges into each node, ascending. Counted two places further on: filling moves each start to where the next node's
/// starts. (This is the most frequent computation on graphs, hence no call of [`Grouped::compute`].)
fn group_sources(starts: &[u32], targets: &[Node]) -> Grouped<Node> {
    let mut first = vec![0_u32; starts.len() + 1];
    for target in targets {
        first[target.index() + 2] += 1;
    }
    let mut total = 0;
    for start in &mut first {
        total += *start;
        *start = total;
    }
    let mut sources = vec![Node(0); targets.len()];
    for (source, range) in (0..).zip(starts.windows(2)) {
        for target in &targets[range[0] as usize..range[1] as usize] {
            let next = &mut first[target.index() + 1];
            sources[*next as usize] = Node(source);
            *next += 1;
        }
    }
    first.truncate(starts.len());
    Grouped::from_parts(first, sources)
}
