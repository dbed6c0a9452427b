//! Splitting variables into webs: independent sets of stores and loads.
//!
//! A *web* is a set of stores and loads of a variable: with a store all loads that it may reach, and with a load all stores that may reach
//! it (Muchnick 1997, section 16.3.3). The initial contents of the variable count as a store, the first. Each web but that of the first
//! store can be a variable of its own, and the program does the same as before.
//!
//! ```text
//! i = 0; while (i < n) { barrier; i++; }        one web: 0 and i++ reach each other's loads
//! i = lane; while (i < 1000) { …; i += 64; }    another: no store from here reaches a load from there
//! ```
//!
//! Stores are followed to loads as for SSA form: joins are in the iterated dominance frontier of the stores (Cytron et al. 1991), an access
//! sees the nearest store or join before it in the dominator tree, and only joins that loads see, directly or through other joins, unite
//! webs.
//!
//! Only variables of a function that are read and written as a whole. Linear in the blocks for each variable, up to [`BUDGET`] a function;
//! later variables stay as they are.

use reconverge_graph::{Node, compute_iterated_frontier};
use reconverge_ir::{Inst, Module, Op, Position};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::Flow;
use crate::program::Program;

/// The limit on blocks visited in a function, each counted once for each variable.
const BUDGET: usize = 1 << 27;
/// Number of the store of a variable's initial contents.
const FIRST: usize = 0;

/// The accesses that belong to a separate variable.
pub(super) struct Web {
    variable: Inst,
    accesses: Vec<Inst>,
}

/// The webs of the simple variables of a function, except for those of the first stores. Nothing in a function with one web a variable.
pub(super) fn find(program: &Program<'_>, flow: &Flow, variables: &[Inst]) -> Vec<Web> {
    let mut budget = BUDGET;
    let mut webs = Vec::new();
    for &variable in variables {
        let Some(left) = budget.checked_sub(flow.feasible.len()) else { break };
        let accesses = accesses(program, flow, variable);
        let stores = accesses.iter().filter(|access| access.is_store(program.module)).count();
        if stores > 0 && stores < accesses.len() {
            budget = left;
            webs.extend(WebSearch::new(program, flow).webs(variable, accesses));
        }
    }
    webs
}

/// Makes variables of webs. Returns each new one with its original.
pub(super) fn split(module: &mut Module, webs: &[Web]) -> FxHashMap<Inst, Inst> {
    let mut origins = FxHashMap::default();
    for Web { variable, accesses } in webs {
        // With the initializer, although it is overwritten: chains of causes are the same for webs as for whole variables.
        let (ty, operands) = (module.ty(*variable), module.operands(*variable).collect::<Vec<Inst>>());
        let mut editor = module.edit();
        let own = editor.insert(Position::Before(*variable), Op::Variable, ty, &operands);
        accesses.iter().for_each(|&access| editor.set_operand(access, 0, own));
        origins.insert(own, *variable);
    }
    origins
}

/// A load or store that control reaches.
#[derive(Clone, Copy)]
struct LoadOrStore {
    inst: Inst,
    node: Node,
    position: u32,
}

impl LoadOrStore {
    fn is_store(&self, module: &Module) -> bool {
        module.op(self.inst) == Op::Store
    }
}

/// The loads and stores of a variable that control reaches.
fn accesses(program: &Program<'_>, flow: &Flow, variable: Inst) -> Vec<LoadOrStore> {
    let module = program.module;
    let users = module.uses(variable).map(|used| used.user);
    let users = users.filter(|&user| matches!(module.op(user), Op::Load | Op::Store));
    let access = |inst: Inst| {
        let node = module.block_of(inst).and_then(|block| flow.whole.find(block))?;
        flow.is_reachable(node).then_some(LoadOrStore { inst, node, position: program.position(inst) })
    };
    users.filter_map(access).collect()
}

/// An event for a variable at a place.
#[derive(Clone, Copy)]
enum Event {
    /// A join: the contents have a number of their own.
    Join(usize),
    /// A load or store.
    Access(LoadOrStore),
    /// Control goes to a join of this number.
    Leaves(usize),
}

/// An event and its place.
#[derive(Clone, Copy)]
struct EventAt {
    node: Node,
    /// The place in the block.
    position: u32,
    event: Event,
}

/// The webs of one variable.
struct WebSearch<'p, 'm> {
    program: &'p Program<'m>,
    flow: &'p Flow,
    /// For each store and join, one that is in the same web; itself if that is all.
    leaders: Vec<usize>,
    /// For each join, what reaches it.
    sources: FxHashMap<usize, Vec<usize>>,
    /// The accesses, each with the store itself or the store or join that a load sees.
    seen: Vec<(Inst, usize)>,
}

impl<'p, 'm> WebSearch<'p, 'm> {
    fn new(program: &'p Program<'m>, flow: &'p Flow) -> WebSearch<'p, 'm> {
        WebSearch { program, flow, leaders: vec![FIRST], sources: FxHashMap::default(), seen: Vec::new() }
    }

    fn webs(mut self, variable: Inst, accesses: Vec<LoadOrStore>) -> Vec<Web> {
        let events = self.events(accesses);
        self.sweep(&events);
        self.join();
        let first = self.leader(FIRST);
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        let mut webs: Vec<Web> = Vec::new();
        for (access, number) in std::mem::take(&mut self.seen) {
            let leader = self.leader(number);
            if leader != first {
                let place = *places.entry(leader).or_insert(webs.len());
                if place == webs.len() {
                    webs.push(Web { variable, accesses: Vec::new() });
                }
                webs[place].accesses.push(access);
            }
        }
        webs
    }

    /// The accesses, the joins and the paths to joins, each before what it dominates.
    fn events(&mut self, accesses: Vec<LoadOrStore>) -> Vec<EventAt> {
        let (module, flow) = (self.program.module, self.flow);
        let is_store = |access: &&LoadOrStore| access.is_store(module);
        let stores: Vec<Node> = accesses.iter().filter(is_store).map(|access| access.node).collect();
        let joins = compute_iterated_frontier(&flow.feasible, &flow.dominators, &stores);
        let of_access = |access: LoadOrStore| EventAt {
            node: access.node,
            position: access.position,
            event: Event::Access(access),
        };
        let mut events: Vec<EventAt> = accesses.into_iter().map(of_access).collect();
        for join in joins {
            let number = self.fresh();
            // If control returns to the entry, the initial contents join what is stored.
            let made = (join == flow.feasible.entry()).then_some(FIRST);
            self.sources.insert(number, made.into_iter().collect());
            events.push(EventAt { node: join, position: 0, event: Event::Join(number) });
            let sources = flow.feasible.predecessors(join).iter().filter(|&&source| flow.is_reachable(source));
            let leaves = |&node: &Node| EventAt { node, position: u32::MAX, event: Event::Leaves(number) };
            events.extend(sources.map(leaves));
        }
        events.sort_by_key(|event| (flow.dominators.pre(event.node), event.position));
        events
    }

    /// Computes what each load sees, and what reaches each join.
    fn sweep(&mut self, events: &[EventAt]) {
        let module = self.program.module;
        let mut above: Vec<(Node, usize)> = Vec::new();
        for &EventAt { node, event, .. } in events {
            while above.last().is_some_and(|&(above, _)| !self.flow.dominators.dominates(above, node)) {
                above.pop();
            }
            let last = above.last().map_or(FIRST, |&(_, number)| number);
            match event {
                Event::Join(number) => above.push((node, number)),
                Event::Leaves(number) => self.sources.entry(number).or_default().push(last),
                Event::Access(access) if access.is_store(module) => {
                    let number = self.fresh();
                    self.seen.push((access.inst, number));
                    above.push((node, number));
                }
                Event::Access(access) => self.seen.push((access.inst, last)),
            }
        }
    }

    /// Unites what reaches the joins that loads see.
    fn join(&mut self) {
        let loads = self.seen.iter().filter(|&&(inst, _)| self.program.module.op(inst) == Op::Load);
        let mut pending: Vec<usize> = loads.map(|&(_, number)| number).collect();
        let mut met: FxHashSet<usize> = FxHashSet::default();
        while let Some(number) = pending.pop() {
            if !met.insert(number) {
                continue;
            }
            for source in self.sources.remove(&number).unwrap_or_default() {
                let (one, other) = (self.leader(number), self.leader(source));
                self.leaders[one] = other;
                pending.push(source);
            }
        }
    }

    fn fresh(&mut self) -> usize {
        self.leaders.push(self.leaders.len());
        self.leaders.len() - 1
    }

    fn leader(&mut self, mut number: usize) -> usize {
        while self.leaders[number] != number {
            self.leaders[number] = self.leaders[self.leaders[number]];
            number = self.leaders[number];
        }
        number
    }
}
