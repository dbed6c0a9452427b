// Writes local memory out with async_work_group_copy and its strided form inside a loop with barriers.
kernel void async_stores(global uint *out, global ushort4 *quads, uint rounds, local uint *tile, local ushort4 *four)
{
    uint lid = get_local_id(0), group = get_group_id(0);
    for (uint r = 0; r < rounds; ++r) {
        for (uint k = lid; k < 32; k += 8)
            tile[k] = k * r + group * 1000 + (r ? tile[k] : 7);
        four[lid] = (ushort4)((ushort)lid, (ushort)r, (ushort)(group + r), 9);
        barrier(CLK_LOCAL_MEM_FENCE);
        event_t e = async_work_group_copy(out + (r * get_num_groups(0) + group) * 64, tile, 32, 0);
        e = async_work_group_strided_copy(out + (r * get_num_groups(0) + group) * 64 + 33, tile + 8, 16, 2, e);
        e = async_work_group_copy(quads + (group * rounds + r) * 8, four, 8, e);
        wait_group_events(1, &e);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
