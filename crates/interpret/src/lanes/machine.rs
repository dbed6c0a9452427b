//! The machine: the state that the lanes of a run share, and the execution of an instruction in one lane.
//!
//! `scheduling/schedule.rs` chooses the next lane, and `scheduling/tangle.rs` forms tangles. A run of one lane needs neither.

use reconverge_ir::{Function, Op, view};

use crate::code::instruction::{Action, Instruction, NO_REGISTER};
use crate::code::library::{self, LibraryFunction};
use crate::compute::{self, Operation};
use crate::fault::Fault;
use crate::images::open_cl::KernelImages;
use crate::images::texels::ImageStore;
use crate::lanes::frame::Lane;
use crate::lanes::{access, atomic, demotion, extended, scalar, trace};
use crate::memory::Memory;
use crate::races::happens_before;
use crate::types::TypeKind;
use crate::{InstructionPlace, Interpreter, Pointer, UndefinedBehaviour, Value};

/// Executes the call of a function without a body: gets the lane, the function and the arguments, returns the result.
///
/// An error ends the lane with [`End::Refused`](crate::End::Refused).
pub type External<'a> = dyn FnMut(usize, Function, &[Value]) -> Result<Option<Value>, String> + 'a;

/// An [`External`] for programs without external calls: it rejects them.
pub fn no_externals(_lane: usize, function: Function, _arguments: &[Value]) -> Result<Option<Value>, String> {
    Err(format!("function {function:?} has no body"))
}

/// The state that the lanes of a run share.
pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Interpreter<'a>,
    pub(crate) memory: Memory,
    /// The images of the run, if the launch has any.
    pub(crate) images: Option<Box<ImageStore>>,
    /// The images and samplers among the arguments of a kernel.
    pub(crate) kernel_images: Box<KernelImages>,
    pub(crate) lanes: usize,
    pub(crate) buffers: Vec<Pointer>,
    pub(crate) mode: Mode,
}

/// The mode of a run, which determines the synchronization of lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// A function runs in one lane, which is its own group.
    Alone,
    /// A function runs in several lanes: they synchronize, and the others continue if one fails.
    Function,
    /// A work-group runs a kernel: its lanes synchronize. Functions without a body are those of the OpenCL library.
    Kernel,
}

/// A function without a body.
#[derive(Clone, Copy)]
struct Callee {
    function: Function,
    /// The OpenCL library function, if it is one.
    library: Option<LibraryFunction>,
}

/// The position of a lane after an instruction. Without values, since it is returned for every instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// At the next instruction.
    On,
    /// At the start of a block.
    Jumped,
    /// At the start of a callee.
    Called,
    /// After the call from which it has returned.
    Back,
    /// Ended; the lane contains the return value.
    Ended,
    /// Still at this instruction, which it executes together with other lanes.
    Meeting,
}

impl<'a> Machine<'a> {
    /// The current instruction of a lane.
    #[cold]
    pub(crate) fn place(&self, lane: &Lane<'_>) -> InstructionPlace {
        let (code, index) = (lane.frame.code, lane.frame.current);
        InstructionPlace { function: code.function, block: code.block_of(index), inst: code.instructions[index].inst }
    }

    /// Returns whether a lane at a terminator can execute it.
    pub(crate) fn leaves(&self, lane: &Lane<'_>) -> bool {
        let instruction = &lane.frame.code.instructions[lane.frame.current];
        let decides = |check: fn(&Value) -> bool| lane.first(instruction.operands).is_ok_and(check);
        lane.fuel > 0
            && match &instruction.action {
                Action::BranchIf { .. } => decides(|value| is_true(value).is_ok()),
                Action::Switch(_) => decides(|value| selector(value).is_ok()),
                Action::Unreachable => false,
                _ => true,
            }
    }

    /// Executes at most this number of instructions, until one does not continue at the next one. Returns the result of the last one, and
    /// the number of instructions before it if it failed.
    pub(crate) fn steps(
        &mut self,
        lane: &mut Lane<'a>,
        external: &mut External<'_>,
        count: u64,
    ) -> (Result<Flow, Fault>, u64) {
        for executed in 0..count {
            match self.step(lane, external) {
                Ok(Flow::On) => {}
                other => return (other, executed),
            }
        }
        (Ok(Flow::On), count)
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
                return Ok(Flow::Jumped);
            }
            Action::BranchIf { when_true, when_false } => {
                let condition = lane.first(instruction.operands)?;
                let target = if is_true(condition)? { *when_true } else { *when_false };
                lane.jump(target);
                return Ok(Flow::Jumped);
            }
            Action::CallExternal(_, Some(LibraryFunction::SubgroupBarrier)) if self.mode == Mode::Kernel => {
                return Ok(meeting(lane));
            }
            Action::Call(number) => {
                lane.call(self.program.code(*number), instruction.operands, instruction.result, &mut self.memory)?;
                return Ok(Flow::Called);
            }
            Action::CallExternal(function, library) => {
                self.call(lane, instruction, Callee { function: *function, library: *library }, external)?;
                return Ok(Flow::On);
            }
            Action::Switch(switch) => {
                let selector = selector(lane.first(instruction.operands)?)?;
                let row = switch.rows.binary_search_by_key(&selector, |&(value, _)| value);
                lane.jump(row.map_or(switch.default, |row| switch.rows[row].1));
                return Ok(Flow::Jumped);
            }
            Action::Return | Action::ReturnValue => {
                let has_value = matches!(instruction.action, Action::ReturnValue);
                let value = has_value.then(|| lane.first(instruction.operands).cloned()).transpose()?;
                if self.memory.origins.is_some() && value.as_ref().is_some_and(Value::has_undefined) {
                    let origin = trace::of_failure(&self.memory, lane);
                    self.memory.origins.iter_mut().for_each(|origins| origins.returns(lane.index, origin));
                }
                let goes_on = lane.end_call(value, &mut self.memory);
                return Ok(if goes_on { Flow::Back } else { Flow::Ended });
            }
            Action::Group(_) | Action::Barrier(_) if self.mode != Mode::Alone => return Ok(meeting(lane)),
            _ => {
                let value = self.effect(lane, instruction)?;
                if self.memory.has_notes() {
                    self.memory.complete(lane, instruction);
                }
                value
            }
        };
        if let Some(value) = value {
            lane.write(instruction.result, value);
        }
        lane.frame.current += 1;
        Ok(Flow::On)
    }

    /// Executes an instruction other than arithmetic and control flow.
    fn effect(&mut self, lane: &mut Lane<'a>, instruction: &'a Instruction) -> Result<Option<Value>, Fault> {
        if let Some(watch) = &self.memory.watch {
            watch.at(lane.index, instruction.inst);
        }
        match &instruction.action {
            Action::Undefined => Ok(Some(Value::Undefined)),
            Action::Fixed(value) => Ok(Some(value.clone())),
            Action::Nothing => Ok(None),
            Action::Atomic(op) => atomic::execute(&mut self.memory, lane, instruction, *op),
            Action::Extended(op) => extended::execute(&mut self.memory, lane, instruction, *op),
            Action::Group(op) => {
                let result = self.group_alone(lane, instruction, *op)?;
                Ok((instruction.result != NO_REGISTER).then_some(result))
            }
            Action::Barrier(Op::ControlBarrier | Op::MemoryNamedBarrier) => Ok(None),
            Action::Fence => {
                if let Some(watch) = &self.memory.watch {
                    let semantics = lane.operand(instruction.operands, view::MemoryBarrier::SLOT.semantics)?;
                    watch.fence(happens_before::semantics(Some(semantics)));
                }
                Ok(None)
            }
            Action::Barrier(op) => Err(Fault::op(*op)),
            Action::Assume => match lane.first(instruction.operands)? {
                Value::Bool(true) => Ok(None),
                _ => Err(UndefinedBehaviour::FalseAssumption.into()),
            },
            Action::Demote => {
                demotion::demote(&mut self.memory, lane);
                Ok(None)
            }
            Action::Terminate(op) => Err(Fault::Terminated(*op)),
            Action::Unreachable => Err(UndefinedBehaviour::Unreachable.into()),
            Action::Fail(fault) => Err(fault.clone()),
            Action::Image(op) => self.image(lane, instruction, *op),
            _ => access::execute(&mut self.memory, lane, instruction),
        }
    }

    /// Calls a function without a body.
    fn call(
        &mut self,
        lane: &mut Lane<'a>,
        instruction: &'a Instruction,
        callee: Callee,
        external: &mut External<'_>,
    ) -> Result<(), Fault> {
        let Callee { function, library } = callee;
        match library {
            Some(function) if self.mode == Mode::Kernel => {
                if let Some(watch) = &self.memory.watch {
                    watch.at(lane.index, instruction.inst);
                }
                if let LibraryFunction::Image(function) = function {
                    let value = self.image_function(lane, instruction, function)?;
                    lane.write(instruction.result, value);
                } else if let Some(value) = super::library::call(&mut self.memory, lane, instruction, function)? {
                    lane.write(instruction.result, value);
                }
                lane.frame.current += 1;
                return Ok(());
            }
            None if self.mode == Mode::Kernel => {
                let name = library::import_name(self.program.module, function).unwrap_or_default();
                return Err(Fault::unsupported(format!("a call of the function {name}, which has no body")));
            }
            _ => {}
        }
        let arguments: Result<Vec<Value>, Fault> =
            lane.operands(instruction.operands).iter().map(|&operand| lane.read(operand).cloned()).collect();
        let answer =
            external(lane.index, function, &arguments?).map_err(|message| Fault::Refused(Box::new(message.into())))?;
        let types = &self.program.types;
        match (answer, types.kind(instruction.ty)) {
            (None, Some(TypeKind::Void)) => {}
            (Some(value), Some(kind)) if !matches!(kind, TypeKind::Void) && types.fits(instruction.ty, &value) => {
                lane.write(instruction.result, value);
            }
            _ => {
                return Err(Fault::Refused(Box::new(
                    "the returned value does not have the function's return type".into(),
                )));
            }
        }
        lane.frame.current += 1;
        Ok(())
    }
}

/// A lane waits for others: it has not executed the instruction yet.
fn meeting(lane: &mut Lane<'_>) -> Flow {
    lane.fuel += 1;
    Flow::Meeting
}

/// The result of a pure instruction.
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
        _ => Err(Fault::malformed("a condition that is not a boolean")),
    }
}

fn selector(value: &Value) -> Result<u64, Fault> {
    match value {
        Value::Int { bits, .. } => Ok(*bits),
        Value::Undefined => Err(UndefinedBehaviour::UndefinedCondition.into()),
        _ => Err(Fault::malformed("a selector that is not an integer")),
    }
}
