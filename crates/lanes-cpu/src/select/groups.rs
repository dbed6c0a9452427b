//! Barriers and subgroup operations. The subgroup is the pack.

use iced_x86::Code;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use reconverge_lanes::CodeRole;
use spirv::GroupOperation;

use super::arithmetic::Emitter;
use super::checks::Check;
use super::lane_loop::LaneOperand;
use super::selector::Selector;
use super::value::{Isa, ScalarType, Value};
use super::values::Selected;
use crate::machine::{Class, Condition, Inst as MachineInst, Operand, Terminator, VReg};

const INT: ScalarType = ScalarType::Int(32);

impl Selector<'_> {
    /// A barrier: the other packs of the work-group come here before this one continues. With one pack there is nothing to wait for.
    pub(super) fn select_barrier(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        self.check_converged(inst)?;
        if self.values.specialization.packs() == 1 {
            return Ok(());
        }
        let resume = self.emit.new_block();
        self.emit.end(Terminator::Barrier { resume });
        self.emit.block = resume;
        Ok(())
    }

    /// Traps if not all launched lanes are here.
    fn check_converged(&mut self, at: Inst) -> Result<(), Diagnostic> {
        let Some((inst, mask)) = self.emit.mask.clone() else { return Ok(()) };
        if self.values.module.op(inst) == Op::LaunchedLanes || self.emit.pack.isa == Isa::Scalar {
            return Ok(());
        }
        let launched = self.launched_lanes(at)?;
        let (here, all) = (self.emit.bits_of(&mask), self.emit.bits_of(&launched));
        let compare = MachineInst::new(Code::Cmp_r64_rm64, [Operand::Use(here), Operand::Use(all)]);
        self.emit.push(compare.with_effect());
        let (fine, trap) = (self.emit.new_block(), self.emit.new_block_for(CodeRole::Failure));
        self.emit.end(Terminator::Branch { condition: Condition::Equal, then: fine, otherwise: trap });
        self.emit.block = trap;
        self.fail(Check::Barrier, at);
        self.emit.block = fine;
        Ok(())
    }

    /// An operation of the lanes that execute together.
    pub(super) fn select_subgroup(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.values.module.op(inst);
        let Some(view) = view::Group::of(self.values.module, inst) else {
            return Err(self.values.unsupported(inst, "operands that are missing"));
        };
        let (operation, operand) = (view.operation, view.value);
        let argument = view.arguments.first();
        let active = self.emit.active();
        let value = match op {
            Op::GroupNonUniformElect => self.emit.is_first_lane(&active),
            Op::GroupNonUniformAny | Op::SubgroupAnyKHR => {
                let operand = self.value(operand.ok_or_else(|| self.values.unsupported(inst, "no operand"))?)?;
                let both = self.emit.logical(Op::LogicalAnd, &operand, &active);
                both.map(|both| self.emit.any(&both))
            }
            Op::GroupNonUniformAll | Op::SubgroupAllKHR => {
                let operand = self.value(operand.ok_or_else(|| self.values.unsupported(inst, "no operand"))?)?;
                let missing = self.emit.without(&active, &operand);
                let any = self.emit.any(&missing);
                Some(self.emit.logical_not(&any))
            }
            Op::GroupNonUniformBallot | Op::SubgroupBallotKHR => return self.select_ballot(inst, operand, &active),
            Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR => self.all_equal(inst, operand, &active)?,
            Op::GroupNonUniformBroadcastFirst | Op::SubgroupFirstInvocationKHR => {
                let first = self.emit.first_active_lane(&active);
                return self.broadcast_from(inst, operand, first);
            }
            Op::GroupNonUniformBroadcast | Op::GroupNonUniformShuffle | Op::SubgroupReadInvocationKHR => {
                let lane = argument.ok_or_else(|| self.values.unsupported(inst, "no lane"))?;
                return self.read_lane(inst, operand, lane);
            }
            // A pack is the subgroup: the lane after the last one is the first one. A rotation of clusters has a fourth operand.
            Op::GroupNonUniformShuffleXor
            | Op::GroupNonUniformShuffleUp
            | Op::GroupNonUniformShuffleDown
            | Op::GroupNonUniformRotateKHR
                if self.values.module.operand_count(inst) == 3 =>
            {
                let distance =
                    self.lane_number(argument.ok_or_else(|| self.values.unsupported(inst, "no distance"))?)?;
                let lanes = self.emit.lanes_at(op, &distance);
                let lanes = lanes.ok_or_else(|| self.values.unsupported(inst, "a distance of this type"))?;
                return self.read_lanes(inst, operand, &lanes);
            }
            Op::GroupNonUniformQuadBroadcast | Op::GroupNonUniformQuadSwap => {
                let lane = argument.ok_or_else(|| self.values.unsupported(inst, "no lane of the quad"))?;
                let argument = self.lane_number(lane)?;
                let lanes = self.emit.quad_lanes(op, &argument);
                let lanes = lanes.ok_or_else(|| self.values.unsupported(inst, "an operand of this type"))?;
                return self.read_lanes(inst, operand, &lanes);
            }
            _ => return self.combine_lanes(inst, op, operation, operand),
        };
        let value =
            value.ok_or_else(|| self.values.unsupported(inst, "no machine code for this subgroup operation"))?;
        self.set(inst, value);
        Ok(())
    }

    /// The lanes with a condition, as bits: two words, with no lanes after them.
    fn select_ballot(&mut self, inst: Inst, operand: Option<Inst>, active: &Value) -> Result<(), Diagnostic> {
        let operand = self.value(operand.ok_or_else(|| self.values.unsupported(inst, "no operand"))?)?;
        let both = self.emit.logical(Op::LogicalAnd, &operand, active);
        let both = both.ok_or_else(|| self.values.unsupported(inst, "an operand of this type"))?;
        let bits = self.emit.bits_of(&both);
        let low = self.emit.define(Class::General, Code::Mov_r32_rm32, [Operand::Use(bits)]);
        let high = self.emit.update(Code::Shr_rm64_imm8, bits, Operand::Immediate(32));
        self.values.set(inst, Selected::Pair([Value::Uniform(low), Value::Uniform(high)]));
        Ok(())
    }

    /// Tests whether all active lanes have the value of the first of them.
    fn all_equal(&mut self, inst: Inst, operand: Option<Inst>, active: &Value) -> Result<Option<Value>, Diagnostic> {
        let operand = operand.ok_or_else(|| self.values.unsupported(inst, "no operand"))?;
        let ty = self.values.scalar_type(operand)?;
        let value = self.value(operand)?;
        let first = if value.uniform().is_some() {
            value.clone()
        } else {
            let lane = self.emit.first_active_lane(active);
            self.emit.store_scratch(0, ty, &value);
            self.emit.load_lane_value(ty, lane)
        };
        let equal = match ty {
            ScalarType::Bool => {
                let different = self.emit.logical(Op::LogicalNotEqual, &value, &first);
                different.map(|different| self.emit.logical_not(&different))
            }
            ScalarType::Int(_) => self.emit.compare(Op::IEqual, ty, &value, &first),
            ScalarType::Float(_) => self.emit.compare(Op::FOrdEqual, ty, &value, &first),
        };
        Ok(equal.map(|equal| {
            let missing = self.emit.without(active, &equal);
            let any = self.emit.any(&missing);
            self.emit.logical_not(&any)
        }))
    }

    fn broadcast_from(&mut self, inst: Inst, operand: Option<Inst>, lane: VReg) -> Result<(), Diagnostic> {
        let operand = operand.ok_or_else(|| self.values.unsupported(inst, "no operand"))?;
        let ty = self.values.scalar_type(operand)?;
        let value = self.value(operand)?;
        if value.uniform().is_some() {
            self.set(inst, value);
            return Ok(());
        }
        self.emit.store_scratch(0, ty, &value);
        let result = self.emit.load_lane_value(ty, lane);
        self.set(inst, result);
        Ok(())
    }

    /// The number of a lane, or a distance of lanes, as an integer of 32 bits.
    fn lane_number(&mut self, number: Inst) -> Result<Value, Diagnostic> {
        let (from, value) = (self.values.scalar_type(number)?, self.value(number)?);
        let converted = if from == INT { Some(value) } else { self.emit.convert(Op::UConvert, from, INT, &value) };
        converted.ok_or_else(|| self.values.unsupported(number, "a lane of this type"))
    }

    fn read_lane(&mut self, inst: Inst, operand: Option<Inst>, lane: Inst) -> Result<(), Diagnostic> {
        let number = self.lane_number(lane)?;
        match number.uniform() {
            Some(register) => {
                let last = self.emit.constant(INT, u64::from(self.emit.pack.lanes()) - 1);
                let inside = self.emit.binary(Op::BitwiseAnd, INT, &Value::Uniform(register), &last);
                let register = inside.and_then(|value| value.uniform());
                let register = register.ok_or_else(|| self.values.unsupported(inst, "a lane of this type"))?;
                self.broadcast_from(inst, operand, register)
            }
            None => self.read_lanes(inst, operand, &number),
        }
    }

    /// Each lane reads the value of another one.
    fn read_lanes(&mut self, inst: Inst, operand: Option<Inst>, lanes: &Value) -> Result<(), Diagnostic> {
        let operand = operand.ok_or_else(|| self.values.unsupported(inst, "no operand"))?;
        let ty = self.values.scalar_type(operand)?;
        let value = self.value(operand)?;
        if value.uniform().is_some() {
            self.set(inst, value);
            return Ok(());
        }
        self.emit.store_scratch(2, ty, &value);
        let last = self.emit.constant(INT, u64::from(self.emit.pack.lanes()) - 1);
        let inside = self.emit.binary(Op::BitwiseAnd, INT, lanes, &last);
        let inside = inside.ok_or_else(|| self.values.unsupported(inst, "lanes of this type"))?;
        let operand = LaneOperand { value: inside, ty: INT };
        let result = self.for_each_lane(&[operand], Some(ty), |selector, registers| {
            Some(selector.emit.load_lane(2, ty, registers[0]))
        });
        let result =
            result.ok_or_else(|| self.values.unsupported(inst, "no machine code for this subgroup operation"))?;
        self.set(inst, result);
        Ok(())
    }

    /// Reductions and scans, lane after lane.
    fn combine_lanes(
        &mut self,
        inst: Inst,
        op: Op,
        operation: Option<GroupOperation>,
        operand: Option<Inst>,
    ) -> Result<(), Diagnostic> {
        let refused =
            |selector: &Self| selector.values.unsupported(inst, "no machine code for this subgroup operation");
        let operand = operand.ok_or_else(|| refused(self))?;
        let (Some(combination), Some(operation)) = (combination(op), operation) else { return Err(refused(self)) };
        let ty = self.values.scalar_type(operand)?;
        let start = identity(op, ty);
        let value = self.value(operand)?;
        let is_scan = operation != GroupOperation::Reduce;
        let sum_place = 3;
        let start = self.emit.constant(ScalarType::Int(ty.bits().max(32)), start);
        if operation == GroupOperation::ClusteredReduce {
            let result = self.combine_clusters(inst, &combination, &start, &LaneOperand { value, ty });
            let result = result.ok_or_else(|| refused(self))?;
            self.set(inst, result);
            return Ok(());
        }
        let start = start.uniform().ok_or_else(|| refused(self))?;
        let sum = crate::machine::Address::in_frame(super::frame::scratch(self.emit.pack, sum_place) as i32);
        self.emit.push(MachineInst::new(Code::Mov_rm64_r64, [Operand::Memory(sum), Operand::Use(start)]).with_effect());
        let operands = [LaneOperand { value, ty }];
        let result = self.for_each_lane(&operands, is_scan.then_some(ty), |selector, registers| {
            let before = selector.emit.define(Class::General, Code::Mov_r64_rm64, [Operand::Memory(sum)]);
            let after = selector.emit.combine_two(&combination, ty, [before, registers[0]])?;
            let store = MachineInst::new(Code::Mov_rm64_r64, [Operand::Memory(sum), Operand::Use(after)]);
            selector.emit.push(store.with_effect());
            match operation {
                GroupOperation::InclusiveScan => Some(after),
                GroupOperation::ExclusiveScan => Some(before),
                _ => None,
            }
        });
        let result = match result {
            Some(result) => result,
            None => {
                let total = self.emit.define(Class::General, Code::Mov_r64_rm64, [Operand::Memory(sum)]);
                self.emit.of_general_bits(ty, total)
            }
        };
        self.set(inst, result);
        Ok(())
    }
}

impl Emitter<'_> {
    /// The lane at a distance from each lane, modulo the number of lanes.
    fn lanes_at(&mut self, op: Op, distance: &Value) -> Option<Value> {
        let lanes = self.lane_numbers();
        let op = match op {
            Op::GroupNonUniformShuffleXor => Op::BitwiseXor,
            Op::GroupNonUniformShuffleUp => Op::ISub,
            _ => Op::IAdd,
        };
        self.binary(op, INT, &lanes, distance)
    }

    /// The lane of its quad that each lane reads: four lanes are a quad, and the directions to swap in are 0 along x, 1 along y, 2 along both.
    fn quad_lanes(&mut self, op: Op, argument: &Value) -> Option<Value> {
        let lanes = self.lane_numbers();
        if op == Op::GroupNonUniformQuadSwap {
            let one = self.constant(INT, 1);
            let mask = self.binary(Op::IAdd, INT, argument, &one)?;
            return self.binary(Op::BitwiseXor, INT, &lanes, &mask);
        }
        let first = self.constant(INT, 0xffff_fffc);
        let quad = self.binary(Op::BitwiseAnd, INT, &lanes, &first)?;
        self.binary(Op::BitwiseOr, INT, &quad, argument)
    }

    /// The lanes that execute, as a boolean of each.
    pub(super) fn active(&mut self) -> Value {
        match self.mask.clone() {
            Some((_, mask)) => mask,
            None => {
                let all = self.constant(ScalarType::Bool, 1);
                self.broadcast(ScalarType::Bool, &all)
            }
        }
    }

    /// The lanes that are the first active one.
    fn is_first_lane(&mut self, active: &Value) -> Option<Value> {
        let first = self.first_active_lane(active);
        let lanes = self.lane_numbers();
        self.compare(Op::IEqual, INT, &lanes, &Value::Uniform(first))
    }

    fn first_active_lane(&mut self, active: &Value) -> VReg {
        if self.pack.isa == Isa::Scalar {
            return self.constant(INT, 0).uniform().expect("invariant: constants are uniform");
        }
        let bits = self.bits_of(active);
        self.lowest_lane(bits)
    }

    /// The lowest lane of a mask; of an empty one any lane.
    pub(super) fn lowest_lane(&mut self, bits: VReg) -> VReg {
        let lane = self.define(Class::General, Code::Tzcnt_r64_rm64, [Operand::Use(bits)]);
        let last = i64::from(self.pack.lanes()) - 1;
        self.update(Code::And_rm32_imm8, lane, Operand::Immediate(last))
    }

    fn load_lane_value(&mut self, ty: ScalarType, lane: VReg) -> Value {
        let bits = self.load_lane(0, ty, lane);
        self.of_general_bits(ty, bits)
    }

    /// Two values of a type in general registers as one.
    pub(super) fn combine_two(&mut self, combination: &Combination, ty: ScalarType, values: [VReg; 2]) -> Option<VReg> {
        let [left, right] = values.map(|value| self.of_general_bits(ty, value));
        let result = match *combination {
            Combination::Binary(op) => self.binary(op, ty, &left, &right),
            Combination::Logical(op) => self.logical(op, &left, &right),
            Combination::Extended(number) => self.extended(number, ty, &[left, right]),
        };
        self.general_bits(ty, &result?)
    }
}

/// The combination of two values into one.
pub(super) enum Combination {
    Binary(Op),
    Logical(Op),
    Extended(u32),
}

fn combination(op: Op) -> Option<Combination> {
    Some(match op {
        Op::GroupNonUniformIAdd => Combination::Binary(Op::IAdd),
        Op::GroupNonUniformFAdd => Combination::Binary(Op::FAdd),
        Op::GroupNonUniformIMul => Combination::Binary(Op::IMul),
        Op::GroupNonUniformFMul => Combination::Binary(Op::FMul),
        Op::GroupNonUniformBitwiseAnd => Combination::Binary(Op::BitwiseAnd),
        Op::GroupNonUniformBitwiseOr => Combination::Binary(Op::BitwiseOr),
        Op::GroupNonUniformBitwiseXor => Combination::Binary(Op::BitwiseXor),
        Op::GroupNonUniformLogicalAnd => Combination::Logical(Op::LogicalAnd),
        Op::GroupNonUniformLogicalOr => Combination::Logical(Op::LogicalOr),
        Op::GroupNonUniformLogicalXor => Combination::Logical(Op::LogicalNotEqual),
        Op::GroupNonUniformFMin => Combination::Extended(37),
        Op::GroupNonUniformUMin => Combination::Extended(38),
        Op::GroupNonUniformSMin => Combination::Extended(39),
        Op::GroupNonUniformFMax => Combination::Extended(40),
        Op::GroupNonUniformUMax => Combination::Extended(41),
        Op::GroupNonUniformSMax => Combination::Extended(42),
        _ => return None,
    })
}

/// The bits of the value that an operation starts from.
fn identity(op: Op, ty: ScalarType) -> u64 {
    let bits = ty.bits();
    let ones = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
    let (one, infinity, sign) = match ty {
        ScalarType::Float(64) => (1.0_f64.to_bits(), f64::INFINITY.to_bits(), 1 << 63),
        // A half is a float in registers.
        ScalarType::Float(_) => (1.0_f32.to_bits().into(), f32::INFINITY.to_bits().into(), 1 << 31),
        _ => (1, 0, 1 << (bits - 1)),
    };
    match op {
        // −0 is the identity of addition.
        Op::GroupNonUniformFAdd => sign,
        Op::GroupNonUniformIMul | Op::GroupNonUniformFMul | Op::GroupNonUniformLogicalAnd => one,
        Op::GroupNonUniformBitwiseAnd | Op::GroupNonUniformUMin => ones,
        Op::GroupNonUniformSMin => ones >> 1,
        Op::GroupNonUniformSMax => sign,
        Op::GroupNonUniformFMin => infinity,
        Op::GroupNonUniformFMax => infinity | sign,
        _ => 0,
    }
}
