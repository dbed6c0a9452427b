//! Removing a range from a list.
//!
//! ```text
//! ^a: x; y; if … merge ^b                 ^a: x; w          fragment: ^f: y; if … merge ^b
//!     [then] [else]                  ⇒                                    [then] [else]
//! ^b(%p): z; w                                                        ^b(%p): z
//! ```
//!
//! The block where the range begins stays, with the code before the range and after it; the block where it ends is removed, with its
//! parameters, which belong to the construct that passes their arguments. A range up to the end of a list includes the jump, and the rest
//! gets its natural jump. Cost: the instructions before and after the range in its first and last block, and the blocks in the range.

use crate::fragment::Origin;
use crate::nest::{Nest, ROOT};
use crate::{Cursor, EditError, EditFault, Fragment, TreeEditor};
use reconverge_ir::{Block, Copies, Inst, Op, Position};

/// A valid range.
pub(crate) struct Range {
    pub(crate) first: Block,
    pub(crate) start: Inst,
    pub(crate) last: Block,
    /// The rest after the range; none if it extends to the end of the list.
    pub(crate) end: Option<Inst>,
    /// The blocks of the range with their contents, without the first.
    blocks: Vec<Block>,
}

impl TreeEditor<'_> {
    /// Removes the code between two cursors of one list. Values, and jumps out of it, stay as they are.
    ///
    /// The first cursor stays valid if it does not name removed code; [`Cursor::AfterBlock`] of the range's first block is the position of
    /// an empty tail. O(range + instructions of the blocks at its ends).
    ///
    /// # Errors
    /// The cursors do not form a range of one list, or are among parameters; or another case falls through to the range. Nothing is
    /// changed.
    pub fn extract(&mut self, from: Cursor, to: Cursor) -> Result<Fragment, EditError> {
        let range = self.range(from, to)?;
        let (first, is_to_end) = (range.first, range.end.is_none());
        let mut fragment = self.cut(range);
        if is_to_end {
            self.end_naturally(first);
            let jump = self.module.terminator(first).expect("invariant: the list was given an end");
            fragment.origin = fragment.origin.map(|origin| Origin { cursor: Cursor::Before(jump.into()), ..origin });
            self.split_header(first);
        }
        self.settle_edge(first);
        Ok(fragment)
    }

    /// Copies the code between two cursors, as [`TreeEditor::extract`] and [`TreeEditor::clone_fragment`] would. The function is unchanged.
    ///
    /// # Errors
    /// The errors of [`TreeEditor::extract`].
    pub fn copy(&mut self, from: Cursor, to: Cursor, copies: &mut Copies) -> Result<Fragment, EditError> {
        let fragment = self.extract(from, to)?;
        let copy = self.clone_fragment(&fragment, copies)?;
        let Some(Origin { cursor, .. }) = fragment.origin else {
            unreachable!("what was taken out knows where it was")
        };
        self.insert(cursor, fragment)?;
        Ok(copy)
    }

    pub(crate) fn range(&self, from: Cursor, to: Cursor) -> Result<Range, EditError> {
        let (first, start) = self.place(from)?;
        let (last, end) = self.place(to)?;
        let Some(start) = start else { return Err(EditFault::Place.at(first)) };
        let fault = EditFault::Range.at(last);
        if self.nest.list(first) != self.nest.list(last) {
            return Err(fault);
        }
        if first == last && end.is_some() {
            let mut behind = std::iter::successors(Some(start), |&inst| self.module.next(inst));
            if !behind.any(|inst| Some(inst) == end) {
                return Err(fault);
            }
        }
        let mut blocks = self.nest.source_order(first, last).ok_or(fault)?;
        if end.is_none() {
            self.nest.extend_with_construct(last, &mut blocks);
        }
        self.check_entries(first, last)?;
        blocks.remove(0);
        Ok(Range { first, start, last, end, blocks })
    }

    /// Checks that blocks of a range that close no construct have only the block before as predecessor.
    fn check_entries(&self, first: Block, last: Block) -> Result<(), EditError> {
        let mut before = first;
        while before != last {
            let Some(block) = self.nest.next(before) else { break };
            let open = self.module.terminator(before);
            let closes = open.is_some_and(|open| self.module.merge_block(open).is_some());
            if !closes && self.module.in_edges(block).any(|edge| Some(edge.terminator) != open) {
                return Err(EditFault::EnteredFromOutside.at(block));
            }
            before = block;
        }
        Ok(())
    }

    /// Removes a range. One that extends to the end of the list leaves its first block without terminator.
    pub(crate) fn cut(&mut self, range: Range) -> Fragment {
        let Range { first, start, last, end, blocks } = range;
        let list = self.nest.list(first);
        let block = self.create_block(Op::Block);
        let mut fragment = Fragment { owner: self.number, nest: Nest::new(), first: block, last: block, origin: None };
        if first == last && end.is_some() {
            self.move_range(start, end, Position::AtEnd(block.into()));
            fragment.nest.put_after(ROOT, None, block);
            fragment.origin = Some(self.origin(end, first, &[]));
            return fragment;
        }
        let mut tops = vec![block];
        let mut current = first;
        while current != last {
            current = self.nest.next(current).expect("invariant: the range runs along its list");
            tops.push(current);
        }
        self.move_tail(start, block);
        self.nest.put_after(list, Some(first), block);
        self.nest.pass_construct(first, block);
        if let Some(end) = end {
            self.move_tail(end, first);
            self.nest.pass_construct(last, first);
        }
        fragment.last = if first == last { block } else { last };
        self.nest.move_into(&tops, &mut fragment.nest, ROOT, None);
        fragment.origin = Some(self.origin(end, first, &blocks));
        if end.is_some() {
            self.split_header(first);
        }
        fragment
    }

    /// Removes blocks from the function, and records how to reinsert them.
    fn origin(&mut self, end: Option<Inst>, first: Block, blocks: &[Block]) -> Origin {
        let mut places = Vec::with_capacity(blocks.len());
        for &block in blocks {
            places.push((block, self.module.previous(block)));
            self.module.edit().detach(block);
        }
        let (before, after) = self.change();
        Origin { cursor: end.map_or(Cursor::AfterBlock(first), Cursor::Before), places, before, after }
    }
}
