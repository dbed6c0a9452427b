//! Codes of the text form of a graph, and errors on their way out of the parser.

use reconverge_diagnostic::{Diagnostic, Place};

const BETTER_GRAPH: &str = "compare the line with the grammar in docs/graph.md";

reconverge_diagnostic::codes! {
    /// Codes of reading a graph. The place is a line and a column.
    pub enum ErrorCode in "Graphs" {
        Empty = "graph-empty" Rejected
            "The graph has no block."
            BETTER_GRAPH;
        MissingTerminator = "graph-missing-terminator" Rejected
            "A block has no terminator."
            BETTER_GRAPH;
        UnknownTerminator = "graph-unknown-terminator" Rejected
            "The word is not a terminator."
            "terminators are br, condbr, switch, ret and unreachable";
        MissingTarget = "graph-missing-target" Rejected
            "A terminator has too few targets."
            BETTER_GRAPH;
        ExtraWord = "graph-extra-word" Rejected
            "A terminator or attribute has too many words."
            BETTER_GRAPH;
        UnknownTarget = "graph-unknown-target" Rejected
            "A target is not a block of the graph."
            BETTER_GRAPH;
        DuplicateBlock = "graph-duplicate-block" Rejected
            "Two blocks have the same name."
            "rename one of them";
        DuplicateEntry = "graph-duplicate-entry" Rejected
            "Two blocks are marked as the entry."
            "mark one block as the entry";
        Attribute = "graph-attribute" Rejected
            "The word is not an attribute, or the attribute is given twice."
            BETTER_GRAPH;
        Number = "graph-number" Rejected
            "A weight is not a 32-bit number."
            BETTER_GRAPH;
        Character = "graph-character" Rejected
            "A name has a character that is not allowed."
            BETTER_GRAPH;
        Limit = "graph-limit" Limit
            "More blocks or targets than a graph can have."
            "split the graph";
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
