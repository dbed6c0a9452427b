// Diffuses values along a line of local memory; two local arrays whose pointers are swapped each step.
kernel void double_buffer_local(global const uint *in, global uint *out, uint steps)
{
    local uint first[32], second[32];
    local uint *from = first, *to = second;
    uint lid = get_local_id(0), gid = get_global_id(0);
    from[lid] = in[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 0; s < steps + get_group_id(0); ++s) {
        uint left = from[lid == 0 ? 31 : lid - 1], right = from[(lid + 1) & 31];
        to[lid] = (left + 2 * from[lid] + right + s) >> 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        local uint *t = from;
        from = to;
        to = t;
    }
    out[gid] = from[lid] * 2 + (from == first ? 1 : 0);
}
