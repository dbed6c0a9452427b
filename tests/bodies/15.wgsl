// ffffffff 0000000c d5647a0f 00000062 22b0af5c fffffe96 000001a9 00000009
// 00000001 f0be116b 00000008 00000005 8ccee696 00000169 000003fd 00000029
// 00000008 756127b8 ffffffe6 00000020 67de3e92 fffffd8a 0000038d 0000000f
// 65e51030 00000017 266154f7 cf2e0e4a 8000000e fffffe8a 8a2154a1 0000000f
// 00000003 80000018 00000016 ce0d5098 8000001b 0000017a 540920d5 0000000f
// 80000000 058cdde3 00000024 ab81be07 fffffff0 fffffe82 92aa8139 00000008
// ffffffff 00000014 244318a6 00000008 ffffffd1 fffffe2a 0000019f 0000000f
// 00000001 fffffff9 8000001a 00000062 fffffff8 fffffeb5 000001b7 ffffffe8
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
    i0 -= zero;
    bump(&i0, (s.m & arr[0]));
    bump(&s.m, select(arr[0], i2, b0));
    if (((f0 < f0) && all(v4 > v4.yzwx))) {
        bump(&arr[((v4.w * unit)) & 3u], abs(low));
        var k1 = 1;
        while (k1 > 0 && (no || k1 > 2)) {
            k1 = k1 - 1;
            if ((clamp(byte, min(v4.z, 5u), max(v4.z, 5u)) != clamp(u0, min(u1, 5u), max(u1, 5u)))) {
                i0 -= i1;
            }
            else {
                v4.x = ((lane | u1) * (u2 - u2));
            }
            v4.y = lane;
        }
        {
            var i0: i32 = i32(fq(f0 - f1) * 1073741824.0);
                for (var k2 = 0; k2 < 3; k2++) {
                    arr[(ones) & 3u] = i32(select(s.v.y, mat[0].y, b0));
                }
            i1 = i1 ^ i0;
        }
    }
    else {
        {
            var i0: i32 = firstTrailingBit((minus + arr[2]));
                if (yes) {
                    { if (b0) { let x = touch(); u2 += x; } }
                    b0 = (b0 && (!any(v4 > v4.yzwx)));
                    i2--;
                }
                else {
                    mat[(select(ones, lane, no)) & 1u] = fq2(mat * s.v);
                    f1 = fq(f0);
                }
                var k3 = 2;
                while (k3 > 0 && ((i2 != i1) || k3 > 2)) {
                    k3 = k3 - 1;
                    i0 = (i32(pack2x16float(vec2<f32>(unsigned_zero(f32(low & 255)), 1.0))) * i32(pack2x16float(vec2<f32>(unsigned_zero(abs(f0)), 1.0))));
                    { let e = array<S, 2>(s, nest.one); i0 += e[bitcast<u32>(unsigned_zero(fq(f0)))].m; }
                }
            i1 = i1 ^ i0;
        }
        u1++;
    }
    b0 = ((i32(pack2x16float(vec2<f32>(unsigned_zero(nought), 1.0))) | s.m) > insertBits((s.m << unit), clamp(one, min(i1, 5), max(i1, 5)), countLeadingZeros(u2), u1));
    switch (((clamp(s.m, min(arr[3], 5), max(arr[3], 5)) ^ bitcast<i32>(unsigned_zero(fq(f0))))) & 7) {
        case 0, 1 {
            var k4 = 0;
            loop {
                if (all(v4 > v4.yzwx)) {
                    u0 |= (v4.x - v4.x);
                }
                i1 = (low * (s.m << firstLeadingBit(u1)));
                continuing { k4++; i1 = i1 * 3; break if k4 >= 2 || (!b0); }
            }
            { s.v = fq2(vec2<f32>(0.5, -1.0) * mat2x2<f32>(1.0, 2.0, fq(f0), fq(f1))); }
        }
        case 2, 3 {
            i2 = select(((arr[0] + arr[2]) / select(arr[3], i2, b0)), select(i2, (s.m ^ zero), all(v4 > v4.yzwx)), (select(above, mat[1].y, b0) == mat[0].y));
            for (var k5 = 0; k5 < 1; k5++) {
                switch ((clamp((minus & one), min(bitcast<i32>(unsigned_zero(fq(s.v.y))), 5), max(bitcast<i32>(unsigned_zero(fq(s.v.y))), 5))) & 7) {
                    default {
                        f0 = fq((-(fq(select(f1, mat[1].y, no) - f32(i0 & 255)))));
                    }
                    case 2, 3 {
                        u0 ^= (u32(s.m) ^ (~(v4.y)));
                        { f1 = fq(unpack2x16float(pack2x16float(vec2<f32>(1.5, clamp(fq(f0), -64.0, 64.0)))).y); }
                    }
                    case 4, 5 {
                        { f1 = fq((transpose(m32) * vec2<f32>(0.5, 2.0))[select(none, ones, b0)]); }
                        if (b0) { break; }
                        i1 = i1 + 1;
                    }
                }
                { let whole = s; s.m = whole.m + 1; nest.parts[min(u1, u1)] = whole; i1 += nest.parts[u0].m; }
            }
        }
        case 4, default {
            mat[((v4.w * u1)) & 1u] = fq2(mat * s.v);
            if (all(v4 > v4.yzwx)) { i0 = i0 + 1; }
        }
    }
    b0 = b0;
    { f0 = fq(round(fq(f0)) + saturate(f1) + trunc(f0) - fract(f1)); }
    { m32[v4.y] = fq2(m32[1] + vec2<f32>(0.5, fq((-(mat[1].y))))); }
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
