//! Forms of an output: a module in a format, graphs, machine code.

use std::path::Path;

use reconverge::Format;

use crate::machine::CodeForm;
use crate::named::Named;
use crate::output;

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// A module.
    Module(Format),
    /// Control flow graphs for Graphviz.
    Dot,
    /// Machine code.
    Code(CodeForm),
}

impl Form {
    fn all() -> impl Iterator<Item = Form> {
        let code = [CodeForm::Words, CodeForm::Assembly, CodeForm::CpuAssembly].map(Form::Code);
        Format::all().map(Form::Module).chain([Form::Dot]).chain(code)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Form::Module(format) => format.name(),
            Form::Dot => "dot",
            Form::Code(CodeForm::Words) => "qpu",
            Form::Code(CodeForm::Assembly) => "qpuasm",
            Form::Code(CodeForm::CpuAssembly) => "cpuasm",
        }
    }

    /// Whether people can read it.
    pub(crate) fn is_text(self) -> bool {
        match self {
            Form::Module(format) => format.is_text(),
            Form::Dot | Form::Code(CodeForm::Assembly | CodeForm::CpuAssembly) => true,
            Form::Code(CodeForm::Words) => false,
        }
    }

    /// The output form for the extension of a path; `None` if there is no extension.
    pub(crate) fn from_path(path: &Path) -> Result<Option<Form>, String> {
        let Some(extension) = path.extension().filter(|_| !output::is_stdout(path) && !output::is_device(path)) else {
            return Ok(None);
        };
        match (Format::from_path(path), extension.to_str()) {
            (Some(format), _) => Ok(Some(Form::Module(format))),
            (None, Some("dot" | "gv")) => Ok(Some(Form::Dot)),
            (None, Some("qpu")) => Ok(Some(Form::Code(CodeForm::Words))),
            (None, Some("qpuasm")) => Ok(Some(Form::Code(CodeForm::Assembly))),
            (None, Some("cpuasm")) => Ok(Some(Form::Code(CodeForm::CpuAssembly))),
            (None, _) => {
                let known: Vec<String> = Format::all().map(|format| format!(".{}", format.extension())).collect();
                let (extension, known) = (extension.to_string_lossy(), known.join(", "));
                Err(format!(
                    "the extension .{extension} names no output format: use {known}, .dot, .qpu, .qpuasm or .cpuasm, or give --to"
                ))
            }
        }
    }
}

/// The parser of a form's name on the command line.
pub(crate) fn form_parser() -> Named<Form> {
    let find = |name: &str| Form::all().find(|form| form.name() == name);
    Named::new(|| Form::all().map(Form::name).collect(), find)
}
