//! `-MD` and its companions: a rule for `make` with the files that an output depends on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use reconverge_front_ends::{Rule, write_rule};

use crate::input::Input;
use crate::output;

/// Options of the list of files.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Dependencies of sources")]
pub(crate) struct DependencyFlags {
    /// `-MD`: write a rule for `make` with the files that the output depends on, beside the output with the extension .d
    #[arg(long, hide_short_help = true)]
    dependencies: bool,
    /// `-MF FILE`: the file of the rule
    #[arg(long, hide_short_help = true, value_name = "FILE", requires = "dependencies")]
    dependency_file: Option<PathBuf>,
    /// `-MT TARGET`: target of the rule, in place of the output; may be repeated
    #[arg(long, hide_short_help = true, value_name = "TARGET", requires = "dependencies")]
    dependency_target: Vec<OsString>,
    /// `-MQ TARGET`: as -MT, quoted for `make`
    #[arg(long, hide_short_help = true, value_name = "TARGET", requires = "dependencies")]
    quoted_dependency_target: Vec<PathBuf>,
    /// `-MP`: an empty rule for each included file
    #[arg(long, hide_short_help = true, requires = "dependencies")]
    phony_targets: bool,
}

impl DependencyFlags {
    /// Returns whether the rule is requested.
    pub(crate) fn is_given(&self) -> bool {
        self.dependencies
    }

    /// Returns whether the file of the rule has a name of its own.
    pub(crate) fn has_one_file(&self) -> bool {
        self.dependency_file.is_some()
    }

    /// The file of the rule, if one is requested.
    pub(crate) fn path(&self, output: &Path) -> Option<PathBuf> {
        self.dependencies.then(|| self.dependency_file.clone().unwrap_or_else(|| output.with_extension("d")))
    }

    /// The error if there is no place for the rule, or another file is there.
    pub(crate) fn unmet_need(&self, output: &Path, inputs: &[PathBuf]) -> Option<String> {
        let path = self.path(output)?;
        if self.dependency_file.is_none() && (output::is_stdout(output) || output::is_device(output)) {
            return Some("-MD needs -MF FILE: the output has no file name".to_owned());
        }
        let mut others = std::iter::once(output).chain(inputs.iter().map(PathBuf::as_path));
        let other = others.find(|other| output::is_same(other, &path))?;
        Some(format!("-MD would overwrite {}", other.display()))
    }

    /// The rule for an output, with its file.
    pub(crate) fn rule(&self, output: &Path, inputs: &[Input]) -> Option<(PathBuf, Vec<u8>)> {
        let path = self.path(output)?;
        let quoted = self.quoted_dependency_target.iter().map(|target| Rule::quoted(target));
        let mut targets: Vec<OsString> = self.dependency_target.iter().cloned().chain(quoted).collect();
        if targets.is_empty() {
            targets.push(Rule::quoted(output));
        }
        let mut prerequisites: Vec<PathBuf> = Vec::new();
        for file in inputs.iter().flat_map(|input| &input.files) {
            if !prerequisites.contains(file) {
                prerequisites.push(file.clone());
            }
        }
        Some((path, write_rule(&Rule { targets, prerequisites, has_phony_targets: self.phony_targets })))
    }
}
