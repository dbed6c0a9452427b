//! What is recorded: everything once, the same each time, small.

use reconverge_report::{BlockVersion, MACHINE_CODE, Pass, Recorder, SCHEMA};

use crate::{MODULES, code_report, long_module, optimized, recorded, report_of};

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
fn lines_of_the_source_run_through_a_block() {
    let text = "capability Shader\nmemory_model Logical, GLSL450\n%file = string \"a.comp\"\n%void = type_void\n%bool = type_bool\n\
                %yes: %bool = constant_true\nentry_point GLCompute, %main, \"main\"\nexecution_mode %main, LocalSize 1, 1, 1\n\
                func %main: %void () stage graph {\nblock ^a at %file 3:1:\n  %x: %bool = logical_not %yes at %file 4:1\n  \
                %y: %bool = logical_not %x\n  branch ^b at none\nblock ^b:\n  %z: %bool = logical_not %y\n  return at %file 6:1\n}\n";
    let module = reconverge::ir::text::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let report = Recorder::new(&module).finish();
    let lines = report.blocks.iter().map(|block| block.source.clone()).collect::<Vec<_>>();
    // What has no line of its own has that of what is before it in its block, never that of another block.
    assert_eq!(lines, [vec![3, 4, 4, 0], vec![0, 0, 6]]);
}

#[test]
fn a_thousand_blocks_are_less_than_two_megabytes() {
    let report = recorded(long_module(1_000), &optimized());
    assert!(report.passes.len() >= 35, "{}", report.passes.len());
    let size = report.page().len();
    assert!(size < 2_000_000, "{size}");
}

#[test]
fn machine_code_is_beside_its_block() {
    let report = code_report();
    let [before, last] = report.passes.last_chunk().expect("there are passes");
    assert_eq!((last.name.as_str(), last.is_changed, last.instructions), (MACHINE_CODE, true, 5));
    let blocks = |pass: &Pass| {
        let nodes = report.functions[pass.functions[0] as usize].nodes.iter();
        nodes.map(|node| &report.blocks[node.block as usize]).collect::<Vec<_>>()
    };
    let [without, with] = [blocks(before), blocks(last)];
    assert!(without.iter().all(|block| block.code.is_empty()));
    assert!(without.iter().zip(&with).all(|(one, other)| (one.id, &one.lines) == (other.id, &other.lines)));
    // What belongs to no block is beside the entry, in the order of the code, and a block has what was made of it.
    let shown = |block: &BlockVersion| {
        block.shown(&report.lines).into_iter().skip(1).map(std::borrow::Cow::into_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown(with[0]), ["; prologue", "push", "; body", "add", "; epilogue", "ret"]);
    assert_eq!(shown(with[1]), ["mul", "jump"]);
    let json: serde_json::Value = serde_json::from_str(&report.json()).expect("the data is JSON");
    let all = json["blocks"].as_array().expect("there are blocks");
    assert_eq!(all.iter().filter(|block| block.get("code").is_some()).count(), 2);
}

#[test]
fn the_data_is_json_with_its_version_and_cannot_end_the_page() {
    let mut report = report_of(MODULES[1]);
    report.command = "</script><script>alert(1)</script>".to_owned();
    let json: serde_json::Value = serde_json::from_str(&report.json()).expect("the data is JSON");
    assert_eq!(json["schema"], SCHEMA);
    assert_eq!(json["passes"].as_array().map(Vec::len), Some(report.passes.len()));
    assert_eq!(report.page().matches("</script>").count(), 6);
    assert!(!report.page().contains("alert(1)"));
    // Nothing is loaded from elsewhere: pictures are in the page itself.
    const OWN: [&str; 2] = ["http://www.w3.org/2000/svg", "src=\"data:image/png;base64,"];
    for word in ["http://", "https://", "@import", "src="] {
        let page = OWN.iter().fold(report.page(), |page, own| page.replace(own, ""));
        assert!(!page.contains(word), "{word}");
    }
}
