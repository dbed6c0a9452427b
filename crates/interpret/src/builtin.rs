//! Built-in variables: what a lane is told about itself and its grid (SPIR-V section 3.2.21).
//!
//! Each has a value of 64-bit numbers; the variable says how wide they are kept, 64 bits in OpenCL, 32 in Vulkan.

use crate::types::{Kind, TypeId, TypeTable};
use crate::{KernelLaunch, LaneId, Value};

/// The value of a built-in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BuiltIn {
    Scalar(u64),
    Vector([u64; 3]),
    /// One bit a lane of the subgroup.
    Mask(u128),
}

/// The value of the built-in variable number `which` in a lane whose number in its work-group is `index`.
pub(crate) fn built_in(which: u32, launch: &KernelLaunch, (lane, index): (LaneId, u32)) -> Option<BuiltIn> {
    use BuiltIn::{Mask, Scalar, Vector};
    let wide = |vector: [u32; 3]| vector.map(u64::from);
    let linear = |[x, y, z]: [u64; 3], size: [u64; 3]| {
        (z.wrapping_mul(size[1]).wrapping_add(y)).wrapping_mul(size[0]).wrapping_add(x)
    };
    let lanes = launch.local.iter().product::<u32>();
    let in_subgroup = index % launch.subgroup_size;
    let bit = 1u128 << in_subgroup;
    let own_size = launch.subgroup_size.min(lanes - (index - in_subgroup));
    let all = 1u128.checked_shl(own_size).map_or(u128::MAX, |bit| bit - 1);
    Some(match which {
        24 => Vector(wide(launch.groups)),
        25 | 32 => Vector(wide(launch.local)),
        26 => Vector(wide(lane.group)),
        27 => Vector(wide(lane.local)),
        28 => Vector(lane.global),
        29 => Scalar(u64::from(index)),
        30 => Scalar(u64::from(launch.work_dim)),
        31 => Vector(launch.global()),
        33 => Vector(launch.offset),
        34 => {
            let from_zero = std::array::from_fn(|axis| lane.global[axis].wrapping_sub(launch.offset[axis]));
            Scalar(linear(from_zero, launch.global()))
        }
        36 => Scalar(u64::from(own_size)),
        37 => Scalar(u64::from(launch.subgroup_size)),
        38 | 39 => Scalar(u64::from(lanes.div_ceil(launch.subgroup_size))),
        40 => Scalar(u64::from(index / launch.subgroup_size)),
        41 => Scalar(u64::from(in_subgroup)),
        4416 => Mask(bit),
        4417 => Mask(all & !(bit - 1)),
        4418 => Mask(all & !(bit - 1) & !bit),
        4419 => Mask(bit | (bit - 1)),
        4420 => Mask(bit - 1),
        4438 => Scalar(0),
        _ => return None,
    })
}

/// A built-in as a value of the type of its variable; `None` if the type is none that it can have.
pub(crate) fn value(types: &TypeTable, ty: TypeId, built_in: BuiltIn) -> Option<Value> {
    if let Some(&Kind::Int(width)) = types.kind(ty) {
        return match built_in {
            BuiltIn::Scalar(number) => Some(Value::int(width, number)),
            _ => None,
        };
    }
    let Some(&Kind::Sequence { element, count, .. }) = types.kind(ty) else { return None };
    let Some(&Kind::Int(width)) = types.kind(element) else { return None };
    let numbers: Vec<u64> = match built_in {
        BuiltIn::Scalar(_) => return None,
        BuiltIn::Vector(numbers) => numbers.to_vec(),
        BuiltIn::Mask(bits) => (0..4).map(|word| (bits >> (32 * word)) as u64).collect(),
    };
    let numbers = numbers.get(..usize::try_from(count).ok()?)?;
    Some(Value::composite(numbers.iter().map(|&number| Value::int(width, number)).collect()))
}
