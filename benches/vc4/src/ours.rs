//! Ours: the code, and a launch of it on one QPU, or on as many as a work-group needs together.

use reconverge::opencl::{GlobalOffset, KernelOptions};
use reconverge::{CompileOptions, Format, Level};
use reconverge_codegen::{Request, vc4};
use reconverge_qpu::{Dispatch, Program, Uniform};
use reconverge_qpu_emulate::{Launch, run as emulate};
use reconverge_run::{Binding, bind};

use crate::kernels::Kernel;
use crate::layout::{Layout, buffers};
use crate::{Cost, theirs};

/// Compiles a kernel, runs its launch and checks the outputs.
///
/// # Errors
/// Why it has no result.
pub(crate) fn run(kernel: &Kernel) -> Result<Cost, String> {
    let (program, binding) = compile(kernel)?;
    let mut layout = Layout::new();
    let data = layout.add(&program.data);
    let local = layout.add(&vec![0; (program.local_stride() * program.qpus()) as usize]);
    let scratch = layout.add(&vec![0; (program.scratch_bytes * program.qpus()) as usize]);
    let starts: Vec<u32> = binding.buffers.iter().map(|buffer| layout.add(&buffer.bytes)).collect();
    let mut constants = binding.push_constants.bytes.clone();
    let patch = |bytes: &mut [u8], contents: &reconverge_run::Contents| {
        for address in &contents.addresses {
            let value = u64::from(starts[address.buffer]) + address.target;
            bytes[address.at..address.at + 8].copy_from_slice(&value.to_le_bytes());
        }
    };
    patch(&mut constants, &binding.push_constants);
    for (buffer, &start) in binding.buffers.iter().zip(&starts) {
        let mut bytes = buffer.bytes.clone();
        patch(&mut bytes, buffer);
        layout.write(start, &bytes);
    }
    constants.resize(constants.len().next_multiple_of(4), 0);
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("invariant: four bytes"));
    let constants: Vec<u32> = constants.chunks_exact(4).map(word).collect();
    let dispatch = Dispatch { groups: binding.size.groups, push_constants: &constants, data, local, scratch };
    let uniforms =
        if program.is_together { program.dispatch(&dispatch) } else { vec![of_one_qpu(&program, &dispatch)] };
    let mut memory = layout.memory();
    let mut launch = Launch::new(&program.words, &uniforms);
    launch.cycle_limit = theirs::CYCLES;
    let report = emulate(&launch, &mut memory).map_err(|fault| format!("the emulator: {}", fault.kind.code()))?;
    kernel.check(&buffers(&memory, &starts, binding.buffers.iter().map(|buffer| buffer.bytes.len())))?;
    let groups: u64 = binding.size.groups.iter().map(|&count| u64::from(count)).product();
    let passes = groups * u64::from(program.specialization.packs());
    Ok(Cost { words: program.words.len(), cycles: theirs::cycles(&report), passes })
}

fn compile(kernel: &Kernel) -> Result<(Program, Binding), String> {
    let global_offset = if kernel.launch.offset == [0; 3] { GlobalOffset::Zero } else { GlobalOffset::Passed };
    let kernels = kernel.launch.kernel.iter().cloned().collect();
    let options = vc4::kernel_options().kernels(kernels).global_offset(global_offset);
    let options = CompileOptions::new().kernel(options).level(Level::None);
    let mut module = reconverge::read(&kernel.spirv, Format::SPIRV).map_err(|error| error.message())?;
    let run = reconverge::run(&mut module, &options, &mut |_, _| {}).map_err(|error| error.message())?;
    let reflection = run.reflection.ok_or("no kernel")?;
    let binding = bind(&kernel.launch, &reflection).map_err(|error| error.to_string())?;
    let request =
        Request { constants: binding.specialization.clone(), ..Request::new(&binding.entry_point, binding.size.local) };
    let program = vc4::compile(&module, &request);
    Ok((program.map_err(|error| error.to_string())?, binding))
}

/// The uniforms of a QPU that runs all work-groups.
fn of_one_qpu(program: &Program, dispatch: &Dispatch<'_>) -> Vec<u32> {
    let word = |uniform: &Uniform| match *uniform {
        Uniform::FirstRow | Uniform::Pack | Uniform::Group(_) => 0,
        Uniform::Step => 1,
        Uniform::Count(dimension) => dispatch.groups[usize::from(dimension)],
        Uniform::Data => dispatch.data,
        Uniform::Local => dispatch.local,
        Uniform::Scratch => dispatch.scratch,
        Uniform::Argument(word) => dispatch.push_constants.get(word as usize).copied().unwrap_or(0),
    };
    program.uniforms.iter().map(word).collect()
}
