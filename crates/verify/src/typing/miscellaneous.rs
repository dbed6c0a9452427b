//! Other instructions (SPIR-V sections 3.3.1 and 3.3.20): T14.

use reconverge_ir::view;

use super::facts::{
    ACCELERATION_STRUCTURE, BOOL, BOOLS, INT, INTS, POINTER, RAY_QUERY, UNSIGNED, UNSIGNED_VECTOR, VOID,
};
use super::rule::Check::{Bits, By, Is, Same};
use super::rule::{ALL, Asked, FIRST, RESULT, Rule, SECOND, THIRD};

/// The types are not checked.
pub(super) const NONE: Rule = &[];
/// `undef`.
pub(super) const UNDEF: Rule = &[By(is_some_type)];
/// `any_lane`.
pub(super) const VOTE: Rule = &[Is(RESULT, BOOL), Is(FIRST, BOOL)];
/// `assume_true_khr` and `execution_mask`.
pub(super) const ASSUME: Rule = &[Is(FIRST, BOOL)];
/// `expect_khr`.
pub(super) const EXPECT: Rule = &[Is(RESULT, BOOL | BOOLS | INT | INTS), Same(ALL, RESULT)];
/// Queries whether a lane is a helper.
pub(super) const TELLS: Rule = &[Is(RESULT, BOOL)];
/// Clock reads.
pub(super) const CLOCK: Rule = &[By(is_time), By(super::scope::is_scope_of_clock)];
/// Streams of vertices.
pub(super) const STREAM: Rule = &[Is(FIRST, INT), By(names_a_constant)];
/// An acceleration structure from its address.
pub(super) const TO_STRUCTURE: Rule = &[Is(RESULT, ACCELERATION_STRUCTURE), Is(FIRST, UNSIGNED | UNSIGNED_VECTOR)];
/// The start of a ray query.
pub(super) const BEGIN_QUERY: Rule = &[Is(FIRST, POINTER), By(is_a_query), Is(SECOND, ACCELERATION_STRUCTURE)];
/// Results of a ray query.
pub(super) const ASK_QUERY: Rule = &[Is(FIRST, POINTER), By(is_a_query), Is(RESULT, UNSIGNED), Is(SECOND, INT)];

/// `type_forward_pointer`.
pub(super) const FORWARD: Rule = &[By(names_a_pointer)];
/// `emit_mesh_tasks_ext`: three counts.
pub(super) const TASKS: Rule = &[
    Is(FIRST, UNSIGNED),
    Bits(FIRST, &[32]),
    Is(SECOND, UNSIGNED),
    Bits(SECOND, &[32]),
    Is(THIRD, UNSIGNED),
    Bits(THIRD, &[32]),
];

fn names_a_pointer(asked: &Asked<'_, '_>) -> Option<String> {
    let pointer = asked.operand(view::TypeForwardPointer::SLOT.pointer_type)?;
    let op = asked.module().op(pointer);
    let is_right = op == reconverge_ir::Op::TypePointer || op.class() == reconverge_ir::Class::Opaque;
    (!is_right).then(|| format!("operand 0 should be a pointer type, found {}", asked.name(pointer)))
}

fn is_some_type(asked: &Asked<'_, '_>) -> Option<String> {
    (asked.facts(RESULT)?.kind == VOID).then(|| "values of type void do not exist".to_owned())
}

/// A clock has 64 bits: one integer, or two of 32 bits.
fn is_time(asked: &Asked<'_, '_>) -> Option<String> {
    let facts = asked.facts(RESULT)?;
    let is_right = match facts.kind {
        UNSIGNED => facts.width == 64,
        UNSIGNED_VECTOR => facts.width == 32 && facts.count == 2,
        super::facts::OTHER => true,
        _ => false,
    };
    (!is_right).then(|| "the result should be an unsigned integer of 64 bits, or a vector of two of 32 bits".to_owned())
}

fn names_a_constant(asked: &Asked<'_, '_>) -> Option<String> {
    let stream = asked.operand(view::EmitStreamVertex::SLOT.stream)?;
    let op = asked.module().op(stream);
    let is_right = op.is_constant() || op.class() == reconverge_ir::Class::Opaque;
    (!is_right).then(|| format!("the stream should be a constant, found {}", asked.name(stream)))
}

fn is_a_query(asked: &Asked<'_, '_>) -> Option<String> {
    let pointer = asked.facts(FIRST).filter(|facts| facts.kind == POINTER)?;
    let part = pointer.part?;
    let is_right = asked.about(part).kind & (RAY_QUERY | super::facts::OTHER) != 0;
    (!is_right).then(|| format!("operand 0 should point to a ray query, found {}", asked.name(part)))
}
