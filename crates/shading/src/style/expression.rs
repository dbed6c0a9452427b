//! Queries about expressions as text.

use std::collections::BTreeSet;

use super::loops::declared_name;
use super::parse::Piece;
use super::tree::List;

/// Prefixes of the names of functions that write, wait, or exchange values between lanes.
const EFFECTS: [&str; 24] = [
    "atomic",
    "Interlocked",
    "imageStore",
    "imageAtomic",
    "textureStore",
    "textureAtomic",
    "barrier",
    "Barrier",
    "memoryBarrier",
    "workgroup",
    "storageBarrier",
    "threadgroup",
    "simdgroup",
    "subgroup",
    "quad",
    "Quad",
    "Wave",
    "simd_",
    "Store",
    "write",
    "GroupMemory",
    "DeviceMemory",
    "AllMemory",
    "ray",
];

/// Prefixes of the names of functions that compare a lane with its neighbours.
const NEIGHBOURS: [&str; 13] = [
    "texture",
    "Sample",
    "sample",
    "dpdx",
    "dpdy",
    "fwidth",
    "ddx",
    "ddy",
    "dfdx",
    "dfdy",
    "dFdx",
    "dFdy",
    "CalculateLevelOfDetail",
];

/// Prefixes of the names of functions that naga adds. They only compute a value of their arguments.
const HELPERS: [&str; 4] = ["naga_", "_naga_", "Construct", "ZeroValue"];

/// The effects of the functions of a text.
pub(super) struct Calls<'a> {
    defined: BTreeSet<&'a str>,
}

impl<'a> Calls<'a> {
    pub(super) fn of(pieces: &[Piece<'a>]) -> Calls<'a> {
        let names = pieces.iter().filter_map(|piece| match piece {
            Piece::Function { header, body, .. } => {
                function_name(header).filter(|name| !(begins(name, &HELPERS) && is_pure(body)))
            }
            Piece::Verbatim(_) => None,
        });
        Calls { defined: names.collect() }
    }

    /// The number of calls with an effect in the expression.
    pub(super) fn effects(&self, text: &str) -> usize {
        called(text).filter(|name| self.defined.contains(name) || begins(name, &EFFECTS)).count()
    }

    /// Returns whether the expression is a call, and the only one in it with an effect: arguments are computed before it.
    pub(super) fn is_one_call(&self, text: &str) -> bool {
        let Some(open) = text.find('(') else { return false };
        let is_whole = matching(text, open) == Some(text.len() - 1);
        is_whole && self.effects(text) == 1 && self.effects(&text[..=open]) == 1
    }
}

/// Returns whether a body assigns only variables that it declares, and calls nothing with an effect.
fn is_pure(body: &str) -> bool {
    let statements = body.split([';', '{', '}']).map(str::trim);
    let mut declared = BTreeSet::new();
    for statement in statements {
        if called(statement).any(|name| begins(name, &EFFECTS)) {
            return false;
        }
        let Some((left, _)) = statement.split_once(" = ") else { continue };
        if let Some(name) = declared_name(statement) {
            declared.insert(name);
        } else if !words(left).next().is_some_and(|word| declared.contains(word.text)) {
            return false;
        }
    }
    true
}

/// Returns whether a statement of the list requires that all lanes execute it together: a barrier, a derivative, an exchange of values.
pub(super) fn needs_all_lanes(list: &List) -> bool {
    list.iter().any(|statement| {
        let mut texts = statement.texts().into_iter();
        let is_here = texts.any(|text| {
            has_neighbours(text) || called(text).any(|name| name.ends_with("Barrier") || begins(name, &TOGETHER))
        });
        is_here || statement.lists().into_iter().any(needs_all_lanes)
    })
}

/// Prefixes of the names of functions that lanes execute together.
const TOGETHER: [&str; 3] = ["workgroupUniformLoad", "subgroup", "quad"];

/// Returns whether the expression compares lanes with their neighbours.
pub(super) fn has_neighbours(text: &str) -> bool {
    called(text).any(|name| begins(name, &NEIGHBOURS))
}

/// Returns whether a part of the expression may be skipped.
pub(super) fn has_short_circuit(text: &str) -> bool {
    text.contains("&&") || text.contains("||") || text.contains('?')
}

fn begins(name: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// The name of the function of a header: the last name before its first parenthesis outside of attributes.
fn function_name(header: &str) -> Option<&str> {
    let line = header
        .lines()
        .rev()
        .find(|line| line.starts_with(|first: char| first.is_alphabetic()) && line.contains('('))?;
    words(line.split('(').next()?).last().map(|word| word.text)
}

/// A name or a number in a text.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// Its start, in bytes.
    pub(super) start: usize,
}

impl Word<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is_number(&self) -> bool {
        self.text.starts_with(|first: char| first.is_ascii_digit())
    }
}

/// The names and numbers of a text, in order, except names of members.
pub(super) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(is_of_word)?;
            let end = text[start..].find(|next| !is_of_word(next)).map_or(text.len(), |length| start + length);
            at = end;
            if !text[..start].ends_with('.') {
                return Some(Word { text: &text[start..end], start });
            }
        }
    })
}

/// The names of functions that the text calls, methods as well, without template arguments.
fn called(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('(').filter_map(|(open, _)| {
        let before = text[..open]
            .strip_suffix('>')
            .map_or(&text[..open], |before| before.rsplit_once('<').map_or("", |split| split.0));
        let start = before
            .rfind(|character| !is_of_word(character))
            .map_or(0, |end| end + before[end..].chars().next().map_or(1, char::len_utf8));
        (start < before.len()).then_some(&before[start..])
    })
}

pub(super) fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The first occurrence of a word in a text.
pub(super) fn find_word<'a>(text: &'a str, word: &str) -> Option<Word<'a>> {
    words(text).find(|found| found.text == word)
}

/// The position of the bracket that closes the one at a position.
pub(super) fn matching(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// The expression without parentheses around the whole.
pub(super) fn without_parentheses(text: &str) -> &str {
    let mut text = text.trim();
    while text.starts_with('(') && matching(text, 0) == Some(text.len() - 1) {
        text = text[1..text.len() - 1].trim();
    }
    text
}

/// Returns whether the expression can be an operand without parentheses: a name, a number, a call, an access, or one in parentheses.
pub(super) fn is_primary(text: &str) -> bool {
    let mut rest = text;
    let start = rest.find(|character| !is_of_word(character) && character != ':').unwrap_or(rest.len());
    if start == 0 && !rest.starts_with('(') {
        return false;
    }
    rest = &rest[start..];
    loop {
        match rest.chars().next() {
            None => return true,
            Some('.') => {
                let name = &rest[1..];
                let end = name.find(|character| !is_of_word(character)).unwrap_or(name.len());
                rest = &name[end..];
            }
            Some('(' | '[' | '{') => match matching(rest, 0) {
                Some(close) => rest = &rest[close + 1..],
                None => return false,
            },
            // Template arguments are followed by those of the call.
            Some('<') => match rest.find(['(', ' ']) {
                Some(open) if rest[open..].starts_with('(') && rest[..open].ends_with('>') => rest = &rest[open..],
                _ => return false,
            },
            Some(_) => return false,
        }
    }
}

/// The expression as an operand.
pub(super) fn as_operand(text: &str) -> String {
    if is_primary(text) { text.to_owned() } else { format!("({text})") }
}

/// The negation of a condition.
pub(super) fn negated(condition: &str) -> String {
    match condition {
        "true" => return "false".to_owned(),
        "false" => return "true".to_owned(),
        _ => {}
    }
    if let Some(rest) = condition.strip_prefix('!')
        && is_primary(rest)
    {
        return without_parentheses(rest).to_owned();
    }
    if let Some([left, operator, right]) = comparison(condition) {
        let is_integer = is_integer_literal(left) || is_integer_literal(right);
        let opposite = match operator {
            "==" => Some("!="),
            "!=" => Some("=="),
            // A comparison with NaN does not hold, nor does its opposite.
            "<" if is_integer => Some(">="),
            ">=" if is_integer => Some("<"),
            ">" if is_integer => Some("<="),
            "<=" if is_integer => Some(">"),
            _ => None,
        };
        if let Some(opposite) = opposite {
            return format!("{left} {opposite} {right}");
        }
    }
    format!("!{}", as_operand(condition))
}

/// The parts of a condition that is one comparison of two operands.
fn comparison(condition: &str) -> Option<[&str; 3]> {
    let [left, operator, right] = binary(condition)?;
    (is_primary(left) && is_primary(right)).then_some([left, operator, right])
}

/// The parts of an expression with one operator outside of brackets, between spaces.
pub(super) fn binary(text: &str) -> Option<[&str; 3]> {
    let mut spaces = Vec::new();
    let mut depth = 0_usize;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b' ' if depth == 0 => spaces.push(index),
            _ => {}
        }
    }
    let [first, second] = spaces[..] else { return None };
    Some([&text[..first], &text[first + 1..second], &text[second + 1..]])
}

/// Returns whether it is a literal of an integer in all of the languages: digits, with `u` or `i`.
fn is_integer_literal(text: &str) -> bool {
    let digits = text.trim_end_matches(['u', 'i']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
