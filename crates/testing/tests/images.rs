//! Random accesses to images on every engine beside the interpreter, which has an implementation of its own.

use reconverge::opencl::{
    Access, ArgumentKind, Driver, ImageArgument, KernelOptions, Pointers, Reflection, TexelPlace,
};
use reconverge::{CompileOptions, Format, ir};
use reconverge_front_ends::{Language, Settings, Source, SourceKind, compile};
use reconverge_run::vulkan::DeviceChoice;
use reconverge_run::{
    Argument, CpuOptions, Interpretation, InterpreterOptions, Launch, VulkanOptions, interpret, interpret_compiled,
    run_on_cpu,
};
use reconverge_testing::images::{Case, case, source};
use reconverge_testing::random::Random;
use reconverge_testing::{device, is_deep};

/// The cases; 4,000 in deep runs, of 64 texels each.
const CASES: usize = 150;

#[test]
fn every_engine_reads_and_writes_the_texels_of_the_interpreter() {
    let spirv = by_clang(&source());
    let source = reconverge::read(&spirv, Format::SPIRV).map(|mut module| {
        reconverge::repair(&mut module).expect("the module can be repaired");
        module
    });
    let source = source.expect("clang writes valid modules");
    let mut random = Random::new(4747);
    let count = if is_deep() { 4000 } else { CASES };
    for number in 0..count {
        let case = case(&mut random);
        let ran = interpret(&source, &case.launch, InterpreterOptions::default());
        let ran = ran.unwrap_or_else(|error| panic!("case {number}, {}: {error}", case.name));
        assert_eq!(ran.failure, None, "case {number}, {}", case.name);
        let known = Form { constants: Constants::Known, ..Form::default() };
        let (_, module, reflection) = compiled(&spirv, &case.launch, known);
        let on_cpu = run_on_cpu(&module, &reflection, &case.launch, CpuOptions::default());
        same(&ran, &on_cpu.expect("the kernel runs").buffers, &case, "CPU, known format");
        // The general code is long: it is tried less often.
        if number % 8 == 0 {
            let (_, module, reflection) = compiled(&spirv, &case.launch, Form::default());
            let compiled_run = interpret_compiled(&module, &reflection, &case.launch, InterpreterOptions::default());
            same(&ran, &compiled_run.expect("the kernel runs").buffers, &case, "interpreter, any format");
            let on_cpu = run_on_cpu(&module, &reflection, &case.launch, CpuOptions::default());
            same(&ran, &on_cpu.expect("the kernel runs").buffers, &case, "CPU, any format");
        }
        if number % 8 == 1 {
            let form = Form { pointers: Pointers::Bindings, ..known };
            let (_, module, reflection) = compiled(&spirv, &case.launch, form);
            let compiled_run = interpret_compiled(&module, &reflection, &case.launch, InterpreterOptions::default());
            same(&ran, &compiled_run.expect("the kernel runs").buffers, &case, "bindings");
        }
        let constants = if number % 8 == 2 { Constants::Open } else { Constants::Known };
        if number % 4 == 2 {
            let form = Form { constants, driver: Driver::LAVAPIPE, ..Form::default() };
            let (bytes, _, reflection) = compiled(&spirv, &case.launch, form);
            let device = DeviceChoice::Name("llvmpipe".to_owned());
            let options = VulkanOptions { device, ..VulkanOptions::default() };
            match device::run(&bytes, &reflection, &case.launch, &options) {
                Ok(on_device) => same(&ran, &on_device.buffers, &case, "lavapipe"),
                Err(error) => assert!(error.code().name.contains("device"), "{error}"),
            }
        }
    }
}

/// A kernel with images, memory of the program, and records of printf.
const BESIDE_PROGRAM_DATA: &str = "
global int table[3] = {5, 6, 7};
kernel void k(read_only image2d_t a, write_only image2d_t b, global int *o) {
    int n = get_global_id(0);
    uint4 c = read_imageui(a, (int2)(n, 0));
    printf(\"%d %v4u\\n\", n, c);
    write_imageui(b, (int2)(n, 0), c + (uint)table[n]);
    o[n] = table[n];
}";

#[test]
fn the_program_data_has_a_binding_beside_those_of_images() {
    let spirv = by_clang(BESIDE_PROGRAM_DATA);
    let flags = ["image:rgba8u[3,1]=list(1,2,3,4,5,6,7,8,9,10,11,12)", "out:image:rgba8u[3,1]=zero", "out:i32[3]=zero"];
    let arguments = flags.map(|flag| Argument::from_flag(flag).expect("it is an argument")).to_vec();
    let launch = Launch { global: [3, 1, 1], arguments, ..Launch::default() };
    let form = Form { pointers: Pointers::Bindings, ..Form::default() };
    let (_, module, reflection) = compiled(&spirv, &launch, form);
    let kernel = &reflection.kernels[0];
    let place = |index: usize| match kernel.arguments[index].kind {
        ArgumentKind::Image(ImageArgument { texels: TexelPlace::Binding { binding, access, .. }, .. })
        | ArgumentKind::Binding { binding, access, .. } => (binding, access),
        kind => panic!("{kind:?}"),
    };
    assert_eq!([0, 1, 2].map(place), [(0, Access::Read), (1, Access::ReadWrite), (2, Access::ReadWrite)]);
    assert!(kernel.program_data_binding.is_some_and(|binding| binding > 2));
    let ran = interpret_compiled(&module, &reflection, &launch, InterpreterOptions::default()).expect("it fits");
    assert_eq!(ran.failure, None);
    assert_eq!(ran.buffers[1], [6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19]);
    assert_eq!(ran.printed.calls.len(), 3);
}

/// Whether the code is for the formats and samplers of a launch, or for all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constants {
    Known,
    Open,
}

/// How a kernel is compiled.
#[derive(Clone, Copy)]
struct Form {
    constants: Constants,
    pointers: Pointers,
    driver: Driver,
}

impl Default for Form {
    fn default() -> Form {
        Form { constants: Constants::Open, pointers: Pointers::Addresses, driver: Driver::ANY }
    }
}

fn by_clang(source: &str) -> Vec<u8> {
    let kind = SourceKind { language: Language::OPENCL_C, stage: None };
    let settings = Settings { standard: Some("CL3.0".to_owned()), arguments: vec!["-w".into()], ..Settings::default() };
    let source = Source { kind, path: None, text: source.as_bytes() };
    compile(source, &settings, &mut |_| ()).expect("clang compiles the kernels").module
}

fn compiled(spirv: &[u8], launch: &Launch, form: Form) -> (Vec<u8>, ir::Module, Reflection) {
    let kernel = KernelOptions::new().kernels(launch.kernel.clone()).driver(form.driver).pointers(form.pointers);
    let kernel = match form.constants {
        Constants::Known => kernel.launch_constants(launch.constants()),
        Constants::Open => kernel,
    };
    let options = CompileOptions::new().kernel(kernel);
    let output = reconverge::compile(spirv, Format::SPIRV, Format::SPIRV, &options).expect("the kernel compiles");
    (output.bytes, output.module, output.run.reflection.expect("it is a kernel"))
}

/// Compares what is defined.
fn same(expected: &Interpretation, found: &[Vec<u8>], case: &Case, engine: &str) {
    assert_eq!(expected.buffers.len(), found.len(), "{engine}, {}", case.name);
    let both = expected.buffers.iter().zip(&expected.defined).zip(found).enumerate();
    for (buffer, ((bytes, defined), found)) in both {
        assert_eq!(bytes.len(), found.len(), "{engine}, {}", case.name);
        let words = bytes.chunks(4).zip(defined.chunks(4)).zip(found.chunks(4)).enumerate();
        for (index, ((bytes, defined), found)) in words {
            let is_same =
                defined.iter().zip(bytes).zip(found).all(|((defined, left), right)| !defined || left == right);
            assert!(
                is_same || is_near(bytes, found, case.ulp),
                "{engine}, buffer {buffer}, word {index}: {bytes:?} expected, {found:?} found: {}",
                case.name
            );
        }
    }
}

/// Returns whether two floats, or bytes of texels, are near.
fn is_near(left: &[u8], right: &[u8], ulp: u32) -> bool {
    let number = |bytes: &[u8]| <[u8; 4]>::try_from(bytes).map(u32::from_le_bytes);
    match (number(left), number(right)) {
        (Ok(left), Ok(right)) if f32::from_bits(left).is_nan() && f32::from_bits(right).is_nan() => true,
        (Ok(left), Ok(right)) if left.abs_diff(right) <= ulp => true,
        _ => ulp > 0 && left.iter().zip(right).all(|(left, right)| left.abs_diff(*right) <= 1),
    }
}
