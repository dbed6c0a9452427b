// 3c003c00 3c00400b 36aabaae 7fffff80 ffffffda 000061bb 00000087 fffffff9
// 3c004000 3c003c16 51d8e771 7fffff81 ffffffe3 fffffd01 000001f1 fffffe8b
// 3c004000 3c004e45 7fffffef 7fffff81 ffffffe3 fffffd01 3d397482 fffffff9
// 3c004e40 3c004005 2557e8ff 7fffff81 00000016 fffffd01 7ac2c3c8 ffffff2c
// 3c004000 3c00400f 00000018 7fffff81 00000014 00000207 11a200f4 fffffff9
// 3c004000 3c004015 e5f74cd0 20000001 ffffffe3 000002f7 00000068 fffffff1
// 00000000 3c004008 0000002b 7fffff80 ffffffe5 ffff9e41 0a4a4fe7 fffffff9
// 3c004000 00000106 0000ffe5 7fffff81 00000016 fffffd01 000000a7 ffffffd3
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
    f0 = fq(f32(abs(abs(i1)) & 255));
    switch (((-(max(i0, i1)))) & 7) {
        case 0, default {
            { _ = early(i32(lane), (u2 & byte)); }
            if (b0) { break; }
            i1 = i1 + 1;
        }
        case 2, 3 {
            if ((fq(mat[0].y * half_) < (-(f0)))) {
                {
                    var i0: i32 = (arr[3] << u2);
                        s.m = i32(fq(f0 * f1) * 1073741824.0);
                        bump(&arr[((u1 * v4.z)) & 3u], i32(b0));
                    i1 = i1 ^ i0;
                }
            }
            { f1 = fq(unpack2x16float(pack2x16float(vec2<f32>(1.5, clamp(fq(f0), -64.0, 64.0)))).y); }
        }
        case 4, 5 {
            if ((arr[0] == arr[2])) {
                var k1 = 2;
                while (k1 > 0 && (b0 || k1 > 2)) {
                    k1 = k1 - 1;
                    u1 = u32(no);
                    bump(&s.m, clamp(s.m, min(arr[1], 5), max(arr[1], 5)));
                    arr[(countTrailingZeros(lane)) & 3u] = i1;
                }
                mat[((u1 + ones)) & 1u] = fq2(mat * s.v);
            }
            else {
                if ((u0 <= lane)) { break; }
                { nest = Nest(nest.parts[1], array<S, 2>(s, nest.one)); }
                if (b0) { i0 = i0 + 1; }
            }
            { let q = &s; (*q).m += i32(b0); bump(&(*q).m, 2); }
        }
    }
    f0 = fq(f1);
    var k2 = 0;
    loop {
        if ((!b0)) { i2 = i2 - 1; }
        if (b0) { break; }
        {
            var i0: i32 = ((arr[1] - seven) % firstTrailingBit(i1));
                v4 = v4.xxyy;
                var k3 = 5;
                while (k3 > 0 && (b0 || k3 > 2)) {
                    k3 = k3 - 1;
                    { pri += N; }
                }
            i1 = i1 ^ i0;
        }
        continuing { k2++; i1 = i1 * 3; break if k2 >= 3 || any(v4 > v4.yzwx); }
    }
    switch (((clamp(s.m, min(arr[0], 5), max(arr[0], 5)) % i32(b0))) & 7) {
        case 0, 1 {
            i0 ^= (i0 ^ i32(s.v.x * 1073741824.0));
            {
                var i0: i32 = i32(dot4U8Packed(u32(s.m), u0));
                    u0 = u32(pack2x16float(vec2<f32>(unsigned_zero(f32((s.m + i2) & 255)), 1.0)));
                i1 = i1 ^ i0;
            }
        }
        case 2, default {
            for (var k4 = 0; k4 < 2; k4++) {
                { f0 = fq(round(fq(f0)) + saturate(f1) + trunc(f0) - fract(f1)); }
                for (var k5 = 0; k5 < 1; k5++) {
                    mat[((none ^ lane)) & 1u] = fq2(mat * s.v);
                    bump(&arr[((~(byte))) & 3u], abs(i1));
                }
            }
            bump(&arr[(u32(f1)) & 3u], select(arr[2], low, b0));
        }
        case 4, 5 {
            { f0 = fq(cross(vec3<f32>(1.0, 2.0, 3.0), vec3<f32>(saturate(fq(f0)), 0.5, 1.0)).y); }
        }
    }
    b0 = (b0 && b0);
    {
        var i0: i32 = i32(unpack4xU8(u32((seven | minus))).z);
            {
                var i0: i32 = (s.m << firstTrailingBit(v4.w));
                    if (b0) {
                        b0 = yes;
                        i2 |= i32(countTrailingZeros(lane));
                    }
                    if ((f0 == f1)) { i2 = i2 - 1; }
                    s.m = i32(v4.z);
                i1 = i1 ^ i0;
            }
        i1 = i1 ^ i0;
    }
    s.v[(v4.w) & 1u] = fq(below);
    var k6 = 0;
    loop {
        {
            var i0: i32 = i1;
                f0 = fq((-(f0)));
                switch ((s.m) & 7) {
                    case 0, 1 {
                        u2 ^= u32(firstLeadingBit(s.m));
                        u0 &= u32(unpack4xU8(u32(u32(dot4U8Packed(u32(u2), u0)))).z);
                        if ((b0 || b0)) { break; }
                        i1 = i1 + 1;
                    }
                    case 2, 3 {
                        arr[(u32(i1)) & 3u] = max(i32(f0), (s.m - one));
                        b0 = b0;
                    }
                    case 4, default {
                        { m32[1][abs(s.m)] = fq(below); }
                        v4 = (v4 ^ v4.yxwz) * vec4<u32>((~(u1)));
                    }
                }
                var k7 = 2;
                while (k7 > 0 && ((lane < u0) || k7 > 2)) {
                    k7 = k7 - 1;
                    b0 = b0;
                }
            i1 = i1 ^ i0;
        }
        switch ((i32((b0 || b0))) & 7) {
            default {
                {
                    var i0: i32 = select(clamp(seven, min(s.m, 5), max(s.m, 5)), i1, (u2 <= unit));
                        v4.z = u32((u2 > byte));
                        u1 &= u32(f32(i2 & 255));
                    i1 = i1 ^ i0;
                }
            }
            case 2, 3 {
                if ((i0 != s.m)) { break; }
            }
            case 4, 5 {
                { i1 = atomicMin(&signed_own[lane], i32(b0)); }
                if (all(v4 > v4.yzwx)) { break; }
                i1 = i1 + 1;
            }
        }
        var k8 = 0;
        loop {
            for (var k9 = 0; k9 < 2; k9++) {
                { f1 = fq(determinant(mat2x2<f32>(1.0, saturate(fq(f0)), 2.0, 3.0))); }
                f1 = fq((-(select(fq(above + s.v.x), f32(s.m & 255), b0))));
                i1--;
            }
            if (all(v4 > v4.yzwx)) { break; }
            continuing { k8++; i1 = i1 * 3; break if k8 >= 1 || b0; }
        }
        continuing { k6++; i1 = i1 * 3; break if k6 >= 4 || (above > f0); }
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
