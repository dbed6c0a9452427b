// 00000007 fd50c4b6 b76c7166 ffffffff 8000000f 000001fe ffffff85 0000002e
// 00000008 00000006 49c00700 00000007 8000000a 000005fe 93306ee9 00000011
// 00000009 00000016 7fff0010 0000005d 8000000a 0000097e 55739f40 00000001
// 0000000a 00000012 38378b75 0000000a 7fffffff 0000016e 00000092 0000000d
// 0000000b 00000011 717581a7 0000000c 7fffffff 0000016e 000000ce 00000002
// 0000000c 6a266aec 0000003d 0b9bb8e6 7fffffe5 0000016e 2948927e 00000004
// 0000000d 00010003 ba56473d 00000048 7fffffff 000005fe ee8a33f4 0000000b
// 0000000e 00000000 f657cd3e 00000009 8000000a 000005fe bc9d7890 000001ea
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
    arr[((many * u1)) & 3u] = i0;
    for (int k1 = 0; k1 < 2; k1++) {
        { f0 = fq(dot(m32 * vec3(1.0, 0.5, -2.0), vec2(1.0))); }
        int k2 = 0;
        do {
            for (int k3 = 0; k3 < 2; k3++) {
                i2 = early((b0 ? arr[0] : i2), u2);
                i1 = ((floor(f0) < fq(below * f1)) ? (int(u2) & int(findMSB(i2))) : abs((i0 * i2)));
            }
        } while (++k2 < 2 && b0);
    }
    { u0 = SPEC + (lane); if (SPEC > 3u) { u1 ^= SPEC; } }
    for (int k4 = 0; k4 < 1; k4++) {
        if ((arr[3] > s.m)) { break; }
        int k5 = 0;
        do {
            f0 = fq(fq(f0 + above));
            { f1 = fq((transpose(m32) * vec2(0.5, 2.0))[(((v4.x & 65535u) / ((v4.y & 255u) | 1u))) % 3u]); }
            bump(arr[((lane << (u0 & 31u))) & 3u], int(abs(mat[1].y)));
        } while (++k5 < 4 && (u1 > u1));
        int k6 = 5;
        while (k6 > 0 && ((!b0) || k6 > 2)) {
            k6 = k6 - 1;
            i0 &= (int(abs(f0)) | abs(i1));
            {
                int i0 = int(abs(sign(mat[0].y)));
                    { i0 = TABLE[(lane) & 3u] + C; }
                    { b0 = any(lessThan(n4, n4.yzwx)) ^^ all(notEqual(v4, uvec4((b0 ? v4.z : none)))); }
                i1 = i1 ^ i0;
            }
            i1 = ((((-(s.m)) & min(one, i1)) & 65535) / ((((abs(s.m) & 65535) / (((s.m & arr[2]) & 255) | 1)) & 255) | 1));
        }
    }
    i2 = early((s.m | i2), ones);
    for (int k7 = 0; k7 < 1; k7++) {
        int k8 = 0;
        do {
            { int w = 0; do { w++; if (w == 2) continue; if ((i1 != s.m) && w > 3) break; i1 += w; } while (w < 5); }
        } while (++k8 < 2 && (!no));
        i0 -= ((b0 && b0) ? (b0 ? arr[0] : zero) : arr[2]);
    }
    i1 += bitfieldReverse(int(abs(half_)));
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
