//! Numbers of lanes without their last digits.
//!
//! ```text
//! index:         0 … 63          64 lanes by one by one
//! index & !63:   0               index >> 6, index / 64 likewise
//! ```
//!
//! The number of a lane in its workgroup is less than the size of the workgroup, and the global number of the first lane is a multiple
//! of that size. So where the size is known and no greater than the power of two that is cut off, all lanes are left with the same.

use reconverge_ir::{Inst, Op};

use super::propagation::Propagation;
use super::sources::{built_in, built_in_of};
use super::variation::Scope;

impl Propagation<'_> {
    /// Whether an instruction cuts so many digits off a lane's number that nothing is left of the lane.
    pub(super) fn cuts_lane_off(&self, number: u32) -> bool {
        if self.context.setting.scope == Scope::Draw {
            return false;
        }
        let inst = self.body.inst(number);
        let [left, right] = [0, 1].map(|index| self.module.operand(inst, index));
        let cut = |by: Inst| self.digits(self.body.op(number), by);
        let (value, digits) = match (cut(right), cut(left)) {
            (Some(digits), _) => (left, digits),
            (None, Some(digits)) if self.body.op(number) == Op::BitwiseAnd => (right, digits),
            _ => return false,
        };
        self.is_below(value, digits)
    }

    /// How many binary digits an operation with this constant cuts off.
    fn digits(&self, op: Op, constant: Inst) -> Option<u32> {
        if self.module.op(constant) != Op::Constant {
            return None;
        }
        let [word] = *self.module.literal_words(self.module.operand(constant, 0)) else { return None };
        match op {
            Op::BitwiseAnd => Some(word.trailing_zeros()),
            Op::ShiftRightLogical => (word < 32).then_some(word),
            Op::UDiv => word.is_power_of_two().then(|| word.trailing_zeros()),
            _ => None,
        }
    }

    /// Whether a value is a number of lanes of which those of a workgroup differ in the last digits alone.
    fn is_below(&self, value: Inst, digits: u32) -> bool {
        let Some([x, y, z]) = self.context.local_size else { return false };
        let bound = 1_u64 << digits;
        let (load, component) = match self.module.op(value) {
            Op::CompositeExtract if self.module.operand_count(value) == 2 => {
                (self.module.operand(value, 0), self.module.literal_word(self.module.operand(value, 1)))
            }
            _ => (value, None),
        };
        if self.module.op(load) != Op::Load || self.module.op(self.module.operand(load, 0)) != Op::Variable {
            return false;
        }
        let size = component.and_then(|component| [x, y, z].get(component as usize).copied());
        match (built_in_of(self.module, self.module.operand(load, 0)), size) {
            (Some(built_in::LOCAL_INVOCATION_INDEX), None) => u64::from(x) * u64::from(y) * u64::from(z) <= bound,
            (Some(built_in::LOCAL_INVOCATION_ID), Some(size)) => u64::from(size) <= bound,
            (Some(built_in::GLOBAL_INVOCATION_ID), Some(size)) => {
                !self.context.setting.has_kernels && size.is_power_of_two() && u64::from(size) <= bound
            }
            _ => false,
        }
    }
}
