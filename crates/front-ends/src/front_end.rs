//! The table of front ends. A front end is a row here, and a file in `arguments/`.

use std::fmt;

use crate::arguments::{self, Job, Step};
use crate::{Setting, Version};

/// A compiler of source text.
#[derive(Clone, Copy)]
pub struct FrontEnd(&'static Row);

pub(crate) struct Row {
    /// The name in messages.
    pub(crate) name: &'static str,
    /// The environment variable that names the program.
    pub(crate) variable: &'static str,
    /// The names of the program, in the order in which they are tried.
    pub(crate) programs: &'static [Program],
    /// The argument with which the program prints its version.
    pub(crate) version_argument: &'static str,
    /// The words before the version in the answer.
    pub(crate) version_follows: &'static str,
    /// The oldest version that is used unless the user names it.
    pub(crate) oldest: Version,
    /// The settings that it has.
    pub(crate) settings: &'static [Setting],
    /// The command lines of a compilation.
    pub(crate) steps: fn(&Job<'_>) -> Vec<Step>,
    /// The notice that it prints when it crashes, if it prints one.
    pub(crate) crash_notice: Option<&'static str>,
    /// True if it can write DXIL, besides SPIR-V.
    pub(crate) writes_dxil: bool,
    /// Instructions to install it.
    pub(crate) install: &'static str,
}

/// Names of a program.
#[derive(Clone, Copy)]
pub(crate) enum Program {
    /// `NAME-N` for this number and all higher ones.
    Numbered(&'static str, u32),
    /// The name alone.
    Plain(&'static str),
}

impl Program {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Program::Numbered(name, _) | Program::Plain(name) => name,
        }
    }
}

impl FrontEnd {
    /// clang, for OpenCL. What has to be translated from bitcode is translated by llvm-spirv (`find.rs`).
    pub const CLANG: FrontEnd = FrontEnd(&Row {
        name: "clang",
        variable: "CLANG",
        programs: &[Program::Numbered("clang", 22), Program::Plain("clang")],
        version_argument: "--version",
        version_follows: "version ",
        oldest: Version::new(22, 0, 0),
        settings: &[
            Setting::Define,
            Setting::IncludeFolder,
            Setting::IncludeFile,
            Setting::Standard,
            Setting::Dependencies,
        ],
        steps: arguments::clang::steps,
        crash_notice: Some("PLEASE submit a bug report"),
        writes_dxil: false,
        install: "`apt-get install clang-22` (Debian or Ubuntu, from apt.llvm.org), or a release of LLVM 22 or newer",
    });

    /// glslang, the reference compiler of GLSL.
    pub const GLSLANG: FrontEnd = FrontEnd(&Row {
        name: "glslang",
        variable: "GLSLANG",
        programs: &[Program::Plain("glslangValidator"), Program::Plain("glslang")],
        version_argument: "--version",
        version_follows: "Glslang Version:",
        oldest: Version::new(11, 0, 0),
        settings: &[Setting::Define, Setting::IncludeFolder, Setting::Standard, Setting::Stage, Setting::Dependencies],
        steps: arguments::glslang::steps,
        crash_notice: None,
        writes_dxil: false,
        install: "`apt-get install glslang-tools`",
    });

    /// glslc, the compiler of shaderc.
    pub const GLSLC: FrontEnd = FrontEnd(&Row {
        name: "glslc",
        variable: "GLSLC",
        programs: &[Program::Plain("glslc")],
        version_argument: "--version",
        version_follows: "shaderc ",
        oldest: Version::new(2019, 0, 0),
        settings: &[Setting::Define, Setting::IncludeFolder, Setting::Standard, Setting::Stage, Setting::Dependencies],
        steps: arguments::glslc::steps,
        crash_notice: None,
        writes_dxil: false,
        install: "`apt-get install glslc`",
    });

    /// dxc, the DirectX shader compiler.
    pub const DXC: FrontEnd = FrontEnd(&Row {
        name: "dxc",
        variable: "DXC",
        programs: &[Program::Plain("dxc")],
        version_argument: "--version",
        version_follows: "",
        oldest: Version::new(1, 6, 0),
        settings: &[
            Setting::Define,
            Setting::IncludeFolder,
            Setting::Standard,
            Setting::Stage,
            Setting::Entry,
            Setting::Dependencies,
        ],
        steps: arguments::dxc::steps,
        crash_notice: None,
        writes_dxil: true,
        install: "unpack a release of https://github.com/microsoft/DirectXShaderCompiler, and put its `dxc` on PATH",
    });

    /// slangc, the compiler of Slang.
    pub const SLANGC: FrontEnd = FrontEnd(&Row {
        name: "slangc",
        variable: "SLANGC",
        programs: &[Program::Plain("slangc")],
        version_argument: "-v",
        version_follows: "",
        oldest: Version::new(2024, 1, 0),
        settings: &[
            Setting::Define,
            Setting::IncludeFolder,
            Setting::Standard,
            Setting::Stage,
            Setting::Entry,
            Setting::Dependencies,
        ],
        steps: arguments::slangc::steps,
        crash_notice: None,
        writes_dxil: false,
        install: "unpack a release of https://github.com/shader-slang/slang, and put its `slangc` on PATH",
    });

    pub(crate) const fn row(self) -> &'static Row {
        self.0
    }

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The environment variable that names the program.
    pub const fn variable(self) -> &'static str {
        self.0.variable
    }

    /// Returns whether it has a setting.
    pub fn takes(self, setting: Setting) -> bool {
        self.0.settings.contains(&setting)
    }

    /// Instructions to install it.
    pub const fn install(self) -> &'static str {
        self.0.install
    }
}

impl PartialEq for FrontEnd {
    fn eq(&self, other: &FrontEnd) -> bool {
        self.name() == other.name()
    }
}

impl Eq for FrontEnd {}

impl fmt::Debug for FrontEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
