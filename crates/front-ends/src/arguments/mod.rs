//! From settings to command lines: one file for each front end.

pub(crate) mod clang;
pub(crate) mod dxc;
pub(crate) mod glslang;
pub(crate) mod glslc;
pub(crate) mod slangc;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::{Language, Settings, Stage, Version};

/// One compilation, before its command lines are written.
pub(crate) struct Job<'a> {
    /// The program, and what translates its bitcode if it writes no SPIR-V itself.
    pub(crate) program: &'a Path,
    pub(crate) translator: Option<&'a Path>,
    pub(crate) version: Option<Version>,
    pub(crate) language: Language,
    pub(crate) stage: Option<Stage>,
    pub(crate) settings: &'a Settings,
    /// The source; none for stdin.
    pub(crate) path: Option<&'a Path>,
    /// Headers and arguments that avoid known faults.
    pub(crate) headers: &'a [PathBuf],
    pub(crate) fault_arguments: &'a [&'static str],
    /// The private folder of the compilation.
    pub(crate) folder: &'a Path,
}

/// A process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    /// The probe that determines whether the module may be wrong, if LLVM's own back end wrote it.
    pub(crate) probe: Option<Probe>,
}

/// A process that writes LLVM IR, and what runs if the IR has integers of odd widths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Probe {
    /// The file of the IR.
    pub(crate) ir: PathBuf,
    /// The arguments for the IR.
    pub(crate) arguments: Vec<OsString>,
    /// The arguments for a module without such integers.
    pub(crate) again: Vec<OsString>,
}

impl Job<'_> {
    /// The path of the module.
    pub(crate) fn output(&self) -> PathBuf {
        self.folder.join("module")
    }

    /// The path of the list of included files.
    pub(crate) fn depfile(&self) -> PathBuf {
        self.folder.join("depfile")
    }

    /// The source as a word that cannot be a flag or a file of arguments; `None` for stdin.
    pub(crate) fn input(&self) -> Option<OsString> {
        self.path.map(|path| as_operand(path).into_os_string())
    }

    /// The source as a file, for a front end that does not read stdin.
    pub(crate) fn input_file(&self) -> OsString {
        self.input().unwrap_or_else(|| self.copy_of_stdin().into_os_string())
    }

    /// The path of the text of stdin.
    pub(crate) fn copy_of_stdin(&self) -> PathBuf {
        copy_of_stdin(self.folder)
    }

    /// Returns whether the user gives this argument.
    pub(crate) fn has_argument(&self, argument: &str) -> bool {
        self.settings.arguments.iter().any(|given| given == argument)
    }
}

/// The path of the text of stdin in the folder of a compilation.
pub(crate) fn copy_of_stdin(folder: &Path) -> PathBuf {
    folder.join("stdin")
}

/// A path as a word that cannot be a flag or a file of arguments.
pub(crate) fn as_operand(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

/// The arguments of a step.
#[derive(Default)]
pub(crate) struct Words(Vec<OsString>);

impl Words {
    pub(crate) fn add(&mut self, word: impl AsRef<OsStr>) -> &mut Words {
        self.0.push(word.as_ref().to_owned());
        self
    }

    pub(crate) fn add_all(&mut self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> &mut Words {
        words.into_iter().for_each(|word| {
            self.add(word);
        });
        self
    }

    /// A flag and its value as one word.
    pub(crate) fn joined(&mut self, flag: &str, value: impl AsRef<OsStr>) -> &mut Words {
        let mut word = OsString::from(flag);
        word.push(value);
        self.0.push(word);
        self
    }

    /// `-D` and `-I`, which all front ends spell alike.
    pub(crate) fn preprocessing(&mut self, settings: &Settings) -> &mut Words {
        settings.defines.iter().for_each(|define| {
            self.joined("-D", define);
        });
        settings.include_folders.iter().for_each(|folder| {
            self.joined("-I", folder);
        });
        self
    }

    pub(crate) fn step(self, program: &Path) -> Step {
        Step { program: program.to_owned(), arguments: self.0, probe: None }
    }
}
