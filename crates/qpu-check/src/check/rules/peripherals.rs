//! Q10, one access per word, and Q11, no access under a condition.
//!
//! AG100 section 3, "QPU Instruction Restrictions": of TMU, TLB, SFU, mutex and semaphore a word accesses one, once. vc4asm addendum,
//! "Concurrent access to VPM registers" and "No conditional write to peripheral registers": one word may contain a VPM read and a VPM
//! write, but no other two accesses to the VPM; a masked write still triggers the queue of the unit, with undefined lanes. No source allows
//! an access to the VPM together with one to another unit, so this is a fault.

use super::super::flow::Point;
use super::super::word::{Condition, File, Instruction, Part};
use super::first;

/// Q10.
pub(super) fn one_access(word: &Instruction, _: &Point) -> Option<String> {
    let writes = word.writes().filter(|part| is_shared_unit(part.address)).count();
    let reads = [41, 42, 51].into_iter().filter(|&address| word.reads(address)).count();
    let signals = usize::from(word.loads_r4()) + usize::from(word.is_semaphore());
    let (data, control) = vpm_accesses(word);
    let puts = word.writes().filter(|part| part.address == 48).count();
    first(&[
        (writes + reads + signals > 1, "accesses TMU, TLB, SFU, mutex or semaphore more than once"),
        (puts > 1, "writes to the VPM from both ALUs"),
        (control > 1 || (control == 1 && data > 0), "sets up or awaits the VPM beside another access to it"),
        (
            writes + reads + signals > 0 && data + control > 0,
            "accesses the VPM beside TMU, TLB, SFU, mutex or semaphore",
        ),
    ])
}

/// TLB with coordinates and masks of pixels, mutex, SFU, TMU.
fn is_shared_unit(address: u8) -> bool {
    matches!(address, 41..=47 | 51..)
}

/// Accesses to the VPM's data, and to its setups, addresses and waits. A read of one address through both files is one.
fn vpm_accesses(word: &Instruction) -> (usize, usize) {
    let is_control = |address: u8| matches!(address, 49 | 50);
    let data = word.writes().filter(|part| part.address == 48).count();
    let control = word.writes().filter(|part| is_control(part.address)).count();
    let [a, b] = [File::A, File::B].map(|file| word.read_address(file));
    let read = [a, b].into_iter().flatten().filter(|&address| is_control(address)).count();
    (data + usize::from(word.reads(48)), control + read)
}

/// Q11.
pub(super) fn no_condition(word: &Instruction, _: &Point) -> Option<String> {
    let is_conditional = |part: &&Part| match part.condition {
        Condition::Always => false,
        Condition::Never => is_triggered(part.address),
        // Lanes of r5 get the values of other lanes, whether or not these are written.
        _ => is_triggered(part.address) || part.address == 37,
    };
    word.writes().find(is_conditional).map(|part| {
        let condition = match part.condition {
            Condition::Never => "under no condition",
            Condition::Taken => "as the link of a branch",
            _ => "under a condition",
        };
        format!("writes to the peripheral at address {} {condition}", part.address)
    })
}

/// Addresses whose write starts an operation, or moves a queue.
fn is_triggered(address: u8) -> bool {
    matches!(address, 36 | 40..)
}
