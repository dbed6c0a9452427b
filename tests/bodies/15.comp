// ffffffff 00000004 d56484fb 00000061 22b0af57 00000107 0000016f 0000000b
// 00000001 fffffffb 0000fee5 00000002 8ccee69d 00000107 000003b3 0000001f
// 00000008 65e51037 ffff011b 0000001f 07de3e9f 00000107 000003d3 0000000a
// 65e51030 00000010 4e503188 cf2e0e49 80000005 00000107 8a2154c3 00000008
// 00000003 80000009 0000feea ce0d5097 80000003 00000107 54092103 00000000
// 80000000 0000000b 8000fede ab81be06 fffffffb 00000107 92aa81ef 00000004
// ffffffff 0000000a 9677c81c 00000007 ffffffdc 00000107 00000149 00000058
// 00000001 00000001 8000fec0 00000002 ffffffea 00000107 000001f5 00000020
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
    i0 -= zero;
    bump(i0, (s.m & arr[0]));
    bump(s.m, (b0 ? arr[0] : i2));
    if (((f0 < f0) && all(greaterThan(v4, v4.yzwx)))) {
        bump(arr[((v4.w * unit)) & 3u], abs(low));
        int k1 = 1;
        while (k1 > 0 && (no || k1 > 2)) {
            k1 = k1 - 1;
            if ((clamp(byte, min(v4.z, 5u), max(v4.z, 5u)) != clamp(u0, min(u1, 5u), max(u1, 5u)))) {
                i0 -= i1;
            }
            else {
                v4.x = ((lane | u1) * (u2 - u2));
            }
            v4.y = lane;
        }
        {
            int i0 = int(abs(fq(f0 - f1)));
                f1 = fq(fq(dot(s.v, fq2(s.v * floor(below)))));
            i1 = i1 ^ i0;
        }
    }
    else {
        int k2 = 0;
        do {
            for (int k3 = 0; k3 < 3; k3++) {
                u1 &= uint(abs(trunc(mat[0].y)));
            }
            if (yes) {
                { u2 = packUnorm4x8(vec4(0.0, 1.0, clamp(fq(f0), 0.0, 1.0), 0.0)); }
                b0 = (f1 == (-((b0 ? f0 : s.v.x))));
                { float w; f0 = fq(modf(fq((-(mat[1].y))), w)); f1 = fq(w); }
            }
            else {
                f0 = fq(f1);
                u1 = ((!(f1 < mat[0].y)) ? (uint(b0) ^ ((lane & 65535u) / ((lane & 255u) | 1u))) : uint(abs(s.v.y)));
                f1 = fq(float((clamp(i1, min(i2, 5), max(i2, 5)) * int(packHalf2x16(vec2(above, 1.0)))) & 255));
            }
            { if ((u0 < v4.z)) { if ((f0 <= below)) i0 = 1; else i0 = 2; } else if ((none > unit)) i1 = 3; else { i2 = 4; } }
        } while (++k2 < 3 && (v4.x != u1));
    }
    u2--;
    if ((min(s.v.y, s.v.x) >= fq(dot(s.v, fq2(s.v * f1))))) {
        int k4 = 0;
        do {
            i1 = ((int(lane) - (-(i1))) >> (uint(packHalf2x16(vec2((-(mat[1].y)), 1.0))) & 31u));
            i0 += (zero << ((~(v4.x)) & 31u));
        } while (++k4 < 2 && b0);
        {
            int i0 = (abs(i1) + (i2 - i0));
                { f1 = fq((transpose(m32) * vec2(0.5, 2.0))[((ones | v4.w)) % 3u]); }
                { float w; f0 = fq(modf(fq(fq(dot(s.v, fq2(s.v * below)))), w)); f1 = fq(w); }
            i1 = i1 ^ i0;
        }
        switch (((all(greaterThan(v4, v4.yzwx)) ? (s.m - low) : floatBitsToInt(fq(nought)))) & 7) {
            case 0: case 1: {
                for (int k5 = 0; k5 < 3; k5++) {
                    i2 |= ((i0 & i1) + (i2 * s.m));
                }
                if (b0) { break; }
                i1 = i1 + 1;
                break;
            }
            case 2: case 3: {
                int k6 = 0;
                do {
                    f0 = fq((-(fq((no ? f1 : mat[1].y) - float(i0 & 255)))));
                } while (++k6 < 2 && (u0 >= lane));
            }
            default: {
                int k7 = 1;
                while (k7 > 0 && ((b0 && b0) || k7 > 2)) {
                    k7 = k7 - 1;
                    f0 = fq(fq(clamp(f0, -3.5, 8.0) + ceil(half_)));
                }
                if (any(greaterThan(v4, v4.yzwx))) { break; }
                i1 = i1 + 1;
                break;
            }
        }
    }
    int k8 = 0;
    do {
        { i2 = helper(n4, arr).y; }
        int k9 = 5;
        while (k9 > 0 && ((b0 && b0) || k9 > 2)) {
            k9 = k9 - 1;
            u1 = lane;
        }
        s.v[((u0 | lane)) & 1u] = fq(f1);
    } while (++k8 < 2 && (!b0));
    bump(s.m, int(no));
    b0 = b0;
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
