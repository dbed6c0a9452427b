//! Extended instructions of OpenCL.std (its specification, section 2): part of T11.

use super::facts::{FLOAT, FLOATS, INT, INTS};
use super::rule::Check::{Bits, Is, Same};
use super::rule::{ALL, RESULT, Rule};

const OF_FLOATS: Rule = &[Is(RESULT, FLOAT | FLOATS), Same(ALL, RESULT)];
const OF_INTEGERS: Rule = &[Is(RESULT, INT | INTS), Same(ALL, RESULT)];
/// The same for words of 32 bits alone.
const OF_WORDS: Rule = &[Is(RESULT, INT | INTS), Bits(RESULT, &[32]), Same(ALL, RESULT)];
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
        _ => ANY,
    }
}
