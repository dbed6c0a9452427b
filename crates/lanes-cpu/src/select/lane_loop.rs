//! Loops over the lanes of a mask, for what has no vector form.
//!
//! ```text
//! scratch ← operands;  bits ← mask
//! while bits: lane = lowest bit; scratch[lane] = operation(scratch[lane], …); bits &= bits − 1
//! result ← scratch
//! ```
//!
//! Lanes go from the first to the last. In scalar code there is no loop.

use iced_x86::Code;
use reconverge_lanes::CodeRole;
use smallvec::SmallVec;

use super::arithmetic::Emitter;
use super::frame::{SCRATCH_VALUES, scratch};
use super::selector::Selector;
use super::value::{Isa, ScalarType, Value};
use crate::machine::{Address, Base, Class, Condition, Inst, Operand, Terminator, VReg};

/// An operand of a loop over lanes.
#[derive(Clone, Debug)]
pub(super) struct LaneOperand {
    pub(super) value: Value,
    pub(super) ty: ScalarType,
}

impl Selector<'_> {
    /// Runs `operation` for each lane of the execution mask. It gets the operands of the lane in general registers, the bits of a float as an
    /// integer, and gives the result of the lane, if there is a result. It may end the block if it
    /// continues in another one.
    pub(super) fn for_each_lane(
        &mut self,
        operands: &[LaneOperand],
        result: Option<ScalarType>,
        operation: impl FnOnce(&mut Self, &[VReg]) -> Option<VReg>,
    ) -> Option<Value> {
        assert!(operands.len() < SCRATCH_VALUES as usize, "invariant: operands and result fit the scratch memory");
        if self.emit.pack.isa == Isa::Scalar {
            let bits = operands.iter().map(|operand| self.emit.general_bits(operand.ty, &operand.value));
            let registers: Vec<VReg> = bits.collect::<Option<_>>()?;
            let value = operation(self, &registers)?;
            return Some(self.emit.of_general_bits(result?, value));
        }
        for (place, operand) in operands.iter().enumerate() {
            let value = self.emit.broadcast(operand.ty, &operand.value);
            self.emit.store_scratch(place as u32, operand.ty, &value);
        }
        let bits = self.emit.mask_bits();
        let (body, after) = (self.emit.new_block_for(CodeRole::LaneLoop), self.emit.new_block());
        let (enter, skip) = (self.emit.new_block_for(CodeRole::LaneLoop), self.emit.new_block());
        self.emit.push(Inst::new(Code::Test_rm64_r64, [Operand::Use(bits), Operand::Use(bits)]).with_effect());
        self.emit.end(Terminator::Branch { condition: Condition::NotEqual, then: enter, otherwise: skip });
        self.emit.block = skip;
        self.emit.end(Terminator::Jump(after, Vec::new()));
        self.emit.block = enter;
        self.emit.end(Terminator::Jump(body, vec![bits]));
        let left = self.emit.function.register(Class::General);
        self.emit.function.blocks[body.0 as usize].parameters.push(left);
        self.emit.block = body;
        let rest = self.emit.define(Class::General, Code::VEX_Blsr_r64_rm64, [Operand::Use(left)]);
        let lane = self.emit.define(Class::General, Code::Tzcnt_r64_rm64, [Operand::Use(left)]);
        let registers: Vec<VReg> = operands
            .iter()
            .enumerate()
            .map(|(place, operand)| self.emit.load_lane(place as u32, operand.ty, lane))
            .collect();
        self.emit.lane = Some(lane);
        let value = operation(self, &registers);
        self.emit.lane = None;
        if let (Some(ty), Some(value)) = (result, value) {
            let address = Operand::Memory(self.emit.lane_address(operands.len() as u32, ty, lane));
            let code = if ty.bits() == 64 { Code::Mov_rm64_r64 } else { Code::Mov_rm32_r32 };
            self.emit.push(Inst::new(code, [address, Operand::Use(value)]).with_effect());
        }
        self.emit.push(Inst::new(Code::Test_rm64_r64, [Operand::Use(rest), Operand::Use(rest)]).with_effect());
        let again = self.emit.new_block();
        let done = self.emit.new_block();
        self.emit.end(Terminator::Branch { condition: Condition::NotEqual, then: again, otherwise: done });
        self.emit.block = again;
        self.emit.end(Terminator::Jump(body, vec![rest]));
        self.emit.block = done;
        self.emit.end(Terminator::Jump(after, Vec::new()));
        self.emit.block = after;
        result.map(|ty| self.emit.load_scratch(operands.len() as u32, ty))
    }
}

impl Emitter<'_> {
    /// The execution mask as bits, from lane 0.
    pub(super) fn mask_bits(&mut self) -> VReg {
        let pack = self.pack;
        let Some((_, mask)) = self.mask.clone() else {
            let all = if pack.lanes() == 64 { u64::MAX } else { (1 << pack.lanes()) - 1 };
            let constant = self.constant(ScalarType::Int(64), all);
            return constant.uniform().expect("invariant: constants are uniform");
        };
        self.bits_of(&mask)
    }

    /// The bits of a mask, from lane 0.
    pub(super) fn bits_of(&mut self, mask: &Value) -> VReg {
        let pack = self.pack;
        let Value::Varying(masks) = self.broadcast(ScalarType::Bool, mask) else {
            return mask.uniform().expect("invariant: a mask is uniform or varying");
        };
        let width = pack.lanes() / pack.vectors;
        let mut all: Option<VReg> = None;
        for (place, &mask) in masks.iter().enumerate() {
            let mut bits = self.lane_bits(mask);
            if place > 0 {
                bits = self.update(Code::Shl_rm64_imm8, bits, Operand::Immediate(i64::from(width) * place as i64));
            }
            all = Some(match all {
                Some(before) => self.update(Code::Or_r64_rm64, before, Operand::Use(bits)),
                None => bits,
            });
        }
        all.expect("invariant: a mask has registers")
    }

    pub(super) fn lane_address(&self, place: u32, ty: ScalarType, lane: VReg) -> Address {
        let scale = if ty.bits() == 64 { 8 } else { 4 };
        let first = scratch(self.pack, place) as i32;
        Address { base: Base::Frame, index: Some(lane), scale, displacement: first }
    }

    pub(super) fn load_lane(&mut self, place: u32, ty: ScalarType, lane: VReg) -> VReg {
        let address = Operand::Memory(self.lane_address(place, ty, lane));
        let code = if ty.bits() == 64 { Code::Mov_r64_rm64 } else { Code::Mov_r32_rm32 };
        self.define(Class::General, code, [address])
    }

    /// Writes vectors to scratch memory. A boolean is a 32-bit integer there.
    pub(super) fn store_scratch(&mut self, place: u32, ty: ScalarType, value: &Value) {
        let value = match ty {
            ScalarType::Bool => self.numbers_of(value),
            _ => value.clone(),
        };
        let Value::Varying(registers) = value else { unreachable!("broadcast values vary") };
        let first = scratch(self.pack, place) as i32;
        for (index, &register) in registers.iter().enumerate() {
            let address = Operand::Memory(Address::in_frame(first + self.vector_bytes() * index as i32));
            let code = match self.pack.isa {
                Isa::Avx512 => Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm,
                _ => Code::VEX_Vmovdqu_ymmm256_ymm,
            };
            self.push(Inst::new(code, [address, Operand::Use(register)]).with_effect());
        }
    }

    /// Reads vectors from scratch memory.
    pub(super) fn load_scratch(&mut self, place: u32, ty: ScalarType) -> Value {
        let first = scratch(self.pack, place) as i32;
        let mut registers: SmallVec<[VReg; 4]> = SmallVec::new();
        for index in 0..self.pack.registers(ty) {
            let address = Operand::Memory(Address::in_frame(first + self.vector_bytes() * index as i32));
            let code = match self.pack.isa {
                Isa::Avx512 => Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512,
                _ => Code::VEX_Vmovdqu_ymm_ymmm256,
            };
            registers.push(self.define(Class::Vector, code, [address]));
        }
        match ty {
            ScalarType::Bool => self.booleans_of(&Value::Varying(registers)),
            _ => Value::Varying(registers),
        }
    }

    fn vector_bytes(&self) -> i32 {
        if self.pack.isa == Isa::Avx512 { 64 } else { 32 }
    }

    /// Booleans as 32-bit integers, 0 and 1.
    pub(super) fn numbers_of(&mut self, value: &Value) -> Value {
        let int = ScalarType::Int(32);
        let (one, zero) = (self.constant(int, 1), self.constant(int, 0));
        let numbers = self.select(int, value, &one, &zero);
        let numbers = numbers.expect("invariant: integers can be selected");
        self.broadcast(int, &numbers)
    }

    /// 32-bit integers as booleans.
    pub(super) fn booleans_of(&mut self, value: &Value) -> Value {
        let int = ScalarType::Int(32);
        let zero = self.constant(int, 0);
        let booleans = self.compare(reconverge_ir::Op::INotEqual, int, value, &zero);
        booleans.expect("invariant: integers can be compared")
    }
}
