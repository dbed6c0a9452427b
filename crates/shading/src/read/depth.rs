//! The nesting depth of a text before it is parsed: an upper bound for the depth of a recursive parser.
//!
//! ```text
//! if (a) x = -(-y[f(z)]);     if ( -( -( … counts 1 + 1 + 1 …: what is open at once
//! else if (b) …               each `else` is one level deeper
//! ```
//!
//! A level is an open bracket, or a keyword or an operator that a statement or an expression can follow without a bracket. All operators
//! count alike: a sum counts its terms, although a parser does not recurse on them. The levels of operators end with the element of a list,
//! the others without a bracket with the statement, and all with the bracket around them. One scan, linear.

use reconverge_diagnostic::{Diagnostic, Place};

use crate::source::MAX_DEPTH;
use crate::source::ReadCode;

/// The keywords that a statement can follow without a bracket around it.
const KEYWORDS: [&str; 7] = ["if", "else", "for", "while", "do", "switch", "loop"];

/// The depth of the text.
///
/// # Errors
/// [`ReadCode::Limit`], with the place, if it is more than [`MAX_DEPTH`].
pub(super) fn measure(text: &str) -> Result<usize, Diagnostic> {
    let mut levels = Levels { open: vec![Bare::default()], depth: 0, greatest: 0, last: Token::End };
    let mut scan = Scan { text, at: 0 };
    while let Some(token) = scan.next_token() {
        levels.take(token);
        if levels.depth > MAX_DEPTH {
            let message = format!("the text nests more than {MAX_DEPTH} deep, the limit");
            return Err(Diagnostic::new(ReadCode::Limit, Place::in_text(text, scan.at), message));
        }
    }
    Ok(levels.greatest)
}

/// The kind of a token, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    CloseBrace,
    End,
    Else,
    Keyword,
    Operator,
    Comma,
    Other,
}

/// The levels without brackets inside an open bracket.
#[derive(Clone, Copy, Default)]
struct Bare {
    keywords: usize,
    operators: usize,
}

/// The open levels.
struct Levels {
    /// For each open bracket, the levels without brackets in it; first those outside of all.
    open: Vec<Bare>,
    depth: usize,
    greatest: usize,
    /// The previous token.
    last: Token,
}

impl Levels {
    fn take(&mut self, token: Token) {
        // A statement ends with its semicolon or brace, unless `else` follows.
        if matches!(self.last, Token::End | Token::CloseBrace) && token != Token::Else {
            let ended = std::mem::take(self.innermost());
            self.depth -= ended.keywords + ended.operators;
        }
        match token {
            Token::Open => {
                self.open.push(Bare::default());
                self.depth += 1;
            }
            Token::Close | Token::CloseBrace => {
                if self.open.len() > 1 {
                    let ended = self.open.pop().unwrap_or_default();
                    self.depth -= 1 + ended.keywords + ended.operators;
                }
            }
            // `else if` is one level.
            Token::Keyword if self.last == Token::Else => {}
            Token::Else | Token::Keyword => {
                self.depth += 1;
                self.innermost().keywords += 1;
            }
            Token::Operator => {
                self.depth += 1;
                self.innermost().operators += 1;
            }
            Token::Comma => self.depth -= std::mem::take(&mut self.innermost().operators),
            Token::End | Token::Other => {}
        }
        self.last = token;
        self.greatest = self.greatest.max(self.depth);
    }

    fn innermost(&mut self) -> &mut Bare {
        self.open.last_mut().expect("the list outside of all brackets stays")
    }
}

/// The tokens of a text: names, numbers and single characters, without comments.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    fn next_token(&mut self) -> Option<Token> {
        loop {
            let rest = &self.text[self.at..];
            let first = rest.chars().next()?;
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                // WGSL's comments nest; text after a comment that ends too early here is counted as code, which is safe.
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if first.is_whitespace() {
                self.at += first.len_utf8();
            } else if first.is_alphanumeric() || first == '_' {
                let end = rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len());
                self.at += end;
                return Some(match &rest[..end] {
                    "else" => Token::Else,
                    word if KEYWORDS.contains(&word) => Token::Keyword,
                    _ => Token::Other,
                });
            } else {
                self.at += first.len_utf8();
                return Some(match first {
                    '(' | '[' | '{' => Token::Open,
                    ')' | ']' => Token::Close,
                    '}' => Token::CloseBrace,
                    ';' => Token::End,
                    ',' => Token::Comma,
                    '.' | ':' | '@' | '#' => Token::Other,
                    _ => Token::Operator,
                });
            }
        }
    }
}
