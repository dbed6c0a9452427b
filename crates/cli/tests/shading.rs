//! Shading languages in: what a person writes is read, checked where it stands, and compiled.

use crate::common::{Scratch, content};

/// A barrier that some invocations do not reach.
const DIVERGENT: &str = "\
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> tile: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) index: u32) {
    tile[index] = data[index];
    if (data[index] > 3u) {
        workgroupBarrier();
    }
    data[index] = tile[63u - index];
}
";

#[test]
fn a_rule_of_wgsl_is_an_error_in_wgsl_where_the_text_breaks_it() {
    let scratch = Scratch::new();
    scratch.file("divergent.wgsl", DIVERGENT);
    let said = scratch.run(&["check", "divergent.wgsl"]).ended(1).stderr();
    assert!(said.starts_with("error[uniformity-barrier]: "), "{said}");
    assert!(said.contains(" --> divergent.wgsl:7:9") && said.contains("workgroupBarrier();"), "{said}");
    assert!(said.contains("a storage buffer that is written `data`"), "{said}");
    assert!(!said.contains("control_barrier %") && !said.contains("W01"), "{said}");
    let said = scratch.run(&["check", "divergent.wgsl", "--warn", "uniformity-barrier"]).ended(0).stderr();
    assert!(said.starts_with("warning[uniformity-barrier]: "), "{said}");
    scratch.run(&["check", "divergent.wgsl", "--warn", "wgsl", "--deny", "warnings"]).ended(1);
    assert_eq!(scratch.run(&["check", "divergent.wgsl", "--allow", "wgsl"]).ended(0).stderr(), "");
    let said = scratch.run(&["check", "divergent.wgsl", "--warn", "W01"]).ended(1).stderr();
    assert!(said.contains("warning[W01]: "), "{said}");
    scratch.file("uniform.wgsl", DIVERGENT.replace("data[index] > 3u", "arrayLength(&data) > 3u"));
    scratch.run(&["check", "uniform.wgsl"]).ended(0);
}

#[test]
fn texts_become_spirv_with_lines() {
    let scratch = Scratch::new();
    scratch.file("a.wgsl", DIVERGENT);
    for level in ["-O0", "-O1", "-Os"] {
        scratch.run(&["compile", "a.wgsl", level, "-o", "out.spv"]).ended(0);
        let text = scratch.run(&["compile", "out.spv", "-O0", "-o", "-", "--to", "text"]).ended(0).stdout();
        assert!(text.contains("string \"a.wgsl\""), "{text}");
        assert!(text.contains("entry_point GLCompute"), "{text}");
        // The text itself is not in it.
        assert!(!text.contains("workgroupBarrier"), "{text}");
    }
    let text = scratch.feed(&["compile", "-", "-o", "-", "--to", "text"], DIVERGENT.as_bytes()).ended(0).stdout();
    assert!(text.contains("string \"<stdin>\""), "{text}");
}

#[test]
fn errors_are_where_the_text_is_wrong() {
    let scratch = Scratch::new();
    let uniform = DIVERGENT.replace("data[index] > 3u", "arrayLength(&data) > 3u");
    let cases = [
        ("a.wgsl", DIVERGENT.replace("63u - index", "63u - indices"), 1, "source-syntax", "a.wgsl:9:30"),
        ("b.wgsl", DIVERGENT.replace("= tile[63u - index]", "= vec2<u32>(1u)"), 1, "source-", "b.wgsl:9:"),
        (
            "c.wgsl",
            format!("@group(1) @binding(0) var video: texture_external;\n{uniform}"),
            3,
            "source-unsupported",
            "c.wgsl:1:",
        ),
        ("d.wgsl", format!("const x = {}1{};", "(".repeat(3_000), ")".repeat(3_000)), 4, "source-limit", "d.wgsl:1:"),
    ];
    for (name, text, exit, code, place) in cases {
        scratch.file(name, text);
        for command in [&["compile", name, "-o", "out.spv"][..], &["check", name]] {
            let said = scratch.run(command).ended(exit).stderr();
            assert!(said.contains(&format!("error[{code}")) && said.contains(place), "{name}: {said}");
        }
    }
    scratch.file("e.wgsl", b"const x = 1;\n  \xff");
    let said = scratch.run(&["check", "e.wgsl"]).ended(1).stderr();
    assert!(said.contains("e.wgsl:2:3") && said.contains("UTF-8"), "{said}");
}

/// A kernel has pointers, and of the text languages GLSL alone has addresses.
#[test]
fn kernels_become_text_with_bindings() {
    let scratch = Scratch::new();
    let kernel = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/kernels/flow/irreducible_goto.spv");
    let compiled = |output: &str, flags: &[&str], code: i32| {
        let arguments = [&["compile", kernel, "-o", output], flags].concat();
        scratch.run(&arguments).ended(code).stderr()
    };
    for (output, language) in [("k.wgsl", "WGSL"), ("k.comp", "GLSL"), ("k.hlsl", "HLSL"), ("k.metal", "MSL")] {
        let said = compiled(output, &["--reflection", "k.json"], 0);
        assert!(said.starts_with("note: ") && said.contains(language), "{output}: {said}");
        assert!(said.contains("pointers of kernels become bindings"), "{output}: {said}");
        let by_itself = content(&scratch.path(output));
        let reflection = String::from_utf8(content(&scratch.path("k.json"))).expect("the reflection is text");
        assert!(reflection.contains("\"binding\""), "{reflection}");
        assert_eq!(compiled(output, &["--pointers", "bindings"], 0), "", "{output}: asked for");
        assert!(by_itself == content(&scratch.path(output)), "{output}");
        assert_eq!(compiled(output, &["-q"], 0), "");
        compiled(output, &["--buffer-offsets"], 0);
        let of_addresses = match language {
            "GLSL" => Some("#extension GL_EXT_buffer_reference : require"),
            "MSL" => Some("reinterpret_cast<"),
            _ => None,
        };
        if let Some(words) = of_addresses {
            compiled(output, &["--pointers", "addresses"], 0);
            let text = String::from_utf8(content(&scratch.path(output))).expect("a text is text");
            assert!(text.contains(words), "{text}");
            continue;
        }
        let said = compiled(output, &["--pointers", "addresses"], 2);
        assert!(said.contains("has no addresses") && said.contains("give --pointers bindings"), "{output}: {said}");
    }
    assert_eq!(compiled("k.spv", &[], 0), "", "SPIR-V has addresses");
}

#[test]
fn conditions_that_go_through_workgroup_memory_are_explained() {
    let scratch = Scratch::new();
    scratch.file("a.wgsl", DIVERGENT);
    let said = scratch.run(&["compile", "a.wgsl", "-O0", "-o", "out.wgsl", "--why"]).ended(0).stderr();
    let expected = "): a value that a barrier depends on goes through workgroup memory, because reading from `data` may differ between \
                    invocations: 4 bytes, which all such values of its type share, and two barriers each time\n";
    assert!(said.contains("main (a.wgsl:6:") && said.contains(expected), "{said}");
    scratch.run(&["check", "out.wgsl"]).ended(0);
    scratch.file("b.wgsl", DIVERGENT.replace("data[index] > 3u", "arrayLength(&data) > 3u"));
    let said = scratch.run(&["compile", "b.wgsl", "-O0", "-o", "out.wgsl", "--why"]).ended(0).stderr();
    assert!(!said.contains("workgroup memory"), "{said}");
}
