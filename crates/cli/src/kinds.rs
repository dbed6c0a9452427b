//! Files of the wrong kind: what a file is that is not a module, and which command converts it to one.
//!
//! Used only for an input that could not be read: no module is rejected for its looks.

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
    (b"MZ", FileKind::Other { name: "a Windows program", help: "give the SPIR-V module" }),
    (b"MTLB", FileKind::Other { name: "a Metal library", help: "Metal libraries are not supported; give SPIR-V" }),
    (b"\x1f\x8b", FileKind::Other { name: "a gzip file", help: "unpack it first: gunzip" }),
    (b"PK\x03\x04", FileKind::Other { name: "a zip file", help: "unpack it first: unzip" }),
    (b"\x28\xb5\x2f\xfd", FileKind::Other { name: "a zstd file", help: "unpack it first: unzstd" }),
    (b"\x89PNG", FileKind::Other { name: "a PNG image", help: "give a SPIR-V module" }),
    (
        b"!<arch>",
        FileKind::Other {
            name: "an archive of object files",
            help: "give the SPIR-V module; `ar x` unpacks the archive",
        },
    ),
    (b"%PDF", FileKind::Other { name: "a PDF document", help: "give a SPIR-V module" }),
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
pub(crate) const GRAPH: FileKind =
    FileKind::Other { name: "a control flow graph", help: "`reconverge graph` reads graphs" };
pub(crate) const JSON: FileKind = FileKind::Other {
    name: "JSON",
    help: "`reconverge graph` reads graphs as JSON; `reconverge run --launch` reads launches",
};

/// The kind of this file, if it is known.
pub(crate) fn kind_of(name: &Path, bytes: &[u8]) -> Option<FileKind> {
    let by_magic = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|&(_, kind)| kind);
    let binary = Some(Format::from_bytes(bytes)).filter(|&format| !format.is_text());
    // Bitcode may be that of DXIL.
    binary
        .map(FileKind::Module)
        .or(by_magic)
        .or_else(|| std::str::from_utf8(bytes).ok().and_then(|text| kind_of_text(name, text)))
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
    match first {
        _ if first.starts_with("#version") => Some(GLSL),
        _ if first.starts_with("; ModuleID")
            || starts(&["target triple =", "target datalayout =", "define ", "source_filename ="]) =>
        {
            Some(LLVM_TEXT)
        }
        _ if starts(&["@compute", "@vertex", "@fragment", "@group("]) => Some(WGSL),
        _ if starts(&["[numthreads(", "cbuffer ", "RWStructuredBuffer<", "StructuredBuffer<"]) => Some(HLSL),
        _ if has_word(&["__kernel", "get_global_id", "__global"]) => Some(OPENCL),
        _ if starts(&["kernel void"]) => Some(OPENCL),
        _ if has_word(&["condbr"]) => Some(GRAPH),
        _ if starts(&["func ", "entry_point ", "spirv_header "]) => Some(FileKind::Module(Format::TEXT)),
        _ if first.starts_with('{') => Some(JSON),
        _ => None,
    }
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
    match extension {
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
        assert_eq!(named("-", b"hello\n"), None);
        assert_eq!(named("-", b"\xff\xfe\x00"), None);
    }
}
