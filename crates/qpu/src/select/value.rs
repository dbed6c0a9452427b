//! Values of the IR in registers.
//!
//! | type | words |
//! |---|---|
//! | boolean | one: all ones or zero |
//! | integer of 8 and 16 bits | one, zero-extended |
//! | integer and float of 32 bits, address | one |
//! | half | one: its bits |
//! | integer of 64 bits | two, low word first |

use reconverge_ir::{Inst, Module};
use reconverge_lanes::patterns::Scalar;
use smallvec::SmallVec;

use super::emit::Word;

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScalarType {
    /// A boolean.
    Bool,
    /// An integer of 8, 16, 32 or 64 bits.
    Int(u32),
    /// A float of 16, 32 or 64 bits.
    Float(u32),
    /// An address: 64 bits in the IR, of which the chip has 32.
    Pointer,
}

impl From<Scalar> for ScalarType {
    fn from(ty: Scalar) -> ScalarType {
        match ty {
            Scalar::Bool => ScalarType::Bool,
            Scalar::Int(bits) => ScalarType::Int(bits),
            Scalar::Float(bits) => ScalarType::Float(bits),
            Scalar::Pointer => ScalarType::Pointer,
        }
    }
}

impl ScalarType {
    /// A type of the IR, if it is a scalar.
    pub(crate) fn of(module: &Module, ty: Inst) -> Option<ScalarType> {
        Scalar::of(module, ty).map(ScalarType::from)
    }

    /// The number of words of a value.
    pub(crate) fn words(self) -> usize {
        match self {
            ScalarType::Int(64) | ScalarType::Float(64) => 2,
            _ => 1,
        }
    }

    /// The bytes of a value in memory.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            ScalarType::Bool => 1,
            ScalarType::Int(bits) | ScalarType::Float(bits) => bits / 8,
            ScalarType::Pointer => 8,
        }
    }
}

/// The words of a scalar, low word first.
pub(crate) type Words = SmallVec<[Word; 2]>;

/// A scalar of one word.
pub(crate) fn one(word: Word) -> Words {
    SmallVec::from_elem(word, 1)
}

/// A scalar of two words.
pub(crate) fn two(low: Word, high: Word) -> Words {
    SmallVec::from_slice(&[low, high])
}
