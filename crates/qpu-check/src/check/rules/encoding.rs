//! E01, E02 and E09: codes, addresses and signals that have no meaning in a program that computes. AG100 section 3, Tables 2 to 14.

use super::super::flow::Point;
use super::super::word::{File, Form, Instruction};
use super::first;

/// E01.
pub(super) fn reserved_codes(word: &Instruction, _: &Point) -> Option<String> {
    match word.form {
        Form::Alu => first(&[
            (matches!(word.add.operation, 9..=11 | 25..=29), "a reserved operation of the adder"),
            (has_reserved_pack(word), "a reserved pack of the multiplier"),
        ]),
        Form::Load { mode } => first(&[
            (!matches!(mode, 0 | 1 | 3 | 4), "a reserved mode of a load"),
            (has_reserved_pack(word), "a reserved pack of the multiplier"),
        ]),
        Form::Branch(branch) => first(&[
            (matches!(branch.condition, 12..=14), "a reserved condition of a branch"),
            (branch.reserved != 0, "reserved bits of a branch"),
        ]),
    }
}

fn has_reserved_pack(word: &Instruction) -> bool {
    word.pm && !matches!(word.pack, 0 | 3..=7)
}

/// E02. All addresses can be written.
pub(super) fn reserved_addresses(word: &Instruction, _: &Point) -> Option<String> {
    [File::A, File::B].into_iter().find_map(|file| {
        if word.takes_nothing_from(file) {
            return Some(format!("takes an operand from file {file:?} and reads no register there"));
        }
        let address = word.read_address(file)?;
        let is_readable = matches!(address, 0..=32 | 35 | 38 | 39 | 41 | 42 | 48..=51);
        (!is_readable).then(|| format!("reads address {address} of file {file:?}, where no register is"))
    })
}

/// E09: breakpoint, scoreboard, tile buffer, and the thread switch of shaders; varyings, coordinates and masks of pixels.
pub(super) fn pixels(word: &Instruction, _: &Point) -> Option<String> {
    if word.is_alu() && matches!(word.signal, 0 | 2 | 4..=9 | 12) {
        return Some(format!("gives signal {}, which is of programs for pixels", word.signal));
    }
    let written = word.writes().map(|part| part.address).find(|address| matches!(address, 41..=47));
    let read = || [35, 41, 42].into_iter().find(|&address| word.reads(address));
    let address = written.or_else(read)?;
    Some(format!("uses address {address}, which is of programs for pixels"))
}
