//! The interfaces of texts: `--reflection`, the numbers of `--text-bindings`, semantics and argument buffers.

use serde_json::{Value, json};

use crate::common::{Scratch, content};

/// A fragment shader with a uniform buffer, an image with its sampler and push constants.
const SHADER: &str = r#"
capability Shader
memory_model Logical, GLSL450
entry_point Fragment, %main, "main", %color, %uv
execution_mode %main, OriginUpperLeft
%void = type_void
%f32 = type_float 32
%v2 = type_vector %f32, 2
%v4 = type_vector %f32, 4
%i32 = type_int 32, 1
%zero: %i32 = constant 0
%Tint = type_struct %v4 {member_name 0 "tint", member_decorate 0 Offset 0, decorate Block}
%to_tint = type_pointer Uniform, %Tint
%constants: %to_tint = variable Uniform {decorate DescriptorSet 1, decorate Binding 2}
%to_vector = type_pointer Uniform, %v4
%Push = type_struct %v4 {member_name 0 "scale", member_decorate 0 Offset 0, decorate Block}
%to_push = type_pointer PushConstant, %Push
%push: %to_push = variable PushConstant
%to_pushed = type_pointer PushConstant, %v4
%image = type_image %f32, Dim2D, 0, 0, 0, 1, Unknown
%sampled = type_sampled_image %image
%to_sampled = type_pointer UniformConstant, %sampled
%albedo: %to_sampled = variable UniformConstant {decorate DescriptorSet 0, decorate Binding 5}
%in_v2 = type_pointer Input, %v2
%uv: %in_v2 = variable Input {decorate Location 1, name "in.var.NORMAL"}
%out_v4 = type_pointer Output, %v4
%color: %out_v4 = variable Output {decorate Location 0}
func %main: %void () stage structured {
block ^entry:
  %p: %to_vector = access_chain %constants, %zero
  %tint: %v4 = load %p
  %q: %to_pushed = access_chain %push, %zero
  %scale: %v4 = load %q
  %s: %sampled = load %albedo
  %at: %v2 = load %uv
  %texel: %v4 = image_sample_implicit_lod %s, %at
  %a: %v4 = f_mul %texel, %tint
  %b: %v4 = f_mul %a, %scale
  store %color, %b
  return
}
"#;

/// Compiles the shader. Returns the text, and the object `text` of its reflection.
fn compiled(scratch: &Scratch, output: &str, flags: &[&str]) -> (String, Value) {
    scratch.file("in.ir", SHADER);
    let arguments = [&["compile", "in.ir", "-o", output, "--reflection", "r.json"], flags].concat();
    scratch.run(&arguments).ended(0);
    let text = String::from_utf8(content(&scratch.path(output))).expect("a text is UTF-8");
    let reflection: Value = serde_json::from_slice(&content(&scratch.path("r.json"))).expect("a reflection is JSON");
    assert_eq!(reflection["format"], 1);
    (text, reflection["text"].clone())
}

/// The kinds and places of the resources of a text.
fn places(text: &Value) -> Vec<(String, Value)> {
    let resources = text["resources"].as_array().expect("a list").iter();
    resources.map(|one| (one["kind"].as_str().expect("a name").to_owned(), one["place"].clone())).collect()
}

#[test]
fn the_reflection_has_the_numbers_of_each_language() {
    let scratch = Scratch::new();
    let expected = |list: [(&str, Value); 4]| list.map(|(kind, place)| (kind.to_owned(), place)).to_vec();
    let (text, hlsl) = compiled(&scratch, "o.hlsl", &[]);
    assert_eq!(
        places(&hlsl),
        expected([
            ("uniform_buffer", json!({ "register": "b2", "space": 1 })),
            ("push_constants", json!({ "register": "b0", "space": 2 })),
            ("texture", json!({ "register": "t5", "space": 0 })),
            ("sampler", json!({ "register": "s5", "space": 0 })),
        ])
    );
    assert!(text.contains("register(b2, space1)") && text.contains("register(t5)"), "{text}");
    assert_eq!((&hlsl["language"], &hlsl["version"]), (&json!("HLSL"), &json!("6.0")));
    let (_, msl) = compiled(&scratch, "o.metal", &[]);
    assert_eq!(
        places(&msl),
        expected([
            ("uniform_buffer", json!({ "buffer": 0 })),
            ("push_constants", json!({ "buffer": 1 })),
            ("texture", json!({ "texture": 0 })),
            ("sampler", json!({ "sampler": 0 })),
        ])
    );
    assert_eq!(
        (&msl["entry_points"][0]["name"], &msl["entry_points"][0]["module_name"]),
        (&json!("main0"), &json!("main"))
    );
    let (_, wgsl) = compiled(&scratch, "o.wgsl", &[]);
    assert_eq!(
        places(&wgsl),
        expected([
            ("uniform_buffer", json!({ "group": 1, "binding": 2 })),
            ("push_constants", json!(null)),
            ("texture", json!({ "group": 0, "binding": 5 })),
            ("sampler", json!({ "group": 0, "binding": 6 })),
        ])
    );
    let (_, glsl) = compiled(&scratch, "o.glsl", &[]);
    let resources = glsl["resources"].as_array().expect("a list");
    assert_eq!(resources[2]["kind"], "texture_with_sampler");
    assert_eq!(resources[2]["place"], json!({ "set": 0, "binding": 5 }));
    // OpenGL has no sets, and no two of the bindings are those of two sets.
    let (_, opengl) = compiled(&scratch, "o.glsl", &["--shader-version", "core 450"]);
    assert_eq!(opengl["resources"][0]["place"], json!({ "binding": 2 }));
}

#[test]
fn the_host_program_chooses_numbers() {
    let scratch = Scratch::new();
    scratch.file(
        "b.json",
        r#"{ "bindings": [
            { "set": 1, "binding": 2, "buffer": 3 },
            { "pushConstants": true, "buffer": 7 },
            { "set": 0, "binding": 5, "texture": 1, "sampler": 4 }
        ] }"#,
    );
    let (text, reflection) = compiled(&scratch, "o.metal", &["--text-bindings", "b.json"]);
    let numbers: Vec<Value> = places(&reflection).into_iter().map(|(_, place)| place).collect();
    let chosen = [json!({ "buffer": 3 }), json!({ "buffer": 7 }), json!({ "texture": 1 }), json!({ "sampler": 4 })];
    assert_eq!(numbers, chosen);
    for attribute in ["[[buffer(3)]]", "[[buffer(7)]]", "[[texture(1)]]", "[[sampler(4)]]"] {
        assert!(text.contains(attribute), "{attribute}: {text}");
    }
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let scratch = Scratch::new();
    scratch.file("in.ir", SHADER);
    let cases = [
        ("o.metal", r#"{ "binding": 5, "textur": 1 }"#, "unknown key `textur`"),
        ("o.metal", r#"{ "binding": 9, "texture": 1 }"#, "bindings[0] (set 0, binding 9): the module has no such"),
        ("o.metal", r#"{ "binding": 5, "buffer": 1 }"#, "`buffer` is no number of a texture with sampler"),
        ("o.metal", r#"{ "binding": 5, "register": 1 }"#, "`register` is no number of MSL"),
        ("o.metal", r#"{ "binding": 5, "sampler": 16 }"#, "`sampler` is 16, and the greatest in MSL is 15"),
        ("o.metal", r#"{ "binding": 5 }"#, "no number is given"),
        ("o.metal", r#"{ "workgroupCount": true, "buffer": 0 }"#, "MSL has no number for it"),
        ("o.hlsl", r#"{ "pushConstants": true, "register": 2, "space": 1 }"#, "get one place in the text"),
        ("o.metal", r#"{ "binding": 5, "texture": 1 }, { "set": 0, "binding": 5, "sampler": 1 }"#, "has two entries"),
        ("o.glsl", r#"{ "pushConstants": true, "toBinding": 1 }"#, "GLSL has no number for it"),
        (
            "o.metal",
            r#"{ "pushConstants": true, "buffer": 2 }, { "set": 1, "binding": 2, "buffer": 2 }"#,
            "get one place in the text",
        ),
    ];
    for (output, entries, expected) in cases {
        scratch.file("b.json", format!(r#"{{ "bindings": [{entries}] }}"#));
        let said = scratch.run(&["compile", "in.ir", "-o", output, "--text-bindings", "b.json"]).ended(1).stderr();
        assert!(said.contains("error[shading-bindings]") && said.contains(expected), "{entries}: {said}");
    }
    scratch.run(&["compile", "in.ir", "-o", "o.hlsl", "--text-bindings", "missing.json"]).ended(75);
    scratch.file("b.json", b"{\"bindings\": \xff");
    let said = scratch.run(&["compile", "in.ir", "-o", "o.hlsl", "--text-bindings", "b.json"]).ended(1).stderr();
    assert!(said.contains("error[shading-bindings]: the file is not text in UTF-8, from byte 13 on"), "{said}");
    let said = scratch.run(&["compile", "-", "-o", "o.hlsl", "--text-bindings", "-"]).ended(2).stderr();
    assert!(said.contains("--text-bindings and the input cannot both be stdin"), "{said}");
}

#[test]
fn numbers_may_come_from_stdin() {
    let scratch = Scratch::new();
    scratch.file("in.ir", SHADER);
    let numbers = br#"{"bindings": [{"set": 0, "binding": 5, "texture": 7}]}"#;
    scratch.feed(&["compile", "in.ir", "-o", "o.metal", "--text-bindings", "-"], numbers).ended(0);
    let text = String::from_utf8(content(&scratch.path("o.metal"))).expect("a text is UTF-8");
    assert!(text.contains("[[texture(7)]]"), "{text}");
}

#[test]
fn semantics_are_those_of_the_source() {
    let scratch = Scratch::new();
    let (text, reflection) = compiled(&scratch, "o.hlsl", &["--hlsl-semantics", "source"]);
    assert!(text.contains(": NORMAL"), "{text}");
    assert_eq!(reflection["entry_points"][0]["inputs"][0]["attribute"], "NORMAL");
    assert_eq!(reflection["entry_points"][0]["outputs"][0]["attribute"], "SV_Target0");
    let (text, _) = compiled(&scratch, "o.hlsl", &[]);
    assert!(text.contains(": TEXCOORD1"), "{text}");
}

#[test]
fn resources_of_a_set_are_in_an_argument_buffer() {
    let scratch = Scratch::new();
    let (text, reflection) = compiled(&scratch, "o.metal", &["--msl-argument-buffers"]);
    assert!(text.contains("constant Set0& set0 [[buffer(0)]]"), "{text}");
    let numbers: Vec<Value> = places(&reflection).into_iter().map(|(_, place)| place).collect();
    let expected = [
        json!({ "buffer": 1, "id": 0 }),
        json!({ "buffer": 2 }),
        json!({ "buffer": 0, "id": 0 }),
        json!({ "buffer": 0, "id": 1 }),
    ];
    assert_eq!(numbers, expected);
}

#[test]
fn options_of_a_language_are_for_that_language() {
    let scratch = Scratch::new();
    scratch.file("in.ir", SHADER);
    for flags in [&["--hlsl-semantics", "texcoord"][..], &["--msl-argument-buffers"]] {
        let said = scratch.run(&[&["compile", "in.ir", "-o", "o.glsl"], flags].concat()).ended(2).stderr();
        assert!(said.contains("error[shading-options]") && said.contains("and the text is GLSL"), "{said}");
        scratch.run(&[&["compile", "in.ir", "-o", "o.spv"], flags].concat()).ended(2);
    }
}

#[cfg(unix)]
#[test]
fn the_file_of_the_numbers_may_be_a_pipe() {
    let scratch = Scratch::new();
    scratch.file("in.ir", SHADER);
    let numbers = br#"{"bindings": [{"set": 0, "binding": 5, "texture": 7}]}"#;
    let arguments = ["compile", "in.ir", "-o", "o.metal", "--text-bindings", "/dev/stdin", "--why"];
    scratch.feed(&arguments, numbers).ended(0);
    let text = String::from_utf8(content(&scratch.path("o.metal"))).expect("a text is UTF-8");
    assert!(text.contains("[[texture(7)]]"), "{text}");
}
