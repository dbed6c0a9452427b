//! The table of instruction forms says what the encoder's own table says. `RECONVERGE_BLESS=1` writes it.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use iced_x86::{Code, EncodingKind};

/// Where the rows begin in the file of the table.
const ROWS: &str = "\nforms! {\n";

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every word of the sources and the tests, without those of the table.
fn words() -> HashSet<String> {
    let mut words = HashSet::new();
    let mut folders = vec![sources(), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("the sources are readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name != "op_codes.rs") {
                let text = fs::read_to_string(path).expect("the sources are text");
                let is_separator = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
                words.extend(text.split(is_separator).map(str::to_owned));
            }
        }
    }
    words
}

fn rows() -> String {
    let words = words();
    let mut text = String::new();
    for code in Code::values().filter(|code| words.contains(&format!("{code:?}"))) {
        let form = code.op_code();
        let kinds: Vec<String> = (0..form.op_count()).map(|place| format!("{:?}", form.op_kind(place))).collect();
        let broadcast = if form.can_broadcast() { form.broadcast_memory_size().element_size() } else { 0 };
        let is_evex = form.encoding() == EncodingKind::EVEX;
        let is_unique = form.requires_unique_reg_nums() || form.requires_unique_dest_reg_num();
        let (kinds, bytes) = (kinds.join(" "), form.memory_size().size());
        writeln!(text, "    {code:?} [{kinds}] {bytes} {broadcast} {is_evex} {is_unique};")
            .expect("a string takes all");
    }
    text
}

#[test]
fn the_table_is_that_of_the_encoder() {
    let path = sources().join("machine/op_codes.rs");
    let text = fs::read_to_string(&path).expect("the table is there");
    let (before, rest) = text.split_once(ROWS).expect("the table has rows");
    let (found, after) = rest.rsplit_once("}\n").expect("the table ends");
    let right = rows();
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        fs::write(&path, format!("{before}{ROWS}{right}}}\n{after}")).expect("the table can be written");
        return;
    }
    assert!(found == right, "the table is stale: run this test with RECONVERGE_BLESS=1");
}
