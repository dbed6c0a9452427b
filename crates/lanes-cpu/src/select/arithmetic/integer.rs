//! Integer arithmetic that wraps, and the logic of bits.

use iced_x86::Code;
use reconverge_ir::{Op, Signedness};

use super::forms::VectorOp as V;
use super::general::{Pair, code};
use super::lanes::{Lanes, Size, Source};
use super::{Emitter, size_of};
use crate::machine::{Address, Class, Operand, VReg};
use crate::select::value::{ScalarType, Value};

/// The forms of an operation on general registers: the second operand a register or an immediate.
fn general_forms(op: Op) -> Option<(Pair, Pair)> {
    Some(match op {
        Op::IAdd => ([Code::Add_r32_rm32, Code::Add_r64_rm64], [Code::Add_rm32_imm32, Code::Add_rm64_imm32]),
        Op::ISub => ([Code::Sub_r32_rm32, Code::Sub_r64_rm64], [Code::Sub_rm32_imm32, Code::Sub_rm64_imm32]),
        Op::BitwiseAnd => ([Code::And_r32_rm32, Code::And_r64_rm64], [Code::And_rm32_imm32, Code::And_rm64_imm32]),
        Op::BitwiseOr => ([Code::Or_r32_rm32, Code::Or_r64_rm64], [Code::Or_rm32_imm32, Code::Or_rm64_imm32]),
        Op::BitwiseXor => ([Code::Xor_r32_rm32, Code::Xor_r64_rm64], [Code::Xor_rm32_imm32, Code::Xor_rm64_imm32]),
        _ => return None,
    })
}

/// Returns whether a narrow result may have bits above its width.
fn overflows(op: Op) -> bool {
    matches!(op, Op::IAdd | Op::ISub | Op::IMul | Op::SNegate | Op::Not)
}

impl<'a> Emitter<'a> {
    /// An operation of one operand.
    pub fn unary(&mut self, op: Op, ty: ScalarType, a: &Value) -> Option<Value> {
        match (ty, a) {
            (ScalarType::Bool, _) => (op == Op::LogicalNot).then(|| self.logical_not(a)),
            (ScalarType::Float(_), _) if op == Op::FNegate => self.map(ty, [a], |lanes, [a]| {
                let sign = lanes.sign();
                Some(lanes.xor(a, sign))
            }),
            (ScalarType::Int(bits), &Value::Uniform(register)) if matches!(op, Op::SNegate | Op::Not) => {
                let forms =
                    if op == Op::Not { [Code::Not_rm32, Code::Not_rm64] } else { [Code::Neg_rm32, Code::Neg_rm64] };
                let result = self.update_alone(code(forms, bits), register);
                Some(Value::Uniform(self.cut(bits, result)))
            }
            (ScalarType::Int(bits), &Value::Uniform(register)) if op == Op::BitCount => {
                let form = code([Code::Popcnt_r32_rm32, Code::Popcnt_r64_rm64], bits);
                Some(Value::Uniform(self.define(Class::General, form, [Operand::Use(register)])))
            }
            (ScalarType::Int(bits), _) => self.map(ty, [a], |lanes, [a]| lanes.unary(op, bits, a)),
            _ => None,
        }
    }

    /// An operation of two operands of one type.
    pub fn binary(&mut self, op: Op, ty: ScalarType, a: &Value, b: &Value) -> Option<Value> {
        match ty {
            ScalarType::Bool => self.logical(op, a, b),
            ScalarType::Float(bits) => self.float_binary(op, bits, a, b),
            ScalarType::Int(bits) => match op {
                Op::UDiv | Op::SDiv | Op::UMod | Op::SRem => self.divide(op, bits, a, b),
                Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => self.shift(op, bits, a, b),
                _ => self.integer_binary(op, bits, a, b),
            },
        }
    }

    fn integer_binary(&mut self, op: Op, bits: u32, a: &Value, b: &Value) -> Option<Value> {
        if let (&Value::Uniform(first), &Value::Uniform(second)) = (a, b) {
            let is_commutative = op != Op::ISub;
            let is_constant = is_commutative && self.immediate(bits, first).is_some();
            let (first, second) = if is_constant { (second, first) } else { (first, second) };
            if let (Some(left), Some(right), Op::BitwiseAnd | Op::BitwiseOr | Op::BitwiseXor) =
                (self.known(a), self.known(b), op)
            {
                let folded = match op {
                    Op::BitwiseAnd => left & right,
                    Op::BitwiseOr => left | right,
                    _ => left ^ right,
                };
                return Some(self.constant(ScalarType::Int(bits), folded));
            }
            let result = match op {
                Op::IMul => self.general_product(bits, first, second),
                Op::IAdd => self.general_sum(bits, first, second),
                _ => self.two(general_forms(op)?, bits, first, second),
            };
            return Some(Value::Uniform(if overflows(op) { self.cut(bits, result) } else { result }));
        }
        self.map(ScalarType::Int(bits), [a, b], |lanes, [a, b]| lanes.integer_binary(op, bits, a, b))
    }

    /// A sum. With a constant, as an address: the operand stays in its register.
    fn general_sum(&mut self, bits: u32, a: VReg, b: VReg) -> VReg {
        match self.immediate(bits, b) {
            Some(constant) => {
                let address = Address::of(a).plus(constant as i32);
                self.define(Class::General, code([Code::Lea_r32_m, Code::Lea_r64_m], bits), [Operand::Memory(address)])
            }
            None => self.update(code([Code::Add_r32_rm32, Code::Add_r64_rm64], bits), a, Operand::Use(b)),
        }
    }

    /// The low half of a product.
    fn general_product(&mut self, bits: u32, a: VReg, b: VReg) -> VReg {
        match self.immediate(bits, b) {
            Some(immediate) => {
                let form = code([Code::Imul_r32_rm32_imm32, Code::Imul_r64_rm64_imm32], bits);
                self.define(Class::General, form, [Operand::Use(a), Operand::Immediate(immediate)])
            }
            None => self.update(code([Code::Imul_r32_rm32, Code::Imul_r64_rm64], bits), a, Operand::Use(b)),
        }
    }

    /// Both words of a result that needs two: low, and carry, borrow or high.
    pub fn extended_arithmetic(&mut self, op: Op, bits: u32, a: &Value, b: &Value) -> Option<[Value; 2]> {
        let ty = ScalarType::Int(bits);
        let is_carried = |emitter: &mut Emitter<'a>, low: &Value, against: &Value| {
            let carry = emitter.compare(Op::ULessThan, ty, low, against)?;
            let (one, zero) = (emitter.constant(ty, 1), emitter.constant(ty, 0));
            emitter.select(ty, &carry, &one, &zero)
        };
        match op {
            Op::IAddCarry => {
                let low = self.binary(Op::IAdd, ty, a, b)?;
                let carry = is_carried(self, &low, a)?;
                Some([low, carry])
            }
            Op::ISubBorrow => {
                let low = self.binary(Op::ISub, ty, a, b)?;
                let borrow = is_carried(self, a, b)?;
                Some([low, borrow])
            }
            Op::UMulExtended => self.products(Signedness::Unsigned, bits, a, b),
            Op::SMulExtended => self.products(Signedness::Signed, bits, a, b),
            _ => None,
        }
    }

    fn products(&mut self, signedness: Signedness, bits: u32, a: &Value, b: &Value) -> Option<[Value; 2]> {
        let ty = ScalarType::Int(bits);
        if let (64, &Value::Uniform(a), &Value::Uniform(b)) = (bits, a, b) {
            return Some(self.wide_product(signedness, a, b).map(Value::Uniform));
        }
        let low = self.binary(Op::IMul, ty, a, b)?;
        let high = self.map(ty, [a, b], |lanes, [a, b]| Some(lanes.high_product(signedness, bits, a, b)))?;
        Some([low, high])
    }
}

impl Lanes<'_, '_> {
    /// An integer of 8 or 16 bits with zeros above.
    pub(super) fn cut(&mut self, bits: u32, a: VReg) -> VReg {
        if bits >= 32 {
            return a;
        }
        let ones = self.ones(bits);
        self.and(a, ones)
    }

    /// An integer of 8 or 16 bits with its sign above.
    pub(super) fn signed(&mut self, bits: u32, a: Source) -> Source {
        match (bits, a) {
            (32 | 64, _) => a,
            (_, Source::Constant(value)) => {
                let value = (value as i64) << (64 - bits) >> (64 - bits);
                Source::Constant(u64::from((value as i32).cast_unsigned()))
            }
            (_, Source::Register(_)) => {
                let high = self.shifted_left(a, 32 - bits);
                self.shifted_right_signed(high, 32 - bits).into()
            }
        }
    }

    /// An integer of 8 or 16 bits in a word of the same value.
    pub(super) fn extended(&mut self, signedness: Signedness, bits: u32, a: Source) -> Source {
        match signedness {
            Signedness::Signed => self.signed(bits, a),
            Signedness::Unsigned => a,
        }
    }

    fn unary(&mut self, op: Op, bits: u32, a: Source) -> Option<VReg> {
        let result = match op {
            Op::SNegate => self.subtract(Source::Constant(0), a),
            Op::Not => self.xor(a, Source::Constant(u64::MAX)),
            Op::BitCount => {
                let a = self.register(a);
                self.ones_counted(a)
            }
            Op::BitReverse => self.reversed(bits, a),
            _ => return None,
        };
        Some(if overflows(op) { self.cut(bits, result) } else { result })
    }

    fn integer_binary(&mut self, op: Op, bits: u32, a: Source, b: Source) -> Option<VReg> {
        let result = match op {
            Op::IAdd => self.add(a, b),
            Op::ISub => self.subtract(a, b),
            Op::IMul => self.multiply(a, b),
            Op::BitwiseAnd => self.and(a, b),
            Op::BitwiseOr => self.or(a, b),
            Op::BitwiseXor => self.xor(a, b),
            _ => return None,
        };
        Some(if overflows(op) { self.cut(bits, result) } else { result })
    }

    /// The upper half of a product.
    pub(super) fn high_product(&mut self, signedness: Signedness, bits: u32, a: Source, b: Source) -> VReg {
        match bits {
            8 | 16 => {
                let (a, b) = (self.extended(signedness, bits, a), self.extended(signedness, bits, b));
                let product = self.multiply(a, b);
                let high = self.shifted_right(product, bits);
                self.cut(bits, high)
            }
            32 => self.high_product_of_words(signedness, a, b),
            _ => self.high_product_of_longs(signedness, a, b),
        }
    }

    /// Products of the even elements, and of the odd ones moved down; what counts is the upper half of each.
    fn high_product_of_words(&mut self, signedness: Signedness, a: Source, b: Source) -> VReg {
        const ODD: u64 = 0xffff_ffff_0000_0000;
        let op = match signedness {
            Signedness::Signed => V::Vpmuldq,
            Signedness::Unsigned => V::Vpmuludq,
        };
        // A constant counts for the even elements and the odd ones alike.
        let b = match b {
            Source::Constant(value) => Source::Constant(value & 0xffff_ffff | value << 32),
            Source::Register(_) => b,
        };
        let a = self.register(a);
        let mut lanes = self.sized(Size::Quad);
        let odd_b = match b {
            Source::Constant(_) => b,
            Source::Register(b) => lanes.shifted_right(b, 32).into(),
        };
        let odd_a = lanes.shifted_right(a, 32);
        let (even, odd) = (lanes.two(op, a, b), lanes.two(op, odd_a, odd_b));
        let (even, odd) = (lanes.shifted_right(even, 32), lanes.and(odd, Source::Constant(ODD)));
        lanes.or(even, odd)
    }

    /// By products of halves. The signed one is the unsigned one less `b` where `a` is negative and less `a` where `b` is.
    fn high_product_of_longs(&mut self, signedness: Signedness, a: Source, b: Source) -> VReg {
        const LOW: Source = Source::Constant(0xffff_ffff);
        let (a, b) = (self.register(a), self.register(b));
        let (high_a, high_b) = (self.shifted_right(a, 32), self.shifted_right(b, 32));
        let low = self.two(V::Vpmuludq, a, b);
        let (left, right) = (self.two(V::Vpmuludq, high_a, b), self.two(V::Vpmuludq, a, high_b));
        let high = self.two(V::Vpmuludq, high_a, high_b);
        let carry = self.shifted_right(low, 32);
        let middle = self.add(left, carry);
        let middle_low = self.and(middle, LOW);
        let middle_low = self.add(middle_low, right);
        let (upper, carried) = (self.shifted_right(middle, 32), self.shifted_right(middle_low, 32));
        let high = self.add(high, upper);
        let high = self.add(high, carried);
        if signedness == Signedness::Unsigned {
            return high;
        }
        let (sign_a, sign_b) = (self.shifted_right_signed(a, 63), self.shifted_right_signed(b, 63));
        let (of_b, of_a) = (self.and(sign_a, b), self.and(sign_b, a));
        let high = self.subtract(high, of_b);
        self.subtract(high, of_a)
    }
}

impl Emitter<'_> {
    /// `if_true` in the lanes where the condition holds, `if_false` in the others.
    pub fn select(&mut self, ty: ScalarType, condition: &Value, if_true: &Value, if_false: &Value) -> Option<Value> {
        if let (&Value::Uniform(condition), &Value::Uniform(a), &Value::Uniform(b)) = (condition, if_true, if_false) {
            return Some(match ty {
                ScalarType::Float(_) => Value::Uniform(self.select_float(ty, condition, a, b)),
                _ => self.select_general(condition, a, b),
            });
        }
        let condition = self.broadcast(ScalarType::Bool, condition);
        let Value::Varying(masks) = &condition else { return None };
        if ty == ScalarType::Bool {
            let chosen = self.logical(Op::LogicalAnd, &condition, if_true)?;
            let other = self.broadcast(ty, if_false);
            let other = self.without(&other, &condition);
            return self.logical(Op::LogicalOr, &chosen, &other);
        }
        let masks = if ty.bits() == 64 { self.widen_masks(masks) } else { masks.clone() };
        let shape = self.varying_shape();
        let (a, b) = (self.prepare(ty, if_true, shape), self.prepare(ty, if_false, shape));
        let results = masks
            .iter()
            .enumerate()
            .map(|(index, &mask)| self.lanes(shape, size_of(ty)).blend(mask, a.at(index), b.at(index)));
        Some(Value::Varying(results.collect()))
    }

    /// By a mask of lane 0.
    fn select_float(&mut self, ty: ScalarType, condition: VReg, if_true: VReg, if_false: VReg) -> VReg {
        let shape = self.uniform_shape();
        let all = self.update_alone(Code::Neg_rm64, condition);
        let mask = match shape.is_evex() {
            true => self.define(Class::Mask, Code::VEX_Kmovw_kr_r32, [Operand::Use(all)]),
            false => self.define(Class::Vector, Code::VEX_Vmovq_xmm_rm64, [Operand::Use(all)]),
        };
        self.lanes(shape, size_of(ty)).blend(mask, if_true, if_false)
    }
}
