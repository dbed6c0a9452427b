//! Instructions of a block, by group.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst, Op, OpGroup, view};

use super::{Body, scoping};
use crate::syntax::{Arguments, Callee, Effects, Expr, Literal, Shape, StatementKind, TypeShape};
use crate::write::{Language, WriteCode};

impl Body<'_, '_> {
    /// Converts the instructions of a block, without its terminator.
    pub(super) fn instructions(&mut self, block: Block) -> Result<(), Diagnostic> {
        let source = self.source;
        for inst in source.children(block) {
            match source.op(inst) {
                Op::BlockParameter if source.is_used(inst) => {
                    self.variable_of(inst)?;
                }
                Op::BlockParameter => {}
                op if op.is_terminator() => {}
                _ if self.cx.hlsl.skipped.contains(&inst) => {}
                _ if self.cx.hlsl.decided.contains_key(&inst) => {
                    let holds = self.cx.hlsl.decided[&inst];
                    let ty = self.cx.type_of(inst)?;
                    let value = self.cx.literal(Literal::Bool(holds), ty);
                    self.define(inst, value)?;
                }
                _ => {
                    self.origin = Some(inst);
                    self.instruction(inst)?;
                }
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
            OpGroup::Call if op == Op::FunctionCall => self.call_function(inst),
            OpGroup::Sample => self.sample(inst),
            OpGroup::ImageRead => self.read_image(inst),
            OpGroup::ImageWrite => self.write_image(inst),
            // Of the values only `image_sparse_texels_resident`: the others are images, which are recomputed.
            OpGroup::ImageQuery | OpGroup::ImageValue => self.query_image(inst),
            OpGroup::Atomic => self.atomic(inst),
            OpGroup::Subgroup => self.subgroup(inst),
            OpGroup::Extended => self.extended(inst),
            OpGroup::Derivative => self.derivative(inst),
            OpGroup::ControlBarrier | OpGroup::MemoryBarrier => self.barrier(inst),
            _ if op == Op::Select => self.select(inst),
            _ => match self.computation(inst)? {
                Some(value) => self.define(inst, value),
                None => self.special(inst),
            },
        }
    }

    /// A select: an expression, or an `if` for composites.
    fn select(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Select { condition, true_value, false_value }) = view::Select::of(self.source, inst) else {
            return self.unknown(inst);
        };
        let size = self.numbers(condition)?.size;
        let ty = self.cx.type_of(inst)?;
        let condition = self.value(condition)?;
        let (accept, reject) = (self.value(true_value)?, self.value(false_value)?);
        if size > 1 {
            let chosen = self.choose_components(condition, accept, reject)?;
            return self.define(inst, chosen);
        }
        let is_composite = match self.cx.text.types[ty] {
            TypeShape::Array { .. } | TypeShape::Struct(_) => true,
            TypeShape::Matrix { .. } => matches!(self.cx.target.language(), Language::Hlsl | Language::Wgsl),
            _ => false,
        };
        if is_composite {
            return self.select_composite(inst, condition, [accept, reject]);
        }
        let chosen = self.pure(Shape::Choice { condition, accept, reject }, ty);
        self.define(inst, chosen)
    }

    /// ```text
    /// x = reject; if (condition) { x = accept; }
    /// ```
    fn select_composite(&mut self, inst: Inst, condition: Expr, [accept, reject]: [Expr; 2]) -> Result<(), Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        let name = self.cx.name(inst).unwrap_or_else(|| "chosen".to_owned());
        let variable = self.variable(&name, ty);
        let target = self.local(variable);
        self.assign_to(target, reject);
        let target = self.local(variable);
        let chosen = StatementKind::Assign { target, operator: None, value: accept }.into();
        self.add_if(condition, vec![chosen], Vec::new());
        self.know(inst, variable)
    }

    fn call_function(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let callee = self.source.callee(inst).and_then(|callee| self.cx.functions.get(&callee).copied());
        let (Some(function), Some(call)) = (callee, view::FunctionCall::of(self.source, inst)) else {
            return self.refuse(WriteCode::Op, inst, "a call of a function without a body");
        };
        let mut arguments = Arguments::new();
        for argument in call.arguments.to_vec() {
            self.add_argument(argument, &mut arguments)?;
        }
        if let Some(callee) = self.source.callee(inst) {
            self.stream_arguments(callee, &mut arguments);
        }
        let ty = self.cx.text.functions[function.0 as usize].result;
        let effects = Effects::READS | Effects::WRITES | Effects::CONVERGENT;
        let call = self.with_effects(Shape::Call { callee: Callee::Function(function), arguments }, ty, effects);
        match self.cx.text.types[ty] {
            TypeShape::Void => {
                self.statement(StatementKind::Expression(call));
                Ok(())
            }
            _ => self.define(inst, call),
        }
    }

    /// An argument of a call: a value, or the place that a pointer points to.
    pub(crate) fn plain_argument(&mut self, argument: Inst, arguments: &mut Arguments) -> Result<(), Diagnostic> {
        arguments.push(match self.source.pointee(argument) {
            Some(_) if !self.is_address(argument) => self.place(argument)?,
            _ => self.value(argument)?,
        });
        Ok(())
    }
}
