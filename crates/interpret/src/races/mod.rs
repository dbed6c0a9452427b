//! Data races: unordered accesses of different lanes to the same byte.
//!
//! Two accesses race if one of them is a write, not both are atomic, and neither happens before the other (`happens_before.rs`): there is
//! no barrier between them whose memory semantics include that memory, and no chain of releasing and acquiring atomic operations. Bytes are
//! distinguished exactly. Only races in this interleaving are found; another order of the lanes may show more. The scopes of atomic
//! operations are ignored, and subgroup operations order nothing.

pub(crate) mod access;
pub(crate) mod copies;
pub(crate) mod happens_before;
pub(crate) mod shadow;

use std::cell::RefCell;
use std::collections::HashSet;

use reconverge_ir::Inst;
use spirv::MemorySemantics;

use crate::races::copies::AsyncCopy;
use crate::races::happens_before::{EVERYTHING, HappensBefore, Keeps, MemoryKind};
use crate::races::shadow::{Past, Shadow};
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::value::Owner;
use crate::{Access, Pointer, RaceRule};

/// The effect of an atomic operation on its variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomicEffect {
    Read,
    Write,
    ReadWrite,
}

/// The maximal number of recorded races.
const LIMIT: usize = 16;

/// The race detector.
#[derive(Debug)]
pub(crate) struct Watch {
    state: RefCell<RaceState>,
}

/// A race, with the interpreter's numbers of objects and lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundRace {
    pub(crate) first: Past,
    pub(crate) second: Past,
    pub(crate) owner: Owner,
    pub(crate) object: u32,
    pub(crate) offset: u64,
    pub(crate) rule: RaceRule,
}

#[derive(Debug, Default)]
struct RaceState {
    order: HappensBefore,
    /// The accesses to objects of all lanes, and to those of the current work-group.
    shared: Vec<Shadow>,
    group: Vec<Shadow>,
    group_number: u32,
    lanes: u32,
    /// The current lane and its place.
    lane: usize,
    inst: Option<Inst>,
    /// The copies that are not complete, and their first accesses.
    copies: Vec<(AsyncCopy, Past)>,
    /// For each lane of the group, true if it has executed an atomic operation that orders nothing.
    has_relaxed: Vec<bool>,
    found: Vec<FoundRace>,
    pairs: HashSet<(Inst, Inst)>,
}

impl Watch {
    pub(crate) fn new() -> Watch {
        Watch { state: RefCell::default() }
    }

    /// Starts a work-group, of fewer lanes than `lanes`: the last number is that of its copies.
    pub(crate) fn begin_group(&self, number: u32, lanes: usize) {
        let mut state = self.state.borrow_mut();
        (state.group_number, state.lanes) = (number, lanes as u32);
        state.group.clear();
        state.copies.clear();
        state.has_relaxed = vec![false; lanes];
        state.order.begin_group(number, lanes);
    }

    /// The work-group begins a copy: its accesses are ordered with none of the lanes' since the last barrier.
    pub(crate) fn at_copy(&self, inst: Inst) {
        let mut state = self.state.borrow_mut();
        // A lane alone needs no order.
        state.lane = if state.lanes <= 2 { 0 } else { state.lanes as usize - 1 };
        state.inst = Some(inst);
    }

    /// The copy whose accesses were recorded is not complete until its event is awaited.
    pub(crate) fn begins_copy(&self, copy: AsyncCopy) {
        let mut state = self.state.borrow_mut();
        let Some(inst) = state.inst else { return };
        let past = Past {
            lane: state.group_number * state.lanes + state.lanes - 1,
            group: state.group_number,
            inst,
            access: Access::Write,
            kind: MemoryKind::Buffers,
            epoch: 0,
            clock: 0,
        };
        state.copies.push((copy, past));
    }

    /// Sets the current lane and its place.
    pub(crate) fn at(&self, lane: usize, inst: Inst) {
        let mut state = self.state.borrow_mut();
        (state.lane, state.inst) = (lane, Some(inst));
    }

    /// An access to all bytes of a value of a type, without padding.
    pub(crate) fn note_typed(&self, access: Access, types: &TypeTable, ty: TypeId, pointer: Pointer) {
        match types.kind(ty) {
            Some(TypeKind::Struct(members)) => {
                for &(member, offset) in members {
                    self.note_typed(access, types, member, pointer.advanced(offset as i64));
                }
            }
            Some(&TypeKind::Sequence { element, count, stride }) if types.extent(element) < stride => {
                for index in 0..count {
                    self.note_typed(access, types, element, pointer.advanced((index * stride) as i64));
                }
            }
            _ => self.note(access, pointer, types.extent(ty)),
        }
    }

    /// An access to valid bytes through a pointer.
    pub(crate) fn note(&self, access: Access, pointer: Pointer, size: u64) {
        let kind = if pointer.owner == Owner::Shared { MemoryKind::Buffers } else { MemoryKind::Group };
        self.note_in(kind, access, pointer, size);
    }

    /// An access to a texel.
    pub(crate) fn note_texel(&self, access: Access, pointer: Pointer, size: u64) {
        self.note_in(MemoryKind::Texels, access, pointer, size);
    }

    fn note_in(&self, kind: MemoryKind, access: Access, pointer: Pointer, size: u64) {
        let mut state = self.state.borrow_mut();
        let RaceState { order, shared, group, group_number, lanes, lane, inst, copies, has_relaxed, found, pairs } =
            &mut *state;
        let shadows = match pointer.owner {
            Owner::Shared => shared,
            Owner::Group => group,
            Owner::Lane(_) | Owner::Nobody => return,
        };
        let (Some(inst), Ok(start)) = (*inst, usize::try_from(pointer.offset)) else { return };
        let number = pointer.object as usize;
        if shadows.len() <= number {
            shadows.resize_with(number + 1, Shadow::default);
        }
        let new = Past {
            lane: *group_number * *lanes + *lane as u32,
            group: *group_number,
            inst,
            access,
            kind,
            epoch: order.epoch(kind),
            clock: order.clock(*lane),
        };
        for (copy, past) in copies.iter() {
            let Some((offset, kind)) = copy.conflict(access, pointer, size) else { continue };
            if found.len() < LIMIT && pairs.insert((past.inst.min(inst), past.inst.max(inst))) {
                let (owner, object, first) = (pointer.owner, pointer.object, Past { access: kind, ..*past });
                found.push(FoundRace { first, second: new, owner, object, offset, rule: RaceRule::InFlight });
            }
        }
        shadows[number].access(start..start + size as usize, new, &mut |offset, past| {
            let is_new = found.len() < LIMIT && !order.is_behind(past, *lane);
            if is_new && pairs.insert((past.inst.min(inst), past.inst.max(inst))) {
                let (owner, object) = (pointer.owner, pointer.object);
                let rule = rule(past, &new, has_relaxed, *lanes);
                found.push(FoundRace { first: *past, second: new, owner, object, offset: offset as u64, rule });
            }
        });
    }

    /// Adds the memory semantics of an atomic operation that was recorded as an access.
    pub(crate) fn atomic(&self, pointer: Pointer, semantics: MemorySemantics, effect: AtomicEffect) {
        let RaceState { order, lane, has_relaxed, .. } = &mut *self.state.borrow_mut();
        let location = (pointer.owner, pointer.object, pointer.offset);
        has_relaxed[*lane] |= happens_before::orders_nothing(semantics);
        if effect != AtomicEffect::Write {
            order.read(*lane, location, semantics);
        }
        match effect {
            AtomicEffect::Read => {}
            AtomicEffect::Write => order.write(*lane, location, Keeps::Nothing, semantics),
            AtomicEffect::ReadWrite => order.write(*lane, location, Keeps::Published, semantics),
        }
    }

    /// The current lane executes a fence.
    pub(crate) fn fence(&self, semantics: MemorySemantics) {
        let RaceState { order, lane, .. } = &mut *self.state.borrow_mut();
        order.fence(*lane, semantics);
    }

    /// The lanes of the work-group execute a barrier.
    pub(crate) fn group_barrier(&self, semantics: MemorySemantics) {
        self.state.borrow_mut().order.group_barrier(semantics);
    }

    /// Some lanes execute a barrier.
    pub(crate) fn barrier(&self, lanes: &[usize], semantics: MemorySemantics) {
        self.state.borrow_mut().order.barrier(lanes, semantics);
    }

    /// The lanes of the work-group have waited for the copies of an event.
    pub(crate) fn waited(&self, event: u64) {
        self.state.borrow_mut().copies.retain(|(copy, _)| copy.event != event);
        self.group_barrier(EVERYTHING);
    }

    /// The detected races.
    pub(crate) fn found(&self) -> Vec<FoundRace> {
        self.state.borrow().found.clone()
    }
}

/// The rule that two accesses break.
fn rule(first: &Past, second: &Past, has_relaxed: &[bool], lanes: u32) -> RaceRule {
    let is_atomic = |past: &Past| matches!(past.access, Access::AtomicRead | Access::AtomicWrite);
    let has_relaxed = |past: &Past| has_relaxed.get((past.lane % lanes.max(1)) as usize).is_some_and(|&has| has);
    match (is_atomic(first), is_atomic(second)) {
        _ if first.group == second.group && has_relaxed(first) && has_relaxed(second) => RaceRule::Relaxed,
        (false, false) => RaceRule::Plain,
        _ => RaceRule::Mixed,
    }
}
