//! Inputs: a file or stdin, as bytes, with the name for messages and the format.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use reconverge::dxil::{TranslateOptions, Translation};
use reconverge::ir::{Module, text};
use reconverge::{Error, Format};
use serde_json::json;

use crate::diagnostics::{Diagnostic, Reporter, io_diagnostic};
use crate::exit::Exit;
use crate::named::Named;

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
    /// How DXIL is translated.
    pub(crate) dxil: TranslateOptions,
}

impl Input {
    /// As [`Input::read`], but an empty input is an error; an error is reported, and the exit code is returned.
    pub(crate) fn read_or_report(path: &Path, format: Option<Format>, reporter: Reporter) -> Result<Input, Exit> {
        let input = Input::read(path, format).map_err(|error| {
            let name = path.display().to_string();
            reporter.report(&[io_diagnostic("cannot read the input", &error, Some(&name))]);
            Exit::Io
        })?;
        if !input.is_empty() {
            let (name, bytes, extension) = (&input.name, input.bytes.len(), input.extension);
            let object = json!({ "kind": "read", "file": name, "bytes": bytes, "as": extension });
            reporter.detail(&format!("read {name}: {bytes} bytes, as .{extension}"), &object);
            return Ok(input);
        }
        let (code, message) = ("empty-input".to_owned(), "the input is empty".to_owned());
        reporter.report(&[Diagnostic { code, message, file: Some(input.name), ..Diagnostic::default() }]);
        Err(Exit::Rejected)
    }

    /// The input that a module would be as text. Outputs have another format, if their extension says nothing else.
    pub(crate) fn of_module(name: String, module: &Module, output_format: Format) -> Input {
        let bytes = text::print(module).into_bytes();
        let (format, extension) = (Format::TEXT, Format::TEXT.extension());
        Input { name, bytes, format, extension, output_format, dxil: TranslateOptions::default() }
    }

    /// The module.
    ///
    /// # Errors
    /// Those of [`reconverge::read`].
    pub(crate) fn module(&self, strip_merges: bool) -> Result<Module, Error> {
        match self.format == Format::DXIL {
            true => Ok(self.translation()?.module),
            false => reconverge::read_file(&self.name, &self.bytes, self.format, strip_merges),
        }
    }

    /// The module of DXIL, with what else its translation says.
    ///
    /// # Errors
    /// Those of [`reconverge::dxil::translate`].
    pub(crate) fn translation(&self) -> Result<Translation, Error> {
        reconverge::dxil::translate(&self.bytes, &self.dxil)
    }

    /// The module, with merge instructions ignored that stand where none may; the error is about the first of them.
    ///
    /// # Errors
    /// Those of [`reconverge::read_repaired`].
    pub(crate) fn repaired_module(&self) -> Result<(Module, Option<Error>), Error> {
        match self.format == Format::DXIL {
            true => Ok((self.translation()?.module, None)),
            false => reconverge::read_repaired(&self.name, &self.bytes, self.format),
        }
    }

    /// Whether the input is empty. A text of blanks only would be an empty module, which is never intended: the command that should have
    /// written it has failed.
    fn is_empty(&self) -> bool {
        self.bytes.is_empty() || self.format.is_text() && self.bytes.trim_ascii().is_empty()
    }

    /// Reads a file, or stdin for `-`. The format is the given one, else that of the extension, else that of the first bytes.
    fn read(path: &Path, format: Option<Format>) -> io::Result<Input> {
        let mut bytes = Vec::new();
        let name = if is_standard_stream(path) {
            io::stdin().lock().read_to_end(&mut bytes)?;
            "<stdin>".to_owned()
        } else {
            File::open(path)?.read_to_end(&mut bytes)?;
            path.display().to_string()
        };
        let format = format.or_else(|| Format::from_path(path)).unwrap_or_else(|| Format::from_bytes(&bytes));
        // DXIL is not written: it becomes SPIR-V.
        let output_format = if format == Format::DXIL { Format::SPIRV } else { format };
        Ok(Input {
            name,
            bytes,
            format,
            extension: format.extension(),
            output_format,
            dxil: TranslateOptions::default(),
        })
    }
}

/// Whether a path on the command line means stdin or stdout.
pub(crate) fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The parser of a format's name on the command line.
pub(crate) fn format_parser() -> Named<Format> {
    Named::new(|| Format::all().map(Format::name).collect(), Format::from_name)
}
