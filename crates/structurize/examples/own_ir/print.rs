//! Prints statements.

use std::fmt::Write as _;

use reconverge_structurize::{Branch, Case, ControlFlow, Edge, PlanBlock, Selector, Test};

use super::Program;
use super::structure::Statement;

/// Prints structured code.
pub struct Printer<'p>(pub &'p Program);

impl Printer<'_> {
    fn value(&self, index: usize) -> &str {
        &self.0.0[index].words[1]
    }

    fn test(&self, test: Test) -> String {
        match test {
            Test::Input(input) if self.0.branch(input) == Branch::Switch => self.value(input.index()).to_owned(),
            Test::Input(input) => format!("{} > 0", self.value(input.index())),
            Test::Selector { block, equals } => format!("way_{block} == {equals}"),
            Test::SelectorValue { block } => format!("way_{block}"),
            Test::Zero => "0".to_owned(),
        }
    }

    fn select(&self, edge: &Edge) -> String {
        let value = match edge.selector.as_ref().unwrap() {
            Selector::Constant(number) => number.to_string(),
            Selector::Forward { block } => format!("way_{block}"),
            Selector::Translate { block, table } => format!("{table:?}[way_{block}]"),
            Selector::Choose(numbers) => {
                let rows = edge
                    .carries
                    .iter()
                    .zip(numbers)
                    .map(|(carried, number)| format!("{}: {number}", carried.successor));
                let source = edge.carries[0].source;
                format!("[{}][{}]", rows.collect::<Vec<_>>().join(", "), self.test(Test::Input(source)))
            }
        };
        format!("way_{} = {value};", edge.target)
    }

    pub fn print(&self, code: &[Statement], depth: usize) -> String {
        let mut text = String::new();
        for statement in code {
            let (indent, inside) = ("    ".repeat(depth), depth + 1);
            let line = match statement {
                Statement::Line(index) => match self.0.0[*index].words[0].as_str() {
                    "ADD" => format!("{} += {};", self.value(*index), self.0.0[*index].words[2]),
                    "PRINT" => format!("print({});", self.value(*index)),
                    _ => continue,
                },
                Statement::Select(edge) => self.select(edge),
                Statement::If { label, test, then, otherwise } => {
                    let (then, otherwise) = (self.print(then, inside), self.print(otherwise, inside));
                    let test = self.test(*test);
                    let body = match (then.is_empty(), otherwise.is_empty()) {
                        (true, _) => format!("if (!({test})) {{\n{otherwise}{indent}}}"),
                        (_, true) => format!("if ({test}) {{\n{then}{indent}}}"),
                        _ => format!("if ({test}) {{\n{then}{indent}}} else {{\n{otherwise}{indent}}}"),
                    };
                    match label {
                        Some(label) => labelled(*label, body),
                        None => body,
                    }
                }
                Statement::Loop { label, body, continuing } => {
                    let (body, last) = (self.print(body, inside), self.print(continuing, inside + 1));
                    let last = if last.is_empty() {
                        last
                    } else {
                        format!("{indent}    continuing {{\n{last}{indent}    }}\n")
                    };
                    labelled(*label, format!("loop {{\n{body}{last}{indent}}}"))
                }
                Statement::Switch { label, test, arms } => {
                    let mut body = format!("switch ({}) {{\n", self.test(*test));
                    for arm in arms {
                        for value in &arm.values {
                            let value = match value {
                                Some(Case::Input { successor }) => format!("case {}", successor - 1),
                                Some(Case::Selector(number)) => format!("case {number}"),
                                None => "default".to_owned(),
                            };
                            let _ = writeln!(body, "{indent}{value}:");
                        }
                        body += &self.print(&arm.body, inside);
                    }
                    labelled(*label, body + &indent + "}")
                }
                Statement::Break(label) => format!("break {label};"),
                Statement::Continue(label) => format!("continue {label};"),
                Statement::Return => "return;".to_owned(),
            };
            let _ = writeln!(text, "{indent}{line}");
        }
        text
    }
}

/// The label in front, if anything names it.
fn labelled(label: PlanBlock, body: String) -> String {
    let is_named = body.contains(&format!("break {label};")) || body.contains(&format!("continue {label};"));
    if is_named { format!("{label}: {body}") } else { body }
}
