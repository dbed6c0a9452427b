//! Decodes one instruction by the grammar.

use reconverge_diagnostic::Diagnostic;
use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};

use super::{InstructionSet, Results, core_instruction, parameters, results};
use crate::binary::Instruction;
use crate::error::{ReadCode, at_word};
use crate::opcode;

/// The kind of a part of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PieceKind {
    /// The id of another instruction: one word.
    Id,
    /// A literal of one or more words.
    Words,
    /// A string.
    Text,
}

/// One operand of an instruction: some of its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) kind: PieceKind,
    /// The first word, as an index in the instruction.
    pub(crate) start: usize,
    pub(crate) count: usize,
}

/// A decoded instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    /// The index of the result type in the instruction's words.
    pub(crate) ty: Option<usize>,
    /// The index of the result in the instruction's words.
    pub(crate) result: Option<usize>,
    /// The other operands, in order.
    pub(crate) pieces: Vec<Piece>,
}

/// Facts about the rest of the module that the grammar needs.
pub(crate) trait Context {
    /// The number of words that a literal of the type with that id has; `None` if it is not a number type.
    fn literal_words(&self, ty: u32) -> Option<usize>;
    /// The id of the type of the value with that id.
    fn type_of(&self, id: u32) -> Option<u32>;
    /// The extended instruction set that an id names.
    fn instruction_set(&self, id: u32) -> InstructionSet;
    /// Returns whether an instruction of the module has that id as its result.
    fn is_defined(&self, id: u32) -> bool;
    /// For opcodes outside the grammar: whether the first words of the instruction are a result type and a result.
    fn unknown_results(&self, instruction: &Instruction<'_>) -> Results;
    /// Returns whether words after the last operand of an instruction are ignored, because the front end that wrote the module is known to
    /// write some.
    fn ignores_surplus(&self) -> bool {
        false
    }
}

/// Decodes an instruction. The result is in `decoded`, whose buffers are reused.
///
/// Linear in the words of the instruction.
pub(crate) fn decode(
    instruction: &Instruction<'_>,
    context: &impl Context,
    decoded: &mut Decoded,
) -> Result<(), Diagnostic> {
    decoded.pieces.clear();
    let row = core_instruction(instruction.opcode);
    let results = row.map_or_else(|| context.unknown_results(instruction), results);
    decoded.ty = results.has_type.then_some(1);
    decoded.result = results.has_result.then_some(1 + usize::from(results.has_type));
    let first = 1 + results.count();
    let mut cursor = Cursor { instruction, context, at: first, pieces: &mut decoded.pieces };
    cursor.require(first, 0)?;
    match row {
        Some(row) => cursor.core(&row.operands[first - 1..])?,
        None => cursor.rest(PieceKind::Words)?,
    }
    cursor.finish()
}

struct Cursor<'a, C> {
    instruction: &'a Instruction<'a>,
    context: &'a C,
    at: usize,
    pieces: &'a mut Vec<Piece>,
}

impl<C: Context> Cursor<'_, C> {
    /// The operands of an instruction that the grammar knows.
    fn core(&mut self, operands: &'static [LogicalOperand]) -> Result<(), Diagnostic> {
        if matches!(self.instruction.opcode, opcode::EXT_INST | opcode::EXT_INST_WITH_FORWARD_REFS) {
            // Set and number; the grammar has ids for all operands after them, which is not correct for every set.
            self.sequence(&operands[..2])?;
            return self.extended_operands();
        }
        if self.instruction.opcode == opcode::SWITCH {
            self.sequence(&operands[..2])?;
            return self.cases();
        }
        self.sequence(operands)?;
        match self.instruction.opcode {
            opcode::SPEC_CONSTANT_OP => self.wrapped_operation(),
            opcode::DECORATE_STRING | opcode::MEMBER_DECORATE_STRING => self.rest(PieceKind::Text),
            opcode::DECORATE_ID | opcode::MEMBER_DECORATE_ID | opcode::EXECUTION_MODE_ID => self.rest(PieceKind::Id),
            opcode::DECORATE | opcode::MEMBER_DECORATE => {
                let number = self.last_word();
                for &kind in parameters::decoration(number) {
                    self.take(kind)?;
                }
                self.rest(PieceKind::Words)
            }
            opcode::EXECUTION_MODE => self.rest(PieceKind::Words),
            _ => Ok(()),
        }
    }

    fn sequence(&mut self, operands: &'static [LogicalOperand]) -> Result<(), Diagnostic> {
        for operand in operands {
            match operand.quantifier {
                OperandQuantifier::One => self.operand(operand.kind)?,
                OperandQuantifier::ZeroOrOne if self.has_more() => self.operand(operand.kind)?,
                OperandQuantifier::ZeroOrOne => {}
                OperandQuantifier::ZeroOrMore => {
                    while self.has_more() {
                        self.operand(operand.kind)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn operand(&mut self, kind: OperandKind) -> Result<(), Diagnostic> {
        match kind {
            OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics => self.take(PieceKind::Id),
            OperandKind::LiteralString => self.take(PieceKind::Text),
            OperandKind::LiteralContextDependentNumber => self.number(),
            OperandKind::LoopControl => self.words(self.left().max(1)),
            OperandKind::PairIdRefIdRef => self.take(PieceKind::Id).and_then(|()| self.take(PieceKind::Id)),
            OperandKind::PairIdRefLiteralInteger => self.take(PieceKind::Id).and_then(|()| self.take(PieceKind::Words)),
            OperandKind::MemoryAccess => {
                self.take(PieceKind::Words)?;
                parameters::memory_access(self.last_word()).try_for_each(|kind| self.take(kind))
            }
            OperandKind::ImageOperands | OperandKind::TensorOperands | OperandKind::TensorAddressingOperands => {
                self.take(PieceKind::Words)?;
                self.rest(PieceKind::Id)
            }
            _ => self.take(PieceKind::Words),
        }
    }

    /// Reads the literal of a constant: all remaining words, as many as the type has.
    fn number(&mut self) -> Result<(), Diagnostic> {
        let ty = self.instruction.words[1];
        let left = self.left();
        match self.context.literal_words(ty) {
            Some(expected) if expected != left => {
                let message =
                    format!("expected a literal of {expected} words, as wide as its type, found {left} words");
                Err(at_word(ReadCode::LiteralWidth, self.instruction.offset + self.at, message))
            }
            _ => self.words(left.max(1)),
        }
    }

    /// Reads the cases of a switch, whose literals have the width of the selector. clang 22 sometimes gives a selector of 32 bits a type of
    /// 64 bits; then labels follow only literals of one word.
    fn cases(&mut self) -> Result<(), Diagnostic> {
        let ty = self.context.type_of(self.instruction.words[1]);
        let wide = ty.and_then(|ty| self.context.literal_words(ty)).unwrap_or(1);
        let count = if wide > 1 && !self.has_labels_behind(wide) && self.has_labels_behind(1) { 1 } else { wide };
        while self.has_more() {
            self.words(count)?;
            self.take(PieceKind::Id)?;
        }
        Ok(())
    }

    /// Returns whether the remaining words are literals of `count` words, each followed by a possible label: a result without a type.
    fn has_labels_behind(&self, count: usize) -> bool {
        let is_label = |id: u32| self.context.is_defined(id) && self.context.type_of(id).is_none();
        self.instruction.words[self.at..].chunks(count + 1).all(|case| case.get(count).is_some_and(|&id| is_label(id)))
    }

    /// Reads the operands of the operation inside a specialization constant.
    fn wrapped_operation(&mut self) -> Result<(), Diagnostic> {
        let wrapped = u16::try_from(self.last_word()).ok().and_then(core_instruction);
        match wrapped {
            Some(row) if row.opcode != spirv::Op::SpecConstantOp => {
                self.sequence(&row.operands[results(row).count()..])
            }
            _ => self.guessed_rest(),
        }
    }

    /// Reads the operands of an extended instruction, after the set and the number.
    fn extended_operands(&mut self) -> Result<(), Diagnostic> {
        let [.., set, number] = self.pieces.as_slice() else { return Ok(()) };
        let set = self.context.instruction_set(self.instruction.words[set.start]);
        let row = set.instruction(self.instruction.words[number.start]);
        for operand in row.map_or(&[][..], |row| row.operands) {
            let many = operand.quantifier == OperandQuantifier::ZeroOrMore;
            while self.has_more() {
                self.operand(operand.kind)?;
                if !many {
                    break;
                }
            }
        }
        match set {
            _ if set.has_ids() => self.rest(PieceKind::Id),
            _ => self.guessed_rest(),
        }
    }

    /// Reads the remaining words: ids where the module defines them, literals otherwise.
    fn guessed_rest(&mut self) -> Result<(), Diagnostic> {
        while self.has_more() {
            let is_id = self.context.is_defined(self.instruction.words[self.at]);
            self.take(if is_id { PieceKind::Id } else { PieceKind::Words })?;
        }
        Ok(())
    }

    fn rest(&mut self, kind: PieceKind) -> Result<(), Diagnostic> {
        while self.has_more() {
            self.take(kind)?;
        }
        Ok(())
    }

    /// Reads one piece: an id, a word, or a string up to the word that terminates it.
    fn take(&mut self, kind: PieceKind) -> Result<(), Diagnostic> {
        let count = match kind {
            PieceKind::Id | PieceKind::Words => 1,
            PieceKind::Text => self.text_words()?,
        };
        self.piece(kind, count)
    }

    fn words(&mut self, count: usize) -> Result<(), Diagnostic> {
        self.piece(PieceKind::Words, count)
    }

    fn piece(&mut self, kind: PieceKind, count: usize) -> Result<(), Diagnostic> {
        self.require(self.at + count, self.pieces.len())?;
        self.pieces.push(Piece { kind, start: self.at, count });
        self.at += count;
        Ok(())
    }

    fn text_words(&self) -> Result<usize, Diagnostic> {
        let left = &self.instruction.words[self.at..];
        let closing = left.iter().position(|word| word.to_le_bytes().contains(&0));
        if let Some(closing) = closing {
            return Ok(closing + 1);
        }
        let word = self.instruction.offset + self.at;
        match left.is_empty() {
            true => Err(at_word(ReadCode::OperandMissing, word, "expected a string, found the instruction's end")),
            false => Err(at_word(ReadCode::Text, word, "expected a string closed by a zero byte, found no such byte")),
        }
    }

    fn has_more(&self) -> bool {
        self.at < self.instruction.words.len()
    }

    fn left(&self) -> usize {
        self.instruction.words.len().saturating_sub(self.at)
    }

    /// The first word of the last piece.
    fn last_word(&self) -> u32 {
        self.pieces.last().map_or(0, |piece| self.instruction.words[piece.start])
    }

    fn require(&self, words: usize, operand: usize) -> Result<(), Diagnostic> {
        let found = self.instruction.words.len();
        if found >= words {
            return Ok(());
        }
        let name = opcode_name(self.instruction.opcode);
        let message = format!("expected operand {operand} of {name}, found the instruction's end after {found} words");
        Err(at_word(ReadCode::OperandMissing, self.instruction.end(), message))
    }

    fn finish(self) -> Result<(), Diagnostic> {
        if !self.has_more() || self.context.ignores_surplus() {
            return Ok(());
        }
        let name = opcode_name(self.instruction.opcode);
        let message = format!("expected {name} to end, found {} more words", self.left());
        Err(at_word(ReadCode::OperandSurplus, self.instruction.offset + self.at, message))
    }
}

/// The name of an opcode, for messages.
pub(crate) fn opcode_name(opcode: u16) -> String {
    core_instruction(opcode).map_or_else(|| format!("instruction {opcode}"), |row| format!("Op{}", row.opname))
}
