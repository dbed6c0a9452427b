//! The operations of both ALUs with their flags, against a second definition of each.

use crate::assemble::*;
use crate::random::Random;

/// A result and its carry flag.
type Model = fn(u32, u32) -> (u32, bool);

/// Words at which operations change their behaviour.
const EDGES: [u32; 14] = [
    0,
    1,
    2,
    31,
    32,
    33,
    0xFF,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0xFFFF_FFFE,
    0xFF_FFFF,
    0x0100_0000,
    0x8000_0001,
];

/// Adds 1, 2 and 4 to 0 in r3 where the flags zero, negative and carry are set.
pub(crate) fn read_flags() -> Vec<Word> {
    let add = |code, condition| nop().add(ADD, R3, 3, FILE_B).immediate(code).add_if(condition);
    vec![load(R3, 0), add(1, ZERO_SET), add(2, NEGATIVE_SET), add(4, CARRY_SET)]
}

fn expected_flags(value: u32, carry: bool) -> u32 {
    u32::from(value == 0) | (value >> 31) << 1 | u32::from(carry) << 2
}

fn check(word: Word, model: Model, a: Lanes, b: Lanes) {
    let values = evaluate(&[a, b], &[word]);
    let mut program = vec![word.flags()];
    program.extend(read_flags());
    let flags = evaluate(&[a, b], &program);
    for lane in 0..16 {
        let (value, carry) = model(a[lane], b[lane]);
        let operands = (word.0, a[lane], b[lane]);
        assert_eq!(values[lane], value, "value of {operands:x?}");
        assert_eq!(flags[lane], expected_flags(value, carry), "flags of {operands:x?}");
    }
}

fn check_integers(word: Word, model: Model) {
    let mut random = Random(0x9876_5432_1234_5678);
    let pairs: Vec<(u32, u32)> = EDGES.iter().flat_map(|&a| EDGES.iter().map(move |&b| (a, b))).collect();
    for chunk in pairs.chunks(16) {
        let at = |lane: usize| chunk.get(lane).copied().unwrap_or((7, 7));
        check(word, model, std::array::from_fn(|lane| at(lane).0), std::array::from_fn(|lane| at(lane).1));
    }
    for _ in 0..4 {
        check(
            word,
            model,
            std::array::from_fn(|_| random.next() as u32),
            std::array::from_fn(|_| random.next() as u32),
        );
    }
}

fn check_floats(word: Word, model: Model) {
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        3.25,
        -7.0,
        1e30,
        -1e30,
        1e-30,
        16_777_216.0,
        2_147_483_520.0,
        -2_147_483_648.0,
        4e9,
        255.0,
    ];
    for shift in 0..16 {
        check(
            word,
            model,
            floats.map(|float: f32| float.to_bits()),
            std::array::from_fn(|lane| floats[(lane + shift) % 16].to_bits()),
        );
    }
}

fn signed(model: fn(i32, i32) -> i32, a: u32, b: u32) -> u32 {
    model(a.cast_signed(), b.cast_signed()).cast_unsigned()
}

fn bit_of(value: u32, position: i64) -> bool {
    (0..32).contains(&position) && value >> position & 1 != 0
}

fn bytes(a: u32, b: u32, model: fn(i32, i32) -> i32) -> u32 {
    let byte = |index: u32| model((a >> (8 * index) & 255) as i32, (b >> (8 * index) & 255) as i32) as u32;
    byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
}

#[test]
fn integers_of_the_add_alu() {
    let models: [(u64, Model); 15] = [
        (ADD, |a, b| (a.wrapping_add(b), u64::from(a) + u64::from(b) > 0xFFFF_FFFF)),
        (SUB, |a, b| (a.wrapping_sub(b), a < b)),
        (14, |a, b| (a >> (b % 32), bit_of(a, i64::from(b % 32) - 1))),
        (15, |a, b| (((a as i32) >> (b % 32)) as u32, bit_of(a, i64::from(b % 32) - 1))),
        (16, |a, b| (a >> (b % 32) | a.checked_shl(32 - b % 32).unwrap_or(0), false)),
        (SHL, |a, b| (a << (b % 32), bit_of(a, 32 - i64::from(b % 32)))),
        (18, |a, b| (signed(i32::min, a, b), (a as i32) > (b as i32))),
        (19, |a, b| (signed(i32::max, a, b), (a as i32) > (b as i32))),
        (AND, |a, b| (a & b, false)),
        (OR, |a, b| (a | b, false)),
        (22, |a, b| ((a | b) & !(a & b), false)),
        (23, |a, _| (a ^ 0xFFFF_FFFF, false)),
        (24, |a, _| ((0..32).rev().position(|bit| a >> bit & 1 != 0).unwrap_or(32) as u32, false)),
        (30, |a, b| (bytes(a, b, |a, b| (a + b).min(255)), false)),
        (31, |a, b| (bytes(a, b, |a, b| (a - b).max(0)), false)),
    ];
    for (operation, model) in models {
        check_integers(nop().add(operation, R3, 0, 1), model);
    }
}

#[test]
fn integers_of_the_mul_alu() {
    let models: [(u64, Model); 6] = [
        (MUL24, |a, b| {
            let product = u64::from(a % (1 << 24)) * u64::from(b % (1 << 24));
            (product as u32, product >= 1 << 24)
        }),
        (3, |a, b| (bytes(a, b, |a, b| (a * b + 127) / 255), false)),
        (V8MIN, |a, b| (bytes(a, b, i32::min), false)),
        (5, |a, b| (bytes(a, b, i32::max), false)),
        (6, |a, b| (bytes(a, b, |a, b| (a + b).min(255)), false)),
        (7, |a, b| (bytes(a, b, |a, b| (a - b).max(0)), false)),
    ];
    for (operation, model) in models {
        check_integers(nop().mul(operation, R3, 0, 1), model);
    }
}

/// The value of a double toward zero, as a single.
fn truncate(value: f64) -> u32 {
    let nearest = value as f32;
    let word = match f64::from(nearest).abs() > value.abs() {
        true if nearest.is_infinite() => f32::MAX.copysign(nearest).to_bits(),
        true => nearest.to_bits() - 1,
        false => nearest.to_bits(),
    };
    if word << 1 == 0 { 0 } else { word }
}

fn of(word: u32) -> f32 {
    f32::from_bits(word)
}

#[test]
fn floats() {
    let models: [(u64, Model); 5] = [
        // Doubles hold sums of these singles but for 1e30 with small ones, where the sign of the small one counts.
        (FMIN, |a, b| (if of(a) > of(b) { b } else { a }, of(a) > of(b))),
        (4, |a, b| (if of(a) > of(b) { a } else { b }, of(a) > of(b))),
        (5, |a, b| (of(a).abs().min(of(b).abs()).to_bits(), of(a).abs() > of(b).abs())),
        (6, |a, b| (of(a).abs().max(of(b).abs()).to_bits(), of(a).abs() > of(b).abs())),
        (7, |a, _| {
            let value = of(a).trunc() as i64;
            (if i64::from(value as i32) == value { value as u32 } else { 0 }, false)
        }),
    ];
    for (operation, model) in models {
        check_floats(nop().add(operation, R3, 0, 1), model);
    }
    check_floats(nop().mul(FMUL, R3, 0, 1), |a, b| {
        let product = of(a) * of(b);
        (if product.abs() < f32::MIN_POSITIVE { 0 } else { product.to_bits() }, false)
    });
    check_integers(nop().add(ITOF, R3, 0, 1), |a, _| (truncate(f64::from(a as i32)), false));
}

#[test]
fn sums_of_floats_round_toward_zero() {
    let mut random = Random(0x1357_9BDF_2468_ACE0);
    // Exponents near each other, so that a double holds the sum.
    let mut draw = || std::array::from_fn(|_| (random.next() as u32 & 0x83FF_FFFF) + 0x3800_0000);
    let model: Model = |a, b| {
        let sum = f64::from(of(a)) + f64::from(of(b));
        (truncate(sum), sum > 0.0)
    };
    let difference: Model = |a, b| {
        let difference = f64::from(of(a)) - f64::from(of(b));
        (truncate(difference), difference > 0.0)
    };
    for _ in 0..50 {
        let (a, b) = (draw(), draw());
        check(nop().add(FADD, R3, 0, 1), model, a, b);
        check(nop().add(FSUB, R3, 0, 1), difference, a, b);
    }
    let one_and_less = |b: f32| evaluate(&[[1f32.to_bits(); 16], [b.to_bits(); 16]], &[nop().add(FADD, R3, 0, 1)])[3];
    assert_eq!(one_and_less(-1e-20), 0x3F7F_FFFF);
    assert_eq!(one_and_less(1e-20), 0x3F80_0000);
    let huge = [f32::MAX.to_bits(); 16];
    assert_eq!(evaluate(&[huge, huge], &[nop().add(FADD, R3, 0, 1)]), huge);
}

#[test]
fn denormals_are_zero() {
    let denormal = [0x007F_FFFF; 16];
    let one = [1f32.to_bits(); 16];
    assert_eq!(evaluate(&[denormal, denormal], &[nop().add(FADD, R3, 0, 1)]), [0; 16]);
    assert_eq!(evaluate(&[denormal, one], &[nop().mul(FMUL, R3, 0, 1)]), [0; 16]);
    assert_eq!(evaluate(&[denormal, one], &[nop().add(FMIN, R3, 0, 1)]), [0; 16]);
    let small = [1.5e-38f32.to_bits(); 16];
    assert_eq!(evaluate(&[small, [0.25f32.to_bits(); 16]], &[nop().mul(FMUL, R3, 0, 1)]), [0; 16]);
    // Copies are not computations.
    assert_eq!(evaluate(&[denormal], &[copy(R3, 0)]), denormal);
    assert_eq!(evaluate(&[denormal], &[nop().mul(V8MIN, R3, 0, 0)]), denormal);
}

#[test]
fn small_immediates() {
    let integers =
        (0..16).map(|code| (code, code as u32)).chain((16..32).map(|code| (code, code as u32 | 0xFFFF_FFE0)));
    let floats = (0..8).map(|power| (32 + power, 2f32.powi(power as i32).to_bits()));
    let fractions = (0..8).map(|power| (40 + power, 2f32.powi(power as i32 - 8).to_bits()));
    // The add ALU takes the codes of rotations as numbers.
    let rotations = (48..64).map(|code| (code, code as u32 | 0xFFFF_FFC0));
    for (code, value) in integers.chain(floats).chain(fractions).chain(rotations) {
        assert_eq!(evaluate(&[], &[nop().add(OR, R3, FILE_B, FILE_B).immediate(code)]), [value; 16]);
    }
}

#[test]
fn load_immediates() {
    assert_eq!(evaluate(&[], &[load(R3, 0xDEAD_BEEF)]), [0xDEAD_BEEF; 16]);
    let lanes = |negative: i32| -> Lanes {
        std::array::from_fn(|lane| (if lane % 4 < 2 { 0 } else { negative } + lane as i32 % 2).cast_unsigned())
    };
    assert_eq!(evaluate(&[], &[load_lanes(R3, 0xCCCC_AAAA, false)]), lanes(2));
    assert_eq!(evaluate(&[], &[load_lanes(R3, 0xCCCC_AAAA, true)]), lanes(-2));
    let mut flags = vec![load_lanes(NONE, 0xCCCC_AAAA, true).flags()];
    flags.extend(read_flags());
    assert_eq!(evaluate(&[], &flags)[..4], [1, 0, 2, 2]);
}

#[test]
fn both_alus_see_old_values() {
    let (a, b) = ([3; 16], [5; 16]);
    let swap = nop().add(OR, R0, 1, 1).mul(V8MIN, R1, 0, 0);
    assert_eq!(evaluate(&[a, b], &[swap, nop().add(SUB, R3, 0, 1)]), [2; 16]);
}

#[test]
fn rotations() {
    let argument: Lanes = std::array::from_fn(|lane| lane as u32);
    for distance in 1..16 {
        let expected: Lanes = std::array::from_fn(|lane| (lane as u32 + 16 - distance) % 16);
        let by_code = nop().mul(V8MIN, R3, 0, 0).immediate(48 + u64::from(distance));
        assert_eq!(evaluate(&[argument], &[nop(), by_code]), expected);
        let by_r5 = [load(R5, distance + 32).swap(), nop(), nop().mul(V8MIN, R3, 0, 0).immediate(48)];
        assert_eq!(evaluate(&[argument], &by_r5), expected);
    }
    // A condition belongs to the lane that is written.
    let program = [
        load(R3, 99),
        nop().add(AND, NONE, 0, FILE_B).immediate(1).flags(),
        nop().mul(V8MIN, R3, 0, 0).immediate(49).mul_if(ZERO_CLEAR),
    ];
    assert_eq!(evaluate(&[argument], &program)[..4], [99, 0, 99, 2]);
}

#[test]
fn r5_takes_a_lane_or_one_of_each_quad() {
    let argument: Lanes = std::array::from_fn(|lane| lane as u32 + 1);
    assert_eq!(
        evaluate(&[argument], &[copy(R5, 0), copy(R3, 5)]),
        [1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13]
    );
    assert_eq!(evaluate(&[argument], &[copy(R5, 0).swap(), copy(R3, 5)]), [1; 16]);
}

#[test]
fn files_and_numbers() {
    let argument: Lanes = std::array::from_fn(|lane| lane as u32 * 3);
    for register in [0, 13, 31] {
        assert_eq!(evaluate(&[argument], &[copy(register, 0), nop(), copy_a(R3, register)]), argument);
        assert_eq!(evaluate(&[argument], &[copy(register, 0).swap(), nop(), copy_b(R3, register)]), argument);
    }
    assert_eq!(evaluate(&[], &[copy_a(R3, ELEMENT)]), std::array::from_fn(|lane| lane as u32));
    assert_eq!(evaluate(&[], &[copy_b(R3, ELEMENT)]), [0; 16]);
}

#[test]
fn conditions_and_flags_of_conditional_instructions() {
    let element: Lanes = std::array::from_fn(|lane| lane as u32);
    // Zero: lanes 0 and 8. Then, where it is clear, the flags of element - 3: zero in lane 3 too.
    let program = [
        nop().add(AND, NONE, 0, FILE_B).immediate(7).flags(),
        nop().add(SUB, NONE, 0, FILE_B).immediate(3).add_if(ZERO_CLEAR).flags(),
        load(R3, 0),
        nop().add(OR, R3, FILE_B, FILE_B).immediate(1).add_if(ZERO_SET),
    ];
    let expected = std::array::from_fn(|lane| u32::from([0, 3, 8].contains(&lane)));
    assert_eq!(evaluate(&[element], &program), expected);
    // Flags are the add ALU's, though it never writes; without an operation of it they are the mul ALU's.
    let of_add =
        [nop().add(SUB, NONE, 0, 0).flags(), nop().add(OR, R1, 0, 0).add_if(NEVER).mul(V8MIN, R2, 0, 0).flags()];
    let of_mul = [nop().add(SUB, NONE, 0, 0).flags(), nop().mul(V8MIN, R2, 0, 0).flags()];
    let zeros = |words: &[Word]| {
        let mut program = words.to_vec();
        program.extend(read_flags());
        evaluate(&[element], &program).map(|flags| flags & 1)
    };
    assert_eq!(zeros(&of_add), [1; 16]);
    assert_eq!(zeros(&of_mul), std::array::from_fn(|lane| u32::from(lane == 0)));
}
