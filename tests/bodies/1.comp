// 00000003 0000003d 6f6e5ae2 00000049 ffffffbf 00000807 ffffffae 0000000e
// 0000001f 00000029 0000005a 00000064 4bd44d5a 000008b2 000003fc 000000bb
// 0000000c 0000004a 00000018 00000144 0000014d 000009f8 000000a2 000001f1
// 00000022 0000002c 1480eac5 b8de2efc 004371b1 00000827 1052a024 0000002e
// 00000013 2fa8cf44 029b3caa 80000024 ebf10a70 000008db 000000be 000000d2
// 2fa8cf24 00000039 8efa6d5b 25b0e2a7 c0dde5b2 000009c9 aaa92a5e 000001c0
// 80000000 52581baf 80000015 00000076 4078dc0e 00000807 000000b0 0000000e
// 52581b89 80000028 f70852ae 00000048 ffffffe5 00000806 0000019a 0000000f
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
    int k1 = 2;
    while (k1 > 0 && ((yes || b0) || k1 > 2)) {
        k1 = k1 - 1;
        {
            int i0 = ((b0 ? arr[0] : arr[0]) | ((i1 & 65535) / ((s.m & 255) | 1)));
                f1 = fq((b0 ? fq(fq(below + above) * max(f1, f1)) : (-(s.v.x))));
                for (int k2 = 0; k2 < 2; k2++) {
                    i1 -= arr[1];
                    { i0 = abs(n4).x + sign(i1) * max(n4, n4.wzyx).y + clamp(n4, -9, 9).z; }
                    { if (u0 > 3u || side(i2)) { u1 = (v4.z | many); } }
                }
                {
                    int i0 = (int(b0) - clamp(s.m, min(i2, 5), max(i2, 5)));
                        i1 ^= clamp((i0 | i2), min(clamp(arr[0], min(s.m, 5), max(s.m, 5)), 5), max(clamp(arr[0], min(s.m, 5), max(s.m, 5)), 5));
                        bump(i0, int(b0));
                    i1 = i1 ^ i0;
                }
            i1 = i1 ^ i0;
        }
        bump(i0, s.m);
        u0 ^= u1;
    }
    i2 = early(s.m, uint(abs(above)));
    {
        int i0 = (abs(zero) ^ (i0 >> (u2 & 31u)));
            if ((no || b0)) { i0 = i0 + 1; }
        i1 = i1 ^ i0;
    }
    { f1 = fq((transpose(m32) * vec2(0.5, 2.0))[((~(unit))) % 3u]); }
    u0 ^= ((s.v.y > mat[1].y) ? (u1 * u2) : uint(abs(nought)));
    { uint high_, low_; umulExtended(u2, u1, high_, low_); u0 ^= high_ + low_; }
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
