//! Keeps the requested kernels and the code that they use.
//!
//! ```text
//! entry_point %k, "k"                                 entry_point %k, "k"
//! entry_point %l, "l"             kernels: [k]
//! func %k { call %f }                  ⇒              func %k { call %f }
//! func %f {decorate LinkageAttributes "f" Export}     func %f
//! func %l, func %g
//! ```
//!
//! *Requires* nothing. *Preserves* the behaviour of kernels. *Does not preserve* linkage: exported names are removed.
//!
//! A function is reachable from an entry point if a reachable function names it, as callee or in any other way. Unreachable functions are
//! removed with the execution modes that name them, then unused globals (`remove_unused_globals.rs`). Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{LinkageAttributes, Note};
use reconverge_ir::{Function, Inst, Module, Op, view};
use rustc_hash::FxHashSet;
use spirv::{Decoration, LinkageType};

use super::Context;
use crate::error;
use reconverge_optimize::remove_functions;
use reconverge_optimize::{Interface, remove_unused_globals};

/// Removes entry points that the options do not name, unreachable functions, and unused globals.
///
/// # Errors
/// [`Rejected`](crate::KernelCode::Rejected) for a module without entry points, [`Options`](crate::KernelCode::Unknown) for a name
/// that no entry point has.
pub fn keep_entry_points(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let entry_points: Vec<Inst> = module.globals().filter(|&global| module.op(global) == Op::EntryPoint).collect();
    let kept = chosen(module, &entry_points, &context.options.kernels)?;
    let mut changed = kept.len() < entry_points.len();
    for &entry_point in entry_points.iter().filter(|entry_point| !kept.contains(entry_point)) {
        module.edit().delete(entry_point);
    }
    let functions = kept.iter().filter_map(|&entry| view::EntryPoint::of(module, entry)).map(|entry| entry.function);
    let starts: Vec<Function> = functions.filter_map(|function| module.cast(function)).collect();
    changed |= remove_modes(module, &starts);
    changed |= remove_functions(module, &starts) > 0;
    changed |= remove_unused_globals(module, Interface::Trimmed) > 0;
    changed |= remove_exports(module);
    Ok(changed)
}

/// The entry points that the options name; all if they name none.
fn chosen(module: &Module, entry_points: &[Inst], names: &[String]) -> Result<FxHashSet<Inst>, Diagnostic> {
    if entry_points.is_empty() {
        return Err(error::rejected(module.root(), "the module has no kernels"));
    }
    let name =
        |entry: Inst| view::EntryPoint::of(module, entry).map_or_else(String::new, |entry| entry.name.to_string());
    if let Some(unknown) = names.iter().find(|&wanted| entry_points.iter().all(|&entry| name(entry) != *wanted)) {
        let known: Vec<String> = entry_points.iter().map(|&entry| name(entry)).collect();
        let message = format!("no kernel is named {unknown:?}; the kernels are: {}", known.join(", "));
        return Err(error::unknown(module.root(), message));
    }
    let wanted: FxHashSet<&String> = names.iter().collect();
    Ok(entry_points.iter().copied().filter(|&entry| wanted.is_empty() || wanted.contains(&name(entry))).collect())
}

/// Removes the execution modes of removed entry points.
fn remove_modes(module: &mut Module, starts: &[Function]) -> bool {
    let starts: FxHashSet<Inst> = starts.iter().map(|&start| start.into()).collect();
    let is_doomed = |mode: view::Mode<'_>| !starts.contains(&mode.function);
    let modes = module.globals().filter(|&global| view::Mode::of(module, global).is_some_and(is_doomed));
    let doomed: Vec<Inst> = modes.collect();
    doomed.iter().for_each(|&mode| module.edit().delete(mode));
    !doomed.is_empty()
}

/// A shader module is not linked.
fn remove_exports(module: &mut Module) -> bool {
    let is_export = |module: &Module, note: Inst| {
        let note = Note::of(module, note).filter(|note| note.is(Decoration::LinkageAttributes));
        let linkage = |note: Note<'_>| note.read().map(|LinkageAttributes { linkage, .. }| linkage);
        note.is_some_and(|note| linkage(note) != Some(LinkageType::Import))
    };
    let everything = module.globals().chain(module.functions().map(Inst::from));
    let exported = everything.filter(|&inst| module.decorations(inst).iter().any(|&note| is_export(module, note)));
    let exported: Vec<Inst> = exported.collect();
    for &inst in &exported {
        module.edit().retain_decorations(inst, |module, note| !is_export(module, note));
    }
    !exported.is_empty()
}
