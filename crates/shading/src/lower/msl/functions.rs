//! Functions of MSL with the meaning of an instruction of `GLSL.std.450`.

use spirv::GlslStd450Op as Glsl;

use super::super::function::extended::{Signed, shared_function};

/// The function of the language.
pub(super) fn function(op: Glsl) -> Option<Signed> {
    Some(match op {
        Glsl::Round => ("round", None),
        Glsl::RoundEven => ("rint", None),
        Glsl::FSign => ("sign", None),
        Glsl::Fract => ("fract", None),
        Glsl::Atan2 => ("atan2", None),
        Glsl::Asinh => ("asinh", None),
        Glsl::Acosh => ("acosh", None),
        Glsl::Atanh => ("atanh", None),
        Glsl::InverseSqrt => ("rsqrt", None),
        Glsl::FMix => ("mix", None),
        Glsl::Fma => ("fma", None),
        _ => return shared_function(op),
    })
}

/// The function that packs or unpacks numbers.
pub(super) fn packing(op: Glsl) -> Option<&'static str> {
    Some(match op {
        Glsl::PackSnorm4x8 => "pack_float_to_snorm4x8",
        Glsl::PackUnorm4x8 => "pack_float_to_unorm4x8",
        Glsl::PackSnorm2x16 => "pack_float_to_snorm2x16",
        Glsl::PackUnorm2x16 => "pack_float_to_unorm2x16",
        Glsl::UnpackSnorm4x8 => "unpack_snorm4x8_to_float",
        Glsl::UnpackUnorm4x8 => "unpack_unorm4x8_to_float",
        Glsl::UnpackSnorm2x16 => "unpack_snorm2x16_to_float",
        Glsl::UnpackUnorm2x16 => "unpack_unorm2x16_to_float",
        _ => return None,
    })
}

/// The lines of functions that the language lacks: the inverse of a matrix of 2, 3 or 4 columns.
pub(super) fn inverse(columns: u8) -> (&'static str, &'static [&'static str]) {
    match columns {
        2 => (
            "inverse2",
            &[
                "static inline float2x2 inverse2(float2x2 m) {",
                "    float2x2 adjugate = float2x2(m[1][1], -m[0][1], -m[1][0], m[0][0]);",
                "    return adjugate * (1.0 / determinant(m));",
                "}",
            ],
        ),
        3 => (
            "inverse3",
            &[
                "static inline float3x3 inverse3(float3x3 m) {",
                "    float3x3 cofactors = float3x3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));",
                "    return transpose(cofactors) * (1.0 / determinant(m));",
                "}",
            ],
        ),
        _ => (
            "inverse4",
            &[
                "static inline float4x4 inverse4(float4x4 m) {",
                "    float4x4 cofactors;",
                "    for (int c = 0; c < 4; c++) {",
                "        for (int r = 0; r < 4; r++) {",
                "            float3x3 minor;",
                "            for (int i = 0; i < 3; i++) {",
                "                float4 column = m[i < c ? i : i + 1];",
                "                for (int j = 0; j < 3; j++) {",
                "                    minor[i][j] = column[j < r ? j : j + 1];",
                "                }",
                "            }",
                "            float d = determinant(minor);",
                "            cofactors[c][r] = ((c + r) & 1) == 0 ? d : -d;",
                "        }",
                "    }",
                "    return transpose(cofactors) * (1.0 / determinant(m));",
                "}",
            ],
        ),
    }
}
