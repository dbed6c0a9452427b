//! Values: the results of instructions.
//!
//! A value is self-describing: an integer has its width, a composite its elements. Integers have no sign, as in SPIR-V. Floating-point
//! values are stored as their bits, so two values are equal if their bits are. A composite is a vector, a matrix (its columns), an array or
//! a struct; it is shared, so a copy is cheap. Sixteen bytes.

pub(crate) mod descriptor;
pub(crate) mod half;

use std::fmt;
use std::sync::Arc;

use crate::Descriptor;

/// A value of one lane.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// An undefined value: the result of `undef`, of a read of memory that was never written, or of an operation whose result is undefined.
    /// It represents a whole value of any type.
    Undefined,
    /// A boolean.
    Bool(bool),
    /// An integer of 8, 16, 32 or 64 bits. The bits above the width are zero.
    Int {
        /// Its width.
        width: u8,
        /// The bits, zero-extended.
        bits: u64,
    },
    /// A floating-point number of 16, 32 or 64 bits. The bits above the width are zero.
    Float {
        /// Its width.
        width: u8,
        /// The IEEE 754 bits, zero-extended.
        bits: u64,
    },
    /// A vector, matrix, array or struct: its elements.
    Composite(Arc<Vec<Value>>),
    /// A pointer.
    Pointer(Pointer),
    /// An image, a sampler, both together, or another object outside the program.
    Descriptor(Descriptor),
}

/// A place in memory: an object and an offset into it.
///
/// A pointer may point outside its object; only an access is an error then.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer {
    pub(crate) owner: Owner,
    pub(crate) object: u32,
    pub(crate) offset: i64,
}

/// The owner of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Owner {
    /// No object: the null pointer, whose offset counts from address zero.
    Nobody,
    /// An object that all lanes see.
    Shared,
    /// An object that the lanes of one work-group see.
    Group,
    /// An object that only one lane sees.
    Lane(u16),
}

impl Pointer {
    /// The null pointer.
    pub const NULL: Pointer = Pointer { owner: Owner::Nobody, object: 0, offset: 0 };

    /// The offset of a pointer that left its array: an access through it is out of bounds, whatever is added.
    pub(crate) const LOST: i64 = i64::MIN;

    /// Returns whether it is the null pointer.
    pub fn is_null(self) -> bool {
        self == Pointer::NULL
    }

    /// The pointer at this distance in bytes.
    pub(crate) fn advanced(self, bytes: i64) -> Pointer {
        if self.offset == Pointer::LOST {
            return self;
        }
        Pointer { offset: self.offset.checked_add(bytes).unwrap_or(Pointer::LOST), ..self }
    }
}

impl Value {
    /// The integer of that width with the low bits of `bits`.
    pub const fn int(width: u8, bits: u64) -> Value {
        Value::Int { width, bits: bits & mask(width) }
    }

    /// A 32-bit integer.
    pub const fn u32(value: u32) -> Value {
        Value::Int { width: 32, bits: value as u64 }
    }

    /// A 32-bit integer.
    pub const fn i32(value: i32) -> Value {
        Value::u32(value.cast_unsigned())
    }

    /// A 64-bit integer.
    pub const fn u64(value: u64) -> Value {
        Value::Int { width: 64, bits: value }
    }

    /// A 32-bit floating-point number.
    pub const fn f32(value: f32) -> Value {
        Value::Float { width: 32, bits: value.to_bits() as u64 }
    }

    /// A 64-bit floating-point number.
    pub const fn f64(value: f64) -> Value {
        Value::Float { width: 64, bits: value.to_bits() }
    }

    /// The floating-point number of that width (16, 32 or 64) nearest to `value`, ties to even.
    pub fn float(width: u8, value: f64) -> Value {
        let bits = match width {
            16 => u64::from(half::from_f64(value)),
            32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        Value::Float { width, bits }
    }

    /// A vector, matrix, array or struct of these elements.
    pub fn composite(elements: Vec<Value>) -> Value {
        Value::Composite(Arc::new(elements))
    }

    /// Returns whether it is [`Value::Undefined`] as a whole. A composite with undefined elements is not.
    pub const fn is_undefined(&self) -> bool {
        matches!(self, Value::Undefined)
    }

    /// Returns whether it is undefined, or has an undefined element at any depth.
    pub(crate) fn has_undefined(&self) -> bool {
        match self {
            Value::Undefined => true,
            Value::Composite(elements) => elements.iter().any(Value::has_undefined),
            _ => false,
        }
    }

    /// The boolean, if the value is one.
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of an integer of 32 bits.
    pub const fn as_u32(&self) -> Option<u32> {
        match self {
            Value::Int { width: 32, bits } => Some(*bits as u32),
            _ => None,
        }
    }

    /// The value of an integer of any width, zero-extended.
    pub const fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Int { bits, .. } => Some(*bits),
            _ => None,
        }
    }

    /// The value of an integer of any width, sign-extended.
    pub const fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int { width, bits } => Some(sign_extended(*width, *bits)),
            _ => None,
        }
    }

    /// The value of a floating-point number of 32 bits.
    pub const fn as_f32(&self) -> Option<f32> {
        match self {
            Value::Float { width: 32, bits } => Some(f32::from_bits(*bits as u32)),
            _ => None,
        }
    }

    /// The value of a floating-point number of any width; each is a 64-bit one too.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Float { width: 16, bits } => Some(half::to_f64(*bits as u16)),
            Value::Float { width: 32, bits } => Some(f64::from(f32::from_bits(*bits as u32))),
            Value::Float { bits, .. } => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }

    /// The elements of a composite.
    pub fn elements(&self) -> Option<&[Value]> {
        match self {
            Value::Composite(elements) => Some(elements),
            _ => None,
        }
    }
}

/// The mask of an integer of that width.
pub(crate) const fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The bits of an integer of that width, sign-extended.
pub(crate) const fn sign_extended(width: u8, bits: u64) -> i64 {
    let unused = 64 - if width > 64 { 64 } else { width } as u32;
    if unused >= 64 { 0 } else { (bits << unused).cast_signed() >> unused }
}

impl fmt::Debug for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Undefined => formatter.write_str("undefined"),
            Value::Bool(value) => write!(formatter, "{value}"),
            Value::Int { width, bits } => write!(formatter, "{bits}_u{width}"),
            Value::Float { width, .. } => write!(formatter, "{:?}_f{width}", self.as_f64().unwrap_or(f64::NAN)),
            Value::Composite(elements) => formatter.debug_list().entries(elements.iter()).finish(),
            Value::Pointer(pointer) => pointer.fmt(formatter),
            Value::Descriptor(descriptor) => descriptor.fmt(formatter),
        }
    }
}

impl fmt::Debug for Pointer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            Owner::Nobody if self.offset == 0 => formatter.write_str("null"),
            Owner::Nobody => write!(formatter, "address {:#x}", self.offset),
            Owner::Shared => write!(formatter, "&shared{}+{}", self.object, self.offset),
            Owner::Group => write!(formatter, "&group{}+{}", self.object, self.offset),
            Owner::Lane(lane) => write!(formatter, "&lane{lane}.{}+{}", self.object, self.offset),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

const _: () = assert!(size_of::<Value>() <= 24);
