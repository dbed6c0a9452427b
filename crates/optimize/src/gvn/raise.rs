//! Raises a congruent instruction to a common dominator of both, if no path executes more than before.
//!
//! ```text
//! ^d: branch_if %c ^t ^f                    ^d: %x = i_mul %a, %b
//! ^t: %x = i_mul %a, %b; branch ^m   ⇒          branch_if %c ^t ^f
//! ^f: branch ^m                             ^t: branch ^m
//! ^m: %y = i_mul %a, %b; use %x, %y         ^m: use %x, %x
//! ```
//!
//! Every lane that runs the common dominator runs the second instruction anyway (`crate::hoist_bounds`). So no path computes more than
//! before and nothing is speculated; instructions that may trap or that read memory may be raised too. The operands and the memory state
//! must be available there. Earlier members of the class below the new place are merged as well. (This is the part of partial redundancy
//! elimination that inserts nothing: Click 1995, section 4, calls it hoisting of very busy expressions; Morel and Renvoise 1979.)

use reconverge_analysis::memory::MemoryState;
use reconverge_ir::Op;

use super::congruence::Sweep;
use crate::body::{NONE, OUTSIDE};

impl Sweep<'_> {
    /// Raises the leader of a class so that it also dominates `inst`, if that is profitable. Returns whether it did.
    pub(super) fn raise(&mut self, leader: u32, inst: u32, state: Option<MemoryState>) -> bool {
        let body = self.body;
        if body.op(leader) == Op::BlockParameter || body.op(leader) == Op::Load && state.is_none() {
            return false;
        }
        let place = body.common_dominator(self.home(leader), body.block_of(inst));
        if !body.dominates(body.anticipated().head(body.block_of(inst)), place)
            || !self.has_operands(leader, place)
            || !state.is_none_or(|state| self.has_state(state, place))
        {
            return false;
        }
        let time = self.raises;
        self.raises += 1;
        self.raised.insert(leader, (place, time));
        let mut member = leader;
        while let Some(&previous) = self.previous.get(&member) {
            if !body.dominates(place, self.home(previous)) {
                break;
            }
            self.replacements[previous as usize] = leader;
            self.previous.remove(&member);
            match self.previous.remove(&previous) {
                Some(further) => drop(self.previous.insert(leader, further)),
                None => break,
            }
            member = leader;
        }
        true
    }

    /// The current block of an instruction.
    pub(super) fn home(&self, inst: u32) -> u32 {
        self.raised.get(&inst).map_or_else(|| self.body.block_of(inst), |&(place, _)| place)
    }

    /// Returns whether all operands of an instruction are available at the end of a block.
    fn has_operands(&self, inst: u32, place: u32) -> bool {
        self.body.operands(inst).iter().all(|&operand| {
            let mut value = operand;
            while value & OUTSIDE == 0 && self.replacements[value as usize] != NONE {
                value = self.replacements[value as usize];
            }
            value & OUTSIDE != 0 || self.body.dominates(self.home(value), place)
        })
    }

    /// Returns whether memory is in a state at the end of a block.
    fn has_state(&self, state: MemoryState, place: u32) -> bool {
        let node = self.body.node(place);
        self.memory.is_some_and(|memory| {
            let begins = memory.node_of(state).is_none_or(|begin| self.body.dominates(self.body.place(begin), place));
            begins && memory.next_clobber(state, node).is_none()
        })
    }
}
