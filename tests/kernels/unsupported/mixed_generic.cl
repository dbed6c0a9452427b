// Unsupported: a generic pointer that is local for some items and global for others, so that no address space fits it (OpenCL 2.0).
kernel void mixed_generic(global uint *data, global uint *out)
{
    local uint line[16];
    uint lid = get_local_id(0);
    line[lid] = data[lid] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint *p = data[lid] & 1 ? (uint *)line : (uint *)data;
    uint sum = 0;
    for (uint k = 0; k < 4; ++k) {
        sum += p[(lid + k) & 15];
        if (sum & 2)
            p = p == (uint *)line ? (uint *)data : (uint *)line;
    }
    out[get_global_id(0)] = sum;
}
