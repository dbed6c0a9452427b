//! Pack and unpack modes.

use crate::assemble::*;

/// Packs the argument into register 3 of file A over 0xEEEEEEEE.
fn packed(mode: u64, word: u32, compute: impl Fn(Word) -> Word) -> u32 {
    let program = [load(3, 0xEEEE_EEEE), compute(nop()).pack(mode), nop(), copy_a(R3, 3)];
    let lanes = evaluate(&[[word; 16]], &program);
    assert_eq!(lanes, [lanes[0]; 16]);
    lanes[0]
}

fn packed_integer(mode: u64, word: u32) -> u32 {
    packed(mode, word, |word| word.add(OR, 3, 0, 0))
}

#[test]
fn integers_into_file_a() {
    let cases = [
        (0, 0x8123_4567, 0x8123_4567),
        (1, 0x8123_4567, 0xEEEE_4567),
        (2, 0x8123_4567, 0x4567_EEEE),
        (3, 0x8123_4567, 0x6767_6767),
        (4, 0x8123_4567, 0xEEEE_EE67),
        (5, 0x8123_4567, 0xEEEE_67EE),
        (6, 0x8123_4567, 0xEE67_EEEE),
        (7, 0x8123_4567, 0x67EE_EEEE),
        (8, 0x8123_4567, 0x8123_4567),
        (9, 0x0123_4567, 0xEEEE_7FFF),
        (9, 0xFFFF_8123, 0xEEEE_8123),
        (9, 0x8123_4567, 0xEEEE_8000),
        (10, 0x0123_4567, 0x7FFF_EEEE),
        (11, 0x0123_4567, 0xFFFF_FFFF),
        (11, 0x8123_4567, 0),
        (12, 0x100, 0xEEEE_EEFF),
        (13, 0x45, 0xEEEE_45EE),
        (14, 0x8000_0000, 0xEE00_EEEE),
        (15, 0x7FFF_FFFF, 0xFFEE_EEEE),
    ];
    for (mode, word, expected) in cases {
        assert_eq!(packed_integer(mode, word), expected, "mode {mode}");
        // The mul ALU writes file A when the files are swapped.
        assert_eq!(packed(mode, word, |nop| nop.mul(V8MIN, 3, 0, 0).swap()), expected, "mode {mode}, mul");
    }
}

#[test]
fn saturation_of_sums() {
    let double = |word: Word| word.add(ADD, 3, 0, 0);
    assert_eq!(packed(8, 0x7000_0000, double), 0x7FFF_FFFF);
    assert_eq!(packed(8, 0x9000_0000, double), 0x8000_0000);
    assert_eq!(packed(8, 0x1000_0000, double), 0x2000_0000);
    assert_eq!(packed(9, 0x7000_0000, double), 0xEEEE_7FFF);
    let difference = |word: Word| word.add(SUB, 3, FILE_B, 0).immediate(31);
    assert_eq!(packed(8, 0x8000_0000, difference), 0x7FFF_FFFF);
    assert_eq!(packed(8, 0x8000_0001, difference), 0x7FFF_FFFE);
    // Differences saturate to the wrong end of the range.
    let difference = |word: Word| word.add(SUB, 3, FILE_B, 0).immediate(8);
    assert_eq!(packed(8, 0x8000_0000, difference), 0x8000_0000);
    let difference = |word: Word| word.add(SUB, 3, 0, FILE_B).immediate(8);
    assert_eq!(packed(8, 0x8000_0000, difference), 0x7FFF_FFFF);
    // Modes that only truncate saturate sums too.
    assert_eq!(packed(1, 0x7000_0000, double), 0xEEEE_7FFF);
    assert_eq!(packed(2, 0x9000_0000, double), 0x8000_EEEE);
    assert_eq!(packed(4, 0x7000_0000, double), 0xEEEE_EEFF);
    assert_eq!(packed(1, 0x1000_0001, double), 0xEEEE_0002);
}

#[test]
fn floats_into_halves() {
    let as_half = |value: f32| packed(1, value.to_bits(), |word| word.add(FMIN, 3, 0, 0)) & 0xFFFF;
    let cases: [(f32, u32); 14] = [
        (0.0, 0),
        (-0.0, 0),
        (1.0, 0x3C00),
        (-2.0, 0xC000),
        (65504.0, 0x7BFF),
        (65505.0, 0x7C00),
        (65503.0, 0x7BFF),
        (-1e30, 0xFC00),
        (6.103_515_6e-5, 0x0400),
        (6e-5, 0),
        (f32::INFINITY, 0x7C00),
        // Away from zero.
        (1.0 + 1.0 / 1024.0, 0x3C01),
        (1.0 + 1.1 / 1024.0, 0x3C02),
        (-1.0 - 1.0 / 8192.0, 0xBC01),
    ];
    for (value, expected) in cases {
        assert_eq!(as_half(value), expected, "{value}");
    }
    assert_eq!(packed(2, 1f32.to_bits(), |word| word.mul(FMUL, 3, 0, 0).swap()), 0x3C00_EEEE);
}

#[test]
fn colours_of_the_mul_alu() {
    let colour = |mode: u64, value: f32| {
        // The second operand is 1.
        let program = [load(R3, 0xEEEE_EEEE), nop().mul(FMUL, R3, 0, FILE_B).immediate(32).pm().pack(mode)];
        evaluate(&[[value.to_bits(); 16]], &program)[7]
    };
    assert_eq!(colour(3, 1.0), 0xFFFF_FFFF);
    assert_eq!(colour(3, 0.5), 0x8080_8080);
    assert_eq!(colour(4, 2.0), 0xEEEE_EEFF);
    assert_eq!(colour(5, -1.0), 0xEEEE_00EE);
    assert_eq!(colour(6, 3.0 / 255.0), 0xEE03_EEEE);
    assert_eq!(colour(7, 254.0 / 255.0), 0xFEEE_EEEE);
}

fn unpacked(mode: u64, word: u32, compute: impl Fn(Word) -> Word) -> u32 {
    let program = [copy(3, 0), nop(), compute(nop().read_a(3)).unpack(mode)];
    evaluate(&[[word; 16]], &program)[11]
}

#[test]
fn integers_from_file_a() {
    let cases = [
        (0, 0x8123_C567, 0x8123_C567),
        (1, 0x8123_C567, 0xFFFF_C567),
        (1, 0x8123_4567, 0x4567),
        (2, 0x8123_C567, 0xFFFF_8123),
        (3, 0x8123_C567, 0x8181_8181),
        (4, 0x8123_C567, 0x67),
        (5, 0x8123_C567, 0xC5),
        (6, 0x8123_C567, 0x23),
        (7, 0x8123_C567, 0x81),
    ];
    for (mode, word, expected) in cases {
        assert_eq!(unpacked(mode, word, |word| word.add(OR, R3, FILE_A, FILE_A)), expected);
        assert_eq!(unpacked(mode, word, |word| word.mul(V8MIN, R3, FILE_A, FILE_A)), expected);
    }
    // Accumulators are not unpacked.
    assert_eq!(unpacked(4, 0x1234_5678, |word| word.add(OR, R3, 0, 0)), 0x1234_5678);
}

#[test]
fn floats_from_file_a_and_r4() {
    let cases: [(u64, u32, f32); 9] = [
        (1, 0xFFFF_3C00, 1.0),
        (2, 0xC000_FFFF, -2.0),
        (1, 0x0000_7BFF, 65504.0),
        // Denormal halves are zero.
        (1, 0x0000_03FF, 0.0),
        (1, 0x0000_7C00, f32::INFINITY),
        (4, 0x0000_00FF, 1.0),
        (5, 0x0000_8000, 128.0 / 255.0),
        (6, 0x0033_0000, 0.2),
        (7, 0x3300_0000, 0.2),
    ];
    for (mode, word, expected) in cases {
        assert_eq!(unpacked(mode, word, |word| word.add(FMIN, R3, FILE_A, FILE_A)), expected.to_bits());
        // The lookup left the argument in r4 as well. Values of r4 are floats for all operations.
        let from_r4 = evaluate(&[[word; 16]], &[nop().add(OR, R3, 4, 4).pm().unpack(mode)]);
        assert_eq!(from_r4, [expected.to_bits(); 16]);
    }
    assert_eq!(evaluate(&[[0x1122_3344; 16]], &[nop().add(OR, R3, 4, 4).pm().unpack(3)]), [0x1111_1111; 16]);
    assert_eq!(evaluate(&[[0x1122_3344; 16]], &[nop().add(OR, R3, 0, 0).pm().unpack(3)]), [0x1122_3344; 16]);
}

#[test]
fn packed_immediates() {
    let program = [load(3, 0xEEEE_EEEE), load(3, 0x1234).pack(5), nop(), copy_a(R3, 3)];
    assert_eq!(evaluate(&[], &program), [0xEEEE_34EE; 16]);
}
