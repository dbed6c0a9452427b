use reconverge_diagnostic::Severity;

use super::{UniformityRule, uniformity};

/// Declarations of all texts.
const COMMON: &str = "\
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@group(0) @binding(1) var<storage, read> fixed: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4<u32>;
@group(0) @binding(3) var image: texture_2d<f32>;
@group(0) @binding(4) var how: sampler;
var<workgroup> shared_word: u32;
var<private> own: u32;
";

/// The rules that a text violates, in its order.
fn rules(code: &str) -> Vec<UniformityRule> {
    let text = format!("{COMMON}{code}");
    let findings = uniformity(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    findings.iter().map(|finding| finding.rule).collect()
}

/// A compute shader with this body, which has a workgroup's and an invocation's numbers.
fn compute(body: &str) -> String {
    format!(
        "@compute @workgroup_size(64)
         fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>) {{ {body} }}"
    )
}

#[test]
fn barriers_need_uniform_control_flow() {
    let valid = [
        "workgroupBarrier();",
        "if (group.x > 3u) { workgroupBarrier(); }",
        "if (size.x > fixed[group.x]) { storageBarrier(); }",
        "if (id.x > 3u) { data[0] = 1u; } workgroupBarrier();",
        "for (var i = 0u; i < size.x; i++) { workgroupBarrier(); }",
        "for (var i = 0u; i < id.x; i++) { data[i] = i; } workgroupBarrier();",
        "switch (id.x) { case 1u: { data[0] = 1u; } case 2u, 3u: { break; } default: { } } workgroupBarrier();",
        "let n = workgroupUniformLoad(&shared_word); if (n > 2u) { workgroupBarrier(); }",
        "var n = id.x; n = size.x; if (n > 2u) { workgroupBarrier(); }",
        "if (group.x > 3u) { return; } workgroupBarrier();",
        "if (false && id.x > 3u) { data[0] = 1u; } workgroupBarrier();",
        // No round ends.
        "loop { if (size.x > 2u) { return; } break; continuing { workgroupBarrier(); break if id.x > 3u; } }",
        // What follows a `return` is not part of the function.
        "if (id.x > 3u) { data[0] = 1u; } return; workgroupBarrier();",
    ];
    for body in valid {
        assert_eq!(rules(&compute(body)), [], "{body}");
    }
    let invalid = [
        "if (id.x > 3u) { workgroupBarrier(); }",
        "if (data[0] > 3u) { workgroupBarrier(); }",
        "if (own > 3u) { storageBarrier(); }",
        "if (shared_word > 3u) { workgroupBarrier(); }",
        "if (size.x > 1u && id.x > 3u) { workgroupBarrier(); }",
        "if (id.x > 3u) { return; } workgroupBarrier();",
        "for (var i = 0u; i < id.x; i++) { workgroupBarrier(); }",
        // Invocations that continue are apart from the others until the loop ends.
        "for (var i = 0u; i < size.x; i++) { if (id.x > i) { continue; } workgroupBarrier(); }",
        "for (var i = 0u; i < size.x; i++) { workgroupBarrier(); if (id.x > i) { continue; } }",
        "for (var i = 0u; i < size.x; i++) { workgroupBarrier(); if (id.x > i) { break; } }",
        "loop { workgroupBarrier(); continuing { break if id.x > 3u; } }",
        "switch (id.x) { case 1u: { workgroupBarrier(); } default: { } }",
        "switch (size.x) { case 1u: { if (id.x > 2u) { break; } workgroupBarrier(); } default: { } }",
        "var n = size.x; if (id.x > 3u) { n = 1u; } if (n > 2u) { workgroupBarrier(); }",
        "var n = size.x; for (var i = 0u; i < size.x; i++) { if (n > 2u) { workgroupBarrier(); } n = id.x; }",
        "var n = array<u32, 4>(); n[id.x] = 1u; if (n[0] > 2u) { workgroupBarrier(); }",
        "let n = atomic_word(id.x); if (n > 2u) { workgroupBarrier(); }",
        "let n = arrayLength(&data) + data[0]; while (n > 2u) { workgroupBarrier(); }",
        "let n = workgroupUniformLoad(&words[id.x]);",
        "loop { if (id.x > 2u) { return; } break; } workgroupBarrier();",
    ];
    let helpers = "
        var<workgroup> counter: atomic<u32>;
        var<workgroup> words: array<u32, 64>;
        fn atomic_word(n: u32) -> u32 { return atomicAdd(&counter, n); }";
    for body in invalid {
        assert_eq!(rules(&format!("{helpers}{}", compute(body))), [UniformityRule::Barrier], "{body}");
    }
}

#[test]
fn requirements_go_to_callers() {
    let helpers = "
        fn wait() { workgroupBarrier(); }
        fn wait_if(c: bool) { if (c) { wait(); } }
        fn same(n: u32) -> u32 { return n; }
        fn other(n: u32) -> u32 { return n + own; }
        fn wait_at(p: ptr<function, u32>) { if (*p > 2u) { workgroupBarrier(); } }
        fn put(p: ptr<function, u32>, n: u32) { *p = n; }
        fn keep(p: ptr<function, u32>) -> u32 { return *p; }";
    let valid = [
        "wait_if(size.x > 2u);",
        "if (same(size.x) > 2u) { wait(); }",
        "var n = id.x; put(&n, size.x); wait_at(&n);",
        "var n = size.x; if (keep(&n) > 2u) { wait(); }",
    ];
    for body in valid {
        assert_eq!(rules(&format!("{helpers}{}", compute(body))), [], "{body}");
    }
    let invalid = [
        "wait_if(id.x > 2u);",
        "if (id.x > 2u) { wait_if(size.x > 2u); }",
        "if (same(id.x) > 2u) { wait(); }",
        "if (other(size.x) > 2u) { wait(); }",
        "var n = id.x; wait_at(&n);",
        "var n = size.x; put(&n, id.x); wait_at(&n);",
        "var n = size.x; if (id.x > 2u) { put(&n, 1u); } wait_at(&n);",
        "var n = id.x; if (keep(&n) > 2u) { wait(); }",
    ];
    for body in invalid {
        assert_eq!(rules(&format!("{helpers}{}", compute(body))), [UniformityRule::Barrier], "{body}");
    }
}

/// The results differ even if the operands do not.
#[test]
fn derivatives_and_samples_may_differ() {
    for value in ["dpdx(1.0)", "textureSample(image, how, vec2<f32>()).x"] {
        let text = format!("@fragment fn main() {{ if ({value} > 0.0) {{ let d = dpdy(1.0); }} }}");
        assert_eq!(rules(&text), [UniformityRule::Derivative], "{value}");
    }
}

#[test]
fn derivatives_follow_the_filters_of_the_text() {
    let shader = |body: &str| {
        format!(
            "@fragment fn main(@location(0) at: vec2<f32>) -> @location(0) vec4<f32> {{ {body} return vec4<f32>(); }}"
        )
    };
    for body in
        ["if (at.x > 0.0) { let d = dpdx(at.x); }", "if (at.x > 0.0) { let d = textureSample(image, how, at); }"]
    {
        let text = shader(body);
        assert_eq!(rules(&text), [UniformityRule::Derivative], "{body}");
        let off = format!("diagnostic(off, derivative_uniformity);\n{COMMON}{text}");
        assert_eq!(uniformity(&off).expect("it is WGSL"), []);
        let warning = format!("diagnostic(warning, derivative_uniformity);\n{COMMON}{text}");
        let findings = uniformity(&warning).expect("it is WGSL");
        assert_eq!(findings[0].severity, Severity::Warning);
        // The filter of a statement holds in it, and the innermost one decides.
        let of_statement = |severity: &str| shader(&format!("@diagnostic({severity}, derivative_uniformity) {body}"));
        assert_eq!(rules(&of_statement("off")), [], "{body}");
        assert_eq!(rules(&of_statement("warning")), [UniformityRule::Derivative], "{body}");
        let inside = body.replace("{ let", "@diagnostic(off, derivative_uniformity) { let");
        assert_eq!(rules(&shader(&format!("@diagnostic(error, derivative_uniformity) {inside}"))), [], "{body}");
        let behind = shader(&format!("@diagnostic(off, derivative_uniformity) {{ }} {body}"));
        assert_eq!(rules(&behind), [UniformityRule::Derivative], "{body}");
    }
    let valid = [
        "let d = dpdx(at.x);",
        "if (at.x > 0.0) { let d = textureSampleLevel(image, how, at, 0.0); }",
        "if (at.x > 0.0) { discard; } let d = textureSample(image, how, at);",
    ];
    for body in valid {
        assert_eq!(rules(&shader(body)), [], "{body}");
    }
}

#[test]
fn subgroups_are_judged_by_themselves() {
    let shader = |body: &str| {
        format!(
            "enable subgroups;\n{COMMON}
             @compute @workgroup_size(64) fn main(@builtin(subgroup_id) number: u32, @builtin(local_invocation_id) id: vec3<u32>) {{
                 {body}
             }}"
        )
    };
    let found = |body: &str| -> Vec<UniformityRule> {
        let findings = uniformity(&shader(body)).unwrap_or_else(|error| panic!("{error}"));
        findings.iter().map(|finding| finding.rule).collect()
    };
    assert_eq!(found("if (number > 1u) { data[0] = subgroupAdd(id.x); }"), []);
    assert_eq!(found("if (subgroupAny(id.x > 1u)) { data[0] = subgroupAdd(id.x); }"), []);
    assert_eq!(found("if (number > 1u) { workgroupBarrier(); }"), [UniformityRule::Barrier]);
    assert_eq!(found("if (subgroupAny(id.x > 1u)) { workgroupBarrier(); }"), [UniformityRule::Barrier]);
    assert_eq!(found("if (id.x > 1u) { data[0] = subgroupAdd(id.x); }"), [UniformityRule::Subgroup]);
    assert_eq!(found("data[0] = subgroupShuffleXor(id.x, id.y);"), [UniformityRule::Subgroup]);
    assert_eq!(found("data[0] = subgroupShuffle(id.x, id.y);"), []);
}

#[test]
fn a_finding_explains_the_way_to_its_source() {
    let text = "\
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
fn wait() {
    workgroupBarrier();
}
@compute @workgroup_size(64)
fn main() {
    let n = data[0];
    if (n > 2u) {
        wait();
    }
}
";
    let findings = uniformity(text).expect("it is WGSL");
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    let about = &finding.diagnostic;
    let notes = about.notes().iter().map(|note| (note.place, note.message.as_str()));
    let places = std::iter::once((about.place, about.message.as_str())).chain(notes);
    let said: Vec<_> = places.map(|(place, message)| (place.line_and_column().expect("a line").0, message)).collect();
    assert_eq!(
        said,
        [
            (9, "`wait` needs uniform control flow"),
            (3, "`workgroupBarrier` needs uniform control flow"),
            (8, "control flow depends on a value that may differ between invocations"),
            (7, "reading from a storage buffer that is written `data` may differ between invocations"),
        ]
    );
}
