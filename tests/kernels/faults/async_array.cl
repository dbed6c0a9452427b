// Copies a local array out: clang 22 gives OpGroupAsyncCopy pointers to the whole array instead of to its elements.
kernel void async_array(global uint *out)
{
    local uint tile[16];
    tile[get_local_id(0)] = (uint)get_global_id(0) * 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out + get_group_id(0) * 16, tile, 16, 0);
    wait_group_events(1, &e);
}
