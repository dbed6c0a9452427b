//! Edges: arguments become assignments, and jumps become `break`, `continue` or `return`.
//!
//! ```text
//! ^a: branch ^h(%b, %a)      ⇒      x = b; y = a;            in an order in which no value is overwritten before it is read,
//! ^a: branch ^h(%y, %x)      ⇒      t = y; y = x; x = t;     with a name for one of a cycle
//! ```
//!
//! `break` ends the innermost loop or switch; an edge that leaves more sets a flag, and each statement around it breaks on the flag.

use reconverge_control_tree::{Construct, ConstructKind, Jump};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Edge, Inst, Op, Terminator, view};

use super::Body;
use super::flow::Tail;
use crate::syntax::{Expr, Literal, Local, LocalId, LocalKind, Scalar, Shape, Statement, StatementKind, TypeShape};
use crate::write::WriteCode;

/// The statement that `break` leaves.
pub(super) struct Breakable {
    pub(super) construct: Construct,
    /// The enclosing constructs that code inside leaves, with their flags.
    escapes: Vec<(Construct, LocalId)>,
    /// The flag that is set when it is left from inside another one.
    flag: Option<LocalId>,
    /// True if it is the continuing part of a loop, which no statement can leave.
    pub(super) is_continuing: bool,
    /// The condition on which a loop ends after its continuing part.
    pub(super) break_if: Option<Expr>,
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
                    let message = "a back edge from inside the continuing part of a loop";
                    return self.refuse(WriteCode::Flow, place, message);
                }
                self.statement(StatementKind::Continue);
                Ok(())
            }
            Jump::FallThrough(_) => {
                let message = format!("fall-through in {}", self.cx.target.language());
                self.refuse(WriteCode::Flow, place, message)
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
        let mut copies = Vec::new();
        for (&parameter, &argument) in parameters.iter().zip(&arguments) {
            let is_needed = self.source.is_used(parameter)
                && self.source.op(argument) != Op::Undef
                && !self.classes.share(parameter, argument);
            if is_needed {
                let variable = self.variable_of(parameter)?;
                copies.push((variable, self.value(argument)?));
            }
        }
        self.copy_at_once(copies);
        Ok(())
    }

    /// Assigns values to variables, all at once: a variable is assigned when no other value reads it.
    fn copy_at_once(&mut self, copies: Vec<(LocalId, Expr)>) {
        let mut left = copies;
        while !left.is_empty() {
            let is_read = |variable: LocalId, among: &[(LocalId, Expr)], own: usize| {
                among.iter().enumerate().any(|(other, &(_, value))| {
                    other != own
                        && matches!(self.cx.text.expressions[value].shape, Shape::Local(read) if read == variable)
                })
            };
            let free = (0..left.len()).find(|&number| !is_read(left[number].0, &left, number));
            let (variable, value) = match free {
                Some(number) => left.remove(number),
                None => {
                    // A cycle: the first value gets a name, and its variable is free then.
                    let (_, value) = left[0];
                    let named = self.name_value(value);
                    left[0].1 = self.local(named);
                    continue;
                }
            };
            let target = self.local(variable);
            self.assign_to(target, value);
        }
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
        self.statement(StatementKind::Break);
        Ok(())
    }

    /// Adds the statement of a loop or switch. Its flag is cleared before it, and further exits continue after it.
    pub(super) fn add_breakable(&mut self, breakable: Breakable, statement: StatementKind) {
        if let Some(flag) = breakable.flag {
            self.clear_flag(flag);
        }
        self.statement(statement);
        for (_, flag) in breakable.escapes {
            let condition = self.local(flag);
            let accept = vec![Statement::from(StatementKind::Break)];
            self.add_if(condition, accept, Vec::new());
        }
    }

    /// A variable that says whether something was left. Without a name it is that of a value, which may move to its use.
    pub(super) fn add_flag<'n>(&mut self, name: impl Into<Option<&'n str>>) -> LocalId {
        let ty = self.cx.text.types.of(TypeShape::Scalar(Scalar::BOOL));
        let local = Local { name: name.into().map(str::to_owned), ty, kind: LocalKind::Variable, prefix: "" };
        let local = self.function.add(local);
        self.declare_first(local, None);
        local
    }

    pub(super) fn set_flag(&mut self, flag: LocalId) {
        self.assign_flag(flag, Literal::Bool(true));
    }

    pub(super) fn clear_flag(&mut self, flag: LocalId) {
        self.assign_flag(flag, Literal::Bool(false));
    }

    fn assign_flag(&mut self, flag: LocalId, value: Literal) {
        let ty = self.function[flag].ty;
        let (target, value) = (self.local(flag), self.cx.literal(value, ty));
        self.assign_to(target, value);
    }

    /// Returns from the function.
    pub(super) fn leave(&mut self, terminator: Inst) -> Result<(), Diagnostic> {
        let value = match view::ReturnValue::of(self.source, terminator) {
            Some(view::ReturnValue { value }) => Some(self.value(value)?),
            None => self.entry_result()?,
        };
        if self.entry.is_some() {
            self.before_return()?;
        }
        self.statement(StatementKind::Return(value));
        Ok(())
    }

    /// Returns any value: control does not reach this point, or the lane has ended.
    pub(crate) fn leave_anyhow(&mut self, place: Inst) -> Result<(), Diagnostic> {
        let result = self.function.result;
        let value = match self.cx.text.types[result] {
            TypeShape::Void => None,
            _ if self.outputs.is_some() => self.entry_result()?,
            _ => Some(self.cx.zero(result, place)?),
        };
        self.statement(StatementKind::Return(value));
        Ok(())
    }
}
