//! Instructions without a group of their own: what ends or demotes a lane, derivatives, streams of geometry shaders, clocks.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::{Body, Numbers};
use crate::syntax::{Effects, Scalar, ScalarKind, StatementKind, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A terminator besides branches and returns.
    pub(crate) fn special_terminator(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::Kill => self.statement(StatementKind::Discard),
            Op::TerminateInvocation => {
                self.cx.require("GL_EXT_terminate_invocation", inst);
                self.keyword("terminateInvocation");
            }
            Op::EmitMeshTasksEXT => {
                let Some(tasks) = view::EmitMeshTasksEXT::of(self.source, inst) else { return self.unknown(inst) };
                let counts = [tasks.group_count_x, tasks.group_count_y, tasks.group_count_z];
                let mut arguments = Vec::new();
                for count in counts {
                    arguments.push(self.value_as(count, ScalarKind::Uint)?);
                }
                self.call_statement("EmitMeshTasksEXT", &arguments);
                return Ok(());
            }
            Op::IgnoreIntersectionKHR => self.keyword("ignoreIntersectionEXT"),
            Op::TerminateRayKHR => self.keyword("terminateRayEXT"),
            _ => return self.unknown(inst),
        }
        Ok(())
    }

    /// A statement that is a word of the language.
    fn keyword(&mut self, word: &'static str) {
        let void = self.cx.text.types.of(TypeShape::Void);
        let global = self.cx.built_in(word, void);
        let expr = self.cx.global(global);
        self.statement(StatementKind::Expression(expr));
    }

    /// A call that is a statement.
    pub(super) fn call_statement(&mut self, name: &'static str, arguments: &[crate::syntax::Expr]) {
        let void = self.cx.text.types.of(TypeShape::Void);
        let effects = Effects::READS | Effects::WRITES | Effects::CONVERGENT;
        let call = self.call_with(name, arguments, void, effects);
        self.statement(StatementKind::Expression(call));
    }

    /// Any other instruction.
    pub(crate) fn special(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::DemoteToHelperInvocation => {
                self.cx.require("GL_EXT_demote_to_helper_invocation", inst);
                self.keyword("demote");
                Ok(())
            }
            Op::IsHelperInvocationEXT => {
                self.cx.require("GL_EXT_demote_to_helper_invocation", inst);
                let ty = self.cx.type_of(inst)?;
                let value = self.call_with("helperInvocationEXT", &[], ty, Effects::READS);
                self.define(inst, value)
            }
            Op::EmitVertex => {
                self.call_statement("EmitVertex", &[]);
                Ok(())
            }
            Op::EndPrimitive => {
                self.call_statement("EndPrimitive", &[]);
                Ok(())
            }
            op @ (Op::EmitStreamVertex | Op::EndStreamPrimitive) => {
                let stream = self.value_as(self.source.operand(inst, 0), ScalarKind::Int)?;
                let name = if op == Op::EmitStreamVertex { "EmitStreamVertex" } else { "EndStreamPrimitive" };
                self.call_statement(name, &[stream]);
                Ok(())
            }
            Op::ReadClockKHR => self.clock(inst),
            Op::AssumeTrueKHR => Ok(()),
            _ => match self.number_op(inst)? {
                true => Ok(()),
                false => self.unknown(inst),
            },
        }
    }

    fn clock(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::ReadClockKHR { execution }) = view::ReadClockKHR::of(self.source, inst) else {
            return self.unknown(inst);
        };
        let is_subgroup = self.word(execution) == Some(spirv::Scope::Subgroup as u32);
        self.cx.require(if is_subgroup { "GL_ARB_shader_clock" } else { "GL_EXT_shader_realtime_clock" }, inst);
        let numbers = self.numbers(inst)?;
        let ty = self.type_of_numbers(Numbers { scalar: numbers.scalar.with(ScalarKind::Uint), ..numbers });
        let name = match (is_subgroup, numbers.size) {
            (true, 1) => "clockARB",
            (true, _) => "clock2x32ARB",
            (false, 1) => "clockRealtimeEXT",
            (false, _) => "clockRealtime2x32EXT",
        };
        let value = self.call_with(name, &[], ty, Effects::READS | Effects::WRITES);
        let value = self.as_result(inst, value)?;
        self.define(inst, value)
    }

    /// A derivative.
    pub(crate) fn derivative(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let name = match self.source.op(inst) {
            Op::DPdx => "dFdx",
            Op::DPdy => "dFdy",
            Op::Fwidth => "fwidth",
            Op::DPdxFine => "dFdxFine",
            Op::DPdyFine => "dFdyFine",
            Op::FwidthFine => "fwidthFine",
            Op::DPdxCoarse => "dFdxCoarse",
            Op::DPdyCoarse => "dFdyCoarse",
            _ => "fwidthCoarse",
        };
        let glsl = self.cx.target.glsl();
        let is_controlled = name.ends_with("Fine") || name.ends_with("Coarse");
        if is_controlled && glsl.is_embedded() {
            return self.refuse(WriteCode::Op, inst, format!("{} in GLSL ES", self.source.op(inst).name()));
        }
        if is_controlled && glsl.number < 450 {
            self.cx.require("GL_ARB_derivative_control", inst);
        }
        let ty = self.cx.type_of(inst)?;
        let operand = self.value(self.source.operand(inst, 0))?;
        let value = self.call_with(name, &[operand], ty, Effects::CONVERGENT);
        self.define(inst, value)
    }

    /// What is written before the type of a value: nothing, or that it is computed as the code says.
    pub(crate) fn value_prefix(&self, value: Inst) -> &'static str {
        let is_exact = self.source.decorated(value).has(spirv::Decoration::NoContraction);
        match is_exact && self.cx.target.glsl().has(400, 320) {
            true => "precise",
            false => "",
        }
    }

    /// What is written before the type of a parameter.
    pub(crate) fn parameter_prefix(&self, parameter: Inst, is_written: bool) -> Result<&'static str, Diagnostic> {
        use spirv::StorageClass as Class;
        match self.source.storage_class(parameter) {
            None | Some(Class::UniformConstant) => Ok(""),
            Some(Class::Function | Class::Private) if is_written => Ok("inout"),
            Some(class) => self.refuse(WriteCode::Pointer, parameter, format!("a pointer to {class:?} as a parameter")),
        }
    }

    /// Returns whether the numbers are integers of 32 bits.
    pub(super) fn is_word(numbers: Numbers) -> bool {
        numbers.scalar.width == 32 && (numbers.scalar.is_integer() || numbers.scalar == Scalar::FLOAT)
    }
}
