// 0000000a 00000007 bbd182ea 00000001 ffffffff fffffe54 7c07b2cd 000000dd
// 00000007 0000001c 3fad942c 00000000 ffffffff ffffff2e 86a558d5 000001a7
// 0000000a 41b822fe f8801b25 00000001 ffffffff fffffe06 7db874d2 0000008f
// 00000007 0000001c ba08bccd 00000000 ffffffff fffffe87 3c000105 0000000e
// 00000007 80000002 209e8057 00000000 ffffffff fffffe95 50aa50a8 0000001c
// 00000007 00000021 7fffff47 00000000 ffffffff fffffea3 69548cbf 0000002a
// 0000000a 0000000d 000000f4 00000001 ffffffff fffffe84 44004aa1 0000000d
// 00000007 0000000f 800000a5 00000000 ffffffff ffffff02 ee50075a 0000018b
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
    for (int k1 = 0; k1 < 4; k1++) {
        { both(n4.y, v4.w, clamp(s.m, min(one, 5), max(one, 5))); }
        { int w = 0; while (true) { w++; switch (w) { case 1: i0++; case 2: i1--; break; case 3: continue; default: i2 ^= w; } if (w > 4) break; } }
        { u0 = SPEC + ((b0 ? v4.z : none)); if (SPEC > 3u) { u1 ^= SPEC; } }
    }
    i1 = minus;
    s.m = (int(packHalf2x16(vec2(f0, 1.0))) | int(u1));
    int k2 = 0;
    do {
        bump(arr[(bitfieldExtract(u0, int(uint(b0) & 15u), int(u0 & 15u))) & 3u], abs(i2));
    } while (++k2 < 1 && (!b0));
    i0 = (floatBitsToInt(fq(fq(f0 + f0))) >> (uint((u1 != none)) & 31u));
    int k3 = 0;
    do {
        switch ((max(arr[0], abs(i1))) & 7) {
            default: {
                i1 -= i2;
                i0 = (((i0 * arr[0]) << (uint(minus) & 31u)) & int(b0));
                break;
            }
            case 2: case 3: {
                if ((!no)) { i2 = i2 - 1; }
                {
                    int i0 = (((one * i0) & 65535) / ((seven & 255) | 1));
                        i2 = (((i2 - high) << (uint(bitCount(lane)) & 31u)) & (arr[3] + int(v4.z)));
                    i1 = i1 ^ i0;
                }
                if ((arr[2] != i1)) { break; }
                i1 = i1 + 1;
                break;
            }
            case 4: case 5: {
                if (b0) {
                    i2 |= i0;
                    b0 = any(greaterThan(v4, v4.yzwx));
                    v4.w = uint(i1);
                }
                else {
                    bump(arr[(bitfieldInsert(lane, u1, int(min(v4.z, u1) & 15u), int(u1 & 15u))) & 3u], (-(s.m)));
                    i2 *= (int(abs(f0)) << ((lane - u2) & 31u));
                }
                bump(arr[(uint(abs(s.v.x))) & 3u], (arr[1] + i0));
            }
        }
        if ((v4.w != u1)) { continue; }
        v4 = v4 + uvec4(uint(b0));
    } while (++k3 < 1 && (!b0));
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
