//! Rematerialization: computes values again, in the block of the use, if no block parameter can have their type.
//!
//! ```text
//! d: %p = access_chain %buffer, %i          d: %p = access_chain %buffer, %i
//! u: use %p            (not below d)   ⇒    u: %p2 = access_chain %buffer, %i     %i is repaired afterwards, by a parameter
//!                                              use %p2
//! ```
//!
//! One copy for each value and block, at the top of the block; operands that cannot be carried either are copied before it. *Requires* that
//! the operands of such a value are not defined in the block of the use itself: they would have been computed again since.
//!
//! Invariant: the copies in a block are in the order of their creation, so each comes after its operands. Linear in the uses and in the
//! copies. The walk over operands has its own stack.

use reconverge_analysis::FlowGraph;
use reconverge_graph::DominatorTree;
use reconverge_ir::{Block, Inst, Module, Position, Slot, Use};
use rustc_hash::FxHashMap;

use crate::capabilities::{Carriable, can_run_again};
use crate::places::top;
use crate::ssa_repair::{RepairError, is_broken_in};

/// Gives each of `uses`, whose values cannot be carried, a copy in its own block. Returns the number of copies.
pub fn rematerialize(
    module: &mut Module,
    flow: &FlowGraph,
    dominators: &DominatorTree,
    carriable: Carriable,
    uses: &[(Inst, Use)],
) -> Result<usize, RepairError> {
    let mut copying =
        Copying { module, flow, dominators, carriable, copies: FxHashMap::default(), last: FxHashMap::default() };
    for &(value, used) in uses {
        let Slot::Operand(index) = used.slot else { unreachable!("a value of a block is nobody's type here") };
        let copy = copying.copy(value, used.user)?;
        copying.module.edit().set_operand(used.user, index, copy);
    }
    Ok(copying.copies.len())
}

struct Copying<'a> {
    module: &'a mut Module,
    flow: &'a FlowGraph,
    dominators: &'a DominatorTree,
    carriable: Carriable,
    copies: FxHashMap<(Inst, Block), Inst>,
    /// The last copy at the top of each block.
    last: FxHashMap<Block, Inst>,
}

impl Copying<'_> {
    /// The copy of a value in the block of a user.
    fn copy(&mut self, value: Inst, user: Inst) -> Result<Inst, RepairError> {
        let block = self.module.block_of(user).expect("invariant: a broken use stands in a block");
        let mut pending = vec![value];
        while let Some(&wanted) = pending.last() {
            if self.copies.contains_key(&(wanted, block)) {
                pending.pop();
                continue;
            }
            if !can_run_again(self.module, wanted) {
                return Err(RepairError::Opaque { value: wanted, user });
            }
            let waiting = pending.len();
            let operands: Vec<Inst> = self.module.operands(wanted).collect();
            pending.extend(operands.iter().copied().filter(|&operand| self.is_missing(operand, block)));
            if pending.len() == waiting {
                pending.pop();
                self.write(wanted, &operands, block);
            }
        }
        Ok(self.copies[&(value, block)])
    }

    /// Returns whether an operand needs a copy in a block and has none yet.
    fn is_missing(&self, operand: Inst, block: Block) -> bool {
        is_broken_in(self.module, self.flow, self.dominators, operand, block)
            && !self.carriable.is_carriable(self.module, operand)
            && !self.copies.contains_key(&(operand, block))
    }

    fn write(&mut self, value: Inst, operands: &[Inst], block: Block) {
        let copied = operands.iter().map(|&operand| self.copies.get(&(operand, block)).copied().unwrap_or(operand));
        let operands: Vec<Inst> = copied.collect();
        let (op, ty, location) = (self.module.op(value), self.module.ty(value), self.module.location(value));
        let decorations = self.module.decorations(value).to_vec();
        let position = match self.last.get(&block) {
            Some(&last) => Position::After(last),
            None => top(self.module, block),
        };
        if location.is_some() {
            self.keep_location_behind(position);
        }
        let mut editor = self.module.edit();
        let copy = editor.insert(position, op, ty, &operands);
        decorations.into_iter().for_each(|decoration| editor.decorate(copy, decoration));
        editor.set_location(copy, location);
        self.last.insert(block, copy);
        self.copies.insert((value, block), copy);
    }

    /// A location applies to the following instructions: those after a copy must not get the location of the copy.
    fn keep_location_behind(&mut self, position: Position) {
        let next = match position {
            Position::AtStart(block) => self.module.first_child(block),
            Position::After(last) => self.module.next(last),
            Position::AtEnd(_) | Position::Before(_) => None,
        };
        if let Some(next) = next
            && self.module.explicit_location(next).is_none()
        {
            let location = self.module.location(next).unwrap_or(reconverge_ir::Location::NONE);
            self.module.edit().set_location(next, Some(location));
        }
    }
}
