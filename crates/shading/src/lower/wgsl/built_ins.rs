//! Built-in inputs and outputs: their names and types.

use spirv::{BuiltIn, ExecutionModel as Model};

use crate::syntax::Scalar;

/// The direction of an interface variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Input,
    Output,
}

/// A built-in of the language.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// Its name in the attribute.
    pub(super) name: &'static str,
    /// The name of a variable without one of its own.
    pub(super) variable: &'static str,
    pub(super) scalar: Scalar,
    /// The number of components; 0 for an array of numbers.
    pub(super) size: u8,
    /// The extension that has it.
    pub(super) extension: Option<&'static str>,
}

/// A built-in of a stage; `None` if the language does not have it there.
pub(super) fn built_in(found: BuiltIn, model: Model, direction: Direction) -> Option<Known> {
    use Direction::{Input, Output};
    let (bool, uint, float) = (Scalar::BOOL, Scalar::UINT, Scalar::FLOAT);
    let plain = |name, variable, scalar, size| Known { name, variable, scalar, size, extension: None };
    let subgroup = |name, variable| Known { extension: Some("subgroups"), ..plain(name, variable, uint, 1) };
    Some(match (found, model, direction) {
        (BuiltIn::Position, Model::Vertex, Output) => plain("position", "position", float, 4),
        (BuiltIn::ClipDistance, Model::Vertex, Output) => {
            let known = plain("clip_distances", "clip_distances", float, 0);
            Known { extension: Some("clip_distances"), ..known }
        }
        (BuiltIn::VertexIndex | BuiltIn::VertexId, Model::Vertex, Input) => {
            plain("vertex_index", "vertex_index", uint, 1)
        }
        (BuiltIn::InstanceIndex | BuiltIn::InstanceId, Model::Vertex, Input) => {
            plain("instance_index", "instance_index", uint, 1)
        }
        (BuiltIn::FragCoord, Model::Fragment, Input) => plain("position", "frag_coord", float, 4),
        (BuiltIn::FrontFacing, Model::Fragment, Input) => plain("front_facing", "is_front", bool, 1),
        (BuiltIn::SampleId, Model::Fragment, Input) => plain("sample_index", "sample_index", uint, 1),
        (BuiltIn::SampleMask, Model::Fragment, _) => plain("sample_mask", "coverage", uint, 1),
        (BuiltIn::FragDepth, Model::Fragment, Output) => plain("frag_depth", "depth", float, 1),
        (BuiltIn::PrimitiveId, Model::Fragment, Input) => {
            let known = plain("primitive_index", "primitive_index", uint, 1);
            Known { extension: Some("primitive_index"), ..known }
        }
        (BuiltIn::SubgroupSize, Model::Fragment | Model::GLCompute, Input) => {
            subgroup("subgroup_size", "subgroup_size")
        }
        (BuiltIn::SubgroupLocalInvocationId, Model::Fragment | Model::GLCompute, Input) => {
            subgroup("subgroup_invocation_id", "lane")
        }
        (BuiltIn::SubgroupId, Model::GLCompute, Input) => subgroup("subgroup_id", "subgroup_index"),
        (BuiltIn::NumSubgroups, Model::GLCompute, Input) => subgroup("num_subgroups", "subgroup_count"),
        (BuiltIn::GlobalInvocationId, Model::GLCompute, Input) => plain("global_invocation_id", "global_id", uint, 3),
        (BuiltIn::LocalInvocationId, Model::GLCompute, Input) => plain("local_invocation_id", "local_id", uint, 3),
        (BuiltIn::LocalInvocationIndex, Model::GLCompute, Input) => {
            plain("local_invocation_index", "local_index", uint, 1)
        }
        (BuiltIn::WorkgroupId, Model::GLCompute, Input) => plain("workgroup_id", "group_id", uint, 3),
        (BuiltIn::NumWorkgroups, Model::GLCompute, Input) => plain("num_workgroups", "group_count", uint, 3),
        _ => return None,
    })
}

/// Returns whether a built-in is a mask of lanes of the subgroup, which is computed from the number of the lane.
pub(super) fn is_mask(built_in: BuiltIn) -> bool {
    matches!(
        built_in,
        BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask
    )
}
