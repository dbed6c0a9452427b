//! Extended instructions of OpenCL.std (its specification, section 2): part of T11.

use super::facts::{FLOAT, FLOATS, INT, INTS, OTHER, POINTER};
use super::rule::Check::{Bits, By, Is, Same};
use super::rule::{ALL, Asked, FIRST, RESULT, Rule};

const OF_FLOATS: Rule = &[Is(RESULT, FLOAT | FLOATS), Same(ALL, RESULT)];
const OF_INTEGERS: Rule = &[Is(RESULT, INT | INTS), Same(ALL, RESULT)];
/// The same for words of 32 bits alone.
const OF_WORDS: Rule = &[Is(RESULT, INT | INTS), Bits(RESULT, &[32]), Same(ALL, RESULT)];
/// Components put in another order: a vector of the same components as that which they come from.
const OF_VECTORS: Rule = &[Is(RESULT, FLOATS | INTS), Is(FIRST, FLOATS | INTS), By(has_its_components)];
const OF_POINTERS_TO_GLOBAL: Rule = &[Is(FIRST, POINTER), By(points_to_global)];
const SHUFFLE: u32 = 182;
const SHUFFLE_2: u32 = 183;
const PREFETCH: u32 = 185;
/// Nothing is asked.
const ANY: Rule = &[];

/// The rule of an instruction: what computes with values of one type. Of those that take pointers, or values of several types, nothing
/// is asked.
pub(super) const fn rule(number: u32) -> Rule {
    match number {
        // acos to fmod, but for what returns an exponent or takes a pointer.
        0..=29 | 32 | 35 | 37..=44 | 47 | 48 | 50 | 51 | 53 | 55..=57 | 59..=66 => OF_FLOATS,
        // half_cos to native_tan, fclamp to sign, normalize.
        67..=103 | 107 | 110 => OF_FLOATS,
        // s_abs to u_sub_sat, popcount, u_abs to u_mad_hi.
        141..=163 | 166 | 201..=204 => OF_INTEGERS,
        167..=170 => OF_WORDS,
        SHUFFLE | SHUFFLE_2 => OF_VECTORS,
        PREFETCH => OF_POINTERS_TO_GLOBAL,
        _ => ANY,
    }
}

fn has_its_components(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, from) = (asked.facts(RESULT)?, asked.facts(FIRST)?);
    (result.part != from.part && result.kind | from.kind != OTHER)
        .then(|| "the result should have components of the type of those of operand 0".to_owned())
}

fn points_to_global(asked: &Asked<'_, '_>) -> Option<String> {
    let class = asked.facts(FIRST).filter(|facts| facts.kind == POINTER)?.class;
    (class != spirv::StorageClass::CrossWorkgroup as u32).then(|| "operand 0 should point to global memory".to_owned())
}
