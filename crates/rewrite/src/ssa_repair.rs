//! Passes values that no longer dominate their uses through block parameters.
//!
//! *Requires* a control flow graph without critical edges. *Preserves* the value of every use: the result of the last definition that was
//! executed. It uses no memory, and copies computations only if a parameter cannot have the type.
//!
//! If blocks move (a break block after its loop, an arm after a dispatch), some definitions are still executed before their uses on every
//! relevant path, but no longer dominate them. For the values of one block the classic construction applies:
//!
//! ```text
//!      d: %v = …                     d: %v = …
//!      │      ╲                      │      ╲
//!      │       x                     │       x
//!      ▼      ╱             ⇒        ▼      ╱
//!      m  ◀──                        m(%p)◀──   d passes %v, x passes undef
//!      use %v                        use %p
//! ```
//!
//! The iterated dominance frontier of the defining block may need parameters (`sites.rs`). A parameter is added only where a use requires
//! one: queries go from the uses backwards, so that the form is pruned. The value at the end of a block is that of its nearest dominator
//! among the definition and the parameters. If there is none, or if the value is dead there (`original_dominance.rs`), it is `undef`. A
//! value that is never computed is `undef` too.
//!
//! Values of types that no parameter can carry (images, samplers, and pointers under logical addressing: `capabilities.rs`) are recomputed
//! at the use instead (`rematerialize.rs`).
//!
//! Broken uses are found by one walk over all operands; uses in blocks that are never reached are left alone. Linear in the
//! function, in the frontiers of the blocks that define broken values, and in the parameters and arguments that are added.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{DominatorTree, Node, Order};
use reconverge_ir::{Block, Function, Inst, Module, Slot, Terminator, Use};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::capabilities::Carriable;
use crate::demote_to_memory::{self, Demotion};
use crate::jumps::{GrowthLimit, NewParameters};
use crate::original_dominance::{Life, OriginalDominance};
use crate::phi_sites::{Frontiers, Sites};
use crate::redundant_parameters::remove_redundant_parameters;
use crate::rematerialize::rematerialize;
use crate::undef::Undefs;

/// The reason why a function could not be repaired. The function may be partly repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepairError {
    /// A value that no parameter can carry and that cannot be computed again.
    Opaque {
        /// The value.
        value: Inst,
        /// A use that its definition does not dominate.
        user: Inst,
    },
    /// Carrying the values would cost too much.
    Growth(GrowthLimit),
}

/// The additions of a repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// Values with a use that they do not dominate.
    pub values: usize,
    /// Block parameters added for them.
    pub parameters: usize,
    /// Copies of instructions at a use.
    pub rematerialized: usize,
    /// Values kept in a variable of the function instead.
    pub variables: usize,
}

/// Repairs every value of a function, as the documentation of this module describes.
///
/// `original` is the dominance in the function in which every use was dominated. It bounds the blocks where a value may still be used.
///
/// # Errors
/// A value whose type no parameter can carry and whose instruction reads or writes memory that may change; declared limits.
pub fn repair_ssa(
    module: &mut Module,
    function: Function,
    original: &OriginalDominance,
) -> Result<RepairReport, RepairError> {
    let (mut report, added) = carry_values(module, function, original, Demotion::Forbidden)?;
    report.parameters -= remove_redundant_parameters(module, function, &added);
    Ok(report)
}

/// Does the same as [`repair_ssa`], but returns the added parameters, redundant ones among them.
pub fn carry_values(
    module: &mut Module,
    function: Function,
    original: &OriginalDominance,
    demotion: Demotion,
) -> Result<(RepairReport, Vec<Inst>), RepairError> {
    let flow = FlowGraph::compute(module, function);
    let (order, dominators) = flow.dominators();
    let mut report = RepairReport::default();
    let mut broken = broken_uses(module, &flow, &order, &dominators);
    if broken.is_empty() {
        return Ok((report, Vec::new()));
    }
    let carriable = Carriable::compute(module);
    let again: Vec<(Inst, Use)> =
        broken.iter().copied().filter(|&(value, _)| !carriable.is_carriable(module, value)).collect();
    if !again.is_empty() {
        report.rematerialized = rematerialize(module, &flow, &dominators, carriable, &again)?;
        broken = broken_uses(module, &flow, &order, &dominators);
    }
    let mut repair = Repair {
        module,
        flow: &flow,
        original,
        undefs: Undefs::default(),
        added: NewParameters::default(),
        parameters: Vec::new(),
        function,
        demotion,
        report,
    };
    repair.repair_all(&dominators, broken).map_err(RepairError::Growth)?;
    repair.added.finish(repair.module);
    Ok((repair.report, repair.parameters))
}

/// Uses that their definitions do not dominate, in reverse post-order of the users' blocks. Linear in the operands.
fn broken_uses(module: &Module, flow: &FlowGraph, order: &Order, dominators: &DominatorTree) -> Vec<(Inst, Use)> {
    let mut broken = Vec::new();
    for &node in order.sequence() {
        let block = flow.block(node);
        for user in module.children(block) {
            for (index, operand) in module.operands(user).enumerate() {
                if is_broken_in(module, flow, dominators, operand, block) {
                    broken.push((operand, Use { user, slot: Slot::Operand(index) }));
                }
            }
        }
    }
    broken
}

/// Returns whether a value is defined in a block that does not dominate `block`, which is reachable.
pub fn is_broken_in(module: &Module, flow: &FlowGraph, dominators: &DominatorTree, value: Inst, block: Block) -> bool {
    let Some(defining) = module.block_of(value).filter(|&defining| defining != block) else { return false };
    let (Some(definition), Some(user)) = (flow.find(defining), flow.find(block)) else { return false };
    !dominators.is_reachable(definition) || !dominators.dominates(definition, user)
}

struct Repair<'a> {
    module: &'a mut Module,
    flow: &'a FlowGraph,
    original: &'a OriginalDominance,
    undefs: Undefs,
    added: NewParameters,
    parameters: Vec<Inst>,
    function: Function,
    demotion: Demotion,
    report: RepairReport,
}

impl Repair<'_> {
    /// Repairs the values block by block.
    fn repair_all(&mut self, dominators: &DominatorTree, broken: Vec<(Inst, Use)>) -> Result<(), GrowthLimit> {
        let mut groups: Vec<(Node, Inst, Vec<Use>)> = Vec::new();
        let mut places: FxHashMap<Inst, usize> = FxHashMap::default();
        for (value, used) in broken {
            let place = *places.entry(value).or_insert_with(|| {
                let block = self.module.block_of(value).expect("invariant: a broken value is defined in a block");
                groups.push((self.flow.node(block), value, Vec::new()));
                groups.len() - 1
            });
            groups[place].2.push(used);
        }
        groups.sort_by_key(|&(definition, ..)| definition.index());
        let mut frontiers = Frontiers::new(self.flow.graph(), dominators);
        for values in groups.chunk_by(|left, right| left.0 == right.0) {
            let sites = frontiers.sites(values[0].0);
            for (_, value, uses) in values {
                self.report.values += 1;
                self.repair_value(&sites, *value, uses);
                self.added.check()?;
            }
        }
        Ok(())
    }

    fn repair_value(&mut self, sites: &Sites<'_>, value: Inst, uses: &[Use]) {
        let defining = self.flow.block(sites.definition());
        let users = self.module.uses(value).map(|used| self.module.block_of(used.user));
        let life = self.original.life(defining, users);
        let mut carried = Carried { sites, value, life, parameters: FxHashMap::default(), pending: Vec::new() };
        if self.demotion == Demotion::Allowed
            && demote_to_memory::can_hold(self.module, value, uses)
            && self.is_costly(&carried, uses)
        {
            demote_to_memory::put(self.module, self.function, value, uses);
            self.report.variables += 1;
            return;
        }
        for &used in uses {
            let Slot::Operand(index) = used.slot else { unreachable!("a value of a block is nobody's type here") };
            let block = self.module.block_of(used.user).expect("invariant: a broken use stands in a block");
            let reaching = self.reaching(&mut carried, self.flow.node(block));
            self.module.edit().set_operand(used.user, index, reaching);
        }
        while let Some(site) = carried.pending.pop() {
            self.report.parameters += 1;
            let block = self.flow.block(site);
            let jumps = self.added.jumps(self.module, block);
            let row: Vec<Inst> = jumps.iter().map(|&jump| self.passed(&mut carried, jump)).collect();
            self.added.pass(self.module, block, row);
        }
    }

    /// The argument that a jump passes for the value.
    fn passed(&mut self, carried: &mut Carried<'_>, jump: Terminator) -> Inst {
        let source = self.module.block_of(jump).expect("invariant: an edge leaves a block");
        match self.is_dead_behind(carried, source) {
            true => {
                let ty = self.module.ty(carried.value).expect("invariant: only values are repaired");
                self.undefs.undef(self.module, ty)
            }
            false => self.reaching(carried, self.flow.node(source)),
        }
    }

    /// Returns whether a value needs many parameters, or parameters of many jumps. Stops when the limit is reached.
    fn is_costly(&mut self, carried: &Carried<'_>, uses: &[Use]) -> bool {
        let users = uses.iter().filter_map(|used| self.module.block_of(used.user));
        let mut pending: Vec<Node> = users.map(|block| self.flow.node(block)).collect();
        let (mut known, mut arguments) = (FxHashSet::default(), 0);
        while let Some(node) = pending.pop() {
            let Some(site) = carried.sites.nearest(node) else { continue };
            if site == carried.sites.definition() || self.is_dead_at(carried, site) || !known.insert(site) {
                continue;
            }
            let jumps = self.added.jumps(self.module, self.flow.block(site));
            arguments += jumps.len();
            if known.len() > demote_to_memory::PARAMETERS || arguments > demote_to_memory::ARGUMENTS {
                return true;
            }
            let sources = jumps.iter().filter_map(|&jump| self.module.block_of(jump));
            let sources = sources.filter(|&source| !self.is_dead_behind(carried, source));
            pending.extend(sources.map(|source| self.flow.node(source)));
        }
        false
    }

    /// The value at the end of a block.
    fn reaching(&mut self, carried: &mut Carried<'_>, node: Node) -> Inst {
        let ty = self.module.ty(carried.value).expect("invariant: only values are repaired");
        match carried.sites.nearest(node) {
            None => self.undefs.undef(self.module, ty),
            Some(site) if site == carried.sites.definition() => carried.value,
            Some(site) if self.is_dead_at(carried, site) => self.undefs.undef(self.module, ty),
            Some(site) => *carried.parameters.entry(site).or_insert_with(|| {
                carried.pending.push(site);
                let parameter = self.added.append(self.module, self.flow.block(site), ty);
                self.parameters.push(parameter);
                parameter
            }),
        }
    }

    fn is_dead_at(&self, carried: &Carried<'_>, site: Node) -> bool {
        self.original.is_dead_at(self.flow.block(carried.sites.definition()), &carried.life, self.flow.block(site))
    }

    fn is_dead_behind(&self, carried: &Carried<'_>, source: Block) -> bool {
        self.original.is_dead_behind(self.flow.block(carried.sites.definition()), &carried.life, source)
    }
}

/// A value in the process of repair: the parameters that hold it, and those whose jumps still lack arguments.
struct Carried<'a> {
    sites: &'a Sites<'a>,
    value: Inst,
    life: Life,
    parameters: FxHashMap<Node, Inst>,
    pending: Vec<Node>,
}
