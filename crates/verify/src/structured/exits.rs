//! Edges that leave or enter constructs.
//!
//! - R13 (in part): constructs nest at most 1,023 deep.
//! - R24: an edge from A to B that leaves A's innermost construct I is one of these, where L is the innermost loop construct of A: B is the
//!   merge block of the selection or switch I; B is the break block or continue block of L; B is the merge block of the innermost switch of
//!   A, with no loop in between; I is a case construct and B another case of the same switch. (`switches.rs` checks fall-through.)
//! - R25: an edge that leaves a continue construct is its loop's back edge, or goes from the latch to the break block.
//! - R26: an edge to the continue block of a loop of several blocks comes from the loop construct or is a back edge.
//! - R27: a construct that contains the header of another contains that one's merge block.
//! - R28: an edge from outside a construct goes to its first block.
//!
//! Edges from structurally unreachable blocks are exempt (R36).

use super::constructs::{Construct, ConstructId, ConstructKind, Constructs};
use super::contraction::{Contraction, FlowEdge};
use super::structure::Structure;
use crate::Code;
use crate::report::Report;

/// SPIR-V section 2.17.
const NESTING_LIMIT: u32 = 1023;

/// Checks every edge and header of a function whose headers and back edges were checked. O(edges).
pub(crate) fn verify_exits(
    report: &mut Report<'_>,
    contraction: &Contraction<'_>,
    structure: &Structure,
    constructs: &Constructs,
) {
    let view = View { contraction, structure, constructs };
    view.verify_nesting(report);
    for (number, &edge) in (0u32..).zip(&contraction.edges) {
        if structure.is_reachable(edge.source) {
            view.verify_exit(report, edge);
            view.verify_entry(report, number, edge);
        }
    }
    for &header in structure.dominance.order() {
        view.verify_containment(report, header);
    }
}

struct View<'a, 'm> {
    contraction: &'a Contraction<'m>,
    structure: &'a Structure,
    constructs: &'a Constructs,
}

impl View<'_, '_> {
    fn verify_nesting(&self, report: &mut Report<'_>) {
        let depth = |node: u32| self.constructs.around(node).map_or(0, |id| self.constructs.construct(id).depth);
        let order = self.structure.dominance.order();
        if let Some(&deep) = order.iter().find(|&&node| depth(node) > NESTING_LIMIT) {
            let block = self.contraction.blocks[deep as usize];
            report.at(Code::R13, block, format!("the block is in more than {NESTING_LIMIT} constructs"));
        }
    }

    fn verify_exit(&self, report: &mut Report<'_>, edge: FlowEdge) {
        let Some(innermost) = self.constructs.innermost(edge.source) else { return };
        if self.constructs.contains(self.structure, innermost, edge.target) {
            return;
        }
        let construct = self.constructs.construct(innermost);
        let around_loop = construct.innermost_loop;
        if let Some(id) = around_loop {
            let closing = self.constructs.construct(id);
            let leaves = !self.constructs.contains(self.structure, id, edge.target);
            if closing.kind == ConstructKind::Continue && leaves {
                return self.verify_continue_exit(report, closing, edge);
            }
            if closing.kind == ConstructKind::Loop
                && (edge.target == closing.merge || closing.continue_block == Some(edge.target))
            {
                return;
            }
        }
        let is_merge = matches!(construct.kind, ConstructKind::Selection | ConstructKind::Switch)
            && edge.target == construct.merge;
        let switch = construct.innermost_switch.map(|id| self.constructs.construct(id));
        let is_switch_merge = switch.is_some_and(|switch| edge.target == switch.merge);
        if !is_merge && !is_switch_merge && !self.is_fall_through(innermost, edge.target) {
            let [kind, entry, target] = self.describe(report, construct, edge.target);
            let message = format!(
                "the edge leaves the {kind} that begins at {entry} and goes to {target}, which is not a structured exit"
            );
            report.at_edge(Code::R24, self.contraction.ends(edge), message);
        }
    }

    /// Returns whether the edge goes from a case of the innermost switch, at any depth, to another case: `switches.rs` checks these.
    fn is_fall_through(&self, innermost: ConstructId, target: u32) -> bool {
        let Some(switch) = self.constructs.construct(innermost).innermost_switch else { return false };
        let header = self.constructs.construct(switch).header;
        let is_case = |construct: &Construct| construct.kind == ConstructKind::Case && construct.header == header;
        let begun = self.constructs.outwards(self.constructs.innermost(target));
        let mut begun = begun.take_while(|(_, construct)| construct.entry == target);
        let mut around = self.constructs.outwards(Some(innermost)).take_while(|&(id, _)| id != switch);
        begun.any(|(_, construct)| is_case(construct)) && around.any(|(_, construct)| is_case(construct))
    }

    fn verify_continue_exit(&self, report: &mut Report<'_>, construct: &Construct, edge: FlowEdge) {
        let is_latch = construct.latch == Some(edge.source);
        if !is_latch || (edge.target != construct.header && edge.target != construct.merge) {
            let [_, entry, target] = self.describe(report, construct, edge.target);
            let message = format!("the edge leaves the continue construct that begins at {entry} to {target}");
            report.at_edge(Code::R25, self.contraction.ends(edge), message);
        }
    }

    fn verify_entry(&self, report: &mut Report<'_>, number: u32, edge: FlowEdge) {
        let into = self.constructs.outwards(self.constructs.innermost(edge.target));
        let mut entered = into.take_while(|&(id, _)| !self.constructs.contains(self.structure, id, edge.source));
        if let Some((_, construct)) = entered.find(|(_, construct)| construct.entry != edge.target) {
            let [kind, entry, target] = self.describe(report, construct, edge.target);
            let message = format!("the edge enters the {kind} that begins at {entry} at {target}");
            report.at_edge(Code::R28, self.contraction.ends(edge), message);
        }
        let begun = self.constructs.outwards(self.constructs.innermost(edge.target));
        let mut begun = begun.take_while(|(_, construct)| construct.entry == edge.target);
        let Some((_, continued)) = begun.find(|(_, construct)| construct.kind == ConstructKind::Continue) else {
            return;
        };
        let is_single_block = continued.header == edge.target;
        let follows = |node: u32| self.structure.dominates(node, edge.source);
        let comes_from_loop = follows(continued.header) && !follows(continued.entry) && !follows(continued.merge);
        if !is_single_block && !self.structure.is_back_edge(number) && !comes_from_loop {
            let [_, _, target] = self.describe(report, continued, edge.target);
            let message = format!("the edge enters the continue block {target} from outside its loop construct");
            report.at_edge(Code::R26, self.contraction.ends(edge), message);
        }
    }

    fn verify_containment(&self, report: &mut Report<'_>, header: u32) {
        let Some(merge) = self.contraction.merges[header as usize] else { return };
        let begun = self.constructs.outwards(self.constructs.innermost(header));
        let mut others = begun.filter(|(_, construct)| construct.header != header);
        // Constructs nest, so it is enough to check the innermost one.
        if let Some((_, construct)) =
            others.next().filter(|&(id, _)| !self.constructs.contains(self.structure, id, merge.merge))
        {
            let [kind, entry, target] = self.describe(report, construct, merge.merge);
            let message =
                format!("the {kind} that begins at {entry} contains this header, but not its merge block {target}");
            report.at(Code::R27, merge.terminator, message);
        }
    }

    fn describe(&self, report: &Report<'_>, construct: &Construct, target: u32) -> [String; 3] {
        let kind = match construct.kind {
            ConstructKind::Selection => "selection",
            ConstructKind::Switch => "switch",
            ConstructKind::Case => "case",
            ConstructKind::Loop => "loop",
            ConstructKind::Continue => "continue construct",
        };
        let name = |node: u32| report.name(self.contraction.blocks[node as usize]);
        [kind.to_owned(), name(construct.entry), name(target)]
    }
}
