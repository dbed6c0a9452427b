//! Entry points, their interfaces and execution modes (SPIR-V sections 2.16.1, 3.1.3 and 3.1.6).
//!
//! - E01: a module has one memory model, at most one header, and an entry point unless it is for linking. An entry point is a function
//!   without a return value and, unless it is a kernel, without parameters; it is never called. Two entry points of one execution model
//!   have different names.
//! - E02: the interface consists of variables, each once since SPIR-V 1.4, and names all inputs and outputs that are used; since 1.4 all
//!   variables that are used.
//! - E03: an execution mode names an entry point, fits its execution model, and is given once; some models need one.

use reconverge_ir::decoration::BuiltIn;
use reconverge_ir::{Class, Inst, Module, Op, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Capability, Decoration, ExecutionMode, ExecutionModel, StorageClass};

use crate::Code;
use crate::declared::{Declared, version};
use crate::layout::Layout;
use crate::report::Report;

/// An entry point.
struct EntryPoint<'m> {
    inst: Inst,
    model: Option<ExecutionModel>,
    function: Inst,
    name: &'m [u32],
    interface: view::Operands<'m>,
}

/// Checks the entry points of a whole module. O(instructions + entry points · functions that they reach).
pub(crate) fn verify_entry_points(report: &mut Report<'_>, declared: &Declared, layout: &Layout) {
    let module = report.module();
    let points: Vec<EntryPoint<'_>> = layout
        .globals()
        .iter()
        .filter_map(|global| {
            let view::EntryPoint { execution_model, function, name, interface } =
                view::EntryPoint::of(module, global.inst)?;
            Some(EntryPoint { inst: global.inst, model: execution_model, function, name: name.words(), interface })
        })
        .collect();
    let is_linked = declared.has_any(&[Capability::Linkage, Capability::GraphARM]);
    // Unknown instructions may be entry points of an unknown kind.
    let has_unknown = layout.globals().iter().any(|global| global.op == Op::OpaquePlain);
    if points.is_empty() && !is_linked && !has_unknown {
        report.at(Code::E01, module.root(), "the module has no entry point and no Linkage capability");
    }
    verify_once(report, layout);
    verify_functions(report, &points, layout);
    verify_modes(report, declared, &points, layout);
    verify_interfaces(report, declared, &points, layout);
}

/// Checks that unique declarations are not repeated.
fn verify_once(report: &mut Report<'_>, layout: &Layout) {
    for (op, what) in [(Op::SpirvHeader, "header"), (Op::MemoryModel, "memory model")] {
        for again in layout.globals().iter().filter(|global| global.op == op).skip(1) {
            report.at(Code::E01, again.inst, format!("the module has a {what} already"));
        }
    }
}

fn verify_functions(report: &mut Report<'_>, points: &[EntryPoint<'_>], layout: &Layout) {
    let module = report.module();
    let mut names = FxHashSet::default();
    for point in points {
        if !names.insert((point.model, point.name)) {
            report.at(Code::E01, point.inst, "another entry point of the same execution model has the same name");
        }
        if module.op(point.function) != Op::Function {
            let found = report.name(point.function);
            report.at(Code::E01, point.inst, format!("the entry point should be a function, found {found}"));
            continue;
        }
        let ty = view::Function::of(module, point.function).map(|function| function.function_type);
        let ty = ty.and_then(|ty| view::TypeFunction::of(module, ty));
        if point.model != Some(ExecutionModel::Kernel) && ty.is_none_or(|ty| !ty.parameters.is_empty()) {
            report.at(Code::E01, point.inst, "an entry point that is not a kernel must not have parameters");
        }
        if module.ty(point.function).is_some_and(|ty| module.op(ty) != Op::TypeVoid) {
            report.at(Code::E01, point.inst, "an entry point must not return a value");
        }
    }
    let functions: FxHashSet<Inst> = points.iter().map(|point| point.function).collect();
    for extent in layout.functions() {
        if report.is_broken(extent.function) {
            continue;
        }
        for call in layout.lines(extent).iter().filter(|line| line.op == Op::FunctionCall) {
            if view::FunctionCall::of(module, call.inst).is_some_and(|call| functions.contains(&call.function)) {
                report.at(Code::E01, call.inst, "an entry point must not be called");
            }
        }
    }
}

/// Execution modes of which a model requires exactly one, or allows at most one.
const CHOICES: [(&[ExecutionModel], &[ExecutionMode], RequiredCount); 11] = {
    use ExecutionMode as M;
    use ExecutionModel as E;
    const TESSELLATION: &[E] = &[E::TessellationControl, E::TessellationEvaluation];
    [
        (&[E::Fragment], &[M::OriginUpperLeft, M::OriginLowerLeft], RequiredCount::One),
        (&[E::Fragment], &[M::DepthGreater, M::DepthLess, M::DepthUnchanged], RequiredCount::AtMostOne),
        (
            &[E::Fragment],
            &[
                M::PixelInterlockOrderedEXT,
                M::PixelInterlockUnorderedEXT,
                M::SampleInterlockOrderedEXT,
                M::SampleInterlockUnorderedEXT,
                M::ShadingRateInterlockOrderedEXT,
                M::ShadingRateInterlockUnorderedEXT,
            ],
            RequiredCount::AtMostOne,
        ),
        (TESSELLATION, &[M::SpacingEqual, M::SpacingFractionalEven, M::SpacingFractionalOdd], RequiredCount::AtMostOne),
        (TESSELLATION, &[M::Triangles, M::Quads, M::Isolines], RequiredCount::AtMostOne),
        (TESSELLATION, &[M::VertexOrderCw, M::VertexOrderCcw], RequiredCount::AtMostOne),
        (
            &[E::Geometry],
            &[M::InputPoints, M::InputLines, M::InputLinesAdjacency, M::Triangles, M::InputTrianglesAdjacency],
            RequiredCount::One,
        ),
        (&[E::Geometry], &[M::OutputPoints, M::OutputLineStrip, M::OutputTriangleStrip], RequiredCount::One),
        (&[E::MeshEXT], &[M::OutputPoints, M::OutputLinesEXT, M::OutputTrianglesEXT], RequiredCount::One),
        (&[E::MeshEXT], &[M::OutputPrimitivesEXT], RequiredCount::One),
        (&[E::MeshEXT], &[M::OutputVertices], RequiredCount::One),
    ]
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum RequiredCount {
    One,
    AtMostOne,
}

/// The execution models of a mode; empty if all models allow it.
fn models_of(mode: ExecutionMode) -> &'static [ExecutionModel] {
    use ExecutionMode as M;
    use ExecutionModel as E;
    const GEOMETRY: &[E] = &[E::Geometry];
    const TESSELLATION: &[E] = &[E::TessellationControl, E::TessellationEvaluation];
    const MESH: &[E] = &[E::MeshEXT, E::MeshNV];
    const FRAGMENT: &[E] = &[E::Fragment];
    match mode {
        M::Invocations
        | M::InputPoints
        | M::InputLines
        | M::InputLinesAdjacency
        | M::InputTrianglesAdjacency
        | M::OutputLineStrip
        | M::OutputTriangleStrip => GEOMETRY,
        M::OutputPoints => &[E::Geometry, E::MeshNV, E::MeshEXT],
        M::SpacingEqual
        | M::SpacingFractionalEven
        | M::SpacingFractionalOdd
        | M::VertexOrderCw
        | M::VertexOrderCcw
        | M::PointMode
        | M::Quads
        | M::Isolines => TESSELLATION,
        M::Triangles => &[E::Geometry, E::TessellationControl, E::TessellationEvaluation],
        M::OutputVertices => &[E::Geometry, E::TessellationControl, E::TessellationEvaluation, E::MeshNV, E::MeshEXT],
        M::OutputLinesEXT | M::OutputTrianglesEXT | M::OutputPrimitivesEXT => MESH,
        M::QuadDerivativesKHR => &[E::Fragment, E::GLCompute],
        M::PixelCenterInteger
        | M::OriginUpperLeft
        | M::OriginLowerLeft
        | M::EarlyFragmentTests
        | M::DepthReplacing
        | M::DepthGreater
        | M::DepthLess
        | M::DepthUnchanged
        | M::PixelInterlockOrderedEXT
        | M::PixelInterlockUnorderedEXT
        | M::SampleInterlockOrderedEXT
        | M::SampleInterlockUnorderedEXT
        | M::ShadingRateInterlockOrderedEXT
        | M::ShadingRateInterlockUnorderedEXT
        | M::RequireFullQuadsKHR
        | M::NonCoherentColorAttachmentReadEXT
        | M::NonCoherentDepthAttachmentReadEXT
        | M::NonCoherentStencilAttachmentReadEXT
        | M::EarlyAndLateFragmentTestsAMD
        | M::StencilRefUnchangedFrontAMD
        | M::StencilRefGreaterFrontAMD
        | M::StencilRefLessFrontAMD
        | M::StencilRefUnchangedBackAMD
        | M::StencilRefGreaterBackAMD
        | M::StencilRefLessBackAMD => FRAGMENT,
        M::LocalSizeHint | M::VecTypeHint | M::ContractionOff | M::LocalSizeHintId => &[E::Kernel],
        M::LocalSize | M::LocalSizeId => &[E::Kernel, E::GLCompute, E::TaskNV, E::MeshNV, E::TaskEXT, E::MeshEXT],
        _ => &[],
    }
}

/// The number of operands of a mode; `None` if it is not known.
const fn operand_count(mode: ExecutionMode) -> Option<usize> {
    use ExecutionMode as M;
    Some(match mode {
        M::LocalSize | M::LocalSizeHint | M::LocalSizeId | M::LocalSizeHintId => 3,
        M::FPFastMathDefault => 2,
        M::Invocations
        | M::OutputVertices
        | M::OutputPrimitivesEXT
        | M::VecTypeHint
        | M::SubgroupSize
        | M::SubgroupsPerWorkgroup
        | M::SubgroupsPerWorkgroupId
        | M::DenormPreserve
        | M::DenormFlushToZero
        | M::SignedZeroInfNanPreserve
        | M::RoundingModeRTE
        | M::RoundingModeRTZ => 1,
        _ => return None,
    })
}

/// The error in the operands of a mode, if there is one.
fn operands_problem(module: &Module, inst: Inst, mode: ExecutionMode) -> Option<String> {
    let operands = || module.operands(inst).skip(view::ExecutionMode::SLOT.parameters);
    if operand_count(mode).is_some_and(|wanted| wanted != operands().count()) {
        return Some(format!("the mode {mode:?} does not take {} operands", operands().count()));
    }
    let is_constant = |operand: Inst| {
        let op = module.op(operand);
        op.is_constant()
            || op.is_type() && mode == ExecutionMode::FPFastMathDefault
            || matches!(op.class(), Class::Opaque | Class::Literal)
    };
    if module.op(inst) == Op::ExecutionModeId && !operands().all(is_constant) {
        return Some(format!("the operands of the mode {mode:?} should be constants"));
    }
    let is_empty =
        mode == ExecutionMode::LocalSize && operands().any(|operand| module.literal_word(operand) == Some(0));
    (is_empty && !has_size_of_its_own(module)).then(|| "a workgroup has at least one lane".to_owned())
}

/// Returns whether an object is the size of the workgroup and overrides the execution mode (`WorkgroupSize`, SPIR-V section 3.21).
fn has_size_of_its_own(module: &Module) -> bool {
    let mut of_globals = module.globals().flat_map(|global| module.decorated(global).iter());
    of_globals.any(|note| note.read() == Some(BuiltIn(spirv::BuiltIn::WorkgroupSize)))
}

/// Modes that can be given several times, with different operands.
const REPEATED: [ExecutionMode; 5] = [
    ExecutionMode::DenormPreserve,
    ExecutionMode::DenormFlushToZero,
    ExecutionMode::SignedZeroInfNanPreserve,
    ExecutionMode::RoundingModeRTE,
    ExecutionMode::RoundingModeRTZ,
];

/// Modes whose operands are ids.
const OF_IDS: [ExecutionMode; 11] = [
    ExecutionMode::SubgroupsPerWorkgroupId,
    ExecutionMode::LocalSizeId,
    ExecutionMode::LocalSizeHintId,
    ExecutionMode::FPFastMathDefault,
    ExecutionMode::MaximumRegistersIdINTEL,
    ExecutionMode::ShaderIndexAMDX,
    ExecutionMode::MaxNodeRecursionAMDX,
    ExecutionMode::StaticNumWorkgroupsAMDX,
    ExecutionMode::MaxNumWorkgroupsAMDX,
    ExecutionMode::IsApiEntryAMDX,
    ExecutionMode::SharesInputWithAMDX,
];

fn verify_modes(report: &mut Report<'_>, declared: &Declared, points: &[EntryPoint<'_>], layout: &Layout) {
    let module = report.module();
    let mut given: FxHashMap<Inst, Vec<ExecutionMode>> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    for global in layout.globals().iter().filter(|line| view::Mode::covers(line.op)) {
        let Some(view::Mode { function, mode, parameters }) = view::Mode::of(module, global.inst) else { continue };
        let own: Vec<Option<ExecutionModel>> =
            points.iter().filter(|point| point.function == function).map(|point| point.model).collect();
        if own.is_empty() {
            report.at(Code::E03, global.inst, "an execution mode should name an entry point");
            continue;
        }
        let Some(mode) = mode else { continue };
        let operand = parameters.first().filter(|_| REPEATED.contains(&mode) || is_default(mode));
        if !seen.insert((function, mode as u32, operand)) {
            report.at(Code::E03, global.inst, format!("the mode {mode:?} is given twice"));
        }
        let wanted = if OF_IDS.contains(&mode) { Op::ExecutionModeId } else { Op::ExecutionMode };
        if global.op != wanted {
            report.at(Code::E03, global.inst, format!("the mode {mode:?} needs the instruction `{}`", wanted.name()));
        }
        if let Some(problem) = operands_problem(module, global.inst, mode) {
            report.at(Code::E03, global.inst, problem);
        }
        let models = models_of(mode);
        let fits = |model: &Option<ExecutionModel>| model.is_none_or(|model| models.contains(&model));
        if !models.is_empty() && !own.iter().all(fits) {
            report.at(Code::E03, global.inst, format!("the mode {mode:?} is for other execution models"));
        }
        given.entry(function).or_default().push(mode);
    }
    if !declared.is_shader() {
        return;
    }
    for point in points {
        let given = given.get(&point.function).map_or(&[][..], |modes| modes);
        for (models, modes, wanted) in CHOICES {
            if !point.model.is_some_and(|model| models.contains(&model)) {
                continue;
            }
            let count = given.iter().filter(|mode| modes.contains(mode)).count();
            if count > 1 || count == 0 && wanted == RequiredCount::One {
                let names: Vec<String> = modes.iter().map(|mode| format!("{mode:?}")).collect();
                let quantity = if wanted == RequiredCount::One { "exactly" } else { "at most" };
                let message =
                    format!("the entry point should have {quantity} one mode of {}, found {count}", names.join(", "));
                report.at(Code::E03, point.inst, message);
            }
        }
    }
}

/// Returns whether a mode applies to a type, its second operand.
fn is_default(mode: ExecutionMode) -> bool {
    mode == ExecutionMode::FPFastMathDefault
}

/// The variables that the interface of an entry point lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interface {
    /// Those of storage class Input and Output.
    InputsAndOutputs,
    /// All variables at module level.
    AllVariables,
}

impl Interface {
    fn of(declared: &Declared) -> Interface {
        if declared.version >= version(1, 4) { Interface::AllVariables } else { Interface::InputsAndOutputs }
    }
}

fn verify_interfaces(report: &mut Report<'_>, declared: &Declared, points: &[EntryPoint<'_>], layout: &Layout) {
    let module = report.module();
    let interface = Interface::of(declared);
    let lists_all = interface == Interface::AllVariables;
    for point in points {
        let mut listed = FxHashSet::default();
        for variable in point.interface {
            if module.op(variable).class() == Class::Opaque {
                continue;
            }
            if module.op(variable) != Op::Variable {
                report.at(
                    Code::E02,
                    point.inst,
                    format!("the interface should list variables, found {}", report.name(variable)),
                );
                continue;
            }
            let class = storage_class(module, variable);
            let is_interface = matches!(class, Some(StorageClass::Input | StorageClass::Output));
            if !lists_all && !is_interface {
                let name = report.name(variable);
                report.at(
                    Code::E02,
                    point.inst,
                    format!("before SPIR-V 1.4 the interface lists only inputs and outputs, found {name}"),
                );
            }
            if lists_all && class == Some(StorageClass::Function) {
                let name = report.name(variable);
                report.at(
                    Code::E02,
                    point.inst,
                    format!("the interface lists only variables at module level, found {name}"),
                );
            }
            if is_interface && has_loose_built_ins(module, variable) {
                let message = format!("{} has built-in members, so its type should be a block", report.name(variable));
                report.at(Code::E02, point.inst, message);
            }
            if !listed.insert(variable) && lists_all {
                report.at(Code::E02, point.inst, format!("{} is listed twice in the interface", report.name(variable)));
            }
        }
    }
    if declared.is_shader() {
        verify_lists(report, points, layout, interface);
    }
}

/// Returns whether a variable is a struct of built-in members that is not a block.
fn has_loose_built_ins(module: &Module, variable: Inst) -> bool {
    let Some(ty) = module.pointee(variable) else { return false };
    let notes = module.decorated(ty);
    module.op(ty) == Op::TypeStruct
        && notes.members().any(|note| note.is(Decoration::BuiltIn))
        && !notes.has(Decoration::Block)
}

fn storage_class(module: &Module, variable: Inst) -> Option<StorageClass> {
    view::Variable::of(module, variable)?.storage_class
}

/// The variables that the functions of an entry point use are in its interface.
fn verify_lists(report: &mut Report<'_>, points: &[EntryPoint<'_>], layout: &Layout, interface: Interface) {
    let module = report.module();
    let mut used: FxHashMap<Inst, (Vec<Inst>, Vec<Inst>)> = FxHashMap::default();
    for extent in layout.functions().iter().filter(|extent| !report.is_broken(extent.function)) {
        let mut callees = Vec::new();
        let mut gathered = Gathered { seen: FxHashSet::default(), variables: Vec::new() };
        for line in layout.lines(extent) {
            callees.extend(view::FunctionCall::of(module, line.inst).map(|call| call.function));
            for operand in module.operands(line.inst) {
                gathered.add(module, layout, operand, interface);
            }
        }
        used.insert(extent.function.inst(), (gathered.variables, callees));
    }
    for point in points {
        let listed: FxHashSet<Inst> = point.interface.iter().collect();
        let (mut stack, mut reached) = (vec![point.function], FxHashSet::default());
        while let Some(function) = stack.pop() {
            let Some((variables, callees)) = used.get(&function).filter(|_| reached.insert(function)) else { continue };
            stack.extend(callees);
            if let Some(&variable) = variables.iter().find(|variable| !listed.contains(variable)) {
                let name = report.name(variable);
                report.at(Code::E02, point.inst, format!("{name} is used, but is not listed in the interface"));
                break;
            }
        }
    }
}

/// The interface variables that a function uses.
struct Gathered {
    seen: FxHashSet<Inst>,
    variables: Vec<Inst>,
}

impl Gathered {
    /// Adds an operand if it is an interface variable, or the interface variables in a module-level operand.
    fn add(&mut self, module: &Module, layout: &Layout, operand: Inst, interface: Interface) {
        if !layout.globals_range().contains(&layout.place(operand)) {
            return;
        }
        let is_made = matches!(module.op(operand), Op::SpecConstantOp | Op::ConstantComposite | Op::Variable);
        if !is_made || !self.seen.insert(operand) {
            return;
        }
        let mut stack = vec![operand];
        while let Some(inst) = stack.pop() {
            if module.op(inst) == Op::Variable {
                let class = storage_class(module, inst);
                let is_listed = match interface {
                    Interface::InputsAndOutputs => {
                        matches!(class, Some(StorageClass::Input | StorageClass::Output))
                    }
                    Interface::AllVariables => class != Some(StorageClass::Function),
                };
                if is_listed {
                    self.variables.push(inst);
                }
            }
            stack.extend(module.operands(inst).filter(|&part| {
                matches!(module.op(part), Op::SpecConstantOp | Op::ConstantComposite | Op::Variable)
                    && self.seen.insert(part)
            }));
        }
    }
}
