// Copies in and out, each with a new event: clang 22 writes OpConstantNull with operands.
kernel void async_twice(global const uint *in, global uint *out, local uint *tile)
{
    uint group = get_group_id(0);
    event_t e = async_work_group_copy(tile, in + group * 16, 16, 0);
    wait_group_events(1, &e);
    tile[get_local_id(0)] *= 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + group * 16, tile, 16, 0);
    wait_group_events(1, &e);
}
