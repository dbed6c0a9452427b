//! Built-ins: their names and types in naga.

use naga::{BuiltIn, Scalar, TypeInner, VectorSize};
use spirv::BuiltIn as Source;

/// Whether the position of a vertex has the decoration `Invariant`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Invariance {
    /// It has not.
    Variant,
    /// It has.
    Invariant,
}

/// A built-in of naga and its type; `None` for an array whose length the variable determines.
pub(super) fn built_in(source: Source, invariance: Invariance) -> Option<(BuiltIn, Option<TypeInner>)> {
    let word = Some(TypeInner::Scalar(Scalar::U32));
    let float = Some(TypeInner::Scalar(Scalar::F32));
    let vector = |size, scalar| Some(TypeInner::Vector { size, scalar });
    Some(match source {
        Source::Position => (
            BuiltIn::Position { invariant: invariance == Invariance::Invariant },
            vector(VectorSize::Quad, Scalar::F32),
        ),
        Source::FragCoord => (BuiltIn::Position { invariant: false }, vector(VectorSize::Quad, Scalar::F32)),
        Source::PointSize => (BuiltIn::PointSize, float),
        Source::ClipDistance => (BuiltIn::ClipDistances, None),
        Source::CullDistance => (BuiltIn::CullDistance, None),
        Source::VertexIndex => (BuiltIn::VertexIndex, word),
        Source::InstanceIndex => (BuiltIn::InstanceIndex, word),
        Source::BaseVertex => (BuiltIn::BaseVertex, word),
        Source::BaseInstance => (BuiltIn::BaseInstance, word),
        Source::DrawIndex => (BuiltIn::DrawIndex, word),
        Source::ViewIndex => (BuiltIn::ViewIndex, word),
        Source::PrimitiveId => (BuiltIn::PrimitiveIndex, word),
        Source::PointCoord => (BuiltIn::PointCoord, vector(VectorSize::Bi, Scalar::F32)),
        Source::FrontFacing => (BuiltIn::FrontFacing, Some(TypeInner::Scalar(Scalar::BOOL))),
        Source::SampleId => (BuiltIn::SampleIndex, word),
        Source::SampleMask => (BuiltIn::SampleMask, word),
        Source::FragDepth => (BuiltIn::FragDepth, float),
        Source::GlobalInvocationId => (BuiltIn::GlobalInvocationId, vector(VectorSize::Tri, Scalar::U32)),
        Source::LocalInvocationId => (BuiltIn::LocalInvocationId, vector(VectorSize::Tri, Scalar::U32)),
        Source::LocalInvocationIndex => (BuiltIn::LocalInvocationIndex, word),
        Source::WorkgroupId => (BuiltIn::WorkGroupId, vector(VectorSize::Tri, Scalar::U32)),
        Source::NumWorkgroups => (BuiltIn::NumWorkGroups, vector(VectorSize::Tri, Scalar::U32)),
        Source::NumSubgroups => (BuiltIn::NumSubgroups, word),
        Source::SubgroupId => (BuiltIn::SubgroupId, word),
        Source::SubgroupSize => (BuiltIn::SubgroupSize, word),
        Source::SubgroupLocalInvocationId => (BuiltIn::SubgroupInvocationId, word),
        _ => return None,
    })
}
