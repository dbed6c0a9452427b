//! The programs of the workspace that tasks run, built by cargo.
//!
//! Every build selects all packages, as the build of the tests does. A package that is selected alone gives its dependencies other features,
//! and cargo compiles each of them once more: for the example `opencl_std` of `reconverge-opencl` these are 37 packages.

use std::path::PathBuf;
use std::process::Stdio;

use xtask_setup::workspace::{PROFILE, cargo, output};

/// A program of the workspace.
#[derive(Clone, Copy)]
pub(crate) enum Program {
    Binary(&'static str),
    Example(&'static str),
}

/// The profile of a build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// That of the tests.
    Tests,
    Release,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Tests => PROFILE,
            Profile::Release => "release",
        }
    }
}

/// Builds a program, shows the progress, and returns the path of the program.
pub(crate) fn build(program: Program, profile: Profile) -> Result<PathBuf, String> {
    build_with(program, profile, &[])
}

/// Builds a program as [`build`] does, with features that it does not have by default.
pub(crate) fn build_with(program: Program, profile: Profile, features: &[&str]) -> Result<PathBuf, String> {
    let (kind, name) = match program {
        Program::Binary(name) => ("--bin", name),
        Program::Example(name) => ("--example", name),
    };
    let mut command = cargo(["build", "--workspace", kind, name, "--message-format", "json-render-diagnostics"]);
    command.args(["--profile", profile.name()]).args(features.iter().flat_map(|feature| ["--features", feature]));
    let messages = output(command.stderr(Stdio::inherit()))?;
    executable(&messages, name).ok_or_else(|| format!("cargo built no program `{name}`"))
}

/// The path of a program in the messages of cargo, one JSON object a line.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut programs = messages.filter(|message| message["target"]["name"] == name);
    programs.find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_the_artifact_of_its_name() {
        let messages = "not JSON\n{\"target\":{\"name\":\"ops\"},\"executable\":null}\n\
                        {\"target\":{\"name\":\"rules\"},\"executable\":\"/a/rules\"}\n\
                        {\"target\":{\"name\":\"ops\"},\"executable\":\"/a/ops\"}\n";
        assert_eq!(executable(messages, "ops"), Some(PathBuf::from("/a/ops")));
        assert_eq!(executable(messages, "measure"), None);
    }
}
