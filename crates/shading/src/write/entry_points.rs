//! Selects the entry points and stages to write.

use naga::ShaderStage;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, view};
use spirv::ExecutionModel;

use super::{Language, Stage, TextOptions, WriteCode, at_inst, of_module};

/// An entry point.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) function: Function,
    pub(crate) name: String,
    pub(crate) stage: ShaderStage,
    /// The `entry_point` instruction.
    pub(crate) inst: reconverge_ir::Inst,
}

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
        names.push(name.clone());
        if !is_asked {
            continue;
        }
        let function = module.cast::<Function>(entry.function);
        let function = function.ok_or_else(|| at_inst(WriteCode::Entry, inst, "the entry point names no function"))?;
        let stage =
            stage(entry.execution_model).ok_or_else(|| unwritten(inst, entry.execution_model, options.language))?;
        entries.push(Entry { function, name, stage, inst });
    }
    let listed = if names.is_empty() { "there are none".to_owned() } else { format!("there are {}", names.join(", ")) };
    if entries.is_empty() {
        let what =
            if options.entry.is_some() || options.stage.is_some() { "no such entry point" } else { "no entry point" };
        return Err(of_module(WriteCode::Entry, format!("{what}; {listed}")));
    }
    if options.language == Language::Glsl && entries.len() > 1 {
        let message = format!("GLSL has one entry point in each file: choose it by name or stage; {listed}");
        return Err(of_module(WriteCode::Entry, message));
    }
    Ok(entries)
}

fn model_of(stage: Stage) -> ExecutionModel {
    match stage {
        Stage::Vertex => ExecutionModel::Vertex,
        Stage::Fragment => ExecutionModel::Fragment,
        Stage::Compute => ExecutionModel::GLCompute,
    }
}

fn stage(model: Option<ExecutionModel>) -> Option<ShaderStage> {
    match model? {
        ExecutionModel::Vertex => Some(ShaderStage::Vertex),
        ExecutionModel::Fragment => Some(ShaderStage::Fragment),
        ExecutionModel::GLCompute => Some(ShaderStage::Compute),
        _ => None,
    }
}

fn unwritten(inst: reconverge_ir::Inst, model: Option<ExecutionModel>, language: Language) -> Diagnostic {
    let Some(model) = model else {
        return at_inst(WriteCode::Stage, inst, "an execution model without a name");
    };
    let has_it = match model {
        ExecutionModel::Geometry | ExecutionModel::TessellationControl | ExecutionModel::TessellationEvaluation => {
            language != Language::Wgsl && language != Language::Msl
        }
        ExecutionModel::Kernel => language == Language::Msl,
        _ => language != Language::Wgsl,
    };
    let reason = if has_it { "the writer has none" } else { "the language has none" };
    at_inst(WriteCode::Stage, inst, format!("execution model {model:?} in {language}: {reason}"))
}
