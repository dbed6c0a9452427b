//! Errors of reading, with their place.

use std::fmt;

/// Where an error is, counted from the first byte of the input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// A byte of the container.
    Byte(usize),
    /// A bit of the bitstream; the low bit of a byte is its first.
    Bit(u64),
}

impl Place {
    /// The byte that contains the place.
    pub fn byte(self) -> usize {
        match self {
            Place::Byte(byte) => byte,
            Place::Bit(bit) => usize::try_from(bit / 8).unwrap_or(usize::MAX),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Byte(byte) => write!(formatter, "byte {byte}"),
            Place::Bit(bit) => write!(formatter, "bit {bit}"),
        }
    }
}

/// Why bytes are not a DXIL module that can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The kind of the error; stable.
    pub code: Code,
    /// Where the error is found.
    pub place: Place,
    /// What was expected and what was found: lower case, no full stop.
    pub message: String,
}

impl Error {
    #[cold]
    pub(crate) fn at_byte(code: Code, byte: usize, message: impl Into<String>) -> Error {
        Error { code, place: Place::Byte(byte), message: message.into() }
    }

    #[cold]
    pub(crate) fn at_bit(code: Code, bit: u64, message: impl Into<String>) -> Error {
        Error { code, place: Place::Bit(bit), message: message.into() }
    }

    /// What may be valid, but has no translation.
    #[cold]
    pub(crate) fn unsupported(bit: u64, message: impl Into<String>) -> Error {
        Error::at_bit(Code::Unsupported, bit, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: error[{}]: {}", self.place, self.code, self.message)
    }
}

impl std::error::Error for Error {}

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
    /// Kinds of [`Error`].
    Code {
        /// The bytes begin neither as a container nor as bitcode.
        Container = "dxil-container",
        /// The container has a program of shader model 5 or older, which is DXBC and not DXIL.
        Dxbc = "dxil-dxbc",
        /// A container without a program of any kind.
        NoProgram = "dxil-no-program",
        /// A part, or a table of them, that does not lie inside the container.
        Part = "dxil-part",
        /// A program header whose fields are not those of DXIL.
        Program = "dxil-program",
        /// A block, record or number that ends after what contains it.
        Truncated = "dxil-truncated",
        /// Bits that are no abbreviation, no block and no record.
        Bitstream = "dxil-bitstream",
        /// A record with too few or too many operands, or with one out of its range.
        Record = "dxil-record",
        /// A block or record in a wrong place, twice, or missing.
        Layout = "dxil-layout",
        /// A number of a type that does not exist, or a type that cannot be formed.
        Type = "dxil-type",
        /// A constant that its type does not have.
        Constant = "dxil-constant",
        /// A number of a value, block, function or attribute list that does not exist.
        Reference = "dxil-reference",
        /// A value of a type that an instruction cannot have at this place.
        Operand = "dxil-operand",
        /// A block without a terminator, or a terminator where none can be.
        Terminator = "dxil-terminator",
        /// The incoming blocks of a phi are not the predecessors of its block.
        Phi = "dxil-phi",
        /// A value is used where its definition may not have been executed.
        Dominance = "dxil-dominance",
        /// Metadata that is not of the form that its place requires.
        Metadata = "dxil-metadata",
        /// More than the reader allows: sizes, counts and depths.
        Limit = "dxil-limit",
        /// Possibly valid, but not supported.
        Unsupported = "dxil-unsupported",
        /// A call of an operation with arguments that it does not have.
        Operation = "dxil-operation",
        /// A resource without a place in the descriptor sets, or two with the same one.
        Binding = "dxil-binding",
    }
}
