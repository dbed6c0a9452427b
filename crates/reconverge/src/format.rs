//! Formats of modules: an open table. A new format is a crate that reads and writes it, one row here, and its name in the list of all.

use std::fmt;
use std::path::Path;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, binary, text};
use reconverge_spirv::{Assembled, Merges, ReadOptions, WriteOptions, disassemble, is_assembly, is_binary};

use crate::Error;
#[cfg(feature = "dxil")]
use crate::dxil;
use crate::format_options::{OptionGroup, OptionValues};
use crate::options::Exits;
#[cfg(feature = "shading")]
use crate::shading;
use crate::structure;
#[cfg(not(feature = "dxil"))]
use crate::without::dxil;
#[cfg(not(feature = "shading"))]
use crate::without::shading;

/// A format that modules are read from and written in.
#[derive(Clone, Copy)]
pub struct Format(&'static Row);

/// The properties of a format, with its reader and writer.
pub(crate) struct Row {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// The name in messages.
    pub(crate) title: &'static str,
    /// The extensions of its files, the usual one first.
    pub(crate) extensions: &'static [&'static str],
    /// True if places in the input are lines.
    pub(crate) is_text: bool,
    /// True if functions state their stage. Otherwise the functions of a shader have to be structured.
    pub(crate) declares_stages: bool,
    /// True if it is a shading language.
    pub(crate) is_shading_language: bool,
    /// The functions that may end the invocation.
    pub(crate) exits: Exits,
    /// False if no build reads the format.
    pub(crate) is_read: bool,
    /// False if no build writes the format.
    pub(crate) is_written: bool,
    /// Returns whether the first bytes of a file are those of the format: its magic number, or the first word of a text.
    pub(crate) recognizes: fn(&[u8]) -> bool,
    pub(crate) read: fn(Source<'_>) -> Result<ReadModule, Diagnostic>,
    /// The options of `read`.
    pub(crate) reads_with: OptionGroup,
    pub(crate) write: fn(&Module, &OptionValues) -> Result<WrittenModule, Diagnostic>,
    /// The options of `write`.
    pub(crate) writes_with: OptionGroup,
    /// What `write` adds to what the module does.
    pub(crate) additions: fn(&Module, &OptionValues) -> Result<Vec<Addition>, Diagnostic>,
}

/// Something that a writer adds to what a module does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addition {
    /// The name of the function in the output.
    pub function: String,
    /// The instruction that it is about.
    pub place: Option<Inst>,
    /// What it is, in a word or two.
    pub kind: &'static str,
    /// What is added, why, and what it costs.
    pub message: String,
}

impl Row {
    /// The common fields of formats that are shaders or kernels in binary, without options.
    pub(crate) const MODULE: Row = Row {
        name: "",
        title: "",
        extensions: &[""],
        is_text: false,
        declares_stages: false,
        is_shading_language: false,
        exits: Exits::Anywhere,
        is_read: true,
        is_written: true,
        recognizes: |_| false,
        read: read_spirv,
        reads_with: OptionGroup::NONE,
        write: write_spirv,
        writes_with: OptionGroup::NONE,
        additions: |_, _| Ok(Vec::new()),
    };
}

/// The input of a reader.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Source<'a> {
    /// The contents.
    pub bytes: &'a [u8],
    /// The name of the file, for source locations; empty if there is none.
    pub file: &'a str,
    /// The treatment of merge instructions.
    pub merges: Merges,
    /// The options of the format.
    pub options: &'a OptionValues,
}

impl<'a> Source<'a> {
    /// A source without a file and options; merge instructions are kept.
    pub const fn new(bytes: &'a [u8]) -> Source<'a> {
        Source { bytes, file: "", merges: Merges::Keep, options: OptionValues::NONE }
    }

    /// Sets [`file`](Self#structfield.file).
    #[must_use]
    pub const fn file(mut self, file: &'a str) -> Self {
        self.file = file;
        self
    }

    /// Sets [`merges`](Self#structfield.merges).
    #[must_use]
    pub const fn merges(mut self, merges: Merges) -> Self {
        self.merges = merges;
        self
    }

    /// Sets [`options`](Self#structfield.options).
    #[must_use]
    pub const fn options(mut self, options: &'a OptionValues) -> Self {
        self.options = options;
        self
    }
}

/// A module that was read, with what its reader says about it.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReadModule {
    /// The module.
    pub module: Module,
    /// The assumptions of a translation.
    pub assumptions: Vec<Diagnostic>,
    /// The interface of a translated shader as JSON, for its host program (feature `json`).
    pub interface: Option<String>,
}

impl From<Module> for ReadModule {
    fn from(module: Module) -> ReadModule {
        ReadModule { module, assumptions: Vec::new(), interface: None }
    }
}

/// A module that was written, with what its writer says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WrittenModule {
    /// The contents of the file.
    pub bytes: Vec<u8>,
    /// What a text in a shading language declares for its host program, as JSON (feature `json`): the object `text` of a reflection.
    pub interface: Option<String>,
}

impl From<Vec<u8>> for WrittenModule {
    fn from(bytes: Vec<u8>) -> WrittenModule {
        WrittenModule { bytes, interface: None }
    }
}

/// The table.
impl Format {
    /// Every format. A file of unknown kind has the first format that recognizes it; the last one accepts every file.
    const ALL: &[Format] = &[
        Format::SPIRV,
        Format::ASSEMBLY,
        Format::BINARY,
        Format::DXIL,
        Format::WGSL,
        Format::GLSL,
        Format::COMPUTE,
        Format::FRAGMENT,
        Format::VERTEX,
        Format::HLSL,
        Format::MSL,
        Format::TEXT,
    ];

    /// Binary SPIR-V 1.0 to 1.6: `.spv`.
    pub const SPIRV: Format = Format(&Row {
        name: "spirv",
        title: "SPIR-V",
        extensions: &["spv"],
        recognizes: is_binary,
        read: read_spirv,
        write: write_spirv,
        ..Row::MODULE
    });

    /// SPIR-V assembly, as `spirv-as` reads it: `.spvasm`.
    pub const ASSEMBLY: Format = Format(&Row {
        name: "asm",
        title: "SPIR-V assembly",
        extensions: &["spvasm"],
        is_text: true,
        recognizes: |bytes| std::str::from_utf8(bytes).is_ok_and(is_assembly),
        read: read_assembly,
        write: write_assembly,
        ..Row::MODULE
    });

    /// The binary form of the IR: `.rcv`.
    pub const BINARY: Format = Format(&Row {
        name: "binary",
        title: "the binary form of the IR",
        extensions: &["rcv"],
        declares_stages: true,
        recognizes: binary::is_binary,
        read: read_binary,
        write: |module, _| Ok(binary::write(module).into()),
        ..Row::MODULE
    });

    /// The text form of the IR: `.ir`.
    pub const TEXT: Format = Format(&Row {
        name: "text",
        title: "the text form of the IR",
        extensions: &["ir"],
        is_text: true,
        declares_stages: true,
        recognizes: |_| true,
        read: read_text,
        write: |module, _| Ok(text::print_file(module).into_bytes().into()),
        ..Row::MODULE
    });
}

/// Direct3D's shaders, of the crate `reconverge-dxil`. Without the feature `dxil` they are recognized and refused.
impl Format {
    /// Containers and bitcode of DXIL: `.dxil` or `.cso`. Options place the resources; without them they get the default places of
    /// [`Bindings`](crate::dxil::Bindings).
    pub const DXIL: Format = Format(&Row { name: "dxil", title: "DXIL", extensions: &["dxil", "cso"], ..dxil::ROW });
}

/// Shading languages, of the crate `reconverge-shading`. Without the feature `shading` they are refused.
impl Format {
    /// The WebGPU Shading Language: `.wgsl`.
    pub const WGSL: Format = Format(&Row { name: "wgsl", title: "WGSL", extensions: &["wgsl"], ..shading::WGSL });

    /// WGSL without checks of indices, for output as WGSL.
    #[cfg(feature = "shading")]
    const WGSL_FOR_WGSL: Format = Format(&Row { read: shading::read_for_wgsl, ..*Format::WGSL.0 });

    /// The OpenGL Shading Language: `.glsl`. It is only written; front ends compile it.
    pub const GLSL: Format = Format(&Row { name: "glsl", title: "GLSL", extensions: &["glsl"], ..shading::GLSL });

    /// A compute shader in GLSL: `.comp`.
    pub const COMPUTE: Format =
        Format(&Row { name: "comp", title: "a compute shader in GLSL", extensions: &["comp"], ..shading::COMPUTE });

    /// A fragment shader in GLSL: `.frag`.
    pub const FRAGMENT: Format =
        Format(&Row { name: "frag", title: "a fragment shader in GLSL", extensions: &["frag"], ..shading::FRAGMENT });

    /// A vertex shader in GLSL: `.vert`.
    pub const VERTEX: Format =
        Format(&Row { name: "vert", title: "a vertex shader in GLSL", extensions: &["vert"], ..shading::VERTEX });

    /// The High-Level Shader Language: `.hlsl`.
    pub const HLSL: Format = Format(&Row { name: "hlsl", title: "HLSL", extensions: &["hlsl"], ..shading::HLSL });

    /// The Metal Shading Language: `.metal` or `.msl`.
    pub const MSL: Format = Format(&Row { name: "msl", title: "MSL", extensions: &["metal", "msl"], ..shading::MSL });
}

impl Format {
    /// Every format.
    pub fn all() -> impl Iterator<Item = Format> {
        Format::ALL.iter().copied()
    }

    /// Returns whether it is a shading language. Such a language has no jumps, and requires the exits of
    /// [`Policy::Wgsl`](reconverge_structurize::Policy::Wgsl).
    pub fn is_shading_language(self) -> bool {
        self.0.is_shading_language
    }

    /// The functions that may end the invocation.
    pub(crate) fn exits(self) -> Exits {
        self.0.exits
    }

    /// Returns whether modules are read from it. What is not read is the text of a language that front ends compile.
    pub const fn is_read(self) -> bool {
        self.0.is_read
    }

    /// Returns whether modules are written in it.
    pub const fn is_written(self) -> bool {
        self.0.is_written
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The name in messages.
    pub const fn title(self) -> &'static str {
        self.0.title
    }

    /// The extensions of its files, the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        self.0.extensions
    }

    /// The usual extension of its files.
    pub const fn extension(self) -> &'static str {
        self.0.extensions[0]
    }

    /// Returns whether places in the input are lines.
    pub const fn is_text(self) -> bool {
        self.0.is_text
    }

    /// Returns whether functions state their stage. Otherwise the functions of a shader have to be structured.
    pub const fn declares_stages(self) -> bool {
        self.0.declares_stages
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::all().find(|format| format.name() == name)
    }

    /// The format of a file's extension, in small or capital letters.
    pub fn from_path(path: &Path) -> Option<Format> {
        let extension = &*path.extension()?.to_str()?.to_ascii_lowercase();
        Format::all().find(|format| format.0.extensions.contains(&extension))
    }

    /// The format of a file with these first bytes: binary SPIR-V begins with a magic number (specification, section 2.3), and so does the
    /// binary form of the IR; assembly begins with an instruction of SPIR-V; all other files have the text form.
    pub fn from_bytes(bytes: &[u8]) -> Format {
        Format::all().find(|format| (format.0.recognizes)(bytes)).unwrap_or(Format::TEXT)
    }

    /// The variant of an input format for an output in `output`. They differ only for WGSL that becomes WGSL again: an index out of range
    /// is defined there, and clamped for every other output. Constant time.
    #[must_use]
    pub fn for_output(self, output: Format) -> Format {
        #[cfg(feature = "shading")]
        if self == Format::WGSL && output == Format::WGSL {
            return Format::WGSL_FOR_WGSL;
        }
        let _ = output;
        self
    }

    /// The options for reading the format.
    pub const fn read_options(self) -> &'static OptionGroup {
        &self.0.reads_with
    }

    /// The options for writing the format.
    pub const fn write_options(self) -> &'static OptionGroup {
        &self.0.writes_with
    }

    /// Reads a module.
    ///
    /// # Errors
    /// [`Error::Read`], with the place; [`Error::ForeignOption`] for an option that the format does not have.
    pub(crate) fn read(self, source: Source<'_>) -> Result<ReadModule, Error> {
        self.require_own(source.options, self.read_options())?;
        (self.0.read)(source).map_err(Error::Read)
    }

    /// Writes a module.
    ///
    /// # Errors
    /// [`Error::Write`] if the format cannot express it.
    pub(crate) fn write(self, module: &Module, options: &OptionValues) -> Result<WrittenModule, Error> {
        (self.0.write)(module, options).map_err(Error::Write)
    }

    /// What writing a module adds to what it does.
    ///
    /// # Errors
    /// [`Error::Write`] if the format cannot express it.
    pub(crate) fn additions(self, module: &Module, options: &OptionValues) -> Result<Vec<Addition>, Error> {
        (self.0.additions)(module, options).map_err(Error::Write)
    }

    /// Checks that all options are of a group of the format.
    ///
    /// # Errors
    /// [`Error::ForeignOption`] for the first that is not.
    pub(crate) fn require_own(self, options: &OptionValues, group: &OptionGroup) -> Result<(), Error> {
        match options.foreign(group) {
            Some(option) => Err(Error::ForeignOption { option, format: self.title() }),
            None => Ok(()),
        }
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

fn read_spirv(source: Source<'_>) -> Result<ReadModule, Diagnostic> {
    reconverge_spirv::read(source.bytes, &ReadOptions { merges: source.merges }).map(ReadModule::from)
}

fn write_spirv(module: &Module, _: &OptionValues) -> Result<WrittenModule, Diagnostic> {
    Ok(reconverge_spirv::write(module, &WriteOptions::default())?.into())
}

fn read_assembly(source: Source<'_>) -> Result<ReadModule, Diagnostic> {
    let text = String::from_utf8_lossy(source.bytes);
    let assembled = Assembled::of(&text)?;
    let bytes: Vec<u8> = assembled.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let read = reconverge_spirv::read(&bytes, &ReadOptions { merges: source.merges });
    read.map(ReadModule::from).map_err(|error| assembled.placed(error))
}

fn write_assembly(module: &Module, options: &OptionValues) -> Result<WrittenModule, Diagnostic> {
    let text = disassemble(&write_spirv(module, options)?.bytes).map_err(Error::internal)?;
    Ok(text.into_bytes().into())
}

fn read_text(source: Source<'_>) -> Result<ReadModule, Diagnostic> {
    Ok(with_merges(text::parse(&String::from_utf8_lossy(source.bytes))?, source.merges).into())
}

fn read_binary(source: Source<'_>) -> Result<ReadModule, Diagnostic> {
    Ok(with_merges(binary::read(source.bytes)?, source.merges).into())
}

/// The module with or without its structure.
pub(crate) fn with_merges(mut module: Module, merges: Merges) -> Module {
    if merges == Merges::Strip {
        structure::strip(&mut module);
    }
    module
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_and_an_extension_of_its_own() {
        for format in Format::all() {
            assert_eq!(Format::from_name(format.name()), Some(format));
            for extension in format.0.extensions {
                for extension in [extension.to_string(), extension.to_uppercase()] {
                    assert_eq!(Format::from_path(Path::new("a").with_extension(extension).as_path()), Some(format));
                }
            }
        }
        assert_eq!(Format::from_name("dxbc"), None);
        assert_eq!(Format::from_path(Path::new("a.dxbc")), None);
    }

    #[test]
    fn what_a_format_writes_it_recognizes_and_reads() {
        let text = "capability Shader\nmemory_model Logical, GLSL450\n";
        let module = Format::TEXT.read(Source::new(text.as_bytes())).expect("the text is a module").module;
        for format in [Format::SPIRV, Format::ASSEMBLY, Format::BINARY, Format::TEXT] {
            let bytes = format.write(&module, OptionValues::NONE).expect("every format has room for the module").bytes;
            assert_eq!(Format::from_bytes(&bytes), format);
            assert!(format.read(Source::new(&bytes)).is_ok(), "{format:?}");
        }
    }

    #[test]
    fn a_format_that_is_not_read_or_not_written_refuses_all() {
        for format in Format::all() {
            let reads = format.read(Source::new(b"")).map_err(|error| error.message());
            assert_eq!(reads.is_err_and(|said| said.contains("and not read")), !format.is_read(), "{format:?}");
            let writes = format.write(&Module::new(), OptionValues::NONE).map_err(|error| error.message());
            assert_eq!(writes.is_err_and(|said| said.contains("and not written")), !format.is_written(), "{format:?}");
        }
    }
}
