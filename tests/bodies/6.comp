// ff170000 00080007 7c671526 3c003e01 c3ffc1fb 000003f8 b8103145 00000e97
// 00000002 ff370005 000000fe 3c003e09 3c003df7 fffffdfe 00001141 000000fe
// f807c000 00004002 4508db94 0000000b 3c003e01 00000207 00000093 00000ec6
// 00000007 f807c005 00000003 0000000f fffffff3 00000204 000007c2 0000000d
// 53493ef1 00000625 c000001d 0000000d 00000001 00000208 0000030d 00000001
// 00000020 53493ef4 0000001a 0000000a fffffff0 fffffe87 62d94b21 0000000e
// 2b5bc935 08006805 15ade69e 0000000a fffffffb fffffe85 87e8757a 0000000c
// 08006600 2b5beb30 9bd7d10e 0000000d ffffffff 0000031c 0000030e 00000e89
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
    int k1 = 2;
    while (k1 > 0 && ((high == s.m) || k1 > 2)) {
        k1 = k1 - 1;
        { uint high_, low_; umulExtended(many, u1, high_, low_); u0 ^= high_ + low_; }
        u2 -= uint((!b0));
        u1 = (bitfieldReverse((byte & u2)) + lane);
    }
    int k2 = 5;
    while (k2 > 0 && ((!b0) || k2 > 2)) {
        k2 = k2 - 1;
        switch ((i1) & 7) {
            case 0: case 1: {
                switch ((abs(int(abs(f0)))) & 7) {
                    case 0: case 1: {
                        { i0 = bool(u0 & 1u) ? s.m : i1; }
                    }
                    case 2: case 3: {
                        u0 = v4.x;
                        { uvec3 t = uvec3(v4); t.zyx = t; u2 ^= t.x; }
                        break;
                    }
                    default: {
                        { i0 = bool(u0 & 1u) ? (i2 - minus) : i1; }
                        mat[(((lane & 65535u) / ((u1 & 255u) | 1u))) & 1u] = fq2(mat * s.v);
                        break;
                    }
                }
                int k3 = 1;
                while (k3 > 0 && (b0 || k3 > 2)) {
                    k3 = k3 - 1;
                    b0 = (fq(max(half_, s.v.x) * fq(f0 + f1)) > clamp(clamp(s.v.y, -3.5, 8.0), -3.5, 8.0));
                    u0 = bitfieldReverse(u1);
                    u2 *= uint((b0 && b0));
                }
                break;
            }
            case 2: case 3: {
                f0 = fq(clamp(min((-(f0)), mat[1].y), -3.5, 8.0));
                for (int k4 = 0; k4 < 2; k4++) {
                    u2 = byte;
                }
                if (b0) { break; }
                i1 = i1 + 1;
            }
            default: {
                i1 = abs(int(packHalf2x16(vec2(fq(mat[1].y * f1), 1.0))));
                int k5 = 0;
                do {
                    s.v[(u1) & 1u] = fq(float(bitfieldReverse(i1) & 255));
                    { f1 = fq(unpackSnorm4x8(0x7f810000u).w + unpackUnorm2x16(0xffff0000u).y); }
                    s.m = i0;
                } while (++k5 < 4 && (i2 > s.m));
                break;
            }
        }
    }
    for (int k6 = 0; k6 < 2; k6++) {
        switch (((((-(arr[1])) & 65535) / (((b0 ? s.m : s.m) & 255) | 1))) & 7) {
            case 0: case 1: {
                int k7 = 0;
                do {
                    f1 = fq(floor((-(below))));
                    i2 = early(clamp(arr[3], min(i2, 5), max(i2, 5)), v4.w);
                } while (++k7 < 4 && b0);
                int k8 = 5;
                while (k8 > 0 && ((!b0) || k8 > 2)) {
                    k8 = k8 - 1;
                    { int w = 0; while (true) { w++; switch (w) { case 1: i0++; case 2: i1--; break; case 3: continue; default: i2 ^= w; } if (w > 4) break; } }
                }
            }
            default: {
                b0 = ((any(greaterThan(v4, v4.yzwx)) ? clamp(minus, min(arr[0], 5), max(arr[0], 5)) : (-(s.m))) != ((s.m | i0) ^ int(findLSB(s.m))));
                { n4 <<= ivec4(1, 2, 3, 4); v4 >>= 1; }
                if ((s.v.y < s.v.y)) { break; }
                i1 = i1 + 1;
                break;
            }
            case 4: case 5: {
                mat[(bitfieldExtract(none, int(u2 & 15u), int(u0 & 15u))) & 1u] = fq2(mat * s.v);
                {
                    int i0 = s.m;
                        i2 = int(abs(float((i0 * zero) & 255)));
                        bump(i0, int(yes));
                        f0 = fq(floor((b0 ? float(low & 255) : ceil(above))));
                    i1 = i1 ^ i0;
                }
            }
        }
        if ((s.v.x <= f0)) { break; }
    }
    int k9 = 1;
    while (k9 > 0 && (yes || k9 > 2)) {
        k9 = k9 - 1;
        u1 = ((uint(bitCount(u2)) << (uint(s.m) & 31u)) | bitfieldExtract((v4.z - v4.z), int(bitfieldReverse(many) & 15u), int(u0 & 15u)));
        if (any(greaterThan(v4, v4.yzwx))) {
            b0 = b0;
            if (any(greaterThan(v4, v4.yzwx))) { break; }
            switch ((int(abs((-(f1))))) & 7) {
                case 0: case 1: {
                    u0 *= u1;
                    if ((i0 >= s.m)) { break; }
                    i1 = i1 + 1;
                    break;
                }
                default: {
                    { both(n4.y, v4.w, bitfieldReverse(arr[2])); }
                    { f0 = fq(dot(m32 * vec3(1.0, 0.5, -2.0), vec2(1.0))); }
                    break;
                }
                case 4: case 5: {
                    { u2 = packUnorm4x8(vec4(0.0, 1.0, clamp(fq(f0), 0.0, 1.0), 0.0)); }
                    s.m = s.m;
                    break;
                }
            }
        }
    }
    i2++;
    { uint high_, low_; umulExtended(uint(findMSB(v4.y)), u1, high_, low_); u0 ^= high_ + low_; }
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
