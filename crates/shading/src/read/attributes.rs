//! The attribute `@diagnostic` of statements and of the bodies in them. naga's parser accepts it on functions only.
//!
//! ```text
//! @diagnostic(off, derivative_uniformity)                    (spaces, so that all places stay)
//! if (x > 0.0) { … } else { … }                      ⇒       if (x > 0.0) { … } else { … }
//! ╰────────── the filter holds here ─────╯
//! ```
//!
//! A filter holds from its attribute to the end of the statement, or of the braces that follow it. An attribute in a place that WGSL does
//! not allow stays, and naga rejects it. WGSL, sections 2.3.1 and 12.9. One scan over the tokens, linear in the text and in the branches of
//! each `else` chain.

use std::ops::Range;

use super::directives::space;

/// A filter that holds in a part of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LocalFilter {
    /// The range where it holds.
    pub(crate) range: Range<usize>,
    /// Its attribute.
    pub(super) attribute: Range<usize>,
    /// `off`, `info`, `warning` or `error`.
    pub(crate) severity: String,
    /// The filtered rule.
    pub(crate) rule: String,
}

/// The tokens that may follow a filter.
const FILTERED: [&str; 6] = ["{", "if", "for", "while", "loop", "switch"];

/// The filters in the functions of a text, by their position.
pub(crate) fn local_filters(text: &str) -> Vec<LocalFilter> {
    if !text.contains("diagnostic") {
        return Vec::new();
    }
    let tokens = Tokens::of(text);
    (0..tokens.places.len()).filter_map(|at| tokens.filter(at)).collect()
}

/// The names, numbers and single characters of a text.
struct Tokens<'t> {
    text: &'t str,
    places: Vec<Range<usize>>,
    /// The closing bracket of each opening one.
    closing: Vec<usize>,
}

impl Tokens<'_> {
    fn of(text: &str) -> Tokens<'_> {
        let mut places: Vec<Range<usize>> = Vec::new();
        let mut at = space(text);
        while let Some(first) = text[at..].chars().next() {
            let is_part = |next: char| next.is_alphanumeric() || next == '_';
            let length = match is_part(first) {
                true => text[at..].find(|next| !is_part(next)).unwrap_or(text.len() - at),
                false => first.len_utf8(),
            };
            places.push(at..at + length);
            at += length;
            at += space(&text[at..]);
        }
        let mut closing: Vec<usize> = (0..places.len()).collect();
        let mut open = Vec::new();
        for (place, range) in places.iter().enumerate() {
            match &text[range.clone()] {
                "(" | "[" | "{" => open.push(place),
                ")" | "]" | "}" => {
                    if let Some(opening) = open.pop() {
                        closing[opening] = place;
                    }
                }
                _ => {}
            }
        }
        Tokens { text, places, closing }
    }

    fn word(&self, at: usize) -> &str {
        self.places.get(at).map_or("", |range| &self.text[range.clone()])
    }

    /// The filter whose attribute begins at a token, if it holds in a part of a function.
    fn filter(&self, at: usize) -> Option<LocalFilter> {
        if ["@", "diagnostic", "("] != [0, 1, 2].map(|step| self.word(at + step)) {
            return None;
        }
        let close = self.closing[at + 2];
        let severity = self.word(at + 3);
        if !["off", "info", "warning", "error"].contains(&severity) || self.word(at + 4) != "," {
            return None;
        }
        let rule: String = (at + 5..close).map(|place| self.word(place)).filter(|&word| word != ",").collect();
        let filtered = self.behind_attributes(close + 1);
        let last = FILTERED.contains(&self.word(filtered)).then(|| self.end(filtered)).flatten()?;
        Some(LocalFilter {
            range: self.places[at].start..self.places[last].end,
            attribute: self.places[at].start..self.places[close].end,
            severity: severity.to_owned(),
            rule,
        })
    }

    /// The first token after attributes.
    fn behind_attributes(&self, mut at: usize) -> usize {
        while self.word(at) == "@" {
            at += 2;
            if self.word(at) == "(" {
                at = self.closing[at] + 1;
            }
        }
        at
    }

    /// The last token of the statement or the braces that begin at a token.
    fn end(&self, at: usize) -> Option<usize> {
        let mut last = self.closing_brace(at)?;
        while self.word(at) == "if" && self.word(last + 1) == "else" {
            last = self.closing_brace(last + 2)?;
        }
        Some(last)
    }

    /// The closing brace of the first braces that are in no other bracket.
    fn closing_brace(&self, mut at: usize) -> Option<usize> {
        loop {
            match self.word(at) {
                "{" => return Some(self.closing[at]),
                "(" | "[" if self.closing[at] > at => at = self.closing[at] + 1,
                "" | ";" | "}" => return None,
                _ => at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::local_filters;

    #[test]
    fn filters_hold_to_the_end_of_what_they_are_in_front_of() {
        let cases = [
            (
                "fn f() { @diagnostic(off, a) if (x) { } else if (y) { } else { } z(); }",
                "if (x) { } else if (y) { } else { }",
            ),
            ("fn f() { if (x) @diagnostic(off, a) { y(); } else { } }", "{ y(); }"),
            ("fn f() { @diagnostic(off, a) for (var i = 0; i < 3; i++) { } g(); }", "for (var i = 0; i < 3; i++) { }"),
            ("fn f() @diagnostic(off, a) { loop { } }", "{ loop { } }"),
            ("fn f() { loop { continuing @diagnostic(off, a,) /* { */ { } } }", "/* { */ { }"),
            ("fn f() { switch (x) @diagnostic(off, a) { default { } } }", "{ default { } }"),
        ];
        for (text, expected) in cases {
            let [filter] = &local_filters(text)[..] else { panic!("{text}") };
            let covered = &text[filter.attribute.end..filter.range.end];
            assert_eq!((covered.trim_start(), &*filter.severity, &*filter.rule), (expected, "off", "a"), "{text}");
        }
    }

    #[test]
    fn other_attributes_stay() {
        for text in [
            "@diagnostic(off, a) fn f() { }",
            "@diagnostic(off, a) @vertex fn f() { }",
            "fn f() { @diagnostic(off, a) let x = 1; }",
            "fn f() { @diagnostic(none, a) { } }",
            "fn f() { @diagnostic(off, a)",
            "@diagnostic(",
            "/* @diagnostic(off, a) { } */",
            "diagnostic(off, a);",
        ] {
            assert_eq!(local_filters(text), [], "{text}");
        }
    }
}
