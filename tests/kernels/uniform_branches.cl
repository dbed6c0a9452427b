// Barriers inside branches and a switch that whole groups take, whole groups that return early, divergent work between.
kernel void uniform_branches(global const uint *in, global uint *out, global const uint *modes)
{
    local uint line[16];
    uint gid = get_global_id(0), lid = get_local_id(0), mode = modes[get_group_id(0)], x = in[gid];
    out[gid] = x;
    if (mode == 9)
        return;
    line[lid] = x;
    if (mode & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        x = line[15 - lid];
        if (lid & 1)
            x = x * 3 + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        line[lid] = x;
    } else if (mode == 4) {
        if (lid < 8)
            line[lid] += 5;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[gid] = line[lid ^ 8];
        return;
    }
    switch (mode >> 1) {
    case 0:
        barrier(CLK_LOCAL_MEM_FENCE);
        x += line[(lid + 1) & 15];
        break;
    case 1:
        x ^= 0xFF;
        // fall through
    case 3:
        for (uint k = 0; k < mode; ++k) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint y = line[(lid + k) & 15];
            barrier(CLK_LOCAL_MEM_FENCE);
            line[lid] = y + k;
        }
        x += line[lid];
        break;
    default:
        x = ~x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0 && (mode & 2))
        return;
    out[gid] = x + mode;
}
