//! Traversal of an instruction's contents.
//!
//! Since an instruction is op, type, operands, decorations and children and nothing else, copying, comparing, hashing and printing need
//! only this traversal and these queries; none of them depends on the ops.

use crate::{Inst, Module};

impl Module {
    /// An instruction and its contents, at any depth: parents before children, children in order.
    ///
    /// No stack and no allocation; linear.
    pub fn descendants(&self, inst: impl Into<Inst>) -> impl Iterator<Item = Inst> + Clone + '_ {
        let root = inst.into();
        std::iter::successors(Some(root), move |&current| {
            if let Some(child) = self.first_child(current) {
                return Some(child);
            }
            let mut current = current;
            while current != root {
                if let Some(next) = self.next(current) {
                    return Some(next);
                }
                current = self.parent(current)?;
            }
            None
        })
    }
}
