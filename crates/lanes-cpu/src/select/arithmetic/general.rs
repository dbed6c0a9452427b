//! Operations on one general register: uniform integers, which are zero-extended to 64 bits.
//!
//! Additions and the like are done in 32 bits for narrower integers, and cut; what depends on the sign is sign-extended before.

use iced_x86::{Code, Register};
use reconverge_ir::Signedness;

use super::Emitter;
use super::forms::Shape;
use crate::machine::{Class, Condition, Implicit, Inst, Operand, VReg};
use crate::select::value::{ScalarType, Value};

/// A code for 32 bits and fewer, and one for 64.
pub(super) type Pair = [Code; 2];

/// The code for integers of that many bits.
pub(in crate::select) fn code(pair: Pair, bits: u32) -> Code {
    pair[usize::from(bits == 64)]
}

impl Emitter<'_> {
    /// Adds an instruction that sets flags or memory.
    pub(super) fn effect(&mut self, code: Code, operands: impl IntoIterator<Item = Operand>) {
        self.push(Inst::new(code, operands).with_effect());
    }

    /// An instruction that reads and writes its first operand.
    pub(crate) fn update(&mut self, code: Code, from: VReg, second: Operand) -> VReg {
        let to = self.function.register(from.class);
        self.push(Inst::new(code, [Operand::Update { from, to }, second]));
        to
    }

    /// An instruction that reads and writes its only operand.
    pub(super) fn update_alone(&mut self, code: Code, from: VReg) -> VReg {
        let to = self.function.register(from.class);
        self.push(Inst::new(code, [Operand::Update { from, to }]));
        to
    }

    /// A constant in a general register.
    pub(super) fn general_constant(&mut self, bits: u64) -> VReg {
        let code = if bits >> 32 == 0 { Code::Mov_r32_imm32 } else { Code::Mov_r64_imm64 };
        let immediate = if bits >> 32 == 0 { i64::from(bits as u32) } else { bits.cast_signed() };
        self.define(Class::General, code, [Operand::Immediate(immediate)])
    }

    /// The immediate of a constant where an instruction of that many bits can have it.
    pub(super) fn immediate(&self, bits: u32, register: VReg) -> Option<i64> {
        let value = *self.constants.get(&register)?;
        match bits {
            64 => i32::try_from(value.cast_signed()).ok().map(i64::from),
            _ => Some(i64::from((value as u32).cast_signed())),
        }
    }

    /// An instruction of two operands, of which the second may be an immediate.
    pub(super) fn two(&mut self, forms: (Pair, Pair), bits: u32, a: VReg, b: VReg) -> VReg {
        match self.immediate(bits, b) {
            Some(immediate) => {
                let result = self.update(code(forms.1, bits), a, Operand::Immediate(immediate));
                if forms.1[0] == Code::And_rm32_imm32 && immediate >= 0 {
                    self.small.insert(result);
                }
                result
            }
            None => self.update(code(forms.0, bits), a, Operand::Use(b)),
        }
    }

    /// Zero-extended from its width: what operations in 32 bits leave of a narrower integer.
    pub(super) fn cut(&mut self, bits: u32, register: VReg) -> VReg {
        let code = match bits {
            8 => Code::Movzx_r32_rm8,
            16 => Code::Movzx_r32_rm16,
            _ => return register,
        };
        let result = self.define(Class::General, code, [Operand::Use(register)]);
        self.small.insert(result);
        result
    }

    /// Notes that a uniform integer is below 2³¹.
    pub(crate) fn note_small(&mut self, value: &Value) {
        self.small.extend(value.uniform());
    }

    /// Returns whether a uniform integer is known to be below 2³¹.
    pub(crate) fn is_small(&self, value: &Value) -> bool {
        value.uniform().is_some_and(|register| self.small.contains(&register))
    }

    /// Sign-extended from 32 to 64 bits.
    pub(crate) fn extended_index(&mut self, register: VReg) -> VReg {
        if self.small.contains(&register) {
            return register;
        }
        self.define(Class::General, Code::Movsxd_r64_rm32, [Operand::Use(register)])
    }

    /// Sign-extended to 32 bits, of 64 bits as it is.
    pub(super) fn signed(&mut self, bits: u32, register: VReg) -> VReg {
        match bits {
            8 => self.define(Class::General, Code::Movsx_r32_rm8, [Operand::Use(register)]),
            16 => self.define(Class::General, Code::Movsx_r32_rm16, [Operand::Use(register)]),
            _ => register,
        }
    }

    /// The number of the highest one; of zero minus one.
    pub(super) fn highest_bit_general(&mut self, bits: u32, a: VReg) -> VReg {
        let zeros = code([Code::Lzcnt_r32_rm32, Code::Lzcnt_r64_rm64], bits);
        let zeros = self.define(Class::General, zeros, [Operand::Use(a)]);
        let last = self.general_constant(u64::from(bits.max(32)) - 1);
        let highest = self.update(code([Code::Sub_r32_rm32, Code::Sub_r64_rm64], bits), last, Operand::Use(zeros));
        self.cut(bits, highest)
    }

    /// Sets flags by a comparison of two integers, signed ones sign-extended before.
    pub(super) fn compare_general(&mut self, bits: u32, signedness: Signedness, a: VReg, b: VReg) {
        let is_extended = signedness == Signedness::Signed && bits < 32;
        if let (Some(immediate), false) = (self.immediate(bits, b), is_extended) {
            let form = code([Code::Cmp_rm32_imm32, Code::Cmp_rm64_imm32], bits);
            return self.effect(form, [Operand::Use(a), Operand::Immediate(immediate)]);
        }
        let [a, b] = if is_extended { [a, b].map(|register| self.signed(bits, register)) } else { [a, b] };
        let form = code([Code::Cmp_r32_rm32, Code::Cmp_r64_rm64], bits);
        self.effect(form, [Operand::Use(a), Operand::Use(b)]);
    }

    /// 1 if the condition holds, else 0.
    pub(super) fn set(&mut self, condition: Condition) -> VReg {
        let code = match condition {
            Condition::Equal => Code::Sete_rm8,
            Condition::NotEqual => Code::Setne_rm8,
            Condition::Below => Code::Setb_rm8,
            Condition::BelowEqual => Code::Setbe_rm8,
            Condition::Above => Code::Seta_rm8,
            Condition::AboveEqual => Code::Setae_rm8,
            Condition::Less => Code::Setl_rm8,
            Condition::LessEqual => Code::Setle_rm8,
            Condition::Greater => Code::Setg_rm8,
            Condition::GreaterEqual => Code::Setge_rm8,
            Condition::Parity => Code::Setp_rm8,
            Condition::NoParity => Code::Setnp_rm8,
            Condition::Carry => Code::Setb_rm8,
        };
        let byte = self.define(Class::General, code, []);
        self.define(Class::General, Code::Movzx_r32_rm8, [Operand::Use(byte)])
    }

    /// `if_true` if the condition holds by the flags as they are, else `if_false`.
    pub(crate) fn choose(&mut self, condition: Condition, if_true: VReg, if_false: VReg) -> VReg {
        let code = match condition {
            Condition::Equal => Code::Cmove_r64_rm64,
            Condition::NotEqual => Code::Cmovne_r64_rm64,
            Condition::Below | Condition::Carry => Code::Cmovb_r64_rm64,
            Condition::BelowEqual => Code::Cmovbe_r64_rm64,
            Condition::Above => Code::Cmova_r64_rm64,
            Condition::AboveEqual => Code::Cmovae_r64_rm64,
            Condition::Less => Code::Cmovl_r64_rm64,
            Condition::LessEqual => Code::Cmovle_r64_rm64,
            Condition::Greater => Code::Cmovg_r64_rm64,
            Condition::GreaterEqual => Code::Cmovge_r64_rm64,
            Condition::Parity => Code::Cmovp_r64_rm64,
            Condition::NoParity => Code::Cmovnp_r64_rm64,
        };
        self.update(code, if_false, Operand::Use(if_true))
    }

    /// The bits of a general register as a uniform value of a type.
    pub(crate) fn of_general_bits(&mut self, ty: ScalarType, register: VReg) -> Value {
        match ty {
            ScalarType::Float(_) => Value::Uniform(self.in_vector(ty, register)),
            _ => Value::Uniform(register),
        }
    }

    /// The bits of a uniform value in a general register.
    pub(crate) fn general_bits(&mut self, ty: ScalarType, value: &Value) -> Option<VReg> {
        let register = value.uniform()?;
        Some(if matches!(ty, ScalarType::Float(_)) { self.in_general(ty, register) } else { register })
    }

    /// A uniform integer in lane 0 of a vector register.
    pub(super) fn in_vector(&mut self, ty: ScalarType, register: VReg) -> VReg {
        let code = match (ty.bits() == 64, self.function.has_avx512) {
            (false, false) => Code::VEX_Vmovd_xmm_rm32,
            (false, true) => Code::EVEX_Vmovd_xmm_rm32,
            (true, false) => Code::VEX_Vmovq_xmm_rm64,
            (true, true) => Code::EVEX_Vmovq_xmm_rm64,
        };
        self.define(Class::Vector, code, [Operand::Use(register)])
    }

    /// Lane 0 of a vector register as a uniform integer.
    pub(super) fn in_general(&mut self, ty: ScalarType, register: VReg) -> VReg {
        let code = match (ty.bits() == 64, self.function.has_avx512) {
            (false, false) => Code::VEX_Vmovd_rm32_xmm,
            (false, true) => Code::EVEX_Vmovd_rm32_xmm,
            (true, false) => Code::VEX_Vmovq_rm64_xmm,
            (true, true) => Code::EVEX_Vmovq_rm64_xmm,
        };
        self.define(Class::General, code, [Operand::Use(register)])
    }

    /// Lane 0 of a number. A boolean stays as it is.
    pub(in crate::select) fn lane_zero(&mut self, ty: ScalarType, value: Value) -> Value {
        match (ty, &value) {
            (ScalarType::Int(_), Value::Varying(registers)) => Value::Uniform(self.in_general(ty, registers[0])),
            (ScalarType::Float(_), Value::Varying(registers)) => Value::Uniform(registers[0]),
            _ => value,
        }
    }

    /// A uniform number in every element of a vector.
    pub(super) fn broadcast_register(&mut self, ty: ScalarType, register: VReg) -> VReg {
        let is_quad = ty.bits() == 64;
        if self.varying_shape() == Shape::EvexZmm {
            let code = match (is_quad, register.class) {
                (false, Class::General) => Code::EVEX_Vpbroadcastd_zmm_k1z_r32,
                (true, Class::General) => Code::EVEX_Vpbroadcastq_zmm_k1z_r64,
                (false, _) => Code::EVEX_Vbroadcastss_zmm_k1z_xmmm32,
                (true, _) => Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64,
            };
            return self.define(Class::Vector, code, [Operand::Use(register)]);
        }
        let lane = if register.class == Class::General { self.in_vector(ty, register) } else { register };
        let code = if is_quad { Code::VEX_Vpbroadcastq_ymm_xmmm64 } else { Code::VEX_Vpbroadcastd_ymm_xmmm32 };
        self.define(Class::Vector, code, [Operand::Use(lane)])
    }

    /// Both halves of a product of 64 bits, unsigned or signed: low and high.
    pub(super) fn wide_product(&mut self, signedness: Signedness, a: VReg, b: VReg) -> [VReg; 2] {
        let [low, high] = [(); 2].map(|()| self.function.register(Class::General));
        let code = match signedness {
            Signedness::Signed => Code::Imul_rm64,
            Signedness::Unsigned => Code::Mul_rm64,
        };
        let inst = Inst::new(code, [Operand::Use(b)])
            .with_implicit(Implicit::Use(a, Register::RAX))
            .with_implicit(Implicit::Def(low, Register::RAX))
            .with_implicit(Implicit::Def(high, Register::RDX));
        self.push(inst);
        [low, high]
    }

    /// The two results of a division, quotient and remainder, of a divisor that is not zero and a quotient that fits.
    pub(super) fn wide_quotient(&mut self, signedness: Signedness, bits: u32, a: VReg, b: VReg) -> [VReg; 2] {
        let high = match (signedness, bits) {
            (Signedness::Unsigned, _) => self.general_constant(0),
            (Signedness::Signed, 64) => self.update(Code::Sar_rm64_imm8, a, Operand::Immediate(63)),
            (Signedness::Signed, _) => self.update(Code::Sar_rm32_imm8, a, Operand::Immediate(31)),
        };
        let form = match signedness {
            Signedness::Unsigned => [Code::Div_rm32, Code::Div_rm64],
            Signedness::Signed => [Code::Idiv_rm32, Code::Idiv_rm64],
        };
        let [quotient, remainder] = [(); 2].map(|()| self.function.register(Class::General));
        let inst = Inst::new(code(form, bits), [Operand::Use(b)])
            .with_implicit(Implicit::Use(a, Register::RAX))
            .with_implicit(Implicit::Use(high, Register::RDX))
            .with_implicit(Implicit::Def(quotient, Register::RAX))
            .with_implicit(Implicit::Def(remainder, Register::RDX));
        self.push(inst);
        [quotient, remainder]
    }

    /// `if_true` or `if_false` by a uniform boolean.
    pub(super) fn select_general(&mut self, condition: VReg, if_true: VReg, if_false: VReg) -> Value {
        self.effect(Code::Test_rm32_r32, [Operand::Use(condition), Operand::Use(condition)]);
        Value::Uniform(self.choose(Condition::NotEqual, if_true, if_false))
    }
}
