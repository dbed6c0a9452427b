//! Kernels on slices of the caller, and what is refused.

use std::sync::Arc;

use reconverge::{CompileOptions, Format, Level};
use reconverge_codegen::CodegenError;
use reconverge_interpret::LaunchCode;
use reconverge_ir::{Module, Op, Position};
use reconverge_opencl::Reflection;
use reconverge_run::RunError;
use reconverge_run::cpu::{Argument, Kernel, Program, Shape};

use super::case::root;

/// `y[i] = a * x[i] + y[i]`, compiled.
fn saxpy() -> (Module, Reflection) {
    let spirv = std::fs::read(root().join("examples/vulkan_host/saxpy.spv")).expect("the example is there");
    let mut module = reconverge::read(&spirv, Format::SPIRV).expect("the example is valid");
    let run = reconverge::run(&mut module, &CompileOptions::new().level(Level::None), &mut |_, _| ())
        .expect("it is compiled");
    (module, run.reflection.expect("there is a kernel"))
}

fn shape(groups: u32) -> Shape {
    Shape { groups: [groups, 1, 1], local: [64, 1, 1], ..Shape::default() }
}

/// Whether a launch gives what the kernel computes.
fn is_right(kernel: &Kernel, groups: u32, a: f32) -> bool {
    let count = groups as usize * 64;
    let x: Vec<f32> = (0..count).map(|index| index as f32).collect();
    let mut y = vec![1.0_f32; count];
    let mut arguments = [Argument::from(&mut y[..]), Argument::from(&x[..]), Argument::from(a)];
    // SAFETY: work-item i accesses element i of both vectors.
    #[expect(unsafe_code, reason = "the kernel accesses the slices through addresses")]
    let result = unsafe { kernel.launch([groups, 1, 1], &mut arguments) };
    result.is_ok() && (0..count).all(|index| y[index] == a * index as f32 + 1.0)
}

#[test]
fn a_kernel_is_launched_on_slices_by_several_threads_at_once() {
    let (module, reflection) = saxpy();
    let kernel = Kernel::compile(&module, &reflection, &shape(8)).expect("the engine supports it");
    std::thread::scope(|scope| {
        let kernel = &kernel;
        let launches = (1..=8).map(|groups| scope.spawn(move || is_right(kernel, groups, groups as f32)));
        let launches: Vec<_> = launches.collect();
        assert!(launches.into_iter().all(|launch| launch.join().expect("it ends")));
    });
}

#[test]
fn launches_that_do_not_fit_are_errors() {
    let (module, reflection) = saxpy();
    let kernel = Kernel::compile(&module, &reflection, &shape(1)).expect("the engine supports it");
    let mut y = vec![0.0_f32; 64];
    let mut launch = |groups: u32, arguments: fn(&mut [f32]) -> Vec<Argument<'_>>| {
        let mut arguments = arguments(&mut y);
        // SAFETY: none of these launches runs.
        #[expect(unsafe_code, reason = "the kernel accesses the slices through addresses")]
        let result = unsafe { kernel.launch([groups, 1, 1], &mut arguments) };
        result.expect_err("it does not fit").to_string()
    };
    let message = launch(2, |y| vec![y.into(), 0_u8.into(), 1.0_f32.into()]);
    assert!(message.contains("at most [1, 1, 1] work-groups"), "{message}");
    let message = launch(1, |y| vec![y.into()]);
    assert!(message.contains("takes 3 arguments, but the launch has 1"), "{message}");
    let message = launch(1, |y| vec![y.into(), 0_u64.into(), 1.0_f32.into()]);
    assert!(message.contains("argument 1 is a pointer"), "{message}");
    let message = launch(1, |y| vec![Argument::from(1.0_f32), Argument::from(y), 1.0_f64.into()]);
    assert!(message.contains("argument 0 is a pointer"), "{message}");
    let other = Shape { kernel: Some("none".to_owned()), ..shape(1) };
    let error = Kernel::compile(&module, &reflection, &other).expect_err("there is no such kernel");
    assert!(error.is(LaunchCode::Launch) && error.to_string().contains("no kernel none"), "{error}");
}

#[test]
fn what_the_engine_does_not_support_is_named_with_its_place() {
    let (mut module, reflection) = saxpy();
    let function = module.functions().find(|&function| module.entry(function).is_some()).expect("there is a body");
    let entry = module.entry(function).expect("there is a body");
    let end = module.terminator(entry).expect("the block has an end");
    module.edit().insert(Position::Before(end.into()), Op::EmitVertex, None, &[]);
    let error = Kernel::compile(&module, &reflection, &shape(1)).expect_err("there are no vertices here");
    let RunError::NoCode(CodegenError { message, place, .. }) = &error else { panic!("{error}") };
    assert!(message.contains("emit_vertex") && error.code().name == "run-cpu-unsupported", "{message}");
    assert_eq!(place.function.as_deref(), Some("%saxpy"), "{place:?}");
    assert_eq!(place.instruction.as_deref(), Some("emit_vertex"), "{place:?}");
}

#[test]
fn kernels_are_kept_for_each_shape() {
    let (module, reflection) = saxpy();
    let program = Program::new(module, reflection);
    let first = program.kernel(&shape(8)).expect("the engine supports it");
    assert!(Arc::ptr_eq(&first, &program.kernel(&shape(8)).expect("it is kept")));
    assert!(!Arc::ptr_eq(&first, &program.kernel(&shape(4)).expect("the engine supports it")));
    assert!(is_right(&first, 8, 3.0));
}

#[test]
fn constant_arguments_are_part_of_the_code() {
    let (module, reflection) = saxpy();
    let constants = vec![(2, 3.0_f32.to_le_bytes().to_vec())];
    let fixed = Shape { constants, ..shape(8) };
    let kernel = Kernel::compile(&module, &reflection, &fixed).expect("the engine supports it");
    assert!(is_right(&kernel, 8, 3.0));
    assert!(!is_right(&kernel, 8, 4.0), "the code is for another value");
    let refused = |constants: Vec<(usize, Vec<u8>)>| {
        let shape = Shape { constants, ..shape(8) };
        Kernel::compile(&module, &reflection, &shape).expect_err("it does not fit").to_string()
    };
    assert!(refused(vec![(2, vec![0; 8])]).contains("argument 2 is a value of 4 bytes, not of 8"));
    assert!(refused(vec![(0, vec![0; 8])]).contains("argument 0 is no value"));
    assert!(refused(vec![(7, vec![0; 4])]).contains("argument 7 is no value"));
}
