//! The effects of instructions on units outside the ALUs, and the next instruction.

use crate::decode::{Branch, Load, Writes};
use crate::fault::FaultKind;
use crate::lanes::{Condition, Flags, LaneMask, Lanes, splat};
use crate::moment::Moment;
use crate::pack;
use crate::qpu::{BRANCH_SLOTS, Jump, LastWrites, Qpu, SFU_LATENCY, SfuResult};
use crate::registers::{File, Source, Target};
use crate::sfu::{self, SfuFunction};
use crate::step::{Results, Shared, Step, check_end_targets};

/// Instructions from a branch to the next one that may be a branch.
const BRANCH_DISTANCE: u64 = 3;

impl Qpu<'_> {
    pub(crate) fn write_peripheral(
        &mut self,
        target: Target,
        values: &Lanes,
        shared: &mut Shared<'_>,
        now: Moment,
    ) -> Result<(), FaultKind> {
        let word = values[0];
        if target.is_vpm() {
            shared.check_mutex(self.number)?;
        }
        match target {
            Target::NoSwap => self.tmu.write_no_swap(now),
            Target::UniformsAddress => self.uniforms.set_address(word, now),
            Target::VpmData => shared.vpm.write(values)?,
            Target::ReadSetup => shared.vpm.write_read_setup(word, now)?,
            Target::WriteSetup => shared.vpm.write_write_setup(word)?,
            Target::LoadAddress => shared.vpm.load(word, &shared.bus, now)?,
            Target::StoreAddress => shared.vpm.store(word, &mut shared.bus, now)?,
            Target::MutexRelease => shared.release_mutex(self.number)?,
            Target::Sfu(function) => self.start_sfu(function, values, now)?,
            Target::Tmu(unit) => self.tmu.request(unit, values, &shared.bus, now)?,
            Target::None | Target::Register(..) | Target::Accumulator(_) => {}
            Target::R5All | Target::R5Quads | Target::HostInterrupt => {}
        }
        Ok(())
    }

    fn start_sfu(&mut self, function: SfuFunction, values: &Lanes, now: Moment) -> Result<(), FaultKind> {
        if self.sfu.is_some() {
            return Err(FaultKind::R4Conflict);
        }
        self.sfu = Some(SfuResult { ready: now.number + SFU_LATENCY, values: sfu::compute(function, values) });
        Ok(())
    }

    pub(crate) fn step_load(&mut self, load: &Load, shared: &mut Shared<'_>, now: Moment) -> Result<Step, FaultKind> {
        let writes = &load.writes;
        if self.remaining.is_some() {
            check_end_targets(writes)?;
        }
        if let Some(access) = load.semaphore
            && !shared.sync.access(access)
        {
            return Ok(Step::Blocked);
        }
        let mask = self.flags.lanes(match writes.add_condition {
            Condition::Never => writes.mul_condition,
            condition => condition,
        });
        let results = pack_immediate(writes, load.values);
        self.write_results(&results, shared, now)?;
        if writes.sets_flags {
            self.flags.replace(Flags::of(&load.values, &splat(0)), mask);
        }
        self.finish(shared)
    }

    pub(crate) fn step_branch(
        &mut self,
        branch: &Branch,
        shared: &mut Shared<'_>,
        now: Moment,
    ) -> Result<Step, FaultKind> {
        if self.jump.is_some() {
            return Err(FaultKind::BranchInDelaySlot);
        }
        if self.last_branch.is_some_and(|last| now.number < last + BRANCH_DISTANCE) {
            return Err(FaultKind::BranchSpacing);
        }
        if self.remaining.is_some() {
            return Err(FaultKind::ProgramEnd);
        }
        let is_stale =
            branch.register.is_some_and(|number| self.last_writes.contains(File::A, Source::Register(number)));
        if is_stale {
            return Err(FaultKind::ReadAfterWrite);
        }
        self.last_branch = Some(now.number);
        self.last_writes = LastWrites::default();
        if !self.flags.decides(branch.condition) {
            return self.finish(shared);
        }
        let link = shared.code_address.wrapping_add((self.counter as u32 + 1 + u32::from(BRANCH_SLOTS)) * 8);
        let target = self.find_target(branch, shared, link)?;
        for target in branch.links {
            self.last_writes.add(target);
            match target {
                Target::Register(File::A, number) => self.file_a[usize::from(number)] = splat(link),
                Target::Register(File::B, number) => self.file_b[usize::from(number)] = splat(link),
                Target::Accumulator(number) => self.accumulators[usize::from(number)] = splat(link),
                _ => {}
            }
        }
        self.finish(shared)?;
        self.jump = Some(Jump { slots: BRANCH_SLOTS, target });
        Ok(Step::Taken)
    }

    /// The index of the instruction to which a branch jumps; `link` is the address after its delay slots.
    fn find_target(&self, branch: &Branch, shared: &Shared<'_>, link: u32) -> Result<usize, FaultKind> {
        let register = branch.register.map_or(0, |number| self.file_a[usize::from(number)][15]);
        let base = if branch.is_relative { link } else { 0 };
        let address = base.wrapping_add(branch.offset).wrapping_add(register);
        let offset = address.wrapping_sub(shared.code_address);
        let index = (offset / 8) as usize;
        let is_instruction = offset.is_multiple_of(8) && index < shared.code_length;
        is_instruction.then_some(index).ok_or(FaultKind::BranchTarget)
    }

    /// Advances to the next instruction.
    pub(crate) fn finish(&mut self, shared: &Shared<'_>) -> Result<Step, FaultKind> {
        self.executed += 1;
        self.counter += 1;
        if let Some(jump) = &mut self.jump {
            jump.slots -= 1;
            if jump.slots == 0 {
                self.counter = jump.target;
                self.jump = None;
            }
        }
        match &mut self.remaining {
            None => Ok(Step::Executed),
            Some(1) => self.end(shared),
            Some(remaining) => {
                *remaining -= 1;
                Ok(Step::Executed)
            }
        }
    }

    fn end(&self, shared: &Shared<'_>) -> Result<Step, FaultKind> {
        if shared.sync.has_mutex(self.number) {
            return Err(FaultKind::MutexHeldAtEnd);
        }
        if !self.tmu.is_empty() {
            return Err(FaultKind::UnreadTmuResult);
        }
        if shared.vpm.dma.is_pending(self.number) {
            return Err(FaultKind::DmaNotAwaited);
        }
        if !shared.is_parallel && shared.vpm.has_unread_vectors() {
            return Err(FaultKind::UnreadVpmData);
        }
        Ok(Step::Ended)
    }
}

fn pack_immediate(writes: &Writes, values: Lanes) -> Results<'_> {
    let mut results = Results { writes, add: values, add_bits: u32::MAX, mul: values, mul_bits: u32::MAX };
    if writes.pack == 0 {
        return results;
    }
    let bits = pack::written_bits(writes.pack);
    let packed = match writes.packs_mul {
        true => pack::pack_mul(writes.pack, &values),
        false => pack::pack_integers(writes.pack, &values),
    };
    if writes.packs_mul || writes.is_swapped {
        (results.mul, results.mul_bits) = (packed, bits);
    } else {
        (results.add, results.add_bits) = (packed, bits);
    }
    results
}

impl Shared<'_> {
    /// If there are several QPUs, only the one with the mutex may use the VPM.
    pub(crate) fn check_mutex(&self, qpu: usize) -> Result<(), FaultKind> {
        if self.is_parallel && !self.sync.has_mutex(qpu) { Err(FaultKind::VpmWithoutMutex) } else { Ok(()) }
    }

    /// Only a word other than 0 interrupts the host.
    pub(crate) fn interrupt_host(&mut self, word: u32, lanes: LaneMask) {
        if lanes & 1 != 0 && word != 0 {
            self.host_interrupts.push(word);
        }
    }

    fn release_mutex(&mut self, qpu: usize) -> Result<(), FaultKind> {
        self.sync.release(qpu)?;
        match self.is_parallel {
            true if self.vpm.dma.is_pending(qpu) => Err(FaultKind::DmaNotAwaited),
            true if self.vpm.has_unread_vectors() => Err(FaultKind::UnreadVpmData),
            _ => Ok(()),
        }
    }
}
