//! Creation and resolution of labels: they become blocks.
//!
//! ```text
//! no edge enters        ⇒  an unreachable block
//! all enter for K₁      ⇒  K₁ itself, no block added
//! otherwise             ⇒  a virtual head: a block that branches on its selector
//! ```
//!
//! The first join can always be placed: the list is in topological order, so all edges into its first member come from the segment that has
//! just ended, whose every exit is this label. If that argument failed, the resolution would find a join of its own list with no member
//! ready, and report it.

use super::{Emitter, Head, MergeOf, Site};
use crate::input::InputBlock;
use crate::label::{LabelId, Waiting};
use crate::plan::{Origin, PlanBlock, Terminator};
use crate::reason::{Fallback, Reason};
use crate::work::Node;

impl Emitter<'_> {
    /// Makes the label, the merge of the construct of `near`, into the next head.
    pub(super) fn land(&mut self, label: LabelId, near: Node, of: MergeOf) -> Result<(), Fallback> {
        let Waiting { ports, traces } = self.labels.take(label);
        let mut ready = std::mem::take(&mut self.frame().ready);
        ready.sort_unstable_by_key(|&node| self.placement[node].pos);
        let header = self.work.input_near(near);
        let Some((first_key, first_port)) = ports.first() else {
            let block = self.new_block(Origin::Added(Reason::UnreachableMerge { header }));
            self.labels[label as usize].block = Some(block);
            self.blocks[block.index()].terminator = Terminator::Unreachable;
            return if ready.is_empty() { Ok(()) } else { Err(Fallback::IncompleteJoin) };
        };
        self.remove_from_list(&ready);
        if let [only] = ready[..]
            && first_key == self.placement[only].pos
            && ports.last_key() == Some(first_key)
        {
            let head = self.new_head(only, label);
            self.frame().head = Some(head);
            return Ok(());
        }
        if ready.is_empty() && self.joins.owner(self.work.node_of_port(first_port)) == self.top() {
            return Err(Fallback::IncompleteJoin);
        }
        let witnesses = self.witnesses(&traces);
        let reason = match of {
            _ if ports.len() == 1 => Reason::Ladder { header, witnesses },
            MergeOf::Selection => Reason::MergeDispatch { header, witnesses },
            MergeOf::Loop => Reason::LoopExitDispatch { header, witnesses },
        };
        let block = self.new_block(Origin::Added(reason));
        self.labels[label as usize].block = Some(block);
        self.blocks[block.index()].has_selector = ports.len() > 1;
        self.frame().head = Some(Head {
            block,
            selector_block: block,
            site: Site::Virtual { ports, ready, traces, near },
            is_opened: true,
            has_loop_merge: false,
            begins_loop: false,
            is_merge_or_case: true,
        });
        Ok(())
    }

    fn remove_from_list(&mut self, ready: &[Node]) {
        let frame = self.frames.last_mut().expect("invariant: a region is open");
        for &node in ready {
            self.joins.remove(&mut frame.joins, node);
        }
    }

    /// A new block for the label, as the head of `node`.
    pub(super) fn new_head(&mut self, node: Node, label: LabelId) -> Head {
        let block = self.new_block(Origin::Input(InputBlock::new(0)));
        let label = &mut self.labels[label as usize];
        label.block = Some(block);
        Head {
            block,
            selector_block: block,
            site: Site::Real(node),
            is_opened: false,
            has_loop_merge: false,
            begins_loop: false,
            is_merge_or_case: label.is_merge_or_case,
        }
    }

    pub(super) fn new_label(&mut self) -> LabelId {
        self.labels.push()
    }

    pub(super) fn new_merge_label(&mut self) -> LabelId {
        let label = self.new_label();
        self.labels[label as usize].is_merge_or_case = true;
        label
    }

    /// A new label whose block is `block`.
    pub(super) fn label_of(&mut self, block: PlanBlock) -> LabelId {
        let label = self.new_label();
        self.labels[label as usize].block = Some(block);
        label
    }
}
