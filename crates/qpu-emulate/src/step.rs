//! One instruction of one QPU.
//!
//! First the rules about distances are checked, then whether the QPU has to wait for a unit; only then is anything changed. Both ALUs see
//! the registers and flags of the previous instructions.

use crate::alu::{self, AddOperation, Number, Outcome, Rounding};
use crate::decode::{Alu, Instruction, Operand, Rotation, Signal, Writes};
use crate::dma::Direction;
use crate::fault::FaultKind;
use crate::lanes::{ALL_LANES, Condition, Flags, LANES, LaneMask, Lanes, splat};
use crate::moment::Moment;
use crate::pack;
use crate::qpu::{END_SLOTS, LastWrites, Qpu, merge};
use crate::registers::{File, Source, Target};
use crate::sync::Sync;
use crate::tmu::Bus;
use crate::vpm::{Setups, Vpm};

/// The register of each file that the last three instructions may not use.
const END_REGISTER: u8 = 14;

/// The state that the QPUs share.
pub(crate) struct Shared<'a> {
    pub(crate) bus: Bus<'a>,
    pub(crate) vpm: Vpm,
    pub(crate) sync: Sync,
    /// True if more than one QPU is launched.
    pub(crate) is_parallel: bool,
    pub(crate) rounding: Rounding,
    pub(crate) code_address: u32,
    pub(crate) code_length: usize,
    pub(crate) host_interrupts: Vec<u32>,
}

/// The outcome of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Executed,
    /// The branch is taken.
    Taken,
    /// It was the last one of the program.
    Ended,
    /// A unit is not ready before this cycle.
    Wait(u64),
    /// The QPU waits for another QPU.
    Blocked,
}

/// The values of both ALUs and their targets.
pub(crate) struct Results<'a> {
    pub(crate) writes: &'a Writes,
    pub(crate) add: Lanes,
    pub(crate) add_bits: u32,
    pub(crate) mul: Lanes,
    pub(crate) mul_bits: u32,
}

impl Qpu<'_> {
    /// Executes an instruction, or determines that it has to wait.
    pub(crate) fn step(
        &mut self,
        instruction: &Instruction,
        shared: &mut Shared<'_>,
        cycle: u64,
    ) -> Result<Step, FaultKind> {
        let now = Moment { qpu: self.number, number: self.executed, cycle };
        if let Some(result) = self.sfu.take_if(|result| now.number >= result.ready) {
            self.accumulators[4] = result.values;
        }
        match instruction {
            Instruction::Alu(alu) => self.step_alu(alu, shared, now),
            Instruction::Load(load) => self.step_load(load, shared, now),
            Instruction::Branch(branch) => self.step_branch(branch, shared, now),
        }
    }

    fn step_alu(&mut self, alu: &Alu, shared: &mut Shared<'_>, now: Moment) -> Result<Step, FaultKind> {
        self.check_distances(alu)?;
        self.check_end(alu)?;
        if let Some(wait) = self.find_wait(alu, shared, now)? {
            return Ok(wait);
        }
        let a = self.read(alu.read_a, shared, now)?;
        let b = match (alu.immediate, alu.read_b) {
            (Some(immediate), _) => splat(immediate),
            (None, Source::Register(number)) => self.file_b[usize::from(number)],
            (None, source) if source == alu.read_a => a,
            (None, source) => self.read(source, shared, now)?,
        };
        let (results, flags) = self.compute(alu, &a, &b, shared.rounding);
        self.write_results(&results, shared, now)?;
        if let Some((flags, mask)) = flags {
            self.flags.replace(flags, mask);
        }
        if let Signal::LoadTmu(unit) = alu.signal {
            self.accumulators[4] = self.tmu.load(unit, &shared.bus)?;
        }
        let step = self.finish(shared)?;
        if alu.signal == Signal::ProgramEnd {
            self.remaining = Some(END_SLOTS);
        }
        Ok(step)
    }

    fn check_distances(&self, alu: &Alu) -> Result<(), FaultKind> {
        let reads_last = alu.uses.file_a && self.last_writes.contains(File::A, alu.read_a)
            || alu.uses.file_b && self.last_writes.contains(File::B, alu.read_b);
        if reads_last {
            return Err(FaultKind::ReadAfterWrite);
        }
        if alu.uses.rotation_inputs & self.last_writes.accumulators != 0 {
            return Err(FaultKind::RotationAfterWrite);
        }
        if self.sfu.is_some() {
            if alu.uses.r4 {
                return Err(FaultKind::SfuEarlyRead);
            }
            if matches!(alu.signal, Signal::LoadTmu(_)) {
                return Err(FaultKind::R4Conflict);
            }
        }
        Ok(())
    }

    fn check_end(&self, alu: &Alu) -> Result<(), FaultKind> {
        let is_end = alu.signal == Signal::ProgramEnd;
        if !is_end && self.remaining.is_none() {
            return Ok(());
        }
        let sources = [(alu.uses.file_a, alu.read_a), (alu.uses.file_b, alu.read_b)];
        let is_bad_source = sources.into_iter().any(|(is_used, source)| {
            source == Source::Uniform || source.is_vpm() || is_used && source == Source::Register(END_REGISTER)
        });
        let ends_twice = is_end && (self.remaining.is_some() || self.jump.is_some());
        if is_bad_source || ends_twice {
            return Err(FaultKind::ProgramEnd);
        }
        match is_end {
            true => check_last_targets(&alu.writes),
            false => check_end_targets(&alu.writes),
        }
    }

    /// The unit or cycle that the instruction has to wait for.
    fn find_wait(&self, alu: &Alu, shared: &mut Shared<'_>, now: Moment) -> Result<Option<Step>, FaultKind> {
        if let Signal::LoadTmu(unit) = alu.signal {
            let ready = self.tmu.ready_at(unit)?;
            if ready > now.cycle {
                return Ok(Some(Step::Wait(ready)));
            }
        }
        for source in [alu.read_a, alu.read_b] {
            let direction = match source {
                Source::LoadWait => Direction::Load,
                Source::StoreWait => Direction::Store,
                Source::VpmData if shared.vpm.ready_at() > now.cycle => {
                    return Ok(Some(Step::Wait(shared.vpm.ready_at())));
                }
                Source::MutexAcquire if !shared.sync.can_acquire(self.number)? => return Ok(Some(Step::Blocked)),
                _ => continue,
            };
            if let Some(end) = shared.vpm.dma.await_end(direction, now) {
                return Ok(Some(Step::Wait(end)));
            }
        }
        Ok(None)
    }

    fn read(&mut self, source: Source, shared: &mut Shared<'_>, now: Moment) -> Result<Lanes, FaultKind> {
        Ok(match source {
            Source::None | Source::LoadWait | Source::StoreWait => splat(0),
            Source::Register(number) => self.file_a[usize::from(number)],
            Source::Uniform => splat(self.uniforms.read(&shared.bus, now)?),
            Source::ElementNumber => std::array::from_fn(|lane| lane as u32),
            Source::QpuNumber => splat(self.number as u32),
            Source::VpmData => {
                shared.check_mutex(self.number)?;
                shared.vpm.read(now)?
            }
            Source::LoadBusy => splat(shared.vpm.dma.await_end(Direction::Load, now).is_some().into()),
            Source::StoreBusy => splat(shared.vpm.dma.await_end(Direction::Store, now).is_some().into()),
            Source::MutexAcquire => {
                shared.sync.acquire(self.number);
                if shared.is_parallel {
                    shared.vpm.setups = Setups::default();
                }
                splat(1)
            }
        })
    }

    /// The results of both ALUs; and, where flags are set, the flags and the lanes that get them.
    fn compute<'i>(
        &self,
        alu: &'i Alu,
        a: &Lanes,
        b: &Lanes,
        rounding: Rounding,
    ) -> (Results<'i>, Option<(Flags, LaneMask)>) {
        let writes = &alu.writes;
        let mut results = Results { writes, add: splat(0), add_bits: u32::MAX, mul: splat(0), mul_bits: u32::MAX };
        let mut flags = None;
        let packs_a = !writes.packs_mul && writes.pack != 0;
        if alu.is_add_active() {
            let operand = |index: usize| self.operand(alu.add_operands[index], alu, [a, b], alu.add.operands());
            let outcome = alu::add(alu.add, &operand(0), &operand(1), rounding);
            if writes.sets_flags {
                flags = Some((Flags::of(&outcome.values, &outcome.carry), self.flags.lanes(writes.add_condition)));
            }
            results.add = outcome.values;
            if packs_a && !writes.is_swapped {
                results.add = pack::pack(writes.pack, &outcome, alu.add.result());
                results.add_bits = pack::written_bits(writes.pack);
            }
        }
        if alu.is_mul_active() {
            let operand = |index: usize| self.operand(alu.mul_operands[index], alu, [a, b], alu.mul.number());
            let mut outcome = alu::mul(alu.mul, &operand(0), &operand(1));
            self.rotate(&mut outcome, alu.rotation);
            if writes.sets_flags && alu.add == AddOperation::Nop {
                flags = Some((Flags::of(&outcome.values, &outcome.carry), self.flags.lanes(writes.mul_condition)));
            }
            results.mul = outcome.values;
            if writes.packs_mul && writes.pack != 0 {
                results.mul = pack::pack_mul(writes.pack, &outcome.values);
                results.mul_bits = pack::written_bits(writes.pack);
            } else if packs_a && writes.is_swapped {
                results.mul = pack::pack(writes.pack, &outcome, alu.mul.number());
                results.mul_bits = pack::written_bits(writes.pack);
            }
        }
        (results, flags)
    }

    fn operand(&self, operand: Operand, alu: &Alu, files: [&Lanes; 2], number: Number) -> Lanes {
        let unpacks_r4 = alu.writes.packs_mul;
        match operand {
            _ if alu.unpack == 0 => self.raw_operand(operand, files),
            Operand::FileA if !unpacks_r4 => pack::unpack(alu.unpack, files[0], number),
            Operand::Accumulator(4) if unpacks_r4 => pack::unpack_r4(alu.unpack, &self.accumulators[4]),
            _ => self.raw_operand(operand, files),
        }
    }

    fn raw_operand(&self, operand: Operand, files: [&Lanes; 2]) -> Lanes {
        match operand {
            Operand::Accumulator(number) => self.accumulators[usize::from(number)],
            Operand::FileA => *files[0],
            Operand::FileB => *files[1],
        }
    }

    /// Moves lane i to lane i + distance.
    fn rotate(&self, outcome: &mut Outcome, rotation: Option<Rotation>) {
        let distance = match rotation {
            None => return,
            Some(Rotation::Fixed(distance)) => distance,
            Some(Rotation::ByR5) => (self.accumulators[5][0] & 15) as usize,
        };
        outcome.values.rotate_right(distance);
        outcome.carry.rotate_right(distance);
    }

    pub(crate) fn write_results(
        &mut self,
        results: &Results<'_>,
        shared: &mut Shared<'_>,
        now: Moment,
    ) -> Result<(), FaultKind> {
        let Writes { add_target, mul_target, add_condition, mul_condition, .. } = *results.writes;
        let add_lanes = self.flags.lanes(add_condition);
        let mul_lanes = self.flags.lanes(mul_condition);
        let is_same = match (add_target, mul_target) {
            (Target::R5All | Target::R5Quads, Target::R5All | Target::R5Quads) => true,
            (Target::Accumulator(add), Target::Accumulator(mul)) => add == mul,
            _ => false,
        };
        if is_same && add_lanes & mul_lanes != 0 {
            return Err(FaultKind::DoubleWrite);
        }
        self.last_writes = LastWrites::default();
        let each = [
            (add_target, add_lanes, &results.add, results.add_bits),
            (mul_target, mul_lanes, &results.mul, results.mul_bits),
        ];
        for ((target, lanes, values, bits), condition) in each.into_iter().zip([add_condition, mul_condition]) {
            if condition != Condition::Never {
                self.last_writes.add(target);
            }
            match target {
                Target::None => {}
                Target::Register(File::A, number) => merge(&mut self.file_a[usize::from(number)], values, lanes, bits),
                Target::Register(File::B, number) => merge(&mut self.file_b[usize::from(number)], values, lanes, bits),
                Target::Accumulator(number) => merge(&mut self.accumulators[usize::from(number)], values, lanes, bits),
                Target::R5All | Target::R5Quads => self.write_r5(target, values, lanes)?,
                Target::HostInterrupt => shared.interrupt_host(values[0], lanes),
                _ => self.write_peripheral(target, values, shared, now)?,
            }
        }
        Ok(())
    }

    fn write_r5(&mut self, target: Target, values: &Lanes, lanes: LaneMask) -> Result<(), FaultKind> {
        let step = if target == Target::R5Quads { 4 } else { LANES };
        match lanes {
            0 => Ok(()),
            ALL_LANES => {
                self.accumulators[5] = std::array::from_fn(|lane| values[lane / step * step]);
                Ok(())
            }
            _ => Err(FaultKind::ConditionalPeripheralWrite),
        }
    }
}

/// Checks the targets of the instruction that ends the program: no register of the files, and not the VPM.
fn check_last_targets(writes: &Writes) -> Result<(), FaultKind> {
    let is_register = |target: Target| matches!(target, Target::Register(..));
    match is_register(writes.add_target) || is_register(writes.mul_target) {
        true => Err(FaultKind::ProgramEnd),
        false => check_end_targets(writes),
    }
}

/// Checks the targets of the instructions after the end: not one register, and not the VPM.
pub(crate) fn check_end_targets(writes: &Writes) -> Result<(), FaultKind> {
    let is_bad = |target: Target| match target {
        Target::Register(_, number) => number == END_REGISTER,
        _ => target.is_vpm(),
    };
    if is_bad(writes.add_target) || is_bad(writes.mul_target) { Err(FaultKind::ProgramEnd) } else { Ok(()) }
}
