//! Output formats: those of modules, graphs, and the forms of machine code. A form of machine code is a row here.

use std::path::Path;

use reconverge::codegen::MachineCode;
use reconverge::{Format, FormatOption, OptionGroup, OptionKind, Target};

use crate::named::Named;
use crate::output;

/// A format of an output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutputFormat {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// The extensions of its files, the usual one first.
    extensions: &'static [&'static str],
    /// A description for the help text.
    title: &'static str,
    /// True if people can read it.
    pub(crate) is_text: bool,
    /// The contents of a file.
    pub(crate) contents: Contents,
    /// The options for writing it.
    pub(crate) options: &'static OptionGroup,
}

/// The options of graphs.
const OF_GRAPHS: &OptionGroup = &OptionGroup {
    title: "Graphviz",
    options: &[FormatOption {
        name: "function",
        values: OptionKind::Texts { placeholder: "NAME" },
        help: "Write only this function; may be repeated",
        details: "--kernel selects the kernels that are compiled.",
        is_common: false,
        check: |_| Ok(()),
    }],
};

/// The options of formats that have none.
const NONE: &OptionGroup = &OptionGroup { title: "", options: &[] };

/// The contents of an output.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contents {
    /// A module.
    Module(Format),
    /// Control flow graphs.
    Graphs,
    /// Machine code of a target, and how its bytes are made.
    Code {
        /// The target.
        target: Target,
        /// The bytes of the file.
        bytes: fn(&dyn MachineCode) -> Vec<u8>,
    },
}

/// The formats that are only written. The first row of a target is its default.
const WRITTEN: [OutputFormat; 5] = [
    OutputFormat {
        name: "dot",
        extensions: &["dot", "gv"],
        title: "control flow graphs for Graphviz (output only)",
        is_text: true,
        contents: Contents::Graphs,
        options: OF_GRAPHS,
    },
    OutputFormat {
        name: "qpu",
        extensions: &["qpu"],
        title: "64-bit words of the QPUs (output only, with --target vc4)",
        is_text: false,
        contents: Contents::Code { target: Target::VC4, bytes: |code| code.bytes() },
        options: NONE,
    },
    OutputFormat {
        name: "qpuasm",
        extensions: &["qpuasm"],
        title: "the words as text for vc4asm (output only, with --target vc4)",
        is_text: true,
        contents: Contents::Code { target: Target::VC4, bytes: |code| code.assembly().into_bytes() },
        options: NONE,
    },
    OutputFormat {
        name: "cpuasm",
        extensions: &["cpuasm"],
        title: "code of this CPU as text (output only, with --target cpu)",
        is_text: true,
        contents: Contents::Code { target: Target::CPU, bytes: |code| code.assembly().into_bytes() },
        options: NONE,
    },
    OutputFormat {
        name: "cpu",
        extensions: &["cpu"],
        title: "code of this CPU as a host calls it (output only, with --target cpu)",
        is_text: false,
        contents: Contents::Code { target: Target::CPU, bytes: |code| code.bytes() },
        options: NONE,
    },
];

impl OutputFormat {
    /// Every format, with those that are only read: their writers say what to do.
    fn all() -> impl Iterator<Item = OutputFormat> {
        Format::all().map(OutputFormat::of_module).chain(WRITTEN)
    }

    /// The formats that are written.
    pub(crate) fn written() -> impl Iterator<Item = OutputFormat> {
        OutputFormat::all().filter(|format| format.module_format().is_none_or(Format::is_written))
    }

    /// The format of a module as an output.
    pub(crate) fn of_module(format: Format) -> OutputFormat {
        OutputFormat {
            name: format.name(),
            extensions: format.extensions(),
            title: format.title(),
            is_text: format.is_text(),
            contents: Contents::Module(format),
            options: format.write_options(),
        }
    }

    /// The forms of the machine code of a target, the default one first; none if the target has no code.
    pub(crate) fn of_target(target: Target) -> impl Iterator<Item = OutputFormat> {
        WRITTEN.into_iter().filter(move |format| format.code_target() == Some(target))
    }

    /// The format of its modules, if it is one of modules.
    pub(crate) fn module_format(self) -> Option<Format> {
        match self.contents {
            Contents::Module(format) => Some(format),
            Contents::Graphs | Contents::Code { .. } => None,
        }
    }

    /// The target of its machine code, if it is a form of machine code.
    pub(crate) fn code_target(self) -> Option<Target> {
        match self.contents {
            Contents::Code { target, .. } => Some(target),
            Contents::Module(_) | Contents::Graphs => None,
        }
    }

    /// Returns whether it has graphs.
    pub(crate) fn is_graph(self) -> bool {
        matches!(self.contents, Contents::Graphs)
    }

    /// Its usual extension.
    pub(crate) fn extension(self) -> &'static str {
        self.extensions[0]
    }

    /// The format for the extension of a path; `None` if there is no extension.
    pub(crate) fn from_path(path: &Path) -> Result<Option<OutputFormat>, String> {
        let Some(extension) = output::extension(path) else { return Ok(None) };
        let found = OutputFormat::all().find(|format| format.extensions.contains(&&*extension));
        let known = || OutputFormat::written().map(|format| format!(".{}", format.extension())).collect();
        found.map(Some).ok_or_else(|| output::no_format("format", &extension, known()))
    }

    /// The table of the help text.
    pub(crate) fn table() -> String {
        let row = |format: OutputFormat| {
            let OutputFormat { name, extensions, title, .. } = format;
            let direction = format.module_format().map_or("", |format| match (format.is_read(), format.is_written()) {
                (true, false) => " (input only)",
                (false, true) => " (output only)",
                _ => "",
            });
            format!("  {name:<6} .{:<7} {title}{direction}\n", extensions[0])
        };
        OutputFormat::all().map(row).collect()
    }
}

/// The parser of a format's name on the command line.
pub(crate) fn output_format_parser() -> Named<OutputFormat> {
    let find = |name: &str| OutputFormat::all().find(|format| format.name == name);
    Named::new(|| OutputFormat::written().map(|format| format.name).collect(), find)
}
