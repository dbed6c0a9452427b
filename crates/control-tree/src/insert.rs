//! Inserting a fragment into a list.
//!
//! ```text
//! ^a: x │ w            ^f: y; if … merge ^b                 ^a: x; y; if … merge ^b
//!                         [then] [else]              ⇒          [then] [else]
//!                      ^b(%p): z                            ^b(%p): z; w
//! ```
//!
//! The first block of the fragment is merged into the block at the cursor, and the code after the cursor moves to the end of its last
//! block. A fragment that ends in a jump must be inserted before a jump, which it replaces. Cost: the fragment's blocks, each with the
//! constructs around its jumps, and the instructions after the cursor.

use crate::fragment::Origin;
use crate::leave::{Leave, leave};
use crate::{Cursor, EditError, EditFault, Fragment, Refused, Role, TreeEditor};
use reconverge_ir::{Block, Inst, Op, Position};

/// The place where a fragment is inserted.
enum Target {
    /// Before an instruction of a block.
    Before(Block, Inst),
    /// After the jump that ends a block: unreachable code.
    Behind(Block),
}

impl TreeEditor<'_> {
    /// Inserts a fragment. Reinserted where it was just removed, the function is unchanged, including block order.
    ///
    /// After a jump ([`Cursor::After`] a terminator) it is unreachable code: its blocks are in no list, and at its end it jumps where a
    /// list would continue there.
    ///
    /// # Errors
    /// With the fragment, unchanged: a jump out of it is not allowed from the new place, it exits the function in a continue construct, a
    /// loop would lose its back edge, code after it would be unreachable, it belongs to another editor, or the cursor is not a place for
    /// it.
    pub fn insert(&mut self, at: Cursor, fragment: Fragment) -> Result<(), Box<Refused>> {
        if fragment.owner != self.number {
            let error = EditFault::OtherEditor.at(fragment.first);
            return Err(Box::new(Refused { error, fragment }));
        }
        let opened = self.open_place(at);
        let last = fragment.last;
        let result = match self.find_target(at, &fragment) {
            Ok(Target::Before(block, inst)) => {
                let (before, list) = (self.nest.previous(block), self.nest.list(block));
                self.paste(block, inst, fragment);
                for end in [before, Some(block), Some(last)].into_iter().flatten() {
                    self.settle_edge(end);
                }
                self.settle_scope(list);
                Ok(())
            }
            Ok(Target::Behind(block)) => {
                self.paste_behind(block, fragment);
                Ok(())
            }
            Err(error) => Err(Box::new(Refused { error, fragment })),
        };
        self.close_place(opened);
        result
    }

    fn find_target(&self, at: Cursor, fragment: &Fragment) -> Result<Target, EditError> {
        let (block, inst) = self.place(at)?;
        let Some(inst) = inst else { return Ok(Target::Behind(block)) };
        let end = self.module.terminator(fragment.last).filter(|_| !self.is_open(fragment));
        if end.is_some() {
            let op = self.module.op(inst);
            let is_jump = op.is_terminator() && self.nest.next(block).is_none() && !self.nest.is_opener(block);
            if !is_jump {
                return Err(EditFault::CodeBehind.at(inst));
            }
        }
        self.check_jumps(fragment, block, inst)?;
        Ok(Target::Before(block, inst))
    }

    pub(crate) fn is_open(&self, fragment: &Fragment) -> bool {
        self.module.terminator(fragment.last).is_none()
    }

    /// Checks that every jump out of a fragment is allowed from a place.
    fn check_jumps(&self, fragment: &Fragment, block: Block, at: Inst) -> Result<(), EditError> {
        let list = self.nest.list(block);
        let mut keeps_back_edge = false;
        for inside in fragment.blocks() {
            let Some(terminator) = self.module.terminator(inside) else { continue };
            if self.ends_function(inside) && self.is_in_continue(list) {
                return Err(EditFault::EndsInContinue.at(inside));
            }
            for edge in self.module.out_edges(inside) {
                let target = self.module.target(edge).ok_or(EditFault::Arguments.at(inside))?;
                if fragment.contains(target) {
                    continue;
                }
                self.check_passed(inside, target)?;
                let fault = EditFault::Jump(target).at(inside);
                let around = fragment.nest.around(fragment.nest.list(inside)).chain(self.nest.around(list));
                let beside = |block: Block| self.entry_of(block).or_else(|| self.meeting_of(block));
                let jump = leave(self.module, around, target, beside).ok_or(fault)?;
                if matches!(jump, Leave::Back | Leave::BreakFromLatch) {
                    let is_last = inside == fragment.last || self.is_exit_of(fragment, inside);
                    if self.is_open(fragment) || !is_last {
                        return Err(EditFault::BackEdge.at(terminator));
                    }
                    keeps_back_edge |= jump == Leave::Back;
                }
                let is_good = match jump {
                    Leave::FallThrough => self.may_fall_from(block, target),
                    Leave::Join => self.may_meet_from(fragment, inside, list),
                    _ => true,
                };
                if !is_good {
                    return Err(fault);
                }
            }
        }
        let replaces_back_edge = !self.is_open(fragment) && self.is_back_edge(list, at);
        if replaces_back_edge && !keeps_back_edge { Err(EditFault::BackEdge.at(at)) } else { Ok(()) }
    }

    /// Returns whether the case around a block may fall through to another one, if its terminator is removed.
    fn may_fall_from(&self, block: Block, target: Block) -> bool {
        let mut list = self.nest.list(block);
        while self.is_exit_list(list)
            && let Some((opener, _)) = self.nest.chain(list).owner
        {
            list = self.nest.list(opener);
        }
        let (Some((switch, _)), Some(first)) = (self.nest.chain(list).owner, self.nest.first(list)) else {
            return false;
        };
        let end = self.nest.last(list);
        self.may_fall(switch, first, target, |other| Some(other) == end)
    }

    /// Checks that a block passes the arguments that another one expects.
    fn check_passed(&self, from: Block, target: Block) -> Result<(), EditError> {
        let module = &*self.module;
        let passed = module.terminator(from).into_iter().flat_map(|last| module.arguments(last));
        let expected = module.parameters(target).map(|parameter| module.ty(parameter));
        let fits = passed.map(|value| module.ty(value)).eq(expected);
        if fits { Ok(()) } else { Err(EditFault::Arguments.at(from)) }
    }

    pub(super) fn is_exit_of(&self, fragment: &Fragment, inside: Block) -> bool {
        let owner = fragment.nest.chain(fragment.nest.list(inside)).owner;
        owner.is_some_and(|(opener, _)| opener == fragment.last && self.terminator_op(opener) == Some(Op::BranchIf))
    }

    /// Returns whether a jump that ends a list is the back edge of the loop around it.
    fn is_back_edge(&self, list: u32, jump: Inst) -> bool {
        let mut edges = self.module.operands(jump);
        let target = edges.next().and_then(|target| self.module.cast::<Block>(target));
        let is_jump = self.module.op(jump) == Op::Branch;
        let around = self.nest.around(list);
        let found = target.filter(|_| is_jump).and_then(|target| leave(self.module, around, target, |_| None));
        found == Some(Leave::Back)
    }

    /// The case that a block is the entry of, which others may fall through to: its first block, after the edge blocks that lead there.
    pub(crate) fn entry_of(&self, block: Block) -> Option<(Block, Role)> {
        let before = |&block: &Block| self.nest.previous(block);
        let mut above = std::iter::successors(before(&block), before);
        if above.all(|edge| self.module.is_bare_edge(edge)) { self.case_of(block) } else { None }
    }

    /// The case that a block is in, without a further construct between.
    pub(crate) fn case_of(&self, block: Block) -> Option<(Block, Role)> {
        let owner = self.nest.spot(block).and_then(|spot| self.nest.chain(spot.list).owner);
        owner.filter(|(_, role)| matches!(role, Role::Case(_)))
    }

    /// Returns whether a block exits the function, or ends the invocation.
    pub(crate) fn ends_function(&self, block: Block) -> bool {
        let Some(terminator) = self.module.terminator(block) else { return false };
        self.module.op(terminator).is_terminator() && self.module.out_edges(block).next().is_none()
    }

    /// Returns whether a list is in a continue construct.
    pub(crate) fn is_in_continue(&self, list: u32) -> bool {
        self.nest.around(list).any(|(_, role)| role == Role::Continue)
    }

    /// The loop of one block that a list is the body of.
    pub(crate) fn single_block_loop(&self, list: u32) -> Option<Block> {
        let (opener, _) = self.nest.around(list).find(|(_, role)| matches!(role, Role::Body | Role::Continue))?;
        self.nest.list_of(opener, Role::Continue).is_none().then_some(opener)
    }

    fn paste(&mut self, block: Block, inst: Inst, mut fragment: Fragment) {
        let (first, last, is_open) = (fragment.first, fragment.last, self.is_open(&fragment));
        let list = self.nest.list(block);
        let tops: Vec<Block> = fragment.nest.blocks(crate::nest::ROOT).collect();
        if let Some(preheader) =
            self.single_block_loop(list).filter(|_| tops.len() > 1 || self.nest.previous(block).is_some())
        {
            self.add_continue(preheader);
        }
        self.place_blocks(block, inst, &mut fragment);
        if is_open && tops.len() == 1 {
            if let Some(start) = self.module.first_child(first) {
                self.move_range(start, None, Position::Before(inst));
            }
            self.module.edit().delete(first);
            self.join_split(block);
            return;
        }
        fragment.nest.move_into(&tops, &mut self.nest, list, Some(block));
        if is_open {
            self.move_tail(inst, last);
            self.nest.pass_construct(block, last);
        } else {
            self.delete_jump(inst);
        }
        if let Some(start) = self.module.first_child(first) {
            self.move_tail(start, block);
        }
        self.nest.take(first);
        self.nest.pass_construct(first, block);
        self.module.edit().delete(first);
        self.split_header(block);
        if let Some(next) = self.nest.next(last) {
            self.join_split(next);
        }
        self.join_split(block);
    }

    /// Places the blocks of a fragment, except the first, in the function: at their old places, if nothing changed since, or after their
    /// predecessors.
    fn place_blocks(&mut self, block: Block, inst: Inst, fragment: &mut Fragment) {
        let here = Cursor::Before(inst).normalize(self.module);
        if let Some(Origin { cursor, places, before, after }) = fragment.origin.take() {
            let is_same = cursor.normalize(self.module) == here;
            if is_same && self.change_back(before, after) {
                for (placed, previous) in places.into_iter().rev() {
                    let position = previous.map_or(Position::AtStart(self.function.into()), Position::After);
                    self.module.edit().move_to(placed, position);
                }
                return;
            }
        }
        self.change();
        let mut previous = block;
        for placed in fragment.blocks().into_iter().skip(1) {
            self.module.edit().move_to(placed, Position::After(previous.into()));
            previous = placed;
        }
    }

    /// Inserts a fragment after the jump that ends a block.
    fn paste_behind(&mut self, block: Block, fragment: Fragment) {
        self.change();
        let mut previous = block;
        for placed in fragment.blocks() {
            self.module.edit().move_to(placed, Position::After(previous.into()));
            previous = placed;
        }
        if self.is_open(&fragment) {
            self.end_as(fragment.last, self.natural(self.nest.list(block)));
        }
    }
}
