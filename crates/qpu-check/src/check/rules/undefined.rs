//! E07: registers are undefined when a program begins, and r4 until something loads it. A write under a condition counts: a program that reads
//! lanes that nobody wrote may not use them.

use super::super::flow::Point;
use super::super::word::{File, INPUT_A, INPUT_B, Instruction};

pub(super) fn registers_have_values(word: &Instruction, point: &Point) -> Option<String> {
    let defined = point.before.defined;
    let missing = |file: File, name: &str, input: u8| {
        let register = word.used_register(file)?;
        let matters = !word.is_alu() || word.dependencies().any(|used| used == input);
        let is_defined = defined.files[file as usize] >> register & 1 == 1;
        (matters && !is_defined).then(|| format!("reads {name}{register}, which some path leaves undefined"))
    };
    let amount = (word.rotation() == Some(0) && word.mul.operation != 0).then_some(5);
    let accumulators = word.dependencies().filter(|&input| input < INPUT_A).chain(amount);
    let missing_accumulator = || {
        let mut undefined = accumulators.filter(|&accumulator| defined.accumulators >> accumulator & 1 == 0);
        undefined.next().map(|accumulator| format!("reads r{accumulator}, which some path leaves undefined"))
    };
    missing(File::A, "ra", INPUT_A).or_else(|| missing(File::B, "rb", INPUT_B)).or_else(missing_accumulator)
}
