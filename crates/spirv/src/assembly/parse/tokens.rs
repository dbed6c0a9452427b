//! Splits text into tokens.
//!
//! | token | spelled |
//! |---|---|
//! | name of an instruction | `OpTypeInt`: `Op`, a capital letter, and what follows |
//! | id | `%` and letters, digits, `_`; a number if all are digits |
//! | raw word | `!` and a number |
//! | string | `"…"`; a backslash takes the next character as it is; a line break is part of it |
//! | sign | one of `= ( ) ,` |
//! | word | anything else: `None`, `Aligned\|Volatile`, `42`, `-0x1.8p+3` |
//!
//! Blanks and line breaks separate, `;` starts a comment to the end of the line. A line's end is not a token. Linear.

use super::fault::{Fault, quoted};
use crate::error::AssemblyCode;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    Opcode,
    Id,
    Raw,
    Text,
    Sign,
    Word,
}

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind,
    /// The text, without the `%` of an id, the `!` of a word and the quotes of a string.
    pub(super) text: &'t str,
    pub(super) offset: usize,
}

impl Token<'_> {
    pub(super) fn is_sign(&self, sign: &str) -> bool {
        self.kind == TokenKind::Sign && self.text == sign
    }

    /// The bytes of a string.
    pub(super) fn unescaped(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.text.len());
        let mut is_escaped = false;
        for byte in self.text.bytes() {
            is_escaped = byte == b'\\' && !is_escaped;
            if !is_escaped {
                bytes.push(byte);
            }
        }
        bytes
    }
}

/// The token as it is in the text, for messages.
impl std::fmt::Display for Token<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&match self.kind {
            TokenKind::Id => quoted(&format!("%{}", self.text)),
            TokenKind::Raw => quoted(&format!("!{}", self.text)),
            TokenKind::Text => quoted(&format!("\"{}\"", self.text)),
            TokenKind::Opcode | TokenKind::Sign | TokenKind::Word => quoted(self.text),
        })
    }
}

/// Iterator over the tokens of a text; after an error it ends.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str) -> Tokens<'t> {
        Tokens { text, at: 0 }
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b';' => self.at += bytes[self.at..].iter().take_while(|&&byte| byte != b'\n').count(),
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                _ => break,
            }
        }
    }

    fn string(&mut self) -> Result<Token<'t>, Fault> {
        let offset = self.at;
        let mut is_escaped = false;
        let length = self.text.bytes().skip(offset + 1).position(|byte| {
            let closes = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            closes
        });
        let Some(length) = length else {
            let message = "expected a string, found no `\"` that closes it; a `\"` inside is written `\\\"`";
            return Err(Fault::new(offset, AssemblyCode::Text, message));
        };
        self.at = offset + length + 2;
        Ok(Token { kind: TokenKind::Text, text: &self.text[offset + 1..=offset + length], offset })
    }

    fn word(&mut self) -> Token<'t> {
        let (offset, text) = (self.at, &self.text[self.at..]);
        let ends =
            |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b';' | b'"' | b'=' | b'(' | b')' | b',' | 0);
        let text = text.bytes().position(ends).map_or(text, |length| &text[..length]);
        self.at += text.len();
        match text.as_bytes() {
            [b'%', ..] => Token { kind: TokenKind::Id, text: &text[1..], offset },
            [b'!', ..] => Token { kind: TokenKind::Raw, text: &text[1..], offset },
            [b'O', b'p', b'A'..=b'Z', ..] => Token { kind: TokenKind::Opcode, text, offset },
            _ => Token { kind: TokenKind::Word, text, offset },
        }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Result<Token<'t>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        let offset = self.at;
        let token = match *self.text.as_bytes().get(offset)? {
            b'"' => self.string(),
            b'=' | b'(' | b')' | b',' => {
                self.at += 1;
                Ok(Token { kind: TokenKind::Sign, text: &self.text[offset..=offset], offset })
            }
            _ => Ok(self.word()),
        };
        let token = token.and_then(|token| match self.text[offset..self.at].bytes().position(|byte| byte == 0) {
            None if self.at > offset => Ok(token),
            zero => {
                let message = "expected text, found a NUL character, which ends strings in SPIR-V";
                Err(Fault::new(offset + zero.unwrap_or(0), AssemblyCode::Character, message))
            }
        });
        if token.is_err() {
            self.at = self.text.len();
        }
        Some(token)
    }
}
