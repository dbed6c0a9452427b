//! The shapes of operands: uniform, affine, varying, constant.

use std::fmt;

use super::domain::Combination;
use super::scalar::Scalar;

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Different in each lane.
    Varying,
    /// The same in each lane.
    Uniform,
    /// A uniform value and the number of the lane.
    Affine,
    /// A constant, by its number.
    Constant(usize),
}

/// A combination with kinds of operands.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) combination: Combination,
    pub(super) kinds: Vec<Kind>,
}

/// The number of a constant that is a lane of a quad, and a direction in it.
const SHARED: usize = 4;

/// The cases of a combination: all operands of one kind, and one of another kind than the others.
pub(super) fn of(combination: &Combination) -> Vec<Case> {
    let count = combination.operands.len();
    let mut lists = vec![vec![Kind::Varying; count], vec![Kind::Uniform; count], vec![Kind::Affine; count]];
    for place in 0..if count > 1 { count } else { 0 } {
        for (kind, others) in [
            (Kind::Constant(0), Kind::Varying),
            (Kind::Constant(1), Kind::Varying),
            (Kind::Constant(0), Kind::Uniform),
            (Kind::Constant(1), Kind::Affine),
            (Kind::Uniform, Kind::Varying),
            (Kind::Affine, Kind::Uniform),
            (Kind::Varying, Kind::Uniform),
        ] {
            let mut kinds = vec![others; count];
            kinds[place] = kind;
            lists.push(kinds);
        }
    }
    let mut cases: Vec<Case> = Vec::new();
    for mut kinds in lists {
        for (kind, ty) in kinds.iter_mut().zip(&combination.operands) {
            *kind = possible(*kind, *ty);
        }
        if let Some(place) = combination.shared_operand() {
            kinds[place] = Kind::Constant(SHARED);
        }
        if cases.iter().all(|case| case.kinds != kinds) {
            cases.push(Case { combination: combination.clone(), kinds });
        }
    }
    cases
}

/// The nearest kind that values of a type have.
fn possible(kind: Kind, ty: Scalar) -> Kind {
    match (kind, ty) {
        (Kind::Affine, Scalar::Bool | Scalar::Float(_)) => Kind::Varying,
        (Kind::Constant(_), Scalar::Pointer) => Kind::Uniform,
        _ => kind,
    }
}

impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> = self.kinds.iter().map(|kind| format!("{kind:?}").to_lowercase()).collect();
        write!(formatter, "{} of {}", self.combination, kinds.join(", "))
    }
}
