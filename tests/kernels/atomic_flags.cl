// Items claim atomic flags and release some of them; exactly one wins each round (OpenCL 2.0: flags, work_group_barrier with scope).
kernel void atomic_flags(global atomic_flag *flags, global uint *out, uint rounds)
{
    local atomic_flag mine[4];
    local uint wins[4];
    uint lid = get_local_id(0), gid = get_global_id(0);
    if (lid < 4) {
        atomic_flag_clear_explicit(&mine[lid], memory_order_relaxed, memory_scope_work_group);
        wins[lid] = 0;
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    for (uint r = 0; r < rounds; ++r) {
        uint k = (lid + r) & 3;
        bool taken = atomic_flag_test_and_set_explicit(&mine[k], memory_order_acq_rel, memory_scope_work_group);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        if (!taken) {
            wins[k] += r + 1;
            if (k != 2)
                atomic_flag_clear_explicit(&mine[k], memory_order_release, memory_scope_work_group);
        }
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
    bool first = !atomic_flag_test_and_set_explicit(&flags[get_group_id(0) >> 1], memory_order_acq_rel, memory_scope_device);
    uint firsts = work_group_reduce_add(first ? 1u : 0u);
    out[gid] = wins[lid & 3] * 100;
    if (lid == 0)
        atomic_fetch_add_explicit((global atomic_uint *)&out[64 + (get_group_id(0) >> 1)], firsts, memory_order_relaxed, memory_scope_device);
}
