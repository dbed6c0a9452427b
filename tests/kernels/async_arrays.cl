// Writes local arrays out with async_work_group_copy and its strided form; clang gives the pointers the types of whole arrays.
kernel void async_arrays(global const uint *in, global uint *out, global ushort4 *quads)
{
    local uint tile[16];
    local uint rows[16];
    local ushort4 four[8];
    uint lid = get_local_id(0), group = get_group_id(0);
    tile[lid] = in[group * 16 + lid];
    tile[8 + lid] = in[group * 16 + 8 + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    rows[lid] = tile[15 - lid] + lid;
    rows[8 + lid] = tile[lid] * 3;
    four[lid] = (ushort4)((ushort)lid, (ushort)group, (ushort)tile[lid], 9);
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out + group * 32, rows, 16, 0);
    e = async_work_group_strided_copy(out + group * 32 + 16, tile, 8, 2, e);
    e = async_work_group_copy(quads + group * 8, four, 8, e);
    wait_group_events(1, &e);
}
