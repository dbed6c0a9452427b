// Reads and writes through pointers that a condition chose: between two globals, two locals, two privates.
static void bump(private uint *p, uint by)
{
    *p = *p * 3 + by;
}
kernel void pointer_select(global uint *even, global uint *odd, global const uint *in)
{
    local uint low[16], high[16];
    uint gid = get_global_id(0), lid = get_local_id(0), x = in[gid];
    low[lid] = x;
    high[lid] = x * 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    local uint *side = (x & 4) ? low : high;
    uint sum = side[(lid + 3) & 15];
    local uint *other = side == low ? high + 1 : low;
    sum ^= other[lid >> 1] << 7;
    uint small[4], large[6];
    for (uint k = 0; k < 4; ++k)
        small[k] = x + k;
    for (uint k = 0; k < 6; ++k)
        large[k] = x * k;
    private uint *chosen = (x & 8) ? small : large;
    private uint *last = (x & 8) ? small + 3 : large + 5;
    for (private uint *p = chosen; p <= last; ++p)
        bump(p, sum);
    uint a = x, b = ~x;
    bump((x & 16) ? &a : &b, 9);
    global uint *target;
    if (gid & 1)
        target = odd;
    else if (x & 32)
        target = even;
    else
        target = even + 1;
    target[(gid >> 1) * 2] = small[2] + large[3] + sum;
    target = (gid & 1) ? odd + 1 : ((x & 32) ? even + 1 : even);
    target[(gid >> 1) * 2] = a ^ (b << 1);
}
