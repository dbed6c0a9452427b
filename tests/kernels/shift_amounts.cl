// Shifts by amounts beyond the width, which OpenCL takes modulo the width; 8 to 64 bits, scalar and vector, both signs.
kernel void shift_amounts(global const uint *in, global uint *out, global ulong *wide)
{
    uint gid = get_global_id(0), x = in[gid], n = in[gid + 1] & 127;
    int s = (int)x;
    out[gid * 5] = x << n;
    out[gid * 5 + 1] = (x >> n) ^ (uint)(s >> n);
    uchar b = (uchar)x;
    short h = (short)x;
    out[gid * 5 + 2] = (uint)(b << n) + (uint)(h >> n);
    uint4 v = (uint4)(x, ~x, x * 3, x * 5) << (uint4)(n, n + 1, n + 32, n ^ 31);
    out[gid * 5 + 3] = v.x ^ v.y ^ v.z ^ v.w;
    uchar4 c = (uchar4)(b, 255, 129, 77) >> (uchar4)((uchar)n, 3, 9, (uchar)(n + 8));
    out[gid * 5 + 4] = as_uint(c);
    ulong l = (ulong)x << 32 | ~x;
    wide[gid * 2] = (l << (n * 3)) ^ (l >> n);
    wide[gid * 2 + 1] = (ulong)((long)l >> (n + 64));
}
