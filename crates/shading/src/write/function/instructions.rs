//! Instructions of a block, by group.

use naga::{Barrier, Expression, Scalar, ScalarKind, Span, Statement};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst, Op, OpGroup, view};
use spirv::{MemorySemantics, Scope};

use super::super::{Language, WriteCode};
use super::{Body, arithmetic};
use crate::lower::function::scoping;

impl Body<'_, '_> {
    /// Converts the instructions of a block, without its terminator.
    pub(super) fn instructions(&mut self, block: Block) -> Result<(), Diagnostic> {
        let source = self.source;
        for inst in source.children(block) {
            match source.op(inst) {
                Op::BlockParameter if source.is_used(inst) => {
                    let variable = self.variable_of(inst)?;
                    let handle = self.load_variable(variable);
                    self.know(inst, handle);
                }
                Op::BlockParameter => {}
                op if op.is_terminator() => {}
                _ => self.instruction(inst)?,
            }
        }
        Ok(())
    }

    fn instruction(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        if scoping::is_recomputed(self.source, inst) && op.group() != OpGroup::Call {
            return Ok(());
        }
        match op.group() {
            OpGroup::Declaration | OpGroup::Hint | OpGroup::Lifetime => Ok(()),
            OpGroup::Variable => self.local_variable(inst),
            OpGroup::Load => self.load(inst),
            OpGroup::Store if op == Op::Store => self.store(inst),
            OpGroup::Copy if op == Op::CopyMemory => self.copy_memory(inst),
            OpGroup::PointerQuery if op == Op::ArrayLength => self.array_length(inst),
            OpGroup::Composite => self.composite(inst),
            OpGroup::Sample => self.sample(inst),
            OpGroup::ImageRead => self.read_image(inst),
            OpGroup::ImageWrite => self.write_image(inst),
            OpGroup::ImageQuery => self.query_image(inst),
            OpGroup::Atomic => self.atomic(inst),
            OpGroup::Subgroup => self.subgroup(inst),
            OpGroup::Extended => self.extended(inst),
            OpGroup::Derivative => self.derivative(inst),
            OpGroup::ControlBarrier | OpGroup::MemoryBarrier => self.barrier(inst),
            OpGroup::Call if op == Op::FunctionCall => self.call(inst),
            OpGroup::Helper if op == Op::DemoteToHelperInvocation => {
                self.demote();
                Ok(())
            }
            _ => self.computation(inst),
        }
    }

    fn computation(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        if op == Op::Select && self.needs_statement(inst) {
            return self.select(inst);
        }
        let Some(result) = self.module.scalar_of(inst) else { return self.unknown(inst) };
        let mut operands = Vec::new();
        for operand in self.source.operands(inst) {
            if self.source.ty(operand).is_none() {
                return self.unknown(inst);
            }
            operands.push(self.operand(operand)?);
        }
        self.check_conversion(inst, &operands, result)?;
        let size = self.module.size_of(inst)?;
        match arithmetic::compute(self, op, &operands, result, size) {
            Some(handle) => self.define(inst, handle),
            None => self.unknown(inst),
        }
    }

    /// Rejects conversions that naga's writer does not support or writes differently.
    fn check_conversion(&self, inst: Inst, operands: &[arithmetic::Operand], result: Scalar) -> Result<(), Diagnostic> {
        let Some(operand) = operands.first().map(|operand| operand.scalar) else { return Ok(()) };
        let (language, op) = (self.module.language, self.source.op(inst));
        let is_hlsl = language == Language::Hlsl;
        let mixes = (operand.kind == ScalarKind::Float) != (result.kind == ScalarKind::Float);
        if op == Op::Bitcast && is_hlsl && mixes && result.width != 4 {
            let message =
                format!("bitcast of {} bits in HLSL, for which naga writes a conversion", u32::from(result.width) * 8);
            return self.refuse(WriteCode::Op, inst, message);
        }
        let to_short = matches!(op, Op::ConvertFToS | Op::ConvertFToU) && result.width == 2;
        if to_short && matches!(language, Language::Hlsl | Language::Msl) {
            let message = format!("{} to 16 bits in {language}, which naga does not write", op.name());
            return self.refuse(WriteCode::Op, inst, message);
        }
        Ok(())
    }

    /// An instruction that the languages or naga do not have.
    pub(super) fn unknown<T>(&self, inst: Inst) -> Result<T, Diagnostic> {
        self.refuse(WriteCode::Op, inst, format!("{} in {}", self.source.op(inst).name(), self.module.language))
    }

    /// Returns whether a select is between values that no expression can select: structs, arrays and matrices.
    fn needs_statement(&self, inst: Inst) -> bool {
        use reconverge_ir::view::TypeView;
        matches!(
            self.result_view(inst),
            Some(TypeView::Struct { .. } | TypeView::Array { .. } | TypeView::Matrix { .. })
        )
    }

    /// A select as an `if` that assigns.
    fn select(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Select { condition, true_value, false_value }) = view::Select::of(self.source, inst) else {
            return self.unknown(inst);
        };
        let condition = self.value(condition)?;
        let (accept, reject) = (self.value(true_value)?, self.value(false_value)?);
        let variable = self.temporary(inst)?;
        let pointer = self.push(Expression::LocalVariable(variable));
        self.statement(Statement::Store { pointer, value: reject });
        let mut chosen = naga::Block::new();
        chosen.push(Statement::Store { pointer, value: accept }, naga::Span::UNDEFINED);
        self.add_if(condition, chosen, naga::Block::new());
        let handle = self.push(Expression::Load { pointer });
        self.define(inst, handle)
    }

    fn derivative(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        use naga::{DerivativeAxis as Axis, DerivativeControl as Control};
        let (axis, ctrl) = match self.source.op(inst) {
            Op::DPdx => (Axis::X, Control::None),
            Op::DPdy => (Axis::Y, Control::None),
            Op::Fwidth => (Axis::Width, Control::None),
            Op::DPdxFine => (Axis::X, Control::Fine),
            Op::DPdyFine => (Axis::Y, Control::Fine),
            Op::FwidthFine => (Axis::Width, Control::Fine),
            Op::DPdxCoarse => (Axis::X, Control::Coarse),
            Op::DPdyCoarse => (Axis::Y, Control::Coarse),
            _ => (Axis::Width, Control::Coarse),
        };
        let expr = self.value(self.source.operand(inst, 0))?;
        let handle = self.push(Expression::Derivative { axis, ctrl, expr });
        self.define(inst, handle)
    }

    /// A barrier. WGSL has only control barriers, so a memory barrier alone is rejected.
    fn barrier(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let (execution, memory, semantics) = match self.source.op(inst) {
            Op::ControlBarrier => {
                let Some(barrier) = view::ControlBarrier::of(self.source, inst) else { return self.unknown(inst) };
                (self.word(barrier.execution), self.word(barrier.memory), self.word(barrier.semantics))
            }
            Op::MemoryBarrier => {
                let Some(barrier) = view::MemoryBarrier::of(self.source, inst) else { return self.unknown(inst) };
                (None, self.word(barrier.memory), self.word(barrier.semantics))
            }
            _ => return self.unknown(inst),
        };
        if self.left_out.contains(&inst) || self.begins_uniform_load(inst) {
            return Ok(());
        }
        let is_control = self.source.op(inst) == Op::ControlBarrier;
        let semantics = MemorySemantics::from_bits_retain(semantics.unwrap_or_default());
        let is_subgroup = |scope: Option<u32>| scope == Some(Scope::Subgroup as u32);
        let mut flags = Barrier::empty();
        flags.set(Barrier::STORAGE, semantics.intersects(MemorySemantics::UNIFORM_MEMORY));
        flags.set(Barrier::WORK_GROUP, semantics.intersects(MemorySemantics::WORKGROUP_MEMORY));
        flags.set(Barrier::TEXTURE, semantics.intersects(MemorySemantics::IMAGE_MEMORY));
        if !is_control {
            if self.module.language == Language::Wgsl {
                return self.refuse(WriteCode::Op, inst, "memory_barrier in WGSL, which has only barriers that wait");
            }
            if self.module.language == Language::Msl {
                return self.refuse(
                    WriteCode::Op,
                    inst,
                    "memory_barrier in MSL, for which naga writes a barrier that waits",
                );
            }
            flags.set(Barrier::SUB_GROUP, is_subgroup(memory) && flags.is_empty());
            self.statement(Statement::MemoryBarrier(flags));
            return Ok(());
        }
        if is_subgroup(execution) {
            self.check_subgroup_barrier(inst, flags)?;
            flags = Barrier::SUB_GROUP;
        } else if execution == Some(Scope::Workgroup as u32) {
            // A barrier without flags would be no barrier.
            if flags.is_empty() {
                flags = Barrier::WORK_GROUP;
            }
        } else {
            return self.refuse(WriteCode::Op, inst, "control_barrier of another scope than the workgroup or subgroup");
        }
        // The span is the barrier, for a message about its control flow.
        self.module.barriers.push(inst);
        let number = self.module.barriers.len() as u32;
        self.block().push(Statement::ControlBarrier(flags), Span::new(number, number + 1));
        Ok(())
    }

    /// Rejects a barrier of the subgroup where naga writes one of the workgroup, or none.
    fn check_subgroup_barrier(&self, inst: Inst, memory: Barrier) -> Result<(), Diagnostic> {
        let message = match self.module.language {
            Language::Wgsl if memory.is_empty() => return Ok(()),
            Language::Wgsl => "a barrier of a subgroup that orders memory of the workgroup in WGSL",
            Language::Msl if Barrier::WORK_GROUP.contains(memory) => return Ok(()),
            Language::Msl => "a barrier of a subgroup that orders memory of buffers or images in MSL",
            Language::Glsl => "a barrier of a subgroup in GLSL, for which naga writes one of the workgroup",
            Language::Hlsl => "a barrier of a subgroup in HLSL, which has none",
        };
        self.refuse(WriteCode::Op, inst, message)
    }

    /// `discard` in these languages continues as a helper, except in GLSL, where the printer replaces it by `demote`.
    fn demote(&mut self) {
        self.statement(Statement::Kill);
    }

    fn call(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let callee = self.source.callee(inst).and_then(|callee| self.module.functions.get(&callee).copied());
        let (Some(function), Some(call)) = (callee, view::FunctionCall::of(self.source, inst)) else {
            return self.refuse(WriteCode::Op, inst, "a call of a function without a body");
        };
        let mut arguments = Vec::new();
        for argument in call.arguments.to_vec() {
            arguments.push(self.value(argument)?);
        }
        let has_result = self.module.output.functions[function].result.is_some();
        let result = has_result.then(|| self.push_result(Expression::CallResult(function)));
        self.statement(Statement::Call { function, arguments, result });
        match result {
            Some(handle) => self.define(inst, handle),
            None => Ok(()),
        }
    }
}
