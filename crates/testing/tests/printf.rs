//! `printf` of kernels beside that of the C library, over random calls.

use std::fs;
use std::path::Path;
use std::process::Command;

use reconverge::opencl::{Driver, KernelOptions, Reflection};
use reconverge::{CompileOptions, Format, ir};
use reconverge_front_ends::{Language, Settings, Source, SourceKind, compile};
use reconverge_run::vulkan::DeviceChoice;
use reconverge_run::{
    CpuOptions, InterpreterOptions, Launch, PrintedOutput, VulkanOptions, interpret, interpret_compiled, run_on_cpu,
};
use reconverge_testing::printf::programs;
use reconverge_testing::random::Random;
use reconverge_testing::{device, is_deep};

/// The calls of a kernel.
const CALLS: usize = 100;

/// The kernels; 2,000 calls in deep runs.
const KERNELS: usize = 2;

#[test]
fn every_engine_prints_what_the_c_library_prints() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let mut random = Random::new(47);
    let (mut source, mut expected) = (String::new(), Vec::new());
    let kernels = if is_deep() { 10 * KERNELS } else { KERNELS };
    for number in 0..kernels {
        let name = format!("k{number}");
        let (kernel, program) = programs(&name, &mut random, CALLS);
        source.push_str(&kernel);
        expected.push((name, printed_by_c(folder.path(), &program)));
    }
    let spirv = by_clang(&source);
    for (number, (name, expected)) in expected.iter().enumerate() {
        let launch = Launch { kernel: Some(name.clone()), global: [1, 1, 1], ..Launch::default() };
        let module = reconverge::read(&spirv, Format::SPIRV).expect("clang writes valid modules");
        let ran = interpret(&module, &launch, InterpreterOptions::default()).expect("the launch fits");
        assert_eq!(ran.failure, None);
        same(expected, &ran.printed, "interpreter");
        let (_, module, reflection) = compiled(&spirv, &launch, Driver::ANY);
        let ran = run_on_cpu(&module, &reflection, &launch, CpuOptions::default()).expect("the kernel runs");
        same(expected, &ran.printed, "CPU");
        // The others share the records.
        if number == 0 {
            let ran = interpret_compiled(&module, &reflection, &launch, InterpreterOptions::default());
            same(expected, &ran.expect("the kernel runs").printed, "interpreter, compiled");
            let (bytes, _, reflection) = compiled(&spirv, &launch, Driver::LAVAPIPE);
            let device = DeviceChoice::Name("llvmpipe".to_owned());
            let options = VulkanOptions { device, ..VulkanOptions::default() };
            match device::run(&bytes, &reflection, &launch, &options) {
                Ok(ran) => same(expected, &ran.printed, "lavapipe"),
                Err(error) => assert!(error.code().name.contains("device"), "{error}"),
            }
        }
    }
}

/// What a program prints, line by line.
fn printed_by_c(folder: &Path, program: &str) -> Vec<String> {
    let (source, binary) = (folder.join("program.c"), folder.join("program"));
    fs::write(&source, program).expect("the folder is ours");
    let compiler = Command::new("cc").args(["-w", "-O0", "-o"]).arg(&binary).arg(&source).output();
    let compiler = compiler.expect("a C compiler is there: Rust links by it");
    assert!(compiler.status.success(), "{}", String::from_utf8_lossy(&compiler.stderr));
    let output = Command::new(&binary).output().expect("the program runs");
    lines(&output.stdout)
}

fn by_clang(source: &str) -> Vec<u8> {
    let kind = SourceKind { language: Language::OPENCL_C, stage: None };
    let settings = Settings { standard: Some("CL3.0".to_owned()), arguments: vec!["-w".into()], ..Settings::default() };
    let source = Source { kind, path: None, text: source.as_bytes() };
    compile(source, &settings, &mut |_| ()).expect("clang compiles the calls").module
}

fn compiled(spirv: &[u8], launch: &Launch, driver: Driver) -> (Vec<u8>, ir::Module, Reflection) {
    let options = CompileOptions::new().kernel(KernelOptions::new().kernels(launch.kernel.clone()).driver(driver));
    let output = reconverge::compile(spirv, Format::SPIRV, Format::SPIRV, &options).expect("the kernel compiles");
    (output.bytes, output.module, output.run.reflection.expect("it is a kernel"))
}

fn lines(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text).lines().map(str::to_owned).collect()
}

fn same(expected: &[String], printed: &PrintedOutput, engine: &str) {
    let text: Vec<u8> = printed.calls.iter().flat_map(|call| call.bytes.iter().copied()).collect();
    let found = lines(&text);
    for (number, (expected, found)) in expected.iter().zip(&found).enumerate() {
        assert_eq!(expected, found, "{engine}, line {number}");
    }
    assert_eq!((expected.len(), printed.lost), (found.len(), 0), "{engine}");
}
