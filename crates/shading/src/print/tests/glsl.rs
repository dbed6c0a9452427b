use std::io::Write;
use std::process::{Command, Stdio};

use super::*;
use crate::syntax::{Binary, Case, GlobalKind, Label, LocalKind, Loop, Scalar, Statement, StatementKind};

/// Fails where glslang refuses the text, which is GLSL, or HLSL with another flag.
pub(super) fn accept(text: &str, flags: &[&str]) {
    let arguments = ["--stdin", "-V", "-S", "comp", "-o", "/dev/null"].iter().chain(flags);
    let mut command = Command::new("glslangValidator")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("glslangValidator is installed by `cargo xtask setup`");
    command.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it is read");
    let output = command.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stdout));
}

/// A shader with a buffer of words, `data`, and the variable `sum`; the values of a word of the buffer and of the variable.
fn shader() -> (Builder, crate::syntax::GlobalId, crate::syntax::LocalId) {
    let mut builder = Builder::new();
    builder.text.head.push("#version 450".to_owned());
    builder.text.layouts.push("layout(local_size_x = 64) in;".to_owned());
    let uint = builder.numbers(Scalar::UINT, 1);
    let words = builder.runtime_array(uint);
    let block = builder.block("Data", &[("data", words)]);
    let data = builder.global("", block, "layout(std430, binding = 0) buffer", GlobalKind::OpenBlock);
    let sum = builder.variable("sum", uint);
    (builder, data, sum)
}

const LOOPS: &str = "\
#version 450

layout(local_size_x = 64) in;

layout(std430, binding = 0) buffer Data {
    uint data[];
};

void main() {
    uint sum = 0u;
    for (uint i = 0u; i < 9u; i++) {
        sum += data[i];
    }
    switch (sum) {
        case 1u: case 2u:
            sum = 7u;
            break;
        default:
            return;
    }
    do {
        sum--;
    } while (sum <= 3u);
}
";

#[test]
fn loops_and_selections_of_glsl() {
    let (mut builder, data, sum) = shader();
    let uint = builder.numbers(Scalar::UINT, 1);
    let counter = builder.local(None, uint, LocalKind::Variable);
    let zero = builder.uint(0);
    let first = builder.uint(0);
    let (read, limit) = (builder.read(counter), builder.uint(9));
    let condition = builder.binary(Binary::Less, read, limit);
    let (block, place) = (builder.read_global(data), builder.read(counter));
    let words = builder.member(block, 0);
    let word = builder.index(words, place);
    let target = builder.read(sum);
    let step = builder.read(counter);
    let counted = Loop {
        init: Some(Box::new(declare(counter, first).into())),
        condition: Some(condition),
        body: vec![compound(target, Binary::Add, word).into()],
        continuing: vec![StatementKind::Step { target: step, operator: Binary::Add }.into()],
        break_if: None,
        is_for: true,
    };
    let (selector, other) = (builder.read(sum), builder.read(sum));
    let seven = builder.uint(7);
    let cases = vec![
        Case { labels: vec![Label::Value(1), Label::Value(2)], body: vec![assign(other, seven).into()], falls: false },
        Case { labels: vec![Label::Default], body: vec![StatementKind::Return(None).into()], falls: false },
    ];
    let (read, limit) = (builder.read(sum), builder.uint(3));
    let end = builder.binary(Binary::Greater, read, limit);
    let again = Loop {
        body: vec![Statement::from(StatementKind::Step { target: other, operator: Binary::Subtract })],
        break_if: Some(end),
        ..Loop::default()
    };
    let body = vec![
        declare(sum, zero),
        StatementKind::Loop(Box::new(counted)),
        StatementKind::Switch { selector, cases },
        StatementKind::Loop(Box::new(again)),
    ];
    let text = printed(builder.finish(body), Language::Glsl);
    assert_eq!(text, LOOPS);
    accept(&text, &[]);
}
