//! Launches of every shape on this CPU in machine code, against the interpreter.

use std::path::Path;

use reconverge::ir::Module;
use reconverge::opencl::Reflection;
use reconverge::{CompileOptions, Format, Level};
use reconverge_run::{CpuOptions, InterpreterOptions, Launch, Races, interpret_compiled, run_on_cpu};

/// Width and vectors of the forms that this CPU has.
fn forms() -> Vec<(u32, u32)> {
    let forms = [(1, 1), (8, 1), (8, 4), (16, 1), (16, 2)];
    let is_here = |&(width, _): &(u32, u32)| match width {
        8 => std::is_x86_feature_detected!("avx2"),
        16 => std::is_x86_feature_detected!("avx512bw"),
        _ => true,
    };
    forms.into_iter().filter(is_here).collect()
}

fn compiled(source: &[u8], format: Format) -> (Module, Reflection) {
    let output = reconverge::compile(source, format, Format::TEXT, &CompileOptions::new().level(Level::None));
    let output = output.expect("the kernels are valid");
    (output.module, output.run.reflection.expect("there are kernels"))
}

/// Runs a launch in every form of at least so many lanes, and compares with the interpreter.
fn hold((module, reflection): &(Module, Reflection), launch: &Launch, threads: usize, least: u32) {
    for (width, vectors) in forms().into_iter().filter(|(width, vectors)| width * vectors >= least) {
        let options = InterpreterOptions {
            subgroup_size: width * vectors,
            races: Races::Ignore,
            ..InterpreterOptions::default()
        };
        let expected = interpret_compiled(module, reflection, launch, options).expect("the launch fits");
        assert!(expected.failure.is_none(), "{:?}", expected.failure);
        let options = CpuOptions { width: Some(width), vectors: Some(vectors), threads, ..CpuOptions::default() };
        let found = run_on_cpu(module, reflection, launch, options).expect("the launch fits");
        assert_eq!(found.buffers, expected.buffers, "{:?}, {width} lanes, {vectors} vectors", launch.local);
    }
}

/// Local sizes that are odd, one, of three dimensions, larger than a pack, no multiple of it; one work-group and several.
#[test]
fn ranges_of_every_shape() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels/flat_ranges.spv");
    let kernel = compiled(&std::fs::read(path).expect("the test is right"), Format::SPIRV);
    let locals = [
        [1, 1, 1],
        [1, 1, 2],
        [1, 3, 1],
        [1, 2, 3],
        [7, 1, 1],
        [3, 5, 1],
        [8, 3, 1],
        [17, 1, 3],
        [65, 1, 1],
        [5, 4, 4],
    ];
    for (number, [x, y, z]) in locals.into_iter().enumerate() {
        for [groups_x, groups_y, groups_z] in [[1, 1, 1], [3, 2, 1], [1, 1, 5]] {
            let [wide, high, deep] = [x * groups_x, y * groups_y, z * groups_z];
            let launch = format!(
                r#"{{"kernel": "flat_ranges", "global": [{wide}, {high}, {deep}], "local": [{x}, {y}, {z}], "args": [
                {{"kind": "buffer", "type": "u32", "count": {}, "output": true}},
                {{"kind": "buffer", "type": "u32", "count": 24, "init": {{"rule": "lcg", "seed": 7, "mod": 0}}}}]}}"#,
                wide * high * deep * 3
            );
            hold(&kernel, &Launch::from_json(&launch).expect("the test is right"), 1 + number % 4, 1);
        }
    }
}

/// A kernel whose lanes reduce clusters in a loop that they leave one after another.
const CLUSTERS: &str = "\
capability Kernel
capability Addresses
capability Int64
capability GroupNonUniform
capability GroupNonUniformClustered
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\", %id
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%v3u64 = type_vector %u64, 3
%subgroup: %u32 = constant 3
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%three: %u32 = constant 3
%four: %u32 = constant 4
%eight: %u32 = constant 8
%buffer = type_pointer CrossWorkgroup, %u32
%input = type_pointer Input, %v3u64
%id: %input = variable Input {decorate BuiltIn 28}
func %k: %void (%out: %buffer, %in: %buffer) {
block ^entry:
  %ids: %v3u64 = load %id, 2, 32
  %i: %u64 = composite_extract %ids, 0
  %from: %buffer = in_bounds_ptr_access_chain %in, %i
  %x: %u32 = load %from, 2, 4
  %end: %u32 = bitwise_and %x, %three
  branch ^loop(%zero, %zero)
block ^loop(%n: %u32, %r: %u32):
  %y: %u32 = i_add %x, %n
  %sum: %u32 = group_non_uniform_i_add %subgroup, 3, %y, %four
  %greatest: %u32 = group_non_uniform_u_max %subgroup, 3, %x, %two
  %tripled: %u32 = i_mul %r, %three
  %first: %u32 = i_add %tripled, %sum
  %next: %u32 = bitwise_xor %first, %greatest
  %m: %u32 = i_add %n, %one
  %again: %bool = u_less_than %n, %end
  branch_if %again ^back ^exit
edge ^back:
  branch ^loop(%m, %next)
block ^exit:
  %all: %u32 = group_non_uniform_bitwise_xor %subgroup, 3, %next, %eight
  %to: %buffer = in_bounds_ptr_access_chain %out, %i
  store %to, %all, 2, 4
  return
}
";

#[test]
fn clusters_of_lanes_that_leave_a_loop() {
    let kernel = compiled(CLUSTERS.as_bytes(), Format::TEXT);
    for local in [64, 21] {
        let launch = format!(
            r#"{{"kernel": "k", "global": [{}], "local": [{local}], "args": [
            {{"kind": "buffer", "type": "u32", "count": {}, "output": true}},
            {{"kind": "buffer", "type": "u32", "count": {}, "init": {{"rule": "lcg", "seed": 5, "mod": 0}}}}]}}"#,
            2 * local,
            2 * local,
            2 * local
        );
        let launch = Launch::from_json(&launch).expect("the test is right");
        // A cluster that is larger than the subgroup has no defined result.
        hold(&kernel, &launch, 1, 8);
    }
}
