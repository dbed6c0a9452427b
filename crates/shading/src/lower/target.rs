//! The language that is written, in a version.

use reconverge_diagnostic::Diagnostic;

use crate::syntax::Scalar;
use crate::write::{Language, TextOptions, WriteCode, of_module};

/// A language in a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Glsl(Glsl),
    Hlsl(Hlsl),
    Msl(Msl),
    /// WGSL, which has no versions.
    Wgsl,
}

/// A version of MSL.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Msl {
    pub(crate) major: u8,
    pub(crate) minor: u8,
}

const MSL: [(u8, u8); 8] = [(2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (3, 0), (3, 1), (3, 2)];

/// The environment of a text in GLSL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GlslFlavor {
    /// Vulkan: descriptor sets, separate samplers, push constants.
    Vulkan,
    /// OpenGL.
    Desktop,
    /// OpenGL ES.
    Embedded,
}

/// A version of GLSL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Glsl {
    pub(crate) flavor: GlslFlavor,
    /// The number behind `#version`.
    pub(crate) number: u16,
}

/// A shader model of HLSL.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Hlsl {
    pub(crate) major: u8,
    pub(crate) minor: u8,
}

const HLSL: [(&str, Hlsl); 11] = [
    ("5.0", Hlsl { major: 5, minor: 0 }),
    ("5.1", Hlsl { major: 5, minor: 1 }),
    ("6.0", Hlsl { major: 6, minor: 0 }),
    ("6.1", Hlsl { major: 6, minor: 1 }),
    ("6.2", Hlsl { major: 6, minor: 2 }),
    ("6.3", Hlsl { major: 6, minor: 3 }),
    ("6.4", Hlsl { major: 6, minor: 4 }),
    ("6.5", Hlsl { major: 6, minor: 5 }),
    ("6.6", Hlsl { major: 6, minor: 6 }),
    ("6.7", Hlsl { major: 6, minor: 7 }),
    ("6.8", Hlsl { major: 6, minor: 8 }),
];

const GLSL: [(&str, GlslFlavor, u16); 15] = [
    ("vulkan 450", GlslFlavor::Vulkan, 450),
    ("vulkan 460", GlslFlavor::Vulkan, 460),
    ("core 330", GlslFlavor::Desktop, 330),
    ("core 400", GlslFlavor::Desktop, 400),
    ("core 410", GlslFlavor::Desktop, 410),
    ("core 420", GlslFlavor::Desktop, 420),
    ("core 430", GlslFlavor::Desktop, 430),
    ("core 440", GlslFlavor::Desktop, 440),
    ("core 450", GlslFlavor::Desktop, 450),
    ("core 460", GlslFlavor::Desktop, 460),
    ("es 300", GlslFlavor::Embedded, 300),
    ("es 310", GlslFlavor::Embedded, 310),
    ("es 320", GlslFlavor::Embedded, 320),
    // A number alone is a version for Vulkan.
    ("450", GlslFlavor::Vulkan, 450),
    ("460", GlslFlavor::Vulkan, 460),
];

impl Target {
    /// The language and version that the options select.
    ///
    /// # Errors
    /// There is no such version.
    pub(crate) fn of(options: &TextOptions) -> Result<Target, Diagnostic> {
        match options.language {
            Language::Glsl => glsl_of(options).map(Target::Glsl),
            Language::Hlsl => hlsl_of(options).map(Target::Hlsl),
            Language::Msl => Msl::of(options).map(Target::Msl),
            Language::Wgsl => wgsl_of(options),
        }
    }

    /// The version of GLSL.
    pub(crate) fn glsl(self) -> Glsl {
        match self {
            Target::Glsl(glsl) => Some(glsl),
            _ => None,
        }
        .expect("invariant: only the code of GLSL asks for its version")
    }

    /// The shader model of HLSL.
    pub(crate) fn hlsl(self) -> Hlsl {
        match self {
            Target::Hlsl(hlsl) => Some(hlsl),
            _ => None,
        }
        .expect("invariant: only the code of HLSL asks for its version")
    }

    /// The version of MSL.
    pub(crate) fn msl(self) -> Msl {
        match self {
            Target::Msl(msl) => Some(msl),
            _ => None,
        }
        .expect("invariant: only the code of MSL asks for its version")
    }

    /// The version that has numbers of a type, as a part of a message, if another one than this has them.
    pub(crate) fn since(self, scalar: Scalar) -> Option<&'static str> {
        match (self, scalar.width) {
            (Target::Hlsl(_), 16) => Some("; 6.2 has them"),
            (Target::Hlsl(_), 64) => Some("; 6.0 has them"),
            _ => None,
        }
    }

    /// The version as the option names it; empty for WGSL, which has none.
    pub(crate) fn version(self) -> String {
        match self {
            Target::Glsl(glsl) => {
                let flavor = match glsl.flavor {
                    GlslFlavor::Vulkan => "vulkan",
                    GlslFlavor::Desktop => "core",
                    GlslFlavor::Embedded => "es",
                };
                format!("{flavor} {}", glsl.number)
            }
            Target::Hlsl(Hlsl { major, minor }) | Target::Msl(Msl { major, minor }) => format!("{major}.{minor}"),
            Target::Wgsl => String::new(),
        }
    }

    /// The language.
    pub(crate) fn language(self) -> Language {
        match self {
            Target::Glsl(_) => Language::Glsl,
            Target::Hlsl(_) => Language::Hlsl,
            Target::Msl(_) => Language::Msl,
            Target::Wgsl => Language::Wgsl,
        }
    }
}

fn glsl_of(options: &TextOptions) -> Result<Glsl, Diagnostic> {
    let asked = options.version.as_deref().unwrap_or("vulkan 450");
    match GLSL.iter().find(|(name, ..)| *name == asked) {
        Some(&(_, flavor, number)) => Ok(Glsl { flavor, number }),
        None => {
            let known: Vec<&str> = GLSL.iter().map(|(name, ..)| *name).filter(|name| name.contains(' ')).collect();
            Err(no_version(options, &known))
        }
    }
}

fn wgsl_of(options: &TextOptions) -> Result<Target, Diagnostic> {
    let Some(asked) = &options.version else { return Ok(Target::Wgsl) };
    let message = format!("{} has no version {asked:?}: it has no versions", options.language);
    Err(of_module(WriteCode::Version, message).with_help("leave out --shader-version"))
}

fn hlsl_of(options: &TextOptions) -> Result<Hlsl, Diagnostic> {
    let asked = options.version.as_deref().unwrap_or("6.0");
    match HLSL.iter().find(|(name, _)| *name == asked) {
        Some(&(_, hlsl)) => Ok(hlsl),
        None => Err(no_version(options, &HLSL.map(|(name, _)| name))),
    }
}

fn no_version(options: &TextOptions, known: &[&str]) -> Diagnostic {
    let asked = options.version.as_deref().unwrap_or_default();
    let message = format!("version `{asked}` of {}; the versions are {}", options.language, known.join(", "));
    of_module(WriteCode::Version, message)
}

impl Hlsl {
    /// Returns whether it has what came with a shader model.
    pub(crate) fn has(self, major: u8, minor: u8) -> bool {
        self >= Hlsl { major, minor }
    }
}

impl Msl {
    fn of(options: &TextOptions) -> Result<Msl, Diagnostic> {
        let asked = options.version.as_deref().unwrap_or("2.4");
        let found = MSL.into_iter().find(|(major, minor)| format!("{major}.{minor}") == asked);
        let Some((major, minor)) = found else {
            let known: Vec<String> = MSL.into_iter().map(|(major, minor)| format!("{major}.{minor}")).collect();
            let message = format!("version `{asked}` of MSL; the versions are {}", known.join(", "));
            return Err(of_module(WriteCode::Version, message));
        };
        Ok(Msl { major, minor })
    }

    /// Returns whether it has what came with this version.
    pub(crate) fn has(self, major: u8, minor: u8) -> bool {
        self >= Msl { major, minor }
    }
}

impl Glsl {
    /// Returns whether it is GLSL for Vulkan.
    pub(crate) fn is_vulkan(self) -> bool {
        self.flavor == GlslFlavor::Vulkan
    }

    /// Returns whether it is GLSL of OpenGL ES.
    pub(crate) fn is_embedded(self) -> bool {
        self.flavor == GlslFlavor::Embedded
    }

    /// Returns whether it has what came with these versions of the desktop's and of the embedded language.
    pub(crate) fn has(self, desktop: u16, embedded: u16) -> bool {
        self.number >= if self.is_embedded() { embedded } else { desktop }
    }
}
