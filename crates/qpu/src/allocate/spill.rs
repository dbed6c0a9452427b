//! Registers that have no place.
//!
//! A register that always holds the same immediate, number of the lane or number of the QPU is computed again where it is read. Others have a row
//! of the vertex pipe memory. A read is
//!
//! ```text
//! mov  null, mutex_acquire
//! ldi  %c, 1 << 20 | 0x1a00 + own rows + slot
//! add  vpm_read_setup, %base, %c
//! mov  %t, vpm
//! mov  mutex_release, 0
//! ```
//!
//! and a write is the same with `vpm_write_setup`, without the bit 20, and `mov vpm, %t`. No flags are changed. A write for some lanes reads the row,
//! changes the lanes and writes the row.
//!
//! If the function holds the mutex itself, the memory is set up for something else and the mutex must not be taken twice. So a register
//! that is mentioned in such a stretch has a register of its own there: it is read before the mutex is taken and written when it was given
//! back. What is before the instruction that writes the base is such a stretch too, without a read.

use std::collections::BTreeMap;

use super::coalesce::rename;
use super::liveness::{Range, is_full_definition};
use super::stretches::{Stretch, gives_mutex, stretches, takes_mutex};
use crate::machine::{
    AddOp, Condition, Destination, Inst, MachineFunction, Operation, ReadPort, SmallImmediate, Source, VReg, WritePort,
};

/// Setup of one row as 16 words of 32 bits.
const ROW_SETUP: u32 = 0x1a00;
/// The field of the number of rows that are read.
const ONE_ROW: u32 = 1 << 20;

/// The stretch before the instruction that writes the base.
const PREFIX: Stretch = Stretch(u32::MAX);

/// A row of a register, counted from the first one for spilled registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot(pub(crate) u32);

/// The source of the value of a spilled register.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Home {
    /// An instruction that computes it again.
    Again(Inst),
    /// A row.
    Row(Slot),
}

/// For each register the instruction that computes its value, if all that write it are the same one and read nothing that changes.
pub(crate) fn constants(function: &MachineFunction) -> Vec<Option<Inst>> {
    let mut constants: Vec<Option<Inst>> = vec![None; function.registers as usize];
    let mut varies = vec![false; function.registers as usize];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let Some(register) = inst.definition() else { continue };
        let constant = &mut constants[register.0 as usize];
        if inst.operation == Operation::Undefine {
            continue;
        }
        varies[register.0 as usize] |= !is_constant(inst) || constant.is_some_and(|other| other != *inst);
        *constant = Some(*inst);
    }
    let known = |(constant, varies): (Option<Inst>, bool)| constant.filter(|_| !varies);
    constants.into_iter().zip(varies).map(known).collect()
}

fn is_constant(inst: &Inst) -> bool {
    let is_plain = inst.condition == Condition::Always && !inst.sets_flags;
    is_plain
        && match (inst.operation, inst.sources[0]) {
            (Operation::Immediate(_), _) => true,
            (Operation::Move, Source::Small(_)) => true,
            (Operation::Move, Source::Port(port)) => matches!(port, ReadPort::ElementNumber | ReadPort::QpuNumber),
            _ => false,
        }
}

/// Slots for registers: those whose ranges do not overlap share one. `first` is the first slot. Gives the slots and the first unused one.
pub(crate) fn slots(registers: &[VReg], ranges: &[Range], first: u32) -> (Vec<Slot>, u32) {
    let mut taken: Vec<BTreeMap<u32, u32>> = Vec::new();
    let is_free = |taken: &BTreeMap<u32, u32>, range: &Range| {
        range.iter().all(|segment| taken.range(..segment.end).next_back().is_none_or(|(_, &end)| end <= segment.start))
    };
    let slots = registers.iter().map(|register| {
        let range = &ranges[register.0 as usize];
        let slot = taken.iter().position(|taken| is_free(taken, range)).unwrap_or(taken.len());
        if slot == taken.len() {
            taken.push(BTreeMap::new());
        }
        taken[slot].extend(range.iter().map(|segment| (segment.start, segment.end)));
        Slot(first + slot as u32)
    });
    let slots = slots.collect();
    (slots, first + taken.len() as u32)
}

/// A register of a stretch that holds a spilled one.
struct Held {
    register: VReg,
    slot: Slot,
    is_written: bool,
}

/// Rewrites a function so that spilled registers live in their homes.
pub(crate) struct Spiller<'a> {
    function: &'a mut MachineFunction,
    homes: &'a [Option<Home>],
    base: VReg,
    held: BTreeMap<Stretch, BTreeMap<VReg, Held>>,
}

impl<'a> Spiller<'a> {
    /// For registers with homes. The base is needed if one is a row.
    pub(crate) fn new(function: &'a mut MachineFunction, homes: &'a [Option<Home>]) -> Spiller<'a> {
        let base = function.spill_base.unwrap_or(VReg(0));
        Spiller { function, homes, base, held: BTreeMap::new() }
    }

    /// Rewrites.
    pub(crate) fn run(mut self) {
        let mut stretches = stretches(self.function);
        self.mark_prefix(&mut stretches);
        self.find_held(&stretches);
        for (block, stretches) in stretches.iter().enumerate() {
            let insts = std::mem::take(&mut self.function.blocks[block].insts);
            let mut rewritten = Vec::with_capacity(insts.len() + insts.len() / 2);
            for (inst, stretch) in insts.into_iter().zip(stretches) {
                match stretch {
                    Some(stretch) => self.inside(inst, *stretch, &mut rewritten),
                    None => self.outside(inst, &mut rewritten),
                }
            }
            self.function.blocks[block].insts = rewritten;
        }
    }

    /// The instructions before the base are a stretch of their own: rows cannot be accessed there.
    fn mark_prefix(&self, stretches: &mut [Vec<Option<Stretch>>]) {
        let (Some(entry), Some(base)) = (self.function.blocks.first(), self.function.spill_base) else { return };
        let Some(last) = entry.insts.iter().position(|inst| inst.definition() == Some(base)) else { return };
        for stretch in &mut stretches[0][..=last] {
            stretch.get_or_insert(PREFIX);
        }
    }

    fn home(&self, register: VReg) -> Option<Home> {
        self.homes.get(register.0 as usize).copied().flatten()
    }

    fn row(&self, register: VReg) -> Option<Slot> {
        match self.home(register) {
            Some(Home::Row(slot)) => Some(slot),
            Some(Home::Again(_)) | None => None,
        }
    }

    /// Finds the registers with rows that are mentioned in stretches.
    fn find_held(&mut self, stretches: &[Vec<Option<Stretch>>]) {
        for (block, stretches) in stretches.iter().enumerate() {
            for (place, stretch) in stretches.iter().enumerate() {
                let Some(stretch) = *stretch else { continue };
                let inst = self.function.blocks[block].insts[place];
                for register in inst.uses().chain(inst.definition()) {
                    let Some(slot) = self.row(register) else { continue };
                    let function = &mut *self.function;
                    let held = self.held.entry(stretch).or_default().entry(register);
                    let held = held.or_insert_with(|| Held { register: function.register(), slot, is_written: false });
                    held.is_written |= inst.definition() == Some(register);
                }
            }
        }
    }

    /// An instruction where the mutex is held.
    fn inside(&mut self, mut inst: Inst, stretch: Stretch, out: &mut Vec<Inst>) {
        if takes_mutex(&inst) {
            let held = self.held.get(&stretch).into_iter().flat_map(BTreeMap::values);
            let loads: Vec<Transfer> = held.map(|held| Transfer { register: held.register, slot: held.slot }).collect();
            self.load(&loads, out);
        }
        if !self.compute_again(&mut inst, out) {
            return;
        }
        if let Some(held) = self.held.get(&stretch) {
            rename(&mut inst, |register| held.get(&register).map_or(register, |held| held.register));
        }
        out.push(inst);
        let ends_prefix = stretch == PREFIX && inst.definition() == self.function.spill_base;
        if gives_mutex(&inst) || ends_prefix {
            let held = self.held.get(&stretch).into_iter().flat_map(BTreeMap::values).filter(|held| held.is_written);
            let stores: Vec<Transfer> =
                held.map(|held| Transfer { register: held.register, slot: held.slot }).collect();
            self.store(&stores, out);
        }
    }

    /// An instruction where the mutex is free.
    fn outside(&mut self, mut inst: Inst, out: &mut Vec<Inst>) {
        if !self.compute_again(&mut inst, out) {
            return;
        }
        let mut names: Vec<(VReg, Transfer)> = Vec::new();
        let mut loads = Vec::new();
        for register in inst.uses() {
            self.temporary(register, &mut names);
        }
        loads.extend(names.iter().map(|(_, transfer)| *transfer));
        let mut stores = Vec::new();
        if let Some(register) = inst.definition()
            && self.row(register).is_some()
        {
            if inst.operation == Operation::Undefine {
                return;
            }
            let transfer = self.temporary(register, &mut names).expect("invariant: the register has a row");
            if !is_full_definition(&inst) && !loads.contains(&transfer) {
                loads.push(transfer);
            }
            stores.push(transfer);
        }
        self.load(&loads, out);
        rename(&mut inst, |register| {
            names.iter().find(|(name, _)| *name == register).map_or(register, |(_, transfer)| transfer.register)
        });
        out.push(inst);
        self.store(&stores, out);
    }

    /// The temporary of a register with a row in one instruction.
    fn temporary(&mut self, register: VReg, names: &mut Vec<(VReg, Transfer)>) -> Option<Transfer> {
        let slot = self.row(register)?;
        if let Some((_, transfer)) = names.iter().find(|(name, _)| *name == register) {
            return Some(*transfer);
        }
        let transfer = Transfer { register: self.function.register(), slot };
        names.push((register, transfer));
        Some(transfer)
    }

    /// Computes constants before an instruction that reads them. False if the instruction is the one that computes one: it is dropped.
    fn compute_again(&mut self, inst: &mut Inst, out: &mut Vec<Inst>) -> bool {
        if inst.definition().is_some_and(|register| matches!(self.home(register), Some(Home::Again(_)))) {
            return false;
        }
        let reads: Vec<VReg> = inst.uses().collect();
        for (place, &register) in reads.iter().enumerate() {
            let Some(Home::Again(mut constant)) = self.home(register) else { continue };
            if reads[..place].contains(&register) {
                continue;
            }
            let temporary = self.function.register();
            constant.destination = Destination::Register(temporary);
            out.push(constant);
            for source in &mut inst.sources {
                if *source == Source::Register(register) {
                    *source = Source::Register(temporary);
                }
            }
        }
        true
    }

    fn load(&mut self, transfers: &[Transfer], out: &mut Vec<Inst>) {
        self.exchange(transfers, out, |spiller, transfer, out| {
            spiller.set_up(WritePort::VpmReadSetup, ONE_ROW | ROW_SETUP, transfer.slot, out);
            out.push(Inst::copy(Destination::Register(transfer.register), Source::Port(ReadPort::Vpm)));
        });
    }

    fn store(&mut self, transfers: &[Transfer], out: &mut Vec<Inst>) {
        self.exchange(transfers, out, |spiller, transfer, out| {
            spiller.set_up(WritePort::VpmWriteSetup, ROW_SETUP, transfer.slot, out);
            out.push(Inst::copy(Destination::Port(WritePort::Vpm), Source::Register(transfer.register)));
        });
    }

    fn exchange(
        &mut self,
        transfers: &[Transfer],
        out: &mut Vec<Inst>,
        exchange: impl Fn(&mut Self, Transfer, &mut Vec<Inst>),
    ) {
        if transfers.is_empty() {
            return;
        }
        out.push(Inst::copy(Destination::Null, Source::Port(ReadPort::MutexAcquire)));
        for &transfer in transfers {
            exchange(self, transfer, out);
        }
        out.push(Inst::copy(Destination::Port(WritePort::MutexRelease), Source::Small(SmallImmediate(0))));
    }

    fn set_up(&mut self, port: WritePort, setup: u32, slot: Slot, out: &mut Vec<Inst>) {
        let word = setup + self.function.own_rows + slot.0;
        let constant = self.function.register();
        out.push(Inst::immediate(Destination::Register(constant), word));
        let [base, constant] = [self.base, constant].map(Source::Register);
        out.push(Inst::binary(Operation::Add(AddOp::Add), Destination::Port(port), base, constant));
    }
}

/// A register and the row that it is read from or written to.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Transfer {
    register: VReg,
    slot: Slot,
}
