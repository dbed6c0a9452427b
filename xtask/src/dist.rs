//! `cargo xtask dist`: the command as it is handed out.
//!
//! Optimized as one (the profile `dist`), and linked with musl as a whole and at a fixed address: a process begins in a fifth of the time
//! that the system's C library takes, and runs on every Linux. What it cannot do is open the Vulkan loader.
//!
//! It is linked twice: what runs in the first is put side by side in the second (`order.rs`).

use std::path::{Path, PathBuf};

use crate::setup::is_target_present;
use crate::workspace::{cargo, find_program, relative, root, run};

mod order;

/// What the command is handed out for.
const TARGET: &str = "x86_64-unknown-linux-musl";

/// Builds the command and says where it lies.
pub(crate) fn dist() -> Result<(), String> {
    if !is_target_present(TARGET) {
        return Err(format!("the toolchain lacks a target: rustup target add {TARGET}"));
    }
    if find_program("musl-gcc").is_none() {
        return Err("the allocator is C, and musl-gcc is not there: sudo apt-get install musl-tools".to_owned());
    }
    if find_program("valgrind").is_none() {
        return Err("valgrind sees which functions run, and is not there: sudo apt-get install valgrind".to_owned());
    }
    let command = build(None)?;
    let script = order::write_script(&command, &root().join("target").join("order"))?;
    let command = build(Some(&script))?;
    println!("{}", relative(&command));
    Ok(())
}

/// Builds the command, with a script for its linker. Where it lies.
fn build(script: Option<&Path>) -> Result<PathBuf, String> {
    // Both for this build alone. As settings of the workspace they would hold for build scripts as well, where those are linked with musl.
    let flags = format!("target.{TARGET}.rustflags=[\"-C\", \"relocation-model=static\"]");
    let what = ["rustc", "--package", "reconverge-cli", "--bin", "reconverge", "--profile", "dist"];
    // A process that ends gives its memory back as a whole, so the allocator need not sort it first; and the command depends on no variable
    // of the environment, so the allocator need not look for any.
    let folder = root().join("target");
    let mut build = cargo(what);
    build.args(["--target", TARGET, "--config", &flags]).arg("--target-dir").arg(&folder);
    build.env(format!("CFLAGS_{}", TARGET.replace('-', "_")), "-DMI_SKIP_COLLECT_ON_EXIT -DMI_NO_GETENV");
    if let Some(script) = script {
        build.args(["--", "-C", "link-arg=-T", "-C"]).arg(format!("link-arg={}", script.display()));
    }
    run(&mut build)?;
    Ok(folder.join(TARGET).join("dist").join("reconverge"))
}
