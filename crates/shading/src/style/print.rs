//! Statements as text.

use super::Dialect;
use super::expression::negated;
use super::tree::{List, Loop, Statement};

/// Writes the braces of a function and its statements.
pub(super) fn function(body: &List, dialect: Dialect, result: &mut String) {
    let mut printer = Printer { dialect, indent: 1, result };
    printer.result.push_str("{\n");
    printer.list(body);
    printer.result.push('}');
}

struct Printer<'a> {
    dialect: Dialect,
    indent: usize,
    result: &'a mut String,
}

impl Printer<'_> {
    fn line(&mut self, parts: &[&str]) {
        self.result.extend(std::iter::repeat_n("    ", self.indent));
        self.result.extend(parts.iter().copied());
        self.result.push('\n');
    }

    fn list(&mut self, list: &List) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    /// A line, and a list below it.
    fn nested(&mut self, head: &[&str], list: &List) {
        self.line(head);
        self.inside(list);
    }

    fn inside(&mut self, list: &List) {
        self.indent += 1;
        self.list(list);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Simple(text) => self.line(&[text, ";"]),
            Statement::Block(list) => {
                self.nested(&["{"], list);
                self.line(&["}"]);
            }
            Statement::If { condition, then, otherwise } => self.selection(condition, then, otherwise),
            Statement::Loop(found) => self.repetition(found),
            Statement::Switch { value, cases } => {
                self.line(&["switch (", value, ") {"]);
                self.indent += 1;
                for case in cases {
                    let (last, others) = case.labels.split_last().expect("a case has a label");
                    others.iter().for_each(|label| self.line(&[label]));
                    self.nested(&[last, " {"], &case.body);
                    self.line(&["}"]);
                }
                self.indent -= 1;
                self.line(&["}"]);
            }
        }
    }

    fn selection(&mut self, condition: &str, then: &List, otherwise: &List) {
        self.nested(&["if (", condition, ") {"], then);
        let mut otherwise = otherwise;
        while let [Statement::If { condition, then, otherwise: last }] = &otherwise[..] {
            self.nested(&["} else if (", condition, ") {"], then);
            otherwise = last;
        }
        if !otherwise.is_empty() {
            self.nested(&["} else {"], otherwise);
        }
        self.line(&["}"]);
    }

    fn repetition(&mut self, found: &Loop) {
        let condition = found.condition.as_deref();
        if found.is_for {
            let steps: Vec<&str> = found.continuing.iter().filter_map(Statement::simple).collect();
            let (init, steps) = (found.init.as_deref().unwrap_or_default(), steps.join(", "));
            let condition = condition.map_or_else(String::new, |condition| format!(" {condition}"));
            let steps = if steps.is_empty() { steps } else { format!(" {steps}") };
            self.nested(&["for (", init, ";", &condition, ";", &steps, ") {"], &found.body);
            self.line(&["}"]);
            return;
        }
        match (self.dialect, &found.break_if) {
            (Dialect::C, Some(last)) if found.continuing.is_empty() && condition.is_none() => {
                self.nested(&["do {"], &found.body);
                self.line(&["} while (", &negated(last), ");"]);
            }
            (Dialect::C, _) => self.repetition_in_c(found),
            (Dialect::Wgsl, _) => {
                let has_continuing = !found.continuing.is_empty() || found.break_if.is_some();
                match condition {
                    Some(condition) if !has_continuing => self.line(&["while (", condition, ") {"]),
                    _ => self.line(&["loop {"]),
                }
                self.indent += 1;
                if has_continuing {
                    self.break_unless(condition);
                }
                self.list(&found.body);
                self.indent -= 1;
                if has_continuing {
                    self.indent += 1;
                    self.nested(&["continuing {"], &found.continuing);
                    if let Some(last) = &found.break_if {
                        self.indent += 1;
                        self.line(&["break if (", last, ");"]);
                        self.indent -= 1;
                    }
                    self.line(&["}"]);
                    self.indent -= 1;
                }
                self.line(&["}"]);
            }
        }
    }

    /// Writes a loop in C. The code after an iteration is at its end, or at the beginning of the next one if `continue` leads there.
    fn repetition_in_c(&mut self, found: &Loop) {
        let condition = found.condition.as_deref().unwrap_or("true");
        if found.continuing.is_empty() && found.break_if.is_none() {
            self.nested(&["while (", condition, ") {"], &found.body);
            self.line(&["}"]);
            return;
        }
        let flag = found.flag.as_deref().expect("what runs after a round came with a flag");
        self.line(&["bool ", flag, " = true;"]);
        self.line(&["while (true) {"]);
        self.indent += 1;
        self.nested(&["if (!", flag, ") {"], &found.continuing);
        if let Some(last) = &found.break_if {
            self.indent += 1;
            self.nested(&["if (", last, ") {"], &vec![Statement::Simple("break".to_owned())]);
            self.line(&["}"]);
            self.indent -= 1;
        }
        self.line(&["}"]);
        self.line(&[flag, " = false;"]);
        self.break_unless(found.condition.as_deref());
        self.list(&found.body);
        self.indent -= 1;
        self.line(&["}"]);
    }

    /// Ends the loop if the condition does not hold.
    fn break_unless(&mut self, condition: Option<&str>) {
        if let Some(condition) = condition {
            self.nested(&["if (", &negated(condition), ") {"], &vec![Statement::Simple("break".to_owned())]);
            self.line(&["}"]);
        }
    }
}
