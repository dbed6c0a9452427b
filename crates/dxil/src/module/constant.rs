//! Constants.

use super::{CastOp, TypeId, ValueId};

/// The maximum nesting of constants. DXIL nests at most five deep.
pub const MAX_CONSTANT_DEPTH: u32 = 64;

/// A constant; its type is that of the value.
///
/// The zeros of integers and floating-point numbers are numbers, not [`Null`](Constant::Null).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constant {
    /// Zero in all members, or a null pointer.
    Null,
    /// Any value.
    Undef,
    /// An integer of at most 64 bits; the bits above its width are zero.
    Integer(u64),
    /// An integer of more than 64 bits, low words first.
    WideInteger(Vec<u64>),
    /// The bits of a floating-point number.
    Float(u64),
    /// A constant for each member.
    Aggregate(Vec<ValueId>),
    /// The bits of each element of an array or vector of numbers.
    Data(Vec<u64>),
    /// A conversion.
    Cast {
        /// The conversion.
        op: CastOp,
        /// The converted constant, variable or function.
        value: ValueId,
    },
    /// The address of a member.
    ElementPointer {
        /// True if the result is undefined outside of the object.
        is_inbounds: bool,
        /// The type that the base points to.
        source: TypeId,
        /// A pointer: a constant, variable or function.
        base: ValueId,
        /// Constants.
        indices: Vec<ValueId>,
    },
}

impl Constant {
    /// The values that the constant refers to.
    pub fn operands(&self) -> impl Iterator<Item = ValueId> + '_ {
        let (first, rest): (Option<ValueId>, &[ValueId]) = match self {
            Constant::Null
            | Constant::Undef
            | Constant::Integer(_)
            | Constant::WideInteger(_)
            | Constant::Float(_)
            | Constant::Data(_) => (None, &[]),
            Constant::Aggregate(members) => (None, members),
            Constant::Cast { value, .. } => (Some(*value), &[]),
            Constant::ElementPointer { base, indices, .. } => (Some(*base), indices),
        };
        first.into_iter().chain(rest.iter().copied())
    }
}
