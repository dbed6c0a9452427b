//! What a shader writes arrives, wherever its addresses come from.

use std::time::Duration;

use super::common::{
    CHILD, DEVICE, IDS, WIDE, bytes, choice, compile, in_child, instance, launch, open, passes_in_child, shader, tools,
    words,
};
use reconverge_run::vulkan::{
    Address, Buffer, Descriptor, DescriptorKind, Device, Dispatch, MemoryPlacement, Pipeline, PushConstants,
    Requirements, Shader, Validation, VulkanCode,
};

const UNTOUCHED: u32 = 0xcccc_cccc;

fn compile_ids(device: &Device, specialization: &[(u32, u32)]) -> Pipeline {
    let spirv = shader("ids");
    let shader = Shader { specialization, push_constant_size: 12, ..Shader::new(&spirv, "ids") };
    compile(device, &shader).expect("a valid shader")
}

/// Runs `ids` over a buffer of so many words, from this byte on.
fn run_ids(device: &Device, pipeline: &Pipeline, groups: u32, addend: u32, from: u64) -> Vec<u32> {
    let mut output = bytes(&[UNTOUCHED; 16]);
    let push_constants = bytes(&[0, 0, addend]);
    let push_constants =
        PushConstants { bytes: &push_constants, addresses: &[Address { at: 0, buffer: 0, offset: from }] };
    let dispatch = Dispatch { push_constants, ..Dispatch::of([groups, 1, 1]) };
    launch(device, pipeline, &dispatch, &mut [Buffer::new(&mut output)]).expect("a valid dispatch");
    words(&output)
}

#[test]
fn a_shader_writes_through_an_address_in_the_push_constants() {
    let device = open(&IDS);
    let pipeline = compile_ids(&device, &[]);
    let mut expected = [UNTOUCHED; 16];
    expected[2..7].copy_from_slice(&[100, 101, 102, 103, 104]);
    assert_eq!(run_ids(&device, &pipeline, 5, 100, 8), expected);
    assert_eq!(run_ids(&device, &pipeline, 1, 7, 60)[15], 7, "a pipeline runs again");
}

#[test]
fn specialization_settles_constants_and_the_size_of_a_group() {
    let device = open(&IDS);
    let pipeline = compile_ids(&device, &[(0, 4), (3, 10)]);
    let expected: Vec<u32> = (0..16).map(|id| if id < 12 { id * 10 } else { UNTOUCHED }).collect();
    assert_eq!(run_ids(&device, &pipeline, 3, 0, 0), expected);
}

#[test]
fn staged_buffers_hold_the_same() {
    let requirements = Requirements { features: &IDS, memory: MemoryPlacement::Staged, ..Requirements::default() };
    let device = instance(Validation::On).open(&choice(), &requirements).unwrap();
    let pipeline = compile_ids(&device, &[(0, 4)]);
    let expected: Vec<u32> = (0..16).map(|id| if id < 8 { id + 1 } else { UNTOUCHED }).collect();
    assert_eq!(run_ids(&device, &pipeline, 2, 1, 0), expected);
}

#[test]
fn buffers_hold_addresses_of_buffers() {
    let device = open(&WIDE);
    let spirv = shader("copy");
    let pipeline = compile(&device, &Shader { push_constant_size: 8, ..Shader::new(&spirv, "copy") }).unwrap();
    let (mut arguments, mut data, mut empty) = ([0; 16], bytes(&[1, 2, 3, 4]), []);
    let push_constants = PushConstants { bytes: &[0; 8], addresses: &[Address { at: 0, buffer: 1, offset: 0 }] };
    let to_data = [Address { at: 0, buffer: 0, offset: 12 }, Address { at: 8, buffer: 0, offset: 4 }];
    let mut buffers = [
        Buffer::new(&mut data),
        Buffer { bytes: &mut arguments, addresses: &to_data },
        Buffer { bytes: &mut empty, addresses: &[] },
    ];
    launch(&device, &pipeline, &Dispatch { push_constants, ..Dispatch::of([1, 1, 1]) }, &mut buffers).unwrap();
    assert_eq!(words(&data), [1, 4, 3, 4]);
    let [from, to] = [0, 8].map(|at| u64::from_le_bytes(arguments[at..at + 8].try_into().unwrap()));
    assert_eq!(from - to, 8, "the addresses are left where they were written");
}

#[test]
fn buffers_are_bound_to_a_descriptor_set() {
    let descriptors = [
        Descriptor { kind: DescriptorKind::Storage, set: 0, binding: 0, buffer: 1 },
        Descriptor { kind: DescriptorKind::Uniform, set: 0, binding: 3, buffer: 0 },
    ];
    for memory in [MemoryPlacement::Automatic, MemoryPlacement::Staged] {
        let requirements = Requirements { memory, ..Requirements::default() };
        let device = instance(Validation::On).open(&choice(), &requirements).unwrap();
        let spirv = shader("bound");
        let shader = Shader { descriptors: &descriptors, ..Shader::new(&spirv, "bound") };
        let pipeline = compile(&device, &shader).expect("a valid shader");
        let (mut numbers, mut data) = (bytes(&[10, 7, 0, 0]), bytes(&[1, 2, 3, 4]));
        let mut buffers = [Buffer::new(&mut numbers), Buffer::new(&mut data)];
        launch(&device, &pipeline, &Dispatch::of([3, 1, 1]), &mut buffers).expect("a valid dispatch");
        assert_eq!(words(&data), [17, 27, 37, 4]);
        let lone = launch(&device, &pipeline, &Dispatch::of([3, 1, 1]), &mut [Buffer::new(&mut numbers)]);
        assert!(lone.as_ref().is_err_and(|error| error.is(VulkanCode::BadRequest)), "{lone:?}");
    }
}

#[test]
fn without_groups_nothing_runs() {
    let device = open(&IDS);
    let pipeline = compile_ids(&device, &[]);
    assert_eq!(run_ids(&device, &pipeline, 0, 100, 0), [UNTOUCHED; 16]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let device = open(&IDS);
    let pipeline = compile_ids(&device, &[]);
    let refused = |push_constants, groups| {
        let mut output = [0; 64];
        let dispatch = Dispatch { push_constants, ..Dispatch::of(groups) };
        launch(&device, &pipeline, &dispatch, &mut [Buffer::new(&mut output)]).unwrap_err().message
    };
    let with = |addresses| PushConstants { bytes: &[0; 12], addresses };
    let short = PushConstants { bytes: &[0; 8], addresses: &[] };
    assert_eq!(refused(short, [1, 1, 1]), "8 bytes of push constants for a pipeline with 12");
    assert_eq!(
        refused(with(&[Address { at: 8, buffer: 0, offset: 0 }]), [1, 1, 1]),
        "an address at byte 8 of the push constants extends past its end"
    );
    assert_eq!(
        refused(with(&[Address { at: 0, buffer: 1, offset: 0 }]), [1, 1, 1]),
        "an address in the push constants leads to byte 0 of buffer 1, which does not exist"
    );
    assert_eq!(
        refused(with(&[Address { at: 0, buffer: 0, offset: 65 }]), [1, 1, 1]),
        "an address in the push constants leads to byte 65 of buffer 0, which does not exist"
    );
    let most = device.description().limits.groups[1];
    assert_eq!(
        refused(with(&[]), [1, most + 1, 1]),
        format!("work-groups along y: the launch needs {}, the device allows {most}", most + 1)
    );
}

#[test]
fn a_pipeline_belongs_to_its_device() {
    let [one, other] = [open(&IDS), open(&IDS)];
    let pipeline = compile_ids(&one, &[]);
    let dispatch =
        Dispatch { push_constants: PushConstants { bytes: &[0; 12], addresses: &[] }, ..Dispatch::of([1; 3]) };
    let error = launch(&other, &pipeline, &dispatch, &mut []).unwrap_err();
    assert_eq!(error.message, "the pipeline was compiled by another device");
}

#[test]
fn work_without_end_is_left_behind() {
    if std::env::var_os(CHILD).is_none() {
        // What was left behind still runs when the process ends, and a driver may not survive that.
        return passes_in_child("vulkan::dispatch::work_without_end_is_left_behind");
    }
    let device = open(&WIDE);
    let spirv = shader("long");
    let pipeline = compile(&device, &Shader { push_constant_size: 8, ..Shader::new(&spirv, "long") }).unwrap();
    let mut output = [0; 4];
    let push_constants = PushConstants { bytes: &[0; 8], addresses: &[Address { at: 0, buffer: 0, offset: 0 }] };
    let timeout = Duration::from_millis(1);
    let dispatch = Dispatch { push_constants, timeout, ..Dispatch::of([500, 1, 1]) };
    let mut run = || launch(&device, &pipeline, &dispatch, &mut [Buffer::new(&mut output)]).unwrap_err();
    assert_eq!(run().code, VulkanCode::Timeout);
    assert_eq!(run().code, VulkanCode::DeviceLost, "the device is of no more use");
    assert_eq!(output, [0; 4]);
}

/// A driver is chosen for a whole process; so what needs no 64-bit integers runs again in another one.
#[test]
fn a_second_driver_does_the_same() {
    let manifest = tools().join("swiftshader/vk_swiftshader_icd.json");
    assert!(manifest.is_file(), "no {}: run `cargo xtask setup`", manifest.display());
    let tests = [
        "vulkan::dispatch::a_shader_writes_through_an_address_in_the_push_constants",
        "vulkan::dispatch::specialization_settles_constants_and_the_size_of_a_group",
        "vulkan::dispatch::staged_buffers_hold_the_same",
        "vulkan::dispatch::without_groups_nothing_runs",
        "vulkan::dispatch::what_does_not_fit_is_refused",
    ];
    let manifest = manifest.as_os_str();
    in_child(
        &tests,
        &[("VK_DRIVER_FILES", manifest), ("VK_ICD_FILENAMES", manifest), (DEVICE, "SwiftShader".as_ref())],
    );
}
