//! Kernels that leave their memory, and kernels that do not end.

use std::time::Duration;

use reconverge::{CompileOptions, Format, Level};
use reconverge_ir::Module;
use reconverge_opencl::Reflection;
use reconverge_run::cpu::{self, Kernel, Shape};
use reconverge_run::{
    Argument, CpuAccess, CpuFailure, CpuKernel, CpuOptions, Extent, Launch, RunCode, RunError, UndefinedBehaviour,
};

use super::case::root;

/// Every form that this CPU may have.
pub(crate) const FORMS: [(u32, u32); 7] = [(1, 1), (8, 1), (8, 2), (8, 4), (16, 1), (16, 2), (16, 4)];

pub(crate) fn compiled() -> (Module, Reflection) {
    let spirv = std::fs::read(root().join("crates/run/tests/cpu/kernels/bounds.spv")).expect("the kernels are there");
    let mut module = reconverge::read(&spirv, Format::SPIRV).expect("the kernels are valid");
    let run = reconverge::run(&mut module, &CompileOptions::new().level(Level::None), &mut |_, _| ())
        .expect("they are compiled");
    (module, run.reflection.expect("there are kernels"))
}

/// A launch of 128 work-items in groups of 64, from the arguments of the command line.
pub(crate) fn launch(kernel: &str, arguments: &[&str]) -> Launch {
    Launch {
        kernel: Some(kernel.to_owned()),
        global: [128, 1, 1],
        local: Some([64, 1, 1]),
        arguments: arguments.iter().map(|text| Argument::from_flag(text).expect("the argument is valid")).collect(),
        ..Launch::default()
    }
}

/// The result of a launch in every form of this CPU, checked or not.
fn in_all_forms(launch: &Launch, is_checked: bool) -> Vec<Result<Vec<Vec<u8>>, RunError>> {
    let (module, reflection) = compiled();
    let mut results = Vec::new();
    for (width, vectors) in FORMS {
        let options = CpuOptions { width: Some(width), vectors: Some(vectors), is_checked, ..CpuOptions::default() };
        match CpuKernel::compile(&module, &reflection, launch, options) {
            Ok(kernel) => results.push(kernel.launch(&reflection, launch, 1).map(|measured| measured.buffers)),
            // This CPU has no vectors of this width.
            Err(RunError::NoCode(error)) if error.message.contains("cannot run here") => {}
            Err(error) => panic!("{width}×{vectors}: {error}"),
        }
    }
    assert!(!results.is_empty(), "one lane is always possible");
    results
}

/// The failures of a launch in every form.
fn failures(launch: &Launch, is_checked: bool) -> Vec<CpuFailure> {
    let failed = in_all_forms(launch, is_checked).into_iter().map(|result| match result {
        Err(RunError::CpuEnded(failure)) => *failure,
        other => panic!("{:?}, checked {is_checked}: {other:?}", launch.kernel),
    });
    failed.collect()
}

/// Asserts that a launch ends at an offset of a buffer, at the work-item; in unchecked code, at one of the pack of the work-item.
fn ends_at(launch: &Launch, item: u64, argument: &str, offset: i64, extent: Extent) {
    for failure in failures(launch, true) {
        assert_eq!(failure.behaviour, UndefinedBehaviour::OutOfBounds, "{failure}");
        assert_eq!(failure.items, Some([[item, 0, 0]; 2]), "{failure}");
        let Some(CpuAccess::Buffer { buffer, offset: found, extent: Some(found_extent) }) = &failure.access else {
            panic!("{failure}")
        };
        assert_eq!((buffer.name.as_str(), *found, *found_extent), (argument, offset, extent), "{failure}");
        assert!(failure.place.instruction.is_some(), "{failure:?}");
    }
    for failure in failures(launch, false) {
        assert_eq!(failure.behaviour, UndefinedBehaviour::OutOfBounds, "{failure}");
        let [first, last] = failure.items.expect("the pack is known");
        assert!((first[0]..=last[0]).contains(&item), "{failure}");
        let Some(CpuAccess::Buffer { buffer, extent: None, .. }) = &failure.access else { panic!("{failure}") };
        assert_eq!(buffer.name, argument, "{failure}");
        assert!(failure.place.instruction.is_some(), "{failure:?}");
    }
}

const READ: Extent = Extent { bytes: 4, is_write: false };
const WRITE: Extent = Extent { bytes: 4, is_write: true };

#[test]
fn lanes_side_by_side_end_at_the_first_one_outside() {
    let shifted = |shift: i32| launch("contiguous", &["out:i32[128]", "in:i32[128]", &format!("i32={shift}")]);
    ends_at(&shifted(1), 127, "argument 0", 512, WRITE);
    ends_at(&shifted(100), 28, "argument 0", 512, WRITE);
    ends_at(&shifted(1_000_000), 0, "argument 0", 4_000_000, WRITE);
    ends_at(&shifted(-2_000_000_000), 0, "argument 0", -8_000_000_000, WRITE);
    for result in in_all_forms(&shifted(0), true) {
        assert_eq!(result.expect("it ends")[0], [1, 0, 0, 0].repeat(128));
    }
}

#[test]
fn gathers_end_at_the_lane_outside() {
    let indexed = |index: &str| {
        launch("gathered", &["out:i32[128]", "in:i32[4]", &format!("in:i32[128]=list(0,1,2,3,{index},0)")])
    };
    ends_at(&indexed("4"), 4, "argument 1", 16, READ);
    ends_at(&indexed("123456789"), 4, "argument 1", 493_827_156, READ);
    ends_at(&indexed("-2147483648"), 4, "argument 1", -8_589_934_592, READ);
}

#[test]
fn narrow_elements_and_atomics_are_checked() {
    let bytes = launch("bytes", &["out:i8[128]", "in:i16[128]", "i32=3"]);
    ends_at(&bytes, 125, "argument 1", 256, Extent { bytes: 2, is_write: false });
    let counted = launch("counted", &["out:i32[4]", "in:i32[128]=list(0,1,2,3,4)"]);
    ends_at(&counted, 4, "argument 0", 16, WRITE);
}

#[test]
fn a_guard_keeps_its_access_inside() {
    let guarded =
        launch("guarded", &["out:i32[128]", "in:i32[4]=fill(9)", "in:i32[128]=list(-1,4,1,2,1000000000)", "i32=4"]);
    // The indexes behind the list are zero.
    let values = [0, 0, 9, 9, 0].into_iter().chain([9; 123]);
    let expected: Vec<u8> = values.flat_map(i32::to_le_bytes).collect();
    for is_checked in [true, false] {
        for result in in_all_forms(&guarded, is_checked) {
            assert_eq!(result.expect("nothing is outside")[0], expected, "checked: {is_checked}");
        }
    }
}

#[test]
fn indexes_of_arrays_are_confined_and_checked() {
    let of_work_item = launch("of_work_item", &["out:i32[128]", "in:i32[128]=list(1,2,3,8,123456789)"]);
    let of_work_group = |shift: i32| launch("of_work_group", &["out:i32[128]", &format!("i32={shift}")]);
    let rows = [
        (of_work_item, 3, 8, 8),
        (of_work_group(5), 59, 64, 64),
        (of_work_group(-5), 0, -5, 64),
        (of_work_group(1 << 30), 0, 1 << 30, 64),
    ];
    for (launch, item, index, length) in rows {
        for failure in failures(&launch, true) {
            assert_eq!(failure.items, Some([[item, 0, 0]; 2]), "{failure}");
            assert_eq!(failure.access, Some(CpuAccess::Element { index, length }), "{failure}");
        }
        for result in in_all_forms(&launch, false) {
            assert!(result.is_ok(), "what is outside of an array is somewhere in its room: {result:?}");
        }
    }
}

#[test]
fn null_pointers_are_named() {
    let launch = launch("null_pointer", &["out:i32[128]", "in:i32[128]=list(1,2,3,7,4)"]);
    for is_checked in [true, false] {
        for failure in failures(&launch, is_checked) {
            assert_eq!(failure.behaviour, UndefinedBehaviour::NullAddress, "{failure}");
            assert!(matches!(failure.access, Some(CpuAccess::Address { address: Some(12), .. })), "{failure}");
        }
    }
}

#[test]
fn an_endless_kernel_is_ended() {
    let (module, reflection) = compiled();
    let launch = launch("endless", &["out:i32[128]", "i32=1"]);
    for (width, threads) in [(Some(1), 1), (Some(1), 2), (None, 1), (None, 2)] {
        let options = CpuOptions { width, limit: Some(Duration::from_millis(50)), ..CpuOptions::default() };
        let kernel = CpuKernel::compile(&module, &reflection, &launch, options).expect("the engine supports it");
        let error = kernel.launch(&reflection, &launch, threads).expect_err("the kernel does not end");
        assert_eq!(error.code(), RunCode::Time);
    }
    // One that ends in time is not disturbed by the limit.
    let launch = self::launch("endless", &["out:i32[128]", "i32=0"]);
    let options = CpuOptions { limit: Some(Duration::from_secs(600)), ..CpuOptions::default() };
    let kernel = CpuKernel::compile(&module, &reflection, &launch, options).expect("the engine supports it");
    assert!(kernel.launch(&reflection, &launch, 2).is_ok());
}

#[test]
fn checked_kernels_are_safe_on_slices() {
    let (module, reflection) = compiled();
    let options = CpuOptions { is_checked: true, ..CpuOptions::default() };
    let name = Some("contiguous".to_owned());
    let shape = Shape { kernel: name, groups: [2, 1, 1], local: [64, 1, 1], options, ..Shape::default() };
    let kernel = Kernel::compile(&module, &reflection, &shape).expect("the engine supports it");
    let (mut out, input) = (vec![0; 128], vec![7; 128]);
    let mut launch = |shift: i32| {
        let mut arguments = [cpu::Argument::from(&mut out[..]), cpu::Argument::from(&input[..]), shift.into()];
        kernel.launch_checked([2, 1, 1], &mut arguments)
    };
    assert_eq!(launch(0), Ok(()));
    let error = launch(3).expect_err("it leaves the slice").to_string();
    assert!(error.contains("a write of 4 bytes at byte 512 of argument 0, which has 512 bytes"), "{error}");
    // A slice that is only borrowed is not written.
    let shared = vec![0; 128];
    let mut arguments = [cpu::Argument::from(&shared[..]), cpu::Argument::from(&input[..]), 0_i32.into()];
    let error = kernel.launch_checked([2, 1, 1], &mut arguments).expect_err("it writes to a shared slice");
    assert!(error.to_string().contains("a write of 4 bytes at byte 0 of argument 0"), "{error}");
    assert_eq!(shared, vec![0; 128]);
    let unchecked = Shape { options: CpuOptions::default(), ..shape };
    let unchecked = Kernel::compile(&module, &reflection, &unchecked).expect("the engine supports it");
    let error = unchecked.launch_checked([2, 1, 1], &mut arguments).expect_err("it has no checks");
    assert!(error.to_string().contains("is_checked"), "{error}");
}
