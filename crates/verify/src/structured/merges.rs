//! Rules of merge instructions that need no dominance over constructs.
//!
//! - R3: a block is after its dominator. Edge blocks that disappear in SPIR-V may be anywhere.
//! - R8 (in part): the two targets of a conditional branch are different blocks. SPIR-V requires this since version 1.6.
//! - R11: a loop header ends in `branch`, `branch_if` or the `loop` of an inner loop.
//! - R15: a switch has a merge block.
//! - R16: at least one target of a `branch_if` is a merge block, break block, continue block or case.
//! - R17: a block is merge block of one header only.
//! - I12 (in part): there is one `loop` for each header.
//!
//! Structurally unreachable blocks are exempt from R15 and R16.

use reconverge_ir::{Op, terminator::operand};

use super::contraction::Contraction;
use super::structure::Structure;
use crate::Code;
use crate::dominance::Dominance;
use crate::graph::Features;
use crate::layout::Line;
use crate::report::Report;

/// Checks every block. `dominance` is that of the function's own graph. Linear.
pub(crate) fn verify_merges(
    report: &mut Report<'_>,
    features: &Features,
    dominance: &Dominance,
    contraction: &Contraction<'_>,
    structure: &Structure,
) {
    verify_order(report, contraction, dominance);
    for &terminator in &contraction.surplus_loops {
        report.at(Code::I12, terminator, "another `loop` has the same header");
    }
    let owners = verify_merge_owners(report, contraction);
    let exits = Exits {
        contraction,
        structure,
        owners,
        is_continue: continue_blocks(contraction),
        is_case: cases(contraction),
    };
    let module = contraction.module;
    for (node, &Line { inst: terminator, op, .. }) in (0u32..).zip(&contraction.terminators) {
        let is_loop_header = contraction.loop_merge(node).is_some();
        if is_loop_header && !matches!(op, Op::Branch | Op::BranchIf | Op::Loop) {
            report.at(Code::R11, terminator, format!("a loop header ends in `{}`", op.name()));
        }
        let is_one_way = matches!(op, Op::If | Op::BranchIf)
            && module.operand(terminator, operand::TRUE) == module.operand(terminator, operand::FALSE);
        if is_one_way && features.version() >= VERSION_1_6 {
            report.at(Code::R8, terminator, "both targets are the same block");
        } else if op == Op::BranchIf && !is_one_way && structure.is_reachable(node) && !exits.is_conditional_exit(node)
        {
            report.at(Code::R16, terminator, "neither target is a merge block, continue block or case");
        }
        if op == Op::Switch && structure.is_reachable(node) {
            report.at(Code::R15, terminator, "the switch has no merge block");
        }
    }
}

/// SPIR-V version 1.6 as a word of the header (section 2.3).
const VERSION_1_6: u32 = 0x0001_0600;

/// The valid targets of a branch without a merge block.
struct Exits<'a, 'm> {
    contraction: &'a Contraction<'m>,
    structure: &'a Structure,
    /// For each block the first header that declares it as its merge block.
    owners: Vec<Option<u32>>,
    is_continue: Vec<bool>,
    /// Targets of switches: a case may fall through conditionally.
    is_case: Vec<bool>,
}

impl Exits<'_, '_> {
    fn is_conditional_exit(&self, node: u32) -> bool {
        let edges = self.structure.graph.out_edges(node).iter();
        let mut ways = edges.filter_map(|&edge| Some((edge, self.contraction.edges.get(edge as usize)?.target)));
        ways.any(|(edge, target)| {
            let is_known = self.owners[target as usize].is_some() || self.is_case[target as usize];
            is_known || self.continues(edge, target)
        })
    }

    /// The header of a loop of one block is also its continue block, but an edge that enters the loop is not a continue.
    fn continues(&self, edge: u32, target: u32) -> bool {
        let is_single_block = self.contraction.loop_merge(target).is_some_and(|(_, block)| block == target);
        self.is_continue[target as usize] && (!is_single_block || self.structure.is_back_edge(edge))
    }
}

/// The dominators of a node in the contracted graph are its dominators in the function's graph that are nodes, since the paths differ only
/// in the blocks that disappear. Such a block has one successor, so it has at most one child in the dominator tree, and no two nodes pass
/// it on the path upwards: linear.
fn verify_order(report: &mut Report<'_>, contraction: &Contraction<'_>, dominance: &Dominance) {
    for (node, &number) in (0u32..).zip(&contraction.numbers) {
        let mut above = std::iter::successors(dominance.idom(number), |&idom| dominance.idom(idom));
        if let Some(idom) = above.find_map(|idom| contraction.node(idom)).filter(|&idom| idom > node) {
            let [block, idom] = [node, idom].map(|node| contraction.blocks[node as usize]);
            let name = report.name(idom);
            report.at(Code::R3, block, format!("the block comes before its dominator {name}"));
        }
    }
}

/// For each block the first header that declares it as its merge block.
fn verify_merge_owners(report: &mut Report<'_>, contraction: &Contraction<'_>) -> Vec<Option<u32>> {
    let mut owners: Vec<Option<u32>> = vec![None; contraction.blocks.len()];
    for (header, merge) in contraction.merges.iter().enumerate() {
        let Some(merge) = merge else { continue };
        match owners[merge.merge as usize] {
            None => owners[merge.merge as usize] = Some(header as u32),
            Some(owner) => {
                let names = [merge.merge, owner].map(|node| report.name(contraction.blocks[node as usize]));
                let message = format!("{} is already the merge block of header {}", names[0], names[1]);
                report.at(Code::R17, merge.terminator, message);
            }
        }
    }
    owners
}

fn continue_blocks(contraction: &Contraction<'_>) -> Vec<bool> {
    let mut is_continue = vec![false; contraction.blocks.len()];
    for target in contraction.merges.iter().flatten().filter_map(|merge| merge.continue_block) {
        is_continue[target as usize] = true;
    }
    is_continue
}

fn cases(contraction: &Contraction<'_>) -> Vec<bool> {
    let mut is_case = vec![false; contraction.blocks.len()];
    for edge in &contraction.edges {
        is_case[edge.target as usize] |= contraction.terminator_op(edge.source) == Op::StructuredSwitch;
    }
    is_case
}
