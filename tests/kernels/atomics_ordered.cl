// C11 atomics with orders and scopes on global and local atomic objects, also 64-bit ones (OpenCL 2.0).
kernel void atomics_ordered(global const uint *in, global atomic_uint *state, global atomic_int *signs, global uint *out)
{
    local atomic_uint tally;
    local atomic_int low;
    uint gid = get_global_id(0), lid = get_local_id(0), x = in[gid];
    if (lid == 0) {
        atomic_init(&tally, 3);
        atomic_init(&low, 1 << 30);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&tally, x & 15, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_min_explicit(&low, (int)(x >> 4), memory_order_acq_rel, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gid] = atomic_load_explicit(&tally, memory_order_acquire, memory_scope_work_group) * 3 + (uint)atomic_load_explicit(&low, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_add_explicit(&state[0], x & 255, memory_order_relaxed, memory_scope_device);
    atomic_fetch_sub_explicit(&state[1], x & 63, memory_order_release, memory_scope_device);
    atomic_fetch_or_explicit(&state[2], 1u << (x & 31), memory_order_acquire, memory_scope_device);
    atomic_fetch_xor_explicit(&state[3], x, memory_order_acq_rel, memory_scope_device);
    atomic_fetch_and_explicit(&state[4], ~(x & 0xF0F0u), memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(&state[5], x, memory_order_relaxed, memory_scope_device);
    atomic_fetch_add(&state[6], 1u);
    uint old = atomic_load_explicit(&state[7], memory_order_relaxed, memory_scope_device);
    int tries = 0;
    while (!atomic_compare_exchange_strong_explicit(&state[7], &old, old + (x & 7), memory_order_acq_rel, memory_order_relaxed, memory_scope_device) && ++tries < 5000)
        ;
    atomic_fetch_max_explicit(&signs[0], (int)x, memory_order_relaxed, memory_scope_device);
    int none = 0;
    if (atomic_compare_exchange_strong(&signs[1], &none, 5))
        atomic_store_explicit(&signs[2], 9, memory_order_release, memory_scope_device);
    uint before = atomic_exchange_explicit(&state[8 + (gid >> 5)], 1u, memory_order_acq_rel, memory_scope_device);
    atomic_fetch_add_explicit(&state[10], before ? 1u : 0u, memory_order_relaxed, memory_scope_device);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
}
