//! Moves that need no instruction.
//!
//! A move `mov %a, %b` for all lanes makes `%a` and `%b` one register if their ranges do not overlap. Ranges of registers that were joined before
//! are the union of theirs; the shorter list of segments is added to the longer one, so each segment is added at most log n times. Where one of the
//! joined registers has no value (`undefine`) another one may have its value: then the `undefine` goes.
//!
//! A result of the special functions unit or of the texture unit is in `r4` until the next result. `mov %a, r4` is not needed if all
//! readers of `%a` are in the same block before that.

use std::collections::BTreeMap;

use super::liveness::{Liveness, Range};
use crate::machine::{
    Condition, Destination, Inst, MachineBlock, MachineFunction, Operation, ReadPort, Source, VReg, WritePort,
};

/// Lets readers of a register that holds `r4` read `r4`.
pub(crate) fn forward_results(function: &mut MachineFunction) {
    let mut mentions = vec![Mentions::default(); function.registers as usize];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        for register in inst.uses() {
            let mentions = &mut mentions[register.0 as usize];
            mentions.reads += 1;
            // A rotation reads an accumulator that can be written.
            mentions.is_rotated |= matches!(inst.operation, Operation::Rotate(_));
        }
        if let Some(register) = inst.definition() {
            mentions[register.0 as usize].writes += 1;
        }
    }
    if let Some(base) = function.spill_base {
        mentions[base.0 as usize].is_rotated = true;
    }
    for block in &mut function.blocks {
        forward_in_block(block, &mentions);
    }
}

#[derive(Clone, Copy, Default)]
struct Mentions {
    reads: u32,
    writes: u32,
    is_rotated: bool,
}

/// A move from `r4` in a window between two results.
struct Candidate {
    place: usize,
    reads: u32,
}

fn forward_in_block(block: &mut MachineBlock, mentions: &[Mentions]) {
    let mut dead = vec![false; block.insts.len()];
    let mut start = 0;
    while start < block.insts.len() {
        let is_end = |inst: &Inst| changes_result(inst);
        let length = block.insts[start + 1..].iter().position(is_end).map_or(block.insts.len() - start, |at| at + 1);
        forward_in_window(&mut block.insts[start..start + length], &mut dead[start..start + length], mentions);
        start += length;
    }
    let mut is_dead = dead.into_iter();
    block.insts.retain(|_| !is_dead.next().unwrap_or(false));
}

fn changes_result(inst: &Inst) -> bool {
    let is_special = matches!(inst.destination, Destination::Port(port) if WritePort::is_special_function(port));
    is_special || inst.operation == Operation::LoadTmu
}

fn forward_in_window(insts: &mut [Inst], dead: &mut [bool], mentions: &[Mentions]) {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut by_register: BTreeMap<VReg, usize> = BTreeMap::new();
    for (place, inst) in insts.iter().enumerate() {
        // The instruction that writes the special functions unit reads before the result changes.
        for register in inst.uses() {
            if let Some(&candidate) = by_register.get(&register) {
                candidates[candidate].reads += 1;
            }
        }
        let Some(register) = inst.definition() else { continue };
        let about = mentions[register.0 as usize];
        if is_move_of_result(inst) && about.writes == 1 && !about.is_rotated {
            by_register.insert(register, candidates.len());
            candidates.push(Candidate { place, reads: 0 });
        }
    }
    let is_whole = |register: VReg, candidate: &Candidate| candidate.reads == mentions[register.0 as usize].reads;
    by_register.retain(|&register, candidate| is_whole(register, &candidates[*candidate]));
    for &candidate in by_register.values() {
        dead[candidates[candidate].place] = true;
    }
    if by_register.is_empty() {
        return;
    }
    for inst in insts {
        for source in &mut inst.sources {
            if matches!(source, Source::Register(register) if by_register.contains_key(register)) {
                *source = Source::Port(ReadPort::Result);
            }
        }
    }
}

fn is_move_of_result(inst: &Inst) -> bool {
    inst.operation == Operation::Move
        && inst.condition == Condition::Always
        && !inst.sets_flags
        && inst.sources[0] == Source::Port(ReadPort::Result)
}

/// Joins registers that are moved into each other.
pub(crate) fn join_moves(function: &mut MachineFunction) {
    let liveness = Liveness::of(function);
    let mut classes = Classes {
        parent: (0..function.registers).collect(),
        ranges: liveness.ranges.iter().map(|_| None).collect(),
        original: &liveness.ranges,
    };
    let moves = function.blocks.iter().flat_map(|block| &block.insts).filter_map(plain_move);
    for (destination, source) in moves.collect::<Vec<_>>() {
        classes.join(destination, source);
    }
    let roots: Vec<VReg> = (0..function.registers).map(|register| VReg(classes.find(register))).collect();
    for (block, &first) in function.blocks.iter_mut().zip(&liveness.first) {
        let mut numbers = first..;
        block.insts.retain(|inst| {
            let point = 2 * numbers.next().unwrap_or(first);
            let undefined = inst.definition().filter(|_| inst.operation == Operation::Undefine);
            undefined.is_none_or(|register| !classes.is_live(roots[register.0 as usize].0, point))
        });
        for inst in &mut block.insts {
            rename(inst, |register| roots[register.0 as usize]);
        }
        block.insts.retain(|inst| plain_move(inst).is_none_or(|(destination, source)| destination != source));
    }
    function.spill_base = function.spill_base.map(|base| roots[base.0 as usize]);
}

/// Gives other names to the registers of an instruction.
pub(crate) fn rename(inst: &mut Inst, name: impl Fn(VReg) -> VReg) {
    for source in &mut inst.sources {
        if let Source::Register(register) = source {
            *register = name(*register);
        }
    }
    if let Destination::Register(register) = &mut inst.destination {
        *register = name(*register);
    }
}

/// The registers of a move for all lanes without flags.
fn plain_move(inst: &Inst) -> Option<(VReg, VReg)> {
    let is_plain = inst.operation == Operation::Move && inst.condition == Condition::Always && !inst.sets_flags;
    match (inst.destination, inst.sources[0]) {
        (Destination::Register(destination), Source::Register(source)) if is_plain => Some((destination, source)),
        _ => None,
    }
}

/// Registers that are one.
struct Classes<'a> {
    parent: Vec<u32>,
    /// The segments of a class by their starts, if it was looked at.
    ranges: Vec<Option<BTreeMap<u32, u32>>>,
    original: &'a [Range],
}

impl Classes<'_> {
    fn find(&mut self, mut register: u32) -> u32 {
        while self.parent[register as usize] != register {
            let above = self.parent[self.parent[register as usize] as usize];
            self.parent[register as usize] = above;
            register = above;
        }
        register
    }

    fn load(&mut self, root: u32) {
        let original = &self.original[root as usize];
        self.ranges[root as usize]
            .get_or_insert_with(|| original.iter().map(|segment| (segment.start, segment.end)).collect());
    }

    /// Returns whether a class has a value at a point.
    fn is_live(&self, root: u32, point: u32) -> bool {
        match &self.ranges[root as usize] {
            Some(range) => range.range(..=point).next_back().is_some_and(|(_, &end)| end > point),
            None => self.original[root as usize].iter().any(|segment| (segment.start..segment.end).contains(&point)),
        }
    }

    fn size(&self, root: u32) -> usize {
        self.ranges[root as usize].as_ref().map_or(0, BTreeMap::len)
    }

    fn join(&mut self, left: VReg, right: VReg) {
        let (left, right) = (self.find(left.0), self.find(right.0));
        if left == right {
            return;
        }
        self.load(left);
        self.load(right);
        let (large, small) = if self.size(left) >= self.size(right) { (left, right) } else { (right, left) };
        let added = self.ranges[small as usize].take().expect("invariant: the range was loaded");
        let range = self.ranges[large as usize].as_mut().expect("invariant: the range was loaded");
        let overlaps = |(&start, &end): (&u32, &u32)| {
            range.range(..end).next_back().is_some_and(|(_, &other_end)| other_end > start)
        };
        if added.iter().any(overlaps) {
            self.ranges[small as usize] = Some(added);
            return;
        }
        range.extend(added);
        self.parent[small as usize] = large;
    }
}
