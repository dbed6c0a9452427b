//! Functions of MSL with the meaning of an instruction of `GLSL.std.450`.

use spirv::GlslStd450Op as Glsl;

use crate::syntax::ScalarKind;

/// The function of the language, and the signedness of its integers.
pub(super) fn function(op: Glsl) -> Option<(&'static str, Option<ScalarKind>)> {
    let (signed, unsigned) = (Some(ScalarKind::Int), Some(ScalarKind::Uint));
    Some(match op {
        Glsl::Round => ("round", None),
        Glsl::RoundEven => ("rint", None),
        Glsl::Trunc => ("trunc", None),
        Glsl::FAbs => ("abs", None),
        Glsl::SAbs => ("abs", signed),
        Glsl::FSign => ("sign", None),
        Glsl::Floor => ("floor", None),
        Glsl::Ceil => ("ceil", None),
        Glsl::Fract => ("fract", None),
        Glsl::Sin => ("sin", None),
        Glsl::Cos => ("cos", None),
        Glsl::Tan => ("tan", None),
        Glsl::Asin => ("asin", None),
        Glsl::Acos => ("acos", None),
        Glsl::Atan => ("atan", None),
        Glsl::Atan2 => ("atan2", None),
        Glsl::Sinh => ("sinh", None),
        Glsl::Cosh => ("cosh", None),
        Glsl::Tanh => ("tanh", None),
        Glsl::Asinh => ("asinh", None),
        Glsl::Acosh => ("acosh", None),
        Glsl::Atanh => ("atanh", None),
        Glsl::Pow => ("pow", None),
        Glsl::Exp => ("exp", None),
        Glsl::Log => ("log", None),
        Glsl::Exp2 => ("exp2", None),
        Glsl::Log2 => ("log2", None),
        Glsl::Sqrt => ("sqrt", None),
        Glsl::InverseSqrt => ("rsqrt", None),
        Glsl::Determinant => ("determinant", None),
        Glsl::FMin | Glsl::NMin => ("min", None),
        Glsl::UMin => ("min", unsigned),
        Glsl::SMin => ("min", signed),
        Glsl::FMax | Glsl::NMax => ("max", None),
        Glsl::UMax => ("max", unsigned),
        Glsl::SMax => ("max", signed),
        Glsl::FClamp | Glsl::NClamp => ("clamp", None),
        Glsl::UClamp => ("clamp", unsigned),
        Glsl::SClamp => ("clamp", signed),
        Glsl::FMix => ("mix", None),
        Glsl::Step => ("step", None),
        Glsl::SmoothStep => ("smoothstep", None),
        Glsl::Fma => ("fma", None),
        Glsl::Length => ("length", None),
        Glsl::Distance => ("distance", None),
        Glsl::Cross => ("cross", None),
        Glsl::Normalize => ("normalize", None),
        Glsl::FaceForward => ("faceforward", None),
        Glsl::Reflect => ("reflect", None),
        Glsl::Refract => ("refract", None),
        _ => return None,
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
