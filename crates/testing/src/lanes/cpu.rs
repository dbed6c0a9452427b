//! Runs programs on this CPU in machine code, and compares with the interpreter.
//!
//! Lanes that fall through to a case execute it together with those that the switch sends there; in the interpreter they do not. The
//! specification leaves this open (docs/interpreter.md, *Fall-through*). So in programs where cases fall through, the records of lanes in such
//! a case are not compared, nor what depends on them. All others are.

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_run::{Address, Binding, Contents, CpuKernel, CpuOptions, Size};

use super::driver::{Demand, classify};
use super::run::{Inputs, compare_runs};
use super::shader::Shader;
use super::simulate::simulate;
use crate::generators::lanes::{LaneOptions, Program, SubgroupUse, lanes_program};

/// A run of a program on this CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CpuTrial {
    /// The optimizations before.
    pub level: Level,
    /// Lanes of a vector register.
    pub width: u32,
    /// Vectors of a value.
    pub vectors: u32,
    /// The lanes that are launched, at most those of a pack.
    pub lanes: usize,
}

/// The verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CpuVerdict {
    /// The records are those of the interpreter.
    Equal,
    /// The engine does not support something, named here.
    Refused(String),
    /// A record differs, or the engine failed.
    Wrong(String),
}

/// The program of a seed, of the constructs that the engine has.
pub fn cpu_program(seed: u64) -> Program {
    let subgroup = [SubgroupUse::Everywhere, SubgroupUse::Recorded, SubgroupUse::Everywhere, SubgroupUse::None];
    let options = LaneOptions {
        subgroup: subgroup[seed as usize % 4],
        barriers: seed % 8 == 5,
        returns: seed % 8 != 5,
        falls: has_falls(seed),
        ..LaneOptions::default()
    };
    lanes_program(seed, 4 + (seed as usize * 5) % 48, &options)
}

pub(super) fn has_falls(seed: u64) -> bool {
    seed % 4 == 3
}

/// Runs a program on this CPU and in the interpreter.
///
/// # Errors
/// The program itself cannot be run.
pub fn judge_on_cpu(program: &Program, seed: u64, trial: CpuTrial) -> Result<CpuVerdict, String> {
    let inputs = Inputs::new(trial.lanes, seed);
    let simulation = simulate(program, &inputs)?;
    let longest = simulation.run.records.iter().map(Vec::len).max().unwrap_or(0);
    let shader = Shader::new(program, &inputs, 2 * longest as u32 + 16)?;
    let expected = shader.interpret()?;
    let options = CompileOptions::new().level(trial.level);
    let compiled = reconverge::compile(&shader.spirv, Format::SPIRV, Format::TEXT, &options);
    let module = compiled.map_err(|error| error.to_string())?.module;
    let binding = binding_of(&shader);
    let options =
        CpuOptions { width: Some(trial.width), vectors: Some(trial.vectors), threads: 1, ..CpuOptions::default() };
    let kernel = match CpuKernel::compile_bound(&module, &binding, options) {
        Ok(kernel) => kernel,
        Err(error) => return Ok(CpuVerdict::Refused(error.to_string())),
    };
    let found = kernel.launch_bound(&binding, 1, || ()).map_err(|error| error.to_string());
    let compared = found.and_then(|found| {
        let found = shader.decode(&found.buffers[0])?;
        match has_falls(seed) {
            true => classify(&simulation, &expected, &found, Demand::Promised).fault.map_or(Ok(()), Err),
            false => compare_runs(&expected, &found),
        }
    });
    Ok(compared.map_or_else(CpuVerdict::Wrong, |()| CpuVerdict::Equal))
}

/// A launch of a shader.
pub(super) fn binding_of(shader: &Shader) -> Binding {
    let constants = &shader.push_constants;
    let address = |at: usize, buffer: usize| Address { at, buffer, target: 0 };
    let buffer = |bytes: &[u8]| Contents { bytes: bytes.to_vec(), addresses: Vec::new() };
    Binding {
        entry_point: "main".to_owned(),
        size: Size { groups: [1; 3], local: [shader.lanes as u32, 1, 1] },
        push_constants: Contents {
            bytes: constants.bytes.clone(),
            addresses: vec![address(constants.records_at, 0), address(constants.inputs_at, 1)],
        },
        buffers: vec![buffer(&shader.records), buffer(&shader.inputs)],
        descriptors: Vec::new(),
        program_data: None,
        specialization: Vec::new(),
        subgroup_size: None,
    }
}
