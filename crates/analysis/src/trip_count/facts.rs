//! What a recurrence asks about a function: what a variable holds at a place, and which branch decides what a parameter is.
//!
//! A variable counts if it is a scalar of storage class Function and nothing but plain loads and stores touch it. What it holds is
//! then found backwards, over the blocks that lead to the place:
//!
//! ```text
//! store %i, %zero                      at `loop`:          the value %zero
//! loop ^header …                       at the load:        what %i holds where ^header begins
//! ^header: %t = load %i …              where control       the value %n
//! ^next: store %i, %n; branch ^header  goes back:
//! ```
//!
//! If the ways meet with different values, a two-way branch may decide which: the nearest dominator of the block where they meet,
//! if one edge comes from its one side and the other edge from the other. A block parameter is decided in the same way.
//!
//! Linear to build; each question is linear in the blocks on the way, and all together look at no more than [`WALK_LIMIT`] of them.

use std::cell::Cell;

use reconverge_graph::{CycleForest, DominatorTree, Node, Order};
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Slot, Terminator, terminator::operand};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Specialization;
use super::scalar::Kind;
use crate::FlowGraph;

/// Most blocks that are looked at in a function to find what variables hold: more than copies may have that a pass writes.
const WALK_LIMIT: usize = 1 << 22;
/// Storage class Function.
const FUNCTION: u32 = 7;
/// Memory access Volatile.
const VOLATILE: u32 = 1;

/// Where a number comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Source {
    /// A value.
    Value(Inst),
    /// What a variable holds where a block begins.
    Held { variable: Inst, at: Block },
    /// Somewhere that is not known.
    Unknown,
}

impl Source {
    pub(super) fn variable(self) -> Option<Inst> {
        match self {
            Source::Held { variable, .. } => Some(variable),
            Source::Value(_) | Source::Unknown => None,
        }
    }
}

/// A branch that decides what holds where its two sides meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub(super) condition: Inst,
    /// The edge that control takes to the meeting place if the condition holds, and the other one.
    pub(super) sides: [Edge; 2],
}

/// A function as the search for trip counts sees it.
pub(super) struct Facts<'m> {
    pub(super) module: &'m Module,
    pub(super) specialization: Specialization,
    pub(super) flow: FlowGraph,
    pub(super) order: Order,
    pub(super) dominators: DominatorTree,
    pub(super) cycles: CycleForest,
    /// By variable and block: the last store there. A variable that does not count has no entry.
    stores: FxHashMap<Inst, FxHashMap<Block, Inst>>,
    /// How many blocks may still be looked at.
    steps_left: Cell<usize>,
}

impl<'m> Facts<'m> {
    pub(super) fn compute(module: &'m Module, function: Function, specialization: Specialization) -> Facts<'m> {
        let flow = FlowGraph::compute(module, function);
        let (order, dominators) = flow.dominators();
        let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
        let stores = compute_stores(module, &flow);
        let steps_left = Cell::new(WALK_LIMIT);
        Facts { module, specialization, flow, order, dominators, cycles, stores, steps_left }
    }

    /// The place of a reachable instruction's block in reverse post-order.
    pub(super) fn place(&self, inst: Terminator) -> Option<usize> {
        self.module.block_of(inst).and_then(|block| self.flow.find(block)).and_then(|node| self.order.position(node))
    }

    /// Whether a block stands in the cycle of a header.
    pub(super) fn is_in_cycle(&self, header: Block, block: Block) -> bool {
        let cycle = self.flow.find(header).and_then(|node| self.cycles.headed_by(node));
        cycle.zip(self.flow.find(block)).is_some_and(|(cycle, node)| self.cycles.contains(cycle, node))
    }

    /// The variable that a load reads, if it counts.
    pub(super) fn loaded(&self, value: Inst) -> Option<Inst> {
        let variable = (self.module.op(value) == Op::Load).then(|| self.module.operand(value, 0))?;
        self.stores.contains_key(&variable).then_some(variable)
    }

    /// The type of what a source gives.
    pub(super) fn kind(&self, source: Source) -> Option<Kind> {
        let ty = match source {
            Source::Value(value) => self.module.ty(value)?,
            Source::Held { variable, .. } => pointee(self.module, variable)?,
            Source::Unknown => return None,
        };
        Kind::of(self.module, ty)
    }

    /// What a variable holds right before an instruction. `is_header` knows the headers of loops at whose beginning a variable is
    /// taken for itself, where the instruction stands in the loop.
    pub(super) fn held_before(&self, inst: Inst, variable: Inst, is_header: impl Fn(Block) -> bool) -> Source {
        let (Some(block), Some(stores)) = (self.module.block_of(inst), self.stores.get(&variable)) else {
            return Source::Unknown;
        };
        if stores.contains_key(&block) {
            let before = std::iter::successors(self.module.previous(inst), |&before| self.module.previous(before));
            let mut written = before.filter(|&before| is_store(self.module, before, variable));
            if let Some(store) = written.next() {
                return Source::Value(self.module.operand(store, 1));
            }
        }
        self.held_at(block, (variable, stores), |header| is_header(header) && self.is_in_cycle(header, block))
    }

    fn held_at(
        &self,
        block: Block,
        (variable, stores): (Inst, &FxHashMap<Block, Inst>),
        is_header: impl Fn(Block) -> bool,
    ) -> Source {
        let (mut found, mut is_one) = (None, true);
        let mut note = |source: Source| is_one &= *found.get_or_insert(source) == source;
        let (mut seen, mut pending) = (FxHashSet::from_iter([block]), vec![block]);
        while let Some(block) = pending.pop() {
            if !self.step() {
                return Source::Unknown;
            }
            if is_header(block) {
                note(Source::Held { variable, at: block });
                continue;
            }
            if self.flow.find(block) == Some(self.flow.graph().entry()) {
                note(self.module.operands(variable).nth(1).map_or(Source::Unknown, Source::Value));
            }
            for before in self.reachable_edges(block).filter_map(|edge| self.module.block_of(edge.terminator)) {
                match stores.get(&before) {
                    Some(&store) => note(Source::Value(self.module.operand(store, 1))),
                    None if seen.insert(before) => pending.push(before),
                    None => {}
                }
            }
        }
        match found {
            Some(found) if is_one => found,
            _ => Source::Held { variable, at: self.meeting_place(block, stores) },
        }
    }

    /// Whether one more block may be looked at.
    fn step(&self) -> bool {
        let left = self.steps_left.get();
        self.steps_left.set(left.saturating_sub(1));
        left > 0
    }

    /// The nearest block above that several edges lead to, with no store between.
    fn meeting_place(&self, from: Block, stores: &FxHashMap<Block, Inst>) -> Block {
        let mut block = from;
        while self.step() {
            let mut edges = self.reachable_edges(block);
            let (Some(only), None) = (edges.next(), edges.next()) else { break };
            let before = self.module.block_of(only.terminator).filter(|before| !stores.contains_key(before));
            let Some(before) = before else { break };
            block = before;
        }
        block
    }

    fn reachable_edges(&self, block: Block) -> impl Iterator<Item = Edge> + '_ {
        self.module.in_edges(block).filter(|edge| self.place(edge.terminator).is_some())
    }

    /// The branch whose two sides meet in a block and nowhere before.
    pub(super) fn gate(&self, block: Block) -> Option<Gate> {
        let mut edges = self.reachable_edges(block);
        let (left, right, None) = (edges.next()?, edges.next()?, edges.next()) else { return None };
        let above = self.flow.block(self.dominators.idom(self.flow.find(block)?)?);
        let branch = self.module.terminator(above)?;
        if !matches!(self.module.op(branch), Op::If | Op::BranchIf) {
            return None;
        }
        let side = |operand| -> Option<Node> {
            let target: Block = self.module.cast(self.module.operand(branch, operand))?;
            let node = self.flow.find(target).filter(|_| self.module.in_edges(target).count() == 1);
            node.filter(|_| target != block)
        };
        let (yes, no) = (side(operand::TRUE)?, side(operand::FALSE)?);
        let comes_from = |edge: Edge, side| {
            let source = self.module.block_of(edge.terminator).and_then(|source| self.flow.find(source));
            source.is_some_and(|source| self.dominators.dominates(side, source))
        };
        let sides = match () {
            () if comes_from(left, yes) && comes_from(right, no) => [left, right],
            () if comes_from(right, yes) && comes_from(left, no) => [right, left],
            () => return None,
        };
        Some(Gate { condition: self.module.operand(branch, operand::CONDITION), sides })
    }
}

/// The stores to each variable that counts.
fn compute_stores(module: &Module, flow: &FlowGraph) -> FxHashMap<Inst, FxHashMap<Block, Inst>> {
    let insts = || flow.blocks().iter().flat_map(|&block| module.children(block).map(move |inst| (block, inst)));
    let variables = insts().map(|(_, inst)| inst).filter(|&inst| counts(module, inst));
    let mut stores: FxHashMap<Inst, FxHashMap<Block, Inst>> =
        variables.map(|variable| (variable, FxHashMap::default())).collect();
    if stores.is_empty() {
        return stores;
    }
    for (block, inst) in insts().filter(|&(_, inst)| module.op(inst) == Op::Store) {
        if let Some(stores) = stores.get_mut(&module.operand(inst, 0)) {
            stores.insert(block, inst);
        }
    }
    stores
}

/// Whether nothing but plain loads and stores of scalars touch a variable of the function.
fn counts(module: &Module, variable: Inst) -> bool {
    let is_private =
        module.op(variable) == Op::Variable && module.literal_word(module.operand(variable, 0)) == Some(FUNCTION);
    is_private
        && pointee(module, variable).is_some_and(|ty| Kind::of(module, ty).is_some())
        && module.uses(variable).all(|used| {
            let is_plain = |access: usize| {
                let access = module.operands(used.user).nth(access).and_then(|access| module.literal_word(access));
                access.unwrap_or(0) & VOLATILE == 0
            };
            match (module.op(used.user), used.slot) {
                (Op::Load, Slot::Operand(0)) => is_plain(1) && module.ty(used.user) == pointee(module, variable),
                (Op::Store, Slot::Operand(0)) => is_plain(2),
                (Op::ExtInst, _) => is_debug(module, used.user),
                _ => false,
            }
        })
}

fn is_store(module: &Module, inst: Inst, variable: Inst) -> bool {
    module.op(inst) == Op::Store && module.operand(inst, 0) == variable
}

fn pointee(module: &Module, variable: Inst) -> Option<Inst> {
    let pointer = module.ty(variable).filter(|&ty| module.op(ty) == Op::TypePointer)?;
    module.operands(pointer).nth(1)
}

/// Whether an extended instruction means nothing to execution.
fn is_debug(module: &Module, inst: Inst) -> bool {
    let set = module.operand(inst, 0);
    module.op(set) == Op::ExtInstImport && {
        let name = module.literal_text(module.operand(set, 0));
        name.starts_with("NonSemantic.") || name.starts_with("OpenCL.DebugInfo") || name == "DebugInfo"
    }
}
