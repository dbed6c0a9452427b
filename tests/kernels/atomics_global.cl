// Every 32-bit atomic on global memory; the results used are sums, or values that do not depend on the order.
kernel void atomics_global(global const uint *in, volatile global uint *state, volatile global int *signs, global uint *seen)
{
    uint gid = get_global_id(0), x = in[gid];
    atomic_add(&state[0], x & 255);
    atomic_sub(&state[1], x & 127);
    uint ticket = atomic_inc(&state[2]);
    atomic_dec(&state[3]);
    atomic_min(&state[4], x);
    atomic_max(&state[5], x);
    atomic_and(&state[6], ~(1u << (x & 15)));
    atomic_or(&state[7], 1u << (x >> 27));
    atomic_xor(&state[8], x);
    atomic_min(&signs[0], (int)x);
    atomic_max(&signs[1], (int)x);
    atomic_add(&signs[2], (int)x >> 20);
    if (atomic_cmpxchg(&signs[3], 0, 77) == 0)
        atomic_inc(&signs[4]);
    uint old = atomic_xchg(&state[12 + (gid & 3)], 100);
    atomic_add(&state[9], old);
    atomic_or(&seen[ticket >> 5], 1u << (ticket & 31));
    if (gid < 4)
        seen[4 + gid] = gid;
}
