//! Shaders with bound buffers on this CPU, against the interpreter.

use crate::dxil_launches::{Shader, on_cpu, on_interpreter};

/// Each lane reads its word and stores what the body makes of it.
fn shader(body: &str) -> Shader {
    let text = format!(
        "\
capability Shader
capability GroupNonUniformQuad
%glsl = ext_inst_import \"GLSL.std.450\"
memory_model Logical, GLSL450
entry_point GLCompute, %main, \"main\", %lane, %in, %out
execution_mode %main, LocalSize, 8, 1, 1
%void = type_void
%u32 = type_int 32, 0
%f32 = type_float 32
%f32x2 = type_vector %f32, 2
%c0: %u32 = constant 0
%c1: %u32 = constant 1
%c2: %u32 = constant 2
%c3: %u32 = constant 3
%words = type_runtime_array %u32 {{decorate ArrayStride 4}}
%block = type_struct %words {{decorate Block, member_decorate 0 Offset 0}}
%pointer = type_pointer StorageBuffer, %block
%word = type_pointer StorageBuffer, %u32
%input = type_pointer Input, %u32
%lane: %input = variable Input {{decorate BuiltIn 29}}
%in: %pointer = variable StorageBuffer {{decorate DescriptorSet 0, decorate Binding 100}}
%out: %pointer = variable StorageBuffer {{decorate DescriptorSet 0, decorate Binding 200}}
%type = type_function %void
func %main: %void () type %type {{
block ^entry:
  %i: %u32 = load %lane
  %from: %word = access_chain %in, %c0, %i
  %x: %u32 = load %from
{body}
  %to: %word = access_chain %out, %c0, %i
  store %to, %y
  return
}}
"
    );
    let module = reconverge::ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Shader { module, local: [8, 1, 1] }
}

fn hold(body: &str, read: &[u32], expected: &[u32]) {
    let shader = shader(body);
    assert_eq!(on_interpreter(&shader, read, 8), expected, "the interpreter: {body}");
    if std::is_x86_feature_detected!("avx2") {
        assert_eq!(on_cpu(&shader, read, 8, 8), expected, "the CPU: {body}");
    }
}

#[test]
fn quads_swap_and_broadcast() {
    let read: Vec<u32> = (10..18).collect();
    for (direction, mask) in [("%c0", 1), ("%c1", 2), ("%c2", 3)] {
        let expected: Vec<u32> = (0..8).map(|lane| read[lane ^ mask]).collect();
        hold(&format!("  %y: %u32 = group_non_uniform_quad_swap %c3, %x, {direction}"), &read, &expected);
    }
    let expected: Vec<u32> = (0..8).map(|lane| read[lane & !3 | 2]).collect();
    hold("  %y: %u32 = group_non_uniform_quad_broadcast %c3, %x, %c2", &read, &expected);
}

#[test]
fn numbers_are_packed_as_halves() {
    let body = "  %number: %f32 = bitcast %x
  %minus: %f32 = f_negate %number
  %pair: %f32x2 = composite_construct %number, %minus
  %y: %u32 = ext_inst %glsl, 58, %pair";
    let read = [0.0_f32, 1.0, 0.5, 65504.0, 1.0e-7, 3.0, f32::INFINITY, 2049.0].map(f32::to_bits);
    let halves: [u32; 8] = [0, 0x3c00, 0x3800, 0x7bff, 0x0002, 0x4200, 0x7c00, 0x6800];
    hold(body, &read, &halves.map(|half| half | (half | 0x8000) << 16));
}

#[test]
fn lengths_follow_from_the_sizes_of_buffers() {
    hold("  %y: %u32 = array_length %in, 0", &[7; 11], &[11; 8]);
}
