//! Runs programs on the emulator of the VC4, and compares with the interpreter.
//!
//! The reconvergence of cases that fall through is left open as on the CPU ([`judge_on_cpu`](super::judge_on_cpu)).

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_codegen::{Request, Vc4Code, vc4};
use reconverge_ir::Module;
use reconverge_qpu_check::check;
use reconverge_run::{Vc4Image, run_bound_on_vc4};

use super::cpu::{CpuVerdict, binding_of, has_falls};
use super::driver::{Demand, classify};
use super::run::{Inputs, compare_runs};
use super::shader::Shader;
use super::simulate::{Simulation, simulate};
use crate::generators::lanes::Program;

/// The initial values of registers, in two runs.
const POISON: [u32; 2] = [1, 0x9e37_79b9];

/// A run of a program on the VC4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QpuTrial {
    /// The optimizations before.
    pub level: Level,
    /// The lanes that are launched: 1 to 16.
    pub lanes: usize,
}

/// A program in words, with a launch.
#[derive(Clone, Debug)]
pub struct QpuCode {
    /// The words.
    pub words: Vec<u64>,
    /// Memory and uniforms.
    pub image: Vc4Image,
}

/// A program as a shader, with what it must do.
struct Prepared {
    shader: Shader,
    simulation: Simulation,
    module: Module,
}

impl Prepared {
    fn new(program: &Program, seed: u64, trial: QpuTrial) -> Result<Prepared, String> {
        let inputs = Inputs::new(trial.lanes, seed);
        let simulation = simulate(program, &inputs)?;
        let longest = simulation.run.records.iter().map(Vec::len).max().unwrap_or(0);
        let shader = Shader::new(program, &inputs, 2 * longest as u32 + 16)?;
        let options = CompileOptions::new().level(trial.level);
        let compiled = reconverge::compile(&shader.spirv, Format::SPIRV, Format::TEXT, &options);
        let module = compiled.map_err(|error| error.to_string())?.module;
        Ok(Prepared { shader, simulation, module })
    }
}

/// The words of a program for the VC4.
///
/// # Errors
/// The program itself cannot be run, or the VC4 does not have what it needs.
pub fn qpu_code(program: &Program, seed: u64, trial: QpuTrial) -> Result<QpuCode, String> {
    let prepared = Prepared::new(program, seed, trial)?;
    let binding = binding_of(&prepared.shader);
    let program = vc4::compile(&prepared.module, &Request::new(&binding.entry_point, binding.size.local));
    let program = program.map_err(|error| error.to_string())?;
    let image = Vc4Image::new(&program, &binding).map_err(|error| error.to_string())?;
    Ok(QpuCode { words: program.words, image })
}

/// Runs a program on the emulator of the VC4 and in the interpreter. The words break no rule of the checker.
///
/// # Errors
/// The program itself cannot be run.
pub fn judge_on_qpu(program: &Program, seed: u64, trial: QpuTrial) -> Result<CpuVerdict, String> {
    let Prepared { shader, simulation, module } = Prepared::new(program, seed, trial)?;
    let expected = shader.interpret()?;
    let binding = binding_of(&shader);
    let mut before = None;
    for poison in POISON {
        let run = match run_bound_on_vc4(&module, &binding, poison) {
            Ok(run) => run,
            Err(error) if error.is(Vc4Code::Unsupported) || error.is(Vc4Code::Limit) => {
                return Ok(CpuVerdict::Refused(error.to_string()));
            }
            Err(error) => return Ok(CpuVerdict::Wrong(error.to_string())),
        };
        if let Some(violation) = check(&run.program.words).first() {
            return Ok(CpuVerdict::Wrong(format!("the words break a rule: {violation}")));
        }
        let compared = shader.decode(&run.buffers[0]).and_then(|found| match has_falls(seed) {
            true => classify(&simulation, &expected, &found, Demand::Promised).fault.map_or(Ok(()), Err),
            false => compare_runs(&expected, &found),
        });
        if let Err(difference) = compared {
            return Ok(CpuVerdict::Wrong(difference));
        }
        if before.as_ref().is_some_and(|before| *before != run.buffers) {
            return Ok(CpuVerdict::Wrong("memory depends on registers that are not written".to_owned()));
        }
        before = Some(run.buffers);
    }
    Ok(CpuVerdict::Equal)
}
