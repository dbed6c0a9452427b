//! Removes names, source locations and debug information.
//!
//! ```text
//! %file = string "a.comp"
//! source GLSL, 450, %file                               %0: …
//! %x: … {decorate Name "x"}                      ⇒      %1 = load %0
//! %y = load %x at %file line 3:5
//! ```
//!
//! *Requires* nothing. *Preserves* the behaviour of the module, and its reflection (`NonSemantic.ClspvReflection`). *Breaks* nothing: a
//! string stays if another instruction, for example `DebugPrintf`, uses it. Constants that only debug information used are left to
//! `remove_unused_globals`. The removed instructions are those of SPIR-V section 2.4, layout items 7a to 7c, of the sets `DebugInfo`,
//! `OpenCL.DebugInfo.100` and `NonSemantic.Shader.DebugInfo.100`, and the locations that `OpLine` gives. Linear.

use reconverge_ir::debug_info::DebugSet;
use reconverge_ir::{Inst, Module, Op, view};

/// Removes names, source locations and debug information. Returns whether there were any.
pub fn strip_debug(module: &mut Module) -> bool {
    let globals = module.children(module.root());
    let all: Vec<Inst> = globals.flat_map(|inst| std::iter::once(inst).chain(module.descendants(inst))).collect();
    let mut is_changed = false;
    for &inst in &all {
        is_changed |= strip(module, inst);
    }
    let sets: Vec<Inst> = module.globals().filter(|&inst| DebugSet::of_import(module, inst).is_some()).collect();
    let of_sets: Vec<Inst> = sets.iter().flat_map(|&set| module.uses(set)).map(|used| used.user).collect();
    let is_source = |&inst: &Inst| {
        matches!(module.op(inst), Op::Source | Op::SourceContinued | Op::SourceExtension | Op::ModuleProcessed)
    };
    let doomed: Vec<Inst> = of_sets.into_iter().chain(all.iter().copied().filter(is_source)).chain(sets).collect();
    is_changed |= !doomed.is_empty();
    doomed.into_iter().for_each(|inst| module.edit().delete(inst));
    let is_semantic = |&inst: &Inst| {
        view::ExtInstImport::of(module, inst).is_none_or(|import| !import.name.starts_with("NonSemantic."))
    };
    if module.globals().all(|inst| is_semantic(&inst)) {
        let extensions: Vec<Inst> = module.globals().filter(|&inst| is_for_non_semantic(module, inst)).collect();
        is_changed |= !extensions.is_empty();
        extensions.into_iter().for_each(|inst| module.edit().delete(inst));
    }
    // Strings last: their users are removed by now.
    let is_unused = |&inst: &Inst| module.is_live(inst) && module.op(inst) == Op::String && !module.is_used(inst);
    let strings: Vec<Inst> = all.into_iter().filter(is_unused).collect();
    is_changed |= !strings.is_empty();
    strings.into_iter().for_each(|inst| module.edit().delete(inst));
    is_changed
}

/// Returns whether an instruction declares the extension that sets of non-semantic instructions need.
fn is_for_non_semantic(module: &Module, inst: Inst) -> bool {
    view::Extension::of(module, inst).is_some_and(|extension| extension.name == "SPV_KHR_non_semantic_info")
}

/// Removes the names and the location of an instruction.
fn strip(module: &mut Module, inst: Inst) -> bool {
    let is_name = |module: &Module, note: Inst| matches!(module.op(note), Op::Name | Op::MemberName);
    let is_named = module.decorations(inst).iter().any(|&note| is_name(module, note));
    let is_located = module.explicit_location(inst).is_some();
    let mut editor = module.edit();
    if is_located {
        editor.set_location(inst, None);
    }
    if is_named {
        editor.retain_decorations(inst, |module, note| !is_name(module, note));
    }
    is_named || is_located
}
