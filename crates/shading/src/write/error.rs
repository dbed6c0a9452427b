//! Why a module cannot be written as text.

use std::fmt;

use reconverge_ir::Inst;

/// Why a module cannot be written in a language, with the instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// The kind of the error; stable.
    pub code: WriteCode,
    /// The instruction that cannot be written, if it is about one.
    pub inst: Option<Inst>,
    /// What cannot be written: lower case, no full stop.
    pub message: String,
}

impl WriteError {
    pub(crate) fn new(code: WriteCode, inst: impl Into<Inst>, message: impl Into<String>) -> WriteError {
        WriteError { code, inst: Some(inst.into()), message: message.into() }
    }

    /// An error about the module as a whole.
    pub(crate) fn of_module(code: WriteCode, message: impl Into<String>) -> WriteError {
        WriteError { code, inst: None, message: message.into() }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(inst) = self.inst {
            write!(formatter, "{inst}: ")?;
        }
        write!(formatter, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for WriteError {}

macro_rules! codes {
    ($( $(#[$row:meta])* $variant:ident = $text:literal, )*) => {
        /// Kinds of [`WriteError`].
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum WriteCode { $( $(#[$row])* $variant, )* }

        impl WriteCode {
            /// Every code, in order.
            pub const ALL: &'static [WriteCode] = &[ $( WriteCode::$variant, )* ];

            /// The name, for messages and for tools; never changes.
            pub const fn name(self) -> &'static str {
                match self { $( WriteCode::$variant => $text, )* }
            }
        }

        impl fmt::Display for WriteCode {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.name())
            }
        }
    };
}

codes! {
    /// An instruction that the language or naga cannot express.
    Op = "op",
    /// A type that the language or naga cannot express.
    Type = "type",
    /// A layout of memory that the language cannot express.
    Layout = "layout",
    /// A constant that cannot be written as a literal.
    Constant = "constant",
    /// A use of a pointer that is not an access chain from a variable to its load, store or atomic.
    Pointer = "pointer",
    /// An execution model that the language or naga cannot express.
    Stage = "stage",
    /// A variable between stages, or a built-in, that the language or naga cannot express.
    Interface = "interface",
    /// A use of an image or sampler that the language or naga cannot express.
    Image = "image",
    /// An edge that the language cannot express.
    Flow = "flow",
    /// A function that calls itself.
    Recursion = "recursion",
    /// Functions that are not at stage Structured.
    Unstructured = "unstructured",
    /// No entry point of the name, or more than one where the language has one in each file.
    Entry = "entry",
    /// A version of the language that does not exist.
    Version = "version",
    /// Blocks that nest deeper than the language allows.
    Nesting = "nesting",
    /// A module that naga's validator does not accept.
    Invalid = "invalid",
    /// A module that naga's writer of the language does not accept.
    Language = "language",
}
