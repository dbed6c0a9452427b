//! `cargo xtask dist`: builds the command for distribution.
//!
//! It is optimized as a whole (the profile `dist`) and statically linked with musl, so that it runs on every Linux. It cannot open the
//! Vulkan loader.

use xtask_setup::tools::{MUSL, is_target_present};
use xtask_setup::workspace::{cargo, find_program, relative, root, run};

/// Builds the command and says where it lies.
pub(crate) fn dist() -> Result<(), String> {
    if !is_target_present(MUSL) {
        return Err(format!("the toolchain lacks a target: rustup target add {MUSL}"));
    }
    if find_program("musl-gcc").is_none() {
        return Err("the allocator is C, and musl-gcc is not there: sudo apt-get install musl-tools".to_owned());
    }
    // A process that ends gives its memory back as a whole, so the allocator need not sort it first; and the command depends on no variable
    // of the environment, so the allocator need not look for any.
    let folder = root().join("target");
    let mut build = cargo(["build", "--package", "reconverge-cli", "--bin", "reconverge", "--profile", "dist"]);
    build.args(["--target", MUSL]).arg("--target-dir").arg(&folder);
    build.env(format!("CFLAGS_{}", MUSL.replace('-', "_")), "-DMI_SKIP_COLLECT_ON_EXIT -DMI_NO_GETENV");
    run(&mut build)?;
    println!("{}", relative(&folder.join(MUSL).join("dist").join("reconverge")));
    Ok(())
}
