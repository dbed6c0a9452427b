// 000001fe 0000000f 0000001d 7fffffff fffe9934 00000100 000000ec 00000009
// 00000015 0000020d f03a1b7d 39b20f9e 0000000d 00000118 94a420a8 00000011
// 00000010 a0813a1c db7de4e4 00000006 0001004e 00000286 000000e8 0000000f
// 0000000b c6020462 65272971 0000000e 000119ef 00000184 00000098 0000000d
// 0000003c 00000012 e13e7802 00000002 000000a6 000000f8 000000a0 000001f1
// 00000000 00000043 81918a2e 0000000e 8c07e09d 0000010e 00000088 00000007
// 00000000 0000000b 510c3df1 0000000e ffffffae 00000286 000000f8 0000000f
// 00000001 00000017 00188033 ddf80c0c 00000083 000000f8 441028b4 000001f1
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
        var k2 = 0;
        loop {
            { f1 = fq(unpack2x16float(pack2x16float(vec2<f32>(1.5, clamp(fq(f0), -64.0, 64.0)))).y); }
            continuing { k2++; i1 = i1 * 3; break if k2 >= 4 || (yes && b0); }
        }
    }
    i2 = early((i1 - i1), (u1 >> v4.z));
    { u0 = extractBits(u1, (u2 & u2), 9u) ^ countOneBits(v4).y ^ firstLeadingBit(v4).x; }
    v4.w = ((lane << u2) ^ (u2 & lane));
    switch ((countOneBits(arr[2])) & 7) {
        default {
            { f1 = fq(determinant(mat2x2<f32>(1.0, saturate(fq(f0)), 2.0, 3.0))); }
        }
        case 2, 3 {
            if (b0) { i0 = i0 + 1; }
        }
        case 4, 5 {
            switch ((i32(any(v4 > v4.yzwx))) & 7) {
                case 0, 1 {
                    var k3 = 5;
                    while (k3 > 0 && ((i2 <= i1) || k3 > 2)) {
                        k3 = k3 - 1;
                        i1 = ((i32(unpack4xU8(u32(arr[1])).z) + select(i1, i1, yes)) - ((arr[1] + arr[3]) >> (lane - byte)));
                        b0 = (!b0);
                    }
                    var k4 = 0;
                    loop {
                        { n4 %= vec4<i32>(i32(above * 1073741824.0), 3, -5, i0); }
                        v4 = vec4<u32>(lane, (~(u2)), u2, max(v4.y, v4.y));
                        u0 = u32(max(f0, (-(mat[0].y))) * 1073741824.0);
                        continuing { k4++; i1 = i1 * 3; break if k4 >= 1 || (b0 || b0); }
                    }
                }
                case 2, 3 {
                    i1++;
                    var k5 = 3;
                    while (k5 > 0 && ((mat[0].y < f0) || k5 > 2)) {
                        k5 = k5 - 1;
                        arr[((lane & u2)) & 3u] = (-(clamp(arr[1], min(arr[1], 5), max(arr[1], 5))));
                        f0 = fq(f32(i32((b0 || no)) & 255));
                        u1 = (u2 / ((v4.z - byte) / lane));
                    }
                }
                default {
                    i0 *= (i2 * min(arr[1], i1));
                    u0 -= lane;
                    if ((low < minus)) { break; }
                    i1 = i1 + 1;
                }
            }
            switch ((s.m) & 7) {
                case 0, 1 {
                    u1 = u32(dot4U8Packed(u32(u32(dot4U8Packed(u32((lane + v4.z)), u0))), u0));
                    if ((v4.x > u2)) { break; }
                    i1 = i1 + 1;
                }
                case 2, 3 {
                    if ((!b0)) {
                        v4.x = u32((!no));
                        { let whole = s; s.m = whole.m + 1; nest.parts[clamp(v4.x, min(lane, 5u), max(lane, 5u))] = whole; i1 += nest.parts[u0].m; }
                    }
                    if (b0) { break; }
                    i1 = i1 + 1;
                }
                case 4, default {
                    v4.y = (~((~(lane))));
                    if ((none < ones)) { break; }
                    i1 = i1 + 1;
                }
            }
        }
    }
    b0 = (((i2 ^ high) | i32(many)) > (-((s.m & i1))));
    if ((mat[1].y != above)) { i2 = i2 - 1; }
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
