//! Programs with interfaces and generics: static and dynamic dispatch compute what the program without generics computes.

use reconverge::ir::{Module, text};
use reconverge::opencl::KernelOptions;
use reconverge::{CompileOptions, Format, Level, compile};
use reconverge_run::{Argument, InterpreterOptions, Launch, VulkanOptions, interpret, options_for};
use reconverge_testing::device;
use reconverge_testing::generators::interfaces::{Form, Program};
use reconverge_testing::is_deep;
use reconverge_verify::verify;

const FORMS: [Form; 3] = [Form::Plain, Form::Static, Form::Dynamic];

/// The output and the input: small numbers, and numbers of all sizes.
fn launch() -> Launch {
    let argument = |flag: &str| Argument::from_flag(flag).expect("an argument");
    Launch {
        global: [8, 1, 1],
        local: Some([4, 1, 1]),
        arguments: vec![argument("out:u32[8]"), argument("in:u32[8]=list(0,1,2,7,1000,65535,2147483648,4294967295)")],
        ..Launch::default()
    }
}

fn lowered(source: &str, what: &str) -> Module {
    let mut module = text::parse(source).unwrap_or_else(|error| panic!("{what}: {error}\n{source}"));
    let findings = verify(&module);
    assert!(findings.is_empty(), "{what}: {}\n{source}", findings[0]);
    reconverge_generics::lower_generics(&mut module).unwrap_or_else(|error| panic!("{what}: {error}\n{source}"));
    let findings = verify(&module);
    assert!(findings.is_empty(), "{what}: {}\n{source}\n{}", findings[0], text::print(&module));
    assert_eq!(module.generic_use(), None, "{what}");
    module
}

fn run(module: &Module, what: &str) -> Vec<u8> {
    let run = interpret(module, &launch(), InterpreterOptions::default()).expect("the launch fits the kernel");
    assert!(run.failure.is_none(), "{what}: {:?}", run.failure);
    run.buffers[0].clone()
}

#[test]
fn static_and_dynamic_dispatch_compute_the_same() {
    let count = if is_deep() { 5_000 } else { 150 };
    for seed in 0..count {
        let program = Program::random(seed);
        let results = FORMS.map(|form| {
            let what = format!("seed {seed}, {form:?}");
            run(&lowered(&program.text(form), &what), &what)
        });
        assert_eq!(results[0], results[1], "seed {seed}: static");
        assert_eq!(results[0], results[2], "seed {seed}: dynamic");
    }
}

#[test]
fn a_device_computes_the_same() {
    let options = VulkanOptions::default();
    let kernel: KernelOptions = options_for(&options).expect("cargo xtask setup installs a device");
    for seed in 0..20 {
        let program = Program::random(seed);
        let right = run(&lowered(&program.text(Form::Plain), "plain"), "plain");
        let options = CompileOptions::new().kernel(kernel.clone()).level(Level::None);
        let source = program.text(Form::Dynamic);
        let output = compile(source.as_bytes(), Format::TEXT, Format::SPIRV, &options)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        let reflection = output.run.reflection.expect("a kernel was lowered");
        let found = device::run(&output.bytes, &reflection, &launch(), &VulkanOptions::default());
        let found = found.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(found.buffers[0], right, "seed {seed}");
    }
}
