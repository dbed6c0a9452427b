// 007c003c 0000000f 7ffc0057 000000a1 ffffffdb 00000283 000000b4 00000134
// 00000000 007c004a 5402ac38 00000002 862c3f7a 000066bb aa954cd6 fffffe80
// 00000001 b71d4da4 fffeaaba b7ac5ea2 42c68b13 00006407 8a952bf2 fffffff2
// b71d4da7 00000004 2557e8f2 00000015 80bf9ade 00006437 8b86c869 ffffff27
// 00000007 007c0041 7fff3324 758e6d83 5eb82586 00006613 e35c03a5 fffffe88
// 007c003c 00000014 bfff3345 00000015 ffffffeb 00000297 e0020b26 00000004
// 007c003c 00000005 3ffffff3 1c4e138b 8a4a4c6d fffffe8f 26ff329a 0000000e
// 00000006 007d003a 7fff6d9a 00000062 ffffffcb 00006407 000000f2 ffffffd8
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
    f0 = fq(float(abs(abs(i1)) & 255));
    switch (((-(max(i0, i1)))) & 7) {
        default: {
            u0 = (lane - uint(yes));
        }
        case 2: case 3: {
            {
                int i0 = ((s.m & one) - min(i2, s.m));
                    int k1 = 0;
                    do {
                        s.m = int(abs(fq(f0 * f1)));
                        f1 = fq(s.v.y);
                    } while (++k1 < 1 && (!b0));
                    for (int k2 = 0; k2 < 4; k2++) {
                        v4.x = ((u1 + u0) << ((~(v4.x)) & 31u));
                        v4.w = ((f0 == s.v.y) ? (~(u2)) : ((none & 65535u) / ((u1 & 255u) | 1u)));
                        u2 -= (((~(u0)) & 65535u) / (((b0 ? lane : lane) & 255u) | 1u));
                    }
                    bump(arr[(max(v4.z, lane)) & 3u], (arr[2] & i0));
                i1 = i1 ^ i0;
            }
            switch (((int(v4.x) | (zero - i1))) & 7) {
                case 0: case 1: {
                    bump(i0, abs(zero));
                    break;
                }
                case 2: case 3: {
                    b0 = (max(fq(nought * above), clamp(below, -3.5, 8.0)) > fq(dot(s.v, fq2(s.v * max(f0, mat[0].y)))));
                    { for (int k = 0, j = 3; k < j; k++, j--) { if (no) continue; i0 ^= k + j; } }
                    break;
                }
                default: {
                    mat[(clamp(u2, min(byte, 5u), max(byte, 5u))) & 1u] = fq2(mat * s.v);
                    bump(i0, int(b0));
                }
            }
            if ((s.m == i0)) { break; }
            i1 = i1 + 1;
        }
        case 4: case 5: {
            int k3 = 2;
            while (k3 > 0 && ((!b0) || k3 > 2)) {
                k3 = k3 - 1;
                u1 &= (uint(arr[3]) | lane);
                if (any(greaterThan(v4, v4.yzwx))) { i2 = i2 - 1; }
                int k4 = 0;
                do {
                    { i1 = (i0++, i0 + high); }
                    bump(i0, ((i0 & 65535) / ((seven & 255) | 1)));
                    i2 = (s.m >> ((min(byte, u1) & (lane + v4.y)) & 31u));
                } while (++k4 < 1 && (!b0));
            }
            break;
        }
    }
    if ((uint(findMSB(u1)) > (no ? lane : u0))) {
        { mat = matrixCompMult(mat2(0.5, 1.0, 1.0, 2.0), mat); mat[0] = fq2(mat[0]); mat[1] = fq2(mat[1]); }
        int k5 = 0;
        do {
            {
                int i0 = (s.m * (arr[0] + arr[2]));
                    bump(s.m, zero);
                    s.v[(max(byte, v4.w)) & 1u] = fq(fq(min(mat[0].y, nought) + clamp(half_, -3.5, 8.0)));
                i1 = i1 ^ i0;
            }
            f1 = fq(above);
        } while (++k5 < 2 && (i1 < arr[1]));
    }
    else {
        { mat2 o = outerProduct(vec2(1.0, 2.0), vec2(0.5, -1.0)); mat[1] = fq2(o[0]); }
        {
            int i0 = (i1 | (-(i2)));
                u0 = bitfieldReverse(uint(packHalf2x16(vec2(half_, 1.0))));
                f0 = fq(max(fq(fract(mat[1].y) - fq(f1 - f1)), f0));
            i1 = i1 ^ i0;
        }
        { n4 <<= ivec4(1, 2, 3, 4); v4 >>= 1; }
    }
    { i2 = helper(n4, arr).y; }
    if ((b0 || b0)) { i0 = i0 + 1; }
    int k6 = 0;
    do {
        int k7 = 0;
        do {
            { if (u0 > 3u && side(i1)) { i2 = min(arr[2], i0); } }
            switch ((i2) & 7) {
                case 0: case 1: {
                    f0 = fq(clamp(min(float(i0 & 255), min(above, above)), -3.5, 8.0));
                    f1 = fq(clamp(abs(fq(f1 * half_)), -3.5, 8.0));
                    if (any(greaterThan(v4, v4.yzwx))) { break; }
                    i1 = i1 + 1;
                    break;
                }
                default: {
                    u1++;
                    break;
                }
                case 4: case 5: {
                    bump(arr[(bitfieldReverse(u2)) & 3u], (s.m << (none & 31u)));
                    s.m = (int(packHalf2x16(vec2(s.v.y, 1.0))) + (i1 | i1));
                    if ((s.m <= i2)) { break; }
                    i1 = i1 + 1;
                }
            }
        } while (++k7 < 4 && (!b0));
    } while (++k6 < 2 && (b0 || yes));
    i1 ^= arr[1];
    if ((int(b0) == abs(s.m))) {
        f1 = fq(fq(((!b0) ? fq(nought + f0) : (-(f0))) * fq(max(above, f0) + (b0 ? f0 : half_))));
        b0 = ((uint(b0) ^ (ones | u2)) >= (none - (yes ? u1 : u2)));
        for (int k8 = 0; k8 < 4; k8++) {
            {
                int i0 = bitfieldExtract(abs(s.m), int(uint(findLSB(none)) & 15u), int(u0 & 15u));
                    i2 = ((((i2 * high) | int(none)) & 65535) / ((int(abs(mat[1].y)) & 255) | 1));
                i1 = i1 ^ i0;
            }
        }
    }
    else {
        f0 = fq(f0);
    }
    b0 = (min((many * byte), unit) != floatBitsToUint(fq(max(mat[1].y, mat[0].y))));
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
