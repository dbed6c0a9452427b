//! Q07: uniforms. AG100 section 3, "Uniforms": after a write of the uniforms' address, two words read no uniform. A word reads one uniform
//! at most: both files deliver the same, so this needs no rule.

use super::super::flow::Point;
use super::super::word::Instruction;

pub(super) fn no_read_behind_address(word: &Instruction, point: &Point) -> Option<String> {
    let words = point.before.since_uniform_address.words();
    let message = || format!("reads a uniform {words} behind a new address of the uniforms, and three is the least");
    (word.reads(32) && words < 3).then(message)
}
