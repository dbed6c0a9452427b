//! What Vulkan 1.2 forbids and a kernel may still have: the last look before a module is called done.
//!
//! Every instruction needs a capability that shaders have (SPIR-V section 3.49, "Enabling capabilities"), and some have rules of
//! their own in Vulkan ("Validation Rules within a Module"). Linear.

use reconverge_ir::{Class, Inst, Module, Op};
use spirv::StorageClass;

use crate::KernelError;
use crate::entry_points::{class_of, entry_points, pointer_class};
use crate::scalars::{components, width};

/// Refuses what Vulkan forbids.
///
/// # Errors
/// The first instruction that is forbidden, by its name.
pub(super) fn check(module: &Module) -> Result<(), KernelError> {
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
        let is_compute = point.model == spirv::ExecutionModel::GLCompute as u32;
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

fn refuse(at: Inst, fault: Option<String>) -> Result<(), KernelError> {
    match fault {
        Some(fault) => Err(KernelError::unsupported(at, format!("{fault} cannot be had in a Vulkan 1.2 shader"))),
        None => Ok(()),
    }
}

fn opaque(module: &Module, inst: Inst) -> String {
    let opcode = module.operands(inst).next().and_then(|opcode| module.literal_word(opcode)).unwrap_or(0);
    format!("instruction {opcode}")
}

/// Sets of instructions that only kernels have.
fn forbidden_set(module: &Module, import: Inst) -> Option<String> {
    let name = module.literal_text(module.operand(import, 0));
    (name != "GLSL.std.450").then(|| format!("instruction set {name}"))
}

fn forbidden_type(module: &Module, ty: Inst) -> Option<String> {
    let is_allowed = match module.op(ty) {
        Op::TypeVoid
        | Op::TypeBool
        | Op::TypeArray
        | Op::TypeRuntimeArray
        | Op::TypeStruct
        | Op::TypeFunction
        | Op::TypeForwardPointer => true,
        Op::TypeInt => matches!(width(module, ty), Some(8 | 16 | 32 | 64)),
        Op::TypeFloat => module.operand_count(ty) == 1 && matches!(width(module, ty), Some(16 | 32 | 64)),
        Op::TypeVector => matches!(components(module, ty).1, 2..=4),
        Op::TypePointer => is_shader_class(pointer_class(module, ty)),
        _ => false,
    };
    let described = || match module.op(ty) {
        Op::TypePointer => format!("a pointer into {}", class_name(pointer_class(module, ty))),
        Op::TypeVector => format!("a vector of {} components", components(module, ty).1),
        op => format!("`{}`", op.name()),
    };
    (!is_allowed).then(described)
}

fn is_shader_class(class: Option<u32>) -> bool {
    let known = [
        StorageClass::Input,
        StorageClass::Workgroup,
        StorageClass::Private,
        StorageClass::Function,
        StorageClass::PushConstant,
        StorageClass::StorageBuffer,
        StorageClass::PhysicalStorageBuffer,
    ];
    known.iter().any(|&known| class == Some(known as u32))
}

fn class_name(class: Option<u32>) -> String {
    class.and_then(StorageClass::from_u32).map_or_else(|| "unknown memory".to_owned(), |class| format!("{class:?}"))
}

/// What is forbidden about an instruction, if anything is.
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
        width(module, components(module, ty).0)
    };
    match op {
        Op::BitCount | Op::BitReverse | Op::BitFieldInsert | Op::BitFieldSExtract | Op::BitFieldUExtract
            if first_width() != Some(32) =>
        {
            Some(format!("{} of integers that have not 32 bits", name()))
        }
        Op::Bitcast | Op::CopyObject | Op::Select | Op::BlockParameter if is_logical_pointer(module, inst) => {
            Some(format!("{} of a pointer into {}", name(), class_name(class_of(module, inst))))
        }
        _ => is_forbidden(op).then(name),
    }
}

/// Whether a value is a pointer that only an access chain or a variable may give.
fn is_logical_pointer(module: &Module, inst: Inst) -> bool {
    class_of(module, inst).is_some_and(|class| class != StorageClass::PhysicalStorageBuffer as u32)
}

/// Instructions that need a capability which compute shaders of Vulkan 1.2 lack.
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
