//! The text of every container is what Microsoft's compiler prints, normalized: see `tests/dxil/README.md`.

use crate::common::decode::{decode, encode};
use crate::common::{bitcode, containers, file};
use reconverge_dxil::{read, text};

/// No blank lines, structs in the order of their names, no records for debuggers.
fn normalize(text: &str) -> String {
    let is_struct = |line: &&str| line.starts_with('%') && line.contains(" = type ");
    let is_debug = |line: &&str| line.starts_with('!') && (line.contains(" = !DI") || line.contains(" = distinct !DI"));
    let lines = || text.lines().filter(|line| !line.is_empty() && !is_debug(line));
    let mut structs: Vec<&str> = lines().filter(is_struct).collect();
    structs.sort_unstable();
    structs.extend(lines().filter(|line| !is_struct(line)));
    structs.join("\n") + "\n"
}

#[test]
fn text_equals_the_compilers() {
    let names = containers();
    assert!(names.len() >= 9, "{names:?}");
    for name in names {
        let module = read(&file(&format!("{name}.dxil"))).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = String::from_utf8(file(&format!("{name}.ll"))).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = normalize(&text::print(&module));
        for (line, (found, expected)) in (1..).zip(found.lines().zip(expected.lines())) {
            assert_eq!(found, expected, "{name}.ll:{line}");
        }
        assert_eq!(found.lines().count(), expected.lines().count(), "{name}");
    }
}

#[test]
fn bitcode_without_a_container_is_the_same_module() {
    for name in containers() {
        let container = file(&format!("{name}.dxil"));
        let whole = read(&container).unwrap_or_else(|error| panic!("{name}: {error}"));
        let bare = read(bitcode(&container)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(text::print(&bare), text::print(&whole), "{name}");
        assert!(bare.header.is_none() && whole.header.is_some_and(|header| header.dxil_version >= 0x100));
    }
}

#[test]
fn abbreviations_do_not_matter() {
    for name in containers() {
        let container = file(&format!("{name}.dxil"));
        let plain = encode(&decode(bitcode(&container)));
        let [whole, plain] =
            [&container, &plain].map(|bytes| read(bytes).unwrap_or_else(|error| panic!("{name}: {error}")));
        assert_eq!(text::print(&plain), text::print(&whole), "{name}");
    }
}
