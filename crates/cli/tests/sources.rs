//! Sources by their real front ends, which `cargo xtask setup` installs.

use crate::common::{Scratch, content};

const SHADER: &str = "\
#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
shared uint tile[8];
void main() {
    uint lane = gl_LocalInvocationID.x;
    tile[lane] = data[lane] * FACTOR;
    if (data[lane] > 3u) {
        barrier();
    }
    data[lane] = tile[7u - lane];
}
";

const KERNEL: &str = "\
kernel void shift(global int *out, global const int *in) {
    size_t item = get_global_id(0);
    out[item] = in[item + 1];
}
";

#[test]
fn a_kernel_runs_from_its_source() {
    let scratch = Scratch::new();
    scratch.file("shift.cl", KERNEL);
    let launch = ["--global", "4", "--arg", "out:i32[4]=zero", "--arg", "in:i32[5]=list(1,2,3,4,5)"];
    let printed = scratch.run(&[&["run", "shift.cl"], &launch[..]].concat()).ended(0).stdout();
    assert_eq!(printed, "argument 0 (out), i32[4]: 2 3 4 5\n");
    scratch.run(&["compile", "shift.cl", "-o", "shift.spv", "--reflection", "shift.json"]).ended(0);
    scratch.run(&["check", "shift.spv"]).ended(0);
    let text = scratch.run(&["compile", "shift.spv", "-O0", "-o", "-", "--to", "text"]).ended(0).stdout();
    assert!(!text.contains("string ") && !text.contains(" at %"), "{text}");
    assert_eq!(scratch.names(), ["shift.cl", "shift.json", "shift.spv"]);
}

#[test]
fn undefined_behaviour_has_the_line_of_the_source() {
    let scratch = Scratch::new();
    scratch.file("shift.cl", KERNEL);
    let launch = ["--global", "4", "--arg", "out:i32[4]=zero", "--arg", "in:i32[4]=list(1,2,3,4)"];
    for engine in [&["--checked"][..], &["--on", "interpreter"]] {
        let said = scratch.run(&[&["run", "shift.cl"], &launch[..], engine].concat()).ended(1).stderr();
        assert!(said.contains("shift.cl:3:17") && said.contains("out[item] = in[item + 1];"), "{engine:?}: {said}");
        assert!(said.contains("argument 1 (in)") || said.contains("the pointer `in`"), "{said}");
    }
}

#[test]
fn a_shader_is_checked_and_compiled_with_its_lines() {
    let scratch = Scratch::new();
    scratch.file("tile.comp", SHADER);
    scratch.file("tile.glsl", SHADER.replacen('\n', "\n#pragma shader_stage(compute)\n", 1));
    let said = scratch.run(&["check", "tile.comp", "-DFACTOR=2"]).ended(0).stderr();
    assert!(said.contains("warning[W01]") && said.contains("tile.comp:9"), "{said}");
    assert!(said.contains("barrier();"), "{said}");
    for input in ["tile.comp", "tile.glsl"] {
        for level in ["-O0", "-O1", "-Os"] {
            scratch.run(&["compile", input, "-DFACTOR=2", level, "-o", "out.spv"]).ended(0);
            let text = scratch.run(&["compile", "out.spv", "-O0", "-o", "-", "--to", "text"]).ended(0).stdout();
            assert!(text.contains("entry_point GLCompute") && !text.contains("string "), "{text}");
            scratch.run(&["compile", input, "-DFACTOR=2", level, "-g", "-o", "out.spv"]).ended(0);
            let text = scratch.run(&["compile", "out.spv", "-O0", "-o", "-", "--to", "text"]).ended(0).stdout();
            assert!(text.contains(&format!("string \"{input}\"")), "{text}");
        }
    }
    let said = scratch.run(&["compile", "tile.comp", "-DFACTOR=2u", "--why", "-o", "out.wgsl"]).ended(0).stderr();
    assert!(said.contains("goes through workgroup memory"), "{said}");
    let text = String::from_utf8(content(&scratch.path("out.wgsl"))).unwrap();
    assert!(text.contains("workgroupUniformLoad"), "{text}");
    scratch.file("even.comp", SHADER.replace("    if (data[lane] > 3u) {", "    {"));
    scratch.run(&["compile", "even.comp", "-DFACTOR=2u", "-o", "out.wgsl"]).ended(0);
    let stdin = ["compile", "-", "--from", "comp", "-DFACTOR=2", "-g", "-o", "-", "--to", "text"];
    let text = scratch.feed(&stdin, SHADER.as_bytes()).ended(0).stdout();
    assert!(text.contains("string \"<stdin>\""), "{text}");
}

#[test]
fn stages_are_asked_for_and_errors_passed_on() {
    let scratch = Scratch::new();
    scratch.file("a.glsl", SHADER);
    let said = scratch.run(&["compile", "a.glsl", "-o", "out.spv"]).ended(2).stderr();
    assert!(said.contains("stage of the shader is not known") && said.contains("--stage compute"), "{said}");
    let said = scratch.run(&["compile", "a.glsl", "--stage", "compute", "-o", "out.spv"]).ended(1).stderr();
    assert!(said.contains("ERROR: a.glsl:7: 'FACTOR'") && said.contains("error[front-end]"), "{said}");
    scratch.file("factor.h", "#define FACTOR 3\n");
    let include = "\n#extension GL_GOOGLE_include_directive : require\n#include \"factor.h\"\n";
    scratch.file("a.glsl", SHADER.replacen('\n', include, 1));
    let flags = ["compile", "a.glsl", "--stage", "comp", "-I.", "-o", "out.spv", "-MD"];
    scratch.run(&flags).ended(0);
    let rule = String::from_utf8(content(&scratch.path("out.d"))).unwrap();
    assert!(rule.starts_with("out.spv: \\\n  a.glsl") && rule.contains("factor.h"), "{rule}");
}

#[test]
fn sources_and_modules_are_linked() {
    let scratch = Scratch::new();
    scratch.file("twice.cl", "int twice(int x) { return 2 * x; }\n");
    let kernel =
        "int twice(int);\nkernel void f(global int *p) { p[get_global_id(0)] = twice(p[get_global_id(0)]); }\n";
    scratch.file("f.cl", kernel);
    scratch.run(&["link", "twice.cl", "-o", "twice.spv", "--library"]).ended(0);
    for library in ["twice.cl", "twice.spv"] {
        let launch = ["--global", "2", "--arg", "out:i32[2]=list(1,2)"];
        let printed = scratch.run(&[&["run", "f.cl", library], &launch[..]].concat()).ended(0).stdout();
        assert_eq!(printed, "argument 0 (p), i32[2]: 2 4\n");
    }
}

#[test]
fn the_same_source_gives_the_same_bytes_in_every_folder() {
    let compiled = || {
        let scratch = Scratch::new();
        scratch.file("shift.cl", KERNEL);
        scratch.file("tile.comp", SHADER);
        scratch.run(&["compile", "shift.cl", "-g", "-o", "k.spv"]).ended(0);
        scratch.run(&["compile", "tile.comp", "-DFACTOR=2", "-g", "-o", "s.spv"]).ended(0);
        [content(&scratch.path("k.spv")), content(&scratch.path("s.spv"))]
    };
    assert_eq!(compiled(), compiled());
}

/// What a launch of a kernel from its source prints.
fn printed(source: &str, launch: &[&str]) -> String {
    let scratch = Scratch::new();
    scratch.file("kernel.cl", source);
    scratch.run(&[&["run", "kernel.cl"], launch].concat()).ended(0).stdout()
}

/// Loop strength reduction of clang 22 counts the iterations in two bits, which its back end computes in eight and does not mask.
#[test]
fn integers_of_odd_widths_are_not_made() {
    let source = "kernel void odd_widths(global uint *out) {
  uint lid = get_local_id(0), steps = 0;
  ulong sum = 0x1fbb1d43be532cc6ul;
  switch ((uint)((0x5db991f5a6509352ul | lid) - 0x117f) & 3u) {
  case 0:
    do {
    case 1:
      if ((ushort)1) goto next;
    case 2:
      sum = 0;
    next:;
    } while (steps++ < 3u && 0xdedb7105u <= (short)((uint)sum + 0x7fb2));
  }
  out[get_global_id(0)] = (uint)((0x626b2ac8318a1012ul * 0x9e3779b97f4a7c15ul ^ steps) * 0x9e3779b97f4a7c15ul >> 32);
}
";
    let printed = printed(source, &["--global", "2", "--arg", "out:u32[2]=zero"]);
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = |steps: u64| (0x626b_2ac8_318a_1012_u64.wrapping_mul(FACTOR) ^ steps).wrapping_mul(FACTOR) >> 32;
    assert_eq!(printed, format!("argument 0 (out), u32[2]: {} {}\n", mixed(0), mixed(4)));
}

/// The optimizer of clang 22 counts down in three bits here.
#[test]
fn a_source_whose_optimized_code_has_odd_widths_is_compiled_without_the_optimizer() {
    let source = "kernel void digits(global uint *out, uint n) {
  uint gid = get_global_id(0), digits = 0, b = 0;
  for (uint a = 0; a < (n & 7u); a++) {
    for (b = 0; b < ((7u + gid - a) & 7u); b++) { }
    digits = digits * 10 + b;
  }
  out[gid] = digits;
}
";
    let printed = printed(source, &["--global", "3", "--arg", "out:u32[3]=zero", "--arg", "u32=7"]);
    assert_eq!(printed, "argument 0 (out), u32[3]: 7654321 765432 1076543\n");
}

/// The optimizer of clang 22 computes this sum as a polynomial in 65 bits, at which its back end stops.
#[test]
fn a_source_at_whose_odd_widths_the_back_end_stops_is_compiled_without_the_optimizer() {
    let source = "kernel void squares(global ulong *out, ulong n) {
  ulong sum = 0;
  for (ulong i = 0; i < n; i++) sum += i * i;
  out[get_global_id(0)] = sum;
}
";
    let printed = printed(source, &["--global", "1", "--arg", "out:u64[1]=zero", "--arg", "u64=5"]);
    assert_eq!(printed, "argument 0 (out), u64[1]: 30\n");
}

/// Partial unrolling is a control of SPIR-V 1.4, and kernels with bindings are SPIR-V 1.3.
#[test]
fn a_loop_that_is_to_be_unrolled_in_part_is_compiled_with_bindings() {
    let scratch = Scratch::new();
    let source = "kernel void k(global int *o, int n) {
  int s = 0;
#pragma unroll 3
  for (int i = 0; i < n; i++) s += o[i];
  o[0] = s;
}
";
    scratch.file("k.cl", source);
    scratch.run(&["compile", "k.cl", "-g", "--pointers", "bindings", "-o", "k.spv"]).ended(0);
    scratch.run(&["check", "k.spv"]).ended(0);
}

#[test]
fn a_standard_of_cpp_makes_a_source_one_of_cpp() {
    let scratch = Scratch::new();
    let source =
        "template <typename T> T twice(T x) { return 2 * x; }\nkernel void k(global int *o) { o[0] = twice(o[0]); }\n";
    scratch.file("k.cl", source);
    scratch.run(&["compile", "k.cl", "--std", "CLC++", "-o", "k.spv"]).ended(0);
}

/// `OpBitReverse` needs the capability Shader; the control flow of a kernel is not structured all the same.
#[test]
fn a_kernel_whose_instructions_need_the_capability_of_shaders_is_a_kernel() {
    let scratch = Scratch::new();
    let source = "kernel void k(global uint *o) {
  uint a = o[1];
  o[0] = __builtin_bitreverse32(a);
  if (a & 1) o[2] = 5;
}
";
    scratch.file("k.cl", source);
    scratch.run(&["check", "k.cl"]).ended(0);
    let launch = ["--on", "interpreter", "--global", "1", "--arg", "out:u32[3]=list(1,3,0)"];
    let printed = scratch.run(&[&["run", "k.cl"], &launch[..]].concat()).ended(0).stdout();
    assert_eq!(printed, "argument 0 (o), u32[3]: 3221225472 3 5\n");
}
