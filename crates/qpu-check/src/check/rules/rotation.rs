//! Q09: rotations of the multiplier. AG100 section 3, "Horizontal Vector Rotation": a full rotation has operands from r0 to r3 (others
//! rotate within quads, as the vc4asm addendum measured), and the word before writes none of them; nor does it write r5 if that is the
//! amount.

use super::super::flow::Point;
use super::super::word::{INPUT_B, Instruction};
use super::first;

pub(super) fn sources(word: &Instruction, point: &Point) -> Option<String> {
    let amount = word.rotation()?;
    if word.mul.operation == 0 {
        return None;
    }
    let is_written = |accumulator: u8| point.before.written_accumulators >> accumulator & 1 == 1;
    let sources = word.mul.inputs;
    let is_new = sources.iter().any(|&input| input < 4 && is_written(input));
    first(&[
        (sources.iter().any(|&input| input >= 4 && input != INPUT_B), "rotates an operand that is none of r0 to r3"),
        (is_new, "rotates an accumulator that the word before writes"),
        (amount == 0 && is_written(5), "rotates by r5, which the word before writes"),
    ])
}
