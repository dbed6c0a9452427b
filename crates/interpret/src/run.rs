//! A run: the lanes of a launch, one instruction after the other.
//!
//! Lanes have nothing to do with each other until an operation asks for those that run it together; so they run one after the
//! other, which is one of the orders that the program allows. An operation that does ask is unsupported with several lanes.

use reconverge_ir::{Function, Op};

use crate::code::{Action, Instruction};
use crate::compute::{self, Operation};
use crate::frame::{Lane, Limits};
use crate::library::LibraryFunction;
use crate::memory::Memory;
use crate::outcome::{Fault, Place};
use crate::types::Kind;
use crate::{
    End, Interpreter, LaneOutcome, Launch, LaunchError, Outcome, Pointer, UndefinedBehaviour, Value, access, atomic,
    extended, group, library, scalar,
};

/// Answers the call of a function without a body: gets the lane, the function and the arguments, gives the result.
///
/// An error ends the lane with [`End::Refused`].
pub type External<'a> = dyn FnMut(usize, Function, &[Value]) -> Result<Option<Value>, String> + 'a;

/// An [`External`] for programs that call nothing outside: it refuses.
pub fn no_externals(_lane: usize, function: Function, _arguments: &[Value]) -> Result<Option<Value>, String> {
    Err(format!("function {function:?} has no body"))
}

/// Runs a function of a module. To run several times, make one [`Interpreter`].
pub fn run(
    module: &reconverge_ir::Module,
    function: Function,
    launch: &Launch,
    external: &mut External<'_>,
) -> Result<Outcome, LaunchError> {
    Interpreter::new(module).run(function, launch, external)
}

impl Interpreter<'_> {
    /// Runs a function until every lane has ended.
    ///
    /// Time and memory are bounded by the fuel, the depth and the size of the launch; the stack is not used up by deep calls.
    pub fn run(
        &self,
        function: Function,
        launch: &Launch,
        external: &mut External<'_>,
    ) -> Result<Outcome, LaunchError> {
        let mut machine = Machine::new(self, function, launch)?;
        let number = self.function_number(function).ok_or(LaunchError::NoBody(function))?;
        let mut lanes = Vec::with_capacity(launch.lanes);
        for index in 0..launch.lanes {
            let limits = Limits { fuel: launch.fuel, depth: launch.depth, trace: launch.trace };
            let mut lane = Lane::new(self, index, self.code(number), limits);
            let arguments = launch.arguments.iter().map(|argument| machine.argument(argument, index));
            lane.start(arguments, &machine.memory);
            let end = machine.run(&mut lane, external);
            lanes.push(LaneOutcome { end, trace: lane.trace, executed: launch.fuel - lane.fuel });
        }
        Ok(Outcome { lanes, buffers: machine.final_buffers(), variables: machine.final_variables(launch) })
    }
}

/// What the lanes of a run share.
pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Interpreter<'a>,
    pub(crate) memory: Memory,
    pub(crate) lanes: usize,
    pub(crate) buffers: Vec<Pointer>,
    pub(crate) mode: Mode,
}

/// What is done where lanes ask for each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// A function is run for itself: a lane alone is a group, several lanes have no group.
    Function,
    /// A work-group runs a kernel: they meet. Functions without a body are those of the OpenCL library.
    Kernel,
}

/// Where a lane stands after an instruction.
pub(crate) enum Flow {
    /// At the next instruction.
    On,
    /// Behind its last: with the value that it returns.
    Ended(Option<Value>),
    /// Still at this instruction, which it executes together with others.
    Meeting,
}

impl<'a> Machine<'a> {
    fn run(&mut self, lane: &mut Lane<'a>, external: &mut External<'_>) -> End {
        loop {
            match self.step(lane, external) {
                Ok(Flow::On) => {}
                Ok(Flow::Ended(value)) => return End::Returned(value),
                Ok(Flow::Meeting) => unreachable!("lanes meet in kernels alone"),
                Err(fault) => return fault.at(self.place(lane)),
            }
        }
    }

    /// The instruction that a lane stands at.
    #[cold]
    pub(crate) fn place(&self, lane: &Lane<'_>) -> Place {
        let code = lane.frame.code;
        let index = lane.frame.current;
        let block = code.blocks.partition_point(|block| block.first as usize <= index) - 1;
        Place { function: code.function, block: code.blocks[block].block, inst: code.instructions[index].inst }
    }

    /// Executes an instruction.
    pub(crate) fn step(&mut self, lane: &mut Lane<'a>, external: &mut External<'_>) -> Result<Flow, Fault> {
        let instruction: &'a Instruction = &lane.frame.code.instructions[lane.frame.current];
        if lane.fuel == 0 {
            return Err(Fault::OutOfFuel);
        }
        lane.fuel -= 1;
        let is_done = match &instruction.action {
            Action::Compute(op) => scalar::compute(lane, instruction, *op),
            Action::Chain(chain) => scalar::follow(lane, instruction, chain),
            Action::Load(alignment) => scalar::load(&self.memory, lane, instruction, *alignment)?,
            _ => false,
        };
        if is_done {
            lane.frame.current += 1;
            return Ok(Flow::On);
        }
        let value = match &instruction.action {
            Action::Compute(op) => compute(lane, instruction, *op)?,
            Action::Branch(target) => {
                lane.branch(*target, instruction.operands)?;
                return Ok(Flow::On);
            }
            Action::BranchIf { when_true, when_false } => {
                let condition = lane.operand(instruction.operands, 0)?;
                let target = if is_true(condition)? { *when_true } else { *when_false };
                lane.jump(target);
                return Ok(Flow::On);
            }
            Action::CallExternal(_, Some(LibraryFunction::SubgroupBarrier)) if self.mode == Mode::Kernel => {
                return Ok(meeting(lane));
            }
            Action::Call(_) | Action::CallExternal(..) => {
                self.call(lane, instruction, external)?;
                return Ok(Flow::On);
            }
            Action::Switch(switch) => {
                let selector = selector(lane.operand(instruction.operands, 0)?)?;
                let row = switch.rows.binary_search_by_key(&selector, |&(value, _)| value);
                lane.jump(row.map_or(switch.default, |row| switch.rows[row].1));
                return Ok(Flow::On);
            }
            Action::Return => return Ok(lane.end_call(None, &mut self.memory).map_or(Flow::On, Flow::Ended)),
            Action::ReturnValue => {
                let value = lane.operand(instruction.operands, 0)?.clone();
                return Ok(lane.end_call(Some(value), &mut self.memory).map_or(Flow::On, Flow::Ended));
            }
            Action::Group(_) | Action::Barrier(_) if self.mode == Mode::Kernel => {
                return Ok(meeting(lane));
            }
            _ => self.effect(lane, instruction)?,
        };
        if let Some(value) = value {
            lane.write(instruction.result, value);
        }
        lane.frame.current += 1;
        Ok(Flow::On)
    }

    /// What is neither arithmetic nor control.
    fn effect(&mut self, lane: &mut Lane<'a>, instruction: &'a Instruction) -> Result<Option<Value>, Fault> {
        if let Some(watch) = &self.memory.watch {
            watch.at(lane.index, instruction.inst);
        }
        match &instruction.action {
            Action::Undefined => Ok(Some(Value::Undefined)),
            Action::Fixed(value) => Ok(Some(value.clone())),
            Action::Nothing => Ok(None),
            Action::Atomic(op) => atomic::execute(&mut self.memory, lane, instruction, *op),
            Action::Extended(set, number) => extended::execute(&mut self.memory, lane, instruction, (*set, *number)),
            Action::Group(op) | Action::Barrier(op) if self.lanes > 1 => {
                Err(Fault::unsupported(format!("convergent op {} with {} lanes", op.name(), self.lanes)))
            }
            Action::Group(op) => group::evaluate_alone(lane, instruction, *op).map(Some),
            Action::Barrier(Op::ControlBarrier | Op::MemoryNamedBarrier) => Ok(None),
            Action::Fence => {
                if let Some(watch) = &self.memory.watch {
                    watch.fence(lane.operand(instruction.operands, 1)?.as_u32().unwrap_or(0));
                }
                Ok(None)
            }
            Action::Barrier(op) => Err(Fault::op(*op)),
            Action::Assume => match lane.operand(instruction.operands, 0)? {
                Value::Bool(true) => Ok(None),
                _ => Err(UndefinedBehaviour::FalseAssumption.into()),
            },
            Action::Terminate(op) => Err(Fault::Terminated(*op)),
            Action::Unreachable => Err(UndefinedBehaviour::Unreachable.into()),
            Action::Fail(fault) => Err(fault.clone()),
            _ => access::execute(&mut self.memory, lane, instruction),
        }
    }

    fn call(
        &mut self,
        lane: &mut Lane<'a>,
        instruction: &'a Instruction,
        external: &mut External<'_>,
    ) -> Result<(), Fault> {
        let function = match &instruction.action {
            Action::Call(number) => {
                return lane.call(self.program.code(*number), instruction.operands, instruction.result, &self.memory);
            }
            Action::CallExternal(_, Some(function)) if self.mode == Mode::Kernel => {
                if let Some(watch) = &self.memory.watch {
                    watch.at(lane.index, instruction.inst);
                }
                if let Some(value) = library::call(&mut self.memory, lane, instruction, *function)? {
                    lane.write(instruction.result, value);
                }
                lane.frame.current += 1;
                return Ok(());
            }
            Action::CallExternal(function, None) if self.mode == Mode::Kernel => {
                let name = library::import_name(self.program.module, *function).unwrap_or_default();
                return Err(Fault::unsupported(format!("a call of the function {name}, which has no body")));
            }
            Action::CallExternal(function, _) => *function,
            _ => unreachable!("the caller gives calls"),
        };
        let arguments: Result<Vec<Value>, Fault> =
            lane.operands(instruction.operands).iter().map(|&operand| lane.read(operand).cloned()).collect();
        let answer =
            external(lane.index, function, &arguments?).map_err(|message| Fault::Refused(Box::new(message.into())))?;
        let types = &self.program.types;
        match (answer, types.kind(instruction.ty)) {
            (None, Some(Kind::Void)) => {}
            (Some(value), Some(kind)) if !matches!(kind, Kind::Void) && types.fits(instruction.ty, &value) => {
                lane.write(instruction.result, value);
            }
            _ => return Err(Fault::Refused(Box::new("the answer is not of the type of the function".into()))),
        }
        lane.frame.current += 1;
        Ok(())
    }
}

/// A lane stays where others have to come: it has not executed the instruction yet.
fn meeting(lane: &mut Lane<'_>) -> Flow {
    lane.fuel += 1;
    Flow::Meeting
}

/// The result of an instruction that depends on its operands alone.
fn compute(lane: &Lane<'_>, instruction: &Instruction, op: Op) -> Result<Option<Value>, Fault> {
    let code = lane.frame.code;
    let literals = &code.literals[instruction.literals.range()];
    let operation = Operation { op, ty: instruction.ty, literals, types: &lane.program.types };
    let value = match &code.operands[instruction.operands.range()] {
        [a] => compute::evaluate(&operation, &[lane.read(*a)?]),
        [a, b] => compute::evaluate(&operation, &[lane.read(*a)?, lane.read(*b)?]),
        [a, b, c] => compute::evaluate(&operation, &[lane.read(*a)?, lane.read(*b)?, lane.read(*c)?]),
        several => {
            let operands: Result<Vec<&Value>, Fault> = several.iter().map(|&operand| lane.read(operand)).collect();
            compute::evaluate(&operation, &operands?)
        }
    };
    value.map(Some)
}

fn is_true(condition: &Value) -> Result<bool, Fault> {
    match condition {
        Value::Bool(condition) => Ok(*condition),
        Value::Undefined => Err(UndefinedBehaviour::UndefinedCondition.into()),
        _ => Err(Fault::malformed("a condition that is no boolean")),
    }
}

fn selector(value: &Value) -> Result<u64, Fault> {
    match value {
        Value::Int { bits, .. } => Ok(*bits),
        Value::Undefined => Err(UndefinedBehaviour::UndefinedCondition.into()),
        _ => Err(Fault::malformed("a selector that is no integer")),
    }
}
