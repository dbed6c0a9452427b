//! The freedom of an instruction to move, shared by value numbering, code motion and if-conversion.
//!
//! | | direction | speculation | reads memory |
//! |---|---|---|---|
//! | arithmetic, comparisons, composites, addresses | both | any | no |
//! | integer division | both | any if the divisor is a constant that cannot trap, else anticipated | no |
//! | queries of images and buffers, a component picked by a variable, pure work on handles | both | anticipated | no |
//! | loads of a lane's own memory, handles of single variables | both | any | yes |
//! | other loads, image reads, vector loads | both | anticipated | yes |
//! | derivatives | earlier | any | no |
//! | samples with implicit level of detail | earlier | anticipated | yes |
//! | `sampled_image` | with its users | any | no |
//! | stores, calls, atomics, barriers, group operations, volatile accesses, terminators, parameters, variables | pinned | | |
//!
//! *Anticipated*: only at a place from which every path executes the instruction, or where it was executed before; elsewhere it might
//! divide by zero, read out of bounds or race. *Earlier*: a derivative compares the lanes of a quad, so it may be executed where more of
//! them are converged and never where fewer are; a place that all lanes of the old place reach together is equivalent. *With its users*:
//! SPIR-V requires a `sampled_image` in the block of each of its users (section 2.16.1, universal validation rules); it is copied there.
//!
//! A reader is also bounded by memory: [`MemoryStates`](crate::memory::MemoryStates) determines where its state is valid; if the state is
//! unknown, the reader is not moved.

use reconverge_ir::{Class, Effects, Inst, Module, Op, OpGroup, Signedness, view};
use spirv::{ImageOperands, MemoryAccess, StorageClass};

use super::{has_effect, is_own_memory, is_plain_type, is_vector_load};
use crate::is_debug_set;

/// The direction in which an instruction may move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To any place between its operands and its uses.
    Both,
    /// To places where at least the lanes that execute it now are converged: up, or down on paths that all lanes take together.
    Earlier,
    /// Into the block of its users, once in each such block.
    WithUsers,
    /// Nowhere.
    Pinned,
}

/// The places where an instruction may be speculated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occasion {
    /// Anywhere.
    Any,
    /// Only where every path executes it.
    Anticipated,
}

/// The freedom of an instruction to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Motion {
    /// The direction.
    pub direction: Direction,
    /// The speculation.
    pub occasion: Occasion,
    /// True if the memory state also bounds it.
    pub reads_memory: bool,
}

impl Motion {
    /// An instruction that stays.
    pub const PINNED: Motion =
        Motion { direction: Direction::Pinned, occasion: Occasion::Anticipated, reads_memory: false };
    const FREE: Motion = Motion { direction: Direction::Both, occasion: Occasion::Any, reads_memory: false };
    const CAREFUL: Motion = Motion { occasion: Occasion::Anticipated, ..Motion::FREE };
    const READER: Motion = Motion { reads_memory: true, ..Motion::CAREFUL };
    const EARLIER: Motion = Motion { direction: Direction::Earlier, ..Motion::FREE };
    const SAMPLE: Motion = Motion { direction: Direction::Earlier, ..Motion::READER };

    /// Returns whether the instruction stays where it is.
    pub fn is_pinned(self) -> bool {
        self.direction == Direction::Pinned
    }

    /// Returns whether the instruction may be speculated.
    pub fn may_run_anywhere(self) -> bool {
        self.occasion == Occasion::Any && !self.is_pinned()
    }
}

/// The freedom of an instruction in a block to move. Linear in its operands and in the size of their types.
pub fn motion(module: &Module, inst: Inst) -> Motion {
    let op = module.op(inst);
    let by_op = match op {
        Op::Load => return of_load(module, inst),
        Op::ExtInst => of_extended(module, inst),
        Op::SampledImage => return Motion { direction: Direction::WithUsers, ..Motion::FREE },
        Op::BlockParameter | Op::FunctionParameter | Op::Variable | Op::Nop => Motion::PINNED,
        op if op.class() == Class::Image => of_image(module, inst),
        op if op.group() == OpGroup::IntegerDivision => of_division(module, inst),
        Op::ArrayLength => Motion::CAREFUL,
        Op::VectorExtractDynamic | Op::VectorInsertDynamic => {
            // The divisor is the last operand of both.
            let index = module.operands(inst).next_back();
            let is_known = index.is_some_and(|index| module.op(index) == Op::Constant);
            if is_known { Motion::FREE } else { Motion::CAREFUL }
        }
        op if op.class() == Class::Derivative => Motion::EARLIER,
        op if op.effects().is_pure() => Motion::FREE,
        _ => Motion::PINNED,
    };
    if by_op.is_pinned() {
        return by_op;
    }
    let values = module.operands(inst).chain([inst]);
    let kinds = values.filter_map(|value| module.ty(value)).map(|ty| kind_of(module, ty));
    match kinds.max() {
        _ if module.ty(inst).is_none() => Motion::PINNED,
        Some(ValueKind::Shared) => Motion::PINNED,
        Some(ValueKind::Handle) if by_op.direction == Direction::Both => {
            Motion { occasion: Occasion::Anticipated, ..by_op }
        }
        _ => by_op,
    }
}

/// Returns whether an instruction uses a `sampled_image`, which must be copied to wherever the instruction moves.
pub fn takes_sampled_image(module: &Module, inst: Inst) -> bool {
    module.op(inst).class() == Class::Image
        && module.operands(inst).any(|operand| module.op(operand) == Op::SampledImage)
}

/// The kind of a type's values: data and addresses, names of resources, or handles that lanes share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ValueKind {
    Plain,
    Handle,
    Shared,
}

fn kind_of(module: &Module, ty: Inst) -> ValueKind {
    match module.op(ty) {
        Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypePointer | Op::TypeVector | Op::TypeMatrix => {
            ValueKind::Plain
        }
        Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage | Op::TypeAccelerationStructureKHR => ValueKind::Handle,
        Op::TypeArray | Op::TypeStruct if is_plain_type(module, ty) => ValueKind::Plain,
        _ => ValueKind::Shared,
    }
}

/// Returns whether a load may move with the memory state: it is not volatile, makes nothing visible, and reads data or a handle.
pub(crate) fn is_movable_load(module: &Module, load: Inst) -> bool {
    let is_ordered =
        module.memory_access(load).mask.intersects(MemoryAccess::VOLATILE | MemoryAccess::MAKE_POINTER_VISIBLE);
    !is_ordered && module.ty(load).is_some_and(|ty| kind_of(module, ty) != ValueKind::Shared)
}

fn of_load(module: &Module, inst: Inst) -> Motion {
    if !is_movable_load(module, inst) {
        return Motion::PINNED;
    }
    let is_safe = match module.ty(inst).map(|ty| kind_of(module, ty)) {
        Some(ValueKind::Plain) => is_own_memory(module, inst),
        Some(ValueKind::Handle) => is_single_handle(module, inst),
        _ => return Motion::PINNED,
    };
    if is_safe { Motion { occasion: Occasion::Any, ..Motion::READER } } else { Motion::READER }
}

/// Returns whether a load is of the handle of a variable, rather than of one of an array.
fn is_single_handle(module: &Module, load: Inst) -> bool {
    let pointer = view::Load::of(module, load).map(|load| load.pointer);
    pointer.is_some_and(|pointer| module.is_variable_of(pointer, StorageClass::UniformConstant))
}

fn of_extended(module: &Module, inst: Inst) -> Motion {
    let is_debug = view::ExtInst::of(module, inst).is_some_and(|extended| is_debug_set(module, extended.set));
    if is_debug || has_effect(module, inst) {
        Motion::PINNED
    } else if is_vector_load(module, inst) {
        Motion::READER
    } else {
        Motion::FREE
    }
}

fn of_image(module: &Module, inst: Inst) -> Motion {
    let effects = module.op(inst).effects();
    let mask = view::ImageAccess::of(module, inst).map_or(ImageOperands::empty(), |access| access.operands.mask);
    let is_ordered = mask.intersects(ImageOperands::MAKE_TEXEL_VISIBLE | ImageOperands::VOLATILE_TEXEL);
    if effects.contains(Effects::WRITES) || is_ordered {
        return Motion::PINNED;
    }
    match (effects.contains(Effects::DERIVATIVE), effects.contains(Effects::READS)) {
        (true, true) => Motion::SAMPLE,
        (true, false) => Motion { direction: Direction::Earlier, ..Motion::CAREFUL },
        (false, true) => Motion::READER,
        (false, false) => Motion::CAREFUL,
    }
}

fn of_division(module: &Module, inst: Inst) -> Motion {
    let is_unsigned = matches!(module.op(inst), Op::UDiv | Op::UMod);
    let signedness = if is_unsigned { Signedness::Unsigned } else { Signedness::Signed };
    let is_safe = view::Binary::of(module, inst).is_some_and(|it| divides_always(module, it.right, signedness));
    if is_safe { Motion::FREE } else { Motion::CAREFUL }
}

/// Returns whether a divisor is a constant without zeros and, in a signed division, without minus one, which overflows.
fn divides_always(module: &Module, divisor: Inst, signedness: Signedness) -> bool {
    match module.op(divisor) {
        Op::ConstantComposite => module.operands(divisor).all(|part| divides_always(module, part, signedness)),
        Op::Constant => {
            let ty = module.ty(divisor).and_then(|ty| view::TypeInt::of(module, ty));
            let Some((words, view::TypeInt { width, .. })) = module.constant_words(divisor).zip(ty) else {
                return false;
            };
            let is_zero = words.iter().all(|&word| word == 0);
            !(is_zero || signedness == Signedness::Signed && is_minus_one(words, width))
        }
        _ => false,
    }
}

/// Returns whether the low `width` bits of some words are all set.
fn is_minus_one(words: &[u32], width: u32) -> bool {
    (0..width).all(|bit| words.get(bit as usize / 32).is_some_and(|word| word >> (bit % 32) & 1 != 0))
}
