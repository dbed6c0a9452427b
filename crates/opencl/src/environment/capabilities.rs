//! The capabilities and device features that a module needs, from its contents.
//!
//! | found | capability | feature |
//! |---|---|---|
//! | always | `Shader` | |
//! | unless pointers are bindings | `VulkanMemoryModel`, `PhysicalStorageBufferAddresses` | `vulkanMemoryModel`, `bufferDeviceAddress` |
//! | a type of 8, 16, 64 bits | `Int8` … `Float64` | `shaderInt8` … `shaderFloat64` |
//! | a buffer pointer to 8, 16 bits | `StorageBuffer8BitAccess` … | `storageBuffer8BitAccess` … |
//! | scope Device | `VulkanMemoryModelDeviceScope` | `vulkanMemoryModelDeviceScope` |
//! | an atomic on 64 bits | `Int64Atomics` | `shaderBufferInt64Atomics`, `shaderSharedInt64Atomics` |
//! | an atomic on floats | `AtomicFloat32AddEXT` … | `shaderBufferFloat32AtomicAdd` … and an extension |
//! | an operation of a subgroup | `GroupNonUniform` … | `shaderSubgroupExtendedTypes` for 8, 16, 64 bits |
//!
//! Linear in the module.

use std::collections::BTreeSet;

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Class, Inst, Module, Op, OperandKind, decoration};
use spirv::{AddressingModel, BuiltIn, Capability, ExecutionMode, GroupOperation, MemoryModel, Scope, StorageClass};

use super::Environment;
use crate::atomics;
use crate::scalars::{is_int, scope};

/// The requirements of a module.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    capabilities: BTreeSet<Capability>,
    extensions: BTreeSet<&'static str>,
    features: BTreeSet<&'static str>,
    device_extensions: BTreeSet<&'static str>,
    subgroup_operations: BTreeSet<&'static str>,
    has_vulkan_model: bool,
}

/// The memory of an atomic operation.
#[derive(Clone, Copy)]
enum AtomicMemory {
    Buffer,
    /// Of the work-group.
    Shared,
}

impl AtomicMemory {
    /// The feature for this memory, of the two.
    fn feature(self, buffer: &'static str, shared: &'static str) -> &'static str {
        match self {
            AtomicMemory::Buffer => buffer,
            AtomicMemory::Shared => shared,
        }
    }
}

impl Needs {
    /// Collects the requirements of a module.
    pub(super) fn compute(module: &Module, environment: Environment) -> Needs {
        let mut needs = Needs { has_vulkan_model: environment.memory == MemoryModel::Vulkan, ..Needs::default() };
        needs.capability(Capability::Shader);
        if needs.has_vulkan_model {
            needs.with_feature(Capability::VulkanMemoryModel, "vulkanMemoryModel");
        }
        if environment.addressing == AddressingModel::PhysicalStorageBuffer64 {
            needs.with_feature(Capability::PhysicalStorageBufferAddresses, "bufferDeviceAddress");
        }
        for global in module.globals() {
            match module.op(global) {
                Op::TypeInt | Op::TypeFloat => needs.scalar(module, global),
                Op::TypePointer => needs.pointer(module, global),
                Op::Variable => needs.built_in(module, global),
                Op::ExecutionMode => needs.mode(module, global),
                _ => {}
            }
        }
        let blocks = module.functions().flat_map(|function| module.blocks(function));
        for inst in blocks.flat_map(|block| module.children(block)) {
            needs.instruction(module, inst);
        }
        needs
    }

    /// The capabilities, by their numbers.
    pub(super) fn capabilities(&self) -> Vec<Capability> {
        self.capabilities.iter().copied().collect()
    }

    /// The SPIR-V extensions, sorted.
    pub(super) fn extensions(&self) -> Vec<&'static str> {
        self.extensions.iter().copied().collect()
    }

    /// The Vulkan features, sorted.
    pub(super) fn features(&self) -> Vec<&'static str> {
        self.features.iter().copied().collect()
    }

    /// The Vulkan device extensions, sorted.
    pub(super) fn device_extensions(&self) -> Vec<&'static str> {
        self.device_extensions.iter().copied().collect()
    }

    /// The kinds of operations that subgroups must support, sorted.
    pub(super) fn subgroup_operations(&self) -> Vec<&'static str> {
        self.subgroup_operations.iter().copied().collect()
    }

    fn capability(&mut self, capability: Capability) {
        self.capabilities.insert(capability);
    }

    fn with_feature(&mut self, capability: Capability, feature: &'static str) {
        self.capability(capability);
        self.features.insert(feature);
    }

    fn scalar(&mut self, module: &Module, ty: Inst) {
        match (module.op(ty), module.width(ty)) {
            (Op::TypeInt, Some(8)) => self.with_feature(Capability::Int8, "shaderInt8"),
            (Op::TypeInt, Some(16)) => self.with_feature(Capability::Int16, "shaderInt16"),
            (Op::TypeInt, Some(64)) => self.with_feature(Capability::Int64, "shaderInt64"),
            (Op::TypeFloat, Some(16)) => self.with_feature(Capability::Float16, "shaderFloat16"),
            (Op::TypeFloat, Some(64)) => self.with_feature(Capability::Float64, "shaderFloat64"),
            _ => {}
        }
    }

    /// Pointers into buffers: their pointees may be narrower than a word.
    fn pointer(&mut self, module: &Module, ty: Inst) {
        let Some(view::TypePointer { storage_class, pointee }) = view::TypePointer::of(module, ty) else { return };
        if !matches!(storage_class, Some(StorageClass::PhysicalStorageBuffer | StorageClass::StorageBuffer)) {
            return;
        }
        for width in scalar_widths(module, pointee) {
            match width {
                8 => self.with_feature(Capability::StorageBuffer8BitAccess, "storageBuffer8BitAccess"),
                16 => self.with_feature(Capability::StorageBuffer16BitAccess, "storageBuffer16BitAccess"),
                _ => {}
            }
        }
    }

    fn built_in(&mut self, module: &Module, variable: Inst) {
        if !module.is_variable_of(variable, StorageClass::Input) {
            return;
        }
        match module.decorated(variable).find().map(|decoration::BuiltIn(built_in)| built_in) {
            Some(
                BuiltIn::SubgroupSize
                | BuiltIn::NumSubgroups
                | BuiltIn::SubgroupId
                | BuiltIn::SubgroupLocalInvocationId,
            ) => self.subgroup(Capability::GroupNonUniform, "basic"),
            Some(
                BuiltIn::SubgroupEqMask
                | BuiltIn::SubgroupGeMask
                | BuiltIn::SubgroupGtMask
                | BuiltIn::SubgroupLeMask
                | BuiltIn::SubgroupLtMask,
            ) => self.subgroup(Capability::GroupNonUniformBallot, "ballot"),
            _ => {}
        }
    }

    fn subgroup(&mut self, capability: Capability, operation: &'static str) {
        self.capability(Capability::GroupNonUniform);
        self.capability(capability);
        self.subgroup_operations.insert("basic");
        self.subgroup_operations.insert(operation);
    }

    fn mode(&mut self, module: &Module, mode: Inst) {
        match view::ExecutionMode::of(module, mode).and_then(|mode| mode.mode) {
            Some(ExecutionMode::DenormPreserve) => self.capability(Capability::DenormPreserve),
            Some(ExecutionMode::DenormFlushToZero) => self.capability(Capability::DenormFlushToZero),
            Some(ExecutionMode::SignedZeroInfNanPreserve) => self.capability(Capability::SignedZeroInfNanPreserve),
            Some(ExecutionMode::RoundingModeRTE) => self.capability(Capability::RoundingModeRTE),
            Some(ExecutionMode::RoundingModeRTZ) => self.capability(Capability::RoundingModeRTZ),
            _ => {}
        }
    }

    fn instruction(&mut self, module: &Module, inst: Inst) {
        let op = module.op(inst);
        match op.class() {
            Class::Atomic => self.atomic(module, inst),
            Class::Group => self.group(module, inst),
            _ if op == Op::ReadClockKHR => self.clock(module, inst),
            _ => {}
        }
        for (index, operand) in module.operands(inst).enumerate() {
            let is_scope = op.operand_kind(index) == Some(OperandKind::Scope);
            if is_scope && self.has_vulkan_model && scope(module, operand) == Some(Scope::Device) {
                self.with_feature(Capability::VulkanMemoryModelDeviceScope, "vulkanMemoryModelDeviceScope");
            }
        }
    }

    fn clock(&mut self, module: &Module, inst: Inst) {
        let of = view::ReadClockKHR::of(module, inst).and_then(|clock| scope(module, clock.execution));
        let feature = if of == Some(Scope::Device) { "shaderDeviceClock" } else { "shaderSubgroupClock" };
        self.with_feature(Capability::ShaderClockKHR, feature);
        self.extensions.insert("SPV_KHR_shader_clock");
        self.device_extensions.insert("VK_KHR_shader_clock");
    }

    fn atomic(&mut self, module: &Module, inst: Inst) {
        let op = module.op(inst);
        let Some(ty) = atomics::value_type(module, inst) else { return };
        let class = view::Atomic::of(module, inst).and_then(|atomic| module.storage_class(atomic.pointer));
        let memory = match class {
            Some(StorageClass::Workgroup) => AtomicMemory::Shared,
            _ => AtomicMemory::Buffer,
        };
        match (op, module.op(ty), module.width(ty)) {
            (_, Op::TypeInt, Some(64)) => {
                let feature = memory.feature("shaderBufferInt64Atomics", "shaderSharedInt64Atomics");
                self.with_feature(Capability::Int64Atomics, feature);
            }
            (Op::AtomicFAddEXT, Op::TypeFloat, Some(bits)) => self.float_add(bits, memory),
            (Op::AtomicFMinEXT | Op::AtomicFMaxEXT, Op::TypeFloat, Some(bits)) => self.float_min_max(bits, memory),
            _ => {}
        }
    }

    fn float_add(&mut self, bits: u32, memory: AtomicMemory) {
        let (capability, buffer, shared) = match bits {
            16 => (Capability::AtomicFloat16AddEXT, "shaderBufferFloat16AtomicAdd", "shaderSharedFloat16AtomicAdd"),
            32 => (Capability::AtomicFloat32AddEXT, "shaderBufferFloat32AtomicAdd", "shaderSharedFloat32AtomicAdd"),
            _ => (Capability::AtomicFloat64AddEXT, "shaderBufferFloat64AtomicAdd", "shaderSharedFloat64AtomicAdd"),
        };
        self.with_feature(capability, memory.feature(buffer, shared));
        let (extension, device_extension) = match bits {
            16 => ("SPV_EXT_shader_atomic_float16_add", "VK_EXT_shader_atomic_float2"),
            _ => ("SPV_EXT_shader_atomic_float_add", "VK_EXT_shader_atomic_float"),
        };
        self.extensions.insert(extension);
        self.device_extensions.insert(device_extension);
    }

    fn float_min_max(&mut self, bits: u32, memory: AtomicMemory) {
        let (capability, buffer, shared) = match bits {
            16 => (
                Capability::AtomicFloat16MinMaxEXT,
                "shaderBufferFloat16AtomicMinMax",
                "shaderSharedFloat16AtomicMinMax",
            ),
            32 => (
                Capability::AtomicFloat32MinMaxEXT,
                "shaderBufferFloat32AtomicMinMax",
                "shaderSharedFloat32AtomicMinMax",
            ),
            _ => (
                Capability::AtomicFloat64MinMaxEXT,
                "shaderBufferFloat64AtomicMinMax",
                "shaderSharedFloat64AtomicMinMax",
            ),
        };
        self.with_feature(capability, memory.feature(buffer, shared));
        self.extensions.insert("SPV_EXT_shader_atomic_float_min_max");
        self.device_extensions.insert("VK_EXT_shader_atomic_float2");
    }

    fn group(&mut self, module: &Module, inst: Inst) {
        let operation = view::Group::of(module, inst).and_then(|group| group.operation);
        let op = module.op(inst);
        match op {
            Op::GroupNonUniformElect => self.subgroup(Capability::GroupNonUniform, "basic"),
            Op::GroupNonUniformAll | Op::GroupNonUniformAny | Op::GroupNonUniformAllEqual => {
                self.subgroup(Capability::GroupNonUniformVote, "vote");
            }
            Op::GroupNonUniformShuffle | Op::GroupNonUniformShuffleXor => {
                self.subgroup(Capability::GroupNonUniformShuffle, "shuffle");
            }
            Op::GroupNonUniformShuffleUp | Op::GroupNonUniformShuffleDown => {
                self.subgroup(Capability::GroupNonUniformShuffleRelative, "shuffleRelative");
            }
            Op::GroupNonUniformQuadBroadcast | Op::GroupNonUniformQuadSwap => {
                self.subgroup(Capability::GroupNonUniformQuad, "quad");
            }
            _ if Op::GroupNonUniformBroadcast <= op && op <= Op::GroupNonUniformBallotFindMSB => {
                self.subgroup(Capability::GroupNonUniformBallot, "ballot");
            }
            _ if Op::GroupNonUniformIAdd <= op && op <= Op::GroupNonUniformLogicalXor => match operation {
                Some(GroupOperation::ClusteredReduce) => {
                    self.subgroup(Capability::GroupNonUniformClustered, "clustered");
                }
                _ => self.subgroup(Capability::GroupNonUniformArithmetic, "arithmetic"),
            },
            _ => return,
        }
        let values = module.ty(inst).into_iter().chain(module.operands(inst).filter_map(|operand| module.ty(operand)));
        let widths = values.filter_map(|ty| module.width(module.components(ty).0).map(|width| (ty, width)));
        let mut extended =
            widths.filter(|&(ty, width)| matches!(width, 8 | 16) || is_int(module, module.components(ty).0, 64));
        if extended.next().is_some() {
            self.features.insert("shaderSubgroupExtendedTypes");
        }
    }
}

/// The widths of the scalars in a type. Linear in the type.
fn scalar_widths(module: &Module, ty: Inst) -> BTreeSet<u32> {
    let mut widths = BTreeSet::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match module.type_view(ty) {
            Some(TypeView::Struct { members }) => stack.extend(members),
            _ => {
                widths.extend(module.width(ty));
                stack.extend(module.element_type(ty));
            }
        }
    }
    widths
}
