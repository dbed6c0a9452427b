// 00000000 00000011 ffffffd6 00000015 a959748b fffffe8d 00000084 00000004
// 00000001 00000025 b9e264a8 00000021 ffffffd9 ffffff78 00000142 000001f1
// 00000001 0000000d 09e0fdad 00000014 ffffffe8 fffffe83 00000184 0000000a
// 00000001 00000013 ffff00c5 a3ab3976 ffffffcf fffffe87 aaa8896e 0000000e
// 00000000 0000000e b6940db3 00000001 fe5d86a6 fffffe87 0613138f 0000000e
// 00000000 dab8fc8d 6fd5f5b2 00000011 ffffffe9 fffffe97 0000008f 0000001e
// 00000000 00000008 ffffffd4 0000000a fffffff8 ffffff78 0000006a 000001f1
// 00000001 0000000e ffff0026 00000008 7071436d fffffe8d 0000006c 00000004
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
    v4.y = ((~(u1)) | firstLeadingBit(unit));
    b0 = b0;
    u0 = (~(u32(firstLeadingBit(zero))));
    if (((mat[1].y <= s.v.x) || (!b0))) {
        if ((v4.x != u0)) { i0 = i0 + 1; }
        u1++;
    }
    switch ((i0) & 7) {
        default {
            s.m = (max(arr[3], arr[0]) >> lane);
            bump(&s.m, select(i2, i1, b0));
        }
        case 2, 3 {
            for (var k1 = 0; k1 < 1; k1++) {
                var k2 = 0;
                loop {
                    bump(&i0, i2);
                    u1 |= lane;
                    { u2 = pack4x8unorm(vec4<f32>(0.0, 1.0, saturate(fq(f0)), 0.0)); }
                    continuing { k2++; i1 = i1 * 3; break if k2 >= 3 || b0; }
                }
                { while i0 > 100 { i0 = i0 / 2 - 1; if b0 { break; } } }
            }
        }
        case 4, 5 {
            if ((max(u1, unit) < (v4.y / v4.y))) {
                var k3 = 0;
                loop {
                    { let d = bitcast<vec4<i32>>(v4); n4 ^= d; v4 = bitcast<vec4<u32>>(n4.wxyz); }
                    f0 = fq(fq(min(max(f0, f0), f1) - s.v.x));
                    i2 ^= (i32(lane) | (i0 * zero));
                    continuing { k3++; i1 = i1 * 3; break if k3 >= 2 || b0; }
                }
                if (any(v4 > v4.yzwx)) {
                    { let p = &arr[reverseBits(ones)]; *p = firstTrailingBit(high); }
                    f0 = fq(fq((-(fq(mat[1].y * f0))) + select(fq(dot(s.v, fq2(s.v * f0))), clamp(f1, -3.5, 8.0), (!b0))));
                }
                else {
                    { arr[(-(s.m))] = arr[u32(below)]; }
                }
            }
        }
    }
    if (any(v4 > v4.yzwx)) {
        u0 = select(u32(zero), (u32(dot4U8Packed(u32(v4.x), u0)) << lane), any(v4 > v4.yzwx));
    }
    else {
        switch ((countTrailingZeros(select(i0, i0, b0))) & 7) {
            case 0, default {
                { n4 = min(n4 * 3, vec4<i32>((arr[2] / i2))) / max(n4.yxwz, vec4<i32>(-2)); }
                { f0 = fq(dot(m32 * vec3<f32>(1.0, 0.5, -2.0), vec2<f32>(1.0, 1.0))); }
            }
            case 2, 3 {
                for (var k4 = 0; k4 < 1; k4++) {
                    u1 &= v4.z;
                    f1 = fq(fq(mat[0].y * f0));
                }
                if ((mat[1].y < f0)) { break; }
                i1 = i1 + 1;
            }
            case 4, 5 {
                s.v[(u32(pack4xI8(vec4<i32>(i0, i1, i2, 3)))) & 1u] = fq(fq(max(f0, f0) * max(mat[0].y, mat[1].y)));
                f0 = fq(fq(dot(s.v, fq2(s.v * clamp(fq(s.v.y * mat[1].y), -3.5, 8.0)))));
            }
        }
        f0 = fq(fq(fq(fq(below * mat[0].y) * clamp(nought, -3.5, 8.0)) + f1));
        if (b0) {
            if ((u2 > lane)) { i2 = i2 - 1; }
        }
    }
    u0 ^= u32((!b0));
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
