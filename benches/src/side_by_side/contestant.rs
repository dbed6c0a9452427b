//! The two structurizers, each from SPIR-V bytes to SPIR-V bytes.

use std::rc::Rc;

use reconverge::{CompileOptions, Format};

/// Who structurizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Contestant {
    /// This project, with its verifier before and after.
    Reconverge,
    /// The crate `spirt`: lower, structurize, lift.
    Spirt,
}

impl Contestant {
    pub(crate) const ALL: [Contestant; 2] = [Contestant::Reconverge, Contestant::Spirt];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Contestant::Reconverge => "reconverge",
            Contestant::Spirt => "spirt 0.4.0",
        }
    }

    /// The structurized module, or why there is none.
    pub(crate) fn structurize(self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        match self {
            Contestant::Reconverge => {
                let output = reconverge::compile(bytes, Format::Spirv, Format::Spirv, &CompileOptions::default());
                output.map(|output| output.bytes).map_err(|error| error.to_string())
            }
            Contestant::Spirt => {
                let context = Rc::new(spirt::Context::new());
                let module = spirt::Module::lower_from_spv_bytes(context, bytes.to_vec());
                let mut module = module.map_err(|error| error.to_string())?;
                spirt::passes::legalize::structurize_func_cfgs(&mut module);
                let emitter = module.lift_to_spv_module_emitter().map_err(|error| error.to_string())?;
                Ok(emitter.words.iter().flat_map(|word| word.to_le_bytes()).collect())
            }
        }
    }
}
