// any and all of integer vectors, which clang 22 turns into OpAny and OpAll on integers.
kernel void any_all(global const int4 *in, global int *out)
{
    uint gid = get_global_id(0);
    int4 x = in[gid], less = x < (int4)(1, 2, 0, -1);
    out[gid] = any(less) + 2 * all(less) + 4 * any(x) + 8 * all(x) + 16 * any(x.xy) + 32 * all(x.zw > x.xy);
}
