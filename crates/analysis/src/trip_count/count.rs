//! The number of times that a condition holds before it first does not.
//!
//! Up to [`STEP_LIMIT`] steps are simulated, which is exact for every recurrence that `scalar.rs` can compute. Longer ones are solved if an
//! integer with a constant step is compared with a constant: `x + i·s` modulo 2^w.
//!
//! - With `==` and `!=` this is a linear congruence: `i·s ≡ b − x` has a solution exactly if `b − x` is divisible by the greatest
//!   common divisor of `s` and 2^w, a power of two, and then the least one is the product with an inverse of the odd part of `s`.
//! - With an order the sequence is monotone between two wraps around, so the first place at which the condition fails is found by
//!   bisection in each such segment, for at most [`SEGMENT_LIMIT`] of them.

use reconverge_ir::Op;

use super::recurrence::{Recurrence, Term};
use super::scalar::{Scalar, ScalarKind, evaluate, mask, signed};

/// The maximum number of simulated steps.
pub(super) const STEP_LIMIT: usize = 4096;
/// The maximum number of inspected wrap-arounds.
const SEGMENT_LIMIT: u32 = 64;

/// The result of the simulation of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// It holds this number of times and then fails. For each iteration, including the one in which it fails, the values that [`Shown`]
    /// requested, if they are known.
    Times(u64, Vec<Option<Vec<u64>>>),
    Always,
    Unknown,
}

/// The terms whose values in each iteration are requested.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shown<'a> {
    Nothing,
    /// These.
    Terms(&'a [usize]),
    /// Those of the slots.
    Slots,
}

/// The number of times that control stays in the loop before the condition leaves it, for known free numbers.
pub(super) fn count(recurrence: &Recurrence, free: &[Option<Scalar>], shown: Shown<'_>) -> Holds {
    let mut current = recurrence.begin(free);
    let begin = current.clone();
    let places = match shown {
        Shown::Nothing => 0,
        Shown::Terms(shown) => shown.len(),
        Shown::Slots => recurrence.slots.len(),
    };
    let mut values: Vec<Option<Vec<u64>>> = vec![Some(Vec::new()); places];
    // Brent's search for a cycle: the state is compared with that at the last power of two.
    let (mut mark, mut until) = (current.clone(), 1);
    for step in 0..=STEP_LIMIT {
        let terms = recurrence.evaluate(&current, free);
        for (number, list) in values.iter_mut().enumerate() {
            let value = match shown {
                Shown::Terms(shown) => terms[shown[number]],
                Shown::Nothing | Shown::Slots => current[number],
            };
            *list = list.take().zip(value).map(|(mut list, value)| {
                list.push(value.bits);
                list
            });
        }
        match terms[recurrence.condition].and_then(Scalar::as_bool) {
            None => return Holds::Unknown,
            Some(holds) if holds != recurrence.stays_if => return Holds::Times(step as u64, values),
            Some(_) => {}
        }
        current = recurrence.next.iter().map(|&next| terms[next]).collect();
        if current == mark && current.iter().all(Option::is_some) {
            return Holds::Always;
        }
        if step + 1 == until {
            (mark, until) = (current.clone(), until * 2);
        }
    }
    Line::of(recurrence, &begin, free).map_or(Holds::Unknown, |line| line.count())
}

/// A condition that compares `start + i·step` with a bound, all modulo 2^width.
struct Line {
    width: u32,
    start: u64,
    step: u64,
    bound: u64,
    op: Op,
    is_bound_left: bool,
    /// The value of the comparison that is counted.
    wanted: bool,
}

impl Line {
    fn of(recurrence: &Recurrence, begin: &[Option<Scalar>], free: &[Option<Scalar>]) -> Option<Line> {
        let Term::Apply(op, ScalarKind::Bool, operands) = &recurrence.terms[recurrence.condition] else { return None };
        let &[left, right] = operands.as_slice() else { return None };
        let affine = |term| Affine::of(recurrence, term, begin, free);
        let ((left, left_kind), (right, right_kind)) = (affine(left)?, affine(right)?);
        let ScalarKind::Int(width) = left_kind else { return None };
        let is_bound_left = left.slot.is_none();
        let (line, bound) = if is_bound_left { (right, left) } else { (left, right) };
        let slot = line.slot?;
        let next = affine(recurrence.next[slot])?.0;
        if left_kind != right_kind || bound.slot.is_some() || next.slot != Some(slot) {
            return None;
        }
        let start = begin[slot]?.bits.wrapping_add(line.offset) & mask(width);
        Some(Line {
            width,
            start,
            step: next.offset & mask(width),
            bound: bound.offset & mask(width),
            op: *op,
            is_bound_left,
            wanted: recurrence.stays_if,
        })
    }

    fn holds(&self, index: u64) -> Option<bool> {
        let kind = ScalarKind::Int(self.width);
        let at = self.start.wrapping_add(index.wrapping_mul(self.step)) & mask(self.width);
        let (value, bound) = (Scalar { kind, bits: at }, Scalar { kind, bits: self.bound });
        let operands = if self.is_bound_left { [bound, value] } else { [value, bound] };
        evaluate(self.op, ScalarKind::Bool, &operands)?.as_bool()
    }

    fn count(&self) -> Holds {
        let waits_for_equal = match self.op {
            Op::IEqual => !self.wanted,
            Op::INotEqual => self.wanted,
            _ => return self.bisect(),
        };
        match (waits_for_equal, self.solve()) {
            (true, Some(index)) => Holds::Times(index, Vec::new()),
            (true, None) => Holds::Always,
            // A condition that differs at most once in a period was simulated.
            (false, _) => Holds::Unknown,
        }
    }

    /// The least index at which the line meets the bound.
    fn solve(&self) -> Option<u64> {
        let distance = self.bound.wrapping_sub(self.start) & mask(self.width);
        if distance == 0 {
            return Some(0);
        }
        let twos = self.step.trailing_zeros();
        if self.step == 0 || distance.trailing_zeros() < twos {
            return None;
        }
        let (odd, quotient) = (self.step >> twos, distance >> twos);
        // Newton: each iteration doubles the number of bits in which the product is 1.
        let inverse = (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))));
        Some(quotient.wrapping_mul(inverse) & mask(self.width - twos))
    }

    /// The first index at which a comparison by order is not as wanted.
    fn bisect(&self) -> Holds {
        let is_signed = match self.op {
            Op::ULessThan | Op::ULessThanEqual | Op::UGreaterThan | Op::UGreaterThanEqual => false,
            Op::SLessThan | Op::SLessThanEqual | Op::SGreaterThan | Op::SGreaterThanEqual => true,
            _ => return Holds::Unknown,
        };
        if self.step == 0 {
            return if self.holds(0) == Some(self.wanted) { Holds::Always } else { Holds::Times(0, Vec::new()) };
        }
        let step = i128::from(signed(self.width, self.step));
        let (least, greatest) = match is_signed {
            true => (-(1i128 << (self.width - 1)), (1i128 << (self.width - 1)) - 1),
            false => (0, i128::from(mask(self.width))),
        };
        let period = (1u128 << self.width) >> self.step.trailing_zeros().min(self.width);
        let mut index: u128 = 0;
        for _ in 0..SEGMENT_LIMIT {
            let bits = self.start.wrapping_add((index as u64).wrapping_mul(self.step)) & mask(self.width);
            let value = if is_signed { i128::from(signed(self.width, bits)) } else { i128::from(bits) };
            let room = if step > 0 { (greatest - value) / step } else { (value - least) / -step };
            match self.first_failure(index as u64, room as u64) {
                Some(found) => return Holds::Times(found, Vec::new()),
                None => index += room as u128 + 1,
            }
            if index >= period {
                return Holds::Always;
            }
        }
        Holds::Unknown
    }

    /// The first index in a monotone segment at which the condition is not as wanted.
    fn first_failure(&self, from: u64, room: u64) -> Option<u64> {
        let fails = |offset: u64| self.holds(from.wrapping_add(offset)) != Some(self.wanted);
        if fails(0) {
            return Some(from);
        }
        if !fails(room) {
            return None;
        }
        let (mut low, mut high) = (0, room);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if fails(middle) { high = middle } else { low = middle }
        }
        Some(from + high)
    }
}

/// A term as a slot, if any, plus a constant.
#[derive(Clone, Copy)]
struct Affine {
    slot: Option<usize>,
    offset: u64,
}

impl Affine {
    /// Terms are processed in order, so that their operands come first.
    fn of(
        recurrence: &Recurrence,
        term: usize,
        begin: &[Option<Scalar>],
        free: &[Option<Scalar>],
    ) -> Option<(Affine, ScalarKind)> {
        let mut forms: Vec<Option<(Affine, ScalarKind)>> = Vec::with_capacity(term + 1);
        let constant = |scalar: Scalar| (Affine { slot: None, offset: scalar.bits }, scalar.kind);
        for one in &recurrence.terms[..=term] {
            let form = match one {
                Term::Constant(scalar) => Some(constant(*scalar)),
                &Term::Free(number) => free[number].map(constant),
                &Term::Slot(number) => {
                    begin[number].map(|scalar| (Affine { slot: Some(number), offset: 0 }, scalar.kind))
                }
                Term::Apply(Op::IAdd | Op::ISub, ..) => Affine::sum(one, &forms),
                Term::Apply(Op::CopyObject, _, operands) => forms[operands[0]],
                Term::Apply(..) | Term::Unknown => None,
            };
            forms.push(form);
        }
        forms[term]
    }

    fn sum(term: &Term, forms: &[Option<(Affine, ScalarKind)>]) -> Option<(Affine, ScalarKind)> {
        let Term::Apply(op, kind, operands) = term else { return None };
        let ((left, _), (right, _)) = (forms[operands[0]]?, forms[operands[1]]?);
        let affine = match (op, left.slot, right.slot) {
            (Op::IAdd, slot, None) | (Op::IAdd, None, slot) => {
                Affine { slot, offset: left.offset.wrapping_add(right.offset) }
            }
            (Op::ISub, slot, None) => Affine { slot, offset: left.offset.wrapping_sub(right.offset) },
            _ => return None,
        };
        Some((affine, *kind))
    }
}

#[cfg(test)]
mod tests {
    use super::{Holds, Line};
    use crate::trip_count::scalar::mask;
    use reconverge_ir::Op;

    const OPS: [Op; 10] = [
        Op::IEqual,
        Op::INotEqual,
        Op::ULessThan,
        Op::ULessThanEqual,
        Op::UGreaterThan,
        Op::UGreaterThanEqual,
        Op::SLessThan,
        Op::SLessThanEqual,
        Op::SGreaterThan,
        Op::SGreaterThanEqual,
    ];

    /// For every start, step and bound of five bits.
    #[test]
    fn the_closed_form_is_what_going_through_the_numbers_gives() {
        let (width, all) = (5, 1u64 << 5);
        let mut solved = 0;
        for numbers in 0..all * all * all {
            let [start, step, bound] = [0, 5, 10].map(|place| numbers >> place & mask(width));
            for (number, &op) in OPS.iter().enumerate() {
                let is_bound_left = (start + step + bound + number as u64).is_multiple_of(2);
                for wanted in [true, false] {
                    let line = Line { width, start, step, bound, op, is_bound_left, wanted };
                    let first = (0..all).find(|&index| line.holds(index) != Some(wanted));
                    let expected = first.map_or(Holds::Always, |index| Holds::Times(index, Vec::new()));
                    let found = line.count();
                    let is_simulated = matches!((op, wanted), (Op::IEqual, true) | (Op::INotEqual, false));
                    let is_right = found == expected || (is_simulated && found == Holds::Unknown);
                    assert!(is_right, "{op:?} {start} {step} {bound} {wanted}: {expected:?}, found {found:?}");
                    solved += usize::from(found != Holds::Unknown);
                }
            }
        }
        assert_eq!(solved as u64, all * all * all * 18);
    }
}
