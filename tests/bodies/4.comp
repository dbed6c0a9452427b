// 0000000f 8000000b ba7888ac 00000006 54070803 fffffe8c 00000fb8 0000011c
// 80000000 00000029 0000002a 00000007 00000013 ffffff70 000000e8 00000e59
// 00000000 00000020 00000026 00000014 00000010 fffffeb6 00000084 00000f9f
// 0000000b 00000012 00000035 00000003 00000010 fffffe87 00000062 0000004d
// 4efe557f 400830af 78000b5b 00000002 0000001b fffffe92 000000e0 000001c7
// 00000020 4efe5584 3a73ba71 e3575e31 00000010 fffffe86 495144c4 00000059
// bf6d9686 00000206 f7f7a31f 00000003 00000018 fffffe68 000000e0 00000f41
// 0000000d bf6d9881 0000000f 00000004 00000018 fffffff3 ffffffa6 00000eda
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
    switch (((s.m | (i1 ^ i0))) & 7) {
        default: {
            i1 = (arr[3] << (((v4.z & 65535u) / (((lane * u2) & 255u) | 1u)) & 31u));
            break;
        }
        case 2: case 3: {
            int k1 = 0;
            do {
                switch (((clamp(one, min(i1, 5), max(i1, 5)) * abs(seven))) & 7) {
                    default: {
                        b0 = (clamp(uint(findLSB(u1)), min((v4.x - v4.z), 5u), max((v4.x - v4.z), 5u)) < uint((b0 || b0)));
                        mat[((unit ^ u0)) & 1u] = fq2(mat * s.v);
                    }
                    case 2: case 3: {
                        mat[((v4.x * none)) & 1u] = fq2(mat * s.v);
                        break;
                    }
                    case 4: case 5: {
                        i1++;
                        { b0 = !(b0 ^^ (u1 == 2u)); }
                        break;
                    }
                }
                int k2 = 1;
                while (k2 > 0 && ((arr[3] == zero) || k2 > 2)) {
                    k2 = k2 - 1;
                    i0 -= minus;
                    b0 = b0;
                    { f0 = fq(dot(m32 * vec3(1.0, 0.5, -2.0), vec2(1.0))); }
                }
            } while (++k1 < 2 && (b0 || b0));
            break;
        }
        case 4: case 5: {
            switch ((i2) & 7) {
                default: {
                    { u1 = atomicMax(own[lane], uint(b0)); }
                    {
                        int i0 = zero;
                            { mat2 o = outerProduct(vec2(1.0, 2.0), vec2(0.5, -1.0)); mat[1] = fq2(o[0]); }
                        i1 = i1 ^ i0;
                    }
                    if (b0) { break; }
                    i1 = i1 + 1;
                }
                case 2: case 3: {
                    { u0 ^= atomicAnd(own[lane], 255u) ^ atomicOr(own[lane], 3u); u1 += atomicCompSwap(own[lane], 3u, uint(s.m)) + atomicXor(own[lane], 9u); }
                    break;
                }
                case 4: case 5: {
                    i0 |= ((int(v4.y) & 65535) / ((int(b0) & 255) | 1));
                    { grid[(lane) & 1u][((u0 + u1)) % 3u] += v4.y; u1 ^= grid[1][u0 % 3u]; }
                    break;
                }
            }
            switch (((-(int(b0)))) & 7) {
                default: {
                    int k3 = 0;
                    do {
                        b0 = b0;
                        u0 ^= lane;
                        { u1 = atomicMax(own[lane], (b0 ? byte : u1)); }
                    } while (++k3 < 4 && any(greaterThan(v4, v4.yzwx)));
                    break;
                }
                case 2: case 3: {
                    int k4 = 2;
                    while (k4 > 0 && ((!b0) || k4 > 2)) {
                        k4 = k4 - 1;
                        u1 = (uint(bitfieldExtract(i0, int((yes ? lane : u2) & 15u), int(u0 & 15u))) * (floatBitsToUint(fq(mat[0].y)) | unit));
                        { int shadow = i0; { int shadow = abs(s.m); shadow += 1; i1 ^= shadow; } i2 ^= shadow; }
                        s.m = i0;
                    }
                    { n4 <<= ivec4(1, 2, 3, 4); v4 >>= 1; }
                    break;
                }
                case 4: case 5: {
                    int k5 = 0;
                    do {
                        s.v[(u2) & 1u] = fq(fq(dot(s.v, fq2(s.v * nought))));
                        i2 = zero;
                        s.m = int((f0 <= f1));
                    } while (++k5 < 4 && b0);
                }
            }
            break;
        }
    }
    {
        int i0 = ((s.m ^ i1) & arr[3]);
            i2 = early((s.m + arr[2]), clamp(v4.z, min(u2, 5u), max(u2, 5u)));
        i1 = i1 ^ i0;
    }
    switch ((s.m) & 7) {
        case 0: case 1: {
            { mat2 o = outerProduct(vec2(1.0, 2.0), vec2(0.5, -1.0)); mat[1] = fq2(o[0]); }
            if ((f1 < below)) { break; }
            i1 = i1 + 1;
            break;
        }
        case 2: case 3: {
            u1 *= u2;
            int k6 = 0;
            do {
                switch ((int(bitCount(max(arr[1], i1)))) & 7) {
                    default: {
                        u1 = uint(abs(float(i1 & 255)));
                        bump(s.m, (-(i0)));
                        break;
                    }
                    case 2: case 3: {
                        s.m = (int(lane) | int(abs(s.v.y)));
                        { int w = 0; do { w++; if (w == 2) continue; if (any(greaterThan(v4, v4.yzwx)) && w > 3) break; i1 += w; } while (w < 5); }
                        break;
                    }
                    case 4: case 5: {
                        { f1 = fq((transpose(m32) * vec2(0.5, 2.0))[((lane >> (u2 & 31u))) % 3u]); }
                        if ((i2 < i1)) { break; }
                        i1 = i1 + 1;
                    }
                }
                u1 += uint((high & i0));
                switch ((((arr[2] * i0) & bitfieldInsert(i1, i1, int((lane >> (v4.w & 31u)) & 15u), int(u1 & 15u)))) & 7) {
                    case 0: case 1: {
                        { if (u0 > 3u && side(i1)) { i2 = s.m; } }
                    }
                    default: {
                        { f0 = fq(cross(vec3(1.0, 2.0, 3.0), vec3(clamp(fq(f0), 0.0, 1.0), 0.5, 1.0)).y); }
                        if ((mat[1].y > f0)) { break; }
                        i1 = i1 + 1;
                    }
                    case 4: case 5: {
                        bump(i0, clamp(i2, min(arr[0], 5), max(arr[0], 5)));
                        u2 = uint(packHalf2x16(vec2((b0 ? ceil(f1) : float(s.m & 255)), 1.0)));
                        if ((one > i2)) { break; }
                        i1 = i1 + 1;
                        break;
                    }
                }
            } while (++k6 < 3 && b0);
            break;
        }
        default: {
            if ((mat[0].y <= f1)) { break; }
            break;
        }
    }
    if ((mat[1].y <= mat[1].y)) { i0 = i0 + 1; }
    if ((!yes)) { i0 = i0 + 1; }
    int k7 = 5;
    while (k7 > 0 && ((arr[3] == i0) || k7 > 2)) {
        k7 = k7 - 1;
        mat[(ones) & 1u] = fq2(mat * s.v);
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
