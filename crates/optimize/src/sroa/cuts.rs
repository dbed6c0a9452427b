//! Determines the cuts of variables such that every access consists of whole pieces.
//!
//! ```text
//! store f32x2 at 0   ├───────┬───────┤              cuts at 0, 8; 4 from the load; so the vector is cut between its components
//! load f32 at 4              ├───────┤
//! copy 8 bytes to %u at 16   ├───────────────┤ …    %u is cut at 16, 20, 24
//! ```
//!
//! The ends of all accesses are cuts. Cuts are propagated: a vector that is cut anywhere is cut between all its components, and a copy
//! between two variables propagates the cuts of each side to the other. A pointer cannot be cut, and no variable has more than
//! [`LEAF_LIMIT`] cuts. A variable that violates this is not split; cuts that it propagated to others stay, which is finer than necessary
//! but correct.
//!
//! A worklist; each cut is compared once with the leaves and copies of its variable.

use std::collections::BTreeSet;

use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashMap;

use super::accesses::{Candidate, Copy};
use super::leaves::{LEAF_LIMIT, components, leaf_size};

/// The cuts of a variable.
pub(super) struct Slices {
    pub(super) cuts: BTreeSet<u64>,
    /// The leaves that are read or written as one, with the number of their accesses.
    pub(super) leaves: Vec<(u64, Inst, usize)>,
    /// The accessed bytes: start and end, ascending, disjoint.
    pub(super) covered: Vec<(u64, u64)>,
    links: Vec<Link>,
    pub(super) is_given_up: bool,
}

/// Bytes that a copy takes from or to another variable.
struct Link {
    start: u64,
    size: u64,
    other: usize,
    other_start: u64,
}

/// The cuts of all candidates during propagation.
pub(super) struct Cuts<'a> {
    module: &'a Module,
    pub(super) slices: Vec<Slices>,
    pending: Vec<(usize, u64)>,
}

impl<'a> Cuts<'a> {
    /// The cuts at the ends of all accesses, with all propagated cuts.
    pub(super) fn compute(module: &'a Module, candidates: &[Candidate], copies: &[Copy]) -> Cuts<'a> {
        let slices = candidates.iter().map(|candidate| slices(module, candidate)).collect();
        let mut cuts = Cuts { module, slices, pending: Vec::new() };
        for copy in copies {
            for &(distance, size) in &copy.runs {
                cuts.link(copy, distance, size);
            }
        }
        for (number, slices) in cuts.slices.iter_mut().enumerate() {
            slices.covered = merged(std::mem::take(&mut slices.covered));
            cuts.pending.extend(slices.cuts.iter().map(|&cut| (number, cut)));
        }
        cuts.spread();
        cuts
    }

    fn link(&mut self, copy: &Copy, distance: u64, size: u64) {
        let ends = [(copy.target, copy.source), (copy.source, copy.target)];
        for (end, other) in ends {
            let Some(end) = end else { continue };
            let slices = &mut self.slices[end.candidate];
            let start = end.start + distance;
            slices.cuts.extend([start, start + size]);
            slices.covered.push((start, start + size));
            if let Some(other) = other {
                slices.links.push(Link { start, size, other: other.candidate, other_start: other.start + distance });
            }
        }
    }

    /// Cuts a variable at a byte.
    pub(super) fn cut(&mut self, number: usize, at: u64) {
        let slices = &mut self.slices[number];
        if slices.is_given_up || !slices.cuts.insert(at) {
            return;
        }
        slices.is_given_up = slices.cuts.len() > LEAF_LIMIT;
        self.pending.push((number, at));
    }

    /// Propagates cuts until nothing changes.
    pub(super) fn spread(&mut self) {
        while let Some((number, at)) = self.pending.pop() {
            let slices = &self.slices[number];
            if slices.is_given_up {
                continue;
            }
            let mut more: Vec<(usize, u64)> = Vec::new();
            let mut is_broken = slices.cuts.len() > LEAF_LIMIT;
            for &(start, ty, _) in &slices.leaves {
                let size = leaf_size(self.module, ty).expect("invariant: only leaves are kept");
                if start < at && at < start + size {
                    is_broken |= self.module.op(ty) == Op::TypePointer;
                    more.extend(boundaries(self.module, start, ty).map(|cut| (number, cut)));
                }
            }
            let crossing = slices.links.iter().filter(|link| link.start < at && at < link.start + link.size);
            more.extend(crossing.map(|link| (link.other, link.other_start + (at - link.start))));
            self.slices[number].is_given_up |= is_broken;
            more.into_iter().for_each(|(number, cut)| self.cut(number, cut));
        }
    }
}

fn slices(module: &Module, candidate: &Candidate) -> Slices {
    let mut counts: FxHashMap<(u64, Inst), usize> = FxHashMap::default();
    let mut covered = Vec::new();
    let mut cuts = BTreeSet::new();
    for leaf in candidate.accesses.iter().flat_map(|access| &access.leaves) {
        *counts.entry((leaf.start, leaf.ty)).or_default() += 1;
    }
    let mut leaves: Vec<(u64, Inst, usize)> =
        counts.into_iter().map(|((start, ty), count)| (start, ty, count)).collect();
    leaves.sort_unstable();
    for &(start, ty, _) in &leaves {
        let end = start + leaf_size(module, ty).expect("invariant: only leaves are gathered");
        covered.push((start, end));
        cuts.extend([start, end]);
    }
    Slices { cuts, leaves, covered, links: Vec::new(), is_given_up: false }
}

/// The offsets between the components of a vector; enough of them to exceed the limit if it is not split.
fn boundaries(module: &Module, start: u64, ty: Inst) -> impl Iterator<Item = u64> {
    let (size, count) = match components(module, ty) {
        Some((component, count)) => (leaf_size(module, component).unwrap_or(0), count),
        None => (0, 0),
    };
    (1..u64::from(count)).map(move |index| start + index * size).take(LEAF_LIMIT + 1)
}

/// Merges ranges that touch or overlap.
fn merged(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match merged.last_mut() {
            Some((_, last)) if start <= *last => *last = end.max(*last),
            _ => merged.push((start, end)),
        }
    }
    merged
}
