// 00000005 03e8c137 89aad9e7 a48cf7a5 1cb2c5ad fffffe8f 7e5efb25 ffffff6a
// 03e8c0c7 0000000e 58e09eb0 0003000b ffff0004 fffffe84 000200a4 0000000d
// 00000005 c3ffc119 fffd0021 00000361 fffffffb fffffe8f bfc00083 fffffdf1
// c3ffc0ff 0000000f f4823cf2 10000a7a fffffff1 fffffffd 00000092 00000174
// b400c000 f0010004 8e92505e fff112fe ffffffe8 fffffebf fffe62b9 00000036
// 00000005 b400c02a 8b5ad930 80000003 00000007 fffffe81 ffffffa4 00000008
// 00000003 00000025 0000003f 9d58318e 00000004 fffffe53 0000006c 000000da
// 00000009 00000020 00000002 75e07596 151c930b fffffe88 6a892b94 00000011
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
        {
            int i0 = abs((-(arr[0])));
                if ((!b0)) { break; }
                { u0 ^= atomicAnd(own[lane], 255u) ^ atomicOr(own[lane], 3u); u1 += atomicCompSwap(own[lane], 3u, v4.x) + atomicXor(own[lane], 9u); }
            i1 = i1 ^ i0;
        }
        switch ((i2) & 7) {
            case 0: case 1: {
                if ((above != f0)) { i2 = i2 - 1; }
                s.v[(clamp(lane, min(lane, 5u), max(lane, 5u))) & 1u] = fq(fq(fq(mat[0].y - f0) - s.v.y));
            }
            case 2: case 3: {
                u1 = ((fq(mat[1].y - mat[1].y) < fract(mat[0].y)) ? bitfieldInsert(lane, bitfieldInsert(lane, u2, int(uint(yes) & 15u), int(u1 & 15u)), int(min(v4.z, ones) & 15u), int(u1 & 15u)) : ones);
                break;
            }
            default: {
                b0 = (fq(dot(s.v, fq2(s.v * clamp(below, -3.5, 8.0)))) != fq(fq(dot(s.v, fq2(s.v * f0))) * max(f0, f1)));
                break;
            }
        }
    }
    u1 ^= (all(greaterThan(v4, v4.yzwx)) ? bitfieldInsert(v4.x, none, int(u2 & 15u), int(u1 & 15u)) : lane);
    u0 &= ((many | byte) - uint(packHalf2x16(vec2(mat[0].y, 1.0))));
    for (int k2 = 0; k2 < 2; k2++) {
        b0 = any(greaterThan(v4, v4.yzwx));
        if ((half_ <= mat[1].y)) { continue; }
    }
    switch ((int(abs(float(i2 & 255)))) & 7) {
        case 0: case 1: {
            if ((uint(findMSB(many)) == (b0 ? lane : ones))) {
                i0 *= min(((i2 & 65535) / ((arr[0] & 255) | 1)), int(findLSB(i2)));
            }
            break;
        }
        default: {
            bump(s.m, floatBitsToInt(fq(f1)));
            switch ((one) & 7) {
                case 0: case 1: {
                    if ((!(i0 < i1))) {
                        mat[((u1 | u1)) & 1u] = fq2(mat * s.v);
                        u2 = clamp(uint(int(b0)), min(floatBitsToUint(fq(max(mat[1].y, f0))), 5u), max(floatBitsToUint(fq(max(mat[1].y, f0))), 5u));
                    }
                    else {
                        u0 = clamp(bitfieldExtract(u2, int(uint(findLSB(u1)) & 15u), int(u0 & 15u)), min((~(u1)), 5u), max((~(u1)), 5u));
                        { i2 = helper(n4, arr).y; }
                        { f0 = fq(cross(vec3(1.0, 2.0, 3.0), vec3(clamp(fq(f0), 0.0, 1.0), 0.5, 1.0)).y); }
                    }
                    {
                        int i0 = (-(((i1 & 65535) / ((arr[0] & 255) | 1))));
                            b0 = no;
                            b0 = b0;
                        i1 = i1 ^ i0;
                    }
                    if ((!b0)) { break; }
                    i1 = i1 + 1;
                }
                default: {
                    b0 = all(greaterThan(v4, v4.yzwx));
                }
                case 4: case 5: {
                    f1 = fq(fq(dot(s.v, fq2(s.v * float(arr[0] & 255)))));
                }
            }
            break;
        }
        case 4: case 5: {
            {
                int i0 = int((nought >= s.v.x));
                    { i0 = (u1 >= u0) ? i0++ : --i1; }
                    switch ((clamp(clamp(i0, min(arr[0], 5), max(arr[0], 5)), min(int(abs(nought)), 5), max(int(abs(nought)), 5))) & 7) {
                        default: {
                            u2--;
                            if ((!no)) { break; }
                            i1 = i1 + 1;
                            break;
                        }
                        case 2: case 3: {
                            u0 = uint((all(greaterThan(v4, v4.yzwx)) || b0));
                        }
                        case 4: case 5: {
                            bump(s.m, i1);
                            break;
                        }
                    }
                i1 = i1 ^ i0;
            }
            int k3 = 2;
            while (k3 > 0 && (b0 || k3 > 2)) {
                k3 = k3 - 1;
                int k4 = 1;
                while (k4 > 0 && (yes || k4 > 2)) {
                    k4 = k4 - 1;
                    v4 = v4 + uvec4(u0);
                }
                {
                    int i0 = ((s.m == arr[3]) ? (i2 & arr[2]) : (b0 ? low : low));
                        f0 = fq((any(greaterThan(v4, v4.yzwx)) ? (-(fq(mat[1].y - half_))) : (-((-(f0))))));
                        u0 = clamp(((f1 == f1) ? v4.y : bitfieldExtract(unit, int(uint(abs(f1)) & 15u), int(u0 & 15u))), min(uint(int(abs(f0))), 5u), max(uint(int(abs(f0))), 5u));
                        bump(i0, (-(minus)));
                    i1 = i1 ^ i0;
                }
            }
            break;
        }
    }
    { i1 = (i0++, i0 + arr[2]); }
    int k5 = 0;
    do {
        switch ((int(packHalf2x16(vec2(fq(dot(s.v, fq2(s.v * f1))), 1.0)))) & 7) {
            case 0: case 1: {
                { bvec3 flags = bvec3(b0, (u0 != byte), true); flags.y = !flags.z; b0 = all(flags) || any(not(flags)); }
                { uvec3 t = uvec3(v4); t.zyx = t; u2 ^= t.x; }
                if (any(greaterThan(v4, v4.yzwx))) { break; }
                i1 = i1 + 1;
            }
            case 2: case 3: {
                if (((high <= i1) || (!b0))) {
                    { bvec3 flags = bvec3(b0, (!b0), true); flags.y = !flags.z; b0 = all(flags) || any(not(flags)); }
                }
                else {
                    s.m = s.m;
                }
                if ((lane != v4.y)) { break; }
                i1 = i1 + 1;
                break;
            }
            default: {
                s.m = i0;
                { u0 = atomicAdd(own[lane], uint(packHalf2x16(vec2(mat[0].y, 1.0)))); }
            }
        }
        bump(i0, (minus << (v4.x & 31u)));
    } while (++k5 < 4 && (b0 || yes));
    bump(i0, arr[3]);
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
