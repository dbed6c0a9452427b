//! The binary form: what is written reads back as the same, and numbers of ops stay as they are.

use reconverge_diagnostic::Place;
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
    let error = read(bytes).map(|module| print(&module)).expect_err("the bytes are wrong");
    ErrorCode::of(error.code).expect("the code is one of the form")
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
    assert_eq!(error.code, ErrorCode::Op);
    assert_eq!(error.place, Place::Byte(op), "{error}");
    assert!(error.message.contains("found 16383; the file was written with version "), "{error}");
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

/// A golden file is written once, by `binary::write` of the text beside it, when a version of the format is new; it never changes.
#[test]
fn files_of_every_version_are_read() {
    let files: [(u32, &[u8], &str); 1] =
        [(1, include_bytes!("golden/version_1.rcv"), include_str!("golden/version_1.ir"))];
    assert_eq!(files.len(), binary::VERSIONS.count(), "each version has a golden file");
    for (version, bytes, text) in files {
        let archive = Archive::open(bytes).unwrap();
        assert_eq!(archive.header().version, version);
        let module = archive.read().unwrap();
        assert_eq!(print(&module), text, "version {version}");
        compare(&module, &parse(text).unwrap()).unwrap();
        let symbols: Vec<(&[u8], bool)> =
            archive.symbols().iter().map(|symbol| (symbol.name, symbol.is_import())).collect();
        assert_eq!(symbols, [(&b"count"[..], false), (b"elsewhere", true)], "version {version}");
        assert_eq!(module.unknown_sections().len(), 1, "version {version}");
    }
}

const LIBRARY: &str = "\
capability Kernel
capability Linkage
memory_model Physical64, OpenCL
%file = string \"library.cl\"
%void = type_void
%u32 = type_int 32, 0
%float = type_float 32
%seven: %u32 = constant 7
%half: %float = constant f32(0.5)
%unary = type_function %u32, %u32
%nullary = type_function %void
%pointer = type_pointer CrossWorkgroup, %u32
%table: %pointer = variable CrossWorkgroup {decorate LinkageAttributes \"table\" 0}

func %used: %u32 (%x: %u32) type %unary control 0 stage graph {decorate LinkageAttributes \"used\" 0} {
block ^entry:
  %y: %u32 = i_add %x, %seven at %file 3:4
  %z: %u32 = function_call %elsewhere, %y
  return_value %z
}

func %unused: %void () type %nullary control 0 stage graph {decorate LinkageAttributes \"unused\" 0} {
block ^entry:
  %h: %float = f_add %half, %half
  return
}

func %elsewhere: %u32 (%x: %u32) type %unary control 0 stage graph {decorate LinkageAttributes \"elsewhere\" 1}
";

#[test]
fn a_part_has_what_its_globals_reach_and_nothing_else() {
    let bytes = settle(&parse(LIBRARY).unwrap());
    let archive = Archive::open(&bytes).unwrap();
    let symbols: Vec<(&[u8], Op, u32)> =
        archive.symbols().iter().map(|symbol| (symbol.name, symbol.op, symbol.linkage)).collect();
    let expected: [(&[u8], Op, u32); 4] = [
        (b"table", Op::Variable, 0),
        (b"used", Op::Function, 0),
        (b"unused", Op::Function, 0),
        (b"elsewhere", Op::Function, 1),
    ];
    assert_eq!(symbols, expected);
    assert_eq!(archive.module_instructions().collect::<Vec<u32>>(), [0, 1, 2]);
    let [used, elsewhere] = [1, 3].map(|row| archive.symbols()[row].global);
    let mut reach = archive.reach();
    let reached = reach.include(used).unwrap().to_vec();
    assert_eq!(reached[0], used);
    assert!(reached.contains(&elsewhere));
    assert_eq!(reach.include(used), Ok(&[][..]));
    assert_eq!(reach.include(2).map(<[u32]>::len), Ok(1));
    let part = reach.read().unwrap();
    let function = part.inst(used).unwrap();
    assert_eq!((part.module.op(function), part.inst(archive.symbols()[2].global)), (Op::Function, None));
    let text = print(&part.module);
    assert!(text.lines().all(|line| LIBRARY.lines().any(|other| other == line)), "{text}");
    for gone in ["unused", "table", "float", "nullary", "capability"] {
        assert!(!text.contains(gone), "{gone}\n{text}");
    }
    for there in ["memory_model", "at %file 3:4", "string \"library.cl\"", "func %elsewhere"] {
        assert!(text.contains(there), "{there}\n{text}");
    }
    settle(&part.module);
}

#[test]
fn the_whole_file_is_a_part_too() {
    for text in [LIBRARY, crate::text_mutations::SEED] {
        let bytes = settle(&parse(text).unwrap());
        let archive = Archive::open(&bytes).unwrap();
        let mut reach = archive.reach();
        for global in 0..archive.global_count() {
            reach.include(global).unwrap();
        }
        assert_eq!(reach.globals().len(), archive.global_count() as usize);
        let part = reach.read().unwrap().module;
        let mut whole = archive.read().unwrap();
        let root = whole.root();
        whole.edit().retain_decorations(root, |_, _| false);
        compare(&whole, &part).unwrap_or_else(|difference| panic!("{difference}"));
        assert!(archive.reach().include(archive.global_count()).is_err());
    }
}

#[test]
fn a_table_that_contradicts_the_decorations_is_refused() {
    let bytes = settle(&parse(LIBRARY).unwrap());
    // The last mention of the name is in the table: those in the decorations stay.
    let place = bytes.windows(6).rposition(|window| window == b"unused").unwrap();
    let mut wrong = bytes.clone();
    wrong[place] = b'U';
    assert_eq!(code(&wrong), ErrorCode::Linkage);
}
