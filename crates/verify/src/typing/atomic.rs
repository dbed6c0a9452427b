//! Atomics (SPIR-V section 3.3.18): T08.

use reconverge_ir::Op;
use spirv::{Capability, StorageClass};

use super::facts::{BOOL, FLOAT, FLOATS, INT, NUMBER, OTHER, POINTER, SIGNED, UNSIGNED};
use super::rule::Check::{By, Is, PartOf, Same};
use super::rule::{Asked, FIFTH, FIRST, FOURTH, RESULT, Rule, SIXTH};
use super::scope::has_right_scopes;

/// `atomic_load`.
pub(super) const LOAD: Rule =
    &[Is(RESULT, NUMBER), Is(FIRST, POINTER), By(is_in_shared_memory), PartOf(RESULT, FIRST), By(has_right_scopes)];
/// `atomic_store`.
pub(super) const STORE: Rule =
    &[Is(FIRST, POINTER), By(is_in_shared_memory), By(holds_a_number), By(has_right_scopes), PartOf(FOURTH, FIRST)];
/// `atomic_exchange`.
pub(super) const EXCHANGE: Rule = &[
    By(gives_a_number),
    Is(FIRST, POINTER),
    By(is_in_shared_memory),
    PartOf(RESULT, FIRST),
    By(has_right_scopes),
    Same(FOURTH, RESULT),
];
/// `atomic_compare_exchange` and its weak form.
pub(super) const COMPARE_EXCHANGE: Rule = &[
    Is(RESULT, INT),
    Is(FIRST, POINTER),
    By(is_in_shared_memory),
    PartOf(RESULT, FIRST),
    By(has_right_scopes),
    Same(FIFTH, RESULT),
    Same(SIXTH, RESULT),
];
/// Increment and decrement.
pub(super) const COUNT: Rule =
    &[Is(RESULT, INT), Is(FIRST, POINTER), By(is_in_shared_memory), PartOf(RESULT, FIRST), By(has_right_scopes)];
/// Integer operations.
pub(super) const OF_INTEGERS: Rule = &[
    Is(RESULT, INT),
    Is(FIRST, POINTER),
    By(is_in_shared_memory),
    PartOf(RESULT, FIRST),
    By(has_right_scopes),
    Same(FOURTH, RESULT),
];
/// Float operations.
pub(super) const OF_FLOATS: Rule = &[
    By(gives_a_float),
    Is(FIRST, POINTER),
    By(is_in_shared_memory),
    By(is_declared),
    PartOf(RESULT, FIRST),
    By(has_right_scopes),
    Same(FOURTH, RESULT),
];
/// `atomic_flag_test_and_set`.
pub(super) const TEST_AND_SET: Rule =
    &[Is(RESULT, BOOL), Is(FIRST, POINTER), By(is_in_shared_memory), By(is_a_flag), By(has_right_scopes)];
/// `atomic_flag_clear`.
pub(super) const CLEAR: Rule = &[Is(FIRST, POINTER), By(is_in_shared_memory), By(is_a_flag), By(has_right_scopes)];

const ALLOWED: [StorageClass; 10] = [
    StorageClass::Uniform,
    StorageClass::StorageBuffer,
    StorageClass::Workgroup,
    StorageClass::CrossWorkgroup,
    StorageClass::Generic,
    StorageClass::AtomicCounter,
    StorageClass::Image,
    StorageClass::Function,
    StorageClass::PhysicalStorageBuffer,
    StorageClass::TaskPayloadWorkgroupEXT,
];

fn is_in_shared_memory(asked: &Asked<'_, '_>) -> Option<String> {
    let pointer = asked.facts(FIRST).filter(|facts| facts.kind == POINTER)?;
    let declared = &asked.context.declared;
    let found = ALLOWED.iter().find(|&&class| class as u32 == pointer.class);
    let is_private = found == Some(&StorageClass::Function) && declared.is_shader();
    if found.is_none() || is_private {
        return Some("atomics are not allowed in this storage class".to_owned());
    }
    let data = asked.about(pointer.part?);
    (data.kind & INT != 0 && data.width == 64 && declared.lacks(Capability::Int64Atomics))
        .then(|| "atomics of 64 bits need the capability Int64Atomics".to_owned())
}

fn is_short_vector(asked: &Asked<'_, '_>) -> bool {
    let is_vector =
        |facts: &super::facts::TypeFacts| facts.kind == FLOATS && facts.width == 16 && matches!(facts.count, 2 | 4);
    asked.context.declared.has(Capability::AtomicFloat16VectorNV) && asked.facts(RESULT).is_some_and(is_vector)
}

fn gives_a_number(asked: &Asked<'_, '_>) -> Option<String> {
    if is_short_vector(asked) { None } else { Is(RESULT, NUMBER).problem(asked) }
}

fn gives_a_float(asked: &Asked<'_, '_>) -> Option<String> {
    if is_short_vector(asked) { None } else { Is(RESULT, FLOAT).problem(asked) }
}

fn holds_a_number(asked: &Asked<'_, '_>) -> Option<String> {
    let part = asked.facts(FIRST).filter(|facts| facts.kind == POINTER)?.part?;
    (asked.about(part).kind & (NUMBER | OTHER) == 0)
        .then(|| format!("operand 0 should point to an integer or a float, found {}", asked.name(part)))
}

/// Floats of each width have separate capabilities.
fn is_declared(asked: &Asked<'_, '_>) -> Option<String> {
    let facts = asked.facts(RESULT).filter(|facts| facts.kind == FLOAT)?;
    let is_sum = asked.op == Op::AtomicFAddEXT;
    let wanted = match (facts.width, is_sum) {
        (16, true) => Capability::AtomicFloat16AddEXT,
        (32, true) => Capability::AtomicFloat32AddEXT,
        (64, true) => Capability::AtomicFloat64AddEXT,
        (16, false) => Capability::AtomicFloat16MinMaxEXT,
        (32, false) => Capability::AtomicFloat32MinMaxEXT,
        (64, false) => Capability::AtomicFloat64MinMaxEXT,
        _ => return None,
    };
    let declared = &asked.context.declared;
    (declared.is_shader() && declared.lacks(wanted)).then(|| format!("this atomic needs the capability {wanted:?}"))
}

fn is_a_flag(asked: &Asked<'_, '_>) -> Option<String> {
    let part = asked.facts(FIRST).filter(|facts| facts.kind == POINTER)?.part?;
    let facts = asked.about(part);
    let is_right = facts.kind == OTHER || facts.kind & (SIGNED | UNSIGNED) != 0 && facts.width == 32;
    (!is_right).then(|| format!("a flag should be an integer of 32 bits, found {}", asked.name(part)))
}
