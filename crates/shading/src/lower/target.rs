//! The language that is written, in a version.

use reconverge_diagnostic::Diagnostic;

use crate::write::{Language, TextOptions, WriteCode, of_module};

/// A language in a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Glsl(Glsl),
    Msl(Msl),
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

const GLSL: [(&str, GlslFlavor, u16); 14] = [
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
    // The short forms of the default.
    ("450", GlslFlavor::Vulkan, 450),
];

impl Target {
    /// The language and version that the options select.
    ///
    /// # Errors
    /// There is no such version.
    pub(crate) fn of(options: &TextOptions) -> Result<Option<Target>, Diagnostic> {
        match options.language {
            Language::Glsl => {}
            Language::Msl => return Msl::of(options).map(|version| Some(Target::Msl(version))),
            Language::Hlsl | Language::Wgsl => return Ok(None),
        }
        let asked = options.version.as_deref().unwrap_or("vulkan 450");
        let found = GLSL.iter().find(|(name, ..)| *name == asked);
        match found {
            Some(&(_, flavor, number)) => Ok(Some(Target::Glsl(Glsl { flavor, number }))),
            None => {
                let known: Vec<&str> = GLSL.iter().map(|(name, ..)| *name).filter(|name| name.contains(' ')).collect();
                let message = format!("version `{asked}` of GLSL; the versions are {}", known.join(", "));
                Err(of_module(WriteCode::Version, message))
            }
        }
    }

    /// The version of GLSL.
    pub(crate) fn glsl(self) -> Glsl {
        match self {
            Target::Glsl(glsl) => glsl,
            Target::Msl(_) => Glsl { flavor: GlslFlavor::Vulkan, number: 450 },
        }
    }

    /// The version of MSL.
    pub(crate) fn msl(self) -> Msl {
        match self {
            Target::Msl(msl) => msl,
            Target::Glsl(_) => Msl { major: 2, minor: 4 },
        }
    }

    /// The language.
    pub(crate) fn language(self) -> Language {
        match self {
            Target::Glsl(_) => Language::Glsl,
            Target::Msl(_) => Language::Msl,
        }
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
