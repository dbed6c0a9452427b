//! One of the two files, indexed.

use std::ops::Range;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Op;
use rustc_hash::FxHashMap;

use super::positions::is_mark;
use crate::binary::{self, Instruction};
use crate::error::{ReadCode, at_word};
use crate::grammar::{self, Decoded};
use crate::groups::Ungrouped;
use crate::opcode;
use crate::read::{Survey, decoration_op};

/// The definition of an id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Definition {
    /// No definition.
    None,
    /// A type or constant, which is the same as every equal one.
    Unique(usize),
    /// Another instruction outside the functions, at this word.
    Global(usize),
    /// Something in a function, or a function.
    Local,
}

/// A number of a file, and the word at which it was found.
#[derive(Clone, Copy)]
pub(super) struct Numbered {
    pub(super) number: u32,
    pub(super) word: usize,
}

/// A decoded instruction.
pub(super) struct DecodedInstruction<'s> {
    pub(super) instruction: Instruction<'s>,
    pub(super) parts: Decoded,
}

/// A file with an index of its parts.
pub(super) struct Side {
    pub(super) words: Vec<u32>,
    pub(super) survey: Survey,
    pub(super) definitions: Vec<Definition>,
    /// Instructions outside the functions that are neither notes nor types nor constants, in order.
    pub(super) listed: Vec<usize>,
    /// Types and constants.
    pub(super) unique: Vec<Numbered>,
    /// Names and decorations by the number of their target.
    pub(super) notes: FxHashMap<u32, Vec<usize>>,
    /// The line that is written before an instruction outside the functions.
    pub(super) lines: FxHashMap<usize, usize>,
    pub(super) functions: Vec<Range<usize>>,
    /// For each function, the line that holds at its beginning.
    pub(super) first_lines: FxHashMap<usize, usize>,
}

impl Side {
    /// Indexes a file.
    pub(super) fn of(bytes: &[u8]) -> Result<Side, Diagnostic> {
        let words = Ungrouped::of(binary::words(bytes)?)?.words;
        let survey = Survey::of(&words)?;
        let mut side = Side {
            definitions: vec![Definition::None; survey.numbers.bound() as usize],
            words,
            survey,
            listed: Vec::new(),
            unique: Vec::new(),
            notes: FxHashMap::default(),
            lines: FxHashMap::default(),
            functions: Vec::new(),
            first_lines: FxHashMap::default(),
        };
        let words = std::mem::take(&mut side.words);
        let indexed = side.index(&words);
        side.words = words;
        indexed.map(|()| side)
    }

    fn index(&mut self, words: &[u32]) -> Result<(), Diagnostic> {
        let mut start = None;
        let (mut line, mut in_effect) = (None, None);
        let mut decoded = Decoded::default();
        for instruction in binary::all_instructions(words) {
            let instruction = instruction?;
            grammar::decode(&instruction, &self.survey, &mut decoded)?;
            let result = decoded.result.filter(|_| !is_mark(&instruction, &self.survey));
            let result = result.map(|at| self.survey.number(instruction.words[at], instruction.offset + at));
            let result = result.transpose()?;
            if instruction.opcode == opcode::FUNCTION && start.is_none() {
                start = Some(instruction.offset);
                in_effect.take().and_then(|line| self.first_lines.insert(instruction.offset, line));
            }
            if let Some(first) = start {
                if let Some(number) = result {
                    self.definitions[number as usize] = Definition::Local;
                }
                if instruction.opcode == opcode::FUNCTION_END {
                    self.functions.push(first..instruction.end());
                    start = None;
                }
                line = None;
                continue;
            }
            match instruction.opcode {
                opcode::LINE | opcode::NO_LINE => {
                    line = Some(instruction.offset);
                    in_effect = line.filter(|_| instruction.opcode == opcode::LINE);
                }
                _ if decoration_op(instruction.opcode).is_some() => {
                    if self.survey.is_mark(instruction.words[1]) {
                        continue;
                    }
                    let target = self.survey.number(instruction.words[1], instruction.offset + 1)?;
                    self.notes.entry(target).or_default().push(instruction.offset);
                }
                _ => {
                    self.index_global(&instruction, result);
                    if let Some(line) = line.take() {
                        self.lines.insert(instruction.offset, line);
                    }
                }
            }
        }
        let open =
            start.map(|offset| at_word(ReadCode::Layout, offset, "expected OpFunctionEnd, found the file's end"));
        open.map_or(Ok(()), Err)
    }

    fn index_global(&mut self, instruction: &Instruction<'_>, result: Option<u32>) {
        let is_unique = Op::from_opcode(instruction.opcode).is_some_and(Op::is_hoistable);
        match result {
            Some(number) if is_unique => {
                self.definitions[number as usize] = Definition::Unique(instruction.offset);
                self.unique.push(Numbered { number, word: instruction.offset });
            }
            Some(number) => {
                self.definitions[number as usize] = Definition::Global(instruction.offset);
                self.listed.push(instruction.offset);
            }
            None => self.listed.push(instruction.offset),
        }
    }

    /// The instruction at a word, decoded.
    pub(super) fn decoded(&self, offset: usize) -> DecodedInstruction<'_> {
        let instruction = binary::instruction_at(&self.words, offset);
        let mut parts = Decoded::default();
        grammar::decode(&instruction, &self.survey, &mut parts).expect("invariant: it was taken apart before");
        DecodedInstruction { instruction, parts }
    }

    /// The instructions of a function, without those that state the source of others.
    pub(super) fn body(&self, range: Range<usize>) -> Vec<usize> {
        let all = binary::instructions(&self.words, range).map_while(Result::ok);
        all.filter(|instruction| !is_mark(instruction, &self.survey)).map(|instruction| instruction.offset).collect()
    }

    pub(super) fn opcode(&self, offset: usize) -> u16 {
        (self.words[offset] & 0xffff) as u16
    }
}
