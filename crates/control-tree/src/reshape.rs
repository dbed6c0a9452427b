//! Splitting and merging blocks, and replacing constructs by one of their lists.

use rustc_hash::FxHashSet;

use crate::jumps::Natural;
use crate::leave::leave;
use crate::{Construct, Cursor, EditError, EditFault, Fragment, Role, TreeEditor};
use reconverge_ir::{Block, Inst, Op, Position, Terminator};

/// The part of a construct to keep.
struct Kept {
    /// The first block of it, and the position after its end.
    first: Block,
    inside: Cursor,
    /// The positions before and after what it replaces.
    before: Cursor,
    after: Cursor,
    /// Its end, and the merge block of the construct if it ends there.
    jump: Terminator,
    merge: Option<Block>,
}

impl TreeEditor<'_> {
    /// Splits a block at a cursor; returns the second half, which gets the terminator. Names of constructs that the block opened move to
    /// the second half. O(instructions after the cursor).
    ///
    /// ```text
    /// ^a: x │ y; if …      ⇒      ^a: x; branch ^b
    ///                             ^b: y; if …
    /// ```
    ///
    /// # Errors
    /// The cursor is not in a list, or is after a jump.
    pub fn split(&mut self, at: Cursor) -> Result<Block, EditError> {
        let opened = self.open_place(at);
        let result = self.split_open(at);
        self.close_place(opened);
        result
    }

    fn split_open(&mut self, at: Cursor) -> Result<Block, EditError> {
        let (block, inst) = self.place(at)?;
        let inst = inst.ok_or(EditFault::Place.at(block))?;
        self.change();
        let list = self.nest.list(block);
        if let Some(preheader) = self.single_block_loop(list) {
            self.add_continue(preheader);
        }
        let second = self.create_block(Op::Block);
        self.module.edit().move_to(second, Position::After(block.into()));
        self.move_tail(inst, second);
        self.module.edit().append(block, Op::Branch, None, &[second.into()]);
        self.nest.put_after(list, Some(block), second);
        self.nest.pass_construct(block, second);
        Ok(second)
    }

    /// Merges two consecutive blocks; the first keeps its name, the parameters of the second are replaced by the arguments.
    ///
    /// # Errors
    /// The second block has another predecessor, or the first is a loop header that cannot have the second's terminator.
    pub fn stitch(&mut self, first: Block, second: Block) -> Result<(), EditError> {
        let follows = self.nest.next(first) == Some(second) && self.goes_on_alone(first, second);
        let can_end =
            !self.is_loop_header(first) || self.terminator_op(second).is_some_and(crate::editor::may_end_header);
        if !follows || !can_end {
            return Err(EditFault::NotAdjacent.at(second));
        }
        self.change();
        self.join(first, second);
        self.settle_edge(first);
        Ok(())
    }

    /// Replaces an `if`, scope or switch by one of its lists, as if only that one were ever entered. Returns the removed code. For a scope,
    /// the list Join is kept too.
    ///
    /// ```text
    /// ^a: x; if … merge ^m
    ///     [^t: y; branch ^m(%v)] [else]      ⇒      ^a: x; y; z            z uses %v for %p
    /// ^m(%p): z
    /// ```
    ///
    /// If the list ends in another jump, the code after the construct is unreachable, and is returned too. O(construct), and the returned
    /// code.
    ///
    /// # Errors
    /// It is not an `if`, scope or switch, has no such list, another case falls through to the list, or a jump in it is not allowed outside
    /// the construct. Nothing is changed.
    pub fn keep_list(&mut self, construct: Construct, role: Role) -> Result<Fragment, EditError> {
        let mut kept = self.find_kept(construct, role)?;
        if self.join_of(construct.opener()).is_some() {
            self.keep_join(construct.opener(), role)?;
            kept = self.find_kept(construct, role)?;
        }
        let Kept { first, inside, before, after, jump, merge } = kept;
        let passed: Vec<Inst> = self.module.arguments(jump).collect();
        let kept = self.extract(Cursor::BeforeBlock(first), inside)?;
        let parameters = merge.into_iter().flat_map(|merge| self.module.parameters(merge)).map(Inst::from);
        for (parameter, value) in parameters.collect::<Vec<_>>().into_iter().zip(passed) {
            self.module.edit().replace_all_uses(parameter, value);
        }
        let replaced = self.extract(before, after)?;
        let place = replaced.origin.as_ref().map_or(before, |origin| origin.cursor);
        self.insert(place, kept)?;
        Ok(replaced)
    }

    /// The part of a construct to keep, if it can be kept.
    fn find_kept(&self, construct: Construct, role: Role) -> Result<Kept, EditError> {
        let opener = construct.opener();
        let kind = EditFault::Kind.at(opener);
        let is_selection = matches!(self.terminator_op(opener), Some(Op::If | Op::StructuredSwitch));
        let is_way = is_selection && role != Role::Join;
        let list = self.nest.list_of(opener, role).filter(|_| is_way).ok_or(kind)?;
        // The target of a scope's arm is kept with it.
        let join = self.nest.list_of(opener, Role::Join);
        let first = self.nest.first(list).ok_or(kind)?;
        let last = self.nest.last(join.unwrap_or(list)).ok_or(kind)?;
        let jump = self.module.terminator(last).ok_or(kind)?;
        let merge = self.module.terminator(opener).and_then(|open| self.module.merge_block(open)).ok_or(kind)?;
        let ends_at_merge = self.module.op(jump) == Op::Branch && self.module.successors(last).eq([merge]);
        let kept: Vec<u32> = join.into_iter().chain([list]).collect();
        self.check_kept_jumps(opener, &kept, jump.into())?;
        let inside = if ends_at_merge { Cursor::AfterBlock(last) } else { Cursor::After(jump.into()) };
        let (before, after) = match (ends_at_merge, self.nest.last(self.nest.list(opener))) {
            (false, Some(end)) => {
                let end = self.module.terminator(end).ok_or(kind)?;
                (Cursor::AfterBlock(opener), Cursor::After(end.into()))
            }
            _ => self.around_construct(construct)?,
        };
        self.range(before, after)?;
        Ok(Kept { first, inside, before, after, jump, merge: ends_at_merge.then_some(merge) })
    }

    /// Redirects the other arm of a scope to the merge block, so that the code from the join on is the rest of this one.
    fn keep_join(&mut self, opener: Block, role: Role) -> Result<(), EditError> {
        let Some(join) = self.join_of(opener) else { return Ok(()) };
        let ways = [Role::Then, Role::Else].map(|way| self.source_of(opener, way, join));
        let is_way = |source: Block| ways.contains(&Some(source));
        if !self.module.predecessors(join).all(is_way) {
            return Err(EditFault::EnteredFromOutside.at(join));
        }
        let [own, other] = if role == Role::Then { ways } else { [ways[1], ways[0]] };
        let merge = self.module.terminator(opener).and_then(|open| self.module.merge_block(open));
        if let (Some(own), Some(other), Some(merge)) = (own, other, merge) {
            self.change();
            if let Some(jump) = self.module.terminator(other) {
                self.module.edit().delete(jump);
            }
            self.end_as(other, Natural::To(merge));
            self.settle_scope(self.nest.list(other));
            self.join(own, join);
            self.settle_edge(own);
        }
        Ok(())
    }

    /// Checks that the jumps in lists of a construct are allowed at the place of the construct, except for the last.
    fn check_kept_jumps(&self, opener: Block, lists: &[u32], last: Inst) -> Result<(), EditError> {
        let mut blocks = Vec::new();
        for (first, end) in lists.iter().filter_map(|&list| self.nest.chain(list).ends) {
            blocks.extend(self.nest.source_order(first, end).ok_or(EditFault::Range.at(first))?);
            self.nest.extend_with_construct(end, &mut blocks);
        }
        let inside: FxHashSet<Block> = blocks.iter().copied().collect();
        let merge = self.module.terminator(opener).and_then(|open| self.module.merge_block(open));
        for block in blocks {
            for edge in self.module.out_edges(block) {
                let Some(target) = self.module.target(edge).filter(|target| !inside.contains(target)) else { continue };
                if edge.terminator.inst() == last && Some(target) == merge {
                    continue;
                }
                let around = self.nest.around(self.nest.list(block)).filter(|&(around, _)| around != opener);
                let jump = leave(self.module, around, target, |case| self.entry_of(case));
                jump.ok_or(EditFault::Jump(target).at(block))?;
            }
        }
        Ok(())
    }
}
