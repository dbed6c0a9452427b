//! `docs/dxil-operations.md` lists the operations that are translated. `RECONVERGE_BLESS=1` writes it.

use std::fmt::Write as _;

use reconverge_dxil::translate::{Convergence, Effect, supported_operations};

fn markdown() -> String {
    let mut page = String::from(
        "# Operations of DXIL\n\nThese operations are translated; every other one is refused with its name and number. Types: `1` boolean, `w` `i` `l` \
         integers of 16, 32 and 64 bits, `h` `f` `d` floats of 16, 32 and 64 bits. The table is generated from \
         `crates/dxil/src/translate/operations/table.rs`.\n\n| number | operation | types | memory | lanes |\n|---|---|---|---|---|\n",
    );
    for operation in supported_operations() {
        let effect = match operation.effect {
            Effect::Pure => "",
            Effect::Reads => "reads",
            Effect::Writes => "writes",
        };
        let lanes = match operation.convergence {
            Convergence::Alone => "",
            Convergence::Derivative => "the quad, for a derivative",
            Convergence::Quad => "the quad",
            Convergence::Wave => "the wave",
            Convergence::Group => "the group",
        };
        let types: Vec<String> = operation.overloads.chars().map(|letter| format!("`{letter}`")).collect();
        let (number, name, types) = (operation.number, operation.name, types.join(" "));
        writeln!(page, "| {number} | {name} | {types} | {effect} | {lanes} |").expect("a string takes any text");
    }
    page
}

#[test]
fn the_page_lists_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/dxil-operations.md");
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        std::fs::write(path, markdown()).expect("the page can be written");
    }
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(page == markdown(), "docs/dxil-operations.md is stale: run this test with RECONVERGE_BLESS=1");
}
