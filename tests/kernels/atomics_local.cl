// Every 32-bit atomic on local memory; counts, extremes, bit sets and a small hash table by compare-exchange.
kernel void atomics_local(global const uint *in, global uint *out, local int *extremes)
{
    local uint sums[8], spare;
    local volatile uint table[16];
    uint gid = get_global_id(0), lid = get_local_id(0), x = in[gid];
    if (lid < 8)
        sums[lid] = lid == 5 ? 0xFFFFFFFFu : 0;
    if (lid < 16)
        table[lid] = 0;
    if (lid == 0) {
        extremes[0] = 0x7FFFFFFF;
        extremes[1] = -1000000;
        spare = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sums[0], x & 1023);
    atomic_inc(&sums[1 + (x & 1)]);
    atomic_sub(&sums[3], lid);
    atomic_xor(&sums[4], x);
    atomic_and(&sums[5], ~(1u << (x & 31)));
    atomic_or(&sums[6], 1u << (x >> 28));
    atomic_max(&sums[7], x >> 3);
    atomic_min(extremes, (int)x / 3);
    atomic_max(extremes + 1, (int)x / 5);
    uint key = (x >> 8) % 11 + 1, at = key & 15, probes = 0;
    while (probes < 16) {
        uint old = atomic_cmpxchg(&table[at], 0, key);
        if (old == 0 || old == key)
            break;
        at = (at + 1) & 15;
        ++probes;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint filled = 0;
    for (uint k = 0; k < 16; ++k)
        filled += table[k];
    uint sum = lid < 8 ? sums[lid] : lid < 10 ? (uint)extremes[lid - 8] : filled;
    if (lid == 11) {
        uint before = atomic_xchg(&spare, 9);
        sum = before + atomic_dec(&spare) * 1000000 + spare;
    }
    out[gid] = sum;
}
