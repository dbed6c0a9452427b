use naga::front;
use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::glsl::accept;
use super::*;
use crate::syntax::{
    Binary, Expr, FunctionId, GlobalKind, Literal, LocalId, LocalKind, Loop, Scalar, Shape, StatementKind, Type, Unary,
};

/// A struct, a table, a function that writes its parameter, and an entry with every kind of expression.
struct Sample {
    builder: Builder,
    language: Language,
    light: Type,
    scale: FunctionId,
    total: LocalId,
}

impl Sample {
    fn new(language: Language) -> Sample {
        let mut builder = Builder::new();
        let float = builder.numbers(Scalar::FLOAT, 1);
        let color = builder.numbers(Scalar::FLOAT, 3);
        builder.structure("Unused", &[("value", float)]);
        let (_, light) = builder.structure("Light", &[("color", color), ("strength", float)]);
        builder.function.name = "scale".to_owned();
        let prefix = if language == Language::Msl { "thread" } else { "inout" };
        let total = builder.parameter("total", float, if language == Language::Wgsl { "" } else { prefix });
        builder.function.parameters[0].is_written = true;
        let parameter = builder.parameter("light", light, "");
        let (target, base) = (builder.read(total), builder.read(parameter));
        let strength = builder.member(base, 1);
        let body = vec![compound(target, Binary::Multiply, strength)];
        let scale = builder.end_function(body, "main");
        let total = builder.variable("total", float);
        let mut sample = Sample { builder, language, light, scale, total };
        sample.entry();
        sample
    }

    fn entry(&mut self) {
        let function = &mut self.builder.function;
        match self.language {
            Language::Glsl => {
                self.builder.text.head.push("#version 450".to_owned());
                self.builder.text.layouts.push("layout(local_size_x = 1) in;".to_owned());
            }
            Language::Hlsl => function.attributes.push("[numthreads(1, 1, 1)]".to_owned()),
            Language::Msl => {
                function.prefix = "kernel".to_owned();
                let head = ["#include <metal_stdlib>", "using namespace metal;"];
                self.builder.text.head.extend(head.map(str::to_owned));
            }
            Language::Wgsl => function.attributes.push("@compute @workgroup_size(1)".to_owned()),
        }
        let float = self.builder.numbers(Scalar::FLOAT, 1);
        let table = self.builder.array(float, 12);
        let values: Vec<Expr> = (0..12).map(|step| self.builder.float(f64::from(step) * 1.0625 + 0.03125)).collect();
        let value = self.builder.construct(table, &values);
        self.builder.global("weights", table, "", GlobalKind::Constant(value));
        let uint = self.builder.numbers(Scalar::UINT, 1);
        let count = self.builder.uint(4);
        self.builder.global("COUNT", uint, "", GlobalKind::Constant(count));
    }

    fn total(&mut self) -> Expr {
        self.builder.read(self.total)
    }

    /// `total` less than a number.
    fn is_below(&mut self, limit: f64) -> Expr {
        let (total, limit) = (self.total(), self.builder.float(limit));
        self.builder.binary(Binary::Less, total, limit)
    }

    /// The total is a weight, and is scaled by a light.
    fn scaling(&mut self) -> Vec<StatementKind> {
        let builder = &mut self.builder;
        let weights = crate::syntax::GlobalId(0);
        let (table, count) = (builder.read_global(weights), builder.read_global(crate::syntax::GlobalId(1)));
        let weight = builder.index(table, count);
        let (part, strength) = (builder.float(0.5), builder.float(2.0));
        let three = builder.numbers(Scalar::FLOAT, 3);
        let color = builder.construct(three, &[part]);
        let value = builder.construct(self.light, &[color, strength]);
        let light = builder.local(None, self.light, LocalKind::Value);
        let (argument, total) = (builder.read(light), builder.read(self.total));
        let call = builder.call(self.scale, &[total, argument]);
        vec![declare(self.total, weight), declare(light, value), StatementKind::Expression(call)]
    }

    /// Words: a mask, and the least integer.
    fn words(&mut self) -> Vec<StatementKind> {
        let uint = self.builder.numbers(Scalar::UINT, 1);
        let int = self.builder.numbers(Scalar::INT, 1);
        let (total, bits) = (self.total(), self.builder.uint(0xff00));
        let converted = self.builder.construct(uint, &[total]);
        let masked = self.builder.binary(Binary::BitAnd, converted, bits);
        let complement = self.builder.unary(Unary::Complement, masked);
        let mask = self.builder.local(None, uint, LocalKind::Value);
        let least = self.builder.literal(Literal::Int(i64::from(i32::MIN)), Scalar::INT);
        let number = self.builder.local(None, int, LocalKind::Value);
        vec![declare(mask, complement), declare(number, least)]
    }

    /// A choice in a loop, and selections in another one.
    fn loops(&mut self) -> Vec<StatementKind> {
        let float = self.builder.numbers(Scalar::FLOAT, 1);
        let (condition, accept, reject) = (self.is_below(2.0), self.builder.float(3.0), self.builder.float(0.25));
        let choice = self.builder.add(Shape::Choice { condition, accept, reject }, float);
        let target = self.total();
        let first = Loop {
            condition: Some(self.is_below(1.0)),
            body: vec![compound(target, Binary::Add, choice).into()],
            ..Loop::default()
        };
        let (target, one) = (self.total(), self.builder.float(1.0));
        let last = StatementKind::If {
            condition: self.is_below(5.0),
            accept: vec![StatementKind::Break.into()],
            reject: vec![assign(target, one).into()],
        };
        let (target, one) = (self.total(), self.builder.float(1.0));
        let selection = StatementKind::If {
            condition: self.is_below(4.0),
            accept: vec![compound(target, Binary::Subtract, one).into()],
            reject: vec![last.into()],
        };
        let second = Loop { body: vec![selection.into()], break_if: Some(self.is_below(8.0)), ..Loop::default() };
        vec![StatementKind::Loop(Box::new(first)), StatementKind::Loop(Box::new(second))]
    }

    fn print(language: Language) -> String {
        let mut sample = Sample::new(language);
        let mut body = sample.scaling();
        body.extend(sample.words());
        body.extend(sample.loops());
        printed(sample.builder.finish(body), language)
    }
}

#[test]
fn a_text_in_glsl() {
    let text = Sample::print(Language::Glsl);
    assert_eq!(text, include_str!("expected.comp"));
    accept(&text, &[]);
}

#[test]
fn a_text_in_hlsl() {
    let text = Sample::print(Language::Hlsl);
    assert_eq!(text, include_str!("expected.hlsl"));
    accept(&text, &["-D", "-e", "main"]);
}

#[test]
fn a_text_in_msl() {
    assert_eq!(Sample::print(Language::Msl), include_str!("expected.metal"));
}

#[test]
fn a_text_in_wgsl() {
    let text = Sample::print(Language::Wgsl);
    assert_eq!(text, include_str!("expected.wgsl"));
    let module = front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    validator.validate(&module).expect("the text is valid");
}
