// 0000000f 7fffff5a ba7888ae 00000004 fffffff8 fffffe8c 00000fbb 00000005
// 80000000 ffffff8f 00ffff08 7ffffc86 00000005 ffffff70 9f555528 000001f9
// 00000000 fffffdbe 00ffff21 7ffffc86 00000005 fffffeb6 00000183 0000003f
// 0000000b ffffff12 00000037 00002e52 fffffffb fffffe87 000000ea 0000000e
// 4efe557f 0a6cc854 78000b59 00000000 fffffff8 fffffe92 000000e3 0000001b
// 00000020 cefe54b4 3a73ba73 e3575e2f fffffff8 fffffe86 e3575e71 0000000f
// bf6d9686 673854b8 f7f7a31d 00000001 fffffff8 fffffe68 00000091 000000e1
// 0000000d bf6d96ba 0000000d 00000004 fffffff8 fffffff3 ffffffa9 0000017a
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
    switch (((s.m | (i1 ^ i0))) & 7) {
        case 0, default {
            i2--;
        }
        case 2, 3 {
            var k1 = 2;
            while (k1 > 0 && ((b0 || b0) || k1 > 2)) {
                k1 = k1 - 1;
                i2 += ((low << u1) / (s.m * i2));
                if (((arr[1] >> u2) > i2)) {
                    s.m = abs(i0);
                    i2 = early(countTrailingZeros(high), lane);
                    bump(&arr[(u2) & 3u], i32(v4.x));
                }
                else {
                    i1 = seven;
                    { u2 = pack4x8unorm(vec4<f32>(0.0, 1.0, saturate(fq(f0)), 0.0)); }
                    i0 ^= i32(select(s.v.x, mat[1].y, no) * 1073741824.0);
                }
                switch ((i32((u0 << byte))) & 7) {
                    case 0, 1 {
                        bump(&arr[((u0 | none)) & 3u], i1);
                        i0 *= (i32(dot4U8Packed(u32(seven), u0)) ^ countTrailingZeros(i0));
                    }
                    case 2, 3 {
                        b0 = (select(sign(s.v.x), fq(s.v.y + f0), (!b0)) >= fq(dot(s.v, fq2(s.v * min(s.v.y, nought)))));
                        { u2 = pack4x8unorm(vec4<f32>(0.0, 1.0, saturate(fq(f0)), 0.0)); }
                        if ((arr[0] < i2)) { break; }
                        i1 = i1 + 1;
                    }
                    case 4, default {
                        v4 = v4.yzwx;
                        bump(&i0, i32(b0));
                    }
                }
            }
        }
        case 4, 5 {
            if (b0) { i2 = i2 - 1; }
            if ((f0 != mat[0].y)) { break; }
            i1 = i1 + 1;
        }
    }
    i0 ^= clamp(arr[0], min(abs(one), 5), max(abs(one), 5));
    arr[(min(ones, lane)) & 3u] = i32((lane % none));
    { u1 = dot(v4, vec4<u32>((lane - u1))); }
    { i1 = atomicMin(&signed_own[lane], (minus & arr[2])); }
    var k2 = 1;
    while (k2 > 0 && (all(v4 > v4.yzwx) || k2 > 2)) {
        k2 = k2 - 1;
        {
            var i0: i32 = one;
                i2 *= ((i0 / low) % s.m);
                bump(&s.m, (-(zero)));
            i1 = i1 ^ i0;
        }
        arr[((~(byte))) & 3u] = abs(i0);
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
