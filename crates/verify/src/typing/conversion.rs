//! Conversions (SPIR-V section 3.3.11): T04.

use spirv::StorageClass;

use super::facts::{FLOAT, FLOATS, INT, INTS, NUMBER, NUMBERS, OTHER, POINTER, UNSIGNED, UNSIGNED_VECTOR};
use super::rule::Check::{Bits, By, Count, Is, OtherWidth, Same};
use super::rule::{Asked, FIRST, RESULT, Rule};
use crate::declared::version;

/// Floats to unsigned integers.
pub(super) const FLOAT_TO_UNSIGNED: Rule =
    &[Is(RESULT, UNSIGNED | UNSIGNED_VECTOR), Is(FIRST, FLOAT | FLOATS), Count(FIRST, RESULT), By(is_wide)];
/// Floats to signed integers, which need not be declared signed.
pub(super) const FLOAT_TO_SIGNED: Rule =
    &[Is(RESULT, INT | INTS), Is(FIRST, FLOAT | FLOATS), Count(FIRST, RESULT), By(is_wide)];
/// Integers to floats.
pub(super) const TO_FLOAT: Rule =
    &[Is(RESULT, FLOAT | FLOATS), Is(FIRST, INT | INTS), Count(FIRST, RESULT), By(is_wide)];
/// Unsigned integers of another width.
pub(super) const UNSIGNED_WIDTH: Rule =
    &[Is(RESULT, UNSIGNED | UNSIGNED_VECTOR), Is(FIRST, INT | INTS), Count(FIRST, RESULT), OtherWidth(FIRST, RESULT)];
/// Signed integers of another width.
pub(super) const SIGNED_WIDTH: Rule =
    &[Is(RESULT, INT | INTS), Is(FIRST, INT | INTS), Count(FIRST, RESULT), OtherWidth(FIRST, RESULT)];
/// Floats of another width.
pub(super) const FLOAT_WIDTH: Rule =
    &[Is(RESULT, FLOAT | FLOATS), Is(FIRST, FLOAT | FLOATS), Count(FIRST, RESULT), OtherWidth(FIRST, RESULT)];
/// `quantize_to_f16`.
pub(super) const QUANTIZE: Rule = &[Is(RESULT, FLOAT | FLOATS), Bits(RESULT, &[32]), Same(FIRST, RESULT)];
/// Saturating conversions between signed and unsigned.
pub(super) const SATURATING: Rule = &[Is(RESULT, INT | INTS), Is(FIRST, INT | INTS), Count(FIRST, RESULT)];
/// Pointers to integers.
pub(super) const POINTER_TO_INTEGER: Rule = &[Is(RESULT, UNSIGNED), Is(FIRST, POINTER), By(has_addresses)];
/// Integers to pointers.
pub(super) const INTEGER_TO_POINTER: Rule = &[Is(RESULT, POINTER), Is(FIRST, INT), By(has_addresses)];
/// To a pointer of class Generic.
pub(super) const TO_GENERIC: Rule = &[Is(RESULT, POINTER), Is(FIRST, POINTER), By(becomes_generic)];
/// From a pointer of class Generic.
pub(super) const FROM_GENERIC: Rule = &[Is(RESULT, POINTER), Is(FIRST, POINTER), By(was_generic)];
/// `bitcast`.
pub(super) const BITCAST: Rule = &[
    Is(RESULT, POINTER | NUMBER | NUMBERS),
    Is(FIRST, POINTER | NUMBER | NUMBERS),
    By(mixes_pointers_well),
    By(has_as_many_bits),
    By(is_wide),
];

const GENERIC: u32 = StorageClass::Generic as u32;

/// 8- and 16-bit types that can only be stored may change their width, and may not be converted otherwise.
fn is_wide(asked: &Asked<'_, '_>) -> Option<String> {
    let narrow = [RESULT, FIRST]
        .into_iter()
        .filter_map(|part| asked.type_of(part))
        .find(|&ty| asked.context.is_storage_only(ty));
    narrow.map(|ty| format!("values of type {} can only be stored or converted to another width", asked.name(ty)))
}

fn has_addresses(asked: &Asked<'_, '_>) -> Option<String> {
    let declared = &asked.context.declared;
    if declared.is_logical() {
        return Some("Logical addressing does not allow conversions between pointers and integers".to_owned());
    }
    let pointer =
        [RESULT, FIRST].into_iter().filter_map(|part| asked.facts(part)).find(|facts| facts.kind == POINTER)?;
    (declared.is_physical_storage_buffer() && pointer.class != StorageClass::PhysicalStorageBuffer as u32)
        .then(|| "only pointers of class PhysicalStorageBuffer can be converted to and from integers here".to_owned())
}

fn becomes_generic(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, source) = (asked.facts(RESULT)?, asked.facts(FIRST)?);
    is_cast(asked, result, source)
}

fn was_generic(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, source) = (asked.facts(RESULT)?, asked.facts(FIRST)?);
    is_cast(asked, source, result)
}

fn is_cast(
    asked: &Asked<'_, '_>,
    generic: &super::facts::TypeFacts,
    special: &super::facts::TypeFacts,
) -> Option<String> {
    if generic.kind == OTHER || special.kind == OTHER {
        return None;
    }
    let is_concrete = [StorageClass::Workgroup, StorageClass::CrossWorkgroup, StorageClass::Function]
        .iter()
        .any(|&class| class as u32 == special.class);
    if generic.class != GENERIC || !is_concrete {
        return Some(
            "one pointer should have class Generic, and the other Workgroup, CrossWorkgroup or Function".to_owned(),
        );
    }
    (generic.part != special.part).then(|| {
        let name = |part: Option<reconverge_ir::Inst>| part.map_or_else(String::new, |part| asked.name(part));
        format!("both pointers should point to the same type, found {} and {}", name(generic.part), name(special.part))
    })
}

fn mixes_pointers_well(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, source) = (asked.facts(RESULT)?, asked.facts(FIRST)?);
    let other = match (result.kind, source.kind) {
        (POINTER, POINTER) => return None,
        (POINTER, _) => source,
        (_, POINTER) => result,
        _ => return None,
    };
    let declared = &asked.context.declared;
    let takes_words = declared.version >= version(1, 5) || declared.has_extension("SPV_KHR_physical_storage_buffer");
    let is_right = other.kind & (INT | OTHER) != 0 || takes_words && other.kind & INTS != 0 && other.width == 32;
    (!is_right).then(|| "a pointer can be cast to and from pointers and integers only".to_owned())
}

fn has_as_many_bits(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, source) = (asked.facts(RESULT)?, asked.facts(FIRST)?);
    let are_numbers = (result.kind | source.kind) & !(NUMBER | NUMBERS) == 0;
    let [bits, expected] = [source, result].map(|facts| u64::from(facts.width) * u64::from(facts.count));
    (are_numbers && bits != expected)
        .then(|| format!("the operand should have {expected} bits, as the result has, found {bits}"))
}
