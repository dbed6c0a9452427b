//! Origins of differing values, and memory that holds the same for all lanes: inputs, built-ins, variables.
//!
//! The facts of a launch decide about built-in inputs. Of those without a fact, this is known for any launch.

use reconverge_ir::{Inst, Module, Op, decoration, view};
use spirv::{BuiltIn, Decoration, StorageClass};

use super::Instruction;
use crate::declarations::{block_type, is_read_only_buffer};
use crate::uniformity::cause::Source;
use crate::uniformity::level::Level;
use crate::uniformity::origin::Origin;
use crate::uniformity::variation::Scope;

/// The result of loading from a variable, if the address is the same for all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Memory {
    /// This level; if it is divergent, with its source.
    Known(Level, Source),
    /// Memory that other lanes may write.
    Shared,
    /// A vector that is affine in its first component and uniform in the others.
    FirstAffine,
    /// Memory of the lane, whose contents are tracked where possible.
    Own,
}

/// The execution of an instruction by the lanes of the scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::uniformity) enum Execution {
    /// Each lane in its own time: another one may write memory between the loads of two lanes. Pointers have no number.
    Any,
    /// As one instruction of a machine, on memory with addresses.
    Pack,
}

/// The properties that the lanes of the scope have in all functions of a module.
#[derive(Clone, Copy, Debug)]
pub(in crate::uniformity) struct Setting {
    pub(in crate::uniformity) scope: Scope,
    pub(in crate::uniformity) execution: Execution,
    /// The size of every workgroup, if it is known and the same for all entry points.
    pub(in crate::uniformity) local_size: Option<[u32; 3]>,
    /// True if every workgroup is a line of lanes: N × 1 × 1.
    pub(in crate::uniformity) is_line: bool,
    /// True if there are kernels: global numbers begin anywhere, and the last subgroup of a workgroup may be smaller.
    pub(in crate::uniformity) has_kernels: bool,
}

impl Setting {
    /// The setting of a pack of a kernel, of whose launch nothing is known.
    pub(in crate::uniformity) fn of_pack() -> Setting {
        let (scope, execution) = (Scope::Subgroup, Execution::Pack);
        Setting { scope, execution, local_size: None, is_line: false, has_kernels: true }
    }
}

impl<L: Fn(u32) -> Level> Instruction<'_, L> {
    /// The level of what a load reads.
    pub(super) fn load(&self) -> (Level, Origin) {
        let (module, setting) = (self.rules.module, self.rules.setting);
        let pointer = view::Load::of(module, self.inst).map(|load| load.pointer);
        if let Some(fact) = pointer.and_then(|pointer| self.fact_of(pointer)) {
            return (fact, if fact.differs() { Origin::Source(Source::Input) } else { Origin::Nothing });
        }
        let strict = self.strict();
        if strict.0 != Level::UNIFORM {
            return strict;
        }
        let is_steady = setting.execution == Execution::Pack || !module.memory_access(self.inst).is_volatile();
        let Some(pointer) = pointer.filter(|_| is_steady) else {
            return (Level::Divergent, Origin::Source(Source::SharedMemory));
        };
        let (root, depth) = root_of(module, pointer);
        match memory_of(module, root, setting) {
            Memory::Known(level, source) if level.differs() => (level, Origin::Source(source)),
            Memory::Known(level, _) => (level, Origin::Nothing),
            Memory::Shared if setting.execution == Execution::Pack => (Level::UNIFORM, Origin::Nothing),
            Memory::Shared => (Level::Divergent, Origin::Source(Source::SharedMemory)),
            Memory::FirstAffine => match depth {
                0 => (Level::Stride(1), Origin::Source(Source::Input)),
                _ => self.component_of_line(pointer),
            },
            Memory::Own => (Level::Divergent, Origin::Source(Source::PrivateMemory)),
        }
    }

    /// What is known of the scalar input that a pointer is the address of.
    fn fact_of(&self, pointer: Inst) -> Option<Level> {
        let (facts, _) = self.rules.launch?;
        let ty = self.rules.module.ty(self.inst)?;
        let fact = facts.at(self.rules.module, pointer).filter(|_| self.rules.module.op(ty) == Op::TypeInt)?;
        Some(fact.variation.into())
    }

    /// A component of the local or global number in a workgroup that is a line.
    fn component_of_line(&self, pointer: Inst) -> (Level, Origin) {
        let module = self.rules.module;
        let indexes = view::Chain::of(module, pointer).map(|chain| chain.indexes).unwrap_or_default();
        let index = indexes.first().and_then(|index| module.constant_word(index));
        let is_direct = root_of(module, pointer).1 == 1 && indexes.len() == 1;
        match index {
            Some(0) if is_direct => (Level::Stride(1), Origin::Source(Source::Input)),
            Some(1 | 2) if is_direct => (Level::UNIFORM, Origin::Nothing),
            _ => (Level::Divergent, Origin::Source(Source::Input)),
        }
    }

    /// Returns whether the number of a pointer tells nothing about other lanes: pointers have none, or each lane has its own memory there.
    pub(super) fn has_own_number(&self) -> bool {
        let class = self.rules.module.storage_class(self.operand(super::ONLY));
        self.rules.setting.execution == Execution::Any || is_own(class)
    }
}

/// The variable or other value that a pointer points into, and the number of access chains.
pub(in crate::uniformity) fn root_of(module: &Module, pointer: Inst) -> (Inst, usize) {
    let (mut pointer, mut depth) = (pointer, 0);
    while let Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject = module.op(pointer)
        && let Some(view::DerivedPointer { base }) = view::DerivedPointer::of(module, pointer)
    {
        pointer = base;
        depth += 1;
    }
    (pointer, depth)
}

/// Returns whether each lane has its own memory of a storage class.
fn is_own(class: Option<StorageClass>) -> bool {
    matches!(class, None | Some(StorageClass::Function | StorageClass::Private | StorageClass::Output))
}

/// The contents of the memory that a pointer without access chains points to.
fn memory_of(module: &Module, root: Inst, setting: &Setting) -> Memory {
    if module.op(root) != Op::Variable {
        let is_own = setting.execution == Execution::Pack && is_own(module.storage_class(root));
        return if is_own { Memory::Own } else { Memory::Shared };
    }
    let uniform = Memory::Known(Level::UNIFORM, Source::Input);
    if module.decorated(root).has(Decoration::Volatile) {
        return Memory::Shared;
    }
    let Some(class) = view::Variable::of(module, root).and_then(|variable| variable.storage_class) else {
        return Memory::Shared;
    };
    match class {
        StorageClass::UniformConstant | StorageClass::PushConstant => uniform,
        StorageClass::Uniform if !is_buffer_block(module, root) => uniform,
        StorageClass::Input => input(module, root, setting),
        StorageClass::Function | StorageClass::Private | StorageClass::Output => Memory::Own,
        StorageClass::Uniform | StorageClass::StorageBuffer if is_read_only(module, root) => uniform,
        _ => Memory::Shared,
    }
}

fn is_buffer_block(module: &Module, variable: Inst) -> bool {
    block_type(module, variable).is_some_and(|block| module.decorated(block).has(Decoration::BufferBlock))
}

/// Returns whether nothing writes a buffer while the program runs: it is declared so, or all of its members are, and it is not aliased.
fn is_read_only(module: &Module, variable: Inst) -> bool {
    !module.decorated(variable).has(Decoration::Aliased) && is_read_only_buffer(module, variable)
}

/// The built-in of a variable.
pub(in crate::uniformity) fn built_in_of(module: &Module, inst: Inst) -> Option<BuiltIn> {
    module.decorated(inst).find().map(|decoration::BuiltIn(built_in)| built_in)
}

/// The contents of an input.
fn input(module: &Module, variable: Inst, setting: &Setting) -> Memory {
    let Setting { scope, is_line, has_kernels, .. } = *setting;
    let uniform = Memory::Known(Level::UNIFORM, Source::Input);
    let affine = Memory::Known(Level::Stride(1), Source::Input);
    let divergent = Memory::Known(Level::Divergent, Source::Input);
    let Some(built_in) = built_in_of(module, variable) else { return divergent };
    let is_group = scope != Scope::Draw;
    match built_in {
        BuiltIn::NumWorkgroups
        | BuiltIn::WorkgroupSize
        | BuiltIn::WorkDim
        | BuiltIn::GlobalSize
        | BuiltIn::EnqueuedWorkgroupSize
        | BuiltIn::GlobalOffset => uniform,
        BuiltIn::WorkgroupId | BuiltIn::SubgroupMaxSize | BuiltIn::NumSubgroups | BuiltIn::NumEnqueuedSubgroups
            if is_group =>
        {
            uniform
        }
        BuiltIn::SubgroupId if scope == Scope::Subgroup => uniform,
        BuiltIn::SubgroupSize if scope == Scope::Subgroup || is_group && !has_kernels => uniform,
        BuiltIn::SubgroupLocalInvocationId if scope == Scope::Subgroup => affine,
        BuiltIn::LocalInvocationIndex if scope == Scope::Workgroup => affine,
        BuiltIn::LocalInvocationId | BuiltIn::GlobalInvocationId if scope == Scope::Workgroup && is_line => {
            Memory::FirstAffine
        }
        BuiltIn::BaseVertex | BuiltIn::BaseInstance | BuiltIn::DrawIndex if scope == Scope::Draw => uniform,
        _ => divergent,
    }
}
