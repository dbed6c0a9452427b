// Histogram of bytes read as uchar4: local counters per group, merged into global memory by atomics, then a prefix sum by one item.
kernel void byte_histogram(global const uchar4 *in, volatile global uint *bins, local uint *counts, global uint *peaks, uint each)
{
    uint lid = get_local_id(0), width = get_local_size(0);
    for (uint k = lid; k < 32; k += width)
        counts[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < each; ++k) {
        uchar4 p = in[(get_group_id(0) * each + k) * width + lid];
        atomic_inc(&counts[p.x >> 3]);
        atomic_inc(&counts[p.y >> 3]);
        atomic_add(&counts[p.z >> 3], (uint)(p.w & 3));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = lid; k < 32; k += width)
        if (counts[k])
            atomic_add(&bins[k], counts[k]);
    if (lid != width - 1)
        return;
    uint best = 0, sum = 0;
    for (uint k = 0; k < 32; ++k) {
        sum += counts[k] * k;
        best = counts[k] > counts[best] ? k : best;
    }
    peaks[get_group_id(0)] = best + sum * 100;
}
