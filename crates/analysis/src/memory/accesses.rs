//! The memory effects of the instructions of a function: the place that each reads, the places that it writes.

use reconverge_ir::{Class, Effects, Inst, Module, Op, view};
use smallvec::{SmallVec, smallvec};
use spirv::MemorySemantics;

use super::groups::Groups;
use super::location::{Location, Locations};
use crate::effects::{has_effect, is_movable_load, is_standard_set, is_vector_load, motion};
use crate::is_debug_set;

/// The memory that an instruction writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Write {
    /// Places.
    pub(super) places: SmallVec<[u32; 2]>,
    /// All memory of these kinds whose address others may have.
    pub(super) exposed: Groups,
    /// All memory of these kinds.
    pub(super) whole: Groups,
}

/// The memory effect of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MemoryEffect {
    /// It reads a place, and may move with the state of the place.
    Read(u32),
    /// It writes, and does not move.
    Write(Write),
}

/// An instruction that accesses memory.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Its position among blocks and accesses, in preorder of the dominator tree; a block is before its contents.
    pub(super) position: u32,
    pub(super) inst: Inst,
    pub(super) access: MemoryEffect,
}

/// The accesses of a function.
#[derive(Debug)]
pub(super) struct Accesses<'m> {
    pub(super) locations: Locations<'m>,
    /// In order of their positions.
    pub(super) events: Vec<Event>,
    /// By place in the preorder, the position of a block, one before its first access; then the end.
    pub(super) starts: Vec<u32>,
    /// The number of instructions and blocks in the function.
    pub(super) size: usize,
}

impl<'m> Accesses<'m> {
    /// Walks over the reachable blocks, given with their instructions in preorder of the dominator tree. Linear.
    pub(super) fn compute<B: Iterator<Item = (Inst, Op)>>(module: &'m Module, blocks: impl Iterator<Item = B>) -> Self {
        let locations = Locations::new(module);
        let mut accesses = Accesses { locations, events: Vec::new(), starts: Vec::new(), size: 0 };
        let mut position = 0;
        for block in blocks {
            accesses.starts.push(position);
            (accesses.size, position) = (accesses.size + 1, position + 1);
            for (inst, op) in block {
                accesses.size += 1;
                let effects = op.effects();
                if (effects.contains(Effects::READS) || effects.contains(Effects::WRITES))
                    && let Some(access) = accesses.access(module, inst, op)
                {
                    accesses.events.push(Event { position, inst, access });
                    position += 1;
                }
            }
        }
        accesses.starts.push(position);
        accesses
    }

    /// The memory effect of an instruction with effects, if it has one.
    fn access(&mut self, module: &Module, inst: Inst, op: Op) -> Option<MemoryEffect> {
        let locations = &mut self.locations;
        if let Some(view::Access { pointer }) = view::Access::of(module, inst) {
            return Some(match op {
                Op::Load => self.load(module, inst, pointer),
                Op::Store | Op::CopyMemory | Op::LifetimeStart | Op::LifetimeStop => {
                    write(&[locations.of_pointer(pointer)])
                }
                Op::CopyMemorySized | Op::CooperativeMatrixStoreKHR => write(&[locations.whole_of_pointer(pointer)]),
                _ => {
                    let place = locations.of_pointer(pointer).place;
                    let whole = if orders(module, inst) { Groups::SHARED } else { Groups::NONE };
                    MemoryEffect::Write(Write { places: smallvec![place], exposed: Groups::NONE, whole })
                }
            });
        }
        match op {
            Op::ExtInst => self.extended(module, inst),
            Op::AssumeTrueKHR | Op::DemoteToHelperInvocation | Op::IsHelperInvocationEXT => None,
            op if view::ImageUse::covers(op) => Some(self.image(module, inst)),
            op if matches!(op.class(), Class::Barrier | Class::Group) => Some(everything(Groups::NONE)),
            op if op.class() == Class::Geometry => {
                Some(MemoryEffect::Write(Write { places: smallvec![], exposed: Groups::NONE, whole: Groups::OUTPUT }))
            }
            op if !op.effects().contains(Effects::WRITES) && op.class() != Class::Opaque => None,
            _ => Some(everything(Groups::ALL)),
        }
    }

    fn load(&mut self, module: &Module, inst: Inst, pointer: Inst) -> MemoryEffect {
        let location = self.locations.of_pointer(pointer);
        let is_reader = is_movable_load(module, inst) && !location.is_ordered;
        if is_reader { MemoryEffect::Read(location.place) } else { write(&[location]) }
    }

    fn image(&mut self, module: &Module, inst: Inst) -> MemoryEffect {
        let Some(view::ImageUse { image }) = view::ImageUse::of(module, inst) else { return everything(Groups::ALL) };
        let location = self.locations.of_image(image);
        let is_reader = motion(module, inst).reads_memory && !location.is_ordered;
        if is_reader { MemoryEffect::Read(location.place) } else { write(&[location]) }
    }

    fn extended(&mut self, module: &Module, inst: Inst) -> Option<MemoryEffect> {
        let view::ExtInst { set, operands, .. } = view::ExtInst::of(module, inst)?;
        if is_debug_set(module, set) {
            return None;
        }
        if !is_standard_set(module, set) {
            return Some(everything(Groups::ALL));
        }
        let is_pointer = |operand: &Inst| module.ty(*operand).is_some_and(|ty| module.op(ty) == Op::TypePointer);
        let pointers = operands.iter().filter(is_pointer);
        let locations: SmallVec<[Location; 2]> =
            pointers.map(|pointer| self.locations.whole_of_pointer(pointer)).collect();
        match locations.as_slice() {
            [] => None,
            &[location] if is_vector_load(module, inst) && !location.is_ordered => {
                Some(MemoryEffect::Read(location.place))
            }
            _ if has_effect(module, inst) || is_vector_load(module, inst) => Some(write(&locations)),
            _ => None,
        }
    }
}

fn write(locations: &[Location]) -> MemoryEffect {
    let places = locations.iter().map(|location| location.place).collect();
    MemoryEffect::Write(Write { places, exposed: Groups::NONE, whole: Groups::NONE })
}

/// All memory that lanes share, and all memory of these kinds whose address others may have.
fn everything(exposed: Groups) -> MemoryEffect {
    MemoryEffect::Write(Write { places: smallvec![], exposed, whole: Groups::SHARED })
}

/// Returns whether an atomic may acquire or release.
pub(super) fn orders(module: &Module, inst: Inst) -> bool {
    let ordered = MemorySemantics::ACQUIRE
        | MemorySemantics::RELEASE
        | MemorySemantics::ACQUIRE_RELEASE
        | MemorySemantics::SEQUENTIALLY_CONSISTENT;
    let orders = |semantics| {
        let word = module.constant_word(semantics);
        word.is_none_or(|word| MemorySemantics::from_bits_retain(word).intersects(ordered))
    };
    view::Atomic::of(module, inst)
        .is_none_or(|atomic| orders(atomic.semantics) || atomic.unequal_semantics.is_some_and(orders))
}
