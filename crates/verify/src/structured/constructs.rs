//! Constructs (SPIR-V section 2.11.2), and the constructs of each block.
//!
//! | construct | blocks |
//! |---|---|
//! | selection, switch | structurally dominated by the header, not by the merge block |
//! | loop | structurally dominated by the header, not by the continue block nor by the break block |
//! | continue | structurally dominated by the continue block, structurally post-dominated by the latch |
//! | case | structurally dominated by a target of the switch other than its merge block, not by that merge block |
//!
//! If the rules on headers hold, constructs nest. The constructs of a block are those of its immediate structural dominator, without the
//! ones that end at the block, and with the ones that begin at it: the immediate dominator of a merge block or continue block is in the
//! construct of its header, and that of a block after a continue construct is its latch. So one traversal of the dominator tree computes
//! the constructs of all blocks, and each block stores one number: its innermost construct. O(blocks), except for blocks after a latch in
//! invalid nests.

use super::contraction::Contraction;
use super::structure::Structure;
use reconverge_ir::Op;

/// The number of a construct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ConstructId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConstructKind {
    Selection,
    Switch,
    /// The switch has this header.
    Case,
    Loop,
    Continue,
}

/// A construct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Construct {
    pub(crate) kind: ConstructKind,
    /// The first block: header, continue block or case target.
    pub(crate) entry: u32,
    /// The block with the merge instruction that it belongs to.
    pub(crate) header: u32,
    pub(crate) merge: u32,
    /// The continue block of a loop.
    pub(crate) continue_block: Option<u32>,
    /// The latch of a continue construct.
    pub(crate) latch: Option<u32>,
    /// The enclosing construct.
    pub(crate) outer: Option<ConstructId>,
    /// The number of enclosing constructs other than cases, this one included.
    pub(crate) depth: u32,
    /// The innermost loop or continue construct, this one included.
    pub(crate) innermost_loop: Option<ConstructId>,
    /// The innermost switch, this one included, without a loop or continue construct in between.
    pub(crate) innermost_switch: Option<ConstructId>,
}

/// The constructs of a function.
pub(crate) struct Constructs {
    all: Vec<Construct>,
    /// By block: its innermost construct.
    scopes: Vec<Option<ConstructId>>,
    /// By block: the innermost construct that does not begin at it.
    around: Vec<Option<ConstructId>>,
}

impl Constructs {
    /// The constructs of a function whose headers and back edges were checked.
    pub(crate) fn compute(contraction: &Contraction<'_>, structure: &Structure) -> Constructs {
        let count = contraction.blocks.len();
        let roles = Roles::of(contraction, structure);
        let mut constructs = Constructs { all: Vec::new(), scopes: vec![None; count], around: vec![None; count] };
        let mut own: Vec<Option<ConstructId>> = vec![None; count];
        for &block in structure.dominance.order() {
            let mut scope = None;
            if let Some(idom) = structure.dominance.idom(block) {
                scope = constructs.scopes[idom as usize];
                if ends_at(contraction, idom, block) && own[idom as usize].is_some() {
                    scope = constructs.all_of(own[idom as usize]).and_then(|construct| construct.outer);
                }
                scope = constructs.leave_continue(structure, roles.latch_of[idom as usize], scope, block);
            }
            constructs.around[block as usize] = scope;
            for (kind, header) in roles.begun_at(contraction, block).into_iter().flatten() {
                let Some(begun) = roles.construct(contraction, block, kind, header) else { continue };
                let id = constructs.push(begun, scope);
                scope = Some(id);
                if !matches!(kind, ConstructKind::Case | ConstructKind::Continue) {
                    own[block as usize] = Some(id);
                }
            }
            constructs.scopes[block as usize] = scope;
        }
        constructs
    }

    /// The innermost construct of a block.
    pub(crate) fn innermost(&self, block: u32) -> Option<ConstructId> {
        self.scopes[block as usize]
    }

    /// The innermost construct of a block that does not begin at it.
    pub(crate) fn around(&self, block: u32) -> Option<ConstructId> {
        self.around[block as usize]
    }

    /// A construct by its number.
    pub(crate) fn construct(&self, id: ConstructId) -> &Construct {
        &self.all[id.0 as usize]
    }

    /// A construct and the enclosing ones, from the inside out.
    pub(crate) fn outwards(&self, from: Option<ConstructId>) -> impl Iterator<Item = (ConstructId, &Construct)> {
        std::iter::successors(from, |&id| self.construct(id).outer).map(|id| (id, self.construct(id)))
    }

    /// Returns whether a block is in a construct.
    pub(crate) fn contains(&self, structure: &Structure, id: ConstructId, block: u32) -> bool {
        let construct = self.construct(id);
        if !structure.dominates(construct.entry, block) {
            return false;
        }
        match construct.latch {
            Some(latch) => structure.post_dominates(latch, block),
            None => {
                let is_continued = construct.continue_block.is_some_and(|target| structure.dominates(target, block));
                !is_continued && !structure.dominates(construct.merge, block)
            }
        }
    }

    fn all_of(&self, id: Option<ConstructId>) -> Option<&Construct> {
        id.map(|id| self.construct(id))
    }

    fn push(&mut self, begun: Construct, outer: Option<ConstructId>) -> ConstructId {
        let id = ConstructId(self.all.len() as u32);
        let around = self.all_of(outer).copied();
        let (innermost_loop, innermost_switch) = match begun.kind {
            ConstructKind::Loop | ConstructKind::Continue => (Some(id), None),
            ConstructKind::Switch => (around.and_then(|around| around.innermost_loop), Some(id)),
            ConstructKind::Selection | ConstructKind::Case => {
                (around.and_then(|around| around.innermost_loop), around.and_then(|around| around.innermost_switch))
            }
        };
        let depth = around.map_or(0, |around| around.depth) + u32::from(begun.kind != ConstructKind::Case);
        self.all.push(Construct { outer, depth, innermost_loop, innermost_switch, ..begun });
        id
    }

    /// Removes the continue construct of a latch from the scope of a block after it.
    fn leave_continue(
        &mut self,
        structure: &Structure,
        latch_of: Option<u32>,
        scope: Option<ConstructId>,
        block: u32,
    ) -> Option<ConstructId> {
        let Some(header) = latch_of else { return scope };
        let mut inside = Vec::new();
        let mut current = scope;
        while let Some(id) = current {
            let construct = *self.construct(id);
            if construct.kind == ConstructKind::Continue && construct.header == header {
                if self.contains(structure, id, block) {
                    return scope;
                }
                let outer = construct.outer;
                return inside.into_iter().rev().fold(outer, |outer, begun| Some(self.push(begun, outer)));
            }
            inside.push(construct);
            current = construct.outer;
        }
        scope
    }
}

fn ends_at(contraction: &Contraction<'_>, header: u32, block: u32) -> bool {
    contraction.merges[header as usize]
        .is_some_and(|merge| merge.merge == block || (merge.continue_block == Some(block) && header != block))
}

/// The roles of each block.
struct Roles {
    /// The header of the loop of which it is the continue block.
    continue_of: Vec<Option<u32>>,
    /// The header of the switch of which it is a case.
    case_of: Vec<Option<u32>>,
    /// The header of the loop of which it is the latch.
    latch_of: Vec<Option<u32>>,
    /// By loop header: the latch.
    latches: Vec<Option<u32>>,
}

impl Roles {
    fn of(contraction: &Contraction<'_>, structure: &Structure) -> Roles {
        let none = || vec![None; contraction.blocks.len()];
        let mut roles = Roles { continue_of: none(), case_of: none(), latch_of: none(), latches: none() };
        for (header, merge) in (0u32..).zip(&contraction.merges) {
            let Some(merge) = merge.filter(|_| structure.is_reachable(header)) else { continue };
            if let Some(continue_block) = merge.continue_block {
                roles.continue_of[continue_block as usize] = Some(header);
                if let [latch] = structure.latches(header)[..] {
                    roles.latch_of[latch as usize] = Some(header);
                    roles.latches[header as usize] = Some(latch);
                }
            } else if contraction.terminator_op(header) == Op::StructuredSwitch {
                for &edge in structure.graph.out_edges(header) {
                    let Some(edge) = contraction.edges.get(edge as usize) else { continue };
                    if edge.target != merge.merge && structure.dominates(header, edge.target) {
                        roles.case_of[edge.target as usize] = Some(header);
                    }
                }
            }
        }
        roles
    }

    /// The constructs that begin at a block, outermost first, each with its header.
    fn begun_at(&self, contraction: &Contraction<'_>, block: u32) -> [Option<(ConstructKind, u32)>; 3] {
        let own = contraction.merges[block as usize].and_then(|merge| match merge.continue_block {
            // A loop of one block has no loop construct: the block is the continue construct.
            Some(continue_block) if continue_block == block => None,
            Some(_) => Some(ConstructKind::Loop),
            None if contraction.terminator_op(block) == Op::StructuredSwitch => Some(ConstructKind::Switch),
            None => Some(ConstructKind::Selection),
        });
        [
            self.continue_of[block as usize].map(|header| (ConstructKind::Continue, header)),
            self.case_of[block as usize].map(|header| (ConstructKind::Case, header)),
            own.map(|kind| (kind, block)),
        ]
    }

    /// A construct that begins at a block. The enclosing construct, the depth and the innermost ones are set later.
    fn construct(
        &self,
        contraction: &Contraction<'_>,
        entry: u32,
        kind: ConstructKind,
        header: u32,
    ) -> Option<Construct> {
        let merge = contraction.merges[header as usize]?;
        Some(Construct {
            kind,
            entry,
            header,
            merge: merge.merge,
            continue_block: merge.continue_block.filter(|_| kind == ConstructKind::Loop),
            latch: if kind == ConstructKind::Continue { self.latches[header as usize] } else { None },
            outer: None,
            depth: 0,
            innermost_loop: None,
            innermost_switch: None,
        })
    }
}
