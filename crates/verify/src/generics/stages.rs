//! Stages of functions with type-level code.
//!
//! - G08: only functions at stage Generic contain type-level code or use types that are made of it, and a function in a generic is at stage
//!   Generic.

use reconverge_ir::{Function, Inst, Module, Op, Stage};
use rustc_hash::FxHashSet;

use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// Checks every function at a later stage. Linear in the operands.
pub(super) fn verify_stages(report: &mut Report<'_>, everything: &[Line]) {
    let module = report.module();
    let generic = made_of_type_level_code(module);
    // Consecutive instructions are mostly in the same function.
    let mut last: Option<(Function, bool)> = None;
    for line in everything {
        if let Some(function) = module.cast::<Function>(line.inst) {
            let is_generic = module.stage(function) == Stage::Generic;
            last = Some((function, is_generic));
            if !is_generic && module.parent(line.inst) != Some(module.root()) {
                let stage = module.stage(function);
                report.at(Code::G08, line.inst, format!("a function in a generic is at stage generic, found {stage}"));
                continue;
            }
        }
        let Some(function) = module.function_of(line.inst) else { continue };
        let is_generic = match last {
            Some((known, is_generic)) if known == function => is_generic,
            _ => module.stage(function) == Stage::Generic,
        };
        if is_generic || module.parent(function) != Some(module.root()) {
            continue;
        }
        let mut parts = std::iter::once(line.inst).chain(module.ty(line.inst)).chain(module.operands(line.inst));
        if let Some(part) = parts.find(|&part| module.op(part).is_generic() || generic.contains(&part)) {
            let (name, stage) = (report.name(part), module.stage(function));
            report.at(Code::G08, line.inst, format!("a function at stage {stage} has type-level code: {name}"));
        }
    }
}

/// The types and constants at module level that are made of type-level code.
fn made_of_type_level_code(module: &Module) -> FxHashSet<Inst> {
    let mut found = FxHashSet::default();
    let mut open: Vec<Inst> = module.globals().filter(|&global| module.op(global).is_generic()).collect();
    while let Some(inst) = open.pop() {
        for user in module.uses(inst).map(|used| used.user) {
            let op = module.op(user);
            let is_global = module.parent(user) == Some(module.root());
            if is_global && (op.is_type() || op.is_constant() || op == Op::Variable) && found.insert(user) {
                open.push(user);
            }
        }
    }
    found
}
