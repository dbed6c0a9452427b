//! Converts annotations of kernels: removes hints, turns execution modes into decorations, and removes decorations that shaders do not
//! have.

use reconverge_ir::decoration::Note;
use reconverge_ir::{Builder, Function, Inst, Module, Op, view};
use rustc_hash::FxHashSet;
use spirv::{Decoration, ExecutionMode};

use crate::entry_points::{entry_points, execution_modes};
use reconverge_rewrite::debug_info::keep_lines_alone;

/// Execution modes that a compute shader can have.
const SHADER_MODES: [ExecutionMode; 7] = [
    ExecutionMode::LocalSize,
    ExecutionMode::LocalSizeId,
    ExecutionMode::DenormPreserve,
    ExecutionMode::DenormFlushToZero,
    ExecutionMode::SignedZeroInfNanPreserve,
    ExecutionMode::RoundingModeRTE,
    ExecutionMode::RoundingModeRTZ,
];

/// Decorations that have a meaning in a shader. The others are about linkage and kernel parameters, or permit optimizations.
const SHADER_DECORATIONS: [Decoration; 16] = [
    Decoration::RelaxedPrecision,
    Decoration::SpecId,
    Decoration::Block,
    Decoration::ArrayStride,
    Decoration::BuiltIn,
    Decoration::NonWritable,
    Decoration::NonReadable,
    Decoration::Binding,
    Decoration::DescriptorSet,
    Decoration::Offset,
    Decoration::NoContraction,
    Decoration::NonUniform,
    Decoration::RestrictPointer,
    Decoration::AliasedPointer,
    Decoration::Aliased,
    Decoration::Coherent,
];

/// Removes lifetime markers, assumptions, debug information and similar instructions, which are optional; source locations stay. Returns
/// whether there were any.
pub(super) fn remove_hints(module: &mut Module) -> bool {
    let records: Vec<_> = module.debug_records().iter().map(|(id, _)| id).collect();
    records.into_iter().for_each(|id| module.edit().remove_record(id));
    let changed = keep_lines_alone(module);
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions = blocks.flat_map(|block| module.children(block)).chain(module.globals());
    let hints: Vec<Inst> = instructions.filter(|&inst| is_hint(module, inst)).collect();
    for &hint in &hints {
        if let Some(view::ExpectKHR { value, .. }) = view::ExpectKHR::of(module, hint) {
            module.edit().replace_all_uses(hint, value);
        }
        reconverge_rewrite::removal::remove(module, hint);
    }
    changed || !hints.is_empty()
}

fn is_hint(module: &Module, inst: Inst) -> bool {
    match module.op(inst) {
        Op::LifetimeStart | Op::LifetimeStop | Op::AssumeTrueKHR | Op::ExpectKHR | Op::ModuleProcessed => true,
        _ => {
            let set = view::ExtInst::of(module, inst).and_then(|inst| view::ExtInstImport::of(module, inst.set));
            set.is_some_and(|set| set.name.starts_with("NonSemantic.") || set.name.to_string().contains("DebugInfo"))
        }
    }
}

/// Turns `ContractionOff` of an entry point into `NoContraction` of the arithmetic that it reaches, and removes all modes that only
/// kernels have.
pub(super) fn settle_contraction(module: &mut Module) -> bool {
    let contraction_off = |function| !execution_modes(module, function, ExecutionMode::ContractionOff).is_empty();
    let roots = entry_points(module).into_iter().map(|point| point.function);
    let roots: Vec<Function> = roots.filter(|&function| contraction_off(function)).collect();
    let mut changed = false;
    for inst in reached(module, roots).into_iter().flat_map(|function| arithmetic(module, function)).collect::<Vec<_>>()
    {
        if !module.decorated(inst).has(Decoration::NoContraction) {
            Builder::new(module).add_decoration(inst, Decoration::NoContraction);
            changed = true;
        }
    }
    let is_kernel_mode = |mode: view::Mode<'_>| !mode.mode.is_some_and(|mode| SHADER_MODES.contains(&mode));
    let modes = module.globals().filter(|&global| view::Mode::of(module, global).is_some_and(is_kernel_mode));
    let kernel_modes: Vec<Inst> = modes.collect();
    changed |= !kernel_modes.is_empty();
    kernel_modes.into_iter().for_each(|mode| module.edit().delete(mode));
    changed
}

/// These functions and all functions that they call, each once.
pub(super) fn reached(module: &Module, roots: Vec<Function>) -> Vec<Function> {
    let mut known: FxHashSet<Function> = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = roots;
    while let Some(function) = stack.pop() {
        if !known.insert(function) {
            continue;
        }
        order.push(function);
        let instructions = module.blocks(function).flat_map(|block| module.children(block));
        let calls = instructions.filter_map(|inst| view::FunctionCall::of(module, inst));
        stack.extend(calls.filter_map(|call| module.cast::<Function>(call.function)));
    }
    order
}

/// The floating-point operations of a function that could be fused with another.
fn arithmetic(module: &Module, function: Function) -> Vec<Inst> {
    let instructions = module.blocks(function).flat_map(|block| module.children(block));
    let arithmetic = instructions.filter(|&inst| {
        matches!(
            module.op(inst),
            Op::FAdd
                | Op::FSub
                | Op::FMul
                | Op::FDiv
                | Op::FRem
                | Op::FMod
                | Op::FNegate
                | Op::VectorTimesScalar
                | Op::Dot
        )
    });
    arithmetic.collect()
}

/// Removes decorations that shaders do not have.
pub(super) fn keep_shader_notes(module: &mut Module) -> bool {
    let all: Vec<Inst> = module.descendants(module.root()).collect();
    let mut changed = false;
    for inst in all {
        if module.is_live(inst) && module.decorations(inst).iter().any(|&note| !is_shader_note(module, note)) {
            module.edit().retain_decorations(inst, is_shader_note);
            changed = true;
        }
    }
    changed
}

fn is_shader_note(module: &Module, note: Inst) -> bool {
    let kind = || Note::of(module, note).and_then(Note::kind);
    matches!(module.op(note), Op::Name | Op::MemberName)
        || kind().is_some_and(|kind| SHADER_DECORATIONS.contains(&kind))
}
