//! `reconverge graph`: every form in and out, what is refused and how, and what the page about it shows.

use std::fs;
use std::path::Path;

use crate::common::{Scratch, content};
use serde_json::Value;

/// A diamond in a loop, with a way into the middle.
const GRAPH: &str = "\
head condbr left right
left condbr join right   # into the other arm
right br join
join condbr head exit
exit ret
";

#[test]
fn every_form_is_written() {
    let scratch = Scratch::new();
    scratch.file("g.cfg", GRAPH);
    let beginnings = [
        ("plan", "#0 (entry): goto head\n"),
        ("json", "{\n  \"format\": 1,\n  \"graph\": {"),
        ("dot", "digraph plan {"),
        ("graph-dot", "digraph graph_before {"),
        ("text", "head condbr left right\nleft condbr join right\n"),
        ("graph-json", "{\n  \"format\": 1,\n  \"graph\": {"),
        ("asm", "; SPIR-V\n"),
        ("html", "<!doctype html>\n"),
    ];
    for (form, beginning) in beginnings {
        let stdout = scratch.run(&["graph", "g.cfg", "--to", form]).ended(0).stdout();
        assert!(stdout.starts_with(beginning), "{form}: {stdout}");
    }
    let ir = scratch.run(&["graph", "g.cfg", "--to", "ir"]).ended(0).stdout();
    assert!(ir.contains("stage structured"), "{ir}");
    scratch.run(&["graph", "g.cfg", "--to", "spirv", "-o", "g.bin"]).ended(0);
    assert_eq!(content(&scratch.path("g.bin"))[..4], 0x0723_0203_u32.to_le_bytes());
}

#[test]
fn the_extension_says_the_form() {
    let scratch = Scratch::new();
    scratch.file("g.cfg", GRAPH);
    for (form, name) in [
        ("json", "o.json"),
        ("dot", "o.dot"),
        ("text", "o.cfg"),
        ("spirv", "o.spv"),
        ("asm", "o.spvasm"),
        ("ir", "o.ir"),
        ("plan", "o.txt"),
    ] {
        scratch.run(&["graph", "g.cfg", "-o", name]).ended(0);
        scratch.run(&["graph", "g.cfg", "-o", "other", "--to", form]).ended(0);
        assert_eq!(content(&scratch.path(name)), content(&scratch.path("other")), "{name}");
    }
    // A page contains the command line.
    scratch.run(&["graph", "g.cfg", "-o", "o.html"]).ended(0);
    let page = fs::read_to_string(scratch.path("o.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    scratch.run(&["check", "o.spv"]).ended(0);
    scratch.run(&["check", "o.ir"]).ended(0);
}

#[test]
fn json_and_text_are_the_same_graph() {
    let scratch = Scratch::new();
    scratch.file("g.cfg", GRAPH);
    scratch.run(&["graph", "g.cfg", "-o", "g.json"]).ended(0);
    scratch.run(&["graph", "g.cfg", "--to", "graph-json", "-o", "bare.json"]).ended(0);
    let plan = scratch.run(&["graph", "g.cfg"]).ended(0).stdout();
    assert_eq!(scratch.run(&["graph", "g.json"]).ended(0).stdout(), plan);
    assert_eq!(scratch.run(&["graph", "bare.json", "--from", "json"]).ended(0).stdout(), plan);
    assert_eq!(scratch.feed(&["graph", "-"], GRAPH.as_bytes()).ended(0).stdout(), plan);
    let document: Value = serde_json::from_slice(&content(&scratch.path("g.json"))).unwrap();
    assert_eq!(document["graph"]["blocks"].as_array().unwrap().len(), 5);
    assert!(document["plan"]["blocks"].as_array().unwrap().len() >= 5);
}

#[test]
fn limits_are_obeyed_or_told() {
    let scratch = Scratch::new();
    scratch.file("g.cfg", GRAPH);
    let flat = scratch.run(&["graph", "g.cfg", "--nesting-limit", "0"]).ended(0).stdout();
    assert!(flat.contains("flat switch"), "{flat}");
    let ran = scratch.run(&["graph", "g.cfg", "--block-limit", "4", "-o", "out"]).ended(4);
    assert!(ran.stderr().contains("structurize-limit"), "{}", ran.stderr());
    assert_eq!(scratch.names(), ["g.cfg"]);
}

#[test]
fn tiny_blocks_are_copied_where_that_is_asked_for() {
    let scratch = Scratch::new();
    scratch.file("g.cfg", "entry condbr a b | a br b | b condbr a exit | exit ret");
    let ran = scratch.run(&["graph", "g.cfg", "--split-blocks", "1", "-o", "plan", "--why"]).ended(0);
    assert!(ran.stderr().contains("copied: b as b' (1 instruction) for the edge entry → b"), "{}", ran.stderr());
    assert!(ran.stderr().contains("blocks copied 1, 2 more instructions and branches"), "{}", ran.stderr());
    let plan = String::from_utf8(content(&scratch.path("plan"))).unwrap();
    assert!(plan.contains("b'") && !plan.contains("irreducible dispatch"), "{plan}");
    scratch.run(&["graph", "g.cfg", "--split-blocks", "1", "-o", "o.spv"]).ended(0);
    scratch.run(&["check", "o.spv"]).ended(0);
    let off = scratch.run(&["graph", "g.cfg", "--split-blocks", "0"]).ended(0).stdout();
    assert!(off.contains("irreducible dispatch"), "{off}");
}

#[test]
fn why_tells_what_was_added() {
    let scratch = Scratch::new();
    scratch.file("g.cfg", "entry condbr a b | a br b | b condbr a exit | exit ret");
    let ran = scratch.run(&["graph", "g.cfg", "-o", "plan", "--why"]).ended(0);
    assert!(ran.stderr().contains("irreducible dispatch: a cycle is entered at"), "{}", ran.stderr());
    let said = scratch.run(&["graph", "g.cfg", "-o", "plan", "--why", "--error-format=json"]).ended(0).json();
    let summary = said.last().unwrap();
    assert_eq!((&summary["kind"], &summary["blocks_in"]), (&"summary".into(), &4.into()), "{said:?}");
    assert!(said[..said.len() - 1].iter().all(|line| line["kind"] == "why"), "{said:?}");
    let plan = String::from_utf8(content(&scratch.path("plan"))).unwrap();
    assert!(plan.contains("irreducible dispatch: a cycle is entered at"), "{plan}");
}

#[test]
fn assumptions_are_told_and_can_be_made() {
    let scratch = Scratch::new();
    // A convergent block between the middle of a loop and what is behind it.
    scratch.file("g.cfg", "head condbr on next | next condbr found latch | found br end, convergent | on br end | latch br head | end ret");
    let inside = scratch.run(&["graph", "g.cfg"]).ended(0).stdout();
    assert!(inside.contains("assumed: found is convergent"), "{inside}");
    let outside = scratch.run(&["graph", "g.cfg", "--assume", "break-blocks=outside"]).ended(0).stdout();
    assert_ne!(inside, outside);
    scratch.file("h.cfg", "head condbr body tail, loop end body | body br head | tail br end, convergent | end ret");
    let hinted = scratch.run(&["graph", "h.cfg"]).ended(0).stdout();
    let bare = scratch.run(&["graph", "h.cfg", "--assume", "merges=post-dominators"]).ended(0).stdout();
    assert_ne!(hinted, bare);
    scratch.run(&["graph", "g.cfg", "--assume", "merges=none"]).ended(2);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let scratch = Scratch::new();
    /// Input, error code, and where.
    type Case = (&'static [u8], &'static str, Option<(u64, u64)>);
    let cases: [Case; 8] = [
        (b"a br b\nb jmp a\n", "graph-unknown-terminator", Some((2, 3))),
        (b"a br b\n", "graph-unknown-target", Some((1, 6))),
        (b"# nothing\n", "graph-empty", Some((2, 1))),
        (b"", "empty-input", None),
        (b"a ret\nb\xff ret\n", "graph-encoding", Some((2, 2))),
        (b"{\"format\": 1}", "graph-json", None),
        (b"{\"format\": 7}", "graph-json-format", None),
        (b"{\"format\": 1,\n \"grape\": 1}", "graph-json", Some((2, 8))),
    ];
    for (text, code, place) in cases {
        scratch.file("wrong", text);
        let said = scratch.run(&["graph", "wrong", "-o", "out", "--error-format=json"]).ended(1).json();
        assert_eq!(said[0]["code"], code, "{said:?}");
        let found = said[0]["place"]["line"].as_u64().zip(said[0]["place"]["column"].as_u64());
        assert_eq!(found, place, "{said:?}");
    }
    assert_eq!(scratch.names(), ["wrong"]);
    scratch.file("wrong", "größe br nowhere\n");
    let said = scratch.run(&["graph", "wrong"]).ended(1).stderr();
    assert!(said.contains("wrong:1:10") && said.contains("größe br nowhere") && said.contains("^^^^^^^"), "{said}");
}

#[test]
fn usage_and_files_end_as_everywhere() {
    let scratch = Scratch::new();
    scratch.file("g.cfg", GRAPH);
    scratch.run(&["graph"]).ended(2);
    scratch.run(&["graph", "g.cfg", "--to", "png"]).ended(2);
    scratch.run(&["graph", "missing.cfg"]).ended(75);
    scratch.run(&["graph", "g.cfg", "-o", "nowhere/out"]).ended(75);
}

#[test]
fn the_page_shows_what_the_command_prints() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/graph.md")).unwrap();
    let block = |title: &str| {
        let opening = format!("```text {title}\n");
        let start = page.find(&opening).unwrap_or_else(|| panic!("no {title}")) + opening.len();
        page[start..].split("```").next().unwrap().to_owned()
    };
    let scratch = Scratch::new();
    scratch.file("search.cfg", block("search.cfg"));
    assert_eq!(scratch.run(&["graph", "search.cfg"]).ended(0).stdout(), block("reconverge graph search.cfg"));
}

/// A scope that needs no block is no block that was added, and `--why` tells it all the same.
#[test]
fn why_names_a_scope_on_a_block_of_the_input() {
    let scratch = Scratch::new();
    scratch.file("g.cfg", "a br b | b condbr d c | c condbr d e | d br e | e ret\n");
    let told = scratch.run(&["graph", "g.cfg", "--why", "-o", "plan.txt"]).ended(0).stderr();
    let expected = "scope on a: edges inside it leave several selections at once to e";
    assert!(told.lines().next().is_some_and(|line| line.ends_with(expected)), "{told}");
    scratch.run(&["graph", "g.cfg", "-o", "g.ir"]).ended(0);
    let told = scratch.run(&["compile", "g.ir", "--strip-merges", "--why", "-o", "out.ir"]).ended(0).stderr();
    assert!(told.contains("main: scope on `a`: edges inside it leave several selections at once to `e`"), "{told}");
}

#[test]
fn a_graph_is_two_pictures() {
    let scratch = Scratch::new();
    scratch.file("g.cfg", "a condbr b c\nb switch c d d\nc condbr b d\nd ret\n");
    scratch.run(&["graph", "g.cfg", "-o", "g.svg"]).ended(0);
    let picture = String::from_utf8(content(&scratch.path("g.svg"))).expect("the picture is UTF-8");
    for part in
        ["before", "after", "if true: goto", "cases 0, 1: goto d", "default: goto", "irreducible dispatch   ◀ added"]
    {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    let many: String = (0..2000).map(|block| format!("b{block} br b{}\n", block + 1)).collect();
    scratch.file("many.cfg", many + "b2000 ret\n");
    let said = scratch.run(&["graph", "many.cfg", "-o", "many.svg"]).ended(2).stderr();
    assert!(said.contains("up to 2000 blocks and edges, and this one would have 4001: write .html"), "{said}");
}
