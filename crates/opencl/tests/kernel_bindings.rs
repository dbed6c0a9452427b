//! Code for bindings: what is left over is named, and buffers may begin inside of an argument.

use reconverge_interpret::{BoundBuffer, Interpreter, KernelLaunch};
use reconverge_ir::{Module, text};
use reconverge_legalize::{expand_carries, split_integers, widen_integers};
use reconverge_opencl::{
    Access, AddressSpace, ArgumentKind, Arguments, BufferOffsets, Context, KernelCode, KernelOptions, Pointers,
    arguments, check_words, lower_memory,
};
use reconverge_verify::verify;

const TYPES: &str = "
%bool = type_bool
%u8 = type_int 8 0
%u16 = type_int 16 0
%u32 = type_int 32 0
%u64 = type_int 64 0
%f16 = type_float 16
%f32 = type_float 32
%u8x4 = type_vector %u8 4
%u8x2 = type_vector %u8 2
%u16x2 = type_vector %u16 2
%u32x2 = type_vector %u32 2
%couple = type_struct %u32 %u32
%longs = type_struct %u64 %u64
%glsl = ext_inst_import \"GLSL.std.450\"
%fn = type_function %u32 %u32 %u32
%long_fn = type_function %u64 %u64 %u64
";

fn context() -> Context {
    Context::new(KernelOptions::new().pointers(Pointers::Bindings))
}

fn parse(text: &str) -> Module {
    text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn what_is_left_is_named() {
    for (body, expected) in [
        ("%x: %u64 = u_convert %a", "64-bit integers"),
        ("%x: %u8 = u_convert %a", "8-bit and 16-bit integers"),
        ("%x: %u16x2 = bitcast %a", "8-bit and 16-bit integers"),
    ] {
        let text = format!(
            "{TYPES}func %f: %u32 (%a: %u32, %b: %u32) type %fn control 0 stage graph {{\nblock ^entry:\n  {body}\n  return_value %a\n}}\n"
        );
        let error = check_words(&mut parse(&text), &mut context()).expect_err("it is left");
        assert!(error.is(KernelCode::Unsupported));
        assert_eq!(error.message, format!("not supported: {expected}, with bindings for pointers"));
    }
    let text = format!(
        "{TYPES}func %f: %u32 (%a: %u32, %b: %u32) type %fn control 0 stage graph {{\nblock ^entry:\n  %x: %u16 = u_convert %a\n  %y: %f16 = convert_u_to_f %x\n  %s: %longs = undef\n  return_value %a\n}}\n"
    );
    widen_integers(&mut parse(&text), &context().options.machine()).expect("long integers are not its matter");
}

/// The host passes where an argument begins in its buffer.
#[test]
fn offsets_of_buffers() {
    let source = "
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %f, \"f\"
%void = type_void
%u8 = type_int 8, 0
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%one: %u64 = constant words(1, 0)
%words = type_pointer CrossWorkgroup, %u32
%bytes = type_pointer CrossWorkgroup, %u8

func %f: %void (%out: %words, %in: %bytes) {
block ^entry:
  %p: %bytes = in_bounds_ptr_access_chain %in, %one
  %x: %u8 = load %p, 2, 1
  %y: %u32 = u_convert %x
  store %out, %y, 2, 4
  return
}
";
    let mut module = parse(source);
    let options = context().options.buffer_offsets(BufferOffsets::Passed);
    let mut context = Context::new(options);
    for pass in [arguments, lower_memory] {
        pass(&mut module, &mut context).expect("it is lowered");
    }
    for pass in [split_integers, widen_integers, expand_carries] {
        pass(&mut module, &context.options.machine()).expect("it is legalized");
    }
    assert_eq!(verify(&module), [], "{}", text::print(&module));
    let kernel = &context.reflection.kernels[0];
    let binding = |offset, binding| ArgumentKind::Binding {
        address_space: AddressSpace::Global,
        binding,
        offset: Some(offset),
        access: Access::Unused,
    };
    assert_eq!([kernel.arguments[0].kind, kernel.arguments[1].kind], [binding(0, 0), binding(4, 1)]);
    assert_eq!(kernel.arguments_in, Arguments::Uniform { binding: 2, size: 16 });
    for (out_at, in_at) in [(0, 0), (4, 1), (8, 6)] {
        let uniform: Vec<u8> = [out_at, in_at, 0, 0].into_iter().flat_map(u32::to_le_bytes).collect();
        let launch = KernelLaunch {
            buffers: vec![vec![0; 12], (10..18).collect(), uniform],
            bindings: (0..3).map(|number| BoundBuffer { set: 0, binding: number, buffer: number as usize }).collect(),
            ..KernelLaunch::default()
        };
        let function = module.functions().next().expect("it is there");
        let outcome = Interpreter::new(&module).launch_kernel(function, &launch).expect("the launch fits");
        assert_eq!(outcome.failure, None);
        let mut expected = vec![0; 12];
        expected[out_at as usize] = 11 + in_at as u8;
        assert_eq!(outcome.buffers[0].bytes, expected, "{out_at}, {in_at}");
    }
}

#[test]
fn without_bindings_nothing_happens() {
    let text = format!(
        "{TYPES}func %f: %u32 (%a: %u32, %b: %u32) type %fn control 0 stage graph {{\nblock ^entry:\n  %x: %u8 = u_convert %a\n  %s: %couple = i_add_carry %a, %b\n  return_value %a\n}}\n"
    );
    let mut module = parse(&text);
    let mut context = Context::new(KernelOptions::default());
    for pass in [widen_integers, expand_carries] {
        assert_eq!(pass(&mut module, &context.options.machine()), Ok(false));
    }
    assert_eq!(check_words(&mut module, &mut context), Ok(false));
}
