//! Values of copied blocks: block parameters where the paths of the original and its copies join.
//!
//! ```text
//! ^c: %x = …    ^c2: %x2 = …           ^c: %x = …              ^c2: %x2 = …
//!     branch ^m      branch ^m              branch ^m(%x)            branch ^m(%x2)
//! ^m: … %x …                       ⇒   ^m(%z): … %z …
//! ```
//!
//! *Requires* that there is no critical edge, and that each use was dominated by the original before its block was copied. Parameters are
//! placed at the iterated dominance frontier of all blocks that have the value (Cytron, Ferrante, Rosen, Wegman, Zadeck 1991), where uses
//! require them (pruned: Choi, Cytron, Ferrante 1991). `ssa_repair.rs` does the same for a value of one definition; here every path from
//! the entry to a use has one, so nothing is undefined. Linear in the sites and in the added arguments.

use reconverge_analysis::FlowGraph;
use reconverge_graph::Node;
use reconverge_ir::{Block, Copies, Function, Inst, Module, Slot};
use rustc_hash::FxHashMap;

use reconverge_rewrite::GrowthLimit;
use reconverge_rewrite::jumps::NewParameters;
use reconverge_rewrite::phi_sites::{Frontiers, Sites};
use reconverge_rewrite::undef::Undefs;

/// A copy of a block, and its copies of the values of the original.
pub(super) struct Images {
    pub(super) block: Block,
    pub(super) images: Copies,
}

/// Replaces uses of values of copied blocks by the values that reach them.
///
/// # Errors
/// Declared limits on parameters and arguments.
pub(super) fn join_values(
    module: &mut Module,
    function: Function,
    groups: &[(Block, Vec<Images>)],
) -> Result<(), GrowthLimit> {
    let flow = FlowGraph::compute(module, function);
    let (_, dominators) = flow.dominators();
    let mut frontiers = Frontiers::new(flow.graph(), &dominators);
    let mut joining = Joining { module, flow: &flow, added: NewParameters::default(), undefs: Undefs::default() };
    // Collected before parameters are added, whose uses are already correct.
    let is_value = |module: &Module, inst: &Inst| module.ty(*inst).is_some();
    let values: Vec<Vec<Inst>> = groups
        .iter()
        .map(|&(original, _)| joining.module.children(original).filter(|inst| is_value(joining.module, inst)).collect())
        .collect();
    for ((original, copies), values) in groups.iter().zip(values) {
        let blocks = std::iter::once(*original).chain(copies.iter().map(|copy| copy.block));
        let holders: Vec<Node> = blocks.map(|block| flow.node(block)).collect();
        let sites = frontiers.sites_of_all(&holders);
        for value in values {
            let images = std::iter::once(value).chain(copies.iter().map(|copy| copy.images.image(value)));
            let reaching = holders.iter().copied().zip(images).collect();
            joining.join(&sites, *original, value, reaching);
            joining.added.check()?;
        }
    }
    joining.added.finish(joining.module);
    Ok(())
}

struct Joining<'a> {
    module: &'a mut Module,
    flow: &'a FlowGraph,
    added: NewParameters,
    undefs: Undefs,
}

impl Joining<'_> {
    /// `reaching` has the value at the end of each site; parameters are added to it when they are created.
    fn join(&mut self, sites: &Sites<'_>, original: Block, value: Inst, mut reaching: FxHashMap<Node, Inst>) {
        let ty = self.module.ty(value).expect("invariant: only values are joined");
        let uses: Vec<_> = self.module.uses(value).collect();
        let mut pending = Vec::new();
        for used in uses {
            let Slot::Operand(index) = used.slot else { continue };
            let Some(block) = self.module.block_of(used.user).filter(|&block| block != original) else { continue };
            let Some(node) = self.flow.find(block) else { continue };
            let image = self.reaching(sites, node, (&mut reaching, &mut pending), ty);
            self.module.edit().set_operand(used.user, index, image);
        }
        while let Some(site) = pending.pop() {
            let block = self.flow.block(site);
            let jumps = self.added.jumps(self.module, block);
            let sources =
                jumps.iter().map(|&jump| self.module.block_of(jump).expect("invariant: an edge leaves a block"));
            let sources: Vec<Node> = sources.map(|source| self.flow.node(source)).collect();
            let row = sources.into_iter().map(|source| self.reaching(sites, source, (&mut reaching, &mut pending), ty));
            let row: Vec<Inst> = row.collect();
            self.added.pass(self.module, block, row);
        }
    }

    /// The value at the end of a block.
    fn reaching(
        &mut self,
        sites: &Sites<'_>,
        node: Node,
        (reaching, pending): (&mut FxHashMap<Node, Inst>, &mut Vec<Node>),
        ty: Inst,
    ) -> Inst {
        let Some(site) = sites.nearest(node) else { return self.undefs.undef(self.module, ty) };
        *reaching.entry(site).or_insert_with(|| {
            pending.push(site);
            self.added.append(self.module, self.flow.block(site), ty)
        })
    }
}
