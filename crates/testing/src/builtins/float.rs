//! Functions of floats: what is common to them, and their bounds.
//!
//! The exact values are those of the standard library in 64 bits, or of `special.rs`. For halves and floats of 32 bits they count as exact: their
//! error is below 2^-24 ulp. For doubles each row states the error of its definition, and that much more is allowed.
//!
//! The interpreter rounds every function to the nearest float, and has to. What is compiled has the bounds of `docs/opencl-std.md`, none of
//! which is above that of OpenCL C 3.0, section 7.4 (for halves, of `cl_khr_fp16`), with some room: there, errors are those that were measured.

use super::number::{Number, Type};
use super::row::Row;
use super::{coarse, common, exact, geometric, relational, transcendental};

/// A float operand.
pub(super) fn float(value: Number) -> f64 {
    match value {
        Number::Float(value) => value,
        Number::Int(value) => value as f64,
    }
}

/// A definition of components by the exact value, with the bound of the row.
macro_rules! of {
    ([$($name:ident),*] $value:expr) => {
        |row: &Row, operands: &[Number]| {
            let [$($name),*] = operands[..] else { panic!("invariant: the row has its operands") };
            $(let $name = float($name);)*
            Wanted::Float { exact: $value, ulps: row.ulps }
        }
    };
}
pub(super) use of;

/// The functions on floats of each type.
pub(super) fn rows() -> Vec<Row> {
    let families = [exact::rows, transcendental::rows, coarse::rows, relational::rows, common::rows, geometric::rows];
    Type::FLOATS.into_iter().flat_map(|ty| families.into_iter().flat_map(move |rows| rows(ty))).collect()
}

/// A bound of compiled code by that for 32 bits. Halves are computed in 32 bits and rounded once more.
pub(super) fn bound(ty: Type, single: f64) -> f64 {
    if ty.bits() == 16 { 0.51 } else { single }
}
