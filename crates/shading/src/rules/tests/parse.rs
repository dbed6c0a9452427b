//! Statements from text, for tests.
//!
//! The first letter of a name is its type: `p` and `q` are conditions, `x` and `y` floating-point numbers, `v` and `w` vectors of four, `m`
//! arrays; all others are integers. Names that begin with `_` are values without a name, of the type of their value, and are numbered in
//! order. `g` is a variable at module level. Operators bind from left to right.

use std::collections::BTreeMap;

use super::build::{Build, CALLS, choose, declare, repeat};
use crate::syntax::{
    Binary, Block, Case, Effects, Expr, GlobalId, Label, Length, Literal, LocalId, LocalKind, Scalar, Shape, Statement,
    StatementKind, Text, Type, TypeShape, Unary,
};

struct Parser<'a> {
    tokens: Vec<&'a str>,
    place: usize,
    build: Build,
    global: GlobalId,
    names: BTreeMap<&'a str, LocalId>,
}

/// A text with a function of these statements.
pub(super) fn parse(source: &str) -> Text {
    let mut build = Build::new();
    let global = build.global("g");
    let mut parser = Parser { tokens: tokens(source), place: 0, build, global, names: BTreeMap::new() };
    let mut body = Block::new();
    while parser.place < parser.tokens.len() {
        body.push(parser.statement());
    }
    parser.build.text.functions[0].body = body;
    parser.build.text
}

fn tokens(source: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = source.trim_start();
    while !rest.is_empty() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let word = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        let float = rest.strip_prefix(|digit: char| digit.is_ascii_digit()).is_some_and(|rest| rest.starts_with('.'));
        let two = ["&&", "||", "==", "!=", "<=", ">="].iter().any(|operator| rest.starts_with(operator));
        let length = if float { 3 } else { word.max(if two { 2 } else { 1 }) };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a str {
        self.tokens.get(self.place).copied().unwrap_or("")
    }

    fn next(&mut self) -> &'a str {
        self.place += 1;
        self.tokens[self.place - 1]
    }

    fn skip(&mut self, token: &str) -> bool {
        let is_next = self.peek() == token;
        self.place += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, token: &str) {
        let found = self.next();
        assert_eq!(found, token, "before {:?}", &self.tokens[self.place..]);
    }

    fn list(&mut self) -> Block {
        self.expect("{");
        let mut list = Block::new();
        while !self.skip("}") {
            list.push(self.statement());
        }
        list
    }

    fn condition(&mut self) -> Expr {
        self.expect("(");
        let condition = self.expression();
        self.expect(")");
        condition
    }

    fn statement(&mut self) -> Statement {
        let kind = match self.peek() {
            "if" => {
                self.place += 1;
                let (condition, accept) = (self.condition(), self.list());
                let reject = if self.skip("else") { self.list() } else { Block::new() };
                return choose(condition, accept, reject);
            }
            "loop" => {
                self.place += 1;
                let body = self.list();
                let continuing = if self.skip("continuing") { self.list() } else { Block::new() };
                let break_if = self.skip("break_if").then(|| self.condition());
                return repeat(body, continuing, break_if);
            }
            "switch" => return self.switch(),
            "{" => return StatementKind::Block(self.list()).into(),
            "let" | "var" => return self.declaration(),
            "break" => self.jump(StatementKind::Break),
            "continue" => self.jump(StatementKind::Continue),
            "return" => self.jump(StatementKind::Return(None)),
            _ => {
                let target = self.expression();
                if self.skip("=") {
                    StatementKind::Assign { target, operator: None, value: self.expression() }
                } else {
                    StatementKind::Expression(target)
                }
            }
        };
        self.expect(";");
        kind.into()
    }

    fn jump(&mut self, kind: StatementKind) -> StatementKind {
        self.place += 1;
        kind
    }

    fn switch(&mut self) -> Statement {
        self.place += 1;
        let selector = self.condition();
        self.expect("{");
        let mut cases = Vec::new();
        while !self.skip("}") {
            self.expect("case");
            let label = self.next();
            let label = label.parse().map_or(Label::Default, Label::Value);
            let falls = self.skip("falls");
            cases.push(Case { labels: vec![label], body: self.list(), falls });
        }
        StatementKind::Switch { selector, cases }.into()
    }

    fn declaration(&mut self) -> Statement {
        let kind = if self.next() == "let" { LocalKind::Value } else { LocalKind::Variable };
        let name = self.next();
        let value = self.skip("=").then(|| self.expression());
        self.expect(";");
        let ty = match value {
            Some(value) => self.build.text.expressions[value].ty,
            None => self.type_of(name),
        };
        let local = self.build.local((!name.starts_with('_')).then_some(name), ty, kind);
        assert!(!name.starts_with('_') || name == format!("_{}", local.0), "{name} is number {}", local.0);
        self.names.insert(name, local);
        declare(local, value)
    }

    fn type_of(&mut self, name: &str) -> Type {
        let float = Scalar::FLOAT;
        match name.as_bytes()[0] {
            b'p' | b'q' => self.build.boolean,
            b'x' | b'y' => self.build.float,
            b'v' | b'w' => self.build.text.types.numbers(float, 4),
            b'm' => {
                let element = self.build.float;
                self.build.text.types.of(TypeShape::Array { element, length: Length::Constant(2) })
            }
            _ => self.build.int,
        }
    }

    fn expression(&mut self) -> Expr {
        let mut left = self.operand();
        while let Some(operator) = Binary::ALL.into_iter().find(|operator| operator.symbol() == self.peek()) {
            self.place += 1;
            let right = self.operand();
            left = self.build.binary(left, operator, right);
        }
        left
    }

    fn operand(&mut self) -> Expr {
        let token = self.next();
        let mut operand = match token {
            "!" => {
                let operand = self.operand();
                return self.build.add(Shape::Unary { operator: Unary::Not, operand }, self.build.boolean);
            }
            "-" => {
                let number: i64 = self.next().parse().unwrap();
                self.build.number(-number)
            }
            "(" => {
                let inner = self.expression();
                self.expect(")");
                inner
            }
            "true" | "false" => self.build.bool(token == "true"),
            "g" => self.build.of_global(self.global),
            _ if token.contains('.') => {
                let literal = Shape::Literal(Literal::Float(token.parse().unwrap()));
                self.build.add(literal, self.build.float)
            }
            _ if token.as_bytes()[0].is_ascii_digit() => self.build.number(token.parse().unwrap()),
            _ if self.peek() == "(" => self.call(token),
            _ => {
                let local = *self.names.get(token).unwrap_or_else(|| panic!("{token} has no declaration"));
                self.build.name(local)
            }
        };
        loop {
            if self.skip(".") {
                let numbers: Vec<u8> = self
                    .next()
                    .bytes()
                    .map(|letter| b"xyzw".iter().position(|&known| known == letter).unwrap() as u8)
                    .collect();
                operand = self.build.swizzle(operand, &numbers);
            } else if self.skip("[") {
                let index = self.expression();
                self.expect("]");
                operand = self.build.add(Shape::Index { base: operand, index }, self.build.float);
            } else {
                return operand;
            }
        }
    }

    /// `vec2(…)`, `array(…)`, or one of [`CALLS`]; a name that begins with `y` gives a floating-point number.
    fn call(&mut self, name: &'a str) -> Expr {
        self.expect("(");
        let mut arguments = Vec::new();
        while !self.skip(")") {
            arguments.push(self.expression());
            self.skip(",");
        }
        if let Some(size) = name.strip_prefix("vec") {
            return self.build.vector(&arguments, size.parse().unwrap());
        }
        if name == "array" {
            let ty = self.type_of("m");
            let shape = Shape::Construct(arguments.into_iter().collect());
            return self.build.text.expressions.add(shape, ty, Effects::PURE);
        }
        let (name, _) = CALLS.into_iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}"));
        self.build.call(name, &arguments)
    }
}
