//! Operations that combine the values of work-items, for functions of work-groups and subgroups.

use super::number::Type;
use super::row::Wanted;

/// The work-items that take part, in the order of their ids.
pub(super) struct Members<'a> {
    /// The type of the values.
    pub(super) ty: Type,
    /// Their values: small integers, also of float types, so that every sum is exact.
    pub(super) values: &'a [i128],
    /// The work-item whose result is requested.
    pub(super) place: usize,
    /// The number of members that a full subgroup has.
    pub(super) most: usize,
}

/// An operation.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    /// Its name in the names of functions.
    pub(super) name: &'static str,
    combine: fn(i128, i128) -> i128,
    /// The result for no value.
    none: fn(Type) -> Wanted,
}

/// The operations of every type.
pub(super) const FOLDS: [Fold; 3] = [
    Fold { name: "add", combine: |a, b| a + b, none: |ty| of(ty, 0) },
    Fold { name: "min", combine: i128::min, none: |ty| limit(ty, 1.0) },
    Fold { name: "max", combine: i128::max, none: |ty| limit(ty, -1.0) },
];

/// The operations of integers alone.
pub(super) const INTEGER_FOLDS: [Fold; 4] = [
    Fold { name: "mul", combine: |a, b| a * b, none: |ty| of(ty, 1) },
    Fold { name: "and", combine: |a, b| a & b, none: |ty| of(ty, -1) },
    Fold { name: "or", combine: |a, b| a | b, none: |ty| of(ty, 0) },
    Fold { name: "xor", combine: |a, b| a ^ b, none: |ty| of(ty, 0) },
];

/// The operations of booleans.
pub(super) const LOGICAL_FOLDS: [Fold; 3] = [
    Fold { name: "logical_and", combine: |a, b| (a != 0 && b != 0).into(), none: |ty| of(ty, 1) },
    Fold { name: "logical_or", combine: |a, b| (a != 0 || b != 0).into(), none: |ty| of(ty, 0) },
    Fold { name: "logical_xor", combine: |a, b| ((a != 0) != (b != 0)).into(), none: |ty| of(ty, 0) },
];

/// A small integer of the type.
pub(super) fn of(ty: Type, value: i128) -> Wanted {
    if ty.is_float() { Wanted::Float { exact: value as f64, ulps: 0.0 } } else { Wanted::Int(value) }
}

/// The greatest or the least value of a type; of floats, an infinity.
fn limit(ty: Type, sign: f64) -> Wanted {
    match ty.is_float() {
        true => Wanted::Float { exact: f64::INFINITY * sign, ulps: 0.0 },
        false => Wanted::Int(if sign > 0.0 { ty.greatest() } else { ty.least() }),
    }
}

impl Fold {
    /// The combined value of some members.
    pub(super) fn over(&self, ty: Type, values: &[i128]) -> Wanted {
        values.iter().copied().reduce(self.combine).map_or_else(|| (self.none)(ty), |value| of(ty, value))
    }

    /// The same for booleans, of which one alone counts as a truth value, too.
    pub(super) fn over_truths(&self, ty: Type, values: &[i128]) -> Wanted {
        let truths: Vec<i128> = values.iter().map(|&value| (value != 0).into()).collect();
        self.over(ty, &truths)
    }
}
