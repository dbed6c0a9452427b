//! The sequences on `execute`: park, wake, and whether lanes are active or wait.
//!
//! ```text
//! wake at i                sub.sf null, execute, i;   mov.zs execute, 0
//! park at i                mov.sf null, execute;      mov.zs execute, i
//! park at i without c      or.sf null, execute, c;    mov.zs execute, i
//! park at i with c         mov.sf null, execute;      not.zs.sf null, c;      mov.zs execute, i
//! if no lane is active     mov.sf null, execute;      branch.all_zc
//! if none waits at i       sub.sf null, execute, i;   branch.all_zc
//! if one is active or      mov.sf null, execute;      sub.zc.sf null, execute, i;   branch.any_zs
//! waits at i
//! ```
//!
//! A comparison whose flag is set for the lanes that park takes the place of `c`: `mov.sf null, execute; sub.zs.sf null, a, b; mov.cs execute, i`.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst};

use super::edges::Move;
use super::{Flow, Lowering};
use crate::machine::{AddOp, BranchCondition, Condition, Destination, Inst as MachineInst, Operation};
use crate::select::emit::{Label, Word};

impl Lowering<'_, '_> {
    /// The index of a block where lanes wait.
    pub(super) fn index(&mut self, block: Block) -> u32 {
        if let Some(&index) = self.indices.get(&block) {
            return index;
        }
        let index = self.new_index();
        self.indices.insert(block, index);
        index
    }

    pub(super) fn exit_index(&mut self) -> u32 {
        if self.exit == 0 {
            self.exit = self.new_index();
        }
        self.exit
    }

    fn new_index(&mut self) -> u32 {
        self.next_index += 1;
        self.next_index - 1
    }

    pub(super) fn wake(&mut self, index: u32) {
        let execute = self.select.emit.execute;
        self.select.emit.flags(AddOp::Sub, Word::Register(execute), Word::Constant(index));
        self.select.emit.copy_when(execute, Word::Constant(0), Condition::ZeroSet);
    }

    /// Parks all active lanes.
    pub(super) fn park(&mut self, index: u32) {
        let execute = self.select.emit.execute;
        self.select.emit.copy_active(execute, Word::Constant(index));
    }

    /// Parks the active lanes for which a boolean has a value, with what they write. Gives the condition of a branch that is taken if no lane is left.
    pub(super) fn park_where(
        &mut self,
        condition: Inst,
        wanted: bool,
        index: u32,
        moves: &[Move],
    ) -> Result<Option<BranchCondition>, Diagnostic> {
        let execute = self.select.emit.execute;
        if self.select.emit.is_whole {
            self.select.emit.copy(execute, Word::Constant(0));
            let holds = self.select.condition(condition)?;
            let holds = if wanted { holds } else { holds.inverted() };
            self.write_when(holds, moves);
            self.select.emit.copy_when(execute, Word::Constant(index), holds);
            return Ok(Some(BranchCondition::All(holds)));
        }
        let holds = self.select.exact_condition(condition, wanted)?;
        self.write_when(holds, moves);
        self.select.emit.copy_when(execute, Word::Constant(index), holds);
        Ok(None)
    }

    fn write_when(&mut self, condition: Condition, moves: &[Move]) {
        for &Move { to, word, is_varying } in moves {
            let condition = if is_varying { condition } else { Condition::Always };
            self.select.emit.copy_when(to, word, condition);
        }
    }

    /// Goes to a label if no lane is active; `known` is a condition that says so.
    pub(super) fn branch_if_none_active(&mut self, known: Option<BranchCondition>, target: Label) {
        let condition = known.unwrap_or_else(|| {
            self.select.emit.test_active();
            BranchCondition::All(Condition::ZeroClear)
        });
        self.select.emit.branch(condition, target);
    }

    /// Goes to a label if no lane waits at an index, nor is active.
    pub(super) fn branch_unless_waiting(&mut self, index: u32, target: Label) {
        let execute = Word::Register(self.select.emit.execute);
        if self.flow == Flow::Active {
            let [left, right] = self.select.emit.sources(execute, Word::Constant(index));
            self.select.emit.test_active();
            let compare = MachineInst::binary(Operation::Add(AddOp::Sub), Destination::Null, left, right);
            self.select.emit.push(compare.setting_flags().when(Condition::ZeroClear));
        } else {
            self.select.emit.flags(AddOp::Sub, execute, Word::Constant(index));
        }
        self.select.emit.branch(BranchCondition::All(Condition::ZeroClear), target);
    }
}
