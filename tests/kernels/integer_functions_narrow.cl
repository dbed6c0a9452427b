// The integer built-ins on 8 and 16 bits, scalars and vectors of three and four.
#if __OPENCL_C_VERSION__ < 200 // ctz came with OpenCL 2.0
#define ctz(x) popcount(((x) & -(x)) - 1)
#endif
kernel void integer_functions_narrow(global const ushort *a, global const ushort *b, global short *out, global uchar *bytes)
{
    uint gid = get_global_id(0);
    ushort u = a[gid], v = b[gid];
    short x = (short)u, y = (short)v;
    uchar p = (uchar)u, q = (uchar)v;
    char c = (char)(u >> 8), d = (char)(v >> 8);
    global short *o = out + gid * 12;
    o[0] = clz(x) + popcount(v) * 100;
    o[1] = rotate(x, y) ^ (short)rotate(u, v);
    o[2] = (short)(abs(x) + abs_diff(x, y) - abs_diff(u, v));
    o[3] = hadd(x, y) ^ (short)rhadd(u, v);
    o[4] = mul_hi(x, y) ^ (short)mul_hi(u, v);
    o[5] = mad_sat(x, y, (short)5) ^ (short)mad_sat(u, v, (ushort)5);
    o[6] = add_sat(x, y);
    o[7] = sub_sat(x, y);
    o[8] = (short)add_sat(u, v) ^ (short)sub_sat(u, v);
    o[9] = upsample(c, q) ^ (short)upsample(p, q);
    o[10] = clamp(x, (short)-300, (short)300) + max(x, y) - min(x, y);
    o[11] = (short)(ctz((ushort)(u | 0x8000)) + clz(p) * 100);
    uchar4 r = add_sat((uchar4)(p, q, p, q), (uchar4)(q, q, p, (uchar)77));
    r ^= sub_sat((uchar4)(p, q, 200, 100), (uchar4)(q, p, p, q)) + abs_diff((uchar4)(p), (uchar4)(q, p, 9, 250));
    r += hadd((uchar4)(p, q, 255, 254), (uchar4)(q, p, p, q)) ^ rotate((uchar4)(p), (uchar4)(1, 3, q, 7));
    vstore4(r, gid, bytes);
    char3 s = add_sat((char3)(c, d, c), (char3)(d, d, 100)) ^ mul_hi((char3)(c, d, c), (char3)(d, 99, -77));
    vstore3(as_uchar3(s ^ max((char3)(c), (char3)(d, 0, -5))) + popcount((uchar3)(p, q, 255)), gid, bytes + 4 * get_global_size(0));
}
