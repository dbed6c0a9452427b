//! The external validator: `spirv-val` of SPIRV-Tools.
//!
//! A process takes milliseconds and a function microseconds, so hundreds of functions are validated as one module. If the module is
//! rejected, bisection finds the invalid function.
//!
//! `cargo xtask setup` installs the tool; `RECONVERGE_SPIRV_VAL` names another one. Without it a test fails: it is not skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge_ir::{Function, Module};
use reconverge_spirv::{WriteOptions, write};

/// The environment variable with the path of the validator.
pub const VALIDATOR: &str = "RECONVERGE_SPIRV_VAL";
/// The path where `cargo xtask setup` installs the validator, from the root of the workspace.
pub const INSTALLED: &str = "target/tools/spirv/bin/spirv-val";

/// The target environment, by the validator's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Environment {
    /// SPIR-V 1.6 without an interface: `spv1.6`.
    Universal,
    /// Vulkan 1.1, SPIR-V up to 1.3.
    Vulkan1_1,
    /// Vulkan 1.2, SPIR-V up to 1.5.
    Vulkan1_2,
    /// Vulkan 1.3, SPIR-V up to 1.6.
    Vulkan1_3,
}

impl Environment {
    /// The argument for the validator.
    pub const fn name(self) -> &'static str {
        match self {
            Environment::Universal => "spv1.6",
            Environment::Vulkan1_1 => "vulkan1.1",
            Environment::Vulkan1_2 => "vulkan1.2",
            Environment::Vulkan1_3 => "vulkan1.3",
        }
    }
}

/// The names of ids in assembly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ids {
    /// By their numbers.
    Numbers,
    /// By the names in `OpName`, types and constants.
    Names,
}

/// An installed validator.
#[derive(Clone, Debug)]
pub struct Validator {
    path: PathBuf,
}

impl Validator {
    /// The validator of the environment variable or of the workspace.
    ///
    /// # Errors
    /// The validator is not installed, with instructions.
    pub fn find() -> Result<Validator, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let path = std::env::var_os(VALIDATOR).map_or_else(|| root.join(INSTALLED), PathBuf::from);
        match path.exists() {
            true => Ok(Validator { path }),
            false => Err(format!("no spirv-val at {}: run `cargo xtask setup`, or set {VALIDATOR}", path.display())),
        }
    }

    /// The file of the validator.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Validates a SPIR-V module.
    ///
    /// # Errors
    /// The validator's message, or that it cannot be run.
    pub fn validate(&self, spirv: &[u8], environment: Environment) -> Result<(), String> {
        let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        std::fs::write(file.path(), spirv).map_err(|error| error.to_string())?;
        let output = Command::new(&self.path)
            .args(["--target-env", environment.name()])
            .arg(file.path())
            .output()
            .map_err(|error| format!("{}: {error}", self.path.display()))?;
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        }
    }

    /// Assembles SPIR-V with `spirv-as`, next to the validator. Ids keep their numbers.
    ///
    /// # Errors
    /// The assembler's message, or that it cannot be run.
    pub fn assemble(&self, assembly: &str, environment: Environment) -> Result<Vec<u8>, String> {
        let assembler = self.tool("spirv-as");
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (input, result) = (folder.path().join("in.spvasm"), folder.path().join("out.spv"));
        std::fs::write(&input, assembly).map_err(|error| error.to_string())?;
        let output = Command::new(&assembler)
            .args(["--preserve-numeric-ids", "--target-env", environment.name(), "-o"])
            .args([&result, &input])
            .output()
            .map_err(|error| format!("{}: {error}", assembler.display()))?;
        match output.status.success() {
            true => std::fs::read(&result).map_err(|error| error.to_string()),
            false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        }
    }

    /// Disassembles a module with `spirv-dis`, next to the validator.
    ///
    /// # Errors
    /// The disassembler's message, or that it cannot be run.
    pub fn disassemble(&self, spirv: &[u8], ids: Ids) -> Result<String, String> {
        let disassembler = self.tool("spirv-dis");
        let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        std::fs::write(file.path(), spirv).map_err(|error| error.to_string())?;
        let mut command = Command::new(&disassembler);
        if ids == Ids::Numbers {
            command.arg("--raw-id");
        }
        let output = command.arg(file.path()).output();
        let output = output.map_err(|error| format!("{}: {error}", disassembler.display()))?;
        match output.status.success() {
            true => String::from_utf8(output.stdout).map_err(|error| error.to_string()),
            false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        }
    }

    /// Links files with `spirv-link`, next to the validator. Pointers may differ in their pointee types.
    ///
    /// # Errors
    /// The linker's message, or that it cannot be run.
    pub fn link(&self, files: &[PathBuf]) -> Result<Vec<u8>, String> {
        let linker = self.tool("spirv-link");
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let result = folder.path().join("out.spv");
        let output = Command::new(&linker).arg("--allow-pointer-mismatch").arg("-o").arg(&result).args(files).output();
        let output = output.map_err(|error| format!("{}: {error}", linker.display()))?;
        match output.status.success() {
            true => std::fs::read(&result).map_err(|error| error.to_string()),
            false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        }
    }

    /// The file of another tool.
    fn tool(&self, name: &str) -> PathBuf {
        self.path.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Validates a module of functions that do not call each other. If it is rejected, finds a function that is rejected alone.
    ///
    /// # Errors
    /// The name of the function with the validator's message; or the message for the module, if every function is accepted alone.
    pub fn judge(&self, module: &Module, functions: &[Function], environment: Environment) -> Result<(), String> {
        let Err(message) = self.validate(&spirv_bytes(module)?, environment) else { return Ok(()) };
        let (mut suspects, mut message) = (functions.to_vec(), message);
        while suspects.len() > 1 {
            let (left, right) = suspects.split_at(suspects.len() / 2);
            let refused = [left, right].into_iter().find_map(|half| {
                let error = spirv_bytes(&with_only(module, functions, half))
                    .and_then(|bytes| self.validate(&bytes, environment));
                error.err().map(|message| (half.to_vec(), message))
            });
            match refused {
                Some(found) => (suspects, message) = found,
                None => return Err(message),
            }
        }
        let name = suspects.first().and_then(|&function| module.name(function)).unwrap_or_default();
        Err(format!("function {name}: {message}"))
    }
}

/// The module without those of `functions` that are not in `kept`.
pub fn with_only(module: &Module, functions: &[Function], kept: &[Function]) -> Module {
    let mut smaller = module.clone();
    for &function in functions.iter().filter(|function| !kept.contains(function)) {
        smaller.edit().delete(function);
    }
    smaller
}

fn spirv_bytes(module: &Module) -> Result<Vec<u8>, String> {
    write(module, &WriteOptions::default()).map_err(|error| format!("cannot be written: {error}"))
}
