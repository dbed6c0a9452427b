//! The engines, and how a process must be set up for each.

use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge::opencl::Pointers;

use xtask_setup::workspace;

/// An engine that runs kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Engine {
    /// The interpreter, on the kernel as it came
    Interpreter,
    /// The interpreter, on what the compiler made of it, which the validator must accept too
    Compiled,
    /// The same, with 64-bit integers as pairs of 32-bit ones
    CompiledSplit,
    /// The interpreter, on what the compiler made of it with bindings for pointers, which the validator must accept too
    Bindings,
    /// Mesa's lavapipe, with 8 lanes, on what the compiler made of it with bindings for pointers
    LavapipeBindings,
    /// Mesa's lavapipe, with 4 lanes
    #[value(name = "lavapipe-4")]
    Lavapipe4,
    /// Mesa's lavapipe, with 8 lanes
    #[value(name = "lavapipe-8")]
    Lavapipe8,
    /// Mesa's lavapipe, with 16 lanes
    #[value(name = "lavapipe-16")]
    Lavapipe16,
    /// SwiftShader, with 4 lanes
    Swiftshader,
    /// The first device of this machine, whatever it is; not among those that run unasked
    Device,
}

impl Engine {
    pub(crate) const ALL: [Engine; 9] = [
        Engine::Interpreter,
        Engine::Compiled,
        Engine::CompiledSplit,
        Engine::Bindings,
        Engine::LavapipeBindings,
        Engine::Lavapipe4,
        Engine::Lavapipe8,
        Engine::Lavapipe16,
        Engine::Swiftshader,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Engine::Interpreter => "interpreter",
            Engine::Compiled => "compiled",
            Engine::CompiledSplit => "compiled-split",
            Engine::Bindings => "bindings",
            Engine::LavapipeBindings => "lavapipe-bindings",
            Engine::Lavapipe4 => "lavapipe-4",
            Engine::Lavapipe8 => "lavapipe-8",
            Engine::Lavapipe16 => "lavapipe-16",
            Engine::Swiftshader => "swiftshader",
            Engine::Device => "device",
        }
    }

    /// Returns whether it is lavapipe, of whatever width.
    pub(crate) const fn is_lavapipe(self) -> bool {
        matches!(self, Engine::Lavapipe4 | Engine::Lavapipe8 | Engine::Lavapipe16 | Engine::LavapipeBindings)
    }

    /// Returns whether the validator judges what the compiler made.
    const fn is_validated(self) -> bool {
        matches!(self, Engine::Compiled | Engine::CompiledSplit | Engine::Bindings)
    }

    /// The representation of pointers.
    pub(crate) const fn pointers(self) -> Pointers {
        match self {
            Engine::Bindings | Engine::LavapipeBindings => Pointers::Bindings,
            _ => Pointers::Addresses,
        }
    }

    /// Checks that its requirements are installed.
    pub(crate) fn check(self) -> Result<(), String> {
        match self.driver() {
            Some(manifest) if !manifest.is_file() => {
                Err(format!("{}: no driver at {}; `cargo xtask setup` installs it", self.name(), manifest.display()))
            }
            _ if self.is_validated() && !workspace::spirv_val().is_file() => {
                Err("spirv-val is not there; `cargo xtask setup` installs it".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Sets the environment of a process that runs it.
    pub(crate) fn prepare(self, command: &mut Command) {
        if let Some(manifest) = self.driver() {
            command.env("VK_DRIVER_FILES", &manifest).env("VK_ICD_FILENAMES", &manifest);
        }
        let vector_bits = match self {
            Engine::Lavapipe4 => "128",
            Engine::Lavapipe8 | Engine::LavapipeBindings => "256",
            Engine::Lavapipe16 => "512",
            _ => return,
        };
        command.env("LP_NATIVE_VECTOR_WIDTH", vector_bits);
    }

    fn driver(self) -> Option<PathBuf> {
        match self {
            Engine::Interpreter | Engine::Device => None,
            Engine::Compiled | Engine::CompiledSplit | Engine::Bindings => None,
            Engine::Lavapipe4 | Engine::Lavapipe8 | Engine::Lavapipe16 | Engine::LavapipeBindings => Some(lavapipe()),
            Engine::Swiftshader => Some(workspace::tools().join("swiftshader/vk_swiftshader_icd.json")),
        }
    }
}

fn lavapipe() -> PathBuf {
    let manifest = format!("/usr/share/vulkan/icd.d/lvp_icd.{}.json", std::env::consts::ARCH);
    Path::new(&manifest).to_owned()
}
