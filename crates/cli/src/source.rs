//! Source text as input: its front end compiles it before anything else sees it.
//!
//! The flags for sources are the same for every command that reads modules. A flag that no input takes is an error of usage. What the front
//! end prints is shown as it is, in the form for programs as one diagnostic for each message. What it writes is verified here, and only
//! then it is an input like any other.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use reconverge::{Format, Place};
use reconverge_diagnose::Severity;
use reconverge_front_ends::{
    CommandLine, Compiled, FrontEnd, FrontEndError, Language, Lines, Setting, Settings, Source, SourceKind, Stage,
    compile, messages_of,
};
use serde_json::json;

use crate::crash::quoted;
use crate::dependencies::DependencyFlags;
use crate::diagnostics::CommandCode;
use crate::diagnostics::{Diagnostic, Reporter};
use crate::exit::Exit;
use crate::findings;
use crate::input::Input;
use crate::named::Named;

/// The kind of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputKind {
    /// A module.
    Module(Format),
    /// Source text that a front end compiles.
    Source(SourceKind),
}

impl InputKind {
    fn from_name(name: &str) -> Option<InputKind> {
        let source = SourceKind::from_name(name).map(InputKind::Source);
        source.or_else(|| Format::from_name(name).map(InputKind::Module))
    }

    /// The kind that the extension of a file says.
    pub(crate) fn from_path(path: &Path) -> Option<InputKind> {
        let source = SourceKind::from_path(path).map(InputKind::Source);
        source.or_else(|| Format::from_path(path).map(InputKind::Module))
    }

    /// The names on the command line.
    pub(crate) fn names() -> Vec<&'static str> {
        let is_source = |name: &&str| SourceKind::from_name(name).is_some();
        let modules = Format::all().filter(|format| format.is_read()).map(Format::name).filter(|name| !is_source(name));
        modules.chain(SourceKind::names()).collect()
    }
}

/// The parser of a kind's name on the command line.
pub(crate) fn kind_parser() -> Named<InputKind> {
    Named::new(InputKind::names, InputKind::from_name)
}

/// The parser of a stage's name on the command line.
pub(crate) fn stage_parser() -> Named<Stage> {
    Named::new(|| Stage::all().map(Stage::name).collect(), Stage::from_name)
}

/// A macro has a name; the front end judges it.
fn named_macro() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|text| match text.is_empty() || text.as_encoded_bytes().starts_with(b"=") {
        true => Err("a macro has a name: NAME or NAME=VALUE"),
        false => Ok(text),
    })
}

/// Options of sources.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Sources in OpenCL C, GLSL, HLSL and Slang (docs/front-ends.md)")]
pub(crate) struct SourceFlags {
    /// Define a macro; may be repeated
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = named_macro())]
    define: Vec<OsString>,
    /// Look for included files in this folder; may be repeated
    #[arg(short = 'I', value_name = "FOLDER")]
    include_folder: Vec<PathBuf>,
    /// `-include FILE`: include a file before the first line; may be repeated
    #[arg(long = "include", hide_short_help = true, value_name = "FILE")]
    include: Vec<PathBuf>,
    /// Version of the language, in the words of the front end: CL3.0, 460, 2021
    #[arg(long = "std", value_name = "STANDARD")]
    standard: Option<String>,
    /// Compiler of the source, by name or path; the default is the first of docs/front-ends.md that is installed
    #[arg(long, hide_short_help = true, value_name = "PROGRAM")]
    front_end: Option<OsString>,
    /// Argument that is passed on to the front end; may be repeated
    #[arg(long, hide_short_help = true, value_name = "ARGUMENT", allow_hyphen_values = true)]
    front_end_arg: Vec<OsString>,
    /// Keep source lines in the output, and have the front end write them
    #[arg(short = 'g')]
    source_lines: bool,
}

impl SourceFlags {
    /// Returns whether the output keeps source lines.
    pub(crate) fn keeps_lines(&self) -> bool {
        self.source_lines
    }

    /// Returns the options with which inputs are read.
    pub(crate) fn reading(&self, from: Option<InputKind>) -> Reading {
        let settings = Settings {
            defines: self.define.clone(),
            include_folders: self.include_folder.clone(),
            include_files: self.include.clone(),
            standard: self.standard.clone(),
            lines: if self.source_lines { Lines::Wanted } else { Lines::AsTheyCome },
            arguments: self.front_end_arg.clone(),
            program: self.front_end.clone(),
            ..Settings::default()
        };
        Reading { from, settings, has_other_use: false }
    }
}

/// Stage and entry point of a source, for commands that write no text of a shading language.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Sources in OpenCL C, GLSL, HLSL and Slang (docs/front-ends.md)")]
pub(crate) struct StageFlags {
    /// Stage of the shader, if neither the name of the file nor the text says it
    #[arg(long, value_name = "STAGE", value_parser = stage_parser())]
    stage: Option<Stage>,
    /// Function where the shader begins
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    entry: Option<String>,
}

impl StageFlags {
    /// The reading, with these settings.
    pub(crate) fn apply(&self, reading: Reading) -> Reading {
        reading.with_stage(self.stage, self.entry.clone())
    }
}

/// The options with which inputs are read.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The kind of the inputs; the default depends on the extension of each.
    pub(crate) from: Option<InputKind>,
    settings: Settings,
    /// True if stage and entry point are also for something else: an output in a shading language.
    has_other_use: bool,
}

impl Reading {
    /// With a stage and an entry point.
    pub(crate) fn with_stage(mut self, stage: Option<Stage>, entry: Option<String>) -> Reading {
        (self.settings.stage, self.settings.entry) = (stage, entry);
        self
    }

    /// Stage and entry point are also for something else, and may be without use for the sources.
    pub(crate) fn with_other_use(self) -> Reading {
        Reading { has_other_use: true, ..self }
    }

    /// With source lines, if a program is installed that writes them.
    pub(crate) fn with_lines(mut self) -> Reading {
        self.settings.lines = Lines::Wanted;
        self
    }

    /// With the files that sources include.
    pub(crate) fn with_dependencies(mut self, flags: &DependencyFlags) -> Reading {
        self.settings.lists_dependencies = flags.is_given();
        self
    }

    /// The kind of a file, as far as its name says it.
    pub(crate) fn kind(&self, path: &Path) -> Option<InputKind> {
        self.from.or_else(|| InputKind::from_path(path))
    }

    /// The error if a flag is given that no input takes.
    pub(crate) fn unmet_need(&self, paths: &[PathBuf], flags: &SourceFlags) -> Option<String> {
        let mut languages: Vec<Language> = Vec::new();
        for path in paths {
            if let Some(InputKind::Source(kind)) = self.kind(path)
                && !languages.contains(&kind.language)
            {
                languages.push(kind.language);
            }
        }
        let settings = &self.settings;
        let is_used = |setting: Setting| {
            self.has_other_use && matches!(setting, Setting::Stage | Setting::Entry)
                || languages.iter().any(|language| language.takes(setting))
        };
        let unused = settings.made().find(|&setting| !is_used(setting)).map(Setting::flag);
        let others = [
            ("--front-end", settings.program.is_some()),
            ("--front-end-arg", !settings.arguments.is_empty()),
            ("-g", flags.keeps_lines()),
        ];
        let others = others.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag));
        if let Some(flag) = unused.or(others.filter(|_| languages.is_empty())) {
            return Some(match languages.first() {
                None => format!("{flag} is for sources that a front end compiles, and no input is one"),
                Some(language) => {
                    format!("{flag} is not for {}: its front ends have no such setting", language.title())
                }
            });
        }
        let is_one_program = settings.program.is_some() || !settings.arguments.is_empty();
        (is_one_program && languages.len() > 1).then(|| {
            let titles: Vec<&str> = languages.iter().map(|language| language.title()).collect();
            let titles = titles.join(" and ");
            format!("--front-end and --front-end-arg are for sources of one language, and there are {titles}")
        })
    }

    /// The settings for a source: without those that are only for the other use.
    fn settings_for(&self, language: Language) -> Settings {
        let mut settings = self.settings.clone();
        if self.has_other_use && !language.takes(Setting::Stage) {
            settings.stage = None;
        }
        if self.has_other_use && !language.takes(Setting::Entry) {
            settings.entry = None;
        }
        settings
    }

    /// Compiles a source, and verifies what comes out; an error is reported, and the exit code is returned. Stdin has no path.
    ///
    /// A program that writes lines may refuse what a newer one compiles: then the source is compiled without lines, which is noted.
    pub(crate) fn compile(
        &self,
        kind: SourceKind,
        path: Option<&Path>,
        text: &[u8],
        reporter: Reporter,
    ) -> Result<Input, Exit> {
        let source = Source { kind, path, text };
        let settings = self.settings_for(kind.language);
        let is_by_pair = settings.lines == Lines::Wanted && kind.language.front_ends().contains(&FrontEnd::CLANG);
        match attempt(source, &settings, reporter) {
            Err(failure) if is_by_pair && failure.may_be_of_lines() => {}
            result => return result.map_err(|failure| failure.report(reporter)),
        }
        let without_lines = Settings { lines: Lines::AsTheyCome, ..settings };
        let input = attempt(source, &without_lines, reporter).map_err(|failure| failure.report(reporter))?;
        Ok(Input { lacks_lines: true, ..input })
    }
}

const BETTER_SOURCE: &str = "correct the text where the message points";

reconverge_diagnostic::codes! {
    /// Codes of front ends.
    pub(crate) enum FrontEndCode in "Front ends of sources" {
        Message = "front-end" Rejected
            "The front end of a source reports an error, or a warning."
            BETTER_SOURCE;
        Missing = "front-end-missing" Options
            "No front end of the language is installed, or the one that is named does not start (exit code 2)."
            "install it as the message says, or name it by --front-end or its environment variable (docs/front-ends.md)";
        Crash = "front-end-crash" Rejected
            "The front end ended by a signal, or by an internal error that it reports."
            "try another version of it with --front-end, or another way to write the source";
        Output = "front-end-output" Rejected
            "The front end reported success, and wrote nothing or something that is no module."
            "check what --front-end and --front-end-arg ask for; --verbose prints the command line";
        Invalid = "front-end-invalid" Rejected
            "The front end wrote a module that breaks a rule, and no repair is known. The findings come before this message."
            "try another version of it with --front-end, or another way to write the source";
        Lines = "front-end-lines" Note
            "A note: messages have no source lines, because clang writes SPIR-V without them."
            "install clang and llvm-spirv of one version, such as `apt-get install clang-15 llvm-spirv-15`";
    }
}

/// The reason why a source is no input.
enum Failure {
    /// There is no module.
    FrontEnd { error: FrontEndError, name: String },
    /// The module is not valid.
    Invalid(Vec<Diagnostic>),
}

impl Failure {
    /// Returns whether another program could compile the source.
    fn may_be_of_lines(&self) -> bool {
        match self {
            Failure::Invalid(_) => true,
            Failure::FrontEnd { error, .. } => matches!(
                error,
                FrontEndError::Refused(_)
                    | FrontEndError::Crashed { .. }
                    | FrontEndError::NoOutput(_)
                    | FrontEndError::NoModule { .. }
            ),
        }
    }

    fn report(self, reporter: Reporter) -> Exit {
        match self {
            Failure::FrontEnd { error, name } => {
                pass_on(error.messages(), Severity::Error, reporter);
                report(&error, name, reporter)
            }
            Failure::Invalid(diagnostics) => {
                reporter.report(&diagnostics);
                Exit::Rejected
            }
        }
    }
}

/// Compiles a source with these settings, and verifies what comes out.
fn attempt(source: Source<'_>, settings: &Settings, reporter: Reporter) -> Result<Input, Failure> {
    let name = source.path.map_or_else(|| "<stdin>".to_owned(), |path| path.display().to_string());
    let mut observe = |command: &CommandLine| tell_command(command, reporter);
    let compiled = match compile(source, settings, &mut observe) {
        Ok(compiled) => compiled,
        Err(error) => return Err(Failure::FrontEnd { error, name }),
    };
    let messages = compiled.messages.clone();
    let input = verified(compiled, name, source.path)?;
    pass_on(&messages, Severity::Warning, reporter);
    Ok(input)
}

/// Tells which process is started, with the version of the front end.
fn tell_command(command: &CommandLine, reporter: Reporter) {
    let words = std::iter::once(command.program.as_os_str()).chain(command.arguments.iter().map(OsString::as_os_str));
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let version = command.version.map(|version| version.to_string());
    let line: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let of_version = version.as_ref().map_or_else(String::new, |version| format!(" (version {version})"));
    let object = json!({ "kind": "front-end", "command": words, "version": version });
    reporter.detail(&format!("run{of_version}: {}", line.join(" ")), &object);
}

/// Shows what a front end printed: as it is, or for programs as diagnostics. `severity` is that of a text without messages in it.
fn pass_on(printed: &str, severity: Severity, reporter: Reporter) {
    if printed.trim().is_empty() {
        return;
    }
    let end = if printed.ends_with('\n') { "" } else { "\n" };
    reporter.pass_on(&format!("{printed}{end}"), severity, || {
        let code = || FrontEndCode::Message.declared();
        let mut diagnostics: Vec<Diagnostic> = messages_of(printed).into_iter().map(of_message).collect();
        if diagnostics.is_empty() {
            let message = printed.trim().to_owned();
            diagnostics.push(Diagnostic { severity, code: code(), message, ..Diagnostic::default() });
        }
        diagnostics
    });
}

fn of_message(message: reconverge_front_ends::Message) -> Diagnostic {
    Diagnostic {
        severity: match message.severity {
            reconverge_front_ends::Severity::Error => Severity::Error,
            reconverge_front_ends::Severity::Warning => Severity::Warning,
            reconverge_front_ends::Severity::Note => Severity::Note,
        },
        code: FrontEndCode::Message.declared(),
        message: message.text,
        file: message.file,
        place: message.line.map(|line| Place::Line(line, message.column.unwrap_or(1))),
        context: Some(message.context).filter(|context| !context.is_empty()),
        ..Diagnostic::default()
    }
}

/// Reports why there is no module.
fn report(error: &FrontEndError, name: String, reporter: Reporter) -> Exit {
    let (code, exit) = match error {
        FrontEndError::NotTaken { .. } | FrontEndError::NoStage { .. } => (CommandCode::Usage.declared(), Exit::Usage),
        FrontEndError::Missing { .. } | FrontEndError::NotStarted { .. } => {
            (FrontEndCode::Missing.declared(), Exit::Usage)
        }
        FrontEndError::Refused(_) => (FrontEndCode::Message.declared(), Exit::Rejected),
        FrontEndError::Crashed { .. } => (FrontEndCode::Crash.declared(), Exit::Rejected),
        FrontEndError::NoOutput(_) | FrontEndError::NoModule { .. } => {
            (FrontEndCode::Output.declared(), Exit::Rejected)
        }
        _ => (CommandCode::Io.declared(), Exit::Io),
    };
    reporter.report(&[Diagnostic {
        code,
        message: error.to_string(),
        file: Some(name),
        suggestion: error.suggestion(),
        ..Diagnostic::default()
    }]);
    exit
}

/// The input that a compiled source is. Its module is valid, or becomes valid by the repairs of known errors of front ends, whose notes are
/// reported when the command makes them.
fn verified(compiled: Compiled, name: String, path: Option<&Path>) -> Result<Input, Failure> {
    let format = Format::from_bytes(&compiled.module);
    let files = path.map(Path::to_owned).into_iter().chain(compiled.dependencies).collect();
    let lacks_lines = compiled.lacks_lines;
    let input = Input { files, lacks_lines, is_source: true, ..Input::new(name, compiled.module, format) };
    if format == Format::DXIL {
        return Ok(input);
    }
    let invalid = |mut diagnostics: Vec<Diagnostic>| {
        let version = compiled.version.map_or_else(String::new, |version| format!(" {version}"));
        let program = compiled.program.display();
        diagnostics.push(Diagnostic {
            code: FrontEndCode::Invalid.declared(),
            message: format!("{program} ({}{version}) wrote a module that is not valid", compiled.front_end.name()),
            file: Some(input.name.clone()),
            suggestion: Some("this is a bug of the front end; --front-end tries another version".to_owned()),
            ..Diagnostic::default()
        });
        Failure::Invalid(diagnostics)
    };
    let (mut module, _) = input.repaired_module().map_err(|error| invalid(findings::of_error(&error, &input, None)))?;
    if reconverge::repair(&mut module).is_ok() {
        let broken = reconverge::findings_beyond_structure(&mut module);
        if !broken.is_empty() {
            return Err(invalid(findings::of_findings(&broken, &input, &module)));
        }
    }
    Ok(input)
}

/// The note that lines are wanted and no program is installed that writes them.
pub(crate) fn note_on_lines(inputs: &[Input], reporter: Reporter) {
    let Some(input) = inputs.iter().find(|input| input.lacks_lines) else { return };
    reporter.report(&[Diagnostic {
        severity: Severity::Note,
        code: FrontEndCode::Lines.declared(),
        message: "there are no source lines: clang writes SPIR-V without them, and there is no pair of clang and llvm-spirv that compiles \
                  this source"
            .to_owned(),
        file: Some(input.name.clone()),
        suggestion: Some(
            "`apt-get install clang-15 llvm-spirv-15` installs a pair; --front-end and CLANG, if given, must name a clang with the llvm-spirv \
             of its version"
                .to_owned(),
        ),
        ..Diagnostic::default()
    }]);
}
