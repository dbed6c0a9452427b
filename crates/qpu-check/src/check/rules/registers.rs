//! Q03: the delay of the register files. AG100 section 3, "Register Files": a register that a word writes can be read by the second word
//! after it. Accumulators have no such delay. A register that a branch adds to its target is read like an operand.

use super::super::flow::Point;
use super::super::word::{File, Instruction};

pub(super) fn no_read_behind_write(word: &Instruction, point: &Point) -> Option<String> {
    let files = [(File::A, "ra", point.before.written[0]), (File::B, "rb", point.before.written[1])];
    files.into_iter().find_map(|(file, name, written)| {
        let register = word.used_register(file)?;
        (written >> register & 1 == 1).then(|| format!("reads {name}{register}, which the word before writes"))
    })
}
