//! The directives of a format, as far as the pass needs them: which argument each one takes (OpenCL C 3.0, section 6.15.14).

/// What a directive takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Integer,
    Float,
    Pointer,
    String,
}

/// A directive that takes an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Directive<'a> {
    /// The characters of the directive.
    pub(super) text: &'a [u8],
    pub(super) class: Class,
    /// The components of its argument: one for a scalar.
    pub(super) components: u32,
}

/// The directives of a format in order, without `%%`; the text of the first that the language does not have as the error. Linear.
pub(super) fn directives(format: &[u8]) -> Result<Vec<Directive<'_>>, &[u8]> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(start) = rest.iter().position(|&character| character == b'%') {
        rest = &rest[start..];
        let (directive, length) = directive(rest).ok_or(shown(rest))?;
        found.extend(directive);
        rest = &rest[length..];
    }
    Ok(found)
}

/// The widest field and the greatest precision.
const WIDEST: usize = 1 << 15;

/// The characters of an unknown directive that a message shows.
const SHOWN: usize = 16;

/// The beginning of a text, up to a blank or a control character.
fn shown(text: &[u8]) -> &[u8] {
    let is_end = |character: &u8| character.is_ascii_whitespace() || character.is_ascii_control();
    let end = text.iter().skip(1).position(is_end).map_or(text.len(), |end| end + 1);
    &text[..end.min(SHOWN)]
}

/// The directive at the beginning of a text, none for `%%`, and the number of its characters.
fn directive(text: &[u8]) -> Option<(Option<Directive<'_>>, usize)> {
    let mut at = 1;
    let digits = |at: usize| text[at..].iter().take_while(|character| character.is_ascii_digit()).count();
    at += text[at..].iter().take_while(|character| b"-+ #0".contains(character)).count();
    let number = |at: usize| -> Option<usize> {
        let length = digits(at);
        let number: Option<usize> = std::str::from_utf8(&text[at..at + length]).ok()?.parse().ok();
        (length == 0 || number.is_some_and(|number| number <= WIDEST)).then_some(length)
    };
    at += number(at)?;
    if text.get(at) == Some(&b'.') {
        at += 1 + number(at + 1)?;
    }
    let mut components = 1;
    if text.get(at) == Some(&b'v') {
        let length = digits(at + 1);
        components = std::str::from_utf8(&text[at + 1..at + 1 + length]).ok()?.parse().ok()?;
        if ![2, 3, 4, 8, 16].contains(&components) {
            return None;
        }
        at += 1 + length;
    }
    let lengths: [&[u8]; 4] = [b"hh", b"hl", b"h", b"l"];
    at += lengths.into_iter().find(|length| text[at..].starts_with(length)).map_or(0, <[u8]>::len);
    let class = match text.get(at)? {
        b'%' => return Some((None, at + 1)),
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' => Class::Integer,
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => Class::Float,
        b'p' => Class::Pointer,
        b's' => Class::String,
        _ => return None,
    };
    at += 1;
    Some((Some(Directive { text: &text[..at], class, components }), at))
}

#[cfg(test)]
mod tests {
    use super::{Class, directives};

    #[test]
    fn directives_take_arguments() {
        let found = directives(b"%d%% %-08.3v4hlf, %s %p\n%hhu").unwrap();
        let all: Vec<(&[u8], Class, u32)> =
            found.iter().map(|found| (found.text, found.class, found.components)).collect();
        let expected: [(&[u8], Class, u32); 5] = [
            (b"%d", Class::Integer, 1),
            (b"%-08.3v4hlf", Class::Float, 4),
            (b"%s", Class::String, 1),
            (b"%p", Class::Pointer, 1),
            (b"%hhu", Class::Integer, 1),
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn unknown_directives_are_named() {
        let rows: [(&[u8], &[u8]); 6] = [
            (b"a%n", b"%n"),
            (b"%v5d", b"%v5d"),
            (b"%*d x", b"%*d"),
            (b"%.32769f", b"%.32769f"),
            (b"100%", b"%"),
            (b"%v99999999999d", b"%v99999999999d"),
        ];
        for (format, shown) in rows {
            assert_eq!(directives(format), Err(shown));
        }
    }
}
