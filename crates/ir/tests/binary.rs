//! The binary form: what is written reads back as the same, and numbers of ops stay as they are.

use reconverge_ir::binary::{self, Archive, ErrorCode, read, write};
use reconverge_ir::compare::compare;
use reconverge_ir::text::{parse, print};
use reconverge_ir::{Module, Op};

/// Writes and reads a module; both must print the same, and both must be written the same.
pub(crate) fn settle(module: &Module) -> Vec<u8> {
    let bytes = write(module);
    let again = read(&bytes).unwrap_or_else(|error| panic!("{error}\n{}", print(module)));
    assert_eq!(print(&again), print(module));
    compare(module, &again).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(write(&again), bytes);
    bytes
}

fn code(bytes: &[u8]) -> ErrorCode {
    read(bytes).expect_err("the bytes are wrong").code
}

#[test]
fn everything_in_a_module_reads_back() {
    settle(&Module::new());
    settle(&parse(crate::text_mutations::SEED).unwrap());
    settle(&Module::with_numbers(1_000));
    for text in [
        "%5 = type_void\n%3 = type_int 32, 0\n%4 = type_int 64, 0\n",
        "%a: %f = constant f32(0.5)\n%f = type_float 32\n%b: %d = constant f64(-1e300)\n%d = type_float 64\n",
        "source GLSL, 450\nextension \"a\\xffb\"\nextension text(97, 98)\nopaque 9, words(), words(1, 2, 3), \"\"\n",
        "%v = type_void\nfunc %f: %v () {\nblock ^a:\n  return\n}\nfunc %g: none (%x: none) (%v)\nopaque 1, %f\n",
    ] {
        settle(&parse(text).unwrap());
    }
}

#[test]
fn every_op_reads_back() {
    for &op in Op::ALL {
        let mut module = Module::new();
        let mut edit = module.edit();
        if matches!(op.class(), reconverge_ir::Class::Removed | reconverge_ir::Class::Literal) || op == Op::Module {
            continue;
        }
        let [word, text] = [edit.word(1 << 20), edit.text("text")];
        let ty = edit.unique(Op::TypeVoid, None, &[]);
        let typed = op.has_type().then_some(ty);
        let operands = [word, ty, text];
        match op.class() {
            reconverge_ir::Class::Decoration => {
                let decoration = edit.unique(op, None, &operands);
                edit.decorate(ty, decoration);
            }
            reconverge_ir::Class::Position => {
                let position = edit.unique(op, None, &operands);
                let location = reconverge_ir::Location { scope: Some(position), ..reconverge_ir::Location::NONE };
                edit.set_location(ty, Some(location));
            }
            _ => drop(edit.append_global(op, typed, &operands)),
        }
        let bytes = write(&module);
        let again = read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", op.name()));
        compare(&module, &again).unwrap_or_else(|difference| panic!("{}: {difference}", op.name()));
        assert_eq!(write(&again), bytes, "{}", op.name());
    }
}

/// A number of an op is given once: the golden text has every number that was ever given, and lines are only added to it.
#[test]
fn numbers_of_ops_stay_as_they_are() {
    let golden = include_str!("golden/op_ids.txt");
    let mut ids: Vec<(u16, Option<Op>)> = binary::op_ids().collect();
    ids.sort_by_key(|&(id, _)| id);
    let line = |&(id, op): &(u16, Option<Op>)| format!("{id} {}\n", op.map_or("retired", Op::name));
    let now: String = ids.iter().map(line).collect();
    assert!(
        now == golden,
        "tests/golden/op_ids.txt differs from binary/op_ids.rs; lines may be added to it, never changed"
    );
    assert!(ids.windows(2).all(|pair| pair[0].0 < pair[1].0), "a number is given twice");
    assert_eq!(ids.iter().filter(|(_, op)| op.is_some()).count(), Op::ALL.len());
}

#[test]
fn what_is_not_a_file_is_refused() {
    let bytes = settle(&parse(crate::text_mutations::SEED).unwrap());
    assert_eq!([code(b""), code(b"\x89RC"), code(b"capability Shader")], [ErrorCode::Magic; 3]);
    for length in 4..bytes.len() {
        assert!(matches!(code(&bytes[..length]), ErrorCode::Length), "{length}");
    }
    let mut newer = bytes.clone();
    (newer[4], newer[5]) = (9, 7);
    let error = read(&newer).unwrap_err();
    assert_eq!(error.code, ErrorCode::Version);
    assert!(error.message.contains("from 1 to 1, found 7 to 9, written by \"reconverge "), "{error}");
    // Written by a newer version, in a way that this one reads.
    newer[5] = 1;
    assert!(read(&newer).is_ok());
    let header = Archive::open(&newer).unwrap().header().version;
    assert_eq!(header, 9);
}

#[test]
fn an_op_of_a_newer_build_is_refused_at_its_place() {
    let bytes = settle(&parse("%v = type_void\n").unwrap());
    // Head, number of sections, shapes, their length, their count, then the op.
    let op = 4 + 3 + 1 + "reconverge ".len() + env!("CARGO_PKG_VERSION").len() + 4;
    let mut newer = bytes.clone();
    newer[op] = 0x7f;
    newer[op + 1] |= 0x80;
    newer.splice(op..op + 1, [0xff, 0x7f]);
    newer[op - 2] += 1;
    let error = read(&newer).unwrap_err();
    assert_eq!((error.code, error.offset), (ErrorCode::Op, op), "{error}");
    assert!(error.message.contains("found 16383; the file was written with version 1 of the op table"), "{error}");
}

#[test]
fn sections_that_nobody_knows_are_kept() {
    let mut bytes = settle(&parse("%v = type_void\n").unwrap());
    let sections = 4 + 3 + 1 + "reconverge ".len() + env!("CARGO_PKG_VERSION").len();
    bytes[sections] += 2;
    bytes.extend([100, 3, 1, 2, 3, 0x80, 1, 0]);
    assert_eq!(read(&bytes).map(|module| write(&module)).as_ref(), Ok(&bytes));
    let module = read(&bytes).unwrap();
    assert_eq!((module.unknown_sections()[0].kind, &*module.unknown_sections()[0].bytes), (100, &[1u8, 2, 3][..]));
    bytes[sections] += 1;
    bytes.extend([99, 1, 0]);
    assert_eq!(code(&bytes), ErrorCode::Section);
}
