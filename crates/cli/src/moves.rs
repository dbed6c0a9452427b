//! `--why`: which instructions moved to other blocks, which stay in a loop, and the reasons.
//!
//! ```text
//! f: `mul` (a.cl:5) moved from `for.body` (a.cl:4) to the start of `f`: the same in every iteration
//! f: `div` (a.cl:6) is the same in every iteration of the loop `for.body` (a.cl:4); not moved: the division may trap
//! ```
//!
//! A verbose reporter adds the numbers of the instruction and of the blocks, the legal range and the costs. As JSON, `{"kind":"move",…}` and
//! `{"kind":"kept",…}` for each. A cost is what executing the instruction costs a subgroup: the logarithm to base 2 of its frequency.

use std::collections::HashSet;

use reconverge::ir::text::Printer;
use reconverge::ir::{Inst, Module};
use reconverge_optimize::{Bound, Kept, Move};
use serde_json::{Value, json};

use crate::diagnostics::Reporter;
use crate::terms::Terms;

/// Fractions of a power of two in which the pass reports costs.
const PARTS: f64 = 16.0;

/// A sentence about an instruction that moved, in the names of the text form.
pub(crate) struct Sentence {
    pub(crate) function: String,
    pub(crate) inst: String,
    pub(crate) to: String,
    pub(crate) reason: String,
    pub(crate) text: String,
    details: String,
    object: Value,
}

/// Reports what was moved. `module` is the module as the pass left it.
pub(crate) fn explain(moves: &[Move], module: &Module, numbered: usize, reporter: Reporter) {
    let terms = Terms::new(module, numbered);
    let live = moves.iter().filter(|moved| module.function_of(moved.inst).is_some());
    for (moved, sentence) in live.zip(sentences(moves, module, Printer::new)) {
        let text = plain(moved, module, &terms);
        let details = if reporter.is_verbose() { format!(" [{}]", sentence.details) } else { String::new() };
        reporter.note(&format!("{text}{details}"), &sentence.object);
    }
}

/// The sentence in the terms of the source.
fn plain(moved: &Move, module: &Module, terms: &Terms<'_>) -> String {
    let function = module.function_of(moved.inst).map_or_else(String::new, |function| terms.function(function));
    let [from, to] = [moved.from, moved.to].map(|block| terms.block(block));
    let bound =
        bound(moved.bound, moved.inst, terms).map_or_else(String::new, |bound| format!("; no further: {bound}"));
    format!("{function}: {} moved from {from} to {to}: {}{bound}", terms.value(moved.inst), moved.reason)
}

/// What prevents a longer move; nothing if the instruction is where it is of most use.
fn bound(bound: Bound, inst: Inst, terms: &Terms<'_>) -> Option<String> {
    Some(match bound {
        Bound::Start | Bound::Uses | Bound::Cost => return None,
        Bound::Operand(operand) if !terms.is_known(operand) => "an operand is computed there".to_owned(),
        Bound::Operand(operand) => format!("it needs {}", terms.value(operand)),
        Bound::Clobber(clobber) => format!("{} may write the memory that it reads", terms.value(clobber)),
        Bound::MemoryJoin(block) => format!("the memory that it reads may change before {}", terms.block(block)),
        Bound::MayTrap => format!("the {} may trap", terms.noun(inst)),
        Bound::FewerLanes | Bound::DivergentExit => bound.to_string(),
    })
}

/// Reports what stays in a loop, although it is the same in every iteration. `module` is the module as the last code motion left it or a
/// later pass did: what was moved or removed since is not reported.
pub(crate) fn explain_kept(kept: &[Kept], module: &Module, numbered: usize, reporter: Reporter) {
    let terms = Terms::new(module, numbered);
    let mut said = HashSet::new();
    let is_there = |kept: &&Kept| module.is_live(kept.inst) && module.block_of(kept.inst) == Some(kept.block);
    for kept in kept.iter().filter(is_there).filter(|kept| module.is_live(kept.header)) {
        let Some(function) = module.function_of(kept.inst) else { continue };
        let Some(reason) = bound(kept.bound, kept.inst, &terms) else { continue };
        let [value, header, block] =
            [kept.inst, kept.header.into(), kept.block.into()].map(|inst: Inst| terms.id(inst));
        let text = format!(
            "{} is the same in every iteration of {}; not moved: {reason}",
            terms.value(kept.inst),
            terms.loop_of(kept.header)
        );
        let details =
            if reporter.is_verbose() { format!(" [{value} in {block}, loop {header}]") } else { String::new() };
        let object = json!({
            "kind": "kept", "function": terms.id(function), "instruction": value, "block": block, "loop": header, "reason": reason,
        });
        let line = format!("{}: {text}{details}", terms.function(function));
        // Two parts of a variable are one to the source.
        if !reporter.is_for_people() || said.insert(line.clone()) {
            reporter.note(&line, &object);
        }
    }
}

/// How often an instruction is executed, from the logarithm to base 2 of its frequency.
fn times(cost: f64) -> String {
    let times = cost.exp2();
    match times {
        _ if (times - 1.0).abs() < 0.05 => "once".to_owned(),
        _ if times < 10.0 => format!("{} times", (times * 10.0).round() / 10.0),
        _ if times < 1e6 => format!("{times:.0} times"),
        _ => format!("{times:.1e} times"),
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
        let [often, seldom] = [before, after].map(times);
        let range = format!(
            "executed {often} before, {seldom} after (estimated); legal range {early} to {late}; limited by {bound}"
        );
        let text = format!("moved {inst} from {from} to {to}: {reason}; {range}");
        let details = format!("{inst} from {from} to {to}; {range}");
        let object = json!({
            "kind": "move", "function": function, "instruction": inst, "from": from, "to": to, "early": early, "late": late,
            "reason": reason, "bound": bound, "cost_before": before, "cost_after": after,
        });
        Some(Sentence { function, inst, to, reason, text, details, object })
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::times;

    #[test]
    fn frequencies_are_numbers_of_times() {
        assert_eq!([0.0, 3.0, -1.0, 10.0].map(times), ["once", "8 times", "0.5 times", "1024 times"]);
        assert_eq!(times(40.0), "1.1e12 times");
    }
}
