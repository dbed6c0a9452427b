//! An extended instruction to lower, with its operands.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, view};
use spirv::OpenclStd100Op;

use crate::error;
use crate::formula::{FormulaWriter, Scalar, Shape, Value};

/// An extended instruction.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The instruction.
    pub(super) at: Inst,
    /// The instruction.
    pub(super) instruction: OpenclStd100Op,
    /// The type of its result, which may be void.
    pub(super) ty: Inst,
    /// The operands after set and number.
    pub(super) operands: Vec<Inst>,
}

impl Call {
    /// The operands of an extended instruction.
    pub(super) fn of(module: &Module, at: Inst) -> Option<Call> {
        let operands = view::ExtInst::of(module, at)?.operands.to_vec();
        Some(Call { at, instruction: module.opencl_op(at)?, ty: module.ty(at)?, operands })
    }

    /// An error about the operand of that number.
    pub(super) fn wrong(&self, index: usize) -> Diagnostic {
        let message = format!("operand {index} of `{:?}` has a type that it does not take", self.instruction);
        error::rejected(self.at, message)
    }

    /// An error about the type of the result.
    pub(super) fn wrong_result(&self) -> Diagnostic {
        let message = format!("the result of `{:?}` has another type than its operands give", self.instruction);
        error::rejected(self.at, message)
    }

    /// The shape of the result: floats or integers.
    pub(super) fn result_shape(&self, writer: &FormulaWriter<'_>) -> Result<Shape, Diagnostic> {
        let shape = writer.build(|build| Shape::of(build.module(), self.ty));
        shape.filter(|shape| shape.scalar != Scalar::Bool).ok_or_else(|| self.wrong_result())
    }

    /// Operand number `index` as a value: floats, integers or booleans.
    pub(super) fn value<'w>(&self, writer: &'w FormulaWriter<'w>, index: usize) -> Result<Value<'w>, Diagnostic> {
        let operand = self.operands.get(index).and_then(|&operand| writer.existing(operand));
        operand.ok_or_else(|| self.wrong(index))
    }

    /// Operand number `index` as an integer or a vector of integers.
    pub(super) fn integer<'w>(&self, writer: &'w FormulaWriter<'w>, index: usize) -> Result<Value<'w>, Diagnostic> {
        let value = self.value(writer, index)?;
        match value.shape().scalar {
            Scalar::Int(_) => Ok(value),
            Scalar::Bool | Scalar::Float(_) => Err(self.wrong(index)),
        }
    }

    /// Operand number `index` as a float or a vector of floats.
    pub(super) fn float<'w>(&self, writer: &'w FormulaWriter<'w>, index: usize) -> Result<Value<'w>, Diagnostic> {
        let value = self.value(writer, index)?;
        if value.shape().is_float() { Ok(value) } else { Err(self.wrong(index)) }
    }

    /// Operand number `index` as a vector for a shuffle: its number of components is a power of two.
    pub(super) fn choices<'w>(&self, writer: &'w FormulaWriter<'w>, index: usize) -> Result<Value<'w>, Diagnostic> {
        let value = self.value(writer, index)?;
        let count = value.shape().count;
        if count > 1 && count.is_power_of_two() { Ok(value) } else { Err(self.wrong(index)) }
    }

    /// Operand number `index` as a literal.
    pub(super) fn literal(&self, writer: &FormulaWriter<'_>, index: usize) -> Option<u32> {
        let operand = *self.operands.get(index)?;
        writer.build(|build| build.module().literal_word(operand))
    }

    /// Operand number `index`, a pointer, cast to a pointer to a type; and the type of that pointer.
    pub(super) fn pointer(
        &self,
        writer: &FormulaWriter<'_>,
        index: usize,
        pointee: Inst,
    ) -> Result<(Inst, Inst), Diagnostic> {
        let pointer = *self.operands.get(index).ok_or_else(|| self.wrong(index))?;
        let found = writer.build(|build| {
            let module = build.module();
            if module.pointee(pointer)? == pointee {
                return Some((pointer, module.ty(pointer)?));
            }
            let storage_class = module.storage_class(pointer)?;
            let ty = build.pointer_type(storage_class, pointee);
            Some((build.bitcast(ty, &[pointer]), ty))
        });
        found.ok_or_else(|| self.wrong(index))
    }
}
