// 00000000 fffff3bd ffffa30e 00000000 7fffffd9 0000017b 00000058 0000002e
// 00000000 00000029 e000000e 00000031 7ffffd20 0000017b 000000ec 0000000f
// 00000000 fffbe429 40000000 00000110 e8200439 fffffe8f 6c271dce 00000002
// 00000000 00000029 40000004 00000071 7fffffe1 0000017b 000000a6 0000000b
// 80000072 a2a35272 e000000e 00440000 fffffe8e fffffe85 00000041 0000000c
// ffffffe7 7fffe882 402de956 ffff8000 ffffffcd 0000017b 00000050 000000a4
// 00000000 00000014 7577f707 00000070 ffffff50 fffffe8f 000000a2 0000001d
// fffffff5 ffff9d89 f038d020 ffe00001 ffffffef fffffe8f 00000086 0000000d
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
    v4 = (v4 ^ v4.yxwz) * vec4<u32>(u32(f0 * 1073741824.0));
    {
        var i0: i32 = abs((i0 & i0));
            {
                var i0: i32 = ((high ^ minus) ^ clamp(arr[0], min(i0, 5), max(i0, 5)));
                    { f0 = fq(cross(vec3<f32>(1.0, 2.0, 3.0), vec3<f32>(saturate(fq(f0)), 0.5, 1.0)).y); }
                    u1 *= (~(u32(dot4U8Packed(u32(many), u0))));
                    {
                        var i0: i32 = (select(arr[0], arr[0], b0) / select(arr[0], s.m, b0));
                            u0 *= (u0 & countOneBits(none));
                            i2 = early(s.m, u32(f1 * 1073741824.0));
                            { arr[i0] = arr[(none - u0)]; }
                        i1 = i1 ^ i0;
                    }
                i1 = i1 ^ i0;
            }
            for (var k1 = 0; k1 < 4; k1++) {
                { u0 = extractBits(u1, u32(mat[1].y), 9u) ^ countOneBits(v4).y ^ firstLeadingBit(v4).x; }
                for (var k2 = 0; k2 < 3; k2++) {
                    { let t = atomicCompareExchangeWeak(&own[lane], max(lane, v4.x), 7u); u1 = u1 + select(0u, 3u, t.exchanged || true) + (t.old_value & 1u) * 0u; }
                    v4.w = u32(mat[0].y);
                    i1--;
                }
                switch ((i32(fq(dot(s.v, fq2(s.v * f1))) * 1073741824.0)) & 7) {
                    case 0, 1 {
                        { f0 = fq(cross(vec3<f32>(1.0, 2.0, 3.0), vec3<f32>(saturate(fq(f0)), 0.5, 1.0)).y); }
                    }
                    case 2, 3 {
                        { f1 = fq(determinant(mat2x2<f32>(1.0, saturate(fq(f0)), 2.0, 3.0))); }
                        if ((b0 || b0)) { break; }
                        i1 = i1 + 1;
                    }
                    default {
                        i2 = (i32((none / v4.w)) * max(i2, i32(pack2x16float(vec2<f32>(unsigned_zero(f0), 1.0)))));
                    }
                }
            }
            switch ((clamp(abs(arr[0]), min((s.m / i1), 5), max((s.m / i1), 5))) & 7) {
                default {
                    switch (((max(one, i0) ^ countOneBits(i0))) & 7) {
                        case 0, 1 {
                            i2 -= i1;
                        }
                        case 2, 3 {
                            { f0 = fq(ldexp(fq(f1), 1) + step(f0, 1.0) + mix(fq(f0), fq(f1), 0.5)); }
                            { f0 = fq(cross(vec3<f32>(1.0, 2.0, 3.0), vec3<f32>(saturate(fq(f0)), 0.5, 1.0)).y); }
                            if ((i0 > i2)) { break; }
                            i1 = i1 + 1;
                        }
                        default {
                            f0 = fq(clamp(select(clamp(f0, -3.5, 8.0), fq(dot(s.v, fq2(s.v * mat[0].y))), all(v4 > v4.yzwx)), -3.5, 8.0));
                        }
                    }
                    i2++;
                }
                case 2, 3 {
                    if (((i1 + i2) > (s.m | i0))) {
                        u1 ^= (bitcast<u32>(unsigned_zero(fq(f1))) % (v4.z ^ v4.z));
                        u1 = extractBits(select((none + u0), countLeadingZeros(u2), (yes || no)), u32(above), u0);
                        { i1 = atomicMin(&signed_own[lane], (arr[1] ^ i0)); }
                    }
                    else {
                        u0 = ((u32(mat[0].y) >> clamp(u0, min(v4.w, 5u), max(v4.w, 5u))) | u32((s.m / i2)));
                    }
                    switch ((s.m) & 7) {
                        case 0, 1 {
                            i1++;
                        }
                        case 2, 3 {
                            arr[(v4.y) & 3u] = i32(pack2x16float(vec2<f32>(unsigned_zero(abs(below)), 1.0)));
                        }
                        case 4, default {
                            bump(&arr[((u1 & lane)) & 3u], (i1 / i1));
                            b0 = yes;
                            if ((u1 > u1)) { break; }
                            i1 = i1 + 1;
                        }
                    }
                }
                case 4, 5 {
                    {
                        var i0: i32 = ((one - arr[1]) ^ (i0 | i2));
                            i0 = (i32(pack2x16float(vec2<f32>(unsigned_zero(s.v.x), 1.0))) ^ s.m);
                        i1 = i1 ^ i0;
                    }
                    if ((u0 >= u0)) { break; }
                    i1 = i1 + 1;
                }
            }
        i1 = i1 ^ i0;
    }
    for (var k3 = 0; k3 < 4; k3++) {
        if (b0) {
            if ((b0 && b0)) { continue; }
            { i2 = helper(n4, &arr).y; }
        }
        else {
            u2 &= ((u2 + v4.z) | clamp(u2, min(u2, 5u), max(u2, 5u)));
        }
    }
    { grid[unit][bitcast<i32>(unsigned_zero(fq(nought)))] += (u1 << u0); u1 ^= grid[u0][u1]; }
    var k4 = 0;
    loop {
        if ((above >= nought)) { i2 = i2 - 1; }
        u0 = u32(min(i32(dot4U8Packed(u32(zero), u0)), (s.m ^ i1)));
        continuing { k4++; i1 = i1 * 3; break if k4 >= 3 || (i0 <= i2); }
    }
    i0 = (arr[3] << ((u0 | u1) ^ (none & u2)));
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
