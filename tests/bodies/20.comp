// 0000ffff 80010004 fffd0010 00000001 fffffff9 00000004 000000f0 0000004d
// 80000000 0000fffb 0000000c 253c7e1e 253c7e15 fffff027 4a8904a0 0000000f
// 7fffffff 00000017 7ffffffb 00000000 00000009 fffff909 0000007c 0000000f
// 00000012 800001c4 fb2069a0 00000022 fffffff9 0003e9f8 000000c2 00000209
// ffffffff 00000002 ffffffe6 00000001 fffffff9 0000c815 10987492 00000119
// 00000006 fffffffa 0000002d 00000009 00000007 fffff817 ffffff5a 00000004
// 00000012 0000001b 00000033 4a018de1 4a018de8 ffffacad 94052424 0000000f
// 0000000c 00000018 aa3104c5 00000001 00000009 ffff79b8 ffffffa2 000003f1
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
    {
        int i0 = max(i2, (arr[3] & i1));
            if ((u2 < unit)) { i2 = i2 - 1; }
            mat[(max(u1, v4.x)) & 1u] = fq2(mat * s.v);
        i1 = i1 ^ i0;
    }
    int k1 = 0;
    do {
        { b0 = !(b0 ^^ (u1 == 2u)); }
    } while (++k1 < 1 && (arr[0] > arr[1]));
    int k2 = 5;
    while (k2 > 0 && ((s.m <= i2) || k2 > 2)) {
        k2 = k2 - 1;
        f1 = fq(((!b0) ? min(f1, mat[0].y) : fq(floor(f0) * fq(mat[0].y - f1))));
    }
    if ((u0 > none)) { i0 = i0 + 1; }
    switch ((((bitfieldExtract(arr[1], int(uint(b0) & 15u), int(u0 & 15u)) & 65535) / ((int(b0) & 255) | 1))) & 7) {
        case 0: case 1: {
            u1 = (b0 ? ((clamp(u1, min(v4.x, 5u), max(v4.x, 5u)) & 65535u) / (((~(u2)) & 255u) | 1u)) : uint((s.v.x >= mat[1].y)));
            arr[(u2) & 3u] = (s.m & (i0 - minus));
            if (b0) { break; }
            i1 = i1 + 1;
        }
        default: {
            i2 = early((s.m ^ i0), (many >> (v4.w & 31u)));
            f1 = fq((-(fq(clamp(f0, -3.5, 8.0) + s.v.x))));
            if ((unit == u2)) { break; }
            i1 = i1 + 1;
            break;
        }
        case 4: case 5: {
            switch ((s.m) & 7) {
                case 0: case 1: {
                    i0 = (((int(findMSB(arr[3])) & 65535) / (((arr[3] << (u2 & 31u)) & 255) | 1)) >> (uint(findMSB(uint(packHalf2x16(vec2(s.v.y, 1.0))))) & 31u));
                    break;
                }
                default: {
                    {
                        int i0 = (i1 & ((arr[3] & 65535) / ((s.m & 255) | 1)));
                            { for (int k = 0, j = 3; k < j; k++, j--) { if (b0) continue; i0 ^= k + j; } }
                        i1 = i1 ^ i0;
                    }
                    b0 = (!yes);
                    break;
                }
                case 4: case 5: {
                    for (int k3 = 0; k3 < 3; k3++) {
                        { b0 = any(lessThan(n4, n4.yzwx)) ^^ all(notEqual(v4, uvec4(byte))); }
                        i2 ^= one;
                        i2 = ((!no) ? clamp(abs(low), min(min(one, i1), 5), max(min(one, i1), 5)) : floatBitsToInt(fq(min(f0, f1))));
                    }
                    break;
                }
            }
            s.v[(uint(packHalf2x16(vec2(f0, 1.0)))) & 1u] = fq(fq(fq(dot(s.v, fq2(s.v * s.v.y))) + max(nought, nought)));
            if (b0) { break; }
            i1 = i1 + 1;
        }
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
