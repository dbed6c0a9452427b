//! Instructions with places, and moves where an instruction cannot read its operands.
//!
//! An instruction reads at most one address of each file, and a small immediate takes the place of the address of file B. Where both
//! operands need the same file, one is moved to an accumulator before. After that the other one is alone, so one move is always enough. A
//! rotation reads accumulators only.
//!
//! `r3` is given to registers only where no instruction can need that, so it is free: its value is read by the instruction after the move. If
//! another accumulator is free there, they take turns, which leaves more orders to the scheduler.

use super::assign::{Accumulators, Assignment};
use crate::encode::{ReadAddress, read_address};
use crate::machine::{Condition, Destination, Inst, MachineBlock, MachineFunction, Operation, Source, VReg};
use crate::physical::{PhysicalBlock, PhysicalFunction, PhysicalInst, Place};

/// The read address that an operand needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Demand {
    /// None.
    Free,
    /// One of file A.
    A(u8),
    /// One of file B, or the small immediate.
    B(u8),
    /// One of either file.
    Either(u8),
}

/// A small immediate among the addresses of file B.
const SMALL: u8 = 0x80;

fn demand(source: Source<Place>) -> Demand {
    match source {
        Source::Register(Place::A(number)) => Demand::A(number),
        Source::Register(Place::B(number)) => Demand::B(number),
        Source::Register(Place::Accumulator(_)) => Demand::Free,
        Source::Small(small) => Demand::B(SMALL | small.0),
        Source::Port(port) => match read_address(port) {
            ReadAddress::A(address) => Demand::A(address),
            ReadAddress::B(address) => Demand::B(address),
            ReadAddress::Either(address) => Demand::Either(address),
            ReadAddress::Mux(_) => Demand::Free,
        },
    }
}

/// Returns the operand that must be moved to an accumulator.
fn misplaced(inst: &PhysicalInst) -> Option<usize> {
    if matches!(inst.operation, Operation::Rotate(_)) {
        return (!matches!(inst.sources[0], Source::Register(Place::Accumulator(_)))).then_some(0);
    }
    if inst.source_count() < 2 {
        return None;
    }
    match (demand(inst.sources[0]), demand(inst.sources[1])) {
        (Demand::A(left), Demand::A(right)) | (Demand::B(left), Demand::B(right)) if left != right => {
            // The small immediate stays: it costs no register to read it again.
            Some(usize::from(left & SMALL != 0))
        }
        _ => None,
    }
}

/// The function with places, and how many moves it needed.
pub(crate) fn apply(function: &MachineFunction, assignment: &Assignment) -> (PhysicalFunction, usize) {
    let mut moves = 0;
    let blocks = function.blocks.iter().map(|block| {
        let insts = place_block(block, assignment);
        let (insts, count) = fix_block(&insts, assignment.shared);
        moves += count;
        PhysicalBlock { insts, branch: block.branch }
    });
    let blocks = blocks.collect();
    (PhysicalFunction { blocks }, moves)
}

fn place_block(block: &MachineBlock, assignment: &Assignment) -> Vec<PhysicalInst> {
    let has_code = |inst: &&Inst| inst.operation != Operation::Undefine;
    block.insts.iter().filter(has_code).map(|inst| place_inst(inst, assignment)).collect()
}

fn place_inst(inst: &Inst, assignment: &Assignment) -> PhysicalInst {
    let place = |register: VReg| {
        assignment.places[register.0 as usize].expect("invariant: a register that is mentioned has a place")
    };
    let source = |source: Source| match source {
        Source::Register(register) => Source::Register(place(register)),
        Source::Small(small) => Source::Small(small),
        Source::Port(port) => Source::Port(port),
    };
    Inst {
        operation: inst.operation,
        condition: inst.condition,
        sets_flags: inst.sets_flags,
        destination: match inst.destination {
            Destination::Null => Destination::Null,
            Destination::Register(register) => Destination::Register(place(register)),
            Destination::Port(port) => Destination::Port(port),
        },
        sources: match inst.source_count() {
            0 => Inst::<Place>::NO_SOURCES,
            1 => [source(inst.sources[0]); 2],
            _ => inst.sources.map(source),
        },
    }
}

fn accumulator_bit(place: Place) -> Accumulators {
    match place {
        Place::Accumulator(number) => 1 << number,
        Place::A(_) | Place::B(_) => 0,
    }
}

/// For each instruction the accumulators whose values are read by it or after it. All but those that blocks share are dead at the end of a block.
fn busy_accumulators(insts: &[PhysicalInst]) -> Vec<Accumulators> {
    let mut busy = vec![0; insts.len()];
    let mut live = 0;
    for (place, inst) in insts.iter().enumerate().rev() {
        if let Some(destination) = inst.definition() {
            match inst.condition {
                Condition::Always => live &= !accumulator_bit(destination),
                _ => live |= accumulator_bit(destination),
            }
        }
        live |= inst.uses().map(accumulator_bit).fold(0, |all, bit| all | bit);
        busy[place] = live;
    }
    busy
}

fn fix_block(insts: &[PhysicalInst], shared: Accumulators) -> (Vec<PhysicalInst>, usize) {
    let busy = busy_accumulators(insts);
    let mut fixed = Vec::with_capacity(insts.len() + insts.len() / 4);
    let mut moves = 0;
    let mut next = 0_u8;
    for (inst, busy) in insts.iter().zip(busy) {
        let mut inst = *inst;
        if let Some(operand) = misplaced(&inst) {
            // A range that begins with writes for some lanes seems longer than it is; r3 is free nevertheless.
            let mut candidates = (0..4).map(|step| (next + step) % 4);
            let free = candidates.find(|number| (busy | shared) & 1 << number == 0).unwrap_or(3);
            next = free + 1;
            let accumulator = Place::Accumulator(free);
            let moved = inst.sources[operand];
            fixed.push(Inst::copy(Destination::Register(accumulator), moved));
            for source in &mut inst.sources {
                if *source == moved {
                    *source = Source::Register(accumulator);
                }
            }
            moves += 1;
        }
        fixed.push(inst);
    }
    (fixed, moves)
}
