//! Headers and back edges.
//!
//! - I12 (in part): a forward edge to a loop header comes from its `loop`.
//! - R14: a back edge goes to a loop header.
//! - R18: a header strictly structurally dominates its merge block.
//! - R19: a loop header has one back edge.
//! - R20: a loop header structurally dominates its continue block.
//! - R21: a continue block structurally dominates the source of the back edge.
//! - R22: the source of the back edge structurally post-dominates the continue block.
//! - R23: the target of a back edge structurally dominates its source.
//! - R25 (in part): a continue construct does not contain the break block of its loop. The specification states this only for edges, and a
//!   loop whose header is its continue block and whose latch is its break block has no such edge.
//!
//! Of R23, R20, R21, R22 and R25, in this order, only the first violation of a loop is reported: each rule depends on those before.
//! Structurally unreachable headers are exempt from all of them.

use super::contraction::{Contraction, Merge};
use super::structure::Structure;
use crate::Code;
use crate::report::Report;

/// Checks every header and back edge. Linear.
pub(crate) fn verify_headers(report: &mut Report<'_>, contraction: &Contraction<'_>, structure: &Structure) {
    for (number, &edge) in (0u32..).zip(&contraction.edges) {
        let is_header = contraction.loop_merge(edge.target).is_some();
        if structure.is_back_edge(number) {
            if !is_header {
                report.at_edge(
                    Code::R14,
                    contraction.ends(edge),
                    "a back edge goes to a block that is not a loop header",
                );
            }
        } else if is_header && !edge.is_loop_entry && structure.is_reachable(edge.source) {
            let message = "a forward edge enters the loop header without passing its preheader";
            report.at_edge(Code::I12, contraction.ends(edge), message);
        }
    }
    for (header, merge) in (0u32..).zip(&contraction.merges) {
        let Some(merge) = merge.filter(|_| structure.is_reachable(header)) else { continue };
        let is_strict = header != merge.merge && structure.dominates(header, merge.merge);
        if !is_strict {
            let names = [header, merge.merge].map(|node| report.name(contraction.blocks[node as usize]));
            let message =
                format!("header {} does not strictly structurally dominate its merge block {}", names[0], names[1]);
            report.at(Code::R18, merge.terminator, message);
        }
        if let Some(continue_block) = merge.continue_block {
            verify_loop(report, contraction, structure, Loop { header, merge, continue_block });
        }
    }
}

struct Loop {
    header: u32,
    merge: Merge,
    continue_block: u32,
}

fn verify_loop(report: &mut Report<'_>, contraction: &Contraction<'_>, structure: &Structure, the_loop: Loop) {
    let Loop { header, merge, continue_block } = the_loop;
    let latches = structure.latches(header);
    let [latch] = latches[..] else {
        let name = report.name(contraction.blocks[header as usize]);
        let message = format!("loop header {name} has {} back edges, expected exactly one", latches.len());
        return report.at(Code::R19, merge.terminator, message);
    };
    let block = |node: u32| contraction.blocks[node as usize];
    // Names are computed only for findings: the first one computes the names of all instructions of the module.
    let name = |node: u32| report.name(block(node));
    if !structure.dominates(header, latch) {
        let message = format!(
            "header {} does not structurally dominate the source {} of its back edge",
            name(header),
            name(latch)
        );
        return report.at_edge(Code::R23, (block(latch), block(header)), message);
    }
    let finding = if !structure.dominates(header, continue_block) {
        let message = format!(
            "header {} does not structurally dominate its continue block {}",
            name(header),
            name(continue_block)
        );
        Some((Code::R20, message))
    } else if !structure.dominates(continue_block, latch) {
        let message =
            format!("continue block {} does not structurally dominate the latch {}", name(continue_block), name(latch));
        Some((Code::R21, message))
    } else if !structure.post_dominates(latch, continue_block) {
        let message = format!(
            "the latch {} does not structurally post-dominate the continue block {}",
            name(latch),
            name(continue_block)
        );
        Some((Code::R22, message))
    } else if structure.dominates(continue_block, merge.merge) && structure.post_dominates(latch, merge.merge) {
        let message = format!(
            "the continue construct that begins at {} contains its loop's break block {}",
            name(continue_block),
            name(merge.merge)
        );
        Some((Code::R25, message))
    } else {
        None
    };
    if let Some((code, message)) = finding {
        report.at(code, merge.terminator, message);
    }
}
