//! The cost of a launch.

use std::collections::HashMap;
use std::fmt;

use reconverge_interpret::{Contents, End, Interpreter, Launch, Observer, Outcome, Step, Value, no_externals};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Block, Function, Inst, Module, Op};
use spirv::StorageClass;

/// The number of executed instructions, each counted once for all lanes that execute it together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Instructions except terminators, variables and addresses of fixed members.
    pub instructions: u64,
    /// Terminators: branches and ends of the function.
    pub terminators: u64,
}

impl fmt::Display for Cost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}+{}", self.instructions, self.terminators)
    }
}

/// A measured launch.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Its cost.
    pub cost: Cost,
    /// The number of executions of each block.
    pub runs: HashMap<Block, u64>,
    /// Its results.
    pub outcome: Outcome,
}

impl Measured {
    /// The value that the first lane returns.
    pub fn result(&self) -> Option<&Value> {
        match &self.outcome.lanes.first()?.end {
            End::Returned(value) => value.as_ref(),
            _ => None,
        }
    }

    /// Checks that another version of the function had the same results.
    ///
    /// # Errors
    /// The difference.
    pub fn check_same(&self, other: &Measured) -> Result<(), String> {
        let ends = |outcome: &Outcome| outcome.lanes.iter().map(|lane| lane.end.clone()).collect::<Vec<_>>();
        let (left, right) = (ends(&self.outcome), ends(&other.outcome));
        if left != right {
            return Err(format!("another result: {left:?}, not {right:?}"));
        }
        match self.outcome.variables == other.outcome.variables && self.outcome.buffers == other.outcome.buffers {
            true => Ok(()),
            false => Err("other contents of memory".to_owned()),
        }
    }
}

/// Runs a function. Uninitialized module variables contain small numbers, and are compared afterwards.
///
/// # Errors
/// A launch that cannot start, or a lane that does not return.
pub fn measure(module: &Module, function: Function, launch: &Launch) -> Result<Measured, String> {
    let mut launch = launch.clone();
    launch.contents = contents(module);
    launch.observed = launch.contents.iter().map(|contents| contents.variable).collect();
    let mut counter = Counter { module, cost: Cost::default(), runs: HashMap::new() };
    let outcome = Interpreter::new(module).run_observed(function, &launch, &mut no_externals, &mut counter);
    let outcome = outcome.map_err(|error| error.to_string())?;
    match outcome.lanes.iter().find(|lane| !matches!(lane.end, End::Returned(_))) {
        Some(lane) => Err(format!("a lane does not return: {}", lane.end)),
        None => Ok(Measured { cost: counter.cost, runs: counter.runs, outcome }),
    }
}

struct Counter<'m> {
    module: &'m Module,
    cost: Cost,
    runs: HashMap<Block, u64>,
}

impl Observer for Counter<'_> {
    fn executed(&mut self, step: &Step<'_, '_>) {
        match self.module.op(step.inst()) {
            op if op.is_terminator() => {
                self.cost.terminators += 1;
                *self.runs.entry(step.block()).or_default() += 1;
            }
            _ => self.cost.instructions += u64::from(is_counted(self.module, step.inst())),
        }
    }
}

/// Returns whether an instruction counts: it is not a terminator, a variable, or an address of a fixed member, which is part of the access.
pub(super) fn is_counted(module: &Module, inst: Inst) -> bool {
    match module.op(inst) {
        Op::Variable => false,
        Op::AccessChain | Op::InBoundsAccessChain => {
            let chain = view::Chain::of(module, inst);
            !chain.is_some_and(|chain| chain.indexes.iter().all(|index| module.op(index).is_constant()))
        }
        op => !op.is_terminator(),
    }
}

/// The initial contents of module-level variables, except built-ins.
pub(super) fn contents(module: &Module) -> Vec<Contents> {
    let variables = module.globals().filter(|&inst| module.op(inst) == Op::Variable);
    let variables = variables.filter(|&inst| !module.is_variable_of(inst, StorageClass::Input));
    let mut next = 2;
    variables
        .filter_map(|variable| {
            let value = filled(module, module.pointee(variable)?, &mut next)?;
            Some(Contents { variable, lane: None, value })
        })
        .collect()
}

/// A value of a type made of 32-bit numbers: 3, 4, 5 and so on.
fn filled(module: &Module, ty: Inst, next: &mut u32) -> Option<Value> {
    let parts: Vec<Inst> = match module.type_view(ty)? {
        TypeView::Int { .. } => {
            *next += 1;
            return Some(Value::u32(*next));
        }
        TypeView::Float { .. } => {
            *next += 1;
            return Some(Value::f32(*next as f32));
        }
        TypeView::Struct { members } => members.to_vec(),
        TypeView::Array { element, length } => vec![element; module.constant_word(length)? as usize],
        TypeView::Vector { component, count } => vec![component; count as usize],
        _ => return None,
    };
    parts.into_iter().map(|part| filled(module, part, next)).collect::<Option<Vec<_>>>().map(Value::composite)
}
