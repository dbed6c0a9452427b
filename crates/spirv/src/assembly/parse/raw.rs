//! Raw words, and the operands after them, which have no grammar.

use reconverge_ir::Signedness;

use super::Assembler;
use super::fault::Fault;
use super::literal::{self, NumberType, Problem};
use super::tokens::{Token, TokenKind};
use crate::error::AssemblyCode;

impl<'t> Assembler<'t> {
    /// Reads an instruction whose first word is raw.
    pub(super) fn begun_by_word(&mut self, first: &Token<'t>) -> Result<(), Fault> {
        self.word(first)?;
        self.free_operands()
    }

    /// `OpUnknown(<opcode>, <words>)`: an instruction by number, with its number of words.
    pub(super) fn unknown(&mut self, name: &Token<'t>) -> Result<(), Fault> {
        self.sign("(")?;
        let opcode = self.short()?;
        self.sign(",")?;
        let count = self.short()?;
        self.sign(")")?;
        self.words.push(opcode | count << 16);
        let end = self.start + count as usize;
        while self.words.len() < end && !self.cursor.is_at_end_of_instruction() {
            let Some(token) = self.cursor.next() else { break };
            self.free_operand(&token)?;
        }
        let found = self.words.len() - self.start;
        if found == count as usize {
            return Ok(());
        }
        let message = format!("expected {count} words of {name}, the first one included, found {found}");
        let code = if found < count as usize { AssemblyCode::OperandMissing } else { AssemblyCode::OperandSurplus };
        Err(Fault::new(name.offset, code, message))
    }

    fn sign(&mut self, sign: &str) -> Result<(), Fault> {
        if self.cursor.peek(0).is_some_and(|token| token.is_sign(sign)) {
            self.cursor.next();
            return Ok(());
        }
        let message = format!("expected `{sign}`, as in `OpUnknown(21, 4)`, found {}", self.cursor.found());
        Err(Fault::new(self.cursor.offset(), AssemblyCode::Syntax, message))
    }

    /// A number of 16 bits.
    fn short(&mut self) -> Result<u32, Fault> {
        let (offset, found) = (self.cursor.offset(), self.cursor.found());
        let number = NumberType::integer(16, Signedness::Unsigned);
        let literal =
            self.cursor.next().filter(|token| token.kind == TokenKind::Word).map(|token| number.parse(token.text));
        match literal {
            Some(Ok(literal)) => Ok(literal.words().next().unwrap_or(0)),
            _ => {
                let message = format!("expected a number of 16 bits, as in `OpUnknown(21, 4)`, found {found}");
                Err(Fault::new(offset, AssemblyCode::Literal, message))
            }
        }
    }

    /// A raw word.
    pub(super) fn word(&mut self, token: &Token<'t>) -> Result<(), Fault> {
        match NumberType::WORD.parse(token.text) {
            Ok(literal) => self.words.extend(literal.words()),
            Err(problem) => {
                let code = match problem {
                    Problem::OutOfRange => AssemblyCode::LiteralRange,
                    Problem::NoNumber | Problem::Unsupported => AssemblyCode::Literal,
                };
                let message = format!("expected an unsigned number of 32 bits after `!`, found {token}");
                return Err(Fault::new(token.offset, code, message));
            }
        }
        Ok(())
    }

    /// Reads everything up to the next instruction.
    pub(super) fn free_operands(&mut self) -> Result<(), Fault> {
        self.expected.clear();
        while !self.cursor.is_at_end_of_instruction() {
            let Some(token) = self.cursor.next() else { break };
            self.free_operand(&token)?;
        }
        Ok(())
    }

    /// Reads an operand of unknown kind.
    fn free_operand(&mut self, token: &Token<'t>) -> Result<(), Fault> {
        match token.kind {
            TokenKind::Raw => self.word(token),
            TokenKind::Id => {
                let number = self.ids.number(token)?;
                self.words.push(number);
                Ok(())
            }
            TokenKind::Text => {
                self.string(token);
                Ok(())
            }
            _ => match literal::untyped(token.text) {
                Ok(literal) => {
                    self.words.extend(literal.words());
                    Ok(())
                }
                Err(Problem::OutOfRange) => {
                    let message = format!("expected a number of 32 bits after a word, found {token}; give it in two");
                    Err(Fault::new(token.offset, AssemblyCode::LiteralRange, message))
                }
                Err(_) => {
                    let message = "an id, a number, a string or a word `!0x…` where the operands are not known";
                    let message = format!("expected {message}, found {token}");
                    Err(Fault::new(token.offset, AssemblyCode::OperandKind, message))
                }
            },
        }
    }
}
