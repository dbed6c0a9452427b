// Items of a group exchange data in rounds: mem_fence, read_mem_fence, write_mem_fence, and barriers with both flags.
kernel void fences(global uint *data, global uint *out)
{
    local uint line[16];
    uint gid = get_global_id(0), lid = get_local_id(0), base = gid - lid;
    for (uint r = 0; r < 4; ++r) {
        line[lid] = data[gid] * 3 + r;
        write_mem_fence(CLK_LOCAL_MEM_FENCE);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint x = line[(lid + 5) & 15];
        read_mem_fence(CLK_LOCAL_MEM_FENCE);
        data[base + (lid ^ r)] = x;
        mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    out[gid] = data[base + 15 - lid];
}
