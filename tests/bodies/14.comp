// 00000008 00000015 00000029 800000f9 00000001 0000120f 000000ec 00000009
// 00000018 00000022 0000002f 73641f97 73641f43 00000498 94a420a8 00000011
// 221856f7 a0813a13 221856f2 00000021 0000000d 0000000f 000000e8 0000000f
// 0000000f e81a5b3c 00037fff 00000091 0000001d 0000000f 00000098 0000000d
// 00000013 fe6e760d 0000001d 0000001f 0000000b 000009f8 000000a0 000001f1
// fe6e7606 00000023 fe6e75e2 00000037 00000023 0000048e 00000088 00000007
// 0000000b 00000013 000037f4 0000003f 00000023 00000806 000000f8 0000000f
// 00000016 00000023 0000000a bbf01827 bbf0181f 000009f8 441028b4 000001f1
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
    for (int k1 = 0; k1 < 2; k1++) {
        int k2 = 0;
        do {
            { int w = 0; while (true) { w++; switch (w) { case 1: i0++; case 2: i1--; break; case 3: continue; default: i2 ^= w; } if (w > 4) break; } }
        } while (++k2 < 4 && (yes && b0));
    }
    i2 = early((i1 - i1), (u1 >> (v4.z & 31u)));
    { u0 = SPEC + ((u2 & u2)); if (SPEC > 3u) { u1 ^= SPEC; } }
    v4 = uvec4((v4.y & lane), uint(b0), (u0 ^ v4.z), bitfieldExtract(v4.x, int(uint(abs(f1)) & 15u), int(u0 & 15u)));
    i2 = int((max(nought, above) == (-(f0))));
    for (int k3 = 0; k3 < 1; k3++) {
        { i1 = (i0++, i0 + arr[1]); }
    }
    int k4 = 0;
    do {
        { i0 = abs(n4).x + sign(i1) * max(n4, n4.wzyx).y + clamp(n4, -9, 9).z; }
        int k5 = 3;
        while (k5 > 0 && ((u1 < v4.x) || k5 > 2)) {
            k5 = k5 - 1;
            v4.z = v4.x;
            if (b0) {
                { f1 = fq((transpose(m32) * vec2(0.5, 2.0))[((u0 | v4.x)) % 3u]); }
                i0 = (b0 ? clamp((s.m - i2), min(i1, 5), max(i1, 5)) : i0);
            }
            else {
                f0 = fq((b0 ? fq(dot(s.v, fq2(s.v * f1))) : mat[0].y));
                f1 = fq(float((((s.m << (u2 & 31u)) & 65535) / ((int(b0) & 255) | 1)) & 255));
            }
            b0 = b0;
        }
        bump(i0, bitfieldInsert(i1, arr[1], int((b0 ? unit : lane) & 15u), int(u1 & 15u)));
    } while (++k4 < 2 && (i2 >= low));
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
