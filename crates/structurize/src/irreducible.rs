//! Step 2: irreducible cycles get a single entry, their *dispatch node*.
//!
//! ```text
//!      a                  a
//!     / \                 │  carrying "b" or "c"
//!    b ⇄ c      ⇒         D ←──────┐
//!    │                   / \       │
//!    d                  b → c ─────┘ carrying "b"
//!                       │
//!                       d
//! ```
//!
//! A cycle with several entries gets a node D whose successors are the entries. All edges from outside to an entry are redirected to D, and
//! from inside only those that *retreat* in the cycle's own reverse post-order: forward edges between entries stay, so that Duff's device
//! becomes one loop around one switch with fall-through. The first entry in that order loses every edge from inside, hence each round makes
//! progress.
//!
//! A region, at first the whole graph, is split into strongly connected components. A component with several entries gets its D; its
//! contents depend on the edges that were redirected to D, so it is a region of its own, unless it has no retreating edge left. A component
//! with one entry is a loop, which may contain irreducible cycles inside several further loops: there the cycle forest lists the nested
//! cycles. The cycles within a cycle of one entry are those of the graph without that entry, which is how the forest is defined, so one
//! search finds the outermost irreducible ones of the whole nest.
//!
//! Each search after a dispatch node costs another pass over its contents, so nesting is bounded: a cycle inside [`DISPATCHES_KEPT`]
//! dispatch nodes, or inside [`CYCLES_KEPT`] cycles, which the nesting limit would flatten anyway, gets every target of a retreating edge
//! as an entry, which leaves no cycle inside. O(edges · log) for each of at most `DISPATCHES_KEPT` + 1 searches; a reducible graph costs
//! none.

use reconverge_graph::{Components, CycleForest, Graph, Order};

use crate::work::{Analyses, NONE, Node, NodeKind, WorkGraph};

/// A cycle inside this many others is not split.
const CYCLES_KEPT: usize = 64;
/// Nested dispatch nodes. No code written by people has three.
const DISPATCHES_KEPT: usize = 4;

/// Inserts dispatch nodes into `work` until every cycle has one entry. Returns the analyses of the result; `None` would mean that a cycle
/// is left.
pub(crate) fn make_reducible(work: &mut WorkGraph) -> Option<Analyses> {
    let (graph, order) = match Analyses::compute(work.to_graph()) {
        Ok(analyses) => return Some(analyses),
        Err(irreducible) => *irreducible,
    };
    let mut search = EntrySearch::new(work, &order);
    let depth = Depth { cycles: 0, dispatches: 0 };
    let mut worklist = Vec::new();
    search.split(work, &graph, &Region { names: work.nodes().collect(), depth, is_loop: false }, &mut worklist);
    while let Some(region) = worklist.pop() {
        let graph = search.compute_local_graph(work, &region);
        if !region.is_loop {
            search.split(work, &graph, &region, &mut worklist);
        } else if let Err(irreducible) = Analyses::compute(graph) {
            let (graph, order) = *irreducible;
            search.split_loop(work, &CycleForest::compute_irreducible(&graph, &order), &region, &mut worklist);
        }
    }
    Analyses::compute(work.to_graph()).ok()
}

/// The surroundings of a region.
#[derive(Clone, Copy)]
struct Depth {
    cycles: usize,
    dispatches: usize,
}

impl Depth {
    /// Returns whether the region is not split any further.
    fn is_bound(self) -> bool {
        self.cycles >= CYCLES_KEPT || self.dispatches >= DISPATCHES_KEPT
    }
}

/// A part of the graph that is searched for irreducible cycles.
struct Region {
    /// Its nodes. The first is its dispatch node, or the header if it is a loop.
    names: Vec<Node>,
    depth: Depth,
    is_loop: bool,
}

/// A cycle that needs a dispatch node.
struct Irreducible {
    nodes: Vec<Node>,
    /// The nodes that edges from outside lead to.
    entries: Vec<Node>,
}

/// The place of a node.
#[derive(Clone, Copy)]
struct Member {
    /// The last cycle (by its number) that contained it.
    cycle: u32,
    /// Its place in the order of that cycle.
    place: u32,
}

/// For a node that was in no cycle.
const NOWHERE: Member = Member { cycle: NONE, place: NONE };

/// Tables by node.
struct EntrySearch {
    /// Position of each node in the reverse post-order of the input.
    position: Vec<u32>,
    /// Edges of the input by their target: `incoming[first_incoming[node]..first_incoming[node + 1]]`.
    first_incoming: Vec<u32>,
    incoming: Vec<u32>,
    /// The edge of the innermost dispatch node that leads to each node.
    dispatch_edge: Vec<u32>,
    members: Vec<Member>,
    cycle_count: u32,
    /// Port of each entry of the current cycle.
    port_of: Vec<u32>,
    /// Number of each node in the current local graph.
    local: Vec<u32>,
    /// The edges that are redirected to the current dispatch node.
    found: Vec<usize>,
}

impl EntrySearch {
    fn new(work: &WorkGraph, order: &Order) -> Self {
        let count = work.len();
        let mut first_incoming = vec![0_u32; count + 2];
        for edge in &work.edges {
            first_incoming[edge.target as usize + 2] += 1;
        }
        let mut total = 0;
        for first in &mut first_incoming {
            total += *first;
            *first = total;
        }
        let mut incoming = vec![NONE; work.edges.len()];
        for (index, edge) in (0..).zip(&work.edges) {
            let next = &mut first_incoming[edge.target as usize + 1];
            incoming[*next as usize] = index;
            *next += 1;
        }
        let mut position = vec![NONE; count];
        for (place, node) in (0..).zip(order.sequence()) {
            position[node.index()] = place;
        }
        Self {
            position,
            first_incoming,
            incoming,
            dispatch_edge: vec![NONE; count],
            members: vec![NOWHERE; count],
            cycle_count: 0,
            port_of: vec![NONE; count],
            local: vec![NONE; count],
            found: Vec::new(),
        }
    }

    /// Gives a dispatch node to each component with several entries.
    fn split(&mut self, work: &mut WorkGraph, graph: &Graph, region: &Region, worklist: &mut Vec<Region>) {
        let components = Components::compute(graph);
        for component in (0..components.count()).filter(|&component| components.is_cyclic(component)) {
            let is_outside = |source: &reconverge_graph::Node| components.component(*source) != Some(component);
            let is_entry = |node: &&reconverge_graph::Node| graph.predecessors(**node).iter().any(&is_outside);
            let members = components.members(component);
            let name = |node: &reconverge_graph::Node| region.names[node.index()];
            let entries: Vec<Node> = members.iter().filter(is_entry).map(name).collect();
            let mut nodes: Vec<Node> = members.iter().map(name).collect();
            if entries.len() > 1 {
                self.enter(work, Irreducible { nodes, entries }, region.depth, worklist);
            } else if nodes.len() > 1 {
                self.note_members(&nodes);
                let header = nodes.iter().position(|node| entries.contains(node));
                nodes.swap(0, header.expect("invariant: a component of a region has an entry"));
                worklist.push(Region { names: nodes, depth: region.depth, is_loop: true });
            }
        }
    }

    /// Gives a dispatch node to each outermost irreducible cycle of a loop.
    fn split_loop(&mut self, work: &mut WorkGraph, forest: &CycleForest, region: &Region, worklist: &mut Vec<Region>) {
        let mut holds_irreducible = vec![false; forest.cycles().len()];
        for cycle in forest.cycles().rev() {
            holds_irreducible[cycle.index()] |= !forest.is_reducible(cycle);
            if let Some(parent) = forest.parent(cycle).filter(|_| holds_irreducible[cycle.index()]) {
                holds_irreducible[parent.index()] = true;
            }
        }
        // Parents come first: the contents of a cycle that is split here belong to its own region.
        let mut is_done = vec![false; forest.cycles().len()];
        for cycle in forest.cycles() {
            let at = cycle.index();
            is_done[at] = forest.parent(cycle).is_some_and(|parent| is_done[parent.index()]) || !holds_irreducible[at];
            let depth = Depth { cycles: region.depth.cycles + forest.depth(cycle) - 1, ..region.depth };
            if !is_done[at] && (!forest.is_reducible(cycle) || depth.is_bound()) {
                is_done[at] = true;
                let named = |nodes: &[reconverge_graph::Node]| -> Vec<Node> {
                    nodes.iter().map(|node| region.names[node.index()]).collect()
                };
                let found = Irreducible { nodes: named(forest.blocks(cycle)), entries: named(forest.entries(cycle)) };
                self.enter(work, found, depth, worklist);
            }
        }
    }

    /// Notes which cycle its nodes are in.
    fn note_members(&mut self, nodes: &[Node]) {
        for &node in nodes {
            self.members[node as usize] = Member { cycle: self.cycle_count, place: NONE };
        }
        self.cycle_count += 1;
    }

    /// Gives a dispatch node to a cycle.
    fn enter(&mut self, work: &mut WorkGraph, cycle: Irreducible, depth: Depth, worklist: &mut Vec<Region>) {
        let Irreducible { nodes, mut entries } = cycle;
        entries.sort_unstable_by_key(|&entry| self.position[entry as usize]);
        self.note_members(&nodes);
        self.compute_order(work, nodes.len(), &entries);
        if depth.is_bound() {
            self.add_retreat_targets(work, &nodes, &mut entries);
        }
        let dispatch = self.dispatch(work, &nodes, &mut entries);
        if !depth.is_bound() && self.has_retreating_edge(work, &nodes) {
            let names = std::iter::once(dispatch).chain(nodes).collect();
            let depth = Depth { cycles: depth.cycles + 1, dispatches: depth.dispatches + 1 };
            worklist.push(Region { names, depth, is_loop: false });
        }
    }

    fn is_inside(&self, node: Node, other: Node) -> bool {
        self.members[node as usize].cycle == self.members[other as usize].cycle
    }

    /// Reverse post-order of one cycle of the given size, from its entries; together they reach all of it.
    fn compute_order(&mut self, work: &WorkGraph, count: usize, entries: &[Node]) {
        let mut next = count as u32;
        let mut stack = Vec::with_capacity(count.min(64));
        let cycle = self.members[entries[0] as usize].cycle;
        for &entry in entries {
            if self.members[entry as usize].place != NONE {
                continue;
            }
            self.members[entry as usize].place = 0;
            stack.push((entry, work.edge_range(entry)));
            while let Some((node, range)) = stack.last_mut() {
                let Some(index) = range.next() else {
                    next -= 1;
                    self.members[*node as usize].place = next;
                    stack.pop();
                    continue;
                };
                let target = work.edges[index].target;
                let member = &mut self.members[target as usize];
                if member.cycle == cycle && member.place == NONE {
                    member.place = 0;
                    stack.push((target, work.edge_range(target)));
                }
            }
        }
    }

    /// The edges inside the cycle of `nodes` that retreat in its order.
    fn retreating_edges<'a>(&'a self, work: &'a WorkGraph, nodes: &'a [Node]) -> impl Iterator<Item = usize> + 'a {
        let edges = nodes.iter().flat_map(|&node| work.edge_range(node));
        edges.filter(|&index| {
            let edge = &work.edges[index];
            let [target, source] = [edge.target, edge.source].map(|node| self.members[node as usize]);
            target.cycle == source.cycle && target.place <= source.place
        })
    }

    fn has_retreating_edge(&self, work: &WorkGraph, nodes: &[Node]) -> bool {
        self.retreating_edges(work, nodes).next().is_some()
    }

    /// Makes every target of a retreating edge an entry, so that no cycle is left inside.
    fn add_retreat_targets(&self, work: &WorkGraph, component: &[Node], entries: &mut Vec<Node>) {
        let targets = self.retreating_edges(work, component).map(|index| work.edges[index].target);
        entries.extend(targets);
    }

    /// Inserts a dispatch node before a cycle.
    fn dispatch(&mut self, work: &mut WorkGraph, component: &[Node], entries: &mut Vec<Node>) -> Node {
        entries.sort_unstable_by_key(|&entry| self.members[entry as usize].place);
        entries.dedup();
        let targets: Vec<(Node, Node)> = entries.iter().map(|&entry| (entry, work.number(entry))).collect();
        let first_edge = work.edges.len() as u32;
        let dispatch = work.push_node(NodeKind::Dispatch, &targets);
        self.members.push(NOWHERE);
        self.port_of.push(NONE);
        self.local.push(NONE);
        let first_port = (work.input_count + work.dispatch_ports.len() - entries.len()) as u32;
        for (port, &entry) in (first_port..).zip(&*entries) {
            self.port_of[entry as usize] = port;
        }
        let mut found = std::mem::take(&mut self.found);
        found.extend(self.retreating_edges(work, component));
        found.extend(entries.iter().flat_map(|&entry| self.edges_into(work, entry)));
        for index in found.drain(..) {
            let edge = &mut work.edges[index];
            let port = self.port_of[edge.target as usize];
            if port != NONE {
                edge.target = dispatch;
                edge.port = port;
            }
        }
        self.found = found;
        for (edge, &entry) in (first_edge..).zip(&*entries) {
            self.port_of[entry as usize] = NONE;
            self.dispatch_edge[entry as usize] = edge;
        }
        dispatch
    }

    /// The edges that currently lead to an entry from outside its cycle.
    fn edges_into<'a>(&'a self, work: &'a WorkGraph, entry: Node) -> impl Iterator<Item = usize> + 'a {
        let at = entry as usize;
        let range = self.first_incoming[at] as usize..self.first_incoming[at + 1] as usize;
        let edges = self.incoming[range].iter().chain(std::iter::once(&self.dispatch_edge[at]));
        edges.filter(|&&index| index != NONE).map(|&index| index as usize).filter(move |&index| {
            let edge = &work.edges[index];
            edge.target == entry && !self.is_inside(edge.source, entry)
        })
    }

    /// The region with the edges among its nodes.
    fn compute_local_graph(&mut self, work: &WorkGraph, region: &Region) -> Graph {
        for (local, &node) in (0..).zip(&region.names) {
            self.local[node as usize] = local;
        }
        let inside = region.names[1];
        let lists = region.names.iter().map(|&node| {
            let targets = work.edges_of(node).iter().map(|edge| edge.target);
            let targets = targets.filter(|&target| self.is_inside(target, inside));
            targets.map(|target| reconverge_graph::Node::new(self.local[target as usize] as usize))
        });
        Graph::from_successors(reconverge_graph::Node::new(0), lists)
    }
}
