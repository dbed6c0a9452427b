//! Blocks that represent edges, and their changes when code is inserted or removed.
//!
//! Two kinds of blocks depend on their contents. An arm of a conditional exit that only leaves is the exit's own list; with code in it, it
//! becomes the following code in the enclosing list. And a block that only leads a switch to a case that others fall through to begins that
//! case; with code in it, it becomes a case of its own, which falls through:
//!
//! ```text
//! [^a: branch_if ^e ^g] exit {Then: ^e, Else: ^g}         ⇔      [^a: …] exit {Else: ^g} [^e: x]
//! Case 1: [edge ^e: branch ^t] [^t: …]                    ⇔      Case 1: [^e: x; branch ^t]
//! Case 2: [edge ^f: branch ^t]                                   Case 2: [edge ^f: branch ^t] [^t: …]
//! ```
//!
//! Edges of one switch to one target are one edge in SPIR-V, so they pass the same values. A case that falls through with other values and
//! loses its code keeps a block for its jump:
//!
//! ```text
//! Case 1: [edge ^e: x; branch ^t(%a)]      ⇔      Case 1: [edge ^e: branch ^n] [^n: branch ^t(%a)]
//! Case 2: [edge ^f: branch ^t(%b)] [^t: …]
//! ```

use crate::leave::{Leave, leave};
use crate::{Cursor, Role, TreeEditor};
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Inst, Op, Position};

/// Edges that became blocks with code for an edit.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Opened {
    /// An arm of a conditional exit.
    pub(crate) way: Option<Block>,
    /// A switch, and a case of it with several incoming edges.
    shared: Option<(Block, Block)>,
}

impl TreeEditor<'_> {
    /// Makes the block of a cursor a place for code, if it is an edge block and code is allowed there. Only the view changes;
    /// [`TreeEditor::close_place`] updates it after the edit.
    pub(crate) fn open_place(&mut self, at: Cursor) -> Opened {
        let Some(block) = at.block(self.module).filter(|&block| self.nest.spot(block).is_some()) else {
            return Opened::default();
        };
        let way = self.open_way(block);
        let shared = self.shared_case(block);
        Opened { way, shared }
    }

    /// Updates the view after an edit.
    pub(crate) fn close_place(&mut self, opened: Opened) {
        if let Some(way) = opened.way {
            self.settle_edge(way);
        }
        if let Some((switch, target)) = opened.shared {
            self.settle_case(switch, target);
        }
    }

    /// Updates the view for a block that may have become an edge, or ceased to be one.
    pub(crate) fn settle_edge(&mut self, block: Block) {
        self.close_way(block);
        let Some((switch, target)) = self.shared_case(block) else { return };
        if self.passes_otherwise(switch, block, target) {
            self.keep_jump_apart(block);
        } else {
            self.settle_case(switch, target);
        }
    }

    /// Returns whether another edge from a switch to a target passes other values than this one.
    fn passes_otherwise(&self, switch: Block, edge: Block, target: Block) -> bool {
        let passed =
            |block: Block| self.module.terminator(block).into_iter().flat_map(|jump| self.module.arguments(jump));
        let mut others = self.module.predecessors(target).filter(|&other| other != edge && self.leads(other, target));
        others.any(|other| self.case_of(other).is_some_and(|(of, _)| of == switch) && !passed(other).eq(passed(edge)))
    }

    /// Moves the jump of an edge block into a block after it.
    fn keep_jump_apart(&mut self, edge: Block) {
        let Some(jump) = self.module.terminator(edge) else { return };
        let next = self.create_block(Op::Block);
        self.module.edit().move_to(next, Position::After(edge.into()));
        self.move_tail(jump.into(), next);
        self.module.edit().append(edge, Op::Branch, None, &[next.into()]);
        self.nest.put_after(self.nest.list(edge), Some(edge), next);
        self.splits.insert(next);
    }

    /// An arm of a conditional exit can contain code if the other arm leaves too, and the exit is not a latch.
    fn open_way(&mut self, block: Block) -> Option<Block> {
        let list = self.nest.list(block);
        let (opener, _) = self.nest.chain(list).owner.filter(|_| self.is_exit_list(list))?;
        let around = self.nest.list(opener);
        let other = self.nest.lists(opener).iter().copied().find(|&other| other != list)?;
        let leaves = self.nest.last(other).and_then(|last| self.module.successors(last).next());
        let left = leaves.and_then(|target| leave(self.module, self.nest.around(around), target, |_| None));
        let other_suffices = matches!(left, Some(Leave::Merge | Leave::Break | Leave::Continue));
        if self.nest.next(opener).is_some() || self.continue_list(around) || !other_suffices {
            return None;
        }
        self.nest.take(block);
        self.nest.remove_list(opener, list);
        self.nest.put_after(around, Some(opener), block);
        Some(block)
    }

    /// Makes a block the leaving arm of the conditional exit before it, if it is only an edge out.
    fn close_way(&mut self, block: Block) {
        let Some(spot) = self.nest.spot(block).filter(|spot| spot.next.is_none()) else { return };
        let Some(opener) = spot.previous.filter(|&before| self.terminator_op(before) == Some(Op::BranchIf)) else {
            return;
        };
        let Some(open) = self.module.terminator(opener).filter(|_| self.module.is_bare_edge(block)) else { return };
        let is_true = self.module.operand(open, operand::TRUE) == block.into();
        self.nest.take(block);
        self.nest.add_list(opener, if is_true { Role::Then } else { Role::Else }, &[block]);
    }

    /// Returns whether a block must stay the edge between a switch and a case.
    pub(crate) fn is_bound_edge(&self, block: Block) -> bool {
        self.shared_case(block).is_some_and(|(switch, target)| !self.can_fall(switch, block, target))
    }

    /// The switch and the case, if a block only leads from the one to the other and is not alone in it.
    fn shared_case(&self, block: Block) -> Option<(Block, Block)> {
        let (switch, _) = self.case_of(block).filter(|_| self.module.is_bare_edge(block))?;
        let target = self.module.successors(block).next()?;
        let is_case = self.case_of(target).is_some_and(|(other, _)| other == switch);
        (is_case && self.nest.previous(block).is_none() && !self.goes_on_alone(block, target))
            .then_some((switch, target))
    }

    /// Returns whether a block only leads to another.
    fn leads(&self, block: Block, target: Block) -> bool {
        self.module.is_bare_edge(block) && self.module.successors(block).eq([target])
    }

    /// Returns whether a case without code may fall through to another one.
    fn can_fall(&self, switch: Block, case: Block, target: Block) -> bool {
        self.may_fall(switch, case, target, |block| block == case)
    }

    /// Returns whether a case, which begins with a block, may fall through to another one, ignoring the blocks in `own`: no other case with
    /// code falls through there (R31), and its last literal comes directly before the first of the other (R32). If the other is only the
    /// default, that falls through to no third (R33).
    pub(crate) fn may_fall(&self, switch: Block, case: Block, target: Block, own: impl Fn(Block) -> bool) -> bool {
        let Some(open) = self.module.terminator(switch) else { return false };
        let is_case = |block: Block| self.case_of(block).is_some_and(|(of, _)| of == switch);
        let others: Vec<Block> = self.module.predecessors(target).filter(|&block| !own(block)).collect();
        let is_edge = |block: Block| self.leads(block, target) && is_case(block);
        if !others.iter().all(|&block| self.nest.spot(block).is_none() || block == switch || is_edge(block)) {
            return false;
        }
        let names = |block: Inst| block == target.into() || others.iter().any(|&other| block == other.into());
        let cases: Vec<Inst> = self.module.cases(open).map(|(_, block)| block).collect();
        let first = cases.iter().position(|&block| names(block));
        let is_right_before = |case: Block| {
            let last = cases.iter().rposition(|&block| block == case.into());
            last.zip(first).is_none_or(|(last, first)| last + 1 == first)
        };
        let has_literal = cases.contains(&case.into());
        match (has_literal, first) {
            (true, Some(_)) => is_right_before(case),
            (true, None) => !self.falls_on(self.nest.list(target), is_case),
            (false, _) => self.falls_into(switch, case).is_none_or(is_right_before),
        }
    }

    /// Returns whether a case falls through to another one. O(blocks of the list).
    fn falls_on(&self, list: u32, is_case: impl Fn(Block) -> bool) -> bool {
        let ways = |block: Block| {
            let exits = self.nest.lists(block).iter().filter(|&&list| self.is_exit_list(list));
            exits.filter_map(|&list| self.nest.last(list)).chain([block])
        };
        let mut goes = self.nest.blocks(list).flat_map(ways).flat_map(|block| self.module.successors(block));
        goes.any(|target| is_case(target) && self.nest.list(target) != list)
    }

    /// The first block of the case with code that falls through to a case.
    fn falls_into(&self, switch: Block, case: Block) -> Option<Block> {
        let list = self.nest.list(case);
        let entries = self.nest.blocks(list).take_while(|&block| self.entry_of(block).is_some());
        let mut sources = entries.flat_map(|entry| self.module.predecessors(entry));
        sources.find_map(|source| {
            let mut list_of = self.nest.spot(source).filter(|_| !self.module.is_bare_edge(source))?.list;
            while self.is_exit_list(list_of)
                && let Some((opener, _)) = self.nest.chain(list_of).owner
            {
                list_of = self.nest.list(opener);
            }
            let is_other = list_of != list && self.nest.chain(list_of).owner.is_some_and(|(of, _)| of == switch);
            self.nest.first(list_of).filter(|_| is_other)
        })
    }

    /// Moves code that several edges of a switch lead to into the list of the last of them; into the default's only if it is alone.
    fn settle_case(&mut self, switch: Block, target: Block) {
        let Some(from) = self.nest.spot(target).map(|spot| spot.list) else { return };
        let leads = |&list: &u32| self.nest.first(list).is_some_and(|first| self.leads(first, target));
        let Some(owner) = self.nest.lists(switch).iter().copied().rfind(leads) else { return };
        if owner == from {
            return;
        }
        let moved: Vec<Block> = std::iter::successors(Some(target), |&block| self.nest.next(block)).collect();
        for block in moved {
            self.nest.take(block);
            self.nest.put_after(owner, self.nest.last(owner), block);
        }
    }
}
