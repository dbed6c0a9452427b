//! Instructions without a group of their own: what ends or demotes a lane, derivatives, helper lanes.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::Body;
use crate::syntax::{Binary, Effects};
use crate::write::WriteCode;

const BEGIN_INTERLOCK: u32 = 5364;
const END_INTERLOCK: u32 = 5365;

impl Body<'_, '_> {
    /// A terminator besides branches and returns. `discard` lets the lane go on as a helper, so a `return` follows.
    pub(in crate::lower) fn hlsl_special_terminator(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::Kill | Op::TerminateInvocation => {
                self.keyword("discard");
                self.leave_anyhow(inst)
            }
            Op::EmitMeshTasksEXT => {
                self.dispatch_mesh(inst)?;
                self.leave_anyhow(inst)
            }
            _ => self.unknown(inst),
        }
    }

    /// Any other instruction.
    pub(in crate::lower) fn hlsl_special(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::DemoteToHelperInvocation => {
                self.keyword("discard");
                Ok(())
            }
            Op::IsHelperInvocationEXT => {
                self.cx.check_version((6, 6), "`IsHelperLane`", inst)?;
                let ty = self.cx.type_of(inst)?;
                let value = self.call_with("IsHelperLane", &[], ty, Effects::READS);
                self.define(inst, value)
            }
            Op::AssumeTrueKHR => Ok(()),
            _ if self.ray_query(inst)? || self.set_mesh_counts(inst)? => Ok(()),
            Op::OpaquePlain | Op::OpaqueTyped => {
                let opcode = view::Opaque::of(self.source, inst).map_or(0, |opaque| opaque.opcode);
                let name = match opcode {
                    // The resources have the order.
                    BEGIN_INTERLOCK | END_INTERLOCK if self.cx.orders_pixels() => return Ok(()),
                    BEGIN_INTERLOCK | END_INTERLOCK => "a fragment interlock of this kind".to_owned(),
                    _ => format!("instruction {opcode}"),
                };
                self.refuse(WriteCode::Op, inst, format!("{name} in HLSL"))
            }
            _ if self.stream_op(inst)? => Ok(()),
            _ => match self.number_op(inst)? {
                true => Ok(()),
                false => self.unknown(inst),
            },
        }
    }

    /// A derivative.
    pub(in crate::lower) fn hlsl_derivative(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let ty = self.cx.type_of(inst)?;
        let operand = self.value(self.source.operand(inst, 0))?;
        let name = match op {
            Op::DPdx => "ddx",
            Op::DPdy => "ddy",
            Op::Fwidth => "fwidth",
            Op::DPdxFine => "ddx_fine",
            Op::DPdyFine => "ddy_fine",
            Op::DPdxCoarse => "ddx_coarse",
            Op::DPdyCoarse => "ddy_coarse",
            // The sum of both slopes.
            _ => {
                let names = match op {
                    Op::FwidthFine => ["ddx_fine", "ddy_fine"],
                    _ => ["ddx_coarse", "ddy_coarse"],
                };
                let name = self.repeated(operand);
                let [x, y] = names.map(|function| {
                    let value = self.local(name);
                    let slope = self.call_with(function, &[value], ty, Effects::CONVERGENT);
                    self.call("abs", &[slope], ty)
                });
                let value = self.binary(Binary::Add, x, y, ty);
                return self.define(inst, value);
            }
        };
        let value = self.call_with(name, &[operand], ty, Effects::CONVERGENT);
        self.define(inst, value)
    }
}
