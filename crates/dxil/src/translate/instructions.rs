//! LLVM's instructions: arithmetic, conversions, comparisons, vectors; which of them have an instruction of SPIR-V, and what the others
//! become.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use spirv::MemoryAccess;

use super::function::{Body, Translated};
use super::memory::is_marker;
use super::operations;
use crate::module::{Argument, FunctionId, Instruction, Operation, ValueId};

impl Body<'_, '_> {
    pub(super) fn translate_instruction(&mut self, instruction: &Instruction) -> Result<(), Diagnostic> {
        let translated = match &instruction.operation {
            Operation::Binary { op, flags, lhs, rhs } => {
                let is_contracted = flags.float.is_fast && !self.has_precise_mark(instruction);
                Translated::Value(match is_contracted {
                    true => self.binary(instruction.ty, *op, [*lhs, *rhs])?,
                    false => self.precise_binary(instruction.ty, *op, [*lhs, *rhs])?,
                })
            }
            Operation::Cast { op, value } => self.cast(instruction.ty, *op, *value)?,
            Operation::IntCompare { predicate, lhs, rhs } => {
                self.int_compare(instruction.ty, *predicate, *lhs, *rhs)?
            }
            Operation::FloatCompare { predicate, lhs, rhs, .. } => {
                self.float_compare(instruction.ty, *predicate, *lhs, *rhs)?
            }
            Operation::Select { condition, if_true, if_false } => {
                self.select(instruction, *condition, *if_true, *if_false)?
            }
            Operation::ElementPointer { source, base, indices, .. } => {
                Translated::Pointer(self.element_pointer(*source, *base, indices)?)
            }
            Operation::ExtractValue { aggregate, indices } => match indices[..] {
                [index] => Translated::Value(self.member(*aggregate, index as usize)?),
                _ => return Err(self.unsupported("members of members are not supported")),
            },
            Operation::InsertValue { aggregate, value, indices } => self.insert_value(*aggregate, *value, indices)?,
            Operation::ExtractElement { vector, index } => self.extract_element(instruction.ty, *vector, *index)?,
            Operation::InsertElement { vector, element, index } => {
                self.insert_element(instruction.ty, *vector, *element, *index)?
            }
            Operation::ShuffleVector { first, second, mask } => self.shuffle(instruction.ty, *first, *second, *mask)?,
            Operation::Alloca { ty, count, .. } => self.alloca(instruction, *ty, *count)?,
            Operation::Load { pointer, is_volatile, .. } => {
                let access = if *is_volatile { MemoryAccess::VOLATILE } else { MemoryAccess::empty() };
                self.load(instruction.ty, *pointer, access)?
            }
            Operation::Store { pointer, value, is_volatile, .. } => {
                let access = if *is_volatile { MemoryAccess::VOLATILE } else { MemoryAccess::empty() };
                self.store(*pointer, *value, access)?
            }
            Operation::AtomicRmw { op, pointer, value, .. } => self.atomic(*op, *pointer, *value)?,
            Operation::CompareExchange { pointer, expected, value, .. } => {
                self.compare_exchange(*pointer, *expected, *value)?
            }
            Operation::Fence { .. } => return Err(self.unsupported("fence is not supported")),
            Operation::Call { callee, arguments, .. } => self.call(instruction, *callee, arguments)?,
            Operation::Phi { .. } => unreachable!("invariant: phis are translated with their block"),
            operation => unreachable!("invariant: {operation:?} is a terminator"),
        };
        if let Some(result) = instruction.result {
            self.define(result, translated);
        }
        Ok(())
    }

    fn call(
        &mut self,
        instruction: &Instruction,
        callee: ValueId,
        arguments: &[Argument],
    ) -> Result<Translated, Diagnostic> {
        let dxil = self.shader.dxil;
        let Some(id) = dxil.function_of(callee) else {
            return Err(self.unsupported("calls of other values than functions are not supported"));
        };
        let function = &dxil.functions[id.index()];
        let name = dxil.values[function.value.index()].name.as_deref().unwrap_or_default();
        if function.is_defined() {
            return self.call_function(id, instruction, arguments);
        }
        if is_marker(name) {
            return Ok(Translated::Nothing);
        }
        if name.starts_with("dx.op.") {
            return operations::translate(self, instruction, name, arguments);
        }
        Err(self.unsupported(format!("the function {name} is not supported")))
    }

    /// A call of a function that has a body.
    fn call_function(
        &mut self,
        id: FunctionId,
        instruction: &Instruction,
        arguments: &[Argument],
    ) -> Result<Translated, Diagnostic> {
        let function = self.shader.function(id, self.offset)?;
        self.write_outputs();
        let mut operands = vec![Inst::from(function)];
        let mut pointers = Vec::new();
        for argument in arguments {
            let Argument::Value(value) = *argument else {
                return Err(self.unsupported("metadata as an argument is not supported"));
            };
            let is_pointer = self.shader.dxil.types.pointee(self.type_of(value)).is_some();
            operands.push(match is_pointer {
                true => {
                    let pointer = self.pointer_argument(value)?;
                    let argument = pointer.argument;
                    pointers.push(pointer);
                    argument
                }
                false => self.value(value)?,
            });
        }
        let ty = self.shader.result_type(instruction.ty, self.offset)?;
        let result = self.emit(Op::FunctionCall, ty, &operands);
        for pointer in &pointers {
            self.write_back(pointer);
        }
        Ok(if instruction.result.is_some() { Translated::Value(result) } else { Translated::Nothing })
    }
}
