//! Modules as text and back: our WGSL, read by naga and written as SPIR-V, which does what the module did.
//!
//! The reader of WGSL and the writer of SPIR-V share no code with the conversion to text.

use naga::back::pipeline_constants::process_overrides;
use naga::back::{PipelineConstants, spv};
use naga::front::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use reconverge_ir::Module;
use reconverge_restructure::{Options, structurize};
use reconverge_shading::{Language, TextOptions, WriteError};
use reconverge_structurize::Policy;

use crate::plain_graph::PlainGraph;
use crate::program_from_graph::{as_shader, replay_words};
use crate::walk::compute_walks;

/// What became of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The text does what the program did.
    Equal,
    /// No walk through the graph ends.
    Endless,
    /// The language cannot express it.
    Refused(WriteError),
}

/// Structurizes the program of a graph, writes it as WGSL, reads that, and compares the records of one walk.
///
/// # Errors
/// The text is not read, or its records differ.
pub fn compare_with_wgsl(graph: &PlainGraph, policy: Policy) -> Result<Verdict, String> {
    let Some(walk) = compute_walks(graph, 1, 8).into_iter().find(|walk| walk.is_finished) else {
        return Ok(Verdict::Endless);
    };
    let module = structured_shader(graph, policy)?;
    let text = match reconverge_shading::write(&module, &TextOptions::new(Language::Wgsl)) {
        Ok(text) => text,
        Err(error) => return Ok(Verdict::Refused(error)),
    };
    let before = reconverge_spirv::write(&module, &reconverge_spirv::WriteOptions::default())
        .map_err(|error| error.to_string())?;
    let after = spirv_of_wgsl(&text).map_err(|error| format!("{error}\n{text}"))?;
    let records = |bytes: &[u8]| replay_words(bytes, &walk.answers, walk.blocks.len());
    let (before, after) = (records(&before)?, records(&after).map_err(|error| format!("{error}\n{text}"))?);
    if before == after { Ok(Verdict::Equal) } else { Err(format!("{before:?} became {after:?}\n{text}")) }
}

/// The shader of a graph, structurized under a policy.
///
/// # Errors
/// The structurizer exceeds a limit.
pub fn structured_shader(graph: &PlainGraph, policy: Policy) -> Result<Module, String> {
    let mut module = as_shader(std::slice::from_ref(graph), 1).module;
    for function in module.functions().collect::<Vec<_>>() {
        let options = Options { policy, ..Options::default() };
        structurize(&mut module, function, &options).map_err(|error| error.to_string())?;
    }
    Ok(module)
}

/// WGSL as SPIR-V, by naga.
///
/// # Errors
/// It is not WGSL that naga takes.
pub fn spirv_of_wgsl(text: &str) -> Result<Vec<u8>, String> {
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
