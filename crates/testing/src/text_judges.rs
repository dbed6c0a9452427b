//! The tools that accept or refuse texts of shading languages, apart from those that the conversion to text uses.
//!
//! | language | tool |
//! |---|---|
//! | GLSL | `glslangValidator`, for Vulkan or for OpenGL by version |
//! | HLSL | the command that `RECONVERGE_DXC` names, which takes the arguments of `dxc` |
//! | MSL | [`crate::msl`] |
//! | WGSL | naga, in this process, and the command that `RECONVERGE_TINT` names, if it does |

use std::path::Path;
use std::process::Command;

use reconverge_shading::Language;
use spirv::ExecutionModel;

use crate::msl::{MslVersion, accept_msl};
use crate::shading::spirv_of_wgsl;

/// An entry point in a text.
#[derive(Clone, Copy, Debug)]
pub struct TextEntry<'t> {
    /// Its stage.
    pub model: ExecutionModel,
    /// Its name in the module.
    pub name: &'t str,
    /// The version of the language, as the writer takes it; `None` for the default.
    pub version: Option<&'t str>,
}

impl TextEntry<'static> {
    /// The compute shader `main`.
    pub const COMPUTE: Self = TextEntry { model: ExecutionModel::GLCompute, name: "main", version: None };
}

/// Has the tools of a language read a text.
///
/// # Errors
/// What the first of them that refuses it says, or that one cannot be started.
pub fn accept(language: Language, text: &str, entry: TextEntry<'_>) -> Result<(), String> {
    match language {
        Language::Glsl => accepted_by(text, extension(entry.model), |source| {
            let mut glslang = Command::new("glslangValidator");
            // Without a stage by name it takes that of the extension; a text for OpenGL is checked without becoming SPIR-V.
            if entry.version.is_none_or(|version| version.starts_with("vulkan") || !version.contains(' ')) {
                glslang.args(["-V", "--target-env", "vulkan1.3", "-o", "/dev/null"]);
            }
            glslang.arg(source);
            glslang
        }),
        Language::Hlsl => {
            let command = std::env::var("RECONVERGE_DXC").map_err(|_| "RECONVERGE_DXC names no command".to_owned())?;
            let words: Vec<&str> = command.split_whitespace().collect();
            // The versions of the language differ in the scope of what a loop declares, and in operators on vectors.
            ["2018", "2021"].into_iter().try_for_each(|version| {
                accepted_by(text, "hlsl", |source| {
                    let mut dxc = Command::new(words[0]);
                    dxc.args(&words[1..]).args([
                        "-T",
                        &profile(entry),
                        "-E",
                        &name_in(text, entry.name),
                        "-HV",
                        version,
                    ]);
                    dxc.args(["-enable-16bit-types"]).arg(source).args(["-Fo", "/dev/null"]);
                    dxc
                })
            })
        }
        Language::Msl => accept_msl(text, entry.version.and_then(MslVersion::parse).unwrap_or(MslVersion::DEFAULT)),
        Language::Wgsl => {
            spirv_of_wgsl(text)?;
            match std::env::var("RECONVERGE_TINT") {
                Err(_) => Ok(()),
                Ok(tint) => accepted_by(text, "wgsl", |source| {
                    let mut command = Command::new(&tint);
                    command.args(["--format", "wgsl"]).arg(source);
                    command
                }),
            }
        }
    }
}

/// The name of an entry point in a text, which has a number if the language has the name for something else.
pub(crate) fn name_in(text: &str, name: &str) -> String {
    if text.contains(&format!(" {name}(")) { name.to_owned() } else { format!("{name}_1") }
}

/// What the name of a file of GLSL ends with.
pub(crate) fn extension(model: ExecutionModel) -> &'static str {
    match model {
        ExecutionModel::Vertex => "vert",
        ExecutionModel::TessellationControl => "tesc",
        ExecutionModel::TessellationEvaluation => "tese",
        ExecutionModel::Geometry => "geom",
        ExecutionModel::Fragment => "frag",
        ExecutionModel::MeshEXT => "mesh",
        ExecutionModel::TaskEXT => "task",
        ExecutionModel::RayGenerationKHR => "rgen",
        ExecutionModel::IntersectionKHR => "rint",
        ExecutionModel::AnyHitKHR => "rahit",
        ExecutionModel::ClosestHitKHR => "rchit",
        ExecutionModel::MissKHR => "rmiss",
        ExecutionModel::CallableKHR => "rcall",
        _ => "comp",
    }
}

/// The profile of `dxc`: the stage with the shader model, which is at least 6.0.
pub(crate) fn profile(entry: TextEntry<'_>) -> String {
    let stage = match entry.model {
        ExecutionModel::Vertex => "vs",
        ExecutionModel::TessellationControl => "hs",
        ExecutionModel::TessellationEvaluation => "ds",
        ExecutionModel::Geometry => "gs",
        ExecutionModel::Fragment => "ps",
        ExecutionModel::MeshEXT => "ms",
        ExecutionModel::TaskEXT => "as",
        ExecutionModel::GLCompute => "cs",
        _ => "lib",
    };
    let version = entry.version.filter(|version| !version.starts_with('5')).unwrap_or("6.2");
    format!("{stage}_{}", version.replace('.', "_"))
}

fn accepted_by(text: &str, extension: &str, command: impl Fn(&Path) -> Command) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join(format!("text.{extension}"));
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let mut command = command(&source);
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    match output.status.success() {
        true => Ok(()),
        false => Err([output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat()),
    }
}
