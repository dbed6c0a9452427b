//! Final check for instructions that Vulkan 1.2 forbids.
//!
//! Every instruction needs a capability that shaders can declare (SPIR-V section 3.49, "Enabling capabilities"), and some instructions have
//! additional rules in Vulkan ("Validation Rules within a Module"). Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Class, Inst, Module, Op};
use spirv::{ExecutionModel, StorageClass};

use crate::entry_points::entry_points;
use crate::error;

/// Rejects modules with instructions that Vulkan forbids.
///
/// # Errors
/// The first forbidden instruction, by its name.
pub(super) fn check(module: &Module) -> Result<(), Diagnostic> {
    for global in module.globals() {
        let op = module.op(global);
        let fault = match op.class() {
            Class::Type => forbidden_type(module, global),
            Class::Opaque => Some(opaque(module, global)),
            _ if op == Op::ConstantSampler => Some("`constant_sampler`".to_owned()),
            _ if op == Op::ExtInstImport => forbidden_set(module, global),
            _ => None,
        };
        refuse(global, fault)?;
    }
    for point in entry_points(module) {
        let is_compute = point.model == Some(ExecutionModel::GLCompute);
        refuse(point.inst, (!is_compute).then(|| format!("the execution model of entry point {}", point.name)))?;
    }
    for function in module.functions() {
        let is_declared = module.entry(function).is_none();
        let name = || format!("a call of {}, which has no body", module.name(function).unwrap_or_default());
        refuse(function.into(), is_declared.then(name))?;
        for inst in module.blocks(function).flat_map(|block| module.children(block)) {
            refuse(inst, forbidden(module, inst))?;
        }
    }
    Ok(())
}

fn refuse(at: Inst, fault: Option<String>) -> Result<(), Diagnostic> {
    match fault {
        Some(fault) => Err(error::unsupported(at, format!("{fault} is not available in a Vulkan 1.2 shader"))),
        None => Ok(()),
    }
}

fn opaque(module: &Module, inst: Inst) -> String {
    let opcode = view::Opaque::of(module, inst).map_or(0, |opaque| opaque.opcode);
    format!("instruction {opcode}")
}

/// Instruction sets that only kernels have.
fn forbidden_set(module: &Module, import: Inst) -> Option<String> {
    let name = view::ExtInstImport::of(module, import)?.name;
    (name != "GLSL.std.450").then(|| format!("instruction set {name}"))
}

fn forbidden_type(module: &Module, ty: Inst) -> Option<String> {
    match module.type_view(ty) {
        Some(
            TypeView::Void
            | TypeView::Bool
            | TypeView::Array { .. }
            | TypeView::RuntimeArray { .. }
            | TypeView::Struct { .. }
            | TypeView::Function { .. }
            | TypeView::Int { width: 8 | 16 | 32 | 64, .. }
            | TypeView::Vector { count: 2..=4, .. },
        ) => None,
        Some(TypeView::Float { width: 16 | 32 | 64, .. }) if module.operand_count(ty) == 1 => None,
        Some(TypeView::Pointer { storage_class: Some(class), .. }) if SHADER_CLASSES.contains(&class) => None,
        Some(TypeView::Pointer { storage_class, .. }) => Some(format!("a pointer into {}", class_name(storage_class))),
        Some(TypeView::Vector { count, .. }) => Some(format!("a vector of {count} components")),
        _ => Some(format!("`{}`", module.op(ty).name())),
    }
}

/// Storage classes that the pointers of a shader may have.
const SHADER_CLASSES: [StorageClass; 8] = [
    StorageClass::Input,
    StorageClass::Workgroup,
    StorageClass::Private,
    StorageClass::Function,
    StorageClass::PushConstant,
    StorageClass::Uniform,
    StorageClass::StorageBuffer,
    StorageClass::PhysicalStorageBuffer,
];

fn class_name(class: Option<StorageClass>) -> String {
    class.map_or_else(|| "unknown memory".to_owned(), |class| format!("{class:?}"))
}

/// The reason why an instruction is forbidden; `None` if it is allowed.
fn forbidden(module: &Module, inst: Inst) -> Option<String> {
    let op = module.op(inst);
    let name = || format!("`{}`", op.name());
    match op.class() {
        Class::Opaque => return Some(opaque(module, inst)),
        Class::Image | Class::Derivative | Class::Geometry => return Some(name()),
        _ => {}
    }
    let first_width = || {
        let ty = module.operands(inst).next().and_then(|operand| module.ty(operand))?;
        module.width(module.components(ty).0)
    };
    match op {
        Op::BitCount | Op::BitReverse | Op::BitFieldInsert | Op::BitFieldSExtract | Op::BitFieldUExtract
            if first_width() != Some(32) =>
        {
            Some(format!("{} of integers that do not have 32 bits", name()))
        }
        Op::Bitcast | Op::CopyObject | Op::Select | Op::BlockParameter if is_logical_pointer(module, inst) => {
            Some(format!("{} of a pointer into {}", name(), class_name(module.storage_class(inst))))
        }
        _ => is_forbidden(op).then(name),
    }
}

/// Returns whether a value is a pointer that only access chains and variables may define.
fn is_logical_pointer(module: &Module, inst: Inst) -> bool {
    module.storage_class(inst).is_some_and(|class| class != StorageClass::PhysicalStorageBuffer)
}

/// Instructions that need a capability that compute shaders of Vulkan 1.2 lack.
fn is_forbidden(op: Op) -> bool {
    let is_group = Op::GroupAsyncCopy <= op && op <= Op::GroupSMax;
    let is_legacy_subgroup = Op::SubgroupBallotKHR <= op && op <= Op::SubgroupReadInvocationKHR;
    let is_dot = Op::SDot <= op && op <= Op::SUDotAccSat;
    is_group
        || is_legacy_subgroup
        || is_dot
        || matches!(
            op,
            Op::GenericPtrMemSemantics
                | Op::PtrAccessChain
                | Op::InBoundsPtrAccessChain
                | Op::PtrEqual
                | Op::PtrNotEqual
                | Op::PtrDiff
                | Op::LifetimeStart
                | Op::LifetimeStop
                | Op::CopyMemorySized
                | Op::ImageTexelPointer
                | Op::SatConvertSToU
                | Op::SatConvertUToS
                | Op::PtrCastToGeneric
                | Op::GenericCastToPtr
                | Op::GenericCastToPtrExplicit
                | Op::IsFinite
                | Op::IsNormal
                | Op::SignBitSet
                | Op::LessOrGreater
                | Op::Ordered
                | Op::Unordered
                | Op::SizeOf
                | Op::NamedBarrierInitialize
                | Op::MemoryNamedBarrier
                | Op::AtomicFlagTestAndSet
                | Op::AtomicFlagClear
                | Op::AtomicCompareExchangeWeak
                | Op::DemoteToHelperInvocation
                | Op::IsHelperInvocationEXT
                | Op::TraceRayKHR
                | Op::ExecuteCallableKHR
                | Op::RayQueryInitializeKHR
                | Op::RayQueryGetIntersectionTypeKHR
                | Op::CooperativeMatrixStoreKHR
                | Op::CooperativeMatrixLengthKHR
                | Op::ConvertUToAccelerationStructureKHR
        )
}
