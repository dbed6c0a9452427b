//! Lanes and frames: the state of one lane, with its call stack.
//!
//! The registers of all open calls are in one array, those of the innermost call last. A call appends the arguments, which become the first
//! registers of the callee; a return truncates the array.

use reconverge_ir::{Block, Function, Inst, Op};

use crate::code::decode::missing;
use crate::code::instruction::{Code, Operand, Source, Span, Target};
use crate::fault::Fault;
use crate::memory::Memory;
use crate::value::Owner;
use crate::{Interpreter, Value};

/// The state of one lane.
pub(crate) struct Lane<'a> {
    pub(crate) program: &'a Interpreter<'a>,
    pub(crate) index: usize,
    /// The innermost call.
    pub(crate) frame: CallFrame<'a>,
    callers: Vec<CallFrame<'a>>,
    registers: Vec<Option<Value>>,
    /// Pointers to the module-level variables.
    pub(crate) globals: Vec<Value>,
    pub(crate) fuel: u64,
    /// The number of back edges taken, in all calls.
    pub(crate) backward_jumps: u64,
    depth: usize,
    /// True if it is a helper lane: its writes to shared memory have no effect.
    pub(crate) is_helper: bool,
    is_traced: bool,
    pub(crate) trace: Vec<(Function, Block)>,
    /// Arguments during a jump.
    passing: Vec<Value>,
    /// The return value of the launched function.
    pub(crate) returned: Option<Value>,
}

/// An open call.
#[derive(Clone, Copy)]
pub(crate) struct CallFrame<'a> {
    pub(crate) code: &'a Code,
    /// The current instruction.
    pub(crate) current: usize,
    /// The first register.
    base: usize,
    /// The number of objects of the lane before the call.
    objects: usize,
    /// The caller's register for the result.
    result: u32,
}

/// The events to record while a lane runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trace {
    /// Nothing.
    Off,
    /// Every block that is entered.
    Blocks,
}

/// The limits of a lane.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) fuel: u64,
    pub(crate) depth: usize,
    pub(crate) trace: Trace,
}

impl CallFrame<'_> {
    /// Returns whether lanes may have to wait at the lane's current position.
    pub(crate) fn lands(&self) -> bool {
        self.code.structure.as_ref().is_some_and(|structure| structure.is_landing(self.current))
    }
}

impl<'a> Lane<'a> {
    /// A lane before it enters a function.
    pub(crate) fn new(program: &'a Interpreter<'a>, index: usize, code: &'a Code, limits: Limits) -> Lane<'a> {
        Lane {
            program,
            index,
            frame: CallFrame { code, current: 0, base: 0, objects: 0, result: crate::code::instruction::NO_REGISTER },
            callers: Vec::new(),
            registers: Vec::new(),
            globals: program.globals.iter().map(|global| Value::Pointer(global.pointer(index))).collect(),
            fuel: limits.fuel,
            backward_jumps: 0,
            depth: limits.depth,
            is_helper: false,
            is_traced: limits.trace == Trace::Blocks,
            trace: Vec::new(),
            passing: Vec::new(),
            returned: None,
        }
    }

    /// Enters the launched function.
    pub(crate) fn start(&mut self, arguments: impl Iterator<Item = Value>, memory: &Memory) {
        self.registers.extend(arguments.map(Some));
        self.registers.resize(self.frame.code.registers as usize, None);
        self.frame.objects = memory.mark(self.index);
        self.enter(0);
    }

    /// The value of an operand.
    pub(crate) fn read(&self, operand: Operand) -> Result<&Value, Fault> {
        match operand.source() {
            Source::Register(number) => self.registers[self.frame.base + number]
                .as_ref()
                .ok_or_else(|| Fault::malformed("a value is used that was not computed before")),
            Source::Constant(number) => self.program.constants[number].as_ref().map_err(Fault::clone),
            Source::Global(number) => Ok(&self.globals[number]),
        }
    }

    /// The value of an instruction in the innermost call, of a constant, or a pointer to a module-level variable, if it is known.
    pub(crate) fn value(&self, of: Inst) -> Option<&Value> {
        let module = self.program.module;
        let parent = module.parent(of)?;
        if parent == module.root() {
            return self.program.operand_at_module_level(of).ok().and_then(|operand| self.peek(operand));
        }
        let function = if module.op(parent) == Op::Function { parent } else { module.parent(parent)? };
        let is_here = function == self.frame.code.function.inst() && module.op(of).has_type();
        self.program.number(of).filter(|_| is_here).and_then(|number| self.peek(Operand::register(number)))
    }

    /// The number of open calls around the innermost one.
    pub(crate) fn depth(&self) -> usize {
        self.callers.len()
    }

    /// The open calls, outermost first.
    pub(crate) fn frames(&self) -> impl Iterator<Item = &CallFrame<'a>> {
        self.callers.iter().chain([&self.frame])
    }

    /// The operands of an instruction.
    pub(crate) fn operands(&self, span: Span) -> &'a [Operand] {
        &self.frame.code.operands[span.range()]
    }

    /// The first operand of an instruction.
    pub(crate) fn first(&self, span: Span) -> Result<&Value, Fault> {
        let operand = self.operands(span).first().ok_or_else(missing)?;
        self.read(*operand)
    }

    /// Operand number `index` of an instruction, in the order of the op table with literals after the values.
    pub(crate) fn operand(&self, span: Span, index: usize) -> Result<&Value, Fault> {
        let operand = self.operands(span).get(index).ok_or_else(missing)?;
        self.read(*operand)
    }

    /// The value of an operand, if it has one.
    #[inline]
    pub(crate) fn peek(&self, operand: Operand) -> Option<&Value> {
        match operand.source() {
            Source::Register(number) => self.registers[self.frame.base + number].as_ref(),
            Source::Constant(number) => self.program.constants[number].as_ref().ok(),
            Source::Global(number) => Some(&self.globals[number]),
        }
    }

    /// The value of an operand in an open call, if it has one.
    pub(crate) fn peek_in(&self, frame: &CallFrame<'a>, operand: Operand) -> Option<&Value> {
        match operand.source() {
            Source::Register(number) => self.registers.get(frame.base + number)?.as_ref(),
            _ => self.peek(operand),
        }
    }

    #[inline(always)]
    pub(crate) fn write(&mut self, register: u32, value: Value) {
        self.registers[self.frame.base + register as usize] = Some(value);
    }

    /// Jumps to a block without parameters.
    pub(crate) fn jump(&mut self, target: Target) {
        self.backward_jumps += u64::from(target.backward_jumps());
        self.enter(target.block());
    }

    /// Goes to the first instruction of a block.
    fn enter(&mut self, block: u32) {
        let code = self.frame.code;
        let target = &code.blocks[block as usize];
        self.frame.current = target.first as usize;
        if self.is_traced {
            self.trace.push((code.function, target.block));
        }
    }

    /// Jumps to a block with arguments. All are read before the first parameter is written, since an argument may be a parameter of the
    /// block.
    pub(crate) fn branch(&mut self, target: Target, arguments: Span) -> Result<(), Fault> {
        let parameters = self.frame.code.blocks[target.block() as usize].parameters;
        match self.operands(arguments) {
            [] => {}
            [argument] => {
                let value = self.read(*argument)?.clone();
                self.write(parameters.start, value);
            }
            several => {
                let mut passing = std::mem::take(&mut self.passing);
                for &argument in several {
                    passing.push(self.read(argument)?.clone());
                }
                for (offset, value) in passing.drain(..).enumerate() {
                    self.write(parameters.start + offset as u32, value);
                }
                self.passing = passing;
            }
        }
        self.jump(target);
        Ok(())
    }

    /// Begins a call.
    pub(crate) fn call(
        &mut self,
        code: &'a Code,
        arguments: Span,
        result: u32,
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        if self.callers.len() + 1 >= self.depth {
            return Err(Fault::TooDeep);
        }
        let base = self.registers.len();
        for &argument in self.operands(arguments) {
            let value = self.read(argument)?.clone();
            self.registers.push(Some(value));
        }
        self.registers.resize(base + code.registers as usize, None);
        let objects = memory.mark(self.index);
        for &(parameter, ty, inst) in &code.by_value {
            let register = &mut self.registers[base + parameter as usize];
            if let Some(Value::Pointer(original)) = *register {
                let size = self.program.types.size(ty);
                let copy = memory.allocate(Owner::Lane(self.index as u16), size)?;
                memory.describe(&self.program.types, ty, copy, inst);
                memory.copy(copy, original, size)?;
                *register = Some(Value::Pointer(copy));
            }
        }
        self.frame.current += 1;
        self.callers.push(self.frame);
        self.frame = CallFrame { code, current: 0, base, objects, result };
        self.enter(0);
        Ok(())
    }

    /// Ends the innermost call. Returns whether the lane continues after it. The launched function stores its value in `returned`.
    pub(super) fn end_call(&mut self, value: Option<Value>, memory: &mut Memory) -> bool {
        memory.release(self.index, self.frame.objects);
        let Some(caller) = self.callers.pop() else {
            self.returned = value;
            return false;
        };
        self.registers.truncate(self.frame.base);
        let result = self.frame.result;
        self.frame = caller;
        if let Some(value) = value {
            self.write(result, value);
        }
        true
    }
}
