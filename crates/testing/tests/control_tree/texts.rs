//! Functions written by hand, for shapes that structurized ones seldom have: cases that fall through, with values, through the
//! default, by shared edges; loops of one block, latches that leave both ways, breaks out of switches' loops.

use reconverge_ir::{Function, Module, Stage};
use reconverge_testing::filetest::input;

/// The filetests of the verifier that hold them; the last has no tree before it is padded.
const NAMES: [&str; 4] = ["fall_through", "shared_case", "loops", "unpadded"];

/// How many there are.
pub(crate) const WRITTEN: u64 = NAMES.len() as u64;

/// Whether it has no tree before it is padded.
pub(crate) fn is_unpadded(number: u64) -> bool {
    number % WRITTEN == WRITTEN - 1
}

/// One of them.
pub(crate) fn written_function(number: u64) -> (Module, Function) {
    let name = NAMES[(number % WRITTEN) as usize];
    let module = input(&format!("verify/structure/{name}.ir"));
    let function = module.functions().find(|&function| module.stage(function) == Stage::Structured).unwrap();
    (module, function)
}
