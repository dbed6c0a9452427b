//! E08: the one mutex of all QPUs. AG100 section 3, "Mutex": a read waits for it, so a second read by its owner waits forever. A program
//! that acquires it anywhere shares the VPM with others, so that all use of the VPM needs it: setups are shared by all QPUs.

use super::super::flow::{Pending, Point};
use super::super::word::Instruction;
use super::first;

pub(super) fn is_taken_in_turn(word: &Instruction, point: &Point) -> Option<String> {
    let acquires = word.reads(51);
    let releases = word.writes().any(|part| part.address == 51);
    let before = point.before.mutex;
    let uses_vpm = word.reads(48) || word.writes().any(|part| matches!(part.address, 48..=50));
    let is_at_end = word.ends_program() || matches!(point.pending, Pending::End { .. });
    let is_held_at_end = word.ends_program() && before.may_be_held && !releases;
    first(&[
        (acquires && before.may_be_held, "acquires the mutex, which it may hold already"),
        (releases && !acquires && before.may_be_free, "releases the mutex, which it may not hold"),
        (uses_vpm && before.is_used && before.may_be_free, "uses the VPM, and may not hold the mutex"),
        (is_held_at_end, "ends the program and may hold the mutex"),
        (acquires && is_at_end, "acquires the mutex at the program end"),
    ])
}
