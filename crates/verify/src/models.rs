//! Instructions that only some execution models allow (SPIR-V sections 3.1.3 and 3.3).
//!
//! - R10 (in part): `kill` and `terminate_invocation` occur only in functions that only entry points of fragment shaders reach, ray
//!   terminators only any-hit shaders, `emit_mesh_tasks_ext` only task shaders.
//! - E04, of whole modules: the same for all other instructions that only some execution models allow, because of their op or of the
//!   storage class that they access.
//!
//! Code that no entry point reaches is not restricted.

use reconverge_ir::{Effects, Function, Inst, Module, Op, view};
use rustc_hash::FxHashSet;
use spirv::{Dim, ExecutionMode, ExecutionModel, GlslStd450Op, StorageClass};

use crate::Code;
use crate::calls::Calls;
use crate::declared::version;
use crate::layout::{Layout, Line};
use crate::report::Report;
use crate::typing::Context;

/// The execution models that allow an instruction.
type Models = &'static [ExecutionModel];

const FRAGMENT: Models = &[ExecutionModel::Fragment];
const GEOMETRY: Models = &[ExecutionModel::Geometry];
const TASK: Models = &[ExecutionModel::TaskEXT];
const ANY_HIT: Models = &[ExecutionModel::AnyHitKHR];
/// Models with quads: in compute-like models, only if an execution mode defines quads in the workgroup.
const QUADS: Models =
    &[ExecutionModel::Fragment, ExecutionModel::GLCompute, ExecutionModel::MeshEXT, ExecutionModel::TaskEXT];
/// Models with control barriers before SPIR-V 1.3.
const GROUPS: Models = &[
    ExecutionModel::TessellationControl,
    ExecutionModel::GLCompute,
    ExecutionModel::Kernel,
    ExecutionModel::TaskNV,
    ExecutionModel::MeshNV,
];
/// Models that trace rays.
const TRACING: Models = &[ExecutionModel::RayGenerationKHR, ExecutionModel::ClosestHitKHR, ExecutionModel::MissKHR];
/// Models that call callable shaders.
const CALLING: Models = &[
    ExecutionModel::RayGenerationKHR,
    ExecutionModel::ClosestHitKHR,
    ExecutionModel::MissKHR,
    ExecutionModel::CallableKHR,
];
const CALLABLE: Models = &[ExecutionModel::CallableKHR];
const HIT_ATTRIBUTES: Models =
    &[ExecutionModel::IntersectionKHR, ExecutionModel::AnyHitKHR, ExecutionModel::ClosestHitKHR];
const PAYLOADS: Models = &[ExecutionModel::AnyHitKHR, ExecutionModel::ClosestHitKHR, ExecutionModel::MissKHR];
const RAYS: Models = &[
    ExecutionModel::RayGenerationKHR,
    ExecutionModel::IntersectionKHR,
    ExecutionModel::AnyHitKHR,
    ExecutionModel::ClosestHitKHR,
    ExecutionModel::CallableKHR,
    ExecutionModel::MissKHR,
];
const MESHES: Models = &[ExecutionModel::TaskEXT, ExecutionModel::MeshEXT];

/// InterpolateAtCentroid, InterpolateAtSample and InterpolateAtOffset of GLSL's instruction set.
const INTERPOLATIONS: std::ops::RangeInclusive<u32> =
    GlslStd450Op::InterpolateAtCentroid as u32..=GlslStd450Op::InterpolateAtOffset as u32;

/// The models that allow a terminator; `None` if all do.
const fn models_of_terminator(op: Op) -> Option<Models> {
    match op {
        Op::Kill | Op::TerminateInvocation => Some(FRAGMENT),
        Op::IgnoreIntersectionKHR | Op::TerminateRayKHR => Some(ANY_HIT),
        Op::EmitMeshTasksEXT => Some(TASK),
        _ => None,
    }
}

/// The models that allow accesses to a storage class; `None` if all do.
fn models_of_class(class: StorageClass) -> Option<Models> {
    match class {
        StorageClass::CallableDataKHR => Some(CALLING),
        StorageClass::IncomingCallableDataKHR => Some(CALLABLE),
        StorageClass::RayPayloadKHR => Some(TRACING),
        StorageClass::HitAttributeKHR => Some(HIT_ATTRIBUTES),
        StorageClass::IncomingRayPayloadKHR => Some(PAYLOADS),
        StorageClass::ShaderRecordBufferKHR => Some(RAYS),
        StorageClass::TaskPayloadWorkgroupEXT => Some(MESHES),
        _ => None,
    }
}

/// An instruction that only some models allow.
struct Bound {
    function: Function,
    inst: Inst,
    op: Op,
    models: Models,
    code: Code,
}

/// Checks the instructions of the functions that entry points reach. O(instructions + sets of models · functions).
pub(crate) fn verify_models(report: &mut Report<'_>, context: &Context<'_>, layout: &Layout) {
    let module = report.module();
    let functions = || layout.functions().iter().filter(|extent| !report.is_broken(extent.function));
    let mut bounds = Vec::new();
    for extent in functions() {
        for line in layout.lines(extent) {
            if let Some((models, code)) = models_of(context, line) {
                bounds.push(Bound { function: extent.function, inst: line.inst, op: line.op, models, code });
            }
        }
    }
    if bounds.is_empty() {
        return;
    }
    let points: Vec<(Option<ExecutionModel>, Inst)> = layout
        .globals()
        .iter()
        .filter_map(|global| view::EntryPoint::of(module, global.inst))
        .map(|point| (point.execution_model, point.function))
        .collect();
    let has_quads: FxHashSet<Inst> = layout
        .globals()
        .iter()
        .filter_map(|global| view::ExecutionMode::of(module, global.inst))
        .filter(|mode| arranges_quads(mode.mode))
        .map(|mode| mode.function)
        .collect();
    let calls = Calls::of(module, layout, functions());
    let mut reached: Vec<(Models, FxHashSet<Inst>)> = Vec::new();
    for bound in bounds {
        let known = reached.iter().position(|&(models, _)| models == bound.models);
        let place = known.unwrap_or_else(|| {
            let is_other = |model: Option<ExecutionModel>| model.is_some_and(|model| !bound.models.contains(&model));
            let lacks_quads = |&(model, function): &(Option<ExecutionModel>, Inst)| {
                bound.models == QUADS && model != Some(ExecutionModel::Fragment) && !has_quads.contains(&function)
            };
            let is_root = |point: &&(Option<ExecutionModel>, Inst)| is_other(point.0) || lacks_quads(point);
            let roots = points.iter().filter(is_root).map(|&(_, function)| function);
            reached.push((bound.models, calls.reached_from(roots.collect())));
            reached.len() - 1
        });
        if reached[place].1.contains(&bound.function.inst()) {
            let names: Vec<String> = bound.models.iter().map(|model| format!("{model:?}")).collect();
            let message = format!(
                "an entry point whose execution model is not {} reaches `{}`",
                names.join(", "),
                bound.op.name()
            );
            report.at(bound.code, bound.inst, message);
        }
    }
}

/// Returns whether an execution mode defines the quads of a workgroup.
fn arranges_quads(mode: Option<ExecutionMode>) -> bool {
    matches!(mode, Some(ExecutionMode::DerivativeGroupQuadsKHR | ExecutionMode::DerivativeGroupLinearKHR))
}

/// The models that allow an instruction, with the rule; `None` if all do.
fn models_of(context: &Context<'_>, line: &Line) -> Option<(Models, Code)> {
    if let Some(models) = models_of_terminator(line.op) {
        return Some((models, Code::R10));
    }
    if !context.declared.is_whole {
        return None;
    }
    let models = models_of_op(context, line).or_else(|| {
        let module = context.module;
        let classes = module.operands(line.inst).filter_map(|operand| class_of(module, operand));
        classes.filter_map(models_of_class).next()
    })?;
    Some((models, Code::E04))
}

fn models_of_op(context: &Context<'_>, line: &Line) -> Option<Models> {
    let module = context.module;
    match line.op {
        Op::EmitVertex | Op::EndPrimitive | Op::EmitStreamVertex | Op::EndStreamPrimitive => Some(GEOMETRY),
        Op::DemoteToHelperInvocation | Op::IsHelperInvocationEXT => Some(FRAGMENT),
        Op::TraceRayKHR => Some(TRACING),
        Op::ExecuteCallableKHR => Some(CALLING),
        Op::ControlBarrier if context.declared.version < version(1, 3) => Some(GROUPS),
        Op::ExtInst => {
            let view::ExtInst { set, instruction, .. } = view::ExtInst::of(module, line.inst)?;
            let is_glsl = view::ExtInstImport::of(module, set)?.name.words() == context.glsl;
            (is_glsl && INTERPOLATIONS.contains(&instruction)).then_some(FRAGMENT)
        }
        Op::ImageRead => {
            let image = module.ty(view::ImageRead::of(module, line.inst)?.image)?;
            (view::TypeImage::of(module, image)?.dim == Some(Dim::DimSubpassData)).then_some(FRAGMENT)
        }
        op if op.effects().contains(Effects::DERIVATIVE) && op.class() != reconverge_ir::Class::Opaque => Some(QUADS),
        _ => None,
    }
}

/// The storage class of an operand that is a variable of the module or a pointer type.
fn class_of(module: &Module, operand: Inst) -> Option<StorageClass> {
    match module.op(operand) {
        Op::Variable => view::Variable::of(module, operand)?.storage_class,
        Op::TypePointer => view::TypePointer::of(module, operand)?.storage_class,
        _ => None,
    }
}
