//! Statements as lines, for comparisons in tests.

use crate::syntax::{Block, Callee, Expr, Label, Literal, Loop, Shape, Statement, StatementKind, Text};

/// The statements of the function, one a line.
pub(super) fn print(text: &Text) -> String {
    let mut printer = Printer { text, lines: Vec::new() };
    printer.list(&text.functions[0].body);
    printer.lines.join("\n")
}

struct Printer<'a> {
    text: &'a Text,
    lines: Vec<String>,
}

impl Printer<'_> {
    fn list(&mut self, list: &Block) {
        for statement in list {
            self.statement(statement);
        }
    }

    fn nested(&mut self, head: String, list: &Block) {
        self.lines.push(format!("{head} {{"));
        self.list(list);
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::If { condition, accept, reject } => {
                self.nested(format!("if ({})", self.expression(*condition)), accept);
                if !reject.is_empty() {
                    self.nested("} else".to_owned(), reject);
                }
            }
            StatementKind::Switch { selector, cases } => {
                self.lines.push(format!("switch ({}) {{", self.expression(*selector)));
                for case in cases {
                    let label = |label: &Label| match label {
                        Label::Default => "default".to_owned(),
                        Label::Value(value) => value.to_string(),
                    };
                    let labels: Vec<String> = case.labels.iter().map(label).collect();
                    let falls = if case.falls { " falls" } else { "" };
                    self.nested(format!("case {}{falls}", labels.join(", ")), &case.body);
                    self.lines.push("}".to_owned());
                }
            }
            StatementKind::Loop(found) => return self.repetition(found),
            StatementKind::Block(list) => self.nested(String::new(), list),
            _ => {
                let line = format!("{};", self.simple(statement));
                return self.lines.push(line);
            }
        }
        self.lines.push("}".to_owned());
    }

    fn repetition(&mut self, found: &Loop) {
        let condition = found.condition.map(|condition| self.expression(condition));
        if found.is_for {
            let init = found.init.as_ref().map_or_else(String::new, |init| self.simple(init));
            let steps: Vec<String> = found.continuing.iter().map(|step| self.simple(step)).collect();
            let head = format!("for ({init}; {}; {})", condition.unwrap_or_default(), steps.join(", "));
            self.nested(head, &found.body);
        } else {
            let head = condition.map_or_else(|| "loop".to_owned(), |condition| format!("while ({condition})"));
            self.nested(head, &found.body);
            if !found.continuing.is_empty() {
                self.nested("} continuing".to_owned(), &found.continuing);
            }
        }
        let last = found.break_if.map_or_else(String::new, |last| format!(" break if ({})", self.expression(last)));
        self.lines.push(format!("}}{last}"));
    }

    fn simple(&self, statement: &Statement) -> String {
        match statement.kind {
            StatementKind::Declare { local, value } => {
                let kind =
                    if self.text.functions[0][local].kind == crate::syntax::LocalKind::Value { "let" } else { "var" };
                let value = value.map_or_else(String::new, |value| format!(" = {}", self.expression(value)));
                format!("{kind} {}{value}", self.name(local))
            }
            StatementKind::Assign { target, operator, value } => {
                let operator = operator.map_or("", |operator| operator.symbol());
                format!("{} {operator}= {}", self.expression(target), self.expression(value))
            }
            StatementKind::Step { target, operator } => {
                format!("{}{}", self.expression(target), operator.symbol().repeat(2))
            }
            StatementKind::Expression(value) => self.expression(value),
            StatementKind::Return(value) => {
                value.map_or_else(|| "return".to_owned(), |value| format!("return {}", self.expression(value)))
            }
            StatementKind::Break => "break".to_owned(),
            StatementKind::Continue => "continue".to_owned(),
            _ => "discard".to_owned(),
        }
    }

    fn name(&self, local: crate::syntax::LocalId) -> String {
        self.text.functions[0][local].name.clone().unwrap_or_else(|| format!("_{}", local.0))
    }

    /// The expression, with parentheses if it is an operator.
    fn operand(&self, expr: Expr) -> String {
        let printed = self.expression(expr);
        match self.text.expressions[expr].shape {
            Shape::Binary { .. } | Shape::Choice { .. } => format!("({printed})"),
            _ => printed,
        }
    }

    fn list_of(&self, arguments: &[Expr]) -> String {
        arguments.iter().map(|&part| self.expression(part)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn expression(&self, expr: Expr) -> String {
        match &self.text.expressions[expr].shape {
            Shape::Literal(Literal::Bool(value)) => value.to_string(),
            Shape::Literal(Literal::Int(value)) => value.to_string(),
            Shape::Literal(Literal::Uint(value)) => format!("{value}u"),
            Shape::Literal(Literal::Float(value)) => format!("{value:?}"),
            Shape::Local(local) => self.name(*local),
            Shape::Global(global) => self.text.global(*global).name.clone(),
            Shape::Member { base, member } => format!("{}.m{member}", self.operand(*base)),
            Shape::Index { base, index } => format!("{}[{}]", self.operand(*base), self.expression(*index)),
            Shape::Swizzle { base, swizzle } => {
                let letters: String =
                    swizzle.components().iter().map(|&number| b"xyzw"[usize::from(number)] as char).collect();
                format!("{}.{letters}", self.operand(*base))
            }
            Shape::Unary { operator, operand } => format!("{}{}", operator.symbol(), self.operand(*operand)),
            Shape::Binary { operator, left, right } => {
                format!("{} {} {}", self.operand(*left), operator.symbol(), self.operand(*right))
            }
            Shape::Choice { condition, accept, reject } => {
                let [condition, accept, reject] = [condition, accept, reject].map(|part| self.operand(*part));
                format!("{condition} ? {accept} : {reject}")
            }
            Shape::Construct(arguments) => format!("vec({})", self.list_of(arguments)),
            Shape::Call { callee: Callee::Intrinsic(name), arguments } => {
                format!("{name}({})", self.list_of(arguments))
            }
            Shape::Call { arguments, .. } => format!("call({})", self.list_of(arguments)),
            Shape::Method { object, name, arguments } => {
                format!("{}.{name}({})", self.operand(*object), self.list_of(arguments))
            }
        }
    }
}
