// Writes what each work-item function answers in a 3-D range with uneven groups; all sizes.
kernel void ranges(global uint *out, global ulong *sums)
{
    size_t at = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
    uint local_at = (uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));
    uint group_at = (uint)(get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2)));
    out[at * 2] = local_at + group_at * 100;
    uint text = 0;
    for (uint d = 0; d < 3; ++d)
        text = text * 64 + (uint)(get_global_id(d) * 8 + get_local_id(d));
    out[at * 2 + 1] = text;
    ulong sum = 0;
    for (uint d = 0; d < 3; ++d)
        sum = sum * 1000 + get_global_size(d) * 100 + get_local_size(d) * 10 + get_num_groups(d);
    sums[at] = sum + get_global_offset(0) + get_global_offset(2);
}
