//! The strides of low words across lanes: a constant from lane to lane, or unknown.
//!
//! ```text
//! uniform: 0     id of the first dimension: 1     a + b: the sum     a · c: the product     others: unknown
//! ```

use reconverge_analysis::Layouts;
use reconverge_ir::{Inst, Module, Op};
use reconverge_lanes::{LaneFlow, Shape, input_of};
use rustc_hash::FxHashMap;

use crate::Specialization;

/// The strides of the values of a function. A value without one is uniform, or it is a global.
#[derive(Debug, Default)]
pub(crate) struct Strides {
    strides: FxHashMap<Inst, Option<u32>>,
}

impl Strides {
    /// One pass in execution order: definitions come before uses. Linear.
    pub(crate) fn compute(module: &Module, flow: &LaneFlow, specialization: &Specialization) -> Strides {
        let mut strides = Strides::default();
        let facts = specialization.facts();
        let mut layouts = Layouts::new();
        for &block in flow.blocks() {
            for inst in module.children(block) {
                if flow.is_varying(inst) {
                    let stride = match module.op(inst) {
                        Op::Load => {
                            let input = input_of(module, module.operand(inst, 0));
                            let fact = input.and_then(|(built_in, component)| facts.input(built_in, component));
                            fact.and_then(|fact| match fact.shape {
                                Shape::Uniform => Some(0),
                                Shape::Affine(stride) => Some(stride as u32),
                                Shape::Varying => None,
                            })
                        }
                        _ => strides.derived(module, &mut layouts, inst),
                    };
                    strides.strides.insert(inst, stride);
                }
            }
        }
        strides
    }

    /// The difference of the low word of a value between two neighbouring lanes, if it is constant.
    pub(crate) fn of(&self, value: Inst) -> Option<u32> {
        self.strides.get(&value).copied().unwrap_or(Some(0))
    }

    fn derived(&self, module: &Module, layouts: &mut Layouts, inst: Inst) -> Option<u32> {
        let operand = |place: usize| module.operand(inst, place);
        let stride = |place: usize| self.of(operand(place));
        let constant = |place: usize| {
            let operand = operand(place);
            (module.op(operand) == Op::Constant).then(|| module.constant_bits(operand).unwrap_or(0))
        };
        let width = |value: Inst| module.ty(value).and_then(|ty| module.width(ty)).unwrap_or(64);
        let is_wide = width(inst) >= 32 && (0..module.operand_count(inst)).all(|place| width(operand(place)) >= 32);
        match module.op(inst) {
            Op::IAdd if is_wide => Some(stride(0)?.wrapping_add(stride(1)?)),
            Op::ISub if is_wide => Some(stride(0)?.wrapping_sub(stride(1)?)),
            Op::IMul if is_wide => match (constant(0), constant(1)) {
                (_, Some(factor)) => Some(stride(0)?.wrapping_mul(factor as u32)),
                (Some(factor), _) => Some(stride(1)?.wrapping_mul(factor as u32)),
                _ => None,
            },
            Op::ShiftLeftLogical if is_wide => Some(stride(0)?.checked_shl(constant(1)? as u32).unwrap_or(0)),
            Op::UConvert | Op::SConvert | Op::ConvertUToPtr | Op::ConvertPtrToU | Op::Bitcast | Op::CopyObject
                if is_wide =>
            {
                stride(0)
            }
            Op::BitwiseAnd if constant(1) == Some(u64::from(u32::MAX)) => stride(0),
            Op::AccessChain | Op::InBoundsAccessChain => self.of_chain(module, layouts, inst),
            _ => None,
        }
    }

    fn of_chain(&self, module: &Module, layouts: &mut Layouts, chain: Inst) -> Option<u32> {
        let mut operands = module.operands(chain);
        let base = operands.next()?;
        let mut ty = module.pointee(base)?;
        let mut sum = self.of(base)?;
        for index in operands {
            let part = match module.op(ty) {
                Op::TypeStruct => module.part_type(ty, module.constant_bits(index)? as usize)?,
                _ => {
                    let stride = layouts.element_stride(module, ty).ok()?;
                    sum = sum.wrapping_add(self.of(index)?.wrapping_mul(stride as u32));
                    module.element_type(ty)?
                }
            };
            ty = part;
        }
        Some(sum)
    }
}
