//! Static single assignment form for chains of states: the definitions of states, and the state at the start of each block.
//!
//! ```text
//!         ^a: 1                 the map of ^j is that of its immediate dominator ^a, except for the chains that differ in a
//!        ╱     ╲                predecessor: those were written on a way from ^a to ^j, and so they have a join
//! ^b: store     ^c
//!    2   ╲     ╱  1
//!         ^j: 3 = join(2, 1)
//! ```
//!
//! A chain has a join in a block if, and only if, it is written on a path from the immediate dominator to the block, both ends excluded;
//! this is equivalent to iterated dominance frontiers (Cytron et al. 1991, section 4; Sreedhar and Gao 1995). Blocks are processed in the
//! order of `walk.rs`. At blocks without incoming back edges, all such writes are after predecessors that were processed before. The others
//! are headers of cycles: a chain that is written on a path to one is written before the cycle, and differs at the end of a block that
//! enters it, possibly at another entry, or it is written in the cycle.
//!
//! Near-linear in accesses, in the chains that writes reach, and in joins. Without a limit, headers of cycles with several entries have a
//! join for every chain, written or not: then an edge that enters many cycles at once costs nothing.

use reconverge_graph::{Cycle, CycleForest, DominatorTree, Node, Order};
use rustc_hash::FxHashSet;

use super::accesses::{Accesses, MemoryEffect};
use super::chains::Chains;
use super::versions::{Version, Versions};
use super::walk::FlowOrder;
use crate::FlowGraph;

/// The state of memory that nothing writes.
pub(super) const CONSTANT: u32 = 0;

/// The definition of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning {
    /// The state of the chain directly above; itself for the first.
    pub(super) parent: u32,
    /// The chain of the state; `None` for memory that is never written.
    pub(super) chain: Option<u32>,
    /// The position of the write, or of the block for a join.
    pub(super) position: u32,
}

/// The states of all chains.
#[derive(Debug)]
pub(super) struct States {
    /// By state; that of constant memory first, then the first of each chain.
    pub(super) beginnings: Vec<Beginning>,
    pub(super) versions: Versions,
    /// By node, the map at the start of a block, after its joins.
    pub(super) at_start: Vec<Option<Version>>,
    /// By node, the map at its end.
    pub(super) at_end: Vec<Option<Version>>,
    /// By event, the state that a reader sees.
    pub(super) seen: Vec<u32>,
}

/// The control flow graph with its orders and cycles.
#[derive(Clone, Copy)]
pub struct Flow<'f> {
    /// The graph.
    pub graph: &'f FlowGraph,
    /// Its reverse post-order.
    pub order: &'f Order,
    /// Its dominator tree.
    pub dominators: &'f DominatorTree,
    /// Its cycles.
    pub cycles: &'f CycleForest,
}

/// Computes the states. `None` if that exceeds the step limit.
pub(super) fn compute_states(
    accesses: &Accesses<'_>,
    chains: &Chains,
    flow: Flow<'_>,
    limit: Option<usize>,
) -> Option<States> {
    let walk = match limit {
        Some(limit) => FlowOrder::compute(flow, limit)?,
        None => FlowOrder::in_reverse_post_order(flow),
    };
    let is_limited = limit.is_some();
    let limit = limit.unwrap_or(usize::MAX);
    let written = Written::compute(accesses, chains, flow, limit)?;
    let (versions, first) = Versions::new(chains.count, CONSTANT + 1);
    let entry = |state: u32| Beginning { parent: state, chain: state.checked_sub(CONSTANT + 1), position: 0 };
    let mut search = JoinSearch {
        flow,
        walk: &walk,
        is_limited,
        written: &written,
        states: States {
            beginnings: (0..=chains.count).map(entry).collect(),
            versions,
            at_start: vec![None; flow.graph.graph().len()],
            at_end: vec![None; flow.graph.graph().len()],
            seen: vec![CONSTANT; accesses.events.len()],
        },
        seen: FxHashSet::default(),
        is_joined: vec![false; chains.count as usize],
        steps_left: limit,
    };
    for &node in &walk.sequence {
        let start = search.start_of(node, first, accesses)?;
        search.visit(node, start, accesses, chains);
    }
    Some(search.states)
}

/// The writes of a function.
struct Written {
    /// The chains that each event reaches: the concatenated lists, and the start of each.
    reached: Vec<u32>,
    starts: Vec<u32>,
    /// By cycle, the chains that are written in it.
    by_cycle: Vec<Vec<u32>>,
    /// By place in preorder, the events of a block.
    events: Vec<u32>,
}

impl Written {
    fn compute(accesses: &Accesses<'_>, chains: &Chains, flow: Flow<'_>, limit: usize) -> Option<Written> {
        let mut written = Written {
            reached: Vec::new(),
            starts: vec![0],
            by_cycle: vec![Vec::new(); flow.cycles.cycles().len()],
            events: Vec::with_capacity(accesses.starts.len()),
        };
        let mut marked: FxHashSet<(Cycle, u32)> = FxHashSet::default();
        let (mut reached, mut steps) = (Vec::new(), 0);
        let mut events = accesses.events.iter().peekable();
        for (&node, &end) in flow.dominators.preorder().iter().zip(&accesses.starts[1..]) {
            written.events.push(written.starts.len() as u32 - 1);
            while let Some(event) = events.next_if(|event| event.position < end) {
                if let MemoryEffect::Write(write) = &event.access {
                    steps += chains.reached(&accesses.locations, write, &mut reached);
                    if steps > limit {
                        return None;
                    }
                    written.reached.extend(&reached);
                    for &chain in &reached {
                        let mut cycle = flow.cycles.innermost(node);
                        while let Some(inner) = cycle.filter(|&inner| marked.insert((inner, chain))) {
                            written.by_cycle[inner.index()].push(chain);
                            cycle = flow.cycles.parent(inner);
                            steps += 1;
                        }
                    }
                }
                written.starts.push(written.reached.len() as u32);
            }
            if steps > limit {
                return None;
            }
        }
        written.events.push(written.starts.len() as u32 - 1);
        Some(written)
    }

    fn by_event(&self, event: usize) -> &[u32] {
        &self.reached[self.starts[event] as usize..self.starts[event + 1] as usize]
    }
}

struct JoinSearch<'f> {
    flow: Flow<'f>,
    walk: &'f FlowOrder,
    is_limited: bool,
    written: &'f Written,
    states: States,
    /// Nodes of maps that were compared at the current join.
    seen: FxHashSet<u32>,
    /// By chain, whether it has a join in the current block.
    is_joined: Vec<bool>,
    steps_left: usize,
}

impl JoinSearch<'_> {
    /// The map at the start of a block.
    fn start_of(&mut self, node: Node, first: Version, accesses: &Accesses<'_>) -> Option<Version> {
        self.states.versions.freeze();
        let Flow { graph, order, dominators, cycles } = self.flow;
        let graph = graph.graph();
        let base = match dominators.idom(node) {
            Some(idom) => self.states.at_end[idom.index()].expect("dominators come first"),
            None => first,
        };
        let mut joined: Vec<u32> = Vec::new();
        self.seen.clear();
        for &source in graph.predecessors(node).iter().chain(self.walk.entering(self.flow, node)) {
            if order.position(source).is_none() || order.is_retreating(source, node) {
                continue;
            }
            let end = self.states.at_end[source.index()].expect("sources come first but for edges back");
            let is_joined = &mut self.is_joined;
            let steps = self.states.versions.difference(base, end, &mut self.seen, |chain| {
                if !std::mem::replace(&mut is_joined[chain as usize], true) {
                    joined.push(chain);
                }
            });
            self.steps_left = self.steps_left.checked_sub(steps)?;
        }
        if let Some(cycle) = cycles.headed_by(node) {
            let written = self.written.by_cycle[cycle.index()].iter().copied();
            joined.extend(written.filter(|&chain| !std::mem::replace(&mut self.is_joined[chain as usize], true)));
            if !self.is_limited && !cycles.is_reducible(cycle) {
                joined = (0..self.is_joined.len() as u32).collect();
            }
        }
        joined.sort_unstable();
        self.steps_left = self.steps_left.checked_sub(joined.len())?;
        let position = accesses.starts[dominators.pre(node)];
        let mut version = base;
        for chain in joined {
            self.is_joined[chain as usize] = false;
            version = self.begin(version, chain, position);
        }
        self.states.at_start[node.index()] = Some(version);
        Some(version)
    }

    /// Processes the accesses of a block.
    fn visit(&mut self, node: Node, start: Version, accesses: &Accesses<'_>, chains: &Chains) {
        // The map at the start is preserved.
        self.states.versions.freeze();
        let pre = self.flow.dominators.pre(node);
        let mut version = start;
        for event in self.written.events[pre] as usize..self.written.events[pre + 1] as usize {
            let position = accesses.events[event].position;
            match accesses.events[event].access {
                MemoryEffect::Read(place) => {
                    let state = chains.of_place(place).map(|chain| self.states.versions.state(version, chain));
                    self.states.seen[event] = state.unwrap_or(CONSTANT);
                }
                MemoryEffect::Write(_) => {
                    let written = self.written;
                    for &chain in written.by_event(event) {
                        version = self.begin(version, chain, position);
                    }
                }
            }
        }
        self.states.at_end[node.index()] = Some(version);
    }

    /// Starts another state of a chain.
    fn begin(&mut self, version: Version, chain: u32, position: u32) -> Version {
        let parent = self.states.versions.state(version, chain);
        let state = self.states.beginnings.len() as u32;
        self.states.beginnings.push(Beginning { parent, chain: Some(chain), position });
        self.states.versions.set(version, chain, state)
    }
}
