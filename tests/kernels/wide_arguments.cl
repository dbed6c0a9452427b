// Picks elements of float16, double4, ulong8, short16 and char2 arguments dynamically; about 300 bytes of arguments.
kernel void wide_arguments(float16 f, global float *floats, double4 d, ulong8 u, short16 s, global ulong *words, char2 c, local uint *line)
{
    uint gid = get_global_id(0), lid = get_local_id(0);
    line[lid] = gid * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    float16 g = f + f.sfedcba9876543210 * 2.0f;
    floats[gid] = g[gid & 15] - f[(gid >> 1) & 15] + (float)d[gid & 3];
    ulong w = u[gid & 7] ^ (ulong)(long)s[(gid * 7) & 15];
    words[gid] = w + (ulong)(long)c.y * (ulong)line[lid ^ 1] + (ulong)(long)(d.w * 1024.0) + (ulong)(uchar)c.x;
}
