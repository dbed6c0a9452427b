//! Values that are less than a number in every invocation: remainders, masks, and positions in a workgroup of a known size.
//!
//! ```text
//! i & 7      i % 8u, once the compiler has it as one operation      i >> 29u      min(i, 7u)      local_invocation_index of 8 lanes
//! ```
//!
//! A proof inspects one chain of operations, of a fixed length, and treats every comparison as unsigned. So it takes constant time.

use reconverge_ir::decoration::BuiltIn;
use reconverge_ir::{Inst, Module, Op, view};
use spirv::{ExecutionMode, ExecutionModel, GlslStd450Op};

/// The number of operations that a proof inspects.
const STEPS: usize = 8;

/// Known limits of the numbers of invocations.
pub(super) struct Limits {
    /// The largest size of the workgroups, if all sizes are known.
    size: Option<[u64; 3]>,
}

impl Limits {
    /// Computes the limits. Linear in the declarations.
    pub(super) fn of(module: &Module) -> Limits {
        let entries = module.globals().filter_map(|inst| view::EntryPoint::of(module, inst));
        let compute = entries.filter(|entry| entry.execution_model == Some(ExecutionModel::GLCompute));
        let functions: Vec<Inst> = compute.map(|entry| entry.function).collect();
        let is_size = |inst: Inst| {
            let built_in = module.decorated(inst).find::<BuiltIn>();
            built_in.is_some_and(|built_in| built_in.0 == spirv::BuiltIn::WorkgroupSize)
        };
        let modes: Vec<view::ExecutionMode<'_>> = module
            .globals()
            .filter_map(|inst| view::ExecutionMode::of(module, inst))
            .filter(|mode| mode.mode == Some(ExecutionMode::LocalSize))
            .collect();
        let size_of = |function: &Inst| -> Option<[u64; 3]> {
            let mode = modes.iter().find(|mode| mode.function == *function)?;
            let words: Option<Vec<u64>> =
                mode.parameters.iter().map(|word| module.literal_word(word).map(u64::from)).collect();
            words?.try_into().ok()
        };
        let sizes: Option<Vec<[u64; 3]>> = functions.iter().map(size_of).collect();
        let larger = |left: [u64; 3], right: [u64; 3]| std::array::from_fn(|axis| left[axis].max(right[axis]));
        let size = sizes.and_then(|sizes| sizes.into_iter().reduce(larger));
        Limits { size: size.filter(|_| !module.globals().any(is_size)) }
    }

    /// Returns whether a value, as an unsigned number, is less than `count` in every invocation.
    pub(super) fn is_below(&self, module: &Module, value: Inst, count: u64) -> bool {
        let mut value = value;
        for _ in 0..STEPS {
            let is_constant_below = |operand: usize| {
                module.constant_bits(module.operand(value, operand)).is_some_and(|constant| constant < count)
            };
            match module.op(value) {
                Op::ConstantNull => return count > 0,
                Op::Constant => return module.constant_bits(value).is_some_and(|constant| constant < count),
                Op::Bitcast if self.keeps_shape(module, value) => value = module.operand(value, 0),
                Op::BitwiseAnd => return is_constant_below(0) || is_constant_below(1),
                Op::UMod => {
                    let divisor = module.constant_bits(module.operand(value, 1));
                    return divisor.is_some_and(|divisor| divisor != 0 && divisor <= count);
                }
                Op::ShiftRightLogical => return is_shifted_below(module, value, count),
                Op::ExtInst => return is_clamped_below(module, value, count),
                Op::Load => return self.is_place_below(module, value, None, count),
                Op::CompositeExtract => {
                    let Some(extract) = view::CompositeExtract::of(module, value) else { return false };
                    let axis = extract.indexes.first().filter(|_| extract.indexes.len() == 1);
                    return self.is_place_below(module, extract.composite, axis, count);
                }
                _ => return false,
            }
        }
        false
    }

    /// Returns whether a bit cast converts a number to one of the other signedness.
    fn keeps_shape(&self, module: &Module, cast: Inst) -> bool {
        let types = [module.ty(cast), module.ty(module.operand(cast, 0))];
        let [Some(to), Some(from)] = types else { return false };
        [to, from].iter().all(|&ty| module.op(ty) == Op::TypeInt) && module.width(to) == module.width(from)
    }

    /// Returns whether a value is the position in a workgroup of at most that size.
    fn is_place_below(&self, module: &Module, load: Inst, axis: Option<u32>, count: u64) -> bool {
        let (Some([x, y, z]), Some(view::Load { pointer, .. })) = (self.size, view::Load::of(module, load)) else {
            return false;
        };
        let built_in = module.decorated(pointer).find::<BuiltIn>().map(|built_in| built_in.0);
        match (built_in, axis) {
            (Some(spirv::BuiltIn::LocalInvocationIndex), None) => x * y * z <= count,
            (Some(spirv::BuiltIn::LocalInvocationId), Some(axis)) => {
                [x, y, z].get(axis as usize).is_some_and(|&size| size <= count)
            }
            _ => false,
        }
    }
}

fn is_shifted_below(module: &Module, shift: Inst, count: u64) -> bool {
    let width = module.ty(shift).and_then(|ty| module.width(ty));
    let distance = module.constant_bits(module.operand(shift, 1));
    match (width, distance) {
        (Some(width), Some(distance)) if distance < u64::from(width) => {
            let digits = u64::from(width) - distance;
            digits < 63 && 1 << digits <= count
        }
        _ => false,
    }
}

/// Returns whether a value is the minimum of two of which one is below `count`.
fn is_clamped_below(module: &Module, value: Inst, count: u64) -> bool {
    let Some(extended) = view::ExtInst::of(module, value) else { return false };
    let is_below = |operand: Inst| module.constant_bits(operand).is_some_and(|constant| constant < count);
    module.glsl_op(value) == Some(GlslStd450Op::UMin) && extended.operands.iter().any(is_below)
}
