// Sub-group reductions, scans, votes and broadcast, folded so that nothing depends on the size of a sub-group.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void subgroup_folds(global const uint *in, global uint *out)
{
    local uint sums[4];
    uint gid = get_global_id(0), lid = get_local_id(0), x = in[gid] & 0xFFFF;
    if (lid < 4)
        sums[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint total = sub_group_reduce_add(x), before = sub_group_scan_exclusive_add(x), upto = sub_group_scan_inclusive_add(x);
    uint high = sub_group_reduce_max(x), low = sub_group_reduce_min(x);
    uint wrong = upto - before != x;
    wrong |= high < x || low > x;
    wrong |= sub_group_broadcast(x, 0) > high;
    wrong |= sub_group_all(x <= high) ? 0 : 2;
    wrong |= sub_group_any(x == high) ? 0 : 4;
    wrong |= get_sub_group_local_id() >= get_sub_group_size() ? 8 : 0;
    wrong |= get_sub_group_id() >= get_num_sub_groups() ? 16 : 0;
    wrong |= get_sub_group_size() > get_max_sub_group_size() ? 32 : 0;
    if (get_sub_group_local_id() == 0) {
        atomic_add(&sums[0], total);
        atomic_max(&sums[1], high);
        atomic_add(&sums[2], get_sub_group_size());
    }
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_or(&sums[3], wrong);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gid] = sums[0] + sums[1] * 3 + sums[2] * 1000000 + sums[3] * 100000000;
}
