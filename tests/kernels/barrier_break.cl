// Halving sums until a group agrees to stop: barriers in nested loops, uniform break and continue around them.
kernel void barrier_break(global const uint *in, global uint *out, uint limit)
{
    local uint line[32], stop;
    uint gid = get_global_id(0), lid = get_local_id(0), rounds = 0;
    line[lid] = in[gid] & 4095;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (;;) {
        for (uint width = 16; width > 0; width >>= 1) {
            uint sum = line[lid];
            if (lid < width)
                sum += line[lid + width] >> 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            line[lid] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (line[1] % 7 == 3)
                break;
        }
        if (++rounds == limit)
            break;
        uint odd = line[0] & 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (odd) {
            line[lid] ^= lid;
            barrier(CLK_LOCAL_MEM_FENCE);
            continue;
        }
        if (lid == 7)
            stop = line[0] > 300000u || line[2] % 5 == 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint leave = stop;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leave)
            break;
    }
    out[gid] = line[lid] + rounds * 100000000;
}
