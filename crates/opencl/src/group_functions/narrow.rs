//! Conversion of 8- and 16-bit numbers to 32 bits and back.
//!
//! Subgroup operations on narrow types are an optional feature of devices (`shaderSubgroupExtendedTypes`); every device supports 32 bits.
//! An integer is extended as the operation interprets it, so that minima and maxima are correct.

use reconverge_ir::{Builder, Inst, Op};

use super::combine::Combine;
use crate::scalars::vector_type;

/// The extension of the narrow integers of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extension {
    Zero,
    Sign,
}

impl Extension {
    /// The extension that fits the interpretation of an operation's integers.
    pub(super) fn of(combine: Combine) -> Extension {
        match combine {
            Combine::SMin | Combine::SMax => Extension::Sign,
            _ => Extension::Zero,
        }
    }
}

/// The 32-bit type for a narrow type; every other type itself.
pub(super) fn wide_type(build: &mut Builder<'_>, ty: Inst) -> Inst {
    let (component, count) = build.module().components(ty);
    let wide = match (build.module().op(component), build.module().width(component)) {
        (Op::TypeInt, Some(8 | 16)) => build.int_type(32),
        (Op::TypeFloat, Some(16)) => build.float_type(32),
        _ => return ty,
    };
    vector_type(build, wide, count)
}

/// A value converted to [`wide_type`].
pub(super) fn widen(build: &mut Builder<'_>, value: Inst, extension: Extension) -> Inst {
    let ty = build.module().ty(value).expect("invariant: a value has a type");
    let wide = wide_type(build, ty);
    if wide == ty {
        return value;
    }
    let (component, _) = build.module().components(ty);
    match (build.module().op(component), extension) {
        (Op::TypeFloat, _) => build.f_convert(wide, &[value]),
        (_, Extension::Zero) => build.u_convert(wide, &[value]),
        (_, Extension::Sign) => build.s_convert(wide, &[value]),
    }
}

/// A value of [`wide_type`] converted back to the narrow type.
pub(super) fn narrow(build: &mut Builder<'_>, value: Inst, ty: Inst) -> Inst {
    if build.module().ty(value) == Some(ty) {
        return value;
    }
    let (component, _) = build.module().components(ty);
    match build.module().op(component) {
        Op::TypeFloat => build.f_convert(ty, &[value]),
        _ => build.u_convert(ty, &[value]),
    }
}
