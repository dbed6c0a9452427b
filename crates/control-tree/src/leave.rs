//! The kind of a jump out of constructs, from inner to outer ones. The same rules as in `compute.rs`, without a tree.

use crate::Role;
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Module, Op};

/// The kind of a leaving jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leave {
    Merge,
    Break,
    Continue,
    Back,
    FallThrough,
    /// To the join of an `if`, or what would become its join with this jump.
    Join,
    /// From the continue list of the loop that it breaks.
    BreakFromLatch,
}

/// The kind of a jump to a block, given the enclosing constructs, innermost first, with the role in each; `None` if the jump is not
/// allowed. `owner` maps blocks that others of their construct may go to to their list: that of a case, of a join, or of an arm where they
/// may join. O(constructs up to the innermost loop).
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
