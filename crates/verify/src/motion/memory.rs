//! What instructions read and write.

use reconverge_ir::{Class, Effects, Inst, Module, Op};

use super::places::{self, Target, is_read_only};

/// What an instruction reads.
pub(super) enum Read {
    /// Nothing that could change.
    Nothing,
    /// What a pointer leads to.
    Target(Target),
    /// Texels of any image.
    Images,
    /// Anything.
    Everything,
}

impl Read {
    /// What an instruction that can move reads.
    pub(super) fn of(module: &Module, inst: Inst) -> Read {
        match module.op(inst) {
            Op::Load => {
                let target = Target::of(module, module.operand(inst, 0));
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

/// Whether an instruction that does not move may change what is read.
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
            let class = places::storage_class(module, module.operand(writer, 0));
            matches!(class, Some(places::IMAGE | places::UNIFORM_CONSTANT) | None)
        }
        Op::Variable | Op::Load | Op::LifetimeStart | Op::LifetimeStop => false,
        Op::ExtInst => false,
        op => op.class() == Class::Atomic || op.effects().contains(Effects::WRITES),
    }
}

fn may_change_target(module: &Module, writer: Inst, target: &Target) -> bool {
    let overlaps = |operand: usize| Target::of(module, module.operand(writer, operand)).may_overlap(module, target);
    match module.op(writer) {
        Op::Store | Op::CopyMemory | Op::CopyMemorySized | Op::LifetimeStart | Op::LifetimeStop => overlaps(0),
        // Each time the function runs the variable is another one, and it starts with what its initializer says.
        Op::Variable => writer == target.root,
        Op::Load | Op::ImageWrite => false,
        Op::AtomicLoad | Op::AtomicStore => synchronizes(module, writer, target) || overlaps(0),
        op if op.class() == Class::Atomic => synchronizes(module, writer, target) || overlaps(0),
        Op::ControlBarrier | Op::MemoryBarrier | Op::MemoryNamedBarrier => is_shared(module, target),
        op if op.class() == Class::Group || op.class() == Class::Derivative => {
            op.effects().contains(Effects::WRITES) && !target.is_own(module)
        }
        op if op.effects().contains(Effects::WRITES) => !target.is_own(module),
        _ => false,
    }
}

/// Whether other invocations can write what a pointer leads to.
fn is_shared(module: &Module, target: &Target) -> bool {
    let class = places::storage_class(module, target.root);
    !matches!(class, Some(places::FUNCTION | places::PRIVATE | places::INPUT | places::PUSH_CONSTANT))
}

/// Whether an atomic brings in what others wrote: any order but relaxed may.
fn synchronizes(module: &Module, atomic: Inst, target: &Target) -> bool {
    const ORDERS: u32 = 2 | 4 | 8 | 16;
    let semantics = module.operands(atomic).nth(2).filter(|&value| module.op(value) == Op::Constant);
    let word = semantics.and_then(|value| module.literal_word(module.operand(value, 0)));
    word.is_none_or(|word| word & ORDERS != 0) && is_shared(module, target)
}
