//! From the instructions of a function to [`Code`]. One pass over the blocks; no recursion.
//!
//! What cannot be decoded becomes an action that fails with the reason, so that it matters only to a run that gets there.

use reconverge_ir::terminator::{first_argument, operand};
use reconverge_ir::{Block, Class, Function, Inst, Module, Op};

use crate::code::{Action, BlockCode, Code, Instruction, NO_REGISTER, Operand, Span, Switch, Target};
use crate::extended::{self, InstructionSet};
use crate::outcome::Fault;
use crate::types::{Kind, NO_TYPE, TypeId};
use crate::value::mask;
use crate::{Interpreter, backward_jumps, conversion, decode_memory, image, library, structure};

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

/// A function while it is decoded.
pub(crate) struct Decoder<'a> {
    pub(crate) program: &'a Interpreter<'a>,
    code: Code,
    /// The type to be noted at the current instruction.
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
            self.push(block.inst(), Action::Fail(fault), (self.mark(), NO_REGISTER));
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
        self.push(inst, action, (mark, result));
    }

    fn mark(&self) -> (u32, u32) {
        (self.code.operands.len() as u32, self.code.literals.len() as u32)
    }

    fn push(&mut self, inst: Inst, action: Action, (mark, result): ((u32, u32), u32)) {
        let end = self.mark();
        let operands = Span { start: mark.0, end: end.0 };
        let literals = Span { start: mark.1, end: end.1 };
        self.code.instructions.push(Instruction { inst, result, ty: self.ty, operands, literals, action });
    }

    fn action(&mut self, inst: Inst) -> Result<Action, Fault> {
        let op = self.module().op(inst);
        match op.class() {
            Class::Arithmetic | Class::Logical | Class::Bit | Class::Composite => self.compute(inst, op),
            Class::Memory => decode_memory::action(self, inst, op),
            Class::Conversion => match decode_memory::pointer_conversion(self, inst, op)? {
                Some(action) => Ok(action),
                None => self.compute(inst, op),
            },
            Class::Atomic => {
                self.ty = decode_memory::pointee_of(self, self.operand(inst, 0)?)?;
                self.values(inst, 0)?;
                Ok(Action::Atomic(op))
            }
            Class::Derivative => {
                self.values(inst, 0)?;
                Ok(Action::Group(op))
            }
            Class::Image => image::action(self, inst, op),
            Class::Group => {
                self.values(inst, 0)?;
                if op == Op::GroupAsyncCopy {
                    let size = decode_memory::copied_size(self, self.operand(inst, 1)?)?;
                    self.code.literals.push(size as u32);
                }
                Ok(Action::Group(op))
            }
            Class::Barrier => {
                self.values(inst, 0)?;
                Ok(if op == Op::MemoryBarrier { Action::Fence } else { Action::Barrier(op) })
            }
            Class::Terminator => self.terminator(inst, op),
            Class::Miscellaneous => self.miscellaneous(inst, op),
            _ => Err(Fault::op(op)),
        }
    }

    fn compute(&mut self, inst: Inst, op: Op) -> Result<Action, Fault> {
        if op == Op::VectorShuffle {
            let length = self.program.vector_length(self.operand(inst, 0)?);
            self.code.literals.push(length.ok_or_else(|| Fault::operands(op))?);
        }
        self.values(inst, 0)?;
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
                self.values(inst, 0)?;
                Ok(Action::Assume)
            }
            Op::SizeOf => decode_memory::size_of(self, inst),
            _ => Err(Fault::op(op)),
        }
    }

    fn call(&mut self, inst: Inst) -> Result<Action, Fault> {
        let module = self.module();
        let callee = self.operand(inst, 0)?;
        let callee: Function = module.cast(callee).ok_or_else(|| Fault::malformed("a call of what is no function"))?;
        if module.parameters(callee).count() != module.operand_count(inst) - 1 {
            return Err(Fault::malformed("a call with another number of arguments than the function has parameters"));
        }
        self.values(inst, 1)?;
        match (module.entry(callee), self.program.function_number(callee)) {
            (Some(_), Some(number)) => Ok(Action::Call(number)),
            _ => Ok(Action::CallExternal(callee, library::imported(module, callee))),
        }
    }

    fn extended(&mut self, inst: Inst) -> Result<Action, Fault> {
        let module = self.module();
        let set = self.operand(inst, 0)?;
        let name = module.operands(set).next().map(|name| module.literal_text(name)).unwrap_or_default();
        let number = module.literal_word(self.operand(inst, 1)?).ok_or_else(|| Fault::operands(Op::ExtInst))?;
        let set =
            InstructionSet::from_name(&name).ok_or_else(|| Fault::unsupported(format!("op ext_inst of {name}")))?;
        if set == InstructionSet::NonSemantic {
            return Ok(Action::Undefined);
        }
        if let Some(words) = extended::memory_literals(self, inst, (set, number))? {
            self.code.literals.extend(words);
        }
        self.values(inst, 2)?;
        Ok(Action::Extended(set, number))
    }

    fn terminator(&mut self, inst: Inst, op: Op) -> Result<Action, Fault> {
        match op {
            Op::Branch | Op::Loop => {
                let target = self.operand(inst, operand::TARGET)?;
                let first = first_argument(op).expect("invariant: these two carry arguments");
                self.values(inst, first)?;
                let arguments = self.module().operand_count(inst).saturating_sub(first);
                Ok(Action::Branch(self.target(target, arguments)?))
            }
            Op::BranchIf | Op::If => {
                self.value(self.operand(inst, operand::CONDITION)?)?;
                let when_true = self.target(self.operand(inst, operand::TRUE)?, 0)?;
                Ok(Action::BranchIf { when_true, when_false: self.target(self.operand(inst, operand::FALSE)?, 0)? })
            }
            Op::Switch | Op::StructuredSwitch => self.switch(inst),
            Op::Return => Ok(Action::Return),
            Op::ReturnValue => {
                self.values(inst, 0)?;
                Ok(Action::ReturnValue)
            }
            Op::Unreachable => Ok(Action::Unreachable),
            _ => Ok(Action::Terminate(op)),
        }
    }

    fn switch(&mut self, inst: Inst) -> Result<Action, Fault> {
        let module = self.module();
        let selector = self.operand(inst, operand::CONDITION)?;
        self.value(selector)?;
        let Some(&Kind::Int(width)) = self.program.type_of(selector).and_then(|ty| self.program.types.kind(ty)) else {
            return Err(Fault::malformed("a switch whose selector is no integer"));
        };
        let default = self.target(self.operand(inst, operand::DEFAULT)?, 0)?;
        let terminator = module.cast(inst).expect("invariant: a switch is a terminator");
        let mut rows = Vec::new();
        for (literal, block) in module.cases(terminator) {
            let words = module.literal_words(literal).iter().take(2).rev();
            let value = words.fold(0u64, |value, &word| value << 32 | u64::from(word)) & mask(width);
            rows.push((value, self.target(block, 0)?));
        }
        rows.sort_by_key(|&(value, _)| value);
        rows.dedup_by_key(|&mut (value, _)| value);
        Ok(Action::Switch(Box::new(Switch { default, rows })))
    }

    fn target(&self, target: Inst, arguments: usize) -> Result<Target, Fault> {
        let module = self.module();
        let block: Option<Block> =
            module.cast(target).filter(|_| module.parent(target) == Some(self.code.function.inst()));
        let block = block.ok_or_else(|| Fault::malformed("a branch to what is no block of the function"))?;
        if module.parameters(block).count() != arguments {
            return Err(Fault::malformed("a branch with another number of arguments than the block has parameters"));
        }
        let number = self.program.number(target);
        number.map(Target::forward).ok_or_else(|| Fault::malformed("a branch to what is no block of the function"))
    }

    pub(crate) fn module(&self) -> &'a Module {
        self.program.module
    }

    /// Operand number `index` of an instruction.
    pub(crate) fn operand(&self, inst: Inst, index: usize) -> Result<Inst, Fault> {
        self.module().operands(inst).nth(index).ok_or_else(|| Fault::malformed("an operand is missing"))
    }

    /// Notes the operands from number `first` on: values as operands, literals as words.
    pub(crate) fn values(&mut self, inst: Inst, first: usize) -> Result<(), Fault> {
        let module = self.module();
        for operand in module.operands(inst).skip(first) {
            match module.op(operand).is_literal() {
                true => self.code.literals.extend_from_slice(module.literal_words(operand)),
                false => self.value(operand)?,
            }
        }
        Ok(())
    }

    /// Notes words that go before the literals of the instruction.
    pub(crate) fn literals(&mut self, words: &[u32]) {
        self.code.literals.extend_from_slice(words);
    }

    /// Notes an operand that is a value.
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
            _ => Err(Fault::malformed("an operand that is no value of the function")),
        }
    }
}
