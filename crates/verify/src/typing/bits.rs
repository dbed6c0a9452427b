//! Shifts and bit operations (SPIR-V section 3.3.14): T03.

use super::facts::{INT, INTS};
use super::rule::Check::{Count, Is, Same, Width};
use super::rule::{ALL, FIRST, FOURTH, RESULT, Rule, SECOND, THIRD};

/// Shifts: the amount may be of another width.
pub(super) const SHIFT: Rule = &[Is(RESULT, INT | INTS), Is(ALL, INT | INTS), Count(ALL, RESULT), Width(FIRST, RESULT)];
/// Integers in, integers out, of the same number of components and width.
pub(super) const BITWISE: Rule = &[Is(RESULT, INT | INTS), Is(ALL, INT | INTS), Count(ALL, RESULT), Width(ALL, RESULT)];
/// `bit_field_insert`.
pub(super) const INSERT: Rule =
    &[Is(FIRST, INT | INTS), Same(FIRST, RESULT), Same(SECOND, RESULT), Is(THIRD, INT), Is(FOURTH, INT)];
/// `bit_field_*_extract`.
pub(super) const EXTRACT: Rule = &[Is(FIRST, INT | INTS), Same(FIRST, RESULT), Is(SECOND, INT), Is(THIRD, INT)];
/// `bit_reverse`.
pub(super) const REVERSE: Rule = &[Is(FIRST, INT | INTS), Same(FIRST, RESULT)];
/// `bit_count`.
pub(super) const COUNT: Rule = &[Is(RESULT, INT | INTS), Is(FIRST, INT | INTS), Count(FIRST, RESULT)];
