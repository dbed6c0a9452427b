// 00000005 00000015 b76c7164 16c5531f 00000000 0000040f 000000a5 0000002e
// 00000006 00000012 49c00702 d09e3530 00000000 000007cf 93306e99 00000011
// 7fffffff 00000027 7fff0012 fd2511e4 00000000 0000078f 369e4c78 00000001
// 00000010 8000000c 38378b77 e7c1c2d3 00000000 0000060f 000001c9 0000000d
// 0000000d 00000013 717581a5 1608de17 00000000 0000060f 000000cb 00000002
// 00000004 0000001a 0000003f 129d6411 00000000 0000050f 2948951b 00000004
// 937217ac 8acfd6b2 ba56473f a5c994b5 00000000 0000050f 7df42bb3 0000000b
// 8acfd6a5 937217bb f657cd3c 77a2ff45 00000000 0000078f 63f13f97 000001ea
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
    arr[((many * u1)) & 3u] = i0;
    for (var k1 = 0; k1 < 2; k1++) {
        { f1 = fq((transpose(m32) * vec2<f32>(0.5, 2.0))[(u2 / ones)]); }
        for (var k2 = 0; k2 < 3; k2++) {
            switch ((i32(bitcast<u32>(unsigned_zero(fq(f0))))) & 7) {
                default {
                    { pri_arr[countTrailingZeros(lane)] += firstLeadingBit(s.m); i1 ^= pri_arr[i0]; }
                    if ((high <= seven)) { break; }
                    i1 = i1 + 1;
                }
                case 2, 3 {
                    v4 = v4.wzyx;
                    { s.v = fq2(vec2<f32>(0.5, -1.0) * mat2x2<f32>(1.0, 2.0, fq(f0), fq(f1))); }
                }
                case 4, 5 {
                    { let e = array<S, 2>(s, nest.one); i0 += e[(u0 / lane)].m; }
                    if ((b0 && b0)) { break; }
                    i1 = i1 + 1;
                }
            }
        }
    }
    { let t = frexp(fq(f0)); i0 += t.exp; f1 = fq(t.fract * 8.0); }
    for (var k3 = 0; k3 < 4; k3++) {
        if ((arr[3] <= i0)) { continue; }
    }
    bump(&arr[((lane * byte)) & 3u], i32(v4.w));
    for (var k4 = 0; k4 < 3; k4++) {
        i1 = i32((u1 << u32(f1 * 1073741824.0)));
        for (var k5 = 0; k5 < 4; k5++) {
            for (var k6 = 0; k6 < 3; k6++) {
                i2 = i1;
                f0 = fq(clamp((-(half_)), -3.5, 8.0));
                bump(&i0, (s.m & arr[2]));
            }
            f0 = fq(max(mat[0].y, clamp((-(s.v.y)), -3.5, 8.0)));
        }
        u1 = (u32(abs(s.m)) << firstTrailingBit(countOneBits(u1)));
    }
    bump(&s.m, i32(u0));
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
