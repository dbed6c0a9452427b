//! The definition chains of memory states, and the chains that a write reaches.
//!
//! Each place that is read has a chain, in the fine table. Chains of places in one object are in preorder, so that those of all places in a
//! place are adjacent; chains of objects of one kind are together, hidden ones before exposed ones, so that all chains of a kind are a
//! range as well:
//!
//! ```text
//! kind Function                kind Private                       anything
//! hidden │ exposed             exposed                            masks of kinds
//! a a.0 a.1 a.1.2 b │ c c.0    d …                                x y
//!       ╰ in a.1 ╯
//! ```
//!
//! A write to `a.1` reaches the chains in `a.1`, and those of the places that contain `a.1`: `a`. If others may know the address, it also
//! reaches those of reads from any object of the kind.

use reconverge_graph::Grouped;

use super::accesses::{Accesses, MemoryEffect, Write};
use super::groups::Groups;
use super::location::{Locations, Object};

/// The granularity of chains.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Grain {
    /// One chain for each place that is read.
    Places,
    /// One chain for each object that is read.
    Objects,
    /// Two chains for each kind of memory, and one for unknown pointers.
    Groups,
}

impl Grain {
    /// Every grain, finest first.
    pub(super) const ALL: [Grain; 3] = [Grain::Places, Grain::Objects, Grain::Groups];
}

/// Represents no chain.
pub(super) const NONE: u32 = u32::MAX;

/// The chains of a function.
#[derive(Debug)]
pub(super) struct Chains {
    grain: Grain,
    pub(super) count: u32,
    /// By place, the chain of reads from it; [`NONE`] if it is never read, or never written.
    of_place: Vec<u32>,
    /// By place, the chains of the places in it, itself included.
    inside: Vec<(u32, u32)>,
    /// By kind, the chains of all objects, and the first of those that are exposed.
    of_group: [(u32, u32, u32); Groups::COUNT],
    /// The chains of reads from unknown places, by the kinds that they may read.
    anything: Vec<(Groups, u32)>,
}

impl Chains {
    /// Assigns chains to all reads. Linear in objects and places, except for sorting.
    pub(super) fn compute(accesses: &Accesses<'_>, grain: Grain) -> Chains {
        let locations = &accesses.locations;
        let mut chains = Chains {
            grain,
            count: 0,
            of_place: vec![NONE; locations.places.len()],
            inside: vec![(0, 0); locations.places.len()],
            of_group: [(0, 0, 0); Groups::COUNT],
            anything: Vec::new(),
        };
        let reads = Reads::compute(accesses);
        let mut objects: Vec<(usize, bool, u32)> = (0..locations.objects.len() as u32)
            .filter(|&object| reads.is_object_read[object as usize])
            .filter_map(|object| {
                let Object { groups, is_anything, is_exposed, is_constant, .. } = locations.objects[object as usize];
                let group = groups.numbers().next()?;
                (!is_anything && !is_constant).then_some((group, is_exposed, object))
            })
            .collect();
        objects.sort_unstable();
        for group in 0..Groups::COUNT {
            let start = chains.count;
            chains.add_objects(locations, &reads, objects.iter().filter(|entry| (entry.0, entry.1) == (group, false)));
            let exposed = chains.count;
            chains.add_objects(locations, &reads, objects.iter().filter(|entry| (entry.0, entry.1) == (group, true)));
            chains.of_group[group] = (start, exposed, chains.count);
        }
        chains.add_anything(locations, &reads);
        chains
    }

    /// The granularity of the chains.
    pub(super) fn grain(&self) -> Grain {
        self.grain
    }

    /// The chain of reads from a place.
    pub(super) fn of_place(&self, place: u32) -> Option<u32> {
        Some(self.of_place[place as usize]).filter(|&chain| chain != NONE)
    }

    /// The chains that a write reaches, ascending; and the number of additional steps for it.
    pub(super) fn reached(&self, locations: &Locations<'_>, write: &Write, reached: &mut Vec<u32>) -> usize {
        reached.clear();
        let (mut exposed, mut steps) = (write.exposed, 0);
        for &place in &write.places {
            let object = locations.object(place);
            if object.is_constant {
                continue;
            }
            if object.is_anything {
                exposed = exposed.and(object.groups);
                continue;
            }
            let (start, end) = self.inside[place as usize];
            reached.extend(start..end);
            if self.grain == Grain::Places {
                let mut place = place;
                while locations.places[place as usize].parent != place {
                    place = locations.places[place as usize].parent;
                    reached.extend(self.of_place(place));
                    steps += 1;
                }
            }
            if object.is_exposed {
                self.add_meeting(object.groups, reached);
            }
        }
        for number in exposed.and(write.whole).numbers() {
            let (start, first_exposed, end) = self.of_group[number];
            let is_whole = write.whole.numbers().any(|other| other == number);
            reached.extend(if is_whole { start } else { first_exposed }..end);
        }
        self.add_meeting(exposed.and(write.whole), reached);
        reached.sort_unstable();
        reached.dedup();
        steps + reached.len()
    }

    fn add_meeting(&self, groups: Groups, reached: &mut Vec<u32>) {
        let meeting = self.anything.iter().filter(|(other, _)| other.meets(groups));
        reached.extend(meeting.map(|&(_, chain)| chain));
    }

    /// Assigns chains to objects of one kind.
    fn add_objects<'o>(
        &mut self,
        locations: &Locations<'_>,
        reads: &Reads,
        objects: impl Iterator<Item = &'o (usize, bool, u32)>,
    ) {
        let first = self.count;
        for &(_, _, object) in objects {
            let chain = match self.grain {
                Grain::Places => {
                    self.add_places(reads, locations.objects[object as usize].whole);
                    continue;
                }
                Grain::Objects => self.count,
                Grain::Groups => first,
            };
            self.count = chain + 1;
            self.set_all(reads, object, chain);
        }
    }

    /// Assigns chains to the places of an object that are read, in preorder.
    fn add_places(&mut self, reads: &Reads, whole: u32) {
        enum Step {
            Enter(u32),
            Leave(u32),
        }
        let mut stack = vec![Step::Enter(whole)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Enter(place) => {
                    self.inside[place as usize].0 = self.count;
                    if reads.is_read[place as usize] {
                        self.of_place[place as usize] = self.count;
                        self.count += 1;
                    }
                    stack.push(Step::Leave(place));
                    stack.extend(reads.parts.list(place as usize).iter().map(|&part| Step::Enter(part)));
                }
                Step::Leave(place) => self.inside[place as usize].1 = self.count,
            }
        }
    }

    /// Assigns chains to reads from unknown places.
    fn add_anything(&mut self, locations: &Locations<'_>, reads: &Reads) {
        for (number, object) in (0..).zip(&locations.objects) {
            if !object.is_anything || object.is_constant || !reads.is_object_read[number as usize] {
                continue;
            }
            let groups = if self.grain == Grain::Groups { Groups::ALL } else { object.groups };
            let known = self.anything.iter().find(|(other, _)| *other == groups).map(|&(_, chain)| chain);
            let chain = known.unwrap_or_else(|| {
                self.anything.push((groups, self.count));
                self.count += 1;
                self.count - 1
            });
            self.set_all(reads, number, chain);
        }
    }

    /// Assigns one chain to all places of an object.
    fn set_all(&mut self, reads: &Reads, object: u32, chain: u32) {
        for &place in reads.places.list(object as usize) {
            self.of_place[place as usize] = chain;
            self.inside[place as usize] = (chain, chain + 1);
        }
    }
}

/// The places that are read, and their nesting.
struct Reads {
    is_read: Vec<bool>,
    is_object_read: Vec<bool>,
    parts: Grouped<u32>,
    places: Grouped<u32>,
}

impl Reads {
    fn compute(accesses: &Accesses<'_>) -> Reads {
        let Locations { places, objects, .. } = &accesses.locations;
        let mut is_read = vec![false; places.len()];
        let mut is_object_read = vec![false; objects.len()];
        for event in &accesses.events {
            if let MemoryEffect::Read(place) = event.access {
                is_read[place as usize] = true;
                is_object_read[places[place as usize].object as usize] = true;
            }
        }
        let numbered = || (0..).zip(places);
        let parts = numbered().filter(|&(number, place)| place.parent != number);
        Reads {
            is_read,
            is_object_read,
            parts: Grouped::compute(places.len(), parts.map(|(number, place)| (place.parent, number))),
            places: Grouped::compute(objects.len(), numbered().map(|(number, place)| (place.object, number))),
        }
    }
}
