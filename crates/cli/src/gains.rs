//! The end of `--why`: what the whole compilation changed.
//!
//! ```text
//! in all: functions 3 → 1, blocks 14 → 9, instructions 120 → 71, block parameters (phis) 6 → 4
//! moved: 5 (the same in every iteration 3, needed on one path only 2)
//! ```
//!
//! As JSON, `{"kind":"gains",…}`.

use std::collections::BTreeMap;

use reconverge::ir::Module;
use reconverge_optimize::Move;
use serde_json::json;

use crate::diagnostics::Reporter;

/// The size of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    functions: usize,
    blocks: usize,
    instructions: usize,
    parameters: usize,
}

impl Size {
    /// Counts the contents of the functions of a module. Edge blocks and their branches do not count. Linear.
    pub(crate) fn of(module: &Module) -> Size {
        let mut size = Size { functions: 0, blocks: 0, instructions: 0, parameters: 0 };
        for function in module.functions().filter(|&function| module.entry(function).is_some()) {
            size.functions += 1;
            for block in module.blocks(function).filter(|&block| !module.is_bare_edge(block)) {
                let parameters = module.parameters(block).count();
                size.blocks += 1;
                size.parameters += parameters;
                size.instructions += module.children(block).count() - parameters;
            }
        }
        size
    }
}

/// Prints the sizes before and after, and how many instructions were moved for which reason.
pub(crate) fn explain(before: Size, after: Size, moves: &BTreeMap<String, usize>, reporter: Reporter) {
    let count = |name: &str, part: fn(Size) -> usize| format!("{name} {} → {}", part(before), part(after));
    let parts = [
        count("functions", |size| size.functions),
        count("blocks", |size| size.blocks),
        count("instructions", |size| size.instructions),
        count("block parameters (phis)", |size| size.parameters),
    ];
    let moved: usize = moves.values().sum();
    let reasons: Vec<String> = moves.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
    let object = |size: Size| {
        let Size { functions, blocks, instructions, parameters } = size;
        json!({ "functions": functions, "blocks": blocks, "instructions": instructions, "parameters": parameters })
    };
    reporter.note(
        &format!("in all: {}\nmoved: {moved}{reasons}", parts.join(", ")),
        &json!({ "kind": "gains", "before": object(before), "after": object(after), "moved": moves }),
    );
}

/// Adds moves to their counters.
pub(crate) fn count(moves: &[Move], counts: &mut BTreeMap<String, usize>) {
    for moved in moves {
        *counts.entry(moved.reason.to_string()).or_insert(0) += 1;
    }
}
