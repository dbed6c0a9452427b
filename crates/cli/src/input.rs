//! Inputs: a file or stdin, as bytes, with the name for messages and the format.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use reconverge::ir::{Module, text};
use reconverge::{Error, Format, Merges, OptionValues, Others, Place, ReadModule, Source};
use reconverge_diagnose::Sources;
use serde_json::json;

use crate::diagnostics::{Diagnostic, Reporter, io_diagnostic};
use crate::exit::Exit;
use crate::kinds::{FileKind, not_text};
use crate::named::Named;
use crate::source::{InputKind, Reading};

reconverge_diagnostic::codes! {
    /// Codes of inputs that are none.
    pub(crate) enum InputCode in "The command" {
        Empty = "empty-input" Rejected
            "The input is empty."
            "check that the command that writes it succeeds";
        WrongKind = "wrong-kind" Rejected
            "The file is not a module or graph that this command reads."
            "convert the file to SPIR-V as the message describes";
    }
}

/// An input that was read.
#[derive(Debug)]
pub(crate) struct Input {
    /// The path as given, `<stdin>` for stdin.
    pub(crate) name: String,
    /// The whole content.
    pub(crate) bytes: Vec<u8>,
    /// The format of the contents.
    pub(crate) format: Format,
    /// The file extension for such contents, for a reproducer.
    pub(crate) extension: &'static str,
    /// The format of an output that has no extension.
    pub(crate) output_format: Format,
    /// The options of the format.
    pub(crate) options: OptionValues,
    /// Values of specialization constants, as they are given.
    pub(crate) specialization: Vec<String>,
    /// The specialization constants without a value.
    pub(crate) others: Others,
    /// The files that it was read from, with those that a source includes; none for stdin.
    pub(crate) files: Vec<PathBuf>,
    /// True if the format is neither named nor that of the extension, but that of the first bytes.
    pub(crate) is_guessed: bool,
    /// True if a front end wrote the module.
    pub(crate) is_source: bool,
    /// True if source lines are wanted, and the front end writes none.
    pub(crate) lacks_lines: bool,
}

impl Input {
    /// Reads a module, or a source that its front end compiles; an error is reported, and the exit code is returned. An empty input is an error, and so
    /// are bytes where text is expected.
    pub(crate) fn read_or_report(path: &Path, reading: &Reading, reporter: Reporter) -> Result<Input, Exit> {
        let bytes = contents(path, reporter)?;
        let kind = reading.kind(path);
        if let Some(expected) = expected_text(kind, &bytes)
            && let Some(found) = not_text(&bytes)
        {
            reporter.report(&[of_bytes(found, expected, name_of(path))]);
            return Err(Exit::Rejected);
        }
        // A front end cannot read a pipe a second time: it gets the text as it gets stdin.
        let file = Some(path).filter(|path| !is_standard_stream(path) && path.is_file());
        let input = match kind {
            Some(InputKind::Source(kind)) if !bytes.trim_ascii().is_empty() => {
                return reading.compile(kind, file, &bytes, reporter);
            }
            Some(InputKind::Module(format)) => Input::of_file(path, bytes, format),
            _ => {
                let format = Format::from_bytes(&bytes);
                Input { is_guessed: true, ..Input::of_file(path, bytes, format) }
            }
        };
        input.not_empty(reporter)
    }

    /// Reads an input that has this format, whatever its name says; errors are reported as by [`Input::read_or_report`].
    pub(crate) fn read_as(path: &Path, format: Format, reporter: Reporter) -> Result<Input, Exit> {
        Input::of_file(path, contents(path, reporter)?, format).not_empty(reporter)
    }

    fn not_empty(self, reporter: Reporter) -> Result<Input, Exit> {
        if !self.is_empty() {
            let (name, bytes, extension) = (&self.name, self.bytes.len(), self.extension);
            let object = json!({ "kind": "read", "file": name, "bytes": bytes, "as": extension });
            reporter.detail(&format!("read {name}: {bytes} bytes, as .{extension}"), &object);
            return Ok(self);
        }
        let (code, message) = (InputCode::Empty.declared(), "the input is empty".to_owned());
        reporter.report(&[Diagnostic { code, message, file: Some(self.name), ..Diagnostic::default() }]);
        Err(Exit::Rejected)
    }

    /// The input that a module would be as text. Outputs have another format, if their extension says nothing else.
    pub(crate) fn of_module(name: String, module: &Module, output_format: Format) -> Input {
        let bytes = text::print(module).into_bytes();
        Input { output_format, ..Input::new(name, bytes, Format::TEXT) }
    }

    /// An input in a format, from no file.
    pub(crate) fn new(name: String, bytes: Vec<u8>, format: Format) -> Input {
        Input {
            name,
            bytes,
            format,
            extension: format.extension(),
            // DXIL is not written: it becomes SPIR-V.
            output_format: if format == Format::DXIL { Format::SPIRV } else { format },
            options: OptionValues::default(),
            specialization: Vec::new(),
            others: Others::Open,
            files: Vec::new(),
            is_guessed: false,
            is_source: false,
            lacks_lines: false,
        }
    }

    fn of_file(path: &Path, bytes: Vec<u8>, format: Format) -> Input {
        let files = if is_standard_stream(path) { Vec::new() } else { vec![path.to_owned()] };
        Input { files, ..Input::new(name_of(path), bytes, format) }
    }

    /// The module, with what its reader says about it.
    ///
    /// # Errors
    /// Those of [`reconverge::read_source`].
    pub(crate) fn read(&self, merges: Merges) -> Result<ReadModule, Error> {
        let mut read = reconverge::read_source(self.format, self.source(merges))?;
        reconverge::fix_specialization(&mut read.module, &self.specialization, self.others)?;
        Ok(read)
    }

    /// The same, with merge instructions ignored where none may be; the error is about the first of them.
    ///
    /// # Errors
    /// Those of [`reconverge::read_repaired`].
    pub(crate) fn read_repaired(&self, merges: Merges) -> Result<(ReadModule, Option<Error>), Error> {
        let (mut read, misplaced) = reconverge::read_repaired(self.format, self.source(merges))?;
        reconverge::fix_specialization(&mut read.module, &self.specialization, self.others)?;
        Ok((read, misplaced))
    }

    /// The module alone.
    ///
    /// # Errors
    /// Those of [`reconverge::read_source`].
    pub(crate) fn module(&self) -> Result<Module, Error> {
        self.read(Merges::Keep).map(|read| read.module)
    }

    /// The module alone, with merge instructions ignored where none may be; the error is about the first of them.
    ///
    /// # Errors
    /// Those of [`reconverge::read_repaired`].
    pub(crate) fn repaired_module(&self) -> Result<(Module, Option<Error>), Error> {
        self.read_repaired(Merges::Keep).map(|(read, misplaced)| (read.module, misplaced))
    }

    /// The way to messages with lines of the source; none if the module has lines, and for a text, which has lines of its own.
    pub(crate) fn way_to_lines(&self) -> Option<&'static str> {
        let way = match self.is_source {
            true if self.lacks_lines => return None,
            true => "-g shows the line in the source",
            false if self.format == Format::SPIRV => {
                "the module has no lines of its source: -g of clang and glslang writes them, and `reconverge compile` reads the source too"
            }
            false => return None,
        };
        let module = self.module().ok()?;
        let sources = Sources::new(&module);
        let blocks = module.functions().flat_map(|function| module.blocks(function));
        let has_lines = blocks.flat_map(|block| module.children(block)).any(|inst| sources.place(inst).is_some());
        (!has_lines).then_some(way)
    }

    fn source(&self, merges: Merges) -> Source<'_> {
        Source::new(&self.bytes).file(&self.name).merges(merges).options(&self.options)
    }

    /// Returns whether the input is empty. A text of blanks only would be an empty module, which is never intended: the command that should
    /// have written it has failed.
    fn is_empty(&self) -> bool {
        self.bytes.is_empty() || self.format.is_text() && self.bytes.trim_ascii().is_empty()
    }
}

/// The text that an input of a kind has to be, for messages; none if it may be binary.
fn expected_text(kind: Option<InputKind>, bytes: &[u8]) -> Option<&'static str> {
    match kind {
        Some(InputKind::Source(source)) => Some(source.language.title()),
        Some(InputKind::Module(format)) => format.is_text().then(|| format.title()),
        None => Format::from_bytes(bytes).is_text().then_some("a module"),
    }
}

/// The error about bytes where text is expected.
fn of_bytes(found: FileKind, expected: &str, file: String) -> Diagnostic {
    Diagnostic {
        code: InputCode::WrongKind.declared(),
        message: format!("the input is {}, not {expected}", found.name()),
        file: Some(file),
        place: Some(Place::Byte(0)),
        suggestion: Some(found.help()),
        ..Diagnostic::default()
    }
}

/// The name of an input in messages.
pub(crate) fn name_of(path: &Path) -> String {
    if is_standard_stream(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// As [`read`]; an error is reported, and the exit code is returned.
fn contents(path: &Path, reporter: Reporter) -> Result<Vec<u8>, Exit> {
    read(path).map_err(|error| {
        let mut diagnostic = io_diagnostic("cannot read the input", &error, Some(&name_of(path)));
        if path.is_dir() {
            diagnostic.message = "the input is a directory, not a file".to_owned();
            diagnostic.suggestion = Some("name a file in it".to_owned());
        }
        reporter.report(&[diagnostic]);
        Exit::Io
    })
}

/// The contents of a file, or of stdin for `-`.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match is_standard_stream(path) {
        true => io::stdin().lock().read_to_end(&mut bytes)?,
        false => File::open(path)?.read_to_end(&mut bytes)?,
    };
    Ok(bytes)
}

/// Returns whether a path on the command line means stdin or stdout.
pub(crate) fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The parser of a format's name on the command line.
pub(crate) fn format_parser() -> Named<Format> {
    Named::new(|| Format::all().map(Format::name).collect(), Format::from_name)
}

/// The treatment of merge instructions for the flag `--strip-merges`.
pub(crate) fn merges_of(strip_merges: bool) -> Merges {
    if strip_merges { Merges::Strip } else { Merges::Keep }
}
