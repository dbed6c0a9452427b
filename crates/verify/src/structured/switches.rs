//! Case constructs.
//!
//! - R29: a switch header structurally dominates its targets.
//! - R30: a case construct goes to one other case construct of its switch at most.
//! - R24 (in part): the fall-through edge comes from a block whose innermost construct is the case.
//! - R31: a case construct is entered from one other at most.
//! - R32: if one falls through to another, the last label of the first is right before the first label of the second.
//! - R33: if one falls through to the default, which has no literal, and the default to another, the same holds for these two.
//! - R34: literals of one target are adjacent. Literals of the merge block begin no case construct and may be anywhere.

use reconverge_ir::Op;
use rustc_hash::{FxHashMap, FxHashSet};

use super::constructs::{ConstructKind, Constructs};
use super::contraction::{Contraction, FlowEdge};
use super::structure::Structure;
use crate::Code;
use crate::report::Report;

/// Fall-through: for each case target the edges to other cases of its switch.
type FallThrough = FxHashMap<u32, Vec<FlowEdge>>;

/// Checks every switch of a function whose headers and back edges were checked. Linear.
pub(crate) fn verify_switches(
    report: &mut Report<'_>,
    contraction: &Contraction<'_>,
    structure: &Structure,
    constructs: &Constructs,
) {
    if contraction.terminators.iter().all(|last| last.op != Op::StructuredSwitch) {
        return;
    }
    let falls = gather_fall_through(contraction, structure, constructs);
    for &header in structure.dominance.order() {
        if contraction.terminator_op(header) == Op::StructuredSwitch
            && let Some(switch) = Switch::read(contraction, structure, header)
        {
            switch.verify(report, structure, constructs, &falls);
        }
    }
}

fn gather_fall_through(contraction: &Contraction<'_>, structure: &Structure, constructs: &Constructs) -> FallThrough {
    let mut falls = FallThrough::default();
    for &edge in contraction.edges.iter().filter(|edge| structure.is_reachable(edge.source)) {
        let begun =
            constructs.outwards(constructs.innermost(edge.target)).take_while(|(_, at)| at.entry == edge.target);
        let Some((_, target)) = { begun }.find(|(_, construct)| construct.kind == ConstructKind::Case) else {
            continue;
        };
        let switch = constructs.innermost(edge.source).and_then(|id| constructs.construct(id).innermost_switch);
        let Some(switch) = switch.filter(|&switch| constructs.construct(switch).header == target.header) else {
            continue;
        };
        let around = constructs.outwards(constructs.innermost(edge.source)).take_while(|&(id, _)| id != switch);
        let mut cases = around.filter(|(_, case)| case.kind == ConstructKind::Case && case.header == target.header);
        if let Some((_, source)) = cases.next().filter(|(_, source)| source.entry != edge.target) {
            falls.entry(source.entry).or_default().push(edge);
        }
    }
    falls
}

/// A case and the edge by which it falls through.
#[derive(Clone, Copy)]
struct Fall {
    case: u32,
    edge: FlowEdge,
}

/// The places of the first and the last literal of a case.
#[derive(Clone, Copy)]
struct Span {
    first: usize,
    last: usize,
}

struct Switch<'a, 'm> {
    contraction: &'a Contraction<'m>,
    header: u32,
    merge: u32,
    default: u32,
    /// The target of each literal, in order.
    labels: Vec<u32>,
}

impl<'a, 'm> Switch<'a, 'm> {
    fn read(contraction: &'a Contraction<'m>, structure: &Structure, header: u32) -> Option<Switch<'a, 'm>> {
        let merge = contraction.merges[header as usize]?.merge;
        let edges = structure.graph.out_edges(header).iter().filter_map(|&edge| contraction.edges.get(edge as usize));
        let mut targets = edges.map(|edge| edge.target);
        let default = targets.next()?;
        Some(Switch { contraction, header, merge, default, labels: targets.collect() })
    }

    fn verify(&self, report: &mut Report<'_>, structure: &Structure, constructs: &Constructs, falls: &FallThrough) {
        if !self.verify_dominance(report, structure) {
            return;
        }
        let places = self.verify_label_order(report);
        let mut fallen: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order: Vec<Fall> = Vec::new();
        for case in self.cases() {
            let Some(edges) = falls.get(&case) else { continue };
            if let Some(other) = edges.iter().find(|edge| edge.target != edges[0].target) {
                let names = [edges[0].target, other.target].map(|node| self.name(report, node));
                let message = format!("the case falls through to two cases, {} and {}", names[0], names[1]);
                report.at_edge(Code::R30, self.contraction.ends(*other), message);
                continue;
            }
            self.verify_depth(report, constructs, edges);
            order.push(Fall { case, edge: edges[0] });
            *fallen.entry(edges[0].target).or_default() += 1;
            if fallen[&edges[0].target] > 1 {
                let message =
                    format!("another case already falls through to case {}", self.name(report, edges[0].target));
                report.at_edge(Code::R31, self.contraction.ends(edges[0]), message);
            }
        }
        self.verify_fall_order(report, &places, &order);
    }

    /// Targets other than the merge block, each once, in operand order.
    fn cases(&self) -> Vec<u32> {
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let targets = std::iter::once(self.default).chain(self.labels.iter().copied());
        targets.filter(|&target| target != self.merge && seen.insert(target)).collect()
    }

    fn name(&self, report: &Report<'_>, node: u32) -> String {
        report.name(self.contraction.blocks[node as usize])
    }

    fn verify_dominance(&self, report: &mut Report<'_>, structure: &Structure) -> bool {
        let mut is_sound = true;
        for target in self.cases() {
            if !structure.dominates(self.header, target) {
                is_sound = false;
                let edge = FlowEdge { source: self.header, target, is_loop_entry: false };
                let message =
                    format!("the switch does not structurally dominate its target {}", self.name(report, target));
                report.at_edge(Code::R29, self.contraction.ends(edge), message);
            }
        }
        is_sound
    }

    /// For each case the places of its first and last literal.
    fn verify_label_order(&self, report: &mut Report<'_>) -> FxHashMap<u32, Span> {
        let mut places: FxHashMap<u32, Span> = FxHashMap::default();
        for (place, &label) in self.labels.iter().enumerate().filter(|&(_, &label)| label != self.merge) {
            let span = places.entry(label).or_insert(Span { first: place, last: place });
            if span.last + 1 < place {
                let message = format!("the literals of target {} are not adjacent", self.name(report, label));
                report.at(Code::R34, self.contraction.blocks[self.header as usize], message);
            }
            span.last = place;
        }
        places
    }

    fn verify_depth(&self, report: &mut Report<'_>, constructs: &Constructs, edges: &[FlowEdge]) {
        for &edge in edges {
            let innermost = constructs.innermost(edge.source).map(|id| constructs.construct(id).kind);
            if innermost != Some(ConstructKind::Case) {
                let message = format!(
                    "the edge falls through to {} from inside another construct",
                    self.name(report, edge.target)
                );
                report.at_edge(Code::R24, self.contraction.ends(edge), message);
            }
        }
    }

    fn verify_fall_order(&self, report: &mut Report<'_>, places: &FxHashMap<u32, Span>, order: &[Fall]) {
        let stands_before = |first: u32, second: u32| match (places.get(&first), places.get(&second)) {
            (Some(first), Some(second)) => first.last + 1 == second.first,
            _ => true,
        };
        let default_falls_to = order.iter().find(|fall| fall.case == self.default).map(|fall| fall.edge.target);
        for &Fall { case, edge } in order {
            if !stands_before(case, edge.target) {
                let names = [case, edge.target].map(|node| self.name(report, node));
                let message =
                    format!("case {} falls through to {}, but does not come directly before it", names[0], names[1]);
                report.at_edge(Code::R32, self.contraction.ends(edge), message);
            }
            let falls_through_default = edge.target == self.default && !places.contains_key(&self.default);
            if let Some(end) = default_falls_to.filter(|&end| falls_through_default && !stands_before(case, end)) {
                let names = [case, end].map(|node| self.name(report, node));
                let message = format!(
                    "case {} falls through the default to {}, but does not come directly before it",
                    names[0], names[1]
                );
                report.at_edge(Code::R33, self.contraction.ends(edge), message);
            }
        }
    }
}
