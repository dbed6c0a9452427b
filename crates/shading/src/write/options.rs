//! Options of the writer: language, entry point and version.

use std::fmt;

use reconverge_diagnostic::Diagnostic;

use super::{BindingEntry, Bindings, BoundResource, WriteCode, of_module};
use crate::lower::Target;

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Language {
    /// The WebGPU Shading Language.
    Wgsl,
    /// The OpenGL Shading Language.
    Glsl,
    /// The High-Level Shader Language of Direct3D.
    Hlsl,
    /// The Metal Shading Language.
    Msl,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 4] = [Language::Wgsl, Language::Glsl, Language::Hlsl, Language::Msl];

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Language::Wgsl => "WGSL",
            Language::Glsl => "GLSL",
            Language::Hlsl => "HLSL",
            Language::Msl => "MSL",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A stage of which a language has entry points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Vertex shaders.
    Vertex,
    /// Tessellation control shaders, which HLSL calls hull shaders.
    TessellationControl,
    /// Tessellation evaluation shaders, which HLSL calls domain shaders.
    TessellationEvaluation,
    /// Geometry shaders.
    Geometry,
    /// Fragment shaders.
    Fragment,
    /// Compute shaders.
    Compute,
    /// Task shaders, which HLSL calls amplification shaders.
    Task,
    /// Mesh shaders.
    Mesh,
    /// Ray generation shaders.
    RayGeneration,
    /// Intersection shaders.
    Intersection,
    /// Any-hit shaders.
    AnyHit,
    /// Closest-hit shaders.
    ClosestHit,
    /// Miss shaders.
    Miss,
    /// Callable shaders.
    Callable,
}

impl Stage {
    /// Every stage.
    pub const ALL: [Stage; 14] = [
        Stage::Vertex,
        Stage::TessellationControl,
        Stage::TessellationEvaluation,
        Stage::Geometry,
        Stage::Fragment,
        Stage::Compute,
        Stage::Task,
        Stage::Mesh,
        Stage::RayGeneration,
        Stage::Intersection,
        Stage::AnyHit,
        Stage::ClosestHit,
        Stage::Miss,
        Stage::Callable,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::TessellationControl => "hull",
            Stage::TessellationEvaluation => "domain",
            Stage::Geometry => "geometry",
            Stage::Fragment => "fragment",
            Stage::Compute => "compute",
            Stage::Task => "amplification",
            Stage::Mesh => "mesh",
            Stage::RayGeneration => "raygeneration",
            Stage::Intersection => "intersection",
            Stage::AnyHit => "anyhit",
            Stage::ClosestHit => "closesthit",
            Stage::Miss => "miss",
            Stage::Callable => "callable",
        }
    }
}

/// Options for writing a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextOptions {
    /// The language.
    pub language: Language,
    /// The only entry point that is written; `None` for all of them.
    pub entry: Option<String>,
    /// The only stage whose entry points are written; `None` for all of them.
    pub stage: Option<Stage>,
    /// The version: `vulkan 450`, `core 450` or `es 320` for GLSL, `6.0` for HLSL, `2.4` for MSL. `None` for the default, which is the
    /// first of these. WGSL has no versions.
    pub version: Option<String>,
    /// Whether the text names the lines of the source that its statements come from, where the module knows them: `#line` in GLSL and HLSL, a
    /// comment in MSL and WGSL.
    pub lines: SourceLines,
    /// The numbers of resources that the host program chooses.
    pub bindings: Bindings,
    /// The semantics of inputs and outputs in HLSL.
    pub semantics: Semantics,
    /// The way in which an entry point gets its resources in MSL.
    pub resources: ResourceForm,
}

/// The semantics of inputs and outputs that are no built-ins, in HLSL.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Semantics {
    /// `TEXCOORD` with the location.
    #[default]
    Locations,
    /// Those of the source, where the module has them; `TEXCOORD` with the location for others.
    Source,
}

/// The way in which an entry point gets its resources in MSL.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ResourceForm {
    /// Each has a number of its own.
    #[default]
    Separate,
    /// Those of a descriptor set are members of an argument buffer, whose number is that of the set.
    ArgumentBuffers,
}

/// Whether a text names the lines of its source.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SourceLines {
    /// It does not.
    #[default]
    Omitted,
    /// It names a line wherever that changes.
    Named,
}

impl TextOptions {
    /// Every entry point, in the default version.
    pub const fn new(language: Language) -> TextOptions {
        TextOptions {
            language,
            entry: None,
            stage: None,
            version: None,
            lines: SourceLines::Omitted,
            bindings: Bindings { entries: Vec::new() },
            semantics: Semantics::Locations,
            resources: ResourceForm::Separate,
        }
    }
}

/// Checks that the options are those of the language and its version.
///
/// # Errors
/// An option of another language, or bindings that are not those of the language.
pub(crate) fn check(options: &TextOptions, target: Target) -> Result<(), Diagnostic> {
    let refused = |message: &str| Err(of_module(WriteCode::Options, message));
    if options.semantics == Semantics::Source && options.language != Language::Hlsl {
        return refused("semantics of the source are for HLSL");
    }
    if options.resources == ResourceForm::ArgumentBuffers && options.language != Language::Msl {
        return refused("argument buffers are for MSL");
    }
    let is_of_set = |entry: &BindingEntry| matches!(entry.resource, BoundResource::Slot(_));
    if options.resources == ResourceForm::ArgumentBuffers && options.bindings.entries.iter().any(is_of_set) {
        return refused(
            "argument buffers number their resources, so only push constants and buffer sizes have numbers to choose",
        );
    }
    options.bindings.check(target)
}
