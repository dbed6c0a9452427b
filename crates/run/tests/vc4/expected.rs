//! What the VC4 refuses, and where it differs.

/// The modules that are refused, with a part of the message.
const REFUSED: &[(&str, &str)] = &[];

/// The modules whose results differ, with the reason.
const DIFFERENT: &[(&str, &str)] = &[];

/// A part of the message with which a module is refused.
pub(super) fn refusal(module: &str) -> Option<&'static str> {
    find(REFUSED, module)
}

/// Why the result of a module differs.
pub(super) fn difference(module: &str) -> Option<&'static str> {
    find(DIFFERENT, module)
}

fn find(table: &[(&str, &'static str)], module: &str) -> Option<&'static str> {
    table.iter().find(|(name, _)| *name == module).map(|&(_, text)| text)
}
