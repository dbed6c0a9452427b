//! The words that a language keeps for itself, a file for each language.

mod glsl;
mod hlsl;
mod msl;
mod wgsl;

use crate::Language;

/// The words of a language, sorted.
pub(super) struct Words {
    keywords: Vec<&'static str>,
    functions: Vec<&'static str>,
    any_case: Vec<&'static str>,
}

impl Words {
    /// The words of a language. Linear in their number.
    pub(super) fn new(language: Language) -> Words {
        let (keywords, functions, any_case) = match language {
            Language::Glsl => (glsl::KEYWORDS, glsl::FUNCTIONS, ""),
            Language::Hlsl => (hlsl::KEYWORDS, hlsl::FUNCTIONS, hlsl::ANY_CASE),
            Language::Msl => (msl::KEYWORDS, msl::FUNCTIONS, ""),
            Language::Wgsl => (wgsl::KEYWORDS, wgsl::FUNCTIONS, ""),
        };
        let list = |text: &'static str| text.split_whitespace().collect();
        Words { keywords: list(keywords), functions: list(functions), any_case: list(any_case) }
    }

    /// Returns whether nothing can have the name: it is a keyword, a reserved word or a type.
    pub(super) fn is_keyword(&self, name: &str) -> bool {
        let has = |list: &[&str], name: &str| list.binary_search(&name).is_ok();
        has(&self.keywords, name) || has(&self.any_case, &name.to_ascii_lowercase())
    }

    /// Returns whether a function of the language has the name.
    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.binary_search(&name).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_none_is_in_two_lists() {
        for language in Language::ALL {
            let words = Words::new(language);
            for list in [&words.keywords, &words.functions, &words.any_case] {
                assert!(list.is_sorted_by(|one, other| one < other), "{language}");
            }
            assert!(words.keywords.iter().all(|word| !words.is_function(word)), "{language}");
        }
    }

    #[test]
    fn keywords_and_functions_of_each_language_are_known() {
        for (language, keyword, function) in [
            (Language::Glsl, "buffer", "inversesqrt"),
            (Language::Hlsl, "cbuffer", "rsqrt"),
            (Language::Msl, "threadgroup", "popcount"),
            (Language::Wgsl, "override", "inverseSqrt"),
        ] {
            let words = Words::new(language);
            assert!(words.is_keyword(keyword) && !words.is_function(keyword), "{language}");
            assert!(words.is_function(function) && !words.is_keyword(function), "{language}");
            assert!(!words.is_keyword("weight"), "{language}");
        }
        assert!(Words::new(Language::Hlsl).is_keyword("TECHNIQUE"));
    }
}
