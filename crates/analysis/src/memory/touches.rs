//! The reads and overwrites of each place of memory, as sorted lists of positions, to search for the first of either.
//!
//! A write that is never read does not matter to any chain of states, and a call, a copy or an atomic that reads is a write to them. So the
//! reads of all instructions are collected again here:
//!
//! ```text
//! place a       read at 7           what concerns a.1:  reads at a.1, at a, and at what lies in a.1
//!   a.1         overwritten at 3                        overwritten at a.1 or at a
//!     a.1.0     read at 9
//! ```

use reconverge_graph::DominatorTree;
use reconverge_ir::{Class, Effects, Inst, Module, Numbering, Op, view};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::MemoryAccess;

use super::accesses::orders;
use super::groups::Groups;
use super::location::{Location, Locations};
use crate::effects::{is_plain_write, is_standard_set, is_volatile};
use crate::{FlowGraph, is_debug_set};

/// The target of a write, as far as it is compared with others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Target {
    /// The whole of a place.
    Place(u32),
    /// The target of a pointer, which is a part of a place.
    Pointer(u32, Inst),
    /// Something in a place.
    Part(u32),
}

impl Target {
    /// The innermost place that is known to contain it.
    pub(super) fn place(self) -> u32 {
        let (Target::Place(place) | Target::Pointer(place, _) | Target::Part(place)) = self;
        place
    }
}

/// The touches of a function.
#[derive(Debug)]
pub(super) struct Touches<'m> {
    module: &'m Module,
    pub(super) locations: Locations<'m>,
    /// By place in the preorder, the position of a block, one before its first instruction; then the end.
    pub(super) starts: Vec<u32>,
    /// The instructions by position; blocks at their own.
    pub(super) order: Vec<Inst>,
    pub(super) positions: Numbering,
    /// By place: the reads of it as a whole or of an unknown part, the reads of known parts, and the overwrites of the whole.
    reads: Vec<Vec<u32>>,
    inner_reads: Vec<Vec<u32>>,
    overwrites: Vec<Vec<u32>>,
    /// By pointer, the overwrites of its target.
    by_pointer: FxHashMap<Inst, Vec<u32>>,
    /// By kind: the reads of all of it, the reads of all exposed objects, and the reads of unknown ones of these.
    whole: [Vec<u32>; Groups::COUNT],
    anything: [Vec<u32>; Groups::COUNT],
    exposed: [Vec<u32>; Groups::COUNT],
    /// The writes that may be removed if they are not read, by position.
    pub(super) writes: Vec<(u32, Target)>,
}

impl<'m> Touches<'m> {
    /// Walks over the reachable blocks. Linear in instructions, and in the depth of the places that are read.
    pub(super) fn compute(module: &'m Module, flow: &FlowGraph, dominators: &DominatorTree) -> Self {
        let (mut starts, mut order) = (Vec::with_capacity(dominators.preorder().len() + 1), Vec::new());
        for &node in dominators.preorder() {
            let block = flow.block(node);
            starts.push(order.len() as u32);
            order.push(block.inst());
            order.extend(module.children(block));
        }
        starts.push(order.len() as u32);
        let positions = Numbering::in_order(&order);
        let mut touches = Touches {
            module,
            locations: Locations::new(module),
            starts,
            order,
            positions,
            reads: Vec::new(),
            inner_reads: Vec::new(),
            overwrites: Vec::new(),
            by_pointer: FxHashMap::default(),
            whole: Default::default(),
            anything: Default::default(),
            exposed: Default::default(),
            writes: Vec::new(),
        };
        for position in 0..touches.order.len() as u32 {
            touches.add(position, touches.order[position as usize]);
        }
        touches.make_room();
        touches
    }

    /// The places that contain a place, itself first.
    fn around(&self, place: u32) -> impl Iterator<Item = u32> {
        let parent = |place: &u32| Some(self.locations.places[*place as usize].parent).filter(|parent| parent != place);
        std::iter::successors(Some(place), parent)
    }

    /// The lists of reads of a target. Some may be empty.
    pub(super) fn reads_of(&self, target: Target) -> SmallVec<[&[u32]; 8]> {
        let place = target.place();
        let object = self.locations.object(place);
        let mut lists: SmallVec<[&[u32]; 8]> = SmallVec::new();
        lists.push(&self.inner_reads[place as usize]);
        lists.extend(self.around(place).map(|place| self.reads[place as usize].as_slice()));
        for kind in object.groups.numbers() {
            lists.push(&self.whole[kind]);
            if object.is_exposed {
                lists.push(&self.anything[kind]);
            }
            if object.is_anything {
                lists.push(&self.exposed[kind]);
            }
        }
        lists
    }

    /// The lists of overwrites of a whole target.
    pub(super) fn overwrites_of(&self, target: Target) -> SmallVec<[&[u32]; 8]> {
        let mut lists: SmallVec<[&[u32]; 8]> =
            self.around(target.place()).map(|place| self.overwrites[place as usize].as_slice()).collect();
        if let Target::Pointer(_, pointer) = target {
            lists.push(&self.by_pointer[&pointer]);
        }
        lists
    }

    fn add(&mut self, position: u32, inst: Inst) {
        let module = self.module;
        let op = module.op(inst);
        let effects = op.effects();
        let accesses = effects.contains(Effects::READS) || effects.contains(Effects::WRITES);
        if matches!(op, Op::Block | Op::EdgeBlock) || !accesses && op.class() != Class::Opaque {
            return;
        }
        match op {
            Op::Load => {
                view::Load::of(module, inst).into_iter().for_each(|load| self.read(position, load.pointer));
            }
            Op::Store | Op::LifetimeStart | Op::LifetimeStop => self.write(position, inst),
            Op::CopyMemory => {
                view::CopyMemory::of(module, inst).into_iter().for_each(|copy| self.read(position, copy.source));
                self.write(position, inst);
            }
            Op::CopyMemorySized => {
                let copy = view::CopyMemorySized::of(module, inst);
                copy.into_iter().for_each(|copy| self.read_whole(position, copy.source));
                self.write(position, inst);
            }
            Op::AssumeTrueKHR | Op::IsHelperInvocationEXT => {}
            // Helpers write nothing that others see: later writes overwrite nothing for them.
            Op::DemoteToHelperInvocation => self.read_kinds(position, Groups::SHARED, Groups::NONE),
            Op::ExtInst => self.extended(position, inst),
            op if op.class() == Class::Image => {}
            op if op.class() == Class::Atomic => {
                view::Atomic::of(module, inst).into_iter().for_each(|atomic| self.read(position, atomic.pointer));
                if orders(module, inst) {
                    self.read_kinds(position, Groups::SHARED, Groups::NONE);
                }
            }
            op if matches!(op.class(), Class::Barrier | Class::Group) => {
                self.read_kinds(position, Groups::SHARED, Groups::NONE);
            }
            _ => self.read_kinds(position, Groups::SHARED, Groups::ALL),
        }
    }

    fn extended(&mut self, position: u32, inst: Inst) {
        let module = self.module;
        let Some(view::ExtInst { set, operands, .. }) = view::ExtInst::of(module, inst) else { return };
        if is_debug_set(module, set) {
            return;
        }
        if !is_standard_set(module, set) {
            return self.read_kinds(position, Groups::SHARED, Groups::ALL);
        }
        let is_pointer = |operand: &Inst| module.ty(*operand).is_some_and(|ty| module.op(ty) == Op::TypePointer);
        for pointer in operands.iter().filter(is_pointer) {
            self.read_whole(position, pointer);
        }
    }

    fn read(&mut self, position: u32, pointer: Inst) {
        let location = self.locations.of_pointer(pointer);
        self.read_at(position, location);
    }

    fn read_whole(&mut self, position: u32, pointer: Inst) {
        let location = self.locations.whole_of_pointer(pointer);
        self.read_at(position, location);
    }

    fn read_at(&mut self, position: u32, location: Location) {
        self.make_room();
        let object = self.locations.object(location.place);
        let (groups, is_anything, is_exposed) = (object.groups, object.is_anything, object.is_exposed);
        for kind in groups.numbers().filter(|_| is_exposed) {
            push(&mut self.exposed[kind], position);
            if is_anything {
                push(&mut self.anything[kind], position);
            }
        }
        self.reads[location.place as usize].push(position);
        let mut place = location.place;
        loop {
            push(&mut self.inner_reads[place as usize], position);
            let parent = self.locations.places[place as usize].parent;
            if parent == place {
                break;
            }
            place = parent;
        }
    }

    fn read_kinds(&mut self, position: u32, whole: Groups, anything: Groups) {
        whole.numbers().for_each(|kind| push(&mut self.whole[kind], position));
        anything.numbers().for_each(|kind| push(&mut self.anything[kind], position));
    }

    /// Records a store, a copy's target, or a lifetime's end, which overwrites the previous content.
    fn write(&mut self, position: u32, inst: Inst) {
        let module = self.module;
        let Some(view::Access { pointer }) = view::Access::of(module, inst) else { return };
        let op = module.op(inst);
        let is_sized = op == Op::CopyMemorySized;
        let location = match is_sized {
            true => self.locations.whole_of_pointer(pointer),
            false => self.locations.of_pointer(pointer),
        };
        self.make_room();
        if is_volatile(module, inst) || location.is_ordered {
            return;
        }
        let target = match location.is_exact {
            true => Target::Place(location.place),
            false if is_sized => Target::Part(location.place),
            false => Target::Pointer(location.place, pointer),
        };
        let is_access = matches!(op, Op::Store | Op::CopyMemory);
        match target {
            Target::Place(place) => self.overwrites[place as usize].push(position),
            Target::Pointer(..) if is_access => self.by_pointer.entry(pointer).or_default().push(position),
            _ => {}
        }
        if (is_access || is_sized) && is_plain_write(module, inst) && is_private_access(module, inst) {
            self.writes.push((position, target));
        }
    }

    /// Creates lists for the places found so far.
    fn make_room(&mut self) {
        let count = self.locations.places.len();
        for lists in [&mut self.reads, &mut self.inner_reads, &mut self.overwrites] {
            lists.resize(count, Vec::new());
        }
    }
}

/// Appends a position, once.
fn push(list: &mut Vec<u32>, position: u32) {
    if list.last() != Some(&position) {
        list.push(position);
    }
}

/// Returns whether the memory operands of a store or copy concern neither other lanes nor aliases: `Aligned`, `Nontemporal` and
/// `NonPrivatePointer` alone.
fn is_private_access(module: &Module, inst: Inst) -> bool {
    const HARMLESS: MemoryAccess =
        MemoryAccess::ALIGNED.union(MemoryAccess::NONTEMPORAL).union(MemoryAccess::NON_PRIVATE_POINTER);
    module.memory_accesses(inst).all(|access| HARMLESS.contains(access.mask))
}
