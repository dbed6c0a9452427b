// 00000004 913f696e 7fffffec 80000000 a2145d1b fffffe86 000000f7 0000000f
// 913f696f 00000006 eedd8293 00000020 fffffff9 fffffe85 00000182 0000000c
// 00000000 00000025 1ab2e484 00000000 ffffffea ffffff4f 000000a2 000001c6
// 00000020 0000000a b19d7cea 00000001 ffffffd9 fffffe87 0000010f 0000000e
// ffffffff 0000002c ebe55962 00000013 ffffffff fffffe98 046000ba 00000011
// 00000012 ffffffff 00000016 00000020 3c5041f2 fffffe97 000001d5 0000001e
// 0000000e 0000001a 78937385 00000007 53846217 fffffe87 0000031b 0000000e
// 00000010 00000010 7ffffff3 00000001 fffffffd ffffff78 000000e7 000001f1
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
    b0 = (i1 != ((arr[0] >= arr[1]) ? min(low, arr[2]) : clamp(s.m, min(s.m, 5), max(s.m, 5))));
    if ((minus == i1)) { i2 = i2 - 1; }
    int k1 = 5;
    while (k1 > 0 && (b0 || k1 > 2)) {
        k1 = k1 - 1;
        u1 = ((uint(i0) | clamp(lane, min(u0, 5u), max(u0, 5u))) & ((uint(packHalf2x16(vec2(f1, 1.0))) & 65535u) / ((uint(abs(below)) & 255u) | 1u)));
    }
    arr[(u0) & 3u] = (clamp(arr[0], min(i1, 5), max(i1, 5)) << ((u1 * many) & 31u));
    b0 = (fq(fq(nought * mat[0].y) - mat[1].y) >= fq(float(arr[1] & 255) - fq(below * s.v.y)));
    if (all(greaterThan(v4, v4.yzwx))) {
        f0 = fq(max(fq(dot(s.v, fq2(s.v * (-(s.v.x))))), s.v.y));
    }
    if (b0) {
        switch ((min((s.m * arr[1]), (i2 ^ i2))) & 7) {
            case 0: case 1: {
                { u0 ^= atomicAnd(own[lane], 255u) ^ atomicOr(own[lane], 3u); u1 += atomicCompSwap(own[lane], 3u, (none << (u1 & 31u))) + atomicXor(own[lane], 9u); }
                int k2 = 0;
                do {
                    i0 |= (-(clamp(i1, min(minus, 5), max(minus, 5))));
                    b0 = (!(uint(abs(mat[1].y)) == lane));
                    i1 |= int(abs(fq(mat[1].y * mat[1].y)));
                } while (++k2 < 3 && (b0 && b0));
                if ((!yes)) { break; }
                i1 = i1 + 1;
                break;
            }
            case 2: case 3: {
                s.v[(uint(abs(mat[0].y))) & 1u] = fq(above);
                break;
            }
            default: {
                u1 = uint(findMSB(uint(findMSB(uint(abs(f1))))));
                if ((b0 || b0)) { break; }
                i1 = i1 + 1;
            }
        }
        int k3 = 0;
        do {
            { i1 = findMSB(n4).x + bitCount(v4).y + findLSB(v4).z; }
            bump(i0, abs(arr[0]));
        } while (++k3 < 4 && b0);
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
