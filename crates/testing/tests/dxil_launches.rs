//! Direct3D compute shaders from container to words: translated, compiled at each level, and run on the interpreter and on this CPU.

use std::path::Path;

use reconverge::dxil::TranslateOptions;
use reconverge::dxil::module::view::ResourceClass;
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_interpret::{BoundBuffer, Interpreter, KernelLaunch};
use reconverge_ir::{Function, Module, view};
use reconverge_run::{Binding, Contents, CpuKernel, CpuOptions, Descriptor, DescriptorKind, Size};

/// The binding of `t0`.
const READ: u32 = 100;
/// The binding of `u0`.
const WRITTEN: u32 = 200;
const SEED: u32 = 0x9e37_79b9;

pub(crate) struct Shader {
    pub(crate) module: Module,
    pub(crate) local: [u32; 3],
}

fn compiled(name: &str, level: Level, is_robust: bool) -> Shader {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/dxil").join(format!("{name}.dxil"));
    let bytes = std::fs::read(path).expect("the container is part of the repository");
    let mut options = TranslateOptions { is_robust, ..TranslateOptions::default() };
    options.bindings.shift(ResourceClass::ShaderResource, READ);
    options.bindings.shift(ResourceClass::UnorderedAccess, WRITTEN);
    let translation = reconverge::dxil::translate(&bytes, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut module = translation.module;
    let options = CompileOptions::new().level(level).for_input(Format::DXIL);
    reconverge::run(&mut module, &options, &mut |_, _| ()).unwrap_or_else(|error| panic!("{name}: {error}"));
    Shader { module, local: translation.thread_group.expect("it is a compute shader") }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(*word.first_chunk().expect("a word"))).collect()
}

/// What one group leaves in `u0`, of so many words, if `t0` has these.
pub(crate) fn on_interpreter(shader: &Shader, read: &[u32], written: usize) -> Vec<u32> {
    let launch = KernelLaunch {
        local: shader.local,
        buffers: vec![bytes(read), vec![0; 4 * written]],
        bindings: vec![
            BoundBuffer { set: 0, binding: READ, buffer: 0 },
            BoundBuffer { set: 0, binding: WRITTEN, buffer: 1 },
        ],
        ..KernelLaunch::default()
    };
    let module = &shader.module;
    let entry = module.globals().find_map(|inst| view::EntryPoint::of(module, inst)).expect("an entry point");
    let function = module.cast::<Function>(entry.function).expect("it is a function");
    let outcome = Interpreter::new(module).launch_kernel(function, &launch).expect("the launch fits the shader");
    assert!(outcome.failure.is_none(), "{}", outcome.failure.expect("it was there"));
    words(&outcome.buffers[1].bytes)
}

pub(crate) fn on_cpu(shader: &Shader, read: &[u32], written: usize, width: u32) -> Vec<u32> {
    let descriptor = |binding, buffer| Descriptor { kind: DescriptorKind::Storage, set: 0, binding, buffer };
    let buffer = |bytes| Contents { bytes, addresses: Vec::new() };
    let binding = Binding {
        entry_point: "main".to_owned(),
        size: Size { groups: [1; 3], local: shader.local },
        push_constants: Contents::default(),
        buffers: vec![buffer(bytes(read)), buffer(vec![0; 4 * written])],
        descriptors: vec![descriptor(READ, 0), descriptor(WRITTEN, 1)],
        program_data: None,
        specialization: Vec::new(),
        subgroup_size: None,
    };
    let options = CpuOptions { width: Some(width), vectors: Some(1), ..CpuOptions::default() };
    let kernel = CpuKernel::compile_bound(&shader.module, &binding, options).unwrap_or_else(|error| panic!("{error}"));
    let measured = kernel.launch_bound(&binding, 1, || ()).unwrap_or_else(|error| panic!("{error}"));
    words(&measured.buffers[1])
}

/// Lanes of a vector register of this CPU.
fn widths() -> impl Iterator<Item = u32> {
    [1, 8].into_iter().filter(|&width| width == 1 || std::is_x86_feature_detected!("avx2"))
}

/// The results of every engine at every level.
fn results(name: &str, read: &[u32], written: usize) -> Vec<(String, Vec<u32>)> {
    let mut results = Vec::new();
    for level in Level::ALL {
        for is_robust in [false, true] {
            let shader = compiled(name, level, is_robust);
            let place = format!("{name}, {level:?}, robust: {is_robust}");
            results.push((format!("{place}, interpreter"), on_interpreter(&shader, read, written)));
            for width in widths() {
                results.push((format!("{place}, {width} lanes"), on_cpu(&shader, read, written, width)));
            }
        }
    }
    results
}

/// `sort_and_count.hlsl`, if this lane is the first to exchange `owner`.
fn sort_and_count(keys: &[u32], winner: u32) -> Vec<u32> {
    const WEIGHTS: [u32; 8] = [3, 1, 4, 1, 5, 9, 2, 6];
    let count = |bucket: u32| keys.iter().filter(|&&key| key & 7 == bucket).count() as u32;
    let result = |(lane, &key): (u32, &u32)| {
        let before = if lane == winner { u32::MAX } else { winner };
        let (mut sum, mut last) = (0_u32, key);
        for round in 0..lane & 15 {
            last = last.wrapping_mul(5).wrapping_add(WEIGHTS[(key.wrapping_add(round) & 7) as usize]);
            if last > 100_000 {
                break;
            }
            sum = sum.wrapping_add(last);
        }
        match key & 3 {
            0 => sum.wrapping_add(count(lane & 7)),
            1 => sum ^ before,
            2 => sum.wrapping_sub(last) | 1,
            _ => sum | 1,
        }
    };
    (0..).zip(keys).map(result).collect()
}

/// Shared memory, atomics, barriers, a loop with two exits, a switch that falls through, and a call.
#[test]
fn sort_and_count_is_what_its_source_says() {
    let keys: Vec<u32> = (1..=32_u32).map(|number| number.wrapping_mul(SEED) >> (number % 24 + 4)).collect();
    for name in ["sort_and_count.O3", "sort_and_count.Od", "sort_and_count.Zi"] {
        for (place, found) in results(name, &keys, keys.len()) {
            let is_expected = (0..32).any(|winner| sort_and_count(&keys, winner) == found);
            assert!(is_expected, "{place}: {found:x?}");
        }
    }
}

/// Numbers of 16, 32 and 64 bits: both engines and all levels agree, and the second word of each pair is the source's.
#[test]
fn numbers_are_the_same_everywhere() {
    let floats: Vec<f32> = (0..64_i16).map(|number| f32::from(number) * 3.75 - 90.5).collect();
    let read: Vec<u32> = floats.iter().map(|number| number.to_bits()).collect();
    for name in ["numbers.O3", "numbers.Od"] {
        let results = results(name, &read, 2 * floats.len());
        for (place, found) in &results {
            assert_eq!(found, &results[0].1, "{place}");
            for (&float, pair) in floats.iter().zip(found.chunks_exact(2)) {
                let expected = f64::from(float) * 1.0e-3 + 2.5;
                assert_eq!(pair[1], expected as i32 as u32, "{place}: {float}");
            }
        }
    }
}
