//! The machine code of a kernel, for those who work on the engine.

use reconverge::{CompileOptions, Format};
use reconverge_run::cpu::kernel_options;
use reconverge_run::{CpuKernel, bind};

use crate::engines::Name;
use crate::kernels::Kernel;

/// Prints the code of a kernel in a form.
pub(crate) fn print(kernel: &Kernel, form: Name) -> Result<(), String> {
    let Name::Ours(form) = form else { return Err("only our engine has machine code to print".to_owned()) };
    let mut module = reconverge::read(kernel.spirv, Format::SPIRV, false).map_err(|error| error.message())?;
    let run = reconverge::run(
        &mut module,
        &CompileOptions { kernel: kernel_options(), ..CompileOptions::default() },
        &mut |_, _| {},
    );
    let reflection = run.map_err(|error| error.message())?.reflection.ok_or("no kernel")?;
    let binding = bind(&kernel.launch(None), &reflection).map_err(|error| error.to_string())?;
    let compiled = CpuKernel::compile_bound(&module, &binding, form.options()).map_err(|error| error.to_string())?;
    println!("{}", compiled.assembly());
    Ok(())
}
