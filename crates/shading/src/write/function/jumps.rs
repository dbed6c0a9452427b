//! Edges: arguments become assignments, and jumps become `break`, `continue` or `return`.
//!
//! ```text
//! ^a: branch ^h(%b, %a)      ⇒      let x = b; let y = a; first = x; second = y;
//! ```
//!
//! All arguments are read before the first is assigned. `break` ends the innermost loop or switch; an edge that leaves more sets a flag,
//! and each switch around it breaks on the flag.

use naga::{Expression, Handle, LocalVariable, Statement};
use reconverge_control_tree::{Construct, ConstructKind, Jump};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Edge, Inst, Op, Terminator, view};

use super::super::WriteCode;
use super::Body;
use super::flow::Tail;

/// The statement that `break` leaves.
pub(super) struct Breakable {
    pub(super) construct: Construct,
    /// The enclosing constructs that code inside leaves, with their flags.
    pub(super) escapes: Vec<(Construct, Handle<LocalVariable>)>,
    /// The flag that is set when it is left from inside another one.
    pub(super) flag: Option<Handle<LocalVariable>>,
    /// True if it is the continuing part of a loop, which no statement can leave.
    pub(super) is_continuing: bool,
    /// The condition on which a loop ends after its continuing part.
    pub(super) break_if: Option<Handle<Expression>>,
}

impl Breakable {
    pub(super) fn new(construct: Construct) -> Breakable {
        Breakable { construct, escapes: Vec::new(), flag: None, is_continuing: false, break_if: None }
    }
}

impl Body<'_, '_> {
    /// The assignments and the statement of an edge.
    pub(super) fn jump(&mut self, edge: Edge, tails: &[Tail]) -> Result<(), Diagnostic> {
        let place = edge.terminator.inst();
        let Some(jump) = self.tree.jump(edge) else {
            return self.refuse(WriteCode::Flow, place, "an edge out of the structure");
        };
        if let Some(target) = self.source.target(edge).filter(|_| !self.assigned_early.contains(&edge.terminator)) {
            self.assign(edge.terminator, target)?;
        }
        if let Some(tail) = tails.iter().rev().find(|tail| tail.jump == jump) {
            if let Some(flag) = tail.flag {
                self.set_flag(flag);
            }
            return Ok(());
        }
        match jump {
            Jump::Next | Jump::Enter(_) => Ok(()),
            Jump::Break(construct) => self.break_out(construct, place),
            Jump::Merge(construct) if self.tree.construct(construct).kind == ConstructKind::Switch => {
                self.break_out(construct, place)
            }
            Jump::Continue(construct) | Jump::Back(construct) => {
                let innermost = self.breakables.iter().rev().find(|breakable| breakable.construct == construct);
                if innermost.is_none_or(|breakable| breakable.is_continuing) {
                    return self.refuse(
                        WriteCode::Flow,
                        place,
                        "a back edge from inside the continuing part of a loop",
                    );
                }
                self.statement(Statement::Continue);
                Ok(())
            }
            Jump::FallThrough(_) => {
                self.refuse(WriteCode::Flow, place, format!("fall-through in {}", self.module.language))
            }
            Jump::Merge(_) | Jump::Join(_) => {
                self.refuse(WriteCode::Flow, place, "an exit from the middle of a selection")
            }
        }
    }

    /// Assigns the arguments of a jump to the parameters of its target, all at once.
    pub(super) fn assign(&mut self, terminator: Terminator, target: Block) -> Result<(), Diagnostic> {
        let arguments: Vec<Inst> = self.source.arguments(terminator).collect();
        let parameters: Vec<Inst> = self.source.parameters(target).map(|parameter| parameter.inst()).collect();
        let mut values = Vec::new();
        for (&parameter, &argument) in parameters.iter().zip(&arguments) {
            let is_needed = self.source.is_used(parameter)
                && self.source.op(argument) != Op::Undef
                && !self.classes.share(parameter, argument);
            if is_needed {
                values.push((parameter, self.value(argument)?));
            }
        }
        for (parameter, value) in values {
            let variable = self.variable_of(parameter)?;
            let pointer = self.push(Expression::LocalVariable(variable));
            self.statement(Statement::Store { pointer, value });
        }
        Ok(())
    }

    /// Leaves a loop or a switch.
    fn break_out(&mut self, construct: Construct, place: Inst) -> Result<(), Diagnostic> {
        let Some(target) = self.breakables.iter().rposition(|breakable| breakable.construct == construct) else {
            return self.refuse(WriteCode::Flow, place, "an exit from what is not around it");
        };
        if self.breakables[target..].iter().any(|breakable| breakable.is_continuing) {
            return self.refuse(WriteCode::Flow, place, "an exit from the continuing part of a loop");
        }
        if target + 1 < self.breakables.len() {
            let flag = match self.breakables[target].flag {
                Some(flag) => flag,
                None => self.add_flag("leaves"),
            };
            self.breakables[target].flag = Some(flag);
            for breakable in &mut self.breakables[target + 1..] {
                if !breakable.escapes.contains(&(construct, flag)) {
                    breakable.escapes.push((construct, flag));
                }
            }
            self.set_flag(flag);
        }
        self.statement(Statement::Break);
        Ok(())
    }

    /// Adds the statement of a loop or switch. Its flag is cleared before it, and further exits continue after it.
    pub(super) fn add_breakable(&mut self, breakable: Breakable, statement: Statement) {
        if let Some(flag) = breakable.flag {
            self.clear_flag(flag);
        }
        self.statement(statement);
        for (_, flag) in breakable.escapes {
            let condition = self.load_variable(flag);
            let mut accept = naga::Block::new();
            accept.push(Statement::Break, naga::Span::UNDEFINED);
            self.add_if(condition, accept, naga::Block::new());
        }
    }

    /// Returns from the function.
    pub(super) fn leave(&mut self, terminator: Inst) -> Result<(), Diagnostic> {
        let value = match view::ReturnValue::of(self.source, terminator) {
            Some(view::ReturnValue { value }) => Some(self.value(value)?),
            None => self.results()?,
        };
        self.statement(Statement::Return { value });
        Ok(())
    }

    /// Returns any value: control does not reach this point, or the lane has ended.
    pub(super) fn leave_anyhow(&mut self) -> Result<(), Diagnostic> {
        let value = match &self.function.result {
            Some(result) => {
                let ty = result.ty;
                Some(self.push(Expression::ZeroValue(ty)))
            }
            None => None,
        };
        self.statement(Statement::Return { value });
        Ok(())
    }
}
