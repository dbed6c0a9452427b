//! Streams and containers: their errors with the places that they name, their limits, and every encoding of records.

use std::collections::BTreeSet;

use crate::common::bits::Bits;
use crate::common::file;
use reconverge_diagnostic::Place;
use reconverge_dxil::{Code, MAX_INPUT, read, text};

/// Blocks.
const MODULE: u64 = 8;
const TYPES: u64 = 17;

#[test]
fn streams() {
    let refused = |expected: Code, build: &dyn Fn(&mut Bits) -> usize| {
        let mut bits = Bits::new();
        bits.enter(MODULE, 3);
        let place = build(&mut bits);
        bits.align();
        let error = read(&bits.finish()).unwrap_err();
        assert!(error.is(expected), "{error}");
        assert_eq!(error.place, Place::Bit(place as u64), "{error}");
    };
    // The block never ends, so its length is zero: everything is after its end.
    refused(Code::Truncated, &|bits| bits.len());
    let inside = |expected: Code, build: &dyn Fn(&mut Bits) -> usize| {
        let mut bits = Bits::new();
        bits.enter(MODULE, 3);
        let place = build(&mut bits);
        bits.end();
        let error = read(&bits.finish()).unwrap_err();
        assert!(error.is(expected), "{error}");
        assert_eq!(error.place, Place::Bit(place as u64), "{error}");
    };
    let here = |bits: &Bits| bits.len();
    inside(Code::Bitstream, &|bits| {
        let place = here(bits);
        bits.id(4);
        place
    });
    // An abbreviation: literal 1, then an array of literals, two arrays, a blob before the end, an encoding 0, a width of 33, none at all.
    let definitions: [&[u64]; 6] = [&[3, 3], &[5, 1], &[0], &[2, 33], &[1, 65], &[2, 1]];
    for encodings in definitions {
        inside(Code::Bitstream, &|bits| {
            bits.id(2)
                .variable(2 + u64::from(encodings.len() == 2 && encodings[0] >= 3), 5)
                .fixed(1, 1)
                .variable(1, 8)
                .fixed(0, 1);
            let place = here(bits);
            bits.fixed(encodings[0], 3);
            match encodings {
                [3, _] => {
                    bits.fixed(1, 1).variable(7, 8);
                    place + 3
                }
                [5, _] => {
                    bits.fixed(1, 1).variable(7, 8);
                    place - 1
                }
                [_, width] => {
                    bits.variable(*width, 5);
                    place
                }
                _ => place,
            }
        });
    }
    inside(Code::Limit, &|bits| {
        let place = bits.id(2).len();
        bits.variable(65, 5);
        place
    });
    inside(Code::Bitstream, &|bits| {
        let place = bits.id(2).len();
        bits.variable(0, 5);
        place
    });
    // Lengths: of a record, of a block.
    inside(Code::Truncated, &|bits| {
        bits.id(3).variable(1, 6);
        let place = here(bits);
        bits.variable(u64::from(u32::MAX), 6);
        place
    });
    inside(Code::Truncated, &|bits| {
        let place = bits.id(1).len();
        bits.variable(TYPES, 8).variable(3, 4).align().fixed(1_000, 32);
        place
    });
    inside(Code::Bitstream, &|bits| {
        let place = bits.id(1).len();
        bits.variable(TYPES, 8).variable(1, 4).align().fixed(0, 32);
        place
    });
    // A block that ends before its length says.
    inside(Code::Bitstream, &|bits| {
        let place = here(bits);
        bits.id(0).align().fixed(0, 32);
        place
    });
}

/// Every encoding, with widths of 0, and a definition in BLOCKINFO.
#[test]
fn encodings() {
    let mut bits = Bits::new();
    bits.enter(MODULE, 3).record(1, &[1]);
    bits.enter(0, 3).record(1, &[TYPES]);
    // 7 (integer), then a fixed width.
    bits.id(2).variable(2, 5).fixed(1, 1).variable(7, 8).fixed(0, 1).fixed(1, 3).variable(6, 5);
    bits.end();
    bits.enter(TYPES, 4).id(4).fixed(32, 6).end();
    // 2 (triple), an array of letters; 3 (data layout), a blob.
    bits.id(2).variable(3, 5).fixed(1, 1).variable(2, 8).fixed(0, 1).fixed(3, 3).fixed(0, 1).fixed(4, 3);
    bits.id(2).variable(2, 5).fixed(1, 1).variable(3, 8).fixed(0, 1).fixed(5, 3);
    // 7 (variable), type and initializer of no bits, flags and the rest in groups.
    bits.id(2).variable(6, 5).fixed(1, 1).variable(7, 8).fixed(0, 1).fixed(1, 3).variable(0, 5);
    bits.fixed(0, 1).fixed(2, 3).variable(6, 5).fixed(0, 1).fixed(2, 3).variable(0, 5);
    bits.fixed(0, 1).fixed(3, 3).fixed(0, 1).fixed(2, 3).variable(3, 5);
    bits.id(4).variable(3, 6).fixed(0, 6).fixed(51, 6).fixed(63, 6);
    bits.id(5).variable(3, 6).align();
    b"e-m".iter().for_each(|&byte| _ = bits.fixed(u64::from(byte), 8));
    bits.align();
    bits.id(6).variable(2 | 3 << 2, 6).variable(3, 6).variable(3, 3).variable(6, 3).variable(0, 3);
    let module = read(&bits.end().clone().finish()).unwrap();
    let expected =
        "target datalayout = \"e-m\"\ntarget triple = \"aZ_\"\n\n@0 = internal addrspace(3) global i32, align 32\n";
    assert_eq!(text::print(&module), expected);
}

#[test]
fn limits_of_streams() {
    let mut deep = Bits::new();
    deep.enter(MODULE, 3);
    (0..20).for_each(|_| _ = deep.enter(99, 3));
    (0..21).for_each(|_| _ = deep.end());
    // Unknown blocks are skipped, so only known ones are open at once.
    assert_eq!(read(&deep.finish()).unwrap_err().code, Code::Unsupported);

    let mut many = Bits::new();
    many.enter(MODULE, 3);
    (0..257).for_each(|_| _ = many.id(2).variable(1, 5).fixed(1, 1).variable(99, 8));
    assert_eq!(read(&many.end().clone().finish()).unwrap_err().code, Code::Limit);

    // An abbreviation of 64 literals, so that a record of two bits has 63 operands.
    let mut literals = Bits::new();
    literals.enter(MODULE, 3).id(2).variable(64, 5);
    (0..64).for_each(|_| _ = literals.fixed(1, 1).variable(99, 8));
    (0..1_000).for_each(|_| _ = literals.id(4));
    assert_eq!(read(&literals.end().clone().finish()).unwrap_err().code, Code::Limit);

    assert_eq!(read(&vec![0; MAX_INPUT + 1]).unwrap_err().code, Code::Limit);
}

/// A container with one part.
fn container(name: &[u8; 4], contents: &[u8]) -> Vec<u8> {
    let mut bytes = b"DXBC".to_vec();
    bytes.extend([0; 16]);
    bytes.extend([1, 0, 0, 0]);
    bytes.extend((44 + contents.len() as u32).to_le_bytes());
    bytes.extend(1u32.to_le_bytes());
    bytes.extend(36u32.to_le_bytes());
    bytes.extend(name);
    bytes.extend((contents.len() as u32).to_le_bytes());
    bytes.extend(contents);
    bytes
}

#[test]
fn containers() {
    let error = |bytes: &[u8]| -> (Code, usize) {
        let error = read(bytes).unwrap_err();
        assert!(error.to_string().contains(error.code.name));
        let Place::Byte(byte) = error.place.in_bytes() else { panic!("{error}") };
        (Code::of(error.code).unwrap(), byte)
    };
    assert_eq!(error(b""), (Code::Container, 0));
    assert_eq!(error(b"\x03\x02\x23\x07 SPIR-V"), (Code::Container, 0));
    assert_eq!(error(b"BC\xc0\xde"), (Code::Layout, 4));
    assert_eq!(error(b"DXBC"), (Code::Truncated, 4));
    for old in [b"SHEX", b"SHDR"] {
        let bytes = container(old, &[0; 40]);
        assert_eq!(error(&bytes), (Code::Dxbc, 36));
        assert!(read(&bytes).unwrap_err().message.contains("shader model 5"));
    }
    assert_eq!(error(&container(b"ISGN", &[0; 40])), (Code::NoProgram, 28));
    assert_eq!(error(&container(b"DXIL", &[0; 12])), (Code::Truncated, 44));
    assert_eq!(error(&container(b"DXIL", &[0; 40])), (Code::Program, 52));
    let good = file("points.O3.dxil");
    for length in 0..good.len() {
        assert!(read(&good[..length]).is_err(), "{length}");
    }
    let changed = |at: usize, word: u32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        bytes
    };
    assert_eq!(error(&changed(24, u32::MAX)), (Code::Truncated, 24));
    assert_eq!(error(&changed(28, 1 << 30)), (Code::Part, 28));
    assert_eq!(error(&changed(32, u32::MAX - 3)), (Code::Part, 32));
    let first = u32::from_le_bytes([good[32], good[33], good[34], good[35]]) as usize;
    assert_eq!(error(&changed(first + 4, u32::MAX)), (Code::Part, first + 4));
    let program = good.windows(4).position(|bytes| bytes == b"DXIL").unwrap() + 8;
    assert_eq!(error(&changed(program + 8, 0)), (Code::Program, program + 8));
    assert_eq!(error(&changed(program + 16, u32::MAX)), (Code::Truncated, program + 16));
    assert_eq!(error(&changed(program + 20, u32::MAX)), (Code::Truncated, program + 16));
    assert_eq!(error(&changed(program + 24, 0)), (Code::Program, program + 24));
}

#[test]
fn codes_have_different_names() {
    let names: BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.len(), Code::ALL.len());
    assert!(names.iter().all(|name| name.starts_with("dxil-")));
}
