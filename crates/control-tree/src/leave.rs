//! What a jump from inside some constructs does, told from the inside out. The same rules as in `compute.rs`, without a tree.

use crate::Role;
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Module, Op};

/// How a jump leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leave {
    Merge,
    Break,
    Continue,
    Back,
    FallThrough,
    /// To where the ways of an `if` meet, or would with this jump.
    Join,
    /// From the continue list of the loop that it breaks.
    BreakFromLatch,
}

/// How a jump to a block leaves the constructs around it, which come innermost first with the role in each; `None` if it may not.
/// `owner` says of blocks that others of their construct may go to in which list they stand: of a case, of a join, or of a way that
/// may be joined there. O(constructs up to the innermost loop).
pub(crate) fn leave(
    module: &Module,
    around: impl Iterator<Item = (Block, Role)>,
    target: Block,
    owner: impl Fn(Block) -> Option<(Block, Role)>,
) -> Option<Leave> {
    let (mut is_closest, mut passed_switch) = (true, false);
    for (opener, role) in around {
        let terminator = module.terminator(opener)?;
        let merges = module.merge_block(terminator) == Some(target);
        match module.op(terminator) {
            Op::BranchIf => continue,
            Op::If if is_closest => {
                if merges {
                    return Some(Leave::Merge);
                }
                let meets = owner(target).is_some_and(|(other, into)| other == opener && into != role);
                if meets && role != Role::Join {
                    return Some(Leave::Join);
                }
            }
            Op::StructuredSwitch if !passed_switch => {
                if merges {
                    return Some(Leave::Merge);
                }
                let falls = owner(target).is_some_and(|(other, into)| other == opener && into != role);
                if is_closest && falls {
                    return Some(Leave::FallThrough);
                }
                passed_switch = true;
            }
            Op::Loop => {
                let header: Option<Block> = module.cast(module.operand(terminator, operand::TARGET));
                let continues = module.continue_block(terminator) == Some(target);
                let is_single = module.continue_block(terminator) == header;
                return match role {
                    Role::Body if merges => Some(Leave::Break),
                    Role::Body if continues && !is_single => Some(Leave::Continue),
                    Role::Body if continues && is_closest => Some(Leave::Back),
                    Role::Continue if merges && is_closest => Some(Leave::BreakFromLatch),
                    Role::Continue if header == Some(target) && is_closest => Some(Leave::Back),
                    _ => None,
                };
            }
            _ => {}
        }
        is_closest = false;
    }
    None
}
