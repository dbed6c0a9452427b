//! Instructions without a group of their own: what ends or demotes a lane, derivatives, lengths of arrays.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::Body;
use crate::syntax::{Effects, Scalar};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A terminator besides branches and returns. `discard` lets the lane go on as a helper, so a `return` follows.
    pub(in crate::lower) fn wgsl_special_terminator(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::Kill | Op::TerminateInvocation => {
                self.keyword("discard");
                self.leave_anyhow(inst)
            }
            _ => self.unknown(inst),
        }
    }

    /// Any other instruction.
    pub(in crate::lower) fn wgsl_special(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::DemoteToHelperInvocation => {
                self.keyword("discard");
                Ok(())
            }
            Op::AssumeTrueKHR => Ok(()),
            _ => match self.number_op(inst)? {
                true => Ok(()),
                false => self.unknown(inst),
            },
        }
    }

    /// A derivative.
    pub(in crate::lower) fn wgsl_derivative(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let name = match self.source.op(inst) {
            Op::DPdx => "dpdx",
            Op::DPdy => "dpdy",
            Op::Fwidth => "fwidth",
            Op::DPdxFine => "dpdxFine",
            Op::DPdyFine => "dpdyFine",
            Op::FwidthFine => "fwidthFine",
            Op::DPdxCoarse => "dpdxCoarse",
            Op::DPdyCoarse => "dpdyCoarse",
            Op::FwidthCoarse => "fwidthCoarse",
            _ => return self.unknown(inst),
        };
        let ty = self.cx.type_of(inst)?;
        let operand = self.value(self.source.operand(inst, 0))?;
        if !self.has_fragments() {
            return self.refuse(WriteCode::Op, inst, "a derivative in another shader than a fragment shader, in WGSL");
        }
        if self.numbers_of(operand).scalar != Scalar::FLOAT {
            return self.refuse(WriteCode::Op, inst, "a derivative of numbers of 16 bits in WGSL");
        }
        let value = self.call_with(name, &[operand], ty, Effects::CONVERGENT);
        self.define(inst, value)
    }

    /// Returns whether an entry point is a fragment shader, which alone has derivatives.
    pub(super) fn has_fragments(&self) -> bool {
        self.cx.entries.iter().any(|entry| entry.model == spirv::ExecutionModel::Fragment)
    }

    /// The length of the array at the end of a buffer.
    pub(in crate::lower) fn wgsl_array_length(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::ArrayLength { structure, member }) = view::ArrayLength::of(self.source, inst) else {
            return self.unknown(inst);
        };
        let mut base = structure;
        while self.source.op(base) == Op::CopyObject {
            base = self.source.operand(base, 0);
        }
        let array = match self.cx.globals.get(&base).cloned() {
            Some(super::super::Place::Members(members)) => match members[..] {
                [Some(global)] => self.cx.global(global),
                _ => return self.unknown(inst),
            },
            _ => {
                let whole = self.place(base)?;
                let Some(block) = self.source.pointee(base) else { return self.unknown(inst) };
                let member = self.cx.member_place(block, member);
                self.member(whole, member, inst)?
            }
        };
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let length = self.call("arrayLength", &[array], word);
        let length = self.as_result(inst, length)?;
        self.define(inst, length)
    }
}
