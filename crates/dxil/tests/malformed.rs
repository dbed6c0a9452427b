//! Records that are no module: each kind of error, and the place that it names. `streams` has what is wrong before that.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::bits::Bits;
use reconverge_diagnostic::Place;
use reconverge_dxil::{Code, read, text};

/// Blocks.
const MODULE: u64 = 8;
const CONSTANTS: u64 = 11;
const FUNCTION: u64 = 12;
const SYMBOLS: u64 = 14;
const METADATA: u64 = 15;
const ATTACHMENT: u64 = 16;
const TYPES: u64 = 17;

/// Numbers of types of [`shader`].
const VOID: u64 = 0;
const I32: u64 = 1;
const I1: u64 = 2;
const FLOAT: u64 = 3;
const POINTER: u64 = 5;
const VECTOR: u64 = 7;
const I64: u64 = 9;

/// Numbers of values of [`shader`]: the function, then constants.
const ONE: u64 = 1;
const TRUE: u64 = 2;
const HALF: u64 = 3;
const NULL: u64 = 4;
const TABLE: u64 = 6;
/// The number of values; the first instruction has this number.
const NEXT: u64 = 8;

/// The operand that names a value from the instruction that would get the number `next`.
fn back(next: u64, value: u64) -> u64 {
    u64::from((next as u32).wrapping_sub(value as u32))
}

type Records<'a> = &'a [(u64, &'a [u64])];

/// Writes records; returns the bit of each.
fn write(bits: &mut Bits, records: Records<'_>) -> Vec<u64> {
    let place = |&(code, operands): &(u64, &[u64])| {
        let place = bits.len() as u64;
        bits.record(code, operands);
        place
    };
    records.iter().map(place).collect()
}

fn types(bits: &mut Bits, more: Records<'_>) -> Vec<u64> {
    bits.enter(TYPES, 4);
    let known: Records<'_> = &[
        (2, &[]),               // 0 void
        (7, &[32]),             // 1 i32
        (7, &[1]),              // 2 i1
        (3, &[]),               // 3 float
        (21, &[0, VOID]),       // 4 void ()
        (8, &[I32, 0]),         // 5 i32*
        (11, &[4, I32]),        // 6 [4 x i32]
        (12, &[2, FLOAT]),      // 7 <2 x float>
        (18, &[0, I32, FLOAT]), // 8 { i32, float }
        (7, &[64]),             // 9 i64
        (8, &[6, 0]),           // 10 [4 x i32]*
        (5, &[]),               // 11 label
    ];
    write(bits, known);
    let places = write(bits, more);
    bits.end();
    places
}

/// The beginning of a module: types, `void @0()`, constants 1, true, 0.5, null, {1, 0.5}, [1, 1, 1, 1], <0, 0>.
fn shader() -> Bits {
    let mut bits = Bits::new();
    bits.enter(MODULE, 3).record(1, &[1]);
    types(&mut bits, &[]);
    bits.record(8, &[4, 0, 0, 0, 0, 0, 0, 0]);
    bits.enter(CONSTANTS, 4);
    let constants: Records<'_> = &[
        (1, &[I32]),
        (4, &[2]),
        (1, &[I1]),
        (4, &[3]),
        (1, &[FLOAT]),
        (6, &[0x3f00_0000]),
        (1, &[POINTER]),
        (2, &[]),
        (1, &[8]),
        (7, &[ONE, HALF]),
        (1, &[6]),
        (22, &[1, 1, 1, 1]),
        (1, &[VECTOR]),
        (2, &[]),
    ];
    write(&mut bits, constants);
    bits.end();
    bits
}

/// Reads a module whose one body has these records; an error as its code and the record that it names.
fn body(records: Records<'_>) -> Result<String, (Code, Option<usize>)> {
    let mut bits = shader();
    bits.enter(FUNCTION, 4);
    let places = write(&mut bits, records);
    bits.end().end();
    let module = read(&bits.finish()).map_err(|error| {
        let Place::Bit(bit) = error.place else { panic!("{error}") };
        (Code::of(error.code).unwrap(), places.iter().position(|&place| place == bit))
    })?;
    Ok(text::print(&module))
}

const RETURN: (u64, &[u64]) = (10, &[]);
const BLOCKS_1: (u64, &[u64]) = (1, &[1]);
const BLOCKS_2: (u64, &[u64]) = (1, &[2]);
const BLOCKS_3: (u64, &[u64]) = (1, &[3]);

#[test]
fn a_body_that_is_read() {
    let records: Records<'_> = &[
        BLOCKS_3,
        (2, &[back(NEXT, ONE), back(NEXT, ONE), 0, 3]),
        (11, &[1, 2, back(NEXT + 1, TRUE)]),
        (26, &[back(NEXT + 1, 5), 1]),
        (11, &[2]),
        (16, &[FLOAT, 2 * back(NEXT + 2, HALF), 0, 2, 1]),
        RETURN,
    ];
    let expected = "\ndefine void @0() {\n  %1 = add nuw nsw i32 1, 1\n  br i1 true, label %2, label %4\n\n; <label>:2\n  \
        %3 = extractvalue { i32, float } { i32 1, float 5.000000e-01 }, 1\n  br label %4\n\n; <label>:4\n  \
        %5 = phi float [ 5.000000e-01, %0 ], [ %3, %2 ]\n  ret void\n}\n";
    assert_eq!(body(records).as_deref(), Ok(expected));
}

/// Bodies, the error that each gives, and the record that it names.
#[test]
fn bodies() {
    let n = NEXT;
    let rows: &[(Records<'_>, Code, Option<usize>)] = &[
        (&[BLOCKS_1, (2, &[back(n, ONE)]), RETURN], Code::Record, Some(1)),
        (&[BLOCKS_1, (2, &[back(n, ONE), back(n, ONE), 0, 0, 0]), RETURN], Code::Record, Some(1)),
        (&[BLOCKS_1, (2, &[back(n, ONE), back(n, ONE), 13]), RETURN], Code::Record, Some(1)),
        (&[BLOCKS_1, (2, &[back(n, HALF), back(n, HALF), 3]), RETURN], Code::Record, Some(1)),
        (&[BLOCKS_1, (2, &[back(n, ONE), back(n, HALF), 0]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (2, &[back(n, NULL), back(n, NULL), 0]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (3, &[back(n, ONE), I64, 0]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (3, &[back(n, ONE), 99, 1]), RETURN], Code::Type, Some(1)),
        (&[BLOCKS_1, (3, &[back(n, ONE), VOID, 1]), RETURN], Code::Type, Some(1)),
        (&[BLOCKS_1, (28, &[back(n, ONE), back(n, ONE), 3]), RETURN], Code::Record, Some(1)),
        (&[BLOCKS_1, (29, &[back(n, ONE), back(n, ONE), back(n, ONE)]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (43, &[1, I32, back(n, NULL), back(n, HALF)]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (43, &[1, I64, back(n, NULL), back(n, ONE)]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (43, &[1, I32, back(n, NULL), back(n, ONE), back(n, ONE)]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (26, &[back(n, TABLE), 4]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (26, &[back(n, TABLE)]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (27, &[back(n, TABLE), back(n, HALF), 0]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (6, &[back(n, TABLE), back(n, ONE)]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (20, &[back(n, ONE), I32, 0, 0]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (20, &[back(n, NULL), I32, 40, 0]), RETURN], Code::Record, Some(1)),
        (&[BLOCKS_1, (44, &[back(n, NULL), back(n, HALF), 0, 0]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_1, (38, &[back(n, NULL), back(n, ONE), 11, 0, 2, 1]), RETURN], Code::Record, Some(1)),
        (&[BLOCKS_1, (38, &[back(n, NULL), back(n, ONE), 1, 0, 0, 1]), RETURN], Code::Record, Some(1)),
        (&[BLOCKS_1, (34, &[0, 1 << 15, 4, back(n, ONE)]), RETURN], Code::Unsupported, Some(1)),
        (&[BLOCKS_1, (34, &[1, 1 << 15, 4, back(n, 0)]), RETURN], Code::Reference, Some(1)),
        (&[BLOCKS_1, (34, &[0, 1 << 15, 4, back(n, 0), back(n, ONE)]), RETURN], Code::Record, Some(1)),
        (&[BLOCKS_1, (41, &[]), RETURN], Code::Unsupported, Some(1)),
        (&[BLOCKS_1, (99, &[]), RETURN], Code::Unsupported, Some(1)),
        (&[BLOCKS_1, (10, &[back(n, ONE)])], Code::Operand, Some(1)),
        (&[BLOCKS_1, (11, &[1])], Code::Reference, Some(1)),
        (&[BLOCKS_1, (11, &[0])], Code::Terminator, Some(1)),
        (&[BLOCKS_2, (11, &[1, 1, back(n, ONE)]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_2, (12, &[I32, back(n, ONE), 1, HALF, 1]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_2, (12, &[I32, back(n, ONE), 1, ONE, 1, ONE, 1]), RETURN], Code::Operand, Some(1)),
        (&[BLOCKS_2, (12, &[0x4b5 << 16, I32, 0, 0]), RETURN], Code::Unsupported, Some(1)),
        (&[BLOCKS_1, RETURN, RETURN], Code::Terminator, Some(2)),
        (&[BLOCKS_2, RETURN], Code::Terminator, None),
        (&[BLOCKS_1], Code::Terminator, None),
        (&[RETURN], Code::Terminator, Some(0)),
        (&[BLOCKS_1, BLOCKS_1, RETURN], Code::Layout, Some(1)),
        (&[(1, &[0]), RETURN], Code::Layout, Some(0)),
        (&[(1, &[1 << 30]), RETURN], Code::Truncated, Some(0)),
        (&[BLOCKS_1, (33, &[]), RETURN], Code::Layout, Some(1)),
        (&[BLOCKS_1, (35, &[1, 1, 5, 0]), RETURN], Code::Metadata, Some(1)),
        // Phis: after another instruction, with a value too few, too many, of a wrong block, different values for one block.
        (&[BLOCKS_2, (11, &[1]), (36, &[2, 1]), (16, &[I32, 2 * (n - ONE), 0]), RETURN], Code::Phi, Some(3)),
        (&[BLOCKS_2, (11, &[1]), (16, &[I32]), RETURN], Code::Phi, Some(2)),
        (&[BLOCKS_2, (11, &[1]), (16, &[I32, 2 * (n - ONE), 0, 2 * (n - ONE), 0]), RETURN], Code::Phi, Some(2)),
        (&[BLOCKS_2, (11, &[1]), (16, &[I32, 2 * (n - ONE), 1]), RETURN], Code::Phi, Some(2)),
        (&[BLOCKS_1, (16, &[I32]), RETURN], Code::Phi, Some(1)),
        // Uses before definitions: never defined, of another type, in the same block, in a block that does not dominate.
        (&[BLOCKS_1, (2, &[back(n, n + 1), I32, back(n, ONE), 0]), RETURN], Code::Reference, Some(1)),
        (
            &[BLOCKS_1, (2, &[back(n, n + 1), I32, back(n, ONE), 0]), (3, &[back(n + 1, ONE), I64, 1]), RETURN],
            Code::Operand,
            Some(1),
        ),
        (
            &[
                BLOCKS_1,
                (2, &[back(n, n + 1), I32, back(n, ONE), 0]),
                (2, &[back(n + 1, ONE), back(n + 1, ONE), 0]),
                RETURN,
            ],
            Code::Dominance,
            Some(1),
        ),
        (
            &[
                BLOCKS_3,
                (11, &[1, 2, back(n, TRUE)]),
                (2, &[back(n, ONE), back(n, ONE), 0]),
                RETURN,
                (2, &[back(n + 1, n), back(n + 1, ONE), 0]),
                RETURN,
            ],
            Code::Dominance,
            Some(4),
        ),
    ];
    for (records, code, record) in rows {
        assert_eq!(body(records), Err((*code, *record)), "{records:?}");
    }
}

/// Blocks that dominate nothing need no dominance: the entry does not reach them.
#[test]
fn unreachable_blocks_are_exempt_from_dominance() {
    let n = NEXT;
    let records: Records<'_> = &[BLOCKS_2, RETURN, (2, &[back(n, n), I32, back(n, ONE), 0]), RETURN];
    assert!(body(records).is_ok());
}

/// What reading a module answers that `build` writes; the place is compared with the bits that `build` returns.
#[track_caller]
fn module(expected: Code, build: impl FnOnce(&mut Bits) -> Option<u64>) {
    let mut bits = Bits::new();
    bits.enter(MODULE, 3).record(1, &[1]);
    let place = build(&mut bits);
    bits.end();
    let error = read(&bits.finish()).unwrap_err();
    assert_eq!(error.code, expected, "{error}");
    if let Some(place) = place {
        assert_eq!(error.place, Place::Bit(place), "{error}");
    }
}

#[test]
fn type_tables() {
    let before = |level: u64| if level == 0 { I32 } else { 11 + level };
    let nest: Vec<Vec<u64>> = (0..70).map(|level| vec![before(level), 0]).collect();
    let deep: Vec<(u64, &[u64])> = nest.iter().map(|operands| (8, &operands[..])).collect();
    let twice: Vec<Vec<u64>> = (0..20).map(|level| vec![0, before(level), before(level)]).collect();
    let doubled: Vec<(u64, &[u64])> = twice.iter().map(|operands| (18, &operands[..])).collect();
    let rows: &[(Records<'_>, Code, usize)] = &[
        (&[(7, &[0])], Code::Type, 0),
        (&[(8, &[VOID])], Code::Type, 0),
        (&[(11, &[2, VOID])], Code::Type, 0),
        (&[(12, &[0, I32])], Code::Type, 0),
        (&[(12, &[2, 6])], Code::Type, 0),
        (&[(18, &[0, VOID])], Code::Type, 0),
        (&[(21, &[0, VOID, VOID])], Code::Type, 0),
        (&[(8, &[40])], Code::Type, 0),
        (&[(8, &[13]), (7, &[8])], Code::Type, 0),
        (&[(13, &[])], Code::Unsupported, 0),
        (&[(77, &[])], Code::Type, 0),
        (&[(19, &[97]), (20, &[0, 12])], Code::Type, 1),
        (&[(19, &[97]), (20, &[0, 13]), (11, &[3, 12])], Code::Type, 1),
        (&[(19, &[97]), (20, &[0, 13]), (19, &[98]), (20, &[0, 12])], Code::Type, 3),
        (&[(19, &[97]), (6, &[0]), (11, &[3, 12])], Code::Type, 2),
        (&[(11, &[1 << 30, I32]), (11, &[1 << 30, 12])], Code::Limit, 1),
        (&deep, Code::Limit, 64),
        (&doubled, Code::Limit, 15),
    ];
    for (records, code, record) in rows {
        module(*code, |bits| Some(types(bits, records)[*record]));
    }
    let mut recursive = Bits::new();
    recursive.enter(MODULE, 3).record(1, &[1]);
    types(&mut recursive, &[(8, &[14]), (19, &[97]), (20, &[0, 12, I32])]);
    let printed = recursive.end().clone().finish();
    assert_eq!(read(&printed).unwrap_err().code, Code::Type, "type 14 does not exist");
    let mut recursive = Bits::new();
    recursive.enter(MODULE, 3).record(1, &[1]);
    types(&mut recursive, &[(8, &[13]), (19, &[97]), (20, &[0, 12, I32])]);
    assert!(text::print(&read(&recursive.end().clone().finish()).unwrap()).contains("%a = type { %a*, i32 }"));
}

#[test]
fn constants() {
    let rows: &[(Records<'_>, Code, usize)] = &[
        (&[(1, &[VOID])], Code::Type, 0),
        (&[(1, &[11])], Code::Type, 0),
        (&[(1, &[FLOAT]), (4, &[2])], Code::Constant, 1),
        (&[(1, &[I32]), (6, &[2])], Code::Constant, 1),
        (&[(1, &[6]), (7, &[1])], Code::Constant, 1),
        (&[(1, &[6]), (7, &[0, 0, 0, 0])], Code::Constant, 1),
        (&[(1, &[6]), (7, &[9, 9, 9, 9])], Code::Reference, 1),
        (&[(1, &[6]), (22, &[1, 2, 3])], Code::Constant, 1),
        (&[(1, &[I32]), (8, &[65])], Code::Constant, 1),
        (&[(1, &[I32]), (11, &[0, I32, 0])], Code::Constant, 1),
        (&[(1, &[I32]), (11, &[13, I32, 0])], Code::Record, 1),
        (&[(1, &[POINTER]), (12, &[I32, I32, 0])], Code::Constant, 1),
        (&[(1, &[POINTER]), (11, &[11, POINTER, 0])], Code::Constant, 1),
        (&[(1, &[I32]), (10, &[0, 0, 0])], Code::Unsupported, 1),
        (&[(1, &[I32]), (2, &[0])], Code::Record, 1),
    ];
    for (records, code, record) in rows {
        module(*code, |bits| {
            types(bits, &[]);
            bits.enter(CONSTANTS, 4);
            let places = write(bits, records);
            bits.end();
            Some(places[*record])
        });
    }
}

#[test]
fn text_of_constants() {
    let mut bits = Bits::new();
    bits.enter(MODULE, 3).record(1, &[1]);
    types(&mut bits, &[(7, &[128]), (7, &[8]), (11, &[3, 13]), (8, &[12, 3]), (4, &[]), (10, &[])]);
    let constants: Records<'_> = &[
        (1, &[12]),
        (5, &[2, 2]),
        (5, &[0, (1 << 63) | 1]),
        (1, &[14]),
        (9, &[65, 34]),
        (1, &[3]),
        (6, &[0x7f80_0001]),
        (6, &[0x3dcc_cccd]),
        (6, &[0xff80_0000]),
        (1, &[16]),
        (6, &[0x3fb9_9999_9999_999a]),
        (1, &[17]),
        (6, &[0x3c00]),
        (1, &[I32]),
        (4, &[1 << 32 | 1]),
    ];
    let count = constants.iter().filter(|(code, _)| *code != 1).count() as u64;
    for (place, ty) in [12, 12, 14, FLOAT, FLOAT, FLOAT, 16, 17, I32].into_iter().enumerate() {
        bits.record(7, &[ty, 2 | 3 << 2, count + 1 + place as u64, 3, 0, 0]);
    }
    bits.enter(CONSTANTS, 4);
    write(&mut bits, constants);
    let printed = text::print(&read(&bits.end().end().clone().finish()).unwrap());
    let values: Vec<&str> =
        printed.lines().filter_map(|line| line.split_once(" global ").map(|(_, text)| text)).collect();
    let expected = [
        "i128 18446744073709551617",
        "i128 255211775190703847597530955573826158592",
        "[3 x i8] c\"A\\22\\00\"",
        "float 0x7FF8000020000000",
        "float 0x3FB99999A0000000",
        "float 0xFFF0000000000000",
        "double 1.000000e-01",
        "half 0xH3C00",
        "i32 -2147483648",
    ];
    assert_eq!(values, expected);
}

#[test]
fn metadata() {
    let rows: &[(Records<'_>, Code, usize)] = &[
        (&[(3, &[3])], Code::Reference, 0),
        (&[(2, &[I32, 5])], Code::Reference, 0),
        (&[(4, &[97]), (10, &[0])], Code::Reference, 1),
        (&[(1, &[97]), (4, &[97]), (10, &[0])], Code::Metadata, 2),
        (&[(10, &[])], Code::Metadata, 0),
        (&[(4, &[97]), (3, &[])], Code::Metadata, 1),
        (&[(6, &[1, 97]), (6, &[1, 98])], Code::Metadata, 1),
        (&[(6, &[1 << 20, 97])], Code::Limit, 0),
        (&[(8, &[])], Code::Unsupported, 0),
        (&[(16, &[0, 1])], Code::Metadata, 0),
        (&[(3, &[]), (16, &[0, 1, 0])], Code::Metadata, 1),
        (&[(7, &[0, 1, 1, 7, 0])], Code::Reference, 0),
    ];
    for (records, code, record) in rows {
        module(*code, |bits| {
            types(bits, &[]);
            bits.enter(METADATA, 4);
            let places = write(bits, records);
            bits.end();
            Some(places[*record])
        });
    }
    for (block, code, operands, expected) in [
        (ATTACHMENT, 11, &[0, 0, 0][..], Code::Metadata),
        (ATTACHMENT, 11, &[5], Code::Reference),
        (SYMBOLS, 1, &[3, 97], Code::Reference),
        (SYMBOLS, 2, &[1, 97], Code::Reference),
        (CONSTANTS, 1, &[I32], Code::Layout),
        (METADATA, 3, &[], Code::Unsupported),
    ] {
        let mut bits = shader();
        bits.enter(FUNCTION, 4).record(1, &[1]).record(10, &[]);
        bits.enter(block, 4).record(code, operands).end().end().end();
        assert_eq!(read(&bits.finish()).unwrap_err().code, expected, "block {block}");
    }
}

#[test]
fn layouts() {
    module(Code::Layout, |bits| {
        types(bits, &[]);
        let place = bits.len() as u64;
        bits.record(8, &[4, 0, 0, 0, 0, 0]);
        Some(place)
    });
    module(Code::Layout, |bits| {
        types(bits, &[]);
        types(bits, &[]);
        None
    });
    module(Code::Layout, |bits| {
        types(bits, &[]);
        bits.enter(FUNCTION, 4).end();
        None
    });
    module(Code::Reference, |bits| {
        types(bits, &[]);
        let place = bits.len() as u64;
        bits.record(7, &[I32, 2, 9, 0, 0, 0]);
        Some(place)
    });
    module(Code::Unsupported, |bits| {
        let place = bits.len() as u64;
        bits.record(1, &[0]);
        Some(place)
    });
    module(Code::Unsupported, |bits| {
        let place = bits.len() as u64;
        bits.record(14, &[0]);
        Some(place)
    });
    let mut empty = Bits::new();
    empty.enter(SYMBOLS, 3).end();
    assert_eq!(read(&empty.finish()).unwrap_err().code, Code::Layout);
}
