//! Errors of reading bytes or assembly, and of writing a module.

use std::fmt;

use reconverge_ir::Inst;

use crate::assembly::Assembled;

/// An error of reading bytes as a SPIR-V module, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The kind of the error; stable.
    pub code: ReadCode,
    /// Index of the word in the file where the error is found.
    pub word: usize,
    /// Line and column, from 1, of the instruction in the assembly that the words come from; none for a binary.
    pub line: Option<(usize, usize)>,
    /// What was expected and what was found: lower case, no full stop.
    pub message: String,
}

impl ReadError {
    pub(crate) fn new(code: ReadCode, word: usize, message: impl Into<String>) -> ReadError {
        ReadError { code, word, line: None, message: message.into() }
    }

    /// The same error, for words that were written as this assembly.
    pub fn in_assembly(self, assembled: &Assembled<'_>) -> ReadError {
        ReadError { line: Some(assembled.line_of(self.word)), ..self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "word {}: {} [{}]", self.word, self.message, self.code)
    }
}

impl std::error::Error for ReadError {}

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $( $(#[$row:meta])* $variant:ident = $text:literal, )* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $( $(#[$row])* $variant, )* }

        impl $name {
            /// Every code, in order.
            pub const ALL: &'static [$name] = &[ $( $name::$variant, )* ];

            /// The name, for messages and for tools; never changes.
            pub const fn name(self) -> &'static str {
                match self { $( $name::$variant => $text, )* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.name())
            }
        }
    };
}

codes! {
    /// Kinds of [`ReadError`].
    ReadCode {
        /// The file is not a whole number of words, or is shorter than the header.
        Length = "length",
        /// The first word is not SPIR-V's magic number in either byte order.
        Magic = "magic",
        /// The version is outside 1.0 to 1.6.
        Version = "version",
        /// The word count of an instruction is zero, or exceeds the rest of the file.
        WordCount = "word-count",
        /// An instruction ends before its operands do.
        OperandMissing = "operand-missing",
        /// An instruction has words after its operands.
        OperandSurplus = "operand-surplus",
        /// A string is not closed inside its instruction.
        Text = "text",
        /// The width of a literal differs from that of its type.
        LiteralWidth = "literal-width",
        /// An id is 0 or not below the bound.
        IdRange = "id-range",
        /// An id is the result of two instructions.
        IdRedefined = "id-redefined",
        /// An id is used, but is not the result of any instruction.
        IdUndefined = "id-undefined",
        /// An id is used before its definition where that is not allowed, or in a cycle.
        ForwardReference = "forward-reference",
        /// An instruction is in the wrong place, or a required one is missing.
        Layout = "layout",
        /// A block without a terminator.
        Terminator = "terminator",
        /// A branch or merge to something that is not a block of the function.
        BranchTarget = "branch-target",
        /// Two merge instructions in a block, or one before an instruction that takes none.
        Merge = "merge",
        /// The parents of a phi are not the predecessors of its block.
        Phi = "phi",
        /// A limit of the IR: words of the file, operands of one instruction, phis of one block.
        Limit = "limit",
        /// Possibly valid, but not supported.
        Unsupported = "unsupported",
    }
}

/// Why a module cannot be written as SPIR-V, with the instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// The kind of the error; stable.
    pub code: WriteCode,
    /// The instruction that cannot be written.
    pub inst: Inst,
    /// What was expected and what was found: lower case, no full stop.
    pub message: String,
}

impl WriteError {
    pub(crate) fn new(code: WriteCode, inst: impl Into<Inst>, message: impl Into<String>) -> WriteError {
        WriteError { code, inst: inst.into(), message: message.into() }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} [{}]", self.inst, self.message, self.code)
    }
}

impl std::error::Error for WriteError {}

codes! {
    /// Kinds of [`WriteError`].
    WriteCode {
        /// The op has no SPIR-V instruction.
        Op = "op",
        /// Generics or interfaces are left, which SPIR-V does not have.
        Generic = "generic",
        /// An operand was deleted, or has no result.
        Operand = "operand",
        /// A block without a terminator, or a function part in a wrong place.
        Block = "block",
        /// The number of arguments of a branch differs from the number of its target's parameters.
        Arguments = "arguments",
        /// The version in the header is outside 1.0 to 1.6.
        Version = "version",
        /// The module has no memory model.
        Layout = "layout",
        /// More words than a SPIR-V instruction can have, or more ids than SPIR-V allows.
        Limit = "limit",
    }
}

/// An error of reading a text as assembly, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssemblyError {
    /// Line of the place, from 1.
    pub line: usize,
    /// Column of the place in characters, from 1.
    pub column: usize,
    /// The kind of the error; stable.
    pub code: AssemblyCode,
    /// What was expected and what was found, and what to write instead: lower case, no full stop.
    pub message: String,
}

impl fmt::Display for AssemblyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: error[{}]: {}", self.line, self.column, self.code, self.message)
    }
}

impl std::error::Error for AssemblyError {}

codes! {
    /// Kinds of [`AssemblyError`].
    AssemblyCode {
        /// A NUL character in a text.
        Character = "assembly-character",
        /// A string without an end.
        Text = "assembly-text",
        /// Something that cannot begin an instruction, where one must begin.
        Syntax = "assembly-syntax",
        /// An unknown name of an instruction.
        Opcode = "assembly-opcode",
        /// A result where the instruction has none, or none where it has one.
        Result = "assembly-result",
        /// An instruction ends before its operands do.
        OperandMissing = "assembly-operand-missing",
        /// An instruction has words after its operands.
        OperandSurplus = "assembly-operand-surplus",
        /// An operand of the wrong kind: a number for an id, a name for a string.
        OperandKind = "assembly-operand-kind",
        /// An unknown name in the enumeration or mask at this place.
        Enumerant = "assembly-enumerant",
        /// An id that is neither a name of letters, digits and underscores nor a number above 0.
        Id = "assembly-id",
        /// A literal that is not a number, or not of the kind that its type requires.
        Literal = "assembly-literal",
        /// A number that does not fit its type.
        LiteralRange = "assembly-literal-range",
        /// A literal whose type is not numeric, or is not known yet.
        LiteralType = "assembly-literal-type",
        /// An id that is not an extended instruction set.
        InstructionSet = "assembly-instruction-set",
        /// An unknown name in the extended instruction set.
        ExtendedInstruction = "assembly-extended-instruction",
        /// The version that a comment at the beginning states is outside 1.0 to 1.6.
        Version = "assembly-version",
        /// More words than a SPIR-V instruction can have, or an id without a number below 2³² - 1.
        Limit = "assembly-limit",
    }
}
