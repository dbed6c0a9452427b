// 98fb928a 00000000 841ab793 00000000 fffffff7 00006416 0000002a 0000001f
// 00000005 118e87d8 7d41a019 7892f54a 00000000 ffff9467 a9c1a6e2 000001f1
// 0000ffff 0000000c 843804b6 00000000 fffffff5 0000640c 0000006c 00000005
// 00000009 0000fffa fffffff7 00000000 ffffffe2 00006407 3343d763 0000000e
// 00000001 7e1815f2 9f73bca3 7de2597b 00000000 ffff9bc9 edffe2c1 0000000e
// 0035bc7d 0000000f 0e1aac83 0000000c 00000000 ffff9bc9 0000008c 0000000e
// 00000001 80000000 50019caf 00000007 00000000 ffff9bbb 28767840 00000008
// 7fffffff 00000004 627dd80a 00000000 fffffff7 000065f8 778f5c3f 000001f1
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
    i0 |= clamp((-(i2)), min((-(arr[0])), 5), max((-(arr[0])), 5));
    f1 = fq(above);
    { int w = 0; do { w++; if (w == 2) continue; if (b0 && w > 3) break; i1 += w; } while (w < 5); }
    for (int k1 = 0; k1 < 2; k1++) {
        if (b0) {
            bump(arr[(((lane & 65535u) / ((u2 & 255u) | 1u))) & 3u], (i1 + i2));
            for (int k2 = 0; k2 < 3; k2++) {
                f0 = fq((-(fq(dot(s.v, fq2(s.v * mat[0].y))))));
                b0 = b0;
                bump(i0, int(b0));
            }
            if (any(greaterThan(v4, v4.yzwx))) {
                i2 = early(i1, bitfieldExtract(lane, int(v4.w & 15u), int(u0 & 15u)));
            }
            else {
                i0 ^= (int(packHalf2x16(vec2(mat[0].y, 1.0))) >> (uint(abs(s.v.x)) & 31u));
            }
        }
        int k3 = 0;
        do {
            for (int k4 = 0; k4 < 2; k4++) {
                { u1 = uint(i0 = max(i2, zero)); }
            }
            { n4.zx = ivec2(((s.m & 65535) / ((zero & 255) | 1)), i1); v4.xy += uvec2(floatBitsToUint(fq(f0))); v4.wy ^= v4.xz; }
        } while (++k3 < 2 && (s.m <= arr[3]));
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
