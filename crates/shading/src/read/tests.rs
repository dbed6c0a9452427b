use reconverge_diagnostic::{Diagnostic, Place};

use super::*;
use crate::source::{MAX_DEPTH, ReadCode};

fn wgsl(text: &str) -> Result<Module, Diagnostic> {
    read(text, SourceOptions { file: "a.wgsl", indices: Indices::Clamped })
}

const SQUARE: &str = "\
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(64)
fn square(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&data)) {
        data[id.x] = data[id.x] * data[id.x];
    }
}
";

fn line(error: &Diagnostic) -> usize {
    error.place.line_and_column().expect("an error of a text has a line").0
}

#[test]
fn the_text_is_not_in_the_module_and_its_lines_are() {
    let module = wgsl(SQUARE).expect("the text is valid");
    let text = reconverge_ir::text::print(&module);
    assert!(!text.contains("arrayLength"), "{text}");
    assert!(text.contains("a.wgsl"), "{text}");
    assert!(text.contains(" at %3 5:22"), "{text}");
}

#[test]
fn errors_have_their_line_and_kind() {
    let error = wgsl("fn f() {\n    let x = y;\n}\n").expect_err("y is not declared");
    assert_eq!(error.code, ReadCode::Syntax);
    assert_eq!(error.place, Place::Line(2, 13));
    let error =
        wgsl("@compute @workgroup_size(1)\nfn f() {\n    let x: i32 = 1 + 2.5;\n}\n").expect_err("types differ");
    assert_eq!(line(&error), 3);
}

#[test]
fn deep_texts_are_read_or_refused() {
    for (open, close) in [("(", ")"), ("-", ""), ("f(", ")"), ("a[", "]"), ("true ? 1 : ", ""), ("~", "")] {
        for count in [100, 1_500, 100_000] {
            let expression = format!("{}1{}", open.repeat(count), close.repeat(count));
            let body = format!("fn f(x: i32) -> i32 {{ return {expression}; }}\n");
            let found = wgsl(&body).err().and_then(|error| ReadCode::of(error.code));
            // The parser has limits of its own, which are lower.
            assert!(count <= MAX_DEPTH || found == Some(ReadCode::Limit), "{open} {count}: {found:?}");
        }
    }
    for statement in ["if (true) { ", "for (;;) { ", "while (true) { ", "{ ", "loop { ", "if (true) { x = 1; } else { "]
    {
        for count in [100, 100_000] {
            let close = "}".repeat(count);
            let body = format!("fn f() {{ var x = 0; {} x = 1; {close} }}\n", statement.repeat(count));
            let found = wgsl(&body).err().and_then(|error| ReadCode::of(error.code));
            assert_eq!(found == Some(ReadCode::Limit), count > MAX_DEPTH, "{statement} {count}: {found:?}");
        }
    }
}

#[test]
fn long_texts_are_not_deep() {
    let statements =
        "if (x < 3) { x += 1; } if (x > 4) { x = -x; } else if (x > 5) { x -= 1; } else { x *= 2; }\n".repeat(2_000);
    let text = format!("@compute @workgroup_size(1)\nfn main() {{ var x = 0;\n{statements}}}\n");
    assert!(wgsl(&text).is_ok());
}

/// The text form of a module that is read from WGSL, without the places.
fn printed(text: &str) -> String {
    let module = wgsl(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    reconverge_ir::text::print(&module)
}

#[test]
fn only_buffers_have_a_layout() {
    let text = printed(
        "struct S { a: array<u32, 4>, m: mat2x2<f32> }
        @group(0) @binding(0) var<storage, read_write> data: S;
        var<private> own: S;
        @compute @workgroup_size(1) fn main() { var s = data; s.a[1] = own.a[2]; data = s; own = s; }",
    );
    let laid_out = text.lines().filter(|line| line.contains("ArrayStride") || line.contains("Offset"));
    let names: Vec<&str> = laid_out.filter_map(|line| line.trim().split(' ').next()).collect();
    // The array, the struct, and the block around it.
    assert_eq!(names.len(), 3, "{text}");
    let variables = text.lines().filter(|line| line.contains("variable Private") || line.contains("variable Function"));
    for variable in variables {
        let pointer = variable.split([':', '=']).nth(1).unwrap_or_default().trim();
        let declared = text.lines().find(|line| line.starts_with(&format!("{pointer} ="))).unwrap_or_default();
        assert!(names.iter().all(|name| !declared.ends_with(name)), "{variable}: {declared}");
    }
    assert_eq!(text.matches("copy_logical").count(), 2, "{text}");
}

#[test]
fn a_discard_demotes_and_what_is_behind_it_stays() {
    let text = printed(
        "@fragment fn main(@location(0) x: f32) -> @location(0) vec4f {
            if x < 0.5 { discard; }
            return vec4f(dpdx(x));
        }",
    );
    assert!(text.contains("demote_to_helper_invocation") && !text.contains("kill"), "{text}");
    assert!(text.contains("capability DemoteToHelperInvocation") && !text.contains("wgsl.discard"), "{text}");
}

#[test]
fn an_override_is_a_specialization_constant() {
    let text = printed(
        "@id(7) override a: u32 = 3u;
        override flag: bool = true;
        override half_of_a = a / 2u;
        var<workgroup> tile: array<u32, a * 2u>;
        var<private> own: u32 = a + 1u;
        @group(0) @binding(0) var<storage, read_write> data: array<u32>;
        @compute @workgroup_size(a) fn main() {
            tile[0] = half_of_a;
            if flag { data[0] = tile[0] + own; }
        }",
    );
    for wanted in [
        "spec_constant 3 {decorate SpecId 7, name \"a\"}",
        "spec_constant_true {decorate SpecId 0, name \"flag\"}",
        "spec_constant_op 132, %a",
        "decorate BuiltIn 25",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(!text.contains("wgsl.override"), "{text}");
    let error = wgsl("@id(1) override a = 1u;\n@id(2) override b = a + 1u;\n").expect_err("a number and a value");
    assert_eq!((ReadCode::of(error.code), line(&error)), (Some(ReadCode::Unsupported), 2), "{error}");
}

#[test]
fn pointers_to_parts_and_to_shared_memory_are_passed() {
    let text = printed(
        "struct S { q: i32, r: array<i32, 3> }
        @group(0) @binding(0) var<storage, read_write> data: array<S, 4>;
        var<workgroup> counts: array<atomic<u32>, 4>;
        fn add(p: ptr<workgroup, atomic<u32>>) -> u32 { return atomicAdd(p, 1u); }
        fn put(p: ptr<storage, i32, read_write>, v: i32) { *p = v; }
        fn put_in(p: ptr<storage, S, read_write>, i: u32) { put(&(*p).r[i], 4); }
        fn bump(p: ptr<function, i32>) { *p += 5; }
        @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
            var s = data[i];
            bump(&s.q);
            bump(&s.r[i & 1u]);
            put_in(&data[i], add(&counts[i]) & 1u);
            put(&data[i].q, s.q + s.r[0]);
        }",
    );
    let calls: Vec<&str> = text.lines().filter(|line| line.contains("function_call")).collect();
    // Each shape of an argument has a copy of its callee.
    assert_eq!(calls.len(), 6, "{text}");
    assert!(!text.contains("Generic"), "{text}");
}

#[test]
fn a_loop_that_only_a_return_leaves_needs_no_return_behind_it() {
    let head = "fn f(n: i32) -> i32 { var i = n; ";
    for body in [
        "loop { i++; if i > 4 { return i; } }",
        "for (;;) { i++; if i > 4 { return i; } }",
        "if n > 3 { loop { i++; if i > 4 { return i; } } } else { return 2; }",
        "loop { switch i { case 1: { break; } default: { return i; } } i++; }",
    ] {
        assert!(wgsl(&format!("{head}{body} }}")).is_ok(), "{body}");
    }
    for body in ["loop { i++; if i > 4 { break; } }", "while true { i++; }", "loop { continuing { break if i > 4; } }"]
    {
        assert!(wgsl(&format!("{head}{body} }}")).is_err(), "{body}");
    }
}

#[test]
fn the_distance_of_a_shift_is_masked() {
    let text = printed(
        "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
        @compute @workgroup_size(1) fn main() { data[0] = (data[1] << data[2]) + (data[3] << 4u); }",
    );
    assert_eq!(text.matches("bitwise_and").count(), 1, "{text}");
}

#[test]
fn a_sample_mask_is_an_array() {
    let text =
        printed("@fragment fn main(@builtin(sample_mask) m: u32) -> @builtin(sample_mask) u32 { return m & 3u; }");
    assert_eq!(text.matches("type_array").count(), 1, "{text}");
}

#[test]
fn a_value_of_let_is_no_constant_and_a_constant_is_one() {
    let head =
        "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n@compute @workgroup_size(1) fn main() { ";
    for body in [
        "let zero = 0u; data[0] = data[1] / zero;",
        "let zero = vec2u(); let v = vec2u(data[1]) % zero; data[0] = v.x;",
        "let parts = vec2u(1, 0); let v = vec2u(data[1]) / parts; data[0] = v.x;",
        "let zero = 0u; let v = vec2u(data[1]) / vec2u(zero); data[0] = v.x;",
        "let many = 33u; data[0] = data[1] << many;",
        "let many = 33u; let one = 1u; data[0] = one >> many;",
    ] {
        let text = printed(&format!("{head}{body} }}"));
        assert!(!text.contains("wgsl.let"), "{text}");
    }
    let text = printed(&format!("{head}let many = 33u; data[0] = data[1] << many; }}"));
    assert_eq!(text.matches("bitwise_and").count(), 1, "{text}");
    for body in [
        "data[0] = data[1] / 0u;",
        "const zero = 0u; data[0] = data[1] % zero;",
        "data[0] = data[1] << 33u;",
        "let v = vec2u(data[1]) / vec2u(1, 0); data[0] = v.x;",
    ] {
        let error = wgsl(&format!("{head}{body} }}")).expect_err(body);
        assert_eq!((ReadCode::of(error.code), line(&error)), (Some(ReadCode::Invalid), 2), "{error}");
    }
}

#[test]
fn lanes_of_subgroup_operations_may_be_signed() {
    let head = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n@compute @workgroup_size(32) \
                fn main(@builtin(local_invocation_index) i: u32) { let x = data[i]; let n = i32(x);\n";
    for value in [
        "subgroupShuffle(x, 1)",
        "subgroupShuffle(x, n)",
        "subgroupShuffleXor(x, 1)",
        "subgroupShuffleUp(x, 2)",
        "subgroupShuffleDown(x, 2u)",
        "subgroupBroadcast(x, 3)",
        "quadBroadcast(x, 1)",
    ] {
        let result = wgsl(&format!("{head} data[i] = {value}; }}"));
        assert!(result.is_ok(), "{value}: {:?}", result.err());
    }
    for value in [
        "subgroupShuffleXor(x, 1i)",
        "subgroupShuffleXor(x, n)",
        "subgroupShuffleUp(x, n)",
        "subgroupShuffleDown(x, 2i)",
        "subgroupShuffle(x, -1)",
    ] {
        assert!(wgsl(&format!("{head} data[i] = {value}; }}")).is_err(), "{value}");
    }
}

/// The number of indices, coordinates and levels of a body that are clamped.
fn clamped(body: &str) -> usize {
    let head = "override n: u32 = 4u;\nstruct B { count: u32, tail: array<vec2u> }
        @group(0) @binding(0) var<storage, read_write> data: array<u32>;
        @group(0) @binding(1) var<storage, read_write> block: B;
        @group(0) @binding(2) var t: texture_2d<f32>;
        @group(0) @binding(3) var m: texture_multisampled_2d<f32>;
        @group(0) @binding(4) var s: texture_storage_2d<r32uint, read_write>;
        var<workgroup> sized: array<u32, n>;
        var<workgroup> eight: array<u32, 8>;
        fn get_from(p: ptr<function, array<u32, 5>>, i: i32) -> u32 { return (*p)[1]; }
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32, @builtin(local_invocation_id) id: vec3u) {
        var five = array<u32, 5>(); let v = vec4u(i);";
    let text = printed(&format!("{head} {body} }}"));
    text.lines().filter(|line| line.contains("ext_inst") && line.contains(", 38, ")).count()
}

#[test]
fn indices_that_may_be_out_of_range_are_clamped() {
    for (body, count) in [
        ("data[0] = five[i];", 1),
        ("data[0] = v[i];", 1),
        ("data[i] = 1u;", 1),
        ("data[i] = data[i + 1u];", 2),
        ("block.tail[i][data[0]] = 1u;", 2),
        ("sized[i] = 1u;", 1),
        ("five[i + 7u] = get_from(&five, 2);", 1),
        ("data[0] = u32(textureLoad(t, id.xy, 0).x);", 1),
        ("data[0] = u32(textureLoad(t, id.xy, i).x);", 2),
        ("data[0] = u32(textureLoad(m, id.xy, i).x);", 2),
        ("data[0] = textureLoad(s, id.xy).x; textureStore(s, id.xy, v);", 1),
        // These are in range.
        ("data[0] = five[4] + block.tail[0].x;", 0),
        ("let nine = 9; let below = -1; data[0] = five[nine] + five[below] + v[nine];", 0),
        ("eight[i] = eight[id.x] + eight[id.y];", 0),
        ("eight[data[0] & 7u] = eight[data[0] >> 29u];", 0),
        // The one minimum is that of the text.
        ("eight[min(data[0], 7u)] = 1u;", 1),
        // These are not proved.
        ("data[1] = block.tail[2].x;", 2),
        ("sized[2] = 1u;", 1),
        ("let below = -1; data[below] = 1u;", 1),
        ("eight[data[0] & 8u] = 1u;", 1),
        ("five[id.x] = 1u;", 1),
        ("eight[clamp(i32(data[0]), -1, 6)] = 1u;", 1),
    ] {
        assert_eq!(clamped(body), count, "{body}");
    }
}

#[test]
fn a_constant_out_of_range_is_refused() {
    let head = "@compute @workgroup_size(1) fn main() { var five = array<u32, 5>(); ";
    for body in [
        "five[5] = 1u;",
        "five[-1] = 1u;",
        "const nine = 9; five[nine] = 1u;",
        "let nine = 9; five[nine - nine] = five[9];",
    ] {
        assert!(wgsl(&format!("{head}{body} }}")).is_err(), "{body}");
    }
}

#[test]
fn packing_needs_no_integers_of_8_bits() {
    let text = printed(
        "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
        @compute @workgroup_size(1) fn main() {
            data[0] = pack4xU8(unpack4xU8(data[0])) + pack4xI8Clamp(unpack4xI8(data[0]));
        }",
    );
    assert!(!text.contains("Int8"), "{text}");
}

#[test]
fn indices_of_a_text_that_becomes_wgsl_stay() {
    let text = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
        @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) i: vec3u) { data[i.x] = 1u; }";
    let module = read(text, SourceOptions { file: "a.wgsl", indices: Indices::AsWritten }).expect("the text is valid");
    assert!(!reconverge_ir::text::print(&module).contains("array_length"));
    assert!(printed(text).contains("array_length"));
}

#[test]
fn images_without_a_format_declare_their_accesses() {
    let text = printed(
        "@group(0) @binding(0) var r: texture_storage_2d<bgra8unorm, read>;
        @group(0) @binding(1) var w: texture_storage_2d<bgra8unorm, write>;
        @fragment fn main() { textureStore(w, vec2u(1), textureLoad(r, vec2u(2))); }",
    );
    for capability in ["StorageImageReadWithoutFormat", "StorageImageWriteWithoutFormat"] {
        assert_eq!(text.matches(&format!("capability {capability}")).count(), 1, "{text}");
    }
}

#[test]
fn a_matrix_of_halves_in_a_uniform_buffer_is_unsupported() {
    let text = "enable f16;\nstruct S { m: array<mat2x3<f16>, 2> }\n@group(0) @binding(0) var<uniform> s: S;\n\
                @fragment fn main() -> @location(0) vec4f { return vec4f(f32(s.m[1][0].x)); }";
    let error = wgsl(text).expect_err("no layout");
    assert_eq!((ReadCode::of(error.code), line(&error)), (Some(ReadCode::Unsupported), 3), "{error}");
    assert!(wgsl(&text.replace("<uniform>", "<storage>")).is_ok());
}

#[test]
fn the_layers_of_a_storage_image_are_asked_without_a_level() {
    let text = printed(
        "@group(0) @binding(0) var t: texture_storage_2d_array<rgba8unorm, write>;
        @group(0) @binding(1) var s: texture_2d_array<f32>;
        @fragment fn main() -> @location(0) vec4f {
            return vec4f(f32(textureNumLayers(t)), f32(textureNumLayers(s)), 0, 1);
        }",
    );
    assert_eq!(text.matches("image_query_size ").count(), 1, "{text}");
    assert_eq!(text.matches("image_query_size_lod").count(), 1, "{text}");
}
