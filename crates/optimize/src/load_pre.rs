//! Replaces loads by block parameters if every incoming edge has the value.
//!
//! ```text
//! ^a: %x = load %p; branch ^j               ^a: %x = load %p; branch ^j(%x)
//! ^b: store %p, %y; branch ^j          ⇒    ^b: store %p, %y; branch ^j(%y)
//! ^j: %z = load %p; use %z                  ^j(%v): use %v
//! ```
//!
//! *Requires* nothing; equal pointers should be one (`gvn`). *Preserves* control flow, every value and every effect. *Breaks*
//! nothing.
//!
//! The memory state of a load begins with a join in a block above it. On each edge into that block, the value is known in the incoming
//! state: the state begins with a store to the same address, or a load through the same pointer read it and dominates the edge. The pointer
//! is defined above the block, so it is the same on each edge. Then the value becomes a block parameter, and memory is not read again. No
//! path computes more than before. If the value is unknown on one edge, the load stays. (This is the part of partial redundancy elimination
//! that inserts no instructions, for loads through pointers that need no translation: Chow, Chan, Kennedy, Liu, Lo and Tu 1997 for the Φ of
//! expressions, Lo, Chow, Kennedy, Liu and Tu 1998 for loads.)
//!
//! At the header of a loop, this is register promotion: the entering edge passes the value that was loaded before the loop, and the back
//! edge the value that the loop stored last. An edge on which memory is in the state of the join itself passes the parameter.
//!
//! If all edges have the same value, or a parameter of the block already has the values, no parameter is added. A value that is computed in
//! a loop is not passed out of it: lanes that leave the loop earlier would keep it live until then.
//!
//! Invariant: each argument dominates its edge. If an argument is a load that is removed, the replacement of that load is passed, which
//! dominates that load. Loads are decided on a table and rewritten together. Near-linear: a block with more than [`EDGES`] incoming edges
//! is skipped, each edge considers [`SOURCES`] loads, and a block with [`PARAMETERS`] parameters gets no more, since each is live until the
//! load.

use reconverge_analysis::memory::{Definition, MemoryState, MemoryStates};
use reconverge_ir::{Block, Function, Inst, Module, Op, view};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analyses::Analyses;
use crate::body::{Body, NONE, OUTSIDE};
use crate::forwarding::Stored;
use reconverge_rewrite::jumps::NewParameters;
use reconverge_rewrite::module_facts::ModuleFacts;
use reconverge_rewrite::promises;
use reconverge_rewrite::removal::remove;
use reconverge_rewrite::substitution::Substitution;

/// The maximal number of edges into a block.
const EDGES: usize = 16;
/// The maximal number of loads of one state through one pointer that an edge considers, and of parameters of a block that are compared.
const SOURCES: usize = 8;
/// The number of parameters from which on a block gets no more.
const PARAMETERS: usize = 8;

/// Replaces loads by block parameters if the value is known on every edge into a block. Returns the number of removed loads.
pub fn load_pre(module: &mut Module, function: Function, analyses: &mut Analyses) -> usize {
    if module.entry(function).is_none() {
        return 0;
    }
    let body = analyses.take(module, function);
    let plan = body.memory(module).map(|memory| LoadSearch::compute(module, &body, memory, analyses.facts()));
    let joined = plan.map_or(0, |plan| plan.write(module, function, &body));
    analyses.keep(function, body);
    joined
}

/// The argument that an edge passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    /// An existing operand.
    Value(u32),
    /// The parameter itself, on a back edge.
    Itself,
}

/// The replacement of a load.
#[derive(Clone, Copy, Debug)]
enum Kept {
    /// An operand.
    Value(u32),
    /// The parameter of that number in [`Plan::added`].
    Added(usize),
}

/// A new parameter.
struct Added {
    block: u32,
    /// The first load that it replaces.
    load: u32,
    /// By predecessor of the block, the argument of the edge.
    row: EdgeSources,
}

type EdgeSources = SmallVec<[(u32, Source); 4]>;

/// The removed loads and the new parameters.
#[derive(Default)]
struct Plan {
    added: Vec<Added>,
    /// Removed loads, in order.
    gone: Vec<(u32, Kept)>,
    /// Loads and parameters whose value replaces loads.
    shared: Vec<(u32, u32)>,
}

struct LoadSearch<'a> {
    module: &'a Module,
    body: &'a Body,
    memory: &'a MemoryStates,
    /// By pointer and state: the loads, in order.
    loads: FxHashMap<(u32, MemoryState), SmallVec<[u32; 2]>>,
    /// By block: the number of its parameters, new ones included.
    counts: FxHashMap<u32, usize>,
    plan: Plan,
}

impl<'a> LoadSearch<'a> {
    fn compute(module: &'a Module, body: &'a Body, memory: &'a MemoryStates, facts: &ModuleFacts) -> Plan {
        let (loads, counts) = (FxHashMap::default(), FxHashMap::default());
        let mut search = LoadSearch { module, body, memory, loads, counts, plan: Plan::default() };
        let readers = |&inst: &u32| body.op(inst) == Op::Load;
        let mut joined: Vec<(u32, MemoryState)> = Vec::new();
        for load in (0..body.len()).filter(readers) {
            let Some(state) = memory.state_of(body.inst(load)) else { continue };
            search.loads.entry((body.operands(load)[view::Load::SLOT.pointer], state)).or_default().push(load);
            if matches!(memory.definition(state), Definition::Join(_)) {
                joined.push((load, state));
            }
        }
        let mut known: FxHashMap<(u32, MemoryState), Option<(EdgeSources, Kept)>> = FxHashMap::default();
        for (load, state) in joined {
            let handle = body.inst(load);
            let is_number = module.ty(handle).is_some_and(|ty| facts.carriable(module).is_number(module, ty));
            if !is_number || !promises::is_free(module, handle) {
                continue;
            }
            let key = (body.operands(load)[view::Load::SLOT.pointer], state);
            let found = known.entry(key).or_insert_with(|| {
                let (block, row) = search.row(load, state)?;
                let kept = search.kept(block, load, &row)?;
                Some((row, kept))
            });
            if let Some((row, kept)) = found {
                search.replace(load, row, *kept);
            }
        }
        search.plan
    }

    /// The block of the join that a load sees, with the argument of each edge into it, if all are known.
    fn row(&self, load: u32, state: MemoryState) -> Option<(u32, EdgeSources)> {
        let body = self.body;
        let Definition::Join(node) = self.memory.definition(state) else { return None };
        let block = body.place(node);
        let pointer = body.operands(load)[view::Load::SLOT.pointer];
        let is_above =
            pointer & OUTSIDE != 0 || body.block_of(pointer) != block && body.dominates(body.block_of(pointer), block);
        if !is_above || !self.is_entered_by_jumps(block) {
            return None;
        }
        let source = |edge: u32| Some((edge, self.source(load, state, edge)?));
        Some((block, body.predecessors(block).map(source).collect::<Option<EdgeSources>>()?))
    }

    /// Returns whether a block can get parameters: every edge into it is a reachable jump, and there are few.
    fn is_entered_by_jumps(&self, block: u32) -> bool {
        let (module, body) = (self.module, self.body);
        let mut edges = module.in_edges(body.block(block));
        let is_jump = |op: Op| matches!(op, Op::Branch | Op::Loop);
        let count = body.predecessors(block).take(EDGES + 1).count();
        let jumps = edges.by_ref().take(count).filter(|edge| is_jump(module.op(edge.terminator))).count();
        count <= EDGES && jumps == count && edges.next().is_none()
    }

    /// The value at the address of the load at the end of a predecessor of the join's block.
    fn source(&self, load: u32, join: MemoryState, edge: u32) -> Option<Source> {
        let LoadSearch { module, body, memory, .. } = *self;
        let state = memory.state_at_end(body.node(edge), join)?;
        if state == join {
            return Some(Source::Itself);
        }
        let stored = Stored { module, body, memory }.value(load, state, |left, right| left == right);
        let value = stored.or_else(|| {
            let loads = self.loads.get(&(body.operands(load)[view::Load::SLOT.pointer], state))?;
            let fits = |&&other: &&u32| {
                let (left, right) = (body.inst(other), body.inst(load));
                body.dominates(body.block_of(other), edge)
                    && module.ty(left) == module.ty(right)
                    && promises::agree(module, left, right)
            };
            loads.iter().take(SOURCES).find(fits).copied()
        })?;
        self.stays_inside(value, edge).then_some(Source::Value(value))
    }

    /// Returns whether a value is defined in no loop that the edge is outside of.
    fn stays_inside(&self, value: u32, edge: u32) -> bool {
        let body = self.body;
        let around = (value & OUTSIDE == 0).then(|| body.cycles().innermost(body.node(body.block_of(value)))).flatten();
        around.is_none_or(|around| body.cycles().contains(around, body.node(edge)))
    }

    /// The replacement of a load: the one value that all edges pass, an existing parameter that is passed the same values, or a new
    /// parameter.
    fn kept(&mut self, block: u32, load: u32, row: &EdgeSources) -> Option<Kept> {
        let body = self.body;
        let mut values = row.iter().filter(|(_, source)| *source != Source::Itself).map(|&(_, source)| source);
        if let Some(Source::Value(value)) = values.next()
            && values.all(|other| other == Source::Value(value))
            && (value & OUTSIDE != 0 || body.dominates(body.block_of(value), block))
        {
            return Some(Kept::Value(value));
        }
        let is_parameter = |&inst: &u32| body.op(inst) == Op::BlockParameter;
        let parameters = body.range(block).take_while(is_parameter).take(SOURCES);
        let ty = body.ty(load);
        for (number, parameter) in (0..).zip(parameters) {
            let is_passed = |&(edge, source): &(u32, Source)| match source {
                Source::Value(value) => body.argument(edge, number) == value,
                Source::Itself => body.argument(edge, number) == parameter,
            };
            let handle = body.inst(parameter);
            if self.module.ty(handle) == ty && promises::is_free(self.module, handle) && row.iter().all(is_passed) {
                return Some(Kept::Value(parameter));
            }
        }
        let count = self.counts.entry(block).or_insert_with(|| body.range(block).take_while(is_parameter).count());
        if *count >= PARAMETERS {
            return None;
        }
        *count += 1;
        self.plan.added.push(Added { block, load, row: row.clone() });
        Some(Kept::Added(self.plan.added.len() - 1))
    }

    /// Records the removal of a load, unless its type or decorations differ from those of its replacement.
    fn replace(&mut self, load: u32, row: &EdgeSources, kept: Kept) {
        let (module, body) = (self.module, self.body);
        let (ty, taken) = match kept {
            Kept::Value(value) => (module.ty(body.operand_inst(value)), Some(Source::Value(value))),
            Kept::Added(number) => (module.ty(body.inst(self.plan.added[number].load)), None),
        };
        if ty != body.ty(load) {
            return;
        }
        for source in row.iter().map(|&(_, source)| source).chain(taken) {
            if let Source::Value(value) = source
                && value & OUTSIDE == 0
                && matches!(body.op(value), Op::Load | Op::BlockParameter)
            {
                self.plan.shared.push((value, load));
            }
        }
        self.plan.gone.push((load, kept));
    }
}

impl Plan {
    /// Adds the parameters, replaces the loads and deletes them. Linear in the function.
    fn write(self, module: &mut Module, function: Function, body: &Body) -> usize {
        if self.gone.is_empty() {
            return 0;
        }
        for &(source, load) in &self.shared {
            promises::intersect(module, body.inst(source), body.inst(load));
        }
        let mut new = NewParameters::default();
        let parameters: Vec<Inst> = self.added.iter().map(|added| added.append(module, body, &mut new)).collect();
        let mut substitution = Substitution::default();
        for &(load, kept) in &self.gone {
            let by = match kept {
                Kept::Value(value) => body.operand_inst(value),
                Kept::Added(number) => parameters[number],
            };
            substitution.insert(body.inst(load), by);
        }
        for (added, &parameter) in self.added.iter().zip(&parameters) {
            let block = body.block(added.block);
            let jumps = new.jumps(module, block);
            let row = jumps.iter().map(|&jump| {
                let edge = module.block_of(jump).map_or(NONE, |source| body.place(body.flow().node(source)));
                let (_, source) = added.row.iter().find(|&&(other, _)| other == edge).expect("invariant: a way in");
                match *source {
                    Source::Value(value) => substitution.resolve(body.operand_inst(value)),
                    Source::Itself => parameter,
                }
            });
            let row = row.collect();
            new.pass(module, block, row);
        }
        new.finish(module);
        substitution.write(module, function);
        self.gone.iter().for_each(|&(load, _)| remove(module, body.inst(load)));
        self.gone.len()
    }
}

impl Added {
    /// The parameter, with the name of the load.
    fn append(&self, module: &mut Module, body: &Body, new: &mut NewParameters) -> Inst {
        let load = body.inst(self.load);
        let ty = module.ty(load).expect("invariant: a load has a type");
        let block: Block = body.block(self.block);
        let parameter = new.append(module, block, ty);
        if let Some(name) = module.name(load) {
            module.edit().set_name(parameter, &name);
        }
        parameter
    }
}
