//! The graph of a function: an edge leads from a node to one that has to be uniform for it to be uniform.
//!
//! A node may have an explanation, which is part of the reason for every path through it. Source: WGSL, section 15.2.3.

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Node(u32);

/// Nodes with the edges from each, and explanations.
pub(crate) struct Graph<R> {
    edges: Vec<Vec<Node>>,
    /// The explanation of each node for the paths through it.
    remarks: Vec<Option<R>>,
}

/// The nodes that lead to a target, and the next node on a shortest path from each.
pub(crate) struct Ways {
    next: Vec<Option<Node>>,
    target: Node,
}

impl<R> Default for Graph<R> {
    fn default() -> Self {
        Graph { edges: Vec::new(), remarks: Vec::new() }
    }
}

impl<R: Clone> Graph<R> {
    /// Adds a node that is uniform only if these are.
    pub(crate) fn node(&mut self, needs: impl IntoIterator<Item = Node>) -> Node {
        let mut needs: Vec<Node> = needs.into_iter().collect();
        needs.sort_unstable();
        needs.dedup();
        self.edges.push(needs);
        self.remarks.push(None);
        Node(u32::try_from(self.edges.len() - 1).expect("texts have fewer than 2³² operations"))
    }

    /// Adds a node as [`node`](Self::node) does, with an explanation.
    pub(crate) fn explained(&mut self, needs: impl IntoIterator<Item = Node>, remark: R) -> Node {
        let node = self.node(needs);
        self.remarks[node.0 as usize] = Some(remark);
        node
    }

    pub(crate) fn add_edge(&mut self, from: Node, to: Node) {
        self.edges[from.0 as usize].push(to);
    }

    /// The nodes with a path to the target. Linear.
    pub(crate) fn ways_to(&self, target: Node) -> Ways {
        let mut users: Vec<Vec<Node>> = vec![Vec::new(); self.edges.len()];
        for (from, needs) in (0..).map(Node).zip(&self.edges) {
            needs.iter().for_each(|to| users[to.0 as usize].push(from));
        }
        let mut next = vec![None; self.edges.len()];
        next[target.0 as usize] = Some(target);
        let mut queue = std::collections::VecDeque::from([target]);
        while let Some(node) = queue.pop_front() {
            for &user in &users[node.0 as usize] {
                if next[user.0 as usize].is_none() {
                    next[user.0 as usize] = Some(node);
                    queue.push_back(user);
                }
            }
        }
        Ways { next, target }
    }

    /// The nodes on paths from a node; a function returns where the paths from each go on. The first is the node itself. Linear.
    pub(crate) fn reached(&self, from: Node, onward: impl Fn(Node, &[Node]) -> Vec<Node>) -> Vec<Node> {
        let mut is_known = vec![false; self.edges.len()];
        is_known[from.0 as usize] = true;
        let mut found = vec![from];
        let mut place = 0;
        while let Some(&node) = found.get(place) {
            place += 1;
            for next in onward(node, &self.edges[node.0 as usize]) {
                if !std::mem::replace(&mut is_known[next.0 as usize], true) {
                    found.push(next);
                }
            }
        }
        found
    }

    /// The explanations on the path from a node to the target.
    pub(crate) fn explain(&self, ways: &Ways, from: Node) -> Vec<R> {
        let on_way =
            std::iter::successors(Some(from), |&node| ways.next[node.0 as usize].filter(|_| node != ways.target));
        on_way.filter_map(|node| self.remarks[node.0 as usize].clone()).collect()
    }
}

impl Ways {
    /// Returns whether a path leads from the node to the target.
    pub(crate) fn lead_from(&self, node: Node) -> bool {
        self.next[node.0 as usize].is_some()
    }
}
