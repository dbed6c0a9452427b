//! Files of the wrong kind: what a file is that is not a module, and which command converts it to one.
//!
//! A module is not rejected for its looks: it is looked at only after it could not be read. Bytes where text is expected are refused before a reader or
//! a front end sees them.

use std::path::Path;

use reconverge::Format;
use reconverge_front_ends::{Language, SourceKind};
use reconverge_spirv::is_assembly;

/// The kind of a file, which selects its reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileKind {
    /// A module in this format.
    Module(Format),
    /// Something else.
    Other {
        /// With its article: `OpenCL C source`, `an ELF file`.
        name: &'static str,
        /// The suggestion.
        help: &'static str,
    },
}

impl FileKind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            FileKind::Module(format) => format.title(),
            FileKind::Other { name, .. } => name,
        }
    }

    pub(crate) fn help(self) -> String {
        match self {
            FileKind::Module(format) => format!("name it .{}, or give --from {}", format.extension(), format.name()),
            FileKind::Other { help, .. } => help.to_owned(),
        }
    }
}

const BITCODE: &str = "make SPIR-V of it first: llc-22 -mtriple=spirv64 -filetype=obj IN -o OUT.spv, or compile the source with clang and --target=spirv64";

const INPUTS: &str = "give a module or a source; `reconverge help formats` lists what is read";

/// Kinds by their first bytes.
const MAGIC: [(&[u8], FileKind); 12] = [
    (b"BC\xc0\xde", FileKind::Other { name: "LLVM bitcode", help: BITCODE }),
    (b"\xde\xc0\x17\x0b", FileKind::Other { name: "LLVM bitcode in a wrapper", help: BITCODE }),
    (b"DXBC", FileKind::Module(Format::DXIL)),
    (
        b"\x7fELF",
        FileKind::Other {
            name: "an ELF file",
            help: "give the source, or the SPIR-V module that clang writes with --target=spirv64 -c",
        },
    ),
    (b"MZ", FileKind::Other { name: "a Windows program", help: INPUTS }),
    (b"MTLB", FileKind::Other { name: "a Metal library", help: "Metal libraries are not supported; give SPIR-V" }),
    (b"\x1f\x8b", FileKind::Other { name: "a gzip file", help: "unpack it first: gunzip" }),
    (b"PK\x03\x04", FileKind::Other { name: "a zip file", help: "unpack it first: unzip" }),
    (b"\x28\xb5\x2f\xfd", FileKind::Other { name: "a zstd file", help: "unpack it first: unzstd" }),
    (b"\x89PNG", FileKind::Other { name: "a PNG image", help: INPUTS }),
    (
        b"!<arch>",
        FileKind::Other {
            name: "an archive of object files",
            help: "give the SPIR-V module; `ar x` unpacks the archive",
        },
    ),
    (b"%PDF", FileKind::Other { name: "a PDF document", help: INPUTS }),
];

const OPENCL: FileKind = FileKind::Other {
    name: "OpenCL C source",
    help: "`reconverge compile` and `run` read it: name it .cl, or give --from opencl",
};
const GLSL: FileKind = FileKind::Other {
    name: "GLSL source",
    help: "`reconverge compile` reads it: name it .comp, .frag or as its stage is, or give --from glsl and --stage",
};
const HLSL: FileKind = FileKind::Other {
    name: "HLSL source",
    help: "`reconverge compile` reads it: name it .hlsl, or give --from hlsl, and --stage",
};
const SLANG: FileKind = FileKind::Other {
    name: "Slang source",
    help: "`reconverge compile` reads it: name it .slang, or give --from slang",
};
const WGSL: FileKind = FileKind::Module(Format::WGSL);
const LLVM_TEXT: FileKind = FileKind::Other { name: "LLVM IR in text form", help: BITCODE };
/// Text that no reader knows.
pub(crate) const TEXT: FileKind = FileKind::Other {
    name: "text, not a module",
    help: "give a module (.spv, .spvasm, .ir, .rcv, .dxil, .wgsl) or a source (.cl, .comp, .frag, .hlsl, .slang); for others, --from names the language",
};
pub(crate) const GRAPH: FileKind =
    FileKind::Other { name: "a control flow graph", help: "`reconverge graph` reads graphs" };
pub(crate) const JSON: FileKind = FileKind::Other {
    name: "JSON",
    help: "`reconverge graph` reads graphs as JSON; `reconverge run --launch` reads launches",
};

/// The kind of this file, if it is known.
pub(crate) fn kind_of(name: &Path, bytes: &[u8]) -> Option<FileKind> {
    kind_of_bytes(bytes).or_else(|| text_of(bytes).and_then(|text| kind_of_text(name, text)))
}

/// The kind that the first bytes say.
fn kind_of_bytes(bytes: &[u8]) -> Option<FileKind> {
    let by_magic = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|&(_, kind)| kind);
    let binary = Some(Format::from_bytes(bytes)).filter(|&format| !format.is_text());
    // Bitcode may be that of DXIL.
    binary.map(FileKind::Module).or(by_magic)
}

const UTF_16: FileKind = FileKind::Other { name: "text in UTF-16", help: "save it as UTF-8" };
const DATA: FileKind = FileKind::Other { name: "binary data", help: INPUTS };

/// The kind of these bytes if they are not text. Text in an old encoding, which compilers accept in comments, is text.
pub(crate) fn not_text(bytes: &[u8]) -> Option<FileKind> {
    if text_of(bytes).is_some() {
        return None;
    }
    let marks: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
    let is_marked = marks.iter().any(|mark| bytes.starts_with(mark));
    let known = || kind_of_bytes(bytes).or(is_marked.then_some(UTF_16));
    known().or_else(|| is_data(bytes).then_some(DATA))
}

/// Returns whether the first bytes have more control characters than a text with an error has.
fn is_data(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(1024)];
    let controls = start.iter().filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()).count();
    bytes.contains(&0) && controls * 16 > start.len()
}

/// The contents of a file as text: none for bytes that no text has.
pub(crate) fn text_of(bytes: &[u8]) -> Option<&str> {
    let is_readable = |letter: char| !letter.is_control() || letter.is_whitespace();
    std::str::from_utf8(bytes).ok().filter(|text| text.chars().all(is_readable))
}

fn kind_of_text(name: &Path, text: &str) -> Option<FileKind> {
    if let Some(kind) = name.extension().and_then(|extension| kind_of_extension(extension.to_str()?)) {
        return Some(kind);
    }
    if is_assembly(text) {
        return Some(FileKind::Module(Format::ASSEMBLY));
    }
    let code = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let first = code().next()?;
    let has_word = |words: &[&str]| {
        let mut all = code().flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
        all.any(|word| words.contains(&word))
    };
    let starts = |prefixes: &[&str]| code().any(|line| prefixes.iter().any(|prefix| line.starts_with(prefix)));
    // A graph has one block a line, which begins with its name; prose has not.
    let is_block = |line: &str| matches!(line.split_whitespace().nth(1), Some("condbr" | "br" | "ret" | "switch"));
    match first {
        _ if first.starts_with("#version") => Some(GLSL),
        _ if is_prose(first) => Some(TEXT),
        _ if first.starts_with("; ModuleID")
            || starts(&["target triple =", "target datalayout =", "define ", "source_filename ="]) =>
        {
            Some(LLVM_TEXT)
        }
        _ if starts(&["@compute", "@vertex", "@fragment", "@group("]) => Some(WGSL),
        _ if starts(&["[numthreads(", "cbuffer ", "RWStructuredBuffer<", "StructuredBuffer<"]) => Some(HLSL),
        _ if has_word(&["__kernel", "get_global_id", "__global"]) => Some(OPENCL),
        _ if starts(&["kernel void"]) => Some(OPENCL),
        _ if is_block(first) => Some(GRAPH),
        _ if code().take(FIRST_LINES).any(is_statement) => Some(FileKind::Module(Format::TEXT)),
        _ if first.starts_with('{') => Some(JSON),
        _ => Some(TEXT),
    }
}

/// The number of lines at the start of a text of the IR of which one has no error.
const FIRST_LINES: usize = 8;

/// Returns whether a line is a statement of the text form of the IR.
fn is_statement(line: &str) -> bool {
    let first = line.split([' ', ':', '(']).next().unwrap_or_default();
    let is_definition = first.starts_with('%') && line.contains(" = ") || line.starts_with("func %");
    let heads = ["capability", "memory_model", "entry_point", "execution_mode", "spirv_header", "extension", "version"];
    is_definition || heads.contains(&first) || line.starts_with("block ^") || line.starts_with("edge ^")
}

/// Returns whether the first line is a heading or markup.
fn is_prose(line: &str) -> bool {
    line.starts_with("# ") || line.starts_with('<') || line.starts_with("---")
}

fn kind_of_extension(extension: &str) -> Option<FileKind> {
    let source = SourceKind::from_path(Path::new("a").with_extension(extension).as_path());
    if let Some(SourceKind { language, .. }) = source {
        return Some(match () {
            () if language == Language::GLSL => GLSL,
            () if language == Language::HLSL => HLSL,
            () if language == Language::SLANG => SLANG,
            () => OPENCL,
        });
    }
    match &*extension.to_ascii_lowercase() {
        "fx" => Some(HLSL),
        "wgsl" => Some(WGSL),
        "ll" => Some(LLVM_TEXT),
        "cfg" => Some(GRAPH),
        "json" => Some(JSON),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, bytes: &[u8]) -> Option<&'static str> {
        kind_of(Path::new(name), bytes).map(FileKind::name)
    }

    #[test]
    fn a_file_is_known_by_its_bytes_whatever_its_name_says() {
        assert_eq!(named("a.spv", b"BC\xc0\xde1234"), Some("LLVM bitcode"));
        assert_eq!(named("a.spv", b"DXBC1234"), Some("DXIL"));
        assert_eq!(named("a.spv", b"\x7fELF"), Some("an ELF file"));
        assert_eq!(named("a.ir", &[3, 2, 0x23, 7]), Some("SPIR-V"));
        assert_eq!(named("a.ir", b"\x89RCV\x01"), Some("the binary form of the IR"));
        assert_eq!(named("a.spv", b"; SPIR-V\n       OpCapability Shader\n"), Some("SPIR-V assembly"));
        assert_eq!(named("a.spv", b"%1 = OpTypeVoid\n"), Some("SPIR-V assembly"));
    }

    #[test]
    fn bytes_are_not_text_and_text_in_any_encoding_of_bytes_is() {
        let other = |bytes: &[u8]| not_text(bytes).map(FileKind::name);
        assert_eq!(other(&[3, 2, 0x23, 7, 0, 0, 1, 0]), Some("SPIR-V"));
        assert_eq!(other(b"\x89PNG\r\n\x1a\n\0"), Some("a PNG image"));
        assert_eq!(other(b"\x01\x02\0\x03"), Some("binary data"));
        assert_eq!(other(b"\xff\xfek\0e\0r\0"), Some("text in UTF-16"));
        assert_eq!(other(b"OpName %x \"a long name with\0a character that is an error\"\n"), None);
        assert_eq!(other(b"MZ x; // a type of that name\n"), None);
        assert_eq!(other(b"// gr\xfc\xdfe\nkernel void f() {}\n"), None);
        assert_eq!(other(b"// \x1b[31mred\x1b[0m\n"), None);
    }

    #[test]
    fn prose_is_text_whatever_it_mentions() {
        let readme =
            b"# Title\n\nA kernel calls get_global_id(0); `a condbr b c` is a graph.\n\nfunc %main is a function.\n";
        assert_eq!(named("README.md", readme), Some("text, not a module"));
        assert_eq!(named("-", b"hello\n"), Some("text, not a module"));
        let own = include_bytes!("../../../README.md");
        assert_eq!(named("README.md", own), Some("text, not a module"));
    }

    #[test]
    fn source_is_known_by_its_first_words() {
        assert_eq!(named("a.ir", b"// a shader\n#version 450\nvoid main() {}\n"), Some("GLSL source"));
        assert_eq!(named("-", b"__kernel void f(__global int *p) { }\n"), Some("OpenCL C source"));
        assert_eq!(
            named("-", b"/* a */ kernel void f(global int *p) { p[get_global_id(0)] = 1; }\n"),
            Some("OpenCL C source")
        );
        assert_eq!(named("-", b"; ModuleID = 'a'\n"), Some("LLVM IR in text form"));
        assert_eq!(named("-", b"@compute @workgroup_size(1)\nfn main() {}\n"), Some("WGSL"));
        assert_eq!(named("-", b"[numthreads(1,1,1)]\nvoid main() {}\n"), Some("HLSL source"));
        assert_eq!(named("a.cl", b"anything"), Some("OpenCL C source"));
        assert_eq!(named("-", b"a condbr b c\nb ret\nc ret\n"), Some("a control flow graph"));
        assert_eq!(named("-", b"; a comment\ncapabilty Shader\n%void = type_void\n"), Some("the text form of the IR"));
        assert_eq!(named("-", b"\xff\xfe\x00"), None);
    }
}
