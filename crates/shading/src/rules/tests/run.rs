//! Executes statements by the definition of the languages, and checks the scopes of locals.

use std::collections::BTreeMap;

use crate::rules::Dialect;
use crate::syntax::{
    Binary, Block, Callee, Expr, Label, Literal, LocalId, LocalKind, Loop, Shape, Statement, StatementKind, Text, Unary,
};

/// Why a run ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The statements that it may execute are used up.
    Fuel,
    /// It reads a variable that has no value.
    NoValue,
}

/// The order in which operands are computed, which the languages leave open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Left,
    Right,
}

enum Flow {
    Next,
    Break,
    Continue,
    Return,
}

pub(super) struct Machine<'a> {
    text: &'a Text,
    dialect: Dialect,
    order: Order,
    fuel: u32,
    locals: BTreeMap<LocalId, Option<i64>>,
    /// The locals that each list around the statement declares.
    scopes: Vec<Vec<LocalId>>,
    memory: [i64; 3],
    trace: Vec<(&'static str, Vec<i64>)>,
}

/// The calls that write, with their arguments.
pub(super) type Trace = Vec<(&'static str, Vec<i64>)>;

/// Executes the function.
pub(super) fn run(text: &Text, dialect: Dialect, order: Order, fuel: u32) -> Result<Trace, Stop> {
    let mut machine = Machine {
        text,
        dialect,
        order,
        fuel,
        locals: BTreeMap::new(),
        scopes: Vec::new(),
        memory: [5, 6, 7],
        trace: Vec::new(),
    };
    machine.list(&text.functions[0].body)?;
    let memory = machine.memory.to_vec();
    machine.trace.push(("end", memory));
    Ok(machine.trace)
}

impl Machine<'_> {
    fn list(&mut self, list: &Block) -> Result<Flow, Stop> {
        self.scoped(|machine| machine.statements(list))
    }

    fn scoped<T>(&mut self, execute: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        self.scopes.push(Vec::new());
        let result = execute(self)?;
        for local in self.scopes.pop().unwrap() {
            self.locals.remove(&local);
        }
        Ok(result)
    }

    fn statements(&mut self, list: &Block) -> Result<Flow, Stop> {
        for statement in list {
            match self.statement(statement)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow, Stop> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Fuel)?;
        match &statement.kind {
            StatementKind::Declare { local, value } => {
                let value = value.map(|value| self.compute(value)).transpose()?;
                self.locals.insert(*local, value);
                self.scopes.last_mut().unwrap().push(*local);
            }
            StatementKind::Assign { target, operator, value } => self.assign(*target, *operator, *value)?,
            StatementKind::Step { target, operator } => {
                let value = self.compute(*target)?;
                self.set(*target, binary(*operator, value, 1));
            }
            StatementKind::Expression(value) => drop(self.compute(*value)?),
            StatementKind::If { condition, accept, reject } => {
                let is_true = self.compute(*condition)? != 0;
                return self.list(if is_true { accept } else { reject });
            }
            StatementKind::Switch { selector, cases } => {
                let value = self.compute(*selector)?;
                let is_default = |label: &Label| *label == Label::Default;
                let place = cases.iter().position(|case| case.labels.contains(&Label::Value(value)));
                let place = place.or_else(|| cases.iter().position(|case| case.labels.iter().any(is_default)));
                for case in place.map_or(&[][..], |place| &cases[place..]) {
                    match self.list(&case.body)? {
                        Flow::Next if case.falls => {}
                        Flow::Next | Flow::Break => break,
                        flow => return Ok(flow),
                    }
                }
            }
            StatementKind::Loop(found) => return self.scoped(|machine| machine.repetition(found)),
            StatementKind::Block(list) => return self.list(list),
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Continue => return Ok(Flow::Continue),
            StatementKind::Return(_) | StatementKind::Discard => return Ok(Flow::Return),
        }
        Ok(Flow::Next)
    }

    fn repetition(&mut self, found: &Loop) -> Result<Flow, Stop> {
        if let Some(init) = &found.init {
            self.statement(init)?;
        }
        loop {
            self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Fuel)?;
            if let Some(condition) = found.condition
                && self.compute(condition)? == 0
            {
                return Ok(Flow::Next);
            }
            let sees_body = self.dialect.has_continuing && !found.is_for;
            let flow = self.scoped(|machine| {
                let flow = machine.statements(&found.body)?;
                if sees_body && matches!(flow, Flow::Next | Flow::Continue) {
                    return machine.scoped(|machine| machine.end(found));
                }
                Ok(flow)
            })?;
            match flow {
                Flow::Next | Flow::Continue if sees_body => {}
                Flow::Next | Flow::Continue => {
                    if matches!(self.end(found)?, Flow::Break) {
                        return Ok(Flow::Next);
                    }
                }
                Flow::Break => return Ok(Flow::Next),
                Flow::Return => return Ok(Flow::Return),
            }
        }
    }

    fn end(&mut self, found: &Loop) -> Result<Flow, Stop> {
        self.statements(&found.continuing)?;
        match found.break_if {
            Some(condition) if self.compute(condition)? != 0 => Ok(Flow::Break),
            _ => Ok(Flow::Next),
        }
    }

    fn assign(&mut self, target: Expr, operator: Option<Binary>, value: Expr) -> Result<(), Stop> {
        let before = |machine: &mut Self| operator.map(|_| machine.compute(target)).transpose();
        let (before, value) = match self.order {
            Order::Left => (before(self)?, self.compute(value)?),
            Order::Right => {
                let value = self.compute(value)?;
                (before(self)?, value)
            }
        };
        let value = match (operator, before) {
            (Some(operator), Some(before)) => binary(operator, before, value),
            _ => value,
        };
        self.set(target, value);
        Ok(())
    }

    fn set(&mut self, target: Expr, value: i64) {
        match self.text.expressions[target].shape {
            Shape::Local(local) => {
                assert_eq!(self.text.functions[0][local].kind, LocalKind::Variable, "a value is assigned");
                *self.locals.get_mut(&local).expect("it is in scope") = Some(value);
            }
            Shape::Global(_) => self.memory[0] = value,
            _ => panic!("no target"),
        }
    }

    fn compute(&mut self, expr: Expr) -> Result<i64, Stop> {
        match &self.text.expressions[expr].shape {
            Shape::Literal(Literal::Bool(value)) => Ok(i64::from(*value)),
            Shape::Literal(Literal::Int(value)) => Ok(*value),
            Shape::Literal(Literal::Uint(value)) => Ok(*value as i64),
            Shape::Local(local) => self.locals.get(local).expect("it is in scope").ok_or(Stop::NoValue),
            Shape::Global(_) => Ok(self.memory[0]),
            Shape::Unary { operator, operand } => {
                let value = self.compute(*operand)?;
                Ok(match operator {
                    Unary::Not => i64::from(value == 0),
                    Unary::Negate => i64::from((value as i32).wrapping_neg()),
                    Unary::Complement => !value,
                })
            }
            Shape::Binary { operator: Binary::And, left, right } => {
                Ok(if self.compute(*left)? != 0 { self.compute(*right)? } else { 0 })
            }
            Shape::Binary { operator: Binary::Or, left, right } => {
                Ok(if self.compute(*left)? != 0 { 1 } else { self.compute(*right)? })
            }
            Shape::Binary { operator, left, right } => {
                let values = self.all(&[*left, *right])?;
                Ok(binary(*operator, values[0], values[1]))
            }
            Shape::Call { callee: Callee::Intrinsic(name), arguments } => {
                let values = self.all(arguments)?;
                Ok(self.call(name, arguments, values))
            }
            &Shape::Choice { condition, accept, reject } => {
                let is_accepted = self.compute(condition)? != 0;
                self.compute(if is_accepted { accept } else { reject })
            }
            shape => panic!("{shape:?}"),
        }
    }

    /// The values of operands, in the order of the machine.
    fn all(&mut self, exprs: &[Expr]) -> Result<Vec<i64>, Stop> {
        if self.order == Order::Left {
            return exprs.iter().map(|&expr| self.compute(expr)).collect();
        }
        let mut values: Vec<i64> = exprs.iter().rev().map(|&expr| self.compute(expr)).collect::<Result<_, _>>()?;
        values.reverse();
        Ok(values)
    }

    fn call(&mut self, name: &'static str, arguments: &[Expr], values: Vec<i64>) -> i64 {
        let place = values.first().map_or(0, |value| value.rem_euclid(3) as usize);
        let result = match name {
            "load" => return self.memory[place],
            "pure" | "lanes" | "pinned" => {
                return values.iter().fold(17, |sum, value| i64::from((sum * 3 + value) as i32));
            }
            "store" => {
                self.memory[place] = values[1];
                0
            }
            "bump" => {
                self.memory[place] = i64::from((self.memory[place] as i32).wrapping_add(1));
                self.memory[place]
            }
            "pass" => {
                self.set(arguments[0], i64::from((values[0] as i32).wrapping_mul(3).wrapping_add(1)));
                values[0]
            }
            _ => 0,
        };
        self.trace.push((name, values));
        result
    }
}

fn binary(operator: Binary, left: i64, right: i64) -> i64 {
    let (one, other) = (left as i32, right as i32);
    match operator {
        Binary::Add => i64::from(one.wrapping_add(other)),
        Binary::Subtract => i64::from(one.wrapping_sub(other)),
        Binary::Multiply => i64::from(one.wrapping_mul(other)),
        Binary::BitAnd => left & right,
        Binary::BitXor => left ^ right,
        Binary::Less => i64::from(left < right),
        Binary::LessEqual => i64::from(left <= right),
        Binary::Greater => i64::from(left > right),
        Binary::GreaterEqual => i64::from(left >= right),
        Binary::Equal => i64::from(left == right),
        Binary::NotEqual => i64::from(left != right),
        _ => panic!("{operator:?}"),
    }
}
