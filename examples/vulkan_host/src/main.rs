//! Runs a kernel that `reconverge compile` made, by the plain Vulkan API. README.md explains the steps.
//!
//! ```text
//! vulkan_host KERNEL.spv KERNEL.json                 saxpy.cl: y = a * x + y for 1024 numbers
//! vulkan_host KERNEL.spv KERNEL.json LAUNCH.json     any kernel, with a launch as in tests/kernels
//! ```

mod device;
mod features;
mod kernel;

use std::path::Path;
use std::process::ExitCode;

use reconverge_run::launch::{Launch, compare};

use device::{Buffer, Device};
use kernel::{Argument, Image, Outcome, Range, Reflection};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match &arguments[..] {
        [spirv, reflection] => saxpy(spirv, reflection),
        [spirv, reflection, launch] => run_launch(spirv, reflection, launch),
        _ => Err("usage: vulkan_host KERNEL.spv KERNEL.json [LAUNCH.json]".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("vulkan_host: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A kernel whose arguments this program knows: what a program with kernels of its own does.
fn saxpy(spirv: &str, reflection: &str) -> Outcome<()> {
    const COUNT: usize = 1024;
    // 1. The shader, and what it wants to be launched with.
    let (spirv, reflection) = read(spirv, reflection)?;
    let kernel = reflection.kernel(Some("saxpy"))?;
    // 2. A device with all of its features switched on.
    let device = Device::open(&reflection)?;
    // 3. The buffers, filled by the host.
    let numbers =
        |number: fn(usize) -> f32| (0..COUNT).flat_map(|index| number(index).to_le_bytes()).collect::<Vec<u8>>();
    let x = device.buffer(&numbers(|index| index as f32))?;
    let y = device.buffer(&numbers(|_| 1.0))?;
    let a = 2.0_f32;
    // 4. The arguments, each where the reflection says.
    let range = Range { global: [COUNT as u64, 1, 1], local: Some([64, 1, 1]), offset: [0; 3], dimensions: 1 };
    let a_bytes = a.to_le_bytes();
    let arguments =
        [("a", Argument::Value(&a_bytes)), ("x", Argument::Address(x.address)), ("y", Argument::Address(y.address))];
    let binding = kernel.bind(&range, &kernel.in_order(&arguments)?, 0)?;
    // 5. The launch.
    device.launch(&spirv, &binding)?;
    // 6. The results, where the host sees them.
    let y: Vec<f32> = y.read().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    println!("{:?} ... {:?}", &y[..4], &y[COUNT - 2..]);
    match (0..COUNT).all(|index| y[index] == a * index as f32 + 1.0) {
        true => Ok(()),
        false => Err("the device computed something else".into()),
    }
}

/// Any kernel, with arguments from a file (docs/launch.md).
fn run_launch(spirv: &str, reflection: &str, path: &str) -> Outcome<()> {
    let (spirv, reflection) = read(spirv, reflection)?;
    let folder = Path::new(path).parent().unwrap_or(Path::new("."));
    let file = |name: &str| std::fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut launch = Launch::from_json(&text).map_err(|error| format!("{path}: {error}"))?;
    launch.resolve_files(file).map_err(|error| format!("{path}: {error}"))?;

    let device = Device::open(&reflection)?;
    let contents = launch.buffers()?;
    let buffers = contents.iter().map(|bytes| device.buffer(bytes)).collect::<Outcome<Vec<Buffer<'_>>>>()?;
    let program_data = device.program_data(&reflection)?;
    let binding = reflection.kernel(launch.kernel.as_deref())?.bind(
        &Range { global: launch.global, local: launch.local, offset: launch.offset, dimensions: launch.dimensions },
        &arguments(&launch, &buffers)?,
        program_data.as_ref().map_or(0, |buffer| buffer.address),
    )?;
    device.launch(&spirv, &binding)?;

    let outputs: Vec<Vec<u8>> = launch.outputs().map(|output| buffers[output.index].read()).collect();
    for (output, bytes) in launch.outputs().zip(&outputs) {
        let buffer = output.buffer;
        let elements = bytes.chunks(buffer.element.size()).map(|bytes| buffer.element.text(bytes));
        let first = elements.take(8).collect::<Vec<String>>().join(", ");
        let rest = if buffer.count > 8 { ", ..." } else { "" };
        println!("{output}: {} {} [{first}{rest}]", buffer.count, buffer.element.name());
    }
    if let Some(expected) = &launch.expected {
        compare(&launch, &file(expected)?, &outputs).map_err(|mismatch| mismatch.to_string())?;
        println!("as expected");
    }
    Ok(())
}

fn arguments<'a>(launch: &'a Launch, buffers: &[Buffer<'_>]) -> Outcome<Vec<Argument<'a>>> {
    let mut addresses = buffers.iter().map(|buffer| buffer.address);
    let convert = |argument: &'a reconverge_run::launch::Argument| match argument {
        reconverge_run::launch::Argument::Buffer(_) => {
            Ok(Argument::Address(addresses.next().ok_or("a buffer is missing")?))
        }
        reconverge_run::launch::Argument::Value(value) => Ok(Argument::Value(&value.bytes)),
        reconverge_run::launch::Argument::Local(bytes) => Ok(Argument::Local(u32::try_from(*bytes)?)),
        reconverge_run::launch::Argument::Image(image) => Ok(Argument::Image(Image {
            address: addresses.next().ok_or("an image is missing")?,
            shape: image.shape()?,
            order: image.format.order as u32,
            data_type: image.format.data_type as u32,
        })),
        reconverge_run::launch::Argument::Sampler(sampler) => Ok(Argument::Sampler(sampler.bits())),
    };
    launch.arguments.iter().map(convert).collect()
}

fn read(spirv: &str, reflection: &str) -> Outcome<(Vec<u32>, Reflection)> {
    let failed = |path: &str| {
        let path = path.to_owned();
        move |error: std::io::Error| format!("{path}: {error}")
    };
    let words = ash::util::read_spv(&mut std::fs::File::open(spirv).map_err(failed(spirv))?).map_err(failed(spirv))?;
    let text = std::fs::read_to_string(reflection).map_err(failed(reflection))?;
    Ok((words, Reflection::parse(&text)?))
}
