//! Comparisons, boolean logic and selection (SPIR-V section 3.3.15): T02.

use super::facts::{
    ARRAY, BOOL, BOOLS, FLOAT, FLOATS, HANDLE, INT, INTS, MATRIX, OTHER, POINTER, SCALAR, STRUCT, VECTOR,
};
use super::rule::Check::{By, Count, Is, Same, Width};
use super::rule::{ALL, Asked, FIRST, RESULT, Rule, SECOND, THIRD, TypedPart};
use crate::declared::version;

/// `any` and `all`.
pub(super) const OF_BOOLEANS: Rule = &[Is(RESULT, BOOL), Is(FIRST, BOOLS)];
/// Predicates of one float.
pub(super) const TEST: Rule = &[Is(RESULT, BOOL | BOOLS), Is(FIRST, FLOAT | FLOATS), Count(FIRST, RESULT)];
/// Comparisons of floats of one type.
pub(super) const COMPARE_FLOATS: Rule =
    &[Is(RESULT, BOOL | BOOLS), Is(FIRST, FLOAT | FLOATS), Count(FIRST, RESULT), Same(SECOND, FIRST)];
/// Comparisons of integers of one width.
pub(super) const COMPARE_INTEGERS: Rule =
    &[Is(RESULT, BOOL | BOOLS), Is(ALL, INT | INTS), Count(ALL, RESULT), Width(SECOND, FIRST)];
/// Booleans in, booleans out.
pub(super) const LOGIC: Rule = &[Is(RESULT, BOOL | BOOLS), Same(ALL, RESULT)];
/// `select`.
pub(super) const SELECT: Rule =
    &[By(can_be_selected), Is(FIRST, BOOL | BOOLS), By(is_as_wide), Same(SECOND, RESULT), Same(THIRD, RESULT)];
/// Comparisons of pointers.
pub(super) const COMPARE_POINTERS: Rule = &[Is(RESULT, BOOL), Is(ALL, POINTER), By(point_alike)];
/// The difference of pointers.
pub(super) const POINTER_DIFFERENCE: Rule = &[Is(RESULT, INT), Is(ALL, POINTER), By(point_alike)];

/// Pointers of one type; an untyped pointer matches every pointer.
fn point_alike(asked: &Asked<'_, '_>) -> Option<String> {
    let is_untyped = |part: TypedPart| asked.facts(part).is_none_or(|facts| facts.kind == OTHER);
    if is_untyped(FIRST) || is_untyped(SECOND) { None } else { Same(SECOND, FIRST).problem(asked) }
}

/// Before SPIR-V 1.4 only scalars, vectors and pointers; composites since 1.4.
fn can_be_selected(asked: &Asked<'_, '_>) -> Option<String> {
    let (ty, facts) = (asked.type_of(RESULT)?, asked.facts(RESULT)?);
    let declared = &asked.context.declared;
    let composites = if declared.version >= version(1, 4) { ARRAY | MATRIX | STRUCT } else { 0 };
    let allowed = SCALAR | VECTOR | POINTER | OTHER | composites;
    let bindless = declared.has(spirv::Capability::BindlessTextureNV);
    let is_right = facts.kind & allowed != 0 || bindless && facts.kind & HANDLE == 0;
    if !is_right {
        return Some(format!("values of type {} cannot be selected in this version", asked.name(ty)));
    }
    let bars_pointers = declared.is_logical() && declared.lacks(spirv::Capability::VariablePointersStorageBuffer);
    (facts.kind == POINTER && bars_pointers).then(|| "pointers are selected with variable pointers only".to_owned())
}

fn is_as_wide(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, condition) = (asked.facts(RESULT)?, asked.facts(FIRST)?);
    let may_differ = asked.context.declared.version >= version(1, 4) && condition.kind != BOOLS;
    (result.kind != OTHER && result.count != condition.count && !may_differ)
        .then(|| "the condition should have as many components as the result".to_owned())
}
