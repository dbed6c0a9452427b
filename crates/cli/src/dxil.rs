//! DXIL on the command line: default places of resources for checks, and its text.

use reconverge::{Error, Format};

use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::findings;
use crate::input::Input;
use crate::output;

/// The shifts that give each class of registers bindings of its own.
const APART: [&str; 4] = ["t=16777216", "u=33554432", "s=50331648", "c=67108864"];

/// Keeps the resources of an input apart, if it is DXIL: nothing says where they go.
pub(crate) fn keep_apart(input: &mut Input) {
    if let Some(shift) = input.format.read_options().find("shift") {
        let given = input.options.give(shift, APART.map(str::to_owned).to_vec());
        given.expect("invariant: these are shifts");
    }
}

/// Prints DXIL as LLVM assembly.
pub(crate) fn dump(input: &Input, reporter: Reporter) -> Result<(), Exit> {
    if input.format != Format::DXIL {
        let message = format!("--dump dxil is for DXIL, and the input is {}", input.format.title());
        return Err(reporter.wrong_usage(message));
    }
    match assembly(input) {
        Ok(text) => output::print(&text),
        Err(error) => {
            reporter.report(&findings::of_error(&error, input, None));
            Err(error.kind().into())
        }
    }
}

/// A container or bitcode of DXIL as LLVM assembly.
#[cfg(feature = "dxil")]
pub(crate) fn assembly(input: &Input) -> Result<String, Error> {
    reconverge::dxil::print(&input.bytes)
}

/// A build without DXIL refuses it as its reader does.
#[cfg(not(feature = "dxil"))]
pub(crate) fn assembly(input: &Input) -> Result<String, Error> {
    input.module().map(|_| String::new())
}
