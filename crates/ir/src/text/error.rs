//! Codes of the text form, and errors on their way out of the parser.

use reconverge_diagnostic::{Diagnostic, Place};

const BETTER_TEXT: &str =
    "compare the line with the grammar in docs/ir.md; `reconverge compile IN -o - --to text` prints valid text";

reconverge_diagnostic::codes! {
    /// Codes of reading a text. The place is a line and a column.
    pub enum ErrorCode in "Reading text" {
        Character = "text-character" Rejected
            "A character cannot begin a word, number, name or string."
            BETTER_TEXT;
        Number = "text-number" Rejected
            "A number does not fit."
            BETTER_TEXT;
        String = "text-string" Rejected
            "A string does not end, or has an unknown escape."
            BETTER_TEXT;
        Version = "text-version" Rejected
            "The first line says a version of the text form that this build does not read."
            "write the text again with this build, or use a newer one";
        Syntax = "text-syntax" Rejected
            "A word or sign is not allowed at this place."
            BETTER_TEXT;
        Op = "text-op" Rejected
            "The op does not exist, or cannot be written here."
            "see the list of ops in docs/ops.md";
        Enumerant = "text-enumerant" Rejected
            "The SPIR-V enumeration has no value of this name."
            BETTER_TEXT;
        Result = "text-result" Rejected
            "A result or type is missing, or the op has none."
            BETTER_TEXT;
        Duplicate = "text-duplicate" Rejected
            "A name is defined twice."
            "rename one of them";
        Undefined = "text-undefined" Rejected
            "A name is used but never defined."
            BETTER_TEXT;
        Limit = "text-limit" Limit
            "More text, operands, words or digits than the form allows."
            "split the instruction";
    }
}

/// An error at a byte of the text; line and column are worked out once, when it leaves the parser.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) offset: usize,
    pub(super) code: ErrorCode,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(offset: usize, code: ErrorCode, message: impl Into<String>) -> Fault {
        Fault { offset, code, message: message.into() }
    }

    pub(super) fn placed_in(self, text: &str) -> Diagnostic {
        Diagnostic::new(self.code, Place::in_text(text, self.offset), self.message)
    }
}
