//! Comparisons, as booleans and as flags.

use iced_x86::Code;
use reconverge_ir::Op;

use super::emulate::Order;
use super::lanes::{Lanes, Source};
use super::{Emitter, Registers, size_of};
use crate::machine::{Class, Condition, Operand, VReg};
use crate::select::value::{ScalarType, Value};

/// The vector comparison and the flags condition of a comparison of integers.
fn integer_order(op: Op) -> Option<(Order, Condition)> {
    Some(match op {
        Op::IEqual => (Order::Equal, Condition::Equal),
        Op::INotEqual => (Order::NotEqual, Condition::NotEqual),
        Op::ULessThan => (Order::Unsigned(Order::LESS), Condition::Below),
        Op::ULessThanEqual => (Order::Unsigned(Order::LESS_EQUAL), Condition::BelowEqual),
        Op::UGreaterThan => (Order::Unsigned(Order::GREATER), Condition::Above),
        Op::UGreaterThanEqual => (Order::Unsigned(Order::GREATER_EQUAL), Condition::AboveEqual),
        Op::SLessThan => (Order::Signed(Order::LESS), Condition::Less),
        Op::SLessThanEqual => (Order::Signed(Order::LESS_EQUAL), Condition::LessEqual),
        Op::SGreaterThan => (Order::Signed(Order::GREATER), Condition::Greater),
        Op::SGreaterThanEqual => (Order::Signed(Order::GREATER_EQUAL), Condition::GreaterEqual),
        _ => return None,
    })
}

/// The quiet predicates of `vcmp`.
pub(super) mod predicate {
    pub(in super::super) const EQUAL: i64 = 0x00;
    pub(in super::super) const UNORDERED: i64 = 0x03;
    pub(in super::super) const NOT_EQUAL: i64 = 0x04;
    pub(in super::super) const ORDERED: i64 = 0x07;
    pub(in super::super) const EQUAL_OR_UNORDERED: i64 = 0x08;
    pub(in super::super) const NOT_EQUAL_AND_ORDERED: i64 = 0x0c;
    pub(in super::super) const LESS: i64 = 0x11;
    pub(in super::super) const LESS_EQUAL: i64 = 0x12;
    pub(in super::super) const NOT_LESS: i64 = 0x15;
    pub(in super::super) const NOT_LESS_EQUAL: i64 = 0x16;
    pub(in super::super) const NOT_GREATER_EQUAL: i64 = 0x19;
    pub(in super::super) const NOT_GREATER: i64 = 0x1a;
    pub(in super::super) const GREATER_EQUAL: i64 = 0x1d;
    pub(in super::super) const GREATER: i64 = 0x1e;
}

/// The vector predicate of a comparison of floating-point numbers.
fn float_predicate(op: Op) -> Option<i64> {
    Some(match op {
        Op::FOrdEqual => predicate::EQUAL,
        Op::FUnordEqual => predicate::EQUAL_OR_UNORDERED,
        Op::FOrdNotEqual | Op::LessOrGreater => predicate::NOT_EQUAL_AND_ORDERED,
        Op::FUnordNotEqual => predicate::NOT_EQUAL,
        Op::FOrdLessThan => predicate::LESS,
        Op::FUnordLessThan => predicate::NOT_GREATER_EQUAL,
        Op::FOrdGreaterThan => predicate::GREATER,
        Op::FUnordGreaterThan => predicate::NOT_LESS_EQUAL,
        Op::FOrdLessThanEqual => predicate::LESS_EQUAL,
        Op::FUnordLessThanEqual => predicate::NOT_GREATER,
        Op::FOrdGreaterThanEqual => predicate::GREATER_EQUAL,
        Op::FUnordGreaterThanEqual => predicate::NOT_LESS,
        Op::Ordered => predicate::ORDERED,
        Op::Unordered => predicate::UNORDERED,
        _ => return None,
    })
}

/// The flags of `vucomis` that say the same, and whether its operands change places. What is unordered sets carry, zero and parity;
/// two comparisons need two flags.
fn float_flags(op: Op) -> Option<(Condition, bool)> {
    Some(match op {
        Op::FOrdGreaterThan => (Condition::Above, false),
        Op::FOrdGreaterThanEqual => (Condition::AboveEqual, false),
        Op::FOrdLessThan => (Condition::Above, true),
        Op::FOrdLessThanEqual => (Condition::AboveEqual, true),
        Op::FUnordLessThan => (Condition::Below, false),
        Op::FUnordLessThanEqual => (Condition::BelowEqual, false),
        Op::FUnordGreaterThan => (Condition::Below, true),
        Op::FUnordGreaterThanEqual => (Condition::BelowEqual, true),
        Op::FUnordEqual => (Condition::Equal, false),
        Op::FOrdNotEqual | Op::LessOrGreater => (Condition::NotEqual, false),
        Op::Ordered => (Condition::NoParity, false),
        Op::Unordered => (Condition::Parity, false),
        _ => return None,
    })
}

impl<'a> Emitter<'a> {
    /// A comparison of integers or floating-point numbers.
    pub fn compare(&mut self, op: Op, ty: ScalarType, a: &Value, b: &Value) -> Option<Value> {
        if let (Value::Uniform(_), Value::Uniform(_)) = (a, b) {
            if matches!(op, Op::FOrdEqual | Op::FUnordNotEqual) {
                return self.map_masks(ty, [a, b], |lanes, sources| lanes.comparison(op, ty, sources));
            }
            let condition = self.compare_flags(op, ty, a, b)?;
            return Some(Value::Uniform(self.set(condition)));
        }
        self.map_masks(ty, [a, b], |lanes, sources| lanes.comparison(op, ty, sources))
    }

    /// A comparison in the lanes of a mask; in the others false.
    pub fn compare_within(&mut self, op: Op, ty: ScalarType, operands: [&Value; 2], within: &Value) -> Option<Value> {
        let result = self.compare(op, ty, operands[0], operands[1])?;
        let (Value::Varying(masks), Value::Varying(within_masks)) = (&result, within) else {
            return self.logical(Op::LogicalAnd, within, &result);
        };
        if masks[0].class != Class::Mask || ty.bits() == 64 {
            return self.logical(Op::LogicalAnd, within, &result);
        }
        // Each mask comes from one comparison, which can have a mask itself.
        let insts = &mut self.function.blocks[self.block.0 as usize].insts;
        for (&mask, &within) in masks.iter().zip(within_masks) {
            let inst = insts.iter_mut().rev().find(|inst| inst.operands.first() == Some(&Operand::Def(mask)));
            inst.expect("invariant: the comparison is in this block").mask = Some(within);
        }
        Some(result)
    }

    /// A comparison of uniform values as flags, which are those of the last instruction.
    pub fn compare_flags(&mut self, op: Op, ty: ScalarType, a: &Value, b: &Value) -> Option<Condition> {
        let (&Value::Uniform(first), &Value::Uniform(second)) = (a, b) else { return None };
        match ty {
            ScalarType::Int(bits) => {
                let (order, condition) = integer_order(op)?;
                self.compare_general(bits, order.signedness(), first, second);
                Some(condition)
            }
            ScalarType::Float(bits) => match float_flags(op) {
                Some((condition, is_swapped)) => {
                    let (first, second) = if is_swapped { (second, first) } else { (first, second) };
                    self.compare_float(bits, first, second);
                    Some(condition)
                }
                None => {
                    let boolean = self.compare(op, ty, a, b)?;
                    Some(self.any_flags(&boolean))
                }
            },
            ScalarType::Bool => None,
        }
    }

    fn compare_float(&mut self, bits: u32, a: VReg, b: VReg) {
        let code = match (bits == 64, self.function.has_avx512) {
            (false, false) => Code::VEX_Vucomiss_xmm_xmmm32,
            (false, true) => Code::EVEX_Vucomiss_xmm_xmmm32_sae,
            (true, false) => Code::VEX_Vucomisd_xmm_xmmm64,
            (true, true) => Code::EVEX_Vucomisd_xmm_xmmm64_sae,
        };
        let second = match self.constants.get(&b) {
            Some(constant) => {
                let size = if bits == 64 { 8 } else { 4 };
                Operand::Memory(self.function.constant(&constant.to_le_bytes()[..size]))
            }
            None => Operand::Use(b),
        };
        self.effect(code, [Operand::Use(a), second]);
    }

    /// Tests the class of a floating-point number.
    pub fn classify(&mut self, op: Op, ty: ScalarType, a: &Value) -> Option<Value> {
        let ScalarType::Float(bits) = ty else { return None };
        self.map_masks(ty, [a], |lanes, [a]| {
            let a = lanes.register(a);
            let infinity = lanes.float(f64::INFINITY);
            let magnitude = if op == Op::IsNan { a } else { lanes.magnitude(a) };
            Some(match op {
                Op::IsNan => lanes.float_compare(predicate::UNORDERED, a, a),
                Op::IsInf => lanes.float_compare(predicate::EQUAL, magnitude, infinity),
                Op::IsFinite => lanes.float_compare(predicate::LESS, magnitude, infinity),
                Op::IsNormal => {
                    let least = lanes.float(match bits {
                        16 => 2f64.powi(-14),
                        32 => f64::from(f32::MIN_POSITIVE),
                        _ => f64::MIN_POSITIVE,
                    });
                    let is_finite = lanes.float_compare(predicate::LESS, magnitude, infinity);
                    let is_great = lanes.float_compare(predicate::GREATER_EQUAL, magnitude, least);
                    lanes.both(is_finite, is_great)
                }
                Op::SignBitSet => lanes.compare(Order::Signed(Order::LESS), a.into(), Source::Constant(0)),
                _ => return None,
            })
        })
    }

    /// A boolean from a mask for each register of the operands; of uniform operands from lane 0.
    fn map_masks<const N: usize>(
        &mut self,
        ty: ScalarType,
        operands: [&Value; N],
        mut comparison: impl FnMut(&mut Lanes<'_, 'a>, [Source; N]) -> Option<VReg>,
    ) -> Option<Value> {
        let (shape, count) = self.shape_of(ty, &operands);
        let prepared = operands.map(|operand| self.prepare(ty, operand, shape));
        let mut masks = Registers::new();
        for index in 0..count {
            let sources = std::array::from_fn(|operand| prepared[operand].at(index));
            masks.push(comparison(&mut self.lanes(shape, size_of(ty)), sources)?);
        }
        if shape.is_uniform() {
            return Some(Value::Uniform(self.first_lane(masks[0])));
        }
        Some(Value::Varying(if ty.bits() == 64 { self.narrow_masks(&masks) } else { masks }))
    }

    /// Lane 0 of a mask as a uniform boolean.
    pub(super) fn first_lane(&mut self, mask: VReg) -> VReg {
        let code = if mask.class == Class::Mask { Code::VEX_Kmovw_r32_kr } else { Code::VEX_Vmovd_rm32_xmm };
        let bits = self.define(Class::General, code, [Operand::Use(mask)]);
        self.update(Code::And_rm32_imm8, bits, Operand::Immediate(1))
    }
}

impl Lanes<'_, '_> {
    fn comparison(&mut self, op: Op, ty: ScalarType, [a, b]: [Source; 2]) -> Option<VReg> {
        match ty {
            ScalarType::Bool => None,
            ScalarType::Float(_) => Some(self.float_compare(float_predicate(op)?, a, b)),
            ScalarType::Int(bits) => {
                let (order, _) = integer_order(op)?;
                let signedness = order.signedness();
                let (a, b) = (self.extended(signedness, bits, a), self.extended(signedness, bits, b));
                Some(self.compare(order, a, b))
            }
        }
    }
}
