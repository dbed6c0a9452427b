//! Q01, operands, and Q02, results. AG100 section 3, "ALU Instructions" and "Pack/Unpack Bits".

use super::super::flow::Point;
use super::super::word::{Condition, File, INPUT_A, INPUT_B, Instruction, Part};
use super::first;

/// Q01: a word has one address of each file, and a small immediate replaces that of file B. So no word reads two registers of one file. A
/// word can only be wrong by an operand from file B where the immediate is a rotation.
pub(super) fn one_of_each_file(word: &Instruction, _: &Point) -> Option<String> {
    let takes_rotation = word.rotation().is_some() && word.inputs().any(|input| input == INPUT_B);
    first(&[(takes_rotation, "takes an operand from file B, whose place has a rotation")])
}

/// Q02: the two ALUs write different places and have something to write; a pack has a write that it can apply to, and an unpack a read.
pub(super) fn results(word: &Instruction, _: &Point) -> Option<String> {
    first(&[
        (meet(&word.add, &word.mul), "writes one place from both ALUs"),
        (word.effective_writes().any(|part| word.is_alu() && part.operation == 0), "writes the result of no operation"),
        (!word.pm && word.pack != 0 && !writes_file_a(word), "packs a write to file A and has none"),
        (
            word.pm && matches!(word.pack, 4..=7) && !takes_bytes(word.mul.address),
            "packs a byte for r5 or a peripheral",
        ),
        (word.unpack != 0 && !unpacks(word), "unpacks an operand and has none"),
    ])
}

/// Returns whether single bytes can be written at an address: in registers and in r0 to r3, and nowhere if there is no target.
fn takes_bytes(address: u8) -> bool {
    matches!(address, 0..=35 | 39)
}

/// Returns whether two writes have the same target in both files. Opposite conditions keep them apart. For peripherals, the rule about the
/// number of accesses applies instead.
fn meet(add: &Part, mul: &Part) -> bool {
    let is_shared = matches!(add.address, 32..=38);
    let is_apart = match (add.condition, mul.condition) {
        (Condition::Never, _) | (_, Condition::Never) => true,
        (Condition::Flags(add), Condition::Flags(mul)) => add ^ mul == 1,
        _ => false,
    };
    add.address == mul.address && is_shared && !is_apart
}

fn writes_file_a(word: &Instruction) -> bool {
    word.writes().any(|part| part.file == File::A && part.address < 32)
}

fn unpacks(word: &Instruction) -> bool {
    match word.pm {
        true => word.inputs().any(|input| input == 4),
        false => word.used_register(File::A).is_some() && word.inputs().any(|input| input == INPUT_A),
    }
}
