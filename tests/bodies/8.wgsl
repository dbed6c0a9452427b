// 0000000a 000000b9 89aad9e5 e34d3a5a 00000008 00003fee 5b9dfb42 ffffffb0
// 0000003c 0000003e 58e09eb2 00010000 000900b2 0000016e 000d00b3 fffffff9
// 0000000e 0000002a fffd0023 00000004 00000120 00003fee 000000ec ffffff04
// ffffffff 0000000a f4823cf0 0000000b 5093db77 0000016e 00000092 ffffff3d
// 0000000d 00200012 8e92505c 00000014 00000009 0000016e 00000151 ffffffdc
// 00200000 00200008 8b5ad932 80000000 7ffffff7 0000016e 7fffffad fffffff7
// 000f8000 000f8001 0000003d 00000000 00000009 0000016e 8000004b ffffff8e
// 00000009 000f8030 00000006 eae36cff 151c932a 000001ee 2a492bba 000001f2
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
    for (var k1 = 0; k1 < 2; k1++) {
        {
            var i0: i32 = abs((-(arr[0])));
                if ((!b0)) { break; }
                { atomicStore(&own[lane], v4.x); u0 ^= atomicAnd(&own[lane], 255u) + atomicOr(&own[lane], 3u); u1 += atomicXor(&own[lane], u32(mat[1].y * 1073741824.0)) + atomicSub(&own[lane], 1u); }
            i1 = i1 ^ i0;
        }
        {
            var i0: i32 = i0;
                if ((!b0)) { continue; }
                if (all(v4 > v4.yzwx)) {
                    i2 |= min(i32(yes), (i1 & s.m));
                    { let p = &arr[u2]; *p = (s.m * s.m); }
                }
                else {
                    u2 |= firstTrailingBit(u32(s.m));
                    { let c = array<u32, 3>(u0, 7u, u32(dot4U8Packed(u32(lane), u0))); u1 = c[(i1 ^ s.m)]; }
                }
                for (var k2 = 0; k2 < 4; k2++) {
                    { f1 = fq(unpack2x16float(pack2x16float(vec2<f32>(1.5, clamp(fq(f0), -64.0, 64.0)))).y); }
                    i0 = (countOneBits(zero) + (-(i0)));
                    f0 = fq(select(f1, (-(f32(i0 & 255))), (select(i1, i0, b0) <= i0)));
                }
            i1 = i1 ^ i0;
        }
    }
    if ((one != low)) { i0 = i0 + 1; }
    if ((half_ <= mat[1].y)) { i0 = i0 + 1; }
    switch ((i32(f32(i2 & 255))) & 7) {
        default {
            if ((b0 && no)) {
                bump(&s.m, i0);
                if ((i1 >= i2)) { i0 = i0 + 1; }
            }
            else {
                switch ((select(i32(b0), s.m, (!b0))) & 7) {
                    default {
                        i1 = (max(i32(v4.x), (i2 & low)) - i0);
                        i2 = early(select(s.m, s.m, b0), u32(b0));
                    }
                    case 2, 3 {
                        bump(&arr[(bitcast<u32>(unsigned_zero(fq(nought)))) & 3u], (arr[0] + arr[0]));
                        u0 *= u1;
                    }
                    case 4, 5 {
                        bump(&s.m, i32(unpack4xU8(u32(i2)).z));
                    }
                }
                var k3 = 1;
                while (k3 > 0 && ((i2 >= i1) || k3 > 2)) {
                    k3 = k3 - 1;
                    bump(&arr[(clamp(byte, min(lane, 5u), max(lane, 5u))) & 3u], (arr[1] & high));
                    { arr[abs(i2)] = arr[(lane * u1)]; }
                }
                switch (((-(i32(v4.w)))) & 7) {
                    case 0, 1 {
                        { pri += N; }
                        if ((!b0)) { break; }
                        i1 = i1 + 1;
                    }
                    default {
                        { u0 = (u1 >> (u2 & 31u)) | (u1 << (32u - (u2 & 31u))); }
                    }
                    case 4, 5 {
                        s.v[(clamp(u2, min(byte, 5u), max(byte, 5u))) & 1u] = fq((-(f32(arr[0] & 255))));
                        { let t = atomicCompareExchangeWeak(&own[lane], u32(arr[3]), 7u); u1 = u1 + select(0u, 3u, t.exchanged || true) + (t.old_value & 1u) * 0u; }
                    }
                }
            }
        }
        case 2, 3 {
            if (b0) {
                i0 *= max(arr[0], seven);
            }
            if ((!(mat[1].y <= f0))) {
                f0 = fq(max(clamp((-(s.v.x)), -3.5, 8.0), fq(dot(s.v, fq2(s.v * select(below, nought, b0))))));
                var k4 = 0;
                loop {
                    f1 = fq(select((-(fq(f0 + f0))), (-(select(s.v.y, f0, b0))), (!(half_ == mat[1].y))));
                    continuing { k4++; i1 = i1 * 3; break if k4 >= 1 || yes; }
                }
            }
            else {
                if (((s.m * arr[3]) != s.m)) {
                    i0 = ((s.m & (s.m & i2)) << (max(lane, lane) + (many | u0)));
                }
                else {
                    u0 = (u32((i2 >> u1)) ^ u2);
                    { m32[(u1 % unit)] = fq2(m32[1] + vec2<f32>(0.5, fq(max(f0, mat[0].y)))); }
                }
            }
        }
        case 4, 5 {
            { u0 = input[(lane | u1)]; }
        }
    }
    {
        var i0: i32 = (i32(b0) | (i1 * arr[3]));
            b0 = (select(fq(f1 - f0), select(mat[1].y, mat[1].y, b0), (b0 && b0)) == fq(above + fq(above - f1)));
            { s.v = fq2(vec2<f32>(0.5, -1.0) * mat2x2<f32>(1.0, 2.0, fq(f0), fq(f1))); }
        i1 = i1 ^ i0;
    }
    if ((fq(s.v.y - s.v.x) < clamp(mat[1].y, -3.5, 8.0))) {
        var k5 = 1;
        while (k5 > 0 && (b0 || k5 > 2)) {
            k5 = k5 - 1;
            i1++;
            var k6 = 0;
            loop {
                bump(&i0, (-(s.m)));
                s.m = i32((!b0));
                continuing { k6++; i1 = i1 * 3; break if k6 >= 4 || (b0 || yes); }
            }
        }
    }
    u1 = u0;
    { f0 = fq(dot(m32 * vec3<f32>(1.0, 0.5, -2.0), vec2<f32>(1.0, 1.0))); }
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
