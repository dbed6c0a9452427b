//! The vertex pipe memory and its DMA: where elements lie in each mode.

use reconverge_qpu_emulate::{DMA_LATENCY, Launch, Memory, run};

use crate::assemble::*;

const HORIZONTAL: u32 = 1 << 11;
const LANED: u32 = 1 << 10;
const BYTES: u32 = 0;
const HALVES: u32 = 1 << 8;
const WORDS: u32 = 2 << 8;
const STRIDE: u32 = 1 << 12;

/// Writes zeros to all rows.
fn clear() -> Vec<Word> {
    let mut program = vec![load(SETUP, STRIDE | HORIZONTAL | WORDS).swap(), load(R0, 0)];
    program.extend([copy(VPM, 0); 64]);
    program
}

/// Stores all 64 rows of 16 words to the output.
fn dump() -> Vec<Word> {
    vec![
        load(SETUP, 0x8000_0000 | 64 << 23 | 16 << 16 | 1 << 14).swap(),
        load(SETUP, 0xC000_0000).swap(),
        load(DMA, OUTPUT).swap(),
        nop().read_b(DMA),
    ]
}

/// The bytes of the VPM after a program.
fn image(program: &[Word], memory: &mut Memory) -> Vec<u8> {
    let program = [&clear(), program, &dump()].concat();
    run_one(&program, &[], memory).expect("a program that keeps the rules");
    memory.bytes(OUTPUT).expect("the output")[..4096].to_vec()
}

/// The expected image: bytes at positions (row, byte).
fn bytes_at(bytes: impl Iterator<Item = (usize, usize, u8)>) -> Vec<u8> {
    let mut image = vec![0; 4096];
    for (row, byte, value) in bytes {
        image[row * 64 + byte] = value;
    }
    image
}

/// Writes element + 0x101 through a setup. The bytes are (1 + element, 1), so halves differ from bytes.
fn written(setup: u32) -> Vec<u8> {
    let program = [
        load(R1, 0x101),
        nop().add(ADD, R1, 1, FILE_A).read_a(ELEMENT),
        load(SETUP, STRIDE | setup).swap(),
        copy(VPM, 1),
    ];
    image(&program, &mut memory(&[]))
}

/// The expected image of `written`: the first byte of each element, given by (row, byte), and its size.
fn elements(size: usize, place: impl Fn(usize) -> (usize, usize)) -> Vec<u8> {
    bytes_at((0..16).flat_map(|element| {
        let (row, byte) = place(element);
        let low = (row, byte, 1 + element as u8);
        let high = (row, byte + 1, 1);
        [Some(low), (size > 1).then_some(high)].into_iter().flatten()
    }))
}

#[test]
fn vectors_lie_in_rows() {
    assert_eq!(written(HORIZONTAL | WORDS | 63), elements(4, |element| (63, element * 4)));
    assert_eq!(written(HORIZONTAL | HALVES | 5 << 1), elements(2, |element| (5, element * 2)));
    assert_eq!(written(HORIZONTAL | HALVES | 5 << 1 | 1), elements(2, |element| (5, 32 + element * 2)));
    assert_eq!(written(HORIZONTAL | BYTES | 9 << 2 | 3), elements(1, |element| (9, 48 + element)));
    assert_eq!(written(HORIZONTAL | LANED | HALVES | 5 << 1 | 1), elements(2, |element| (5, element * 4 + 2)));
    assert_eq!(written(HORIZONTAL | LANED | BYTES | 5 << 2 | 2), elements(1, |element| (5, element * 4 + 2)));
    assert_eq!(written(HORIZONTAL | LANED | WORDS | 5), elements(4, |element| (5, element * 4)));
}

#[test]
fn vectors_lie_in_columns() {
    assert_eq!(written(WORDS | 2 << 4 | 7), elements(4, |element| (32 + element, 28)));
    let packed_half = |element: usize| (16 + 8 + element / 2, 3 * 4 + element % 2 * 2);
    assert_eq!(written(HALVES | 1 << 5 | 3 << 1 | 1), elements(2, packed_half));
    let packed_byte = |element: usize| (48 + 8 + element / 4, 15 * 4 + element % 4);
    assert_eq!(written(BYTES | 3 << 6 | 15 << 2 | 2), elements(1, packed_byte));
    assert_eq!(written(LANED | HALVES | 3 << 1 | 1), elements(2, |element| (element, 3 * 4 + 2)));
    assert_eq!(written(LANED | BYTES | 3 << 2 | 1), elements(1, |element| (element, 3 * 4 + 1)));
}

#[test]
fn reading_gives_what_was_written() {
    let shapes =
        [HORIZONTAL | WORDS, WORDS, HORIZONTAL | HALVES, HALVES, LANED | HALVES, BYTES, HORIZONTAL | LANED | BYTES];
    for shape in shapes {
        // Two vectors with stride 2, then both are read.
        let program = [
            load(SETUP, 2 << 12 | shape | 1).swap(),
            load(R1, 0xE0E0_E0E0),
            nop().add(ADD, R1, 1, FILE_A).read_a(ELEMENT),
            copy(VPM, 1),
            nop().add(ADD, VPM, 1, FILE_B).immediate(1),
            load(SETUP, 2 << 20 | 2 << 12 | shape | 1),
            nop(),
            nop(),
            nop(),
            copy_a(R2, VPM),
            copy_b(R3, VPM),
            nop().add(SUB, R3, 3, 2),
            // Bits of the first vector in the upper half.
            load(R0, 16),
            nop().add(SHL, R2, 2, 0),
            nop().add(OR, R3, 3, 2),
        ];
        let first = match shape & 3 << 8 {
            WORDS => 0xE0E0_E0E0,
            HALVES => 0xE0E0,
            _ => 0x00E0,
        };
        let expected = std::array::from_fn(|lane| (first + lane as u32) << 16 | 1);
        assert_eq!(evaluate(&[], &program), expected, "{shape:x}");
    }
}

#[test]
fn reading_and_writing_data_go_together() {
    let program = [
        load(SETUP, STRIDE | HORIZONTAL | WORDS | 3).swap(),
        load(VPM, 77),
        load(SETUP, 1 << 20 | STRIDE | HORIZONTAL | WORDS | 3),
        nop(),
        nop(),
        nop(),
        copy_a(VPM, VPM),
        load(SETUP, 1 << 20 | STRIDE | HORIZONTAL | WORDS | 4),
        nop(),
        nop(),
        nop(),
        copy_a(R3, VPM),
    ];
    assert_eq!(evaluate(&[], &program), [77; 16]);
}

/// Rows 0 to 63 of the VPM with word x of row y = y << 8 | x, by DMA from the input.
fn fill() -> (Vec<Word>, Vec<u32>) {
    let input = (0..64 * 16).map(|index| ((index / 16) << 8) | (index % 16)).collect();
    let mut program = vec![load(SETUP, 0x9000_0000 | 64)];
    for part in 0..4 {
        program.push(load(SETUP, 0x8000_0000 | 1 << 12 | part << 8));
        program.push(load(DMA, INPUT + part * 1024));
        program.push(nop().read_a(DMA));
    }
    (program, input)
}

fn stored(setup: u32, stride: u32, length: usize) -> Vec<u8> {
    let (mut program, input) = fill();
    program.extend([
        load(SETUP, 0x8000_0000 | setup).swap(),
        load(SETUP, 0xC000_0000 | stride).swap(),
        load(DMA, OUTPUT).swap(),
        nop().read_b(DMA),
    ]);
    let mut memory = memory(&input);
    run_one(&program, &[], &mut memory).expect("a program that keeps the rules");
    let bytes = memory.bytes(OUTPUT).expect("the output");
    assert!(bytes[length..].iter().all(|&byte| byte == 0));
    bytes[..length].to_vec()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn stores_take_blocks() {
    let block = |units: u32, depth: u32, y: u32, x: u32| units << 23 | depth << 16 | y << 7 | x << 3;
    let horizontal = 1 << 14;
    let expected = words(&[0x502, 0x503, 0x504, 0x602, 0x603, 0x604]);
    assert_eq!(stored(block(2, 3, 5, 2) | horizontal, 0, 24), expected);
    let expected = words(&[0x502, 0, 0, 0x602]);
    assert_eq!(stored(block(2, 1, 5, 2) | horizontal, 8, 16), expected);
    let expected = words(&[0x502, 0x602, 0x702, 0x503, 0x603, 0x703]);
    assert_eq!(stored(block(2, 3, 5, 2), 0, 24), expected);
    // Halves and bytes: packed in a row, from the half or byte that the mode selects.
    assert_eq!(stored(block(1, 3, 5, 2) | horizontal | 2, 0, 6), [2, 5, 0, 0, 3, 5]);
    assert_eq!(stored(block(1, 3, 5, 2) | horizontal | 3, 0, 6), [0, 0, 3, 5, 0, 0]);
    assert_eq!(stored(block(1, 4, 5, 2) | horizontal | 5, 0, 4), [5, 0, 0, 3]);
    // Laned: one of each word.
    assert_eq!(stored(block(1, 3, 5, 2) | horizontal | 1 << 15 | 2, 0, 6), [2, 5, 3, 5, 4, 5]);
    assert_eq!(stored(block(1, 3, 5, 2) | horizontal | 1 << 15 | 5, 0, 3), [5, 5, 5]);
    // In a column.
    assert_eq!(stored(block(1, 3, 5, 2) | 2, 0, 6), [2, 5, 0, 0, 2, 6]);
    assert_eq!(stored(block(2, 2, 5, 2) | 1 << 15 | 4, 1, 6), [2, 2, 0, 3, 3, 0]);
    // A field of 0 is 128.
    assert_eq!(stored(block(1, 64, 5, 0) | horizontal | 4, 0, 64)[..8], [0, 5, 0, 0, 1, 5, 0, 0]);
}

fn loaded(setup: u32, pitch: Option<u32>) -> Vec<u8> {
    // Byte i of the input is i.
    let input: Vec<u32> = (0..256).map(|index| 0x0302_0100 + 0x0404_0404 * (index % 64)).collect();
    let mut program = vec![load(SETUP, 0x8000_0000 | setup), load(DMA, INPUT), nop().read_a(DMA)];
    if let Some(pitch) = pitch {
        program.insert(0, load(SETUP, 0x9000_0000 | pitch));
    }
    image(&program, &mut memory(&input))
}

#[test]
fn loads_place_blocks() {
    let block =
        |length: u32, rows: u32, pitch: u32, y: u32, x: u32| length << 20 | rows << 16 | pitch << 12 | y << 4 | x;
    let vertical = 1 << 11;
    let run = |row: usize, byte: usize, values: std::ops::Range<u8>| {
        values.enumerate().map(move |(index, value)| (row, byte + index, value))
    };
    // Two rows of two words, 16 bytes apart in memory, two rows apart in the VPM.
    let expected = bytes_at(run(5, 12, 0..8).chain(run(7, 12, 16..24)));
    assert_eq!(loaded(block(2, 2, 2, 5, 3) | 1 << 24, None), expected);
    assert_eq!(loaded(block(2, 2, 2, 5, 3), Some(16)), expected);
    // Down a column.
    let expected =
        bytes_at(run(5, 12, 0..4).chain(run(6, 12, 4..8)).chain(run(7, 12, 12..16)).chain(run(8, 12, 16..20)));
    assert_eq!(loaded(block(2, 2, 2, 5, 3) | vertical, Some(12)), expected);
    // Halves from the upper half of word 3; the pitch of 3 halves leads to the lower half of the word two rows down.
    let expected = bytes_at(run(5, 14, 0..6).chain(run(7, 12, 10..16)));
    assert_eq!(loaded(block(3, 2, 3, 5, 3) | 3 << 28, Some(10)), expected);
    // Bytes.
    let expected = bytes_at(run(5, 13, 0..3).chain(run(6, 12, 8..11)));
    assert_eq!(loaded(block(3, 2, 3, 5, 3) | 5 << 28, Some(8)), expected);
    // Fields of 0 are 16.
    let expected = bytes_at(
        (0..4)
            .flat_map(|row| run(row * 16, 0, (row * 64) as u8..(row * 64 + 63) as u8))
            .chain((0..4).map(|row| (row * 16, 63, (row * 64 + 63) as u8))),
    );
    assert_eq!(loaded(block(0, 4, 0, 0, 0), Some(64)), expected);
}

#[test]
fn waiting_takes_the_time_of_the_transfer() {
    let report = run_one(&store_r3(0), &[], &mut memory(&[])).unwrap();
    assert_eq!(report.stalled[4], DMA_LATENCY + 4 - 1);
    // Or the program asks whether the unit is busy.
    let poll = [&store_r3(0)[..4], &[copy_b(NONE, SETUP).flags(), branch(1, -5), nop(), nop(), nop()]].concat();
    let report = run_one(&poll, &[], &mut memory(&[])).unwrap();
    assert!(report.taken[5] >= 2);
}

#[test]
fn early_reads_may_wait() {
    let program = [
        load(SETUP, STRIDE | HORIZONTAL | WORDS | 3).swap(),
        load(VPM, 77),
        load(SETUP, 1 << 20 | STRIDE | HORIZONTAL | WORDS | 3),
        copy_a(R3, VPM),
    ];
    let words = finish(&[&program[..], &store_r3(0)].concat());
    let uniforms = [vec![]];
    let mut launch = Launch::new(&words, &uniforms);
    launch.waits_for_vpm = true;
    let mut memory = memory(&[]);
    let report = run(&launch, &mut memory).unwrap();
    assert_eq!(output(&memory, 0), [77; 16]);
    assert_eq!(report.stalled[3], 3);
}
