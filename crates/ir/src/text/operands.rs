//! Text to operands: the general list, and the spelling of terminators.

use super::enumerants;
use super::error::{ErrorCode, Fault};
use super::lexer::TokenKind;
use super::parser::{GREATEST_COUNT, Parser};
use crate::{Class, Inst, Op, OperandKind, terminator};

impl Parser<'_> {
    /// The operands after an op: in parentheses, in the op's own spelling, or as a list to the end of the line.
    pub(super) fn operands(&mut self, op: Op) -> Result<Vec<Inst>, Fault> {
        if *self.kind() == TokenKind::Sign('(') && !self.opens_line() {
            return self.parenthesized(op, 0);
        }
        match op {
            Op::Branch => {
                let target = self.operand(None)?;
                let mut operands = vec![target];
                operands.extend(self.arguments()?);
                Ok(operands)
            }
            Op::Loop => self.loop_operands(),
            Op::BranchIf => {
                let mut operands = vec![self.operand(None)?, self.operand(None)?, self.operand(None)?];
                operands.extend(self.weights()?);
                Ok(operands)
            }
            Op::If => {
                let mut operands = vec![self.operand(None)?, self.operand(None)?, self.operand(None)?];
                self.expect_word("merge")?;
                operands.extend([self.operand(None)?, self.control()?]);
                operands.extend(self.weights()?);
                Ok(operands)
            }
            Op::Switch | Op::StructuredSwitch => self.switch_operands(op),
            _ => self.list(op),
        }
    }

    /// Operands in parentheses, separated by commas. The first is operand number `first` of the op.
    pub(super) fn parenthesized(&mut self, op: Op, first: usize) -> Result<Vec<Inst>, Fault> {
        let mut operands = Vec::new();
        self.expect('(')?;
        while !self.accept(')') {
            if !operands.is_empty() {
                self.expect(',')?;
            }
            operands.push(self.operand(op.operand_kind(first + operands.len()))?);
        }
        Ok(operands)
    }

    /// Operands up to the end of the line or what follows operands; commas between them may be left out.
    fn list(&mut self, op: Op) -> Result<Vec<Inst>, Fault> {
        let mut operands = Vec::new();
        while self.starts_operand() {
            operands.push(self.operand(op.operand_kind(operands.len()))?);
            self.accept(',');
        }
        Ok(operands)
    }

    fn starts_operand(&self) -> bool {
        let separated = self.follows_comma();
        let opens = match *self.kind() {
            TokenKind::Word(word) => word != "at",
            TokenKind::Name(_) | TokenKind::Number(_) | TokenKind::Float(_) | TokenKind::Text(_) => true,
            TokenKind::Sign(_) | TokenKind::End => false,
        };
        separated || (opens && !self.opens_line())
    }

    fn arguments(&mut self) -> Result<Vec<Inst>, Fault> {
        match *self.kind() == TokenKind::Sign('(') && !self.opens_line() {
            true => self.parenthesized(Op::Branch, terminator::operand::BRANCH_ARGUMENTS),
            false => Ok(Vec::new()),
        }
    }

    fn loop_operands(&mut self) -> Result<Vec<Inst>, Fault> {
        let header = self.operand(None)?;
        let arguments = self.arguments()?;
        self.expect_word("break")?;
        let merge = self.operand(None)?;
        self.expect_word("continue")?;
        let next = self.operand(None)?;
        let mut operands = vec![header, merge, next, self.control()?];
        operands.extend(arguments);
        Ok(operands)
    }

    fn switch_operands(&mut self, op: Op) -> Result<Vec<Inst>, Fault> {
        let selector = self.operand(None)?;
        self.expect_word("default")?;
        let mut operands = vec![selector, self.operand(None)?];
        if op == Op::StructuredSwitch {
            self.expect_word("merge")?;
            operands.extend([self.operand(None)?, self.control()?]);
        }
        while self.accept('[') {
            operands.extend([self.operand(None)?, self.operand(None)?]);
            self.expect(']')?;
        }
        Ok(operands)
    }

    fn weights(&mut self) -> Result<Vec<Inst>, Fault> {
        let mut weights = Vec::new();
        if self.accept_word("weights") {
            while self.starts_operand() {
                weights.push(self.operand(None)?);
            }
        }
        Ok(weights)
    }

    /// One decoration: its op and its operands, up to a comma or brace.
    pub(super) fn decoration(&mut self) -> Result<Inst, Fault> {
        let TokenKind::Word(word) = *self.kind() else { return Err(self.fault("a decoration")) };
        let op = Op::from_name(word).filter(|op| op.class() == Class::Decoration);
        let op = op.ok_or_else(|| {
            Fault::new(self.offset(), ErrorCode::Op, format!("expected a decoration, found `{word}`"))
        })?;
        let offset = self.offset();
        self.advance();
        let mut operands = Vec::new();
        while !matches!(*self.kind(), TokenKind::Sign(',' | '}')) {
            operands.push(self.operand(op.operand_kind(operands.len()))?);
        }
        match operands.len() > GREATEST_COUNT {
            true => Err(Fault::new(offset, ErrorCode::Limit, "expected at most 65,535 operands")),
            false => Ok(self.module.edit().unique(op, None, &operands)),
        }
    }

    /// One operand: a name, a number, a string, an enumerant, or a literal spelled by its words.
    pub(super) fn operand(&mut self, kind: Option<OperandKind>) -> Result<Inst, Fault> {
        let offset = self.offset();
        match self.kind().clone() {
            TokenKind::Name(label) => {
                let inst = self.refer(label);
                self.advance();
                Ok(inst)
            }
            TokenKind::Number(number) => {
                self.advance();
                Ok(self.module.edit().word(number))
            }
            TokenKind::Float(words) => {
                self.advance();
                Ok(self.module.edit().literal(&words))
            }
            TokenKind::Text(bytes) => {
                self.advance();
                let words = crate::literal::text_words(&bytes);
                self.check_words(words.len(), offset)?;
                Ok(self.module.edit().text_from_words(&words))
            }
            TokenKind::Word("words") => {
                let words = self.word_list()?;
                Ok(self.module.edit().literal(&words))
            }
            TokenKind::Word("text") => {
                let words = self.word_list()?;
                Ok(self.module.edit().text_from_words(&words))
            }
            TokenKind::Word(word) => {
                let found = kind.and_then(|kind| enumerants::word(kind, word));
                let number = found.ok_or_else(|| {
                    let place = kind.map_or("an operand".to_owned(), |kind| format!("an operand of kind {kind:?}"));
                    Fault::new(offset, ErrorCode::Enumerant, format!("expected {place}, found `{word}`"))
                })?;
                self.advance();
                Ok(self.module.edit().word(number))
            }
            TokenKind::Sign(_) | TokenKind::End => Err(self.fault("an operand")),
        }
    }

    fn word_list(&mut self) -> Result<Vec<u32>, Fault> {
        let offset = self.offset();
        self.advance();
        self.expect('(')?;
        let mut words = Vec::new();
        while !self.accept(')') {
            if !words.is_empty() {
                self.expect(',')?;
            }
            words.push(self.number("a word of the literal")?);
        }
        self.check_words(words.len(), offset)?;
        Ok(words)
    }

    fn check_words(&self, count: usize, offset: usize) -> Result<(), Fault> {
        match count > GREATEST_COUNT {
            true => Err(Fault::new(offset, ErrorCode::Limit, "expected a literal of at most 65,535 words")),
            false => Ok(()),
        }
    }
}
