//! Live ranges of virtual registers.
//!
//! Each instruction has a number; the order of the code gives the numbers, and a block has one more for its end. A register is read at the point
//! 2i of an instruction i and written at 2i + 1, so a register that is read last by an instruction may share its place with the one that is
//! written there. The range of a register is a list of half-open segments of points.
//!
//! A register that is written for some lanes only keeps its value in the others: such a write does not end the range above it. `undefine` does.
//! What is live at the entry has no value there, so it is harmless.
//!
//! Registers are followed one by one from the blocks that read them up to the blocks that write them. So the time is that of the size of the
//! ranges, and there are no sets of all registers for all blocks.

use smallvec::SmallVec;

use crate::machine::{BlockId, Condition, Inst, MachineFunction, Operation, VReg};

/// Half-open range of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The segments of a register, ascending, with space between them.
pub(crate) type Range = SmallVec<[Segment; 2]>;

/// Live ranges of a function.
pub(crate) struct Liveness {
    /// For each register its range.
    pub(crate) ranges: Vec<Range>,
    /// For each block the number of its first instruction; at the end, how many numbers there are.
    pub(crate) first: Vec<u32>,
}

/// Returns whether an instruction writes its register in all lanes, or ends its range above.
pub(crate) fn is_full_definition(inst: &Inst) -> bool {
    inst.condition == Condition::Always || inst.operation == Operation::Undefine
}

impl Liveness {
    /// The ranges of all registers of a function.
    pub(crate) fn of(function: &MachineFunction) -> Liveness {
        let mut first = Vec::with_capacity(function.blocks.len() + 1);
        let mut next = 0;
        for block in &function.blocks {
            first.push(next);
            next += block.insts.len() as u32 + 1;
        }
        first.push(next);
        let live_out = live_out(function);
        let mut builder = RangeBuilder {
            ranges: vec![Range::new(); function.registers as usize],
            open: vec![CLOSED; function.registers as usize],
            touched: Vec::new(),
        };
        for (block, live) in live_out.iter().enumerate().rev() {
            builder.block(&function.blocks[block].insts, first[block], live);
        }
        for range in &mut builder.ranges {
            range.reverse();
        }
        Liveness { ranges: builder.ranges, first }
    }

    /// The block of an instruction's number.
    pub(crate) fn block_of(&self, number: u32) -> usize {
        self.first.partition_point(|&first| first <= number) - 1
    }

    /// Returns whether a range lies in one block and ends there.
    pub(crate) fn is_local(&self, range: &Range) -> bool {
        let (Some(start), Some(end)) = (range.first(), range.last()) else { return true };
        let block = self.block_of(start.start / 2);
        // A range that begins at the first point of a block comes from above.
        start.start > 2 * self.first[block] && end.end < 2 * self.first[block + 1]
    }
}

const CLOSED: u32 = u32::MAX;

struct RangeBuilder {
    ranges: Vec<Range>,
    /// For each register the end of the segment that is open while a block is walked backwards.
    open: Vec<u32>,
    touched: Vec<VReg>,
}

impl RangeBuilder {
    fn block(&mut self, insts: &[Inst], first: u32, live_out: &[VReg]) {
        let end = 2 * (first + insts.len() as u32 + 1);
        for &register in live_out {
            self.extend(register, end);
        }
        for (place, inst) in insts.iter().enumerate().rev() {
            let point = 2 * (first + place as u32);
            if let Some(register) = inst.definition() {
                let is_dead = self.open[register.0 as usize] == CLOSED;
                match () {
                    () if is_full_definition(inst) && is_dead && inst.operation == Operation::Undefine => {}
                    () if is_full_definition(inst) => {
                        self.extend(register, point + 2);
                        self.close(register, point + 1);
                    }
                    () => self.extend(register, point + 2),
                }
            }
            for register in inst.uses() {
                self.extend(register, point + 1);
            }
        }
        for register in std::mem::take(&mut self.touched) {
            if self.open[register.0 as usize] != CLOSED {
                self.close(register, 2 * first);
            }
        }
    }

    /// The register is live up to a point, if it is not live there already.
    fn extend(&mut self, register: VReg, end: u32) {
        let open = &mut self.open[register.0 as usize];
        if *open == CLOSED {
            *open = end;
            self.touched.push(register);
        }
    }

    fn close(&mut self, register: VReg, start: u32) {
        let end = std::mem::replace(&mut self.open[register.0 as usize], CLOSED);
        let range = &mut self.ranges[register.0 as usize];
        match range.last_mut() {
            Some(later) if later.start == end => later.start = start,
            _ => range.push(Segment { start, end }),
        }
    }
}

/// Blocks by register.
#[derive(Default)]
struct Mentions {
    /// For each register the blocks that read it before they write it.
    exposed: Vec<SmallVec<[u32; 2]>>,
    /// For each register the blocks that end its range above.
    kills: Vec<SmallVec<[u32; 2]>>,
}

impl Mentions {
    fn of(function: &MachineFunction) -> Mentions {
        let count = function.registers as usize;
        let mut mentions = Mentions { exposed: vec![SmallVec::new(); count], kills: vec![SmallVec::new(); count] };
        for (block, content) in function.blocks.iter().enumerate() {
            for inst in &content.insts {
                for register in inst.uses() {
                    mentions.read(register, block as u32);
                }
                if let Some(register) = inst.definition() {
                    if is_full_definition(inst) {
                        push_new(&mut mentions.kills[register.0 as usize], block as u32);
                    } else {
                        mentions.read(register, block as u32);
                    }
                }
            }
        }
        mentions
    }

    fn read(&mut self, register: VReg, block: u32) {
        if self.kills[register.0 as usize].last() != Some(&block) {
            push_new(&mut self.exposed[register.0 as usize], block);
        }
    }
}

fn push_new(blocks: &mut SmallVec<[u32; 2]>, block: u32) {
    if blocks.last() != Some(&block) {
        blocks.push(block);
    }
}

/// For each block the registers that are live at its end, ascending.
pub(crate) fn live_out(function: &MachineFunction) -> Vec<Vec<VReg>> {
    let mentions = Mentions::of(function);
    let predecessors = function.predecessors();
    let mut live_out = vec![Vec::new(); function.blocks.len()];
    let mut killed_by = vec![u32::MAX; function.blocks.len()];
    let mut worklist = Vec::new();
    for (register, exposed) in mentions.exposed.iter().enumerate() {
        if exposed.is_empty() {
            continue;
        }
        for &block in &mentions.kills[register] {
            killed_by[block as usize] = register as u32;
        }
        worklist.extend_from_slice(exposed);
        while let Some(block) = worklist.pop() {
            for &BlockId(predecessor) in &predecessors[block as usize] {
                let live: &mut Vec<VReg> = &mut live_out[predecessor as usize];
                if live.last() == Some(&VReg(register as u32)) {
                    continue;
                }
                live.push(VReg(register as u32));
                if killed_by[predecessor as usize] != register as u32 {
                    worklist.push(predecessor);
                }
            }
        }
    }
    live_out
}
