// A sieve and a reachability closure with arrays of bool in private and local memory, bool helpers and bool struct members.
typedef struct {
    bool prime, twin;
    uchar rank;
} Mark;
static bool is_odd(uint x)
{
    return x & 1;
}
static bool either(bool a, const bool *b)
{
    return a || *b;
}
kernel void bool_arrays(global const uint *in, global uint *out)
{
    local bool linked[8][8];
    bool composite[64];
    uint gid = get_global_id(0), lid = get_local_id(0), x = in[gid], limit = 32 + gid % 32;
    for (uint k = 0; k < 64; ++k)
        composite[k] = k < 2 || k >= limit;
    for (uint k = 2; k * k < limit; ++k)
        if (!composite[k])
            for (uint j = k * k; j < limit; j += k)
                composite[j] = true;
    Mark m = {!composite[gid % 64], false, 0};
    for (uint k = 0; k < 64; ++k)
        m.rank += !composite[k];
    m.twin = gid + 2 < 64 && !composite[gid] && !composite[gid + 2];
    for (uint k = 0; k < 8; ++k)
        linked[lid][k] = ((x >> (k * 3)) & 7) == 0 || k == lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint via = 0; via < 8; ++via) {
        bool through = linked[lid][via];
        for (uint k = 0; k < 8; ++k) {
            bool far = through && linked[via][k];
            barrier(CLK_LOCAL_MEM_FENCE);
            linked[lid][k] |= far;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    uint bits = 0;
    for (uint k = 0; k < 8; ++k)
        bits |= (uint)linked[k][lid] << k;
    bool any = either(is_odd(x), &m.prime);
    out[gid] = bits + m.rank * 256u + (m.prime ? 65536u : 0u) + (m.twin ? 131072u : 0u) + (any != is_odd(bits)) * 262144u;
}
