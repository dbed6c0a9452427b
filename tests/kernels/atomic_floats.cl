// Adds floats by compare-exchange on their bits, and finds a minimum; exact because all values are small multiples of 1/8.
static void add_float(volatile global float *at, float x)
{
    union {
        uint bits;
        float number;
    } old, next, seen;
    old.bits = atomic_or((volatile global uint *)at, 0);
    for (int tries = 0; tries < 5000; ++tries) {
        next.number = old.number + x;
        seen.bits = atomic_cmpxchg((volatile global uint *)at, old.bits, next.bits);
        if (seen.bits == old.bits)
            return;
        old = seen;
    }
}
static void add_local(volatile local float *at, float x)
{
    uint old = atomic_add((volatile local uint *)at, 0), seen;
    int tries = 0;
    while ((seen = atomic_cmpxchg((volatile local uint *)at, old, as_uint(as_float(old) + x))) != old && ++tries < 5000)
        old = seen;
}
kernel void atomic_floats(global const int *in, volatile global float *sums, global float *out)
{
    local float total;
    uint gid = get_global_id(0), lid = get_local_id(0);
    float x = (float)in[gid] * 0.125f;
    if (lid == 0)
        total = 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    add_local(&total, x);
    add_float(&sums[gid & 3], x);
    if (x < 0.0f)
        add_float(sums + 4, -x);
    atomic_xchg(&sums[5], 7.5f);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gid] = total + (float)lid;
}
