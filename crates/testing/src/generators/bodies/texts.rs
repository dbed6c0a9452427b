//! The texts around the statements of a body: the declarations before them, and after them the words that are written.

pub(super) const WGSL_HEAD: &str = "\
diagnostic(off, derivative_uniformity);
alias Words = array<u32, 64>;
struct S { m: i32, v: vec2<f32>, }
struct Nest { one: S, parts: array<S, 2>, }
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: Words;
override N: u32 = 3u;
const C = 2 + 3;
const TABLE = array<i32, 4>(4, -3, 2, C * 7);
var<private> pri: u32 = 5u;
var<private> pri_arr: array<i32, 3>;
var<workgroup> own: array<atomic<u32>, 8>;
var<workgroup> signed_own: array<atomic<i32>, 8>;
var<workgroup> seen: array<u32, 8>;
fn fq(x: f32) -> f32 { return clamp(floor(x * 4.0) * 0.25, -1000.0, 1000.0); }
fn fq2(x: vec2<f32>) -> vec2<f32> { return vec2<f32>(fq(x.x), fq(x.y)); }
fn unsigned_zero(x: f32) -> f32 { return select(x, 0.0, x == 0.0); }
fn bump(p: ptr<function, i32>, by: i32) { *p = *p * 3 + by; }
fn helper(a: vec4<i32>, p: ptr<function, array<i32, 4>>) -> vec2<i32> { (*p)[a.x] += 1; return a.xz + (*p)[a.y]; }
fn is_even(p: ptr<function, i32>) -> bool { *p += 3; return (*p & 1) == 0; }
fn touch() -> u32 { pri += 2u; return pri; }
fn early(x: i32, n: u32) -> i32 {
    var r = x;
    for (var i = 0u; i < 3u; i++) {
        if i == (n & 3u) { return r; }
        switch r & 3 { case 1: { continue; } case 2, default: { r = r + 5; } case 3: { r = r ^ 9; } }
    }
    return -r;
}
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) lane: u32) {
";

pub(super) const WGSL_VARIABLES: &str = "    let yes = true;
    let no = false;
    let zero = 0;
    let one = 1;
    let minus = -1;
    let seven = 7;
    let low = -2147483647 - 1;
    let high = 2147483647;
    let none = 0u;
    let unit = 1u;
    let many = 33u;
    let ones = 4294967295u;
    let byte = 255u;
    let nought = 0.0;
    let half_ = 1.5;
    let below = -2.25;
    let above = 100.0;
    let at = lane * 8u;
    var u0 = input[at];
    var u1 = input[at + 1u];
    var u2 = input[at + 2u];
    var i0 = bitcast<i32>(input[at + 3u]);
    var i1 = i32(input[at + 4u]);
    var i2: i32 = -7;
    var f0 = f32(input[at + 5u] & 511u) * 0.25;
    var f1 = -1.5;
    var b0 = (input[at + 6u] & 1u) == 1u;
    var v4 = vec4<u32>(input[at + 7u], u0, 3u, lane);
    var arr = array<i32, 4>(1, i0, -3, i1);
    var s = S(9, vec2<f32>(f0, 2.5));
    var mat = mat2x2<f32>(1.0, 2.0, 0.5, -1.0);
    var n4 = vec4<i32>(i0, 2, -3, i1);
    var grid = array<array<u32, 3>, 2>();
    var nest = Nest(s, array<S, 2>(s, S()));
    var m32 = mat3x2<f32>(1.0, 2.0, -1.0, 0.5, 0.25, 4.0);
    var m43 = mat4x3<f32>(vec3<f32>(1.0), vec3<f32>(f0, 2.0, f1), vec3<f32>(), vec3<f32>(-0.5));
";

pub(super) const WGSL_END: &str = "    seen[lane] = u0 ^ pri;
    workgroupBarrier();
    u1 = u1 + seen[lane ^ 1u];
    output[at] = u0;
    output[at + 1u] = u1 + atomicLoad(&own[lane]) + u32(atomicLoad(&signed_own[lane]));
    output[at + 2u] = u2 ^ v4.x ^ (v4.y * 3u) ^ (v4.z * 5u) ^ (v4.w * 7u) ^ grid[0][0] ^ grid[0][2] ^ grid[1][1];
    output[at + 3u] = u32(i0) + select(0u, 1u, b0);
    output[at + 4u] = u32(i1 ^ i2);
    output[at + 5u] = u32(i32(fq(f0) * 4.0) ^ i32(fq(f1) * 256.0) ^ i32(fq(m32[0].x + m32[1].y + m32[2].x) * 4.0));
    output[at + 6u] = u32(arr[0] + arr[1] * 3 + arr[2] * 5 + arr[3] * 7 + s.m + nest.one.m + nest.parts[0].m * 9 + nest.parts[1].m)
        ^ u32(n4.x + n4.y * 3 + n4.z * 5 + n4.w * 7 + pri_arr[0] + pri_arr[2] * 3);
    output[at + 7u] = u32(i32(fq(s.v.x) * 4.0) ^ i32(fq(s.v.y) * 4.0) ^ i32(fq(mat[0].x + mat[1].y) * 4.0) ^ i32(fq(m43[0].x + m43[2].z) * 4.0));
}
";

pub(super) const GLSL_HEAD: &str = "\
#version 450
layout(local_size_x = 8) in;
struct S { int m; vec2 v; };
struct Nest { S one; S parts[2]; };
layout(constant_id = 3) const uint SPEC = 7u;
layout(set = 0, binding = 0, std430) readonly buffer Input { uint words[64]; } input_;
layout(set = 0, binding = 1, std430) buffer Output { uint words[64]; } output_;
const int C = 2 + 3;
const int TABLE[4] = int[4](4, -3, 2, C * 7);
uint pri = 5u;
shared uint own[8];
shared uint seen[8];
float fq(float x) { return clamp(floor(x * 4.0) * 0.25, -1000.0, 1000.0); }
vec2 fq2(vec2 x) { return vec2(fq(x.x), fq(x.y)); }
void bump(inout int p, int by) { p = p * 3 + by; }
void both(inout int p, out uint q, in int by) { by += p; p = by; q = uint(by) + 1u; }
ivec2 helper(ivec4 a, inout int p[4]) { p[a.x & 3] += 1; return a.xz + p[a.y & 3]; }
int overload(int x) { return x + 1; }
uint overload(uint x) { return x * 2u; }
bool side(inout int p) { p += 4; pri ^= 9u; return (p & 1) == 0; }
int early(int x, uint n) {
    int r = x;
    for (uint i = 0u; i < 3u; i++) {
        if (i == (n & 3u)) return r;
        switch (r & 3) { case 1: continue; case 2: r = r + 7; default: r = r + 5; break; case 3: r = r ^ 9; }
    }
    return -r;
}
void main() {
";

pub(super) const GLSL_VARIABLES: &str =
    "    int zero = 0, one = 1, minus = -1, seven = 7, low = -2147483647 - 1, high = 2147483647;
    bool yes = true, no = false;
    uint none = 0u, unit = 1u, many = 33u, ones = 4294967295u, byte = 255u;
    float nought = 0.0, half_ = 1.5, below = -2.25, above = 100.0;
    uint lane = gl_LocalInvocationIndex;
    own[lane] = 0u;
    uint at = lane * 8u;
    uint u0 = input_.words[at];
    uint u1 = input_.words[at + 1u];
    uint u2 = input_.words[at + 2u];
    int i0 = int(input_.words[at + 3u]);
    int i1 = int(input_.words[at + 4u]);
    int i2 = -7;
    float f0 = float(input_.words[at + 5u] & 511u) * 0.25;
    float f1 = -1.5;
    bool b0 = (input_.words[at + 6u] & 1u) == 1u;
    uvec4 v4 = uvec4(input_.words[at + 7u], u0, 3u, lane);
    int arr[4] = int[4](1, i0, -3, i1);
    S s = S(9, vec2(f0, 2.5));
    mat2 mat = mat2(1.0, 2.0, 0.5, -1.0);
    ivec4 n4 = ivec4(i0, 2, -3, i1);
    uint grid[2][3] = uint[2][3](uint[3](0u, 0u, 0u), uint[3](1u, 2u, lane));
    Nest nest = Nest(s, S[2](s, S(0, vec2(0.0))));
    mat3x2 m32 = mat3x2(1.0, 2.0, -1.0, 0.5, 0.25, 4.0);
    mat4x3 m43 = mat4x3(vec3(1.0), vec3(f0, 2.0, f1), vec3(0.0), vec3(-0.5));
";

pub(super) const GLSL_END: &str = "    seen[lane] = u0 ^ pri;
    barrier();
    u1 = u1 + seen[lane ^ 1u];
    output_.words[at] = u0;
    output_.words[at + 1u] = u1 + own[lane];
    output_.words[at + 2u] = u2 ^ v4.x ^ (v4.y * 3u) ^ (v4.z * 5u) ^ (v4.w * 7u) ^ grid[0][0] ^ grid[0][2] ^ grid[1][1];
    output_.words[at + 3u] = uint(i0) + (b0 ? 1u : 0u);
    output_.words[at + 4u] = uint(i1 ^ i2);
    output_.words[at + 5u] = uint(int(fq(f0) * 4.0) ^ int(fq(f1) * 256.0) ^ int(fq(m32[0].x + m32[1].y + m32[2].x) * 4.0));
    output_.words[at + 6u] = uint(arr[0] + arr[1] * 3 + arr[2] * 5 + arr[3] * 7 + s.m + nest.one.m + nest.parts[0].m * 9 + nest.parts[1].m)
        ^ uint(n4.x + n4.y * 3 + n4.z * 5 + n4.w * 7);
    output_.words[at + 7u] = uint(int(fq(s.v.x) * 4.0) ^ int(fq(s.v.y) * 4.0) ^ int(fq(mat[0].x + mat[1].y) * 4.0) ^ int(fq(m43[0].x + m43[2].z) * 4.0));
}
";
