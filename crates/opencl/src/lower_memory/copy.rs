//! Copies and zeroing of memory: in chunks that both sides can access at once, as a sequence or as a loop.
//!
//! ```text
//! copy_memory_sized %p, %q, 12 Aligned 4   ⇒   load u32x2 … store, load u32 … store
//!
//!                                              b:      …          branch ^head(0)
//! b: …                                         head(%i):          %more = u_less_than %i, %count
//!    copy_memory_sized %p, %q, %n     ⇒                           branch_if %more ^body ^rest
//!    …                                         body:   one chunk  branch ^head(%i + 1)
//!                                              rest:   …
//! ```
//!
//! `memmove` is a copy too: everything is read before anything is written, and a loop over sides that may overlap begins at the safe end. A
//! chunk is a cell if a side has cells, otherwise as wide as the alignments allow, up to four words. A copy of more than [`UNROLLED_BYTES`]
//! bytes becomes a loop, and so does one of unknown size. Loops are created at the end, the last of a block first, so that every
//! instruction moves to another block once.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Op, Position};

use super::access::Manner;
use super::demands::BulkCopy;
use super::leaves::scalar_bytes;
use super::lowering::{Form, Lowering, PointerTarget, Spot};
use crate::blocks::keep_loop_hints;

/// Larger copies become a loop.
const UNROLLED_BYTES: u64 = 256;
/// The widest chunk.
const WIDEST: u32 = 16;

/// The source of a copy, and the properties of both accesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    target: (Spot, Manner),
    /// `None` for zeroing.
    source: Option<(Spot, Manner)>,
}

/// A chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Chunk {
    ty: Inst,
    bytes: u32,
}

/// A copy that becomes a loop, at the position of the instruction `at`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongCopy {
    at: Inst,
    sides: Sides,
    chunk: Chunk,
    /// The number of chunks: a 32-bit value.
    count: Inst,
    /// A condition: true to begin with the last element, if the sides may overlap.
    backward: Option<Inst>,
}

impl Lowering<'_> {
    /// `copy_memory` and `copy_memory_sized`.
    pub(super) fn lower_copy(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let copy = BulkCopy::read(self.module, &mut self.layouts, inst)?;
        let (target, source) = (self.spot(copy.target)?, self.spot(copy.source)?);
        let (Some(target), Some(source)) = (target, source) else {
            let null = self.is_zero(copy.target) || self.is_zero(copy.source);
            return match (null, target.or(source)) {
                // Through null: undefined behaviour.
                (true, _) => {
                    self.retire(inst);
                    Ok(())
                }
                (false, None) => Ok(()),
                (false, Some(_)) => Err(self.unsupported("a copy between kernel memory and a Vulkan variable")),
            };
        };
        let manner = |lowering: &Self, pointer: Inst, promised: u32| Manner {
            alignment: lowering.demands.alignment(pointer, promised),
            flags: copy.flags,
        };
        let target = (target, manner(self, copy.target, copy.target_alignment));
        let source = (source, manner(self, copy.source, copy.source_alignment));
        let sides = Sides { target, source: Some(source) };
        match copy.constant_size {
            Some(size) => self.move_bytes(sides, size),
            None => {
                let granule = 1 << self.demands.multiples.zeros(self.module, copy.size).min(4);
                let chunk = self.chunk(sides, granule);
                let size = self.narrowed(copy.size);
                let count = match chunk.bytes {
                    1 => size,
                    bytes => {
                        let shift = self.word(bytes.trailing_zeros());
                        self.binary(Op::ShiftRightLogical, size, shift)
                    }
                };
                self.add_loop(sides, chunk, count);
            }
        }
        self.retire(inst);
        Ok(())
    }

    /// Writes zeros to a number of bytes.
    pub(super) fn lower_zeros(&mut self, target: Spot, size: u64, manner: Manner) {
        self.move_bytes(Sides { target: (target, manner), source: None }, size);
    }

    fn move_bytes(&mut self, mut sides: Sides, size: u64) {
        let mut left = size;
        if size > UNROLLED_BYTES {
            // The rest is moved before the loop, so there must be no rest if the sides may overlap.
            let granule = if self.may_overlap(sides) { 1 << size.trailing_zeros().min(4) } else { WIDEST };
            let chunk = self.chunk(sides, granule);
            let count = size / u64::from(chunk.bytes);
            let moved = count * u64::from(chunk.bytes);
            let count = self.word(count as u32);
            self.add_loop(sides, chunk, count);
            sides = sides.moved(moved.cast_signed());
            left -= moved;
        }
        let mut chunks = Vec::new();
        while left > 0 {
            let granule = 1 << (63 - left.leading_zeros()).min(WIDEST.trailing_zeros());
            let chunk = self.chunk(sides, granule);
            chunks.push((sides, chunk));
            sides = sides.moved(i64::from(chunk.bytes));
            left -= u64::from(chunk.bytes);
        }
        let values: Vec<Inst> = chunks.iter().map(|&(sides, chunk)| self.loaded(sides, chunk)).collect();
        for (&(sides, _), value) in chunks.iter().zip(values) {
            let (spot, manner) = sides.target;
            self.store_leaf(spot, value, manner);
        }
    }

    /// Returns whether a copy may write bytes that it has not read yet: `memmove` is a copy too.
    fn may_overlap(&mut self, sides: Sides) -> bool {
        let Some((source, _)) = sides.source else { return false };
        let target = sides.target.0;
        source.class == target.class
            || (self.form(source.class) == Form::Address && self.form(target.class) == Form::Address)
    }

    fn add_loop(&mut self, sides: Sides, chunk: Chunk, count: Inst) {
        let backward = self.may_overlap(sides).then(|| {
            let source = sides.source.map_or(sides.target.0, |(spot, _)| spot);
            let (source, target) = (self.value(source), self.value(sides.target.0));
            let boolean = Builder::new(self.module).bool_type();
            self.emit(Op::ULessThan, boolean, &[source, target])
        });
        self.long_copies.push(LongCopy { at: self.at, sides, chunk, count, backward });
    }

    /// The chunk of a copy, at most `granule` bytes.
    fn chunk(&mut self, sides: Sides, granule: u32) -> Chunk {
        let widest = sides.spots().filter_map(|spot| self.cells.get(&spot.class)).max_by_key(|cells| cells.bytes);
        if let Some(cells) = widest {
            let (cell, bytes) = (cells.cell, cells.bytes);
            let is_scalar = scalar_bytes(self.module, cell) == Some(bytes) && self.module.components(cell).1 == 1;
            if bytes <= granule && is_scalar {
                return Chunk { ty: cell, bytes };
            }
            let bytes = granule.min(bytes).min(8);
            return Chunk { ty: self.uint(bytes), bytes };
        }
        let alignment = sides.alignment().min(granule).max(1);
        let word = self.uint(alignment.min(4));
        if alignment < 4 || granule < 8 {
            return Chunk { ty: word, bytes: alignment.min(4) };
        }
        let count = if granule >= WIDEST { 4 } else { 2 };
        Chunk { ty: self.vector(word, count), bytes: count * 4 }
    }

    fn loaded(&mut self, sides: Sides, chunk: Chunk) -> Inst {
        match sides.source {
            Some((spot, manner)) => self.load_leaf(spot, chunk.ty, manner),
            None => self.module.edit().unique(Op::ConstantNull, Some(chunk.ty), &[]),
        }
    }

    /// Creates the loops of all copies that become loops.
    pub(super) fn expand_long_copies(&mut self) {
        for copy in std::mem::take(&mut self.long_copies).into_iter().rev() {
            self.expand(copy);
        }
    }

    fn expand(&mut self, copy: LongCopy) {
        let block = self.module.block_of(copy.at).expect("invariant: the copy stands in a block");
        self.function = self.module.function_of(copy.at).expect("invariant: the block stands in a function");
        let index_type = self.uint(4);
        let boolean = Builder::new(self.module).bool_type();
        let (zero, one) = (self.word(0), self.word(1));
        let mut editor = self.module.edit();
        let head = editor.insert(Position::After(block.into()), Op::Block, None, &[]);
        let body = editor.insert(Position::After(head), Op::Block, None, &[]);
        let rest = editor.insert(Position::After(body), Op::Block, None, &[]);
        let mut moved = Some(copy.at);
        while let Some(inst) = moved {
            moved = editor.module().next(inst);
            editor.move_to(inst, Position::AtEnd(rest));
        }
        editor.append(block, Op::Branch, None, &[head, zero]);
        let index = editor.append(head, Op::BlockParameter, Some(index_type), &[]);
        let more = editor.append(head, Op::ULessThan, Some(boolean), &[index, copy.count]);
        editor.append(head, Op::BranchIf, None, &[more, body, rest]);
        let next = editor.append(body, Op::IAdd, Some(index_type), &[index, one]);
        let end = editor.append(body, Op::Branch, None, &[head, next]);
        keep_loop_hints(self.module, block.into(), rest);
        self.cache.clear();
        self.at = end;
        let index = match copy.backward {
            Some(backward) => {
                let left = self.emit(Op::ISub, index_type, &[copy.count, next]);
                self.emit(Op::Select, index_type, &[backward, left, index])
            }
            None => index,
        };
        self.move_chunk(copy, index);
        self.cache.clear();
    }

    /// Copies the chunk with this number.
    fn move_chunk(&mut self, copy: LongCopy, index: Inst) {
        let bytes = copy.chunk.bytes;
        let (target, manner) = copy.sides.target;
        let target = (self.advanced(target, index, bytes), manner.at(u64::from(bytes)));
        let source = copy.sides.source;
        let source = source.map(|(spot, manner)| (self.advanced(spot, index, bytes), manner.at(u64::from(bytes))));
        let sides = Sides { target, source };
        let value = self.loaded(sides, copy.chunk);
        self.store_leaf(target.0, value, target.1);
    }

    /// The place `index` chunks after another one.
    fn advanced(&mut self, spot: Spot, index: Inst, bytes: u32) -> Spot {
        let added = match self.form(spot.class) {
            Form::Address | Form::Kept => {
                let wide = self.uint(8);
                let index = self.unary(Op::UConvert, wide, index);
                self.multiplied(index, u64::from(bytes))
            }
            Form::Cells => self.multiplied(index, u64::from(bytes / self.unit(spot.class).min(bytes))),
        };
        let base = match spot.place.base {
            Some(base) => self.binary(Op::IAdd, base, added),
            None => added,
        };
        Spot { place: PointerTarget { base: Some(base), ..spot.place }, ..spot }
    }
}

impl Sides {
    fn spots(&self) -> impl Iterator<Item = Spot> {
        [Some(self.target.0), self.source.map(|(spot, _)| spot)].into_iter().flatten()
    }

    fn alignment(&self) -> u32 {
        self.source.map_or(u32::MAX, |(_, manner)| manner.alignment).min(self.target.1.alignment)
    }

    fn moved(self, bytes: i64) -> Sides {
        let further = |(spot, manner): (Spot, Manner)| (spot.moved(bytes), manner.at(bytes.cast_unsigned()));
        Sides { target: further(self.target), source: self.source.map(further) }
    }
}
