//! Functions of WGSL with the meaning of an instruction of `GLSL.std.450`.

use spirv::GlslStd450Op as Glsl;

use super::super::function::extended::{Signed, shared_function};

/// The function of the language.
pub(super) fn function(op: Glsl) -> Option<Signed> {
    Some(match op {
        Glsl::Round | Glsl::RoundEven => ("round", None),
        Glsl::FSign => ("sign", None),
        Glsl::SSign => ("sign", Some(crate::syntax::ScalarKind::Int)),
        Glsl::Fract => ("fract", None),
        Glsl::Radians => ("radians", None),
        Glsl::Degrees => ("degrees", None),
        Glsl::Atan2 => ("atan2", None),
        Glsl::Asinh => ("asinh", None),
        Glsl::Acosh => ("acosh", None),
        Glsl::Atanh => ("atanh", None),
        Glsl::InverseSqrt => ("inverseSqrt", None),
        Glsl::FMix => ("mix", None),
        Glsl::Fma => ("fma", None),
        Glsl::FaceForward => ("faceForward", None),
        _ => return shared_function(op),
    })
}

/// The function that packs or unpacks numbers.
pub(super) fn packing(op: Glsl) -> Option<&'static str> {
    Some(match op {
        Glsl::PackSnorm4x8 => "pack4x8snorm",
        Glsl::PackUnorm4x8 => "pack4x8unorm",
        Glsl::PackSnorm2x16 => "pack2x16snorm",
        Glsl::PackUnorm2x16 => "pack2x16unorm",
        Glsl::PackHalf2x16 => "pack2x16float",
        Glsl::UnpackSnorm4x8 => "unpack4x8snorm",
        Glsl::UnpackUnorm4x8 => "unpack4x8unorm",
        Glsl::UnpackSnorm2x16 => "unpack2x16snorm",
        Glsl::UnpackUnorm2x16 => "unpack2x16unorm",
        Glsl::UnpackHalf2x16 => "unpack2x16float",
        _ => return None,
    })
}

/// The high half of a product of unsigned numbers, from products of halves.
pub(super) const HIGH_HALF: [&str; 7] = [
    "fn high_half(x: u32, y: u32) -> u32 {",
    "    let low = (x & 0xffffu) * (y & 0xffffu);",
    "    let one = (x >> 16u) * (y & 0xffffu) + (low >> 16u);",
    "    let other = (x & 0xffffu) * (y >> 16u) + (one & 0xffffu);",
    "    return (x >> 16u) * (y >> 16u) + (one >> 16u) + (other >> 16u);",
    "}",
    "",
];

/// The lines of the inverse of a matrix of 2, 3 or 4 columns.
pub(super) fn inverse(columns: u8) -> (&'static str, &'static [&'static str]) {
    match columns {
        2 => (
            "inverse2",
            &[
                "fn inverse2(m: mat2x2f) -> mat2x2f {",
                "    let adjugate = mat2x2f(m[1][1], -m[0][1], -m[1][0], m[0][0]);",
                "    return adjugate * (1.0 / determinant(m));",
                "}",
                "",
            ],
        ),
        3 => (
            "inverse3",
            &[
                "fn inverse3(m: mat3x3f) -> mat3x3f {",
                "    let cofactors = mat3x3f(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));",
                "    return transpose(cofactors) * (1.0 / determinant(m));",
                "}",
                "",
            ],
        ),
        _ => (
            "inverse4",
            &[
                "fn inverse4(m: mat4x4f) -> mat4x4f {",
                "    var cofactors: mat4x4f;",
                "    for (var c = 0; c < 4; c++) {",
                "        for (var r = 0; r < 4; r++) {",
                "            var minor: mat3x3f;",
                "            for (var i = 0; i < 3; i++) {",
                "                let column = m[select(i + 1, i, i < c)];",
                "                for (var j = 0; j < 3; j++) {",
                "                    minor[i][j] = column[select(j + 1, j, j < r)];",
                "                }",
                "            }",
                "            let d = determinant(minor);",
                "            cofactors[c][r] = select(-d, d, ((c + r) & 1) == 0);",
                "        }",
                "    }",
                "    return transpose(cofactors) * (1.0 / determinant(m));",
                "}",
                "",
            ],
        ),
    }
}
