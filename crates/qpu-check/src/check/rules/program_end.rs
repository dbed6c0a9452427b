//! Q05: the program end. AG100 section 3, "QPU Instruction Restrictions": the word that ends the program writes no register of a file; it
//! and the two delay slots after it read no uniform and no varying, use neither VPM nor its DMA, and do not use address 14 of a file. A
//! write under the condition never counts too: no source excludes it.

use super::super::flow::{Pending, Point};
use super::super::word::{File, Instruction};
use super::first;

pub(super) fn leaves_state_alone(word: &Instruction, point: &Point) -> Option<String> {
    let is_slot = matches!(point.pending, Pending::End { .. });
    let is_end = word.ends_program();
    if !is_end && !is_slot {
        return None;
    }
    let writes_file = word.writes().any(|part| part.address < 32);
    first(&[
        (is_end && matches!(point.pending, Pending::Branch { .. }), "ends the program in a delay slot of a branch"),
        (is_end && is_slot, "ends the program in a delay slot of a program end"),
        (is_slot && word.branch().is_some(), "branches in a delay slot of the program end"),
        (is_end && writes_file, "ends the program and writes a register of a file"),
        (reads_any(word, &[32, 35]), "reads a uniform or a varying at the program end"),
        (uses_vpm(word), "uses the VPM at the program end"),
        (touches_14(word), "uses address 14 of a register file at the program end"),
    ])
}

fn reads_any(word: &Instruction, addresses: &[u8]) -> bool {
    addresses.iter().any(|&address| word.reads(address))
}

fn uses_vpm(word: &Instruction) -> bool {
    reads_any(word, &[48, 49, 50]) || word.writes().any(|part| matches!(part.address, 48..=50))
}

fn touches_14(word: &Instruction) -> bool {
    let is_used = |file| word.used_register(file) == Some(14);
    is_used(File::A) || is_used(File::B) || word.writes().any(|part| part.address == 14)
}
