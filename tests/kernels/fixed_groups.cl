// Transposes tiles with a required work-group size of 8 x 4; local memory sized by it.
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void fixed_groups(global const uint *in, global uint *out, uint width, uint height)
{
    local uint tile[8][9];
    uint x = get_global_id(0), lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0) * 8, gy = get_group_id(1) * 8;
    for (uint k = 0; k < 8; k += 4)
        tile[ly + k][lx] = in[(gy + ly + k) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 8; k += 4)
        out[(gx + ly + k) * height + gy + lx] = tile[lx][ly + k] + (uint)get_local_size(0) * 1000000;
}
