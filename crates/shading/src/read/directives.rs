//! Directives of WGSL that naga's parser rejects, although it supports the features that they enable.
//!
//! ```text
//! enable f16, subgroups;   ⇒   enable f16           ;
//! requires subgroup_id;    ⇒                         (spaces, so that all places stay)
//! ```

use std::borrow::Cow;
use std::ops::Range;

use super::attributes::local_filters;

/// Features that are always enabled: operations of subgroups, their built-ins, and the rules about them.
const KNOWN: [&str; 3] = ["subgroups", "subgroup_id", "subgroup_uniformity"];

/// The text without the names that need no directive, and without the attributes of [`local_filters`]. Linear.
pub(super) fn without_known(text: &str) -> Cow<'_, str> {
    let mut at = 0;
    let mut blank: Vec<Range<usize>> = local_filters(text).into_iter().map(|filter| filter.attribute).collect();
    loop {
        at += space(&text[at..]);
        let rest = &text[at..];
        let is_list = ["enable", "requires"].into_iter().any(|word| is_word(rest, word));
        if !is_list && !is_word(rest, "diagnostic") {
            break;
        }
        let Some(length) = rest.find(';') else { break };
        if is_list {
            blank.extend(known_names(&rest[..length]).into_iter().map(|range| at + range.start..at + range.end));
        }
        at += length + 1;
    }
    if blank.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut result = text.as_bytes().to_vec();
    for range in blank {
        result[range].iter_mut().filter(|byte| !byte.is_ascii_whitespace()).for_each(|byte| *byte = b' ');
    }
    Cow::Owned(String::from_utf8(result).expect("whole words and directives become spaces"))
}

/// The ranges of a directive that become spaces: each known name with one comma, or all of it. A directive with a comment in it is not
/// changed.
fn known_names(directive: &str) -> Vec<Range<usize>> {
    let names_at = directive.find(char::is_whitespace).unwrap_or(directive.len());
    let mut names = Vec::new();
    let mut at = names_at;
    for name in directive[names_at..].split(',') {
        names.push((name.trim(), at..at + name.len()));
        at += name.len() + 1;
    }
    let is_known = |name: &str| KNOWN.contains(&name);
    if names.iter().all(|(name, _)| is_known(name) || name.is_empty()) {
        // The directive with its semicolon.
        let whole = 0..directive.len() + 1;
        return vec![whole];
    }
    let is_last_kept = names.iter().rev().find(|(name, _)| !name.is_empty()).is_some_and(|(name, _)| !is_known(name));
    let with_comma = |range: &Range<usize>| match is_last_kept {
        true => range.start..range.end + 1,
        false => range.start - 1..range.end,
    };
    names.iter().filter(|(name, _)| is_known(name)).map(|(_, range)| with_comma(range)).collect()
}

/// The length of the white space and comments at the beginning of a text.
pub(super) fn space(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if trimmed.starts_with("//") {
            at += trimmed.find('\n').unwrap_or(trimmed.len());
        } else if trimmed.starts_with("/*") {
            at += comment(trimmed);
        } else {
            return at;
        }
    }
}

/// The length of a comment that the text begins with; comments nest.
fn comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

fn is_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.starts_with(|next: char| next.is_whitespace() || next == '('))
}

#[cfg(test)]
mod tests {
    use super::without_known;

    #[test]
    fn known_names_become_spaces() {
        let cases = [
            ("enable subgroups;\nfn f() {}", "                 \nfn f() {}"),
            ("enable f16, subgroups;", "enable f16           ;"),
            ("enable subgroups, f16;", "enable            f16;"),
            ("enable f16, subgroups, dual_source_blending;", "enable f16,            dual_source_blending;"),
            ("/* a /* b */ */ // c\nrequires\tsubgroup_id ;\n", "/* a /* b */ */ // c\n        \t             \n"),
            (
                "diagnostic(off, subgroup_uniformity);\nenable subgroups;",
                "diagnostic(off, subgroup_uniformity);\n                 ",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(without_known(text), expected, "{text}");
        }
    }

    #[test]
    fn everything_else_stays() {
        for text in [
            "fn f() { enable subgroups; }",
            "enable f16;",
            "enable",
            "enabled subgroups;",
            "",
            "/*",
            "enable /* */ subgroups;",
        ] {
            assert_eq!(without_known(text), text);
        }
    }
}
