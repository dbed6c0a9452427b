//! Built-in variables: their semantics, or the function that has their value.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use spirv::{BuiltIn, ExecutionModel as Model};

use super::super::Lowering;
use super::tessellation::Levels;
use crate::syntax::{Scalar, Type};
use crate::write::WriteCode;

/// The direction of an interface variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Input,
    Output,
}

/// The type of a built-in in the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The type in the module.
    AsInModule,
    /// An unsigned integer, or several.
    Uint(u8),
    /// A signed integer.
    Int,
}

/// The way from a built-in to a value of the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// The value itself.
    Plain,
    /// The module has the inverse of its last component.
    Position,
    /// The module has an array of it.
    Mask,
    /// The module has an array of numbers, of which four are in each vector.
    Distances,
    /// The position in the pixel of the sample with this number.
    SamplePosition,
    /// The module has four or two levels of tessellation, the language as many as the domain has.
    Levels(Levels),
    /// The module has three coordinates in the patch, the language as many as the domain has.
    Coordinates,
    /// The module has an array with the value at each vertex of the primitive.
    EachVertex,
    /// A number that begins at zero in each draw, where the module's begins at the number with this semantic.
    Based(&'static str),
}

impl Form {
    /// Returns whether it is that of levels of tessellation.
    pub(super) fn is_of_levels(self) -> bool {
        matches!(self, Form::Levels(_))
    }
}

/// A built-in of the language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Semantic {
    pub(super) name: &'static str,
    /// The name of the variable, if the source has none of its own.
    pub(super) variable: &'static str,
    pub(super) kind: Kind,
    pub(super) form: Form,
    /// The shader model that has it.
    pub(super) since: (u8, u8),
    /// The words before its type.
    pub(super) prefix: &'static str,
}

/// The built-in of the language for one of the module.
pub(super) fn semantic(built_in: BuiltIn, model: Model, direction: Direction) -> Option<Semantic> {
    let is_input = direction == Direction::Input;
    let plain = |name, variable, kind| Semantic { name, variable, kind, form: Form::Plain, since: (5, 0), prefix: "" };
    let same = |name, variable| plain(name, variable, Kind::AsInModule);
    let uint = |name, variable| plain(name, variable, Kind::Uint(1));
    Some(match built_in {
        BuiltIn::Position if model != Model::Fragment && (model != Model::Vertex || !is_input) => {
            same("SV_Position", "position")
        }
        BuiltIn::ClipDistance => Semantic { form: Form::Distances, ..same("SV_ClipDistance", "clip_distance") },
        BuiltIn::CullDistance => Semantic { form: Form::Distances, ..same("SV_CullDistance", "cull_distance") },
        BuiltIn::VertexIndex => {
            Semantic { form: Form::Based("SV_StartVertexLocation"), ..uint("SV_VertexID", "vertex_index") }
        }
        BuiltIn::InstanceIndex => {
            Semantic { form: Form::Based("SV_StartInstanceLocation"), ..uint("SV_InstanceID", "instance_index") }
        }
        BuiltIn::VertexId => uint("SV_VertexID", "vertex_index"),
        BuiltIn::InstanceId => uint("SV_InstanceID", "instance_index"),
        BuiltIn::BaseVertex => Semantic { since: (6, 8), ..plain("SV_StartVertexLocation", "base_vertex", Kind::Int) },
        BuiltIn::BaseInstance => Semantic { since: (6, 8), ..uint("SV_StartInstanceLocation", "base_instance") },
        BuiltIn::PrimitiveId => uint("SV_PrimitiveID", "primitive_id"),
        BuiltIn::InvocationId if model == Model::Geometry => uint("SV_GSInstanceID", "invocation"),
        BuiltIn::InvocationId if model == Model::TessellationControl => uint("SV_OutputControlPointID", "invocation"),
        BuiltIn::CullPrimitiveEXT => Semantic { since: (6, 5), ..same("SV_CullPrimitive", "is_culled") },
        BuiltIn::PrimitiveShadingRateKHR | BuiltIn::ShadingRateKHR => {
            Semantic { since: (6, 4), ..uint("SV_ShadingRate", "shading_rate") }
        }
        BuiltIn::TessLevelOuter => {
            Semantic { form: Form::Levels(Levels::Outer), ..same("SV_TessFactor", "outer_levels") }
        }
        BuiltIn::TessLevelInner => {
            Semantic { form: Form::Levels(Levels::Inner), ..same("SV_InsideTessFactor", "inner_levels") }
        }
        BuiltIn::TessCoord => Semantic { form: Form::Coordinates, ..same("SV_DomainLocation", "location") },
        BuiltIn::Layer => uint("SV_RenderTargetArrayIndex", "layer"),
        BuiltIn::ViewportIndex => uint("SV_ViewportArrayIndex", "viewport_index"),
        BuiltIn::FragCoord if is_input => Semantic { form: Form::Position, ..same("SV_Position", "frag_coord") },
        BuiltIn::FrontFacing if model == Model::Fragment => same("SV_IsFrontFace", "is_front_facing"),
        BuiltIn::SampleId => uint("SV_SampleIndex", "sample_index"),
        BuiltIn::SamplePosition => Semantic { form: Form::SamplePosition, ..uint("SV_SampleIndex", "sample_index") },
        BuiltIn::SampleMask => Semantic { form: Form::Mask, ..uint("SV_Coverage", "sample_mask") },
        BuiltIn::FragDepth => same("SV_Depth", "depth"),
        BuiltIn::FragStencilRefEXT => uint("SV_StencilRef", "stencil"),
        BuiltIn::ViewIndex => Semantic { since: (6, 1), ..uint("SV_ViewID", "view_index") },
        BuiltIn::BaryCoordKHR => Semantic { since: (6, 1), ..same("SV_Barycentrics", "barycentrics") },
        BuiltIn::BaryCoordNoPerspKHR => {
            let prefix = "noperspective";
            Semantic { since: (6, 1), prefix, ..same("SV_Barycentrics", "barycentrics") }
        }
        BuiltIn::WorkgroupId => plain("SV_GroupID", "group_id", Kind::Uint(3)),
        BuiltIn::LocalInvocationId => plain("SV_GroupThreadID", "local_id", Kind::Uint(3)),
        BuiltIn::GlobalInvocationId => plain("SV_DispatchThreadID", "global_id", Kind::Uint(3)),
        BuiltIn::LocalInvocationIndex => uint("SV_GroupIndex", "local_index"),
        _ => return None,
    })
}

/// The function that has the value of a built-in, and the shader model that has the function.
pub(super) fn function(built_in: BuiltIn) -> Option<(&'static str, (u8, u8))> {
    Some(match built_in {
        BuiltIn::SubgroupSize => ("WaveGetLaneCount", (6, 0)),
        BuiltIn::SubgroupLocalInvocationId => ("WaveGetLaneIndex", (6, 0)),
        BuiltIn::HelperInvocation => ("IsHelperLane", (6, 6)),
        _ => return None,
    })
}

impl Lowering<'_> {
    /// The built-in of the language for one of the module.
    ///
    /// # Errors
    /// The language or the shader model does not have it.
    pub(super) fn semantic(
        &self,
        built_in: BuiltIn,
        direction: Direction,
        place: Inst,
    ) -> Result<Semantic, Diagnostic> {
        let Some(found) = semantic(built_in, self.stage(), direction) else {
            return self.refuse(WriteCode::Interface, place, format!("the built-in {built_in:?} in HLSL"));
        };
        self.check_version(found.since, &format!("the built-in {built_in:?}"), place)?;
        Ok(found)
    }

    /// The stage of the entry point that is written.
    pub(super) fn stage(&self) -> Model {
        self.hlsl.stage.unwrap_or(Model::GLCompute)
    }

    /// Refuses what came with a later shader model.
    pub(super) fn check_version(&self, since: (u8, u8), what: &str, place: Inst) -> Result<(), Diagnostic> {
        let hlsl = self.target.hlsl();
        if hlsl.has(since.0, since.1) {
            return Ok(());
        }
        let message = format!("{what} in HLSL {}.{}; {}.{} has it", hlsl.major, hlsl.minor, since.0, since.1);
        self.refuse(WriteCode::Interface, place, message)
    }

    /// The type of a built-in in the language.
    pub(super) fn type_of_kind(&mut self, kind: Kind, ty: Type) -> Type {
        match kind {
            Kind::AsInModule => ty,
            Kind::Uint(size) => self.text.types.numbers(Scalar::UINT, size),
            Kind::Int => self.text.types.numbers(Scalar::INT, 1),
        }
    }
}
