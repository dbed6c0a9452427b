//! Built-in variables: their names and types in the language.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use spirv::{BuiltIn, ExecutionModel as Model};

use super::super::Lowering;
use crate::syntax::{
    Global, GlobalId, GlobalKind, Length, Member, Scalar, ScalarKind, Struct, StructId, Type, TypeShape,
};
use crate::write::WriteCode;

/// The type of a built-in in the language.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// That of the module.
    AsInModule,
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
}

/// The variables of the language that contain built-ins of several vertices or primitives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum PerVertex {
    Input,
    Output,
    MeshVertices,
    MeshPrimitives,
}

/// The direction of an interface variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Input,
    Output,
}

/// The name of a built-in, its type, and the extension that has it.
fn row(built_in: BuiltIn, model: Model, direction: Direction) -> Option<(&'static str, Kind, &'static str)> {
    use Kind::{AsInModule as Same, Int, Uint};
    let is_input = direction == Direction::Input;
    Some(match built_in {
        BuiltIn::Position => ("gl_Position", Same, ""),
        BuiltIn::PointSize => ("gl_PointSize", Same, ""),
        BuiltIn::ClipDistance => ("gl_ClipDistance", Same, ""),
        BuiltIn::CullDistance => ("gl_CullDistance", Same, ""),
        BuiltIn::VertexIndex => ("gl_VertexIndex", Int, ""),
        BuiltIn::InstanceIndex => ("gl_InstanceIndex", Int, ""),
        BuiltIn::VertexId => ("gl_VertexID", Int, ""),
        BuiltIn::InstanceId => ("gl_InstanceID", Int, ""),
        BuiltIn::PrimitiveId if model == Model::Geometry && is_input => ("gl_PrimitiveIDIn", Int, ""),
        BuiltIn::PrimitiveId => ("gl_PrimitiveID", Int, ""),
        BuiltIn::InvocationId => ("gl_InvocationID", Int, ""),
        BuiltIn::Layer if matches!(model, Model::Vertex | Model::TessellationEvaluation) => {
            ("gl_Layer", Int, "GL_ARB_shader_viewport_layer_array")
        }
        BuiltIn::Layer => ("gl_Layer", Int, ""),
        BuiltIn::ViewportIndex if matches!(model, Model::Vertex | Model::TessellationEvaluation) => {
            ("gl_ViewportIndex", Int, "GL_ARB_shader_viewport_layer_array")
        }
        BuiltIn::ViewportIndex => ("gl_ViewportIndex", Int, ""),
        BuiltIn::TessLevelOuter => ("gl_TessLevelOuter", Same, ""),
        BuiltIn::TessLevelInner => ("gl_TessLevelInner", Same, ""),
        BuiltIn::TessCoord => ("gl_TessCoord", Same, ""),
        BuiltIn::PatchVertices => ("gl_PatchVerticesIn", Int, ""),
        BuiltIn::FragCoord => ("gl_FragCoord", Same, ""),
        BuiltIn::PointCoord => ("gl_PointCoord", Same, ""),
        BuiltIn::FrontFacing => ("gl_FrontFacing", Same, ""),
        BuiltIn::SampleId => ("gl_SampleID", Int, ""),
        BuiltIn::SamplePosition => ("gl_SamplePosition", Same, ""),
        BuiltIn::SampleMask if is_input => ("gl_SampleMaskIn", Int, ""),
        BuiltIn::SampleMask => ("gl_SampleMask", Int, ""),
        BuiltIn::FragDepth => ("gl_FragDepth", Same, ""),
        BuiltIn::HelperInvocation => ("gl_HelperInvocation", Same, ""),
        BuiltIn::FragStencilRefEXT => ("gl_FragStencilRefARB", Int, "GL_ARB_shader_stencil_export"),
        BuiltIn::NumWorkgroups => ("gl_NumWorkGroups", Uint, ""),
        BuiltIn::WorkgroupSize => ("gl_WorkGroupSize", Uint, ""),
        BuiltIn::WorkgroupId => ("gl_WorkGroupID", Uint, ""),
        BuiltIn::LocalInvocationId => ("gl_LocalInvocationID", Uint, ""),
        BuiltIn::GlobalInvocationId => ("gl_GlobalInvocationID", Uint, ""),
        BuiltIn::LocalInvocationIndex => ("gl_LocalInvocationIndex", Uint, ""),
        BuiltIn::SubgroupSize => ("gl_SubgroupSize", Uint, "GL_KHR_shader_subgroup_basic"),
        BuiltIn::NumSubgroups => ("gl_NumSubgroups", Uint, "GL_KHR_shader_subgroup_basic"),
        BuiltIn::SubgroupId => ("gl_SubgroupID", Uint, "GL_KHR_shader_subgroup_basic"),
        BuiltIn::SubgroupLocalInvocationId => ("gl_SubgroupInvocationID", Uint, "GL_KHR_shader_subgroup_basic"),
        BuiltIn::SubgroupEqMask => ("gl_SubgroupEqMask", Uint, "GL_KHR_shader_subgroup_ballot"),
        BuiltIn::SubgroupGeMask => ("gl_SubgroupGeMask", Uint, "GL_KHR_shader_subgroup_ballot"),
        BuiltIn::SubgroupGtMask => ("gl_SubgroupGtMask", Uint, "GL_KHR_shader_subgroup_ballot"),
        BuiltIn::SubgroupLeMask => ("gl_SubgroupLeMask", Uint, "GL_KHR_shader_subgroup_ballot"),
        BuiltIn::SubgroupLtMask => ("gl_SubgroupLtMask", Uint, "GL_KHR_shader_subgroup_ballot"),
        BuiltIn::DeviceIndex => ("gl_DeviceIndex", Int, "GL_EXT_device_group"),
        BuiltIn::ViewIndex => ("gl_ViewIndex", Int, "GL_EXT_multiview"),
        BuiltIn::BaryCoordKHR => ("gl_BaryCoordEXT", Same, "GL_EXT_fragment_shader_barycentric"),
        BuiltIn::BaryCoordNoPerspKHR => ("gl_BaryCoordNoPerspEXT", Same, "GL_EXT_fragment_shader_barycentric"),
        BuiltIn::FullyCoveredEXT => ("gl_FragFullyCoveredNV", Same, "GL_NV_conservative_raster_underestimation"),
        BuiltIn::FragSizeEXT => ("gl_FragSizeEXT", Int, "GL_EXT_fragment_invocation_density"),
        BuiltIn::FragInvocationCountEXT => ("gl_FragInvocationCountEXT", Int, "GL_EXT_fragment_invocation_density"),
        BuiltIn::PrimitiveShadingRateKHR => ("gl_PrimitiveShadingRateEXT", Int, "GL_EXT_fragment_shading_rate"),
        BuiltIn::ShadingRateKHR => ("gl_ShadingRateEXT", Int, "GL_EXT_fragment_shading_rate"),
        BuiltIn::PrimitivePointIndicesEXT => ("gl_PrimitivePointIndicesEXT", Uint, ""),
        BuiltIn::PrimitiveLineIndicesEXT => ("gl_PrimitiveLineIndicesEXT", Uint, ""),
        BuiltIn::PrimitiveTriangleIndicesEXT => ("gl_PrimitiveTriangleIndicesEXT", Uint, ""),
        BuiltIn::CullPrimitiveEXT => ("gl_CullPrimitiveEXT", Same, ""),
        BuiltIn::LaunchIdKHR => ("gl_LaunchIDEXT", Uint, ""),
        BuiltIn::LaunchSizeKHR => ("gl_LaunchSizeEXT", Uint, ""),
        BuiltIn::WorldRayOriginKHR => ("gl_WorldRayOriginEXT", Same, ""),
        BuiltIn::WorldRayDirectionKHR => ("gl_WorldRayDirectionEXT", Same, ""),
        BuiltIn::ObjectRayOriginKHR => ("gl_ObjectRayOriginEXT", Same, ""),
        BuiltIn::ObjectRayDirectionKHR => ("gl_ObjectRayDirectionEXT", Same, ""),
        BuiltIn::RayTminKHR => ("gl_RayTminEXT", Same, ""),
        BuiltIn::HitTNV => ("gl_HitTEXT", Same, ""),
        BuiltIn::RayTmaxKHR => ("gl_RayTmaxEXT", Same, ""),
        BuiltIn::InstanceCustomIndexKHR => ("gl_InstanceCustomIndexEXT", Int, ""),
        BuiltIn::ObjectToWorldKHR => ("gl_ObjectToWorldEXT", Same, ""),
        BuiltIn::WorldToObjectKHR => ("gl_WorldToObjectEXT", Same, ""),
        BuiltIn::HitKindKHR => ("gl_HitKindEXT", Uint, ""),
        BuiltIn::IncomingRayFlagsKHR => ("gl_IncomingRayFlagsEXT", Uint, ""),
        BuiltIn::RayGeometryIndexKHR => ("gl_GeometryIndexEXT", Int, ""),
        BuiltIn::CullMaskKHR => ("gl_CullMaskEXT", Uint, "GL_EXT_ray_cull_mask"),
        _ => return None,
    })
}

impl Lowering<'_> {
    /// The global of a built-in variable of a type of the module.
    pub(super) fn built_in_variable(
        &mut self,
        built_in: BuiltIn,
        ty: Inst,
        direction: Direction,
        place: Inst,
    ) -> Result<GlobalId, Diagnostic> {
        let model = self.model();
        let Some((name, kind, extension)) = row(built_in, model, direction) else {
            return self.draw_parameter(built_in, place);
        };
        if !extension.is_empty() {
            self.require(extension, place);
        }
        let name = self.name_of_version(name, place)?;
        match (name, model) {
            ("gl_Layer", Model::Fragment) => self.uses_word("gl_Layer of a fragment", place),
            ("gl_ViewportIndex", Model::Fragment) => self.uses_word("gl_ViewportIndex of a fragment", place),
            _ => self.uses_word(name, place),
        }
        let ty = self.ty(ty)?;
        let ty = self.with_kind(ty, kind);
        let global = self.built_in(name, ty);
        let is_volatile = built_in == BuiltIn::HelperInvocation;
        let declared = &mut self.text.globals[global.0 as usize];
        declared.is_written |= direction == Direction::Output || is_volatile;
        Ok(global)
    }

    /// The stage that is written: a text of GLSL has one.
    pub(in crate::lower) fn model(&self) -> Model {
        self.entries.first().map_or(Model::GLCompute, |entry| entry.model)
    }

    /// Vertex and instance indices have other names without Vulkan, where those of a draw begin at 0.
    fn name_of_version(&mut self, name: &'static str, place: Inst) -> Result<&'static str, Diagnostic> {
        let glsl = self.target.glsl();
        if glsl.is_vulkan() {
            return Ok(name);
        }
        match name {
            "gl_VertexIndex" => Ok("gl_VertexID"),
            // Draws of these versions have no first instance.
            "gl_InstanceIndex" if !glsl.has(420, u16::MAX) => Ok("gl_InstanceID"),
            "gl_InstanceIndex" => {
                self.uses_word("gl_BaseInstance", place);
                Ok(match glsl.has_core_word("gl_BaseInstance") {
                    true => "(gl_BaseInstance + gl_InstanceID)",
                    false => "(gl_BaseInstanceARB + gl_InstanceID)",
                })
            }
            "gl_ViewIndex" => {
                self.require("GL_OVR_multiview2", place);
                Ok("gl_ViewID_OVR")
            }
            _ => Ok(name),
        }
    }

    /// What a draw was called with.
    fn draw_parameter(&mut self, built_in: BuiltIn, place: Inst) -> Result<GlobalId, Diagnostic> {
        let glsl = self.target.glsl();
        let names = match built_in {
            BuiltIn::BaseVertex => ["gl_BaseVertex", "gl_BaseVertexARB"],
            BuiltIn::BaseInstance => ["gl_BaseInstance", "gl_BaseInstanceARB"],
            BuiltIn::DrawIndex => ["gl_DrawID", "gl_DrawIDARB"],
            _ => return self.refuse(WriteCode::Interface, place, format!("the built-in {built_in:?} in GLSL")),
        };
        self.uses_word(names[0], place);
        let is_core = glsl.has_core_word(names[0]);
        let int = self.text.types.of(TypeShape::Scalar(Scalar::INT));
        Ok(self.built_in(names[usize::from(!is_core)], int))
    }

    fn with_kind(&mut self, ty: Type, kind: Kind) -> Type {
        let kind = match kind {
            Kind::AsInModule => return ty,
            Kind::Int => ScalarKind::Int,
            Kind::Uint => ScalarKind::Uint,
        };
        let changed = |scalar: Scalar| if scalar.is_integer() { scalar.with(kind) } else { scalar };
        let shape = match self.text.types[ty] {
            TypeShape::Scalar(scalar) => TypeShape::Scalar(changed(scalar)),
            TypeShape::Vector { scalar, size } => TypeShape::Vector { scalar: changed(scalar), size },
            TypeShape::Array { element, length } => match self.text.types[element] {
                TypeShape::Scalar(scalar) => {
                    let element = self.text.types.of(TypeShape::Scalar(changed(scalar)));
                    TypeShape::Array { element, length }
                }
                TypeShape::Vector { scalar, size } => {
                    let element = self.text.types.of(TypeShape::Vector { scalar: changed(scalar), size });
                    TypeShape::Array { element, length }
                }
                other => other,
            },
            other => other,
        };
        self.text.types.of(shape)
    }

    /// A string of the text.
    pub(in crate::lower) fn quoted(&mut self, string: &str) -> GlobalId {
        let mut quoted = String::from("\"");
        for letter in string.chars() {
            match letter {
                '\n' => quoted.push_str("\\n"),
                '\t' => quoted.push_str("\\t"),
                '"' | '\\' => {
                    quoted.push('\\');
                    quoted.push(letter);
                }
                letter if letter.is_control() => {}
                letter => quoted.push(letter),
            }
        }
        quoted.push('"');
        let void = self.text.types.of(TypeShape::Void);
        self.text.add_global(Global {
            name: quoted,
            ty: void,
            kind: GlobalKind::BuiltIn,
            prefix: String::new(),
            suffix: String::new(),
            is_written: false,
        })
    }

    /// The array of vertices or primitives that the language declares, with a struct of these built-ins, by their members.
    pub(super) fn per_vertex(&mut self, which: PerVertex, members: &[(&'static str, Type)]) -> (GlobalId, StructId) {
        let (name, structure) = match which {
            PerVertex::Input => ("gl_in", "gl_PerVertex"),
            PerVertex::Output => ("gl_out", "gl_PerVertex"),
            PerVertex::MeshVertices => ("gl_MeshVerticesEXT", "gl_MeshPerVertexEXT"),
            PerVertex::MeshPrimitives => ("gl_MeshPrimitivesEXT", "gl_MeshPerPrimitiveEXT"),
        };
        let member = |&(name, ty): &(&str, Type)| Member {
            name: name.to_owned(),
            ty,
            prefix: String::new(),
            suffix: String::new(),
        };
        let known = self.text.globals.iter().position(|global| global.name == name);
        let id = match known.map(|known| self.text.types[self.text.globals[known].ty]) {
            Some(TypeShape::Array { element, .. }) => match self.text.types[element] {
                TypeShape::Struct(id) => id,
                _ => StructId(0),
            },
            _ => self.text.add_struct(Struct {
                name: structure.to_owned(),
                members: members.iter().map(member).collect(),
                is_block: true,
            }),
        };
        for added in members {
            let has_it = self.text.structure(id).members.iter().any(|known| known.name == added.0);
            if !has_it {
                self.text.structs[id.0 as usize].members.push(member(added));
            }
        }
        let element = self.text.types.of(TypeShape::Struct(id));
        let ty = self.text.types.of(TypeShape::Array { element, length: Length::Runtime });
        let global = self.built_in(name, ty);
        self.text.globals[global.0 as usize].is_written |= which != PerVertex::Input;
        (global, id)
    }

    /// The name and type of a built-in that is a member of one of these structs.
    pub(super) fn per_vertex_member(
        &mut self,
        built_in: BuiltIn,
        ty: Inst,
        direction: Direction,
        place: Inst,
    ) -> Result<(&'static str, Type), Diagnostic> {
        let Some((name, kind, extension)) = row(built_in, self.model(), direction) else {
            return self.refuse(WriteCode::Interface, place, format!("the built-in {built_in:?} of a vertex in GLSL"));
        };
        if !extension.is_empty() {
            self.require(extension, place);
        }
        match name {
            "gl_PointSize" => self.uses_word("gl_PointSize of several vertices", place),
            _ => self.uses_word(name, place),
        }
        let ty = self.ty(ty)?;
        Ok((name, self.with_kind(ty, kind)))
    }
}
