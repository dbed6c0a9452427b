use super::*;
use crate::syntax::{Binary, Case, GlobalKind, Label, LocalId, LocalKind, Loop, Scalar, StatementKind};

/// The lines in the braces of the entry, without their first level.
fn body_of(builder: Builder, body: Vec<StatementKind>, language: Language) -> String {
    let text = printed(builder.finish(body), language);
    let lines = text.lines().skip_while(|line| !line.contains("main")).skip(1);
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    lines[..lines.len() - 1].join("\n")
}

fn variable(builder: &mut Builder) -> LocalId {
    let uint = builder.numbers(Scalar::UINT, 1);
    builder.variable("x", uint)
}

fn set(builder: &mut Builder, local: LocalId, value: u64) -> StatementKind {
    let (target, value) = (builder.read(local), builder.uint(value));
    assign(target, value)
}

fn comparison(builder: &mut Builder, local: LocalId, operator: Binary, value: u64) -> crate::syntax::Expr {
    let (left, right) = (builder.read(local), builder.uint(value));
    builder.binary(operator, left, right)
}

fn switch(language: Language) -> String {
    let mut builder = Builder::new();
    let x = variable(&mut builder);
    let uint = builder.numbers(Scalar::UINT, 1);
    let y = builder.local(Some("y"), uint, LocalKind::Value);
    let (selector, value) = (builder.read(x), builder.uint(9));
    let labels = |labels: &[i64]| labels.iter().map(|label| Label::Value(*label)).collect();
    let case = |labels, body: StatementKind| Case { labels, body: vec![body.into()], falls: false };
    let cases = vec![
        case(labels(&[1, 2]), set(&mut builder, x, 3)),
        case(labels(&[4]), declare(y, value)),
        case(labels(&[-1]), StatementKind::Return(None)),
    ];
    body_of(builder, vec![StatementKind::Switch { selector, cases }], language)
}

#[test]
fn cases_end_as_the_language_asks_for() {
    let expected = "\
switch (x) {
    case 1u: case 2u:
        x = 3u;
        break;
    case 4u: {
        uint y = 9u;
        break;
    }
    case 0xffffffffu:
        return;
}";
    for language in [Language::Glsl, Language::Hlsl, Language::Msl] {
        assert_eq!(switch(language), expected, "{language}");
    }
    let expected = "\
switch (x) {
    case 1u, 2u {
        x = 3u;
    }
    case 4u {
        let y = 9u;
    }
    case 0xffffffffu {
        return;
    }
    default {
    }
}";
    assert_eq!(switch(Language::Wgsl), expected);
}

#[test]
fn a_case_that_falls_has_no_break() {
    let mut builder = Builder::new();
    let x = variable(&mut builder);
    let selector = builder.read(x);
    let body = vec![set(&mut builder, x, 3).into()];
    let cases = vec![
        Case { labels: vec![Label::Value(0)], body, falls: true },
        Case { labels: vec![Label::Default], body: vec![StatementKind::Discard.into()], falls: false },
    ];
    let written = body_of(builder, vec![StatementKind::Switch { selector, cases }], Language::Msl);
    let expected = "\
switch (x) {
    case 0u:
        x = 3u;
    default:
        discard_fragment();
}";
    assert_eq!(written, expected);
}

/// A loop with a condition, a last part and an end, where it has them.
fn repetition(language: Language, has: [bool; 3]) -> String {
    let mut builder = Builder::new();
    let x = variable(&mut builder);
    let [condition, continuing, end] = has;
    let body = vec![set(&mut builder, x, 1).into()];
    let last = set(&mut builder, x, 2);
    let found = Loop {
        condition: condition.then(|| comparison(&mut builder, x, Binary::Less, 3)),
        body,
        continuing: if continuing { vec![last.into()] } else { Vec::new() },
        break_if: end.then(|| comparison(&mut builder, x, Binary::Equal, 4)),
        ..Loop::default()
    };
    body_of(builder, vec![StatementKind::Loop(Box::new(found))], language)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn loops_of_c_languages() {
    for language in [Language::Glsl, Language::Hlsl, Language::Msl] {
        let of = |has| repetition(language, has);
        assert_eq!(of([false, false, false]), "while (true) { x = 1u; }");
        assert_eq!(of([true, false, false]), "while (x < 3u) { x = 1u; }");
        assert_eq!(of([false, true, true]), "do { x = 1u; x = 2u; } while (x != 4u);");
        assert_eq!(of([true, false, true]), "while (x < 3u) { x = 1u; if (x == 4u) { break; } }");
    }
}

#[test]
fn loops_of_wgsl() {
    let of = |has| repetition(Language::Wgsl, has);
    // WGSL refuses a `loop` that nothing leaves.
    assert_eq!(of([false, false, false]), "while (true) { x = 1u; }");
    assert_eq!(of([false, true, false]), "loop { if (false) { break; } x = 1u; continuing { x = 2u; } }");
    assert_eq!(of([true, false, false]), "while (x < 3u) { x = 1u; }");
    assert_eq!(of([false, true, true]), "loop { x = 1u; continuing { x = 2u; break if x == 4u; } }");
    assert_eq!(of([true, true, false]), "loop { if (x >= 3u) { break; } x = 1u; continuing { x = 2u; } }");
}

#[test]
fn a_for_has_several_steps() {
    let mut builder = Builder::new();
    let x = variable(&mut builder);
    let (step, value) = (builder.read(x), builder.uint(2));
    let target = builder.read(x);
    let continuing = vec![
        StatementKind::Step { target: step, operator: Binary::Subtract }.into(),
        compound(target, Binary::ShiftLeft, value).into(),
    ];
    let condition = Some(comparison(&mut builder, x, Binary::Less, 3));
    let found = Loop { condition, continuing, is_for: true, ..Loop::default() };
    let written = body_of(builder, vec![StatementKind::Loop(Box::new(found))], Language::Hlsl);
    assert_eq!(written, "for (; x < 3u; x--, x <<= 2u) {\n}");
}

#[test]
fn wgsl_points_at_places_and_uses_results() {
    let mut builder = Builder::new();
    let x = variable(&mut builder);
    let uint = builder.numbers(Scalar::UINT, 1);
    let words = builder.runtime_array(uint);
    let data = builder.global("data", words, "var<storage, read_write>", GlobalKind::Variable(None));
    let (base, index, one) = (builder.read_global(data), builder.read(x), builder.uint(1));
    let place = builder.index(base, index);
    let add = builder.intrinsic("atomicAdd", &[place, one], uint);
    let bits = builder.uint(1);
    let float = builder.numbers(Scalar::FLOAT, 1);
    let bits = builder.intrinsic("bitcast", &[bits], float);
    let body = vec![StatementKind::Expression(add), StatementKind::Expression(bits)];
    assert_eq!(body_of(builder, body, Language::Wgsl), "atomicAdd(&data[x], 1u);\n_ = bitcast<f32>(1u);");
}
