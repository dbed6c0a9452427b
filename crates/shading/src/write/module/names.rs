//! Names of the source in a form that the languages accept. naga's writers make them unique and avoid the keywords of each language.

use reconverge_ir::Inst;

use super::Converter;

impl Converter<'_> {
    /// The name of an instruction: letters, digits and underscores of the name in the source, up to the types of parameters that compilers
    /// of GLSL append. `None` if it has none.
    pub(crate) fn name(&self, inst: Inst) -> Option<String> {
        self.source.name(inst).and_then(|name| readable(&name))
    }
}

/// A name with only letters, digits and single underscores.
pub(super) fn readable(name: &str) -> Option<String> {
    let name = name.split('(').next().unwrap_or_default();
    let mut readable = String::new();
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            readable.push(letter);
        } else if !readable.is_empty() && !readable.ends_with('_') {
            readable.push('_');
        }
    }
    let trimmed = readable.trim_end_matches('_');
    trimmed.starts_with(|first: char| first.is_ascii_alphabetic()).then(|| trimmed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn names_are_letters_digits_and_underscores() {
        let cases = [
            ("sum", Some("sum")),
            ("i.next", Some("i_next")),
            ("axis(i1;b1;", Some("axis")),
            ("__x__", Some("x")),
            ("7", None),
            ("", None),
        ];
        for (name, wanted) in cases {
            assert_eq!(readable(name).as_deref(), wanted, "{name}");
        }
    }
}
