//! What is measured on SPIR-V bytes: blocks, phis, nesting, validity.
//!
//! Counting is on words alone.

use reconverge::Format;
use reconverge::ir::Stage;
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::nesting::nesting_depth;

const LABEL: u32 = 248;
const PHI: u32 = 245;

/// Figures of one module.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Figures {
    pub(crate) blocks: usize,
    pub(crate) phis: usize,
}

/// Counts blocks and phis.
pub(crate) fn count(bytes: &[u8]) -> Figures {
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let (mut figures, mut at) = (Figures::default(), 5);
    while at < words.len() {
        match words[at] & 0xffff {
            LABEL => figures.blocks += 1,
            PHI => figures.phis += 1,
            _ => {}
        }
        at += (words[at] >> 16).max(1) as usize;
    }
    figures
}

/// Whether `spirv-val` accepts the module.
pub(crate) fn is_valid(bytes: &[u8]) -> bool {
    let validator = Validator::find().expect("cargo xtask setup was run");
    validator.validate(bytes, Environment::Vulkan1_1).is_ok()
}

/// How many constructs lie around the deepest block; `None` if the module cannot be read as a structured one.
pub(crate) fn nesting(bytes: &[u8]) -> Option<usize> {
    let module = reconverge::read(bytes, Format::Spirv, false).ok()?;
    let structured = module.functions().filter(|&function| module.stage(function) == Stage::Structured);
    structured
        .filter(|&function| module.entry(function).is_some())
        .map(|function| nesting_depth(&module, function))
        .max()
}
