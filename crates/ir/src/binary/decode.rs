//! Records of instructions, from bytes.
//!
//! The same code reads a record to build an instruction, to find what it refers to, and to find the next one: what becomes of a reference is
//! up to a [`Sink`].

use super::bytes::{self, Bytes};
use super::error::{ErrorCode, Fault, fault};
use super::shape::{Kind, KnownShape, Place, Shapes, Traits};
use crate::{Class, Inst, Line, Location, Op};

/// A consumer of the parts of records. Each method returns a handle, which is used in later operands.
pub(super) trait Sink {
    /// A literal of one word.
    fn word(&mut self, word: u32) -> u32;
    /// Another literal.
    fn literal(&mut self, op: Op, words: &[u32]) -> u32;
    /// A global, by a number that the file has.
    fn global(&mut self, number: u32) -> Result<u32, Fault>;
    /// A result in the current body, by a number that the body has.
    fn local(&mut self, number: u32) -> u32;
    /// A result in the body of a global, if it is there.
    fn foreign(&mut self, global: u32, number: u32) -> Result<Option<u32>, Fault>;
    /// An instruction that is not in the module.
    fn missing(&mut self) -> u32;
    /// A decoration or position.
    fn note(&mut self, op: Op, operands: &[Inst]) -> u32;
}

/// A sink for records that are only passed.
pub(super) struct Pass;

impl Sink for Pass {
    fn word(&mut self, _: u32) -> u32 {
        0
    }

    fn literal(&mut self, _: Op, _: &[u32]) -> u32 {
        0
    }

    fn global(&mut self, _: u32) -> Result<u32, Fault> {
        Ok(0)
    }

    fn local(&mut self, _: u32) -> u32 {
        0
    }

    fn foreign(&mut self, _: u32, _: u32) -> Result<Option<u32>, Fault> {
        Ok(Some(0))
    }

    fn missing(&mut self) -> u32 {
        0
    }

    fn note(&mut self, _: Op, _: &[Inst]) -> u32 {
        0
    }
}

/// The part of a body that was read so far.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// The number of results that the body has.
    pub(super) results: u32,
    /// The number of the next result.
    pub(super) next: u32,
    /// The last location.
    location: Option<Location>,
}

impl Progress {
    /// Reads a header before the contents of a body with this number of results; none for the record of a global.
    pub(super) fn before(results: u32) -> Progress {
        Progress { results, ..Progress::default() }
    }
}

/// A record; the decoder has its operands, its decorations and its location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) op: Op,
    pub(super) traits: Traits,
    /// [`crate::storage::NONE`] if there is none.
    pub(super) ty: u32,
}

/// Reads records.
pub(super) struct Decoder<'a> {
    pub(super) bytes: Bytes<'a>,
    shapes: &'a Shapes,
    /// The number of globals that the file has.
    globals: u32,
    /// The operands of the last record.
    pub(super) operands: Vec<u32>,
    /// The decorations of the last record.
    pub(super) decorations: Vec<Inst>,
    /// The location of the last record.
    pub(super) location: Option<Location>,
    note: Vec<Inst>,
    words: Vec<u32>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: Bytes<'a>, shapes: &'a Shapes, globals: u32) -> Decoder<'a> {
        let (operands, decorations, note, words) = Default::default();
        Decoder { bytes, shapes, globals, operands, decorations, location: None, note, words }
    }

    /// The next record; `None` for a zero, which ends the contents of a container.
    pub(super) fn record(&mut self, progress: &mut Progress, sink: &mut impl Sink) -> Result<Option<Record>, Fault> {
        let offset = self.bytes.offset();
        let Some(number) = self.bytes.number()?.checked_sub(1) else { return Ok(None) };
        let shape = self.shape(offset, number)?;
        let ty = match shape.kinds[0] {
            Kind::Untyped => crate::storage::NONE,
            kind => self.fast_reference(kind, progress, sink)?,
        };
        self.operands.clear();
        for &kind in &shape.kinds[1..] {
            let operand = self.fast_reference(kind, progress, sink)?;
            self.operands.push(operand);
        }
        self.decorations.clear();
        if shape.decorations as usize > self.bytes.left() {
            let message = format!("expected {} decorations, found the end of the section", shape.decorations);
            return Err(fault(offset, ErrorCode::Length, message));
        }
        for _ in 0..shape.decorations {
            let decoration = self.read_note(Class::Decoration, progress, sink)?;
            self.decorations.push(decoration);
        }
        self.location = match shape.place {
            Place::Absent => None,
            Place::Same if progress.location.is_none() => {
                return Err(fault(offset, ErrorCode::Encoding, "expected a location before one that repeats it"));
            }
            Place::Same => progress.location,
            Place::Own => {
                progress.location = Some(self.read_location(progress, sink)?);
                progress.location
            }
        };
        Ok(Some(Record { op: shape.op, traits: shape.traits, ty }))
    }

    fn shape(&self, offset: usize, number: u32) -> Result<KnownShape<'a>, Fault> {
        self.shapes.get(number).ok_or_else(|| {
            fault(offset, ErrorCode::Reference, format!("expected the number of a shape, found {number}"))
        })
    }

    /// A decoration or position of that class.
    fn read_note(&mut self, class: Class, progress: &Progress, sink: &mut impl Sink) -> Result<Inst, Fault> {
        let offset = self.bytes.offset();
        let number = self.bytes.number()?;
        let shape = self.shape(offset, number)?;
        if shape.op.class() != class || shape.decorations != 0 || shape.place != Place::Absent {
            let message = format!("expected a {class:?} without decorations, found `{}`", shape.op.name());
            return Err(fault(offset, ErrorCode::Op, message));
        }
        let mut operands = std::mem::take(&mut self.note);
        operands.clear();
        for &kind in &shape.kinds[1..] {
            operands.push(Inst(self.reference(kind, progress, sink)?));
        }
        let note = Inst(sink.note(shape.op, &operands));
        self.note = operands;
        Ok(note)
    }

    fn read_location(&mut self, progress: &Progress, sink: &mut impl Sink) -> Result<Location, Fault> {
        let offset = self.bytes.offset();
        let flags = self.bytes.number()?;
        let [has_line, has_range, has_scope, same_file] = [1, 2, 4, 8].map(|bit| flags & bit != 0);
        let last = progress.location.and_then(|location| location.line);
        if flags > 15 || same_file && (!has_line || last.is_none()) {
            let message = format!("expected the parts of a location, found {flags}");
            return Err(fault(offset, ErrorCode::Encoding, message));
        }
        let mut location = Location::NONE;
        if has_line {
            let file = match last {
                Some(last) if same_file => last.file,
                _ => {
                    let offset = self.bytes.offset();
                    let number = self.bytes.number()?;
                    let kind = u8::try_from(number).ok().and_then(Kind::from_number);
                    let kind = kind.filter(|&kind| kind != Kind::Untyped).ok_or_else(|| {
                        let message = format!("expected the kind of a reference, found {number}");
                        fault(offset, ErrorCode::Encoding, message)
                    })?;
                    Inst(self.reference(kind, progress, sink)?)
                }
            };
            let line = bytes::unfold(last.map_or(0, |last| last.line), self.bytes.number()?);
            location.line = Some(Line { file, line, column: self.bytes.number()? });
        }
        for part in [(has_range, &mut location.range), (has_scope, &mut location.scope)] {
            if let (true, position) = part {
                *position = Some(self.read_note(Class::Position, progress, sink)?);
            }
        }
        Ok(location)
    }

    fn reference(&mut self, kind: Kind, progress: &Progress, sink: &mut impl Sink) -> Result<u32, Fault> {
        self.fast_reference(kind, progress, sink)
    }

    /// Does the same as [`Decoder::reference`], inlined where most references are read.
    #[inline(always)]
    fn fast_reference(&mut self, kind: Kind, progress: &Progress, sink: &mut impl Sink) -> Result<u32, Fault> {
        let offset = self.bytes.offset();
        let number = self.bytes.number()?;
        match kind {
            Kind::Back => match progress.next.checked_sub(number).and_then(|number| number.checked_sub(1)) {
                Some(number) => Ok(sink.local(number)),
                None => Err(no_such("a result before this one", offset, number)),
            },
            Kind::Word => Ok(sink.word(number)),
            Kind::Global => match number < self.globals {
                true => sink.global(number),
                false => Err(no_such("a global", offset, number)),
            },
            Kind::Forward => match progress.next.checked_add(number).filter(|&number| number < progress.results) {
                Some(number) => Ok(sink.local(number)),
                None => Err(no_such("a result after this one", offset, number)),
            },
            _ => self.rare_reference(kind, number, sink),
        }
    }

    /// A reference after its first number.
    fn rare_reference(&mut self, kind: Kind, number: u32, sink: &mut impl Sink) -> Result<u32, Fault> {
        let offset = self.bytes.offset();
        match kind {
            Kind::Words | Kind::TextWords => {
                let op = if kind == Kind::Words { Op::LiteralWords } else { Op::LiteralText };
                self.words.clear();
                for _ in 0..number {
                    self.words.push(self.bytes.number()?);
                }
                Ok(sink.literal(op, &self.words))
            }
            Kind::Text => {
                let text = self.bytes.take(number)?;
                if text.contains(&0) {
                    let message = "expected a string without zeros";
                    return Err(fault(offset, ErrorCode::Encoding, message));
                }
                self.words.clear();
                let words = text.chunks_exact(4);
                let mut last = [0; 4];
                last[..words.remainder().len()].copy_from_slice(words.remainder());
                self.words.extend(words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
                self.words.push(u32::from_le_bytes(last));
                Ok(sink.literal(Op::LiteralText, &self.words))
            }
            Kind::Foreign if number < self.globals => {
                let local = self.bytes.number()?;
                sink.foreign(number, local)?.ok_or_else(|| no_such("a result in that body", offset, local))
            }
            Kind::Foreign => Err(no_such("a global", offset, number)),
            Kind::Missing if number == 0 => Ok(sink.missing()),
            _ => Err(fault(offset, ErrorCode::Encoding, format!("expected a zero, found {number}"))),
        }
    }
}

#[cold]
fn no_such(what: &str, offset: usize, number: u32) -> Fault {
    fault(offset, ErrorCode::Reference, format!("expected the number of {what}, found {number}"))
}
