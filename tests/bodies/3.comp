// 00000000 48d931fa 1e96f9ab 00000035 80000007 fffffe8f 8000055c 0000000c
// 48d931d4 779f0e33 0000000b 0000005c fffffffe fffffe8d 0000047d ffffffea
// 00000005 80000024 00000ff9 00000071 ffffffc9 ffffffbe 524662e5 00000fb8
// 00000009 0000002b c846a8f4 000000d4 fffffff5 fffffe9f 00064f20 000001ba
// 00000001 0000003d 00000011 00000029 fffffff6 fffffe86 00000208 00000031
// 00000013 00000027 fd465fd8 000001bd ac829ded fffffe9f 062ba1bf 00000120
// 00000001 0000001d 0000001c 00000071 fffffff8 fffffe91 ffff400c 000008b3
// 00000006 c0970ca1 0000000d 000000f7 ffffff25 fffffe91 005a70c9 000008ba
#version 450
layout(local_size_x = 8) in;
struct S { int m; vec2 v; };
struct Nest { S one; S parts[2]; };
layout(constant_id = 3) const uint SPEC = 7u;
layout(set = 0, binding = 0, std430) readonly buffer Input { uint words[64]; } input_;
layout(set = 0, binding = 1, std430) buffer Output { uint words[64]; } output_;
const int C = 2 + 3;
const int TABLE[4] = int[4](4, -3, 2, C * 7);
uint pri = 5u;
shared uint own[8];
shared uint seen[8];
float fq(float x) { return clamp(floor(x * 4.0) * 0.25, -1000.0, 1000.0); }
vec2 fq2(vec2 x) { return vec2(fq(x.x), fq(x.y)); }
void bump(inout int p, int by) { p = p * 3 + by; }
void both(inout int p, out uint q, in int by) { by += p; p = by; q = uint(by) + 1u; }
ivec2 helper(ivec4 a, inout int p[4]) { p[a.x & 3] += 1; return a.xz + p[a.y & 3]; }
int overload(int x) { return x + 1; }
uint overload(uint x) { return x * 2u; }
bool side(inout int p) { p += 4; pri ^= 9u; return (p & 1) == 0; }
int early(int x, uint n) {
    int r = x;
    for (uint i = 0u; i < 3u; i++) {
        if (i == (n & 3u)) return r;
        switch (r & 3) { case 1: continue; case 2: r = r + 7; default: r = r + 5; break; case 3: r = r ^ 9; }
    }
    return -r;
}
void main() {
    int zero = 0, one = 1, minus = -1, seven = 7, low = -2147483647 - 1, high = 2147483647;
    bool yes = true, no = false;
    uint none = 0u, unit = 1u, many = 33u, ones = 4294967295u, byte = 255u;
    float nought = 0.0, half_ = 1.5, below = -2.25, above = 100.0;
    uint lane = gl_LocalInvocationIndex;
    own[lane] = 0u;
    uint at = lane * 8u;
    uint u0 = input_.words[at];
    uint u1 = input_.words[at + 1u];
    uint u2 = input_.words[at + 2u];
    int i0 = int(input_.words[at + 3u]);
    int i1 = int(input_.words[at + 4u]);
    int i2 = -7;
    float f0 = float(input_.words[at + 5u] & 511u) * 0.25;
    float f1 = -1.5;
    bool b0 = (input_.words[at + 6u] & 1u) == 1u;
    uvec4 v4 = uvec4(input_.words[at + 7u], u0, 3u, lane);
    int arr[4] = int[4](1, i0, -3, i1);
    S s = S(9, vec2(f0, 2.5));
    mat2 mat = mat2(1.0, 2.0, 0.5, -1.0);
    ivec4 n4 = ivec4(i0, 2, -3, i1);
    uint grid[2][3] = uint[2][3](uint[3](0u, 0u, 0u), uint[3](1u, 2u, lane));
    Nest nest = Nest(s, S[2](s, S(0, vec2(0.0))));
    mat3x2 m32 = mat3x2(1.0, 2.0, -1.0, 0.5, 0.25, 4.0);
    mat4x3 m43 = mat4x3(vec3(1.0), vec3(f0, 2.0, f1), vec3(0.0), vec3(-0.5));
    s.m = abs((s.m + i2));
    { both(n4.y, v4.w, int(b0)); }
    bump(arr[((b0 ? lane : many)) & 3u], i1);
    if ((s.m != i1)) { i2 = i2 - 1; }
    int k1 = 5;
    while (k1 > 0 && ((no && no) || k1 > 2)) {
        k1 = k1 - 1;
        int k2 = 0;
        do {
            {
                int i0 = (int(b0) >> ((byte >> (u1 & 31u)) & 31u));
                    mat[(((v4.y & 65535u) / ((u1 & 255u) | 1u))) & 1u] = fq2(mat * s.v);
                    bump(s.m, clamp(one, min(i0, 5), max(i0, 5)));
                i1 = i1 ^ i0;
            }
            int k3 = 0;
            do {
                { u1 += uint(arr.length()) + uint(TABLE.length()); }
                b0 = (clamp(uint(b0), min(uint(s.m), 5u), max(uint(s.m), 5u)) >= uint(abs(fq(f0 * s.v.x))));
                bump(arr[((ones << (lane & 31u))) & 3u], s.m);
            } while (++k3 < 1 && (b0 && b0));
        } while (++k2 < 1 && (!b0));
    }
    { for (int k = 0, j = 3; k < j; k++, j--) { if (b0) continue; i0 ^= k + j; } }
    { i0 = abs(n4).x + sign(i1) * max(n4, n4.wzyx).y + clamp(n4, -9, 9).z; }
    switch ((int(abs((-(s.v.y))))) & 7) {
        case 0: case 1: {
            { for (int k = 0, j = 3; k < j; k++, j--) { if (any(greaterThan(v4, v4.yzwx))) continue; i0 ^= k + j; } }
            int k4 = 0;
            do {
                b0 = (b0 && b0);
            } while (++k4 < 3 && (b0 && b0));
            if ((high < i2)) { break; }
            i1 = i1 + 1;
        }
        case 2: case 3: {
            for (int k5 = 0; k5 < 2; k5++) {
                { m32[1].y = fq((-(below))); m43[2].zx = vec2(fq(f0), 0.5); }
            }
            v4.y = ((mat[1].y > f0) ? lane : uint(findLSB(u0)));
            break;
        }
        default: {
            int k6 = 4;
            while (k6 > 0 && (b0 || k6 > 2)) {
                k6 = k6 - 1;
                switch ((bitfieldExtract(i1, int((~(u0)) & 15u), int(u0 & 15u))) & 7) {
                    case 0: case 1: {
                        u1 |= uint(abs(max(f1, s.v.y)));
                        { bvec3 flags = bvec3(b0, (b0 || yes), true); flags.y = !flags.z; b0 = all(flags) || any(not(flags)); }
                        if (b0) { break; }
                        i1 = i1 + 1;
                        break;
                    }
                    default: {
                        arr[(v4.w) & 3u] = int((lane + u0));
                        if (b0) { break; }
                        i1 = i1 + 1;
                        break;
                    }
                    case 4: case 5: {
                        i2 = early(int(v4.y), u1);
                        b0 = (abs(int(abs(f0))) <= int(all(greaterThan(v4, v4.yzwx))));
                        break;
                    }
                }
            }
            if ((f0 < f0)) { i2 = i2 - 1; }
            if ((minus <= seven)) { break; }
            i1 = i1 + 1;
            break;
        }
    }
    if ((!(b0 || b0))) {
        for (int k7 = 0; k7 < 4; k7++) {
            if (no) { continue; }
            for (int k8 = 0; k8 < 1; k8++) {
                bump(s.m, clamp(arr[1], min(s.m, 5), max(s.m, 5)));
                i2 -= ((arr[3] & 65535) / (((i0 << (u1 & 31u)) & 255) | 1));
                { n4 <<= ivec4(1, 2, 3, 4); v4 >>= 1; }
            }
            { i0 = TABLE[(lane) & 3u] + C; }
        }
        bump(s.m, (s.m + seven));
        s.v[(uint(bitCount(lane))) & 1u] = fq(float(min(arr[3], seven) & 255));
    }
    else {
        if ((byte > u0)) { i0 = i0 + 1; }
        i1 -= ((clamp(i1, min(i0, 5), max(i0, 5)) & 65535) / ((s.m & 255) | 1));
    }
    bump(i0, ((s.m & 65535) / ((s.m & 255) | 1)));
    seen[lane] = u0 ^ pri;
    barrier();
    u1 = u1 + seen[lane ^ 1u];
    output_.words[at] = u0;
    output_.words[at + 1u] = u1 + own[lane];
    output_.words[at + 2u] = u2 ^ v4.x ^ (v4.y * 3u) ^ (v4.z * 5u) ^ (v4.w * 7u) ^ grid[0][0] ^ grid[0][2] ^ grid[1][1];
    output_.words[at + 3u] = uint(i0) + (b0 ? 1u : 0u);
    output_.words[at + 4u] = uint(i1 ^ i2);
    output_.words[at + 5u] = uint(int(fq(f0) * 4.0) ^ int(fq(f1) * 256.0) ^ int(fq(m32[0].x + m32[1].y + m32[2].x) * 4.0));
    output_.words[at + 6u] = uint(arr[0] + arr[1] * 3 + arr[2] * 5 + arr[3] * 7 + s.m + nest.one.m + nest.parts[0].m * 9 + nest.parts[1].m)
        ^ uint(n4.x + n4.y * 3 + n4.z * 5 + n4.w * 7);
    output_.words[at + 7u] = uint(int(fq(s.v.x) * 4.0) ^ int(fq(s.v.y) * 4.0) ^ int(fq(mat[0].x + mat[1].y) * 4.0) ^ int(fq(m43[0].x + m43[2].z) * 4.0));
}
