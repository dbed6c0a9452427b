//! The pages that `reconverge explain` prints: one for each code (`docs/codes`), and one for each concept that messages name
//! (`docs/concepts`).
//!
//! A page of a code begins with the meaning that the declaration of the code has, and ends with its help; a test compares them, and another
//! runs the example between them.

/// Name and text of each page, by name.
const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// Words of messages, each with the concept that it is a kind of.
const KINDS: [(&str, &str); 3] =
    [("irreducible-dispatch", "dispatch"), ("loop-exit-dispatch", "dispatch"), ("merge-dispatch", "dispatch")];

/// The page of a name: of a code, also as messages print it (`error[R18]`), or of a concept, also in words (`header split`).
pub(crate) fn page(name: &str) -> Option<&'static str> {
    let code = name.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']')).unwrap_or(name);
    let written = code.trim().replace(' ', "-").to_lowercase();
    let kind = KINDS.iter().find(|(word, _)| *word == written).map_or(&*written, |(_, concept)| concept);
    PAGES.iter().find(|(page, _)| page.eq_ignore_ascii_case(kind)).map(|(_, text)| *text)
}

/// The names of the pages that are about no code, with their first lines.
pub(crate) fn concepts(is_code: impl Fn(&str) -> bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let concepts = PAGES.iter().filter(move |(name, _)| !is_code(name));
    concepts.map(|&(name, text)| (name, text.lines().nth(2).unwrap_or_default()))
}
