//! The location of the workspace, and how a task runs another program.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The profile in which tests and tasks are built.
pub const PROFILE: &str = "tests";

/// The folder that holds the workspace's `Cargo.toml`.
pub fn root() -> &'static Path {
    let mut parents = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    parents.nth(2).expect("invariant: xtask/setup is a folder of the workspace")
}

/// The folder of the tools that `setup` installs. It does not move with `CARGO_TARGET_DIR`, so that tests find it.
pub fn tools() -> PathBuf {
    root().join("target").join("tools")
}

/// The validator that tests and tasks run: `RECONVERGE_SPIRV_VAL`, else the one of `setup`.
pub fn spirv_val() -> PathBuf {
    match std::env::var_os("RECONVERGE_SPIRV_VAL") {
        Some(path) => PathBuf::from(path),
        None => tools().join("spirv/bin").join(executable("spirv-val")),
    }
}

/// `name` with the ending that programs have on this system.
pub fn executable(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// A cargo command in the workspace root, of the same cargo that runs this task.
pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root()).args(arguments);
    command
}

/// Shows the command, runs it with this terminal, and fails where it fails.
pub fn run(command: &mut Command) -> Result<(), String> {
    let shown = shown(command);
    eprintln!("$ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}")),
        Err(error) => Err(format!("`{shown}` did not start: {error}")),
    }
}

/// Runs the command silently and returns what it printed; an error holds its complaints.
pub fn output(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let output = command.output().map_err(|error| format!("`{shown}` did not start: {error}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{shown}` ended with {}\n{}", output.status, complaint.trim_end()));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{shown}` printed what is not UTF-8"))
}

/// Finds a program where a shell would, and where `cargo install` puts its own.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = std::env::var_os("CARGO_HOME").map(|home| PathBuf::from(home).join("bin"));
    std::env::split_paths(&path)
        .chain(installed)
        .map(|folder| folder.join(executable(name)))
        .find(|candidate| candidate.is_file())
}

/// A path as the reader knows it: from the workspace root, with forward slashes.
pub fn relative(path: &Path) -> String {
    let inside = path.strip_prefix(root()).unwrap_or(path);
    inside.to_string_lossy().replace('\\', "/")
}

/// The command as a user would type it.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![program.file_name().unwrap_or(program.as_os_str()).to_string_lossy()];
    words.extend(command.get_args().map(OsStr::to_string_lossy));
    words.join(" ")
}
