//! Q12: the flags. AG100 section 3, "Condition Codes", with the vc4asm addendum: the flags come from the adder, or from the multiplier if
//! the adder does nothing, and only in lanes where the condition of that ALU holds. At the start they are undefined, and a taken branch to
//! an odd register makes them unusable.

use super::super::flow::Point;
use super::super::word::Instruction;
use super::first;

pub(super) fn are_set(word: &Instruction, point: &Point) -> Option<String> {
    let sets_nothing = word.sets_flags && word.branch().is_none() && !word.gives_flags();
    first(&[
        (word.uses_flags() && !point.before.has_flags, "uses flags that some path leaves undefined"),
        (sets_nothing, "sets the flags from no result"),
    ])
}
