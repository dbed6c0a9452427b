//! Reads MSL without a compiler of Apple: clang, as C++ for OpenCL, with headers that declare what MSL has.
//!
//! ```text
//! text ─┬─ address spaces as clang has them ─▶ clang -fsyntax-only, header/*.h ─▶ types, calls, names, versions
//!       └─ attributes.rs ────────────────────────────────────────────────────────▶ attributes of entry points
//! ```
//!
//! C++ for OpenCL is the dialect of clang that is next to MSL: it has vectors with swizzles, address spaces that overloads see, `half` and
//! kernels. The headers hold no code: a function is a declaration, or a definition that checks the shapes of its arguments. What a version
//! of MSL lacks is behind `__METAL_VERSION__`.
//!
//! What it does not see: which textures may be read or written, most address spaces of pointers, and what Metal's compiler does with a text.

mod attributes;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The headers, in the order in which they need each other.
const HEADERS: [(&str, &str); 6] = [
    ("types.h", include_str!("header/types.h")),
    ("math.h", include_str!("header/math.h")),
    ("textures.h", include_str!("header/textures.h")),
    ("threads.h", include_str!("header/threads.h")),
    ("rays.h", include_str!("header/rays.h")),
    ("stages.h", include_str!("header/stages.h")),
];

const COMPONENTS: [&str; 11] =
    ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "half"];

/// A version of MSL, as `3.2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MslVersion {
    /// The number before the point.
    pub major: u32,
    /// The number behind it.
    pub minor: u32,
}

impl MslVersion {
    /// The version that is written unless another is asked for.
    pub const DEFAULT: MslVersion = MslVersion { major: 2, minor: 4 };

    /// Reads `3.2`.
    pub fn parse(text: &str) -> Option<MslVersion> {
        let (major, minor) = text.split_once('.')?;
        Some(MslVersion { major: major.parse().ok()?, minor: minor.parse().ok()? })
    }
}

/// Has clang read a text of MSL, and checks the attributes of its entry points.
///
/// # Errors
/// The text is not MSL of this version as far as this can be seen, or `clang-22` cannot be started.
pub fn accept_msl(text: &str, version: MslVersion) -> Result<(), String> {
    attributes::check(text).map_err(|error| format!("{error}\n{text}"))?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    write_headers(folder.path()).map_err(|error| error.to_string())?;
    let source = folder.path().join("text.metal");
    std::fs::write(&source, as_opencl(text)).map_err(|error| error.to_string())?;
    let mut clang = Command::new("clang-22");
    clang.args(["-x", "cl", "-cl-std=clc++2021", "--target=spirv64", "-Xclang", "-cl-ext=+all", "-cl-no-stdinc"]);
    clang.args(["-cl-single-precision-constant", "-fsyntax-only", "-w", "-ferror-limit=4"]);
    clang.arg(format!("-D__METAL_VERSION__={}", version.major * 100 + version.minor * 10));
    let output =
        clang.arg("-I").arg(folder.path()).arg(&source).output().map_err(|error| format!("clang-22: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{}\n{text}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The headers that a text may include; each of them is the whole.
fn write_headers(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir(folder.join("simd"))?;
    let mut whole = "#pragma once\n".to_owned();
    for (name, header) in HEADERS {
        std::fs::write(folder.join(name), header)?;
        let _ = writeln!(whole, "#include \"{name}\"");
    }
    whole += "using metal::as_type;\nusing metal::make;\n";
    // A constructor of a vector becomes a call: C++ does not construct vectors of clang. The name without arguments stays a type.
    for component in COMPONENTS {
        for packed in ["", "packed_"].into_iter().filter(|packed| packed.is_empty() || component != "bool") {
            for count in 2..=4 {
                let vector = format!("{packed}{component}{count}");
                let _ = writeln!(whole, "#define {vector}(...) make<{vector}>(__VA_ARGS__)");
            }
        }
    }
    std::fs::write(folder.join("metal_stdlib"), whole)?;
    for name in ["metal_atomic", "metal_mesh", "metal_raytracing", "simd/simd.h"] {
        std::fs::write(folder.join(name), "#include <metal_stdlib>\n")?;
    }
    Ok(())
}

/// The text with what clang reads in another way: structs are not copied out of its `constant`, and function constants need a value.
fn as_opencl(text: &str) -> String {
    let line = |line: &str| {
        // Memory of a threadgroup is declared in kernels alone.
        let line = line
            .strip_prefix("[[object]] ")
            .or(line.strip_prefix("[[mesh]] "))
            .map_or_else(|| line.to_owned(), |head| format!("kernel {head}"));
        // A reference to an array of vectors is no call of what makes a vector.
        let line = line.replace(" (&", " __attribute__(()) (&");
        let line = match line.strip_prefix("constant ") {
            Some(rest) => format!("const __global {rest}"),
            None => line.replace("constant ", "device const "),
        };
        match line.split_once("[[function_constant(") {
            Some((declared, _)) => format!("{} = {{}};\n", declared.trim_end()),
            None => line + "\n",
        }
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{MslVersion, accept_msl};

    const TEXT: &str = "#include <metal_stdlib>
using namespace metal;

struct Particle {
    packed_float3 position;
    float mass;
};

constant uint limit [[function_constant(0)]];

static float energy(float3 speed, float mass) {
    return 0.5 * mass * dot(speed, speed);
}

kernel void step(device Particle* particles [[buffer(0)]],
        constant float2x2& turn [[buffer(1)]],
        device atomic_uint& count [[buffer(2)]],
        texture2d<float> field [[texture(0)]],
        sampler field_sampler [[sampler(0)]],
        uint3 item [[thread_position_in_grid]]) {
    threadgroup float shared[64];
    float4 force = field.sample(field_sampler, float2(item.xy) * 0.5, level(0.0));
    float2 turned = turn * force.xy;
    int bits = as_type<int>(turned.x);
    shared[item.x] = energy(float3(turned, force.z), particles[item.x].mass);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (item.x < limit && bits != 0) {
        particles[item.x].mass = shared[item.x ^ 1u];
        atomic_fetch_add_explicit(&count, 1u, memory_order_relaxed);
    }
}
";

    /// What is changed in the text, and into what: each makes another kind of error.
    const MUTANTS: [(&str, &str); 20] = [
        ("dot(speed, speed)", "dott(speed, speed)"),
        ("dot(speed, speed)", "dot(speed)"),
        ("particles[item.x].mass);", "particles[item.x].weight);"),
        ("float3(turned, force.z)", "float3(turned, force.xy)"),
        ("float2(item.xy)", "float2(item.xyz)"),
        ("force.xy;", "force.xq;"),
        ("turn * force.xy", "turn * force.xyz"),
        ("as_type<int>(turned.x)", "as_type<int>(turned)"),
        ("as_type<int>(turned.x)", "as_type<long>(turned.x)"),
        ("int bits = ", "int3 bits = "),
        ("memory_order_relaxed", "memory_order_loose"),
        ("mem_flags::mem_threadgroup", "mem_threadgroup"),
        ("field.sample(field_sampler,", "field.sample("),
        ("level(0.0)", "levels(0.0)"),
        ("atomic_fetch_add_explicit(&count,", "atomic_fetch_add_explicit(count,"),
        ("    float mass;\n", "    float mass\n"),
        ("[[buffer(1)]]", "[[buffer(0)]]"),
        ("[[texture(0)]]", "[[user(fake0)]]"),
        (" [[sampler(0)]]", ""),
        ("[[thread_position_in_grid]]", "[[thread_position]]"),
    ];

    #[test]
    fn a_text_is_accepted_and_its_mutants_are_not() {
        assert_eq!(accept_msl(TEXT, MslVersion::DEFAULT), Ok(()));
        for (from, to) in MUTANTS {
            let mutant = TEXT.replacen(from, to, 1);
            assert_ne!(mutant, TEXT, "{from}");
            assert!(accept_msl(&mutant, MslVersion::DEFAULT).is_err(), "{from} became {to}");
        }
    }

    const MESH: &str = "#include <metal_stdlib>
using namespace metal;

struct MeshVertex {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
};

struct MeshPrimitive {
    uint layer [[render_target_array_index]];
};

struct Payload {
    uint layer;
};

[[mesh]] void main0(
    mesh<MeshVertex, MeshPrimitive, 3, 1, topology::triangle> output,
    uint local_index [[thread_index_in_threadgroup]],
    const object_data Payload& payload [[payload]]
) {
    threadgroup float2 uv[3];
    uv[local_index] = float2(1.0);
    output.set_index(local_index, local_index);
    output.set_vertex(local_index, MeshVertex{float4(0.0), uv[local_index]});
    output.set_primitive(0u, MeshPrimitive{payload.layer});
    output.set_primitive_count(1u);
}
";

    const OBJECT: &str = "#include <metal_stdlib>
using namespace metal;

struct Payload {
    uint layer;
};

[[object]] void main0(
    mesh_grid_properties grid,
    object_data Payload& payload [[payload]],
    uint local_index [[thread_index_in_threadgroup]]
) {
    payload.layer = local_index;
    grid.set_threadgroups_per_grid(uint3(1u));
}
";

    const PATCH: &str = "#include <metal_stdlib>
using namespace metal;

struct ControlPoint {
    float4 position [[attribute(1)]];
};

struct VertexIn {
    patch_control_point<ControlPoint> input;
    float3 color [[attribute(0)]];
};

struct VertexOut {
    float4 position [[position]];
    float3 color [[user(locn0)]];
};

[[patch(triangle, 3)]] vertex VertexOut main0(
    VertexIn in [[stage_in]],
    float3 location [[position_in_patch]],
    uint patch_index [[patch_id]]
) {
    uint last = in.input.size() - 1;
    return VertexOut{in.input[last].position * location.x, in.color + float(patch_index)};
}
";

    const BUFFERS: &str = "#include <metal_stdlib>
using namespace metal;

struct Light {
    float4 color;
};

struct Words {
    uint count;
    uint words[1];
};

struct Set1 {
    array<device Words*, 2> words [[id(0)]];
};

kernel void main0(
    uint3 item [[thread_position_in_grid]],
    constant Light& light_0 [[buffer(0)]],
    constant Light& light_1 [[buffer(2)]],
    device float* floats [[buffer(3)]],
    constant Set1& set1 [[buffer(4)]]
) {
    array<constant Light*, 2> lights = array<constant Light*, 2>{&light_0, &light_1};
    volatile device Words* words = (volatile device Words*)floats;
    words->words[item.x] = as_type<uint>(lights[item.x & 1u]->color.x);
    atomic_fetch_add_explicit((device atomic_uint*)&set1.words[1]->count, 1u, memory_order_relaxed);
}
";

    const ORDERED: &str = "#include <metal_stdlib>
using namespace metal;

fragment void main0(
    float4 frag_coord [[position]],
    device uint* counts [[buffer(0), raster_order_group(0)]],
    texture2d<float, access::read_write> blended [[texture(0), raster_order_group(0)]],
    texture2d<float> attachment [[texture(1)]]
) {
    blended.write(attachment.read(uint2(frag_coord.xy)), uint2(frag_coord.xy));
    counts[0]++;
}
";

    /// A text, and what is changed in it.
    const MUTANTS_OF_STAGES: [(&str, &[(&str, &str)]); 5] = [
        (
            MESH,
            &[
                ("mesh<MeshVertex, MeshPrimitive, 3", "mesh<MeshVertex, MeshPrimitive, 300"),
                ("MeshPrimitive, 3, 1, topology::triangle", "MeshPrimitive, 3, 1, topology::quad"),
                ("<MeshVertex, MeshPrimitive, 3", "<MeshVertex, void, 3"),
                ("output,", "output [[stage_in]],"),
                ("[[mesh]] void", "kernel void"),
                ("[[position]]", "[[user(locn1)]]"),
                ("[[user(locn0)]]", "[[position]]"),
                ("    uint layer [[render_target_array_index]]", "    uint layer"),
                ("const object_data", "object_data"),
                ("set_vertex(local_index, ", "set_vertex("),
                ("set_vertex", "set_vertices"),
                ("MeshPrimitive{payload.layer}", "payload.layer"),
                ("set_index(local_index, local_index)", "set_index(local_index)"),
                ("set_primitive_count(1u)", "set_primitive_count()"),
            ],
        ),
        (
            OBJECT,
            &[
                ("mesh_grid_properties grid,", ""),
                ("[[object]] void", "[[mesh]] void"),
                ("object_data Payload&", "const object_data Payload&"),
                (" [[payload]]", ""),
                ("set_threadgroups_per_grid", "set_threads_per_grid"),
                ("uint3(1u)", "Payload{1u}"),
            ],
        ),
        (
            PATCH,
            &[
                ("[[patch(triangle, 3)]] ", ""),
                ("patch(triangle, 3)", "patch(isoline, 3)"),
                ("patch(triangle, 3)", "patch(triangle, 33)"),
                ("[[position_in_patch]]", "[[position_in_grid]]"),
                ("[[attribute(1)]]", "[[attribute(0)]]"),
                (" [[attribute(1)]]", ""),
                ("patch_control_point<ControlPoint> input", "patch_control_point<Point> input"),
                ("in.input[last].position", "in.input.position"),
                ("in.input.size()", "in.input.length()"),
                ("[[user(locn0)]]", ""),
            ],
        ),
        (
            BUFFERS,
            &[
                ("{&light_0, &light_1}", "{&light_0, light_1}"),
                ("{&light_0, &light_1}", "{&light_0, &light_1, &light_0}"),
                ("{&light_0, &light_1}", "{&light_0, floats}"),
                ("[[buffer(2)]]", "[[buffer(0)]]"),
                ("(volatile device Words*)floats", "floats"),
                ("(volatile device Words*)floats", "(threadgroup Words*)floats"),
                ("lights[item.x & 1u]->color", "lights[item.x & 1u].color"),
                ("lights[item.x & 1u]->color", "lights->color"),
                ("words->words[item.x]", "words.words[item.x]"),
                ("&set1.words[1]->count", "&set1.words[1].count"),
                ("&set1.words[1]->count", "&set1.words->count"),
            ],
        ),
        (
            ORDERED,
            &[
                ("buffer(0), raster_order_group(0)", "buffer(0), raster_group(0)"),
                ("buffer(0), raster_order_group(0)", "raster_order_group(0)"),
                ("texture(1)", "texture(0)"),
                ("fragment void", "kernel void"),
                ("read(uint2(frag_coord.xy))", "read(frag_coord)"),
            ],
        ),
    ];

    #[test]
    fn stages_are_accepted_and_their_mutants_are_not() {
        let version = MslVersion { major: 3, minor: 0 };
        for (text, mutants) in MUTANTS_OF_STAGES {
            assert_eq!(accept_msl(text, version), Ok(()));
            for (from, to) in mutants {
                let mutant = text.replacen(from, to, 1);
                assert_ne!(mutant, text, "{from}");
                assert!(accept_msl(&mutant, version).is_err(), "{from} became {to}");
            }
        }
        assert!(accept_msl(MESH, MslVersion { major: 2, minor: 4 }).is_err());
    }

    #[test]
    fn what_a_version_lacks_is_unknown() {
        let fence = "atomic_thread_fence(mem_flags::mem_device, memory_order_acq_rel, thread_scope_device);";
        let text = TEXT.replace("threadgroup_barrier(mem_flags::mem_threadgroup);", fence);
        assert!(accept_msl(&text, MslVersion { major: 3, minor: 1 }).is_err());
        assert_eq!(accept_msl(&text, MslVersion { major: 3, minor: 2 }), Ok(()));
    }
}
