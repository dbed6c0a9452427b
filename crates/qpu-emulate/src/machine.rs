//! A launch: the QPUs in lockstep, one instruction of each in a cycle.
//!
//! In a cycle the QPUs run in the order of their numbers, except those that wait for a unit. If all running QPUs wait, time advances to the
//! first unit that is ready; if there is none, the launch is deadlocked.

use crate::alu::Rounding;
use crate::decode::{self, Decoded};
use crate::fault::{Fault, FaultKind};
use crate::memory::{Memory, WrittenLines};
use crate::qpu::{Poison, Qpu};
use crate::step::{Shared, Step};
use crate::sync::Sync;
use crate::tmu::Bus;
use crate::vpm::Vpm;

/// The number of QPUs of the chip.
pub const MAX_QPUS: usize = 12;

/// A launch and its options.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// The words of the code. All QPUs begin at the first one.
    pub code: &'a [u64],
    /// The address of the code, for links and absolute branches. The code is not in [`Memory`].
    pub code_address: u32,
    /// The uniforms of each QPU. The length is the number of QPUs, 1 to 12.
    pub uniforms: &'a [Vec<u32>],
    /// The maximum number of cycles.
    pub cycle_limit: u64,
    /// The initial contents of registers, flags and the VPM are derived from this seed. A program whose results differ between two seeds
    /// uses values that it did not write.
    pub seed: u32,
    /// True if it is a fault to read through the cache of the TMU, or of the uniforms, from a line of 64 bytes that DMA has written in this
    /// launch. The caches of the chip do not see such writes. If false, these reads see all writes.
    pub is_cache_strict: bool,
    /// True if a read of the VPM within three instructions of its setup waits. The guide requires the distance, so that such a read is a
    /// fault otherwise; measurements on the chip show that it waits, and code of VC4C relies on it.
    pub waits_for_vpm: bool,
    /// True if a lookup at an address that is not a multiple of 4 reads the word that contains the address, as on the chip. Otherwise it is
    /// a fault.
    pub aligns_lookups: bool,
    /// The rounding of sums of floats and of `itof`.
    pub rounding: Rounding,
}

impl<'a> Launch<'a> {
    /// A launch with the usual options: all rules are checked, seed 0 and 100 million cycles.
    pub fn new(code: &'a [u64], uniforms: &'a [Vec<u32>]) -> Launch<'a> {
        Launch {
            code,
            code_address: 0x1000_0000,
            uniforms,
            cycle_limit: 100_000_000,
            seed: 0,
            is_cache_strict: true,
            waits_for_vpm: false,
            aligns_lookups: false,
            rounding: Rounding::default(),
        }
    }
}

/// The result of a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The number of cycles until the last QPU ended.
    pub cycles: u64,
    /// The number of times that each instruction was executed, by all QPUs.
    pub executed: Vec<u64>,
    /// The number of cycles that the QPUs waited at each instruction.
    pub stalled: Vec<u64>,
    /// The number of times that each branch was taken.
    pub taken: Vec<u64>,
    /// The words that were written to interrupt the host.
    pub host_interrupts: Vec<u32>,
}

/// A QPU and its timing.
struct Runner<'a> {
    qpu: Qpu<'a>,
    /// The QPU waits until this cycle.
    wake: u64,
    /// The cycle since which the next instruction waits.
    since: u64,
}

/// Runs the code on all QPUs to their ends. After a fault, memory contains what was written before it.
pub fn run(launch: &Launch<'_>, memory: &mut Memory) -> Result<Report, Fault> {
    check(launch)?;
    let decoded: Vec<Decoded> = launch.code.iter().map(|&word| decode::decode(word)).collect();
    let poison = Poison::new(launch.seed);
    let written = WrittenLines::new(memory);
    let mut machine = Machine {
        code: &decoded,
        shared: Shared {
            bus: Bus { memory, written, is_strict: launch.is_cache_strict, aligns_lookups: launch.aligns_lookups },
            vpm: Vpm { waits: launch.waits_for_vpm, ..Vpm::new(|index| poison.word(index)) },
            sync: Sync::default(),
            is_parallel: launch.uniforms.len() > 1,
            rounding: launch.rounding,
            code_address: launch.code_address,
            code_length: decoded.len(),
            host_interrupts: Vec::new(),
        },
        cycle: 0,
        executed: vec![0; decoded.len()],
        stalled: vec![0; decoded.len()],
        taken: vec![0; decoded.len()],
    };
    let numbered = launch.uniforms.iter().enumerate();
    let qpus = numbered.map(|(number, uniforms)| Qpu::new(number, uniforms, poison));
    let mut runners = qpus.map(|qpu| Runner { qpu, wake: 0, since: 0 }).collect();
    machine.run(&mut runners, launch.cycle_limit)?;
    Ok(Report {
        cycles: machine.cycle,
        executed: machine.executed,
        stalled: machine.stalled,
        taken: machine.taken,
        host_interrupts: machine.shared.host_interrupts,
    })
}

fn check(launch: &Launch<'_>) -> Result<(), Fault> {
    let fault = |kind| Fault { kind, qpu: 0, address: 0, cycle: 0 };
    let code_end = u64::from(launch.code_address) + launch.code.len() as u64 * 8;
    let is_valid = (1..=MAX_QPUS).contains(&launch.uniforms.len()) && !launch.code.is_empty() && code_end <= 1 << 32;
    if !is_valid {
        return Err(fault(FaultKind::InvalidLaunch));
    }
    if !launch.code.iter().any(|&word| decode::is_program_end(word)) {
        return Err(fault(FaultKind::NoThreadEnd));
    }
    Ok(())
}

struct Machine<'a, 'b> {
    code: &'a [Decoded],
    shared: Shared<'b>,
    cycle: u64,
    executed: Vec<u64>,
    stalled: Vec<u64>,
    taken: Vec<u64>,
}

/// The time of the next cycle, as far as this cycle determines it.
enum Progress {
    Some,
    /// All QPUs wait; the first may continue in this cycle.
    Until(u64),
    None,
}

impl Machine<'_, '_> {
    fn run(&mut self, runners: &mut Vec<Runner<'_>>, cycle_limit: u64) -> Result<(), Fault> {
        while let Some(first) = runners.first() {
            let (qpu, address) = (first.qpu.number, first.qpu.counter);
            let fault = |kind, cycle| Fault { kind, qpu, address, cycle };
            if self.cycle >= cycle_limit {
                return Err(fault(FaultKind::CycleLimit, self.cycle));
            }
            match self.run_cycle(runners)? {
                Progress::Some => self.cycle += 1,
                Progress::Until(cycle) => self.cycle = cycle,
                Progress::None => return Err(fault(FaultKind::Deadlock, self.cycle)),
            }
        }
        Ok(())
    }

    fn run_cycle(&mut self, runners: &mut Vec<Runner<'_>>) -> Result<Progress, Fault> {
        let mut has_progress = false;
        let mut next = None;
        let mut index = 0;
        while let Some(runner) = runners.get_mut(index) {
            index += 1;
            if runner.wake <= self.cycle {
                match self.step(runner)? {
                    Step::Executed | Step::Taken => has_progress = true,
                    Step::Ended => {
                        has_progress = true;
                        index -= 1;
                        runners.remove(index);
                        continue;
                    }
                    Step::Wait(cycle) => runner.wake = cycle,
                    Step::Blocked => continue,
                }
            }
            if runner.wake > self.cycle {
                next = Some(next.map_or(runner.wake, |next: u64| next.min(runner.wake)));
            }
        }
        Ok(match next {
            _ if has_progress => Progress::Some,
            Some(cycle) => Progress::Until(cycle),
            None => Progress::None,
        })
    }

    fn step(&mut self, runner: &mut Runner<'_>) -> Result<Step, Fault> {
        let address = runner.qpu.counter;
        let fault = |kind| Fault { kind, qpu: runner.qpu.number, address, cycle: self.cycle };
        let instruction = self.code.get(address).ok_or_else(|| fault(FaultKind::RunOffCode))?;
        let instruction = instruction.as_ref().map_err(|&kind| fault(kind))?;
        let step = runner.qpu.step(instruction, &mut self.shared, self.cycle);
        let step = step.map_err(|kind| Fault { kind, qpu: runner.qpu.number, address, cycle: self.cycle })?;
        if !matches!(step, Step::Wait(_) | Step::Blocked) {
            self.executed[address] += 1;
            self.stalled[address] += self.cycle - runner.since;
            self.taken[address] += u64::from(step == Step::Taken);
            runner.since = self.cycle + 1;
        }
        Ok(step)
    }
}
