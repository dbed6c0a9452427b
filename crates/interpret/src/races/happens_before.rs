//! The happens-before order that barriers and atomic operations create.
//!
//! Each lane counts how often it has *published* its accesses, and each work-group counts its barriers. The knowledge of a lane consists of
//! a count for other lanes, up to which all their accesses happened before, and similarly a number of barriers for other groups: sparse
//! vector clocks (C. Fidge, 1988; F. Mattern, 1988). A release publishes the lane's knowledge at the atomic variable; an acquire adds the
//! knowledge published at the variable that it reads. Fences work through the relaxed operations after and before them.

use std::collections::{BTreeMap, HashMap};

use spirv::MemorySemantics;

use crate::Value;
use crate::races::shadow::Past;
use crate::value::Owner;

/// Semantics of acquire and release.
const BOTH: MemorySemantics = MemorySemantics::ACQUIRE_RELEASE.union(MemorySemantics::SEQUENTIALLY_CONSISTENT);

/// The memory semantics of an operand; none if it is not an integer.
pub(crate) fn semantics(operand: Option<&Value>) -> MemorySemantics {
    MemorySemantics::from_bits_retain(operand.and_then(Value::as_u32).unwrap_or(0))
}

/// Returns whether memory semantics order earlier accesses with later accesses of other lanes.
fn releases(semantics: MemorySemantics) -> bool {
    semantics.intersects(MemorySemantics::RELEASE | BOTH)
}

/// Returns whether memory semantics order later accesses with earlier accesses of other lanes.
fn acquires(semantics: MemorySemantics) -> bool {
    semantics.intersects(MemorySemantics::ACQUIRE | BOTH)
}

/// Returns whether an atomic operation with memory semantics orders no other accesses.
pub(super) fn orders_nothing(semantics: MemorySemantics) -> bool {
    !releases(semantics) && !acquires(semantics)
}

/// Acquire and release of all memory.
pub(crate) const EVERYTHING: MemorySemantics = MemorySemantics::ACQUIRE_RELEASE
    .union(OF_BUFFERS)
    .union(MemorySemantics::WORKGROUP_MEMORY)
    .union(MemorySemantics::IMAGE_MEMORY);

/// Memory that work-groups share.
const OF_BUFFERS: MemorySemantics = MemorySemantics::UNIFORM_MEMORY.union(MemorySemantics::CROSS_WORKGROUP_MEMORY);

/// The memory of an access, as the semantics of barriers distinguish it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MemoryKind {
    /// Memory of a work-group.
    Group,
    /// Buffers, through pointers.
    Buffers,
    /// Buffers, as texels of images.
    Texels,
}

impl MemoryKind {
    const ALL: [MemoryKind; 3] = [MemoryKind::Group, MemoryKind::Buffers, MemoryKind::Texels];

    /// The memory semantics one of which orders accesses to it.
    fn semantics(self) -> MemorySemantics {
        match self {
            MemoryKind::Group => MemorySemantics::WORKGROUP_MEMORY,
            MemoryKind::Buffers => OF_BUFFERS,
            MemoryKind::Texels => MemorySemantics::IMAGE_MEMORY,
        }
    }
}

/// A set of accesses that happened before: a vector clock.
#[derive(Clone, Debug, Default)]
struct Knowledge {
    /// By lane, the number of its publications.
    lanes: BTreeMap<u32, u32>,
    /// By group, the number of its barriers on buffers.
    groups: BTreeMap<u32, u32>,
    /// By group, the number of its barriers on images.
    groups_of_texels: BTreeMap<u32, u32>,
}

impl Knowledge {
    fn join(&mut self, other: &Knowledge) {
        let pairs = [
            (&mut self.lanes, &other.lanes),
            (&mut self.groups, &other.groups),
            (&mut self.groups_of_texels, &other.groups_of_texels),
        ];
        for (mine, theirs) in pairs {
            for (&who, &count) in theirs {
                let known = mine.entry(who).or_default();
                *known = count.max(*known);
            }
        }
    }
}

/// An atomic variable: a byte of an object.
type Location = (Owner, u32, i64);

/// The knowledge of a lane of the current work-group.
#[derive(Clone, Debug, Default)]
struct LaneOrder {
    known: Knowledge,
    clock: u32,
    /// The publication of its last releasing fence.
    fence: Option<Knowledge>,
    /// The publications that relaxed reads found, for an acquiring fence.
    pending: Option<Knowledge>,
}

/// The current happens-before order.
#[derive(Debug, Default)]
pub(super) struct HappensBefore {
    group: u32,
    /// The number of barriers of the current group, on each kind of memory.
    epochs: [u32; 3],
    lanes: Vec<LaneOrder>,
    published: HashMap<Location, Knowledge>,
}

impl HappensBefore {
    /// Starts the lanes of a work-group.
    pub(crate) fn begin_group(&mut self, group: u32, lanes: usize) {
        self.group = group;
        self.epochs = [0; 3];
        self.lanes = vec![LaneOrder::default(); lanes];
        self.published.retain(|&(owner, _, _), _| owner == Owner::Shared);
    }

    /// The number of barriers that order accesses to memory of a kind.
    pub(super) fn epoch(&self, kind: MemoryKind) -> u32 {
        self.epochs[kind as usize]
    }

    pub(super) fn clock(&self, lane: usize) -> u32 {
        self.lanes[lane].clock
    }

    /// Returns whether an access happened before a lane's next access.
    pub(super) fn is_behind(&self, past: &Past, lane: usize) -> bool {
        let known = &self.lanes[lane].known;
        let groups = if past.kind == MemoryKind::Texels { &known.groups_of_texels } else { &known.groups };
        let is_in_group = match past.group == self.group {
            true => past.epoch < self.epoch(past.kind),
            false => groups.get(&past.group).is_some_and(|&epoch| past.epoch < epoch),
        };
        is_in_group || known.lanes.get(&past.lane).is_some_and(|&count| past.clock < count)
    }

    /// All lanes of the group pass a barrier.
    pub(crate) fn group_barrier(&mut self, semantics: MemorySemantics) {
        if !releases(semantics) || !acquires(semantics) {
            return;
        }
        for kind in MemoryKind::ALL {
            self.epochs[kind as usize] += u32::from(semantics.intersects(kind.semantics()));
        }
        let mut all = Knowledge::default();
        self.lanes.iter().for_each(|lane| all.join(&lane.known));
        self.lanes.iter_mut().for_each(|lane| lane.known.clone_from(&all));
    }

    /// Some lanes, with their numbers in the grid, pass a barrier.
    pub(crate) fn barrier(&mut self, lanes: &[usize], semantics: MemorySemantics) {
        if !releases(semantics) || !acquires(semantics) {
            return;
        }
        let mut all = Knowledge::default();
        for &lane in lanes {
            let published = self.publish(lane);
            all.join(&published);
        }
        lanes.iter().for_each(|&lane| self.lanes[lane].known.join(&all));
    }

    /// A lane passes a fence.
    pub(crate) fn fence(&mut self, lane: usize, semantics: MemorySemantics) {
        if acquires(semantics)
            && let Some(pending) = self.lanes[lane].pending.take()
        {
            self.lanes[lane].known.join(&pending);
        }
        if releases(semantics) {
            self.lanes[lane].fence = Some(self.publish(lane));
        }
    }

    /// A lane reads an atomic variable.
    pub(crate) fn read(&mut self, lane: usize, location: Location, semantics: MemorySemantics) {
        let Some(published) = self.published.get(&location) else { return };
        let lane = &mut self.lanes[lane];
        match acquires(semantics) {
            true => lane.known.join(published),
            false => lane.pending.get_or_insert_default().join(published),
        }
    }

    /// A lane stores to an atomic variable; `keeps` if the store is one step with a read and keeps the earlier publications.
    pub(crate) fn write(&mut self, lane: usize, location: Location, keeps: Keeps, semantics: MemorySemantics) {
        let published = match releases(semantics) {
            true => Some(self.publish(lane)),
            false => self.lanes[lane].fence.clone(),
        };
        match (published, keeps) {
            (Some(published), Keeps::Published) => self.published.entry(location).or_default().join(&published),
            (Some(published), Keeps::Nothing) => drop(self.published.insert(location, published)),
            (None, Keeps::Nothing) => drop(self.published.remove(&location)),
            (None, Keeps::Published) => {}
        }
    }

    /// The knowledge of a lane, with its own accesses; later accesses are new.
    fn publish(&mut self, lane: usize) -> Knowledge {
        let number = self.group * self.lanes.len() as u32 + lane as u32;
        let own = &mut self.lanes[lane];
        own.clock += 1;
        let mut knowledge = own.known.clone();
        knowledge.lanes.insert(number, own.clock);
        knowledge.groups.insert(self.group, self.epoch(MemoryKind::Buffers));
        knowledge.groups_of_texels.insert(self.group, self.epoch(MemoryKind::Texels));
        knowledge
    }
}

/// The effect of a store to an atomic variable on earlier publications.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keeps {
    /// They stay: the store is one step with a read.
    Published,
    /// They are removed: a plain store.
    Nothing,
}
