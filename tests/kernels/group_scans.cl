// Stream compaction with work-group functions: scans, reductions, any, all, broadcast, of int, uint, float and long (OpenCL 2.0).
kernel void group_scans(global const int *in, global int *out, global long *wide, global float *numbers)
{
    uint gid = get_global_id(0), lid = get_local_id(0), base = get_group_id(0) * 16;
    int x = in[gid];
    int keep = x % 3 != 0;
    int at = work_group_scan_exclusive_add(keep), kept = work_group_reduce_add(keep);
    out[base + (keep ? at : kept + (int)lid - at)] = x;
    int low = work_group_reduce_min(x), high = work_group_scan_inclusive_max(x);
    uint top = work_group_reduce_max((uint)x);
    long l = work_group_scan_inclusive_add((long)x << 30);
    float f = work_group_reduce_add((float)x * 0.25f);
    float least = work_group_scan_exclusive_min((float)x);
    int flags = work_group_any(x > 900) + 2 * work_group_all(x > -990);
    int chosen = work_group_broadcast(x, get_group_id(0) % 16);
    wide[gid] = l + low * 1000L + flags;
    numbers[gid * 2] = f + (float)(high - chosen);
    numbers[gid * 2 + 1] = (lid ? least : 0.0f) + (float)(top & 1023);
}
