//! Booleans: uniform ones in general registers, varying ones in `k` registers or vectors of ones and zeros.
//!
//! A mask of 64-bit elements covers half as many lanes as one of 32-bit elements. Masks of values are always those of 32-bit lanes;
//! comparisons of 64-bit elements narrow, selections widen.

use iced_x86::Code;
use reconverge_ir::Op;
use smallvec::SmallVec;

use super::forms::Shape;
use super::{Emitter, Registers};
use crate::machine::{Class, Condition, Operand, VReg};
use crate::select::value::{ScalarType, Value};

impl Emitter<'_> {
    /// The class of masks for a kind of register.
    pub(super) fn mask_class(&self, shape: Shape) -> Class {
        if shape.is_evex() { Class::Mask } else { Class::Vector }
    }

    /// Tests whether any lane of a mask is set, as a uniform boolean.
    pub fn any(&mut self, mask: &Value) -> Value {
        let Value::Varying(masks) = mask else { return mask.clone() };
        self.test_any(masks);
        Value::Uniform(self.set(Condition::NotEqual))
    }

    /// Tests whether all lanes of a mask are set.
    pub fn all(&mut self, mask: &Value) -> Value {
        let Value::Varying(masks) = mask else { return mask.clone() };
        let condition = self.test_all(masks);
        Value::Uniform(self.set(condition))
    }

    /// Sets flags by a boolean of any kind: the condition holds where any lane is set. The flags are those of the last instruction.
    pub fn any_flags(&mut self, mask: &Value) -> Condition {
        match mask {
            Value::Uniform(register) => {
                self.effect(Code::Test_rm32_r32, [Operand::Use(*register), Operand::Use(*register)]);
            }
            Value::Varying(masks) => self.test_any(masks),
        }
        Condition::NotEqual
    }

    /// The same where all lanes are set.
    pub fn all_flags(&mut self, mask: &Value) -> Condition {
        match mask {
            Value::Uniform(_) => self.any_flags(mask),
            Value::Varying(masks) => self.test_all(masks),
        }
    }

    /// The number of lanes of a mask that are set, as a uniform 32-bit integer.
    pub fn count(&mut self, mask: &Value) -> Value {
        let Value::Varying(masks) = mask else { return mask.clone() };
        let mut total: Option<VReg> = None;
        for &mask in masks {
            let bits = self.lane_bits(mask);
            let count = self.define(Class::General, Code::Popcnt_r32_rm32, [Operand::Use(bits)]);
            total = Some(match total {
                Some(total) => self.update(Code::Add_r32_rm32, total, Operand::Use(count)),
                None => count,
            });
        }
        Value::Uniform(total.expect("invariant: a mask has a register"))
    }

    /// The bits of one mask register, one a lane, in a general register.
    pub fn lane_bits(&mut self, mask: VReg) -> VReg {
        let code = if mask.class == Class::Mask { Code::VEX_Kmovw_r32_kr } else { Code::VEX_Vmovmskps_r32_ymm };
        self.define(Class::General, code, [Operand::Use(mask)])
    }

    /// Sets flags by the mask of one register of elements; of a uniform one by lane 0.
    pub(super) fn element_flags(&mut self, shape: Shape, mask: VReg) -> Condition {
        if !shape.is_uniform() {
            self.test_any(&Registers::from_slice(&[mask]));
            return Condition::NotEqual;
        }
        let boolean = self.first_lane(mask);
        self.any_flags(&Value::Uniform(boolean))
    }

    fn test_any(&mut self, masks: &Registers) {
        let mut union = masks[0];
        for &mask in &masks[1..] {
            union = self.mask_binary(Op::LogicalOr, union, mask);
        }
        let both = [Operand::Use(union), Operand::Use(union)];
        match union.class {
            Class::Mask => self.effect(Code::VEX_Kortestw_kr_kr, both),
            _ => self.effect(Code::VEX_Vptest_ymm_ymmm256, both),
        }
    }

    fn test_all(&mut self, masks: &Registers) -> Condition {
        let mut common = masks[0];
        for &mask in &masks[1..] {
            common = self.mask_binary(Op::LogicalAnd, common, mask);
        }
        if common.class == Class::Mask {
            self.effect(Code::VEX_Kortestw_kr_kr, [Operand::Use(common), Operand::Use(common)]);
            return Condition::Carry;
        }
        let ones = self.function.constant(&[0xff; 32]);
        self.effect(Code::VEX_Vptest_ymm_ymmm256, [Operand::Use(common), Operand::Memory(ones)]);
        Condition::Carry
    }

    /// A mask whose lanes are all like a uniform boolean.
    pub(super) fn broadcast_mask(&mut self, boolean: VReg) -> VReg {
        let all = self.update_alone(Code::Neg_rm32, boolean);
        if self.function.has_avx512 {
            return self.define(Class::Mask, Code::VEX_Kmovw_kr_r32, [Operand::Use(all)]);
        }
        let low = self.define(Class::Vector, Code::VEX_Vmovd_xmm_rm32, [Operand::Use(all)]);
        self.define(Class::Vector, Code::VEX_Vpbroadcastd_ymm_xmmm32, [Operand::Use(low)])
    }

    /// A logical operation on booleans.
    pub fn logical(&mut self, op: Op, a: &Value, b: &Value) -> Option<Value> {
        if !matches!(op, Op::LogicalAnd | Op::LogicalOr | Op::LogicalEqual | Op::LogicalNotEqual) {
            return None;
        }
        if let (&Value::Uniform(a), &Value::Uniform(b)) = (a, b) {
            let code = match op {
                Op::LogicalAnd => Code::And_r32_rm32,
                Op::LogicalOr => Code::Or_r32_rm32,
                _ => Code::Xor_r32_rm32,
            };
            let result = self.update(code, a, Operand::Use(b));
            let is_equal = op == Op::LogicalEqual;
            return Some(Value::Uniform(if is_equal { self.inverted(result) } else { result }));
        }
        let (a, b) = (self.broadcast(ScalarType::Bool, a), self.broadcast(ScalarType::Bool, b));
        let (Value::Varying(a), Value::Varying(b)) = (a, b) else { return None };
        let pairs = a.iter().zip(&b);
        Some(Value::Varying(pairs.map(|(&a, &b)| self.mask_binary(op, a, b)).collect()))
    }

    /// `a` and not `b`: the lanes that are left.
    pub fn without(&mut self, a: &Value, b: &Value) -> Value {
        if let (&Value::Uniform(a), &Value::Uniform(b)) = (a, b) {
            let operands = [Operand::Use(b), Operand::Use(a)];
            return Value::Uniform(self.define(Class::General, Code::VEX_Andn_r32_r32_rm32, operands));
        }
        let (a, b) = (self.broadcast(ScalarType::Bool, a), self.broadcast(ScalarType::Bool, b));
        let (Value::Varying(a), Value::Varying(b)) = (a, b) else { unreachable!("broadcast values vary") };
        let code = match a[0].class {
            Class::Mask => Code::VEX_Kandnw_kr_kr_kr,
            _ => Code::VEX_Vpandn_ymm_ymm_ymmm256,
        };
        let one = |(&a, &b): (&VReg, &VReg)| self.define(a.class, code, [Operand::Use(b), Operand::Use(a)]);
        Value::Varying(a.iter().zip(&b).map(one).collect())
    }

    /// The opposite of a boolean.
    pub fn logical_not(&mut self, a: &Value) -> Value {
        match a {
            Value::Uniform(a) => Value::Uniform(self.inverted(*a)),
            Value::Varying(masks) => Value::Varying(masks.iter().map(|&mask| self.mask_not(mask)).collect()),
        }
    }

    fn inverted(&mut self, boolean: VReg) -> VReg {
        self.update(Code::Xor_rm32_imm8, boolean, Operand::Immediate(1))
    }

    pub(super) fn mask_not(&mut self, mask: VReg) -> VReg {
        match mask.class {
            Class::Mask => self.define(Class::Mask, Code::VEX_Knotw_kr_kr, [Operand::Use(mask)]),
            _ => {
                let ones = self.function.constant(&[0xff; 32]);
                let operands = [Operand::Use(mask), Operand::Memory(ones)];
                self.define(Class::Vector, Code::VEX_Vpxor_ymm_ymm_ymmm256, operands)
            }
        }
    }

    /// A logical operation on two mask registers.
    pub(super) fn mask_binary(&mut self, op: Op, a: VReg, b: VReg) -> VReg {
        let is_mask = a.class == Class::Mask;
        let code = match (op, is_mask) {
            (Op::LogicalAnd, true) => Code::VEX_Kandw_kr_kr_kr,
            (Op::LogicalAnd, false) => Code::VEX_Vpand_ymm_ymm_ymmm256,
            (Op::LogicalOr, true) => Code::VEX_Korw_kr_kr_kr,
            (Op::LogicalOr, false) => Code::VEX_Vpor_ymm_ymm_ymmm256,
            (Op::LogicalEqual, true) => Code::VEX_Kxnorw_kr_kr_kr,
            (Op::LogicalEqual, false) => Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256,
            (_, true) => Code::VEX_Kxorw_kr_kr_kr,
            (_, false) => Code::VEX_Vpxor_ymm_ymm_ymmm256,
        };
        self.define(a.class, code, [Operand::Use(a), Operand::Use(b)])
    }

    /// Masks of 32-bit lanes from masks of 64-bit elements, two for one.
    pub(super) fn narrow_masks(&mut self, masks: &Registers) -> Registers {
        let one = |pair: &[VReg]| match *pair {
            [low, high] if low.class == Class::Mask => {
                self.define(Class::Mask, Code::VEX_Kunpckbw_kr_kr_kr, [Operand::Use(high), Operand::Use(low)])
            }
            [low, high] => self.even_elements(low, high),
            _ => pair[0],
        };
        masks.chunks(2).map(one).collect()
    }

    /// Masks of 64-bit elements from masks of 32-bit lanes. Bits of a `k` register after the elements are anything.
    pub(crate) fn widen_masks(&mut self, masks: &Registers) -> Registers {
        let mut wide = SmallVec::new();
        for &mask in masks {
            if mask.class == Class::Mask {
                let operands = [Operand::Use(mask), Operand::Immediate(8)];
                wide.extend([mask, self.define(Class::Mask, Code::VEX_Kshiftrw_kr_kr_imm8, operands)]);
                continue;
            }
            let operands = [Operand::Use(mask), Operand::Immediate(1)];
            let upper = self.define(Class::Vector, Code::VEX_Vextracti128_xmmm128_ymm_imm8, operands);
            for half in [mask, upper] {
                wide.push(self.define(Class::Vector, Code::VEX_Vpmovsxdq_ymm_xmmm128, [Operand::Use(half)]));
            }
        }
        wide
    }

    /// The low halves of the 64-bit elements of two `ymm` registers.
    pub(super) fn even_elements(&mut self, low: VReg, high: VReg) -> VReg {
        const EVEN_OF_BOTH: i64 = 0b10_00_10_00;
        const SWAP_MIDDLE: i64 = 0b11_01_10_00;
        let operands = [Operand::Use(low), Operand::Use(high), Operand::Immediate(EVEN_OF_BOTH)];
        let mixed = self.define(Class::Vector, Code::VEX_Vshufps_ymm_ymm_ymmm256_imm8, operands);
        let operands = [Operand::Use(mixed), Operand::Immediate(SWAP_MIDDLE)];
        self.define(Class::Vector, Code::VEX_Vpermq_ymm_ymmm256_imm8, operands)
    }
}
