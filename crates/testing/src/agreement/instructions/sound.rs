//! Checks that a valid module stays valid after reading and writing, and after compiling.

use std::panic::{AssertUnwindSafe, catch_unwind};

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Error, Format, Kind, Target};

use super::Host;
use crate::judge::{Environment, Validator};

/// Reads and writes a valid module, and compiles it with and without optimization. Features that the target does not have may be rejected.
/// A module that is valid for Vulkan must stay valid for Vulkan.
///
/// # Errors
/// The error, and the step in which it occurred.
pub fn sound(validator: &Validator, bytes: &[u8], host: Host) -> Result<(), String> {
    let is_vulkan = host == Host::Shader && validator.validate(bytes, Environment::Vulkan1_3).is_ok();
    let environment = if is_vulkan { Environment::Vulkan1_3 } else { Environment::Universal };
    let copy = || reconverge::write(&reconverge::read(bytes, Format::SPIRV)?, Format::SPIRV);
    hold(validator, environment, "copied", guarded(copy))?;
    for level in [Level::None, Level::Speed] {
        for target in Target::all().filter(|&target| host == Host::Kernel || target == Target::INPUT) {
            let is_lowered = target == Target::VULKAN;
            let environment = if is_lowered { Environment::Vulkan1_3 } else { environment };
            let options = CompileOptions::new().level(level).target(target);
            let compile =
                || reconverge::compile(bytes, Format::SPIRV, Format::SPIRV, &options).map(|output| output.bytes);
            hold(validator, environment, &format!("-O{} for {}", level.name(), target.name()), guarded(compile))?;
        }
    }
    Ok(())
}

/// A panic is a message.
fn guarded<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<Result<T, Error>, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned())).unwrap_or_default()
    })
}

fn hold(
    validator: &Validator,
    environment: Environment,
    way: &str,
    output: Result<Result<Vec<u8>, Error>, String>,
) -> Result<(), String> {
    match output.map_err(|panic| format!("{way}: panicked: {panic}"))? {
        Ok(bytes) => validator.validate(&bytes, environment).map_err(|message| format!("{way}: {message}")),
        Err(error) if matches!(error.kind(), Kind::Unsupported | Kind::Limit) => Ok(()),
        Err(error) => Err(format!("{way}: {:?} {} {error}", error.kind(), error.code().name)),
    }
}
