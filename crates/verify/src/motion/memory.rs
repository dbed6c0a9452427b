//! Memory accesses of instructions.

use reconverge_ir::{Class, Effects, Inst, Module, Op, view};
use spirv::{MemorySemantics, StorageClass};

use super::places::{Target, is_read_only};

/// The memory that an instruction reads.
pub(super) enum Read {
    /// None that could change.
    Nothing,
    /// The target of a pointer.
    Target(Target),
    /// Texels of any image.
    Images,
    /// Any memory.
    Everything,
}

impl Read {
    /// The memory that a movable instruction reads.
    pub(super) fn of(module: &Module, inst: Inst) -> Read {
        match module.op(inst) {
            Op::Load => {
                let Some(view::Load { pointer, .. }) = view::Load::of(module, inst) else { return Read::Everything };
                let target = Target::of(module, pointer);
                match is_read_only(module, target.root) {
                    true => Read::Nothing,
                    false => Read::Target(target),
                }
            }
            op if op.class() == Class::Image && op.effects().contains(Effects::READS) => Read::Images,
            Op::ExtInst => Read::Nothing,
            op if op.effects().contains(Effects::READS) => Read::Everything,
            _ => Read::Nothing,
        }
    }
}

/// Returns whether an instruction that must not move may change the memory.
pub(super) fn may_change(module: &Module, writer: Inst, read: &Read) -> bool {
    match read {
        Read::Nothing => false,
        Read::Everything => true,
        Read::Images => may_change_images(module, writer),
        Read::Target(target) => may_change_target(module, writer, target),
    }
}

fn may_change_images(module: &Module, writer: Inst) -> bool {
    match module.op(writer) {
        Op::Store | Op::CopyMemory | Op::CopyMemorySized => {
            let class = view::Access::of(module, writer).and_then(|access| module.storage_class(access.pointer));
            matches!(class, Some(StorageClass::Image | StorageClass::UniformConstant) | None)
        }
        Op::Variable | Op::Load | Op::LifetimeStart | Op::LifetimeStop => false,
        Op::ExtInst => false,
        op => op.class() == Class::Atomic || op.effects().contains(Effects::WRITES),
    }
}

fn may_change_target(module: &Module, writer: Inst, target: &Target) -> bool {
    let overlaps = || {
        let access = view::Access::of(module, writer);
        access.is_none_or(|access| Target::of(module, access.pointer).may_overlap(module, target))
    };
    match module.op(writer) {
        Op::Store | Op::CopyMemory | Op::CopyMemorySized | Op::LifetimeStart | Op::LifetimeStop => overlaps(),
        // Each call creates the variable again, with the value of its initializer.
        Op::Variable => writer == target.root,
        Op::Load | Op::ImageWrite => false,
        Op::AtomicLoad | Op::AtomicStore => synchronizes(module, writer, target) || overlaps(),
        op if op.class() == Class::Atomic => synchronizes(module, writer, target) || overlaps(),
        Op::ControlBarrier | Op::MemoryBarrier | Op::MemoryNamedBarrier => is_shared(module, target),
        op if op.class() == Class::Group || op.class() == Class::Derivative => {
            op.effects().contains(Effects::WRITES) && !target.is_own(module)
        }
        op if op.effects().contains(Effects::WRITES) => !target.is_own(module),
        _ => false,
    }
}

/// Returns whether other invocations can write the target of a pointer.
fn is_shared(module: &Module, target: &Target) -> bool {
    use StorageClass::{Function, Input, Private, PushConstant};
    !matches!(module.storage_class(target.root), Some(Function | Private | Input | PushConstant))
}

/// Returns whether an atomic makes writes of other invocations visible: any order except relaxed may.
fn synchronizes(module: &Module, atomic: Inst, target: &Target) -> bool {
    let orders = MemorySemantics::ACQUIRE
        | MemorySemantics::RELEASE
        | MemorySemantics::ACQUIRE_RELEASE
        | MemorySemantics::SEQUENTIALLY_CONSISTENT;
    let word = view::Atomic::of(module, atomic).and_then(|atomic| module.constant_word(atomic.semantics));
    let may_order = word.is_none_or(|word| MemorySemantics::from_bits_retain(word).intersects(orders));
    may_order && is_shared(module, target)
}
