// dfffffff 07fffffb 38af1a00 7fffffff fffffff8 fffffe87 00000063 0000000e
// 07ffffff e0000006 63080bbe 0000000e 2b7d2ec4 fffffe8c 39b27769 00000005
// 53ad3404 0020e021 a02cb5f9 00000001 ffffffe0 fffffea5 00000219 0000002c
// 47ffffff 53ad3405 42f2ab59 7d9ca3fb fffffff1 ffffff14 05494fa8 0000019d
// cfffffff efff1018 5c724d35 00000003 7ffffff1 ffffffae 7fffff62 00000127
// efff0fff d000fff9 8008ffc8 00000012 0000000e fffffea7 00000033 0000002e
// dfffffff 2c000005 0000002f 6ad57819 61bf2dd0 fffffe95 310c5267 0000001c
// 2bffffff dffffffe fffffffc 0000000f fffffffb fffffe80 0000009e 00000009
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
    { if (b0) { let x = touch(); u2 += x; } }
    i2 += i32(floor(f1));
    { i2 = helper(n4, &arr).y; }
    var k1 = 1;
    while (k1 > 0 && (b0 || k1 > 2)) {
        k1 = k1 - 1;
        u2 *= max(max(v4.z, none), u1);
        b0 = (!(fq(dot(s.v, fq2(s.v * f1))) < select(s.v.y, nought, b0)));
        if (no) {
            s.v[(lane) & 1u] = fq(below);
            if ((!(seven >= arr[0]))) {
                u1 = ((countLeadingZeros(u2) - u32(low)) >> lane);
                { u0 = atomicAdd(&own[lane], v4.y); }
                i1 = firstTrailingBit((-(i0)));
            }
        }
    }
    switch ((((s.m ^ s.m) * (zero ^ s.m))) & 7) {
        case 0, 1 {
            { u0 = extractBits(u1, (v4.x + lane), 9u) ^ countOneBits(v4).y ^ firstLeadingBit(v4).x; }
        }
        case 2, default {
            for (var k2 = 0; k2 < 2; k2++) {
                switch (((max(i2, s.m) ^ i32(b0))) & 7) {
                    case 0, default {
                        mat[(u32(b0)) & 1u] = fq2(mat * s.v);
                        i0 *= ((arr[0] + i2) << lane);
                    }
                    case 2, 3 {
                        f1 = fq(f32(clamp(s.m, min(clamp(seven, min(arr[0], 5), max(arr[0], 5)), 5), max(clamp(seven, min(arr[0], 5), max(arr[0], 5)), 5)) & 255));
                    }
                    case 4, 5 {
                        { i0 = abs(n4).x + sign(i1) * max(n4, n4.wzyx).y + clamp(n4, vec4<i32>(-9), vec4<i32>(9)).z; }
                        u0 &= u0;
                    }
                }
                switch ((minus) & 7) {
                    case 0, 1 {
                        arr[(countLeadingZeros(u1)) & 3u] = (countLeadingZeros(s.m) * abs(low));
                        if ((!b0)) { break; }
                        i1 = i1 + 1;
                    }
                    case 2, 3 {
                        { f0 = fq(round(fq(f0)) + saturate(f1) + trunc(f0) - fract(f1)); }
                        { f1 = fq(unpack4x8snorm(0x7f810000u).w + unpack2x16unorm(0xffff0000u).y); }
                        if ((b0 || b0)) { break; }
                        i1 = i1 + 1;
                    }
                    case 4, default {
                        { let q = &s; (*q).m += i32(f1); bump(&(*q).m, 2); }
                        { i0 = abs(n4).x + sign(i1) * max(n4, n4.wzyx).y + clamp(n4, vec4<i32>(-9), vec4<i32>(9)).z; }
                    }
                }
                { grid[countTrailingZeros(v4.z)][s.m] += clamp(many, min(u2, 5u), max(u2, 5u)); u1 ^= grid[u0][u1]; }
            }
            switch ((clamp(select(zero, s.m, b0), min(i32(pack4xI8(vec4<i32>(i0, i1, i2, 3))), 5), max(i32(pack4xI8(vec4<i32>(i0, i1, i2, 3))), 5))) & 7) {
                default {
                    for (var k3 = 0; k3 < 4; k3++) {
                        f0 = fq(fq(nought * fract(fq(s.v.y - s.v.x))));
                        { let d = bitcast<vec4<i32>>(v4); n4 ^= d; v4 = bitcast<vec4<u32>>(n4.wxyz); }
                    }
                }
                case 2, 3 {
                    var k4 = 1;
                    while (k4 > 0 && (b0 || k4 > 2)) {
                        k4 = k4 - 1;
                        { var shadow = i0; { var shadow = (i0 << u1); shadow += 1; i1 ^= shadow; } i2 ^= shadow; }
                        u1++;
                        b0 = (!b0);
                    }
                    u2 = (u32(countOneBits(s.m)) * v4.y);
                    if (any(v4 > v4.yzwx)) { break; }
                    i1 = i1 + 1;
                }
                case 4, 5 {
                    f0 = fq(select(fq(mat[0].y + f32(arr[2] & 255)), fq(mat[1].y - ceil(s.v.x)), (!all(v4 > v4.yzwx))));
                }
            }
        }
        case 4, 5 {
            var k5 = 1;
            while (k5 > 0 && ((s.m == i2) || k5 > 2)) {
                k5 = k5 - 1;
                if ((!b0)) { i2 = i2 - 1; }
            }
            switch (((i32(mat[1].y) % arr[3])) & 7) {
                default {
                    f1 = fq(fq(fq(dot(s.v, fq2(s.v * floor(f0)))) + f32((zero % i1) & 255)));
                    if ((!b0)) { break; }
                    i1 = i1 + 1;
                }
                case 2, 3 {
                    if (all(v4 > v4.yzwx)) { break; }
                }
                case 4, 5 {
                    if ((u0 == u2)) { break; }
                    bump(&i0, (s.m | arr[0]));
                }
            }
            if (any(v4 > v4.yzwx)) { break; }
            i1 = i1 + 1;
        }
    }
    switch ((i32(any(v4 > v4.yzwx))) & 7) {
        case 0, 1 {
            {
                var i0: i32 = clamp(i32(s.v.x * 1073741824.0), min((one | s.m), 5), max((one | s.m), 5));
                    { switch select(i0, i2, b0) { case -1: { i0 = 1; } default: { i0 += 2; } case C, 7: { i0 ^= 5; } } }
                    u0 = reverseBits(u2);
                i1 = i1 ^ i0;
            }
            bump(&arr[((unit + lane)) & 3u], i1);
        }
        default {
            i2 = (select(i32(b0), (arr[3] + arr[1]), (ones > many)) + (i0 + (i0 % i1)));
        }
        case 4, 5 {
            bump(&i0, (-(one)));
        }
    }
    u0--;
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
