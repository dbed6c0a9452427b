// 0000ffff 80010004 fffd0012 00000009 00000007 ffffff04 000000f3 0000000d
// 80000000 0000fffe 0000000e 253c7e1e 253c7e1b fffffe27 4a8904a9 0000000f
// 7fffffff 00000017 7ffffff9 00000000 fffffff9 fffffe09 0000007f 0000000f
// 00000012 fffffff9 fb2069a2 00000021 00000006 fffffef8 000000a5 00000209
// ffffffff 00000002 ffffffe4 07bbc60a 00000004 ffffff15 10987493 00000002
// 00000006 ea7b0875 0000002f 0000000a 0000000e fffffe17 ffffff93 00000004
// 00000012 0000001b 00000031 4a018de0 4a000001 fffffe2d 94052425 0000000f
// 0000000c 00000025 aa3104c7 00000002 00000006 fffffff8 ffffffa5 000003f1
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
    {
        var i0: i32 = max(i2, (arr[3] & i1));
            if ((u2 < unit)) { i2 = i2 - 1; }
            mat[(max(u1, v4.x)) & 1u] = fq2(mat * s.v);
        i1 = i1 ^ i0;
    }
    var k1 = 0;
    loop {
        { grid[u32(f0 * 1073741824.0)][s.m] += u32(no); u1 ^= grid[u0][u1]; }
        continuing { k1++; i1 = i1 * 3; break if k1 >= 1 || (arr[0] > arr[1]); }
    }
    {
        var i0: i32 = select(i0, insertBits(i0, low, select(v4.z, u0, b0), u1), (f1 <= s.v.y));
            if ((trunc(above) < below)) {
                u1 = ((extractBits(v4.z, u32(b0), u0) % u32(b0)) % u32((-(i0))));
            }
            {
                var i0: i32 = ((minus ^ arr[2]) % (one * i2));
                    f1 = fq(max(fq(fract(s.v.y) - select(half_, f0, b0)), (-(f32(i0 & 255)))));
                i1 = i1 ^ i0;
            }
        i1 = i1 ^ i0;
    }
    if ((many >= u0)) { i0 = i0 + 1; }
    {
        var i0: i32 = (arr[2] << (u2 ^ u2));
            arr[((v4.x % none)) & 3u] = ((one & i2) - (-(minus)));
        i1 = i1 ^ i0;
    }
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
