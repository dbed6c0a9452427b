// 00000000 00000003 fffff427 2e7ce8d1 fffffcdf 0003e807 a50a53be 0000000e
// 00000001 0000000a 000011e0 00000016 ffffff29 00000297 00000089 0000001e
// 00000002 00000006 000011ef 0000000f fffffd74 0000028d 00000182 00000004
// 00000003 0000000e 000011c5 00000016 fffffff5 00000295 000000b9 0000001c
// 00000004 ffffffff fffff5ee 00000003 fffffc26 00000298 000000da 00000011
// 00000005 80000001 abce09a1 00000002 fffffe3f 00000286 000000fb 0000000f
// 00000006 00000001 6e49cd62 47bb112e 0ffffbbf 000002b8 908a25c6 00000009
// 00000007 00000002 1cfb60aa 00000000 00000380 000003fd 00000040 00000174
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
    f0 = fq(f0);
    var k1 = 5;
    while (k1 > 0 && (b0 || k1 > 2)) {
        k1 = k1 - 1;
        switch ((select((one * s.m), (-(i1)), (lane == u0))) & 7) {
            case 0, 1 {
                u2--;
            }
            default {
                { b0 = (s.v.x > mat[1].y) || (is_even(&i0) && !b0); }
                switch ((seven) & 7) {
                    case 0, 1 {
                        v4 = v4 + vec4<u32>((~(u0)));
                        bump(&arr[(u32(dot4U8Packed(u32(v4.w), u0))) & 3u], select(s.m, high, b0));
                    }
                    case 2, 3 {
                        i2 = early((i2 * i2), max(u2, u1));
                        u0 |= lane;
                        if ((i2 >= arr[0])) { break; }
                        i1 = i1 + 1;
                    }
                    case 4, default {
                        u2 ^= u32(i0);
                        if ((f0 != f0)) { break; }
                        i1 = i1 + 1;
                    }
                }
            }
            case 4, 5 {
                { b0 = (yes && b0) || (is_even(&i0) && !b0); }
            }
        }
        f1 = fq(f32(((-(s.m)) * i32(pack2x16float(vec2<f32>(unsigned_zero(f0), 1.0)))) & 255));
        i1 = arr[3];
    }
    if ((!b0)) { i2 = i2 - 1; }
    switch (((arr[0] * select(i2, s.m, b0))) & 7) {
        default {
            switch ((min(select(s.m, arr[0], b0), (-(one)))) & 7) {
                default {
                    u0 *= select(firstLeadingBit(v4.w), select(none, u1, b0), (mat[0].y == half_));
                    if (all(v4 > v4.yzwx)) { i2 = i2 - 1; }
                    if ((arr[2] <= i1)) { break; }
                    i1 = i1 + 1;
                }
                case 2, 3 {
                    if (all(v4 > v4.yzwx)) { break; }
                    { var w = 0u; loop { w++; switch w { case 1, 3: { continue; } case 2: { break; } default: { i2 -= 1; } } if w > 4u { break; } } }
                    if (b0) { break; }
                    i1 = i1 + 1;
                }
                case 4, 5 {
                    bump(&i0, i32(unpack4xU8(u32(s.m)).z));
                }
            }
            {
                var i0: i32 = i1;
                    { switch (i1 / i1) { case -1: { i0 = 1; } default: { i0 += 2; } case C, 7: { i0 ^= 5; } } }
                    if ((f0 != mat[0].y)) { i0 = i0 + 1; }
                    var k2 = 3;
                    while (k2 > 0 && (any(v4 > v4.yzwx) || k2 > 2)) {
                        k2 = k2 - 1;
                        v4 = v4 + vec4<u32>(u32(unpack4xU8(u32(ones)).z));
                    }
                i1 = i1 ^ i0;
            }
        }
        case 2, 3 {
            switch ((i32(select(mat[0].y, f0, b0))) & 7) {
                case 0, 1 {
                    var k3 = 3;
                    while (k3 > 0 && ((!b0) || k3 > 2)) {
                        k3 = k3 - 1;
                        { n4 = min(n4 * 3, vec4<i32>(bitcast<i32>(unsigned_zero(fq(mat[0].y))))) / max(n4.yxwz, vec4<i32>(-2)); }
                    }
                    if ((lane >= v4.x)) { break; }
                    i1 = i1 + 1;
                }
                default {
                    { _ = early(firstTrailingBit(seven), max(v4.w, u1)); }
                    if ((half_ != f0)) {
                        { let t = atomicCompareExchangeWeak(&own[lane], (u1 + u0), 7u); u1 = u1 + select(0u, 3u, t.exchanged || true) + (t.old_value & 1u) * 0u; }
                    }
                }
                case 4, 5 {
                    for (var k4 = 0; k4 < 3; k4++) {
                        u1 = ((u32(above) ^ (u1 & u0)) | select(u1, max(many, v4.z), (yes && b0)));
                        i2 = early(select(arr[0], one, b0), u32(b0));
                        f1 = fq(fq(mat[1].y - floor(fract(f1))));
                    }
                    if ((b0 && b0)) { i2 = i2 - 1; }
                }
            }
        }
        case 4, 5 {
            bump(&s.m, clamp(s.m, min(s.m, 5), max(s.m, 5)));
            { n4 %= vec4<i32>(select(s.m, i0, b0), 3, -5, i0); }
        }
    }
    if (no) { i0 = i0 + 1; }
    if ((any(v4 > v4.yzwx) && (b0 || b0))) {
        { i0 += i32(all(n4 == n4.xyzw)) + i32(any(v4 > vec4<u32>(3u))); }
        if ((unit != u0)) { i0 = i0 + 1; }
    }
    else {
        if (b0) {
            i2 &= ((-(i2)) >> (u1 ^ none));
        }
        else {
            s.m = ((arr[0] % high) + (i2 & s.m));
        }
        for (var k5 = 0; k5 < 1; k5++) {
            u1 = ((lane | (u0 << many)) | (~(u32(b0))));
            for (var k6 = 0; k6 < 4; k6++) {
                i2 = early(i32(b0), u2);
            }
        }
        switch ((((-(i2)) - i32(pack4xI8(vec4<i32>(i0, i1, i2, 3))))) & 7) {
            case 0, 1 {
                switch ((s.m) & 7) {
                    default {
                        i1 -= (s.m << u32(i0));
                        bump(&arr[(u32(f0)) & 3u], i32(b0));
                    }
                    case 2, 3 {
                        bump(&s.m, (i0 & i1));
                    }
                    case 4, 5 {
                        { f0 = fq(round(fq(f0)) + saturate(f1) + trunc(f0) - fract(f1)); }
                        u1 = u0;
                        if ((!b0)) { break; }
                        i1 = i1 + 1;
                    }
                }
            }
            case 2, 3 {
                {
                    var i0: i32 = (i2 % i32(byte));
                        { i2 = select((arr[0] << u2), i0, u0 > u1); }
                        f0 = fq(fq(dot(s.v, fq2(s.v * f0))));
                        v4 = v4.xxyy;
                    i1 = i1 ^ i0;
                }
                if ((b0 && b0)) { break; }
                i1 = i1 + 1;
            }
            default {
                v4 = vec4<u32>(v4.zw, (ones + u1), reverseBits(ones));
                bump(&s.m, i32(above));
            }
        }
    }
    switch ((minus) & 7) {
        default {
            f1 = fq(f1);
            if (b0) {
                v4.x = ((lane - v4.x) - (u0 % u1));
                switch ((i2) & 7) {
                    case 0, 1 {
                        bump(&s.m, (s.m - i0));
                        i2 = early(extractBits(arr[1], u32(f1), u0), u32(high));
                    }
                    default {
                        i0 = i32(reverseBits((u1 + lane)));
                    }
                    case 4, 5 {
                        { i0 = abs(n4).x + sign(i1) * max(n4, n4.wzyx).y + clamp(n4, vec4<i32>(-9), vec4<i32>(9)).z; }
                        { let t = frexp(fq(f0)); i0 += t.exp; f1 = fq(t.fract * 8.0); }
                        if ((u2 >= lane)) { break; }
                        i1 = i1 + 1;
                    }
                }
                u0--;
            }
        }
        case 2, 3 {
            { switch i32(pack4xI8(vec4<i32>(i0, i1, i2, 3))) { case -1: { i0 = 1; } default: { i0 += 2; } case C, 7: { i0 ^= 5; } } }
            u2++;
        }
        case 4, 5 {
            bump(&arr[(u32(mat[1].y * 1073741824.0)) & 3u], s.m);
            {
                var i0: i32 = arr[3];
                    var k7 = 0;
                    loop {
                        { let t = frexp(fq(f0)); i0 += t.exp; f1 = fq(t.fract * 8.0); }
                        continuing { k7++; i1 = i1 * 3; break if k7 >= 4 || (arr[0] <= high); }
                    }
                i1 = i1 ^ i0;
            }
        }
    }
    for (var k8 = 0; k8 < 2; k8++) {
        u2 = insertBits((~(countLeadingZeros(lane))), lane, select(u1, ones, b0), u1);
    }
    var k9 = 5;
    while (k9 > 0 && ((b0 && b0) || k9 > 2)) {
        k9 = k9 - 1;
        if ((s.v.x >= s.v.x)) { i2 = i2 - 1; }
        {
            var i0: i32 = s.m;
                var k10 = 3;
                while (k10 > 0 && ((f1 <= nought) || k10 > 2)) {
                    k10 = k10 - 1;
                    { var w = 0u; loop { w++; switch w { case 1, 3: { continue; } case 2: { break; } default: { i2 -= 1; } } if w > 4u { break; } } }
                    { f1 = fq((transpose(m32) * vec2<f32>(0.5, 2.0))[(lane * unit)]); }
                    { let p = &grid[(byte + ones)]; (*p)[u1] = insertBits(u0, v4.z, countOneBits(v4.x), u1); u2 += (*p)[1]; }
                }
                i0 += i32(f0);
                var k11 = 0;
                loop {
                    i0 -= abs((one / i2));
                    b0 = (fq(dot(s.v, fq2(s.v * clamp(s.v.y, -3.5, 8.0)))) == ceil(fq(half_ + f0)));
                    continuing { k11++; i1 = i1 * 3; break if k11 >= 1 || (!yes); }
                }
            i1 = i1 ^ i0;
        }
        for (var k12 = 0; k12 < 3; k12++) {
            for (var k13 = 0; k13 < 3; k13++) {
                u0 = lane;
                { f1 = fq(unpack4x8snorm(0x7f810000u).w + unpack2x16unorm(0xffff0000u).y); }
            }
            f1 = fq(select(fq(half_ + fq(f1 + mat[1].y)), fq(dot(s.v, fq2(s.v * f32(arr[1] & 255)))), (u0 <= (u0 >> v4.y))));
        }
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
