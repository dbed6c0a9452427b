// 00000020 00000416 0000005f 00000000 56540a22 fffffe8f b90ce50f 00000009
// 00000013 0000018e 822492b9 1eb280de 7ffffff1 fffffe8f 1eb2808e 0000000d
// 0000000d 000000c3 e7835bbd 00000012 ffffffe8 fffffe8f 8000015c 0000000d
// 0000001f 000003c9 00000045 00000003 ffffffed fffffe8f 8000002a 0000000f
// 0000000a 8000005e d3af1d75 7a4d054b 7ffffff0 fffffe8f 14aa1506 0000000f
// 7fffffff 00033913 7fffffca e474947b 26945a9e fffffe8f fb3ba41f 0000000f
// 0000001f 000003c6 0000007a 00000006 c6376bef fffffe8f 800000e3 00000009
// 00000000 0000001a 0000003e 80000000 de2a4ece fffffe8f 0000009c 0000000d
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
    let yes = true;
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
    for (var k1 = 0; k1 < 4; k1++) {
        { let p = &arr[clamp(lane, min(unit, 5u), max(unit, 5u))]; *p = select(i1, arr[1], no); }
        i2++;
        f0 = fq(mat[0].y);
    }
    mat[(u32(above)) & 1u] = fq2(mat * s.v);
    arr[(u2) & 3u] = low;
    for (var k2 = 0; k2 < 1; k2++) {
        {
            var i0: i32 = i32((lane <= v4.z));
                u2 = (u2 % insertBits(ones, (lane >> lane), insertBits(u1, v4.x, (u2 | v4.x), u1), u1));
                bump(&arr[(u32(b0)) & 3u], (s.m >> v4.w));
                if (all(v4 > v4.yzwx)) {
                    b0 = ((u32(b0) + (u2 + v4.z)) <= clamp((u2 | many), min(clamp(lane, min(byte, 5u), max(byte, 5u)), 5u), max(clamp(lane, min(byte, 5u), max(byte, 5u)), 5u)));
                    i0 = s.m;
                    i2 = early((i1 * i0), (lane + u0));
                }
                else {
                    v4.x = (firstLeadingBit(u1) * u2);
                    { let whole = s; s.m = whole.m + 1; nest.parts[u32(s.m)] = whole; i1 += nest.parts[u0].m; }
                }
            i1 = i1 ^ i0;
        }
        {
            var i0: i32 = arr[0];
                for (var k3 = 0; k3 < 1; k3++) {
                    { u1 = atomicMax(&own[lane], u32(dot4U8Packed(u32(u0), u0))); }
                }
                var k4 = 1;
                while (k4 > 0 && (all(v4 > v4.yzwx) || k4 > 2)) {
                    k4 = k4 - 1;
                    arr[((v4.x * u0)) & 3u] = min(i32(half_), (-(high)));
                    f0 = fq((-(f32(i1 & 255))));
                    i2 = clamp(i32(s.v.x), min(abs(reverseBits(seven)), 5), max(abs(reverseBits(seven)), 5));
                }
            i1 = i1 ^ i0;
        }
    }
    arr[(u32(mat[1].y)) & 3u] = s.m;
    s.m = select((minus & i2), (i1 / i1), all(v4 > v4.yzwx));
    seen[lane] = u0 ^ pri;
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
