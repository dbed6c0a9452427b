//! A cursor over tokens, which detects the end of an instruction.
//!
//! Line breaks have no meaning, so an instruction ends where the next one begins: at the name of an instruction, or at an id followed by
//! `=`. Every query takes constant time.

use super::tokens::{Token, TokenKind};

/// A position among the tokens of a text.
pub(super) struct Cursor<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    /// The offset of the end of the text.
    end: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(tokens: Vec<Token<'t>>, end: usize) -> Cursor<'t> {
        Cursor { tokens, at: 0, end }
    }

    /// Takes the next token.
    pub(super) fn next(&mut self) -> Option<Token<'t>> {
        let token = self.peek(0)?;
        self.at += 1;
        Some(token)
    }

    /// The token at a distance after the next one.
    pub(super) fn peek(&self, distance: usize) -> Option<Token<'t>> {
        self.tokens.get(self.at + distance).copied()
    }

    /// Returns whether no token is left, or the next one begins an instruction.
    pub(super) fn is_at_end_of_instruction(&self) -> bool {
        match self.peek(0).map(|token| token.kind) {
            None | Some(TokenKind::Opcode) => true,
            Some(TokenKind::Id) => self.peek(1).is_some_and(|token| token.is_sign("=")),
            _ => false,
        }
    }

    /// The offset of the next token, or of the end of the text.
    pub(super) fn offset(&self) -> usize {
        self.peek(0).map_or(self.end, |token| token.offset)
    }

    /// A description of the next token, for messages.
    pub(super) fn found(&self) -> String {
        match self.peek(0) {
            None => "the end of the text".to_owned(),
            Some(token) if self.is_at_end_of_instruction() => format!("{token}, which begins the next instruction"),
            Some(token) => token.to_string(),
        }
    }
}
