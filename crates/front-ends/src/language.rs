//! The table of source languages. A language is a row here, with the front ends that compile it.

use std::fmt;
use std::path::Path;

use crate::{FrontEnd, Setting, Stage};

/// A source language.
#[derive(Clone, Copy)]
pub struct Language(&'static Row);

struct Row {
    name: &'static str,
    title: &'static str,
    /// Extensions of files, besides those of stages.
    extensions: &'static [&'static str],
    stages: Stages,
    /// The standard of a source that says none, if the front end takes one.
    standard: Option<&'static str>,
    front_ends: &'static [FrontEnd],
}

/// The stages of a shader that file names of the language state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stages {
    /// There are no shaders.
    None,
    /// The text says it, or the front end finds it out.
    InText,
    /// The extension of the file: `.comp`, or `.comp.glsl`.
    Extension,
    /// The extension before that of the language: `.comp.hlsl`.
    InnerExtension,
}

impl Language {
    const ALL: &[Language] =
        &[Language::OPENCL_C, Language::OPENCL_CPP, Language::GLSL, Language::HLSL, Language::SLANG];

    /// OpenCL C.
    pub const OPENCL_C: Language = Language(&Row {
        name: "opencl",
        title: "OpenCL C",
        extensions: &["cl"],
        stages: Stages::None,
        standard: Some("CL2.0"),
        front_ends: &[FrontEnd::CLANG],
    });

    /// C++ for OpenCL.
    pub const OPENCL_CPP: Language = Language(&Row {
        name: "opencl-cpp",
        title: "C++ for OpenCL",
        extensions: &["clcpp"],
        stages: Stages::None,
        standard: Some("CLC++"),
        front_ends: &[FrontEnd::CLANG],
    });

    /// GLSL for Vulkan.
    pub const GLSL: Language = Language(&Row {
        name: "glsl",
        title: "GLSL",
        extensions: &["glsl"],
        stages: Stages::Extension,
        standard: None,
        front_ends: &[FrontEnd::GLSLANG, FrontEnd::GLSLC],
    });

    /// HLSL.
    pub const HLSL: Language = Language(&Row {
        name: "hlsl",
        title: "HLSL",
        extensions: &["hlsl"],
        stages: Stages::InnerExtension,
        standard: None,
        front_ends: &[FrontEnd::DXC, FrontEnd::SLANGC],
    });

    /// Slang.
    pub const SLANG: Language = Language(&Row {
        name: "slang",
        title: "Slang",
        extensions: &["slang"],
        stages: Stages::InText,
        standard: None,
        front_ends: &[FrontEnd::SLANGC],
    });

    /// Every language.
    pub fn all() -> impl Iterator<Item = Language> {
        Language::ALL.iter().copied()
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The name in messages.
    pub const fn title(self) -> &'static str {
        self.0.title
    }

    /// The usual extension of its files.
    pub const fn extension(self) -> &'static str {
        self.0.extensions[0]
    }

    /// The front ends that compile it, in the order in which they are tried.
    pub const fn front_ends(self) -> &'static [FrontEnd] {
        self.0.front_ends
    }

    /// Returns whether one of its front ends has a setting.
    pub fn takes(self, setting: Setting) -> bool {
        self.front_ends().iter().any(|front_end| front_end.takes(setting))
    }

    /// The standard of a source that says none.
    pub(crate) const fn standard(self) -> Option<&'static str> {
        self.0.standard
    }

    /// Returns whether the stage of a shader has to be known before it is compiled.
    pub(crate) fn needs_stage(self) -> bool {
        matches!(self.0.stages, Stages::Extension | Stages::InnerExtension)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The kind of a source: its language, and the stage if the name of the file states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceKind {
    /// The language.
    pub language: Language,
    /// The stage, if it is known.
    pub stage: Option<Stage>,
}

impl SourceKind {
    /// The kind that a name on the command line means: of a language, or the extension of a stage in GLSL.
    ///
    /// ```
    /// use reconverge_front_ends::{Language, SourceKind, Stage};
    ///
    /// let kind = SourceKind::from_name("comp").expect("an extension of GLSL");
    /// assert_eq!((kind.language, kind.stage), (Language::GLSL, Some(Stage::Compute)));
    /// assert_eq!(SourceKind::from_name("opencl").map(|kind| kind.language), Some(Language::OPENCL_C));
    /// ```
    pub fn from_name(name: &str) -> Option<SourceKind> {
        let language = Language::all().find(|language| language.name() == name);
        let of_language = language.map(|language| SourceKind { language, stage: None });
        of_language.or_else(|| SourceKind::from_stage_extension(name))
    }

    /// The names that [`from_name`](Self::from_name) knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Language::all().map(Language::name).chain(Stage::all().map(Stage::extension))
    }

    /// The kind that the extension of a file says, in small or capital letters.
    pub fn from_path(path: &Path) -> Option<SourceKind> {
        let lowercase = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
        let extension = &*lowercase(path)?;
        let Some(language) = Language::all().find(|language| language.0.extensions.contains(&extension)) else {
            return SourceKind::from_stage_extension(extension);
        };
        let inner = || lowercase(Path::new(path.file_stem()?));
        let stage = inner().filter(|_| language.needs_stage()).and_then(|inner| Stage::from_extension(&inner));
        Some(SourceKind { language, stage })
    }

    fn from_stage_extension(extension: &str) -> Option<SourceKind> {
        let stage = Stage::from_extension(extension)?;
        Some(SourceKind { language: Language::GLSL, stage: Some(stage) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_extensions() {
        let kind = |path: &str| SourceKind::from_path(Path::new(path)).map(|kind| (kind.language, kind.stage));
        assert_eq!(kind("a.cl"), Some((Language::OPENCL_C, None)));
        assert_eq!(kind("A.CL"), Some((Language::OPENCL_C, None)));
        assert_eq!(kind("A.Comp.GLSL"), Some((Language::GLSL, Some(Stage::Compute))));
        assert_eq!(kind("a.comp"), Some((Language::GLSL, Some(Stage::Compute))));
        assert_eq!(kind("a/b.rahit"), Some((Language::GLSL, Some(Stage::AnyHit))));
        assert_eq!(kind("a.frag.glsl"), Some((Language::GLSL, Some(Stage::Fragment))));
        assert_eq!(kind("a.glsl"), Some((Language::GLSL, None)));
        assert_eq!(kind("a.mesh.hlsl"), Some((Language::HLSL, Some(Stage::Mesh))));
        assert_eq!(kind("a.comp.slang"), Some((Language::SLANG, None)));
        assert_eq!(kind("a.comp.cl"), Some((Language::OPENCL_C, None)));
        assert_eq!(kind("a.vertex"), None);
        assert_eq!(kind("comp"), None);
    }

    #[test]
    fn no_two_languages_share_a_name_or_an_extension() {
        let names: Vec<&str> = SourceKind::names().collect();
        let extensions: Vec<&str> = Language::all().flat_map(|language| language.0.extensions).copied().collect();
        for list in [names, extensions] {
            let mut distinct = list.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), list.len());
        }
    }
}
