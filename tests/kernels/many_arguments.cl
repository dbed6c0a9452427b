// Adds up what twenty pointers and several vectors hold; more than 128 bytes of kernel arguments.
kernel void many_arguments(global const uint *a, global const uint *b, global const uint *c, global const uint *d,
                           global const uchar *e, global const ushort *f, global uint *g, global uint *h,
                           uint16 weights, global const uint *i, global const uint *j, char small, global const uint *k,
                           short3 triple, global uint *l, ulong big, constant uint *m, float8 factors, global float *n)
{
    uint gid = get_global_id(0);
    uint s = a[gid] * weights.s0 + b[gid] * weights.s3 + c[gid] * weights.s7 + d[gid] * weights.sf;
    s += e[gid] + f[gid] + i[gid] - j[gid] + k[gid] * 2 + m[gid & 3];
    g[gid] = s + (uint)small;
    h[gid] = s * (uint)triple.y + (uint)(big >> 32) + (uint)triple.z;
    l[gid] = (uint)big ^ weights.se;
    n[gid] = factors.s6 * (float)(gid + 1) + factors.s1;
}
