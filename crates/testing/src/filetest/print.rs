//! `; test cat`: the printed form of a module.

use reconverge_ir::text;

use super::case::Case;

/// The file with the printed module, which must read back as the same module.
pub(super) fn run(case: &Case) -> Result<String, String> {
    let printed = text::print(&case.module()?);
    round_trip(&printed)?;
    Ok(case.with_output(&printed))
}

/// Checks that printed text reads back as a module that prints the same.
pub(super) fn round_trip(printed: &str) -> Result<(), String> {
    let again =
        text::parse(printed).map_err(|error| format!("what was printed does not read back: {error}\n{printed}"))?;
    let again = text::print(&again);
    match again == printed {
        true => Ok(()),
        false => Err(format!("printing is no fixed point: {}", super::case::difference(printed, &again))),
    }
}
