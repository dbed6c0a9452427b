//! The shapes of the instructions of a file, each once.
//!
//! ```text
//! shape     load, type: global, operands: back, word, no decorations, no location
//! record    [shape] [type] [operand] [operand]                 %9: %u32 = load %p, Aligned … is four bytes or five
//! ```
//!
//! A few dozens of shapes cover a module, so the op, the number of operands and the kind of each are one byte of an instruction, and an
//! operand is a small number without a tag. The shapes are read before all else, so an op that the reader does not know is found there.

use smallvec::SmallVec;

use super::bytes::{self, Bytes};
use super::error::{ErrorCode, Fault, fault};
use super::op_ids::{OP_TABLE_VERSION, id_of, op_of};
use crate::{Class, Op, view};

/// The encoding of a reference. The numbers are part of the format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    /// A literal of one word: the word.
    Word = 0,
    /// Another literal of words: their count, and the words.
    Words = 1,
    /// A string in the usual packing: its length in bytes, and the bytes.
    Text = 2,
    /// Another string: the count of its words, and the words.
    TextWords = 3,
    /// An instruction at module level: its number there.
    Global = 4,
    /// A result before this one in the same body: the distance, less one.
    Back = 5,
    /// This result or one after it: the distance.
    Forward = 6,
    /// A result in another body: the number of its global, and its own in there. A part of an interface, or in invalid programs.
    Foreign = 7,
    /// An instruction that is not in the module, such as a deleted one: a zero.
    Missing = 8,
    /// No type.
    Untyped = 9,
}

impl Kind {
    const ALL: [Kind; 10] = [
        Kind::Word,
        Kind::Words,
        Kind::Text,
        Kind::TextWords,
        Kind::Global,
        Kind::Back,
        Kind::Forward,
        Kind::Foreign,
        Kind::Missing,
        Kind::Untyped,
    ];

    /// The kind with a number.
    pub(super) fn from_number(number: u8) -> Option<Kind> {
        Kind::ALL.get(usize::from(number)).copied()
    }
}

/// The encoding of an instruction's location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(super) enum Place {
    /// None.
    Absent = 0,
    /// The same as of the last one in the body that had one.
    Same = 1,
    /// One that follows the decorations.
    Own = 2,
}

/// The shape of an instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    pub(super) op: Op,
    pub(super) decorations: u32,
    pub(super) place: Place,
    /// The encoding of the type, then those of the operands.
    pub(super) kinds: Kinds,
}

/// Kinds of references, few as a rule.
pub(super) type Kinds = SmallVec<[Kind; 12]>;

impl Shape {
    /// Appends the shape.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let kinds = &self.kinds;
        bytes::push(out, u32::from(id_of(self.op)));
        bytes::push(out, self.decorations << 2 | self.place as u32);
        bytes::push(out, kinds.len() as u32 - 1);
        out.extend(kinds.chunks(2).map(|pair| pair[0] as u8 | pair.get(1).map_or(0, |&kind| (kind as u8) << 4)));
    }
}

/// The properties of a shape that the reader needs for each instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    pub(super) has_result: bool,
    pub(super) is_container: bool,
    pub(super) is_hoistable: bool,
    /// True if its instructions are children of others.
    pub(super) is_placed: bool,
    /// True if the type or an operand is in a body. The requirement of a `lookup_witness` does not count: it is a key, which is in its
    /// interface wherever the instruction is.
    pub(super) uses_locals: bool,
}

impl Traits {
    fn of(op: Op, kinds: &[Kind]) -> Traits {
        let is_local = |kind: &Kind| matches!(kind, Kind::Back | Kind::Forward | Kind::Foreign);
        let values = if op == Op::LookupWitness { 1 + view::LookupWitness::SLOT.requirement } else { kinds.len() };
        Traits {
            has_result: op.has_result(),
            is_container: op.is_container(),
            is_hoistable: op.is_hoistable(),
            is_placed: op != Op::Module && !matches!(op.class(), Class::Decoration | Class::Position),
            uses_locals: kinds.iter().take(values).any(is_local),
        }
    }
}

/// A shape of a file, as it is kept.
#[derive(Clone, Copy, Debug)]
struct Row {
    op: Op,
    traits: Traits,
    place: Place,
    decorations: u32,
    /// Its kinds in the list of all.
    kinds: (u32, u32),
}

/// A shape of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownShape<'s> {
    pub(super) op: Op,
    pub(super) traits: Traits,
    pub(super) place: Place,
    pub(super) decorations: u32,
    /// The encoding of the type, then those of the operands.
    pub(super) kinds: &'s [Kind],
}

/// The shapes of a file.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    rows: Vec<Row>,
    kinds: Vec<Kind>,
}

impl Shapes {
    /// Reads the section of shapes.
    pub(super) fn read(mut bytes: Bytes<'_>, written_with: u32) -> Result<Shapes, Fault> {
        let count = bytes.count("shapes")?;
        let mut shapes =
            Shapes { rows: Vec::with_capacity(count as usize), kinds: Vec::with_capacity(4 * count as usize) };
        for _ in 0..count {
            let row = shapes.read_one(&mut bytes, written_with)?;
            shapes.rows.push(row);
        }
        bytes.expect_end("the shapes")?;
        Ok(shapes)
    }

    fn read_one(&mut self, bytes: &mut Bytes<'_>, written_with: u32) -> Result<Row, Fault> {
        let offset = bytes.offset();
        let id = bytes.number()?;
        let op = op_of(id).ok_or_else(|| unknown_op(offset, id, written_with))?;
        let notes = bytes.number()?;
        let place = match notes & 3 {
            0 => Place::Absent,
            1 => Place::Same,
            2 => Place::Own,
            _ => {
                return Err(fault(offset, ErrorCode::Encoding, "expected 0, 1 or 2 for a location, found 3"));
            }
        };
        let kinds_offset = bytes.offset();
        let kinds = bytes.number()?.saturating_add(1);
        let packed = bytes.take(kinds.div_ceil(2))?;
        let start = self.kinds.len() as u32;
        let numbers = packed.iter().flat_map(|&pair| [pair & 15, pair >> 4]);
        for (index, number) in numbers.take(kinds as usize).enumerate() {
            match Kind::from_number(number) {
                Some(kind) if index == 0 || kind != Kind::Untyped => self.kinds.push(kind),
                _ => {
                    let message = format!("expected the kind of a reference, found {number}");
                    return Err(fault(kinds_offset, ErrorCode::Encoding, message));
                }
            }
        }
        if kinds % 2 == 1 && packed[kinds as usize / 2] >> 4 != 0 {
            return Err(fault(kinds_offset, ErrorCode::Encoding, "expected a zero after the last kind"));
        }
        if !op.has_type() && self.kinds[start as usize] != Kind::Untyped {
            let message = format!("expected no type for `{}`", op.name());
            return Err(fault(kinds_offset, ErrorCode::Op, message));
        }
        if matches!(op.class(), Class::Removed | Class::Literal) {
            let message = format!("expected an op that can be written, found `{}`", op.name());
            return Err(fault(offset, ErrorCode::Op, message));
        }
        let end = self.kinds.len() as u32;
        let traits = Traits::of(op, &self.kinds[start as usize..]);
        Ok(Row { op, traits, place, decorations: notes >> 2, kinds: (start, end) })
    }

    /// Returns whether some shape has this op.
    pub(super) fn has(&self, op: Op) -> bool {
        self.rows.iter().any(|row| row.op == op)
    }

    /// The shape with a number.
    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<KnownShape<'_>> {
        let &Row { op, traits, place, decorations, kinds: (start, end) } = self.rows.get(number as usize)?;
        Some(KnownShape { op, traits, place, decorations, kinds: &self.kinds[start as usize..end as usize] })
    }
}

fn unknown_op(offset: usize, id: u32, written_with: u32) -> Fault {
    let message = format!(
        "expected the number of an op, found {id}; the file was written with version {written_with} of the op table, and this reader \
         has version {OP_TABLE_VERSION}"
    );
    fault(offset, ErrorCode::Op, message)
}
