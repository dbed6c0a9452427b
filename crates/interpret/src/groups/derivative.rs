//! Derivatives (SPIR-V section 3.3.16): the differences of a value between lanes of a quad.
//!
//! Lanes 4k to 4k + 3 of a subgroup are a quad, two by two. A derivative needs the whole quad: if one of the four lanes does not execute
//! the operation together with the others, the result is undefined in all of them. Helper lanes count as lanes.
//!
//! ```text
//! 4k      4k + 1        along x, fine:   each row its own difference    coarse: that of the upper row
//! 4k + 2  4k + 3        along y, fine:   each column its own            coarse: that of the left column
//! ```
//!
//! If the program leaves the choice, the derivative is fine. Floats are subtracted in their own width.

use reconverge_ir::Op;

use crate::Value;
use crate::compute::arithmetic::float;
use crate::compute::lift::{binary, float_one, float_pair, unary};
use crate::fault::Fault;
use crate::groups::GroupCall;

/// An axis of a quad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Axis {
    X,
    Y,
}

/// The detail of a derivative: each of the two rows or columns of a quad has its own, or both have the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    Fine,
    Coarse,
}

/// Returns whether an op is a derivative.
pub(super) fn is_derivative(op: Op) -> bool {
    op.class() == reconverge_ir::Class::Derivative
}

/// One result for each member.
pub(crate) fn evaluate(call: &GroupCall<'_>) -> Result<Vec<Value>, Fault> {
    let detail = match call.op {
        Op::DPdxCoarse | Op::DPdyCoarse | Op::FwidthCoarse => Detail::Coarse,
        _ => Detail::Fine,
    };
    let one = |member: usize| match call.op {
        Op::DPdx | Op::DPdxFine | Op::DPdxCoarse => difference(call, member, Axis::X, detail),
        Op::DPdy | Op::DPdyFine | Op::DPdyCoarse => difference(call, member, Axis::Y, detail),
        _ => width(call, member, detail),
    };
    (0..call.members.len()).map(one).collect()
}

/// The sum of the absolute derivatives.
fn width(call: &GroupCall<'_>, member: usize, detail: Detail) -> Result<Value, Fault> {
    let absolute = |axis| {
        let difference = difference(call, member, axis, detail)?;
        unary(&difference, float_one(call.op, |width, a| Value::float(width, a.abs())))
    };
    let (x, y) = (absolute(Axis::X)?, absolute(Axis::Y)?);
    binary(call.op, &x, &y, float_pair(call.op, |width, a, b| float(Op::FAdd, width, a, b)))
}

fn difference(call: &GroupCall<'_>, member: usize, axis: Axis, detail: Detail) -> Result<Value, Fault> {
    let Some(quad) = quad(call, member) else { return Ok(Value::Undefined) };
    let (from, to) = ends(call.members[member].number, axis, detail);
    subtract(call.op, call.value(quad[to])?, call.value(quad[from])?)
}

/// The difference of two floats or vectors of floats.
pub(crate) fn subtract(op: Op, a: &Value, b: &Value) -> Result<Value, Fault> {
    binary(op, a, b, float_pair(op, |width, a, b| float(Op::FSub, width, a, b)))
}

/// The lanes of a quad whose difference is the derivative in a lane.
pub(crate) fn ends(number: u32, axis: Axis, detail: Detail) -> (usize, usize) {
    let own = (number % 4) as usize;
    let (step, other) = match axis {
        Axis::X => (1, own & 2),
        Axis::Y => (2, own & 1),
    };
    let from = if detail == Detail::Fine { other } else { 0 };
    (from, from + step)
}

/// The positions of the four lanes of a member's quad among the members; `None` unless all are present.
pub(crate) fn quad(call: &GroupCall<'_>, member: usize) -> Option<[usize; 4]> {
    let first = call.members[member].number & !3;
    let start = call.members.partition_point(|other| other.number < first);
    let is_there = |offset: usize| call.members.get(start + offset).is_some_and(|m| m.number == first + offset as u32);
    (0..4).all(is_there).then(|| std::array::from_fn(|offset| start + offset))
}
