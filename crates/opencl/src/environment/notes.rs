//! Notes that only kernels have: hints go, execution modes become decorations, and of the decorations those stay that shaders know.

use reconverge_ir::{Builder, Function, Inst, Module, Op};
use rustc_hash::FxHashSet;
use spirv::{Decoration, ExecutionMode};

use crate::entry_points::{decoration, decoration_kind, entry_points, execution_modes};
use crate::scalars::decorate;
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

/// Decorations that mean something in a shader. What is not here is about linkage, kernels' parameters, or gives the optimizer leave
/// to do what nobody has to do.
const SHADER_DECORATIONS: [Decoration; 15] = [
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
    Decoration::Coherent,
];

/// Removes lifetime markers, assumptions, debug information and the like, which may be forgotten at any time; lines stay. Whether
/// there were any.
pub(super) fn remove_hints(module: &mut Module) -> bool {
    let changed = keep_lines_alone(module);
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions = blocks.flat_map(|block| module.children(block)).chain(module.globals());
    let hints: Vec<Inst> = instructions.filter(|&inst| is_hint(module, inst)).collect();
    for &hint in &hints {
        if module.op(hint) == Op::ExpectKHR {
            let value = module.operand(hint, 0);
            module.edit().replace_all_uses(hint, value);
        }
        reconverge_rewrite::removal::remove(module, hint);
    }
    changed || !hints.is_empty()
}

fn is_hint(module: &Module, inst: Inst) -> bool {
    match module.op(inst) {
        Op::LifetimeStart | Op::LifetimeStop | Op::AssumeTrueKHR | Op::ExpectKHR | Op::ModuleProcessed => true,
        Op::ExtInst => {
            let set = module.operand(inst, 0);
            let name = (module.op(set) == Op::ExtInstImport).then(|| module.literal_text(module.operand(set, 0)));
            name.is_some_and(|name| name.starts_with("NonSemantic.") || name.contains("DebugInfo"))
        }
        _ => false,
    }
}

/// Turns `ContractionOff` of an entry point into `NoContraction` of the arithmetic that it reaches, and removes all modes that only
/// kernels have.
pub(super) fn settle_contraction(module: &mut Module) -> bool {
    let contraction_off =
        |function| execution_modes(module, function).any(|(_, mode)| mode == ExecutionMode::ContractionOff as u32);
    let roots = entry_points(module).into_iter().map(|point| point.function);
    let roots: Vec<Function> = roots.filter(|&function| contraction_off(function)).collect();
    let mut changed = false;
    for inst in reached(module, roots).into_iter().flat_map(|function| arithmetic(module, function)).collect::<Vec<_>>()
    {
        if decoration(module, inst, Decoration::NoContraction).is_none() {
            decorate(Builder::new(module).editor(), inst, Decoration::NoContraction, &[]);
            changed = true;
        }
    }
    let is_mode = |op| matches!(op, Op::ExecutionMode | Op::ExecutionModeId);
    let modes = module.globals().filter(|&global| is_mode(module.op(global)));
    let kernel_modes: Vec<Inst> = modes.filter(|&mode| !is_shader_mode(module, mode)).collect();
    changed |= !kernel_modes.is_empty();
    kernel_modes.into_iter().for_each(|mode| module.edit().delete(mode));
    changed
}

fn is_shader_mode(module: &Module, mode: Inst) -> bool {
    let word = module.literal_word(module.operand(mode, 1));
    SHADER_MODES.iter().any(|&known| word == Some(known as u32))
}

/// The functions that are called from these, themselves among them, each once.
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
        let calls = instructions.filter(|&inst| module.op(inst) == Op::FunctionCall);
        stack.extend(calls.filter_map(|call| module.cast::<Function>(module.operand(call, 0))));
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

/// Takes decorations away that shaders do not know.
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
    if matches!(module.op(note), Op::Name | Op::MemberName) {
        return true;
    }
    let kind = decoration_kind(module, note);
    SHADER_DECORATIONS.iter().any(|&known| kind == Some(known as u32))
}
