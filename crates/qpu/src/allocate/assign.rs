//! A place for each register.
//!
//! A place, a register of file A or B or an accumulator, has an ordered map of the segments that it is taken for. A register may have it if none of
//! its segments overlaps one of them, so ranges with holes share places.
//!
//! 1. If it saves enough, `r2` is given to registers that live in more than one block, see [`super::close`]. Registers that live in one block get accumulators, the short ones first: accumulators can be read by the next instruction, and any two of
//!    them by one. `r3` is kept for moves of operands, see [`super::fixups`]; it is given to registers where there cannot be such moves.
//! 2. The others get a register of a file in the order of their first points, so that without holes nothing is left over while no more than 64 are
//!    live. The preferred file is searched first, from the register after the one that was given last: the scheduler likes distance between two
//!    uses of a place.
//! 3. If there is none, the place whose registers weigh least is taken from them, if they weigh less than the register that needs one. Who loses
//!    is spilled. The weight of a register is how often it is mentioned by the points that it is live for; that of the short registers of spill code
//!    is infinite.

use std::collections::BTreeMap;

use super::liveness::{Liveness, Range, Segment};
use crate::machine::{Inst, MachineFunction, Operation, ReadPort, Source, VReg};
use crate::physical::Place;

/// The number of accumulators that are assigned to registers.
const GIVEN_ACCUMULATORS: usize = 3;
const FILE_REGISTERS: usize = 64;
/// The accumulator that may be given to registers that live in more than one block.
const SHARED: usize = FILE_REGISTERS + GIVEN_ACCUMULATORS - 1;
/// The accumulator that is kept for moves.
const KEPT: usize = FILE_REGISTERS + GIVEN_ACCUMULATORS;

/// Weight of a register that must not be spilled.
pub(crate) const UNSPILLABLE: f32 = f32::INFINITY;

/// The bits of accumulators.
pub(crate) type Accumulators = u8;

/// The assignment of places to registers.
pub(crate) struct Assignment {
    /// For each register its place; those that are never live have none.
    pub(crate) places: Vec<Option<Place>>,
    /// The accumulators that are given to registers which live in more than one block.
    pub(crate) shared: Accumulators,
    /// The registers that found none.
    pub(crate) spilled: Vec<VReg>,
}

#[derive(Default)]
struct Unit {
    /// Segments by their starts.
    taken: BTreeMap<u32, Taken>,
    /// After all segments.
    end: u32,
}

#[derive(Clone, Copy)]
struct Taken {
    end: u32,
    by: VReg,
}

impl Unit {
    /// The first register that has the place within a segment, from a point on.
    fn conflict(&self, segment: Segment) -> Option<VReg> {
        if segment.start >= self.end {
            return None;
        }
        let (_, last) = self.taken.range(..segment.end).next_back()?;
        (last.end > segment.start).then_some(last.by)
    }

    fn is_free(&self, range: &Range) -> bool {
        range.iter().all(|&segment| self.conflict(segment).is_none())
    }

    fn take(&mut self, by: VReg, range: &Range) {
        for segment in range {
            self.taken.insert(segment.start, Taken { end: segment.end, by });
            self.end = self.end.max(segment.end);
        }
    }

    fn give_back(&mut self, range: &Range) {
        for segment in range {
            self.taken.remove(&segment.start);
        }
    }

    /// The registers that have the place within a range and their weight, unless that reaches a limit.
    fn holders(&self, range: &Range, weights: &[f32], limit: f32) -> Option<Holders> {
        let mut holders = Holders { registers: Vec::new(), weight: 0.0 };
        for segment in range {
            for (_, taken) in self.taken.range(..segment.end).rev() {
                if taken.end <= segment.start {
                    break;
                }
                if holders.registers.contains(&taken.by) {
                    continue;
                }
                holders.weight += weights[taken.by.0 as usize];
                holders.registers.push(taken.by);
                if holders.weight >= limit {
                    return None;
                }
            }
        }
        Some(holders)
    }
}

struct Holders {
    registers: Vec<VReg>,
    weight: f32,
}

fn span(range: &Range) -> u32 {
    range[range.len() - 1].end - range[0].start
}

/// For each number of an instruction, how many instructions before it may need a move of an operand.
fn moves_before(function: &MachineFunction, has_accumulator: &[bool]) -> Vec<u32> {
    let is_free = |source: &Source| match source {
        Source::Register(register) => has_accumulator[register.0 as usize],
        Source::Port(port) => matches!(port, ReadPort::Result | ReadPort::Broadcast),
        Source::Small(_) => false,
    };
    let may_move = |inst: &Inst| match inst.operation {
        Operation::Rotate(_) => !is_free(&inst.sources[0]),
        _ => inst.source_count() == 2 && inst.sources[0] != inst.sources[1] && !inst.sources.iter().any(is_free),
    };
    let mut before = vec![0];
    let mut count = 0;
    for block in &function.blocks {
        for inst in &block.insts {
            count += u32::from(may_move(inst));
            before.push(count);
        }
        before.push(count);
    }
    before
}

/// Gives places to registers.
pub(crate) struct Assigner<'a> {
    liveness: &'a Liveness,
    weights: &'a [f32],
    units: Vec<Unit>,
    assignment: Assignment,
}

impl<'a> Assigner<'a> {
    /// No register has a place yet.
    pub(crate) fn new(liveness: &'a Liveness, weights: &'a [f32]) -> Assigner<'a> {
        let units = (0..Place::COUNT).map(|_| Unit::default()).collect();
        let assignment = Assignment { places: vec![None; liveness.ranges.len()], shared: 0, spilled: Vec::new() };
        Assigner { liveness, weights, units, assignment }
    }

    /// Gives an accumulator to the first of some registers that live in more than one block, and to those that do not overlap it.
    pub(crate) fn shared_accumulator(&mut self, registers: &[VReg]) {
        for &VReg(register) in registers {
            if self.units[SHARED].is_free(&self.liveness.ranges[register as usize]) {
                self.give(register as usize, SHARED);
                self.assignment.shared = 1 << (SHARED - FILE_REGISTERS);
            }
        }
    }

    /// Assigns accumulators to registers that live in one block. Returns the registers that have one.
    pub(crate) fn accumulators(&mut self) -> Vec<bool> {
        let ranges = &self.liveness.ranges;
        let is_candidate =
            |&register: &usize| !ranges[register].is_empty() && self.liveness.is_local(&ranges[register]);
        let mut order: Vec<usize> = (0..ranges.len()).filter(is_candidate).collect();
        order.sort_by_key(|&register| (span(&ranges[register]), ranges[register][0].start));
        let mut has_accumulator: Vec<bool> = self.assignment.places.iter().map(Option::is_some).collect();
        let mut next = 0;
        for register in order {
            let candidates = (0..GIVEN_ACCUMULATORS).map(|step| FILE_REGISTERS + (next + step) % GIVEN_ACCUMULATORS);
            let free = candidates.into_iter().find(|&unit| self.units[unit].is_free(&ranges[register]));
            if let Some(unit) = free {
                self.give(register, unit);
                has_accumulator[register] = true;
                next = unit - FILE_REGISTERS + 1;
            }
        }
        has_accumulator
    }

    /// Gives the accumulator that is kept for moves to registers that are live where there cannot be any.
    pub(crate) fn last_accumulator(&mut self, function: &MachineFunction, has_accumulator: &mut [bool]) {
        let before = moves_before(function, has_accumulator);
        let ranges = &self.liveness.ranges;
        let is_candidate = |&register: &usize| {
            let range = &ranges[register];
            let (Some(first), Some(last)) = (range.first(), range.last()) else { return false };
            // The instructions after the write, up to the last one that reads.
            let behind = (first.start / 2 + 1) as usize;
            let end = last.end.div_ceil(2) as usize;
            !has_accumulator[register] && self.liveness.is_local(range) && before[end.max(behind)] == before[behind]
        };
        let mut order: Vec<usize> = (0..ranges.len()).filter(is_candidate).collect();
        order.sort_by_key(|&register| (span(&ranges[register]), ranges[register][0].start));
        for register in order {
            if self.units[KEPT].is_free(&ranges[register]) {
                self.give(register, KEPT);
                has_accumulator[register] = true;
            }
        }
    }

    /// Gives registers of the files to all others.
    pub(crate) fn files(mut self, preferences: &[i8]) -> Assignment {
        let ranges = &self.liveness.ranges;
        let needs_place =
            |&register: &usize| !ranges[register].is_empty() && self.assignment.places[register].is_none();
        let mut order: Vec<usize> = (0..ranges.len()).filter(needs_place).collect();
        order.sort_by_key(|&register| ranges[register][0].start);
        let mut next = [0, 0];
        let mut alternating = 0;
        for register in order {
            let file = match preferences[register] {
                1.. => 0,
                0 => {
                    alternating = 1 - alternating;
                    alternating
                }
                _ => 1,
            };
            let free = [file, 1 - file].into_iter().find_map(|file| {
                let candidates = (0..32).map(|step| file * 32 + (next[file] + step) % 32);
                candidates.into_iter().find(|&unit| self.units[unit].is_free(&ranges[register]))
            });
            match free {
                Some(unit) => {
                    self.give(register, unit);
                    next[unit / 32] = unit % 32 + 1;
                }
                None => self.take_away(register),
            }
        }
        self.assignment.spilled.sort_unstable();
        self.assignment
    }

    fn give(&mut self, register: usize, unit: usize) {
        self.units[unit].take(VReg(register as u32), &self.liveness.ranges[register]);
        self.assignment.places[register] = Some(Place::of_index(unit));
    }

    /// Gives a register the place of registers that weigh less, or none.
    fn take_away(&mut self, register: usize) {
        let range = &self.liveness.ranges[register];
        let mut limit = self.weights[register];
        let mut best = None;
        for unit in 0..FILE_REGISTERS {
            if let Some(holders) = self.units[unit].holders(range, self.weights, limit) {
                limit = holders.weight;
                best = Some((unit, holders));
            }
        }
        let Some((unit, holders)) = best else {
            self.assignment.spilled.push(VReg(register as u32));
            return;
        };
        for holder in holders.registers {
            self.units[unit].give_back(&self.liveness.ranges[holder.0 as usize]);
            self.assignment.places[holder.0 as usize] = None;
            self.assignment.spilled.push(holder);
        }
        self.give(register, unit);
    }
}
