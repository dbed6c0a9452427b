//! Modules as text and back: our text, read by another tool and written as SPIR-V, which does what the module did.
//!
//! The readers share no code with the conversion to text: naga's of WGSL, glslang, dxc.

use std::path::Path;
use std::process::Command;

use naga::back::pipeline_constants::process_overrides;
use naga::back::{PipelineConstants, spv};
use naga::front::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst, Module, Op, view};
use reconverge_restructure::{Options, structurize};
use reconverge_shading::{Language, TextOptions};
use reconverge_structurize::Policy;
use spirv::ExecutionModel;

use crate::plain_graph::PlainGraph;
use crate::program_from_graph::{as_shader, replay_words};
use crate::text_judges::{TextEntry, accept, extension, name_in, profile};
use crate::walk::{Walk, compute_walks};

/// The verdict on a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The text does what the program did.
    Equal,
    /// No walk through the graph ends.
    Endless,
    /// The language cannot express it.
    Refused(Diagnostic),
}

/// The readers of languages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextReader {
    /// WGSL, by naga.
    Naga,
    /// GLSL, by `glslangValidator`.
    Glslang,
    /// HLSL, by this command, which takes the arguments of `dxc`.
    Dxc(Vec<String>),
}

impl TextReader {
    /// The reader of a language; that of HLSL is the command in the variable `RECONVERGE_DXC`.
    ///
    /// # Errors
    /// There is none for the language, or none is known here.
    pub fn of(language: &str) -> Result<TextReader, String> {
        match language {
            "wgsl" => Ok(TextReader::Naga),
            "glsl" => Ok(TextReader::Glslang),
            "hlsl" => {
                let command = std::env::var("RECONVERGE_DXC").map_err(|_| "RECONVERGE_DXC names no command")?;
                Ok(TextReader::Dxc(command.split_whitespace().map(str::to_owned).collect()))
            }
            _ => Err(format!("{language:?} is none of wgsl, glsl, hlsl")),
        }
    }

    /// Returns the language that it reads.
    pub fn language(&self) -> Language {
        match self {
            TextReader::Naga => Language::Wgsl,
            TextReader::Glslang => Language::Glsl,
            TextReader::Dxc(_) => Language::Hlsl,
        }
    }

    /// The text of an entry point as SPIR-V.
    ///
    /// # Errors
    /// The reader does not accept the text, or it cannot be started.
    pub fn spirv_of(&self, text: &str, entry: TextEntry<'_>) -> Result<Vec<u8>, String> {
        match self {
            TextReader::Naga => spirv_of_wgsl(text),
            TextReader::Glslang => by_command(text, extension(entry.model), |source, target| {
                let mut glslang = Command::new("glslangValidator");
                glslang.args(["-V", "--target-env", "vulkan1.1", "-o"]).args([target, source]);
                glslang
            }),
            TextReader::Dxc(words) => by_command(text, "hlsl", |source, target| {
                let mut dxc = Command::new(&words[0]);
                dxc.args(&words[1..]).args(["-spirv", "-fspv-target-env=vulkan1.1", "-T", &profile(entry), "-E"]);
                dxc.arg(name_in(text, entry.name)).arg(source).arg("-Fo").arg(target);
                dxc
            }),
        }
    }
}

fn by_command(text: &str, extension: &str, command: impl Fn(&Path, &Path) -> Command) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, target) = (folder.path().join(format!("a.{extension}")), folder.path().join("a.spv"));
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let mut command = command(&source, &target);
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if !output.status.success() {
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        return Err(said.concat());
    }
    std::fs::read(&target).map_err(|error| error.to_string())
}

/// Structurizes the program of a graph, writes it as text, reads that, and compares the records of one walk.
///
/// # Errors
/// The text is not read, or its records differ.
pub fn compare_with_text(graph: &PlainGraph, policy: Policy, reader: &TextReader) -> Result<Verdict, String> {
    match finished_walk(graph) {
        Some(walk) => compare_walks(std::slice::from_ref(graph), &walk, policy, reader),
        None => Ok(Verdict::Endless),
    }
}

/// [`compare_with_text`] for each of the graphs, in order. One text has the programs of all of them, because to start a reader takes
/// longer than to read one program. Only if that text is not equal has each program a text of its own.
pub fn compare_each_with_text(
    graphs: &[PlainGraph],
    policy: Policy,
    reader: &TextReader,
) -> Vec<Result<Verdict, String>> {
    let walks: Vec<Option<Walk>> = graphs.iter().map(finished_walk).collect();
    let mut all = Walk { blocks: Vec::new(), answers: Vec::new(), is_finished: true };
    for walk in walks.iter().flatten() {
        all.blocks.extend(&walk.blocks);
        all.answers.extend(&walk.answers);
    }
    let finished = graphs.iter().zip(&walks).filter(|(_, walk)| walk.is_some());
    let finished: Vec<PlainGraph> = finished.map(|(graph, _)| graph.clone()).collect();
    if compare_walks(&finished, &all, policy, reader) == Ok(Verdict::Equal) {
        let verdict = |walk: &Option<Walk>| if walk.is_some() { Verdict::Equal } else { Verdict::Endless };
        return walks.iter().map(verdict).map(Ok).collect();
    }
    graphs.iter().map(|graph| compare_with_text(graph, policy, reader)).collect()
}

fn finished_walk(graph: &PlainGraph) -> Option<Walk> {
    compute_walks(graph, 1, 8).into_iter().find(|walk| walk.is_finished)
}

/// Compares the records of the walk, which goes through each of the graphs in order.
fn compare_walks(graphs: &[PlainGraph], walk: &Walk, policy: Policy, reader: &TextReader) -> Result<Verdict, String> {
    let module = structured_shader(graphs, policy)?;
    let text = match reconverge_shading::write(&module, &TextOptions::new(reader.language())) {
        Ok(written) => written.text,
        Err(error) => return Ok(Verdict::Refused(error)),
    };
    let before = reconverge_spirv::write(&module, &reconverge_spirv::WriteOptions::default())
        .map_err(|error| error.to_string())?;
    let after = reader.spirv_of(&text, TextEntry::COMPUTE).map_err(|error| format!("{error}\n{text}"))?;
    let records = |bytes: &[u8]| replay_words(bytes, &walk.answers, walk.blocks.len());
    let (before, after) = (records(&before)?, records(&after).map_err(|error| format!("{error}\n{text}"))?);
    if before == after { Ok(Verdict::Equal) } else { Err(format!("{before:?} became {after:?}\n{text}")) }
}

/// The names of the values of a shader: few, as if they were those of a few variables of a source.
const NAMES: [&str; 3] = ["a", "b", "c"];

/// The shader of these graphs, structurized under a policy. Most of its numbers have names, of which many are the same.
///
/// # Errors
/// The structurizer exceeds a limit.
pub fn structured_shader(graphs: &[PlainGraph], policy: Policy) -> Result<Module, String> {
    let mut module = as_shader(graphs, 1).module;
    let blocks: Vec<Block> = module.functions().flat_map(|function| module.blocks(function)).collect();
    let numbers: Vec<Inst> =
        blocks.into_iter().flat_map(|block| module.children(block)).filter(|&inst| is_number(&module, inst)).collect();
    for (number, inst) in numbers.into_iter().enumerate() {
        // One of four has none.
        if let Some(name) = NAMES.get(number % (NAMES.len() + 1)) {
            module.edit().set_name(inst, name);
        }
    }
    for function in module.functions().collect::<Vec<_>>() {
        let options = Options::new().policy(policy);
        structurize(&mut module, function, &options).map_err(|error| error.to_string())?;
    }
    Ok(module)
}

fn is_number(module: &Module, inst: Inst) -> bool {
    let ty = module.ty(inst).map(|ty| module.op(ty));
    matches!(ty, Some(Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypeVector))
}

/// Has `glslangValidator` read the text of a module with one entry point, for Vulkan unless the text is for OpenGL.
///
/// # Errors
/// It does not accept the text, or it cannot be started.
pub fn accept_glsl(module: &Module, text: &str, version: Option<&str>) -> Result<(), String> {
    let models = module.globals().filter_map(|inst| view::EntryPoint::of(module, inst)?.execution_model);
    let model = models.last().unwrap_or(ExecutionModel::GLCompute);
    accept(Language::Glsl, text, TextEntry { model, name: "main", version }).map_err(|error| format!("{error}\n{text}"))
}

/// WGSL as SPIR-V, by naga.
///
/// # Errors
/// It is not WGSL that naga takes.
pub fn spirv_of_wgsl(text: &str) -> Result<Vec<u8>, String> {
    // The parser knows the operations of the extension without it, and refuses its name.
    let text = &text.replace("enable subgroups;", "");
    let module = wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module);
    let info = info.map_err(|error| error.emit_to_string(text))?;
    // SPIR-V of naga has no specialization constants, so they get their default values.
    let (module, info) =
        process_overrides(&module, &info, None, &PipelineConstants::default()).map_err(|error| error.to_string())?;
    // Bounds are not checked and loops not counted, so that the module does what the text says and no more.
    let options = spv::Options { force_loop_bounding: false, ..spv::Options::default() };
    let words = spv::write_vec(&module, &info, &options, None).map_err(|error| error.to_string())?;
    Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
}
