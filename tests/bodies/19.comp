// 00000008 00000008 80000438 2e7ce8d3 ae7ce8d1 fffffe87 a50a2dbd 00000004
// 0000000d 0000000e 851ca7dc 00000018 80000018 fffffe97 001f161f 00000004
// 0000000d 00000012 78df209b 0000000f 80000019 fffffe8d a0808f18 00000004
// 00000015 00000020 b5f90bf9 00000015 8000001e fffffe95 001f15f1 00000004
// 00000005 80000004 0000050e 00000004 8000000e fffffe98 fffff51f 00000004
// 80000005 00000005 fffffab5 00000005 7ffffff3 fffffe86 00000b2c 00000004
// f76eee16 4bac29d0 7ffffabb 47bb1131 c7bb1184 fffffe80 908a2f87 00000004
// 4bac29cf f76eee1a 00000537 00000003 80000002 fffffffd fffff508 00000004
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
    f0 = fq(f0);
    int k1 = 5;
    while (k1 > 0 && (b0 || k1 > 2)) {
        k1 = k1 - 1;
        switch ((((lane == u0) ? (one * s.m) : (-(i1)))) & 7) {
            case 0: case 1: {
                u2--;
            }
            default: {
                { const int LOCAL[3] = int[](1, 2, C); i0 += LOCAL[((u1 * many)) % 3u]; }
                switch ((seven) & 7) {
                    case 0: case 1: {
                        v4 = v4 + uvec4((~(u0)));
                        bump(arr[(uint(packHalf2x16(vec2(s.v.x, 1.0)))) & 3u], (b0 ? s.m : high));
                    }
                    case 2: case 3: {
                        u2 |= (floatBitsToUint(fq(f1)) << (u2 & 31u));
                        { S whole = s; whole.m += int(b0); nest.parts[u0 & 1u] = whole; s = nest.parts[1]; }
                        break;
                    }
                    default: {
                        u1 = v4.w;
                        b0 = (arr[3] != s.m);
                    }
                }
                break;
            }
            case 4: case 5: {
                u1 *= uint(bitCount(clamp(u1, min(u0, 5u), max(u0, 5u))));
                if ((b0 && no)) { i2 = i2 - 1; }
                break;
            }
        }
        if (all(greaterThan(v4, v4.yzwx))) { continue; }
        for (int k2 = 0; k2 < 3; k2++) {
            { b0 = any(lessThan(n4, n4.yzwx)) ^^ all(notEqual(v4, uvec4(uint(abs(half_))))); }
            i1 = int(v4.w);
            if ((!b0)) { i2 = i2 - 1; }
        }
    }
    switch (((arr[0] * (b0 ? i2 : s.m))) & 7) {
        default: {
            int k3 = 0;
            do {
                if ((v4.x > many)) { continue; }
                v4.z = (byte + (b0 ? lane : u1));
            } while (++k3 < 3 && (b0 && b0));
            { S whole = s; whole.m += (-(high)); nest.parts[u0 & 1u] = whole; s = nest.parts[1]; }
            if ((!b0)) { break; }
            i1 = i1 + 1;
            break;
        }
        case 2: case 3: {
            if (all(greaterThan(v4, v4.yzwx))) { break; }
            { n4 <<= ivec4(1, 2, 3, 4); v4 >>= 1; }
            if (b0) { break; }
            i1 = i1 + 1;
            break;
        }
        case 4: case 5: {
            bump(s.m, arr[3]);
            break;
        }
    }
    i2 = early(arr[1], uint(abs(mat[1].y)));
    for (int k4 = 0; k4 < 4; k4++) {
        for (int k5 = 0; k5 < 3; k5++) {
            v4.w = (uint(abs(f0)) & u2);
        }
        u0++;
    }
    if (all(greaterThan(v4, v4.yzwx))) { i0 = i0 + 1; }
    v4 = uvec4(v4.zw, byte, (v4.x * u0));
    for (int k6 = 0; k6 < 3; k6++) {
        v4 = v4 + uvec4(max(u1, u1));
        b0 = b0;
        {
            int i0 = bitfieldReverse(int(abs(mat[1].y)));
                int k7 = 0;
                do {
                    i0 |= s.m;
                    { bump(nest.parts[((v4.w << (u0 & 31u))) & 1u].m, 3); }
                } while (++k7 < 3 && b0);
                i2 = early(i2, u0);
            i1 = i1 ^ i0;
        }
    }
    for (int k8 = 0; k8 < 1; k8++) {
        { n4 = ivec4(n4.x, n4.wzy); n4[(none) & 3u] -= 2; }
        if (all(greaterThan(v4, v4.yzwx))) {
            b0 = (clamp(abs(low), min((i2 + s.m), 5), max((i2 + s.m), 5)) < abs((i2 | zero)));
            b0 = (b0 && (!(half_ != f1)));
            if (b0) { i2 = i2 - 1; }
        }
        else {
            u0 |= clamp((b0 ? lane : lane), min(clamp(lane, min(v4.y, 5u), max(v4.y, 5u)), 5u), max(clamp(lane, min(v4.y, 5u), max(v4.y, 5u)), 5u));
        }
        { both(n4.y, v4.w, abs(i1)); }
    }
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
