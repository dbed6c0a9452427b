//! `cargo xtask hunt`: looks for outputs that are invalid or wrong, in new programs.
//!
//! ```text
//! seed ─▶ OpenCL C ─┬─ clang ─▶ SPIR-V ─┬──────────────▶ interpreter ─┐
//!                   │                   └─ reconverge ─▶ interpreter ─┼─▶ the same words?
//!                   └─ clang ─▶ this machine ─▶ runner ───────────────┘
//! ```

mod bodies;
mod builtins;
mod case;
mod csmith;
mod debug;
mod judge;
mod kernels;
mod modules;
mod native;
mod sequences;

/// The kinds of programs of `cargo xtask hunt`.
#[derive(clap::Subcommand)]
pub(crate) enum Among {
    /// Random kernels by clang, beside what this machine computes
    Kernels(kernels::Arguments),
    /// Random shaders in WGSL and GLSL, beside what Dawn and glslang make of them
    Bodies(bodies::Arguments),
    /// Built-in functions of OpenCL C on every type, beside their definitions
    Builtins(builtins::Arguments),
    /// Corpora through random sequences of passes of spirv-opt
    Modules(modules::Arguments),
    /// Sources with debug information of every kind
    Debug(debug::Arguments),
}

/// Hunts; a fault makes the command fail.
pub(crate) fn hunt(among: &Among) -> Result<(), String> {
    match among {
        Among::Kernels(arguments) => kernels::kernels(arguments),
        Among::Bodies(arguments) => bodies::bodies(arguments),
        Among::Builtins(arguments) => builtins::builtins(arguments),
        Among::Modules(arguments) => modules::modules(arguments),
        Among::Debug(arguments) => debug::debug(arguments),
    }
}
