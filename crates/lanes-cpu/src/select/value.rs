//! Values as instruction selection sees them: scalar types, and the registers that hold one scalar of every lane.
//!
//! ```text
//! uniform integer   General, zero-extended to 64 bits       varying, 32 bits and fewer   one vector register for each 32-bit vector
//! uniform bool      General, 0 or 1                         varying, 64 bits             two for each, lanes in order
//! uniform float     Vector, lane 0                          varying bool                 one mask for each
//! ```
//!
//! Integers of 8 and 16 bits are zero-extended to 32. A half is a 32-bit float whose value a half has: conversion is at loads and stores,
//! and each operation rounds its result.

use smallvec::SmallVec;

use crate::machine::VReg;

/// The type of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarType {
    /// A boolean.
    Bool,
    /// An integer of 8, 16, 32 or 64 bits.
    Int(u32),
    /// A floating-point number of 16, 32 or 64 bits.
    Float(u32),
}

/// One scalar for each lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// The same for all lanes.
    Uniform(VReg),
    /// In vector or mask registers.
    Varying(SmallVec<[VReg; 4]>),
}

/// The instructions that vectors are made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Isa {
    /// One lane: every value is uniform.
    Scalar,
    /// 8 lanes of 32 bits a register; masks are vectors.
    Avx2,
    /// 16 lanes of 32 bits a register; masks are in `k` registers.
    Avx512,
}

/// The pack: the number of lanes that execute together, and their registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pack {
    /// The instructions.
    pub isa: Isa,
    /// Vectors of 32-bit lanes a value; 1 in scalar code.
    pub vectors: u32,
}

impl ScalarType {
    /// The bits of a value in memory; of a boolean 1.
    pub fn bits(self) -> u32 {
        match self {
            ScalarType::Bool => 1,
            ScalarType::Int(bits) | ScalarType::Float(bits) => bits,
        }
    }
}

impl Pack {
    /// The number of lanes.
    pub fn lanes(self) -> u32 {
        self.vectors
            * match self.isa {
                Isa::Scalar => 1,
                Isa::Avx2 => 8,
                Isa::Avx512 => 16,
            }
    }

    /// The number of registers that a varying value has.
    pub fn registers(self, ty: ScalarType) -> u32 {
        if ty.bits() == 64 { 2 * self.vectors } else { self.vectors }
    }
}

impl Value {
    /// The register of a uniform value.
    pub fn uniform(&self) -> Option<VReg> {
        match self {
            Value::Uniform(register) => Some(*register),
            Value::Varying(_) => None,
        }
    }
}
