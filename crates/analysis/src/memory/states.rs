//! The states of memory of a function, with queries.

use reconverge_graph::{CycleForest, DominatorTree, Node, Order};
use reconverge_ir::{Inst, Module, Numbering, Op};

use super::accesses::{Accesses, MemoryEffect};
use super::chains::{Chains, Grain};
use super::joins::{Beginning, CONSTANT, Flow, States, compute_states};
use super::location::Class;
use super::reach::Reach;
use super::versions::{Version, Versions};
use crate::FlowGraph;

/// The content of memory of a class at a point of the program: readers of equal states that read through equal pointers read the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemoryState(u32);

impl MemoryState {
    /// The state of memory that nothing writes.
    pub const CONSTANT: MemoryState = MemoryState(CONSTANT);

    /// The number of the state, below [`MemoryStates::state_count`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The definition of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// The content of memory at the start of the function.
    Entry,
    /// An instruction that writes, or lets others write.
    Clobber(Inst),
    /// Different states that meet at the start of a block.
    Join(Node),
}

/// The first definition below a state on the path to a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clobber {
    /// The block of the definition.
    pub node: Node,
    /// The instruction; `None` for a join, which is at the start of the block.
    pub inst: Option<Inst>,
}

/// The facts about an access.
#[derive(Clone, Copy, Debug)]
struct AccessFacts {
    inst: Inst,
    position: u32,
    /// The class of the one place that it accesses.
    class: Option<Class>,
    /// The state that it sees if it reads.
    state: Option<MemoryState>,
}

/// The states of memory of a function. The positions of instructions are those at the time of the computation.
#[derive(Debug)]
pub struct MemoryStates {
    /// The numbers of accesses, in preorder of the dominator tree.
    numbers: Numbering,
    accesses: Vec<AccessFacts>,
    beginnings: Vec<Beginning>,
    reach: Reach,
    versions: Versions,
    at_start: Vec<Option<Version>>,
    at_end: Vec<Option<Version>>,
    chains: Chains,
    /// By place in preorder of the dominator tree, the position of the block, and the end. Positions count blocks and accesses; a block is
    /// before its contents.
    starts: Vec<u32>,
    /// By place in preorder, the node, and the end of its subtree.
    subtrees: Vec<(Node, u32)>,
    /// By node, its place in preorder.
    pre: Vec<u32>,
}

impl MemoryStates {
    /// The number of steps that each instruction may take on average, before chains become coarser: a class that a write reaches, a join.
    pub const EFFORT: usize = 4;

    /// Computes the states of a function from its control flow graph; order, dominators and cycles must be those of that graph.
    pub fn compute(
        module: &Module,
        flow: &FlowGraph,
        order: &Order,
        dominators: &DominatorTree,
        cycles: &CycleForest,
    ) -> MemoryStates {
        Self::compute_listed(module, Flow { graph: flow, order, dominators, cycles }, list(module, flow, dominators))
    }

    /// The same, with the instructions of each block given: of all reachable blocks, in preorder of the dominator tree.
    pub fn compute_listed<B: Iterator<Item = (Inst, Op)>>(
        module: &Module,
        flow: Flow<'_>,
        blocks: impl Iterator<Item = B>,
    ) -> MemoryStates {
        Self::compute_from(Accesses::compute(module, blocks), flow, None)
    }

    /// The same, but classes become coarser beyond this number of steps in total.
    pub fn compute_within(module: &Module, flow: Flow<'_>, limit: usize) -> MemoryStates {
        let accesses = Accesses::compute(module, list(module, flow.graph, flow.dominators));
        Self::compute_from(accesses, flow, Some(limit))
    }

    fn compute_from(accesses: Accesses<'_>, flow: Flow<'_>, limit: Option<usize>) -> MemoryStates {
        let limit = limit.unwrap_or(Self::EFFORT * (accesses.size + 256));
        let mut grains = Grain::ALL.into_iter();
        loop {
            let grain = grains.next().expect("the coarsest grain has no limit");
            let limit = (grain != Grain::Groups).then_some(limit);
            let chains = Chains::compute(&accesses, grain);
            if let Some(states) = compute_states(&accesses, &chains, flow, limit) {
                return Self::from_parts(accesses, chains, states, flow);
            }
        }
    }

    fn from_parts(accesses: Accesses<'_>, chains: Chains, states: States, flow: Flow<'_>) -> MemoryStates {
        let Accesses { locations, events, starts, .. } = accesses;
        let mut accesses = Vec::with_capacity(events.len());
        for (event, &seen) in events.iter().zip(&states.seen) {
            let place = match &event.access {
                MemoryEffect::Read(place) => Some(*place),
                MemoryEffect::Write(write) => write.places.first().copied().filter(|_| write.places.len() == 1),
            };
            let place = place.filter(|&place| !locations.object(place).is_constant);
            let is_read = matches!(event.access, MemoryEffect::Read(_));
            let (class, state) = (place.map(Class), is_read.then_some(MemoryState(seen)));
            accesses.push(AccessFacts { inst: event.inst, position: event.position, class, state });
        }
        let insts: Vec<Inst> = events.iter().map(|event| event.inst).collect();
        let numbers = Numbering::in_order(&insts);
        let dominators = flow.dominators;
        let mut pre = vec![u32::MAX; flow.graph.graph().len()];
        let mut subtrees = Vec::with_capacity(dominators.preorder().len());
        for (number, &node) in (0_u32..).zip(dominators.preorder()) {
            pre[node.index()] = number;
            subtrees.push((node, number + dominators.subtree_size(node) as u32));
        }
        let reach = Reach::compute(&states.beginnings, chains.count);
        let States { beginnings, versions, at_start, at_end, .. } = states;
        MemoryStates { numbers, accesses, beginnings, reach, versions, at_start, at_end, chains, starts, subtrees, pre }
    }

    /// The state that a reader sees. `None` for an instruction that reads nothing or must not move because of its memory: volatile and
    /// coherent accesses, atomics, unreachable instructions.
    pub fn state_of(&self, reader: Inst) -> Option<MemoryState> {
        self.known(reader)?.state
    }

    /// The class of the one place that an instruction accesses. `None` if there is no such place, and for memory that is never written.
    ///
    /// A load whose state begins with a store of the same class, through an equal pointer, of the same type, reads the stored value.
    pub fn class_of(&self, access: Inst) -> Option<Class> {
        self.known(access)?.class
    }

    /// The definition of a state. O(log blocks).
    pub fn definition(&self, state: MemoryState) -> Definition {
        let Beginning { parent, position, .. } = self.beginnings[state.index()];
        if parent == state.0 {
            return Definition::Entry;
        }
        match self.starts.binary_search(&position) {
            Ok(pre) => Definition::Join(self.subtrees[pre].0),
            Err(blocks) => Definition::Clobber(self.access_at(position, blocks)),
        }
    }

    /// The node of the block in which a state begins; `None` for the state at the start of the function. O(log blocks).
    pub fn node_of(&self, state: MemoryState) -> Option<Node> {
        let Beginning { parent, position, .. } = self.beginnings[state.index()];
        (parent != state.0).then(|| self.subtrees[self.pre_at(position)].0)
    }

    /// The state of the same class at the end of a reachable block. At a predecessor of a join's block, it is the state that the join gets
    /// from it. O(log classes).
    pub fn state_at_end(&self, node: Node, class_like: MemoryState) -> Option<MemoryState> {
        self.state_in(self.at_end[node.index()]?, class_like)
    }

    /// The state of a class directly before an access, for reachable accesses and classes that are read. O(log states).
    pub fn state_before(&self, access: Inst, class: Class) -> Option<MemoryState> {
        let position = self.known(access)?.position;
        let chain = self.chains.of_place(class.0)?;
        let pre = self.pre_at(position);
        let states = self.reach.of_chain(chain);
        let last = states[..states.partition_point(|&state| self.begins(state) < position)].last();
        if let Some(&last) = last.filter(|&&last| self.pre_at(self.begins(last)) == pre) {
            return Some(MemoryState(last));
        }
        let (node, _) = self.subtrees[pre];
        Some(MemoryState(self.versions.state(self.at_start[node.index()]?, chain)))
    }

    /// The first definition below a state on the dominator path to a block: a reader of the state may be in every block of that path
    /// above the definition's, and in that block before the definition, if it is an instruction. The definition of the state must dominate
    /// the block, or be in it. O(log definitions).
    pub fn next_clobber(&self, state: MemoryState, node: Node) -> Option<Clobber> {
        let pre = self.pre[node.index()];
        if pre == u32::MAX {
            return None;
        }
        let child = self.child_above(state.0, pre)?;
        let position = self.begins(child);
        let place = self.pre_at(position);
        let is_join = self.starts[place] == position;
        Some(Clobber { node: self.subtrees[place].0, inst: (!is_join).then(|| self.access_at(position, place + 1)) })
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.beginnings.len()
    }

    /// Returns whether classes were merged because they were too many.
    pub fn is_coarse(&self) -> bool {
        self.chains.grain() != Grain::Places
    }

    fn known(&self, access: Inst) -> Option<&AccessFacts> {
        self.numbers.number(access).map(|number| &self.accesses[number as usize])
    }

    /// The instruction at a position that this number of blocks precedes.
    fn access_at(&self, position: u32, blocks: usize) -> Inst {
        self.accesses[position as usize - blocks].inst
    }

    fn state_in(&self, version: Version, class_like: MemoryState) -> Option<MemoryState> {
        let chain = self.beginnings[class_like.index()].chain;
        Some(MemoryState(chain.map_or(CONSTANT, |chain| self.versions.state(version, chain))))
    }

    /// The child of a state whose definition dominates the block at that place in preorder, or is in it.
    fn child_above(&self, state: u32, pre: u32) -> Option<u32> {
        let children = self.reach.children(state);
        let end = self.starts[pre as usize + 1];
        let child = *children[..children.partition_point(|&child| self.begins(child) < end)].last()?;
        let (_, subtree_end) = self.subtrees[self.pre_at(self.begins(child))];
        (pre < subtree_end).then_some(child)
    }

    fn begins(&self, state: u32) -> u32 {
        self.beginnings[state as usize].position
    }

    /// The place in preorder of the block that a position is in.
    fn pre_at(&self, position: u32) -> usize {
        self.starts.partition_point(|&start| start <= position) - 1
    }
}

/// The instructions of the reachable blocks, in preorder of the dominator tree.
fn list<'m>(
    module: &'m Module,
    flow: &'m FlowGraph,
    dominators: &'m DominatorTree,
) -> impl Iterator<Item = impl Iterator<Item = (Inst, Op)>> {
    let instructions = move |block| module.children(block).map(move |inst| (inst, module.op(inst)));
    dominators.preorder().iter().map(move |&node| instructions(flow.block(node)))
}
