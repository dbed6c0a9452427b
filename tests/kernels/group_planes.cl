// Broadcasts from two- and three-dimensional places, reductions in a loop with a uniform exit, in a 3-D range (OpenCL 2.0).
kernel void group_planes(global const uint *in, global uint *out)
{
    size_t at = get_global_linear_id();
    uint x = in[at] & 0xFFFF;
    uint corner = work_group_broadcast(x, 3, 1, 1);
    uint sum = 0;
    for (uint k = 0; k < 8; ++k) {
        uint most = work_group_reduce_max(x);
        sum += most;
        if (most < 2000)
            break;
        if (x == most)
            x >>= 3;
        sum ^= work_group_broadcast(x, k & 3, k & 1, (k >> 1) & 1);
    }
    out[at] = sum * 5 + corner + (uint)work_group_scan_inclusive_add((uint)get_local_linear_id() & 3);
}
