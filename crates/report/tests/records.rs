//! What is recorded: everything once, the same each time, small.

use reconverge_report::SCHEMA;

use crate::{MODULES, long_module, optimized, recorded, report_of};

#[test]
fn the_same_module_gives_the_same_bytes() {
    for path in &MODULES[..3] {
        let [one, other] = [report_of(path), report_of(path)];
        assert_eq!(one.page(), other.page());
        assert_eq!(one.json(), other.json());
    }
}

#[test]
fn nothing_is_stored_twice() {
    let report = report_of(MODULES[0]);
    let mut lines = report.lines.clone();
    lines.sort();
    lines.dedup();
    assert_eq!(lines.len(), report.lines.len());
    let blocks = report
        .passes
        .iter()
        .flat_map(|pass| &pass.functions)
        .map(|&index| report.functions[index as usize].nodes.len());
    assert!(report.blocks.len() * 3 < blocks.sum(), "unchanged blocks are shared");
    for pass in &report.passes {
        assert!((pass.globals as usize) < report.globals.len());
        assert!(pass.functions.iter().all(|&function| (function as usize) < report.functions.len()));
    }
}

#[test]
fn a_thousand_blocks_are_less_than_two_megabytes() {
    let report = recorded(long_module(1_000), &optimized());
    assert!(report.passes.len() >= 35, "{}", report.passes.len());
    let size = report.page().len();
    assert!(size < 2_000_000, "{size}");
}

#[test]
fn the_data_is_json_with_its_version_and_cannot_end_the_page() {
    let mut report = report_of(MODULES[1]);
    report.command = "</script><script>alert(1)</script>".to_owned();
    let json: serde_json::Value = serde_json::from_str(&report.json()).expect("the data is JSON");
    assert_eq!(json["schema"], SCHEMA);
    assert_eq!(json["passes"].as_array().map(Vec::len), Some(report.passes.len()));
    assert_eq!(report.page().matches("</script>").count(), 4);
    assert!(!report.page().contains("alert(1)"));
    // Nothing is loaded from elsewhere.
    for word in ["http://", "https://", "@import", "src="] {
        let page = report.page().replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains(word), "{word}");
    }
}
