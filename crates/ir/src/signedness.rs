//! Signedness of integers.

/// Whether an integer is signed: of a type, or as an operation takes it. The values are those of `OpTypeInt`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Signedness {
    /// Unsigned; for a type of SPIR-V also without signedness.
    Unsigned,
    /// Signed, in two's complement.
    Signed,
}
