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
//! A worklist of node sets; each is split into strongly connected components. A component with one
//! entry is a loop: its back edges leave the working copy and what remains is looked at again. A
//! component with several entries gets a node D whose successors are the entries. To D go all edges
//! from outside to an entry, and from inside only those that *retreat* in the component's own
//! reverse post-order: forward edges between entries stay, so that Duff's device becomes one loop
//! around one switch with fall-through. The first entry in that order loses every edge from inside,
//! hence each round makes progress.
//!
//! A component without a retreating edge whose target does not dominate its source holds loops
//! only and is left alone, so reducible graphs cost one traversal. Each level of nesting costs
//! another, so nesting ends at a bound: a component that lies in [`CYCLES_KEPT`] cycles, or behind
//! [`DISPATCHES_KEPT`] dispatch nodes, gets every target of a retreating edge as an entry, which
//! leaves no cycle inside. O(edges · CYCLES_KEPT · log).

use crate::work::{Analyses, Kind, NONE, Node, WorkGraph};

/// A cycle in so many others is not taken apart: the nesting limit would flatten it anyway.
const CYCLES_KEPT: u32 = 64;
/// Dispatch nodes behind one another. No code that anyone writes has three.
const DISPATCHES_KEPT: u32 = 4;

/// A set of nodes that is still to be searched, and the dispatch node that leads into it.
struct Pending {
    nodes: Vec<Node>,
    dispatch: Option<Node>,
    /// Number of cycles around, and of those with a dispatch node.
    depth: (u32, u32),
}

/// Puts dispatch nodes into `work` until every cycle has one entry. Returns the analyses of the result.
pub(crate) fn make_reducible(work: &mut WorkGraph) -> Analyses {
    let analyses = Analyses::compute(work);
    if analyses.dominators.is_reducible_graph() {
        return analyses;
    }
    let Analyses { order, dominators, .. } = &analyses;
    let is_crossing = |source: Node, target: Node| {
        let source = reconverge_graph::Node::new(source as usize);
        let target = reconverge_graph::Node::new(target as usize);
        order.is_retreating(source, target) && !dominators.dominates(target, source)
    };
    let mut search = Search {
        position: vec![NONE; work.len()],
        set_of: vec![NONE; work.len()],
        component_of: vec![NONE; work.len()],
        crossing: Vec::with_capacity(work.edges.len()),
        removed: vec![false; work.edges.len()],
        set_count: 0,
        component_count: 0,
    };
    for edge in &work.edges {
        search.crossing.push(is_crossing(edge.source, edge.target));
    }
    let mut nodes = Vec::with_capacity(work.len());
    for (position, node) in order.sequence().iter().enumerate() {
        search.position[node.index()] = position as u32;
        nodes.push(node.index() as Node);
    }
    let mut worklist = vec![Pending { nodes, dispatch: None, depth: (0, 0) }];
    while let Some(pending) = worklist.pop() {
        search.split(work, &pending, &mut worklist);
    }
    Analyses::compute(work)
}

struct Search {
    /// Place of each node in the reverse post-order of the input.
    position: Vec<u32>,
    set_of: Vec<u32>,
    component_of: Vec<u32>,
    /// Edges that retreat to a node that does not dominate their source.
    crossing: Vec<bool>,
    /// Back edges of loops that were found.
    removed: Vec<bool>,
    set_count: u32,
    component_count: u32,
}

impl Search {
    fn split(&mut self, work: &mut WorkGraph, pending: &Pending, worklist: &mut Vec<Pending>) {
        let set = self.set_count;
        self.set_count += 1;
        for &node in &pending.nodes {
            self.set_of[node as usize] = set;
        }
        let components = self.compute_components(work, &pending.nodes, set);
        let mut wanted = Vec::new();
        for component in components {
            let id = self.component_count;
            self.component_count += 1;
            for &node in &component {
                self.component_of[node as usize] = id;
            }
            if self.has_crossing_edge(work, &component, id) {
                wanted.push((id, component));
            }
        }
        if wanted.is_empty() {
            return;
        }
        let sources = pending.nodes.iter().copied().chain(pending.dispatch);
        let incoming = self.collect_incoming(work, sources);
        for (id, component) in wanted {
            worklist.push(self.enter(work, (id, component), &incoming, pending.depth));
        }
    }

    /// Edges that enter a component from outside, sorted by the component.
    fn collect_incoming(&self, work: &WorkGraph, sources: impl Iterator<Item = Node>) -> Vec<(u32, usize)> {
        let mut incoming = Vec::new();
        for source in sources {
            let from = self.component_of.get(source as usize).copied().unwrap_or(NONE);
            for index in work.edge_range(source) {
                let target = work.edges[index].target as usize;
                let into = self.component_of.get(target).copied().unwrap_or(NONE);
                if into != NONE && into != from {
                    incoming.push((into, index));
                }
            }
        }
        incoming.sort_unstable();
        incoming
    }

    /// Gives a component one entry: removes the back edges of a loop, or puts a dispatch node in.
    fn enter(
        &mut self,
        work: &mut WorkGraph,
        (id, component): (u32, Vec<Node>),
        incoming: &[(u32, usize)],
        depth: (u32, u32),
    ) -> Pending {
        let begin = incoming.partition_point(|&(into, _)| into < id);
        let end = incoming.partition_point(|&(into, _)| into <= id);
        let incoming = &incoming[begin..end];
        let mut entries: Vec<Node> = Vec::with_capacity(incoming.len());
        entries.extend(incoming.iter().map(|&(_, index)| work.edges[index].target));
        entries.sort_unstable_by_key(|&entry| self.position[entry as usize]);
        entries.dedup();
        let collapses = depth.0 >= CYCLES_KEPT || depth.1 >= DISPATCHES_KEPT;
        if let ([header], false) = (&entries[..], collapses) {
            let header = *header;
            for &node in &component {
                for index in work.edge_range(node) {
                    self.removed[index] |= work.edges[index].target == header;
                }
            }
            return Pending { nodes: component, dispatch: None, depth: (depth.0 + 1, depth.1) };
        }
        let places = self.compute_component_order(work, &component, &entries, id);
        if collapses {
            self.add_retreat_targets(work, &component, &places, &mut entries);
        }
        entries.sort_unstable_by_key(|&entry| places.of(entry));
        entries.dedup();
        let targets: Vec<(Node, Node)> = entries.iter().map(|&entry| (entry, entry)).collect();
        let dispatch = work.push_node(Kind::Dispatch, &targets);
        self.removed.resize(work.edges.len(), false);
        let first_port = (work.input_count + work.dispatch_ports.len() - entries.len()) as u32;
        let redirect = |work: &mut WorkGraph, index: usize| {
            let target = work.edges[index].target;
            let by_place = entries.binary_search_by_key(&places.of(target), |&entry| places.of(entry));
            if let Ok(place) = by_place {
                work.edges[index].target = dispatch;
                work.edges[index].port = first_port + place as u32;
            }
        };
        for &(_, index) in incoming {
            redirect(work, index);
        }
        for &node in &component {
            for index in work.edge_range(node) {
                let target = work.edges[index].target;
                let inside = self.component_of.get(target as usize) == Some(&id);
                if inside && places.of(target) <= places.of(node) {
                    redirect(work, index);
                }
            }
        }
        Pending { nodes: component, dispatch: Some(dispatch), depth: (depth.0 + 1, depth.1 + 1) }
    }

    /// Makes every target of a retreating edge an entry, so that no cycle is left inside.
    fn add_retreat_targets(&self, work: &WorkGraph, component: &[Node], places: &Places, entries: &mut Vec<Node>) {
        for &node in component {
            for index in work.edge_range(node) {
                let target = work.edges[index].target;
                if !self.removed[index] && places.of(target) <= places.of(node) {
                    entries.push(target);
                }
            }
        }
    }

    /// Whether an edge inside the component keeps it from being a nest of loops.
    fn has_crossing_edge(&self, work: &WorkGraph, component: &[Node], id: u32) -> bool {
        component.iter().any(|&node| {
            work.edge_range(node).any(|index| {
                let target = work.edges[index].target as usize;
                self.crossing.get(index) == Some(&true)
                    && !self.removed[index]
                    && self.component_of.get(target) == Some(&id)
            })
        })
    }

    /// Reverse post-order of one component, from its entries.
    fn compute_component_order(&self, work: &WorkGraph, component: &[Node], entries: &[Node], id: u32) -> Places {
        let mut sorted = component.to_vec();
        sorted.sort_unstable();
        let mut places = Places { place: vec![NONE; sorted.len()], nodes: sorted };
        let mut seen = vec![false; places.nodes.len()];
        let mut next = places.nodes.len() as u32;
        // A component is strongly connected: its first entry reaches all of it.
        for &entry in entries {
            if std::mem::replace(&mut seen[places.index(entry)], true) {
                continue;
            }
            let mut stack = vec![(entry, work.edge_range(entry))];
            while let Some((node, range)) = stack.last_mut() {
                let Some(index) = range.next() else {
                    next -= 1;
                    let at = places.index(*node);
                    places.place[at] = next;
                    stack.pop();
                    continue;
                };
                let target = work.edges[index].target;
                let inside = self.component_of.get(target as usize) == Some(&id);
                if !inside || self.removed[index] {
                    continue;
                }
                if !std::mem::replace(&mut seen[places.index(target)], true) {
                    stack.push((target, work.edge_range(target)));
                }
            }
        }
        places
    }

    /// Cyclic strongly connected components of the sub-graph induced by `nodes` (Tarjan 1972).
    fn compute_components(&self, work: &WorkGraph, nodes: &[Node], set: u32) -> Vec<Vec<Node>> {
        let mut sorted = nodes.to_vec();
        sorted.sort_unstable();
        let local = Places { place: Vec::new(), nodes: sorted };
        let count = local.nodes.len();
        let (mut number, mut low) = (vec![NONE; count], vec![NONE; count]);
        let mut on_stack = vec![false; count];
        let (mut stack, mut components) = (Vec::new(), Vec::new());
        let mut next = 0;
        for &root in nodes {
            if number[local.index(root)] != NONE {
                continue;
            }
            let mut path = vec![(root, NONE, work.edge_range(root))];
            while let Some((node, at, range)) = path.last_mut() {
                if *at == NONE {
                    *at = local.index(*node) as u32;
                    number[*at as usize] = next;
                    low[*at as usize] = next;
                    next += 1;
                    stack.push(*node);
                    on_stack[*at as usize] = true;
                }
                let here = *at as usize;
                let Some(index) = range.next() else {
                    let node = *node;
                    path.pop();
                    if let Some(&(_, above, _)) = path.last() {
                        low[above as usize] = low[above as usize].min(low[here]);
                    }
                    if low[here] == number[here] {
                        let begin = stack.iter().rposition(|&other| other == node);
                        let begin = begin.expect("invariant: the root of a component is stacked");
                        let component = stack.split_off(begin);
                        for &member in &component {
                            on_stack[local.index(member)] = false;
                        }
                        let loops =
                            work.edge_range(node).any(|index| work.edges[index].target == node && !self.removed[index]);
                        if component.len() > 1 || loops {
                            components.push(component);
                        }
                    }
                    continue;
                };
                let target = work.edges[index].target;
                if self.set_of.get(target as usize) != Some(&set) || self.removed[index] {
                    continue;
                }
                let there = local.index(target);
                if number[there] == NONE {
                    path.push((target, NONE, work.edge_range(target)));
                } else if on_stack[there] {
                    low[here] = low[here].min(number[there]);
                }
            }
        }
        components
    }
}

/// A number for each node of a small set.
struct Places {
    /// Sorted.
    nodes: Vec<Node>,
    place: Vec<u32>,
}

impl Places {
    fn index(&self, node: Node) -> usize {
        self.nodes.binary_search(&node).expect("invariant: only nodes of the set are asked for")
    }

    fn of(&self, node: Node) -> u32 {
        self.nodes.binary_search(&node).map_or(NONE, |index| self.place[index])
    }
}
