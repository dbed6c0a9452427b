//! Source locations in debug information, for whole modules.
//!
//! - T14 (in part): the file of an `OpLine` is an `OpString`.

use reconverge_ir::Op;

use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// Checks the source locations of all instructions in a module. Linear.
pub(crate) fn verify_locations(report: &mut Report<'_>, everything: &[Line]) {
    let module = report.module();
    for &Line { inst, .. } in everything {
        let file = module.explicit_location(inst).and_then(|location| location.line).map(|line| line.file);
        if let Some(file) = file.filter(|&file| module.op(file) != Op::String) {
            report.at(
                Code::T14,
                inst,
                format!("the file of a source location should be a `string`, found {}", report.name(file)),
            );
            report.suggest("use a string with the path of the file");
        }
    }
}
