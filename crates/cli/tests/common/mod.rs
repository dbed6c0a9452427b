//! What the tests of the command share: a scratch folder, a way to run the binary, and modules in the text form.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Types and constants that the modules below use.
pub(crate) const PREAMBLE: &str = "\
capability Shader
capability Linkage
memory_model Logical GLSL450
%void = type_void
%bool = type_bool
%u32 = type_int 32 0
%true: %bool = constant_true
%seven: %u32 = constant 7
%fn = type_function %void
";

/// A cycle with two ways in.
pub(crate) const IRREDUCIBLE: &str = "
func %main: %void () type %fn control 0 stage graph {
block ^entry:
  branch_if %true ^to_left ^to_right
edge ^to_left:
  branch ^left
edge ^to_right:
  branch ^right
block ^left:
  branch ^right
block ^right:
  branch_if %true ^again ^end
edge ^again:
  branch ^left
block ^end:
  return
}
";

/// A value that is used where it may not have been computed.
pub(crate) const INVALID: &str = "
func %main: %void () type %fn control 0 stage graph {
block ^entry:
  branch_if %true ^left ^right
block ^left:
  ; a comment, to be counted
  %sum: %u32 = i_add %seven, %seven
  branch ^end
block ^right:
  branch ^end
block ^end:
  %twice: %u32 = i_add %sum, %sum
  return
}
";

/// A loop that is left from inside of a switch, and a selection in a selection: not what `wgsl` and `flat` allow, and three deep.
pub(crate) const NESTED: &str = "
func %main: %void (%n: %u32) control 0 stage structured {
block ^entry:
  loop ^head break ^end continue ^next control 0
block ^head:
  branch ^body
block ^body:
  structured_switch %n default ^other merge ^after control 0 [1 ^one]
block ^one:
  if %true ^leave ^stay merge ^stay_end control 0
block ^leave:
  branch ^end
block ^stay:
  branch ^stay_end
block ^stay_end:
  branch ^after
block ^other:
  branch ^after
block ^after:
  branch ^next
block ^next:
  branch ^head
block ^end:
  return
}
";

/// A folder that goes when the test ends.
pub(crate) struct Scratch(tempfile::TempDir);

impl Scratch {
    /// An empty one.
    pub(crate) fn new() -> Scratch {
        Scratch(tempfile::tempdir().unwrap())
    }

    /// A path in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file into it.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// A module that is fine.
    pub(crate) fn module(&self) -> PathBuf {
        self.file("module.ir", module())
    }

    /// The names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A command that runs in it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
        command.current_dir(self.0.path()).args(arguments).env("TMPDIR", self.0.path());
        command
    }

    /// Runs the binary in it.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran(self.command(arguments).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs the binary in it, with something on stdin.
    pub(crate) fn feed(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Ran(child.wait_with_output().unwrap())
    }
}

/// How a run ended.
pub(crate) struct Ran(pub(crate) Output);

impl Ran {
    /// The exit code; what was said shows if it is another than expected.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Ran {
        assert_eq!(self.0.status.code(), Some(code), "stderr: {}", self.stderr());
        self
    }

    /// What was said.
    pub(crate) fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// What was printed.
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    /// What was said, every line as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<Value> {
        let stderr = self.stderr();
        let lines =
            stderr.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")));
        lines.collect()
    }
}

/// The module with two ways into a cycle.
pub(crate) fn module() -> String {
    format!("{PREAMBLE}{IRREDUCIBLE}")
}

/// The module that breaks a rule.
pub(crate) fn invalid_module() -> String {
    format!("{PREAMBLE}{INVALID}")
}

/// The words of a binary.
pub(crate) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// The binary of words.
pub(crate) fn binary(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The number of the first line that contains a text, from 1.
pub(crate) fn line_of(text: &str, part: &str) -> usize {
    text.lines().position(|line| line.contains(part)).unwrap() + 1
}

/// What a file holds.
pub(crate) fn content(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap()
}
