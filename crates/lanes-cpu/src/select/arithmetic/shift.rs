//! Shifts. An amount of the width or more gives any result; no bits are left above the width.

use iced_x86::Code;
use reconverge_ir::Op;

use super::Emitter;
use super::general::{Pair, code};
use super::lanes::{Lanes, Source};
use crate::machine::{Class, Operand, VReg};
use crate::select::value::{ScalarType, Value};

/// The forms of a shift of a general register: by a register, by an immediate.
fn general_forms(op: Op) -> (Pair, Pair) {
    match op {
        Op::ShiftLeftLogical => {
            ([Code::VEX_Shlx_r32_rm32_r32, Code::VEX_Shlx_r64_rm64_r64], [Code::Shl_rm32_imm8, Code::Shl_rm64_imm8])
        }
        Op::ShiftRightLogical => {
            ([Code::VEX_Shrx_r32_rm32_r32, Code::VEX_Shrx_r64_rm64_r64], [Code::Shr_rm32_imm8, Code::Shr_rm64_imm8])
        }
        _ => ([Code::VEX_Sarx_r32_rm32_r32, Code::VEX_Sarx_r64_rm64_r64], [Code::Sar_rm32_imm8, Code::Sar_rm64_imm8]),
    }
}

impl Emitter<'_> {
    /// A shift by an amount of the same type.
    pub(super) fn shift(&mut self, op: Op, bits: u32, a: &Value, amount: &Value) -> Option<Value> {
        if let (&Value::Uniform(a), &Value::Uniform(amount)) = (a, amount) {
            return Some(Value::Uniform(self.shift_general(op, bits, a, amount)));
        }
        self.map(ScalarType::Int(bits), [a, amount], |lanes, [a, amount]| Some(lanes.shift(op, bits, a, amount)))
    }

    fn shift_general(&mut self, op: Op, bits: u32, a: VReg, amount: VReg) -> VReg {
        let (by_register, by_immediate) = general_forms(op);
        let a = if op == Op::ShiftRightArithmetic { self.signed(bits, a) } else { a };
        let shifted = match self.immediate(bits, amount) {
            Some(amount) => {
                let amount = amount & i64::from(bits.max(32) - 1);
                self.update(code(by_immediate, bits), a, Operand::Immediate(amount))
            }
            None => {
                let operands = [Operand::Use(a), Operand::Use(amount)];
                self.define(Class::General, code(by_register, bits), operands)
            }
        };
        if op == Op::ShiftRightLogical { shifted } else { self.cut(bits, shifted) }
    }
}

impl Lanes<'_, '_> {
    fn shift(&mut self, op: Op, bits: u32, a: Source, amount: Source) -> VReg {
        let a = if op == Op::ShiftRightArithmetic { self.signed(bits, a) } else { a };
        let shifted = match (op, amount) {
            (_, Source::Constant(amount)) => self.shift_by_constant(op, a, amount as u32 & (self.bits() - 1)),
            (Op::ShiftLeftLogical, _) => self.shift_left(a, amount),
            (Op::ShiftRightLogical, _) => self.shift_right(a, amount),
            _ => self.shift_right_signed(a, amount),
        };
        if op == Op::ShiftRightLogical { shifted } else { self.cut(bits, shifted) }
    }

    fn shift_by_constant(&mut self, op: Op, a: Source, amount: u32) -> VReg {
        match op {
            Op::ShiftLeftLogical => self.shifted_left(a, amount),
            Op::ShiftRightLogical => self.shifted_right(a, amount),
            _ => self.shifted_right_signed(a, amount),
        }
    }
}
