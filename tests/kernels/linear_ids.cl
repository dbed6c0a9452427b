// Linear ids of items in the range and in the group, and enqueued sizes, and dimensions beyond the last (OpenCL 2.0).
kernel void linear_ids(global uint *out, local ushort *marks)
{
    size_t at = get_global_linear_id(), in_group = get_local_linear_id();
    marks[in_group] = (ushort)(at * 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t count = get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);
    uint sum = 0;
    for (size_t k = 0; k < count; ++k)
        sum += marks[k] * (uint)(k ^ in_group);
    for (uint d = (uint)at & 3; d < 5; ++d)
        sum += (uint)(get_global_size(d) * 1000 + get_local_size(d) * 10 + get_num_groups(d) + get_global_id(d) + get_local_id(d) * 3 + get_group_id(d));
    out[at] = sum + (uint)(get_enqueued_local_size(1) - get_local_size(1)) + (uint)(at - in_group) * 100000;
}
