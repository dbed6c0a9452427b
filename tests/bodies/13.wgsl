// 00000006 b2aa5436 00000007 71181309 fffffff8 fffff127 225028f1 00000004
// 32b2d82e 0000000a 8a43bb2c 00000002 ffffffa9 fffffe91 ffffffa9 00000018
// d0571a9e c0011b27 5cba3823 cba2250d d6598d5c 00000ee7 a9445538 00000000
// 00000012 d0571aa7 00000028 80000001 80000051 fffffe8e ffffffad 00000007
// 00a4a828 bfef1b07 7bae2d2c 00000013 ffffff5a 00000ee7 0000012e 0000000b
// 00000000 7ea66232 60d5dbc2 0000000f 00000020 fffff127 0000013c 00000000
// 80000000 c0c41072 f0c754c0 00000006 fffffff8 fffffe80 fffffef8 00000009
// c0c41074 fe020112 2d3e88fc 0000000e 00000144 fffff127 00000119 00000005
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
    u2++;
    if ((!b0)) { i0 = i0 + 1; }
    { let q = &s; (*q).m += s.m; bump(&(*q).m, 2); }
    bump(&s.m, i32(s.v.x));
    var k1 = 2;
    while (k1 > 0 && ((f1 >= mat[0].y) || k1 > 2)) {
        k1 = k1 - 1;
        { f0 = fq(dot(m32 * vec3<f32>(1.0, 0.5, -2.0), vec2<f32>(1.0, 1.0))); }
        v4.w = u2;
        var k2 = 0;
        loop {
            if ((!b0)) { break; }
            continuing { k2++; i1 = i1 * 3; break if k2 >= 3 || b0; }
        }
    }
    var k3 = 0;
    loop {
        for (var k4 = 0; k4 < 4; k4++) {
            if ((b0 && b0)) { i2 = i2 - 1; }
            var k5 = 2;
            while (k5 > 0 && ((i2 != i1) || k5 > 2)) {
                k5 = k5 - 1;
                i2 |= (max(i0, i2) * bitcast<i32>(unsigned_zero(fq(f0))));
            }
        }
        continuing { k3++; i1 = i1 * 3; break if k3 >= 4 || (yes && b0); }
    }
    i2 |= i32(u32(pack2x16float(vec2<f32>(unsigned_zero(f1), 1.0))));
    var k6 = 3;
    while (k6 > 0 && ((minus < i1) || k6 > 2)) {
        k6 = k6 - 1;
        i2 = min(i2, reverseBits((i0 / s.m)));
        {
            var i0: i32 = i32(b0);
                switch (((i1 | (high + i2))) & 7) {
                    case 0, 1 {
                        s.m = extractBits((arr[3] / s.m), select(u0, v4.w, b0), u0);
                    }
                    case 2, default {
                        f0 = fq(fq(dot(s.v, fq2(s.v * fq(min(mat[1].y, nought) + fq(f1 * f0))))));
                        u1 += (u32(pack2x16float(vec2<f32>(unsigned_zero(mat[1].y), 1.0))) + u32(pack4xI8(vec4<i32>(i0, i1, i2, 3))));
                    }
                    case 4, 5 {
                        i2 = early((minus * i1), (lane | byte));
                        if (all(v4 > v4.yzwx)) { break; }
                        i1 = i1 + 1;
                    }
                }
                i0 -= i32((yes || b0));
                { i0 += i32(all(n4 == n4.xyzw)) + i32(any(v4 > vec4<u32>(3u))); }
            i1 = i1 ^ i0;
        }
        v4 = v4 + vec4<u32>(u32(f0 * 1073741824.0));
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
