//! `cargo xtask dist`: the command as it is handed out.
//!
//! Optimized as one (the profile `dist`), and linked with musl as a whole and at a fixed address: a process begins in a fifth of the time that
//! the system's C library takes, and runs on every Linux. What it cannot do is open the Vulkan loader.

use crate::setup::is_target_present;
use crate::workspace::{cargo, find_program, relative, root, run};

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
    // Both for this build alone. As settings of the workspace they would hold for build scripts as well, where those are linked with musl.
    let flags = format!("target.{TARGET}.rustflags=[\"-C\", \"relocation-model=static\"]");
    let words = ["build", "--package", "reconverge-cli", "--profile", "dist", "--target", TARGET, "--config", &flags];
    // A process that ends gives its memory back as a whole, so the allocator need not sort it first; and the command depends on no variable
    // of the environment, so the allocator need not look for any.
    let folder = root().join("target");
    run(cargo(words)
        .arg("--target-dir")
        .arg(&folder)
        .env(format!("CFLAGS_{}", TARGET.replace('-', "_")), "-DMI_SKIP_COLLECT_ON_EXIT -DMI_NO_GETENV"))?;
    println!("{}", relative(&folder.join(TARGET).join("dist").join("reconverge")));
    Ok(())
}
