//! E07: registers are undefined when a program begins, and r4 until something loads it. A copy of an undefined register is undefined too,
//! and no fault. A register is defined if some path writes some lane: on the other paths, and in the other lanes, a program with masks
//! computes values that it does not use.

use super::super::flow::Point;
use super::super::word::{File, INPUT_A, INPUT_B, Instruction};

pub(super) fn registers_have_values(word: &Instruction, point: &Point) -> Option<String> {
    let defined = point.before.defined;
    let amount = (word.rotation() == Some(0) && word.mul.operation != 0).then_some(5);
    let of_branch = word.branch().is_some().then_some(INPUT_A);
    let mut inputs = word.dependencies().chain(amount).chain(of_branch);
    let undefined = inputs.find(|&input| !defined.has(word, input))?;
    let name = match undefined {
        INPUT_A => format!("ra{}", word.used_register(File::A)?),
        INPUT_B => format!("rb{}", word.used_register(File::B)?),
        accumulator => format!("r{accumulator}"),
    };
    Some(format!("reads {name}, which no path writes"))
}
