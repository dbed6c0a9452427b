//! A program as a compute shader: its inputs, its outputs, and its execution in the interpreter.

use reconverge_interpret::{BufferAddress, Holder, Interpreter, KernelLaunch};
use reconverge_ir::{Function, Module, Stage, view};
use reconverge_restructure::structurize;
use reconverge_spirv::{ReadOptions, WriteOptions, read, write};
use reconverge_structurize::{Options, Policy};

use super::run::{Ended, Inputs, Record, Run};
use crate::generators::lanes::{
    LaneModule, Outside, PER_LANE, Program, PushConstants, RETURNED, lower, push_constants, words_per_lane,
};
use crate::random::{Random, mix};
use crate::unstructure::MergeKeeper;

/// A compute shader and its inputs.
#[derive(Clone, Debug)]
pub struct Shader {
    /// The module in binary SPIR-V.
    pub spirv: Vec<u8>,
    /// The push constants.
    pub push_constants: PushConstants,
    /// The initial buffer of records: zeros.
    pub records: Vec<u8>,
    /// The inputs of the lanes.
    pub inputs: Vec<u8>,
    /// The number of lanes.
    pub lanes: usize,
    /// The maximal number of records of a lane.
    pub bound: u32,
}

impl Shader {
    /// The shader of a program, with this maximal number of records of a lane, the final one included.
    ///
    /// # Errors
    /// The program cannot be written.
    pub fn new(program: &Program, inputs: &Inputs, bound: u32) -> Result<Shader, String> {
        let lowered = lower(program, Outside::Shader { local_size: inputs.lanes as u32 });
        Shader::of(&lowered, inputs, bound)
    }

    /// The same program, with its graph transformed ([`MergeKeeper`]) and structurized again with its merges as hints.
    ///
    /// # Errors
    /// The program cannot be structurized or written.
    pub fn found_anew(program: &Program, inputs: &Inputs, bound: u32, policy: Policy) -> Result<Shader, String> {
        let mut lowered = lower(program, Outside::Shader { local_size: inputs.lanes as u32 });
        let mut random = Random::new(mix(inputs.seed));
        for &function in &lowered.functions {
            lowered.module.edit().set_stage(function, Stage::Graph);
            for keeper in MergeKeeper::SEQUENCE {
                keeper.run(&mut lowered.module, function, &mut random);
            }
            structurize(&mut lowered.module, function, &Options::new().policy(policy))
                .map_err(|error| error.to_string())?;
        }
        Shader::of(&lowered, inputs, bound)
    }

    fn of(lowered: &LaneModule, inputs: &Inputs, bound: u32) -> Result<Shader, String> {
        let spirv = write(&lowered.module, &WriteOptions::default()).map_err(|error| error.to_string())?;
        let words = (0..inputs.lanes * PER_LANE).map(|index| inputs.per_lane(index / PER_LANE, index % PER_LANE));
        Ok(Shader {
            spirv,
            push_constants: push_constants(bound, inputs.uniforms),
            records: vec![0; words_per_lane(bound) as usize * inputs.lanes * 4],
            inputs: words.flat_map(u32::to_le_bytes).collect(),
            lanes: inputs.lanes,
            bound,
        })
    }

    /// The contents of the buffer of records after the run.
    ///
    /// # Errors
    /// A lane recorded more than the maximum.
    pub fn decode(&self, records: &[u8]) -> Result<Run, String> {
        let words: Vec<u32> =
            records.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap_or_default())).collect();
        let mut run = Run { records: Vec::new(), ends: Vec::new() };
        for (lane, area) in words.chunks_exact(words_per_lane(self.bound) as usize).enumerate() {
            let count = area[0];
            if count > self.bound {
                return Err(format!("lane {lane} made {count} records, there is room for {}", self.bound));
            }
            let record = |words: &[u32]| Record {
                point: words[0],
                ballot: u64::from(words[1]) | u64::from(words[2]) << 32,
                value: words[3],
            };
            let made = area[1..].chunks_exact(4).take(count as usize).map(record).collect();
            run.records.push(made);
            run.ends.push(Ended::Otherwise(String::new()));
        }
        Ok(run)
    }

    /// Runs it in the interpreter, from its SPIR-V.
    ///
    /// # Errors
    /// It cannot be read or run.
    pub fn interpret(&self) -> Result<Run, String> {
        let module = read(&self.spirv, &ReadOptions::default()).map_err(|error| error.to_string())?;
        let main = entry_point(&module).ok_or("the shader has no entry point")?;
        let address = |at: usize, buffer: usize| BufferAddress { holder: Holder::PushConstants, at, buffer, offset: 0 };
        let launch = KernelLaunch {
            local: [self.lanes as u32, 1, 1],
            subgroup_size: self.lanes as u32,
            buffers: vec![self.records.clone(), self.inputs.clone()],
            push_constants: self.push_constants.bytes.clone(),
            addresses: vec![address(self.push_constants.records_at, 0), address(self.push_constants.inputs_at, 1)],
            ..KernelLaunch::default()
        };
        let outcome = Interpreter::new(&module).launch_kernel(main, &launch).map_err(|error| error.to_string())?;
        match outcome.failure {
            Some(failure) => Err(failure.to_string()),
            None => self.decode(&outcome.buffers[0].bytes),
        }
    }
}

/// The records of lanes in a shader: the same, plus the return value of the program, with the lanes that returned.
pub(super) fn with_return_record(run: &Run, returned: u64) -> Run {
    let mut run = run.clone();
    for (lane, end) in run.ends.iter_mut().enumerate() {
        if let Ended::Returned(value) = *end {
            run.records[lane].push(Record { point: RETURNED, ballot: returned, value });
        }
        *end = Ended::Otherwise(String::new());
    }
    run
}

fn entry_point(module: &Module) -> Option<Function> {
    let entry = module.globals().find_map(|inst| view::EntryPoint::of(module, inst))?;
    module.cast(entry.function)
}
