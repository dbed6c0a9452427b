//! Built-in variables: what a lane is told about itself and its grid (SPIR-V section 3.2.21).
//!
//! Each has a value of 64-bit numbers; the variable says how wide they are kept, 64 bits in OpenCL, 32 in Vulkan.
//!
//! The lanes of a kernel launch have their place in its grid. Those of another run are the first ones of one work-group, which has the
//! shape that the function requires if they fit into it, and lie in a row otherwise. To a fragment shader each quad of them is two by
//! two pixels, and the quads lie in a row:
//!
//! ```text
//! 0  1 │ 4  5 │ 8  9
//! 2  3 │ 6  7 │ 10 11
//! ```

use reconverge_ir::Function;

use crate::kernel_setup::inputs;
use crate::memory::Memory;
use crate::specialization::required_size;
use crate::types::{Kind, TypeId, TypeTable};
use crate::{Interpreter, KernelLaunch, LaneId, Launch, Value, demotion};

/// The value of a built-in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum BuiltIn {
    Flag(bool),
    Scalar(u64),
    Vector([u64; 3]),
    /// One bit a lane of the subgroup, or a sample.
    Mask(u128),
    Floats([f64; 4]),
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
    let bit = 1u128.checked_shl(in_subgroup).unwrap_or(0);
    let below = bit.wrapping_sub(1);
    let own_size = launch.subgroup_size.min(lanes.saturating_sub(index - in_subgroup));
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
        4417 => Mask(all & !below),
        4418 => Mask(all & !below & !bit),
        4419 => Mask(bit | below),
        4420 => Mask(below),
        4438 => Scalar(0),
        _ => return None,
    })
}

/// Fills the built-in variables of the lanes of a run.
pub(crate) fn fill(memory: &mut Memory, program: &Interpreter<'_>, launch: &Launch, function: Function) {
    let lanes = launch.lanes as u32;
    let subgroup_size = launch.subgroup_size.map_or(lanes, |size| u32::try_from(size).unwrap_or(lanes)).max(1);
    let row = KernelLaunch { local: [lanes, 1, 1], subgroup_size, ..KernelLaunch::default() };
    let has_room =
        |shape: &[u32; 3]| shape.iter().try_fold(1, |size: u32, &axis| size.checked_mul(axis)) >= Some(lanes);
    let group =
        KernelLaunch { local: required_size(program, function).filter(has_room).unwrap_or(row.local), ..row.clone() };
    for input in inputs(program) {
        for index in 0..lanes {
            let number = match input.built_in {
                24..=34 => built_in(input.built_in, &group, (group.lane([0; 3], index as usize), index)),
                demotion::BUILT_IN => Some(BuiltIn::Flag(launch.demoted.contains(&(index as usize)))),
                which => built_in(which, &row, (row.lane([0; 3], index as usize), index))
                    .or_else(|| of_pipeline(which, index, subgroup_size)),
            };
            let global = input.global;
            // A variable of a type that the built-in cannot have stays undefined, which is reported where it matters.
            if let Some(value) = number.and_then(|number| value(&program.types, global.ty, number)) {
                let stored = memory.write(&program.types, global.ty, global.pointer(index as usize), &value);
                stored.expect("invariant: the value is of the type of the variable");
            }
        }
    }
}

/// What the stages of a graphics pipeline tell the lane of a number: vertices are counted by lanes, one instance, one sample a pixel.
fn of_pipeline(which: u32, index: u32, subgroup_size: u32) -> Option<BuiltIn> {
    use BuiltIn::{Flag, Floats, Mask, Scalar};
    let number = index % subgroup_size;
    let quad = index / subgroup_size * subgroup_size.div_ceil(4) + number / 4;
    let (x, y) = (2 * quad + (number & 1), number >> 1 & 1);
    Some(match which {
        5 | 8 | 42 => Scalar(u64::from(index)),
        6 | 7 | 9 | 10 | 18 | 43 | 4424..=4426 | 4440 => Scalar(0),
        15 => Floats([f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0, 1.0]),
        17 => Flag(true),
        19 => Floats([0.5, 0.5, 0.0, 0.0]),
        20 => Mask(1),
        _ => return None,
    })
}

/// A built-in as a value of the type of its variable; `None` if the type is none that it can have.
pub(crate) fn value(types: &TypeTable, ty: TypeId, built_in: BuiltIn) -> Option<Value> {
    match (types.kind(ty), built_in) {
        (Some(&Kind::Int(width)), BuiltIn::Scalar(number)) => return Some(Value::int(width, number)),
        (Some(Kind::Bool), BuiltIn::Flag(flag)) => return Some(Value::Bool(flag)),
        _ => {}
    }
    let Some(&Kind::Sequence { element, count, .. }) = types.kind(ty) else { return None };
    let scalar = |number: u64, float: f64| match types.kind(element) {
        Some(&Kind::Int(width)) => Some(Value::int(width, number)),
        Some(&Kind::Float(width)) => Some(Value::float(width, float)),
        _ => None,
    };
    let is_float = matches!(types.kind(element), Some(Kind::Float(_)));
    let numbers: Vec<Option<Value>> = match built_in {
        BuiltIn::Flag(_) | BuiltIn::Scalar(_) => return None,
        BuiltIn::Vector(numbers) if !is_float => numbers.iter().map(|&number| scalar(number, 0.0)).collect(),
        BuiltIn::Mask(bits) if !is_float => (0..4).map(|word| scalar((bits >> (32 * word)) as u64, 0.0)).collect(),
        BuiltIn::Floats(numbers) if is_float => numbers.iter().map(|&number| scalar(0, number)).collect(),
        _ => return None,
    };
    let numbers = numbers.get(..usize::try_from(count).ok()?)?;
    numbers.iter().cloned().collect::<Option<Vec<Value>>>().map(Value::composite)
}
