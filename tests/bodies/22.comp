// 95f960a0 fffffe30 fffffff5 00000014 0000002c ffffffe2 0000015b 00000004
// fffffff4 95f95d5b 7ddfa067 0000000b 00000319 ffffffee 0000003b 00000d14
// fffffff1 fffffff2 fffffffe c663d9b4 e670992c ffffffde 9548562d 00000005
// fffffff3 fffffec0 00000019 76924632 da4918cf ffffc9de 6d5b773f 000001e1
// fffffff8 ffffffe5 00000010 64b33ed6 92ccfb5f ffffffde 28154a69 00000004
// fffffff5 fffffff8 a1d9dbd4 00000018 ffffff9e ffffffe2 0222aabd 00000001
// 84528e74 ffffffd4 00000026 0000002a 000000aa ffffffe2 aa8a12af 00000004
// ffffffe0 84528e60 0000000c 0000000e 00000041 ffffffde 00000043 00000004
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
    int k1 = 0;
    do {
        i1--;
        {
            int i0 = i0;
                i1 = (zero ^ ((int(bitCount(low)) & 65535) / (((i0 >> (lane & 31u)) & 255) | 1)));
                for (int k2 = 0; k2 < 1; k2++) {
                    v4.y = ones;
                    u2--;
                }
            i1 = i1 ^ i0;
        }
        { i1 = (i0 += clamp(s.m, min(arr[2], 5), max(arr[2], 5)), i2 -= i0, i2 * 2); }
    } while (++k1 < 2 && (zero != minus));
    bump(arr[((b0 ? v4.x : byte)) & 3u], clamp(i1, min(minus, 5), max(minus, 5)));
    switch ((i2) & 7) {
        case 0: case 1: {
            int k3 = 3;
            while (k3 > 0 && (any(greaterThan(v4, v4.yzwx)) || k3 > 2)) {
                k3 = k3 - 1;
                {
                    int i0 = clamp(s.m, min((i1 * i0), 5), max((i1 * i0), 5));
                        i2 = one;
                        mat[(((u2 & 65535u) / ((byte & 255u) | 1u))) & 1u] = fq2(mat * s.v);
                        { mat = matrixCompMult(mat2(0.5, 1.0, 1.0, 2.0), mat); mat[0] = fq2(mat[0]); mat[1] = fq2(mat[1]); }
                    i1 = i1 ^ i0;
                }
            }
            break;
        }
        case 2: case 3: {
            int k4 = 4;
            while (k4 > 0 && ((!no) || k4 > 2)) {
                k4 = k4 - 1;
                switch (((-((i1 + s.m)))) & 7) {
                    default: {
                        { u2 = packUnorm4x8(vec4(0.0, 1.0, clamp(fq(f0), 0.0, 1.0), 0.0)); }
                        break;
                    }
                    case 2: case 3: {
                        { u2 = atomicExchange(own[lane], (v4.y ^ lane)); }
                        f0 = fq((-(float((arr[2] + seven) & 255))));
                        if (any(greaterThan(v4, v4.yzwx))) { break; }
                        i1 = i1 + 1;
                        break;
                    }
                    case 4: case 5: {
                        bump(i0, abs(arr[0]));
                        bump(s.m, (i2 ^ i0));
                    }
                }
                int k5 = 4;
                while (k5 > 0 && ((s.m <= arr[3]) || k5 > 2)) {
                    k5 = k5 - 1;
                    v4.x = uint(abs(max(half_, nought)));
                }
            }
            { v4 %= uvec4(v4.y | 1u, 3u, 5u, 7u); }
        }
        default: {
            u2 = uint((fq(dot(s.v, fq2(s.v * mat[0].y))) <= s.v.x));
            if ((lane > byte)) { break; }
            i1 = i1 + 1;
            break;
        }
    }
    {
        int i0 = int((!b0));
            switch ((int(abs(abs(mat[1].y)))) & 7) {
                case 0: case 1: {
                    { m32[((u1 - many)) % 3u] = fq2(m32[1] + vec2(0.5, fq(fract(f1)))); }
                    if ((!b0)) { break; }
                    i1 = i1 + 1;
                    break;
                }
                default: {
                    i0--;
                    for (int k6 = 0; k6 < 4; k6++) {
                        i2 = int(abs(fq(clamp(f0, -3.5, 8.0) + fq(mat[0].y - f1))));
                        s.m = max((s.m * i1), (b0 ? i0 : s.m));
                        bump(i0, (b0 ? s.m : i1));
                    }
                    break;
                }
                case 4: case 5: {
                    v4 = v4 + uvec4((lane | lane));
                    break;
                }
            }
            for (int k7 = 0; k7 < 3; k7++) {
                { u1 = atomicMax(own[lane], uint(arr[2])); }
                int k8 = 0;
                do {
                    f1 = fq(max(float(clamp(i2, min(i1, 5), max(i1, 5)) & 255), fq(max(f0, f0) + fq(s.v.y * s.v.x))));
                    u1 = (u1 ^ uint(abs(max(mat[1].y, f1))));
                    i2 |= s.m;
                } while (++k8 < 1 && any(greaterThan(v4, v4.yzwx)));
                for (int k9 = 0; k9 < 3; k9++) {
                    i0 = (((b0 ? i0 : one) * (i2 ^ arr[3])) & (-(arr[3])));
                    { i2 = mix(n4, n4.wzyx, bvec4(b0, b0, true, false)).z; }
                }
            }
        i1 = i1 ^ i0;
    }
    int k10 = 0;
    do {
        s.v[((u0 | unit)) & 1u] = fq(fq(mat[1].y - fq(below + f0)));
        b0 = all(greaterThan(v4, v4.yzwx));
        int k11 = 0;
        do {
            { uint high_, low_; umulExtended(ones, u1, high_, low_); u0 ^= high_ + low_; }
        } while (++k11 < 1 && (!b0));
    } while (++k10 < 1 && (!b0));
    switch ((floatBitsToInt(fq(s.v.x))) & 7) {
        default: {
            int k12 = 5;
            while (k12 > 0 && ((b0 || b0) || k12 > 2)) {
                k12 = k12 - 1;
                i2--;
            }
            {
                int i0 = (-(int(abs(s.v.y))));
                    for (int k13 = 0; k13 < 2; k13++) {
                        { S whole = s; whole.m += (i2 - i2); nest.parts[u0 & 1u] = whole; s = nest.parts[1]; }
                        i2++;
                    }
                    int k14 = 5;
                    while (k14 > 0 && ((no && yes) || k14 > 2)) {
                        k14 = k14 - 1;
                        { f0 = fq(dot(m32 * vec3(1.0, 0.5, -2.0), vec2(1.0))); }
                        bump(s.m, s.m);
                    }
                    int k15 = 0;
                    do {
                        f1 = fq(min(float(max(i1, i0) & 255), fq(fq(dot(s.v, fq2(s.v * s.v.x))) * abs(f0))));
                    } while (++k15 < 2 && (v4.y < ones));
                i1 = i1 ^ i0;
            }
            if (all(greaterThan(v4, v4.yzwx))) { break; }
            i1 = i1 + 1;
            break;
        }
        case 2: case 3: {
            s.v[((lane * v4.w)) & 1u] = fq(clamp(fq(f0 - f0), -3.5, 8.0));
            i1 = (arr[0] * int(findMSB((-(arr[3])))));
            break;
        }
        case 4: case 5: {
            if (b0) { break; }
            break;
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
