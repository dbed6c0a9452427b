//! Times kernels on the CPU engine: `cpu_engine_speed FOLDER CONFIGURATION…`, a configuration as 16x2 (lanes of a vector, vectors of a
//! value). FOLDER has `NAME.spv`, and `launch/NAME.json`. Prints, for each kernel, milliseconds to compile and milliseconds of each
//! configuration, best of fifteen.

use std::path::Path;

use reconverge::{CompileOptions, Format};
use reconverge_run::{CpuKernel, CpuOptions, Launch};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder");
    let mut rest: Vec<String> = arguments.collect();
    let only: Vec<String> = rest.extract_if(.., |argument| !argument.contains('x') || argument.len() > 4).collect();
    let folder = Path::new(&folder);
    let mut names: Vec<String> = std::fs::read_dir(folder.join("launch"))
        .expect("the folder has launches")
        .filter_map(|entry| entry.ok()?.path().file_stem()?.to_str().map(str::to_owned))
        .filter(|name| only.is_empty() || only.contains(name))
        .collect();
    names.sort();
    for name in names {
        let bytes = std::fs::read(folder.join(format!("{name}.spv"))).expect("the kernel can be read");
        let json = std::fs::read_to_string(folder.join("launch").join(format!("{name}.json"))).expect("a launch");
        let launch = Launch::from_json(&json).expect("the launch is valid");
        print!("{name:14}");
        for configuration in &rest {
            let (width, vectors) = configuration.split_once('x').expect("WIDTHxVECTORS");
            let options = CpuOptions {
                width: width.parse().ok().filter(|&width| width > 0),
                vectors: vectors.parse().ok().filter(|&vectors| vectors > 0),
                ..CpuOptions::default()
            };
            match time(&bytes, &launch, options) {
                Ok((compile, run)) => print!("  {configuration}: {compile:6.2} {run:8.2}"),
                Err(error) => print!("  {configuration}: {error}"),
            }
        }
        println!();
    }
}

/// Milliseconds to compile, from SPIR-V to code, and to run.
fn time(bytes: &[u8], launch: &Launch, options: CpuOptions) -> Result<(f64, f64), String> {
    let mut compile = f64::INFINITY;
    let mut kernel = None;
    for _ in 0..3 {
        let before = cpu_time();
        let mut module = reconverge::read(bytes, Format::SPIRV, false).map_err(|error| error.message())?;
        let run = reconverge::run(&mut module, &CompileOptions::default(), &mut |_, _| {});
        let reflection = run.map_err(|error| error.message())?.reflection.ok_or("no kernel")?;
        let first = cpu_time() - before;
        let compiled = CpuKernel::compile(&module, &reflection, launch, options).map_err(|error| error.to_string())?;
        compile = compile.min(first + compiled.compile.as_secs_f64() * 1e3);
        kernel = Some((compiled, reflection));
    }
    let (kernel, reflection) = kernel.ok_or("no kernel")?;
    if std::env::var_os("CODE").is_some() {
        println!("{}", kernel.assembly());
    }
    let mut best = f64::INFINITY;
    let mut chosen = None;
    for _ in 0..15 {
        let measured = kernel.launch_measured(&reflection, launch, 1, cpu_time).map_err(|error| error.to_string())?;
        best = best.min(measured.end - measured.start);
        chosen = measured.choice.forms.first().map(|tried| tried.pack.lanes());
    }
    print!(" [{:2}]", chosen.unwrap_or(0));
    Ok((compile, best))
}

/// Milliseconds of a clock.
fn cpu_time() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() * 1e3
}
