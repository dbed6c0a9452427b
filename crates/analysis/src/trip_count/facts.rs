//! Facts about a function for a recurrence: the value of a variable at a point, and the branch that determines a parameter.
//!
//! A variable is tracked if it is a scalar of storage class Function and has only plain loads and stores. Its value is found backwards,
//! over the blocks that lead to the point:
//!
//! ```text
//! store %i, %zero                      at `loop`:          the value %zero
//! loop ^header …                       at the load:        what %i holds where ^header begins
//! ^header: %t = load %i …              where control       the value %n
//! ^next: store %i, %n; branch ^header  goes back:
//! ```
//!
//! If paths join with different values, a two-way branch may determine the value: the nearest dominator of the join, if one edge comes from
//! its one side and the other edge from the other. A block parameter is determined in the same way.
//!
//! Linear to build; each query is linear in the blocks on the path, and all together visit at most [`WALK_LIMIT`] of them.

use std::cell::{Cell, OnceCell};

use reconverge_graph::{CycleForest, DominatorTree, Node, Order};
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Slot, Terminator, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{ExecutionMode, StorageClass};

use super::Specialization;
use super::scalar::ScalarKind;
use crate::FlowGraph;
use crate::declarations::is_debug;

/// The maximum number of blocks of a function that are visited to find values of variables: more than the copies that a pass may create.
const WALK_LIMIT: usize = 1 << 22;
/// The source of a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Source {
    /// A value.
    Value(Inst),
    /// The value of a variable at the start of a block.
    Held { variable: Inst, at: Block },
    /// Unknown.
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

/// A branch that determines the value at the join of its two sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub(super) condition: Inst,
    /// The edge that control takes to the join if the condition holds, and the other one.
    pub(super) sides: [Edge; 2],
}

/// The loads and stores of tracked variables.
#[derive(Default)]
struct Accesses {
    /// By variable and block, the last store there. A variable that is not tracked has no entry.
    stores: FxHashMap<Inst, FxHashMap<Block, Inst>>,
    /// By block, the loads there.
    loads: FxHashMap<Block, Vec<Inst>>,
    /// By load, the last store before it in its block.
    stored: FxHashMap<Inst, Inst>,
}

/// The facts about a function for trip counts.
pub(super) struct TripCountFacts<'m> {
    pub(super) module: &'m Module,
    pub(super) specialization: Specialization,
    pub(super) flow: FlowGraph,
    pub(super) order: Order,
    pub(super) dominators: DominatorTree,
    pub(super) cycles: CycleForest,
    accesses: Accesses,
    /// The number of blocks that may still be visited.
    steps_left: Cell<usize>,
    has_fast_math_default: OnceCell<bool>,
}

impl<'m> TripCountFacts<'m> {
    pub(super) fn compute(
        module: &'m Module,
        function: Function,
        specialization: Specialization,
    ) -> TripCountFacts<'m> {
        let flow = FlowGraph::compute(module, function);
        let (order, dominators) = flow.dominators();
        let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
        let accesses = Accesses::compute(module, &flow);
        let steps_left = Cell::new(WALK_LIMIT);
        let has_fast_math_default = OnceCell::new();
        TripCountFacts {
            module,
            specialization,
            flow,
            order,
            dominators,
            cycles,
            accesses,
            steps_left,
            has_fast_math_default,
        }
    }

    /// Returns whether an entry point allows inexact results of float operations.
    pub(super) fn has_fast_math_default(&self) -> bool {
        *self.has_fast_math_default.get_or_init(|| {
            let mut modes = self.module.globals().filter_map(|global| view::ExecutionModeId::of(self.module, global));
            modes.any(|mode| mode.mode == Some(ExecutionMode::FPFastMathDefault))
        })
    }

    /// The index of a reachable instruction's block in reverse post-order.
    pub(super) fn place(&self, inst: Terminator) -> Option<usize> {
        self.module.block_of(inst).and_then(|block| self.flow.find(block)).and_then(|node| self.order.position(node))
    }

    /// Returns whether a block is in the cycle of a header.
    pub(super) fn is_in_cycle(&self, header: Block, block: Block) -> bool {
        let cycle = self.flow.find(header).and_then(|node| self.cycles.headed_by(node));
        cycle.zip(self.flow.find(block)).is_some_and(|(cycle, node)| self.cycles.contains(cycle, node))
    }

    /// The variable that a load reads, if it is tracked.
    pub(super) fn loaded(&self, value: Inst) -> Option<Inst> {
        let variable = view::Load::of(self.module, value)?.pointer;
        self.accesses.stores.contains_key(&variable).then_some(variable)
    }

    /// The type of a source.
    pub(super) fn kind(&self, source: Source) -> Option<ScalarKind> {
        let ty = match source {
            Source::Value(value) => self.module.ty(value)?,
            Source::Held { variable, .. } => self.module.pointee(variable)?,
            Source::Unknown => return None,
        };
        ScalarKind::of(self.module, ty)
    }

    /// The loads of tracked variables, block by block of a loop.
    pub(super) fn loads_inside(&self, header: Block) -> impl Iterator<Item = Inst> + '_ {
        let cycle = self.flow.find(header).and_then(|node| self.cycles.headed_by(node));
        let blocks = cycle.into_iter().flat_map(|cycle| self.cycles.blocks(cycle));
        blocks.filter_map(|&node| self.accesses.loads.get(&self.flow.block(node))).flatten().copied()
    }

    /// The value of a variable directly before a load of it or a terminator: the stored one, or the block if it is the value at its start.
    pub(super) fn held_before(&self, inst: Inst, variable: Inst) -> Result<Source, Block> {
        let (Some(block), Some(stores)) = (self.module.block_of(inst), self.accesses.stores.get(&variable)) else {
            return Ok(Source::Unknown);
        };
        let is_load = self.module.op(inst) == Op::Load;
        let store = if is_load { self.accesses.stored.get(&inst) } else { stores.get(&block) };
        store.map_or(Err(block), |&store| Ok(stored_by(self.module, store)))
    }

    /// The value of a tracked variable at the start of a block. `known` returns values that are already known: at the headers of loops
    /// around the block, where a variable represents itself.
    pub(super) fn held_at(&self, block: Block, variable: Inst, known: impl Fn(Block) -> Option<Source>) -> Source {
        let stores = &self.accesses.stores[&variable];
        let (mut found, mut is_one) = (None, true);
        let mut note = |source: Source| is_one &= *found.get_or_insert(source) == source;
        let (mut seen, mut pending) = (FxHashSet::from_iter([block]), vec![block]);
        while let Some(block) = pending.pop() {
            if !self.step() {
                return Source::Unknown;
            }
            if let Some(source) = known(block) {
                note(source);
                continue;
            }
            if self.flow.find(block) == Some(self.flow.graph().entry()) {
                let initializer = view::Variable::of(self.module, variable).and_then(|variable| variable.initializer);
                note(initializer.map_or(Source::Unknown, Source::Value));
            }
            for before in self.reachable_edges(block).filter_map(|edge| self.module.block_of(edge.terminator)) {
                match stores.get(&before) {
                    Some(&store) => note(stored_by(self.module, store)),
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

    /// Returns whether one more block may be visited.
    fn step(&self) -> bool {
        let left = self.steps_left.get();
        self.steps_left.set(left.saturating_sub(1));
        left > 0
    }

    /// The nearest block above with several predecessors, with no store between.
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

    /// The branch whose two sides join in a block and nowhere before.
    pub(super) fn gate(&self, block: Block) -> Option<Gate> {
        let mut edges = self.reachable_edges(block);
        let (left, right, None) = (edges.next()?, edges.next()?, edges.next()) else { return None };
        let above = self.flow.block(self.dominators.idom(self.flow.find(block)?)?);
        let branch = self.module.terminator(above)?;
        let view::Conditional { condition, true_target, false_target, .. } =
            view::Conditional::of(self.module, branch)?;
        let side = |target| -> Option<Node> {
            let target: Block = self.module.cast(target)?;
            let node = self.flow.find(target).filter(|_| self.module.in_edges(target).count() == 1);
            node.filter(|_| target != block)
        };
        let (yes, no) = (side(true_target)?, side(false_target)?);
        let comes_from = |edge: Edge, side| {
            let source = self.module.block_of(edge.terminator).and_then(|source| self.flow.find(source));
            source.is_some_and(|source| self.dominators.dominates(side, source))
        };
        let sides = match () {
            () if comes_from(left, yes) && comes_from(right, no) => [left, right],
            () if comes_from(right, yes) && comes_from(left, no) => [right, left],
            () => return None,
        };
        Some(Gate { condition, sides })
    }
}

impl Accesses {
    /// Finds the variables in one pass, and their loads and stores in another.
    fn compute(module: &Module, flow: &FlowGraph) -> Accesses {
        let insts = || flow.blocks().iter().flat_map(|&block| module.children(block).map(move |inst| (block, inst)));
        let variables = insts().map(|(_, inst)| inst).filter(|&inst| counts(module, inst));
        let stores = variables.map(|variable| (variable, FxHashMap::default())).collect();
        let mut accesses = Accesses { stores, ..Accesses::default() };
        if accesses.stores.is_empty() {
            return accesses;
        }
        for (block, inst) in insts().filter(|&(_, inst)| matches!(module.op(inst), Op::Load | Op::Store)) {
            let Some(view::Access { pointer }) = view::Access::of(module, inst) else { continue };
            let Some(stores) = accesses.stores.get_mut(&pointer) else { continue };
            if module.op(inst) == Op::Store {
                stores.insert(block, inst);
            } else {
                accesses.loads.entry(block).or_default().push(inst);
                accesses.stored.extend(stores.get(&block).map(|&store| (inst, store)));
            }
        }
        accesses
    }
}

/// Returns whether a variable of the function has only plain loads and stores of scalars.
fn counts(module: &Module, variable: Inst) -> bool {
    const LOADED: Slot = Slot::Operand(view::Load::SLOT.pointer);
    const STORED_TO: Slot = Slot::Operand(view::Store::SLOT.pointer);
    let pointee = module.pointee(variable);
    module.is_variable_of(variable, StorageClass::Function)
        && pointee.is_some_and(|ty| ScalarKind::of(module, ty).is_some())
        && module.uses(variable).all(|used| {
            let is_plain = || !module.memory_access(used.user).is_volatile();
            match (module.op(used.user), used.slot) {
                (Op::Load, LOADED) => is_plain() && module.ty(used.user) == pointee,
                (Op::Store, STORED_TO) => is_plain(),
                (Op::ExtInst, _) => is_debug(module, used.user),
                _ => false,
            }
        })
}

/// The stored value.
fn stored_by(module: &Module, store: Inst) -> Source {
    view::Store::of(module, store).map_or(Source::Unknown, |store| Source::Value(store.object))
}
