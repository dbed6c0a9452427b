//! Loops.
//!
//! | loop | C languages | WGSL |
//! |---|---|---|
//! | `is_for` | `for (init; condition; step, step)` | `for (init; condition; step)` |
//! | condition before an iteration | `while (condition)` | the same; with a continuing part `loop { if (!condition) { break; } … }` |
//! | condition behind an iteration | `do { … } while (!break_if);` | `loop { … continuing { break if break_if; } }` |
//! | none | `while (true)` | `loop`; `while (true)` if nothing leaves it |

use super::Printer;
use super::lines::BREAK;
use crate::syntax::{Block, Expr, Loop, StatementKind, has_break};

impl Printer<'_> {
    pub(super) fn repetition(&mut self, found: &Loop) {
        if found.is_for {
            return self.counted(found);
        }
        if let Some(init) = &found.init {
            let text = self.simple(&init.kind);
            self.line(&format!("{text};"));
        }
        let has_end = has_end(found);
        match (found.condition, found.break_if) {
            (Some(condition), None) if !self.is_wgsl() || !has_end => {
                let head = format!("while ({}) {{", self.expression(condition));
                self.line(&head);
                self.inside(&found.body);
                self.inside(&found.continuing);
                self.line("}");
            }
            _ if self.is_wgsl() => self.endless_of_wgsl(found),
            (None, Some(end)) => {
                self.line("do {");
                self.inside(&found.body);
                self.inside(&found.continuing);
                let condition = self.negated(end);
                self.line(&format!("}} while ({condition});"));
            }
            (condition, end) => {
                let condition = condition.map_or("true".to_owned(), |condition| self.expression(condition));
                self.line(&format!("while ({condition}) {{"));
                self.inside(&found.body);
                self.inside(&found.continuing);
                if let Some(end) = end {
                    let condition = self.expression(end);
                    self.exit(&condition);
                }
                self.line("}");
            }
        }
    }

    fn counted(&mut self, found: &Loop) {
        let init = found.init.as_ref().map_or(String::new(), |init| self.simple(&init.kind));
        let condition =
            found.condition.map_or(String::new(), |condition| format!("{BREAK}{}", self.expression(condition)));
        let steps: Vec<String> = found.continuing.iter().map(|step| self.simple(&step.kind)).collect();
        let steps = if steps.is_empty() { String::new() } else { format!("{BREAK}{}", steps.join(", ")) };
        self.line(&format!("for ({init};{condition};{steps}) {{"));
        self.inside(&found.body);
        self.line("}");
    }

    /// A loop that nothing leaves has a condition, because WGSL refuses a `loop` without an exit.
    fn endless_of_wgsl(&mut self, found: &Loop) {
        let has_exit = found.condition.is_some() || found.break_if.is_some() || is_left(&found.body);
        if !has_exit && found.continuing.is_empty() {
            self.line("while (true) {");
            self.inside(&found.body);
            return self.line("}");
        }
        self.line("loop {");
        if !has_exit {
            self.exit("false");
        }
        if let Some(condition) = found.condition {
            let condition = self.negated(condition);
            self.exit(&condition);
        }
        self.inside(&found.body);
        if has_end(found) {
            self.indent += 1;
            self.line("continuing {");
            self.inside(&found.continuing);
            self.break_if(found.break_if);
            self.line("}");
            self.indent -= 1;
        }
        self.line("}");
    }

    fn break_if(&mut self, end: Option<Expr>) {
        if let Some(end) = end {
            let condition = self.expression(end);
            self.indent += 1;
            self.line(&format!("break if {condition};"));
            self.indent -= 1;
        }
    }

    /// `if (condition) { break; }`, one level further right.
    fn exit(&mut self, condition: &str) {
        self.indent += 1;
        self.line(&format!("if ({condition}) {{"));
        self.inside(&vec![StatementKind::Break.into()]);
        self.line("}");
        self.indent -= 1;
    }
}

/// Returns whether a statement in the body of a loop leaves it.
fn is_left(body: &Block) -> bool {
    has_break(body) || has_return(body)
}

fn has_return(list: &Block) -> bool {
    list.iter().any(|statement| {
        matches!(statement.kind, StatementKind::Return(_)) || statement.blocks().into_iter().any(has_return)
    })
}

/// Returns whether something is executed behind each iteration.
fn has_end(found: &Loop) -> bool {
    !found.continuing.is_empty() || found.break_if.is_some()
}
