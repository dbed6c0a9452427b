//! Runs programs on the emulator of the VC4, and compares with the interpreter.
//!
//! What does not reconverge where cases fall through is left open as on the CPU ([`judge_on_cpu`](super::judge_on_cpu)).

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_qpu_check::{Rule, Violation, check};
use reconverge_run::{RunError, run_bound_on_vc4};

use super::cpu::{CpuVerdict, binding_of, has_falls};
use super::driver::{Demand, classify};
use super::run::{Inputs, compare_runs};
use super::shader::Shader;
use super::simulate::simulate;
use crate::generators::lanes::Program;

/// What registers hold before they are written, in two runs.
const POISON: [u32; 2] = [1, 0x9e37_79b9];

/// The first violation of a rule by words of the compiler.
///
/// A register that some path leaves undefined is none: the checker does not know that a path which passes by all writes of a value has no
/// active lane. Runs with different values of undefined registers find those that matter.
pub fn broken_rule(words: &[u64]) -> Option<Violation> {
    check(words).into_iter().find(|violation| violation.rule != Rule::Undefined)
}

/// A run of a program on the VC4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QpuTrial {
    /// The optimizations before.
    pub level: Level,
    /// The lanes that are launched: 1 to 16.
    pub lanes: usize,
}

/// Runs a program on the emulator of the VC4 and in the interpreter. The words break no rule of the checker.
///
/// # Errors
/// The program itself cannot be run.
pub fn judge_on_qpu(program: &Program, seed: u64, trial: QpuTrial) -> Result<CpuVerdict, String> {
    let inputs = Inputs::new(trial.lanes, seed);
    let simulation = simulate(program, &inputs)?;
    let longest = simulation.run.records.iter().map(Vec::len).max().unwrap_or(0);
    let shader = Shader::new(program, &inputs, 2 * longest as u32 + 16)?;
    let expected = shader.interpret()?;
    let options = CompileOptions { level: trial.level, ..CompileOptions::default() };
    let compiled = reconverge::compile(&shader.spirv, Format::SPIRV, Format::TEXT, &options);
    let module = compiled.map_err(|error| error.to_string())?.module;
    let binding = binding_of(&shader);
    let mut before = None;
    for poison in POISON {
        let run = match run_bound_on_vc4(&module, &binding, poison) {
            Ok(run) => run,
            Err(error @ (RunError::Vc4Unsupported { .. } | RunError::Vc4Limit(_))) => {
                return Ok(CpuVerdict::Refused(error.to_string()));
            }
            Err(error) => return Ok(CpuVerdict::Wrong(error.to_string())),
        };
        if let Some(violation) = broken_rule(&run.program.words) {
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
