//! What each version of GLSL has.
//!
//! A row names words of the language: functions, built-in variables, types of images, qualifiers, or a construct in plain words. Behind
//! them are the versions of the desktop's language that have them, then those of GLSL ES, each with the extension that it takes. The first
//! one that the text can use is used. A word without a row is in all versions that are written: 330 and later, and ES 300 and later.
//!
//! A word that the version lacks is noted with its instruction where it is used, and refused when the text is complete.
//!
//! (GLSL 3.30 to 4.60, GLSL ES 3.00 to 3.20, and the texts of the extensions.)

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op};
use spirv::{Decoration, ExecutionModel as Model, StorageClass as Class};

use super::super::Lowering;
use super::super::target::{Glsl, GlslFlavor};
use crate::syntax::{Scalar, ScalarKind, TypeShape};
use crate::write::{WriteCode, at_inst};

/// A version, and the extension that it takes; empty if the version itself has it.
type Since = (u16, &'static str);

/// Words with the same versions: desktop, then embedded.
type Row = (&'static [&'static str], &'static [Since], &'static [Since]);

const NEVER: &[Since] = &[];
/// `GL_ARB_gpu_shader5` has them for 330, but compilers have only parts of it.
const GPU_SHADER5: &[Since] = &[(400, "")];
const IMAGES: &[Since] = &[(420, ""), (330, "GL_ARB_shader_image_load_store")];
const COMPUTE: &[Since] = &[(430, ""), (420, "GL_ARB_compute_shader")];
const PACKING: &[Since] = &[(420, ""), (330, "GL_ARB_shading_language_packing")];
const TESSELLATION: &[Since] = &[(400, ""), (330, "GL_ARB_tessellation_shader")];
const ES_GEOMETRY: &[Since] = &[(320, ""), (310, "GL_EXT_geometry_shader")];
const ES_TESSELLATION: &[Since] = &[(320, ""), (310, "GL_EXT_tessellation_shader")];
const ES_SAMPLES: &[Since] = &[(320, ""), (310, "GL_OES_sample_variables")];
const ES_INTERPOLATION: &[Since] = &[(320, ""), (310, "GL_OES_shader_multisample_interpolation")];

const ROWS: &[Row] = &[
    // Numbers.
    (&["fma"], GPU_SHADER5, &[(320, ""), (310, "GL_EXT_gpu_shader5")]),
    (
        &[
            "frexp",
            "ldexp",
            "bitfieldExtract",
            "bitfieldInsert",
            "bitfieldReverse",
            "bitCount",
            "findLSB",
            "findMSB",
            "uaddCarry",
            "usubBorrow",
            "umulExtended",
            "imulExtended",
        ],
        GPU_SHADER5,
        &[(310, "")],
    ),
    (&["precise"], GPU_SHADER5, &[(320, ""), (310, "GL_EXT_gpu_shader5")]),
    (&["packSnorm2x16", "unpackSnorm2x16", "packHalf2x16", "unpackHalf2x16"], PACKING, &[(300, "")]),
    (&["packUnorm2x16", "unpackUnorm2x16"], &[(410, ""), (330, "GL_ARB_shading_language_packing")], &[(300, "")]),
    (
        &["packUnorm4x8", "unpackUnorm4x8", "packSnorm4x8", "unpackSnorm4x8"],
        &[(400, ""), (330, "GL_ARB_shading_language_packing")],
        &[(310, "")],
    ),
    (&["packDouble2x32", "unpackDouble2x32"], &[(400, ""), (330, "GL_ARB_gpu_shader_fp64")], NEVER),
    // Interpolation and derivatives.
    (&["interpolateAtCentroid", "interpolateAtSample", "interpolateAtOffset"], GPU_SHADER5, ES_INTERPOLATION),
    (
        &["dFdxFine", "dFdyFine", "fwidthFine", "dFdxCoarse", "dFdyCoarse", "fwidthCoarse"],
        &[(450, ""), (400, "GL_ARB_derivative_control")],
        NEVER,
    ),
    // Samples.
    (&["textureGather", "textureGatherOffset"], GPU_SHADER5, &[(310, "")]),
    (
        &["textureGatherOffsets", "a gather with an offset that is no constant"],
        GPU_SHADER5,
        &[(320, ""), (310, "GL_EXT_gpu_shader5")],
    ),
    (&["textureQueryLod"], &[(400, "")], NEVER),
    (&["textureQueryLevels"], &[(430, ""), (330, "GL_ARB_texture_query_levels")], NEVER),
    (&["textureSamples", "imageSamples"], &[(450, "")], NEVER),
    (
        &[
            "sampler1D",
            "sampler1DArray",
            "sampler1DShadow",
            "sampler1DArrayShadow",
            "sampler2DRect",
            "sampler2DRectShadow",
        ],
        &[(330, "")],
        NEVER,
    ),
    (&["samplerBuffer"], &[(330, "")], &[(320, ""), (310, "GL_EXT_texture_buffer")]),
    (&["sampler2DMS"], &[(330, "")], &[(310, "")]),
    (&["sampler2DMSArray"], &[(330, "")], &[(320, ""), (310, "GL_OES_texture_storage_multisample_2d_array")]),
    (
        &["samplerCubeArray", "samplerCubeArrayShadow"],
        &[(400, ""), (330, "GL_ARB_texture_cube_map_array")],
        &[(320, ""), (310, "GL_EXT_texture_cube_map_array")],
    ),
    (
        &["an index of an array of images that is no constant", "an index of an array of blocks that is no constant"],
        GPU_SHADER5,
        &[(320, ""), (310, "GL_EXT_gpu_shader5")],
    ),
    (&["an index of an array of storage buffers that is no constant"], &[(430, "")], NEVER),
    // Storage images.
    (&["imageLoad", "imageStore", "image2D", "image2DArray", "image3D", "imageCube"], IMAGES, &[(310, "")]),
    (&["imageSize"], &[(430, ""), (420, "GL_ARB_shader_image_size")], &[(310, "")]),
    (&["imageBuffer"], IMAGES, &[(320, ""), (310, "GL_EXT_texture_buffer")]),
    (&["imageCubeArray"], IMAGES, &[(320, ""), (310, "GL_EXT_texture_cube_map_array")]),
    (&["image1D", "image1DArray", "image2DRect", "image2DMS", "image2DMSArray"], IMAGES, NEVER),
    (
        &[
            "imageAtomicAdd",
            "imageAtomicMin",
            "imageAtomicMax",
            "imageAtomicAnd",
            "imageAtomicOr",
            "imageAtomicXor",
            "imageAtomicExchange",
            "imageAtomicCompSwap",
        ],
        IMAGES,
        &[(320, ""), (310, "GL_OES_shader_image_atomic")],
    ),
    // Buffers, atomics and barriers.
    (&["a storage buffer"], &[(430, "")], &[(310, "")]),
    (&["offsets of members"], &[(440, ""), (330, "GL_ARB_enhanced_layouts")], NEVER),
    (&["a uniform with a location"], &[(430, ""), (330, "GL_ARB_explicit_uniform_location")], &[(310, "")]),
    (
        &[
            "atomicAdd",
            "atomicMin",
            "atomicMax",
            "atomicAnd",
            "atomicOr",
            "atomicXor",
            "atomicExchange",
            "atomicCompSwap",
        ],
        &[(430, "")],
        &[(310, "")],
    ),
    (&["memoryBarrier"], IMAGES, &[(310, "")]),
    (
        &["memoryBarrierBuffer", "memoryBarrierImage", "memoryBarrierShared", "groupMemoryBarrier", "a compute shader"],
        COMPUTE,
        &[(310, "")],
    ),
    (&["an array of arrays"], &[(430, "")], &[(310, "")]),
    // Stages, and what only they have.
    (&["a geometry shader"], &[(330, "")], ES_GEOMETRY),
    (&["a tessellation shader"], TESSELLATION, ES_TESSELLATION),
    (&["several invocations of a geometry shader"], GPU_SHADER5, ES_GEOMETRY),
    (&["EmitStreamVertex", "EndStreamPrimitive", "a stream"], GPU_SHADER5, NEVER),
    (&["early_fragment_tests"], IMAGES, &[(310, "")]),
    (&["gl_PointSize of several vertices"], &[(330, "")], NEVER),
    // Inputs and outputs.
    (&["a block between stages"], &[(330, "")], &[(320, ""), (310, "GL_EXT_shader_io_blocks")]),
    (&["a location between stages"], &[(410, "")], &[(310, "")]),
    (&["a location of a member"], &[(440, "")], &[(320, "")]),
    (&["a component of a location"], &[(440, "")], NEVER),
    (&["captured outputs"], &[(440, ""), (420, "GL_ARB_enhanced_layouts")], NEVER),
    (&["an index of an output"], &[(330, "")], &[(310, "GL_EXT_blend_func_extended")]),
    (&["a struct with arrays or structs between stages"], &[(330, "")], NEVER),
    (&["noperspective"], &[(330, "")], NEVER),
    (&["sample"], GPU_SHADER5, ES_INTERPOLATION),
    (&["an index of an output that is no constant"], &[(330, "")], NEVER),
    (&["an input of a vertex shader that is an array"], &[(330, "")], NEVER),
    // Built-in variables.
    (&["gl_SampleID", "gl_SamplePosition"], &[(400, ""), (330, "GL_ARB_sample_shading")], ES_SAMPLES),
    (&["gl_SampleMask"], &[(400, ""), (330, "GL_ARB_sample_shading")], ES_SAMPLES),
    (&["gl_SampleMaskIn"], GPU_SHADER5, ES_SAMPLES),
    (&["gl_BaseVertex", "gl_BaseInstance", "gl_DrawID"], &[(460, ""), (440, "GL_ARB_shader_draw_parameters")], NEVER),
    (&["gl_InvocationID"], GPU_SHADER5, ES_GEOMETRY),
    (&["gl_HelperInvocation"], &[(450, "")], &[(310, "")]),
    (&["gl_ClipDistance"], &[(330, "")], NEVER),
    (&["gl_CullDistance"], &[(450, "")], NEVER),
    (&["gl_Layer"], &[(330, "")], ES_GEOMETRY),
    (&["gl_ViewportIndex"], &[(410, ""), (330, "GL_ARB_viewport_array")], NEVER),
    (&["gl_Layer of a fragment", "gl_ViewportIndex of a fragment"], &[(430, "")], NEVER),
    (&["gl_PrimitiveID", "gl_PrimitiveIDIn"], &[(330, "")], ES_GEOMETRY),
    (
        &[
            "gl_NumWorkGroups",
            "gl_WorkGroupSize",
            "gl_WorkGroupID",
            "gl_LocalInvocationID",
            "gl_GlobalInvocationID",
            "gl_LocalInvocationIndex",
        ],
        COMPUTE,
        &[(310, "")],
    ),
    // Numbers of other widths.
    (&["double"], &[(400, ""), (330, "GL_ARB_gpu_shader_fp64")], NEVER),
];

/// The first versions with an extension: of the desktop's language, and of GLSL ES; `None` if it has none.
type Extension = (&'static [&'static str], Option<u16>, Option<u16>);

/// The extensions whose first version is none of the oldest ones. Those of no version outside Vulkan say so.
const EXTENSIONS: &[Extension] = &[
    (
        &[
            "GL_EXT_buffer_reference",
            "GL_EXT_debug_printf",
            "GL_EXT_fragment_shader_barycentric",
            "GL_EXT_fragment_shading_rate",
            "GL_EXT_mesh_shader",
            "GL_EXT_nonuniform_qualifier",
            "GL_EXT_null_initializer",
            "GL_EXT_ray_cull_mask",
            "GL_EXT_ray_query",
            "GL_EXT_ray_tracing",
            "GL_EXT_samplerless_texture_functions",
            "GL_EXT_scalar_block_layout",
            "GL_EXT_shader_realtime_clock",
            "GL_EXT_terminate_invocation",
            "GL_EXT_device_group",
            "GL_EXT_multiview",
            "GL_EXT_shader_atomic_float2",
            "GL_EXT_shader_atomic_float",
            "GL_EXT_shader_image_int64",
            "GL_KHR_memory_scope_semantics",
        ],
        None,
        None,
    ),
    (
        &[
            "GL_KHR_shader_subgroup_arithmetic",
            "GL_KHR_shader_subgroup_ballot",
            "GL_KHR_shader_subgroup_basic",
            "GL_KHR_shader_subgroup_clustered",
            "GL_KHR_shader_subgroup_quad",
            "GL_KHR_shader_subgroup_rotate",
            "GL_KHR_shader_subgroup_shuffle",
            "GL_KHR_shader_subgroup_shuffle_relative",
            "GL_KHR_shader_subgroup_vote",
            "GL_EXT_demote_to_helper_invocation",
            "GL_EXT_texture_shadow_lod",
        ],
        Some(330),
        Some(310),
    ),
    (
        &[
            "GL_EXT_shader_explicit_arithmetic_types_float16",
            "GL_EXT_shader_subgroup_extended_types_float16",
            "GL_EXT_shader_16bit_storage",
            "GL_EXT_shader_8bit_storage",
            "GL_NV_compute_shader_derivatives",
            "GL_EXT_fragment_invocation_density",
        ],
        Some(450),
        Some(310),
    ),
    (
        &[
            "GL_ARB_fragment_shader_interlock",
            "GL_ARB_shader_clock",
            "GL_ARB_sparse_texture2",
            "GL_ARB_sparse_texture_clamp",
            "GL_EXT_shader_atomic_int64",
            "GL_EXT_shader_explicit_arithmetic_types_int16",
            "GL_EXT_shader_explicit_arithmetic_types_int64",
            "GL_EXT_shader_explicit_arithmetic_types_int8",
            "GL_EXT_shader_subgroup_extended_types_int16",
            "GL_EXT_shader_subgroup_extended_types_int8",
            "GL_EXT_shader_subgroup_extended_types_int64",
            "GL_EXT_shader_image_load_formatted",
        ],
        Some(450),
        None,
    ),
    (
        &[
            "GL_ARB_shader_viewport_layer_array",
            "GL_ARB_shader_stencil_export",
            "GL_ARB_post_depth_coverage",
            "GL_NV_conservative_raster_underestimation",
        ],
        Some(420),
        None,
    ),
];

/// How a version has a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Presence {
    /// By itself.
    Core,
    /// With an extension.
    Extension(&'static str),
    /// Not; the first version that has it.
    Lacking(Option<u16>),
}

/// How a version has a word.
fn presence(word: &str, glsl: Glsl) -> Presence {
    let Some((_, desktop, embedded)) = ROWS.iter().find(|(words, ..)| words.contains(&word)) else {
        return Presence::Core;
    };
    let versions = if glsl.is_embedded() { embedded } else { desktop };
    match versions.iter().find(|(number, _)| glsl.number >= *number) {
        Some((_, "")) => Presence::Core,
        Some((_, extension)) => Presence::Extension(extension),
        None => Presence::Lacking(versions.iter().map(|&(number, _)| number).min()),
    }
}

/// Returns whether a version has an extension, and the first version that has it.
fn extension_since(extension: &str, glsl: Glsl) -> Result<(), Option<u16>> {
    if glsl.is_vulkan() {
        return Ok(());
    }
    let Some((_, desktop, embedded)) = EXTENSIONS.iter().find(|(names, ..)| names.contains(&extension)) else {
        return Ok(());
    };
    match if glsl.is_embedded() { *embedded } else { *desktop } {
        Some(first) if glsl.number >= first => Ok(()),
        first => Err(first),
    }
}

impl Glsl {
    /// The name of the version on the command line.
    pub(super) fn name(self) -> String {
        let flavor = match self.flavor {
            GlslFlavor::Vulkan => "vulkan",
            GlslFlavor::Desktop => "core",
            GlslFlavor::Embedded => "es",
        };
        format!("{flavor} {}", self.number)
    }

    /// Returns whether the version has a word of the language without an extension.
    pub(super) fn has_core_word(self, word: &str) -> bool {
        presence(word, self) == Presence::Core
    }

    /// Returns whether the version has a word of the language, alone or with an extension.
    pub(super) fn has_word(self, word: &str) -> bool {
        !matches!(presence(word, self), Presence::Lacking(_))
    }

    fn lacks(self, what: &str, first: Option<u16>) -> String {
        let hint = match (first, self.flavor) {
            (Some(first), GlslFlavor::Embedded) => format!("; es {first} has it"),
            (Some(first), _) => format!("; core {first} has it"),
            (None, GlslFlavor::Embedded) => "; no version of GLSL ES has it".to_owned(),
            (None, _) => "; only GLSL for Vulkan has it".to_owned(),
        };
        format!("{what} in GLSL {}{hint}", self.name())
    }
}

impl Lowering<'_> {
    /// Notes that the text has a word of the language, with the instruction that it is for.
    pub(in crate::lower) fn uses_word(&mut self, word: &str, place: Inst) {
        let glsl = self.target.glsl();
        match presence(word, glsl) {
            Presence::Core => {}
            Presence::Extension(extension) => self.require(extension, place),
            Presence::Lacking(first) => {
                let message = if word.contains(' ') { word.to_owned() } else { format!("`{word}`") };
                self.lacking.get_or_insert_with(|| at_inst(WriteCode::Op, place, glsl.lacks(&message, first)));
            }
        }
    }

    /// Refuses a text whose version lacks something.
    ///
    /// # Errors
    /// The first word that the version lacks, then extensions and types that it lacks.
    pub(super) fn refuse_lacking(&mut self) -> Result<(), Diagnostic> {
        self.note_types();
        if let Some(lacking) = self.lacking.take() {
            return Err(lacking);
        }
        let glsl = self.target.glsl();
        for (extension, &place) in &self.extensions {
            if let Err(first) = extension_since(extension, glsl) {
                return self.refuse(WriteCode::Op, place, glsl.lacks(extension, first));
            }
        }
        Ok(())
    }

    /// Notes the types of the module that not all versions have, and that no instruction names.
    fn note_types(&mut self) {
        let source = self.source;
        for ty in source.globals().filter(|&inst| source.op(inst) == Op::TypeArray) {
            let is_array =
                |ty| matches!(source.type_view(ty), Some(TypeView::Array { .. } | TypeView::RuntimeArray { .. }));
            if self.types.contains_key(&ty) && source.element_type(ty).is_some_and(is_array) {
                self.uses_word("an array of arrays", ty);
            }
        }
    }

    /// Notes the indices of an array of resources or outputs: some versions take only constants there.
    pub(in crate::lower) fn note_indices(&mut self, variable: Inst, indices: &[Inst], place: Inst) {
        let mut ty = self.source.pointee(variable);
        for &index in indices {
            let Some(array) = ty.filter(|&ty| {
                matches!(self.source.type_view(ty), Some(TypeView::Array { .. } | TypeView::RuntimeArray { .. }))
            }) else {
                return;
            };
            ty = self.source.element_type(array);
            if !self.source.op(index).is_constant() {
                self.note_index(variable, ty, place);
            }
        }
    }

    fn note_index(&mut self, variable: Inst, element: Option<Inst>, place: Inst) {
        let is_buffer = element.is_some_and(|block| self.source.decorated(block).has(Decoration::BufferBlock));
        let what = match self.source.storage_class(variable) {
            Some(Class::UniformConstant) => "an index of an array of images that is no constant",
            Some(Class::StorageBuffer) => "an index of an array of storage buffers that is no constant",
            Some(Class::Uniform) if is_buffer => "an index of an array of storage buffers that is no constant",
            Some(Class::Uniform) => "an index of an array of blocks that is no constant",
            Some(Class::Output) if self.model() == Model::Fragment => "an index of an output that is no constant",
            _ => return,
        };
        self.uses_word(what, place);
    }

    /// Notes the type of an image or sampler.
    pub(super) fn note_image(&mut self, shape: TypeShape, place: Inst) {
        // The words of all components differ in their first letters only.
        let of_floats = match shape {
            TypeShape::Image(image) => TypeShape::Image(crate::syntax::Image { component: Scalar::FLOAT, ..image }),
            TypeShape::SampledImage(image) => {
                TypeShape::SampledImage(crate::syntax::Image { component: Scalar::FLOAT, ..image })
            }
            other => other,
        };
        self.uses_word(&crate::print::image_name(of_floats), place);
    }

    /// Returns whether numbers of a type are in the version, and notes what they need.
    pub(in crate::lower) fn note_scalar(&mut self, scalar: Scalar, place: Inst) -> bool {
        let word = match (scalar.kind, scalar.width) {
            (ScalarKind::Bool, _) | (_, 32) => return true,
            (ScalarKind::Float, 64) => {
                let has_it = self.target.glsl().has_word("double");
                self.uses_word("double", place);
                return has_it;
            }
            (ScalarKind::Float, _) => "GL_EXT_shader_explicit_arithmetic_types_float16",
            (_, 8) => "GL_EXT_shader_explicit_arithmetic_types_int8",
            (_, 16) => "GL_EXT_shader_explicit_arithmetic_types_int16",
            _ => "GL_EXT_shader_explicit_arithmetic_types_int64",
        };
        self.require(word, place);
        extension_since(word, self.target.glsl()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{EXTENSIONS, Presence, ROWS, presence};
    use crate::lower::target::{Glsl, GlslFlavor};

    #[test]
    fn a_word_is_in_one_row() {
        let words: Vec<&str> = ROWS.iter().flat_map(|row| row.0.iter().copied()).collect();
        let extensions = EXTENSIONS.iter().flat_map(|row| row.0.iter().copied());
        let all: Vec<&str> = words.into_iter().chain(extensions).collect();
        for (number, word) in all.iter().enumerate() {
            assert!(!all[..number].contains(word), "{word}");
        }
    }

    #[test]
    fn the_newest_way_comes_first() {
        for (words, desktop, embedded) in ROWS {
            for versions in [desktop, embedded] {
                assert!(versions.windows(2).all(|pair| pair[0].0 > pair[1].0), "{words:?}");
            }
        }
    }

    #[test]
    fn words_of_versions() {
        let glsl = |flavor, number| Glsl { flavor, number };
        let cases = [
            ("fma", glsl(GlslFlavor::Desktop, 330), Presence::Lacking(Some(400))),
            ("double", glsl(GlslFlavor::Desktop, 330), Presence::Extension("GL_ARB_gpu_shader_fp64")),
            ("fma", glsl(GlslFlavor::Desktop, 400), Presence::Core),
            ("fma", glsl(GlslFlavor::Embedded, 300), Presence::Lacking(Some(310))),
            ("dFdxFine", glsl(GlslFlavor::Embedded, 320), Presence::Lacking(None)),
            ("dFdx", glsl(GlslFlavor::Embedded, 300), Presence::Core),
        ];
        for (word, version, wanted) in cases {
            assert_eq!(presence(word, version), wanted, "{word} {}", version.name());
        }
    }
}
