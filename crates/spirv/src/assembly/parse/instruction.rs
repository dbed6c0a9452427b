//! One instruction: its name, its result, its operands in turn, and the facts that later ones need.

use reconverge_ir::Signedness;
use rspirv::grammar::{Instruction, LogicalOperand, OperandKind, OperandQuantifier};

use super::fault::{Fault, instead};
use super::literal::NumberType;
use super::set::Set;
use super::tokens::{Token, TokenKind};
use super::{Assembler, opcodes, operands};
use crate::binary::MAX_INSTRUCTION_WORDS;
use crate::error::AssemblyCode;
use crate::grammar::results;
use crate::opcode;

impl<'t> Assembler<'t> {
    /// Reads the instruction that begins with a token.
    pub(super) fn instruction(&mut self, first: &Token<'t>) -> Result<(), Fault> {
        self.start = self.words.len();
        match first.kind {
            TokenKind::Opcode if first.text == "OpUnknown" => self.unknown(first)?,
            TokenKind::Opcode => self.named(first, None)?,
            TokenKind::Raw => self.begun_by_word(first)?,
            TokenKind::Id => {
                let name = self.name_behind(first)?;
                self.named(&name, Some(*first))?;
            }
            TokenKind::Text | TokenKind::Sign | TokenKind::Word => {
                let message = format!("expected an instruction, `OpName …` or `%id = OpName …`, found {first}");
                return Err(Fault::new(first.offset, AssemblyCode::Syntax, message));
            }
        }
        let count = self.words.len() - self.start;
        if first.kind != TokenKind::Raw && count > MAX_INSTRUCTION_WORDS {
            let message = format!("expected at most {MAX_INSTRUCTION_WORDS} words in an instruction, found {count}");
            return Err(Fault::new(first.offset, AssemblyCode::Limit, message));
        }
        Ok(())
    }

    /// The name of the instruction whose result comes first.
    fn name_behind(&mut self, result: &Token<'t>) -> Result<Token<'t>, Fault> {
        let fault = |offset, message| Err(Fault::new(offset, AssemblyCode::Syntax, message));
        if !self.cursor.peek(0).is_some_and(|token| token.is_sign("=")) {
            let found = self.cursor.found();
            return fault(result.offset, format!("expected `=` and an instruction after {result}, found {found}"));
        }
        self.cursor.next();
        match self.cursor.peek(0) {
            Some(name) if name.kind == TokenKind::Opcode && name.text != "OpUnknown" => {
                self.cursor.next();
                Ok(name)
            }
            _ => {
                let (offset, found) = (self.cursor.offset(), self.cursor.found());
                let advice = "an instruction without a name is given word by word, including its result";
                fault(offset, format!("expected a name that begins with `Op` after `=`, found {found}; {advice}"))
            }
        }
    }

    /// Reads an instruction with a name.
    fn named(&mut self, name: &Token<'t>, result: Option<Token<'t>>) -> Result<(), Fault> {
        let row = name.text.strip_prefix("Op").and_then(opcodes::instruction).ok_or_else(|| unknown_name(name))?;
        let takes_result = results(row).has_result;
        if takes_result != result.is_some() {
            let message = match takes_result {
                true => format!("expected a result, as in `%id = {}`, because {name} has one", name.text),
                false => format!("expected no result, because {name} has none; remove the id and `=`"),
            };
            return Err(Fault::new(result.unwrap_or(*name).offset, AssemblyCode::Result, message));
        }
        self.words.push(0);
        self.expected.clear();
        self.expect(row.operands);
        while let Some((kind, quantifier)) = self.expected.pop() {
            if kind == OperandKind::IdResult {
                self.result(result.as_ref())?;
                continue;
            }
            if self.cursor.is_at_end_of_instruction() {
                if quantifier == OperandQuantifier::One {
                    return Err(self.missing(name, kind));
                }
                continue;
            }
            if quantifier == OperandQuantifier::ZeroOrMore {
                self.expected.push((kind, quantifier));
            }
            let Some(token) = self.cursor.next() else { continue };
            match token.kind {
                TokenKind::Raw => self.behind_word(&token, result.as_ref())?,
                _ => self.operand(kind, &token)?,
            }
        }
        if !self.cursor.is_at_end_of_instruction()
            && self.cursor.peek(0).is_some_and(|token| token.kind != TokenKind::Raw)
        {
            let message = format!("expected {name} to end, found {}; remove it", self.cursor.found());
            return Err(Fault::new(self.cursor.offset(), AssemblyCode::OperandSurplus, message));
        }
        let count = self.words.len() - self.start;
        self.words[self.start] = row.opcode as u32 | (count as u32) << 16;
        self.note(row);
        Ok(())
    }

    /// Pushes expected operands on the stack.
    pub(super) fn expect(&mut self, operands: &[LogicalOperand]) {
        self.expected.extend(operands.iter().rev().map(|operand| (operand.kind, operand.quantifier)));
    }

    fn result(&mut self, result: Option<&Token<'t>>) -> Result<(), Fault> {
        if let Some(result) = result {
            let number = self.ids.number(result)?;
            self.words.push(number);
        }
        Ok(())
    }

    /// Reads a word in place of an operand. The operands after it are not checked, except for the result.
    fn behind_word(&mut self, word: &Token<'t>, result: Option<&Token<'t>>) -> Result<(), Fault> {
        self.word(word)?;
        if self.expected.iter().any(|&(kind, _)| kind == OperandKind::IdResult) {
            self.result(result)?;
        }
        self.free_operands()
    }

    fn missing(&self, name: &Token<'t>, kind: OperandKind) -> Fault {
        let (expected, found) = (operands::expected(kind), self.cursor.found());
        let message = format!("expected {expected} as the next operand of {name}, found {found}");
        Fault::new(self.cursor.offset(), AssemblyCode::OperandMissing, message)
    }

    /// Records the facts that later instructions need: number types, values of those, extended instruction sets.
    fn note(&mut self, row: &Instruction<'_>) {
        let words = &self.words[self.start..];
        match (row.opcode as u16, words) {
            (opcode::TYPE_INT, &[_, id, bits, signed]) => {
                let signedness = if signed == 0 { Signedness::Unsigned } else { Signedness::Signed };
                self.numbers.insert(id, NumberType::integer(bits, signedness));
            }
            (opcode::TYPE_FLOAT, &[_, id, bits]) => {
                self.numbers.insert(id, NumberType::float(bits, None));
            }
            (opcode::TYPE_FLOAT, &[_, id, bits, encoding]) => {
                self.numbers.insert(id, NumberType::float(bits, Some(encoding)));
            }
            (opcode::EXT_INST_IMPORT, &[_, id, ref name @ ..]) => {
                let set = Set::from_name(&reconverge_ir::literal::text_bytes(name));
                self.sets.insert(id, set);
            }
            (_, &[_, ty, id, ..]) if results(row).is_typed() => {
                if let Some(&number) = self.numbers.get(&ty) {
                    self.numbers.insert(id, number);
                }
            }
            _ => {}
        }
    }
}

fn unknown_name(name: &Token<'_>) -> Fault {
    let names: Vec<String> = opcodes::names().map(|name| format!("Op{name}")).collect();
    let advice = "give an instruction without a name word by word, as `!0x…`";
    let instead = instead(name.text, names.iter().map(String::as_str), advice);
    let message = format!("expected the name of an instruction, found {name}{instead}");
    Fault::new(name.offset, AssemblyCode::Opcode, message)
}
