//! The values of source variables in a run, from the stores of the program and from debug information.
//!
//! An observer follows one lane. Instructions of debug information do nothing, so those right before an instruction are read when that
//! one has been executed.

use std::collections::{BTreeMap, HashMap};

use reconverge_interpret::{Interpreter, Launch, Observer, Step, Value};
use reconverge_ir::debug_info::{DebugSet, number, operand, operand_of};
use reconverge_ir::view::{self, ExtInst};
use reconverge_ir::{Function, Inst, Module, Op};

use crate::random::mix;

/// A variable of the source, and the indexes that lead to a part of it.
pub type Part = (Inst, Vec<u32>);
/// The values of the parts of variables; `None` if debug information says that the value is unknown.
pub type Snapshot = BTreeMap<Part, Option<Value>>;

/// The maximal number of calls, and of instructions.
const CALLS: usize = 60;
const FUEL: u64 = 20_000;

/// Runs a function, whose requests are answered by `seed`. What is known of variables at each call.
///
/// # Errors
/// The reason why the function does not run.
pub fn watch(module: &Module, function: Function, seed: u64) -> Result<Vec<Snapshot>, String> {
    let mut watcher =
        Watcher { module, memory: declared(module, function), known: Snapshot::new(), at_calls: Vec::new() };
    let mut count = 0;
    let mut answer = |_lane: usize, callee: Function, _arguments: &[Value]| {
        count += 1;
        let is_void = module.ty(callee).is_none_or(|ty| module.op(ty) == Op::TypeVoid);
        match count {
            CALLS.. => Err("enough calls".to_owned()),
            _ if is_void => Ok(None),
            _ => Ok(Some(Value::u32((mix(seed ^ count as u64) % 3) as u32))),
        }
    };
    let launch = Launch::default().with_fuel(FUEL);
    Interpreter::new(module)
        .run_observed(function, &launch, &mut answer, &mut watcher)
        .map_err(|error| error.to_string())?;
    Ok(watcher.at_calls)
}

/// The parts of variables that memory holds according to declarations, by the pointer.
fn declared(module: &Module, function: Function) -> HashMap<Inst, Vec<Part>> {
    let mut memory: HashMap<Inst, Vec<Part>> = HashMap::new();
    let inside = module.blocks(function).flat_map(|block| module.children(block));
    for inst in inside {
        let Some((_, kind)) = DebugSet::of_inst(module, inst) else { continue };
        let address = operand_of(module, inst, operand::DECLARE_VARIABLE);
        let is_variable = address.is_some_and(|address| module.op(address) == Op::Variable);
        if let (number::DECLARE | number::VALUE, Some(address), Some(part)) =
            (kind, address.filter(|_| is_variable), part(module, inst))
        {
            memory.entry(address).or_default().push(part);
        }
    }
    memory
}

/// Returns the part of a variable that an instruction of debug information describes.
fn part(module: &Module, inst: Inst) -> Option<Part> {
    let ExtInst { operands, .. } = ExtInst::of(module, inst)?;
    let indexes = operands.iter().skip(operand::VALUE_EXPRESSION + 1);
    Some((
        operands.at(operand::LOCAL_VARIABLE)?,
        indexes.map(|index| module.literal_word(index)).collect::<Option<_>>()?,
    ))
}

struct Watcher<'m> {
    module: &'m Module,
    memory: HashMap<Inst, Vec<Part>>,
    known: Snapshot,
    at_calls: Vec<Snapshot>,
}

impl Watcher<'_> {
    /// Reads what debug information says right before an instruction.
    fn read_before(&mut self, step: &Step<'_, '_>) {
        let before = std::iter::successors(self.module.previous(step.inst()), |&inst| self.module.previous(inst));
        let told: Vec<Inst> = before.take_while(|&inst| DebugSet::of_inst(self.module, inst).is_some()).collect();
        for inst in told.into_iter().rev() {
            let is_value = matches!(DebugSet::of_inst(self.module, inst), Some((_, number::VALUE)));
            let value = operand_of(self.module, inst, operand::DECLARE_VARIABLE);
            let (Some(value), Some(part)) = (value.filter(|_| is_value), part(self.module, inst)) else { continue };
            if self.module.op(value) == Op::Variable {
                continue;
            }
            let is_known = self.module.op(value) != Op::Undef;
            let held = step.value(0, value).filter(|_| is_known).cloned();
            self.hold(&part, held);
        }
    }

    /// Notes what a part holds from now on; what was known of parts of it, or of a whole that contains it, holds no more.
    fn hold(&mut self, part: &Part, value: Option<Value>) {
        let contains = |outer: &Part, inner: &Part| outer.0 == inner.0 && inner.1.starts_with(&outer.1);
        self.known.retain(|other, _| !contains(part, other) && !contains(other, part));
        self.known.insert(part.clone(), value);
    }

    fn store(&mut self, step: &Step<'_, '_>, store: &view::Store) {
        let mut indexes = Vec::new();
        let base = match view::Chain::of(self.module, store.pointer) {
            Some(chain) => {
                indexes.extend(chain.indexes.iter().filter_map(|index| self.module.literal_word(index)));
                chain.base
            }
            None => store.pointer,
        };
        for (variable, mut path) in self.memory.get(&base).cloned().unwrap_or_default() {
            path.extend(&indexes);
            self.hold(&(variable, path), step.value(0, store.object).cloned());
        }
    }
}

impl Observer for Watcher<'_> {
    fn executed(&mut self, step: &Step<'_, '_>) {
        self.read_before(step);
        if let Some(store) = view::Store::of(self.module, step.inst()) {
            self.store(step, &store);
        } else if self.module.op(step.inst()) == Op::FunctionCall {
            self.at_calls.push(self.known.clone());
        }
    }
}
