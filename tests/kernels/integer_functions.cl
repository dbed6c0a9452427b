// Integer built-ins on 32 and 64 bits: clz, ctz, popcount, rotate, abs_diff, hadd, mul_hi, mad_hi, mad_sat, saturating sums.
#if __OPENCL_C_VERSION__ < 200 // ctz came with OpenCL 2.0
#define ctz(x) popcount(((x) & -(x)) - 1)
#endif
kernel void integer_functions(global const int *a, global const int *b, global int *out, global ulong *wide)
{
    uint gid = get_global_id(0);
    int x = a[gid], y = b[gid];
    uint u = (uint)x, v = (uint)y;
    long l = (long)x << 32 | v, m = (long)y << 32 ^ (long)x;
    ulong ul = (ulong)l, um = (ulong)m;
    global int *o = out + gid * 16;
    o[0] = clz(x) + popcount(y) * 100 + ctz(u) * 10000;
    o[1] = (int)rotate(u, v) ^ rotate(y, 7);
    o[2] = (int)(abs(x) - abs_diff(x, y) + abs_diff(u, v));
    o[3] = hadd(x, y) ^ (int)hadd(u, v);
    o[4] = rhadd(x, y) ^ (int)rhadd(u, v);
    o[5] = mul_hi(x, y);
    o[6] = (int)mul_hi(u, v) + (int)mad_hi(u, v, 77u) + mad_hi(x, y, -5);
    o[7] = mad_sat(x, y, 1000);
    o[8] = (int)mad_sat(u, v, 1000u);
    o[9] = add_sat(x, y) ^ sub_sat(x, y);
    o[10] = (int)(add_sat(u, v) ^ sub_sat(u, v));
    o[11] = mul24(x >> 8, y >> 8) + mad24((int)(u & 0xFFF), (int)(v & 0xFFF), -9);
    o[12] = (int)(mul24(u & 0xFFFFFF, v & 0xFFFFFF) + upsample((ushort)u, (ushort)v));
    o[13] = clamp(x, -1000, 1000) + (int)clamp(u, 10u, 1000u) + min(x, y) - max(x, y);
    o[14] = (int)min(u, v) ^ (int)max(u, v) ^ upsample((short)x, (ushort)v);
    o[15] = (int)bitselect(u, v, 0x00FFFF00u);
    global ulong *w = wide + gid * 8;
    w[0] = clz(ul) + popcount(um) * 100 + ctz(ul) * 10000;
    w[1] = rotate(ul, um) + (ulong)rotate(m, 33L);
    w[2] = abs(l) + abs_diff(l, m) - abs_diff(ul, um);
    w[3] = hadd(ul, um) ^ (ulong)rhadd(l, m);
    w[4] = mul_hi(ul, um) ^ (ulong)mul_hi(l, m);
    w[5] = add_sat(ul, um) ^ (ulong)sub_sat(l, m);
    w[6] = (ulong)add_sat(l, m) + sub_sat(ul, um);
    w[7] = upsample(u, v) + (ulong)upsample(y, u) + mad_hi(ul, um, 3UL);
}
