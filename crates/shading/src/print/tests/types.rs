use naga::front;

use super::glsl::accept;
use super::*;
use crate::syntax::{Depth, GlobalKind, Image, ImageDim, Length, Scalar, ScalarKind, TypeShape};

/// The names of a type in WGSL, GLSL, HLSL and MSL.
fn names_of(shape: TypeShape) -> [String; 4] {
    let mut text = Text::default();
    let ty = text.types.of(shape);
    let spelling = Spelling::default();
    Language::ALL.map(|language| Printer::new(&text, language, &spelling).type_name(ty))
}

fn scalar(kind: ScalarKind, width: u8) -> Scalar {
    Scalar { kind, width }
}

#[test]
fn names_of_numbers_vectors_and_matrices() {
    let half = scalar(ScalarKind::Float, 16);
    let long = scalar(ScalarKind::Int, 64);
    let matrix = |columns, rows| TypeShape::Matrix { scalar: Scalar::FLOAT, columns, rows };
    let vector = |scalar, size| TypeShape::Vector { scalar, size };
    for (shape, expected) in [
        (TypeShape::Void, ["void"; 4]),
        (TypeShape::Scalar(Scalar::FLOAT), ["f32", "float", "float", "float"]),
        (TypeShape::Scalar(half), ["f16", "float16_t", "half", "half"]),
        (TypeShape::Scalar(long), ["i64", "int64_t", "int64_t", "long"]),
        (vector(Scalar::FLOAT, 3), ["vec3f", "vec3", "float3", "float3"]),
        (vector(Scalar::UINT, 2), ["vec2u", "uvec2", "uint2", "uint2"]),
        (vector(Scalar::BOOL, 4), ["vec4<bool>", "bvec4", "bool4", "bool4"]),
        (vector(half, 3), ["vec3h", "f16vec3", "half3", "half3"]),
        (vector(long, 2), ["vec2<i64>", "i64vec2", "int64_t2", "long2"]),
        (matrix(4, 4), ["mat4x4f", "mat4", "float4x4", "float4x4"]),
        (matrix(4, 3), ["mat4x3f", "mat4x3", "float4x3", "float4x3"]),
    ] {
        assert_eq!(names_of(shape), expected, "{shape:?}");
    }
    let double = names_of(TypeShape::Vector { scalar: scalar(ScalarKind::Float, 64), size: 3 });
    assert_eq!(double[1..3], ["dvec3", "double3"]);
    assert_eq!(names_of(TypeShape::Scalar(scalar(ScalarKind::Uint, 16)))[1..], ["uint16_t", "uint16_t", "ushort"]);
}

#[test]
fn names_of_images() {
    let words = Image { component: Scalar::UINT, is_array: true, ..IMAGE };
    let depth = Image { depth: Depth::Compared, ..IMAGE };
    let samples = Image { is_multisampled: true, ..IMAGE };
    for (shape, expected) in [
        (TypeShape::Image(IMAGE), ["texture_2d<f32>", "texture2D", "Texture2D<float4>", "texture2d<float>"]),
        (
            TypeShape::Image(words),
            ["texture_2d_array<u32>", "utexture2DArray", "Texture2DArray<uint4>", "texture2d_array<uint>"],
        ),
        (TypeShape::Image(depth), ["texture_depth_2d", "texture2D", "Texture2D<float4>", "depth2d<float>"]),
        (
            TypeShape::SampledImage(depth),
            ["texture_depth_2d", "sampler2DShadow", "Texture2D<float4>", "depth2d<float>"],
        ),
        (
            TypeShape::Image(samples),
            ["texture_multisampled_2d<f32>", "texture2DMS", "Texture2DMS<float4>", "texture2d_ms<float>"],
        ),
        (TypeShape::Sampler(Depth::Color), ["sampler", "sampler", "SamplerState", "sampler"]),
        (
            TypeShape::Sampler(Depth::Compared),
            ["sampler_comparison", "samplerShadow", "SamplerComparisonState", "sampler"],
        ),
    ] {
        assert_eq!(names_of(shape), expected, "{shape:?}");
    }
    let storage = names_of(TypeShape::Image(Image { is_storage: true, dim: ImageDim::Three, ..IMAGE }));
    assert_eq!(storage[1..], ["image3D", "RWTexture3D<float4>", "texture3d<float, access::read_write>"]);
}

#[test]
fn arrays_of_arrays() {
    let mut builder = Builder::new();
    let float = builder.numbers(Scalar::FLOAT, 1);
    let three = builder.array(float, 3);
    let four = builder.array(three, 4);
    let runtime = builder.ty(TypeShape::Array { element: three, length: Length::Runtime });
    let expected = [
        ["x: array<array<f32, 3>, 4>", "x: array<array<f32, 3>>"],
        ["float x[4][3]", "float x[][3]"],
        ["float x[4][3]", "float x[][3]"],
        ["array<array<float, 3>, 4> x", "array<float, 3> x[1]"],
    ];
    let spelling = Spelling::default();
    for (language, expected) in Language::ALL.into_iter().zip(expected) {
        let printer = Printer::new(&builder.text, language, &spelling);
        assert_eq!([four, runtime].map(|ty| printer.declared(ty, "x")), expected, "{language}");
    }
}

/// Every kind of image that GLSL has, with a binding of its own.
fn images(builder: &mut Builder) -> usize {
    let dims = [ImageDim::One, ImageDim::Two, ImageDim::Three, ImageDim::Cube, ImageDim::Buffer];
    let components = [Scalar::FLOAT, Scalar::INT, Scalar::UINT];
    let mut shapes = vec![TypeShape::Sampler(Depth::Color), TypeShape::Sampler(Depth::Compared)];
    for (dim, component) in dims.into_iter().flat_map(|dim| components.map(|component| (dim, component))) {
        for is_array in [false, true] {
            let image = Image { dim, component, is_array, ..IMAGE };
            let has_layers = !matches!(dim, ImageDim::Three | ImageDim::Buffer);
            if has_layers || !is_array {
                shapes.push(TypeShape::Image(image));
                shapes.push(TypeShape::SampledImage(image));
                shapes.push(TypeShape::Image(Image { is_storage: true, ..image }));
            }
            if dim == ImageDim::Two {
                shapes.push(TypeShape::Image(Image { is_multisampled: true, ..image }));
            }
            if component.is_float() && has_layers {
                shapes.push(TypeShape::SampledImage(Image { depth: Depth::Compared, ..image }));
            }
        }
    }
    for (binding, shape) in shapes.iter().enumerate() {
        let ty = builder.ty(*shape);
        let is_storage = matches!(shape, TypeShape::Image(image) if image.is_storage);
        let access = if is_storage { " writeonly" } else { "" };
        let prefix = format!("layout(binding = {binding}) uniform{access}");
        builder.global("", ty, &prefix, GlobalKind::Variable(None));
    }
    shapes.len()
}

#[test]
fn glslang_knows_every_image() {
    let mut builder = Builder::new();
    builder.text.head.push("#version 450".to_owned());
    let count = images(&mut builder);
    let text = printed(builder.finish(Vec::new()), Language::Glsl);
    assert_eq!(text.matches("layout(").count(), count);
    assert!(count > 80, "{count}");
    accept(&text, &[]);
}

#[test]
fn naga_knows_images_of_wgsl() {
    let mut builder = Builder::new();
    let dims = [ImageDim::One, ImageDim::Two, ImageDim::Three, ImageDim::Cube];
    for (binding, dim) in dims.into_iter().enumerate() {
        for depth in [Depth::Color, Depth::Compared] {
            let has_depth = matches!(dim, ImageDim::Two | ImageDim::Cube);
            for is_array in [false, true].into_iter().filter(|is_array| has_depth || !is_array) {
                if depth == Depth::Color || has_depth {
                    let ty = builder.ty(TypeShape::Image(Image { dim, depth, is_array, ..IMAGE }));
                    let group = u32::from(is_array) * 2 + u32::from(depth == Depth::Color);
                    let prefix = format!("@group({group}) @binding({binding}) var");
                    builder.global("image", ty, &prefix, GlobalKind::Variable(None));
                }
            }
        }
    }
    builder.function.attributes.push("@compute @workgroup_size(1)".to_owned());
    let text = printed(builder.finish(Vec::new()), Language::Wgsl);
    let module = front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
    assert_eq!(module.global_variables.len(), 10);
}
