//! Damaged files: each is read or refused, never more; what is read can be written and read again.

use crate::common::{Numbers, assemble, kernel, shader};
use reconverge_diagnostic::Place;
use reconverge_spirv::{Merges, ReadOptions, WriteOptions, read, write};

const ROUNDS: usize = 2_000;

fn seeds() -> Vec<Vec<u8>> {
    vec![
        shader(
            "%20 = Label\nBranch %21\n%21 = Label\n%22 = Phi %4 %6 %20 %25 %24\n%23 = ULessThan %3 %22 %8\nLoopMerge %26 %24 0
             BranchConditional %23 %27 %26\n%27 = Label\nBranch %24\n%24 = Label\n%25 = IAdd %4 %22 %7\nBranch %21\n%26 = Label\nReturn",
        ),
        kernel(
            "%20 = Label\nBranchConditional %5 %21 %22\n%21 = Label\n%23 = Phi %4 %6 %20 %24 %22\nBranchConditional %5 %22 %22
             %22 = Label\n%24 = Phi %4 %7 %20 %23 %21\nSwitch %24 %21 1 %25 2 %25\n%25 = Label\n%26 = Phi %4 %24 %22\nReturn",
        ),
        assemble(
            3,
            "Capability 1\nMemoryModel 0 1\nName %3 \"name\"\nDecorate %5 6 16\nMemberDecorate %4 0 35 0\nTypeForwardPointer %3 5349
             %1 = TypeVoid\n%2 = TypeInt 32 0\n%6 = Constant %2 4\n%5 = TypeArray %3 %6\n%4 = TypeStruct %5\n%3 = TypePointer 5349 %4
             %7 = SpecConstantOp %2 128 %6 %6\n%8 = TypePointer 6 %2\n%9 = Variable %8 6 %6",
        ),
    ]
}

fn damage(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    let words = bytes.len() / 4;
    let at = numbers.below(words) * 4;
    match numbers.below(6) {
        0 => {
            let byte = numbers.below(bytes.len());
            bytes[byte] ^= 1 << numbers.below(8);
        }
        1 => bytes[at..at + 4].copy_from_slice(&(numbers.below(40) as u32).to_le_bytes()),
        2 => {
            let from = numbers.below(words) * 4;
            bytes.copy_within(from..from + 4, at);
        }
        3 => drop(bytes.drain(at..at + 4)),
        4 => {
            let from = numbers.below(words) * 4;
            let moved = bytes[from..bytes.len().min(from + 4 * numbers.below(8))].to_vec();
            bytes.splice(at..at, moved);
        }
        _ if numbers.below(8) == 0 => bytes.truncate(at),
        _ => bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes()),
    }
}

#[test]
fn damaged_files_are_read_or_refused() {
    let mut numbers = Numbers(0x5eed_0001);
    let seeds = seeds();
    let mut read_well = 0;
    for round in 0..ROUNDS {
        let mut bytes = seeds[round % seeds.len()].clone();
        for _ in 0..1 + numbers.below(3) {
            if bytes.len() >= 8 {
                damage(&mut bytes, &mut numbers);
            }
        }
        for merges in [Merges::Keep, Merges::Strip] {
            let options = ReadOptions { merges };
            let module = match read(&bytes, &options) {
                Ok(module) => module,
                Err(error) => {
                    let Place::Word(word) = error.place else { panic!("round {round}: {error}") };
                    assert!(word <= bytes.len() / 4, "round {round}: {error}");
                    continue;
                }
            };
            read_well += 1;
            let written = write(&module, &WriteOptions::default());
            let written = written.unwrap_or_else(|error| panic!("round {round}: {error}"));
            read(&written, &options).unwrap_or_else(|error| panic!("round {round}: {error}"));
        }
    }
    assert!(read_well > ROUNDS / 20, "the damage leaves too little to read: {read_well}");
}
