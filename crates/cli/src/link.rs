//! `reconverge link`: links modules that were compiled apart, or lists their symbols.
//!
//! The other commands that read a module link several inputs in the same way ([`read_linked`]), and then continue with the linked module as
//! text.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use reconverge::ir::Module;
use reconverge::{Format, LinkInput, link_modules, strip_lines};
use reconverge_diagnose::SourcePlace;
use reconverge_link::{
    Code, LinkError, LinkOptions, LinkPlace, Roots, Symbol, SymbolKind, Undefined, symbol_type, type_text,
};
use serde_json::json;

use crate::crash::contained;
use crate::dependencies::DependencyFlags;
use crate::diagnostics::{Diagnostic, Reporter, SourceLine, Waypoint};
use crate::exit::{Exit, legend};
use crate::input::{Input, format_parser};
use crate::messages::Messages;
use crate::needs::{Flag, Need, require};
use crate::output::Output;
use crate::source::{InputKind, Reading, SourceFlags, StageFlags, kind_parser, note_on_lines};
use crate::{findings, output};

const EXAMPLES: &str = "Examples:
  reconverge link kernel.spv library.spv -o linked.spv
  reconverge link kernel.cl library.spv -o linked.spv       # a front end compiles the source first
  reconverge link kernel.spv library.spv --list             # what each module exports and imports
  reconverge link one.spv two.ir -o library.spv --library   # keep all exports
  reconverge compile kernel.spv library.spv -o kernel.vulkan.spv";

/// Link modules that were compiled apart
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}", legend()))]
pub(crate) struct Arguments {
    /// Input modules and sources, in any formats and languages: files, or - for stdin
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// Output file, or - for stdout
    ///
    /// The file is written whole or not at all.
    #[arg(short, long, value_name = "OUT", required_unless_present = "list", conflicts_with = "list")]
    output: Option<PathBuf>,
    /// Format or source language of the inputs; the default depends on the extension of each
    #[arg(long, value_name = "FORMAT", value_parser = kind_parser())]
    from: Option<InputKind>,
    /// Format of the output; the default depends on the extension
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<Format>,
    /// Print the exports and imports of each input, and link nothing
    #[arg(long, conflicts_with_all = ["to", "library", "root", "allow_undefined", "target", "dependencies"])]
    list: bool,
    /// Keep all exports; without this option, a program keeps what its entry points reach
    #[arg(long)]
    library: bool,
    /// Keep this entry point or export, and only what it reaches; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "library")]
    root: Vec<String>,
    /// Leave imports open that no input defines
    #[arg(long)]
    allow_undefined: bool,
    /// Choose the bodies for this target, such as vulkan.lavapipe (docs/linking.md)
    #[arg(long, value_name = "TARGET", default_value = "", hide_default_value = true)]
    target: String,
    #[command(flatten)]
    source: SourceFlags,
    #[command(flatten)]
    stage: StageFlags,
    #[command(flatten)]
    dependencies: DependencyFlags,
    #[command(flatten)]
    messages: Messages,
}

impl Arguments {
    fn options(&self) -> LinkOptions<'_> {
        let roots = match (self.library, self.root.as_slice()) {
            (true, _) => Roots::Library,
            (false, []) => Roots::Program,
            (false, names) => Roots::Named(names),
        };
        let undefined = if self.allow_undefined { Undefined::Allowed } else { Undefined::Refused };
        LinkOptions::new().roots(roots).undefined(undefined).target(&self.target)
    }

    fn reading(&self) -> Reading {
        let reading = self.stage.apply(self.source.reading(self.from));
        reading.with_dependencies(&self.dependencies)
    }

    /// The format of the output; `None` for that of the first input.
    fn format(&self, output: &Path) -> Result<Option<Format>, String> {
        let Some(extension) = output::extension(output).filter(|_| self.to.is_none()) else { return Ok(self.to) };
        let known = || {
            Format::all()
                .filter(|format| format.is_written())
                .map(|format| format!(".{}", format.extension()))
                .collect()
        };
        Format::from_path(output).map(Some).ok_or_else(|| output::no_format("format", &extension, known()))
    }
}

/// What the flags need, and what they exclude.
const FLAGS: &[Flag<Arguments>] = &[
    Flag::always(&[Need::of(|given, _, _| given.reading().unmet_need(&given.inputs, &given.source))]),
    Flag::always(&[Need::of(|given, _, _| given.dependencies.unmet_need(given.output.as_deref()?, &given.inputs))]),
];

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Exit> {
    let reporter = arguments.messages.reporter("link");
    let asked = arguments.output.as_deref().map(|output| arguments.format(output)).transpose();
    let asked = asked.map_err(|message| reporter.wrong_usage(message))?.flatten();
    require(FLAGS, arguments, None, reporter)?;
    let inputs = read_inputs(&arguments.inputs, &arguments.reading(), reporter)?;
    contained(&inputs[0], arguments.output.as_deref(), reporter, |trace| {
        let modules = parse(&inputs, reporter)?;
        trace.finished("read");
        let Some(output) = &arguments.output else { return list(modules, reporter) };
        require_valid_inputs(&modules, &inputs, reporter)?;
        let mut linked = link_modules(modules, arguments.options()).map_err(|errors| report(&errors, reporter))?;
        trace.finished("link");
        require_valid(&linked, &inputs, reporter)?;
        if !arguments.source.keeps_lines() && inputs.iter().all(|input| input.is_source) {
            strip_lines(&mut linked);
        }
        let format = asked.unwrap_or(inputs[0].output_format);
        if !format.is_text()
            && let Some(message) = output::binary_for_terminal(output)
        {
            return Err(reporter.wrong_usage(message));
        }
        let bytes = reconverge::write(&linked, format).map_err(|error| {
            reporter.report(&findings::of_error(&error, &inputs[0], Some(&linked)));
            Exit::from(error.kind())
        })?;
        let rule = arguments.dependencies.rule(output, &inputs);
        let mut outputs = vec![Output { path: output, bytes: &bytes }];
        outputs.extend(rule.iter().map(|(path, bytes)| Output { path, bytes }));
        output::write_or_report(&outputs, reporter)?;
        let (file, functions) = (output.display().to_string(), linked.functions().count());
        let object = json!({ "kind": "written", "file": file, "functions": functions });
        reporter.detail(&format!("wrote {file}: functions {functions}"), &object);
        Ok(())
    })
}

/// Reads one input, or several that are linked to one: then the input is the linked module as text, under the names of all.
pub(crate) fn read_linked(paths: &[PathBuf], reading: &Reading, reporter: Reporter) -> Result<Input, Exit> {
    let mut inputs = read_inputs(paths, reading, reporter)?;
    if inputs.len() == 1 {
        return Ok(inputs.remove(0));
    }
    let mut linked = Module::new();
    contained(&inputs[0], None, reporter, |_| {
        let modules = parse(&inputs, reporter)?;
        require_valid_inputs(&modules, &inputs, reporter)?;
        linked = link_modules(modules, LinkOptions::default()).map_err(|errors| report(&errors, reporter))?;
        require_valid(&linked, &inputs, reporter)
    })?;
    let files = inputs.iter().flat_map(|input| input.files.clone()).collect();
    let is_source = inputs.iter().all(|input| input.is_source);
    Ok(Input { files, is_source, ..Input::of_module(names_of(&inputs), &linked, inputs[0].output_format) })
}

/// Checks the inputs that were read whole. Of those in the binary form, what is reached is checked once it is linked.
fn require_valid_inputs(modules: &[(String, LinkInput<'_>)], inputs: &[Input], reporter: Reporter) -> Result<(), Exit> {
    for ((_, module), input) in modules.iter().zip(inputs) {
        if let LinkInput::Module(module) = module
            && let Err(error) = reconverge::require_valid(module)
        {
            reporter.report(&findings::of_error(&error, input, Some(module)));
            return Err(error.kind().into());
        }
    }
    Ok(())
}

/// Checks what was linked. The linker copies what is reached, whatever rules it breaks: these are reported for the input that breaks them.
fn require_valid(linked: &Module, inputs: &[Input], reporter: Reporter) -> Result<(), Exit> {
    let Err(error) = reconverge::require_valid(linked) else { return Ok(()) };
    for input in inputs {
        let Ok((module, _)) = input.repaired_module() else { continue };
        if let Err(error) = reconverge::require_valid(&module) {
            reporter.report(&findings::of_error(&error, input, Some(&module)));
            return Err(error.kind().into());
        }
    }
    // Some rules hold only for a whole module.
    let input = Input::of_module(names_of(inputs), linked, inputs[0].format);
    reporter.report(&findings::of_error(&error, &input, Some(linked)));
    Err(error.kind().into())
}

/// The names of all inputs, as one.
fn names_of(inputs: &[Input]) -> String {
    inputs.iter().map(|input| input.name.as_str()).collect::<Vec<_>>().join(" + ")
}

/// Reads all inputs, of which one may be stdin.
fn read_inputs(paths: &[PathBuf], reading: &Reading, reporter: Reporter) -> Result<Vec<Input>, Exit> {
    let standard = paths.iter().filter(|path| path.as_os_str() == "-").count();
    if standard > 1 {
        return Err(reporter.wrong_usage("only one input can be stdin".to_owned()));
    }
    let read = |path: &PathBuf| Input::read_or_report(path, reading, reporter);
    let inputs: Vec<Input> = paths.iter().map(read).collect::<Result<_, _>>()?;
    note_on_lines(&inputs, reporter);
    Ok(inputs)
}

/// Reads the inputs; of the binary form, only the tables are read now. DXIL has neither exports nor imports, and is refused.
fn parse(inputs: &[Input], reporter: Reporter) -> Result<Vec<(String, LinkInput<'_>)>, Exit> {
    if let Some(input) = inputs.iter().find(|input| input.format == Format::DXIL) {
        let message = format!("DXIL is not linked, and {} is DXIL: compile each shader on its own", input.name);
        return Err(reporter.wrong_usage(message));
    }
    let read = |input: &Input| match input.repaired_module() {
        Ok((module, misplaced)) => {
            if let Some(error) = misplaced {
                reporter.report(&findings::of_left_out_merge(&error, input));
            }
            Ok(LinkInput::Module(module))
        }
        Err(error) => Err(error),
    };
    let opened = inputs.iter().map(|input| {
        let is_binary = input.format == Format::BINARY;
        let opened = if is_binary { LinkInput::from_binary(&input.bytes) } else { read(input) };
        opened.map(|opened| (input.name.clone(), opened)).map_err(|error| {
            reporter.report(&findings::of_error(&error, input, None));
            error.kind().into()
        })
    });
    opened.collect()
}

/// Prints the symbols of each input on stdout: linkage, kind, name, type.
fn list(modules: Vec<(String, LinkInput<'_>)>, reporter: Reporter) -> Result<(), Exit> {
    let mut text = String::new();
    for (file, mut module) in modules {
        if let Err(error) = module.input(&file).and_then(|mut input| list_input(&mut *input, &mut text)) {
            return Err(report(&[error], reporter));
        }
    }
    let output = Output { path: Path::new("-"), bytes: text.as_bytes() };
    output::write_or_report(&[output], reporter)
}

fn list_input(input: &mut dyn reconverge_link::Input, text: &mut String) -> Result<(), LinkError> {
    let _ = writeln!(text, "{}", input.name());
    for symbol in input.symbols().into_owned() {
        input.load_signature(symbol.inst).map_err(|message| {
            let message = format!("{}: {message}", input.name());
            LinkError::new(Code::Read, message)
        })?;
        let (module, inst) = (input.module(), symbol.inst);
        if Symbol::of(module, inst).all(|other| other != symbol) {
            continue;
        }
        let linkage = if symbol.is_import() { "import" } else { "export" };
        let kind = SymbolKind::of(module, inst);
        let ty = symbol_type(module, inst).map_or_else(String::new, |ty| format!(": {}", type_text(module, ty)));
        let _ = writeln!(text, "  {linkage} {kind} {}{ty}", symbol.text());
    }
    Ok(())
}

/// Reports the errors of linking. The first decides the exit code.
fn report(errors: &[LinkError], reporter: Reporter) -> Exit {
    let diagnostics: Vec<Diagnostic> = errors.iter().map(of_link_error).collect();
    reporter.report(&diagnostics);
    Exit::Rejected
}

/// An error of linking: the first place is that of the message, and all others are steps after it.
fn of_link_error(error: &LinkError) -> Diagnostic {
    let (first, rest) = match error.places.split_first() {
        Some((first, rest)) => (Some(first), rest),
        None => (None, &[][..]),
    };
    Diagnostic {
        code: error.code,
        message: error.message.clone(),
        file: first.map(|place| place.name.clone()),
        context: first.map(|place| place.statement.clone()),
        source: first.and_then(source_of),
        suggestion: Some(error.code.help.to_owned()),
        path: rest.iter().map(waypoint).collect(),
        ..Diagnostic::default()
    }
}

fn waypoint(place: &LinkPlace) -> Waypoint {
    Waypoint {
        message: format!("{} in {}", place.role, place.name),
        context: Some(place.statement.clone()),
        source: source_of(place),
        ..Waypoint::default()
    }
}

fn source_of(place: &LinkPlace) -> Option<SourceLine> {
    let (file, line, column) = place.source.clone()?;
    Some(SourceLine::without_text(SourcePlace { file, line, column }))
}
