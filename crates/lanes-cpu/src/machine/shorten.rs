//! Shorter forms of an instruction that do the same: an immediate of one byte, and `test r, r` for `cmp r, 0`.
//!
//! Selection and allocation know one form of each operation. Which one is short depends on the number and on where the operand is.

use iced_x86::{Code, Instruction, OpKind};

/// Takes the shortest form of an instruction.
pub(super) fn shorten(instruction: &mut Instruction) {
    let last = instruction.op_count().saturating_sub(1);
    let kind = match instruction.try_op_kind(last) {
        Ok(OpKind::Immediate32) => OpKind::Immediate8to32,
        Ok(OpKind::Immediate32to64) => OpKind::Immediate8to64,
        _ => return,
    };
    let value = i64::from(instruction.immediate32().cast_signed());
    if value == 0 && instruction.op0_kind() == OpKind::Register {
        let test = match instruction.code() {
            Code::Cmp_rm32_imm32 => Code::Test_rm32_r32,
            Code::Cmp_rm64_imm32 => Code::Test_rm64_r64,
            _ => Code::INVALID,
        };
        if test != Code::INVALID {
            instruction.set_code(test);
            instruction.set_op1_kind(OpKind::Register);
            instruction.set_op1_register(instruction.op0_register());
            return;
        }
    }
    if let (Ok(value), Some(code)) = (i8::try_from(value), with_byte(instruction.code())) {
        instruction.set_code(code);
        instruction.set_op_kind(last, kind);
        instruction.set_immediate_i64(last, value.into());
    }
}

/// The form whose immediate is a sign-extended byte.
fn with_byte(code: Code) -> Option<Code> {
    Some(match code {
        Code::Add_rm32_imm32 => Code::Add_rm32_imm8,
        Code::Add_rm64_imm32 => Code::Add_rm64_imm8,
        Code::Sub_rm32_imm32 => Code::Sub_rm32_imm8,
        Code::Sub_rm64_imm32 => Code::Sub_rm64_imm8,
        Code::And_rm32_imm32 => Code::And_rm32_imm8,
        Code::And_rm64_imm32 => Code::And_rm64_imm8,
        Code::Or_rm32_imm32 => Code::Or_rm32_imm8,
        Code::Or_rm64_imm32 => Code::Or_rm64_imm8,
        Code::Xor_rm32_imm32 => Code::Xor_rm32_imm8,
        Code::Xor_rm64_imm32 => Code::Xor_rm64_imm8,
        Code::Cmp_rm32_imm32 => Code::Cmp_rm32_imm8,
        Code::Cmp_rm64_imm32 => Code::Cmp_rm64_imm8,
        Code::Imul_r32_rm32_imm32 => Code::Imul_r32_rm32_imm8,
        Code::Imul_r64_rm64_imm32 => Code::Imul_r64_rm64_imm8,
        _ => return None,
    })
}
