//! Instructions with physical registers, as `iced-x86` encodes them.

use reconverge_diagnostic::Diagnostic;

use super::constraints::{given_kinds, is_given_by_form};
use super::op_codes::Form;
use super::registers::{fixed_register, index_named, named};
use super::shorten::shorten;
use super::{Address, Base, Inst, Operand};
use crate::error::not_encoded;
use iced_x86::{Code, Instruction, OpCodeOperandKind, OpKind, Register};
use regalloc2::{Allocation, RegClass};

/// The offsets of the parts of a frame. Constants begin where the image does.
#[derive(Clone, Copy)]
pub(super) struct Places {
    /// The offset of the spill slots in the frame.
    pub(super) slots: i32,
    /// True if vectors have 64 bytes.
    pub(super) has_avx512: bool,
}

/// Takes the registers of an instruction in the order in which [`super::constraints`] lists its operands.
struct Registers<'a> {
    allocations: std::slice::Iter<'a, Allocation>,
}

impl Registers<'_> {
    fn next(&mut self) -> Allocation {
        *self.allocations.next().expect("invariant: one allocation an operand")
    }

    fn next_number(&mut self) -> u32 {
        self.next().as_reg().expect("invariant: the operand must be in a register").hw_enc() as u32
    }
}

impl Places {
    /// The address of a spill slot.
    fn slot(&self, allocation: Allocation) -> i32 {
        let slot = allocation.as_stack().expect("invariant: not a register, hence a slot");
        self.slots + slot.index() as i32 * 8
    }

    /// The instruction with its registers.
    pub(super) fn encode(&self, inst: &Inst, allocations: &[Allocation]) -> Result<Instruction, Diagnostic> {
        let mut registers = Registers { allocations: allocations.iter() };
        let mut instruction = Instruction::default();
        instruction.set_code(inst.code);
        if inst.operands.len() < Form::of(inst.code).kinds.len() {
            self.set_operands_of_form(inst.code, &mut instruction);
        }
        for ((position, kind), operand) in given_kinds(inst).zip(&inst.operands) {
            match operand {
                Operand::Def(_) => set_register(&mut instruction, position, kind, registers.next_number())?,
                Operand::Update { .. } => {
                    registers.next();
                    set_register(&mut instruction, position, kind, registers.next_number())?;
                }
                Operand::Use(_) => {
                    let allocation = registers.next();
                    match allocation.as_reg() {
                        Some(register) => {
                            set_register(&mut instruction, position, kind, register.hw_enc() as u32)?;
                        }
                        None => {
                            instruction.set_op_kind(position, OpKind::Memory);
                            set_frame_address(&mut instruction, self.slot(allocation));
                        }
                    }
                }
                Operand::Memory(address) => {
                    instruction.set_op_kind(position, OpKind::Memory);
                    self.set_address(&mut instruction, address, kind, &mut registers);
                }
                Operand::Immediate(value) => set_immediate(&mut instruction, position, kind, *value)?,
            }
        }
        if inst.mask.is_some() {
            instruction.set_op_mask(Register::K0 + registers.next_number());
            instruction.set_zeroing_masking(inst.is_zeroing);
        }
        if inst.consumed_mask.is_some() {
            registers.next();
            instruction.set_op_mask(Register::K0 + registers.next_number());
        }
        instruction.set_is_broadcast(inst.is_broadcast);
        instruction.set_has_lock_prefix(inst.is_locked);
        shorten(&mut instruction);
        Ok(instruction)
    }

    /// Sets the operands that the form names by itself.
    fn set_operands_of_form(&self, code: Code, instruction: &mut Instruction) {
        for (position, &kind) in (0..).zip(Form::of(code).kinds) {
            if let Some(register) = fixed_register(kind) {
                instruction.set_op_register(position, register);
            } else if is_given_by_form(kind) {
                instruction.set_op_kind(position, OpKind::Immediate8);
                instruction.set_immediate8(1);
            }
        }
    }

    fn set_address(
        &self,
        instruction: &mut Instruction,
        address: &Address,
        kind: OpCodeOperandKind,
        registers: &mut Registers<'_>,
    ) {
        let displacement = i64::from(address.displacement);
        match address.base {
            Base::Register(_) => instruction.set_memory_base(Register::RAX + registers.next_number()),
            Base::Frame => instruction.set_memory_base(Register::RBP),
            Base::Constants => instruction.set_memory_base(Register::RIP),
            Base::None => {}
        }
        if address.index.is_some() {
            instruction.set_memory_index(index_named(kind, registers.next_number()));
            instruction.set_memory_index_scale(u32::from(address.scale));
        }
        instruction.set_memory_displacement64(displacement as u64);
        instruction.set_memory_displ_size(match address.base {
            Base::None | Base::Constants => 8,
            Base::Register(_) | Base::Frame => u32::from(displacement != 0),
        });
    }

    /// A move that the allocator requests; `None` if there is nothing to do.
    pub(super) fn encode_move(&self, from: Allocation, to: Allocation) -> Option<Instruction> {
        if from == to {
            return None;
        }
        let class = from.as_reg().or(to.as_reg()).expect("invariant: no move from slot to slot").class();
        let (load, store) = match (class, self.has_avx512) {
            (RegClass::Int, _) => (Code::Mov_r64_rm64, Code::Mov_rm64_r64),
            (RegClass::Float, true) => (Code::EVEX_Vmovaps_zmm_k1z_zmmm512, Code::EVEX_Vmovaps_zmmm512_k1z_zmm),
            (RegClass::Float, false) => (Code::VEX_Vmovaps_ymm_ymmm256, Code::VEX_Vmovaps_ymmm256_ymm),
            (RegClass::Vector, _) => (Code::VEX_Kmovq_kr_km64, Code::VEX_Kmovq_m64_kr),
        };
        let first = match (class, self.has_avx512) {
            (RegClass::Int, _) => Register::RAX,
            (RegClass::Float, true) => Register::ZMM0,
            (RegClass::Float, false) => Register::YMM0,
            (RegClass::Vector, _) => Register::K0,
        };
        let mut instruction = Instruction::default();
        instruction.set_code(if to.is_reg() { load } else { store });
        for (position, allocation) in [(0, to), (1, from)] {
            match allocation.as_reg() {
                Some(register) => instruction.set_op_register(position, first + register.hw_enc() as u32),
                None => {
                    instruction.set_op_kind(position, OpKind::Memory);
                    set_frame_address(&mut instruction, self.slot(allocation));
                }
            }
        }
        Some(instruction)
    }
}

fn set_frame_address(instruction: &mut Instruction, displacement: i32) {
    instruction.set_memory_base(Register::RBP);
    instruction.set_memory_displacement64(i64::from(displacement) as u64);
    instruction.set_memory_displ_size(1);
}

fn set_register(
    instruction: &mut Instruction,
    position: u32,
    kind: OpCodeOperandKind,
    number: u32,
) -> Result<(), Diagnostic> {
    let register = fixed_register(kind)
        .or_else(|| named(kind, number))
        .ok_or_else(|| not_encoded(format!("operand {position} of {:?} is not a register", instruction.code())))?;
    instruction.set_op_register(position, register);
    Ok(())
}

fn set_immediate(
    instruction: &mut Instruction,
    position: u32,
    kind: OpCodeOperandKind,
    value: i64,
) -> Result<(), Diagnostic> {
    use OpCodeOperandKind as Kind;
    let is_signed_or_unsigned = |bits: u32| (-(1i64 << (bits - 1))..1i64 << bits).contains(&value);
    let (op_kind, fits) = match kind {
        Kind::imm8 | Kind::imm8_const_1 | Kind::imm4_m2z => (OpKind::Immediate8, is_signed_or_unsigned(8)),
        Kind::imm8sex16 => (OpKind::Immediate8to16, i8::try_from(value).is_ok()),
        Kind::imm8sex32 => (OpKind::Immediate8to32, i8::try_from(value).is_ok()),
        Kind::imm8sex64 => (OpKind::Immediate8to64, i8::try_from(value).is_ok()),
        Kind::imm16 => (OpKind::Immediate16, is_signed_or_unsigned(16)),
        Kind::imm32 => (OpKind::Immediate32, is_signed_or_unsigned(32)),
        Kind::imm32sex64 => (OpKind::Immediate32to64, i32::try_from(value).is_ok()),
        Kind::imm64 => (OpKind::Immediate64, true),
        _ => (OpKind::Immediate8, false),
    };
    if !fits {
        let code = instruction.code();
        return Err(not_encoded(format!("operand {position} of {code:?} cannot be the number {value}")));
    }
    instruction.set_op_kind(position, op_kind);
    instruction.set_immediate_i64(position, value);
    Ok(())
}
