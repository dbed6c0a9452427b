//! `; test qpu`: the code of a function for the QPUs of the VC4, with virtual registers.
//!
//! A work-group has 16 work-items, a pack. `%0` is the register that says where a lane wakes. A refusal is named after the separator.

use reconverge_codegen::VC4_MACHINE;
use reconverge_codegen::pipeline::{self, LAUNCH, LOOPS, SCALARS};
use reconverge_lanes::LaunchFacts;
use reconverge_qpu::{Specialization, select};
use reconverge_verify::verify;

use super::case::Case;

/// The file with the machine function of its first function.
pub(super) fn run(case: &Case) -> Result<String, String> {
    let mut module = case.module()?;
    if let Some(finding) = verify(&module).first() {
        return Err(format!("the module is invalid: {finding}"));
    }
    let function = module.functions().next().ok_or("the module has no function")?;
    let specialization = Specialization { local: [16, 1, 1] };
    let facts = LaunchFacts { inputs: specialization.facts(), ..LaunchFacts::default() };
    let prepared = pipeline::run(&mut module, function, facts, VC4_MACHINE, &[LAUNCH, SCALARS, LOOPS])
        .map_err(|error| error.message);
    let selected = prepared.and_then(|()| select(&module, function, &specialization).map_err(|error| error.message));
    Ok(match selected {
        Ok(selection) => case.with_output(&selection.function.to_string()),
        Err(what) => case.with_output(&format!("; refused: {what}\n")),
    })
}
