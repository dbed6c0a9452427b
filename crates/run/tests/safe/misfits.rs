//! Launches that are not those that a kernel was compiled for, and sizes that overflow.

use reconverge_interpret::LaunchCode;
use reconverge_ir::Op;
use reconverge_run::cpu::{self, Kernel, Shape};
use reconverge_run::{Address, Binding, Contents, CpuKernel, CpuOptions, Launch, RunError, Size, bind, run_on_cpu};

use super::{compiled, launch};

fn options(is_checked: bool) -> CpuOptions {
    CpuOptions { is_checked, ..CpuOptions::default() }
}

/// The message of an error that says that a launch does not fit.
fn misfit<T: std::fmt::Debug>(result: Result<T, RunError>) -> String {
    match result {
        Err(error) if error.is(LaunchCode::Launch) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A launch of that many work-groups of a size.
fn sized(kernel: &str, groups: u64, local: u32, arguments: &[&str]) -> Launch {
    Launch { global: [groups * u64::from(local), 1, 1], local: Some([local, 1, 1]), ..launch(kernel, 1, arguments) }
}

#[test]
fn a_launch_of_another_size_is_an_error() {
    let (module, reflection) = compiled();
    for is_checked in [false, true] {
        let small = sized("ids", 1, 16, &["out:i32[16]"]);
        let kernel = CpuKernel::compile(&module, &reflection, &small, options(is_checked)).expect("it compiles");
        let large = sized("ids", 4, 32, &["out:i32[128]"]);
        assert!(misfit(kernel.launch(&reflection, &large, 1)).contains("work-groups of [16, 1, 1]"));
        let more = sized("ids", 4, 16, &["out:i32[64]"]);
        assert!(misfit(kernel.launch(&reflection, &more, 1)).contains("at most [1, 1, 1] work-groups"));
        let buffers = kernel.launch(&reflection, &small, 1).expect("it is the launch that it was compiled for").buffers;
        let expected: Vec<u8> = (1..=16).flat_map(i32::to_le_bytes).collect();
        assert_eq!(buffers, [expected]);
        // Fewer work-groups are what the code allows.
        let kernel = CpuKernel::compile(&module, &reflection, &more, options(is_checked)).expect("it compiles");
        let buffers = kernel.launch(&reflection, &sized("ids", 2, 16, &["out:i32[32]"]), 2).expect("it fits").buffers;
        assert_eq!(buffers[0].len(), 128);
        assert_eq!(&buffers[0][124..], &32_i32.to_le_bytes());
    }
}

#[test]
fn global_ids_beyond_64_bits_are_an_error() {
    let (_, mut reflection) = compiled();
    for kernel in &mut reflection.kernels {
        kernel.global_offset = Some(0);
    }
    let mut given = sized("ids", 1, 16, &["out:i32[16]"]);
    given.offset[1] = u64::MAX;
    let message = misfit(bind(&given, &reflection));
    assert!(message.contains("from the global offset 18446744073709551615 on"), "{message}");
}

#[test]
fn local_memory_of_another_size_is_an_error() {
    let (module, reflection) = compiled();
    let given = launch("sizes", 1, &["out:i32[64]", "local=256"]);
    let kernel = CpuKernel::compile(&module, &reflection, &given, options(false)).expect("it compiles");
    assert!(kernel.launch(&reflection, &given, 1).is_ok());
    let other = launch("sizes", 1, &["out:i32[64]", "local=65536"]);
    assert!(misfit(kernel.launch(&reflection, &other, 1)).contains("specialization constants"));
    let huge = launch("sizes", 1, &["out:i32[64]", "local=4294967295"]);
    assert!(CpuKernel::compile(&module, &reflection, &huge, options(false)).is_err());
}

#[test]
fn another_kernel_or_reflection_is_an_error() {
    let (module, reflection) = compiled();
    let given = launch("far", 1, &["out:i32[64]", "i64=3"]);
    for is_checked in [false, true] {
        let kernel = CpuKernel::compile(&module, &reflection, &given, options(is_checked)).expect("it compiles");
        let other = launch("write_at", 1, &["out:i32[64]", "u64=3"]);
        assert!(misfit(kernel.launch(&reflection, &other, 1)).contains("entry point"));
        // A reflection in which the arguments have changed places.
        let mut wrong = reflection.clone();
        let interface = wrong.kernels.iter_mut().find(|kernel| kernel.name == "far").expect("it is there");
        interface.arguments.swap(0, 1);
        let swapped = launch("far", 1, &["i64=3", "out:i32[64]"]);
        let result = kernel.launch(&wrong, &swapped, 1);
        assert!(result.is_err() || result.is_ok_and(|measured| measured.buffers.len() == 1));
        // One whose sizes are huge, and one whose offsets overflow.
        let mut wrong = reflection.clone();
        let interface = wrong.kernels.iter_mut().find(|kernel| kernel.name == "far").expect("it is there");
        interface.push_constant_size += 64;
        assert!(misfit(kernel.launch(&wrong, &given, 1)).contains("another layout"));
    }
}

#[test]
fn a_kernel_keeps_its_module() {
    let (mut module, reflection) = compiled();
    let given = launch("ids", 1, &["out:i32[64]"]);
    let kernel = CpuKernel::compile(&module, &reflection, &given, options(false)).expect("it compiles");
    let stores: Vec<_> = module
        .functions()
        .flat_map(|function| module.blocks(function).collect::<Vec<_>>())
        .flat_map(|block| module.children(block).collect::<Vec<_>>())
        .filter(|&inst| module.op(inst) == Op::Store)
        .collect();
    stores.into_iter().for_each(|store| module.edit().delete(store));
    let buffers = kernel.launch(&reflection, &given, 1).expect("it is compiled").buffers;
    assert_eq!(&buffers[0][..8], &[1, 0, 0, 0, 2, 0, 0, 0]);
    drop(module);
    assert_eq!(kernel.launch(&reflection, &given, 1).expect("it is compiled").buffers, buffers);
}

#[test]
fn an_invalid_module_is_an_error() {
    let (mut module, reflection) = compiled();
    let function = module.functions().find(|&function| module.entry(function).is_some()).expect("there is a body");
    let entry = module.entry(function).expect("there is a body");
    let end = module.terminator(entry).expect("a block ends");
    module.edit().delete(end);
    let given = launch("ids", 1, &["out:i32[64]"]);
    for is_checked in [false, true] {
        let message = misfit(run_on_cpu(&module, &reflection, &given, options(is_checked)));
        assert!(message.contains("the module is invalid: R2"), "{message}");
    }
    let shape = Shape { kernel: Some("ids".to_owned()), local: [64, 1, 1], ..Shape::default() };
    assert!(misfit(Kernel::compile(&module, &reflection, &shape)).contains("the module is invalid"));
}

/// Sizes near 2³² and 2⁶⁴, and zero.
#[test]
fn sizes_do_not_overflow() {
    let (module, reflection) = compiled();
    let globals = [0, 1 << 32, (1 << 32) - 1, u64::MAX, u64::MAX - 63, 1 << 63, 64 << 32];
    let locals = [
        None,
        Some([0, 1, 1]),
        Some([64, 1, 1]),
        Some([1 << 31, 1, 1]),
        Some([u32::MAX; 3]),
        Some([1 << 16, 1 << 16, 1]),
    ];
    for (global, local) in globals.into_iter().flat_map(|global| locals.map(|local| (global, local))) {
        for global in [[global, 1, 1], [global; 3]] {
            let given = Launch { global, local, ..launch("ids", 1, &["out:i32[4]"]) };
            for is_checked in [false, true] {
                // What fits has too few elements, and ends early.
                let options = CpuOptions { limit: Some(std::time::Duration::from_secs(5)), ..options(is_checked) };
                assert!(run_on_cpu(&module, &reflection, &given, options).is_err(), "{global:?} {local:?}");
            }
        }
    }
}

#[test]
fn forms_that_do_not_exist_are_errors() {
    let (module, reflection) = compiled();
    let given = launch("ids", 1, &["out:i32[64]"]);
    for (width, vectors) in
        [(Some(0), None), (Some(7), None), (Some(1), Some(0)), (None, Some(3)), (None, Some(u32::MAX))]
    {
        let options = CpuOptions { width, vectors, threads: usize::MAX, ..CpuOptions::default() };
        assert!(CpuKernel::compile(&module, &reflection, &given, options).is_err(), "{width:?} {vectors:?}");
    }
}

#[test]
fn buffers_that_are_too_small_end_a_launch() {
    let (module, reflection) = compiled();
    for (buffer, is_checked) in
        ["out:i32[1]", "out:i32[63]", "out:u8[0]"].into_iter().flat_map(|buffer| [(buffer, false), (buffer, true)])
    {
        let given = launch("ids", 1, &[buffer]);
        let result = run_on_cpu(&module, &reflection, &given, options(is_checked));
        assert!(matches!(result, Err(RunError::CpuEnded(_))), "{buffer} {is_checked}: {result:?}");
    }
}

/// What a caller can put in a binding.
#[test]
fn a_binding_is_checked() {
    let (module, reflection) = compiled();
    let given = launch("far", 1, &["out:i32[64]", "i64=3"]);
    let right = bind(&given, &reflection).expect("it fits");
    let kernel = CpuKernel::compile_bound(&module, &right, options(false)).expect("it compiles");
    assert!(kernel.launch_bound(&right, 1, || ()).is_ok());
    let address = Address { at: 0, buffer: 0, target: 0 };
    let with = |addresses: Vec<Address>| Binding {
        push_constants: Contents { bytes: right.push_constants.bytes.clone(), addresses },
        ..right.clone()
    };
    let wrong = [
        with(Vec::new()),
        with(vec![Address { at: usize::MAX, ..address }]),
        with(vec![Address { at: right.push_constants.bytes.len() - 7, ..address }]),
        with(vec![Address { buffer: 1, ..address }]),
        with(vec![Address { target: 257, ..address }]),
        with(vec![Address { target: u64::MAX, ..address }]),
        with(vec![address, Address { at: 3, ..address }]),
        Binding { size: Size { groups: [2, 1, 1], ..right.size }, ..right.clone() },
        Binding { size: Size { groups: [u32::MAX; 3], ..right.size }, ..right.clone() },
        Binding { size: Size { local: [0, 1, 1], ..right.size }, ..right.clone() },
        Binding { size: Size { local: [u32::MAX; 3], ..right.size }, ..right.clone() },
        Binding { buffers: Vec::new(), ..right.clone() },
        Binding { push_constants: Contents::default(), ..right.clone() },
        Binding { entry_point: "none".to_owned(), ..right.clone() },
    ];
    for wrong in &wrong {
        assert!(kernel.launch_bound(wrong, 1, || ()).is_err(), "{wrong:?}");
        // Compiled for it, it is an error, or stays in the buffers that there are.
        if let Ok(kernel) = CpuKernel::compile_bound(&module, wrong, options(false)) {
            let _ = kernel.launch_bound(wrong, 1, || ());
        }
    }
}

/// Slices: what is not checked cannot be launched without `unsafe`.
#[test]
fn slices_are_not_left() {
    let (module, reflection) = compiled();
    let shape = Shape { kernel: Some("far".to_owned()), local: [64, 1, 1], options: options(true), ..Shape::default() };
    let kernel = Kernel::compile(&module, &reflection, &shape).expect("it compiles");
    let mut memory = vec![7_i32; 192];
    for index in [-64_i64, -1, 64, 127, i64::MAX, i64::MIN + 64, 1 << 40] {
        let mut arguments = [cpu::Argument::from(&mut memory[64..128]), index.into()];
        assert!(matches!(kernel.launch_checked([1, 1, 1], &mut arguments), Err(RunError::CpuEnded(_))), "{index}");
        assert_eq!(memory, [7; 192]);
    }
    let mut arguments = [cpu::Argument::from(&mut memory[64..128]), 63_i64.into()];
    assert_eq!(kernel.launch_checked([2, 1, 1], &mut arguments).map_err(|error| error.code().name), Err("run-launch"));
    assert_eq!(kernel.launch_checked([1, 1, 1], &mut arguments), Ok(()));
    assert_eq!((memory[127], memory[128]), (5, 7));
    let unchecked = Shape { options: options(false), ..shape };
    let unchecked = Kernel::compile(&module, &reflection, &unchecked).expect("it compiles");
    let mut arguments = [cpu::Argument::from(&mut memory[..]), 1_i64.into()];
    assert!(misfit(unchecked.launch_checked([1, 1, 1], &mut arguments)).contains("is_checked"));
}
