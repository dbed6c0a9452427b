//! Text to tokens.
//!
//! | token | spelled |
//! |---|---|
//! | word | `type_int`, `Shader`: a letter or `_`, then letters, digits, `_` |
//! | value name | `%` and letters, digits, `_`, `.`, `$`, `@`; a number if all are digits |
//! | block name | `^` and the same |
//! | number | `42`, `0x2a`, `-1`: a 32-bit word, negative ones in two's complement |
//! | string | `"…"` with the escapes `\"`, `\\`, `\n`, `\t`, `\r`, `\xHH`; any bytes but zero |
//! | sign | one of `( ) [ ] { } : = ,` |
//!
//! Spaces separate, `;` starts a comment to the end of the line. A line end is not a token, but a token knows whether it is the first on
//! its line. Linear.

use super::error::{ErrorCode, Fault};
use super::float;

/// Larger numbers are not accepted as names, since a table of all smaller numbers is created: the largest id below the largest bound that
/// SPIR-V's universal limits allow.
pub(super) const GREATEST_NUMBER: u32 = 4_194_302;
/// Longest name: as a source name it is a string, which must fit into an instruction of SPIR-V with an id before it.
const LONGEST_NAME: usize = 4 * (65_535 - 2) - 1;

/// The kind of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind<'t> {
    Word(&'t str),
    Name(Label<'t>),
    Number(u32),
    /// The words of a floating-point number.
    Float(Vec<u32>),
    Text(Vec<u8>),
    Sign(char),
    End,
}

/// The name of an instruction in the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Label<'t> {
    /// `%17` or `^17`.
    Number(u32),
    /// `%name`.
    Value(&'t str),
    /// `^name`.
    Block(&'t str),
}

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) offset: usize,
    pub(super) opens_line: bool,
}

/// Returns whether a name can be written after `%` or `^` without being read as a number.
pub(super) fn is_printable_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= LONGEST_NAME
        && name.bytes().all(is_name_byte)
        && !name.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'@')
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The tokens of a text, ended by one `End`.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Fault> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0 };
    let mut tokens = Vec::new();
    loop {
        let opens_line = lexer.skip_blanks() || tokens.is_empty();
        let offset = lexer.at;
        let kind = lexer.token()?;
        let ended = kind == TokenKind::End;
        tokens.push(Token { kind, offset, opens_line: opens_line || ended });
        if ended {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Lexer<'t> {
    /// Skips blanks and comments. True if a line ended there.
    fn skip_blanks(&mut self) -> bool {
        let mut ended = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => ended = true,
                b';' => {
                    self.take_while(|byte| byte != b'\n');
                    continue;
                }
                b' ' | b'\t' | b'\r' => {}
                _ => break,
            }
            self.at += 1;
        }
        ended
    }

    fn token(&mut self) -> Result<TokenKind<'t>, Fault> {
        let Some(&byte) = self.bytes.get(self.at) else { return Ok(TokenKind::End) };
        match byte {
            b'%' => self.name(Label::Value),
            b'^' => self.name(Label::Block),
            b'"' => self.string(),
            b'0'..=b'9' | b'-' => self.number(),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b':' | b'=' | b',' => {
                self.at += 1;
                Ok(TokenKind::Sign(char::from(byte)))
            }
            _ if is_word_byte(byte) => {
                let word = self.take_while(is_word_byte);
                match float::width_named(word).filter(|_| self.bytes.get(self.at) == Some(&b'(')) {
                    Some(width) => self.float(width),
                    None => Ok(TokenKind::Word(word)),
                }
            }
            _ => {
                Err(self.fault(ErrorCode::Character, self.at, "expected a word, a name, a number, a string or a sign"))
            }
        }
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'t str {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|&byte| keep(byte)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn name(&mut self, label: fn(&'t str) -> Label<'t>) -> Result<TokenKind<'t>, Fault> {
        let start = self.at;
        self.at += 1;
        let name = self.take_while(is_name_byte);
        if name.is_empty() {
            return Err(self.fault(ErrorCode::Character, start, "expected a name or a number after the sign"));
        }
        if name.len() > LONGEST_NAME {
            return Err(self.fault(ErrorCode::Limit, start, "expected a name of at most 262,131 characters"));
        }
        if !name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(TokenKind::Name(label(name)));
        }
        match name.parse::<u32>() {
            Ok(number) if number <= GREATEST_NUMBER => Ok(TokenKind::Name(Label::Number(number))),
            _ => Err(self.fault(ErrorCode::Limit, start, "expected a number of at most 4194302 as a name")),
        }
    }

    fn number(&mut self) -> Result<TokenKind<'t>, Fault> {
        let start = self.at;
        let negative = self.bytes[self.at] == b'-';
        self.at += usize::from(negative);
        let digits = self.take_while(is_word_byte);
        let magnitude = match digits.strip_prefix("0x") {
            Some(hexadecimal) if !hexadecimal.starts_with('+') => u32::from_str_radix(hexadecimal, 16).ok(),
            _ => digits.parse().ok(),
        };
        let word = match (negative, magnitude) {
            (false, Some(magnitude)) => Some(magnitude),
            (true, Some(magnitude)) if magnitude <= 1 << 31 => Some(magnitude.wrapping_neg()),
            _ => None,
        };
        word.map(TokenKind::Number).ok_or_else(|| {
            self.fault(
                ErrorCode::Number,
                start,
                "expected a number that 32 bits hold; longer ones are written `words(low, high)`",
            )
        })
    }

    /// The number in the parentheses after the name of its width.
    fn float(&mut self, width: u32) -> Result<TokenKind<'t>, Fault> {
        let start = self.at + 1;
        self.at = start;
        let text = self.take_while(|byte| !matches!(byte, b')' | b'\n'));
        let is_closed = self.bytes.get(self.at) == Some(&b')');
        self.at += usize::from(is_closed);
        let words = float::words(width, text.trim()).filter(|_| is_closed);
        words.map(TokenKind::Float).ok_or_else(|| {
            let wanted = format!("expected a number of {width} bits like 0.5, 1e-3 or -inf, and a closing parenthesis; a NaN is written as words");
            self.fault(ErrorCode::Number, start, &wanted)
        })
    }

    fn string(&mut self) -> Result<TokenKind<'t>, Fault> {
        let start = self.at;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            match self.bytes.get(self.at) {
                None | Some(b'\n') => {
                    return Err(self.fault(ErrorCode::String, start, "expected a closing `\"` on this line"));
                }
                Some(b'"') => break,
                Some(b'\\') => bytes.push(self.escape()?),
                Some(&byte) => {
                    bytes.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        match bytes.contains(&0) {
            true => {
                Err(self.fault(ErrorCode::String, start, "expected a string without zero bytes, which would end it"))
            }
            false => Ok(TokenKind::Text(bytes)),
        }
    }

    fn escape(&mut self) -> Result<u8, Fault> {
        let start = self.at;
        let escaped = self.bytes.get(start + 1).copied();
        self.at += 2;
        match escaped {
            Some(b'n') => Ok(b'\n'),
            Some(b't') => Ok(b'\t'),
            Some(b'r') => Ok(b'\r'),
            Some(byte @ (b'"' | b'\\')) => Ok(byte),
            Some(b'x') => {
                self.at += 2;
                let digits =
                    self.bytes.get(start + 2..start + 4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
                digits
                    .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())
                    .ok_or_else(|| self.fault(ErrorCode::String, start, "expected two hexadecimal digits after `\\x`"))
            }
            _ => Err(self.fault(ErrorCode::String, start, "expected one of the escapes \\\" \\\\ \\n \\t \\r \\xHH")),
        }
    }

    fn fault(&self, code: ErrorCode, offset: usize, message: &str) -> Fault {
        Fault::new(offset, code, message)
    }
}
