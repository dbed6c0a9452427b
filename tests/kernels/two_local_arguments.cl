// Sorts each group's keys with their values by rank; two dynamic local arguments of different types, and a static array.
kernel void two_local_arguments(local ushort *keys, global const ushort *in, local uint2 *values, global uint2 *out, uint flip)
{
    local uchar ranks[32];
    uint gid = get_global_id(0), lid = get_local_id(0), width = get_local_size(0);
    keys[lid] = in[gid];
    values[lid] = (uint2)(in[gid] * 3, gid);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint rank = 0;
    for (uint k = 0; k < width; ++k)
        rank += keys[k] < keys[lid] || (keys[k] == keys[lid] && k < lid);
    ranks[rank] = (uchar)lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint2 v = values[ranks[flip ? width - 1 - lid : lid]];
    local uint *words = (local uint *)values;
    v.x += words[2 * rank + 1];
    out[gid] = v;
}
