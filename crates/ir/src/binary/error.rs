//! Codes of the binary form, and errors on their way out of the reader.

use reconverge_diagnostic::{Diagnostic, Place};

const BETTER_BINARY: &str =
    "write the file again, or check that it is complete: `reconverge compile IN -o OUT.rcv` writes the form";

reconverge_diagnostic::codes! {
    /// Codes of reading bytes. The place is a byte of the file.
    pub enum ErrorCode in "Reading the binary form" {
        Magic = "binary-magic" Rejected
            "The first bytes are not those of the binary form."
            "give --from with the format";
        Version = "binary-version" Unsupported
            "The file needs a version of the format that this build does not read; the message has the versions of both and the writer."
            "write the file again with this build, or use a newer one";
        Length = "binary-length" Rejected
            "A count or a length is greater than what is left of the file, or less than what there is."
            BETTER_BINARY;
        Section = "binary-section" Rejected
            "A section is there twice, or not in its place."
            BETTER_BINARY;
        Op = "binary-op" Unsupported
            "An instruction has an op that this build does not know, or that cannot be there."
            "write the file again with this build, or use a newer one";
        Encoding = "binary-encoding" Rejected
            "A value is not spelled as the writer spells it."
            BETTER_BINARY;
        Reference = "binary-reference" Rejected
            "An operand names an instruction that the file does not have."
            BETTER_BINARY;
        Nesting = "binary-nesting" Rejected
            "Instructions are not nested as the tables of the file say."
            BETTER_BINARY;
        Unique = "binary-unique" Rejected
            "A type or constant is there twice, or in a narrower scope than its operands."
            BETTER_BINARY;
        Number = "binary-number" Rejected
            "Two instructions have the same number, or one is out of bounds."
            BETTER_BINARY;
        Linkage = "binary-linkage" Rejected
            "The table of exports and imports differs from the decorations of the instructions."
            BETTER_BINARY;
        Limit = "binary-limit" Limit
            "The file is larger than 1 GiB, or reserves too many numbers."
            "split the module";
    }
}

/// An error on its way out of the reader. In a box, so that results of the reader, which are checked for every number, fit in registers.
pub(super) type Fault = Box<Diagnostic>;

#[cold]
pub(super) fn fault(offset: usize, code: ErrorCode, message: impl Into<String>) -> Fault {
    Box::new(Diagnostic::new(code, Place::Byte(offset), message))
}
