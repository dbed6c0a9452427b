//! Lane numbers without their low bits.
//!
//! ```text
//! index:         0 … 63          64 lanes by one by one
//! index & !63:   0               index >> 6, index / 64 likewise
//! ```
//!
//! The number of a lane in its workgroup is less than the size of the workgroup, and the global number of the first lane is a multiple of
//! that size. So if the size is known and at most the power of two that is removed, all lanes have the same result.

use reconverge_ir::{Inst, Op, view};
use spirv::BuiltIn;

use super::Instruction;
use super::sources::built_in_of;
use crate::uniformity::level::Level;
use crate::uniformity::variation::Scope;

impl<L: Fn(u32) -> Level> Instruction<'_, L> {
    /// Returns whether an instruction removes so many low bits of a lane's number that the result is the same for all lanes.
    pub(super) fn cuts_lane_off(&self) -> bool {
        if self.rules.setting.scope == Scope::Draw {
            return false;
        }
        let Some(view::Binary { left, right }) = view::Binary::of(self.rules.module, self.inst) else { return false };
        let cut = |by: Inst| self.digits(by);
        let (value, digits) = match (cut(right), cut(left)) {
            (Some(digits), _) => (left, digits),
            (None, Some(digits)) if self.op == Op::BitwiseAnd => (right, digits),
            _ => return false,
        };
        self.is_below(value, digits)
    }

    /// The number of bits that the operation removes with this constant.
    fn digits(&self, constant: Inst) -> Option<u32> {
        let [word] = *view::Constant::of(self.rules.module, constant)?.value else { return None };
        match self.op {
            Op::BitwiseAnd => Some(word.trailing_zeros()),
            Op::ShiftRightLogical => (word < 32).then_some(word),
            Op::UDiv => word.is_power_of_two().then(|| word.trailing_zeros()),
            _ => None,
        }
    }

    /// Returns whether a value is a lane number that differs within a workgroup only in its low bits.
    fn is_below(&self, value: Inst, digits: u32) -> bool {
        let Some([x, y, z]) = self.rules.setting.local_size else { return false };
        let bound = 1_u64 << digits;
        let extract = view::CompositeExtract::of(self.rules.module, value).filter(|extract| extract.indexes.len() == 1);
        let (load, component) = extract.map_or((value, None), |extract| (extract.composite, extract.indexes.first()));
        let Some(view::Load { pointer, .. }) = view::Load::of(self.rules.module, load) else { return false };
        if self.rules.module.op(pointer) != Op::Variable {
            return false;
        }
        let size = component.and_then(|component| [x, y, z].get(component as usize).copied());
        match (built_in_of(self.rules.module, pointer), size) {
            (Some(BuiltIn::LocalInvocationIndex), None) => u64::from(x) * u64::from(y) * u64::from(z) <= bound,
            (Some(BuiltIn::LocalInvocationId), Some(size)) => u64::from(size) <= bound,
            (Some(BuiltIn::GlobalInvocationId), Some(size)) => {
                !self.rules.setting.has_kernels && size.is_power_of_two() && u64::from(size) <= bound
            }
            _ => false,
        }
    }
}
