//! Built-in variables: the data of a lane about itself and its grid (SPIR-V section 3.2.21).
//!
//! Each value consists of 64-bit numbers; the variable determines the stored width, 64 bits in OpenCL, 32 in Vulkan.
//!
//! The lanes of a kernel launch have positions in its grid. Those of another run are the first lanes of one work-group, which has the shape
//! that the function requires if they fit into it, and is a row otherwise. In a fragment shader each quad is two by two pixels, and the
//! quads are in a row:
//!
//! ```text
//! 0  1 │ 4  5 │ 8  9
//! 2  3 │ 6  7 │ 10 11
//! ```

use reconverge_ir::Function;
use spirv::BuiltIn as Name;

use crate::code::specialization::required_size;
use crate::launch::kernel::setup::inputs;
use crate::memory::Memory;
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::{Interpreter, KernelLaunch, LaneId, Launch, Value};

/// The value of a built-in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum BuiltIn {
    Flag(bool),
    Scalar(u64),
    Vector([u64; 3]),
    /// One bit for each lane of the subgroup, or a sample.
    Mask(u128),
    Floats([f64; 4]),
}

/// The value of a built-in variable in the lane with number `index` in its work-group.
pub(crate) fn built_in(which: Name, launch: &KernelLaunch, lane: LaneId, index: u32) -> Option<BuiltIn> {
    use BuiltIn::{Mask, Scalar, Vector};
    let wide = |vector: [u32; 3]| vector.map(u64::from);
    let linear = |[x, y, z]: [u64; 3], size: [u64; 3]| {
        (z.wrapping_mul(size[1]).wrapping_add(y)).wrapping_mul(size[0]).wrapping_add(x)
    };
    let shape = launch.shape(lane.group);
    let lanes = shape.iter().product::<u32>();
    let in_subgroup = index % launch.subgroup_size;
    let bit = 1u128.checked_shl(in_subgroup).unwrap_or(0);
    let below = bit.wrapping_sub(1);
    let own_size = launch.subgroup_size.min(lanes.saturating_sub(index - in_subgroup));
    let all = 1u128.checked_shl(own_size).map_or(u128::MAX, |bit| bit - 1);
    Some(match which {
        Name::NumWorkgroups => Vector(wide(launch.groups)),
        Name::WorkgroupSize => Vector(wide(shape)),
        Name::EnqueuedWorkgroupSize => Vector(wide(launch.local)),
        Name::WorkgroupId => Vector(wide(lane.group)),
        Name::LocalInvocationId => Vector(wide(lane.local)),
        Name::GlobalInvocationId => Vector(lane.global),
        Name::LocalInvocationIndex => Scalar(u64::from(index)),
        Name::WorkDim => Scalar(u64::from(launch.work_dim)),
        Name::GlobalSize => Vector(launch.global()),
        Name::GlobalOffset => Vector(launch.offset),
        Name::GlobalLinearId => {
            let from_zero = std::array::from_fn(|axis| lane.global[axis].wrapping_sub(launch.offset[axis]));
            Scalar(linear(from_zero, launch.global()))
        }
        Name::SubgroupSize => Scalar(u64::from(own_size)),
        Name::SubgroupMaxSize => Scalar(u64::from(launch.subgroup_size)),
        Name::NumSubgroups => Scalar(u64::from(lanes.div_ceil(launch.subgroup_size))),
        Name::NumEnqueuedSubgroups => {
            Scalar(u64::from(launch.local.iter().product::<u32>().div_ceil(launch.subgroup_size)))
        }
        Name::SubgroupId => Scalar(u64::from(index / launch.subgroup_size)),
        Name::SubgroupLocalInvocationId => Scalar(u64::from(in_subgroup)),
        Name::SubgroupEqMask => Mask(bit),
        Name::SubgroupGeMask => Mask(all & !below),
        Name::SubgroupGtMask => Mask(all & !below & !bit),
        Name::SubgroupLeMask => Mask(bit | below),
        Name::SubgroupLtMask => Mask(below),
        Name::DeviceIndex => Scalar(0),
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
                Name::NumWorkgroups
                | Name::WorkgroupSize
                | Name::WorkgroupId
                | Name::LocalInvocationId
                | Name::GlobalInvocationId
                | Name::LocalInvocationIndex
                | Name::WorkDim
                | Name::GlobalSize
                | Name::EnqueuedWorkgroupSize
                | Name::GlobalOffset
                | Name::GlobalLinearId => built_in(input.built_in, &group, group.lane([0; 3], index as usize), index),
                Name::HelperInvocation => Some(BuiltIn::Flag(launch.demoted.contains(&(index as usize)))),
                which => built_in(which, &row, row.lane([0; 3], index as usize), index)
                    .or_else(|| of_pipeline(which, index, subgroup_size)),
            };
            let global = input.global;
            // A variable with a type that the built-in cannot have stays undefined, which is reported at its use.
            if let Some(value) = number.and_then(|number| value(&program.types, global.ty, number)) {
                let stored = memory.write(&program.types, global.ty, global.pointer(index as usize), &value);
                stored.expect("invariant: the value is of the type of the variable");
            }
        }
    }
}

/// The graphics built-ins of the lane with this number: vertices are counted by lanes; one instance, one sample for each pixel.
fn of_pipeline(which: Name, index: u32, subgroup_size: u32) -> Option<BuiltIn> {
    use BuiltIn::{Flag, Floats, Mask, Scalar};
    let number = index % subgroup_size;
    let quad = index / subgroup_size * subgroup_size.div_ceil(4) + number / 4;
    let (x, y) = (2 * quad + (number & 1), number >> 1 & 1);
    Some(match which {
        Name::VertexId | Name::InvocationId | Name::VertexIndex => Scalar(u64::from(index)),
        Name::InstanceId
        | Name::PrimitiveId
        | Name::Layer
        | Name::ViewportIndex
        | Name::SampleId
        | Name::InstanceIndex
        | Name::BaseVertex
        | Name::BaseInstance
        | Name::DrawIndex
        | Name::ViewIndex => Scalar(0),
        Name::FragCoord => Floats([f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0, 1.0]),
        Name::FrontFacing => Flag(true),
        Name::SamplePosition => Floats([0.5, 0.5, 0.0, 0.0]),
        Name::SampleMask => Mask(1),
        _ => return None,
    })
}

/// A built-in as a value of the type of its variable; `None` if the built-in cannot have the type.
pub(crate) fn value(types: &TypeTable, ty: TypeId, built_in: BuiltIn) -> Option<Value> {
    match (types.kind(ty), built_in) {
        (Some(&TypeKind::Int(width)), BuiltIn::Scalar(number)) => return Some(Value::int(width, number)),
        (Some(TypeKind::Bool), BuiltIn::Flag(flag)) => return Some(Value::Bool(flag)),
        _ => {}
    }
    let Some(&TypeKind::Sequence { element, count, .. }) = types.kind(ty) else { return None };
    let scalar = |number: u64, float: f64| match types.kind(element) {
        Some(&TypeKind::Int(width)) => Some(Value::int(width, number)),
        Some(&TypeKind::Float(width)) => Some(Value::float(width, float)),
        _ => None,
    };
    let is_float = matches!(types.kind(element), Some(TypeKind::Float(_)));
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
