//! Text to tokens.

/// A token and its line.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) line: u32,
}

/// The kinds of tokens.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    Word(String),
    Number(f32),
    Text(String),
    Sign(char),
    End,
}

/// The tokens of a text; the last one is the end.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let mut rest = text.split('#').next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = match first {
                '"' => 2 + rest[1..].find('"').ok_or(format!("line {line}: expected `\"` at the end of the string"))?,
                c if c.is_ascii_digit() => rest.find(|c: char| !is_word(c) && c != '.').unwrap_or(rest.len()),
                c if is_word(c) => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
                c => c.len_utf8(),
            };
            let (token, behind) = rest.split_at(length);
            let kind = match first {
                '"' => Kind::Text(token[1..length - 1].to_owned()),
                c if c.is_ascii_digit() => {
                    Kind::Number(token.parse().map_err(|_| format!("line {line}: expected a number, found `{token}`"))?)
                }
                c if is_word(c) => Kind::Word(token.to_owned()),
                c => Kind::Sign(c),
            };
            tokens.push(Token { kind, line });
            rest = behind.trim_start();
        }
    }
    let line = tokens.last().map_or(1, |token| token.line);
    tokens.push(Token { kind: Kind::End, line });
    Ok(tokens)
}
