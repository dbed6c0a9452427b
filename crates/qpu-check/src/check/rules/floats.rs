//! Q13: floats. AG100 section 3 and the vc4asm addendum, "no inf, nan, denormal support": denormals are zero, and values that are not
//! numbers have no meaning. The words show this for small immediates: 1 to 15 are denormals as floats, -16 to -1 are not numbers.

use super::super::flow::Point;
use super::super::word::{INPUT_B, Instruction, Part};
use super::first;

pub(super) fn immediates(word: &Instruction, _: &Point) -> Option<String> {
    let code = word.small_immediate()?;
    let takes = |part: &Part, is_float: bool| is_float && part.inputs.contains(&INPUT_B);
    let add = takes(&word.add, matches!(word.add.operation, 1..=6))
        || (word.add.operation == 7 && word.add.inputs[0] == INPUT_B);
    let is_taken = add || takes(&word.mul, word.mul.operation == 1);
    first(&[
        (is_taken && matches!(code, 1..=15), "takes an integer as a float, which is a denormal"),
        (is_taken && matches!(code, 16..=31), "takes an integer as a float, which is not a number"),
    ])
}
