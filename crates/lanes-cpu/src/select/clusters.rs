//! Clustered reductions: a lane gets the combination of the lanes of its cluster.
//!
//! ```text
//! sums ← identity, for every lane
//! for each lane: first = lane & −size;  sums[first] = combination(sums[first], value)
//! for each lane: result = sums[lane & −size]
//! ```
//!
//! Lanes go from the first to the last. A cluster that is larger than the pack is the pack.

use iced_x86::Code;
use reconverge_ir::{Inst, Op, view};

use super::arithmetic::Emitter;
use super::groups::Combination;
use super::lane_loop::LaneOperand;
use super::selector::Selector;
use super::value::{Isa, ScalarType, Value};
use crate::machine::{Inst as MachineInst, Operand, VReg};

/// The place of the sums in the scratch memory.
const SUMS: u32 = 3;

impl Selector<'_> {
    /// The combinations of the clusters, which begin with `start`, a uniform integer.
    pub(super) fn combine_clusters(
        &mut self,
        inst: Inst,
        combination: &Combination,
        start: &Value,
        operand: &LaneOperand,
    ) -> Option<Value> {
        let size = view::Group::of(self.values.module, inst)?.arguments.first()?;
        let size = self.values.module.constant_word(size).filter(|size| size.is_power_of_two())?;
        let ty = operand.ty;
        if self.emit.pack.isa == Isa::Scalar {
            return Some(operand.value.clone());
        }
        let in_memory = ScalarType::Int(ty.bits().max(32));
        let starts = self.emit.broadcast(in_memory, start);
        self.emit.store_scratch(SUMS, in_memory, &starts);
        self.for_each_lane(std::slice::from_ref(operand), None, |selector, registers| {
            let first = selector.emit.first_of_cluster(size)?;
            let before = selector.emit.load_lane(SUMS, in_memory, first);
            let after = selector.emit.combine_two(combination, ty, [before, registers[0]])?;
            let address = Operand::Memory(selector.emit.lane_address(SUMS, in_memory, first));
            let code = if in_memory.bits() == 64 { Code::Mov_rm64_r64 } else { Code::Mov_rm32_r32 };
            selector.emit.push(MachineInst::new(code, [address, Operand::Use(after)]).with_effect());
            None
        });
        self.for_each_lane(&[], Some(ty), |selector, _| {
            let first = selector.emit.first_of_cluster(size)?;
            Some(selector.emit.load_lane(SUMS, in_memory, first))
        })
    }
}

impl Emitter<'_> {
    /// The first lane of the cluster of the lane that a loop is at.
    fn first_of_cluster(&mut self, size: u32) -> Option<VReg> {
        let lane = Value::Uniform(self.lane?);
        let clear = self.constant(ScalarType::Int(32), u64::from(!(size - 1)));
        self.binary(Op::BitwiseAnd, ScalarType::Int(32), &lane, &clear)?.uniform()
    }
}
