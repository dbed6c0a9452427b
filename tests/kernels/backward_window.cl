// Sums over a window around each element; negative indices, pointer differences and comparisons.
static int reach(global const int *low, global const int *at, global const int *high, int steps)
{
    global const int *from = at - steps, *to = at + steps;
    if (from < low)
        from = low;
    if (to >= high)
        to = high - 1;
    int sum = (int)(to - from) * 1000;
    for (int k = (int)(from - at); k <= to - at; ++k)
        sum += at[k] * (k == 0 ? 2 : 1);
    return sum;
}
kernel void backward_window(global const int *in, global int *out, int count)
{
    local int line[16 + 4];
    int gid = get_global_id(0), lid = get_local_id(0);
    local int *middle = &line[4] + lid;
    *middle = in[gid];
    if (lid < 4)
        middle[-4] = -gid;
    barrier(CLK_LOCAL_MEM_FENCE);
    int mixed = middle[-1] - middle[-3];
    local int *back = middle - (lid & 3);
    mixed += back[-1] * 3 + (back <= middle ? 1 : 0) + (back == middle ? 10 : 0);
    out[2 * gid] = reach(in, in + gid, in + count, 1 + (gid % 5));
    (out + 2 * count)[2 * (gid - count) + 1] = mixed + (int)(middle - line) * 100;
}
