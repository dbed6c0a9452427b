// 7fffffff 00010000 164f3ee7 4bf80810 fffffff9 00007ef8 a810108c fffff06e
// 00000004 7ffffffc 00000005 00000013 ffffffff 00000100 000000ff 00000010
// ffffffff 00000024 4d746c85 0000000a 6a5658e9 00006aa9 8c3b7dad fffff97e
// 00000000 fffffffa 00000018 00000007 ffffffcc fffffe84 000000aa 000006e5
// 80000000 8f5192d0 8000002a 0000000a ffffffed 00000668 00000090 00000fae
// 00000003 8000000c 00000002 e239481e 00000015 fffffe87 449290b8 000009e6
// 0000000c 00000021 2b5bcd33 8197b482 fffffffb fffffe85 0550a9a0 000007e6
// 00000010 00000019 00000017 00000003 00000015 ffffff9c 000000a2 fffff06e
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
    var k1 = 2;
    while (k1 > 0 && ((high == s.m) || k1 > 2)) {
        k1 = k1 - 1;
        { u2 = pack4x8unorm(vec4<f32>(0.0, 1.0, saturate(fq(f0)), 0.0)); }
        f0 = fq(mat[0].y);
        {
            var i0: i32 = clamp(select(low, zero, b0), min((arr[1] % s.m), 5), max((arr[1] % s.m), 5));
                var k2 = 0;
                loop {
                    bump(&arr[((u1 + unit)) & 3u], abs(i1));
                    { f1 = fq(unpack2x16float(pack2x16float(vec2<f32>(1.5, clamp(fq(f0), -64.0, 64.0)))).y); }
                    f0 = fq(fq(f0 + mat[0].y));
                    continuing { k2++; i1 = i1 * 3; break if k2 >= 3 || all(v4 > v4.yzwx); }
                }
            i1 = i1 ^ i0;
        }
    }
    var k3 = 5;
    while (k3 > 0 && ((!b0) || k3 > 2)) {
        k3 = k3 - 1;
        switch ((i1) & 7) {
            case 0, 1 {
                switch ((abs(i32(f0))) & 7) {
                    default {
                        u1 = u0;
                    }
                    case 2, 3 {
                        f0 = fq(fq((-(f32(s.m & 255))) * fq(dot(s.v, fq2(s.v * select(f0, s.v.y, yes))))));
                    }
                    case 4, 5 {
                        { if ((s.m > arr[0])) { let x = touch(); u2 += x; } }
                        v4.w = clamp(u32(i1), min((v4.y | byte), 5u), max((v4.y | byte), 5u));
                    }
                }
                switch ((i32(bitcast<u32>(unsigned_zero(fq(mat[0].y))))) & 7) {
                    case 0, 1 {
                        b0 = b0;
                    }
                    case 2, 3 {
                        s.m = i32(b0);
                    }
                    case 4, default {
                        b0 = (fq(clamp(half_, -3.5, 8.0) * clamp(s.v.x, -3.5, 8.0)) != min((-(f0)), mat[1].y));
                        { f1 = fq(determinant(mat2x2<f32>(1.0, saturate(fq(f0)), 2.0, 3.0))); }
                    }
                }
            }
            case 2, 3 {
                { let m = modf(f0); f1 = fq(m.whole); }
                arr[(u32(pack4xI8(vec4<i32>(i0, i1, i2, 3)))) & 3u] = min(i32(pack2x16float(vec2<f32>(unsigned_zero(f1), 1.0))), (s.m ^ arr[3]));
            }
            default {
                var k4 = 3;
                while (k4 > 0 && ((lane == u0) || k4 > 2)) {
                    k4 = k4 - 1;
                    i1 &= min((i2 * s.m), clamp(s.m, min(i2, 5), max(i2, 5)));
                }
                if ((!b0)) { break; }
                i1 = i1 + 1;
            }
        }
    }
    for (var k5 = 0; k5 < 4; k5++) {
        if ((b0 || b0)) { i2 = i2 - 1; }
        { u2 = v4[select(ones, many, b0)] + vec3<u32>(1u, u0, 2u)[(i1 % arr[1])]; }
    }
    var k6 = 0;
    loop {
        b0 = (((u0 * ones) | (lane + v4.y)) > u32((u1 <= u1)));
        continuing { k6++; i1 = i1 * 3; break if k6 >= 2 || (b0 || b0); }
    }
    if ((countOneBits(u2) <= (~(v4.x)))) {
        i2 = early((arr[3] - one), (v4.y - many));
        i2--;
        s.v[(u32(dot4U8Packed(u32(lane), u0))) & 1u] = fq(fq(f32(arr[2] & 255) * fq(s.v.y - f0)));
    }
    else {
        switch ((i32(b0)) & 7) {
            case 0, default {
                arr[(u1) & 3u] = (i32(lane) / (arr[3] - high));
                var k7 = 0;
                loop {
                    i1 = i32(any(v4 > v4.yzwx));
                    continuing { k7++; i1 = i1 * 3; break if k7 >= 3 || (b0 || b0); }
                }
            }
            case 2, 3 {
                { switch low { case -1: { i0 = 1; } default: { i0 += 2; } case C, 7: { i0 ^= 5; } } }
                if (yes) { break; }
                i1 = i1 + 1;
            }
            case 4, 5 {
                u1 = ((reverseBits(u2) << u32(s.m)) | countTrailingZeros((v4.z - v4.z)));
            }
        }
    }
    i2 = early(minus, min(v4.w, u1));
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
