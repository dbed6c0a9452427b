//! Branches on `and` and `or` of comparisons, with one lane: a branch for each comparison.
//!
//! ```text
//!                                    cmp a, b
//! branch_if (a < b and c < d)   →    jae otherwise
//!                                    cmp c, d
//!                                    jb then
//! ```
//!
//! Compilers that make SPIR-V join such comparisons, which is good for vectors. In scalar code a branch that is predicted costs less than to
//! make a boolean of each comparison and to join them, and the first comparison decides without the others.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use reconverge_lanes::Variation;

use super::selector::Selector;
use super::value::Isa;
use super::values::Values;
use crate::machine::{BlockId, Terminator};

/// The largest nesting depth of such conditions.
const DEEPEST: u32 = 4;

/// `left and right`, or `left or right`.
#[derive(Clone, Copy)]
struct Logic {
    is_and: bool,
    left: Inst,
    right: Inst,
}

impl Selector<'_> {
    /// Ends the block with a branch on a uniform condition.
    pub(super) fn branch(&mut self, condition: Inst, then: BlockId, otherwise: BlockId) -> Result<(), Diagnostic> {
        if let Some(Logic { is_and, left, right }) =
            self.values.logic_of(condition).filter(|_| self.values.is_short_circuit(condition))
        {
            let next = self.emit.new_block();
            if is_and {
                self.branch(left, next, otherwise)?;
            } else {
                self.branch(left, then, next)?;
            }
            self.emit.block = next;
            return self.branch(right, then, otherwise);
        }
        let condition = self.condition(condition)?;
        self.emit.end(Terminator::Branch { condition, then, otherwise });
        Ok(())
    }
}

impl Values<'_> {
    /// The `and` or `or` that an instruction is. `c ? x : false` and `c ? true : x` are too.
    fn logic_of(&self, inst: Inst) -> Option<Logic> {
        let operand = |place: usize| self.module.operand(inst, place);
        let logic = |is_and, right| Some(Logic { is_and, left: operand(0), right: operand(right) });
        match self.module.op(inst) {
            Op::LogicalAnd => logic(true, 1),
            Op::LogicalOr => logic(false, 1),
            Op::Select if self.module.op(operand(2)) == Op::ConstantFalse => logic(true, 1),
            Op::Select if self.module.op(operand(1)) == Op::ConstantTrue => logic(false, 2),
            _ => None,
        }
    }

    /// Returns whether a condition is `and` or `or`, and only branches use it: they compare one after another.
    pub(super) fn is_short_circuit(&self, inst: Inst) -> bool {
        self.specialization.pack.isa == Isa::Scalar && self.is_part_of_branch(inst, DEEPEST)
    }

    /// Returns whether only a branch uses an `and` or `or`, or only another one that is so used.
    fn is_part_of_branch(&self, inst: Inst, depth: u32) -> bool {
        let mut uses = self.module.uses(inst);
        let (Some(_), Some(used), None) = (self.logic_of(inst), uses.next(), uses.next()) else { return false };
        let is_branch = matches!(self.module.op(used.user), Op::BranchIf | Op::If);
        is_branch || depth > 0 && self.is_part_of_branch(used.user, depth - 1)
    }

    /// Returns whether a comparison is one of those of such a condition.
    pub(super) fn is_compared_in_branch(&self, user: Inst) -> bool {
        self.shape(user) == Variation::Uniform && self.is_short_circuit(user)
    }
}
