//! Numbers: what DXIL calls a scalar type, and how the shader represents it.
//!
//! A type of 16 bits has exactly 16 bits only if the shader says so. Everywhere else it has at least 16, and becomes 32 bits with the
//! decoration `RelaxedPrecision`. Optimizers of LLVM also make integers of odd widths, such as 33 bits for a table of booleans; they become 32
//! or 64 bits. The bits above the width of such an integer are unspecified: what depends on them extends the number first (`Body::unsigned`,
//! `Body::signed`), so that results are those of its width.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Signedness};

use super::Shader;
use crate::error::unsupported;
use crate::module::view::ComponentType;
use crate::module::{Type, TypeId};

/// The kind of a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Kind {
    Bool,
    Int,
    Float,
}

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Number {
    pub(super) kind: Kind,
    /// The width in DXIL, in bits; 1 for booleans.
    pub(super) width: u32,
    /// The width in the shader; 1 for booleans.
    pub(super) represented: u32,
}

impl Number {
    pub(super) const BOOL: Number = Number { kind: Kind::Bool, width: 1, represented: 1 };
    pub(super) const U32: Number = Number { kind: Kind::Int, width: 32, represented: 32 };
    pub(super) const U64: Number = Number { kind: Kind::Int, width: 64, represented: 64 };
    pub(super) const F64: Number = Number { kind: Kind::Float, width: 64, represented: 64 };
    pub(super) const F32: Number = Number { kind: Kind::Float, width: 32, represented: 32 };

    /// Returns whether it has at least 16 bits, and may have more.
    pub(super) fn is_relaxed(self) -> bool {
        self.width == 16 && self.represented == 32
    }

    /// Returns whether it is represented by more bits than it has.
    pub(super) fn is_wider(self) -> bool {
        self.width < self.represented
    }

    pub(super) fn is_int(self) -> bool {
        self.kind == Kind::Int
    }

    pub(super) fn is_float(self) -> bool {
        self.kind == Kind::Float
    }

    /// An integer without sign of a width that the shader has.
    pub(super) fn int(width: u32) -> Number {
        Number { kind: Kind::Int, width, represented: width }
    }
}

impl Shader<'_> {
    /// The number that a scalar type is, or of the elements of a vector type.
    pub(super) fn number(&self, ty: TypeId) -> Option<Number> {
        let scalar = self.dxil.types.scalar(ty);
        let relax = |width| if width == 16 && !self.has_native_low_precision { 32 } else { width };
        Some(match self.dxil.types[scalar] {
            Type::Integer { width: 1 } => Number::BOOL,
            Type::Integer { width: 16 } => Number { kind: Kind::Int, width: 16, represented: relax(16) },
            Type::Integer { width: width @ 2..=32 } => Number { kind: Kind::Int, width, represented: 32 },
            Type::Integer { width: width @ 33..=64 } => Number { kind: Kind::Int, width, represented: 64 },
            Type::Half => Number { kind: Kind::Float, width: 16, represented: relax(16) },
            Type::Float => Number::F32,
            Type::Double => Number { kind: Kind::Float, width: 64, represented: 64 },
            _ => return None,
        })
    }

    /// The type that represents a number.
    pub(super) fn number_type(&mut self, number: Number) -> Inst {
        self.has_relaxed_numbers |= number.is_relaxed();
        match number.kind {
            Kind::Bool => self.build.bool_type(),
            Kind::Int => self.int_type(number.represented),
            Kind::Float => self.float_type(number.represented),
        }
    }

    /// The type of a number of components where a host states the type again: there integers may have a sign.
    pub(super) fn component_type(&mut self, number: Number, signedness: Signedness, count: u32) -> Inst {
        let scalar = match signedness {
            Signedness::Signed if number.is_int() => self.build.int_type_of(number.represented, signedness),
            _ => self.number_type(number),
        };
        if count == 1 { scalar } else { self.vector_type(scalar, count) }
    }

    /// The type of values of a scalar or vector type.
    pub(super) fn value_type(&mut self, ty: TypeId, offset: u64) -> Result<Inst, Diagnostic> {
        let Some(number) = self.number(ty) else {
            let message = format!("values of type {} are not supported", self.type_name(ty));
            return Err(unsupported(offset, message));
        };
        let scalar = self.number_type(number);
        match self.dxil.types.vector_length(ty) {
            None => Ok(scalar),
            Some(length @ 2..=4) => Ok(self.vector_type(scalar, length)),
            Some(length) => Err(unsupported(offset, format!("vectors of {length} elements are not supported"))),
        }
    }
}

/// The signedness of the integers of a component type.
pub(super) fn signedness(component: ComponentType) -> Signedness {
    if component.is_signed() { Signedness::Signed } else { Signedness::Unsigned }
}
