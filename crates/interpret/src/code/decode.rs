//! Decodes the instructions of a function to [`Code`]. One pass over the blocks; no recursion.
//!
//! An instruction that cannot be decoded becomes an action that fails with the reason, so that it matters only if it is executed.

use reconverge_ir::decoration::FuncParamAttr;
use reconverge_ir::view::Operands;
use reconverge_ir::{Block, Class, Function, Inst, Module, Op, view};
use spirv::FunctionParameterAttribute;

use crate::code::instruction::{Action, BlockCode, Code, Instruction, NO_REGISTER, Operand, Span, Switch, Target};
use crate::code::{addresses, backward_jumps, extended, image, library, structure};
use crate::extended::Extended;
use crate::fault::Fault;
use crate::types::{NO_TYPE, TypeId, TypeKind};
use crate::value::mask;
use crate::{Interpreter, compute::conversion};

/// Decodes a function.
pub(crate) fn decode(program: &Interpreter<'_>, function: Function) -> Code {
    let module = program.module;
    let parameters = module.parameters(function).count() as u32;
    let code = Code {
        function,
        blocks: Vec::new(),
        instructions: Vec::new(),
        operands: Vec::new(),
        literals: Vec::new(),
        registers: parameters,
        by_value: by_value(program, function),
        structure: None,
    };
    let mut decoder = Decoder { program, code, ty: NO_TYPE };
    for block in module.blocks(function) {
        decoder.block(block);
    }
    backward_jumps::mark(&mut decoder.code);
    decoder.code.structure = structure::compute(program, &decoder.code);
    decoder.code
}

/// The parameters of a function that point to copies of what their arguments point to. Other attributes of parameters promise something,
/// or matter for the registers of a processor only.
fn by_value(program: &Interpreter<'_>, function: Function) -> Vec<(u32, TypeId, Inst)> {
    let module = program.module;
    let pointee = |(number, parameter): (usize, Inst)| {
        let mut notes = module.decorated(parameter).iter();
        let is_by_value = notes.any(|note| note.read() == Some(FuncParamAttr(FunctionParameterAttribute::ByVal)));
        let pointee = module.ty(parameter).and_then(|ty| program.pointee(ty)).filter(|_| is_by_value)?;
        Some((number as u32, pointee, parameter))
    };
    module.parameters(function).map(|parameter| parameter.inst()).enumerate().filter_map(pointee).collect()
}

/// The fault of an instruction that has no view.
pub(crate) fn missing() -> Fault {
    Fault::malformed("an operand is missing")
}

/// The size of the code before an instruction.
#[derive(Clone, Copy)]
struct Mark {
    operands: u32,
    literals: u32,
}

/// A function during decoding.
pub(crate) struct Decoder<'a> {
    pub(crate) program: &'a Interpreter<'a>,
    code: Code,
    /// The type for the current instruction.
    pub(crate) ty: TypeId,
}

impl<'a> Decoder<'a> {
    fn block(&mut self, block: Block) {
        let module = self.program.module;
        let start = self.code.registers;
        let parameters = Span { start, end: start + module.parameters(block).count() as u32 };
        self.code.registers = parameters.end;
        let first = self.code.instructions.len() as u32;
        self.code.blocks.push(BlockCode { block, first, parameters });
        for inst in module.children(block).skip(parameters.len()) {
            self.instruction(inst);
        }
        if module.terminator(block).is_none() {
            let fault = Fault::malformed("a block without a terminator");
            self.push(block.inst(), Action::Fail(fault), self.mark(), NO_REGISTER);
        }
    }

    fn instruction(&mut self, inst: Inst) {
        let mut result = NO_REGISTER;
        self.ty = NO_TYPE;
        if self.module().op(inst).has_type() {
            result = self.code.registers;
            self.code.registers += 1;
            self.ty = self.program.type_of(inst).unwrap_or(NO_TYPE);
        }
        let mark = self.mark();
        let action = self.action(inst).unwrap_or_else(Action::Fail);
        self.push(inst, action, mark, result);
    }

    fn mark(&self) -> Mark {
        Mark { operands: self.code.operands.len() as u32, literals: self.code.literals.len() as u32 }
    }

    fn push(&mut self, inst: Inst, action: Action, mark: Mark, result: u32) {
        let end = self.mark();
        let operands = Span { start: mark.operands, end: end.operands };
        let literals = Span { start: mark.literals, end: end.literals };
        self.code.instructions.push(Instruction { inst, result, ty: self.ty, operands, literals, action });
    }

    fn action(&mut self, inst: Inst) -> Result<Action, Fault> {
        let op = self.module().op(inst);
        match op.class() {
            Class::Arithmetic | Class::Logical | Class::Bit | Class::Composite => self.compute(inst, op),
            Class::Memory => addresses::action(self, inst, op),
            Class::Conversion => match addresses::pointer_conversion(self, inst, op)? {
                Some(action) => Ok(action),
                None => self.compute(inst, op),
            },
            Class::Atomic => {
                let atomic = view::Atomic::of(self.module(), inst).ok_or_else(missing)?;
                self.ty = addresses::pointee_of(self, atomic.pointer)?;
                self.all_values(inst)?;
                Ok(Action::Atomic(op))
            }
            Class::Derivative => {
                self.all_values(inst)?;
                Ok(Action::Group(op))
            }
            Class::Image => image::action(self, inst, op),
            Class::Group => {
                self.all_values(inst)?;
                if op == Op::GroupAsyncCopy {
                    let copy = view::GroupAsyncCopy::of(self.module(), inst).ok_or_else(missing)?;
                    self.code.literals.push(addresses::copied_type(self, copy.destination)?);
                }
                Ok(Action::Group(op))
            }
            Class::Barrier => {
                self.all_values(inst)?;
                Ok(if op == Op::MemoryBarrier { Action::Fence } else { Action::Barrier(op) })
            }
            Class::Terminator => self.terminator(inst, op),
            Class::Miscellaneous => self.miscellaneous(inst, op),
            _ => Err(Fault::op(op)),
        }
    }

    fn compute(&mut self, inst: Inst, op: Op) -> Result<Action, Fault> {
        if op == Op::VectorShuffle {
            let shuffle = view::VectorShuffle::of(self.module(), inst).ok_or_else(missing)?;
            let length = self.program.vector_length(shuffle.vector_1);
            self.code.literals.push(length.ok_or_else(|| Fault::operands(op))?);
        }
        self.all_values(inst)?;
        if op.class() == Class::Conversion {
            self.code.literals.extend(conversion::decorations(self.module(), inst));
        }
        Ok(Action::Compute(op))
    }

    fn miscellaneous(&mut self, inst: Inst, op: Op) -> Result<Action, Fault> {
        match op {
            Op::Undef => Ok(Action::Undefined),
            Op::Nop => Ok(Action::Nothing),
            Op::ExpectKHR => self.compute(inst, op),
            Op::FunctionCall => self.call(inst),
            Op::ExtInst => self.extended(inst),
            Op::DemoteToHelperInvocation => Ok(Action::Demote),
            Op::IsHelperInvocationEXT => Ok(Action::IsHelper),
            Op::AssumeTrueKHR => {
                self.all_values(inst)?;
                Ok(Action::Assume)
            }
            Op::SizeOf => addresses::size_of(self, inst),
            _ => Err(Fault::op(op)),
        }
    }

    fn call(&mut self, inst: Inst) -> Result<Action, Fault> {
        let module = self.module();
        let view::FunctionCall { function, arguments } = view::FunctionCall::of(module, inst).ok_or_else(missing)?;
        let callee: Function =
            module.cast(function).ok_or_else(|| Fault::malformed("a call of what is no function"))?;
        if module.parameters(callee).count() != arguments.len() {
            return Err(Fault::malformed("a call with another number of arguments than the function has parameters"));
        }
        self.values(arguments)?;
        match (module.entry(callee), self.program.function_number(callee)) {
            (Some(_), Some(number)) => Ok(Action::Call(number)),
            _ => Ok(Action::CallExternal(callee, library::imported(module, callee))),
        }
    }

    fn extended(&mut self, inst: Inst) -> Result<Action, Fault> {
        let module = self.module();
        let view::ExtInst { set, instruction: number, operands } =
            view::ExtInst::of(module, inst).ok_or_else(|| Fault::operands(Op::ExtInst))?;
        let name = view::ExtInstImport::of(module, set).map(|import| import.name.to_string()).unwrap_or_default();
        let Some(op) = Extended::of(&name, number)? else { return Ok(Action::Undefined) };
        if let Some(words) = extended::memory_literals(self, operands, op)? {
            self.code.literals.extend(words);
        }
        self.values(operands)?;
        Ok(Action::Extended(op))
    }

    fn terminator(&mut self, inst: Inst, op: Op) -> Result<Action, Fault> {
        match op {
            Op::Branch | Op::Loop => {
                let view::Jump { target, arguments } = view::Jump::of(self.module(), inst).ok_or_else(missing)?;
                self.values(arguments)?;
                Ok(Action::Branch(self.target(target, arguments.len())?))
            }
            Op::BranchIf | Op::If => {
                let branch = view::Conditional::of(self.module(), inst).ok_or_else(missing)?;
                self.value(branch.condition)?;
                let when_true = self.target(branch.true_target, 0)?;
                Ok(Action::BranchIf { when_true, when_false: self.target(branch.false_target, 0)? })
            }
            Op::Switch | Op::StructuredSwitch => self.switch(inst),
            Op::Return => Ok(Action::Return),
            Op::ReturnValue => {
                self.all_values(inst)?;
                Ok(Action::ReturnValue)
            }
            Op::Unreachable => Ok(Action::Unreachable),
            _ => Ok(Action::Terminate(op)),
        }
    }

    fn switch(&mut self, inst: Inst) -> Result<Action, Fault> {
        let module = self.module();
        let view::Selection { selector, default, cases } = view::Selection::of(module, inst).ok_or_else(missing)?;
        self.value(selector)?;
        let Some(&TypeKind::Int(width)) = self.program.type_of(selector).and_then(|ty| self.program.types.kind(ty))
        else {
            return Err(Fault::malformed("a switch whose selector is not an integer"));
        };
        let default = self.target(default, 0)?;
        let mut rows = Vec::new();
        for case in cases.iter() {
            let words = module.literal_words(case.literal).iter().take(2).rev();
            let value = words.fold(0u64, |value, &word| value << 32 | u64::from(word)) & mask(width);
            rows.push((value, self.target(case.target, 0)?));
        }
        rows.sort_by_key(|&(value, _)| value);
        rows.dedup_by_key(|&mut (value, _)| value);
        Ok(Action::Switch(Box::new(Switch { default, rows })))
    }

    fn target(&self, target: Inst, arguments: usize) -> Result<Target, Fault> {
        let module = self.module();
        let block: Option<Block> =
            module.cast(target).filter(|_| module.parent(target) == Some(self.code.function.inst()));
        let block =
            block.ok_or_else(|| Fault::malformed("a branch to something that is not a block of the function"))?;
        if module.parameters(block).count() != arguments {
            return Err(Fault::malformed("a branch whose number of arguments differs from the number of parameters"));
        }
        let number = self.program.number(target);
        number
            .map(Target::forward)
            .ok_or_else(|| Fault::malformed("a branch to something that is not a block of the function"))
    }

    pub(crate) fn module(&self) -> &'a Module {
        self.program.module
    }

    /// Adds all operands of an instruction: values as operands, literals as words.
    pub(crate) fn all_values(&mut self, inst: Inst) -> Result<(), Fault> {
        let operands = self.module().operands(inst);
        self.note(operands)
    }

    /// The same for a range of operands.
    pub(crate) fn values(&mut self, operands: Operands<'_>) -> Result<(), Fault> {
        self.note(operands.iter())
    }

    fn note(&mut self, operands: impl Iterator<Item = Inst>) -> Result<(), Fault> {
        let module = self.module();
        for operand in operands {
            match module.op(operand).is_literal() {
                true => self.code.literals.extend_from_slice(module.literal_words(operand)),
                false => self.value(operand)?,
            }
        }
        Ok(())
    }

    /// Adds words before the literals of the instruction.
    pub(crate) fn literals(&mut self, words: &[u32]) {
        self.code.literals.extend_from_slice(words);
    }

    /// Adds a value operand.
    pub(crate) fn value(&mut self, value: Inst) -> Result<(), Fault> {
        let operand = self.source(value)?;
        self.code.operands.push(operand);
        Ok(())
    }

    fn source(&self, value: Inst) -> Result<Operand, Fault> {
        let module = self.module();
        let Some(parent) = module.parent(value).filter(|&parent| parent != module.root()) else {
            return self.program.operand_at_module_level(value);
        };
        let function = if module.op(parent) == Op::Function { Some(parent) } else { module.parent(parent) };
        match self.program.number(value) {
            Some(number) if function == Some(self.code.function.inst()) && module.op(value).has_type() => {
                Ok(Operand::register(number))
            }
            _ => Err(Fault::malformed("an operand that is not a value of the function")),
        }
    }
}
