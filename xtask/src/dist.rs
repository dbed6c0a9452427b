//! `cargo xtask dist`: builds the command for distribution.
//!
//! It is optimized as a whole (the profile `dist`) and statically linked with musl, so that it runs on every Linux. A static
//! program cannot open the Vulkan loader, so it has no feature `vulkan`. The program contains no path of this machine, so that the same sources
//! and toolchain give the same bytes.

use std::path::{Path, PathBuf};

use xtask_setup::tools::{MUSL, is_target_present};
use xtask_setup::workspace::{cargo, find_program, relative, root, run};

/// The target of the command for Windows.
const WINDOWS: &str = "x86_64-pc-windows-gnu";

/// The linker for [`WINDOWS`].
const MINGW: &str = "x86_64-w64-mingw32-gcc";

/// Builds the command and says where it lies.
pub(crate) fn dist() -> Result<(), String> {
    println!("{}", relative(&build_for_linux(None)?));
    Ok(())
}

/// Builds the command for Linux, with a date in place of that of its commit (seconds since 1970).
pub(crate) fn build_for_linux(date: Option<u64>) -> Result<PathBuf, String> {
    require_target(MUSL)?;
    if find_program("musl-gcc").is_none() {
        return Err("the allocator is C, and musl-gcc is not there: sudo apt-get install musl-tools".to_owned());
    }
    // A process that ends gives its memory back as a whole, so the allocator need not sort it first; and the command depends on no variable
    // of the environment, so the allocator need not look for any.
    let flags = (format!("CFLAGS_{}", MUSL.replace('-', "_")), "-DMI_SKIP_COLLECT_ON_EXIT -DMI_NO_GETENV");
    build(MUSL, "reconverge", &["--no-default-features", "--features", "dxil,png,shading"], date, Some(flags))
}

/// Builds the command for Windows, as [`build_for_linux`] does for Linux.
///
/// # Errors
/// Says what is missing, if the toolchain for Windows is not complete.
pub(crate) fn build_for_windows(date: Option<u64>) -> Result<PathBuf, String> {
    require_target(WINDOWS)?;
    if find_program(MINGW).is_none() {
        return Err(format!("the linker {MINGW} is not there: sudo apt-get install gcc-mingw-w64-x86-64"));
    }
    build(WINDOWS, "reconverge.exe", &[], date, None)
}

fn require_target(target: &str) -> Result<(), String> {
    match is_target_present(target) {
        true => Ok(()),
        false => Err(format!("the toolchain lacks a target: rustup target add {target}")),
    }
}

fn build(
    target: &str,
    program: &str,
    features: &[&str],
    date: Option<u64>,
    variable: Option<(String, &str)>,
) -> Result<PathBuf, String> {
    let folder = root().join("target");
    let mut build = cargo(["build", "--package", "reconverge-cli", "--bin", "reconverge", "--profile", "dist"]);
    build.args(["--target", target]).args(features).arg("--target-dir").arg(&folder);
    build.env("CARGO_ENCODED_RUSTFLAGS", without_paths(root(), cargo_home().as_deref()));
    build.envs(date.map(|date| ("SOURCE_DATE_EPOCH", date.to_string()))).envs(variable);
    run(&mut build)?;
    Ok(folder.join(target).join("dist").join(program))
}

/// Flags by which the messages of panics name no folder of this machine, in the form of `CARGO_ENCODED_RUSTFLAGS`.
fn without_paths(root: &Path, cargo_home: Option<&Path>) -> String {
    let folders = [(Some(root), "reconverge"), (cargo_home, "cargo")];
    let known = folders.into_iter().filter_map(|(folder, name)| Some((folder?, name)));
    let flags = known.map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()));
    flags.collect::<Vec<_>>().join("\u{1f}")
}

/// The folder of cargo, which has the sources of other crates.
fn cargo_home() -> Option<PathBuf> {
    let by_default = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(by_default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_this_machine_have_other_names_in_the_program() {
        let flags = without_paths(Path::new("/a b/root"), Some(Path::new("/home/x/.cargo")));
        assert_eq!(flags, "--remap-path-prefix=/a b/root=reconverge\u{1f}--remap-path-prefix=/home/x/.cargo=cargo");
        assert_eq!(without_paths(Path::new("/r"), None), "--remap-path-prefix=/r=reconverge");
    }
}
