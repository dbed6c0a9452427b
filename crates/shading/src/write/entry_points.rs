//! Selects the entry points and stages to write.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, view};
use spirv::ExecutionModel;

use super::{Language, Stage, TextOptions, WriteCode, at_inst, of_module};

pub(crate) use crate::lower::Entry;

/// The entry points that the options select, in order.
///
/// # Errors
/// There are none, or several where the language has one in each file, or one has a stage that cannot be written.
pub(crate) fn select(module: &Module, options: &TextOptions) -> Result<Vec<Entry>, Diagnostic> {
    let mut entries = Vec::new();
    let mut names = Vec::new();
    for inst in module.globals() {
        let Some(entry) = view::EntryPoint::of(module, inst) else { continue };
        let name = entry.name.to_string();
        let is_asked = options.entry.as_ref().is_none_or(|wanted| *wanted == name)
            && options.stage.is_none_or(|wanted| entry.execution_model == Some(model_of(wanted)));
        names.push(format!("`{name}`{}", of_stage(entry.execution_model)));
        if !is_asked {
            continue;
        }
        let function = module.cast::<Function>(entry.function);
        let function = function.ok_or_else(|| at_inst(WriteCode::Entry, inst, "the entry point names no function"))?;
        let model = entry.execution_model.filter(|&model| is_written(model, options.language));
        let model = model.ok_or_else(|| unwritten(inst, entry.execution_model, options.language))?;
        entries.push(Entry { function, name, model, inst });
    }
    let listed = if names.is_empty() { "has none".to_owned() } else { format!("has {}", names.join(", ")) };
    if entries.is_empty() {
        let named = options.entry.as_ref().map_or_else(String::new, |name| format!(" `{name}`"));
        let staged = options.stage.map_or_else(String::new, |stage| format!(" of the stage {}", stage.name()));
        let error = of_module(WriteCode::Entry, format!("no entry point{named}{staged}; the module {listed}"));
        return Err(match options.stage {
            Some(_) => error.with_help(
                "the extension of the output (.comp, .frag, .vert) or --stage chooses the stage; .glsl has any",
            ),
            None => error,
        });
    }
    if options.language == Language::Glsl && entries.len() > 1 {
        let message = format!("GLSL has one entry point in each file: choose it by name or stage; the module {listed}");
        return Err(of_module(WriteCode::Entry, message));
    }
    Ok(entries)
}

/// The stage of an entry point, as a part of a list.
fn of_stage(model: Option<ExecutionModel>) -> String {
    let known = Stage::ALL.into_iter().find(|&stage| Some(model_of(stage)) == model);
    let name = known.map(|stage| stage.name().to_owned()).or_else(|| model.map(|model| format!("{model:?}")));
    name.map_or_else(String::new, |name| format!(" ({name})"))
}

fn model_of(stage: Stage) -> ExecutionModel {
    match stage {
        Stage::Vertex => ExecutionModel::Vertex,
        Stage::Fragment => ExecutionModel::Fragment,
        Stage::Compute => ExecutionModel::GLCompute,
        Stage::TessellationControl => ExecutionModel::TessellationControl,
        Stage::TessellationEvaluation => ExecutionModel::TessellationEvaluation,
        Stage::Geometry => ExecutionModel::Geometry,
        Stage::Task => ExecutionModel::TaskEXT,
        Stage::Mesh => ExecutionModel::MeshEXT,
        Stage::RayGeneration => ExecutionModel::RayGenerationKHR,
        Stage::Intersection => ExecutionModel::IntersectionKHR,
        Stage::AnyHit => ExecutionModel::AnyHitKHR,
        Stage::ClosestHit => ExecutionModel::ClosestHitKHR,
        Stage::Miss => ExecutionModel::MissKHR,
        Stage::Callable => ExecutionModel::CallableKHR,
    }
}

/// Returns whether entry points of a model are written in a language.
fn is_written(model: ExecutionModel, language: Language) -> bool {
    match model {
        ExecutionModel::Vertex | ExecutionModel::Fragment | ExecutionModel::GLCompute => true,
        ExecutionModel::Kernel => false,
        ExecutionModel::Geometry | ExecutionModel::TessellationControl => {
            matches!(language, Language::Glsl | Language::Hlsl)
        }
        // In MSL a vertex function of a patch, a mesh function, an object function.
        ExecutionModel::TessellationEvaluation | ExecutionModel::MeshEXT | ExecutionModel::TaskEXT => {
            language != Language::Wgsl
        }
        _ => language == Language::Glsl,
    }
}

fn unwritten(inst: reconverge_ir::Inst, model: Option<ExecutionModel>, language: Language) -> Diagnostic {
    let Some(model) = model else {
        return at_inst(WriteCode::Stage, inst, "an execution model without a name");
    };
    let has_it = match model {
        ExecutionModel::Kernel => language == Language::Msl,
        _ => language != Language::Wgsl && language != Language::Msl,
    };
    let reason = if has_it { "the writer has none" } else { "the language has none" };
    at_inst(WriteCode::Stage, inst, format!("execution model {model:?} in {language}: {reason}"))
}
