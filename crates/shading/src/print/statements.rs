//! Statements.

use super::lines::BREAK;
use super::literals::Radix;
use super::{Printer, joined};
use crate::Language;
use crate::syntax::{
    Block, Callee, Case, Expr, Label, Literal, LocalId, LocalKind, Scalar, ScalarKind, Shape, Statement, StatementKind,
    TypeShape,
};

impl Printer<'_> {
    /// The statements of a list, one level further right.
    pub(super) fn inside(&mut self, block: &Block) {
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
    }

    fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        self.origin(statement.origin);
        match &statement.kind {
            StatementKind::If { condition, accept, reject } => self.selection(*condition, accept, reject),
            StatementKind::Switch { selector, cases } => self.switch(*selector, cases),
            StatementKind::Loop(found) => self.repetition(found),
            StatementKind::Block(block) => {
                self.line("{");
                self.inside(block);
                self.line("}");
            }
            kind => {
                let text = self.simple(kind);
                self.line(&format!("{text};"));
            }
        }
    }

    /// A statement without lists, without its semicolon.
    pub(super) fn simple(&self, kind: &StatementKind) -> String {
        match kind {
            StatementKind::Declare { local, value } => self.declaration(*local, *value),
            StatementKind::Assign { target, operator, value } => {
                let symbol = operator.map_or("", |operator| operator.symbol());
                format!("{} {symbol}={BREAK}{}", self.expression(*target), self.operand_of(*value, *operator))
            }
            StatementKind::Step { target, operator } => {
                format!("{}{}", self.base(*target), operator.symbol().repeat(2))
            }
            StatementKind::Expression(value) => {
                let ignored = if self.ignores(*value) { "_ = " } else { "" };
                format!("{ignored}{}", self.expression(*value))
            }
            StatementKind::Break => "break".to_owned(),
            StatementKind::Continue => "continue".to_owned(),
            StatementKind::Return(None) => "return".to_owned(),
            StatementKind::Return(Some(value)) => format!("return {}", self.expression(*value)),
            StatementKind::Discard if self.language == Language::Msl => "discard_fragment()".to_owned(),
            StatementKind::Discard => "discard".to_owned(),
            StatementKind::If { .. }
            | StatementKind::Switch { .. }
            | StatementKind::Loop(_)
            | StatementKind::Block(_) => String::new(),
        }
    }

    /// WGSL asks for a use of the result of a function of the language, except that of an atomic operation.
    fn ignores(&self, value: Expr) -> bool {
        let expression = &self.text.expressions[value];
        let has_result = self.text.types[expression.ty] != TypeShape::Void;
        let is_kept = match &expression.shape {
            Shape::Call { callee: Callee::Function(_), .. } => true,
            Shape::Call { callee: Callee::Intrinsic(name), .. } => name.starts_with("atomic"),
            _ => false,
        };
        self.is_wgsl() && has_result && !is_kept
    }

    fn declaration(&self, local: LocalId, value: Option<Expr>) -> String {
        let function = self.function.expect("invariant: locals are in functions");
        let found = &function[local];
        let name = self.local_name(local);
        let head = match (self.language, found.kind, value) {
            (Language::Wgsl, LocalKind::Value, Some(_)) => format!("let {name}"),
            (Language::Wgsl, _, Some(_)) => format!("var {name}"),
            (Language::Wgsl, ..) => format!("var {}", self.declared(found.ty, &name)),
            _ => joined(&[found.prefix, &self.declared_in(found.prefix, found.ty, &name)]),
        };
        value.map_or(head.clone(), |value| format!("{head} ={BREAK}{}", self.expression(value)))
    }

    fn selection(&mut self, condition: Expr, accept: &Block, reject: &Block) {
        let head = format!("if ({}) {{", self.expression(condition));
        self.line(&head);
        self.inside(accept);
        let mut rest = reject;
        loop {
            match &rest[..] {
                [] => break,
                [Statement { kind: StatementKind::If { condition, accept, reject }, .. }] => {
                    let head = format!("}} else if ({}) {{", self.expression(*condition));
                    self.line(&head);
                    self.inside(accept);
                    rest = reject;
                }
                _ => {
                    self.line("} else {");
                    self.inside(rest);
                    break;
                }
            }
        }
        self.line("}");
    }

    fn switch(&mut self, selector: Expr, cases: &[Case]) {
        let head = format!("switch ({}) {{", self.expression(selector));
        self.line(&head);
        self.indent += 1;
        let scalar = self.text.types.scalar(self.text.expressions[selector].ty).unwrap_or(Scalar::INT);
        for case in cases {
            if self.is_wgsl() {
                self.case_of_wgsl(case, scalar);
            } else {
                self.case(case, scalar, cases.len());
            }
        }
        // WGSL asks for a default case.
        if self.is_wgsl() && !cases.iter().any(|case| case.labels.contains(&Label::Default)) {
            self.line("default {");
            self.line("}");
        }
        self.indent -= 1;
        self.line("}");
    }

    /// One of `count` cases in C. Among others it has braces where it declares something, because a label does not pass a declaration.
    fn case(&mut self, case: &Case, scalar: Scalar, count: usize) {
        let label = |label: &Label| match label {
            Label::Default => "default:".to_owned(),
            Label::Value(value) => format!("case {}:", self.label(*value, scalar)),
        };
        let labels: Vec<String> = case.labels.iter().map(label).collect();
        let labels = labels.join("\u{b}");
        let declares = case.body.iter().any(|statement| matches!(statement.kind, StatementKind::Declare { .. }));
        let has_braces = declares && count > 1;
        self.line(&if has_braces { format!("{labels} {{") } else { labels });
        self.inside(&case.body);
        if !case.falls && !case.body.last().is_some_and(Statement::is_jump) {
            self.indent += 1;
            self.line("break;");
            self.indent -= 1;
        }
        if has_braces {
            self.line("}");
        }
    }

    fn case_of_wgsl(&mut self, case: &Case, scalar: Scalar) {
        let label = |label: &Label| match label {
            Label::Default => "default".to_owned(),
            Label::Value(value) => self.label(*value, scalar),
        };
        let labels: Vec<String> = case.labels.iter().map(label).collect();
        let keyword = if case.labels[..] == [Label::Default] { "" } else { "case " };
        self.line(&format!("{keyword}{} {{", labels.join(",\u{b}")));
        self.inside(&case.body);
        self.line("}");
    }

    fn label(&self, value: i64, scalar: Scalar) -> String {
        let literal = match scalar.kind {
            ScalarKind::Uint if scalar.width < 64 => Literal::Uint(value as u64 & ((1 << scalar.width) - 1)),
            ScalarKind::Uint => Literal::Uint(value as u64),
            _ => Literal::Int(value),
        };
        self.literal(literal, scalar, Radix::Decimal)
    }
}
