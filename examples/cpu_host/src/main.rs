//! Runs an OpenCL kernel on this CPU, over vectors of this program. README.md explains it.

use std::error::Error;

use reconverge::{CompileOptions, Format};
use reconverge_run::CpuOptions;
use reconverge_run::cpu::{Argument, Kernel, Shape};

/// `y[i] = a * x[i] + y[i]`, as clang compiled it.
const SAXPY: &[u8] = include_bytes!("../../vulkan_host/saxpy.spv");

const COUNT: usize = 1 << 20;
/// Work-items of a work-group.
const LOCAL: u32 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    // 1. The kernel, compiled once. The shape says how large launches can be, and how many threads they have.
    let groups = [COUNT as u32 / LOCAL, 1, 1];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let options = CpuOptions { threads, ..CpuOptions::default() };
    let kernel = compile(&Shape { groups, local: [LOCAL, 1, 1], options, ..Shape::default() })?;
    // 2. The data of this program.
    let x: Vec<f32> = (0..COUNT).map(|index| index as f32).collect();
    let mut y = vec![1.0_f32; COUNT];
    // 3. The launch, with the arguments of the kernel in order.
    let mut arguments = [Argument::from(&mut y[..]), Argument::from(&x[..]), Argument::from(2.0_f32)];
    // SAFETY: work-item i accesses the element i of both vectors, which have one for each work-item.
    unsafe { kernel.launch(groups, &mut arguments)? };
    // 4. The results are in the vector.
    println!("{:?} ... {:?}", &y[..4], &y[COUNT - 2..]);
    match (0..COUNT).all(|index| y[index] == 2.0 * index as f32 + 1.0) {
        true => Ok(()),
        false => Err("the kernel computed something else".into()),
    }
}

/// From SPIR-V to machine code of this CPU.
fn compile(shape: &Shape) -> Result<Kernel, Box<dyn Error>> {
    let mut module = reconverge::read(SAXPY, Format::SPIRV).map_err(|error| error.message())?;
    let run =
        reconverge::run(&mut module, &CompileOptions::default(), &mut |_, _| ()).map_err(|error| error.message())?;
    let reflection = run.reflection.ok_or("the module has no kernel")?;
    Ok(Kernel::compile(&module, &reflection, shape)?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_result_is_as_expected() {
        if cfg!(target_arch = "x86_64") {
            super::main().expect("the kernel runs");
        }
    }
}
