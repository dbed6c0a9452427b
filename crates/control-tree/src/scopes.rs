//! Scopes under edits: where the two ways of an `if` meet before its merge block.
//!
//! Whether they do is told by the ends of its lists. While both lead to one block, that block begins the list Join. When one of them
//! comes to end otherwise, the rest stands behind the other; when a jump there comes back, it is a list of its own again:
//!
//! ```text
//! Then: [^a: x; branch ^j]                    Then: [^a: x; branch ^break]
//! Else: [^b: y; branch ^j]           ⇔        Else: [^b: y; branch ^j] [^j: z; branch ^m]
//! Join: [^j: z; branch ^m]
//! ```
//!
//! Cost: the blocks of the list Join itself, which change lists.

use crate::leave::{Leave, leave};
use crate::{Fragment, Role, TreeEditor};
use reconverge_ir::{Block, Op};

/// The two ways of an `if`.
const WAYS: [Role; 2] = [Role::Then, Role::Else];

impl TreeEditor<'_> {
    /// Where the ways of the `if` meet that a block opens, if it is a scope.
    pub(crate) fn join_of(&self, opener: Block) -> Option<Block> {
        self.nest.list_of(opener, Role::Join).and_then(|list| self.nest.first(list))
    }

    /// The `if` and its list in which a block stands that the other way may lead to: the join of a scope; without one a block of a way
    /// that only a plain branch leads to.
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

    /// Whether a block of a fragment may go where the ways of an `if` meet, if the fragment ends one of these ways: it is the last, or
    /// the way of a last conditional exit whose other way leaves for what a branch without merge block has to leave for (R16).
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

    /// Brings the lists of the `if` around a list in line with where its ways lead, after the end of one changed.
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

    /// Puts the list Join behind the way that alone leads there.
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

    /// Takes the way out of a conditional exit that is none any more: the list goes on with it.
    fn take_way(&mut self, exit: u32, way: Block) -> u32 {
        let (opener, _) = self.nest.chain(exit).owner.expect("invariant: a conditional exit has an opener");
        let around = self.nest.list(opener);
        self.nest.take(way);
        self.nest.remove_list(opener, exit);
        self.nest.put_after(around, Some(opener), way);
        around
    }

    /// Gives a list of its own to what one way leads to in the other, if it does.
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

    /// The block of a way of an `if` that leads to a block outside of its list.
    pub(crate) fn source_of(&self, opener: Block, role: Role, target: Block) -> Option<Block> {
        self.ends_of(opener, role).find(|&end| self.module.successors(end).any(|next| next == target))
    }

    /// The blocks that end a list: the last one, or the ways of a conditional exit that leaves on both.
    fn ends_of(&self, opener: Block, role: Role) -> impl Iterator<Item = Block> + '_ {
        let last = self.nest.list_of(opener, role).and_then(|list| self.nest.last(list));
        let ways = last.into_iter().flat_map(|last| self.nest.lists(last).iter().copied());
        last.into_iter().chain(ways.filter(|&way| self.is_exit_list(way)).filter_map(|way| self.nest.last(way)))
    }

    /// Moves a block and what stands behind it to the end of another list.
    fn move_rest(&mut self, first: Block, list: u32) {
        let moved: Vec<Block> = std::iter::successors(Some(first), |&block| self.nest.next(block)).collect();
        for block in moved {
            self.nest.take(block);
            self.nest.put_after(list, self.nest.last(list), block);
        }
    }
}
