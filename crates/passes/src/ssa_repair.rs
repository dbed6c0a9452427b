//! Carries values that no longer dominate their uses, by block parameters.
//!
//! *Requires* a control flow graph without critical edges. *Preserves* what every use sees: the last definition that ran.
//! *Breaks* nothing: no memory, no copies of computations except where a parameter cannot carry the type.
//!
//! Moving blocks around (a break block behind its loop, an arm behind a dispatch) leaves definitions that ran before their uses on
//! every path that matters but no longer dominate them. For the values of one block the classic construction applies:
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
//! New parameters are due at the iterated dominance frontier of the defining block (Cytron, Ferrante, Rosen, Wegman, Zadeck 1991,
//! section 5.1), but only where a use asks for one: questions go from the uses backwards, so that the set is pruned. What reaches
//! the end of a block is what its nearest dominator among definition and parameters holds; if there is none, `undef`.
//!
//! Types that no parameter can carry (images, samplers, and pointers under logical addressing: SPIR-V sections 2.16.1 and
//! 3.3.3) are computed again at the use instead.
//!
//! Linear in the function, plus for each block that defines a broken value its iterated frontier.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{DominatorTree, Node, Order, compute_iterated_frontier};
use reconverge_ir::{Block, Class, Function, Inst, Module, Op, Position, Slot, Terminator, Use};
use rustc_hash::FxHashMap;

use crate::undef::Undefs;

/// Why a function could not be repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairError {
    /// The value that no parameter can carry and that cannot be computed again.
    pub value: Inst,
    /// A use that its definition does not dominate.
    pub user: Inst,
}

/// What a repair added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// Values that did not dominate some use.
    pub values: usize,
    /// Block parameters added for them.
    pub parameters: usize,
    /// Instructions computed again at a use.
    pub rematerialized: usize,
}

/// Repairs every value of a function. See the file's head.
///
/// # Errors
/// A value whose type no parameter can carry and whose instruction reads or writes memory that may change.
pub fn repair_ssa(module: &mut Module, function: Function) -> Result<RepairReport, RepairError> {
    let flow = FlowGraph::compute(module, function);
    let (order, dominators) = flow.dominators();
    let pointers_are_values = crate::capabilities::pointers_are_values(module);
    let (undefs, report) = (Undefs::default(), RepairReport::default());
    let mut repair = Repair { module, flow, order, dominators, undefs, pointers_are_values, report };
    repair.rematerialize()?;
    for node in repair.order.sequence().to_vec() {
        repair.repair_block(node);
    }
    Ok(repair.report)
}

struct Repair<'m> {
    module: &'m mut Module,
    flow: FlowGraph,
    order: Order,
    dominators: DominatorTree,
    undefs: Undefs,
    pointers_are_values: bool,
    report: RepairReport,
}

impl Repair<'_> {
    /// Computes again, right before each use, what no parameter can carry.
    fn rematerialize(&mut self) -> Result<(), RepairError> {
        let mut pending: Vec<(Inst, Use)> = Vec::new();
        for &node in self.order.sequence() {
            for value in self.module.children(self.flow.block(node)) {
                if self.needs_rematerializing(value) {
                    pending.extend(self.broken_uses(node, value).into_iter().map(|used| (value, used)));
                }
            }
        }
        while let Some((value, used)) = pending.pop() {
            if !can_run_again(self.module, value) {
                return Err(RepairError { value, user: used.user });
            }
            let Slot::Operand(index) = used.slot else { continue };
            let operands: Vec<Inst> = self.module.operands(value).collect();
            let (op, ty, location) = (self.module.op(value), self.module.ty(value), self.module.location(value));
            let decorations = self.module.decorations(value).to_vec();
            let mut editor = self.module.edit();
            let copy = editor.insert(Position::Before(used.user), op, ty, &operands);
            decorations.into_iter().for_each(|decoration| editor.decorate(copy, decoration));
            editor.set_location(copy, location);
            editor.set_operand(used.user, index, copy);
            self.report.rematerialized += 1;
            for (index, operand) in operands.into_iter().enumerate() {
                let used = Use { user: copy, slot: Slot::Operand(index) };
                let defined = self.module.block_of(operand).and_then(|block| self.flow.find(block));
                if defined.is_some_and(|node| self.needs_rematerializing(operand) && self.is_broken(node, used)) {
                    pending.push((operand, used));
                }
            }
        }
        Ok(())
    }

    fn needs_rematerializing(&self, value: Inst) -> bool {
        self.module.ty(value).is_some_and(|ty| match self.module.op(ty) {
            Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage => true,
            Op::TypePointer => !self.pointers_are_values,
            _ => false,
        })
    }

    /// Repairs the values that one block defines.
    fn repair_block(&mut self, node: Node) {
        let block = self.flow.block(node);
        let values: Vec<Inst> = self.module.children(block).filter(|&inst| self.module.ty(inst).is_some()).collect();
        let mut frontier = None;
        for value in values {
            let broken = self.broken_uses(node, value);
            if broken.is_empty() {
                continue;
            }
            let sites = frontier.get_or_insert_with(|| Sites::compute(&self.flow, &self.dominators, node));
            self.report.values += 1;
            repair_value(&mut *self.module, &self.flow, &mut self.undefs, sites, &mut self.report, (value, broken));
        }
    }

    fn broken_uses(&self, node: Node, value: Inst) -> Vec<Use> {
        self.module.uses(value).filter(|&used| self.is_broken(node, used)).collect()
    }

    fn is_broken(&self, node: Node, used: Use) -> bool {
        let user_node = self.module.block_of(used.user).and_then(|block| self.flow.find(block));
        user_node.is_some_and(|user| self.dominators.is_reachable(user) && !self.dominators.dominates(node, user))
    }
}

/// Where parameters may be due for the values of one block: the block and its iterated frontier, as a forest under dominance.
struct Sites {
    /// By preorder number; the definition itself among them.
    nodes: Vec<Node>,
    /// Last preorder number below each site, and the site that encloses it.
    extents: Vec<(usize, Option<usize>)>,
    pre: Vec<usize>,
    definition: Node,
}

impl Sites {
    fn compute(flow: &FlowGraph, dominators: &DominatorTree, definition: Node) -> Sites {
        let mut nodes = compute_iterated_frontier(flow.graph(), dominators, &[definition]);
        if !nodes.contains(&definition) {
            nodes.push(definition);
        }
        nodes.sort_by_key(|&node| dominators.pre(node));
        let mut extents: Vec<(usize, Option<usize>)> = Vec::with_capacity(nodes.len());
        let mut open: Vec<usize> = Vec::new();
        for (site, &node) in nodes.iter().enumerate() {
            let first = dominators.pre(node);
            while open.last().is_some_and(|&outer| extents[outer].0 < first) {
                open.pop();
            }
            extents.push((first + dominators.subtree_size(node) - 1, open.last().copied()));
            open.push(site);
        }
        let pre = flow.graph().nodes().map(|node| if dominators.is_reachable(node) { dominators.pre(node) } else { usize::MAX });
        Sites { extents, pre: pre.collect(), nodes, definition }
    }

    /// The nearest site that dominates a node.
    fn nearest(&self, node: Node) -> Option<Node> {
        let number = self.pre[node.index()];
        let before = self.nodes.partition_point(|&site| self.pre[site.index()] <= number);
        let mut site = before.checked_sub(1);
        while let Some(index) = site {
            if number <= self.extents[index].0 {
                return Some(self.nodes[index]);
            }
            site = self.extents[index].1;
        }
        None
    }
}

fn repair_value(
    module: &mut Module,
    flow: &FlowGraph,
    undefs: &mut Undefs,
    sites: &Sites,
    report: &mut RepairReport,
    (value, broken): (Inst, Vec<Use>),
) {
    let ty = module.ty(value).expect("invariant: only values are repaired");
    let mut parameters: FxHashMap<Node, Inst> = FxHashMap::default();
    let mut pending: Vec<Node> = Vec::new();
    for used in broken {
        let block = module.block_of(used.user).expect("invariant: a broken use stands in a block");
        let reaching = match sites.nearest(flow.node(block)) {
            None => undefs.undef(module, ty),
            Some(site) => at_site(module, flow, site, &mut parameters, &mut pending, value),
        };
        match used.slot {
            Slot::Operand(index) => module.edit().set_operand(used.user, index, reaching),
            Slot::Type => unreachable!("a value of a block is nobody's type here"),
        }
    }
    while let Some(site) = pending.pop() {
        report.parameters += 1;
        let mut edges: Vec<Terminator> = module.in_edges(flow.block(site)).map(|edge| edge.terminator).collect();
        edges.sort_unstable();
        for terminator in edges {
            let source = module.block_of(terminator).and_then(|block| flow.find(block));
            let reaching = match source.and_then(|source| sites.nearest(source)) {
                None => undefs.undef(module, ty),
                Some(from) if from == sites.definition => value,
                Some(from) => at_site(module, flow, from, &mut parameters, &mut pending, value),
            };
            append_argument(module, terminator, reaching);
        }
    }
}

/// What holds at the start of a site, or after the definition if that is the site. A use in the defining block itself is broken
/// only if it comes around a cycle, and then the frontier holds the block.
fn at_site(
    module: &mut Module,
    flow: &FlowGraph,
    site: Node,
    parameters: &mut FxHashMap<Node, Inst>,
    pending: &mut Vec<Node>,
    value: Inst,
) -> Inst {
    let defines = module.block_of(value) == Some(flow.block(site));
    if defines {
        return value;
    }
    *parameters.entry(site).or_insert_with(|| {
        pending.push(site);
        let ty = module.ty(value).expect("invariant: only values are repaired");
        append_parameter(module, flow.block(site), ty)
    })
}

/// Adds a parameter after those that a block has. The caller extends the branches that go there.
pub(crate) fn append_parameter(module: &mut Module, block: Block, ty: Inst) -> Inst {
    let last = module.parameters(block).last();
    let position = last.map_or(Position::AtStart(block.into()), |last| Position::After(last.into()));
    module.edit().insert(position, Op::BlockParameter, Some(ty), &[])
}

fn append_argument(module: &mut Module, terminator: Terminator, argument: Inst) {
    debug_assert!(matches!(module.op(terminator), Op::Branch | Op::Loop), "a block with parameters is entered by branches alone");
    let operands: Vec<Inst> = module.operands(terminator).chain([argument]).collect();
    module.edit().set_operands(terminator, &operands);
}

/// Whether an instruction gives the same result where it is used as where it stands.
fn can_run_again(module: &Module, value: Inst) -> bool {
    let op = module.op(value);
    let reads_opaque = op == Op::Load && module.ty(value).is_some_and(|ty| module.op(ty) != Op::TypePointer);
    op.class() != Class::Structure && (op.effects().is_pure() || reads_opaque)
}
