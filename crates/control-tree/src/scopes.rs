//! Scopes under edits: where the two arms of an `if` join before its merge block.
//!
//! This depends on the ends of its lists. While both lead to one block, that block begins the list Join. If one of them gets another end,
//! the rest follows the other list; if a jump there returns, it is a list of its own again:
//!
//! ```text
//! Then: [^a: x; branch ^j]                    Then: [^a: x; branch ^break]
//! Else: [^b: y; branch ^j]           ⇔        Else: [^b: y; branch ^j] [^j: z; branch ^m]
//! Join: [^j: z; branch ^m]
//! ```
//!
//! Cost: the blocks of the list Join, which change lists.

use crate::leave::{Leave, leave};
use crate::{Fragment, Role, TreeEditor};
use reconverge_ir::{Block, Op};

/// The two arms of an `if`.
const WAYS: [Role; 2] = [Role::Then, Role::Else];

impl TreeEditor<'_> {
    /// The block where the arms of the `if` join that a block opens, if it is a scope.
    pub(crate) fn join_of(&self, opener: Block) -> Option<Block> {
        self.nest.list_of(opener, Role::Join).and_then(|list| self.nest.first(list))
    }

    /// The `if` and the list of a block that the other arm may lead to: the join of a scope; without one a block of an arm that only a
    /// plain branch leads to.
    pub(crate) fn meeting_of(&self, block: Block) -> Option<(Block, Role)> {
        let spot = self.nest.spot(block)?;
        let (opener, role) = self.nest.chain(spot.list).owner?;
        if self.terminator_op(opener) != Some(Op::If) || self.module.op(block) != Op::Block {
            return None;
        }
        let can_meet = match spot.previous {
            None => role == Role::Join,
            Some(before) => {
                WAYS.contains(&role) && self.join_of(opener).is_none() && self.terminator_op(before) == Some(Op::Branch)
            }
        };
        can_meet.then_some((opener, role))
    }

    /// Returns whether a block of a fragment may jump to the join of an `if`, if the fragment ends one of its arms: it is the last, or the
    /// arm of a last conditional exit whose other edge leaves as a branch without merge block must (R16).
    pub(crate) fn may_meet_from(&self, fragment: &Fragment, inside: Block, list: u32) -> bool {
        if self.is_open(fragment) || !self.is_exit_of(fragment, inside) {
            return !self.is_open(fragment) && inside == fragment.last;
        }
        let own = fragment.nest.list(inside);
        let mut others = fragment.nest.lists(fragment.last).iter().filter(|&&other| other != own);
        let other = others.next().and_then(|&other| fragment.nest.last(other));
        let target = other.and_then(|last| self.module.successors(last).next());
        let left = target.and_then(|target| leave(self.module, self.nest.around(list), target, |_| None));
        matches!(left, Some(Leave::Merge | Leave::Break | Leave::Continue))
    }

    /// Updates the lists of the `if` around a list according to the targets of its arms, after the end of one changed.
    pub(crate) fn settle_scope(&mut self, list: u32) {
        let mut around = self.nest.around(list).filter(|&(opener, _)| self.terminator_op(opener) != Some(Op::BranchIf));
        let Some((opener, _)) = around.next().filter(|&(opener, _)| self.terminator_op(opener) == Some(Op::If)) else {
            return;
        };
        drop(around);
        match self.nest.list_of(opener, Role::Join) {
            Some(join) => self.close_join(opener, join),
            None => self.open_join(opener),
        }
    }

    /// Appends the list Join to the only arm that leads there.
    fn close_join(&mut self, opener: Block, join: u32) {
        let Some(first) = self.nest.first(join) else { return };
        let mut sources = WAYS.into_iter().filter_map(|role| self.source_of(opener, role, first));
        let (Some(source), None) = (sources.next(), sources.next()) else { return };
        drop(sources);
        let list = self.nest.list(source);
        let list = if self.is_exit_list(list) { self.take_way(list, source) } else { list };
        self.move_rest(first, list);
        self.nest.remove_list(opener, join);
    }

    /// Removes the leaving arm of a conditional exit that is not one any more: the list continues with it.
    fn take_way(&mut self, exit: u32, way: Block) -> u32 {
        let (opener, _) = self.nest.chain(exit).owner.expect("invariant: a conditional exit has an opener");
        let around = self.nest.list(opener);
        self.nest.take(way);
        self.nest.remove_list(opener, exit);
        self.nest.put_after(around, Some(opener), way);
        around
    }

    /// Moves the code that one arm leads to in the other into a list of its own, if there is such code.
    fn open_join(&mut self, opener: Block) {
        for (role, other) in [WAYS, [Role::Else, Role::Then]].map(|[role, other]| (role, other)) {
            let Some(list) = self.nest.list_of(opener, other) else { continue };
            let targets: Vec<Block> = self.ends_of(opener, role).flat_map(|end| self.module.successors(end)).collect();
            let is_beside = |&target: &Block| self.nest.spot(target).is_some_and(|spot| spot.list == list);
            let Some(target) = targets.into_iter().find(is_beside) else { continue };
            let before = self.nest.previous(target);
            let join = self.nest.add_list(opener, Role::Join, &[]);
            self.move_rest(target, join);
            if let Some(before) = before {
                self.settle_edge(before);
            }
            return;
        }
    }

    /// The block of an arm of an `if` that leads to a block outside its list.
    pub(crate) fn source_of(&self, opener: Block, role: Role, target: Block) -> Option<Block> {
        self.ends_of(opener, role).find(|&end| self.module.successors(end).any(|next| next == target))
    }

    /// The blocks that end a list: the last one, or the arms of a conditional exit whose edges both leave.
    fn ends_of(&self, opener: Block, role: Role) -> impl Iterator<Item = Block> + '_ {
        let last = self.nest.list_of(opener, role).and_then(|list| self.nest.last(list));
        let ways = last.into_iter().flat_map(|last| self.nest.lists(last).iter().copied());
        last.into_iter().chain(ways.filter(|&way| self.is_exit_list(way)).filter_map(|way| self.nest.last(way)))
    }

    /// Moves a block and the code after it to the end of another list.
    fn move_rest(&mut self, first: Block, list: u32) {
        let moved: Vec<Block> = std::iter::successors(Some(first), |&block| self.nest.next(block)).collect();
        for block in moved {
            self.nest.take(block);
            self.nest.put_after(list, self.nest.last(list), block);
        }
    }
}
