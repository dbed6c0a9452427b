//! The settings that a user may give for every front end. A front end without such a setting rejects it: nothing is ignored.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::Stage;

/// Settings of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<OsString>,
    /// Folders in which included files are looked for, in order.
    pub include_folders: Vec<PathBuf>,
    /// Files that are included before the first line.
    pub include_files: Vec<PathBuf>,
    /// The version of the language, in the words of the front end: `CL3.0`, `460`, `2021`.
    pub standard: Option<String>,
    /// The stage of a shader. It comes before the one that the name of the file says.
    pub stage: Option<Stage>,
    /// The function where the shader begins.
    pub entry: Option<String>,
    /// The importance of source lines.
    pub lines: Lines,
    /// True if the included files are found out.
    pub lists_dependencies: bool,
    /// Further arguments of the front end, after all others.
    pub arguments: Vec<OsString>,
    /// The program that is started, by name or path; by default, the first one that is installed.
    pub program: Option<OsString>,
}

/// The importance of source lines. No lines are dropped by choice: the two kinds differ where lines need another program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lines {
    /// The usual program of the language, which may write none.
    #[default]
    AsTheyCome,
    /// Another program, if only that writes lines; the result says if there is none.
    Wanted,
}

/// A setting that not every front end has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// [`Settings::defines`].
    Define,
    /// [`Settings::include_folders`].
    IncludeFolder,
    /// [`Settings::include_files`].
    IncludeFile,
    /// [`Settings::standard`].
    Standard,
    /// [`Settings::stage`].
    Stage,
    /// [`Settings::entry`].
    Entry,
    /// [`Settings::lists_dependencies`].
    Dependencies,
}

impl Setting {
    /// Every setting.
    pub const ALL: &'static [Setting] = &[
        Setting::Define,
        Setting::IncludeFolder,
        Setting::IncludeFile,
        Setting::Standard,
        Setting::Stage,
        Setting::Entry,
        Setting::Dependencies,
    ];

    /// The flag of the command that makes this setting.
    pub const fn flag(self) -> &'static str {
        match self {
            Setting::Define => "-D",
            Setting::IncludeFolder => "-I",
            Setting::IncludeFile => "-include",
            Setting::Standard => "--std",
            Setting::Stage => "--stage",
            Setting::Entry => "--entry",
            Setting::Dependencies => "-MD",
        }
    }
}

impl Settings {
    /// The settings that are made, in the order of [`Setting::ALL`].
    pub fn made(&self) -> impl Iterator<Item = Setting> {
        Setting::ALL.iter().copied().filter(|setting| match setting {
            Setting::Define => !self.defines.is_empty(),
            Setting::IncludeFolder => !self.include_folders.is_empty(),
            Setting::IncludeFile => !self.include_files.is_empty(),
            Setting::Standard => self.standard.is_some(),
            Setting::Stage => self.stage.is_some(),
            Setting::Entry => self.entry.is_some(),
            Setting::Dependencies => self.lists_dependencies,
        })
    }
}
