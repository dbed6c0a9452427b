// 00000006 32b2d834 00000094 71181308 00000000 fffffe8d 22502a68 fffffff8
// 32b2d82e 0000000a 7239f23d 00000002 0000011b fffffe91 ffffffa2 fffffff8
// d0571a9e 00000027 07532f68 cba2250d 0000010c fffffe89 a9444a80 fffffff8
// 00000012 d0571aa7 0000000a 80000001 0000010f fffffe8e ffffffa8 fffffffa
// 00a4a828 00000007 820bf56b 00000013 fffffed8 fffffe82 0000008c fffffffa
// 00000000 00a4a830 63743a11 0000000e 0000001d fffffe89 000000e4 fffffff8
// 80000000 c0c41072 74c20497 00000005 80000001 fffffe80 ffffff9e fffffffa
// c0c41074 80000012 1f777d5d 0000000e 00000106 fffffe8c 00000092 fffffffa
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
    u2++;
    if ((!b0)) { i0 = i0 + 1; }
    { n4 = ivec4(n4.x, n4.wzy); n4[(lane) & 3u] -= 2; }
    i2 = early(int(abs(s.v.x)), (lane << (u1 & 31u)));
    for (int k1 = 0; k1 < 1; k1++) {
        switch ((abs((s.m ^ s.m))) & 7) {
            default: {
                v4.w = ((b0 || b0) ? uint(b0) : uint(abs(s.v.y)));
                break;
            }
            case 2: case 3: {
                int k2 = 0;
                do {
                    f0 = fq(fq(dot(s.v, fq2(s.v * fq(dot(s.v, fq2(s.v * fq(mat[1].y * s.v.x))))))));
                    i1 -= int(findLSB((s.m & arr[2])));
                    i2 = early(minus, (lane | u0));
                } while (++k2 < 4 && any(greaterThan(v4, v4.yzwx)));
                u2 = (uint((b0 && b0)) + ((u0 & lane) | floatBitsToUint(fq(f0))));
                break;
            }
            case 4: case 5: {
                u2 = clamp(clamp(u2, min(clamp(byte, min(lane, 5u), max(lane, 5u)), 5u), max(clamp(byte, min(lane, 5u), max(lane, 5u)), 5u)), min((ones * (byte & lane)), 5u), max((ones * (byte & lane)), 5u));
                if ((i1 != s.m)) { break; }
                i1 = i1 + 1;
            }
        }
        switch ((bitfieldExtract(arr[0], int((b0 ? u0 : v4.w) & 15u), int(u0 & 15u))) & 7) {
            case 0: case 1: {
                if (b0) { break; }
                break;
            }
            default: {
                int k3 = 4;
                while (k3 > 0 && (b0 || k3 > 2)) {
                    k3 = k3 - 1;
                    v4 = uvec4((b0 ? none : unit), (u0 >> (u0 & 31u)), uint(packHalf2x16(vec2(mat[1].y, 1.0))), floatBitsToUint(fq(below)));
                    i2 = bitfieldInsert((all(greaterThan(v4, v4.yzwx)) ? (minus * i1) : (s.m | low)), abs((minus >> (u0 & 31u))), int(u0 & 15u), int(u1 & 15u));
                }
                break;
            }
            case 4: case 5: {
                switch ((int(bitCount((i2 - s.m)))) & 7) {
                    case 0: case 1: {
                        b0 = (uint((u0 != u0)) > ((high == arr[1]) ? clamp(u2, min(u2, 5u), max(u2, 5u)) : max(ones, many)));
                        if ((half_ < f0)) { break; }
                        i1 = i1 + 1;
                        break;
                    }
                    default: {
                        f0 = fq(f0);
                        v4 = v4 + uvec4((lane * byte));
                        if ((b0 && b0)) { break; }
                        i1 = i1 + 1;
                    }
                    case 4: case 5: {
                        b0 = any(greaterThan(v4, v4.yzwx));
                        break;
                    }
                }
                f1 = fq(max((any(greaterThan(v4, v4.yzwx)) ? fq(mat[0].y - f0) : clamp(f1, -3.5, 8.0)), clamp(f0, -3.5, 8.0)));
                break;
            }
        }
        if (b0) {
            for (int k4 = 0; k4 < 1; k4++) {
                { b0 = any(lessThan(n4, n4.yzwx)) ^^ all(notEqual(v4, uvec4(uint(b0)))); }
            }
            b0 = all(greaterThan(v4, v4.yzwx));
            v4 = v4 + uvec4(u2);
        }
        else {
            {
                int i0 = (((-(s.m)) & 65535) / (((one * minus) & 255) | 1));
                    i1 += int((s.v.x > f0));
                i1 = i1 ^ i0;
            }
            int k5 = 3;
            while (k5 > 0 && ((u0 != v4.z) || k5 > 2)) {
                k5 = k5 - 1;
                u2++;
            }
            if ((!b0)) { continue; }
        }
    }
    i2 = early(int(bitCount(i1)), (u1 ^ many));
    s.v[(byte) & 1u] = fq((-(s.v.x)));
    v4 = v4.xxyy;
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
