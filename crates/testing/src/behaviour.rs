//! The observable behaviour of a function: calls of declared functions with their arguments, how it ends, the contents of buffers.
//!
//! Two functions are compared from the same start and with the same answers. Calls are compared in order; if one of the two runs was cut
//! off (by its fuel or the number of calls), only up to there. After undefined behaviour a program may do anything, so its replacement is
//! compared only up to that point.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use reconverge_interpret::{Buffer, End, Interpreter, Launch, Value};
use reconverge_ir::{Function, Module, Op};

/// A call of a function that is only declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function's name; empty if it has none.
    pub name: Arc<str>,
    /// Its arguments.
    pub arguments: Vec<Value>,
}

/// The end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By return.
    Returned(Option<Value>),
    /// By a terminator that ends the lane.
    Terminated(Op),
    /// By undefined behaviour with this code.
    Undefined(String),
    /// Cut off: out of fuel, or a call was not answered.
    Cut,
}

/// The behaviour of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behaviour {
    /// The calls, in order.
    pub calls: Vec<Call>,
    /// The end of the run.
    pub ended: Ended,
    /// The contents of the buffers.
    pub buffers: Vec<Buffer>,
}

/// Answers calls; an error cuts the run off.
pub type Outside<'a> = dyn FnMut(&Call, Function) -> Result<Option<Value>, String> + 'a;

/// A module, prepared for runs.
#[derive(Debug)]
pub struct Version<'m> {
    module: &'m Module,
    interpreter: Interpreter<'m>,
    names: HashMap<Function, Arc<str>>,
}

impl<'m> Version<'m> {
    /// Prepares a module. Linear in the module; once is enough for any number of runs.
    pub fn new(module: &'m Module) -> Version<'m> {
        let names = module.functions().map(|function| (function, Arc::from(module.name(function).unwrap_or_default())));
        Version { module, interpreter: Interpreter::new(module), names: names.collect() }
    }

    /// The module.
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// Runs a function and records its behaviour.
    ///
    /// # Errors
    /// The interpreter cannot run it.
    pub fn observe(&self, function: Function, launch: &Launch, outside: &mut Outside<'_>) -> Result<Behaviour, String> {
        let mut calls = Vec::new();
        let mut answer = |_lane: usize, callee: Function, arguments: &[Value]| {
            let call = Call { name: self.names[&callee].clone(), arguments: arguments.to_vec() };
            let answer = outside(&call, callee);
            calls.push(call);
            answer
        };
        let outcome = self.interpreter.run(function, launch, &mut answer).map_err(|error| error.to_string())?;
        let ended = match &outcome.only().end {
            End::Returned(value) => Ended::Returned(value.clone()),
            End::Terminated(op) => Ended::Terminated(*op),
            End::Undefined { behaviour, .. } => Ended::Undefined(behaviour.name().to_owned()),
            End::OutOfFuel(_) | End::Refused { .. } => Ended::Cut,
            other => return Err(other.to_string()),
        };
        Ok(Behaviour { calls, ended, buffers: outcome.buffers })
    }
}

/// Checks that `after` is allowed behaviour of a program whose original has the behaviour `before`.
///
/// # Errors
/// The first difference.
pub fn compare(before: &Behaviour, after: &Behaviour) -> Result<(), String> {
    for (index, (left, right)) in before.calls.iter().zip(&after.calls).enumerate() {
        if left != right {
            return Err(format!("call {index} was {left}, now is {right}"));
        }
    }
    let counts = (before.calls.len(), after.calls.len());
    let is_open = |ended: &Ended| *ended == Ended::Cut;
    match (&before.ended, &after.ended) {
        (Ended::Undefined(_), _) if counts.1 >= counts.0 => Ok(()),
        (left, _) if is_open(left) && counts.1 >= counts.0 => Ok(()),
        (_, right) if is_open(right) && counts.0 >= counts.1 && is_open(&before.ended) => Ok(()),
        _ if counts.0 != counts.1 => Err(format!("made {} calls, now makes {}", counts.0, counts.1)),
        (left, right) if left != right => Err(format!("{left}, now {right}")),
        _ if before.buffers != after.buffers => Err("leaves something else in a buffer".to_owned()),
        _ => Ok(()),
    }
}

impl fmt::Display for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{:?}", self.name, self.arguments)
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ended::Returned(None) => formatter.write_str("returns"),
            Ended::Returned(Some(value)) => write!(formatter, "returns {value:?}"),
            Ended::Terminated(op) => write!(formatter, "ends by {}", op.name()),
            Ended::Undefined(code) => write!(formatter, "is undefined ({code})"),
            Ended::Cut => formatter.write_str("is cut off"),
        }
    }
}
