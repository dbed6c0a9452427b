//! Deletion of fragments.

use crate::{Construct, Cursor, EditError, EditFault, Fragment, TreeEditor};
use reconverge_ir::{Inst, Op, Slot, Use};

impl TreeEditor<'_> {
    /// Deletes a fragment. Values that it defined and others use become undefined there; returns these uses, in order of definition.
    /// Unreachable blocks that jumped into it end in `unreachable`. A fragment of another editor is only dropped. O(fragment + uses).
    pub fn delete(&mut self, fragment: Fragment) -> Vec<Use> {
        if fragment.owner != self.number {
            return Vec::new();
        }
        let blocks = fragment.blocks();
        let mut undefined = Vec::new();
        for &block in &blocks {
            let values: Vec<Inst> = self.module.children(block).collect();
            for value in values {
                let used: Vec<Use> = self.module.uses(value).filter(|used| !self.is_in(&fragment, used.user)).collect();
                let Some(ty) = self.module.ty(value).filter(|_| !used.is_empty()) else { continue };
                let undef = self.undef(ty);
                for used in used {
                    if let Slot::Operand(index) = used.slot {
                        self.module.edit().set_operand(used.user, index, undef);
                        undefined.push(used);
                    }
                }
            }
            let entering: Vec<Inst> = self.module.uses(block).map(|used| used.user).collect();
            for user in entering {
                let around = self.module.block_of(user).filter(|&around| !fragment.contains(around));
                if let Some(around) = around.filter(|_| self.module.op(user).is_terminator()) {
                    self.module.edit().replace_terminator(around, Op::Unreachable, &[]);
                }
            }
        }
        for block in blocks {
            self.module.edit().delete(block);
        }
        undefined
    }

    fn is_in(&self, fragment: &Fragment, inst: Inst) -> bool {
        self.module.block_of(inst).is_some_and(|block| fragment.contains(block))
    }

    /// Removes the code between two cursors and deletes it: [`TreeEditor::extract`] and [`TreeEditor::delete`].
    ///
    /// # Errors
    /// The errors of [`TreeEditor::extract`].
    pub fn remove(&mut self, from: Cursor, to: Cursor) -> Result<Vec<Use>, EditError> {
        let fragment = self.extract(from, to)?;
        Ok(self.delete(fragment))
    }

    /// Deletes a construct with its contents, and the parameters of its merge block. The blocks before and after it become one, the opener,
    /// unless it is a loop header and they cannot be merged.
    ///
    /// ```text
    /// ^a: x; if … merge ^m
    ///     [then] [else]          ⇒      ^a: x; y
    /// ^m(%p): y
    /// ```
    ///
    /// # Errors
    /// It is not a construct, or it is in the list of a conditional exit.
    pub fn remove_construct(&mut self, construct: Construct) -> Result<Vec<Use>, EditError> {
        let (from, to) = self.around_construct(construct)?;
        self.remove(from, to)
    }

    /// The cursors before and after a construct.
    pub(crate) fn around_construct(&self, construct: Construct) -> Result<(Cursor, Cursor), EditError> {
        let opener = construct.opener();
        if !self.nest.is_opener(opener) {
            return Err(EditFault::Kind.at(opener));
        }
        let to = match (self.nest.next(opener), self.module.terminator(opener)) {
            (Some(next), _) => Cursor::BeforeBlock(next),
            (None, Some(open)) => Cursor::After(open.into()),
            (None, None) => return Err(EditFault::Outside.at(opener)),
        };
        Ok((Cursor::AfterBlock(opener), to))
    }
}
