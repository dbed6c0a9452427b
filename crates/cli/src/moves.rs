//! `--why`: which instructions moved to other blocks, their legal range, and the reason for their place.
//!
//! ```text
//! %main: moved %third from ^body to ^entry: the same in every iteration; cost 2^3.32 before, 2^0.00 after; legal range ^entry to ^body;
//! limited by the start of the function
//! ```
//!
//! As JSON, `{"kind":"move",…}` for each. A cost is what executing the instruction costs a subgroup: the logarithm to base 2 of its
//! frequency.

use reconverge::ir::text::Printer;
use reconverge::ir::{Inst, Module};
use reconverge_optimize::{Bound, Move};
use serde_json::{Value, json};

use crate::diagnostics::Reporter;

/// Fractions of a power of two in which the pass reports costs.
const PARTS: f64 = 16.0;

/// A sentence about an instruction that moved.
pub(crate) struct Sentence {
    pub(crate) function: String,
    pub(crate) inst: String,
    pub(crate) to: String,
    pub(crate) reason: String,
    pub(crate) text: String,
    object: Value,
}

/// Reports what was moved. `module` is the module as the pass left it.
pub(crate) fn explain(moves: &[Move], module: &Module, reporter: Reporter) {
    for Sentence { function, text, object, .. } in sentences(moves, module, Printer::new) {
        reporter.note(&format!("{function}: {text}"), &object);
    }
}

/// Returns the sentences about the instructions that moved, with the reason. `module` is the module as the pass left it.
pub(crate) fn sentences<'m>(
    moves: &[Move],
    module: &'m Module,
    printer: impl FnOnce(&'m Module) -> Printer<'m>,
) -> Vec<Sentence> {
    if moves.is_empty() {
        return Vec::new();
    }
    let printer = printer(module);
    let name = |inst: Inst| printer.operand_text(inst);
    let told = moves.iter().filter_map(|moved| {
        let function = module.function_of(moved.inst)?;
        let function = name(function.into());
        let [from, to, early, late] =
            [moved.from, moved.to, moved.early, moved.late].map(|block| printer.operand_text(block.into()));
        let bound = match moved.bound {
            Bound::Operand(operand) => format!("{} {}", moved.bound, name(operand)),
            Bound::Clobber(clobber) => format!("{}: {}", moved.bound, printer.statement(clobber).trim()),
            Bound::MemoryJoin(block) => format!("{} at {}", moved.bound, name(block.into())),
            bound => bound.to_string(),
        };
        let [before, after] = [moved.cost_before, moved.cost_after].map(|cost| f64::from(cost) / PARTS);
        let inst = name(moved.inst);
        let reason = moved.reason.to_string();
        let text = format!(
            "moved {inst} from {from} to {to}: {reason}; cost 2^{before:.2} before, 2^{after:.2} after; legal range {early} to {late}; limited by {bound}"
        );
        let object = json!({
            "kind": "move", "function": function, "instruction": inst, "from": from, "to": to, "early": early, "late": late,
            "reason": reason, "bound": bound, "cost_before": before, "cost_after": after,
        });
        Some(Sentence { function, inst, to, reason, text, object })
    });
    told.collect()
}
