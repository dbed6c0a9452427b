//! Physical registers: how the allocator, the forms of instructions and `iced-x86` name them.
//!
//! | class | allocator | registers |
//! |---|---|---|
//! | `General` | `Int` | `rax` … `r15` without `rsp` and `rbp` |
//! | `Vector` | `Float` | 32 with AVX-512, else 16 |
//! | `Mask` | `Vector` | `k1` … `k7`: `k0` as a mask means "no mask" |

use super::{Class, MachineFunction};
use iced_x86::{OpCodeOperandKind, Register};
use regalloc2::{MachineEnv, PReg, PRegSet, RegClass};

/// The class that the allocator knows.
pub(super) fn allocator_class(class: Class) -> RegClass {
    match class {
        Class::General => RegClass::Int,
        Class::Vector => RegClass::Float,
        Class::Mask => RegClass::Vector,
    }
}

/// The registers that the allocator may use for a function. Low general registers come first: many forms are shorter with them.
pub(super) fn environment(function: &MachineFunction) -> MachineEnv {
    let set = |class, numbers: std::ops::Range<usize>| -> PRegSet {
        numbers.map(|number| PReg::new(number, class)).collect()
    };
    let mut low = set(RegClass::Int, 0..8);
    low.remove(physical(Register::RSP));
    low.remove(physical(Register::RBP));
    let vectors = set(RegClass::Float, 0..if function.has_avx512 { 32 } else { 16 });
    let masks = if function.has_avx512 { set(RegClass::Vector, 1..8) } else { PRegSet::empty() };
    MachineEnv {
        preferred_regs_by_class: [low, vectors, masks],
        non_preferred_regs_by_class: [set(RegClass::Int, 8..16), PRegSet::empty(), PRegSet::empty()],
        scratch_by_class: [None; 3],
        fixed_stack_slots: Vec::new(),
    }
}

/// The physical register of which a named register is a part.
pub(super) fn physical(register: Register) -> PReg {
    let families = [
        (Register::RAX, Register::R15, RegClass::Int),
        (Register::EAX, Register::R15D, RegClass::Int),
        (Register::AX, Register::R15W, RegClass::Int),
        (Register::AL, Register::BL, RegClass::Int),
        (Register::K0, Register::K7, RegClass::Vector),
        (Register::XMM0, Register::XMM31, RegClass::Float),
        (Register::YMM0, Register::YMM31, RegClass::Float),
        (Register::ZMM0, Register::ZMM31, RegClass::Float),
    ];
    let (first, _, class) = families
        .into_iter()
        .find(|(first, last, _)| (*first..=*last).contains(&register))
        .expect("invariant: implicit operands are general, vector or mask registers");
    PReg::new(register as usize - first as usize, class)
}

/// The register that the operand of a form names by itself, as `cl` in `shl r/m32, cl`.
pub(super) fn fixed_register(kind: OpCodeOperandKind) -> Option<Register> {
    match kind {
        OpCodeOperandKind::al => Some(Register::AL),
        OpCodeOperandKind::cl => Some(Register::CL),
        OpCodeOperandKind::ax => Some(Register::AX),
        OpCodeOperandKind::dx => Some(Register::DX),
        OpCodeOperandKind::eax => Some(Register::EAX),
        OpCodeOperandKind::rax => Some(Register::RAX),
        _ => None,
    }
}

/// Returns whether an operand of a form is a register or memory.
pub(super) fn is_register_or_memory(kind: OpCodeOperandKind) -> bool {
    use OpCodeOperandKind as Kind;
    matches!(
        kind,
        Kind::r8_or_mem
            | Kind::r16_or_mem
            | Kind::r32_or_mem
            | Kind::r64_or_mem
            | Kind::xmm_or_mem
            | Kind::ymm_or_mem
            | Kind::zmm_or_mem
            | Kind::k_or_mem
    )
}

/// The name of a register in an operand of a form: how wide it is follows from the form. `None` if the operand is no register.
pub(super) fn named(kind: OpCodeOperandKind, number: u32) -> Option<Register> {
    use OpCodeOperandKind as Kind;
    Some(match kind {
        Kind::r8_or_mem | Kind::r8_reg | Kind::r8_opcode if number < 4 => Register::AL + number,
        Kind::r8_or_mem | Kind::r8_reg | Kind::r8_opcode => Register::SPL + (number - 4),
        Kind::r16_or_mem | Kind::r16_reg | Kind::r16_reg_mem | Kind::r16_rm | Kind::r16_opcode => Register::AX + number,
        Kind::r32_or_mem | Kind::r32_reg | Kind::r32_reg_mem | Kind::r32_rm | Kind::r32_opcode | Kind::r32_vvvv => {
            Register::EAX + number
        }
        Kind::r64_or_mem | Kind::r64_reg | Kind::r64_reg_mem | Kind::r64_rm | Kind::r64_opcode | Kind::r64_vvvv => {
            Register::RAX + number
        }
        Kind::k_or_mem | Kind::k_reg | Kind::kp1_reg | Kind::k_rm | Kind::k_vvvv => Register::K0 + number,
        Kind::xmm_or_mem | Kind::xmm_reg | Kind::xmm_rm | Kind::xmm_vvvv | Kind::xmm_is4 => Register::XMM0 + number,
        Kind::ymm_or_mem | Kind::ymm_reg | Kind::ymm_rm | Kind::ymm_vvvv | Kind::ymm_is4 => Register::YMM0 + number,
        Kind::zmm_or_mem | Kind::zmm_reg | Kind::zmm_rm | Kind::zmm_vvvv => Register::ZMM0 + number,
        _ => return None,
    })
}

/// The name of the index of an address in a form.
pub(super) fn index_named(kind: OpCodeOperandKind, number: u32) -> Register {
    use OpCodeOperandKind as Kind;
    match kind {
        Kind::mem_vsib32x | Kind::mem_vsib64x => Register::XMM0 + number,
        Kind::mem_vsib32y | Kind::mem_vsib64y => Register::YMM0 + number,
        Kind::mem_vsib32z | Kind::mem_vsib64z => Register::ZMM0 + number,
        _ => Register::RAX + number,
    }
}
