//! Stage Structured: the structured control flow rules of SPIR-V, section 2.11.
//!
//! The rules apply to the graph of the SPIR-V form ([`contraction`]), with its structural edges and their dominance ([`structure`]), and
//! its constructs ([`constructs`]).

mod constructs;
mod contraction;
mod exits;
mod headers;
mod merges;
mod structure;
mod switches;

use crate::dominance::Dominance;
use crate::graph::{Body, Features, Graph};
use crate::report::Report;
use constructs::Constructs;
use contraction::Contraction;
use structure::Structure;

/// Checks a function whose blocks, edges, arguments and terminators were checked, given its graph and dominance. O(edges · log blocks).
pub(crate) fn verify_structured(
    report: &mut Report<'_>,
    body: &Body<'_>,
    features: &Features,
    graph: &Graph,
    dominance: &Dominance,
) {
    let before = report.len();
    let contraction = Contraction::compute(body, graph);
    let structure = Structure::compute(&contraction);
    merges::verify_merges(report, features, dominance, &contraction, &structure);
    if report.len() > before {
        return;
    }
    headers::verify_headers(report, &contraction, &structure);
    if report.len() > before {
        return;
    }
    let constructs = Constructs::compute(&contraction, &structure);
    exits::verify_exits(report, &contraction, &structure, &constructs);
    switches::verify_switches(report, &contraction, &structure, &constructs);
}
