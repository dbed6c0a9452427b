//! How the command is linked. Most modules are small, so what a process costs before it begins counts as much as what it does.
//!
//! On Linux with the system's C library:
//! - At a fixed address. Elsewhere the loader has to write each of 20,000 addresses of constants, which touches 100 pages. What a fixed
//!   address makes easier to exploit are errors that safe Rust does not have.
//! - With the unwinder of the compiler's own static library, where the linker takes it: the shared one asks the processor for its features
//!   when it is loaded, whoever needs them.
//!
//! The C library itself stays shared, as only so the Vulkan loader can be opened. What `cargo xtask dist` builds
//! shares nothing.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_set_to = |name: &str, wanted: &str| env::var(name).is_ok_and(|value| value == wanted);
    if is_set_to("CARGO_CFG_TARGET_OS", "linux") && is_set_to("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        println!("cargo::rustc-link-lib=gcc_eh");
    }
}
