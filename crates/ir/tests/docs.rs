//! The documentation says what is so.

use reconverge_ir::text::{parse, print};

#[path = "../examples/ops.rs"]
#[expect(dead_code, reason = "the example's own main is not called here")]
mod ops;

fn page(name: &str) -> String {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_example_in_the_guide_is_read() {
    let page = page("ir.md");
    let blocks: Vec<&str> = page.split("```ir\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 5, "{}", blocks.len());
    for block in blocks {
        let module = parse(block).unwrap_or_else(|error| panic!("{error}\n{block}"));
        let printed = print(&module);
        assert_eq!(print(&parse(&printed).unwrap()), printed);
    }
}

#[test]
fn the_table_of_ops_is_fresh() {
    assert!(
        page("ops.md") == ops::markdown(),
        "docs/ops.md is stale: cargo run -p reconverge-ir --example ops > docs/ops.md"
    );
}
