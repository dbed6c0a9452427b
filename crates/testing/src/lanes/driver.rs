//! Runs programs on Vulkan drivers and checks the results.
//!
//! A driver without maximal reconvergence guarantees less than the simulation ([`Promise`]): records without a guarantee may differ, and
//! are counted; records with a guarantee must be equal.
//!
//! Measured with 2,000 programs each on lavapipe of Mesa 22.3 (4, 8 and 16 lanes) and SwiftShader (4 lanes): all guaranteed records are
//! equal. lavapipe joins lanes that fall through to a case with those that the switch sends there, which is allowed; without fall-through
//! it reconverges maximally, record by record. SwiftShader also moves code before a break (`if (done) { …; break; }`) out of the loop and
//! executes it once, for all lanes together.
//!
//! A driver may crash on a shader, so it runs in a separate process for each batch of programs, with a line for each program on stdout.
//! After a crash a new process starts with the program after the one that crashed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use reconverge::structurize::Policy;
use reconverge_run::vulkan::{
    self, Address, Buffer, Device, DeviceChoice, Dispatch, Instance, InstanceOptions, PushConstants, Requirements,
    Validation,
};

use super::run::{Inputs, Record, Run, compare_runs};
use super::shader::{Shader, with_return_record};
use super::shrink::shrink;
use super::simulate::{Promise, Simulation, simulate};
use super::tangle::Doubt;
use crate::generators::lanes::{LaneOptions, Outside, Program, SubgroupUse, lanes_program, lower};

/// A driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// Mesa's lavapipe, with 4, 8 or 16 lanes.
    Lavapipe,
    /// SwiftShader, with 4 lanes.
    SwiftShader,
}

/// The text in a worker's line before a difference that the driver is not allowed.
const FAULT: &str = " fault: ";

const DOUBTS: usize = Doubt::ALL.len();

/// The results of a driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Programs that ran.
    pub programs: usize,
    /// Programs on which the driver's process crashed.
    pub crashes: usize,
    /// Guaranteed records that were equal.
    pub equal_decided: usize,
    /// Records without a guarantee that were equal to those under maximal reconvergence, by the reason in [`Doubt::ALL`].
    pub equal_open: [usize; DOUBTS],
    /// Records without a guarantee that differed, by the reason.
    pub different_open: [usize; DOUBTS],
    /// Guaranteed records that differed: bugs.
    pub different_decided: usize,
}

impl Tally {
    /// The sum.
    pub fn and(self, other: Tally) -> Tally {
        Tally {
            programs: self.programs + other.programs,
            crashes: self.crashes + other.crashes,
            equal_decided: self.equal_decided + other.equal_decided,
            equal_open: std::array::from_fn(|index| self.equal_open[index] + other.equal_open[index]),
            different_open: std::array::from_fn(|index| self.different_open[index] + other.different_open[index]),
            different_decided: self.different_decided + other.different_decided,
        }
    }

    /// As a line, without the line break.
    fn line(&self) -> String {
        let promised = [self.equal_decided, self.different_decided];
        let numbers = promised.iter().chain(&self.equal_open).chain(&self.different_open);
        numbers.fold("tally".to_owned(), |line, number| format!("{line} {number}"))
    }

    fn parse(line: &str) -> Option<Tally> {
        let mut numbers = line.strip_prefix("tally ")?.split(' ').map_while(|word| word.parse().ok());
        let [equal_decided, different_decided] = [numbers.next()?, numbers.next()?];
        let mut by_reason = || -> Option<[usize; DOUBTS]> {
            let all: Vec<usize> = numbers.by_ref().take(DOUBTS).collect();
            all.try_into().ok()
        };
        let [equal_open, different_open] = [by_reason()?, by_reason()?];
        Some(Tally { programs: 1, crashes: 0, equal_decided, equal_open, different_open, different_decided })
    }
}

impl Driver {
    /// The driver with that name.
    pub fn parse(name: &str) -> Option<Driver> {
        match name {
            "lavapipe" => Some(Driver::Lavapipe),
            "swiftshader" => Some(Driver::SwiftShader),
            _ => None,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Driver::Lavapipe => "lavapipe",
            Driver::SwiftShader => "swiftshader",
        }
    }

    /// Returns whether it is installed.
    pub fn is_installed(self) -> bool {
        self.manifest().is_file()
    }

    fn manifest(self) -> PathBuf {
        match self {
            Driver::Lavapipe => {
                PathBuf::from(format!("/usr/share/vulkan/icd.d/lvp_icd.{}.json", std::env::consts::ARCH))
            }
            Driver::SwiftShader => {
                Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/swiftshader/vk_swiftshader_icd.json")
            }
        }
    }

    /// Sets the environment of a process that runs it with this number of lanes.
    ///
    /// # Errors
    /// If it is not installed, or does not support this number of lanes.
    pub fn prepare(self, command: &mut Command, lanes: usize) -> Result<(), String> {
        let manifest = self.manifest();
        if !manifest.is_file() {
            return Err(format!("no driver at {}; `cargo xtask setup` installs it", manifest.display()));
        }
        let is_possible = match self {
            Driver::Lavapipe => matches!(lanes, 4 | 8 | 16),
            Driver::SwiftShader => lanes == 4,
        };
        if !is_possible {
            return Err(format!("{} has no subgroups of {lanes} lanes", self.name()));
        }
        command.env("VK_DRIVER_FILES", &manifest).env("VK_ICD_FILENAMES", &manifest);
        command.env("LP_NATIVE_VECTOR_WIDTH", (lanes * 32).to_string());
        Ok(())
    }
}

/// The requirement for a driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// The guarantees without maximal reconvergence.
    Promised,
    /// Maximal reconvergence. Programs have no fall-through, for which it guarantees nothing.
    Maximal,
    /// The same for the structurizer's output: the structure of the program is removed, its graph transformed, and structurized again with
    /// its merges as hints.
    FoundAnew(Policy),
}

impl Demand {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Demand::Promised => "promised",
            Demand::Maximal => "maximal",
            Demand::FoundAnew(policy) => policy.name(),
        }
    }

    /// The requirement with that name.
    pub fn parse(name: &str) -> Option<Demand> {
        match name {
            "promised" => Some(Demand::Promised),
            "maximal" => Some(Demand::Maximal),
            _ => Policy::parse(name).map(Demand::FoundAnew),
        }
    }
}

/// The program of a seed, for drivers: in every third one no control flow depends on subgroup operations, so that more records are
/// guaranteed.
pub fn driver_program(seed: u64, demand: Demand) -> Program {
    let subgroup = if seed.is_multiple_of(3) { SubgroupUse::Recorded } else { SubgroupUse::Everywhere };
    let options =
        LaneOptions { subgroup, barriers: seed % 8 == 5, falls: demand == Demand::Promised, ..LaneOptions::default() };
    lanes_program(seed, 4 + (seed as usize * 5) % 32, &options)
}

/// Runs programs on the driver of this process, with a line for each on stdout.
///
/// # Errors
/// There is no such device.
pub fn work(seeds: impl Iterator<Item = u64>, lanes: usize, demand: Demand) -> Result<(), String> {
    let device = open(lanes)?;
    for seed in seeds {
        let line = match judge(&device, &driver_program(seed, demand), &Inputs::new(lanes, seed), demand) {
            Ok(Judged { tally, fault: None, .. }) => tally.line(),
            Ok(Judged { tally, fault: Some(fault), .. }) => format!("{}{FAULT}{fault}", tally.line()),
            Err(message) => format!("wrong {}", message.lines().next().unwrap_or_default()),
        };
        let mut stdout = std::io::stdout().lock();
        writeln!(stdout, "\n{line}").and_then(|()| stdout.flush()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Shrinks the program of a seed as long as the driver of this process violates its requirement. Returns the program with its shader as
/// text, and the driver's results.
///
/// # Errors
/// There is no such device.
pub fn shrink_on_driver(seed: u64, lanes: usize, demand: Demand) -> Result<String, String> {
    let device = open(lanes)?;
    let inputs = Inputs::new(lanes, seed);
    let fault = |program: &Program| match judge(&device, program, &inputs, demand) {
        Ok(judged) => judged.fault,
        Err(message) => Some(message),
    };
    let program = shrink(&driver_program(seed, demand), |program| fault(program).is_some());
    let message = fault(&program).unwrap_or_else(|| "nothing is wrong".to_owned());
    let lowered = lower(&program, Outside::Shader { local_size: lanes as u32 });
    Ok(format!("seed {seed}: {message}\n{inputs:?}\n{program}\n{}", reconverge_ir::text::print(&lowered.module)))
}

fn open(lanes: usize) -> Result<Device, String> {
    let instance = Instance::new(&InstanceOptions { validation: Validation::Off }).map_err(text)?;
    let operations = &["basic", "vote", "ballot", "arithmetic", "shuffle"];
    let requirements = Requirements { subgroup_operations: operations, ..Requirements::default() };
    let device = instance.open(&DeviceChoice::Default, &requirements).map_err(text)?;
    let [smallest, largest] = device.description().subgroup_sizes;
    if smallest as usize != lanes || largest as usize != lanes {
        return Err(format!("{} has subgroups of {smallest} to {largest} lanes, not {lanes}", device.name()));
    }
    Ok(device)
}

pub(super) struct Judged {
    pub(super) tally: Tally,
    /// The requirement for the driver.
    demand: Demand,
    /// The first record that differed, among those that are required.
    pub(super) fault: Option<String>,
}

/// Runs a program and compares.
fn judge(device: &Device, program: &Program, inputs: &Inputs, demand: Demand) -> Result<Judged, String> {
    let simulation = simulate(program, inputs)?;
    let expected = with_return_record(&simulation.run, simulation.returned);
    let longest = expected.records.iter().map(Vec::len).max().unwrap_or(0);
    let bound = 2 * longest as u32 + 16;
    let shader = match demand {
        Demand::FoundAnew(policy) => Shader::found_anew(program, inputs, bound, policy)?,
        Demand::Promised | Demand::Maximal => Shader::new(program, inputs, bound)?,
    };
    compare_runs(&expected, &shader.interpret().map_err(|message| format!("interpreter: {message}"))?)
        .map_err(|message| format!("interpreter: {message}"))?;
    let found = run(device, &shader)?;
    Ok(classify(&simulation, &expected, &found, demand))
}

/// Runs a shader on a device. The interpreter ran it before.
#[expect(unsafe_code, reason = "a device does what the shader says")]
fn run(device: &Device, shader: &Shader) -> Result<Run, String> {
    let constants = &shader.push_constants;
    let source = vulkan::Shader {
        push_constant_size: constants.bytes.len() as u32,
        local_size: Some([shader.lanes as u32, 1, 1]),
        ..vulkan::Shader::new(&shader.spirv, "main")
    };
    // SAFETY: the compiler wrote the module for such a device, and these are its push constants.
    let pipeline = unsafe { device.compile(&source) }.map_err(text)?;
    let address = |at: usize, buffer: usize| Address { at, buffer, offset: 0 };
    let addresses = [address(constants.records_at, 0), address(constants.inputs_at, 1)];
    let push_constants = PushConstants { bytes: &constants.bytes, addresses: &addresses };
    let (mut records, mut inputs) = (shader.records.clone(), shader.inputs.clone());
    let dispatch = Dispatch { push_constants, ..Dispatch::of([1; 3]) };
    let mut buffers = [Buffer::new(&mut records), Buffer::new(&mut inputs)];
    // SAFETY: the interpreter ran the shader on these buffers, and its behaviour was defined.
    unsafe { device.dispatch(&pipeline, &dispatch, &mut buffers) }.map_err(text)?;
    shader.decode(&records)
}

pub(super) fn classify(simulation: &Simulation, expected: &Run, found: &Run, demand: Demand) -> Judged {
    let mut judged = Judged { tally: Tally { programs: 1, ..Tally::default() }, demand, fault: None };
    for (lane, (expected, found)) in expected.records.iter().zip(&found.records).enumerate() {
        for (index, expected) in expected.iter().enumerate() {
            let promise = simulation.promises[lane].get(index).copied().unwrap_or(simulation.at_end[lane]);
            let found = found.get(index);
            let has_passed_by = found.is_none_or(|found| found.point != expected.point);
            judged.count(lane, expected, found, promise);
            if has_passed_by {
                break;
            }
        }
        if found.len() > expected.len() {
            judged.count(lane, &Record { point: u32::MAX, ballot: 0, value: 0 }, found.last(), simulation.at_end[lane]);
        }
    }
    judged
}

impl Judged {
    fn count(&mut self, lane: usize, expected: &Record, found: Option<&Record>, promise: Promise) {
        let tally = &mut self.tally;
        let place =
            |doubt| Doubt::ALL.iter().position(|&other| other == doubt).expect("invariant: all doubts are there");
        let is_fault = match found {
            Some(found) if found == expected => {
                *(match promise.doubt() {
                    None => &mut tally.equal_decided,
                    Some(doubt) => &mut tally.equal_open[place(doubt)],
                }) += 1;
                return;
            }
            Some(found) if found.point == expected.point => {
                (found.ballot != expected.ballot && promise.ballot.is_none())
                    || (found.value != expected.value && promise.value.is_none())
            }
            _ => promise.point.is_none(),
        };
        *(match promise.doubt().filter(|_| !is_fault) {
            None => &mut tally.different_decided,
            Some(doubt) => &mut tally.different_open[place(doubt)],
        }) += 1;
        if (is_fault || self.demand != Demand::Promised) && self.fault.is_none() {
            let found = found.map_or("nothing".to_owned(), ToString::to_string);
            self.fault = Some(format!("lane {lane}: {expected}; found {found}"));
        }
    }
}

/// The results of a batch of programs: the sum, and a message for each failed program.
pub type Batch = (Tally, Vec<String>);

/// Runs the programs of seeds in separate processes. `worker` creates the command that calls [`work`] for the given seeds; this function
/// sets the environment for the driver.
///
/// # Errors
/// The driver is not installed.
pub fn judge_in_processes(
    driver: Driver,
    lanes: usize,
    seeds: &[u64],
    worker: &dyn Fn(&[u64]) -> Result<Command, String>,
) -> Result<Batch, String> {
    let mut sum = Tally::default();
    let mut faults = Vec::new();
    let mut next = 0;
    while next < seeds.len() {
        let mut command = worker(&seeds[next..])?;
        driver.prepare(&mut command, lanes)?;
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("cannot start a worker: {error}"))?;
        let stdout = child.stdout.take().expect("invariant: stdout is a pipe");
        let first = next;
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let seed = seeds.get(next).copied().unwrap_or_default();
            if let Some(tally) = Tally::parse(&line) {
                sum = sum.and(tally);
                if line.contains(FAULT) {
                    faults.push(format!("seed {seed}, {lanes} lanes: {line}"));
                }
                next += 1;
            } else if let Some(message) = line.strip_prefix("wrong ") {
                faults.push(format!("seed {seed}, {lanes} lanes: {message}"));
                next += 1;
            }
        }
        let output = child.wait_with_output().map_err(|error| format!("a worker cannot be waited for: {error}"))?;
        if next < seeds.len() {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.lines().last().unwrap_or_default();
            if next == first && output.status.code().is_some() {
                return Err(format!("{} cannot run: {}: {said}", driver.name(), output.status));
            }
            faults.push(format!("seed {}, {lanes} lanes: the process ended: {}: {said}", seeds[next], output.status));
            sum.crashes += 1;
            next += 1;
        }
    }
    Ok((sum, faults))
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
