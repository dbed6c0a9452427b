use super::*;
use crate::syntax::{Binary, Expr, Global, GlobalKind, LocalKind, Scalar, Statement, StatementKind, TypeShape};

/// A variable that is set to a sum of products.
fn long_sum(builder: &mut Builder) -> StatementKind {
    let float = builder.numbers(Scalar::FLOAT, 1);
    let names = ["direction_of_light", "normal_of_surface"].map(|name| builder.variable(name, float));
    let mut product = || {
        let [left, right] = names.map(|name| builder.read(name));
        builder.binary(Binary::Multiply, left, right)
    };
    let products = [product(), product(), product(), product()];
    let sum = |builder: &mut Builder, left: Expr, right: &Expr| builder.binary(Binary::Add, left, *right);
    let value = products[1..].iter().fold(products[0], |left, right| sum(builder, left, right));
    let total = builder.local(Some("total"), float, LocalKind::Value);
    declare(total, value)
}

#[test]
fn a_long_line_ends_behind_an_operator_outside_of_brackets() {
    let mut builder = Builder::new();
    let statement = long_sum(&mut builder);
    let text = printed(builder.finish(vec![statement]), Language::Glsl);
    let expected = "\
void main() {
    float total = direction_of_light * normal_of_surface + direction_of_light * normal_of_surface +
            direction_of_light * normal_of_surface + direction_of_light * normal_of_surface;
}
";
    assert_eq!(text, expected);
}

#[test]
fn no_line_is_longer_than_the_limit_where_it_can_end() {
    let mut written = String::new();
    let words = (0..200).map(|word| "w".repeat(word % 17 + 1)).collect::<Vec<_>>().join(",\u{b}");
    lines::write(&mut written, &format!("call({words});"), 3);
    assert!(written.lines().all(|line| line.len() <= lines::COLUMNS), "{written}");
    assert!(written.lines().rev().skip(1).all(|line| line.len() > lines::COLUMNS / 2), "{written}");
    let joined: Vec<&str> = written.lines().map(str::trim).collect();
    assert_eq!(joined.join(" "), format!("call({words});").replace('\u{b}', " "));
}

#[test]
fn a_long_header_has_a_parameter_in_each_line() {
    let mut builder = Builder::new();
    let four = builder.numbers(Scalar::FLOAT, 4);
    builder.function.name = "shade".to_owned();
    for name in ["color_of_the_surface", "color_of_the_light", "direction_of_the_light", "direction_of_the_view"] {
        builder.parameter(name, four, "");
    }
    let value = builder.read(crate::syntax::LocalId(0));
    builder.function.result = four;
    builder.end_function(vec![StatementKind::Return(Some(value))], "main");
    let text = printed(builder.finish(Vec::new()), Language::Wgsl);
    let expected = "\
fn shade(
    color_of_the_surface: vec4f,
    color_of_the_light: vec4f,
    direction_of_the_light: vec4f,
    direction_of_the_view: vec4f
) -> vec4f {
    return color_of_the_surface;
}

fn main() {
}
";
    assert_eq!(text, expected);
}

/// A function of statements of these instructions.
fn with_origins(origins: &[usize]) -> Text {
    let mut builder = Builder::new();
    let float = builder.numbers(Scalar::FLOAT, 1);
    let total = builder.variable("total", float);
    let mut body = vec![StatementKind::Declare { local: total, value: None }];
    for _ in origins {
        let (target, value) = (builder.read(total), builder.float(1.0));
        body.push(assign(target, value));
    }
    let mut text = builder.finish(body);
    for (statement, origin) in text.functions[0].body[1..].iter_mut().zip(origins) {
        *statement = Statement { origin: Some(Inst::new(*origin)), ..statement.clone() };
    }
    names::assign(&mut text, Language::Glsl);
    text
}

fn lines_of(lines: Lines) -> String {
    let text = with_origins(&[4, 4, 5, 0, 4]);
    let places = |inst: Inst| (inst.index() > 0).then(|| Place { file: "dir\\a.comp", line: inst.index() as u32 });
    let spelling = Spelling { lines, places: &places, ..Spelling::default() };
    print(&text, Language::Glsl, &spelling)
}

#[test]
fn lines_of_the_source_are_named_where_they_change() {
    let body = |four: &str, five: &str| {
        let set = "    total = 1.0;\n";
        format!("void main() {{\n    float total;\n{four}{set}{set}{five}{set}{set}{four}{set}}}\n")
    };
    assert_eq!(lines_of(Lines::None), body("", ""));
    assert_eq!(lines_of(Lines::Numbers), body("#line 4\n", "#line 5\n"));
    assert_eq!(lines_of(Lines::Directives), body("#line 4 \"dir/a.comp\"\n", "#line 5 \"dir/a.comp\"\n"));
    assert_eq!(lines_of(Lines::Comments), body("    // dir\\a.comp:4\n", "    // dir\\a.comp:5\n"));
}

#[test]
fn globals_of_one_kind_stand_together_and_unused_structs_are_not_declared() {
    let mut builder = Builder::new();
    let float = builder.numbers(Scalar::FLOAT, 1);
    let (inner, used) = builder.structure("Inner", &[("value", float)]);
    let (_, outer) = builder.structure("Outer", &[("inner", used)]);
    builder.structure("Unused", &[("value", float)]);
    let block = builder.block("Scene", &[("outer", outer)]);
    builder.global("position", float, "layout(location = 0) in", GlobalKind::Variable(None));
    builder.global("normal", float, "layout(location = 1) in", GlobalKind::Variable(None));
    builder.global("color", float, "layout(location = 0) out", GlobalKind::Variable(None));
    builder.global("scene", block, "uniform", GlobalKind::Variable(None));
    assert_eq!(builder.ty(TypeShape::Struct(inner)), used);
    let text = printed(builder.finish(Vec::new()), Language::Glsl);
    let expected = "\
struct Inner {
    float value;
};

struct Outer {
    Inner inner;
};

layout(location = 0) in float position;
layout(location = 1) in float normal;

layout(location = 0) out float color;

uniform Scene {
    Outer outer;
} scene;

void main() {
}
";
    assert_eq!(text, expected);
}

#[test]
fn words_of_declarations_in_each_language() {
    let global = |prefix: &str, suffix: &str, ty, kind| Global {
        name: "size".to_owned(),
        ty,
        kind,
        prefix: prefix.to_owned(),
        suffix: suffix.to_owned(),
        is_written: false,
    };
    let first = |prefix: &str, suffix: &str, language: Language, is_constant: Option<u64>| {
        let mut builder = Builder::new();
        let uint = builder.numbers(Scalar::UINT, 1);
        let kind = match is_constant {
            Some(value) => GlobalKind::Constant(builder.uint(value)),
            None => GlobalKind::Variable(None),
        };
        builder.text.add_global(global(prefix, suffix, uint, kind));
        let text = printed(builder.finish(Vec::new()), language);
        text.lines().next().expect("a line").to_owned()
    };
    assert_eq!(first("", "", Language::Glsl, Some(4)), "const uint size = 4u;");
    assert_eq!(
        first("layout(constant_id = 3) const", "", Language::Glsl, Some(4)),
        "layout(constant_id = 3) const uint size = 4u;"
    );
    assert_eq!(first("", "", Language::Hlsl, Some(4)), "static const uint size = 4u;");
    assert_eq!(first("", "", Language::Msl, Some(4)), "constant uint size = 4u;");
    assert_eq!(first("", "", Language::Wgsl, Some(4)), "const size: u32 = 4u;");
    assert_eq!(first("@id(3) override", "", Language::Wgsl, Some(4)), "@id(3) override size: u32 = 4u;");
    assert_eq!(first("", "", Language::Wgsl, None), "var<private> size: u32;");
    assert_eq!(first("var<workgroup>", "", Language::Wgsl, None), "var<workgroup> size: u32;");
    assert_eq!(first("groupshared", "", Language::Hlsl, None), "groupshared uint size;");
    assert_eq!(first("in", ": SV_Index", Language::Hlsl, None), "in uint size : SV_Index;");
}

#[test]
fn blocks_in_glsl_and_hlsl() {
    let written = |prefix: &str, suffix: &str, language: Language| {
        let mut builder = Builder::new();
        let float = builder.numbers(Scalar::FLOAT, 1);
        let block = builder.block("Params", &[("scale", float)]);
        let open = builder.global("", block, prefix, GlobalKind::OpenBlock);
        builder.text.globals[open.0 as usize].suffix = suffix.to_owned();
        let array = builder.array(block, 3);
        if language == Language::Glsl {
            builder.global("many", array, prefix, GlobalKind::Variable(None));
        }
        let total = builder.variable("total", float);
        let base = builder.read_global(open);
        let value = builder.member(base, 0);
        printed(builder.finish(vec![declare(total, value)]), language)
    };
    let expected = "\
uniform Params {
    float scale;
};

uniform Params {
    float scale;
} many[3];

void main() {
    float total = scale;
}
";
    assert_eq!(written("uniform", "", Language::Glsl), expected);
    let expected = "\
cbuffer Params : register(b0) {
    float scale;
}

void main() {
    float total = scale;
}
";
    assert_eq!(written("cbuffer", ": register(b0)", Language::Hlsl), expected);
}
