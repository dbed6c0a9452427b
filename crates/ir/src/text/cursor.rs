//! A cursor over tokens, with errors that name the expected token.

use super::error::{ErrorCode, Fault};
use super::lexer::{Label, TokenKind};
use super::parser::Parser;

impl<'t> Parser<'t> {
    pub(super) fn number(&mut self, what: &str) -> Result<u32, Fault> {
        let TokenKind::Number(number) = *self.kind() else { return Err(self.fault(what)) };
        self.advance();
        Ok(number)
    }

    /// Returns whether the token before this one is a comma.
    pub(super) fn follows_comma(&self) -> bool {
        self.cursor > 0 && self.tokens[self.cursor - 1].kind == TokenKind::Sign(',')
    }

    pub(super) fn kind(&self) -> &TokenKind<'t> {
        &self.tokens[self.cursor].kind
    }

    pub(super) fn opens_line(&self) -> bool {
        self.tokens[self.cursor].opens_line
    }

    pub(super) fn offset(&self) -> usize {
        self.tokens[self.cursor].offset
    }

    /// Advances to the next token; the last, which is the end, is never left.
    pub(super) fn advance(&mut self) {
        self.cursor = (self.cursor + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn accept(&mut self, sign: char) -> bool {
        let found = *self.kind() == TokenKind::Sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(*self.kind(), TokenKind::Word(found) if found == word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: char) -> Result<(), Fault> {
        match self.accept(sign) {
            true => Ok(()),
            false => Err(self.fault(&format!("`{sign}`"))),
        }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), Fault> {
        match self.accept_word(word) {
            true => Ok(()),
            false => Err(self.fault(&format!("`{word}`"))),
        }
    }

    pub(super) fn expect_line_end(&self) -> Result<(), Fault> {
        match self.opens_line() {
            true => Ok(()),
            false => Err(self.fault("the end of the line")),
        }
    }

    /// The error that something else was expected here.
    pub(super) fn fault(&self, expected: &str) -> Fault {
        let found = match self.kind() {
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Name(Label::Number(number)) => format!("the name `{number}`"),
            TokenKind::Name(Label::Value(name) | Label::Block(name)) => format!("the name `{name}`"),
            TokenKind::Number(number) => format!("the number {number}"),
            TokenKind::Float(_) => "a floating-point number".to_owned(),
            TokenKind::Text(_) => "a string".to_owned(),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end of the text".to_owned(),
        };
        Fault::new(self.offset(), ErrorCode::Syntax, format!("expected {expected}, found {found}"))
    }
}
