//! Shading languages as formats of modules: WGSL, GLSL, HLSL and MSL are written, WGSL is read.

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::Module;
pub use reconverge_shading::{
    BindingEntry, BindingNumber, Bindings, BoundResource, Interface, InterfaceEntry, InterfaceVariable, Language,
    ReadCode, Resource, ResourceCount, ResourceForm, ResourceKind, ResourcePlace, Semantics, SharedValue, Slot,
    SourceLines, SpecializationConstant, Stage, TextOptions, UniformityFinding, UniformityRule, WriteCode, Written,
    uniformity,
};
use reconverge_shading::{Indices, SourceOptions};

use crate::Error;
use crate::format::{Addition, ReadModule, Row, Source, WrittenModule, with_merges};
use crate::format_options::{FormatOption, OptionGroup, OptionKind, OptionValues};
use crate::options::Exits;
use crate::structure::{Unstructured, check_rules};

/// The common fields of the rows of the languages.
const ROW: Row = Row {
    name: "",
    title: "",
    extensions: &[""],
    is_text: true,
    declares_stages: false,
    is_shading_language: true,
    exits: Exits::Anywhere,
    is_read: false,
    is_written: true,
    recognizes: |_| false,
    read: |_| Err(invalid_language()),
    reads_with: OptionGroup::NONE,
    write: |_, _| Ok(Vec::new().into()),
    writes_with: OptionGroup {
        title: "WGSL, GLSL, HLSL and MSL",
        options: &[
            FormatOption {
                name: "stage",
                values: OptionKind::Name {
                    placeholder: "STAGE",
                    names: || Stage::ALL.into_iter().map(Stage::name).collect(),
                },
                help: "Write only the entry points of this stage",
                details: "GLSL has one entry point in each file.",
                is_common: false,
                check: |values| values.iter().try_for_each(|name| require_stage(name)),
            },
            FormatOption {
                name: "entry",
                values: OptionKind::Text { placeholder: "NAME" },
                help: "Write only the entry point of this name",
                details: "",
                is_common: false,
                check: |_| Ok(()),
            },
            FormatOption {
                name: "shader-version",
                values: OptionKind::Text { placeholder: "VERSION" },
                help: "Version of the language [default: `vulkan 450` for GLSL, 6.0 for HLSL, 2.4 for MSL]",
                details: "GLSL: `vulkan 450` and `vulkan 460` (or `450` and `460`), `core 330` to `core 460`, `es 300` to `es 320`. HLSL: the shader model, 5.0 to 6.8. MSL: 2.0 to 3.2.",
                is_common: false,
                check: |_| Ok(()),
            },
            FormatOption {
                name: "lines",
                values: OptionKind::Switch,
                help: "Name the lines of the source: `#line` in GLSL and HLSL, comments in MSL and WGSL",
                details: "Where the input knows them: modules that are compiled with -g, and sources.",
                is_common: false,
                check: |_| Ok(()),
            },
            #[cfg(feature = "json")]
            FormatOption {
                name: "text-bindings",
                values: OptionKind::File { placeholder: "FILE.json", code: WriteCode::Bindings.declared() },
                help: "The numbers of resources in the text, as JSON (docs/shading.md)",
                details: "By default HLSL, GLSL and WGSL keep the sets and bindings of the module, and MSL counts buffers, textures and samplers.",
                is_common: false,
                check: |texts| texts.iter().try_for_each(|text| crate::text_bindings::read(text).map(|_| ())),
            },
            FormatOption {
                name: "hlsl-semantics",
                values: OptionKind::Name { placeholder: "WHICH", names: || vec!["texcoord", "source"] },
                help: "Semantics of inputs and outputs in HLSL: `texcoord` numbers them by location, `source` keeps those of the source [default: texcoord]",
                details: "With `source`, what has no semantic in the module gets `TEXCOORD` with its location.",
                is_common: false,
                check: |_| Ok(()),
            },
            FormatOption {
                name: "msl-argument-buffers",
                values: OptionKind::Switch,
                help: "Put the resources of each descriptor set into an argument buffer of MSL, at the buffer with the number of the set",
                details: "",
                is_common: false,
                check: |_| Ok(()),
            },
        ],
    },
    additions: |_, _| Ok(Vec::new()),
};

/// The reader and the writer of WGSL.
pub(crate) const WGSL: Row = Row {
    exits: Exits::InEntryPoints,
    is_read: true,
    recognizes: |bytes| std::str::from_utf8(bytes).is_ok_and(is_wgsl),
    read,
    write: |module, values| write(module, TextOptions::new(Language::Wgsl), values),
    additions: |module, values| additions(module, TextOptions::new(Language::Wgsl), values),
    ..ROW
};

/// The writer of GLSL of any stage.
pub(crate) const GLSL: Row =
    Row { write: |module, values| write(module, TextOptions::new(Language::Glsl), values), ..ROW };

/// The writer of compute shaders in GLSL.
pub(crate) const COMPUTE: Row = Row { write: |module, values| write(module, glsl_of(Stage::Compute), values), ..ROW };

/// The writer of fragment shaders in GLSL.
pub(crate) const FRAGMENT: Row = Row { write: |module, values| write(module, glsl_of(Stage::Fragment), values), ..ROW };

/// The writer of vertex shaders in GLSL.
pub(crate) const VERTEX: Row = Row { write: |module, values| write(module, glsl_of(Stage::Vertex), values), ..ROW };

/// The writer of HLSL.
pub(crate) const HLSL: Row = Row {
    exits: Exits::InEntryPoints,
    write: |module, values| write(module, TextOptions::new(Language::Hlsl), values),
    ..ROW
};

/// The writer of MSL.
pub(crate) const MSL: Row = Row {
    exits: Exits::InEntryPoints,
    write: |module, values| write(module, TextOptions::new(Language::Msl), values),
    ..ROW
};

fn stage_of(name: &str) -> Option<Stage> {
    Stage::ALL.into_iter().find(|stage| stage.name() == name)
}

fn require_stage(name: &str) -> Result<(), String> {
    let known = || Stage::ALL.map(Stage::name).join(", ");
    stage_of(name).map(|_| ()).ok_or_else(|| format!("there is no stage {name}; the stages are {}", known()))
}

/// Writes a module in a language, with an entry point, a stage and a version that the options choose.
///
/// # Errors
/// [`Error::Write`] if the language cannot express the module.
pub fn write_text(module: &Module, options: &TextOptions) -> Result<Vec<u8>, Error> {
    let written = reconverge_shading::write(module, options).map_err(Error::Write)?;
    Ok(written.text.into_bytes())
}

/// Writes a module with the options of a row, as far as the values do not replace them.
fn write(module: &Module, row: TextOptions, values: &OptionValues) -> Result<WrittenModule, Diagnostic> {
    let written = reconverge_shading::write(module, &options_of(row, values)?)?;
    #[cfg(feature = "json")]
    let interface = Some(crate::text_json::text_json(&written.interface));
    #[cfg(not(feature = "json"))]
    let interface = None;
    Ok(WrittenModule { interface, ..written.text.into_bytes().into() })
}

/// The options of a row, as far as the values do not replace them. The values were checked.
fn options_of(row: TextOptions, values: &OptionValues) -> Result<TextOptions, Diagnostic> {
    let given = |name: &str| values.one(name).map(str::to_owned);
    let stage = values.one("stage").and_then(stage_of).or(row.stage);
    let lines = if values.is_given("lines") { SourceLines::Named } else { row.lines };
    for (option, language) in [("hlsl-semantics", Language::Hlsl), ("msl-argument-buffers", Language::Msl)] {
        if values.is_given(option) && row.language != language {
            let message = format!("--{option} is for {language}, and the text is {}", row.language);
            return Err(Diagnostic::new(WriteCode::Options, Place::Whole, message));
        }
    }
    let semantics = match values.one("hlsl-semantics") {
        Some("source") => Semantics::Source,
        _ => row.semantics,
    };
    let resources = match values.is_given("msl-argument-buffers") {
        true => ResourceForm::ArgumentBuffers,
        false => row.resources,
    };
    let version = given("shader-version");
    let bindings = bindings_of(values)?;
    Ok(TextOptions { entry: given("entry"), stage, version, lines, semantics, resources, bindings, ..row })
}

#[cfg(feature = "json")]
fn bindings_of(values: &OptionValues) -> Result<Bindings, Diagnostic> {
    let text = values.one("text-bindings");
    let read = text.map(crate::text_bindings::read).transpose();
    let bindings = read.map_err(|message| Diagnostic::new(WriteCode::Bindings, Place::Whole, message))?;
    Ok(bindings.unwrap_or_default())
}

#[cfg(not(feature = "json"))]
fn bindings_of(_: &OptionValues) -> Result<Bindings, Diagnostic> {
    Ok(Bindings::default())
}

/// The values that go through workgroup memory in WGSL.
fn additions(module: &Module, row: TextOptions, values: &OptionValues) -> Result<Vec<Addition>, Diagnostic> {
    let shared = reconverge_shading::shared_values(module, &options_of(row, values)?)?;
    let addition = |shared: SharedValue| {
        let SharedValue { function, place, reason, bytes, is_repeated } = shared;
        let times = if is_repeated { "in each iteration" } else { "each time" };
        let message = format!(
            "a value that a barrier depends on goes through workgroup memory, because {reason}: {bytes} bytes, which all such values of \
             its type share, and two barriers {times}"
        );
        Addition { function, place, kind: "workgroup memory", message }
    };
    Ok(shared.into_iter().map(addition).collect())
}

/// GLSL of one stage.
fn glsl_of(stage: Stage) -> TextOptions {
    TextOptions { stage: Some(stage), ..TextOptions::new(Language::Glsl) }
}

/// Reads WGSL.
fn read(source: Source<'_>) -> Result<ReadModule, Diagnostic> {
    read_text(source, Indices::Clamped)
}

/// Reads WGSL that becomes WGSL again.
pub(crate) fn read_for_wgsl(source: Source<'_>) -> Result<ReadModule, Diagnostic> {
    read_text(source, Indices::AsWritten)
}

fn read_text(source: Source<'_>, indices: Indices) -> Result<ReadModule, Diagnostic> {
    let text = std::str::from_utf8(source.bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&source.bytes[..error.valid_up_to()]);
        Diagnostic::new(ReadCode::Syntax, Place::in_text(&before, before.len()), "the text is not UTF-8")
    })?;
    let options = SourceOptions { file: source.file, indices };
    let mut module = reconverge_shading::read(text, options)?;
    check(&mut module)?;
    Ok(with_merges(module, source.merges).into())
}

/// Checks the module of a reader of text. A front end produces structured functions, so a module that is not structured is a bug of the
/// reader, and nothing is repaired.
fn check(module: &mut Module) -> Result<(), Diagnostic> {
    match check_rules(module, Unstructured::Refused) {
        Err(Error::Invalid(findings)) => {
            let first = findings.first().map_or_else(String::new, |finding| format!(": {finding}"));
            let message = format!("the reader makes no valid module of this text{first}");
            Err(Diagnostic::new(ReadCode::Unsupported, Place::Line(1, 1), message))
        }
        _ => Ok(()),
    }
}

/// The error for a language that cannot be read.
fn invalid_language() -> Diagnostic {
    let message = "GLSL, HLSL and MSL are written and not read; a front end compiles the source to SPIR-V";
    Diagnostic::new(ReadCode::Language, Place::Line(1, 1), message)
}

/// Returns whether a text looks like WGSL: an attribute of an entry point or of a resource begins a line.
fn is_wgsl(text: &str) -> bool {
    let begins = ["@compute", "@vertex", "@fragment", "@group("];
    text.lines().any(|line| begins.iter().any(|word| line.trim_start().starts_with(word)))
}
