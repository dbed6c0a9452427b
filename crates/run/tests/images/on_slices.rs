//! Images bound to machine code and to the interpreter: a kernel that takes apart what it is told of an image, with a reflection by hand.

use reconverge::{CompileOptions, Format, Level};
use reconverge_codegen::vc4;
use reconverge_ir::Module;
use reconverge_opencl::{
    ArgumentKind, FormatSource, ImageAccess, ImageArgument, ImageKind, KernelOptions, Reflection, SamplerSource,
    TexelPlace,
};
use reconverge_run::cpu::{Argument, Kernel, Sampler, Shape, format_named};
use reconverge_run::{CpuOptions, InterpreterOptions, Launch, RunError, interpret_compiled, run_on_cpu, run_on_vc4};

use super::argument;

/// `out[0..5]` are the five numbers, and a word of the texels is inverted.
const KERNEL: &str = "\
spirv_header 66560, 0, 0
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
%void = type_void
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%one: %u64 = constant words(1, 0)
%two: %u64 = constant words(2, 0)
%three: %u64 = constant words(3, 0)
%four: %u64 = constant words(4, 0)
%words = type_pointer CrossWorkgroup, %u32
func %k: %void (%texels: %words, %out: %words, %w: %u32, %h: %u32, %d: %u32, %row: %u32, %slice: %u32) {
block ^entry:
  store %out, %w, 2, 4
  %at1: %words = in_bounds_ptr_access_chain %out, %one
  store %at1, %h, 2, 4
  %at2: %words = in_bounds_ptr_access_chain %out, %two
  store %at2, %d, 2, 4
  %at3: %words = in_bounds_ptr_access_chain %out, %three
  store %at3, %row, 2, 4
  %at4: %words = in_bounds_ptr_access_chain %out, %four
  store %at4, %slice, 2, 4
  %old: %u32 = load %texels, 2, 4
  %new: %u32 = not %old
  store %texels, %new, 2, 4
  return
}
";

/// The compiled kernel; its first argument and its numbers are an image, for a host.
fn compiled_with(options: KernelOptions) -> (Module, Reflection) {
    let mut module = reconverge::read(KERNEL.as_bytes(), Format::TEXT).expect("the kernel is valid");
    let options = CompileOptions::new().kernel(options).level(Level::None);
    let run = reconverge::run(&mut module, &options, &mut |_, _| ()).expect("it is compiled");
    let mut reflection = run.reflection.expect("there is a kernel");
    let arguments = &mut reflection.kernels[0].arguments;
    let (ArgumentKind::Pointer { offset, .. }, ArgumentKind::Value { offset: shape, .. }) =
        (arguments[0].kind, arguments[2].kind)
    else {
        panic!("{arguments:?}")
    };
    arguments.truncate(2);
    arguments[0].kind = ArgumentKind::Image(ImageArgument {
        kind: ImageKind::D2Array,
        access: ImageAccess::ReadWrite,
        texels: TexelPlace::Address { offset },
        shape,
        format: FormatSource::Fixed(format_named("rgba8").expect("a format")),
    });
    (module, reflection)
}

fn compiled() -> (Module, Reflection) {
    compiled_with(KernelOptions::default())
}

fn bytes(words: [u32; 5]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn every_engine_gets_the_image() {
    let (module, reflection) = compiled();
    let arguments = ["out:image:rgba8[3,2,5]=fill(1)", "out:u32[5]"].map(argument).to_vec();
    let launch = Launch { arguments, ..Launch::default() };
    let mut texels = vec![1; 120];
    texels[..4].fill(0xfe);
    let expected = [texels, bytes([3, 2, 5, 12, 24])];
    let interpreted = interpret_compiled(&module, &reflection, &launch, InterpreterOptions::default()).expect("it ran");
    assert_eq!((interpreted.failure, interpreted.buffers.as_slice()), (None, &expected[..]));
    for is_checked in [false, true] {
        let options = CpuOptions { is_checked, width: Some(1), vectors: Some(1), ..CpuOptions::default() };
        let ran = run_on_cpu(&module, &reflection, &launch, options).expect("it ran");
        assert_eq!(ran.buffers, expected);
    }
    let other = Launch { arguments: ["image:rgba8u[3,2,5]", "out:u32[5]"].map(argument).to_vec(), ..launch };
    let error = run_on_cpu(&module, &reflection, &other, CpuOptions::default()).expect_err("another format");
    assert!(error.to_string().contains("is compiled for an image of rgba8"), "{error}");
}

#[test]
fn the_emulator_of_the_vc4_gets_the_image() {
    let (module, reflection) = compiled_with(vc4::kernel_options());
    let arguments = ["out:image:rgba8[3,2,5]=fill(1)", "out:u32[5]"].map(argument).to_vec();
    let launch = Launch { arguments, ..Launch::default() };
    let ran = run_on_vc4(&module, &reflection, &launch).expect("it ran");
    assert_eq!(ran.buffers[1], bytes([3, 2, 5, 12, 24]));
    assert_eq!((ran.buffers[0].len(), &ran.buffers[0][..5]), (120, &[0xfe, 0xfe, 0xfe, 0xfe, 1][..]));
}

#[test]
fn an_image_is_on_a_slice_of_the_caller() {
    let (module, reflection) = compiled();
    let rgba8 = format_named("rgba8").expect("a format");
    let options = CpuOptions { is_checked: true, ..CpuOptions::default() };
    let shape = Shape { images: vec![rgba8], options, ..Shape::default() };
    let kernel = Kernel::compile(&module, &reflection, &shape).expect("it compiles");
    let (mut texels, mut out) = (vec![1_u8; 120], vec![0_u32; 5]);
    {
        let image = Argument::image(&mut texels[..], rgba8, &[3, 2, 5]).expect("an image");
        kernel.launch_checked([1; 3], &mut [image, Argument::from(&mut out[..])]).expect("it runs");
    }
    assert_eq!((&texels[..5], &out[..]), (&[0xfe, 0xfe, 0xfe, 0xfe, 1][..], &[3, 2, 5, 12, 24][..]));

    let shared = [1_u8; 120];
    let mut refused = |image: Argument<'_>| {
        let error = kernel.launch_checked([1; 3], &mut [image, Argument::from(&mut out[..])]);
        error.expect_err("it does not fit").to_string()
    };
    let image = |format: &str, size: &[u32]| {
        Argument::image(&shared[..], format_named(format).expect("a format"), size).expect("an image")
    };
    let message = refused(image("rgba8", &[3, 2, 5]));
    assert_eq!(message, "argument 0 is an image that the kernel may write, and its slice is shared");
    let message = refused(image("rgba8", &[3, 10]));
    assert_eq!(message, "argument 0 is an image2d_array_t of 3 sizes, and the launch gives rgba8 with [3, 10]");
    let message = refused(image("rgba8u", &[3, 2, 5]));
    assert_eq!(message, "argument 0 is an image of rgba8 in the shape of the kernel, not of rgba8u");
    assert_eq!(refused(Argument::from(&shared[..])), "argument 0 is an image2d_array_t and needs Argument::image");
    assert_eq!(
        refused(Argument::sampler(Sampler::default())),
        "argument 0 is an image2d_array_t and needs Argument::image"
    );
    assert!(Argument::image(&shared[..], rgba8, &[3, 2, 6]).is_err());
    assert!(Argument::image(&shared[..], rgba8, &[]).is_err());
    assert!(Argument::image(1_u32, rgba8, &[1]).is_err());

    let wrong = |shape: &Shape| Kernel::compile(&module, &reflection, shape).expect_err("it does not fit").to_string();
    assert_eq!(wrong(&Shape::default()), "1 arguments are images, but the shape has 0 formats");
    let other = Shape { images: vec![format_named("r8").expect("a format")], ..Shape::default() };
    assert!(wrong(&other).starts_with("argument 0 is compiled for an image of rgba8"), "{}", wrong(&other));
    let one = Shape { samplers: vec![Sampler::default()], ..shape };
    assert_eq!(wrong(&one), "0 arguments are samplers, but the shape has 1");
}

#[test]
fn a_sampler_is_that_of_the_shape() {
    let (module, mut reflection) = compiled();
    let ArgumentKind::Image(image) = reflection.kernels[0].arguments[0].kind else { panic!("it is an image") };
    let second = reflection.kernels[0].arguments[1].clone();
    reflection.kernels[0].arguments.push(second);
    reflection.kernels[0].arguments[1].kind = ArgumentKind::Sampler(SamplerSource::Fixed(0x13));
    reflection.kernels[0].arguments[0].kind = ArgumentKind::Image(ImageArgument { access: ImageAccess::Read, ..image });
    let rgba8 = format_named("rgba8").expect("a format");
    let shape = Shape { images: vec![rgba8], samplers: vec![Sampler::default()], ..Shape::default() };
    let options = CpuOptions { is_checked: true, ..CpuOptions::default() };
    let kernel = Kernel::compile(&module, &reflection, &Shape { options, ..shape.clone() }).expect("it compiles");
    let (mut texels, mut out) = (vec![1_u8; 120], vec![0_u32; 5]);
    let mut launch = |sampler: &str| -> Result<(), RunError> {
        let reconverge_run::Argument::Sampler(sampler) = argument(sampler) else { panic!("it is a sampler") };
        let image = Argument::image(&mut texels[..], rgba8, &[3, 2, 5])?;
        kernel.launch_checked([1; 3], &mut [image, Argument::sampler(sampler), Argument::from(&mut out[..])])
    };
    assert_eq!(launch("sampler"), Ok(()));
    let error = launch("sampler=linear").expect_err("it is another one").to_string();
    assert_eq!(error, "argument 1 is not the sampler normalized,clamp_to_edge,linear in the shape of the kernel");
    let linear = reconverge_run::Filter::Linear;
    let other = Shape { samplers: vec![Sampler { filter: linear, ..Sampler::default() }], ..shape };
    let error = Kernel::compile(&module, &reflection, &other).expect_err("it is another one").to_string();
    assert!(error.starts_with("argument 1 is compiled for the sampler normalized,clamp_to_edge,nearest"), "{error}");
}
