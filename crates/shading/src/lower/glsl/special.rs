//! Instructions without a group of their own: what ends or demotes a lane, derivatives, streams of geometry shaders, clocks.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::{Body, Numbers};
use crate::syntax::{Arguments, Effects, Scalar, ScalarKind, Shape, StatementKind, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A terminator besides branches and returns.
    pub(in crate::lower) fn glsl_special_terminator(&mut self, inst: Inst) -> Result<(), Diagnostic> {
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
    pub(in crate::lower) fn keyword(&mut self, word: &'static str) {
        let void = self.cx.text.types.of(TypeShape::Void);
        let global = self.cx.built_in(word, void);
        let expr = self.with_effects(Shape::Global(global), void, Effects::WRITES | Effects::CONVERGENT);
        self.statement(StatementKind::Expression(expr));
    }

    /// A call that is a statement.
    pub(in crate::lower) fn call_statement(&mut self, name: &'static str, arguments: &[crate::syntax::Expr]) {
        let void = self.cx.text.types.of(TypeShape::Void);
        let effects = Effects::READS | Effects::WRITES | Effects::CONVERGENT;
        let call = self.call_with(name, arguments, void, effects);
        self.statement(StatementKind::Expression(call));
    }

    /// Any other instruction.
    pub(in crate::lower) fn glsl_special(&mut self, inst: Inst) -> Result<(), Diagnostic> {
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
            _ if self.ray(inst)? || self.address_op(inst)? || self.number_op(inst)? => Ok(()),
            Op::OpaquePlain => self.opaque(inst),
            _ => self.unknown(inst),
        }
    }

    /// Instructions that the module keeps by their number.
    fn opaque(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        const SET_MESH_OUTPUTS: u32 = 5295;
        const BEGIN_INTERLOCK: u32 = 5364;
        const END_INTERLOCK: u32 = 5365;
        let Some(opaque) = view::Opaque::of(self.source, inst) else { return self.unknown(inst) };
        let operands = opaque.operands.to_vec();
        match opaque.opcode {
            SET_MESH_OUTPUTS => {
                let mut arguments = Vec::new();
                for operand in operands {
                    arguments.push(self.value_as(operand, ScalarKind::Uint)?);
                }
                self.call_statement("SetMeshOutputsEXT", &arguments);
            }
            BEGIN_INTERLOCK | END_INTERLOCK => {
                self.cx.require("GL_ARB_fragment_shader_interlock", inst);
                let is_begin = opaque.opcode == BEGIN_INTERLOCK;
                self.call_statement(
                    if is_begin { "beginInvocationInterlockARB" } else { "endInvocationInterlockARB" },
                    &[],
                );
            }
            _ => return self.unknown(inst),
        }
        Ok(())
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
    pub(in crate::lower) fn glsl_derivative(&mut self, inst: Inst) -> Result<(), Diagnostic> {
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
        let ty = self.cx.type_of(inst)?;
        let operand = self.value(self.source.operand(inst, 0))?;
        let value = self.call_with(name, &[operand], ty, Effects::CONVERGENT);
        self.define(inst, value)
    }

    /// An index that differs between lanes.
    pub(in crate::lower) fn glsl_nonuniform(&mut self, index: crate::syntax::Expr, place: Inst) -> crate::syntax::Expr {
        self.cx.require("GL_EXT_nonuniform_qualifier", place);
        let ty = self.type_of(index);
        self.call("nonuniformEXT", &[index], ty)
    }

    /// Returns whether no step of a value's computation may be joined with another.
    pub(super) fn is_exact(&self, value: Inst) -> bool {
        self.source.decorated(value).has(spirv::Decoration::NoContraction)
    }

    /// What is written before the type of a value: nothing, or that it is computed as the code says.
    pub(in crate::lower) fn glsl_value_prefix(&mut self, value: Inst) -> &'static str {
        if !self.is_exact(value) {
            return "";
        }
        self.cx.uses_word("precise", value);
        "precise"
    }

    /// What is written before the type of a parameter.
    pub(in crate::lower) fn glsl_parameter_prefix(&self, parameter: Inst) -> Result<&'static str, Diagnostic> {
        use spirv::StorageClass as Class;
        match self.source.storage_class(parameter) {
            None | Some(Class::UniformConstant | Class::PhysicalStorageBuffer) => Ok(""),
            Some(Class::Function | Class::Private) => Ok("inout"),
            Some(class) => self.refuse(WriteCode::Pointer, parameter, format!("a pointer to {class:?} as a parameter")),
        }
    }

    /// The length of the array at the end of a buffer.
    pub(in crate::lower) fn glsl_array_length(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::ArrayLength { structure, member }) = view::ArrayLength::of(self.source, inst) else {
            return self.unknown(inst);
        };
        let Some(ty) = self.source.pointee(structure) else { return self.unknown(inst) };
        let base = self.place(structure)?;
        let member = self.cx.member_place(ty, member);
        let object = self.member(base, member, inst)?;
        let int = self.cx.text.types.numbers(Scalar::INT, 1);
        // The length of a buffer does not change.
        let length = self.with_effects(
            Shape::Method { object, name: "length", arguments: Arguments::new() },
            int,
            Effects::PURE,
        );
        let wanted = self.numbers(inst)?;
        let length =
            self.cast(length, if wanted.scalar.kind == ScalarKind::Int { ScalarKind::Int } else { ScalarKind::Uint });
        self.define(inst, length)
    }
}
