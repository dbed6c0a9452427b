//! Step 9: labels become blocks, and unread selectors are removed.
//!
//! Blocks are created in an order that respects dominance: a header before what it dominates, a merge block after its construct. So their
//! order is kept, and only names change. A selector is read if a terminator tests it, or if an edge passes it on to a selector that is
//! read.

use crate::emit::Draft;
use crate::plan::{Block, Merge, Origin, Plan, PlanBlock, Selector, Test};
use crate::reason::{Assumption, Fallback};

/// Creates the plan, or returns the argument that failed.
pub(crate) fn assemble(draft: Draft, assumptions: Vec<Assumption>) -> Result<Plan, Fallback> {
    let Draft { mut blocks, labels, nesting_depth, .. } = draft;
    let resolve = |label: PlanBlock| labels[label.index()].block.ok_or(Fallback::NoRoute);
    let mut reads = Reads { tested: Vec::with_capacity(64), passed_to: Vec::with_capacity(64) };
    for block in &mut blocks {
        block.merge = match block.merge {
            Merge::None => Merge::None,
            Merge::Selection { merge } => Merge::Selection { merge: resolve(merge)? },
            Merge::Loop { merge, continue_target } => {
                Merge::Loop { merge: resolve(merge)?, continue_target: resolve(continue_target)? }
            }
        };
        if let Some(Test::Selector { block, .. } | Test::SelectorValue { block }) = block.terminator.test() {
            reads.tested.push(block);
        }
        block.terminator.edges_mut().try_for_each(|edge| {
            edge.target = resolve(edge.target)?;
            if let Some(Selector::Forward { block } | Selector::Translate { block, .. }) = &edge.selector {
                reads.passed_to.push((edge.target, *block));
            }
            Ok(())
        })?;
    }
    drop_unread_selectors(&mut blocks, reads)?;
    Ok(Plan { blocks, nesting_depth, fell_back: None, assumptions })
}

/// The readers of selectors.
struct Reads {
    /// Blocks whose selector a terminator tests.
    tested: Vec<PlanBlock>,
    /// Targets of edges that pass on a selector, and the block of that selector.
    passed_to: Vec<(PlanBlock, PlanBlock)>,
}

fn drop_unread_selectors(blocks: &mut [Block], reads: Reads) -> Result<(), Fallback> {
    let Reads { tested: mut worklist, mut passed_to } = reads;
    let mut is_read = vec![false; blocks.len()];
    passed_to.sort_unstable();
    while let Some(block) = worklist.pop() {
        if std::mem::replace(&mut is_read[block.index()], true) {
            continue;
        }
        let begin = passed_to.partition_point(|&(target, _)| target < block);
        let sources = passed_to[begin..].iter().take_while(|&&(target, _)| target == block);
        worklist.extend(sources.map(|&(_, source)| source));
    }
    for (block, &is_block_read) in blocks.iter_mut().zip(&is_read) {
        if is_block_read && !block.has_selector {
            return Err(Fallback::MissingSelector);
        }
        block.has_selector = is_block_read;
        block.terminator.edges_mut().try_for_each(|edge| {
            if !is_read[edge.target.index()] {
                edge.selector = None;
            } else if edge.selector.is_none() {
                return Err(Fallback::MissingSelector);
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Returns whether a block holds instructions of the input.
pub(crate) fn is_input(block: &Block) -> bool {
    matches!(block.origin, Origin::Input(_))
}
